"""Limits of time, memory and states, checked during the work, and what the work is doing: its `Activity`."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import wraps
from itertools import islice
from typing import Any, Literal, ParamSpec, TypeAlias, TypeVar

from endsight.base.alarm import alarm_clock, holding_alarm
from endsight.base.machine import free_memory, memory_in_use
from endsight.errors import LimitReached, TimeUp, UsageError
from endsight.game.numbers import Number, count_text
from endsight.game.position import Position

ESTIMATING = "estimating the number of positions"
"""The step in which a census is taken."""
EXACT = "finding exact values"
PERHAPS_EXACT = f"perhaps {EXACT}"
"""The same as a later step of which it is not known yet whether it will follow."""


class Activity(str):
    """The current activity in words, such as `solving (27 % done)`.

    step        the same without the progress
    part        the finished amount of this step and its total; None where unknown
    ahead       how many visited states are still unexplored, during a breadth-first search
    is_growing  whether there have never been more of them
    bounds      the ends of the probable range of the total number of states; None where unknown
    engine      what runs the rules, `plain` or `compiled`
    later       steps that follow once all is solved, in order, each by the first words of its text
    """

    step: str
    part: tuple[int, int] | None
    ahead: int
    bounds: tuple[float, float] | None
    is_growing: bool
    expected: float | None
    engine: str
    later: tuple[str, ...]

    def __new__(
        cls,
        step: str,
        *,
        part: tuple[int, int] | None = None,
        ahead: int = 0,
        is_growing: bool = False,
        among: tuple[float, float] | None = None,
        expected: float | None = None,
        engine: str = "plain",
        later: tuple[str, ...] = (),
    ) -> Activity:
        """The text with its numbers; `among` is the probable range of the total number of states."""
        text = step
        if part is not None and part[1]:
            text += f" ({100 * part[0] // part[1]} % done)"
        elif ahead:
            text += f" ({ahead:,} ahead, {'growing' if is_growing else 'shrinking'})"
        if among is not None:
            low, high = (f"{end:.1e}".replace("e+0", "e").replace("e+", "e") for end in among)
            text, expected = f"{text}, of some {low} to {high}", (among[0] * among[1]) ** 0.5
        made = super().__new__(cls, text)
        made.step, made.part, made.expected, made.engine = step, part, expected, engine
        made.ahead, made.is_growing, made.later = ahead, is_growing, later
        made.bounds = among or (None if expected is None else (expected, expected))
        return made

    def among(self, lower: float, upper: float) -> Activity:
        """The same activity with a probable range for the total number of states."""
        return self.instead(self.step, (lower, upper))

    def instead(self, step: str, among: tuple[float, float] | None = None) -> Activity:
        """Another activity beside the same search."""
        kept = ("ahead", "is_growing", "engine", "later")
        return Activity(step, among=among, **{name: vars(self)[name] for name in kept})


Progress: TypeAlias = Callable[[Activity, int], None]
"""Called now and then with the current activity (a text) and the number of states visited so far."""


Ends: TypeAlias = tuple[Number | None, Number | None]
"""Proven lower and upper end of a number; None where none is known."""
Witness: TypeAlias = Callable[[Position], tuple[Ends, ...] | None]
"""The proven bounds at a position: ends of each player's value of the whole game; None for nothing."""
Guess: TypeAlias = Callable[[Position], Position | None]
"""The position after the move that looks best before anything is proven; None for no guess."""

P = ParamSpec("P")
T = TypeVar("T")

# Checking the clock and memory costs about 10 us, so it is not done for every state.
_BETWEEN_LOOKS = 1024
_SECONDS_BETWEEN_GLANCES = 0.05
# A single position may have millions of moves.
_MOVES_BETWEEN_LOOKS = 100_000
_ITEMS_BETWEEN_GLANCES = 4096
# Near a limit of states, compiled code checks after one part in `_LOOKS` of the rest, and in the end after at most
# `_LONGEST_LAST_STRIDE` states.
_LOOKS, _LONGEST_LAST_STRIDE = 64, 256


class Clock:
    """Wall time, without deliberate pauses of all work."""

    def __init__(self) -> None:
        self._still = 0.0

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic() - self._still

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """The clock stops inside the block; for the one thread that works."""
        before = time.monotonic()
        try:
            with holding_alarm():
                yield
        finally:
            self._still += time.monotonic() - before


CLOCK = Clock()
"""The clock of every budget in this process."""


LARGEST = {"seconds": 1e9, "memory": 10**18, "states": 10**18, "threads": 1024}
"""Larger limits count as these, which no work reaches: clocks and words of the machine do not hold much more."""

_UNITS = {"seconds": "seconds", "memory": "bytes", "states": "states", "threads": "threads"}


