"""The file of a game that was played at a table, with what each player saw."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from endsight.naming.game_record import record_text

__all__ = ["table_record"]


def table_record(game: str, view: Mapping[str, Any]) -> str:
    """The record of a game that is over, from any seat's `endsight.seat/1`."""
    return record_text(game, view["end"]["moves"], _notes(view["end"]))


def _notes(end: Mapping[str, Any]) -> Iterator[str]:
    for player, rows in (end["views"] or {}).items():
        yield f"{player} saw: {_seen(rows)}"
    yield "result: " + ", ".join(f"{player} {number['exact']}" for player, number in end["payoffs"].items())


def _seen(rows: Sequence[Mapping[str, Any]]) -> str:
    """`card=2; pass card=2 said=p; ? card=2 said=pb`: own moves, `?` for others, each with what was seen then."""
    return "; ".join(" ".join(part for part in (row["move"], row["sees"]) if part) for row in rows)
