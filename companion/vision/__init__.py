"""Seeing: a picture and a profile become a reading; numpy and OpenCV, no clock, no files, no camera."""
