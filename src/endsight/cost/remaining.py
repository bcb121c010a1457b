"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, checks and stores them. Three rules predict its time:

1. **How many states are ahead.** A breadth-first search visits states as a population grows in limited space: the
   ratio of frontier to visited states falls about linearly with the number visited (P. F. Verhulst's logistic growth,
   1838). All are found where that line reaches zero. While the frontier still widens, the slope of the line is hardly
   known; then the geometric mean is taken of what the line says and of what is usual at an unknown moment of a
   process: as much again as so far (J. R. Gott, 1993). While few states are visited at all, the number that is usual
   has weight too. A census, or the count of an earlier run, is more accurate.
2. **The cost of a later step** is predicted before it begins: solving costs a share of finding, since slow rules are
   slow both times; steps after it, which the work names beforehand, cost seconds per state, stretched by the share of
   a processor that the work gets.
3. **The rest of the current step** follows from its own rate since it first reported a part. The earlier prediction
   counts like a small finished part of it, so its weight soon vanishes. A step that reports no part takes at least
   half as long again as so far.

`benchmarks/progress.py` measures the accuracy.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log, sqrt
from operator import itemgetter
from typing import NamedTuple

from endsight.game.limits import ESTIMATING, EXACT, PERHAPS_EXACT, Activity

_FINDING = ("exploring", "growing", "sampling", "finding layer", "expanding", "merging", ESTIMATING)
_BESIDE = ("growing", ESTIMATING)
"""Steps between others of finding whose time says nothing about the rate of those."""
_ORDERING, _SWEEPING = "putting positions in order", "sweeping"
_TRYING, _COMPILING, _LOADING, _CENSUS = 0.7, 1.0, 0.1, 1.5
"""Seconds of computing while plain rules are tried, for compiling, for loading compiled code, and for a census."""
_USUAL = 1e6
"""The default number of states of games with compiled rules."""
_FIRST_SECONDS = 0.1
"""A step shows nothing about its rate before that time."""
_FIRST_SHARE = 0.001
"""A step shows nothing about its rate before that share of it is done: code is loaded, and arrays are made."""
_TOLD_BEFORE, _FEW = 0.1, 1e5
"""The weight of what is predicted: that part of a step, and so many states while states are found."""
_PER_FRONTIER = 3.0
"""As many states are usually ahead per frontier state in the middle of a search."""
_MOST_AHEAD = 10.0
"""Growth does not slow down yet if it would end with more remaining states per visited one."""
_SLOWEST = 20.0
"""Work that seems to get less than 1 / `_SLOWEST` of a processor runs elsewhere."""


class _Cost(NamedTuple):
    """Seconds of computing of a step: a constant, an amount per state, and a share of all earlier time.

    On the machine of benchmarks/RESULTS.md.
    """

    always: float
    each: float
    share: float = 0.0


_COSTS: Mapping[str, _Cost] = {
    EXACT: _Cost(0.1, 2.5e-6),
    PERHAPS_EXACT: _Cost(0.05, 1.25e-6),
    "counting": _Cost(0.2, 0.05e-6),
    "arranging": _Cost(0.02, 0.05e-6),
    "listing": _Cost(0, 2.5e-6),
    "numbering": _Cost(0, 2.5e-6),
    "sorting": _Cost(0.03, 0.38e-6),
    "writing": _Cost(0.02, 0.1e-6),
    "compressing": _Cost(0.02, 1.1e-6),
    "looking": _Cost(0.1, 0, 0.045),
    _SWEEPING: _Cost(0.1, 3e-6),
}
"""Steps after solving, by the first words of their text."""


class _Way(NamedTuple):
    """A method of solving: default seconds to find a state, and the time of solving as a share of finding."""

    find: float
    solving: float


_WAYS: Mapping[str, _Way] = {
    "layers": _Way(0.4e-6, 1.0),
    "graph": _Way(0.4e-6, 0.35),
    "files": _Way(0.6e-6, 1.1),
    "own layers": _Way(3e-6, 1.25),
    _SWEEPING: _Way(0.8e-6, 0.0),
}
"""Layers and graphs in memory; layers by moves and by rules in files; layers that are found again and swept."""


class _Growth(NamedTuple):
    """States visited, frontier states, states expanded (in files by whole layers), and the seconds of finding."""

    visited: int
    frontier: int
    expanded: int
    found: float


_NOTHING = _Growth(1, 0, 0, 0.0)


class _Share(NamedTuple):
    """The share of a step that was done when it was first reported, and when that was."""

    step: str
    share: float
    then: float


_UNSHARED = _Share("", 0.0, 0.0)


