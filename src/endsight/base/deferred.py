"""Imports that wait until something of them is used: what only some runs need, and what takes long to load."""

from __future__ import annotations

import builtins
from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import SimpleNamespace
from typing import Any

_LOCK = RLock()


@contextmanager
def deferred(importer: str) -> Iterator[None]:
    """Put off imports of the block, which stands in the module `importer`, until what they name is first used::

        with deferred(__name__):
            from endsight.algorithms.retrograde import retrograde

    The names are those of modules, and of functions and classes that are called. Constants, and classes for
    `isinstance`, are asked of their module. Linters and type checkers see ordinary imports.
    """
    with _LOCK:
        usual = builtins.__import__

        def put_off(name: str, *details: Any, **named: Any) -> Any:
            scope, _, names, *_ = *details, None, None, None
            if scope is None or scope.get("__name__") != importer or not names:  # another thread imports something
                return usual(name, *details, **named)
            return SimpleNamespace(**{each: _Deferred(name, each) for each in names})

        vars(builtins)["__import__"] = put_off
        try:
            yield
        finally:
            builtins.__import__ = usual


def load(put_off: Any) -> None:
    """Import now what a name stands for whose import was put off."""
    put_off._imported()


class _Deferred:
    """Stands for what `from module import name` gives, and imports it at every use."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self._name = module, name

    def _imported(self) -> Any:
        return getattr(__import__(self._module, fromlist=[self._name]), self._name)

    def __call__(self, *arguments: Any, **settings: Any) -> Any:
        return self._imported()(*arguments, **settings)

    def __getattr__(self, attribute: str) -> Any:
        return getattr(self._imported(), attribute)
