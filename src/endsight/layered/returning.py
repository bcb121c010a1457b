"""Whether play comes back to a position, as far as some games at random tell: so that nobody waits for a refusal."""

from __future__ import annotations

from itertools import islice
from random import Random

from endsight.compiler.rules import CompiledRules
from endsight.game import Position

__all__ = ["comes_back"]

_MOVES, _GAMES, _LONGEST = 4_000, 40, 1_000
"""Moves and games that are tried at most, and moves of one position that are listed."""


def comes_back(rules: CompiledRules, position: Position) -> bool:
    """Whether a key comes up twice in one of some games played at random; False proves nothing."""
    random = Random(0)
    left = _MOVES
    for _ in range(_GAMES):
        place, met = position, set()
        while moves := list(islice(place.moves(), _LONGEST)):
            key = rules.key(place.state, place.mover)
            if key in met:
                return True
            met.add(key)
            left -= 1
            if left == 0:
                return False
            place = place.play(random.choice(moves))
    return False
