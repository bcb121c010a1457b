"""Dominoes in a line of play, as two people dance them: undirected edge geography."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import FileError, ParameterError, PositionError
from endsight.game import Game

# Larger triangles of tiles are drawn by their counts only.
_WIDEST_DRAWING = 12
_MOST_VALUES = 100_000


class Dominoes(Game):
    """Dominoes in one line, growing at one end.

    There are `n` values, 0 to n-1, and one tile for every unordered pair of them,
    doubles included (n=7 is the double-six set). The first player lays any tile, either
    way round. After that the players take turns to lay an unused tile that has the value
    at the open end (the tail) on one half; its other half is the new tail. A
    player who cannot lay a tile loses.

    A move is written `a-b`: a joins the line, b is the new tail. A puzzle file
    (`dominoes:@FILE`) has n, the number of tiles already laid, and then a line `a b`
    for each of them.
    """

    n: int = 7

    class State(NamedTuple):
        """Bit set of the tiles laid so far, and the tail (n before the first tile)."""

        used: int
        tail: int

    def setup(self) -> None:
        """Check the number of values."""
        if not 1 <= self.n <= _MOST_VALUES:
            raise ParameterError(
                "dominoes: n is the number of values", found=f"n={self.n}", allowed=f"1 to {_MOST_VALUES}"
            )
        self.tiles = self.n * (self.n + 1) // 2

    def limits(self) -> State:
        """The largest value of every field."""
        return self.State((1 << self.tiles) - 1, self.n)

    def start(self) -> State:
        """No tile lies yet."""
        return self.State(0, self.n)

    def tile(self, a: int, b: int) -> int:
        """The number of the tile with the values a and b."""
        return a * (a + 1) // 2 + b if a > b else b * (b + 1) // 2 + a

    def seat(self, state: State) -> int:
        """The first player lays the odd tiles."""
        return state.used.bit_count() % 2

    def moves(self, state: State) -> Iterator[int]:
        """`joins * n + tail`, smallest first."""
        if state.tail == self.n:
            yield from range(self.n * self.n)
        else:
            for b in range(self.n):
                if (state.used >> self.tile(state.tail, b)) & 1 == 0:
                    yield state.tail * self.n + b

    def play(self, state: State, move: int) -> State:
        """Lay the tile."""
        a = move // self.n
        b = move % self.n
        return self.State(state.used | (1 << self.tile(a, b)), b)

    def payoff(self, state: State) -> int:
        """A player who cannot lay a tile loses."""
        return -1

    def canonical(self, state: State) -> State:
        """Relabel the values by how their unused tiles lie, and forget tiles out of reach.

        Only tiles connected with the tail can still be laid, so all others count as used.
        Values are sorted by an invariant: unused tiles, own double, being the tail, and
        the same of the neighbours. Values that the invariant does not tell apart keep
        their order: at worst two equivalent states stay apart.
        """
        if state.tail == self.n:
            return state
        rows = [0] * self.n
        for a in range(self.n):
            low = ~(state.used >> (a * (a + 1) // 2)) & ((2 << a) - 1)
            rows[a] |= low
            for b in range(a):
                if (low >> b) & 1 == 1:
                    rows[b] |= 1 << a
        reached = 1 << state.tail
        done = 0
        while reached != done:
            fresh = reached & ~done
            done = reached
            for a in range(self.n):
                if (fresh >> a) & 1 == 1:
                    reached |= rows[a]
        kinds = [0] * self.n
        for a in range(self.n):
            if (reached >> a) & 1 == 1:
                kinds[a] = 4 * rows[a].bit_count() + 2 * ((rows[a] >> a) & 1) + 1
        kinds[state.tail] += 1 << 10
        finer = [0] * self.n
        for a in range(self.n):
            if (reached >> a) & 1 == 1:
                around = 0
                for b in range(self.n):
                    if (rows[a] >> b) & 1 == 1:
                        # Cubes keep different neighbourhoods of the same sum apart.
                        around += kinds[b] * kinds[b] * kinds[b]
                finer[a] = (kinds[a] << 44) + around
        places = [0] * self.n
        for a in range(self.n):
            for b in range(self.n):
                if finer[b] > finer[a] or (finer[b] == finer[a] and b < a):
                    places[a] += 1
        free = 0
        for a in range(self.n):
            if (reached >> a) & 1 == 1:
                for b in range(a + 1):
                    if (rows[a] >> b) & 1 == 1:
                        free |= 1 << self.tile(places[a], places[b])
        return self.State(((1 << self.tiles) - 1) ^ free, places[state.tail])

    # ---------------------------------------------------------------- text forms

    def show_move(self, state: State, move: int) -> str:
        """`a-b`: a joins the line, b is the new tail."""
        return f"{move // self.n}-{move % self.n}"

    def parse_move(self, state: State, text: str) -> int | None:
        """The move of that notation where it is legal."""
        a, dash, b = text.partition("-")
        if not (dash and _is_number(a) and _is_number(b)) or int(a) >= self.n or int(b) >= self.n:
            return None
        a_value, b_value = int(a), int(b)
        if state.tail not in (self.n, a_value) or (state.used >> self.tile(a_value, b_value)) & 1:
            return None
        return a_value * self.n + b_value

    def show(self, state: State) -> str:
        """`used=0-0,0-1 tail=1`: the tiles laid, larger value last, and the tail (`-` before the first)."""
        tiles = (f"{b}-{a}" for a in range(self.n) for b in range(a + 1) if (state.used >> self.tile(a, b)) & 1)
        return f"used={','.join(tiles)} tail={'-' if state.tail == self.n else state.tail}"

    def parse(self, text: str) -> State:
        """The state in the form of `show`; a tile may be written either way round."""
        form = "used=0-0,0-1 tail=1"
        given = dict(item.partition("=")[::2] for item in text.split())
        if set(given) != {"used", "tail"}:
            raise PositionError(f"cannot read the position {text!r}", allowed=form)
        used = 0
        for word in filter(None, given["used"].split(",")):
            used |= 1 << self._tile_of(word, text)
        if given["tail"] == "-" and used == 0:
            return self.State(0, self.n)
        if not _is_number(given["tail"]) or int(given["tail"]) >= self.n or used == 0:
            raise PositionError(
                f"no such position: {text}",
                found=f"tail={given['tail']}",
                allowed=f"0 to {self.n - 1}, or - before the first tile",
            )
        return self.State(used, int(given["tail"]))

    def _tile_of(self, word: str, text: str) -> int:
        a, dash, b = word.partition("-")
        if not (dash and _is_number(a) and _is_number(b)) or max(int(a), int(b)) >= self.n:
            raise PositionError(
                f"cannot read the position {text!r}", found=word, allowed=f"tiles a-b of values 0 to {self.n - 1}"
            )
        return self.tile(int(a), int(b))

    def draw(self, state: State) -> str:
        """The tail, and the triangle of tiles that are still free."""
        left = self.tiles - state.used.bit_count()
        tail = "nothing laid yet" if state.tail == self.n else f"tail {state.tail}"
        rows = [f"{tail}, {left} of {self.tiles} tiles free"]
        if self.n > _WIDEST_DRAWING:
            if state.tail < self.n:
                free = sum((state.used >> self.tile(state.tail, b)) & 1 == 0 for b in range(self.n))
                rows.append(f"{free} of them fit")
            return "\n".join(rows)
        width = 2 * len(str(self.n - 1)) + 2
        for a in range(self.n):
            cells = (
                f"{b}-{a}" if (state.used >> self.tile(a, b)) & 1 == 0 else "." * (width - 3) for b in range(a + 1)
            )
            rows.append("".join(cell.ljust(width) for cell in cells).rstrip())
        return "\n".join(rows)

    def draw_after(self, state: State, history: Sequence[str]) -> kit.Board:
        """The line that the moves so far tell, the tiles that can be played, and the others; text if many."""
        if self.n > _WIDEST_DRAWING:
            return kit.Board("Dominoes", (kit.Panel(self.draw(state)),))
        line = [tuple(map(int, move.split("-"))) for move in history]
        legal = [divmod(move, self.n) for move in self.moves(state)]
        left = [(a, b) for a in range(self.n) for b in range(a, self.n) if not state.used >> self.tile(a, b) & 1]
        ends = {self.tile(*pair) for pair in (*line, *legal)}
        earlier = [
            (a, b)
            for a in range(self.n)
            for b in range(a, self.n)
            if state.used >> self.tile(a, b) & 1 and self.tile(a, b) not in ends
        ]
        parts: list[kit.Part] = [kit.Row(_tiles(earlier, 34), "Tiles laid before")] if earlier else []
        if line or legal:
            laid = [kit.Slot(kit.domino(*pair), 62, move, made=True) for pair, move in zip(line, history, strict=True)]
            parts.append(
                kit.Row(
                    (*laid, kit.Slot(kit.word(self._told(state, legal), 16, before=14), 26)), ground="well", tight=True
                )
            )
        if legal:
            size = 62 if len(legal) <= self.n else 38
            parts.append(
                kit.Row(tuple(kit.Slot(kit.domino(a, b), size, f"{a}-{b}") for a, b in legal), "Tiles you can play")
            )
        others = [pair for pair in left if self.tile(*pair) not in ends]
        return kit.Board("Dominoes", (*parts, *([kit.Row(_tiles(others, 34), "Other unused tiles")] if others else [])))

    def _told(self, state: State, legal: list[tuple[int, int]]) -> str:
        """What may come next, in words."""
        if state.tail == self.n:
            return "Any tile may begin."
        return f"The next tile must have a {state.tail}." if legal else f"No tile with a {state.tail} is left."

    @classmethod
    def from_file(cls, text: str) -> tuple[Dominoes, tuple[str, ...]]:
        """The game and the tiles already laid, from a puzzle file."""
        lines = [(number, line.split()) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if len(lines) < 2:
            raise FileError(
                "the puzzle file is cut short",
                found="1 line" if lines else "nothing",
                allowed="n, the number of tiles laid, and a line `a b` for each",
            )
        (n,) = _numbers(*lines[0], 1, "the number of values")
        (count,) = _numbers(*lines[1], 1, "the number of tiles laid")
        tiles = lines[2:]
        if n < 1 or n > _MOST_VALUES:
            raise FileError(
                "the puzzle file's first line is the number of values", found=str(n), allowed=f"1 to {_MOST_VALUES}"
            )
        if len(tiles) != count:
            raise FileError(
                f"the puzzle file promises {count} tiles",
                found=f"{len(tiles)} lines after the second",
                advice="the file is cut short" if len(tiles) < count else "remove the lines at the end",
            )
        pairs = [_numbers(number, words, 2, "a tile `a b`") for number, words in tiles]
        for (number, _), pair in zip(tiles, pairs, strict=True):
            if max(pair) >= n:
                raise FileError(
                    f"line {number} of the puzzle file names a value that is not there",
                    found=f"{pair[0]} {pair[1]}",
                    allowed=f"values 0 to {n - 1}",
                )
        return cls(n=n), tuple(f"{a}-{b}" for a, b in pairs)


def _tiles(pairs: list[tuple[int, int]], size: float) -> tuple[kit.Slot, ...]:
    """Tiles that nothing is done with."""
    return tuple(kit.Slot(kit.domino(*pair), size, faded=True) for pair in pairs)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 20


def _numbers(line: int, words: list[str], count: int, what: str) -> list[int]:
    """The whole numbers of one line of a puzzle file."""
    if len(words) != count or not all(map(_is_number, words)):
        raise FileError(
            f"line {line} of the puzzle file should be {what}",
            found=repr(" ".join(words)[:60]),
            allowed=f"{count} whole number{'s' if count > 1 else ''} from 0 up",
        )
    return [int(word) for word in words]
