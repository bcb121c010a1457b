"""How long a solve may still take.

A solve finds states, solves them and, for `solve` and `export`, checks and stores them. Three rules tell how long that
goes on:

1. **How many states are ahead.** A search by breadth meets states as a population grows that has less and less room:
   the number of those on its frontier, for each one met, falls about evenly with the number of those met (P. F.
   Verhulst's logistic growth, 1838). Where that line meets zero, all are found. A census, and the count of an earlier
   run, say more.
2. **What a later step costs** is told before it begins: solving by a share of what finding took, since rules that are
   slow are slow both times; steps after it, which the work names beforehand, by seconds for each state, stretched by
   the share of a processor that work gets.
3. **What is left of a step under way** goes by its own rate. What was told of it before counts like a small part of it
   that is done, and so is forgotten soon. Where a step tells no part, it takes half as long again as it has, at least.

`benchmarks/progress.py` measures how true it all is.
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
"""Seconds of computing for which plain rules are tried, and that compiling takes, or loading what is compiled."""
_USUAL, _FIND = 1e6, 0.4e-6
"""How many states games have whose rules are compiled, and seconds that a state takes to be found by compiled rules,
as long as nothing says more."""
_FIRST_SECONDS = 0.1
"""A step says nothing about its rate before."""
_TOLD_BEFORE = 0.1
"""The part of a step that what was told of it before counts for."""
_MOST_AHEAD, _UNKNOWN_AHEAD = 10.0, 3.0
"""Growth that would end no sooner than with so many states for each one met does not slow down yet; so many are ahead
then for each one of the frontier."""
_SLOWEST = 20.0
"""Work that seems to get less than this part of a processor is done elsewhere."""


class _Cost(NamedTuple):
    """Seconds of computing that a step takes in any case, for each state more, and as a share of all before it.

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
"""Steps after solving, by the first words that are said of them."""
_SOLVING: Mapping[str, float] = {"layers": 1.0, "graph": 0.35, "files": 1.35, "own layers": 1.8}
"""What solving takes, as a share of finding: layers and graphs in memory; layers by moves and by rules in files."""
_PART_BY_PART = 1.5
"""What solving and storing take, as a share of finding, where they are done together, for one part after the other."""


