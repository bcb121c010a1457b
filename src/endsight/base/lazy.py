"""The names of a package, each loaded from its home on first use; the package's `__init__.pyi` says where it lives."""

from __future__ import annotations

import ast
from functools import cache
from importlib import import_module
from pkgutil import get_data
from typing import Any


@cache
def homes(package: str) -> dict[str, str]:
    """Every name of the package with the module that defines it; for a module, the package itself."""
    stub = ast.parse(get_data(package, "__init__.pyi") or b"")
    imports = (node for node in stub.body if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def look_up(package: str, name: str) -> Any:
    """The class, function or module of that name; raises `AttributeError` if there is none."""
    module, home = import_module(package), homes(package).get(name)
    if name == "__all__":
        value: Any = sorted({*homes(package), *{"__version__"}.intersection(vars(module))})
    elif home is None:
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    else:
        value = import_module(f"{package}.{name}") if home == package else getattr(import_module(home), name)
    setattr(module, name, value)
    return value
