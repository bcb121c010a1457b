"""Packages that are not needed for games of our own."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from endsight.base.faults import UsageError

__all__ = ["package_of"]


def package_of(module: str, extra: str, what: str) -> Any:
    """The installed package `module`; `UsageError` that names the extra where it is not installed."""
    try:
        return import_module(module)
    except ImportError:
        raise UsageError(
            f"{what} needs {module}, which is not installed", advice=f"pip install 'endsight[{extra}]'"
        ) from None
