"""A question to a worker, as a line of text that both sides can read, like all messages between them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

REST, GO_ON = "rest", "go on"
CHANCE_SEAT = "chance"
OPTIONS = ("objective", "utility", "method", "engine", "symmetry", "exact", "interval", "digits")
"""The options of `endsight.solve` in a question that are the same there."""
_RULES_ALONE = {"games", "game", "rules page", "hall", "seat", "seat picture", "guess", "guesses"}
"""Kinds of questions that never need a solution."""


@dataclass(frozen=True)
class Ask:
    """One question: its kind, its game and position, and how to solve it.

    kind      the kind of answer of `endsight.faces.web.answer_service.AnswerService`
    spec      the game, as on the command line; only names that `offered_games` has accepted
    at        the moves so far, after those of a puzzle file
    position  a state set up directly, or None; `at` continues from there
    extra     data that only this kind of answer needs (see `answer_service`)
    """

    kind: str
    spec: str = ""
    at: str = ""
    position: str | None = None
    objective: str = "competitive"
    utility: str = "payoff"
    fix: tuple[str, ...] = ()
    method: str = "auto"
    engine: str = "auto"
    symmetry: bool = True
    exact: bool = False
    interval: bool = False
    digits: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def solution_key(self) -> tuple[Any, ...]:
        """Equal for two questions that the same solution may answer."""
        return tuple(getattr(self, name) for name in ("spec", "fix", *OPTIONS))

    @property
    def wants_values(self) -> bool:
        """Whether anything must be solved; a board alone needs only the rules, and so do people's seats."""
        if self.kind == "step":
            return "perfect" in self.extra["ways"].values()
        return self.kind not in _RULES_ALONE and bool(self.extra.get("show", True))

    def solves_the_same_as(self, other: Ask) -> bool:
        """Return whether both questions need the same position solved in the same way."""
        mine, its = ((ask.solution_key, ask.at, ask.position) for ask in (self, other))
        return mine == its

    def to_text(self) -> str:
        """Return JSON with sorted keys, so that equal questions have equal texts."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str | bytes) -> Ask:
        """Read a question from the text of `to_text`."""
        entries = json.loads(text)
        return cls(**entries | {"fix": tuple(entries["fix"])})
