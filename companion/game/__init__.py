"""The rules of *Next!*: dice, cards, events, state; standard library only."""
