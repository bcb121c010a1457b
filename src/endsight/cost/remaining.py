"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, writes them. While states are found, the rate so far
and the number of states that are probably ahead tell how long that will go on. What comes after is told by what it
usually costs for each state, as computing that is stretched by the share of a processor that the work has got so far,
until that step knows how much of it is done. Where nothing else is known, as long again as the work has taken
(J. R. Gott, *Nature* 363, 1993). `benchmarks/progress.py` measures how true it all is.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from endsight.game.activity import Activity

__all__ = ["Remaining"]

_FINDING = ("exploring", "expanding", "merging", "growing", "counting", "sampling", "finding")
_BY_LAYERS = ("expanding", "merging", "finding", "solving layer", "arranging")
_WRITING = ("writing", "looking at the rules again")
_OF_STATES = ("solving", "writing")
"""Steps whose parts are counted in states."""
_FEWEST_SECONDS = 0.1
_LEAST_PART = {"by parts": 0.3, "in one go": 0.05}
"""A step says nothing about its rate before; small parts cost more for each state than large ones."""
_AHEAD_GROWING, _AHEAD_SHRINKING = 3.0, (0.3, 1.5)
"""States that are still to be met for each one of the frontier of a search by breadth."""
_COMPILING, _TRYING = 0.6, 1.0
"""Seconds of computing that compiling takes, on the machine of benchmarks/RESULTS.md, as all that follow, and for how
long plain rules are tried before."""
_SOLVING = {"compiled": (0.0, 0.15e-6), "files": (0.25, 0.37e-6), "plain": (0.0, 0.0), "none": (0.0, 0.0)}
"""Seconds of computing that solving takes, and each state more."""
_SHARE_OF_FINDING = {"compiled": 0.8, "files": 0.0, "plain": 0.35, "none": 0.35}
"""The same as a share of what finding takes: many moves of a state make both slow."""
_OUT_OF_ORDER, _EACH_OUT_OF_ORDER = 2.5, 1.2e-6
"""The same share, and seconds for each state, where compiled rules find states in no order to solve them."""
_PART_BY_PART = 1.5
"""The same share where each part of the game is solved and written by itself."""
_ARRANGING = (0.2, 0.22e-6)
"""The same for what comes between the last part of solving that is told and writing."""
_WRITING_STATES = (0.22, 0.15e-6)
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
    ordered   whether the states are found in the order in which they are solved, as far as is known
    by_breadth  whether states are found by breadth
    by_parts  whether each part of the game is found, solved and written by itself
    """

    began: dict[str, float] = field(default_factory=dict)
    expected: float | None = None
    whole: float | None = None
    found: float = 0.0
    most: int = 0
    pace: float = 1.0
    engine: str = ""
    ordered: bool = True
    by_breadth: bool = False
    by_parts: bool = False

    def seconds(self, doing: Activity, states: int, now: float, worked: float | None = None) -> float:
        """Seconds of the rest at the time `now`.

        `now` are seconds since the start, `worked` those that were spent computing.
        """
        self.pace = min(_SLOWEST, now / worked) if worked and now > _FEWEST_SECONDS else 1.0
        step = _kind(doing.step)
        if step == "finding" and doing.part is not None:
            # Each part of the game is found, solved and written by itself, and nothing comes after.
            self.by_parts = True
        if self.by_parts:
            step = "solving"
        since = now - self.began.setdefault(step, now)
        if step == "compiling":
            return max(now, self._computing(0.0, (_COMPILING, 0.0)) - since + self._after(0.0))
        if step == "finding":
            return self._while_finding(doing, states, now)
        if doing.part is not None:
            self.whole = float(doing.part[1]) if doing.step.startswith(_OF_STATES) else self.whole
            rest = self._by_rate(doing.part, now - self._part_began(doing, step, now))
            if rest is not None:
                return rest if step == "writing" else rest + self._after(self._states(states))
            if self.by_parts:
                return self.found * _PART_BY_PART * (1 - doing.part[0] / doing.part[1])
        if step == "writing":
            return max(0.0, self._computing(self._states(states), _WRITING_STATES) - since)
        return self._while_solving(doing, self._states(states), since)

    def _part_began(self, doing: Activity, step: str, now: float) -> float:
        """When the step began whose part is told; the numbers of layers and rows at its end make no other step."""
        key = step if self.by_parts else doing.step.rstrip("0123456789")
        if doing.part is not None and not doing.part[0] and not self.by_parts:
            self.began[key] = now
        return self.began.setdefault(key, now)

    def _states(self, states: int) -> float:
        """The number of all states, as far as is known."""
        return self.whole or float(self.expected or states)

    def _by_rate(self, part: tuple[int, int], since: float) -> float | None:
        """The rest of a step at the rate of what is done of it; None where too little is."""
        done, total = part
        least = _LEAST_PART["by parts" if self.by_parts else "in one go"] * total
        return since * (total - done) / done if since > _FEWEST_SECONDS and done > least else None

    def _while_finding(self, doing: Activity, states: int, now: float) -> float:
        if doing.engine != self.engine:
            # What ran before found states at another rate.
            self.engine, self.began["finding"], self.most = doing.engine, self.began.get("compiling", now), 0
            self.by_breadth = False
        since = self.found = now - self.began["finding"]
        self.most = max(self.most, states)
        self.expected = doing.expected or self.expected
        ahead = self._ahead(doing)
        rest = since * ahead / self.most if self.most else 0.0
        whole = self.most + ahead
        rest += self._solving(_engine(doing), whole, since + rest) + self._after(whole)
        if _engine(doing) == "plain" and now < _TRYING:
            return rest + self._computing(0.0, (_COMPILING, 0.0))
        return rest if since > _FEWEST_SECONDS else max(now, rest)

    def _ahead(self, doing: Activity) -> float:
        """How many states are probably still to be met; as many as were met where nothing is known."""
        missing = None if self.expected is None or self.expected < self.most else self.expected - self.most
        self.by_breadth = self.by_breadth or doing.ahead > 0
        if not doing.ahead:
            return 0.0 if self.by_breadth else float(self.most) if missing is None else missing
        if doing.is_growing:
            return max(float(doing.ahead), missing or _AHEAD_GROWING * doing.ahead)
        least, most = (each * doing.ahead for each in _AHEAD_SHRINKING)
        return max(least, min(most, missing or most))

    def _while_solving(self, doing: Activity, whole: float, since: float) -> float:
        after = self._after(whole)
        if _kind(doing.step) == "arranging":
            return max(self._computing(whole, _WRITING_STATES), after - since)
        self.ordered = self.ordered and doing.part is not None
        return max(after, self._solving(_engine(doing), whole, self.found) + after - since)

    def _computing(self, states: float, cost: tuple[float, float]) -> float:
        """The time that a step takes as things go which costs so much computing, and so much more for each state."""
        return (cost[0] + states * cost[1]) * self.pace

    def _after(self, states: float) -> float:
        """The time for what comes after solving."""
        if self.by_parts:
            return 0.0
        return self._computing(states, _ARRANGING) + self._computing(states, _WRITING_STATES)

    def _solving(self, engine: str, states: float, finding: float) -> float:
        if engine == "compiled" and not self.ordered:
            return self._computing(states, (0.0, _EACH_OUT_OF_ORDER)) + finding * _OUT_OF_ORDER
        return self._computing(states, _SOLVING[engine]) + finding * _SHARE_OF_FINDING[engine]


def _engine(doing: Activity) -> str:
    return "files" if doing.step.startswith(_BY_LAYERS) else doing.engine


def _kind(step: str) -> str:
    if step.startswith(_FINDING):
        return "finding"
    if step.startswith(("arranging", "compiling")):
        return step.partition(" ")[0]
    return "writing" if step.startswith(_WRITING) else "solving"
