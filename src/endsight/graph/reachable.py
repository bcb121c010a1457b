"""The positions that play can reach, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View


def reachable(position: Position, budget: Budget, *, totals: bool = False) -> Iterator[Position]:
    """Every position reachable from `position`, breadth first, once for each state and mover.

    They start with nothing gained, so that their values are what is still to come; with
    `totals` they keep the gains so far, and differ where the part of these that counts differs.
    """

    def bare(place: Position) -> Position:
        return replace(place, history=(), so_far=place.so_far if totals else (0,) * len(place.so_far))

    def key(place: Position) -> tuple[Any, int, tuple[Number, ...]]:
        return place.state, place.mover, View.counted(place.so_far)

    queue = [bare(position)]
    seen = {key(queue[0])}
    for here in queue:
        budget.spend(len(seen))
        yield here
        for move in here.moves():
            then = bare(here.play(move))
            if key(then) not in seen:
                seen.add(key(then))
                queue.append(then)


def keeps_totals(question: Question, game: Game) -> bool:
    """Whether the gains so far affect what to play."""
    return View(game, question).tracks_totals
