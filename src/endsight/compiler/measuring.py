"""What solving by `layers` would take: measured on the first states of the game."""

from __future__ import annotations

import time
from dataclasses import dataclass

from endsight.compiler.aims import Aims
from endsight.compiler.engine import trusted_rules
from endsight.compiler.layers import NeedsTracking, bytes_beside_keys, solve_layers
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import LimitReached
from endsight.game import Position
from endsight.limits import Budget, Limits
from endsight.objective import View
from endsight.question import Question

__all__ = ["Cost", "cost_of_layers"]

_MEASURED = 2_000_000
"""States that are met to measure what one takes: about a second, and more than the processor keeps close."""
_THERE_AND_BACK = 2
"""The way back generates the same children as the way there."""
_FULL = 4, 3
"""A table has at least so many slots for so many states."""


@dataclass(frozen=True)
class Cost:
    """Bytes and computing time (seconds, one thread) for each state."""

    bytes: float
    seconds: float


def cost_of_layers(position: Position, question: Question, *, symmetry: bool, states: int) -> Cost:
    """The cost of a state where there are about so many; raises `CannotCompile` where `layers` do not do.

    The time is of the first states of the game, twice where those are not all: once for
    finding them and once for solving them. The bytes follow from the table: a power of two
    slots, and the list of all states; values of every player stand in 32 bits each, if they must.
    """
    rules, aims = _rules(position, question, symmetry)
    rules.kernel("forward", SHARED=0)
    started = time.process_time()
    try:
        met = solve_layers(rules, position, Budget(Limits(states=_MEASURED, threads=1)), aims).states
        spent = time.process_time() - started
    except LimitReached as stop:
        met, spent = stop.states, _THERE_AND_BACK * (time.process_time() - started)
    except NeedsTracking as reason:
        raise CannotCompile("payoffs turn out to be tuples late in the game") from reason
    slots = 1 << (states * _FULL[0] // _FULL[1]).bit_length()
    size = 8 * rules.packing.words * (slots + states) + bytes_beside_keys(rules, aims) * slots
    return Cost(size / max(1, states), spent / max(1, met))


def _rules(position: Position, question: Question, symmetry: bool) -> tuple[CompiledRules, Aims]:
    def trusted(view: View) -> tuple[CompiledRules, Aims]:
        aims = Aims.of(view)
        merges = view.canonical is not None
        return trusted_rules(view.game, position, symmetry=merges, tracks_mover=view.tracks), aims

    try:
        return trusted(View(position.game, question, symmetry=symmetry))
    except NeedsTracking:
        return trusted(View(position.game, question, symmetry=symmetry, tracks_mover=True))
