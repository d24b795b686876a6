"""The product's own source files, parsed once, for the tests of the project's structure."""

import ast
import importlib.util
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PACKAGES = ("companion", "calibration")


@dataclass(frozen=True, slots=True)
class Module:
    """One source file: its dotted name, where it is, its text and its syntax tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def package(self) -> str:
        """The part of the project it belongs to: `game`, `vision`, … , `calibration`, or `` for the root."""
        parts = self.name.split(".")
        if parts[0] != "companion":
            return parts[0]
        is_package_file = self.path.name == "__init__.py"
        return parts[1] if len(parts) > 2 or (len(parts) == 2 and is_package_file) else ""

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Import:
    """One imported name, with the line and whether it happens when the module is imported."""

    target: str
    line: int
    at_import: bool


@cache
def all_modules() -> tuple[Module, ...]:
    """Return every module of the packages as imported here: from the checkout, or from an installed wheel."""
    return tuple(module for package in PACKAGES for module in _modules_of(package))


def _modules_of(package: str) -> Iterator[Module]:
    spec = importlib.util.find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return
    folder = Path(next(iter(spec.submodule_search_locations)))
    for path in sorted(folder.rglob("*.py")):
        parts = path.relative_to(folder.parent).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        text = path.read_text(encoding="utf-8")
        yield Module(".".join(parts), path, text, ast.parse(text, filename=str(path)))


def imports_of(module: Module) -> tuple[Import, ...]:
    """Return all that a module imports, in functions too; what only type checkers see is left out."""
    found: list[Import] = []
    _collect(module, module.tree.body, True, found)
    return tuple(found)


def _collect(module: Module, body: list[ast.stmt], at_import: bool, found: list[Import]) -> None:
    for node in body:
        if isinstance(node, ast.Import):
            found += (Import(alias.name, node.lineno, at_import) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = _absolute_base(module, node)
            found += (Import(f"{base}.{alias.name}", node.lineno, at_import) for alias in node.names)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            _collect(module, node.body, False, found)
        elif isinstance(node, ast.If) and _is_for_type_checkers(node.test):
            _collect(module, node.orelse, at_import, found)
        else:
            for inner in _inner_bodies(node):
                _collect(module, inner, at_import, found)


def _absolute_base(module: Module, node: ast.ImportFrom) -> str:
    if node.level == 0:
        return node.module or ""
    parts = module.name.split(".")
    if module.path.name == "__init__.py":
        parts = [*parts, "__init__"]
    return ".".join([*parts[: -node.level], *([node.module] if node.module else [])])


def _is_for_type_checkers(test: ast.expr) -> bool:
    return ast.unparse(test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def _inner_bodies(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    for field in ("body", "orelse", "finalbody"):
        inner = getattr(node, field, None)
        if isinstance(inner, list):
            yield inner
    for handler in getattr(node, "handlers", ()):
        yield handler.body
    for case in getattr(node, "cases", ()):
        yield case.body


def calls_of(module: Module) -> Iterator[tuple[str, int]]:
    """Yield the dotted name and line of every call that is written as a plain name."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            yield ast.unparse(node.func), node.lineno


def texts_of(module: Module) -> Iterator[tuple[str, int]]:
    """Yield each string constant with its line, also those inside f-strings; a gap stands as `{}`."""
    inside_joined: set[int] = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.JoinedStr):
            inside_joined.update(id(part) for part in node.values)
            parts = (str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
            yield "".join(parts), node.lineno
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside_joined:
            yield node.value, node.lineno
