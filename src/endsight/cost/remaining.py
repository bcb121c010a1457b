"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, checks and stores them. Three rules predict its time:

1. **How many states are ahead.** A breadth-first search visits states as a population grows in limited space: the
   ratio of frontier to visited states falls about linearly with the number visited (P. F. Verhulst's logistic growth,
   1838). All are found where that line reaches zero. A census, or the count of an earlier run, is more accurate.
2. **The cost of a later step** is predicted before it begins: solving costs a share of finding, since slow rules are
   slow both times; steps after it, which the work names beforehand, cost seconds per state, stretched by the share of
   a processor that the work gets.
3. **The rest of the current step** follows from its own rate. The earlier prediction counts like a small finished
   part of it, so its weight soon vanishes. A step that reports no part takes at least half as long again as so far.

`benchmarks/progress.py` measures the accuracy.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import NamedTuple

from endsight.game.activity import Activity

_FINDING = ("exploring", "growing", "sampling", "finding layer", "expanding", "merging")
_ORDERING = "putting positions in order"
_TRYING, _COMPILING, _LOADING = 0.7, 1.0, 0.1
"""Seconds of computing while plain rules are tried, for compiling, and for loading compiled code."""
_USUAL, _FIND = 1e6, 0.4e-6
"""The default number of states of games with compiled rules, and the default seconds for these to find a state."""
_FIRST_SECONDS = 0.1
"""A step shows nothing about its rate before that time."""
_TOLD_BEFORE = 0.1
"""The part of a step that its prediction counts for."""
_MOST_AHEAD, _UNKNOWN_AHEAD = 10.0, 3.0
"""Growth does not slow down yet if it would end with more than `_MOST_AHEAD` remaining states per visited one; then
`_UNKNOWN_AHEAD` remain per frontier state."""
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
    "finding exact values": _Cost(0.1, 2.5e-6),
    "counting": _Cost(0.2, 0.08e-6),
    "arranging": _Cost(0.02, 0.1e-6),
    "listing": _Cost(0, 2.5e-6),
    "numbering": _Cost(0, 2.5e-6),
    "sorting": _Cost(0.03, 0.38e-6),
    "writing": _Cost(0.02, 0.1e-6),
    "compressing": _Cost(0.02, 1.1e-6),
    "looking": _Cost(0.1, 0, 0.045),
}
"""Steps after solving, by the first words of their text."""
_SOLVING: Mapping[str, float] = {"layers": 1.0, "graph": 0.35, "files": 1.35, "own layers": 1.8}
"""The time of solving, as a share of finding: layers and graphs in memory; layers by moves and by rules in files."""
_PART_BY_PART = 1.5
"""The time of solving and storing together, as a share of finding, where parts are done one after the other."""


