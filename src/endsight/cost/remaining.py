"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, writes them. While states are found, the rate so far
and the probable number of states tell how long that will go on; where nothing is known of that number, or more were
found, as many again are taken to be ahead (J. R. Gott, *Nature* 363, 1993). What comes after is told by what it usually
costs for each state, as computing that is stretched by the share of a processor that the work has got so far, until
that step knows how much of it is done. `benchmarks/progress.py` measures how true it all is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from endsight.game.doing import Doing

__all__ = ["Remaining"]

_FINDING = ("exploring", "expanding", "merging", "growing", "counting", "compiling", "sampling", "finding")
_BY_LAYERS = ("expanding", "merging", "finding", "solving layer", "arranging")
_WRITING = ("writing", "looking at the rules again")
_FEWEST_SECONDS = 0.3
"""A step says nothing about its rate before."""
_SOLVING = {"compiled": 0.3e-6, "files": 0.6e-6, "plain": 0.0, "none": 0.0}
"""Seconds of computing that solving a state takes, on the machine of benchmarks/RESULTS.md."""
_SHARE_OF_FINDING = {"compiled": 0.0, "files": 0.0, "plain": 0.35, "none": 0.35}
"""The same as a share of what finding takes: plain rules are slow there and hardly needed later."""
_ARRANGING = {"compiled": 0.35e-6, "files": 0.15e-6, "plain": 0.0, "none": 0.0}
"""The same for what comes between the last part of solving that is told and writing."""
_WRITING_A_STATE = 0.2e-6
_SLOWEST = 20.0
"""Work that seems to get less than this part of a processor is done elsewhere."""


@dataclass
class Remaining:
    """Hears how far the work has come; `seconds` says how long the rest may take.

    began     when each kind of step was first heard of
    expected  the number of states that was last expected
    whole     the number of states once it is known
    found     seconds that finding states took
    most      states met, the most that was said
    pace      seconds that pass for each second of computing
    engine    what runs the rules while states are found
    """

    began: dict[str, float] = field(default_factory=dict)
    expected: float | None = None
    whole: float | None = None
    found: float = 0.0
    most: int = 0
    pace: float = 1.0
    engine: str = ""

    def seconds(self, doing: Doing, states: int, now: float, worked: float | None = None) -> float | None:
        """Seconds of the rest at the time `now`; None where too little is known.

        `now` are seconds since the start, `worked` those that were spent computing.
        """
        self.pace = min(_SLOWEST, now / worked) if worked and now > _FEWEST_SECONDS else 1.0
        step = _kind(doing.step)
        since = now - self.began.setdefault(step, now)
        if step == "finding":
            return self._while_finding(doing, states, now)
        if doing.part is not None:
            self.whole = float(doing.part[1])
        whole = self.whole or float(self.expected or states)
        if step == "writing":
            return self._while_writing(doing, whole, since)
        after = self._computing(whole, _ARRANGING[_engine(doing)] + _WRITING_A_STATE)
        if doing.part is not None and since > _FEWEST_SECONDS and doing.part[0]:
            done, total = doing.part
            return since * (total - done) / done + after
        if step == "arranging":
            return max(0.0, after - since)
        return max(0.0, self._solving(_engine(doing), whole) + after - since) or None

    def _while_finding(self, doing: Doing, states: int, now: float) -> float | None:
        since = now - self.began["finding"]
        if doing.engine != self.engine:
            # What ran before found states at another rate.
            self.engine, self.began["finding"], self.most = doing.engine, now, 0
            since = 0.0
        self.found = since
        self.most = max(self.most, states)
        if doing.expected is not None:
            self.expected = doing.expected
        if since < _FEWEST_SECONDS or not self.most:
            return None
        ahead = float(self.most) if self.expected is None else self.expected - self.most
        whole = self.most + (ahead if ahead >= 0 else self.most)
        rest = since * (whole - self.most) / self.most
        after = self._computing(whole, _ARRANGING[_engine(doing)] + _WRITING_A_STATE)
        return rest + self._solving(_engine(doing), whole, since + rest) + after

    def _while_writing(self, doing: Doing, whole: float, since: float) -> float:
        if doing.part is not None and since > _FEWEST_SECONDS and doing.part[0]:
            return since * (doing.part[1] - doing.part[0]) / doing.part[0]
        return max(0.0, self._computing(whole, _WRITING_A_STATE) - since)

    def _computing(self, states: float, each: float) -> float:
        """The time that so many seconds of computing for each state take as things go."""
        return states * each * self.pace

    def _solving(self, engine: str, states: float, finding: float | None = None) -> float:
        spent = self.found if finding is None else finding
        return self._computing(states, _SOLVING[engine]) + spent * _SHARE_OF_FINDING[engine]


def _engine(doing: Doing) -> str:
    return "files" if doing.step.startswith(_BY_LAYERS) else doing.engine


def _kind(step: str) -> str:
    if step.startswith(_FINDING):
        return "finding"
    if step.startswith("arranging"):
        return "arranging"
    return "writing" if step.startswith(_WRITING) else "solving"
