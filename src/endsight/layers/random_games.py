"""Whether play comes back to a position, as far as some games at random tell: so that nobody waits for a refusal."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

from endsight.compiler.rules import CompiledRules
from endsight.game import CHANCE
from endsight.game.position import Position

_MOVES, _GAMES, _LONGEST = 4_000, 40, 1_000
"""Moves and games that are tried at most, and moves of one position that are listed."""


def comes_back(rules: CompiledRules, position: Position) -> bool:
    """Whether a key comes up twice in one of some games played at random; False proves nothing."""
    for game in _games(position):
        met = set()
        for place in game:
            key = rules.key(place.state, place.mover)
            if key in met:
                return True
            met.add(key)
    return False


def meets_chance(position: Position) -> bool:
    """Whether dice or cards decide in one of some games played at random; False proves nothing."""
    return any(place.mover == CHANCE for game in _games(position) for place in game)


def _games(position: Position) -> Iterator[Iterator[Position]]:
    """The positions of some games played at random in which there are moves."""
    random, left = Random(0), [_MOVES]

    def played() -> Iterator[Position]:
        place = position
        while left[0] and (moves := list(islice(place.moves(), _LONGEST))):
            yield place
            left[0] -= 1
            place = place.play(random.choice(moves))

    for _ in range(_GAMES):
        yield played()
