"""Hidden pots. `bigger_end`: plays the bigger end through all ways to fill the hidden pots, by counting."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from endsight.game import Position
from endsight.verifier.checkers import demand_free_rivals
from endsight.verifier.claims import Claim


def bigger_end(position: Position, claim: Claim) -> tuple[Fraction, ...]:
    """Value of the whole game per player."""
    demand_free_rivals(claim)
    most = position.game.values()["max"]
    left, right, hidden = position.state
    sign = 1 if position.game.turn(position.state) == 0 else -1  # type: ignore[attr-defined]
    ahead = position.so_far[0] - position.so_far[1]
    if claim.utility == "win":
        sides = [(ahead + sign * lead, count) for lead, count in _leads(left, right, hidden, most).items()]
        halves = sum(count * (1 + (lead > 0) - (lead < 0)) for lead, count in sides)
        return (chance := Fraction(halves, 2 * sum(count for _, count in sides))), 1 - chance
    lead = ahead + sign * _expected(left, right, hidden, most)
    total = sum(position.so_far) + left + right + Fraction(hidden * (most + 1), 2)
    return (lead, -lead) if claim.utility == "lead" else ((total + lead) / 2, (total - lead) / 2)


def _expected(left: int, right: int, hidden: int, most: int) -> Fraction:
    """Expected lead of the player who takes next; `worth[s]` counts it over all ways, with one end of s gold."""
    worth, ways = list(range(most + 1)), 1
    for _ in range(hidden - (left == right == 0 < hidden)):
        below, above, more = 0, ways * most * (most + 1) // 2, [0]
        for s in range(1, most + 1):
            below, above = below + worth[s], above - ways * s
            more.append(ways * s * s - below + above - (most - s) * worth[s])
        worth, ways = more, ways * most
    low, high = sorted((left, right))
    if hidden and high == 0:
        return Fraction(sum(worth), ways * most)
    return high - Fraction(worth[low], ways) if low else Fraction(worth[high], ways)


def _leads(left: int, right: int, hidden: int, most: int) -> Counter[int]:
    """The same as a distribution: ways to fill the hidden pots by lead."""
    leads: list[Counter[int]] = [Counter({s: 1}) for s in range(most + 1)]
    for _ in range(hidden - (left == right == 0 < hidden)):
        leads = [_sum((max(s, u), leads[min(s, u)]) for u in range(1, most + 1)) for s in range(most + 1)]
    if hidden and left == right == 0:
        return _sum((0, {-lead: count for lead, count in one.items()}) for one in leads[1:])
    return _sum([(max(left, right), leads[min(left, right)])]) if left and right else leads[left + right]


def _sum(taken: Any) -> Counter[int]:
    """Ways by lead, of taking that much gold before the rival leads by the other."""
    total: Counter[int] = Counter()
    for gold, then in taken:
        total.update({gold - lead: count for lead, count in then.items()})
    return total
