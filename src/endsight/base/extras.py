"""Optional packages, which built-in games do not need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from endsight.base.faults import UsageError


def package_of(module: str, extra: str, what: str) -> Any:
    """The installed package `module`; if it is missing, a `UsageError` that names the extra."""
    try:
        return import_module(module)
    except ImportError:
        lacking = f"{what} needs {module.partition('.')[0]}, which is not installed"
        raise UsageError(lacking, advice=f"pip install 'endsight[{extra}]'") from None
