"""The set-up of a table: pictures of it and of six dice become what reading needs to know."""

from calibration.checks import Margin
from calibration.colours import Lesson, learn_faces
from calibration.markers import MarkerLayout, marker_sheet, zones_from_markers
from calibration.palette import DEFAULT_PALETTE, Palette
from calibration.refusal import CalibrationRefused
from calibration.steps import Settings, Setup, Step, calibrate

__all__ = [
    "DEFAULT_PALETTE",
    "CalibrationRefused",
    "Lesson",
    "Margin",
    "MarkerLayout",
    "Palette",
    "Settings",
    "Setup",
    "Step",
    "calibrate",
    "learn_faces",
    "marker_sheet",
    "zones_from_markers",
]
