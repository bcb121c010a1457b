"""Certified intervals of one layer of a game of chance, from those of the layers after it.

A layer is a part of the game to which play never returns once it has left it, such as all
positions with equally many pieces home. Inside, play may go round. Floats sweep over rounds
(chance, and the answer to it) until they settle. The rounds h that best play can stay in the
layer turn them into bounds: guess + margin * h and guess - margin * h. Bounds are whole
numbers, the lower rounded down and the upper up, and are then swept towards each other.

A last pass checks, in whole numbers, L <= T(L) and U >= T(U) for one round T at every node,
and ranks which prove that play leaves the layer with probability 1 whatever the players do:
at every node some outcome of chance leads only to smaller ranks. So T has one fixed
point, the values, and they lie between L and U (Shapley 1953; Condon 1992).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms import round_kernels
from endsight.algorithms.loops import compiled_loop
from endsight.algorithms.round_kernels import STEP, UNRANKED
from endsight.compiler.refusal import CannotCompile
from endsight.errors import LimitReached
from endsight.game.limits import Budget

Words = npt.NDArray[np.int64]

SETTLED, NOISE = 2.0**-51, 2.0**-51
"""Change, relative to the largest amount, at which floats count as settled; the most that rounding may add to it."""
NEAR = (2.0**-40, 2.0**-34, 2.0**-28)
"""What a move may lose, relative to the largest amount, and still count as best when rounds are counted."""
TIGHT = 2.0**-42
"""Width that a layer may add to that of later layers, relative to the largest amount, before bounds are swept."""
MOST_SWEEPS, AT_ONCE, NARROWING = 20_000, 4, 48
"""Sweeps after which a layer counts as too slow; between checks of the clock; of bounds that hold."""


@dataclass(frozen=True)
class LayerRounds:
    """The rounds of a layer as `engine.round_exploring` finds them, with places for children.

    Children below `count` are the layer's own nodes, others stand in `bounds` behind them.
    `signs` says for each group whether its player wants more (1) or less (-1). `bounds` has
    two columns; rows of ends and of later layers are known.
    """

    count: int
    offsets: Words
    groups: npt.NDArray[np.int32]
    weights: npt.NDArray[np.int32]
    signs: npt.NDArray[np.int8]
    children: npt.NDArray[np.int32]
    bounds: Words

    @property
    def rounds(self) -> tuple[Any, ...]:
        """The `kernel_numbers.RoundArrays` of the layer's own nodes."""
        return self.count, self.offsets, self.groups, self.weights, self.signs, self.children


def enclose_layer(layer: LayerRounds, limit: int, budget: Budget) -> int:
    """Fill in proven bounds of the layer's nodes; return the number of sweeps in floats.

    No amount may pass `limit`, which times the largest sum of weights is at most 2^61. Raises
    `LimitReached` where play stays in the layer for too long, or a limit is passed.
    """
    ranks = _ranks(layer, budget)
    # So far only ends and later layers have bounds.
    known = _widest(layer)
    guess, chosen, error, sweeps = _guessed(layer, budget)
    for near in NEAR:
        steps = _rounds_left(layer, guess, chosen, near, budget)
        given = (int(error) + 2, known // 2 + 1)
        fits = compiled_loop(round_kernels.surround_rounds)(layer.rounds, layer.bounds, steps, guess, *given, limit)
        if fits and _is_proven(layer, ranks, limit):
            break
    else:
        raise _too_slow(layer)
    if _widest(layer) - known > TIGHT * float(np.abs(guess).max()):
        _narrow(layer, budget)
        if not _is_proven(layer, ranks, limit):
            raise AssertionError("bounds of a layer do not hold")
    return sweeps


def _widest(layer: LayerRounds) -> int:
    """The widest interval of all nodes that have bounds."""
    return int((layer.bounds[:, 1] - layer.bounds[:, 0]).max())


def _narrow(layer: LayerRounds, budget: Budget) -> None:
    """Sweep bounds that hold towards each other."""
    for _ in range(0, NARROWING, AT_ONCE):
        budget.look(budget.states, "enclosing values")
        if not compiled_loop(round_kernels.narrow_rounds)(layer.rounds, layer.bounds, AT_ONCE):
            break


def _is_proven(layer: LayerRounds, ranks: npt.NDArray[np.int32], limit: int) -> bool:
    faulty = compiled_loop(round_kernels.unproven_round)(layer.rounds, layer.bounds, ranks, limit)
    return faulty == layer.count


def _ranks(layer: LayerRounds, budget: Budget) -> npt.NDArray[np.int32]:
    """A proof that play leaves the layer: see `round_kernels.rank_rounds`."""
    ranks = np.zeros(len(layer.bounds), np.int32)
    ranks[: layer.count][np.diff(layer.offsets) > 0] = UNRANKED
    while compiled_loop(round_kernels.rank_rounds)(layer.rounds, ranks):
        budget.look(budget.states, "looking for ways out")
    if (ranks == UNRANKED).any():
        raise CannotCompile("play might never leave a layer")
    return ranks


def _rounds_left(
    layer: LayerRounds, guess: npt.NDArray[np.float64], chosen: npt.NDArray[np.int32], near: float, budget: Budget
) -> npt.NDArray[np.int32]:
    """The mean number of rounds that best play can stay in the layer, in parts of STEP."""
    steps = np.zeros(len(layer.bounds), np.int32)
    tolerance = np.array([near * float(np.abs(guess).max())])
    growth = STEP
    for _ in range(0, MOST_SWEEPS, AT_ONCE):
        budget.look(budget.states, "counting rounds")
        # First the chosen moves, then all that are about as good: that is more work, and seldom changes much.
        follows = growth >= STEP
        sweeps = AT_ONCE if follows else 2
        growth = compiled_loop(round_kernels.count_rounds)(
            layer.rounds, chosen, int(follows), steps, guess, tolerance, sweeps
        )
        # Twice the number makes up for what is not counted yet; whether that is enough is checked.
        if not follows and 0 <= growth <= STEP // 2:
            steps *= 2
            return steps
        if growth < 0:
            break
    raise _too_slow(layer)


Guess = tuple[npt.NDArray[np.float64], npt.NDArray[np.int32], float, int]


def _guessed(layer: LayerRounds, budget: Budget) -> Guess:
    """Settled values in floats; the best child of each group; about how far a round moves values; and the sweeps."""
    guess = layer.bounds.sum(axis=1) * 0.5
    size = float(np.abs(guess).max())
    change, chosen = np.zeros(1), np.zeros(len(layer.weights), np.int32)
    for sweeps in range(AT_ONCE, MOST_SWEEPS, AT_ONCE):
        budget.look(budget.states, "sweeping values")
        # Moves are chosen anew every third time, and kept in between.
        if sweeps % (3 * AT_ONCE) == AT_ONCE or change[0] <= size * SETTLED:
            compiled_loop(round_kernels.guess_rounds)(layer.rounds, chosen, 0, guess, change, AT_ONCE // 2)
            compiled_loop(round_kernels.choose_rounds)(layer.rounds, chosen, guess)
            if change[0] <= size * SETTLED:
                return guess, chosen, float(change[0]) + size * NOISE, sweeps
        compiled_loop(round_kernels.guess_rounds)(layer.rounds, chosen, 1, guess, change, AT_ONCE)
    raise _too_slow(layer)


def _too_slow(layer: LayerRounds) -> LimitReached:
    return LimitReached(
        "stopped: play stays in one layer for so long that no interval could be proven",
        states=layer.count,
        advice="--exact",
    )
