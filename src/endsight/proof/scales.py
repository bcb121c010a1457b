"""The nodes that a play returns to, and denominators that make all numbers of a play whole."""

from __future__ import annotations

from collections.abc import Mapping
from math import lcm

from endsight.errors import LimitReached
from endsight.verifier.certificate import MOST_SCALE_BITS
from endsight.verifier.walk import Walk


def returning(walk: Walk) -> list[int]:
    """Nodes to which a depth-first search returns while it is still below them: every loop has one."""
    below, done = bytearray(len(walk)), bytearray(len(walk))
    returning = set()
    path = [(0, iter(walk.after(0)))]
    below[0] = 1
    while path:
        node, rest = path[-1]
        child = next(rest, None)
        if child is None:
            below[node], done[node] = 0, 1
            path.pop()
        elif below[child]:
            returning.add(child)
        elif not done[child]:
            below[child] = 1
            path.append((child, iter(walk.after(child))))
    return sorted(returning)


def whole_unit(walk: Walk, order: list[int], known: Mapping[int, int], within: bytearray | None = None) -> int:
    """A denominator that makes all bounds along a walk whole; 1 where mixtures keep them fractions.

    `order` comes from `Walk.order`; `known` holds the denominators of nodes whose bounds are given;
    with `within` only the nodes marked there need to be whole, and nothing outside counts.
    """
    if not all(walk.best.values()):
        return 1
    units = [1] * len(walk)
    for node in reversed(order):
        if node in known:
            units[node] = known[node]
        elif within is None or within[node]:
            parts = {amount.denominator for amount in walk.amounts.get(node, ())}
            for child, gain in walk.edges[node]:
                parts.add(units[child])
                parts |= {amount.denominator for amount in gain or ()}
            units[node] = lcm(*parts) * sum(walk.dice.get(node, [1]))
    return lcm(gain_unit(walk), *set(units))


def gain_unit(walk: Walk) -> int:
    """A denominator that makes all gains of a walk whole."""
    return lcm(*{amount.denominator for edges in walk.edges for _, gain in edges for amount in gain or ()})


def factors(number: int) -> tuple[tuple[int, int], ...]:
    """The number as powers of small primes, and the remaining factor; `LimitReached` for too long a number."""
    if number.bit_length() > MOST_SCALE_BITS:
        raise LimitReached(
            "stopped: the exact values have too many digits for a certificate",
            advice="a smaller game, or a later position",
        )
    pairs = []
    for base in range(2, 1000):
        power = 0
        while number % base == 0:
            number //= base
            power += 1
        if power:
            pairs.append((base, power))
    return (*pairs, (number, 1)) if number > 1 else tuple(pairs)
