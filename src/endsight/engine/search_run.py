"""What searches by kernels have in common: `RulesSearcher`, the run of one kernel, and what one thread keeps."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

from endsight.answers.searched import Searcher
from endsight.compiler.driver import Rooms, drive
from endsight.compiler.kernels import Loop
from endsight.compiler.kernels.core import FOUND, HEAD, TAIL, Code, Work
from endsight.compiler.memory import emptied, words
from endsight.compiler.native import KernelText
from endsight.compiler.payoffs import payoff_bounds
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels import lines, playouts, search
from endsight.engine.kernels.lines import CHILD, PATH_BITS, PLACES, ROOM, LineStack
from endsight.engine.kernels.playouts import PARTS, Sums, play_games
from endsight.engine.kernels.search import Order, search_value
from endsight.engine.kernels.transposition import Memo
from endsight.engine.solved import plain_view
from endsight.engine.tables import grown, put
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Amount, Interval, Number, simplest
from endsight.game.position import Position
from endsight.game.question import Question

_SHARE_ROOM = 8
_OWN = {"SHARE_ROOM": _SHARE_ROOM, "COUNTS_PLIES": 0}
"""Constants of kernels, where a search does not say otherwise."""
_GAMES, _GAMES_AT_ONCE = 10_000, 1_000
_MOST_PARTS = 1 << 11
_SHALLOW, _ALWAYS = 10, 1 << 30


class RulesSearcher(Searcher):
    """A search of a game of one player or of two opposed ones.

    Values are those of the mover or of the first player, in parts of what the rules pay (`CompiledRules.denominator`).
    """

    def __init__(self, rules: CompiledRules, budget: Budget) -> None:
        super().__init__(plain_view(rules))
        self.rules: CompiledRules = rules
        self.budget = budget
        budget.look(budget.states, "compiling")

    @staticmethod
    def kernels(rules: CompiledRules) -> list[KernelText]:
        """The programs that a short search of this kind needs."""
        raise NotImplementedError

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


class PuzzleSearcher(RulesSearcher):
    """What has been found so far about positions of a one-player game: plays that are best, each to its end."""

    is_win_loss = False
    by_mover = False
    _known: Mapping[Any, int] = {}
    _after: Mapping[Any, Any] = {}

    def look_for_play(self, position: Position) -> tuple[list[Any], list[int]]:
        """The states of best play from a position on, with the value of each; raises `CannotCompile`, `LimitReached`.

        A state that comes twice is left for good at the last time.
        """
        raise NotImplementedError

    def hopes(self, position: Position) -> tuple[Ends, ...] | None:
        """What is known of the value of the whole game from there, while it is searched."""
        raise NotImplementedError

    def search(self, position: Position) -> int:
        """The value, each position searched once; raises `CannotCompile`, `LimitReached`."""
        if position.state not in self._known:
            states, values = self.look_for_play(position)
            self._known = {**self._known, **dict(zip(states, values, strict=True))}
            self._after = {**self._after, **dict(pairwise(states))}
        return self._known[position.state]

    def proven(self, position: Position) -> tuple[Number, ...] | None:
        """The value, where it has been found."""
        known = self._known.get(position.state)
        return None if known is None else (self.number(known),)

    def chosen(self, position: Position) -> Any:
        """The first move of the best play found; None if the position was not searched."""
        after = self._after.get(position.state)
        return next((move for move in position.moves() if position.play(move).state == after), None)


def payoff_limits(rules: CompiledRules) -> tuple[int, int] | None:
    """Limits that the rules prove for any mover's value, in parts; None if nothing is proven."""
    found = payoff_bounds(rules.game, Question())
    if found is None:
        return None
    low, high = min(low for low, _ in found), max(high for _, high in found)
    return int(low * rules.denominator), int(high * rules.denominator)


