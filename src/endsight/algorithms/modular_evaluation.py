"""What given policies bring in a game without loops: evaluated modulo primes, put together exactly.

The value is a fraction whose denominator divides a number known beforehand, and whose
size is bounded. So it is settled by its remainders modulo enough primes, which whole
machine words can hold (the Chinese remainder theorem; J. von zur Gathen and J. Gerhard,
*Modern Computer Algebra*, chapter 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from endsight.game import CHANCE
from endsight.graph import Graph
from endsight.numbers import Number, simplest
from endsight.table import Value

__all__ = ["modular_evaluation"]

Words: TypeAlias = npt.NDArray[np.int64]

# Below 2^31, so that a product of two remainders fits a word.
_LARGEST = 2**31 - 1
_BITS = 30
# Most remainders kept at a time.
_ROOM = 1 << 23


@dataclass(frozen=True)
class _Chain:
    """The nodes that play from the root meets, each after all those it leads to, with the edges in use."""

    nodes: list[int]
    edges: dict[int, list[int]]
    sums: dict[int, int]


def modular_evaluation(graph: Graph, choices: list[int]) -> Value:
    """Expected totals of all players from the root (node 0), when players follow `choices`.

    `choices` holds an edge for every decision node. Raises `ValueError` where play can
    come back to a position.
    """
    chain = _chain(graph, choices)
    return tuple(_evaluate(graph, chain, player) for player in range(graph.players))


def _chain(graph: Graph, choices: list[int]) -> _Chain:
    edges: dict[int, list[int]] = {}
    waiting = [0]
    while waiting:
        node = waiting.pop()
        if node not in edges:
            edges[node] = list(graph.edges(node)) if graph.movers[node] == CHANCE else [choices[node]]
            edges[node] = [] if graph.is_end(node) else edges[node]
            waiting += [graph.successors[edge] for edge in edges[node]]
    nodes = [node for part in graph.components for node in part if node in edges]
    place = {node: number for number, node in enumerate(nodes)}
    if any(place[graph.successors[edge]] >= place[node] for node in nodes for edge in edges[node]):
        raise ValueError("play can come back to a position: evaluation modulo primes needs a game without loops")
    return _Chain(nodes, edges, {node: sum(_weight(graph, edge) for edge in edges[node]) for node in nodes})


def _weight(graph: Graph, edge: int) -> int:
    return 1 if graph.weights is None else graph.weights[edge]


def _gain(graph: Graph, edge: int, player: int) -> Number:
    gain = None if graph.rewards is None else graph.rewards[edge]
    return 0 if gain is None else gain[player]


def _evaluate(graph: Graph, chain: _Chain, player: int) -> Number:
    pays = {node: (graph.payoffs[node] or ())[player] for node in chain.nodes if not chain.edges[node]}
    gains = {edge: _gain(graph, edge, player) for node in chain.nodes for edge in chain.edges[node]}
    gains = {edge: gain for edge, gain in gains.items() if gain}
    unit = lcm(*(Fraction(amount).denominator for amount in (*pays.values(), *gains.values())))
    denominator, most = _bounds(graph, chain, gains)
    most += max(map(_size, pays.values()))
    primes = _primes(int(2 * most * denominator * unit).bit_length() + 1, chain)
    whole_pays = {node: int(pay * unit) for node, pay in pays.items()}
    whole_gains = {edge: int(gain * unit) for edge, gain in gains.items()}
    remainders: list[int] = []
    block = max(1, _ROOM // len(chain.nodes))
    for start in range(0, len(primes), block):
        remainders += _remainders(graph, chain, whole_pays, whole_gains, primes[start : start + block])
    whole = _together([value * (denominator % p) % p for value, p in zip(remainders, primes, strict=True)], primes)
    return simplest(Fraction(whole, denominator * unit))


def _bounds(graph: Graph, chain: _Chain, gains: dict[int, Number]) -> tuple[int, Fraction]:
    """A multiple of the denominator of the root's value (but for `unit`), and the most that gains add up to.

    By induction the denominator at a node divides W^d: W the least common multiple of all
    sums of weights, d the longest way in dice.
    """
    dice: dict[int, int] = {}
    most: dict[int, Fraction] = {}
    for node in chain.nodes:
        after = [(edge, graph.successors[edge]) for edge in chain.edges[node]]
        dice[node] = max((dice[child] for _, child in after), default=0) + (len(after) > 1)
        most[node] = max((most[child] + _size(gains.get(edge, 0)) for edge, child in after), default=Fraction(0))
    whole = lcm(*(chain.sums[node] for node in chain.nodes if len(chain.edges[node]) > 1))
    return whole ** dice[0], most[0]


def _size(amount: Number) -> Fraction:
    return abs(Fraction(amount))


def _primes(bits: int, chain: _Chain) -> list[int]:
    """Primes whose product has more than so many bits, none of which divides a sum of weights."""
    import flint

    sums = set(chain.sums.values()) - {0}
    primes: list[int] = []
    number = _LARGEST
    while len(primes) * _BITS <= bits:
        if flint.fmpz(number).is_prime() and all(total % number for total in sums):
            primes.append(number)
        number -= 2
    assert number > 1 << _BITS
    return primes


def _remainders(
    graph: Graph, chain: _Chain, pays: dict[int, int], gains: dict[int, int], primes: list[int]
) -> list[int]:
    """The root's value (times the unit of the amounts) modulo each prime."""
    modulus = np.array(primes, np.int64)
    place = {node: number for number, node in enumerate(chain.nodes)}
    values = np.zeros((len(chain.nodes), len(primes)), np.int64)
    inverse = {total: _words([pow(total, -1, p) for p in primes]) for total in set(chain.sums.values()) - {0}}
    for number, node in enumerate(chain.nodes):
        edges = chain.edges[node]
        if not edges:
            values[number] = _words([pays[node] % p for p in primes])
            continue
        after = values[[place[graph.successors[edge]] for edge in edges]]
        for line, edge in enumerate(edges):
            if edge in gains:
                after[line] += _words([gains[edge] % p for p in primes])
        if len(edges) == 1:
            values[number] = after[0] % modulus
            continue
        weights = _words([_weight(graph, edge) for edge in edges])[:, None] % modulus
        # Remainders first: a sum of that many numbers below 2^31 fits a word.
        total = (after % modulus * weights % modulus).sum(axis=0) % modulus
        values[number] = total * inverse[chain.sums[node]] % modulus
    return [int(value) for value in values[place[0]]]


def _words(numbers: list[int]) -> Words:
    return np.array(numbers, np.int64)


def _together(remainders: list[int], primes: list[int]) -> int:
    """The whole number of least size with these remainders, by halves."""
    whole, modulus = _joined(remainders, primes)
    return whole - modulus if 2 * whole > modulus else whole


def _joined(remainders: list[int], primes: list[int]) -> tuple[int, int]:
    if len(primes) == 1:
        return remainders[0], primes[0]
    half = len(primes) // 2
    low, below = _joined(remainders[:half], primes[:half])
    high, above = _joined(remainders[half:], primes[half:])
    return low + below * ((high - low) * pow(below, -1, above) % above), below * above
