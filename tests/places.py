"""Every position that play can come to, by the rules alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from endsight import Position

__all__ = ["reachable"]


def reachable(position: Position, *, totals: bool = False) -> Iterator[Position]:
    """All positions after `position`, breadth first, once for each state and mover.

    They have no history, and nothing gained so far: their values are what is still to come. With `totals` they keep
    their gains, and differ where these do.
    """
    queue = [replace(position, history=())]
    seen = set()
    for here in queue:
        place = here if totals else replace(here, so_far=(0,) * len(here.so_far))
        if (key := (place.state, place.mover, place.so_far)) not in seen:
            seen.add(key)
            yield place
            queue += (replace(place.play(move), history=()) for move in place.moves())
