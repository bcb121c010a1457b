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
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from endsight.errors import PositionError
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.game.results import mover_in
from endsight.layers.rounds import find_rounds

COUNTED, SAMPLED = 1 << 19, 60_000
"""Nodes that are counted first; states that are drawn then."""
BYTES_KEPT, BYTES_AT_WORK = 24, 240
"""Memory per solved node, and per node of the current layer: measured for the game of Ur."""
_FEWEST = 30
"""With fewer positions among the states drawn, the estimate is rejected."""
_SOLVING = 8.0
"""The whole solve is slower by this factor than counting the first nodes, which fit the caches: the game of Ur."""


@dataclass(frozen=True)
class RoundSize:
    """The number of nodes (positions before chance, exchanged players together) of a game.

    lower, upper  ends of an interval around `states`; all are equal after a full count
    largest       nodes of the largest layer
    sampled       nodes counted and states drawn
    seconds_per_state   of computing time to find and solve a node
    """

    states: int
    lower: int
    upper: int
    exact: bool
    largest: int
    sampled: int
    seconds_per_state: float

    @property
    def memory(self) -> int:
        """Bytes of memory for a solve with all layers in memory."""
        return BYTES_AT_WORK * self.largest + BYTES_KEPT * self.states


def round_size(
    position: Position,
    question: Question,
    *,
    symmetry: bool,
    budget: Budget,
    counted: int = COUNTED,
    sampled: int = SAMPLED,
    seed: int = 1,
) -> RoundSize | None:
    """The size of a game that `rounds` can solve; None where only the ranges are known.

    Up to `counted` nodes are counted; for larger games `sampled` states are drawn. Raises `CannotCompile`
    where `rounds` does, and `LimitReached` past a limit of `budget`.
    """
    # The first few states compile the rules; their time does not count.
    _counted(position, question, symmetry, 1, budget)
    size = _counted(position, question, symmetry, counted, budget)
    return size if isinstance(size, RoundSize) else _sampled(position.game, counted, symmetry, sampled, seed, size)


def _counted(position: Position, question: Question, symmetry: bool, most: int, budget: Budget) -> RoundSize | float:
    """The size of a game of at most `most` nodes; else the seconds per node."""
    started = time.process_time()
    own = budget.within(states=most)
    run = own.attempt(partial(find_rounds, position, question, symmetry=symmetry, budget=own))
    seconds = _SOLVING * (time.process_time() - started) / own.states
    if run is None:
        return seconds
    sizes = [found.nodes for found in map(run.store.found, run.layers) if found is not None]
    return RoundSize(run.states, run.states, run.states, True, max(sizes), run.states, seconds)


def _sampled(game: Game, least: int, symmetry: bool, sampled: int, seed: int, seconds: float) -> RoundSize | None:
    """The size from random states; `least` is a lower bound of the number of nodes."""
    layers = _drawn(game, sampled, Random(seed)) if game.gives("parse") else Counter[int]()
    hits = layers.total()
    if hits < _FEWEST:
        return None
    share = 2 if symmetry and game.gives("exchanged") else 1
    each = math.prod(most + 1 for most in game.limits()) / sampled / share
    error = 3 * math.sqrt(hits) * each
    return RoundSize(
        states=max(least, round(hits * each)),
        lower=max(least, round(hits * each - error)),
        upper=max(least, round(hits * each + error)),
        exact=False,
        largest=round(max(layers.values()) * each),
        sampled=least + sampled,
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
