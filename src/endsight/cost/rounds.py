"""The size of a game solved in rounds: counted where that is quick, then sampled.

The rules' own `parse` refuses texts of no position. So the share of random states, uniform in the ranges of `limits`,
that survive `show` and `parse` gives the number of positions, reachable or not: an upper count (Monte Carlo by
rejection), within three standard errors. Breadth-first growth is useless here: with loops most positions occur at many
plies.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.errors import PositionError
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.results import mover_in
from endsight.layers.rounds import find_rounds

if TYPE_CHECKING:
    from endsight.cost.estimate import Estimate

COUNTED, SAMPLED = 1 << 19, 60_000
"""Nodes that are counted first; states that are drawn then."""
BYTES_KEPT, BYTES_AT_WORK = 24, 240
"""Memory per solved node, and per node of the current layer: measured for the game of Ur."""
_FEWEST = 30
"""With fewer positions among the states drawn, the estimate is rejected."""
_SOLVING = 8.0
"""The whole solve is slower by this factor than counting the first nodes, which fit the caches: the game of Ur."""


def in_rounds(
    found: Estimate,
    *,
    symmetry: bool,
    budget: Budget,
    counted: int = COUNTED,
    sampled: int = SAMPLED,
    seed: int = 1,
) -> Estimate:
    """The estimate for a game that `rounds` solves: nodes are positions before chance, exchanged players together.

    Up to `counted` nodes are counted; for larger games `sampled` states are drawn. The estimate stays as it is where
    only the ranges are known. Raises `CannotCompile` where `rounds` does, and `LimitReached` past a limit of `budget`.
    """
    # The first few states compile the rules; their time does not count.
    _timed_layers(found, symmetry, 1, budget)
    layers, seconds = _timed_layers(found, symmetry, counted, budget)
    if layers is not None:
        nodes = sum(layers)
        exact = replace(found, lower=nodes, upper=nodes, exact=True, basis="counted", sampled=nodes)
        return _of_nodes(exact, nodes, max(layers), seconds)
    game = found.game
    drawn = _drawn(game, sampled, Random(seed)) if game.gives("parse") else Counter[int]()
    hits = drawn.total()
    if hits < _FEWEST:
        return found
    share = 2 if symmetry and game.gives("exchanged") else 1
    each = math.prod(most + 1 for most in game.limits()) / sampled / share
    error = 3 * math.sqrt(hits) * each
    rough = replace(
        found,
        lower=max(counted, round(hits * each - error)),
        upper=max(counted, round(hits * each + error)),
        exact=False,
        basis="sampled positions",
        sampled=counted + sampled,
    )
    return _of_nodes(rough, max(counted, round(hits * each)), round(max(drawn.values()) * each), seconds)


def _timed_layers(found: Estimate, symmetry: bool, most: int, budget: Budget) -> tuple[list[int] | None, float]:
    """The number of nodes of every layer, None where they are more than `most`; and the seconds that a node takes."""
    started = time.process_time()
    own = budget.within(states=most)
    run = own.attempt(partial(find_rounds, found.position, found.question, symmetry=symmetry, budget=own))
    seconds = _SOLVING * (time.process_time() - started) / own.states
    return None if run is None else [layer.nodes for layer in map(run.store.found, run.layers) if layer], seconds


def _of_nodes(found: Estimate, nodes: int, largest: int, seconds: float) -> Estimate:
    """The estimate for so many nodes, `largest` of them in the largest layer, with the `seconds` that a node takes."""
    return replace(
        found,
        states=nodes,
        edges=round(found.edges / found.states * nodes),
        engine="compiled",
        bytes_per_state=(BYTES_AT_WORK * largest + BYTES_KEPT * nodes) / nodes,
        seconds_per_state=seconds,
    )


def _drawn(game: Game, count: int, random: Random) -> Counter[int]:
    """The number of positions before chance, or ends, among random states, in each layer."""
    limits, layers = game.limits(), Counter[int]()
    for _ in range(count):
        state = game.State(*(random.randint(0, most) for most in limits))
        if _is_position(game, state) and _is_node(game, state):
            layers[game.layer(state)] += 1  # type: ignore[attr-defined]
    return layers


def _is_position(game: Game, state: Any) -> bool:
    try:
        return bool(game.parse(game.show(state)) == state)
    except PositionError:
        return False


def _is_node(game: Game, state: Any) -> bool:
    """Whether rounds keep a row for a state: chance moves there, or play ends."""
    return mover_in(game, state) == CHANCE or next(iter(game.moves(state)), None) is None
