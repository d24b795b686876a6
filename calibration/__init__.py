"""The set-up of a table: pictures of it and of six dice become what reading needs to know."""

from calibration.colours import CalibrationRefused, learn_faces

__all__ = ["CalibrationRefused", "learn_faces"]
