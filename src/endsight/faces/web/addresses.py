"""Addresses of pages: an address holds the whole view, so a user can keep it, share it and return to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, urlencode

from endsight.errors import QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.offered_games import NamedGame
from endsight.faces.web.reading import ask_from
from endsight.faces.web.seats import HAND

SEAT = "seat-"
_QUESTION = ("at", "position", "objective", "utility", "fix")
POLICY = "policy-"
TRIAL = ("run", "vary", "from", "to", "games", "seed", "subject", "policy")
"""Fields of the experiments page."""
_ONCE = ("perfect", "roll")


@dataclass(frozen=True)
class Address:
    """A view of a game: its moves, the question, who plays which seat, and whether values are shown.

    `asked` says where the moves begin, and holds the objective, the utility and the fixed policies. `once` asks for one
    move to be played (`perfect`, or `roll` for chance). `ahead` holds moves that were taken back and can be replayed;
    `trial` holds the fields of the experiments page. `guessed` says that the last move was a guess by a seat that plays
    by itself.
    """

    named: NamedGame
    moves: tuple[str, ...] = ()
    asked: Ask = field(default_factory=lambda: Ask("page"))
    hide: bool = False
    seats: Mapping[str, str] = field(default_factory=dict)
    once: str | None = None
    player: str | None = None
    ahead: tuple[str, ...] = ()
    trial: Mapping[str, str] = field(default_factory=dict)
    guessed: bool = False

    @classmethod
    def read(cls, named: NamedGame, items: Sequence[tuple[str, str]]) -> Address:
        """Read the view from a query, ignoring empty form entries. Raises `QuestionError`."""
        given = [(key, text.strip()) for key, text in items if text.strip()]
        seats = {key.removeprefix(SEAT): text for key, text in given if key.startswith(SEAT) and text != HAND}
        trial = {key: text for key, text in given if key in TRIAL or key.startswith(POLICY)}
        rest = {key: text for key, text in given if key in ("hide", "once", "player", "ahead", "guess")}
        at = " ".join(text for key, text in given if key == "at")
        left = [(key, text) for key, text in given if key not in (*rest, *trial, "at") and not key.startswith(SEAT)]
        asked = ask_from("page", named, left, _QUESTION)
        if rest.get("once", _ONCE[0]) not in _ONCE:
            raise QuestionError(f"once={rest['once']!r} is not known", allowed=", ".join(_ONCE))
        return cls(
            named,
            tuple(at.split()),
            asked,
            rest.get("hide", "") in ("1", "yes"),
            seats,
            rest.get("once"),
            rest.get("player"),
            tuple(rest.get("ahead", "").split()),
            trial,
            rest.get("guess", "") == "1",
        )

    # ---------------------------------------------------------------- addresses

    @property
    def path(self) -> str:
        """The address of the game itself."""
        return "/games/" + quote(self.named.slug, safe=":,=/")

    @property
    def query(self) -> list[tuple[str, str]]:
        """Every difference from the plain start, in a fixed order; the moves come last."""
        asked = self.asked
        items = [(f"{SEAT}{name}", way) for name, way in sorted(self.seats.items())]
        items += [("hide", "1")] if self.hide else []
        items += [("objective", asked.objective)] if asked.objective != "competitive" else []
        items += [("utility", asked.utility)] if asked.utility != "payoff" else []
        items += [("fix", text) for text in asked.fix]
        items += [("position", asked.position)] if asked.position is not None else []
        items += [("once", self.once)] if self.once else []
        items += [("guess", "1")] if self.guessed else []
        return items

    def to(self, page: str = "", **changes: Any) -> str:
        """Return the address of the same view with `changes`, or of another `page` of the game."""
        view = replace(self, **{"once": None, "guessed": False, **changes})
        items = view.query + ([("ahead", " ".join(view.ahead))] if view.ahead else [])
        items += [("at", " ".join(view.moves))] if view.moves else []
        return self.path + (f"/{page}" if page else "") + (f"?{urlencode(items)}" if items else "")

    def through(self, number: int, page: str = "") -> str:
        """Return the address after that many moves, counting those taken back; the rest become `ahead`."""
        every = self.moves + self.ahead
        return self.to(page, moves=every[:number], ahead=every[number:])

    def document(self, kind: str) -> str:
        """Return the address of this position's JSON document."""
        items = [(key, text) for key, text in self.query if key in _QUESTION]
        items += [("at", " ".join(self.moves))] if self.moves else []
        return f"/api/v1{self.path}/{kind}" + (f"?{urlencode(items)}" if items else "")

    @property
    def link(self) -> str:
        """The address to which one more move can be appended as text."""
        items = replace(self, once=None, guessed=False, ahead=()).query
        start = f"{self.path}?{urlencode(items)}&at=" if items else f"{self.path}?at="
        return start + "".join(quote(move, safe="") + "+" for move in self.moves)

    def hidden(self, *leave_out: str) -> list[tuple[str, str]]:
        """Return the view as hidden form fields, without the fields that the form itself has."""
        items = [*self.query, ("at", " ".join(self.moves))] if self.moves else self.query
        return [(key, text) for key, text in items if not key.startswith(leave_out)] if leave_out else items

    # ---------------------------------------------------------------- what is asked of a worker

    def ask(self, kind: str, **extra: Any) -> Ask:
        """Return the worker's question for this view."""
        return replace(self.asked, kind=kind, spec=self.named.spec, at=" ".join(self.moves), extra=extra)