@dataclass
class Remaining:
    """Hears how far the work has come; `seconds` says how long the rest may take.

    began     when each step was first heard of
    growth    states met, those on the frontier, and when, from time to time
    met       states met, the most that was said
    states    how many states there are, as far as is known
    found     seconds that finding them took
    pace      seconds that pass for each second of computing
    engine    what runs the rules
    way       how states are solved
    later     steps that follow once all is solved
    last      the step and the part of it that were told last, when first, and what was left then
    by_parts  whether each part of the game is found, solved and stored by itself
    is_open   whether states are still being found and nothing says how many there are: it takes that long at least
    """

    began: dict[str, float] = field(default_factory=dict)
    growth: list[tuple[int, int, float]] = field(default_factory=list)
    met: int = 0
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

        `now` are seconds since the start, `worked` those that were spent computing.
        """
        self.pace = min(_SLOWEST, now / worked) if worked else 1.0
        self.is_open, self.later = False, doing.later
        self.by_parts = self.by_parts or (doing.step.startswith("exploring") and doing.part is not None)
        step = self._step(doing)
        self._begin(step, doing, now)
        if step == "parts":
            return self._left(step, _PART_BY_PART * self.found, doing.part, now)
        if step == "compiling":
            # What was solved before is compiled, and how large it is known.
            compiling, self.states = (_COMPILING, _USUAL) if doing.expected is None else (_LOADING, doing.expected)
            return self._left(step, self.pace * compiling, None, now) + self._once_compiled(now)
        if step == "finding":
            return self._while_finding(doing, states, now)
        if step in _COSTS:
            return self._left(step, self._cost(step, now), doing.part, now) + self._afterwards(now, after=step)
        return self._while_solving(step, doing, now)

    # ---------------------------------------------------------------- steps

    def _step(self, doing: Activity) -> str:
        """What the work is at, without its numbers."""
        if self.by_parts:
            return "parts"
        if doing.step.startswith(_FINDING):
            return "finding"
        known = (step for step in ("solving", *_COSTS) if doing.step.startswith(step))
        return next(known, doing.step)

    def _begin(self, step: str, doing: Activity, now: float) -> None:
        """Note when a step begins, and what that says of the way.

        Finding begins anew where the rules are run by another engine, solving where a part of it is told for the first
        time, or again.
        """
        if step == "finding" and doing.engine != self.engine:
            self.engine, self.growth, self.met = doing.engine, [], 0
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
        self.met = max(self.met, states)
        ahead = self._ahead(doing, now)
        self.states = self.met + ahead
        rest = ahead * self._each(now)
        rest += _SOLVING[self.way] * (since + rest)
        rest += self._afterwards(now + rest)
        if self.way == "graph" and now < self.pace * _TRYING:
            # If this goes on, rules are compiled.
            self.way, self.states = "layers", _USUAL
            compiled = self.pace * (_TRYING + _COMPILING) - now + self._once_compiled(now)
            return compiled if self.is_open or since < _FIRST_SECONDS else min(rest, compiled)
        if since < _FIRST_SECONDS:
            self.states = max(self.met, doing.expected or _USUAL)
            return self._once_compiled(now)
        return rest

    def _once_compiled(self, now: float) -> float:
        """The time that is probably left when rules are compiled at last."""
        rest = self.pace * (1 + _SOLVING[self.way]) * _FIND * self.states
        return rest + self._afterwards(now + rest)

    def _while_solving(self, step: str, doing: Activity, now: float) -> float:
        self.states = doing.part[1] if doing.part and step == "solving" else self.met
        solving = _SOLVING[self.way] * self.found
        if step == _ORDERING:
            left = self._left(step, solving, doing.part, now) + solving
        else:
            before = self.began[step] - self.began.setdefault("solving", self.began[step])
            left = self._left(step, max(0.0, solving - before), doing.part, now)
        return left + self._afterwards(now + left)

    def _left(self, step: str, expected: float, part: tuple[int, int] | None, now: float) -> float:
        """What is left of a step of which that part is done, and which was told before to take `expected` seconds."""
        since = now - self.began[step]
        if part is None or not part[1]:
            return max(expected - since, since / 2)
        if (step, part) != self.last[:2]:
            share = part[0] / part[1]
            self.last = step, part, now, (1 - share) * (since + _TOLD_BEFORE * expected) / (share + _TOLD_BEFORE)
        # Until the next part is done, nothing is known but that time goes by.
        *_, then, left = self.last
        return max(left - (now - then), (now - then) / 2)

    # ---------------------------------------------------------------- how many, and how long

    def _ahead(self, doing: Activity, now: float) -> float:
        """How many states are probably still to be met."""
        low, high = doing.bounds or (0.0, float("inf"))
        if doing.ahead and (not self.growth or self.met > self.growth[-1][0]):
            self.growth.append((self.met, doing.ahead, now))
        growing = self._growing(doing.ahead)
        self.is_open = self.is_open and doing.bounds is None
        return max(low - self.met, min(growing, high - self.met)) if high > self.met else growing

    def _growing(self, frontier: int) -> float:
        """The same by logistic growth, from half as many states to now; as many as were met without a frontier."""
        if not self.growth:
            self.is_open = True
            return float(self.met)
        met, ahead, _ = self.growth[-1]
        before, earlier, _ = self._halfway()
        slowing = earlier / before - ahead / met
        self.is_open = frontier > 0 and frontier * (met - before) >= _MOST_AHEAD * met * met * slowing
        return _UNKNOWN_AHEAD * frontier if self.is_open else frontier / met * (met - before) / max(slowing, 1e-9)

    def _halfway(self) -> tuple[int, int, float]:
        """How things were when half as many states were met, or at the start, where there is one."""
        number = bisect_right(self.growth, self.met // 2, key=itemgetter(0))
        return self.growth[number - 1] if number else (1, 1, self.began["finding"])

    def _each(self, now: float) -> float:
        """Seconds that a state takes to be found, since half of them were."""
        before, _, then = self._halfway()
        return (now - then) / max(1, self.met - before)

    def _afterwards(self, now: float, after: str = "") -> float:
        """The time for what comes after solving, or after one of the steps that follow, which `now` comes before."""
        steps = self.later
        if self.way == "graph" and steps[:1] == ("looking",) and "finding exact values" not in steps:
            steps = ("looking", "listing", *steps[1:])
        return sum(self._cost(step, now) for step in steps[steps.index(after) + 1 if after in steps else 0 :])

    def _cost(self, step: str, now: float) -> float:
        """The time that a step takes as things go, before which all took until `now`."""
        cost = _COSTS[step]
        return self.pace * (cost.always + cost.each * self.states) + cost.share * now
