"""A table companion for the dice game Next!: it sees the dice, knows the rules and keeps the score."""

__version__ = "0.1.0"
