"""A best response of one player to given behaviours of all others, exactly, in a game of any number of players.

The others' behaviours give every history a weight, so the rest is a problem of one player: at every information
set the best move is the one worth most on average over the hidden histories. Folded from the last sets to the first.
(B. von Stengel, "Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
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
    """The player's result of a best response over the whole game, and its moves.

    moves  (a history, move) for every information set that the response reaches, parents before children
    """

    value: Number
    moves: Sequence[tuple[History, Any]]


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
    stack = [_Walked(histories.start(), Fraction(1), 0, 0)]
    while stack:
        here = stack.pop()
        walked += 1
        budget.spend(walked, "looking for a best reply")
        _step(histories, path, here)
        children = list(_children(histories, player, behaviours, here, own, budget))
        stack += reversed(children)
        if not children:
            worth[here.sequence] += here.weight * utility_of(here.history.position.paid(), utility)[player]
    return _response(own, worth)


def _response(own: GrowingSets, worth: dict[int, Fraction]) -> Response:
    """The best moves, folded from the last sets to the first."""
    chosen = [0] * len(own.parent)
    for number in range(len(own.parent) - 1, -1, -1):
        worths = [worth[own.first[number] + place] for place in range(len(own.moves[number]))]
        chosen[number] = worths.index(max(worths))
        worth[own.parent[number]] += max(worths)
    return Response(simplest(worth[0]), list(_reached(own, chosen)))


def _reached(own: GrowingSets, chosen: Sequence[int]) -> Iterator[tuple[History, Any]]:
    reached = {0}
    for number, place in enumerate(chosen):
        if own.parent[number] in reached:
            reached.add(own.first[number] + place)
            yield own.places[number], own.moves[number][place]


def _step(histories: Histories, path: list[Any], here: _Walked) -> None:
    """Keep the states on the way, and refuse one that repeats."""
    del path[here.depth :]
    key = here.history.position.state, here.history.position.mover
    if key in path:
        raise play_goes_round(histories.game, None, key[0])
    path.append(key)


def _children(
    histories: Histories, player: int, behaviours: Sequence[Behaviour], here: _Walked, own: GrowingSets, budget: Budget
) -> Iterator[_Walked]:
    """The histories with one more move that the others allow."""
    history, position = here.history, here.history.position
    mine = histories.own_moves(position, player) if player in position.movers else ()
    places = {}
    if mine:
        number = own.opened(history.eyes[player].view, here.sequence, mine, history)
        places = {move: own.first[number] + place for place, move in enumerate(own.moves[number])}
    for move, chance in histories.against(history, player, behaviours, budget):
        if not chance:
            continue
        sequence = places[histories.parts(position, move)[player]] if mine else here.sequence
        yield _Walked(histories.after(history, move), here.weight * chance, sequence, here.depth + 1)
