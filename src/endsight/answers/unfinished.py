"""What is proven during the work on an answer, or when it is stopped: bounds and the best line so far.

Bounds are those of the position asked about and of its moves.

They combine two sources. The ends between which all payoffs lie hold everywhere (`compiler.payoffs`). The `Budget`'s
witness knows what the current method has proven about single positions; one step back from the positions after each
move gives more: a mover gets at least the most that any move secures, and no more than the most that any allows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from fractions import Fraction
from itertools import islice
from time import monotonic
from traceback import clear_frames
from typing import Any, NamedTuple

from endsight.base.alarm import alarm_clock, give_time, time_given
from endsight.base.deferred import deferred
from endsight.base.waiting import hearing_signals, is_stop
from endsight.errors import Interrupted, LimitReached, Stopped, TimeUp, Underway
from endsight.errors.rules_guard import note_rule
from endsight.game import Game
from endsight.game.limits import CLOCK, Activity, Budget, Ends, Guess, Progress, Witness
from endsight.game.numbers import simplest
from endsight.game.position import Position
from endsight.game.question import Question

with deferred(__name__):
    from endsight.compiler.payoffs import constant_sum, payoff_bounds

Row = tuple[Ends, ...]
"""Ends of every player's value."""

_IS_TELLING = ContextVar("_IS_TELLING", default=False)
_NOTHING: Ends = (None, None)
_LONGEST_LINE = 40
_MOST_MOVES = 1_000
# Users must not notice a delay at a stop, so lookups take no longer than this.
_SECONDS = 0.4
_SECONDS_TO_TELL = 0.5
"""Rules called for this may never return."""
# Ongoing work must not be held up: each look is short, the first comes after a while, and the
# pause before the next is many times the length of the last look.
_GLIMPSE = 0.05
_FIRST_LOOK = 0.3
_BETWEEN_LOOKS = 1.0
_WORK_PER_LOOK = 50


@contextmanager
def telling(position: Position, question: Question, budget: Budget, witness: Witness | None = None) -> Iterator[None]:
    """Make whatever stops the work inside also report what is proven about `position`, if no block around it does."""
    is_inner, token = _IS_TELLING.get(), _IS_TELLING.set(True)
    try:
        with hearing_signals():
            yield
    except (LimitReached, KeyboardInterrupt, MemoryError) as stop:
        asked = None if is_inner else (position, question, witness or budget.witness, budget.guess)
        raise _reporting(stop, position.game, budget, asked) from None
    finally:
        _IS_TELLING.reset(token)


class BoundsProgress:
    """Progress that also reports, now and then, what is proven about `position` while the work continues.

    The first report comes at once, where the rules alone prove something. It replaces the budget's `progress` and
    passes all calls on to it. Looking takes at most one fiftieth of the time. `learn` changes `witness` (default:
    the budget's) when something else knows more.
    """

    def __init__(
        self, position: Position, question: Question, budget: Budget, tell: Callable[[Underway], None]
    ) -> None:
        self.position = position
        self.question = question
        self.budget = budget
        self.tell = tell
        self.passed_on: Progress | None = budget.progress
        self.witness: Witness = lambda place: None if budget.witness is None else budget.witness(place)
        self._first = self._next = CLOCK.now() + _FIRST_LOOK
        budget.progress = self
        known = _Findings(position, question).known_everywhere()
        if known is not None:
            tell(known)

    def learn(self, witness: Witness) -> None:
        """Ask `witness` from now on, and report what it knows at the next call of progress."""
        self.witness, self._next = witness, max(CLOCK.now(), self._first)

    def __call__(self, doing: Activity, states: int) -> None:
        """Pass the call on, and report what is proven if the last report is long enough ago."""
        if self.passed_on is not None:
            self.passed_on(doing, states)
        began = CLOCK.now()
        if began < self._next:
            return
        underway = Underway(states)
        underway.engine, underway.refused = self.budget.engine, self.budget.refused
        _Findings(self.position, self.question, self.witness, self.budget.guess, _GLIMPSE).tell(underway)
        self.tell(underway)
        ended = CLOCK.now()
        self._next = ended + max(_BETWEEN_LOOKS, _WORK_PER_LOOK * (ended - began))


