"""What searches by kernels have in common: `RulesSearcher`, and the run of one kernel, `SearchRun`."""

from __future__ import annotations

from collections.abc import Callable, Container
from fractions import Fraction

from endsight.answers.searched import Searcher
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import Loop
from endsight.compiler.kernels.core import FOUND, HEAD, TAIL, Code, Work
from endsight.compiler.memory import emptied, words
from endsight.compiler.native import Kernel
from endsight.compiler.payoffs import payoff_bounds
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels.lines import CHILD, PATH_BITS, ROOM, Line
from endsight.engine.solved import plain_view
from endsight.engine.tables import grown, put
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Interval, Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question

_SHARE_ROOM = 8


class RulesSearcher(Searcher):
    """A search of a game of one player or of two opposed ones.

    Values are those of the mover or of the first player, in parts of what the rules pay (`CompiledRules.denominator`).
    """

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        super().__init__(plain_view(rules))
        self.rules: CompiledRules = rules
        self.budget = budget
        budget.look(budget.states, "compiling")

    def search(self, position: Position) -> int:
        """The value, each position searched once; raises `CannotCompile`, `LimitReached`."""
        raise NotImplementedError

    def found(self, position: Position) -> tuple[Number, ...] | None:
        """The value per player; None for a position that cannot be searched."""
        try:
            value = self.number(self.search(position))
        except CannotCompile:
            return None
        return (value, -value)[: self.rules.players]

    def number(self, parts: int) -> Number:
        """A value as the rules pay it."""
        return simplest(Fraction(parts, self.rules.denominator))

    def amounts(self, low: int, high: int) -> tuple[Amount, ...]:
        """Bounds of the value per player."""
        amount = Interval(Fraction(low, self.rules.denominator), Fraction(high, self.rules.denominator))
        return (amount, -amount)[: self.rules.players]


class SearchRun:
    """A line of play that a kernel searches: a stack of frames and their children, which grow, and counters.

    `constants` are those of the kernel, the layout of its table among them.
    """

    def __init__(self, rules: CompiledRules, loop: Loop, constants: dict[str, int]) -> None:
        self.rules, self.constants = rules, constants
        self.frames, self.children = words(ROOM << 7), words(CHILD << 12)
        self.path, self.share = words(1 << PATH_BITS), words(_SHARE_ROOM)
        self.counters = words(16)
        self.kernel = self.kernel_of(loop)

    def kernel_of(self, loop: Loop) -> Kernel:
        """A kernel that works on lines of play."""
        own = {"SHARE_ROOM": _SHARE_ROOM, "COUNTS_PLIES": 0}
        return self.rules.kernel(loop, **own | self.constants)

    @property
    def states(self) -> int:
        """Positions entered."""
        return int(self.counters[HEAD])

    @property
    def line(self) -> Line:
        """The stack in the form that kernels take."""
        return Line(self.frames, len(self.frames) // ROOM, self.children, len(self.children) // CHILD, self.path)

    def work(self, stop: int) -> Work:
        """Work up to that many positions."""
        return Work(self.rules.data, self.counters, stop)

    def start(self, key: tuple[int, ...]) -> None:
        """Make a key the only child of frame 0."""
        emptied(self.path)
        put(self.children, 0, key)
        self.counters[TAIL] = self.counters[FOUND] = 0

    def drive(
        self, call: Callable[[], int], watch: Callable[[], object] = lambda: None, answers: Container[Code] = ()
    ) -> Code:
        """Call a kernel until it is done, or returns one of the `answers`: see `driver.drive`."""
        return drive(call, self.counters, self._rooms, self.rules.fault, watch, answers)

    @property
    def _rooms(self) -> Rooms:
        return {Code.STACK_FULL: self._more_depth, Code.BUFFER_FULL: self._more_children}

    def _more_depth(self, _: int) -> None:
        self.frames = grown(self.frames, 2 * len(self.frames))

    def _more_children(self, needed: int) -> None:
        self.children = grown(self.children, 2 * needed * CHILD)


def payoff_limits(rules: CompiledRules) -> tuple[int, int] | None:
    """Limits that the rules prove for any mover's value, in parts; None if nothing is proven."""
    found = payoff_bounds(rules.game, Question())
    if found is None:
        return None
    low, high = min(low for low, _ in found), max(high for _, high in found)
    return int(low * rules.denominator), int(high * rules.denominator)
