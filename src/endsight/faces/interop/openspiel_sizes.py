"""The sizes that OpenSpiel needs before play: moves, outcomes, payoffs, the longest play."""

from __future__ import annotations

from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import Any

from endsight.algorithms.histories import Histories
from endsight.errors import QuestionError
from endsight.game import CHANCE, Game
from endsight.game.exact import Number
from endsight.game.limits import Budget, Limits
from endsight.game.position import Position


@dataclass
class Sizes:
    """Everything that can happen in a game, numbered from 0 in order of appearance.

    moves     own moves of players
    outcomes  moves of chance
    seen      what `sees` shows to any player
    payoffs   the payoffs of the ends, by player
    longest   number of moves of the longest play, counting moves at once as one
    at_once   whether players ever move at once
    """

    moves: dict[Any, int] = field(default_factory=dict)
    outcomes: dict[Any, int] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)
    payoffs: dict[tuple[Number, ...], int] = field(default_factory=dict)
    longest: int = 0
    at_once: bool = False

    def add(self, game: Game, position: Position, legal: list[Any]) -> None:
        """Number everything that is new at a position."""
        for player in range(game.player_count):
            _number(self.seen, game.sees(position.state, player))
        if not legal:
            _number(self.payoffs, position.paid())
        elif position.mover == CHANCE:
            for move in legal:
                _number(self.outcomes, move)
        else:
            self.at_once |= len(position.movers) > 1
            for move in legal:
                for part in Histories.parts(position, move).values():
                    _number(self.moves, part)


def sizes_of(game: Game, limits: Limits | None = None) -> Sizes:
    """Return the sizes of a game whose play always ends.

    Raises `QuestionError` where play can return to a position, and `LimitReached`.
    """
    sizes, budget = Sizes(), Budget(limits)
    position = game.position()
    waiting, after = [position], dict[Any, list[Any]]()
    after[position.place] = []
    while waiting:
        position = waiting.pop()
        legal = budget.gathered(position.moves(), len(after))
        sizes.add(game, position, legal)
        following = {then.place: then for then in map(position.play, legal)}
        after[position.place] = list(following)
        new = [then for key, then in following.items() if key not in after]
        after |= {then.place: [] for then in new}
        waiting += new
        budget.spend(len(after), "measuring the game")
    sizes.longest = _longest(after, game)
    return sizes


def _longest(after: dict[Any, list[Any]], game: Game) -> int:
    """Return the length of the longest path through the successors; raise `QuestionError` if there is a cycle."""
    ahead: dict[Any, int] = {}
    try:
        for key in TopologicalSorter(after).static_order():  # successors come first
            ahead[key] = max((ahead[then] + 1 for then in after[key]), default=0)
    except CycleError:
        raise QuestionError(
            f"{game.title()}: OpenSpiel's games must end, but play can return to a position here",
            allowed="games in which play never comes back to a position",
        ) from None
    return max(ahead.values())


def _number(numbers: dict[Any, int], thing: Any) -> None:
    numbers.setdefault(thing, len(numbers))
