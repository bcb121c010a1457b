"""What play pays that has ended."""

from __future__ import annotations

from endsight.game import absolute, alternates
from endsight.game.exact import Number
from endsight.game.position import Position

__all__ = ["paid_at"]


def paid_at(position: Position) -> tuple[Number, ...]:
    """By player, what the moves to the end of the game brought, and what the end pays."""
    game = position.game
    share = absolute(game.payoff(position.state), position.mover, game.player_count, alternating=alternates(game))
    return tuple(so_far + own for so_far, own in zip(position.so_far, share, strict=True))
