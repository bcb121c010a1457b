"""Random games with symmetries, right and wrong ones: `python tests/fuzz_canonical.py --count 3000 --seed 1`.

A random game is doubled: every state gets a twin, whose moves come in another order and lead to
either twin of what they led to. `canonical` maps some states to their twins. In most
games one thing is changed afterwards: a payoff, a reward, a weight, a mover, a move, an image. `check`
must then find exactly the images after which play is not the same, `solve` must refuse
these games, and all others must be worth with merged states what they are worth without.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import endsight as es
import naive
from endsight import CHANCE, check_rules
from endsight.errors import EndsightError
from many_cases import try_many
from strategies import MoverRewards

AMOUNTS = (-1, 0, 0, 1, 2)


class Twins(MoverRewards):
    """A graph some of whose nodes are called equivalent to others."""

    images: tuple = (0,)

    def canonical(self, state: Any) -> Any:
        return self.State(self.images[state.number])


def drawn(draw: random.Random) -> Twins:
    """A doubled game, in which one thing may be changed."""
    nodes, seats = draw.randint(2, 9), draw.choice((1, 2, 2, 3))
    has_loops, has_chance, has_rewards = (draw.random() < share for share in (0.3, 0.4, 0.4))
    children = [_children(draw, node, nodes, has_loops=has_loops) for node in range(nodes)]
    movers = [CHANCE if has_chance and draw.random() < 0.4 else draw.randrange(seats) for _ in range(nodes)]
    gains = draw.choices(AMOUNTS, k=3) if has_rewards else [0]
    rows = [
        [(child, draw.choice((1, 2)), _share(draw, seats, gains)) for child in children[node]] for node in range(nodes)
    ]
    payoffs = [_share(draw, seats, AMOUNTS) for _ in range(nodes)]
    twins = [
        [(child + nodes * draw.randrange(2), weight, gain) for child, weight, gain in draw.sample(row, len(row))]
        for row in rows
    ]
    first = [[(child + nodes * draw.randrange(2), weight, gain) for child, weight, gain in row] for row in rows]
    edges, payoffs, movers = first + twins, payoffs * 2, movers * 2
    images = list(range(2 * nodes))
    for node in range(nodes):
        one, other = draw.choice(((node, node + nodes), (node + nodes, node)))
        if draw.random() < 0.7:
            images[one] = other
    if draw.random() < 0.75:
        _change(draw, edges, payoffs, movers, images, seats)
    parts = [tuple(tuple(edge[part] for edge in row) for row in edges) for part in range(3)]
    return Twins(parts[0], tuple(payoffs), seats, tuple(movers), parts[1], parts[2], tuple(images))


def _children(draw: random.Random, node: int, nodes: int, *, has_loops: bool) -> list[int]:
    if node and draw.random() < 0.25:
        return []
    possible = range(nodes) if has_loops else range(node + 1, nodes)
    return [draw.choice(possible) for _ in range(draw.randint(1, 3))] if possible else []


def _share(draw: random.Random, seats: int, amounts: Any) -> tuple[int, ...]:
    if seats == 2:
        amount = draw.choice(amounts)
        return amount, -amount
    return tuple(draw.choices(amounts, k=seats))


def _change(draw: random.Random, edges: list, payoffs: list, movers: list, images: list, seats: int) -> None:
    """Change one thing of a state, or its image."""
    node = draw.randrange(len(edges))
    what = draw.choice(("payoff", "mover", "image", "edge", "edge"))
    if what == "payoff":
        payoffs[node] = _share(draw, seats, AMOUNTS)
    elif what == "mover" and seats > 1:
        movers[node] = draw.randrange(seats)
    elif what == "image":
        settled = [each for each in range(len(images)) if images[each] == each and each != node]
        images[node] = draw.choice(settled)
        images[:] = [images[image] for image in images]
    elif edges[node]:
        place = draw.randrange(len(edges[node]))
        child, weight, gain = edges[node][place]
        part = draw.choice(("child", "weight", "gain"))
        later = range(len(edges)) if child <= node else [each for each in range(len(edges)) if each > node]
        if part == "child":
            child = draw.choice(list(later))
        elif part == "weight":
            weight = 3
        else:
            gain = _share(draw, seats, AMOUNTS)
        edges[node][place] = child, weight, gain


# ---------------------------------------------------------------------- what is true


def reachable(game: Twins) -> list[int]:
    """Nodes that play reaches, with their images, and what play reaches from these."""
    found, waiting = {0}, [0]
    while waiting:
        node = waiting.pop()
        for child in (*game.successors[node], game.images[node]):
            if child not in found:
                found.add(child)
                waiting.append(child)
    return sorted(found)


def unfolded(game: Twins, node: int, plies: int, known: dict) -> Any:
    """A name of the tree of that many plies below a node, the same for trees that differ only by names."""
    if (node, plies) not in known:
        children = game.successors[node]
        if not children:
            tree: Any = ("end", game.payoffs[node])
        elif not plies:
            tree = (game.movers[node], len(children))
        else:
            below: Counter = Counter()
            for child, weight, gain in zip(children, game.weights[node], game.rewards[node], strict=True):
                is_chance = game.movers[node] == CHANCE
                below[unfolded(game, child, plies - 1, known), gain] += weight if is_chance else 1
            tree = (game.movers[node], len(children), frozenset(below.items()))
        known[node, plies] = known.setdefault(("tree", tree), len(known))
    return known[node, plies]


def differing(game: Twins) -> list[int]:
    """Nodes that play reaches whose image is followed by other play."""
    known: dict = {}
    deep = len(game.successors) + 1
    return [
        node
        for node in reachable(game)
        if unfolded(game, node, deep, known) != unfolded(game, game.images[node], deep, known)
    ]


# ---------------------------------------------------------------------- the judgement


def blamed(game: Twins, states: int) -> list[Any]:
    """Faults of `canonical` that a check of so many states finds."""
    return [fault for fault in check_rules(game, states=states).faults if fault.rule == "canonical"]


def told(game: Twins, **options: Any) -> Any:
    """The value, or the kind of refusal."""
    try:
        return es.solve(game, **options).values()
    except EndsightError as error:
        return type(error).__name__, error.message


def judged(game: Twins) -> str:
    """What came of it; raises `AssertionError` where something is wrong."""
    wrong = differing(game)
    faults = blamed(game, 20_000)
    # What is found wrong with a part of the game is wrong.
    assert faults or not any(blamed(game, states) for states in (1, 2, 4, 7)), "a part is blamed, and not the whole"
    has_chance = CHANCE in game.movers
    alone = told(game, symmetry=False)
    if not wrong:
        assert not faults, faults
    elif not has_chance:
        assert faults, wrong
    merged = told(game)
    if faults:
        assert merged[:1] == ("RulesError",), merged
        assert "canonical" in merged[1]
        return "refused"
    assert merged == alone, (merged, alone)
    if all(child > node for node, row in enumerate(game.successors) for child in row):
        assert naive.Recursion(game).value() == alone, alone
    return "equivalent" if not wrong else "the same chances"


def tried(seed: str) -> list[str]:
    """The judgement on the game of a seed."""
    game = drawn(random.Random(seed))
    try:
        return [judged(game)]
    except AssertionError as error:
        raise AssertionError(f"{game!r}: {error}") from error


if __name__ == "__main__":
    try_many(__doc__, 500, tried)