class SearchRun:
    """A line of play that a kernel searches: a stack of frames and their children, which grow, and counters.

    `frames`, `children` and `path` are the arrays of a `lines.LineStack`; `share` has room for what rules pay, or for a
    move. `constants` are those of the kernel, the layout of its table among them.
    """

    def __init__(self, rules: CompiledRules, loop: Loop, constants: dict[str, int]) -> None:
        self.rules, self.constants = rules, constants
        self.frames, self.children = words(ROOM << 7), words(CHILD << 12)
        self.path, self.share = words(1 << PATH_BITS), words(_SHARE_ROOM)
        self.counters = words(16)
        self.kernel = rules.kernel(loop, **_OWN | constants)

    @staticmethod
    def program(rules: CompiledRules, loop: Loop, constants: dict[str, int]) -> KernelText:
        """The program of the kernel that such a run calls."""
        return rules.program(loop, **_OWN | constants)

    @property
    def states(self) -> int:
        """Positions entered."""
        return int(self.counters[HEAD])

    @property
    def line(self) -> LineStack:
        """The stack in the form that kernels take."""
        return LineStack(self.frames, len(self.frames) // ROOM, self.children, len(self.children) // CHILD, self.path)

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


class SearchThread(SearchRun):
    """A line of play, and what is known about how good moves are.

    `history` and `order` hold that for every place of a move; `order` is None until random games were played. Down to
    the depth `deepest` the table knows keys by their representatives.
    """

    def __init__(self, rules: CompiledRules, constants: dict[str, int]) -> None:
        super().__init__(rules, search_value, constants)
        self.deepest = _SHALLOW
        self.history = words(1 << PLACES)
        self.order: Order | None = None

    @property
    def ends(self) -> tuple[int, int]:
        """Bounds of the only child of frame 0."""
        return self.frames[search.LOW], self.frames[search.HIGH]

    def is_at(self, key: tuple[int, ...]) -> bool:
        """Whether that is the key being searched."""
        return self.counters[TAIL] != 0 and list(key) == self.frames[ROOM : ROOM + len(key)].tolist()

    @property
    def ends_on_the_way(self) -> tuple[int, int]:
        """Bounds of the key being searched, as far as they are known."""
        low, known_low, high = (self.frames[ROOM + at] for at in (search.LOW, search.KNOWN_LOW, search.KNOWN_HIGH))
        return max(low, known_low), high

    @property
    def tried_now(self) -> tuple[int, ...] | None:
        """The key of the move being tried at the first key; None if there is none."""
        if self.counters[TAIL] == 0:
            return None
        child = (self.frames[ROOM + search.FIRST] + self.frames[ROOM + search.TRIED]) * CHILD
        return tuple(self.children[child : child + self.rules.packing.words].tolist())

    def learn(self, key: tuple[int, ...], budget: Budget) -> None:
        """Learn about moves from random games from there."""
        games = SearchRun(self.rules, play_games, self.constants)
        sums = Sums(words(4 << PLACES), self.history, _MOST_PARTS)
        put(games.frames, 0, key)

        def play(count: int) -> int:
            return games.kernel(sums, games.line, games.share, games.work(count))

        for count in range(_GAMES_AT_ONCE, _GAMES + 1, _GAMES_AT_ONCE):
            games.drive(partial(play, count), lambda: budget.look(self.states, "trying moves"))
        if 4 * (games.counters[playouts.SEEN] - games.counters[playouts.CHANGED]) < games.counters[playouts.SEEN]:
            self.deepest = _ALWAYS
        self.order = Order(self.history, int(games.counters[PARTS] <= _MOST_PARTS))

    def learn_from(self, other: SearchThread) -> None:
        """Continue from what another thread has learned by now."""
        assert other.order is not None
        put(self.history, 0, other.history)
        self.order, self.deepest = Order(self.history, other.order.by_part), other.deepest

    def begin(self, key: tuple[int, ...], window: tuple[int, int], limits: tuple[int, int]) -> None:
        """Make a key the only child of frame 0."""
        self.start(key)
        put(self.children, lines.MOVE, (0, 1, 1, 0))  # to GAIN
        least, most = limits
        put(self.frames, search.FIRST, (0, 0, 1, least, least, *window, least, most, 0, search.FORCED))  # to STAGE
        self.counters[search.DEEPEST] = self.deepest

    def run(self, memo: Memo, positions: int) -> Code:
        """Continue the search for that many positions; DONE if the bounds are found, else STOPPED."""
        assert self.order is not None, "every search begins with one"
        work = self.work(self.states + positions)
        return self.drive(lambda: self.kernel(memo, self.order, self.line, self.share, work), answers=(Code.STOPPED,))
