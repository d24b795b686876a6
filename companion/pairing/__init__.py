"""Pairing: which phones may act. A phone asks, and a press of the table's button lets it in."""
