"""The coach: exact odds of a turn and the best dice to keep; numpy only."""
