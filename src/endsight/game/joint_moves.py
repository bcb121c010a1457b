"""Simultaneous moves of several players: one tuple for every combination of their individual moves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product, zip_longest
from typing import Any


def parts_of(moves: Sequence[tuple[Any, ...]]) -> tuple[list[Any], ...]:
    """The individual moves of each player, in the order of the joint moves: one list per player."""
    return tuple(list(dict.fromkeys(column)) for column in zip(*moves, strict=True))


def part_texts(text: str, parts: Sequence[Any]) -> list[str]:
    """The texts of the parts of a joint move, which its own text joins by `-`."""
    texts = text.split("-")
    return texts if len(texts) == len(parts) else list(map(str, parts))


def is_group(movers: tuple[Any, ...], players: int | None) -> bool:
    """Whether these are at least two of `players` players (None: unknown), each once and in increasing order."""
    numbers = all(type(player) is int and player >= 0 and (players is None or player < players) for player in movers)
    return numbers and len(movers) > 1 and all(one < other for one, other in pairwise(movers))


def stray_move(moves: Sequence[Any], count: int) -> Any:
    """The first move at which `moves` differs from all combinations of the parts of `count` players, in order; or None.

    If moves are missing, it is the first missing one.
    """
    odd = next((move for move in moves if not isinstance(move, tuple) or len(move) != count), None)
    if odd is not None:
        return odd
    expected = list(product(*parts_of(moves)))
    if not moves or expected == list(moves):
        return None
    return next(move for move, found in zip_longest(expected, moves) if move != found)
