"""A port as an argument of the command line."""

import argparse

HIGHEST_PORT = 65535


def port_number(text: str) -> int:
    """Return the port; 0 takes a free one.

    Raises:
        argparse.ArgumentTypeError: it is none.
    """
    if not text.isdecimal() or int(text) > HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"a port is a number from 0 to {HIGHEST_PORT}, not {text}")
    return int(text)
