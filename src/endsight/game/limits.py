"""Limits of time, memory and states, checked as the work goes on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import wraps
from itertools import islice
from typing import ParamSpec, TypeAlias, TypeVar

from endsight.base.alarm import alarm_clock, holding_alarm
from endsight.base.machine import free_memory, memory_in_use
from endsight.errors import LimitReached, TimeUp, UsageError
from endsight.game.activity import Activity, Progress
from endsight.game.numbers import Number, count_text
from endsight.game.position import Position

Ends: TypeAlias = tuple[Number | None, Number | None]
"""Proven lower and upper end of a number; None where none is known."""
Witness: TypeAlias = Callable[[Position], tuple[Ends, ...] | None]
"""What is proven so far about a position: ends of each player's value of the whole game; None for nothing."""
Guess: TypeAlias = Callable[[Position], Position | None]
"""Where the move leads that looks best at a position before anything is proven; None for no guess."""

P = ParamSpec("P")
T = TypeVar("T")

# Looking at the clock and at memory costs about 10 us, so it is not done for every state.
_BETWEEN_LOOKS = 1024
_SECONDS_BETWEEN_GLANCES = 0.05
# A single position may have millions of moves.
_MOVES_BETWEEN_LOOKS = 100_000
_ITEMS_BETWEEN_GLANCES = 4096
# Work of machine code that comes near a limit of states looks after one part in so many of what is left, and at last
# after so many states.
_LOOKS, _LONGEST_LAST_STRIDE = 64, 256


