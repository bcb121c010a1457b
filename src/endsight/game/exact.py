"""The exact numbers of the package: an `int` or a `Fraction`, never a float or a bool. And modules that few need."""

from __future__ import annotations

from fractions import Fraction
from importlib import import_module
from typing import Any, TypeAlias, TypeGuard

Number: TypeAlias = int | Fraction


def is_exact(value: object) -> TypeGuard[Number]:
    """Whether `value` is a number this package calculates with (no bool, no float)."""
    return type(value) in (int, Fraction) or late("game.kinds").counts(value)


def late(name: str) -> Any:
    """Import a module only when it is needed: texts for people, error messages, and rare kinds of rules."""
    return import_module(f"endsight.{name}")