_SIZES = ((1e15, "PB"), (1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def size_text(size: float, digits: int = 4) -> str:
    """A number of bytes in at most so many digits: `820 bytes`, `150 MB`, `1.5 GB`."""
    rounded = float(f"{size:.{digits - 1}e}")
    for unit, name in _SIZES:
        if rounded >= unit:
            return f"{rounded / unit:,.15g} {name}"
    return f"{size:.0f} bytes"


@dataclass(frozen=True)
class Limits:
    """The allowed cost of an answer: `seconds` of wall time, `memory` in bytes, `states` visited, `threads` at work.

    `threads` is for large games solved by layers or by search: None means one per processor.
    None means no limit, except for memory: three quarters of what is free at the start. Limits larger than any that can
    be reached, infinity too, count as the largest that can be kept.
    `since` is when the seconds began, by `time.monotonic()`; None for when the work begins. With it,
    several calls share one limit.

    Limits are checked between steps of the work. The limit of states is exceeded by at most the children of the last
    256 states, and in files by the rest of a layer. Rules that never return are stopped as well where `solve` runs in
    the main thread of Linux or macOS and the program uses no alarm signal of its own (`signal.SIGALRM`), unless they
    are inside one long call of C. In other threads and on Windows they are not, and a rule that takes much memory in
    one step is noticed after it only: run such rules in a process that can be ended, as the command `endsight` does.
    """

    seconds: float | None = None
    memory: int | None = None
    states: int | None = None
    threads: int | None = None
    since: float | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name in _UNITS:
            if (most := getattr(self, name)) is not None:
                object.__setattr__(self, name, _within_reach(name, most))


def _within_reach(name: str, most: Any) -> int | float:
    """The limit of that name, or the largest that can be kept. Raises `UsageError` for what is no limit."""
    if isinstance(most, bool) or not isinstance(most, int | float) or not most >= 0:
        allowed = f"a number of {_UNITS[name]}, 0 or more; None for no limit"
        raise UsageError(f"a limit of {name} cannot be {most!r}", found=type(most).__name__, allowed=allowed)
    amount = min(most, LARGEST[name])
    return amount if name == "seconds" else int(amount)


class Budget:
    """A running account against `Limits`; `edges` limits the moves of a graph as well.

    The code that works on an answer leaves a `witness` here, which reports bounds of positions if the work stops, and
    perhaps a `guess`, which chooses among moves with the same bounds. `states` is the last reported number of distinct
    states visited. `expected` is the number of states that an earlier run found, if any. `frontier` is how many visited
    states are still unexplored during a breadth-first search. `later` names the steps that follow once all is solved
    (see `endsight.game.limits`). A stop reports `engine` and `refused`, which describe the engine of the rules (see
    `endsight.errors.Stopped`).
    """

    witness: Witness | None = None
    guess: Guess | None = None
    states = 0
    expected: int | None = None
    engine = "plain"
    refused: str | None = None
    frontier = 0
    later: tuple[str, ...] = ()
    _part: tuple[int, int] | None = None
    _lent: Collection[str] = ()
    _widest = 0
    _next_look = _BETWEEN_LOOKS
    _next_glance = 0.0

    def __init__(
        self, limits: Limits | None = None, progress: Progress | None = None, *, edges: int | None = None
    ) -> None:
        self.limits = limits or Limits()
        self.progress = progress
        self.edges = edges
        self._started = CLOCK.now() if self.limits.since is None else self.limits.since
        self._memory = self.limits.memory

    @property
    def seconds(self) -> float:
        """Wall time since the budget began."""
        return CLOCK.now() - self._started

    def within(self, *, edges: int | None = None, **lent: Any) -> Budget:
        """A budget for an `attempt`: the clock and the limits of this one, but for those that are `lent`."""
        inner = Budget(replace(self.limits, since=self._started, **lent), self.progress, edges=edges)
        inner.engine, inner._lent = self.engine, lent
        return inner

    def attempt(self, work: Callable[[], T]) -> T | None:
        """What the work returns; None where a limit that was lent stops it, or it says that no limit would help."""
        try:
            return work()
        except LimitReached as stop:
            if stop.limit is not None and stop.limit not in self._lent:
                raise
        return None

    def reopen(self) -> None:
        """Restart the clock and report no more: for answers in an interactive session."""
        self._started = CLOCK.now()
        self.progress = None

    def spend(self, states: int, doing: str = "exploring") -> None:
        """Record that `states` distinct states have been visited; raises `LimitReached` past a limit."""
        self.states = states
        most = self.limits.states
        if most is not None and states > most:
            raise self._past("states", count_text(most, "state"), advice="ask about a later position")
        if states >= self._next_look:
            self._next_look = states + _BETWEEN_LOOKS
            self.look(states, doing)

    def stride(self, usual: int) -> int:
        """How many more states to process before the next check, instead of `usual`: few where the limit is near."""
        most = self.limits.states
        if most is None:
            return usual
        return min(usual, max((most - self.states) // _LOOKS, min(most // _LOOKS, _LONGEST_LAST_STRIDE), 1))

    def _past(
        self, limit: Literal["seconds", "memory", "states"], allowed: str, more: str = "", **details: Any
    ) -> LimitReached:
        """The error for work past a limit; `details` are further lines, or others, of its message."""
        details = {"found": self.extent(), "allowed": allowed} | details
        return LimitReached(f"stopped: more than {allowed}{more}", states=self.states, limit=limit, **details)

    @property
    def seconds_left(self) -> float | None:
        """Wall time that is left; None without a limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    def spend_edges(self, edges: int, states: int) -> None:
        """Record that the graph has `edges` edges by now; raises `LimitReached` past a limit."""
        if self.edges is not None and edges > self.edges:
            most = count_text(self.edges, "move")
            raise LimitReached(f"stopped: more than {most} in all positions together", states=states)

    def gathered(self, moves: Iterable[T], states: int = 0) -> list[T]:
        """The moves of one position as a list, with a check now and then where there are very many."""
        rest = iter(moves)
        found = list(islice(rest, _MOVES_BETWEEN_LOOKS))
        while len(found) % _MOVES_BETWEEN_LOOKS == 0 and (more := list(islice(rest, _MOVES_BETWEEN_LOOKS))):
            self.look(states, f"listing {count_text(len(found), 'move')} of one position")
            found += more
        return found

    def glance(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        """Check the limits, unless the last glance was just now: cheap enough for every step of a loop."""
        now = CLOCK.now()
        if now >= self._next_glance:
            self._next_glance = now + _SECONDS_BETWEEN_GLANCES
            self.look(states, doing, part)

    def watched(self, items: Sequence[T], doing: str) -> Iterator[T]:
        """The items one by one, with a glance after every few thousand."""
        for start in range(0, len(items), _ITEMS_BETWEEN_GLANCES):
            self.glance(len(items), doing)
            yield from items[start : start + _ITEMS_BETWEEN_GLANCES]

    @contextmanager
    def counted(self, done: int, total: int) -> Iterator[None]:
        """Steps inside the block report this progress of the whole work that they belong to."""
        before, self._part = self._part, (done, total)
        try:
            yield
        finally:
            self._part = before

    def look(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        """Check the clock and the memory now; `part` is the finished amount of this step and its total."""
        self.states = states
        if self.limits.seconds is not None and self.seconds > self.limits.seconds:
            raise self.time_is_up(doing)
        self._widest = max(self._widest, self.frontier)
        self.reserve(0, states, doing)
        if self.progress is not None:
            self.progress(self._activity(doing, part), states)

    def _activity(self, doing: str, part: tuple[int, int] | None) -> Activity:
        return Activity(
            doing,
            part=self._part or part,
            ahead=self.frontier,
            is_growing=self.is_growing,
            expected=self.expected,
            engine=self.engine,
            later=self.later,
        )

    def reserve(self, size: int, states: int, doing: str) -> None:
        """Raise `LimitReached` where `size` more bytes would be too much: before a step that needs many at once."""
        used, allowed = self._memory_use()
        if used + size > allowed:
            self.states = states
            raise self.memory_is_out(doing)

    def memory_is_out(self, doing: str) -> LimitReached:
        """The error for using too much memory."""
        allowed = size_text(self._memory_use()[1])
        return self._past("memory", allowed, f" of memory while {doing}", advice="ask about a later position")

    @property
    def is_growing(self) -> bool:
        """Whether the frontier is now at its widest."""
        return self.frontier >= self._widest

    def extent(self) -> str | None:
        """The progress so far in words; None where no state was visited."""
        if not self.states or not self.frontier:
            return f"{count_text(self.states, 'state')} met" if self.states else None
        trend = "still growing" if self.is_growing else f"after {self._widest:,} at the widest"
        return f"{count_text(self.states, 'state')} met, {self.frontier:,} of them not explored yet, {trend}"

    def time_is_up(self, doing: str, alarm: TimeUp | None = None) -> LimitReached:
        """The error for taking too long; `alarm` may know which rule was running."""
        found = ", ".join(filter(None, (self.extent(), alarm.rule if alarm else None))) or None
        return self._past("seconds", f"{self.limits.seconds:g} s", f" while {doing}", found=found)

    def memory_left(self) -> int:
        """Bytes that may still be used."""
        used, allowed = self._memory_use()
        return max(0, allowed - used)

    def _memory_use(self) -> tuple[int, int]:
        used = memory_in_use()
        if self._memory is None:
            self._memory = used + free_memory() * 3 // 4
        return used, self._memory


def in_time(function: Callable[P, T]) -> Callable[P, T]:
    """Stop the function by an alarm clock when the seconds of its argument `limits` have passed."""

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> T:
        limits = options.get("limits")
        if not isinstance(limits, Limits) or limits.seconds is None:
            return function(*arguments, **options)
        spent = 0.0 if limits.since is None else CLOCK.now() - limits.since
        with alarm_clock(limits.seconds, spent=spent):
            return function(*arguments, **options)

    return run
