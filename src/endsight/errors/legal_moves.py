"""All moves of a state, by rules that may be wrong: too many, or lost in a `return` beside `yield`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from endsight.errors.complaints import odd, returned, too_many
from endsight.game import Game

MOST_MOVES = 1_000_000
"""More moves than that in one state are taken for a generator that never ends."""


def all_of(game: Game, moves: Any, state: Any) -> Iterator[Any]:
    """The moves that the rules gave in that state; `RulesError` where they come to no end, or are no moves."""
    if not isinstance(moves, Iterable):
        raise odd(game, "moves", moves, state)
    values: list[Any] = []
    rest = _with_return(moves, values)
    yield from islice(rest, MOST_MOVES)
    for _ in rest:
        raise too_many(game, MOST_MOVES, state)
    if values[0] is not None:
        raise returned(game, values[0], state)


def _with_return(moves: Any, values: list[Any]) -> Iterator[Any]:
    """The moves; what a generator returns at its end, which Python throws away otherwise, goes into `values`."""
    values.append((yield from moves))
