"""The phases: what the table waits for, as everybody sees it."""

from enum import StrEnum


class Phase(StrEnum):
    """What the table waits for."""

    LOBBY = "lobby"
    """A game to be started."""
    THROW = "throw"
    """A turn's first throw."""
    READING = "reading"
    """A press was heard; its picture is taken and read."""
    DOUBT = "doubt"
    """A reading that people must settle."""
    CARD_NEEDED = "card_needed"
    """A card to be named, so that the throw can be judged."""
    DECIDE = "decide"
    """A take, a pass, or the next throw."""
    ACTION = "action"
    """A theft or an exchange."""
    OVER = "over"
    """Nothing: the game is over."""
