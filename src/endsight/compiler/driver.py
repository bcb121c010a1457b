"""Kernels are run here, with more room where they ask for it, until they have an answer or cannot continue."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any, TypeAlias

from endsight.compiler.kernels.core import NEEDED, Code
from endsight.compiler.refusal import CannotCompile

Rooms: TypeAlias = Mapping[Code, Callable[[int], object]]
"""For everything a kernel reports as full, a function that makes room for as many more entries as it needs."""

REASONS = {
    Code.NOT_OPPOSED: "the two players' payoffs are not opposed",
    Code.HAS_CHANCE: "dice or cards decide in this game",
    Code.CYCLIC: "play can come back to a position",
    Code.NOT_WIN_LOSS: "a payoff is not one of a game that is only won, drawn or lost",
    Code.NEEDS_MOVER: "a payoff is a tuple, though its annotation says that it is a number",
    Code.MOVES_DIFFER: "an information set has different moves, or in another order, or one move twice",
    Code.NOT_LAYERED: "a move lowers the layer of a state",
}


def drive(
    call: Callable[[], int],
    counters: Any,
    rooms: Rooms,
    blame: Callable[[int], Exception],
    watch: Callable[[], object] = lambda: None,
    answers: Container[Code] = (),
) -> Code:
    """Call a kernel until it is done or returns one of the `answers`, and return which.

    `counters[NEEDED]` holds the room that the kernel needs, or the site at which the rules failed; `blame` returns the
    reason of that failure. `watch` is called after every call, and may stop the work by raising. Raises what `blame`
    returns, and `CannotCompile` for the other `REASONS` of a kernel.
    """
    while True:
        result = Code(call())
        watch()
        if result == Code.DONE or result in answers:
            return result
        if result in rooms:
            rooms[result](int(counters[NEEDED]))
        elif result == Code.FAULT:
            raise blame(int(counters[NEEDED]))
        elif result != Code.STOPPED:
            raise CannotCompile(REASONS[result])
