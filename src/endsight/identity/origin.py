"""The origin of code: the standard library, an installed package, endsight itself, or the rules' author."""

from __future__ import annotations

import os
import sys
from functools import lru_cache
from types import FunctionType
from typing import Any

_STANDARD = os.path.realpath(os.path.dirname(os.__file__)) + os.sep
_INSTALLED = ("site-packages", "dist-packages")
_RULES_OF_OURS = "endsight.games"
"""The part of endsight that holds rules and their shared code: it is examined like an author's."""


def library_of(module: str | None) -> str | None:
    """Name and version of the library of a module with that name; None for an author's module."""
    if module is None:
        return None
    loaded = sys.modules.get(module)
    return _library(module, getattr(loaded, "__file__", None), loaded is not None)


def library_of_function(function: FunctionType) -> str | None:
    """The same for a function, by the module whose names it uses."""
    space = function.__globals__
    name = space.get("__name__")
    return _library(name, space.get("__file__"), name in sys.modules) if isinstance(name, str) else None


@lru_cache(maxsize=1024)
def _library(module: str, file: str | None, is_loaded: bool) -> str | None:
    top = module.partition(".")[0]
    if top == "endsight":
        return None if f"{module}.".startswith(f"{_RULES_OF_OURS}.") else "endsight"
    if file is None:
        is_standard = top in sys.stdlib_module_names and module != "__main__"
        return "python" if is_loaded and is_standard else None
    place = os.path.realpath(file)
    if any(f"{os.sep}{folder}{os.sep}" in place for folder in _INSTALLED):
        return _installed(top)
    return "python" if place.startswith(_STANDARD) else None


def _installed(top: str) -> str | None:
    """An installed package with its version; None if unknown, so that its code is examined."""
    # Asked for as an attribute, a library may compute it and warn.
    version = getattr(sys.modules.get(top), "__dict__", {}).get("__version__")
    if not isinstance(version, str):
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as version_of

        try:
            version = version_of(top)
        except PackageNotFoundError:
            return None
    return f"{top} {version}"


def is_at_its_name(thing: Any) -> str | None:
    """`module.name`, with the library, if a library's object is found under its name; else None."""
    module = getattr(thing, "__module__", None)
    if not isinstance(module, str):
        module = getattr(type(thing), "__module__", None)
    library = library_of(module) if isinstance(module, str) else None
    if library is None:
        return None
    for name in (getattr(thing, "__qualname__", None), getattr(thing, "__name__", None)):
        if isinstance(name, str) and _found(module, name) is thing:
            return f"{library}: {module}.{name}"
    return None


def _found(module: str | None, name: str) -> Any:
    found: Any = sys.modules.get(module or "")
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