@dataclass
class Remaining:
    """Receives the progress of the work; `seconds` estimates the time of the rest.

    began     time of each step's first report
    reported  the last reported step, and when
    first     the share of the current step that was done when it was first reported
    last      the last reported step and part, the time of its first report, and the rest estimated then
    growth    how many states were found when, recorded now and then
    visited   states visited since finding began
    likely    the estimated number of states
    known     that estimate before finding began again, with other rules or another method
    states    number of all states, as far as known
    found     seconds of finding them
    beside    seconds of other steps in between
    pace      elapsed seconds per second of computing
    engine    engine of the rules
    way       method of solving
    later     steps that follow once all is solved
    is_open   whether states are still being found and their number is unknown: the estimate is a lower bound then
    """

    began: dict[str, float] = field(default_factory=dict)
    reported: tuple[str, float] = ("", 0.0)
    first: _Share = _UNSHARED
    last: tuple[str, tuple[int, int], float, float] = ("", (0, 0), 0.0, 0.0)
    growth: list[_Growth] = field(default_factory=list)
    visited: int = 0
    likely: float = 0.0
    known: float = 0.0
    states: float = 0.0
    found: float = 0.0
    beside: float = 0.0
    pace: float = 1.0
    engine: str = "plain"
    way: str = "graph"
    later: tuple[str, ...] = ()
    is_open: bool = False

    def seconds(self, doing: Activity, states: int, now: float, worked: float | None = None) -> float:
        """Seconds of the rest at the time `now`.

        `now` is seconds since the start, `worked` seconds of computing.
        """
        self.pace = min(_SLOWEST, now / worked) if worked else 1.0
        self.is_open, self.later = False, tuple(step for step in doing.later if step in _COSTS)
        step = self._step(doing)
        self._begin(step, doing, now)
        if step == "compiling":
            # A solved game is compiled, and its size is known.
            compiling = _COMPILING if doing.expected is None else _LOADING
            self.states = doing.expected or max(_USUAL, self.likely)
            return self._left(step, self.pace * compiling, None, now) + self._once_compiled(now)
        if step == "finding":
            census = self.pace * _CENSUS if doing.step == ESTIMATING else 0.0
            return census + self._while_finding(doing, states, now)
        if step in _COSTS:
            self.states = doing.part[1] if step == _SWEEPING and doing.part else self.states
            return self._left(step, self._cost(step, now), doing.part, now) + self._afterwards(now, after=step)
        return self._while_solving(step, doing, now)

    # ---------------------------------------------------------------- steps

    def _step(self, doing: Activity) -> str:
        """The current step, without its numbers; `sweeping` while layers are solved one after the other."""
        if _SWEEPING in doing.later and doing.part is not None:
            return _SWEEPING
        if doing.step.startswith(_FINDING):
            return "finding"
        known = (step for step in ("solving", *_COSTS) if doing.step.startswith(step))
        return next(known, doing.step)

    def _begin(self, step: str, doing: Activity, now: float) -> None:
        """Record when a step begins, and the method that follows from it.

        Finding restarts with newly compiled rules, solving when it reports a part for the first time, or again.
        """
        before, then = self.reported
        if before.startswith(_BESIDE):
            self.beside += now - then
        self.reported = doing.step, now
        if step == "finding" and (doing.engine != self.engine or before == "compiling"):
            self.known, self.engine = max(self.known, self.likely), doing.engine
            self.growth, self.visited, self.beside = [], 0, 0.0
            self.began[step] = now
        if step == "solving" and doing.part and not doing.part[0]:
            self.began[step] = now
        self.began.setdefault(step, now)
        if _SWEEPING in doing.later:
            self.way = _SWEEPING
        elif doing.step.startswith("finding layer"):
            self.way = "own layers"
        elif "counting" in doing.later:
            self.way = "own layers" if self.way == "own layers" else "files"
        elif step in ("compiling", "finding"):
            self.way = "layers" if doing.engine == "compiled" else "graph"
        elif step == "solving" and doing.part is None:
            self.way = "graph"

    def _while_finding(self, doing: Activity, states: int, now: float) -> float:
        self.found = now - self.began["finding"] - self.beside
        self.visited = max(self.visited, states)
        ahead = self._ahead(doing)
        self.states = self.likely = self.visited + ahead
        rest = self._finding(ahead)
        rest += _WAYS[self.way].solving * (self.found + rest)
        rest += self._afterwards(now + rest)
        if self.way == "graph" and now < self.pace * _TRYING:
            # If this continues, rules are compiled.
            self.way, self.states = "layers", _USUAL
            compiled = self.pace * (_TRYING + _COMPILING) - now + self._once_compiled(now)
            return compiled if self.is_open or self.found < _FIRST_SECONDS else min(rest, compiled)
        return rest

    def _once_compiled(self, now: float) -> float:
        """The time that is probably left once rules are compiled."""
        way = _WAYS[self.way]
        rest = self.pace * (1 + way.solving) * way.find * self.states
        return rest + self._afterwards(now + rest)

    def _while_solving(self, step: str, doing: Activity, now: float) -> float:
        self.states = doing.part[1] if doing.part and step == "solving" else self.visited
        solving = _WAYS[self.way].solving * self.found
        if step == _ORDERING:
            left = self._left(step, solving, doing.part, now) + solving
        else:
            before = self.began[step] - self.began.setdefault("solving", self.began[step])
            left = self._left(step, max(0.0, solving - before), doing.part, now)
        return left + self._afterwards(now + left)

    def _left(self, step: str, expected: float, part: tuple[int, int] | None, now: float) -> float:
        """The rest of a step with that part done, which was predicted to take `expected` seconds."""
        since = now - self.began[step]
        if part is None or not part[1]:
            return max(expected - since, since / 2)
        share = part[0] / part[1]
        if step != self.first.step or share < max(self.first.share, _FIRST_SHARE):
            is_all = len(self.began) == 1 and share >= _FIRST_SHARE  # done since the start, without an earlier report
            self.first = _Share(step, 0.0, 0.0) if is_all else _Share(step, share, now)
        if share < _FIRST_SHARE:
            return max(expected, since)
        if (step, part) != self.last[:2]:
            since, done = now - self.first.then, share - self.first.share
            self.last = step, part, now, (1 - share) * (since + _TOLD_BEFORE * expected) / (done + _TOLD_BEFORE)
        # Until the next part is done, only the elapsed time is known.
        *_, then, left = self.last
        return max(left - (now - then), (now - then) / 2)

    # ---------------------------------------------------------------- how many, and how long

    def _ahead(self, doing: Activity) -> float:
        """The number of states that probably remain to be found."""
        if doing.ahead and (not self.growth or self.visited > self.growth[-1].visited):
            before = self.growth[-1].visited if self.growth else 0
            expanded = before if self.way == "files" else self.visited
            self.growth.append(_Growth(self.visited, doing.ahead, expanded, self.found))
        if self.growth and not doing.ahead:
            return 0.0
        ahead = self._growing(doing)
        if doing.bounds is None:
            return self._tempered(ahead)
        low, high = doing.bounds
        if self.visited > high:
            return ahead
        self.is_open = False
        return max(low - self.visited, min(ahead, high - self.visited))

    def _growing(self, doing: Activity) -> float:
        """The same by logistic growth, from half as many states to now, and by what is usual."""
        usual = max(self.visited, _PER_FRONTIER * doing.ahead)
        before = self._halfway()
        now = self.growth[-1] if self.growth else before
        slowing = before.frontier / before.visited - now.frontier / now.visited
        self.is_open = slowing * _MOST_AHEAD * now.visited**2 <= doing.ahead * (now.visited - before.visited)
        if self.is_open:
            return usual
        straight = doing.ahead / now.visited * (now.visited - before.visited) / slowing
        return sqrt(straight * usual) if doing.is_growing or straight > usual else straight

    def _tempered(self, ahead: float) -> float:
        """That number, in between itself and what was known before, or is usual, while few states are visited."""
        usual = max(self.known, _USUAL) - self.visited
        if self.way == "graph" or usual <= 0:
            return ahead
        if self.known > self.visited and not self.growth:
            return usual
        weight = _FEW / (_FEW + self.visited)
        return exp((1 - weight) * log(max(1.0, ahead)) + weight * log(usual))

    def _halfway(self) -> _Growth:
        """The record from when half as many states were visited, or the first one."""
        number = bisect_right(self.growth, self.visited // 2, key=itemgetter(0))
        return self.growth[max(0, number - 1)] if self.growth else _NOTHING

    def _finding(self, ahead: float) -> float:
        """Seconds of finding that many more states, at the rate since half of them were found."""
        before, now = self._halfway(), _Growth(self.visited, 0, self.visited, self.found)
        if self.growth and self.way == "files":
            now = self.growth[-1]
        usual = _FEW * self.pace * _WAYS[self.way].find
        each = (now.found - before.found + usual) / (now.expanded - before.expanded + _FEW)
        return max(ahead * each, (self.visited + ahead - now.expanded) * each - (self.found - now.found))

    def _afterwards(self, now: float, after: str = "") -> float:
        """The predicted time of all steps after solving, or after the step `after`, which `now` precedes."""
        steps = self.later
        if self.way == "graph" and steps[:1] == ("looking",) and EXACT not in steps:
            steps = ("looking", "listing", *steps[1:])
        return sum(self._cost(step, now) for step in steps[steps.index(after) + 1 if after in steps else 0 :])

    def _cost(self, step: str, now: float) -> float:
        """The predicted time of a step, when all earlier steps took until `now`."""
        cost = _COSTS[step]
        return self.pace * (cost.always + cost.each * self.states) + cost.share * now
