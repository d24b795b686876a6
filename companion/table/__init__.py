"""The table: one writer that turns presses, readings and taps into events, and shows what is true now."""
