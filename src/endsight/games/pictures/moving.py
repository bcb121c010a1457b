"""Boards on which pieces move from square to square."""

from __future__ import annotations

from collections.abc import Container, Iterable

import endsight.board as kit


def moves_between(moves: Iterable[tuple[str, kit.Box, kit.Box]], free: Container[kit.Box] = ()) -> list[kit.Place]:
    """Places of legal moves as (text, box of the piece, box where it goes).

    A mark stands in the middle of `free` boxes, on which nothing is, and at the edge of others.
    """
    return [kit.Place(text, target.inside(3), origin=origin, pill=target not in free) for text, origin, target in moves]


def made_moves(moves: Iterable[tuple[str, kit.Box]]) -> list[kit.Place]:
    """Places of moves that may have led here, as (text, box where the piece is now)."""
    return [kit.Place(text, target.inside(3), made=True) for text, target in moves]
