"""Checks of arguments to the package's functions: one clear message for a wrong one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from numbers import Rational
from os import PathLike
from pathlib import Path
from typing import Any

from endsight.errors import UsageError

_LONGEST = 60
_WORDS = {
    str: "text",
    int: "a whole number",
    Rational: "an exact number",
    Mapping: "a dictionary",
    bool: "True or False",
}


def as_kind(found: Any, kind: Any, asker: str, advice: str) -> None:
    """Raise `UsageError` unless `found` is of that kind; True and False do not count as numbers."""
    if isinstance(found, kind) and not (kind is int and isinstance(found, bool)):
        return
    allowed = _WORDS.get(kind, f"an endsight.{kind.__name__}")
    raise UsageError(f"{asker} takes {allowed}", found=described(found), advice=advice)


def check_flags(**flags: object) -> None:
    """Raise `UsageError` for a flag that is neither True nor False: a text such as "off" would count as True."""
    for name, flag in flags.items():
        as_kind(flag, bool, name, f"{name}=True or {name}=False")


def as_path(found: Any, asker: str) -> Path:
    """`found` as a path; `UsageError` if it is neither text nor a path."""
    if not isinstance(found, str | PathLike):
        raise UsageError(f"{asker} takes a path", found=described(found), advice="'NAME', or pathlib.Path('NAME')")
    return Path(found)


def takes(function: Callable[..., Any], count: int) -> bool:
    """Whether a function can be called with that many positional arguments."""
    try:
        signature(function).bind(*[None] * count)
    except (TypeError, ValueError):
        return False
    return True


def described(found: Any) -> str:
    """The argument found, for a message: `'3' (str)`, or `the class Pig`."""
    if isinstance(found, type):
        return f"the class {found.__name__}"
    text = repr(found)
    return f"{text if len(text) <= _LONGEST else text[:_LONGEST] + '...'} ({type(found).__name__})"
