"""Progress that also tells how many positions there may be, once finding them has taken a while."""

from __future__ import annotations

from dataclasses import dataclass, field
from time import process_time

from endsight.cost.census import take_census
from endsight.game.activity import Activity, Progress
from endsight.game.position import Position
from endsight.game.question import Question

PATIENCE = 4.0
"""Seconds of computing before a census is taken: it takes some two, and most solves are about to end by then."""
PLAIN, MOST = 3_000, 500_000
"""Positions that are counted: a census that takes about a second."""


@dataclass
class Expecting:
    """Passes progress on; while positions are explored, with the range that a quick census says."""

    passed_on: Progress
    position: Position
    question: Question
    symmetry: bool
    began: float = field(default_factory=process_time)
    range: tuple[float, float] | None = None
    is_counting: bool = False

    def __call__(self, doing: Activity, states: int) -> None:
        """Tell what is being done and how many states have been met."""
        is_finding = doing.part is None and doing.step.startswith(("exploring", "expanding"))
        if is_finding and process_time() - self.began > PATIENCE:
            if self.range is None and not self.is_counting:
                self.is_counting = True  # what is met during the census is no progress of the work
                census = take_census(self.position, self.question, symmetry=self.symmetry, plain=PLAIN, most=MOST)
                self.range = census.lower, census.upper
            if self.range is not None:
                doing = doing.among(*self.range)
        self.passed_on(doing, states)
