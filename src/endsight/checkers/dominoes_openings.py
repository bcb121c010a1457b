"""Checks `dominoes_openings`: the pairing after a double, its even kernel counted tile by tile."""

from __future__ import annotations

from fractions import Fraction

from endsight.checkers import Asked, demand, worth
from endsight.game import Position


def settle(position: Position, asked: Asked) -> tuple[Fraction, ...]:
    """The first player's win from the empty line.

    The first player lays 0-0. Whatever fresh value y the reply 0-y goes to, the answer is
    y-y, and {0, y} must be an even kernel: no unused tile inside, and an even number of
    unused tiles into it from every other value. All y look alike, so one is counted.
    """
    n = position.game.values()["n"]
    demand(position.state.used == 0, "the opening theorem is about the empty line")
    demand(asked.objective == "competitive" and not asked.fixed, "the opening theorem is about free rivals")
    used = {(0, 0), (0, 1), (1, 1)}
    if n > 1:
        demand({(a, b) for a in (0, 1) for b in (0, 1) if a <= b} <= used, "a tile inside the kernel is unused")
        odd = [x for x in range(2, n) if sum((s, x) not in used for s in (0, 1)) % 2]
        demand(not odd, f"value {odd[:1]} has an odd number of unused tiles into the kernel")
    return worth((1, -1), asked.utility) if asked.utility != "payoff" else (Fraction(1), Fraction(-1))
