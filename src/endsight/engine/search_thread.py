"""What one thread of a search keeps to itself: `SearchThread`."""

from __future__ import annotations

from functools import partial

from endsight.compiler.kernels.core import TAIL, Code
from endsight.compiler.memory import words
from endsight.compiler.rules import CompiledRules
from endsight.engine.kernels import lines, playouts, search
from endsight.engine.kernels.lines import CHILD, PLACES, ROOM
from endsight.engine.kernels.playouts import PARTS, Sums, play_games
from endsight.engine.kernels.search import Order, search_value
from endsight.engine.kernels.transposition import Memo
from endsight.engine.search_run import SearchRun
from endsight.engine.tables import put
from endsight.game.limits import Budget

_GAMES, _GAMES_AT_ONCE = 10_000, 1_000
_MOST_PARTS = 1 << 11
_SHALLOW, _ALWAYS = 10, 1 << 30


class SearchThread(SearchRun):
    """A line of play, and what is known about how good moves are."""

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
        put(self.children, lines.MOVE, (0, 1, 1, 0))
        least, most = limits
        put(self.frames, search.FIRST, (0, 0, 1, least, least, *window, least, most, 0, search.FORCED))
        self.counters[search.DEEPEST] = self.deepest

    def run(self, memo: Memo, positions: int) -> Code:
        """Continue the search for that many positions; DONE if the bounds are found, else STOPPED."""
        assert self.order is not None, "every search begins with one"
        work = self.work(self.states + positions)
        return self.drive(lambda: self.kernel(memo, self.order, self.line, self.share, work), answers=(Code.STOPPED,))
