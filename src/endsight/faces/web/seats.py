"""Seats that play by themselves: perfectly, at random or by a named policy; and chance."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import Any

from endsight.answers.seated import made_move, mixed_move
from endsight.answers.solution import Solution
from endsight.errors import QuestionError
from endsight.faces.web.asking import CHANCE_SEAT
from endsight.game import CHANCE, TOGETHER
from endsight.game.position import Position
from endsight.game.question import BLIND, PERFECT, policies_of

HAND = "hand"
ROLL = "roll"
MOST_MOVES = 1000
"""The most moves that seats play by themselves before the page is shown again."""

_RANDOM = Random()

Solver = Callable[[Position], Solution]


def ways_to_play(position: Position) -> list[str]:
    """Return the settings of a player's seat, without `best`: players who are each for themselves play `PERFECT`."""
    return [HAND, PERFECT, *(name for name in policies_of(position.game) if name != "best")]


def played(position: Position, extra: Mapping[str, Any], solved: Solver) -> list[str]:
    """Return the moves of the seats that play by themselves, up to a person's decision.

    `extra` may have `seats` (the name of a player, or `chance`, to how it plays) and `once`: how
    to play the very next move, whoever makes it.
    """
    seats: Mapping[str, str] = extra.get("seats", {})
    _check(position, seats)
    moves: list[str] = []
    once = extra.get("once")
    while not position.is_over and len(moves) < MOST_MOVES:
        movers = {player: once or seats.get(position.game.player_names[player], HAND) for player in position.movers}
        ways = movers or {CHANCE: once or seats.get(CHANCE_SEAT, HAND)}
        if HAND in ways.values():
            break
        if position.mover == TOGETHER:
            move = mixed_move(position, ways, solved(position), _RANDOM)
        else:
            move = made_move(_known(position, ways[position.mover], solved), ways[position.mover], solved, _RANDOM)
        position = position.play(move)
        moves.append(position.history[-1])
        once = None
    return moves


def _known(position: Position, way: str, solved: Solver) -> Position:
    """The position, or what players know of it where they do not see all and a policy goes by it."""
    goes_by_it = way not in (PERFECT, *BLIND) and position.mover != CHANCE
    return solved(position).asked(position) if goes_by_it and position.game.gives("sees") else position


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
