"""What OpenSpiel wants to know of a game before play: moves, outcomes, payoffs, the longest play."""

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
    """What can happen in a game, numbered from 0 in the order in which it was met.

    moves     own moves of players
    outcomes  moves of chance
    seen      what `sees` gives to anybody
    payoffs   what the ends pay, by player
    longest   moves of the longest play, where moves at once count as one
    at_once   whether players move at once somewhere
    """

    moves: dict[Any, int] = field(default_factory=dict)
    outcomes: dict[Any, int] = field(default_factory=dict)
    seen: dict[Any, int] = field(default_factory=dict)
    payoffs: dict[tuple[Number, ...], int] = field(default_factory=dict)
    longest: int = 0
    at_once: bool = False

    def add(self, game: Game, position: Position, legal: list[Any]) -> None:
        """Number what is new at a position."""
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
    """The sizes of a game whose play always ends.

    Raises `QuestionError` where play can come back to a position, and `LimitReached`.
    """
    sizes, budget = Sizes(), Budget(limits)
    position = game.position()
    waiting, after = [position], dict[Any, list[Any]]()
    after[_key(position)] = []
    while waiting:
        position = waiting.pop()
        legal = budget.gathered(position.moves(), len(after))
        sizes.add(game, position, legal)
        following = {_key(then): then for then in map(position.play, legal)}
        after[_key(position)] = list(following)
        new = [then for key, then in following.items() if key not in after]
        after |= {_key(then): [] for then in new}
        waiting += new
        budget.spend(len(after), "measuring the game")
    sizes.longest = _longest(after, game)
    return sizes


def _longest(after: dict[Any, list[Any]], game: Game) -> int:
    """The length of the longest way through what follows on each position; `QuestionError` where one goes round."""
    ahead: dict[Any, int] = {}
    try:
        for key in TopologicalSorter(after).static_order():  # what follows comes first
            ahead[key] = max((ahead[then] + 1 for then in after[key]), default=0)
    except CycleError:
        raise QuestionError(
            f"{game.title()}: OpenSpiel's games end, and play can go round here",
            allowed="games in which play never comes back to a position",
        ) from None
    return max(ahead.values())


def _number(numbers: dict[Any, int], thing: Any) -> None:
    numbers.setdefault(thing, len(numbers))


def _key(position: Position) -> tuple[Any, ...]:
    return position.state, position.mover, position.so_far
