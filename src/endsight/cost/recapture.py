"""The counted share of all positions, from how often a random walk visits counted ones.

Capture and recapture, after C. Petersen (1896) and F. Lincoln (1930): where a share p of a walk's positions is among M
counted ones, there are about M / p. Where moves can be undone, a long walk visits every position in proportion to its
number of moves, so each step is weighted by the inverse of that number. Else the walk restarts at each end, visits
early positions more often than late ones, and the number is rather too low.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from time import process_time
from typing import Any

from endsight.cost.sampling.layers import Sampler

STEPS = 200_000
_SECONDS = 0.9
"""Walks in slow rules are shorter."""
_BLOCKS = 10
_BETWEEN_CHECKS = 100
"""Steps between two checks for a way back."""
_TAKEN_BACK = 0.9


@dataclass(frozen=True)
class Recapture:
    """The share of a walk at counted positions.

    share, lowest, highest  of the walk, within three standard errors
    is_reversible           whether moves can be undone
    steps                   of the walk
    """

    share: float
    lowest: float
    highest: float
    is_reversible: bool
    steps: int


def recapture(run: Sampler, holds: Callable[[Any], bool], random: Random) -> Recapture:
    """Walk at random from the root of `run`; `holds` tests whether a node was counted."""
    found: list[tuple[bool, int]] = []
    checked = returned = 0
    key, until = run.root, process_time() + _SECONDS
    while len(found) < STEPS and process_time() < until:
        children, _ = run.children(key)
        if not children:
            key = run.root
            continue
        found.append((holds(key), len(children)))
        then = random.choice(children)
        if len(found) % _BETWEEN_CHECKS == 0:
            run.budget.look(len(found), "walking at random")
            checked += 1
            returned += key in run.children(then)[0]
        key = then
    is_reversible = returned > _TAKEN_BACK * checked
    # The start of a walk does not matter once the walk is far away.
    rest = found[len(found) // 2 :] if is_reversible else found
    length = max(1, len(rest) // _BLOCKS)
    blocks = [_share(rest[start : start + length], is_reversible) for start in range(0, len(rest), length)]
    mean = sum(blocks) / len(blocks)
    spread = sum((block - mean) ** 2 for block in blocks) / max(1, len(blocks) - 1)
    error = 3 * math.sqrt(spread / len(blocks))
    most = max(mean + error, 3 / len(rest))
    return Recapture(mean, max(mean - error, mean / 4), most, is_reversible, len(found))


def _share(steps: list[tuple[bool, int]], is_weighted: bool) -> float:
    """The share of steps at counted nodes."""
    weights = [1 / children if is_weighted else 1.0 for _, children in steps]
    return sum(weight for weight, (is_held, _) in zip(weights, steps, strict=True) if is_held) / sum(weights)
