"""Mixtures of moves at once: the best that one of two rivals can do against all that the other may."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from endsight.algorithms.matrix_game import matrix_game
from endsight.game.joint_moves import parts_of
from endsight.game.numbers import Number


def mixture(worths: Mapping[Any, Number], own: int) -> Mapping[Any, int]:
    """Whole weights of the mover's own parts (part number `own` of every joint move), where the mover wants more.

    `worths` says what every joint move of two players is worth to that side.
    """
    parts = parts_of(list(worths))
    rows = [[worths[(row, other) if own == 0 else (other, row)] for other in parts[1 - own]] for row in parts[own]]
    return dict(zip(parts[own], matrix_game(rows).rows, strict=True))
