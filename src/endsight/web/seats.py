"""Seats that play by themselves: perfect, at random, by a named policy; and chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.position import Position
from endsight.question import policies_of, policy_move
from endsight.solution import Solution
from endsight.web.asking import CHANCE_SEAT

__all__ = ["HAND", "PERFECT", "ROLL", "played", "ways_to_play"]

HAND = "hand"
PERFECT = "perfect"
ROLL = "roll"
MOST_MOVES = 1000
"""Moves that seats play by themselves before the page is shown again."""

Solver = Callable[[Position], Solution]


def ways_to_play(position: Position) -> list[str]:
    """What a player's seat can be set to."""
    return [HAND, PERFECT, *policies_of(position.game)]


def played(position: Position, extra: Mapping[str, Any], solved: Solver) -> list[str]:
    """The moves of the seats that play by themselves, up to a decision of somebody at the page.

    `extra` may have `seats` (player's name, or `chance`, to how it plays) and `once`: how
    to play the very next move, whoever makes it.
    """
    seats: Mapping[str, str] = extra.get("seats", {})
    _check(position, seats)
    moves: list[str] = []
    once = extra.get("once")
    while not position.is_over and len(moves) < MOST_MOVES:
        name = position.to_move or ""
        way = once or seats.get(name, HAND)
        if way == HAND:
            break
        position = position.play(_chosen(position, way, solved))
        moves.append(position.history[-1])
        once = None
    return moves


def _check(position: Position, seats: Mapping[str, str]) -> None:
    names = position.game.player_names
    for name, way in seats.items():
        if name == CHANCE_SEAT:
            if way not in (HAND, ROLL):
                raise QuestionError(f"chance cannot play {way!r}", allowed=f"{HAND}, {ROLL}")
        elif name not in names:
            raise QuestionError(f"{position.game.title()} has no player {name!r}", allowed=", ".join(names))
        elif way not in ways_to_play(position):
            raise QuestionError(f"no way to play is called {way!r}", allowed=", ".join(ways_to_play(position)))


def _chosen(position: Position, way: str, solved: Solver) -> Any:
    if position.mover == CHANCE:
        return _rolled(position)
    move = None
    if way == "worst":
        move = solved(position).worst_move(position)
    elif way == PERFECT:
        move = solved(position).chosen(position)
    elif way not in ("random", ROLL):
        move = policy_move(position, way)
    return random.choice(list(position.moves())) if move is None else move


def _rolled(position: Position) -> Any:
    """An outcome of chance by its weight, in whole numbers however large."""
    game, state = position.game, position.state
    moves = list(position.moves())
    left = random.randrange(sum(game.weight(state, move) for move in moves))
    for move in moves:
        left -= game.weight(state, move)
        if left < 0:
            return move
    raise AssertionError("the weights add up to their sum")
