"""The board of any game: the rules' own, else one from the fields of the state."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

from endsight.board.default import default_board
from endsight.board.panel import Panel
from endsight.board.whole import Board
from endsight.errors.complaints import odd
from endsight.game import Game
from endsight.game.position import Position, as_text

__all__ = ["board_at", "board_of", "board_seen", "draws_board"]

_MOST_MOVES = 400
_RULES = ("draw_after", "draw_board")


def board_of(game: Game, state: Any, moves: Iterable[Any] = (), history: Sequence[str] = ()) -> Board:
    """The board of a state: the rules' own (`draw_after`, else `draw_board`), else one from the fields of the state.

    `moves` are the legal moves as the rules yield them; a default board needs them to know which cells stand for
    moves. `history` are the texts of the moves so far. Raises `RulesError` where the rules give no `Board`.
    """
    rule = _rule(game)
    if rule is None:
        named = {as_text(game, "show_move", state, move): move for move in islice(moves, _MOST_MOVES)}
        return default_board(game, state, named)
    board = getattr(game, rule)(*((state, history) if rule == "draw_after" else (state,)))
    if isinstance(board, Board):
        return board
    raise odd(game, rule, board, state)


def board_seen(game: Game, state: Any, player: int) -> Board:
    """The board of what a player sees of a state: by `draw_seen`, else the text of it. Nothing else of the state shows.

    Raises `RulesError` where the rules give no `Board`.
    """
    seen = game.sees(state, player)
    if not game.gives("draw_seen"):
        return Board(game.title(), (Panel(game.show_seen(seen, player)),))
    board = game.draw_seen(seen, player)  # type: ignore[attr-defined]
    if isinstance(board, Board):
        return board
    raise odd(game, "draw_seen", board, state)


def board_at(position: Position) -> Board:
    """The board of a position."""
    return board_of(position.game, position.state, position.moves(), position.history)


def draws_board(game: Game) -> bool:
    """Whether the rules draw boards themselves."""
    return _rule(game) is not None


def _rule(game: Game) -> str | None:
    return next((rule for rule in _RULES if game.gives(rule)), None)
