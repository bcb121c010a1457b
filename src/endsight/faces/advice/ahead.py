"""Best play from a position as far as it is one line, and what to do where chance or a mixture of moves divides it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from endsight.answers.solution import Solution, Step
from endsight.faces.advice.moves import MoveRow, moves_of
from endsight.faces.advice.plans import Plan, plan_of
from endsight.faces.advice.readings import Reading
from endsight.game import CHANCE
from endsight.game.position import Position

__all__ = ["Ahead", "ahead_of"]


@dataclass(frozen=True)
class Ahead:
    """What best play does next.

    steps    the moves up to where nobody, or no single move, decides
    place    the position there: the end of the game, a position that comes back, or where play divides
    reading  how values are read there
    plan     what to do for each outcome, where chance moves next
    mixture  the moves that are played there with chances, where players mix them; else empty
    """

    steps: tuple[Step, ...]
    place: Position
    reading: Reading
    plan: Plan | None
    mixture: tuple[MoveRow, ...]


def ahead_of(solution: Solution, position: Position) -> Ahead:
    """Best play from a position: one line as long as there is one, then a plan."""
    steps, place = _line(solution, position)
    reading, rows = moves_of(solution, place)
    is_chance = place.mover == CHANCE
    plan = plan_of(solution, place, reading) if is_chance else None
    mixed = () if is_chance or place.is_over or solution.chosen(place) is not None else rows
    return Ahead(tuple(steps), place, reading, plan, tuple(row for row in mixed if row.chance not in ("", "0 %")))


def _line(solution: Solution, position: Position) -> tuple[list[Step], Position]:
    """The moves that are chosen for certain, and where they lead; a position that comes back ends them."""
    steps: list[Step] = []
    place, seen = position, {(position.state, position.mover): 0}
    while (move := solution.chosen(place)) is not None:
        player = place.to_move
        assert player is not None, "whoever has a move to choose is to move"
        place = place.play(move)
        key = (place.state, place.mover)
        steps.append(Step(player, place.history[-1], seen.get(key)))
        if key in seen:
            break
        seen[key] = len(seen)
        if not solution.source.by_history:
            # Long lines would copy their whole history at every move.
            place = replace(place, history=place.history[-1:])
    return steps, place
