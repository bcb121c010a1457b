"""Moves that nobody types: outcomes of chance, random moves, those of a policy and of best play."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.game import CHANCE
from endsight.game.contract import Contract
from endsight.game.position import Position
from endsight.game.question import PolicyRule, policy_move

if TYPE_CHECKING:
    from endsight.answers.solution import Solution

__all__ = ["PERFECT", "drawn", "made_move"]

PERFECT = "perfect"
"""The way to play that makes the moves of best play."""


def drawn(weights: Sequence[int], random: Random) -> int:
    """A place in the list with chances by weight; only `getrandbits` is the same in every version of Python."""
    total = sum(weights)
    while (number := random.getrandbits(total.bit_length())) >= total:
        pass
    for place, weight in enumerate(weights):
        number -= weight
        if number < 0:
            return place
    raise AssertionError("the number is below the sum of the weights")


def made_move(position: Position, way: PolicyRule, solved: Callable[[Position], Solution], random: Random) -> Any:
    """What chance or a player makes at a position, who plays by a policy or by `PERFECT`; `solved` gives answers."""
    moves = list(position.moves())
    if position.mover == CHANCE:
        contract = Contract(position.game)
        return moves[drawn([contract.weight(position.state, move) for move in moves], random)]
    if way == "random":
        return random.choice(moves)
    if way == "worst":
        return solved(position).worst_move(position)
    if way != PERFECT:
        return policy_move(position, way)
    best = solved(position).chosen(position)
    return moves[0] if best is None else best
