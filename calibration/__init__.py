"""The set-up of a table: pictures of it and of six dice become what reading needs to know."""

from calibration.colours import learn_faces
from calibration.refusal import CalibrationRefused
from calibration.steps import EmptyTable, Settings, calibrate, look_at_empty

__all__ = ["CalibrationRefused", "EmptyTable", "Settings", "calibrate", "learn_faces", "look_at_empty"]
