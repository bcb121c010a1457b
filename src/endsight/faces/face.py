"""The package's names, each loaded from its home on first use; `__init__.pyi` says where each one lives."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pkgutil import get_data
from typing import Any

import endsight


@cache
def homes() -> dict[str, str]:
    """Return every name of the package with the module that defines it; for a module, the package itself."""
    stub = ast.parse(get_data("endsight", "__init__.pyi") or b"")
    imports = (node for node in stub.body if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def look_up(name: str) -> Any:
    """Return the class, function or module of that name; raise `AttributeError` if there is none."""
    if name == "__all__":
        value: Any = sorted([*homes(), "__version__"])
    elif name not in homes():
        raise AttributeError(f"module 'endsight' has no attribute {name!r}")
    elif homes()[name] == "endsight":
        return import_module(f"endsight.{name}")
    else:
        value = getattr(import_module(homes()[name]), name)
    setattr(endsight, name, value)
    return value
