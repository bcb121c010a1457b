"""Random walks, and the number of positions by the share of them that was counted.

Capture and recapture, after C. Petersen (1896) and F. Lincoln (1930): where a share p of all positions is among M
counted ones, there are M / p.

**Where moves can be undone**, a long walk is at every position in proportion to its number of moves. So a share of
its moves leads to counted positions which is theirs of all moves, and the mean of the inverse number of moves says how
many moves a position has (weights of D. Heckathorn, "Respondent-driven sampling II", Social Problems 49, 2002).
Two walks, one from the start and one from the border of what was counted, must agree once each has forgotten where it
began; where they do not, they say nothing (A. Gelman and D. Rubin, "Inference from iterative simulation using multiple
sequences", Statistical Science 7, 1992).

**Elsewhere** a walk begins again at each end. It visits early positions more often than late ones, so the number is
rather too low.

Counted positions are met many in a row, so what was met is worth fewer independent events: it is divided by its index
of dispersion, the variance of counts over their mean (D. Cox and P. Lewis, "The Statistical Analysis of Series of
Events", 1966), among long parts of a walk, and among short walks from the border, which show how much is met once
anything is. The square root of a number of independent events varies by a half (F. Anscombe, Biometrika 35, 1948).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import fmean, variance
from time import process_time
from typing import TYPE_CHECKING

from endsight.cost.sampling import Sampler, WalkBlock

if TYPE_CHECKING:
    from endsight.engine.counting import Counted

_SECONDS, _STEPS = 1.1, 8_000_000
"""The computing time for walks, and their steps; in slow rules they are shorter."""
_CHECKS = 60
"""Moves that are tried for a way back."""
_PARTS, _BORDERS = 20, 20
"""Parts of a walk that are compared, and short walks from the border."""
_FORGETS = 0.2
"""The first part of a walk, which may depend on where it began."""
_IS_EVERYWHERE = 0.98
"""A walk with a larger share of its moves among the counted positions has not left them, and shows nothing."""
_ERRORS = 3.0
"""Standard errors between the middle and the ends of a range, or between two walks that still agree."""


@dataclass(frozen=True)
class Walked:
    """The share of all positions that was counted: between `lowest`, 0 if that is unknown, and `highest`.

    None of them is known where walks do not `agree`.
    """

    share: float
    lowest: float
    highest: float
    steps: int
    agree: bool


def can_be_undone(run: Sampler, random: Random) -> bool:
    """Whether moves from the frontier can be undone, those that end the game apart."""
    is_tried = False
    for key in random.choices([*run.frontier], k=_CHECKS):
        children, _ = run.children(key)
        back = run.children(random.choice(children))[0] if children else []
        if back and key not in back:
            return False
        is_tried |= bool(back)
    return is_tried


def counted_share(known: Sampler | Counted, random: Random, *, is_back: bool) -> Walked:
    """The share of positions that are among the counted ones; `is_back` where moves can be undone."""
    walk = partial(known.walk, is_back=is_back)
    chains = [_chain(walk(random.getrandbits(40), begin)) for begin in ((0.0, 1.0) if is_back else (0.0,))]
    parts = [_parts(chain[int(_FORGETS * is_back * len(chain)) :]) for chain in chains]
    borders = [next(walk(random.getrandbits(40), random.random())) for _ in range(_BORDERS * is_back)]
    met = max(1 / known.children_each, fmean(block.held for block in borders)) if is_back else 1.0
    spread = max(map(_dispersion, parts))
    many, few = max(spread, met), max(spread, met + _dispersion(borders))
    each = [_sum(part) for part in parts]
    _, of, held = _sum(each)
    shares = [block.held / block.of for block in each]
    error = _ERRORS * math.sqrt(sum(block.held * few / block.of**2 for block in each))
    return Walked(
        held / of,
        max(0.0, math.sqrt(held / few + 3 / 8) - _ERRORS / 2) ** 2 * few / of,
        (math.sqrt(held / many + 3 / 8) + _ERRORS / 2) ** 2 * many / of,
        sum(block.steps for chain in chains for block in chain),
        max(shares) - min(shares) <= error and all(block.held < _IS_EVERYWHERE * block.steps for block in each),
    )


def _chain(walk: Iterator[WalkBlock]) -> list[WalkBlock]:
    """Blocks of a walk, as long as steps and time allow."""
    until, chain = process_time() + _SECONDS / 2, [next(walk)]
    while len(chain) * chain[0].steps < _STEPS // 2 and process_time() < until:
        chain.append(next(walk))
    return chain


def _parts(chain: Sequence[WalkBlock]) -> list[WalkBlock]:
    """A walk in fewer blocks."""
    size = max(1, len(chain) // _PARTS)
    return [_sum(chain[at : at + size]) for at in range(0, len(chain) - size + 1, size)]


def _sum(blocks: Sequence[WalkBlock]) -> WalkBlock:
    return WalkBlock(*map(sum, zip(*blocks, strict=True)))


def _dispersion(blocks: Sequence[WalkBlock]) -> float:
    """The index of dispersion of what is held."""
    held = [block.held for block in blocks]
    return variance(held) / fmean(held) if len(held) > 1 and any(held) else 0.0
