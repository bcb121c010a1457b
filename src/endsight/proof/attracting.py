"""Plies to the terminals that one side can force, where play can come back to a state.

The region is an attractor, settled backwards from the terminals that pay enough (as in
`algorithms.retrograde`). A play that takes the moves of falling ranks never comes back.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, TypeAlias

from endsight.game.numbers import Number
from endsight.verifier.walk import Walk

Follow: TypeAlias = Mapping[Any, int]
"""By state as a walk names it the number of the move to take there."""


def attractor(whole: Walk, side: int, bound: Number, follow: Follow) -> dict[int, int]:
    """Rank of every node from which `side` forces a terminal that pays it at least `bound`.

    `whole` is a walk in which nobody's moves are named, without chance and without gains;
    `bound` counts the amount of the view's subject times the side. The rank is the number of plies
    until then when the side hurries and the other side delays; the side's moves in `follow` are given.
    """
    before: list[list[int]] = [[] for _ in range(len(whole))]
    open_edges = []
    for node, key in enumerate(whole.nodes):
        children = whole.after(node)
        if key in follow and whole.view.side(key[1]) == side:
            children = [children[follow[key]]]
        open_edges.append(len(children))
        for child in children:
            before[child].append(node)
    subject = whole.view.subject
    ranks = {node: 0 for node, amounts in whole.amounts.items() if side * amounts[subject] >= bound}
    waiting = deque(ranks)
    while waiting:
        node = waiting.popleft()
        for parent in before[node]:
            open_edges[parent] -= 1
            if parent not in ranks and (open_edges[parent] == 0 or whole.view.side(whole.nodes[parent][1]) == side):
                ranks[parent] = ranks[node] + 1
                waiting.append(parent)
    return ranks
