"""The moves of a position as marks on its board."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from endsight.board import Mark
from endsight.faces.advice.moves import MoveRow, named
from endsight.faces.advice.plans import Plan, PlanRow

__all__ = ["marks_of", "plain_marks", "plan_marks"]


def marks_of(rows: Iterable[MoveRow], address: Callable[[str], str | None] = lambda _: None) -> dict[str, Mark]:
    """A mark for each move, by its text: `address` says where a click leads."""
    return {row.move: Mark(address(row.move), _label(row), row.sign, _words(row)) for row in rows}


def plan_marks(plan: Plan | None, taken: Container[str]) -> dict[str, Mark]:
    """What to do after each outcome of chance, for places of a board that show outcomes; none for `taken` texts."""
    rows = () if plan is None or plan.move is None else plan.rows
    return {
        row.cue: Mark(None, f"after {row.cue}: {named(row.answers)}, {row.value}", "plain", (_brief(row), row.value))
        for row in rows
        if row.chance and row.cue not in taken
    }


def _brief(row: PlanRow) -> str:
    """What to do in one word or two, for a place on the board."""
    return named(row.answers, 2) if row.by else ""


def plain_marks(moves: Iterable[str], address: Callable[[str], str | None]) -> dict[str, Mark]:
    """The same where values are hidden or not known."""
    return {move: Mark(address(move), f"play {move}") for move in moves}


def _label(row: MoveRow) -> str:
    chance = f", chance {row.chance}" if row.chance else ""
    best = ", the best" if row.sign == "best" else ""
    return f"{row.move}: {row.result}{best}{chance}"


def _words(row: MoveRow) -> tuple[str, ...]:
    """At most two lines; an outcome of chance has its probability below its value."""
    return (*row.words[:1], row.chance) if row.chance else row.words
