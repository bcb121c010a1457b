"""Progress that also tells how many positions there may be, once finding them has taken a while."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic

from endsight.cost.census import take_census
from endsight.game.limits import Progress
from endsight.game.position import Position
from endsight.game.question import Question

__all__ = ["MOST", "PLAIN", "Expecting"]

PATIENCE = 5.0
"""Seconds of exploring before a census is taken."""
PLAIN, MOST = 3_000, 500_000
"""Positions that are counted: a census that takes about a second."""


@dataclass
class Expecting:
    """Passes progress on; while positions are explored, with the range that a quick census says."""

    passed_on: Progress
    position: Position
    question: Question
    symmetry: bool
    began: float = field(default_factory=monotonic)
    range: str | None = None

    def __call__(self, doing: str, states: int) -> None:
        """Tell what is being done and how many states have been met."""
        if doing.startswith("exploring") and monotonic() - self.began > PATIENCE:
            if self.range is None:
                self.range = ""  # what is met during the census is no progress of the work
                census = take_census(self.position, self.question, symmetry=self.symmetry, plain=PLAIN, most=MOST)
                self.range = f", of some {census.lower:.1e} to {census.upper:.1e}".replace("e+0", "e").replace(
                    "e+", "e"
                )
            doing += self.range
        self.passed_on(doing, states)
