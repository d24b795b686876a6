"""What a camera's errors mean: a stable code and a sentence of advice for each that people have reported."""

from __future__ import annotations

from companion.devices.streaming import CameraTrouble
from companion.table.ports import CameraFault

ABSENT = (
    "camera_absent",
    "No camera is found: check the ribbon cable at both ends, power off first; `rpicam-hello --list-cameras`"
    " lists what is found. It is tried again by itself.",
)
BUSY = (
    "camera_busy",
    "The camera is in use by another program: stop that one (rpicam-hello, another companion)."
    " It is tried again by itself.",
)
NOT_ALLOWED = (
    "camera_not_allowed",
    "This user may not use the camera: `sudo usermod -aG video USER`, then log in anew.",
)
NO_LIBRARY = (
    "camera_library_missing",
    "The camera's library is not there: `sudo apt-get install python3-picamera2`, and let the environment"
    " see the system's packages, as `script/install` does.",
)
STALLED = (
    "camera_stalled",
    "The camera stalled and gives no picture: check its cable; type the throw meanwhile.",
)
GONE = ("camera_gone", "The camera stopped answering: check its cable. It is tried again by itself.")

KNOWN = (
    ("busy", BUSY),
    ("in use by another process", BUSY),
    ("failed to acquire camera", BUSY),
    ("camera __init__ sequence did not complete", BUSY),
    ("no camera number", ABSENT),
    ("list index out of range", ABSENT),
    ("dmaheap", NOT_ALLOWED),
    ("permission denied", NOT_ALLOWED),
    ("no such device", GONE),
    ("broken pipe", GONE),
)
"""What stands in an error's text, and what it means; the first that fits counts."""


def trouble_of(error: BaseException) -> CameraTrouble:
    """Return what a camera's exception means, with its own words where they are not known."""
    if isinstance(error, CameraTrouble):
        return error
    if isinstance(error, CameraFault):
        return CameraTrouble(error.code, error.sentence)
    if isinstance(error, ImportError):
        return CameraTrouble(NO_LIBRARY[0], f"{NO_LIBRARY[1]} ({error})")
    if isinstance(error, TimeoutError):
        return CameraTrouble(*STALLED)
    if isinstance(error, IndexError):
        return CameraTrouble(*ABSENT)
    if isinstance(error, PermissionError):
        return CameraTrouble(*NOT_ALLOWED)
    text = str(error).lower()
    for words, (code, sentence) in KNOWN:
        if words in text:
            return CameraTrouble(code, sentence)
    told = str(error) or type(error).__name__
    return CameraTrouble(
        "camera_fault", f"The camera does not work ({told}): check its cable. It is tried again by itself."
    )
