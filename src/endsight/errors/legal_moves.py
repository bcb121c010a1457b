"""All moves of a state, by rules that may be wrong: too many, or lost in a `return` beside `yield`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import GeneratorType
from typing import Any

from endsight.errors.complaints import none_as_move, odd, returned, too_many
from endsight.game import Game

MOST_MOVES = 1_000_000
"""More moves than this in one state count as a generator that never ends."""


def all_of(game: Game, moves: Any, state: Any, gathered: Callable[[Iterable[Any]], list[Any]] = list) -> list[Any]:
    """The moves that the rules yielded in that state, `gathered`; `RulesError` if they never end, or are not moves."""
    if type(moves) is not GeneratorType and not isinstance(moves, Iterable):
        raise odd(game, "moves", moves, state)
    values: list[Any] = []
    rest = _with_return(moves, values)
    found = gathered(islice(rest, MOST_MOVES))
    for move in found:
        if move is None:
            raise none_as_move(game, state)
    for _ in rest:
        raise too_many(game, MOST_MOVES, state)
    if values[0] is not None:
        raise returned(game, values[0], state)
    return found


def _with_return(moves: Any, values: list[Any]) -> Iterator[Any]:
    """The moves; the return value of a generator, which Python otherwise discards, goes into `values`."""
    values.append((yield from moves))
