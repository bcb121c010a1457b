"""What rules return, in the forms that solvers use: moves, movers, payoffs per player, the number of players."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.game.exact import Number, is_exact, late

if TYPE_CHECKING:
    from endsight.game import Game

CHANCE = -1
"""The mover where dice or cards decide, as `to_move` returns it: its moves have weights and it has no aim."""

TOGETHER = -2
"""The mover of a position in which several players move at once: `to_move` returns the tuple of their numbers."""

Share: TypeAlias = "Number | tuple[Number, ...]"
"""What `payoff` and `reward` return: one number, or a tuple with one entry per player."""


def opening(game: Game, text: str | None = None, check: Any = lambda *_: None) -> tuple[Any, int]:
    """The start state and its mover, or those of `text` if `check(game, state, text)` raises nothing."""
    state, mover = (game.start(), 0) if text is None else _set_up(game, text, check)
    if game.gives("to_move"):
        return state, mover_in(game, state)
    return state, game.seat(state) if game.gives("seat") else mover


def _set_up(game: Game, text: str, check: Any) -> tuple[Any, int]:
    """The state that a text describes, and the player named before it; else the first."""
    mover = 0
    name, colon, rest = text.partition(":")
    if colon and name.strip() in game.player_names and not game.gives("to_move") and not game.gives("seat"):
        mover, text = game.player_names.index(name.strip()), rest.strip()
    state = game.parse(text)
    check(game, state, text)
    return state, mover


def moves_of(game: Game, state: Any) -> Iterator[Any]:
    """The moves that the rules yield; `RulesError` if `moves` returns nothing iterable."""
    moves = game.moves(state)
    if isinstance(moves, Iterable):
        return iter(moves)
    raise late("errors.complaints").odd(game, "moves", moves, state)


def mover_in(game: Game, state: Any) -> int:
    """The result of `to_move`: a player, `CHANCE`, or `TOGETHER` where several move at once."""
    mover = game.to_move(state)
    return TOGETHER if isinstance(mover, tuple) else mover


def alternates(game: Game) -> bool:
    """Whether the game has two players who just take turns, so that single numbers are the mover's."""
    return not game.gives("to_move") and game.player_count == 2


def endless_share(game: Game) -> tuple[Number, ...]:
    """The payoff of endless play per player; `RulesError` where `endless` does not give one."""
    row = game.endless if isinstance(game.endless, tuple) else (game.endless,) * game.player_count
    if len(row) != game.player_count or not all(map(is_exact, row)):
        raise late("errors.complaints").endless(game)
    return row


def absolute(share: Share, mover: int, players: int, *, alternating: bool, said: Any = None) -> tuple[Number, ...]:
    """A payoff or reward as one entry per player.

    `mover` moves (or would move) there; `alternating` means that a single number is zero-sum and that player's; `said`
    is the game, the rule and the state for a message. Raises `RulesError` for an inexact or unfitting share.
    """
    if isinstance(share, tuple) and len(share) == players and all(map(is_exact, share)):
        return tuple(share)
    if is_exact(share):
        if share == 0 or players == 1:
            return (share,) * players
        if alternating:
            return (share, -share) if mover == 0 else (-share, share)
    raise late("errors.complaints").share(share, players, said)
