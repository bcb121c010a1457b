"""Documents as rows of cells for tab-separated text: a header of their key names, then one row a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeGuard

from endsight.game.numbers import Number, number_from

__all__ = ["MOVE_COLUMNS", "VALUE_COLUMNS", "cell_rows", "is_number", "number_of"]

VALUE_COLUMNS = (
    "game", "position", "to_move", "objective", "utility",
    "status", "value", "so_far", "category", "distance", "lower", "upper",
)  # fmt: skip
MOVE_COLUMNS = ("move", "probability", "value", "regret", "rank", "best", "category", "distance")


def cell_rows(
    rows: Iterable[Mapping[str, Any]], number: Callable[[Number], str], columns: Sequence[str] = ()
) -> Iterator[Sequence[str]]:
    """Header and rows, each as it comes. `columns` names what to show, and in which order; by default all keys met.

    `number` writes a number. Players' values in one cell read `first=13 second=9`, a
    single player's stands alone; null is the empty cell; lists are joined by blanks.
    """
    rows = rows if columns else list(rows)
    names = list(columns) or list(dict.fromkeys(key for row in rows for key in row))
    yield names
    for row in rows:
        yield [_cell(row.get(name), number) for name in names]


def is_number(value: Any) -> TypeGuard[Mapping[str, Any]]:
    """Whether that part of a document is an exact number."""
    return isinstance(value, Mapping) and "exact" in value and "approx" in value


def number_of(document: Mapping[str, Any]) -> Number:
    """The exact number again, from decimal or hexadecimal text."""
    if document["exact"] is not None:
        return number_from(document["exact"])
    numerator, _, denominator = document["exact_hex"].partition("/")
    return Fraction(int(numerator, 16), int(denominator or "1", 16))


def _cell(value: Any, number: Callable[[Number], str]) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return number(number_of(value))
    if isinstance(value, Mapping):
        cells = [(key, _cell(item, number)) for key, item in value.items()]
        return cells[0][1] if len(cells) == 1 else " ".join(f"{key}={cell}" for key, cell in cells)
    if isinstance(value, list | tuple):
        return " ".join(_cell(item, number) for item in value)
    return str(value)
