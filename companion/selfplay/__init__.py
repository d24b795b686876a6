"""Robots at a table of their own: whole games through the same intents that people use."""
