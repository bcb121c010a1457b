"""What searches of puzzles from one position have in common: best play, once it is found."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from endsight.engine.search_run import RulesSearcher
from endsight.game.limits import Ends
from endsight.game.numbers import Number
from endsight.game.position import Position


class PuzzleSearcher(RulesSearcher):
    """What has been found so far about positions of a one-player game: plays that are best, each to its end."""

    is_win_loss = False
    by_mover = False
    _known: Mapping[Any, int] = {}
    _after: Mapping[Any, Any] = {}

    def look_for_play(self, position: Position) -> tuple[list[Any], list[int]]:
        """The states of best play from a position on, with the value of each; raises `CannotCompile`, `LimitReached`.

        A state that comes twice is left for good at the last time.
        """
        raise NotImplementedError

    def hopes(self, position: Position) -> tuple[Ends, ...] | None:
        """What is known of the value of the whole game from there, while it is searched."""
        raise NotImplementedError

    def search(self, position: Position) -> int:
        """The value, each position searched once; raises `CannotCompile`, `LimitReached`."""
        if position.state not in self._known:
            states, values = self.look_for_play(position)
            self._known = {**self._known, **dict(zip(states, values, strict=True))}
            self._after = {**self._after, **dict(pairwise(states))}
        return self._known[position.state]

    def proven(self, position: Position) -> tuple[Number, ...] | None:
        """The value, where it has been found."""
        known = self._known.get(position.state)
        return None if known is None else (self.number(known),)

    def chosen(self, position: Position) -> Any:
        """The first move of the best play found; None if the position was not searched."""
        after = self._after.get(position.state)
        return next((move for move in position.moves() if position.play(move).state == after), None)
