"""Facts derived from what rules say; some are kept on the game beside the parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.game.exact import Number, is_exact, late
from endsight.game.results import absolute, alternates, mover_in

if TYPE_CHECKING:
    from endsight.game import Game

DERIVED = ("_player_count", "_before_proof")
"""Attributes that hold these facts; they are not part of the rules."""
MOST_ENDS = 10_000
"""Puzzles whose `ends` yields more states are not searched from there."""


def discount_of(game: Game) -> Number:
    """The factor for everything after a player's move; `RulesError` where `discount` is not a valid one."""
    if not is_exact(game.discount) or not 0 < game.discount <= 1:
        raise late("errors.complaints").discount(game)
    return game.discount


def gives_hint(game: Game, rule: str) -> bool:
    """Whether `bound`, `before`, `ends` or `order` is a rule, and not a number or a parameter of that name."""
    return game.gives(rule) and callable(getattr(game, rule))


def next_mover(game: Game, state: Any, mover: int) -> int:
    """The mover in a state that a move of `mover` has led to: the next player in turn where the rules do not say."""
    return mover_in(game, state) if game.gives("to_move") else (mover + 1) % game.player_count


def shares(game: Game, rule: str, mover: int, state: Any, *move: Any) -> tuple[Number, ...]:
    """What `payoff` or `reward` pays each player in a state (for a move), where `mover` moves or would move."""
    share = getattr(game, rule)(state, *move)
    return absolute(share, mover, game.player_count, alternating=alternates(game), said=(game, rule, state))
