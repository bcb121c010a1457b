"""The positions that play can reach, one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from endsight.game import Game
from endsight.game.derived import next_mover
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View

Key: TypeAlias = tuple[Any, int, tuple[Number, ...]]

Ways: TypeAlias = "dict[Key, tuple[Key, Any] | None]"
"""By position, the position before it on a shortest way there, and the move; None for the first."""


def reachable(
    position: Position,
    budget: Budget,
    *,
    totals: bool = False,
    moves: Callable[[Position], Iterable[Any]] = Position.moves,
    ways: Ways | None = None,
) -> Iterator[Position]:
    """Every position reachable from `position` by some `moves` (default: all), once for each state and mover.

    They come breadth first and have no history; `ways` notes how each is reached. They start with nothing gained, so
    that their values are what is still to come; with `totals` they keep the gains so far, and differ where the part of
    these that counts differs.
    """
    nothing = (0,) * len(position.so_far)
    queue = [replace(position, history=(), so_far=position.so_far if totals else nothing)]
    seen: Ways = {} if ways is None else ways
    seen[key_of(queue[0])] = None
    budget.spend(1)
    yield queue[0]
    for here in queue:
        for move in moves(here):
            then = replace(here.play(move), history=()) if totals else _bare(here, move)
            if key_of(then) not in seen:
                seen[key_of(then)] = key_of(here), move
                queue.append(then)
                budget.spend(len(seen))  # one by one: a single position may have more moves than fit into memory
                yield then


def key_of(place: Position) -> Key:
    """What distinguishes positions of a game: the state, the mover, and the gains as far as they count."""
    return place.state, place.mover, View.counted(place.so_far)


def way_to(place: Position, ways: Ways) -> list[Any]:
    """The moves on a shortest way to a position."""
    moves, step = [], ways[key_of(place)]
    while step is not None:
        moves.append(step[1])
        step = ways[step[0]]
    return moves[::-1]


def random_game(position: Position, random: Random, most_moves: int | None = None) -> Iterator[Position]:
    """The positions of a random game to its end, this one first; each move is one of the first `most_moves`."""
    yield position
    while moves := list(islice(position.moves(), most_moves)):
        position = position.play(random.choice(moves))
        yield position


def _bare(place: Position, move: Any) -> Position:
    """The position after a move, without the gains and the texts of `Position.play`, which take most of its time."""
    state = place.game.play(place.state, move)
    return replace(place, state=state, mover=next_mover(place.game, state, place.mover))


def keeps_totals(question: Question, game: Game) -> bool:
    """Whether the gains so far affect what to play."""
    return View(game, question).tracks_totals
