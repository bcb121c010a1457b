"""How large games turned out to be in earlier runs."""

from __future__ import annotations

from hashlib import sha256

from endsight.compiler.cache import keep, kept
from endsight.game import Game
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View
from endsight.identity import key_of


class Sizes:
    """What earlier runs found out about the size of one question; kept under the key of the game.

    They are found again only while the rules, their data and the position are the same.
    """

    def __init__(self, key: str) -> None:
        self._key = key

    @staticmethod
    def of(game: Game, position: Position, question: Question, *, symmetry: bool) -> Sizes | None:
        """The notes about that question; None if none are kept: rules without a key, questions that are not plain."""
        text = key_of(game).text if question.is_plain else None
        if text is None:
            return None
        view = View(game, question, symmetry=symmetry)
        about = ("size", text, tuple(position.state), position.mover, view.canonical is not None, view.tracks)
        return Sizes(sha256(repr(about).encode()).hexdigest()[:40])

    def found(self) -> tuple[int, bool] | None:
        """The number of states, and whether chance occurred among the first; None if no run has found out."""
        note = kept("note", self._key)
        if note is None:
            return None
        states, chance = note.split()
        return int(states), chance == b"chance"

    def keep(self, states: int, *, has_chance: bool) -> None:
        """Record what was found for later runs."""
        keep("note", self._key, b"%d %b\n" % (states, b"chance" if has_chance else b"choice"))
