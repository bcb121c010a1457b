"""What values at one end of a move are worth at the other: what the move brings, and who moves there.

With COUNTS_PLIES only who wins counts, and how soon: a game that is won at once is worth MOST, one that is won in n
plies MOST - n, and a lost one as much less than 0. Every move then brings values nearer to 0 (the transformation of
chess programs: "mate distance").
"""

from __future__ import annotations

from endsight.engine.kernels.lines import *


def es_paid(state: State, mover: int, p_share: Numbers, p_counters: Numbers) -> int:
    """What an end is worth to whoever would move there."""
    paid = es_payoff(state, mover, p_share, p_counters)
    if COUNTS_PLIES:
        return MOST if paid > 0 else LEAST if paid < 0 else 0
    return paid


def es_before_move(p_children: Numbers, child: int, value: int) -> int:
    """A child's value, or a bound of it, as whoever makes the move sees it."""
    own = p_children[child + GAIN] + p_children[child + TURN] * value
    if COUNTS_PLIES:
        own += es_whole(own < 0) - es_whole(own > 0)
    return own


def es_after_move(p_children: Numbers, child: int, end: int) -> int:
    """An end of a window as whoever moves at a child sees it: `es_before_move` of it is that end."""
    if COUNTS_PLIES:
        end += es_whole(end > 0) - es_whole(end < 0)
    return p_children[child + TURN] * (end - p_children[child + GAIN])


def es_bounds_before_move(p_children: Numbers, child: int, lower: int, upper: int) -> tuple[int, int]:
    """Bounds of a child's value as whoever makes the move sees them."""
    if p_children[child + TURN] < 0:
        return (es_before_move(p_children, child, upper), es_before_move(p_children, child, lower))
    return (es_before_move(p_children, child, lower), es_before_move(p_children, child, upper))
