"""A parameter with a series of values, from a text such as `sides=2..20`."""

from __future__ import annotations

import re
from typing import Any

from endsight.errors import ParameterError, UsageError
from endsight.errors.complaints import require_parameter
from endsight.game import Game
from endsight.game.value_text import Misread, read_value
from endsight.naming.class_names import nearest

MOST_SETTINGS = 10_000
_RANGE = re.compile(r"(-?\d{1,18})\.\.(-?\d{1,18})(?::(\d{1,18}))?", re.ASCII)


def settings(game: Game, vary: str) -> tuple[str, list[Any]]:
    """The parameter's name and its values from `KEY=2..20`, `KEY=2..20:2` or `KEY=a,b,c`."""
    key, equals, text = (part.strip() for part in vary.partition("="))
    if not equals or not text:
        raise UsageError(f"cannot read --vary {vary[:60]!r}", allowed="KEY=2..20, KEY=2..20:2 or KEY=3,5,8")
    kinds = game.parameters()
    require_parameter(game, key[:60], nearest(key, [f"{known}=" for known in kinds], "--vary "))
    found = _RANGE.fullmatch(text)
    items = map(str, _range(int(found[1]), int(found[2]), int(found[3] or 1))) if found else text.split(",")
    return key, [_value(game, key, kinds[key], item.strip()) for item in items]


def _range(first: int, last: int, step: int) -> range:
    """Both ends included; descending if the first is the larger."""
    if step == 0 or abs(last - first) // step >= MOST_SETTINGS:
        raise UsageError(f"cannot step from {first} to {last} by {step}", allowed=f"1 to {MOST_SETTINGS:,} values")
    return range(first, last + 1, step) if first <= last else range(first, last - 1, -step)


def _value(game: Game, key: str, kind: Any, text: str) -> Any:
    try:
        return read_value(kind, text)
    except Misread as error:
        raise ParameterError(
            f"{game.title()}: cannot read {key}={text[:60]}",
            found=error.found,
            allowed=error.allowed,
            advice=error.advice or (f"{key}=2..20 or {key}=2..20:2" if ".." in text else None),
        ) from None