class Clock:
    """Wall time, without the times in which all work stood still on purpose."""

    def __init__(self) -> None:
        self._still = 0.0

    def now(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic() - self._still

    @contextmanager
    def standing_still(self) -> Iterator[None]:
        """What happens inside takes no time by this clock; for the one thread that works."""
        before = time.monotonic()
        try:
            with holding_alarm():
                yield
        finally:
            self._still += time.monotonic() - before


CLOCK = Clock()
"""What every budget of this process is measured by."""


_UNITS = {"seconds": "seconds", "memory": "bytes", "states": "states", "threads": "threads"}


def memory_text(size: float) -> str:
    """`18.0 GB`, `0.3 GB`; what is less, in the unit that shows it."""
    for unit, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if size >= unit / (10 if name == "GB" else 1):
            return f"{size / unit:.1f} {name}"
    return f"{size:.0f} bytes"


@dataclass(frozen=True)
class Limits:
    """What an answer may cost: `seconds` of wall time, `memory` in bytes, `states` met, `threads` at work.

    `threads` is for large games solved by layers or by search: as many as there are processors where it is None.
    None means no limit, except for memory: three quarters of what is free at the start.
    `since` is when the seconds began, by `time.monotonic()`; None for when the work begins. With it,
    several calls share one limit.

    The limits are looked at between steps of the work. That of states is passed by what the last 256 states lead to
    at most, and in files by the rest of a layer. Rules that never return are stopped as well where
    `solve` runs in the main thread of Linux or macOS and the program uses no alarm signal of its own
    (`signal.SIGALRM`), unless they are inside one long call of C. In other threads and on Windows they are
    not, and a rule that takes much memory in one step is noticed after it only: run such rules in a
    process that can be ended, as the command `endsight` does.
    """

    seconds: float | None = None
    memory: int | None = None
    states: int | None = None
    threads: int | None = None
    since: float | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, unit in _UNITS.items():
            most = getattr(self, name)
            if most is not None and (isinstance(most, bool) or not isinstance(most, int | float) or most < 0):
                allowed = f"a number of {unit}, 0 or more; None for no limit"
                raise UsageError(f"no limit of {name} can be {most!r}", found=type(most).__name__, allowed=allowed)


class Budget:
    """A running account against `Limits`; `edges` limits the moves of a graph as well.

    Whoever works on an answer leaves a `witness` here: what to ask about positions if the
    work is stopped; and a `guess`, if it has one, for moves of which the same is proven. `states`
    is how many distinct states were last said to be met. `expected` is how many states an
    earlier run has found, where there was one. `frontier` is how many of those met have not
    been looked at yet, while a search by breadth goes on. `later` names the steps that follow once
    all is solved (see `endsight.game.activity`). `engine` and `refused` are what a
    stop tells of what runs the rules (see `endsight.errors.Stopped`).
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
        """Wall time since the budget was opened."""
        return CLOCK.now() - self._started

    def reopen(self) -> None:
        """Start the clock again and report no more: for answers in the middle of a talk with people."""
        self._started = CLOCK.now()
        self.progress = None

    def spend(self, states: int, doing: str = "exploring") -> None:
        """Say that `states` distinct states have been met; raises `LimitReached` past a limit."""
        self.states = states
        most = self.limits.states
        if most is not None and states > most:
            raise self.states_are_out(states, most)
        if states >= self._next_look:
            self._next_look = states + _BETWEEN_LOOKS
            self.look(states, doing)

    def stride(self, usual: int) -> int:
        """After how many more states to look again, instead of `usual`: few of them where the limit is near."""
        most = self.limits.states
        if most is None:
            return usual
        return min(usual, max((most - self.states) // _LOOKS, min(most // _LOOKS, _LONGEST_LAST_STRIDE), 1))

    def states_are_out(self, states: int, most: int) -> LimitReached:
        """The stop for meeting too many states."""
        return LimitReached(
            f"stopped: more than {count_text(most, 'state')}",
            states=states,
            found=self.extent(states),
            allowed=count_text(most, "state"),
            advice="ask about a later position",
            limit="states",
        )

    @property
    def seconds_left(self) -> float | None:
        """Wall time that is left; None without a limit."""
        return None if self.limits.seconds is None else max(0.0, self.limits.seconds - self.seconds)

    def spend_edges(self, edges: int, states: int) -> None:
        """Say that the graph has so many edges by now; raises `LimitReached` past a limit."""
        if self.edges is not None and edges > self.edges:
            most = count_text(self.edges, "move")
            raise LimitReached(f"stopped: more than {most} in all positions together", states=states)

    def gathered(self, moves: Iterable[T], states: int = 0) -> list[T]:
        """The moves of one position as a list, with a look now and then where there are very many."""
        rest = iter(moves)
        found = list(islice(rest, _MOVES_BETWEEN_LOOKS))
        while len(found) % _MOVES_BETWEEN_LOOKS == 0 and (more := list(islice(rest, _MOVES_BETWEEN_LOOKS))):
            self.look(states, f"listing {count_text(len(found), 'move')} of one position")
            found += more
        return found

    def glance(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        """Look, but only if the last glance is a while ago: cheap enough for every step of a loop."""
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
        """Tell of all steps meanwhile that so much is done of the work that they are steps of."""
        before, self._part = self._part, (done, total)
        try:
            yield
        finally:
            self._part = before

    def look(self, states: int, doing: str, part: tuple[int, int] | None = None) -> None:
        """Check the clock and the memory now; `part` is how much of this step is done, and how much there is in all."""
        self.states = states
        if self.limits.seconds is not None and self.seconds > self.limits.seconds:
            raise self.time_is_up(doing)
        self._widest = max(self._widest, self.frontier)
        self.reserve(0, states, doing)
        if self.progress is not None:
            self.progress(self._doing(doing, part), states)

    def _doing(self, doing: str, part: tuple[int, int] | None) -> Activity:
        """What is being done, and how far it has come."""
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
        """The stop for taking too much memory."""
        _, allowed = self._memory_use()
        return LimitReached(
            f"stopped: more than {memory_text(allowed)} of memory while {doing}",
            states=self.states,
            found=self.extent(self.states),
            allowed=memory_text(allowed),
            advice="ask about a later position",
            limit="memory",
        )

    @property
    def is_growing(self) -> bool:
        """Whether the frontier has never been wider than now."""
        return self.frontier >= self._widest

    def extent(self, states: int) -> str | None:
        """How far the work has come, in words; None where nothing was met."""
        if not states or not self.frontier:
            return f"{count_text(states, 'state')} met" if states else None
        trend = "still growing" if self.is_growing else f"after {self._widest:,} at the widest"
        return f"{count_text(states, 'state')} met, {self.frontier:,} of them not explored yet, {trend}"

    def time_is_up(self, doing: str, alarm: TimeUp | None = None) -> LimitReached:
        """The stop for taking too long; `alarm` may know which rule was at work."""
        return LimitReached(
            f"stopped: more than {self.limits.seconds:g} s while {doing}",
            states=self.states,
            found=", ".join(filter(None, (self.extent(self.states), alarm.rule if alarm else None))) or None,
            allowed=f"{self.limits.seconds:g} s",
            limit="seconds",
        )

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
    """Stop the function by an alarm clock when the seconds of its argument `limits` are over."""

    @wraps(function)
    def run(*arguments: P.args, **options: P.kwargs) -> T:
        limits = options.get("limits")
        if not isinstance(limits, Limits) or limits.seconds is None:
            return function(*arguments, **options)
        spent = 0.0 if limits.since is None else CLOCK.now() - limits.since
        with alarm_clock(limits.seconds, spent=spent):
            return function(*arguments, **options)

    return run