class _Child(NamedTuple):
    """A move with what is proven after it."""

    position: Position
    text: str
    row: Row
    is_known: bool


def _reporting(
    stop: LimitReached | KeyboardInterrupt | MemoryError,
    game: Game,
    budget: Budget,
    asked: tuple[Position, Question, Witness | None, Guess | None] | None,
) -> Any:
    """The exception that stops the work, with what is proven so far about what is asked, if anything.

    Ctrl-C becomes `Interrupted`, and running out of memory `LimitReached`.
    """
    if isinstance(stop, KeyboardInterrupt) and not is_stop(stop):
        return stop  # it comes from rules
    left = None if isinstance(stop, TimeUp | KeyboardInterrupt) else time_given()
    give_time(_SECONDS_TO_TELL)
    if isinstance(stop, KeyboardInterrupt):
        note_rule(type(game), stop)
    stopped = as_stopped(stop, budget)
    if asked is not None and not stopped.is_told:
        stopped.engine, stopped.refused = budget.engine, budget.refused
        # An alarm may ring now, or memory run out again; then the report stays short.
        with suppress(TimeUp, LimitReached, MemoryError), alarm_clock(_SECONDS_TO_TELL):
            _Findings(*asked).tell(stopped)
    if left is not None and left > _SECONDS_TO_TELL:
        give_time(left - _SECONDS_TO_TELL)  # other work may continue after a limit of states
    return stopped


def as_stopped(stop: LimitReached | KeyboardInterrupt | MemoryError, budget: Budget) -> Any:
    """The exception as `LimitReached` or `Interrupted`, with the number of states by then."""
    if isinstance(stop, Stopped):
        stop.states = stop.states or budget.states
        return stop
    if isinstance(stop, MemoryError):
        clear_frames(stop.__traceback__)  # they hold what took the memory
        return budget.memory_is_out("working")
    if isinstance(stop, TimeUp) and budget.limits.seconds is not None:
        return budget.time_is_up("working", stop)
    stopped = Interrupted(budget.states)
    stopped.rule = getattr(stop, "rule", None)
    return stopped


