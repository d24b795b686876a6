"""The examples in the docstrings of the rules are run."""

import doctest
import importlib
import pkgutil

import companion.game


def test_the_examples_hold() -> None:
    tried = 0
    for module in pkgutil.iter_modules(companion.game.__path__):
        result = doctest.testmod(importlib.import_module(f"companion.game.{module.name}"))
        assert result.failed == 0, module.name
        tried += result.attempted
    assert tried > 0
