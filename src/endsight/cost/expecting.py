"""Progress that includes the probable number of positions, once finding them has taken a while."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time

from endsight.cost.census import take_census
from endsight.game.activity import ESTIMATING, Activity, Progress
from endsight.game.position import Position
from endsight.game.question import Question

PATIENCE = 4.0
"""Seconds of computing before a census, which takes some two: most solves are nearly done by then."""
PLAIN, MOST = 3_000, 500_000
"""Positions that are counted: a census of about a second."""


@dataclass
class Expecting:
    """Passes progress on; while positions are explored, with the range from a quick census."""

    passed_on: Progress
    position: Position
    question: Question
    symmetry: bool
    began: float = field(default_factory=process_time)
    range: tuple[float, float] | None = None
    is_counting: bool = False

    def __call__(self, doing: Activity, states: int) -> None:
        """Report the current activity and the number of states visited."""
        is_finding = doing.part is None and doing.step.startswith(("exploring", "expanding"))
        if is_finding and process_time() - self.began > PATIENCE:
            if self.range is None and not self.is_counting:
                self.is_counting = True  # visits of the census are no progress of the work
                self.passed_on(doing.instead(ESTIMATING), states)
                census = take_census(self.position, self.question, symmetry=self.symmetry, plain=PLAIN, most=MOST)
                self.range = census.lower, census.upper
            if self.range is not None:
                doing = doing.among(*self.range)
        self.passed_on(doing, states)
