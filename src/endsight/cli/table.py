"""`endsight table`: the policy, where it has a shape."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from endsight.cli.command import command
from endsight.cli.options import (
    game_argument,
    limit_options,
    number_options,
    output_options,
    position_options,
    question_options,
    stored_option,
    takes,
)
from endsight.cli.output import Output
from endsight.cli.request import Asked, Request
from endsight.cli.respond import respond

if TYPE_CHECKING:
    from endsight.numbers import Number

__all__ = ["table"]

MOST_ROWS = 100


@command(
    "endsight table repeatbust:sides=6,dice=2",
    "endsight table nim:heaps=1-2 --json",
)
@takes(game_argument, position_options, question_options, number_options, limit_options, stored_option, output_options)
def table(request: Request, output: Output) -> int:
    """The policy as a table.

    In the game's own shape where it has one (thresholds, openings, an order of cards),
    else every reachable position, up to 10 000 of them.
    """
    return respond(
        request,
        output,
        document=_document,
        show=lambda asked: _show(request, output, asked),
        rows=lambda document: document["rows"],
    )


def _document(asked: Asked) -> dict[str, Any]:
    from endsight.documents import table_document
    from endsight.explanation import table_rows

    return table_document(asked.solution, table_rows(asked.solution, asked.position), asked.position)


def _show(request: Request, output: Output, asked: Asked) -> None:
    from endsight.cli.render import draw_footer, draw_head, row_limit
    from endsight.explanation import table_rows

    screen = output.screen
    rows = [_flat(row) for row in table_rows(asked.solution, asked.position)]
    draw_head(screen, output, asked, request.game, at_hand=True)
    screen.line()
    _draw_rows(output, rows[:MOST_ROWS])
    row_limit(screen, min(MOST_ROWS, len(rows)), len(rows), "row")
    draw_footer(screen, asked)


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row in which numbers by player or by move have columns of their own, and null ones none."""
    cells: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, Mapping):
            cells |= {f"{key} {name}": item for name, item in value.items()}
        else:
            cells[key] = value
    return cells


def _draw_rows(output: Output, rows: Sequence[Mapping[str, Any]]) -> None:
    from endsight.cli.render import draw_numbers
    from endsight.cli.screen import Column

    keys = list(dict.fromkeys(key for row in rows for key in row))
    columns = [
        Column(
            key.replace("_", " "),
            "right" if _holds(rows, key, int) else "left",
            "wrap" if _holds(rows, key, list) else None,
        )
        for key in keys
    ]
    draw_numbers(
        output.screen, output, columns, lambda write: [[_text(row.get(key), write) for key in keys] for row in rows]
    )


def _text(value: Any, write: Callable[[Number], str]) -> str:
    if isinstance(value, Fraction):
        return write(value)
    if isinstance(value, list | tuple):
        return " ".join(_text(item, write) for item in value)
    return "" if value is None else str(value)


def _holds(rows: Sequence[Mapping[str, Any]], key: str, kind: type) -> bool:
    return all(isinstance(row.get(key), kind | None) for row in rows)