class _Findings:
    """One look at what is proven."""

    def __init__(
        self,
        position: Position,
        question: Question,
        witness: Witness | None = None,
        guess: Guess | None = None,
        seconds: float = _SECONDS,
    ) -> None:
        self.position = position
        self.game = position.game
        self.question = question
        self.witness = witness
        self.guess = guess
        self.everywhere: Row = payoff_bounds(self.game, question) or (_NOTHING,) * self.game.player_count
        self.until = monotonic() + seconds

    def known_everywhere(self) -> Underway | None:
        """The ends of all payoffs, which need no work; None where there are none."""
        underway = Underway()
        self._tell_everywhere(underway)
        return None if underway.lower is None else underway

    def _tell_everywhere(self, stopped: Stopped) -> None:
        if any(end is not None for ends in self.everywhere for end in ends):
            stopped.lower, stopped.upper = self._by_name(self.everywhere)

    def tell(self, stopped: Stopped) -> None:
        """Write everything into the exception."""
        stopped.is_told = True
        # What holds everywhere comes first, in case the rest is interrupted.
        self._tell_everywhere(stopped)
        children = self._children(self.position)
        row = self._one_step_back(self.position, children)
        if any(end is not None for ends in row for end in ends):
            stopped.lower, stopped.upper = self._by_name(row)
        news = [child for child in children if child.is_known and child.row != self.everywhere]
        stopped.moves = {child.text: self._by_name(child.row) for child in news}
        stopped.line = list(self._line(children))

    def _by_name(self, row: Row) -> tuple[dict[str, Fraction | None], dict[str, Fraction | None]]:
        names = self.game.player_names
        lower, upper = (
            {name: None if ends[side] is None else Fraction(ends[side]) for name, ends in zip(names, row, strict=True)}  # type: ignore[arg-type]
            for side in (0, 1)
        )
        return lower, upper

    # ---------------------------------------------------------------- positions

    def _row(self, position: Position) -> tuple[Row, bool]:
        """Proven ends at a position, and whether the current method knows something specific about it."""
        known = None if self.witness is None else self.witness(position)
        if known is None:
            return self.everywhere, False
        return tuple(map(_narrowed, self.everywhere, known)), True

    def _children(self, position: Position) -> list[_Child]:
        """Every move, or none where there are very many or time is short."""
        children: list[_Child] = []
        if self.game.discount != 1:
            return children  # their values count from later positions on
        for move in islice(position.moves(), _MOST_MOVES):
            if monotonic() > self.until:
                return []
            then = position.play(move)
            row, is_known = self._row(then)
            children.append(_Child(then, then.history[-1], row, is_known))
        return children if len(children) < _MOST_MOVES else []

    def _one_step_back(self, position: Position, children: Sequence[_Child]) -> Row:
        row, _ = self._row(position)
        mover = position.mover
        # Nobody chooses among the positions after the moves where chance moves or several at once, or where something
        # is hidden.
        is_choice = mover >= 0 and mover not in self.question.fixed and not self.game.gives("sees")
        if not children or not is_choice:
            return row
        target = self.question.counted(mover)
        own = _narrowed(row[target], _best([child.row[target] for child in children]))
        row = (*row[:target], own, *row[target + 1 :])
        return self._with_opposed(row, target)

    def _with_opposed(self, row: Row, player: int) -> Row:
        """The other player's ends too, where the two players' payoffs have a constant sum."""
        total = constant_sum(self.game, self.question)
        if total is None:
            return row
        low, high = row[player]
        other = (None if high is None else simplest(total - high), None if low is None else simplest(total - low))
        both = (row[player], _narrowed(row[1 - player], other))
        return both if player == 0 else (both[1], both[0])

    # ---------------------------------------------------------------- the line

    def _line(self, children: list[_Child]) -> Iterator[str]:
        """Moves that look best by what is proven, as long as something is known after one of them."""
        position = self.position
        seen = set()
        for _ in range(_LONGEST_LINE):
            place = (position.state, position.mover)
            if position.mover < 0 or place in seen or not any(child.is_known for child in children):
                return
            seen.add(place)
            chosen = self._promising(position, children)
            yield chosen.text
            position = chosen.position
            children = self._children(position)

    def _promising(self, position: Position, children: list[_Child]) -> _Child:
        target = self.question.counted(position.mover)

        def promise(child: _Child) -> tuple[bool, Any, bool, Any]:
            low, high = child.row[target]
            return low is not None, low or 0, high is None, high or 0

        known = [child for child in children if child.is_known]
        top = max(map(promise, known))
        best = self._guessed(position, [child for child in known if promise(child) == top])
        # A move about which nothing is known may still be better than one that is known to lose.
        others = [child for child in children if not child.is_known]
        return best if not others or top >= promise(others[0]) else others[0]

    def _guessed(self, position: Position, children: list[_Child]) -> _Child:
        """Among moves with the same proven result, the one that the current method would try first."""
        guess = None if self.guess is None or len(children) == 1 else self.guess(position)
        return next((child for child in children if guess and child.position.state == guess.state), children[0])


def _best(ends: Sequence[Ends]) -> Ends:
    """Ends of the best of several."""
    lows = [low for low, _ in ends if low is not None]
    highs = [high for _, high in ends if high is not None]
    return max(lows, default=None), max(highs) if len(highs) == len(ends) else None


def _narrowed(one: Ends, other: Ends) -> Ends:
    """What both prove together."""
    lows = [low for low in (one[0], other[0]) if low is not None]
    highs = [high for high in (one[1], other[1]) if high is not None]
    return max(lows, default=None), min(highs, default=None)
