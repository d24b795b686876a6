"""The messages' schemas, as anybody may use them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import fastjsonschema

import companion.mqtt

FOLDER = Path(companion.mqtt.__file__).parent / "schemas"


@cache
def checker(name: str) -> Any:
    return fastjsonschema.compile(json.loads((FOLDER / f"{name}.json").read_text("utf-8")))


def check(name: str, message: Any) -> None:
    """Raise where a message is not as its schema says."""
    checker(name)(message)
