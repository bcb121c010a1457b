"""A question to a worker, as text that both sides can read, and how messages between them begin."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

HEAD = struct.Struct(">I")
"""The length of a message, in bytes, which stands before it."""
REST = b'"rest"'
GO_ON = b'"go on"'
CHANCE_SEAT = "chance"
_RULES_ALONE = {"games", "game", "rules page", "hall", "seat", "seat picture", "guess", "guesses"}
"""Kinds of questions for which nothing is ever solved."""


@dataclass(frozen=True)
class Ask:
    """One question: what is wanted, about which game and position, and how it is to be solved.

    kind      which answer of `endsight.faces.web.answer_service.AnswerService`
    spec      the game, as on the command line; only names that `offered_games` has let through
    at        the moves so far; after those of a puzzle file
    position  a state set up directly, or None; `at` goes on from there
    extra     what only this kind of answer needs (see `answer_service`)
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
        """What two questions share that one solution can answer."""
        chosen = ("spec", "objective", "utility", "fix", "method", "engine", "symmetry", "exact", "interval", "digits")
        return tuple(getattr(self, name) for name in chosen)

    @property
    def wants_values(self) -> bool:
        """Whether anything has to be solved; a board alone needs only the rules, and so do seats of people."""
        if self.kind == "step":
            return "perfect" in self.extra["ways"].values()
        return self.kind not in _RULES_ALONE and bool(self.extra.get("show", True))

    def solves_the_same_as(self, other: Ask) -> bool:
        """Whether both need the same position solved in the same way."""
        mine, its = ((ask.solution_key, ask.at, ask.position) for ask in (self, other))
        return mine == its

    def to_text(self) -> str:
        """JSON with sorted keys: equal questions have equal texts."""
        return json.dumps(asdict(self), sort_keys=True)

    @classmethod
    def from_text(cls, text: str | bytes) -> Ask:
        """The question of `to_text`."""
        entries = json.loads(text)
        known = {each.name for each in fields(cls)}
        return cls(**{key: value for key, value in entries.items() if key in known} | {"fix": tuple(entries["fix"])})
