"""Which positions a file holds: all, or where these are too many, those that perfect play can meet."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from endsight.answers.solution import Solution
from endsight.errors import LimitReached
from endsight.game.numbers import count_text
from endsight.game.position import Position

__all__ = ["MOST", "Held", "key_of", "positions_of"]

MOST = 25_000
"""All positions are held where there are no more."""
LARGEST = 150_000
"""The most positions of any file."""

Key: TypeAlias = "tuple[Any, int, tuple[Any, ...]]"


@dataclass(frozen=True)
class Held:
    """The positions of a file in the order in which they were met, by state, mover and what was gained.

    is_whole  whether these are all that can be reached
    """

    positions: dict[Key, Position]
    is_whole: bool


def key_of(position: Position) -> Key:
    """What a position of a file is known by."""
    return position.state, position.mover, position.so_far


def positions_of(solution: Solution) -> Held:
    """All positions from that of the solution on; of more than `MOST`, those that perfect play can meet.

    These are, for every player, the positions that can come up while that player makes the moves that `Solution.chosen`
    takes, whatever all others do. Raises `LimitReached` where they are more than `LARGEST`.
    """
    whole = _reached(solution.position, lambda place: map(place.play, place.moves()), MOST)
    if whole is not None:
        return Held(whole, True)
    met: dict[Key, Position] = {}
    for player in range(solution.game.player_count):
        found = _reached(solution.position, partial(_after, solution, player), LARGEST)
        met |= found or {}
        if found is None or len(met) > LARGEST:
            raise LimitReached(
                f"the file would be too large: perfect play can meet more than {count_text(LARGEST, 'position')}",
                states=LARGEST,
                allowed=count_text(LARGEST, "position"),
                advice="a later position, or smaller parameters",
                limit="states",
            )
    return Held(met, False)


def _after(solution: Solution, player: int, place: Position) -> Iterable[Position]:
    """The positions after what the player chooses, or after every move of somebody else or of chance."""
    if place.is_over:
        return ()
    return [place.play(solution.chosen(place))] if place.mover == player else map(place.play, place.moves())


def _reached(start: Position, after: Callable[[Position], Iterable[Position]], most: int) -> dict[Key, Position] | None:
    """All positions that play reaches, level by level; None for more than `most`."""
    met = {key_of(start): start}
    level = [start]
    while level:
        fresh = []
        for then in (each for place in level for each in after(place)):
            if key_of(then) not in met:
                met[key_of(then)] = then
                fresh.append(then)
        if len(met) > most:
            return None
        level = fresh
    return met
