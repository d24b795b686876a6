"""Cameras, LEDs and buttons: the only code that touches hardware, and the simulated ones beside it."""
