"""States of natural fields as text: `cells=1-0-2 turn=CROSS second=no`, in the forms of parameters."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Any

from endsight.base.shortened import shortened
from endsight.errors import PositionError
from endsight.game.field_texts import BLANK, field_text, field_types, read_field, value_text
from endsight.game.value_text import Misread, read_value

if TYPE_CHECKING:
    from endsight.game import Game


def read_state(game: Game, text: str) -> Any:
    """The state that a text in the form of `Game.show`, or nearly so, describes; `PositionError` if none."""
    types, given = field_types(game.State, *type(game).__mro__), {}
    for item in text.split():
        name, equals, value = item.partition("=")
        if not equals or name not in types or name in given:
            form = " ".join(f"{field}=..." for field in types)
            raise PositionError(f"cannot read the position {text!r}", found=repr(item), allowed=form)
        try:
            given[name] = _read_field(types[name], value)
        except Misread as error:
            joined = " is" if error.found[0] in "'\"" else ":"
            found = f"{name}{joined} {error.found}"
            raise PositionError(f"cannot read the position {text!r}", found=found, allowed=error.allowed) from None
    left = ", ".join(name for name in types if name not in given)
    if left:
        form = " ".join(f"{field}=..." for field in types)
        raise PositionError(f"the position {text!r} is not complete", found=f"nothing for {left}", allowed=form)
    return game.State(**given)


def _read_field(kind: Any, text: str) -> Any:
    with suppress(KeyError, TypeError, ValueError):
        return read_field(kind, text)
    if "\\" in text:
        raise Misread(repr(shortened(text)), r"\ before a sign that would mean something else, as position() tells it")
    return read_value(kind, text.replace(BLANK, " ") if kind is str else text)


# ---------------------------------------------------------------------- pictures

_SIDES = (("width", "height"), ("columns", "rows"), ("cols", "rows"), ("size", "size"), ("n", "n"))
"""Parameters that give the width and height of a board."""


def state_drawing(game: Game, state: Any) -> str:
    """The state for people: boards as rows, top first, and under them the other fields in one line.

    A board is a field of rows of equal length, which are plain tuples, or one whose number of items is the product of
    two parameters, such as `width` and `height`.
    """
    if game.gives("show"):
        return game.show(state)
    types = field_types(game.State, *type(game).__mro__)
    boards, others = [], []
    for name, value in zip(state._fields, state, strict=True):
        rows = board_rows(game, value)
        if rows:
            boards.append("\n".join(" ".join(map(_sign, row)) for row in rows))
        else:
            others.append(f"{name}={field_text(types[name], value)}")
    return "\n".join([*boards, " ".join(others)] if others else boards)


def board_rows(game: Game, value: Any) -> list[Sequence[Any]]:
    """The rows of a board field, by parameters such as `width` and `height`; none for other fields."""
    if not isinstance(value, tuple | str) or not value:
        return []
    lengths = {len(row) if type(row) is tuple else 0 for row in value}
    if len(value) > 1 and len(lengths) == 1 and min(lengths) > 1:
        return list(value)
    for across, down in _SIDES:
        width, height = getattr(game, across, None), getattr(game, down, None)
        if isinstance(width, int) and isinstance(height, int) and width > 1 and width * height == len(value):
            return [value[first : first + width] for first in range(0, len(value), width)]
    return []


def _sign(value: Any) -> str:
    """One cell: `.` for 0, False, None and blanks, a letter of an Enum, else its text."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) and len(value.value) == 1 else value.name[0]
    if not value or value == " ":
        return "."
    return "#" if value is True else value_text(value)
