"""All moves of a state, by rules that may be wrong: too many, lost in a `return` beside `yield`, or no moves at all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from itertools import islice
from types import GeneratorType
from typing import Any

from endsight.errors.complaints import not_a_move, odd, returned, too_many
from endsight.game import Game

MOST_MOVES = 1_000_000
"""More moves than this in one state count as a generator that never ends."""
NO_LISTS = (str, bytes, dict, set, frozenset)
"""What Python would take for a list of moves: the letters of a text, or members without an order."""


def all_of(game: Game, moves: Any, state: Any, gathered: Callable[[Iterable[Any]], list[Any]] = list) -> list[Any]:
    """The moves that the rules yielded there, `gathered`; `RulesError` if they are none, or `too_many` (see there)."""
    if type(moves) is not GeneratorType and (not isinstance(moves, Iterable) or isinstance(moves, NO_LISTS)):
        raise odd(game, "moves", moves, state)
    values: list[Any] = []
    rest = _with_return(moves, values)
    found = gathered(islice(rest, MOST_MOVES))
    for move in found:
        if type(move) is not int and not is_move(move):
            raise not_a_move(game, move, _wrong_part(move), state)
    for _ in rest:
        raise too_many(game, MOST_MOVES, state)
    if values[0] is not None:
        raise returned(game, values[0], state)
    return found


def is_move(move: Any) -> bool:
    """Whether it is a whole number, a truth value, a text, a member of an Enum, or a tuple or frozenset of these."""
    if isinstance(move, tuple | frozenset):
        return all(map(is_move, move))
    return isinstance(move, int | str | Enum)


def _wrong_part(move: Any) -> Any:
    """The invalid part of a move: the move itself, or an item of tuples and frozensets."""
    items = move if isinstance(move, tuple | frozenset) else ()
    return next((_wrong_part(item) for item in items if not is_move(item)), move)


def _with_return(moves: Any, values: list[Any]) -> Iterator[Any]:
    """The moves; the return value of a generator, which Python otherwise discards, goes into `values`."""
    values.append((yield from moves))