@dataclass
class Remaining:
    """Receives the progress of the work; `seconds` estimates the time of the rest.

    began     time of each step's first report
    growth    states visited, frontier states and time, recorded now and then
    visited   states visited, the largest number reported
    states    number of all states, as far as known
    found     seconds of finding them
    pace      elapsed seconds per second of computing
    engine    engine of the rules
    way       method of solving
    later     steps that follow once all is solved
    last      the last reported step and part, the time of its first report, and the rest estimated then
    by_parts  whether each part of the game is found, solved and stored by itself
    is_open   whether states are still being found and their number is unknown: the estimate is a lower bound then
    """

    began: dict[str, float] = field(default_factory=dict)
    growth: list[tuple[int, int, float]] = field(default_factory=list)
    visited: int = 0
    states: float = 0.0
    found: float = 0.0
    pace: float = 1.0
    engine: str = "plain"
    way: str = "graph"
    later: tuple[str, ...] = ()
    last: tuple[str, tuple[int, int], float, float] = ("", (0, 0), 0.0, 0.0)
    by_parts: bool = False
    is_open: bool = False

    def seconds(self, doing: Activity, states: int, now: float, worked: float | None = None) -> float:
        """Seconds of the rest at the time `now`.

        `now` is seconds since the start, `worked` seconds of computing.
        """
        self.pace = min(_SLOWEST, now / worked) if worked else 1.0
        self.is_open, self.later = False, doing.later
        self.by_parts = self.by_parts or (doing.step.startswith("exploring") and doing.part is not None)
        step = self._step(doing)
        self._begin(step, doing, now)
        if step == "parts":
            return self._left(step, _PART_BY_PART * self.found, doing.part, now)
        if step == "compiling":
            # A solved game is compiled, and its size is known.
            compiling, self.states = (_COMPILING, _USUAL) if doing.expected is None else (_LOADING, doing.expected)
            return self._left(step, self.pace * compiling, None, now) + self._once_compiled(now)
        if step == "finding":
            return self._while_finding(doing, states, now)
        if step in _COSTS:
            return self._left(step, self._cost(step, now), doing.part, now) + self._afterwards(now, after=step)
        return self._while_solving(step, doing, now)

    # ---------------------------------------------------------------- steps

    def _step(self, doing: Activity) -> str:
        """The current step, without its numbers."""
        if self.by_parts:
            return "parts"
        if doing.step.startswith(_FINDING):
            return "finding"
        known = (step for step in ("solving", *_COSTS) if doing.step.startswith(step))
        return next(known, doing.step)

    def _begin(self, step: str, doing: Activity, now: float) -> None:
        """Record when a step begins, and the method that follows from it.

        Finding restarts when another engine runs the rules, solving when it reports a part for the first time, or
        again.
        """
        if step == "finding" and doing.engine != self.engine:
            self.engine, self.growth, self.visited = doing.engine, [], 0
            self.began[step] = now
        if step == "solving" and doing.part and not doing.part[0]:
            self.began[step] = now
        self.began.setdefault(step, now)
        if doing.step.startswith("finding"):
            self.way = "own layers"
        elif "counting" in doing.later:
            self.way = "own layers" if self.way == "own layers" else "files"
        elif step in ("compiling", "finding"):
            self.way = "layers" if doing.engine == "compiled" else "graph"
        elif step == "solving" and doing.part is None:
            self.way = "graph"

    def _while_finding(self, doing: Activity, states: int, now: float) -> float:
        self.found = since = now - self.began["finding"]
        self.visited = max(self.visited, states)
        ahead = self._ahead(doing, now)
        self.states = self.visited + ahead
        rest = ahead * self._each(now)
        rest += _SOLVING[self.way] * (since + rest)
        rest += self._afterwards(now + rest)
        if self.way == "graph" and now < self.pace * _TRYING:
            # If this continues, rules are compiled.
            self.way, self.states = "layers", _USUAL
            compiled = self.pace * (_TRYING + _COMPILING) - now + self._once_compiled(now)
            return compiled if self.is_open or since < _FIRST_SECONDS else min(rest, compiled)
        if since < _FIRST_SECONDS:
            self.states = max(self.visited, doing.expected or _USUAL)
            return self._once_compiled(now)
        return rest

    def _once_compiled(self, now: float) -> float:
        """The time that is probably left once rules are compiled."""
        rest = self.pace * (1 + _SOLVING[self.way]) * _FIND * self.states
        return rest + self._afterwards(now + rest)

    def _while_solving(self, step: str, doing: Activity, now: float) -> float:
        self.states = doing.part[1] if doing.part and step == "solving" else self.visited
        solving = _SOLVING[self.way] * self.found
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
        if (step, part) != self.last[:2]:
            share = part[0] / part[1]
            self.last = step, part, now, (1 - share) * (since + _TOLD_BEFORE * expected) / (share + _TOLD_BEFORE)
        # Until the next part is done, only the elapsed time is known.
        *_, then, left = self.last
        return max(left - (now - then), (now - then) / 2)

    # ---------------------------------------------------------------- how many, and how long

    def _ahead(self, doing: Activity, now: float) -> float:
        """The number of states that probably remain to be found."""
        low, high = doing.bounds or (0.0, float("inf"))
        if doing.ahead and (not self.growth or self.visited > self.growth[-1][0]):
            self.growth.append((self.visited, doing.ahead, now))
        growing = self._growing(doing.ahead)
        self.is_open = self.is_open and doing.bounds is None
        return max(low - self.visited, min(growing, high - self.visited)) if high > self.visited else growing

    def _growing(self, frontier: int) -> float:
        """The same by logistic growth, from half as many states to now; the number visited without a frontier."""
        if not self.growth:
            self.is_open = True
            return float(self.visited)
        count, ahead, _ = self.growth[-1]
        before, earlier, _ = self._halfway()
        slowing = earlier / before - ahead / count
        self.is_open = frontier > 0 and frontier * (count - before) >= _MOST_AHEAD * count * count * slowing
        return _UNKNOWN_AHEAD * frontier if self.is_open else frontier / count * (count - before) / max(slowing, 1e-9)

    def _halfway(self) -> tuple[int, int, float]:
        """The record from when half as many states were visited, or from the start, if there is one."""
        number = bisect_right(self.growth, self.visited // 2, key=itemgetter(0))
        return self.growth[number - 1] if number else (1, 1, self.began["finding"])

    def _each(self, now: float) -> float:
        """Seconds to find a state, since half of them were found."""
        before, _, then = self._halfway()
        return (now - then) / max(1, self.visited - before)

    def _afterwards(self, now: float, after: str = "") -> float:
        """The predicted time of all steps after solving, or after the step `after`, which `now` precedes."""
        steps = self.later
        if self.way == "graph" and steps[:1] == ("looking",) and "finding exact values" not in steps:
            steps = ("looking", "listing", *steps[1:])
        return sum(self._cost(step, now) for step in steps[steps.index(after) + 1 if after in steps else 0 :])

    def _cost(self, step: str, now: float) -> float:
        """The predicted time of a step, when all earlier steps took until `now`."""
        cost = _COSTS[step]
        return self.pace * (cost.always + cost.each * self.states) + cost.share * now
