"""A best response of one player to given behaviours of all others, exactly, in a game of any number of players.

The others' behaviours give every history a weight, so the rest is a problem of one player: at every information
set the best move is the one worth most on average over the hidden histories. Folded from the last sets to the first.
(B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from endsight.algorithms.histories import Behaviour, Histories, History
from endsight.algorithms.information_faults import play_goes_round
from endsight.algorithms.treeplex import GrowingSets
from endsight.base.collector import collector_paused
from endsight.game.limits import Budget
from endsight.game.numbers import Number, simplest
from endsight.game.question import Utility, utility_of


@dataclass(frozen=True)
class Response:
    """The player's result of a best response over the whole game, and its moves at all sets that the others allow.

    value    the player's result from the start
    sets     the information sets to which the others' behaviours can lead, parents before children
    chosen   for every set the place of its best move, the first of several
    worth    for every sequence the sum, over what follows if the player goes on best, of chance x utility
    chances  for every set the chance that the others and the dice lead there if the player lets them
    walked   the number of histories that the others allow
    """

    value: Number
    sets: GrowingSets
    chosen: Sequence[int]
    worth: Mapping[int, Fraction]
    chances: Sequence[Fraction]
    walked: int

    @cached_property
    def numbers(self) -> Mapping[int, int]:
        """The set for each number of its view."""
        return {view: number for number, view in enumerate(self.sets.view)}

    def best(self, number: int) -> Any:
        """The best move of a set."""
        return self.sets.moves[number][self.chosen[number]]

    def worths(self, number: int) -> dict[Any, Number]:
        """For each move of a set, the player's mean result from there on, if the player goes on best."""
        first, chance = self.sets.first[number], self.chances[number]
        moves = enumerate(self.sets.moves[number], first)
        return {move: simplest(self.worth[sequence] / chance) for sequence, move in moves}

    def reached(self) -> Iterator[tuple[History, Any]]:
        """A history and the best move for every set that the response itself reaches."""
        reached = {0}
        for number, place in enumerate(self.chosen):
            if self.sets.parent[number] in reached:
                reached.add(self.sets.first[number] + place)
                yield self.sets.places[number], self.best(number)


class _Walked(NamedTuple):
    history: History
    weight: Fraction
    sequence: int
    depth: int


@collector_paused()
def best_response(
    histories: Histories, player: int, behaviours: Sequence[Behaviour], utility: Utility, budget: Budget
) -> Response:
    """The best that `player` can do from the start of the game against the `behaviours` of all others.

    The player's own entry in `behaviours` is not used. Raises `NoValue` where play may continue for ever, and
    `LimitReached` when the budget is spent.
    """
    own, worth, path, walked = GrowingSets(), defaultdict[int, Fraction](Fraction), list[Any](), 0
    chances = defaultdict[int, Fraction](Fraction)
    stack = [_Walked(histories.start(), Fraction(1), 0, 0)]
    while stack:
        here = stack.pop()
        walked += 1
        budget.spend(walked, "looking for a best reply")
        _step(histories, path, here)
        children = list(_children(histories, player, behaviours, here, own, chances, budget))
        stack += reversed(children)
        if not children:
            worth[here.sequence] += here.weight * utility_of(here.history.position.paid(), utility)[player]
    return _response(own, worth, chances, walked)


def _response(own: GrowingSets, worth: dict[int, Fraction], chances: Mapping[int, Fraction], walked: int) -> Response:
    """The best moves, folded from the last sets to the first."""
    chosen = [0] * len(own.parent)
    for number in range(len(own.parent) - 1, -1, -1):
        worths = [worth[own.first[number] + place] for place in range(len(own.moves[number]))]
        chosen[number] = worths.index(max(worths))
        worth[own.parent[number]] += max(worths)
    reach = [chances[number] for number in range(len(chosen))]
    return Response(simplest(worth[0]), own, chosen, worth, reach, walked)


def _step(histories: Histories, path: list[Any], here: _Walked) -> None:
    """Keep the states on the way, and refuse one that repeats."""
    del path[here.depth :]
    key = here.history.position.state, here.history.position.mover
    if key in path:
        raise play_goes_round(histories.game, None, key[0])
    path.append(key)


def _children(
    histories: Histories,
    player: int,
    behaviours: Sequence[Behaviour],
    here: _Walked,
    own: GrowingSets,
    chances: dict[int, Fraction],
    budget: Budget,
) -> Iterator[_Walked]:
    """The histories with one more move that the others allow."""
    history, position = here.history, here.history.position
    mine = histories.own_moves(position, player) if player in position.movers else ()
    places = {}
    if mine:
        number = own.opened(history.eyes[player].view, here.sequence, mine, history)
        chances[number] += here.weight
        places = {move: own.first[number] + place for place, move in enumerate(own.moves[number])}
    for move, chance in histories.against(history, player, behaviours, budget):
        if not chance:
            continue
        sequence = places[histories.parts(position, move)[player]] if mine else here.sequence
        yield _Walked(histories.after(history, move), here.weight * chance, sequence, here.depth + 1)
