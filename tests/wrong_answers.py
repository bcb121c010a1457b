"""Compiled answers made wrong, and what the audit and the comparison of both engines say of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight.answers import auditing
from endsight.answers.source import StateTable
from endsight.compiler.rules import CompiledRules
from endsight.engine import comparing
from endsight.engine.comparing import Difference
from endsight.graph.explorer import explore
from endsight.graph.objective import View

__all__ = [
    "MOST",
    "USUAL_SECONDS",
    "Audit",
    "audit",
    "audit_finds",
    "audit_with_another_row",
    "compiled_as",
    "difference_at",
    "drawn",
    "first_audit_finds_a_mistake",
    "is_compared_with",
    "played",
    "row_of",
    "seeded",
    "unaudited",
    "watch",
]

MOST, USUAL_SECONDS = auditing.MOST, auditing.LEAST_SECONDS


def compiled_as(patch: pytest.MonkeyPatch, wrong: es.Game, *, compared: bool = False) -> None:
    """From now on rules are compiled as those of another game, and trusted unless they are `compared`."""
    honest = CompiledRules.of

    def of(game: es.Game, **options: Any) -> CompiledRules:
        return replace(honest(wrong, **options), game=game)

    patch.setattr(CompiledRules, "of", staticmethod(of))
    patch.setattr("endsight.engine.entry.is_trusted", lambda _: not compared)


def first_audit_finds_a_mistake(patch: pytest.MonkeyPatch) -> None:
    """The next answer of compiled rules is found to be wrong, and no other."""
    wrong = [Difference("payoff", "at the end", "1 in place of 0"), None]
    patch.setattr("endsight.answers.solver._audited", lambda *_: wrong.pop(0))


def audit_finds(patch: pytest.MonkeyPatch, rule: str, at: str, what: str) -> None:
    """Every table is found to be wrong in this way; the rules are trusted all the same."""
    patch.setattr(auditing, "audit", lambda *_: auditing.Audit(7, Difference(rule, at, what)))
    patch.setattr(auditing, "distrust", lambda *_: None)


class Audit(NamedTuple):
    """How many positions were looked at, the rule, or the kind of answer, that is wrong, and all that is told."""

    looked: int
    wrong: str | None = None
    told: str = ""

    @classmethod
    def of(cls, found: auditing.Audit) -> Audit:
        return cls(found.looked, *(() if found.difference is None else (found.difference.rule, str(found.difference))))


@contextmanager
def _unaudited() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(auditing, "audited", lambda *_: None)
        yield


def unaudited(game: es.Game, method: str) -> es.Solution:
    """A compiled answer that nobody looked at."""
    with _unaudited():
        return es.solve(game, engine="compiled", method=method)  # type: ignore[arg-type]


def seeded(patch: pytest.MonkeyPatch, seed: int) -> None:
    """Audits draw other positions."""
    patch.setattr(auditing, "_seed", lambda *_: b"%d" % seed)


def audit(solution: es.Solution, most: int = MOST, seconds: float = 60.0) -> Audit | None:
    """What an audit finds in that time: of a table, or of walks through a proof; None where there is neither."""
    table, position = solution.source.table, solution.position
    if table is None:
        return Audit.of(auditing.walk(solution.source, position, seconds, most=most))
    return None if table.rules is None else Audit.of(auditing.audit(table, position, seconds))


def drawn(solution: es.Solution, count: int, seed: int) -> list[Any]:
    """The states that an audit of a table draws."""
    table = solution.source.table
    assert table is not None
    return [table.view.split(node)[0] for node in table.drawn(Random(seed), count)]


def row_of(solution: es.Solution, state: Any) -> Any:
    """The values and the distance that a table has for a state, or the bounds."""
    table = solution.source.table
    assert table is not None
    place = table.place(state)
    return table.bounds(place) if table.is_enclosed else table.row(place)


def audit_with_another_row(solution: es.Solution, state: Any, row: Any) -> Audit | None:
    """What an audit finds if the table has something else for a state."""
    assert solution.source.table is not None
    return Audit.of(auditing.audit(_Changed(solution.source.table, state, row), solution.position, 60.0))


class _Changed(StateTable[Any]):
    """A table that says something else than the one it is made of, at one position."""

    def __init__(self, table: StateTable[Any], at: Any, row: Any) -> None:
        self.view = table.view
        self.table, self.at, self.changed = table, at, row
        self.rules, self.states, self.by_mover = table.rules, table.states, table.by_mover
        self.is_win_loss, self.has_chance = table.is_win_loss, table.has_chance
        self.is_enclosed, self.scale = table.is_enclosed, table.scale  # type: ignore[misc]

    def drawn(self, random: Random, count: int) -> list[Any]:
        return [self.at, *self.table.drawn(random, count - 1)]

    def node(self, position: Any) -> Any:
        return position.state, self.table.node(position)

    def row(self, node: Any) -> Any:
        return self.changed if node[0] == self.at else self.table.row(node[1])

    def bounds(self, node: Any) -> Any:
        return self.changed if node[0] == self.at else self.table.bounds(node[1])


def watch(solution: es.Solution) -> None:
    """Later answers of this search are audited, and have the time for it."""
    solution.source.watch = auditing.Watched(60.0)  # type: ignore[attr-defined]


def played(game: es.Game, position: es.Position | None = None) -> list[Any]:
    """The states of games at random, at which both engines are compared: the ends first."""
    return comparing.played(position or game.position(), View(game, es.Question()))


def difference_at(game: es.Game, states: list[Any], compiled: es.Game | None = None) -> str | None:
    """What is said of the rules at these states, against those of the same game, or of another one, compiled."""
    rules = CompiledRules.of(compiled or game, symmetry=False)
    found = comparing.difference_at(rules, View(game, es.Question(), symmetry=False), states)
    return None if found is None else found.what


def is_compared_with(game: es.Game, **how: Any) -> bool:
    """Whether 50 states that were explored in that way suffice for a comparison, so that none are explored anew."""
    rules, begun = CompiledRules.of(game, symmetry=False), explore(game, game.position(), at_most=50, **how)
    return comparing.first_sample(rules, game.position(), begun) is begun
