"""The meaning of the numbers in a solve by layers, and the size of the game's numbers.

The forward pass measures the size of payoffs, gains and weights (`Measure`); this determines how the backward pass
writes values (`Scoring`), regardless of where and in how many parts the game is solved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from endsight.algorithms.interval_iteration import Scale
from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.refusal import CannotCompile

Kind: TypeAlias = Literal["wins", "numbers", "ends", "loops"]


@dataclass(frozen=True)
class Measure:
    """The size of a game's numbers seen so far; payoffs and gains are the first player's.

    total              the largest sum of the weights of a state's moves, 1 for a player's
    has_chance         whether chance moves anywhere
    has_ends           whether play has ended anywhere: the rest is 0 before that
    least, most        payoff
    least_sum, most_sum   of the players' payoffs; 0 for one player
    gain               the largest one without its sign
    """

    total: int = 0
    has_chance: bool = False
    has_ends: bool = False
    least: int = 0
    most: int = 0
    least_sum: int = 0
    most_sum: int = 0
    gain: int = 0

    @staticmethod
    def of(numbers: Iterable[int]) -> Measure:
        """From a measure of the kernel `forward`."""
        total, chance, is_over, *rest = map(int, numbers)
        return Measure(total, bool(chance), bool(is_over), *rest)

    @staticmethod
    def over(documents: Iterable[Mapping[str, Any]]) -> Measure:
        """The union of the documents' measures."""
        every = [Measure(**document) for document in documents] or [Measure()]
        ended = [each for each in every if each.has_ends] or every
        return Measure(
            max(each.total for each in every),
            any(each.has_chance for each in every),
            any(each.has_ends for each in every),
            min(each.least for each in ended),
            max(each.most for each in ended),
            min(each.least_sum for each in ended),
            max(each.most_sum for each in ended),
            max(each.gain for each in every),
        )


@dataclass(frozen=True)
class Scoring:
    """How values are written in the work files.

    kind    `wins`: a win or a loss as 1 + distance with a sign, seen by the mover; `numbers`: the future payoff, seen
            by the mover; `ends`: lower and upper ends of the future payoff to the first player; `loops`: when and what
            play pays the first player, see `inside.narrowed`
    bits    for `ends`: they are multiples of 2^-bits, the lower rounded down and the upper up
    limit   for `ends`: bound of all multiples, so that their sums fit into a machine word
    """

    kind: Kind
    bits: int = 0
    limit: int = 0

    @staticmethod
    def between_ends(measure: Measure, before: Scoring | None = None) -> Scoring:
        """A scoring with as many binary places as fit, or fewer than `before`, where those were too many.

        Raises `LimitReached` where there is no room, `CannotCompile` where both players need separate numbers.
        """
        if measure.least_sum != measure.most_sum:
            raise CannotCompile(REASONS[Code.NOT_OPPOSED])
        scale = Scale.widest(measure.total, max(abs(measure.least), abs(measure.most), measure.gain))
        if before is not None:
            scale = Scale(before.bits, before.limit).coarser()
        return Scoring("ends", scale.bits, scale.limit)

    @property
    def columns(self) -> int:
        """Numbers for each state."""
        return 2 if self.kind == "ends" else 1

    @property
    def denominator(self) -> int:
        """The denominator of ends."""
        return 1 << self.bits
