"""Functions of methods that few runs choose, loaded by name when they are first called."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any


def deferred(name: str) -> Callable[..., Any]:
    """Return a stand-in for the function or class `endsight.module.name`, whose first call loads the module.

    It is for methods of which a run needs few, and which load numpy, linear programs or the compiler.
    """
    module, _, attribute = name.rpartition(".")

    def call(*arguments: Any, **settings: Any) -> Any:
        return getattr(import_module(module), attribute)(*arguments, **settings)

    return call
