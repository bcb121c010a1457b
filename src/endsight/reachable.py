"""The positions that play can reach, one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from endsight.game import Game, Position
from endsight.limits import Budget
from endsight.question import Question

__all__ = ["keeps_totals", "reachable"]


def reachable(position: Position, budget: Budget, *, totals: bool = False) -> Iterator[Position]:
    """Every position reachable from `position`, breadth first, once for each state and mover.

    They start with nothing gained, so that their values are what is still to come; with
    `totals` they keep what was gained, and differ by it (endless where loops pay).
    """

    def bare(place: Position) -> Position:
        return replace(place, history=(), so_far=place.so_far if totals else (0,) * len(place.so_far))

    queue = [bare(position)]
    seen = {(queue[0].state, queue[0].mover, queue[0].so_far)}
    for here in queue:
        budget.spend(len(seen))
        yield here
        for move in here.moves():
            then = bare(here.play(move))
            key = (then.state, then.mover, then.so_far)
            if key not in seen:
                seen.add(key)
                queue.append(then)


def keeps_totals(question: Question, game: Game) -> bool:
    """Whether what was gained so far bears on what to play."""
    return question.utility != "payoff" and game.gives("reward")
