"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, writes them. While states are found, the rate so far
and the probable number of states tell how long that will go on. What comes after is told by what it usually costs for
each state, until that step knows how much of it is done. `benchmarks/progress.py` measures how true it all is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from endsight.game.doing import Doing

__all__ = ["Remaining"]

_FINDING = ("exploring", "expanding", "merging", "growing", "counting", "compiling", "sampling", "finding")
_BY_LAYERS = ("expanding", "merging", "finding")
_WRITING = ("writing", "looking at the rules again")
_FEWEST_SECONDS = 0.3
"""A step says nothing about its rate before."""
_AFTER_FINDING = {"compiled": 2.4e-6, "files": 5.4e-6, "plain": 0.0, "none": 0.0}
"""Seconds a state that solving and writing take together, on the machine of benchmarks/RESULTS.md."""
_SHARE_OF_FINDING = {"compiled": 0.0, "files": 0.0, "plain": 0.35, "none": 0.35}
"""The same as a share of what finding takes: plain rules are slow there and hardly needed later."""
_WRITING_A_STATE = 0.9e-6


@dataclass
class Remaining:
    """Hears how far the work has come; `seconds` says how long the rest may take.

    began     when each kind of step was first heard of
    expected  the number of states that was last expected
    found     seconds that finding states took
    most      states met, the most that was said
    """

    began: dict[str, float] = field(default_factory=dict)
    expected: float | None = None
    found: float = 0.0
    most: int = 0

    def seconds(self, doing: Doing, states: int, now: float) -> float | None:
        """Seconds of the rest at the time `now` (seconds since the start); None where too little is known."""
        step = _kind(doing.step)
        since = now - self.began.setdefault(step, now)
        if step == "finding":
            return self._while_finding(doing, states, now)
        whole = float(self.expected or states)
        if doing.part is not None and since > _FEWEST_SECONDS and doing.part[0]:
            done, total = doing.part
            later = 0.0 if step == "writing" else whole * _WRITING_A_STATE
            return since * (total - done) / done + later
        if step == "writing":
            return max(0.0, whole * _WRITING_A_STATE - since)
        return max(0.0, self._later(doing.engine, whole) - since) or None

    def _while_finding(self, doing: Doing, states: int, now: float) -> float | None:
        since = now - self.began["finding"]
        self.found = since
        self.most = max(self.most, states)
        if doing.expected is not None:
            self.expected = max(doing.expected, float(self.most))
        if self.expected is None or since < _FEWEST_SECONDS or not states:
            return None
        rest = since * max(0.0, self.expected - self.most) / self.most
        engine = "files" if doing.step.startswith(_BY_LAYERS) else doing.engine
        return rest + self._later(engine, self.expected, since + rest)

    def _later(self, engine: str, states: float, finding: float | None = None) -> float:
        spent = self.found if finding is None else finding
        return states * _AFTER_FINDING[engine] + spent * _SHARE_OF_FINDING[engine]


def _kind(step: str) -> str:
    if step.startswith(_FINDING):
        return "finding"
    return "writing" if step.startswith(_WRITING) else "solving"
