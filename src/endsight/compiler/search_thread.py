"""What one thread of a search keeps to itself: `SearchThread`."""

from __future__ import annotations

from functools import partial

from endsight.compiler.driver import drive
from endsight.compiler.kernels import Loop, lines, passing, playouts, search, text_of, transposition
from endsight.compiler.kernels.core import FOUND, HEAD, TAIL, Code, Work
from endsight.compiler.kernels.lines import CHILD, PLACES, ROOM
from endsight.compiler.kernels.playouts import PARTS, Sums, play_games
from endsight.compiler.kernels.search import Order, search_value
from endsight.compiler.kernels.transposition import Memo
from endsight.compiler.line_room import LineRoom
from endsight.compiler.memory import emptied
from endsight.compiler.native import Kernel
from endsight.compiler.rules import CompiledRules
from endsight.compiler.tables import put, scratch
from endsight.game.limits import Budget

_GAMES, _GAMES_AT_ONCE = 10_000, 1_000
_MOST_PARTS = 1 << 11
_SHARE_ROOM = 8
_SHALLOW, _ALWAYS = 10, 1 << 30


class SearchThread(LineRoom):
    """A line of play, and what is known about how good moves are."""

    def __init__(self, rules: CompiledRules, constants: dict[str, int]) -> None:
        super().__init__()
        self.rules = rules
        self.constants = constants
        # Keys entered, the depth, moves, the room needed by anything that is full, and what else the kernels report.
        self.counters = scratch(16)
        self.share = scratch(_SHARE_ROOM)
        self.deepest = _SHALLOW
        self.history = scratch(1 << PLACES)
        self.order: Order | None = None
        self.kernel = self._kernel(search_value, text_of(passing.__name__), text_of(transposition.__name__))

    def _kernel(self, loop: Loop, *beside: str) -> Kernel:
        text = "\n\n".join([text_of(lines.__name__), *beside])
        constants = {"SHARE_ROOM": _SHARE_ROOM, "HAS_SYMMETRY": int(self.rules.has_symmetry), **self.constants}
        return self.rules.kernel(loop, text, **constants)

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
        counters = scratch(16)
        sums = Sums(scratch(4 << PLACES), self.history, _MOST_PARTS)
        put(self.frames, 0, key)
        kernel = self._kernel(play_games)
        for games in range(_GAMES_AT_ONCE, _GAMES + 1, _GAMES_AT_ONCE):
            work = Work(self.rules.data, counters, games)
            drive(
                partial(self._played, kernel, sums, work), counters, self.rooms, self.rules.fault,
                lambda: budget.look(self.counters[HEAD], "trying moves"),
            )  # fmt: skip
        if 4 * (counters[playouts.SEEN] - counters[playouts.CHANGED]) < counters[playouts.SEEN]:
            self.deepest = _ALWAYS
        self.order = Order(self.history, int(counters[PARTS] <= _MOST_PARTS))

    def _played(self, kernel: Kernel, sums: Sums, work: Work) -> int:
        return kernel(sums, self.line, self.share, work)

    def learn_from(self, other: SearchThread) -> None:
        """Continue from what another thread has learned by now."""
        assert other.order is not None
        put(self.history, 0, other.history)
        self.order, self.deepest = Order(self.history, other.order.by_part), other.deepest

    def begin(self, key: tuple[int, ...], window: tuple[int, int], limits: tuple[int, int]) -> None:
        """Make a key the only child of frame 0."""
        emptied(self.path)
        put(self.children, 0, key)
        put(self.children, lines.MOVE, (0, 1, 1, 0))
        least, most = limits
        put(self.frames, search.FIRST, (0, 0, 1, least, least, *window, least, most, 0, search.FORCED))
        self.counters[TAIL] = self.counters[FOUND] = 0
        self.counters[search.DEEPEST] = self.deepest

    def run(self, memo: Memo, positions: int) -> Code:
        """Continue the search for that many positions; DONE if the bounds are found, else STOPPED."""
        assert self.order is not None, "every search begins with one"
        work = Work(self.rules.data, self.counters, int(self.counters[HEAD]) + positions)
        return drive(
            lambda: self.kernel(memo, self.order, self.line, self.share, work),
            self.counters, self.rooms, self.rules.fault, answers=(Code.STOPPED,),
        )  # fmt: skip
