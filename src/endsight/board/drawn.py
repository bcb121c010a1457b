"""The board of any game: the rules' own, else one built from the fields of the state."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.board.boards import cell, grid
from endsight.board.parts import Piece, Place, Text
from endsight.board.pieces import captioned, chip, man, tile
from endsight.board.row import Row, Slot
from endsight.board.scene import Scene
from endsight.board.whole import Board, Panel, Part
from endsight.errors.complaints import odd
from endsight.game.field_texts import value_text
from endsight.game.rule_texts import as_text
from endsight.game.state_text import board_rows

if TYPE_CHECKING:
    from endsight.game import Game
    from endsight.game.position import Position

_MOST_MOVES = 400
_RULES = ("draw_after", "draw_board")


def board_of(game: Game, state: Any, moves: Iterable[Any] = (), history: Sequence[str] = ()) -> Board:
    """The board of a state: the rules' own (`draw_after`, else `draw_board`), else one built from the state's fields.

    `moves` are the legal moves as the rules yield them; a default board needs them to know which cells mean moves.
    `history` holds the texts of the moves so far. Raises `RulesError` if the rules return no `Board`.
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
    """A player's view of a state as a board: by `draw_seen`, else its text. It shows nothing else of the state.

    Raises `RulesError` if the rules return no `Board`.
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


_MOST_CELLS, _MOST_ITEMS = 400, 60
_LARGEST_CHIP = 99_999
_MEN = {"X": 0, "O": 1}

Named: TypeAlias = Mapping[str, Any]
"""Legal moves by their text."""


def default_board(game: Game, state: Any, moves: Named) -> Board:
    """Boards as grids, hands as rows, counters as chips; the text of `draw` if rules define it and give no lists.

    A cell means a move if every legal move is the number of a cell (row by row from the top, from 0), or its row and
    column, and changes that cell.
    """
    fields = list(zip(state._fields, state, strict=True)) if hasattr(state, "_fields") else []
    lists = [(name, value) for name, value in fields if isinstance(value, tuple | frozenset | str)]
    if not fields or (game.gives("draw") and not lists) or any(_is_too_large(value) for _, value in lists):
        return Board(game.title(), (Panel(as_text(game, "draw", state)),))
    parts: list[Part] = []
    for name, value in lists:
        parts += _list_parts(game, state, moves, name, value)
    others = [(name, value) for name, value in fields if not isinstance(value, tuple | frozenset | str)]
    if others:
        parts.append(Row(tuple(Slot(captioned(_scalar(value), name), 76) for name, value in others)))
    return Board(game.title(), tuple(parts))


def _is_too_large(value: Any) -> bool:
    items = list(chain.from_iterable(row if isinstance(row, tuple) else (row,) for row in value))
    return len(items) > _MOST_CELLS or len(value_text(value)) > 4 * _MOST_CELLS


# ---------------------------------------------------------------------- lists


def _list_parts(game: Game, state: Any, moves: Named, name: str, value: Any) -> list[Part]:
    rows = board_rows(game, value)
    if rows:
        return [_grid(name, rows, _moves_at(game, state, moves, name, value, len(rows[0])))]
    if isinstance(value, str):
        return [Row((Slot(captioned(tile(value or "–"), name), 76),))]
    if any(isinstance(item, tuple) for item in value):
        return [part for number, row in enumerate(value, 1) for part in [_hand(f"{name} {number}", row, {})]]
    return [_hand(name, value, _moves_at(game, state, moves, name, value, 0))]


def _grid(name: str, rows: Sequence[Sequence[Any]], moves: Mapping[int, str]) -> Scene:
    width = len(rows[0])
    places = [Place(text, cell(*divmod(number, width)).inside(3)) for number, text in moves.items()]
    return grid(name, [[_cell(value) for value in row] for row in rows], places)


def _hand(name: str, value: Any, moves: Mapping[int, str]) -> Row:
    items = sorted(value) if isinstance(value, frozenset) else value if isinstance(value, tuple) else (value,)
    slots = [Slot(tile(value_text(item)), 56, moves.get(number)) for number, item in enumerate(items[:_MOST_ITEMS])]
    more = [Slot(tile("…", f"{len(items) - _MOST_ITEMS} more"), 56)] if len(items) > _MOST_ITEMS else []
    return Row((*slots, *more) or (Slot(tile("none"), 56),), name)


def _moves_at(game: Game, state: Any, moves: Named, name: str, value: Any, width: int) -> dict[int, str]:
    """The move of each item, if all legal moves are numbers of items that they change."""
    if not isinstance(value, tuple) or not moves:
        return {}
    read = _row_major(width) if all(isinstance(move, tuple) for move in moves.values()) else _itself
    found = {}
    for text, move in moves.items():
        number = read(move)
        if number is None or not 0 <= number < _count(value) or number in found:
            return {}
        after = getattr(game.play(state, move), name, value)
        if not _changes(value, after, number, alone=isinstance(move, tuple)):
            return {}
        found[number] = text
    return found


def _changes(before: Any, after: Any, number: int, *, alone: bool) -> bool:
    """Whether that item has changed; `alone`: and no other, as pairs may also be the source and target of a piece."""
    if _count(after) != _count(before):
        return False
    changed = [place for place, pair in enumerate(zip(_flat(before), _flat(after), strict=True)) if pair[0] != pair[1]]
    return changed == [number] if alone else number in changed


def _row_major(width: int) -> Callable[[Any], int | None]:
    """Reads (row, column) as the number of a cell."""

    def read(move: Any) -> int | None:
        fits = len(move) == 2 and all(type(part) is int for part in move) and 0 <= move[1] < width
        return move[0] * width + move[1] if fits else None

    return read


def _itself(move: Any) -> int | None:
    return move if type(move) is int else None


def _flat(value: Sequence[Any]) -> list[Any]:
    return list(chain.from_iterable(item if isinstance(item, tuple) else (item,) for item in value))


def _count(value: Any) -> int:
    return len(_flat(value)) if isinstance(value, tuple) else -1


# ---------------------------------------------------------------------- single values


def _cell(value: Any) -> Piece | None:
    """One cell: nothing for 0, False, None and blanks; X and O as on paper, else letters or numbers."""
    if isinstance(value, Enum):
        value = value.value if isinstance(value.value, str) else value.name.title()
    if value is None or value is False or value in (0, "", " ", "."):
        return None
    text = "#" if value is True else value_text(value)
    if text.upper() in _MEN:
        return man(_MEN[text.upper()])
    return Piece(text, (Text(text, 50, 64, 42, widest=90),))


def _scalar(value: Any) -> Piece:
    is_count = isinstance(value, int) and not isinstance(value, bool | Enum) and abs(value) <= _LARGEST_CHIP
    return chip(value, str(value)) if is_count else tile(value_text(value))
