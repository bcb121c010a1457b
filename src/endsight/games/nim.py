"""Nim: take from one heap."""

from __future__ import annotations

from collections.abc import Iterator
from math import comb
from typing import NamedTuple

import endsight.board as kit
from endsight.base.faults import ParameterError, PositionError
from endsight.game import Game

MOST_SIGNS, MOST_HEAPS = 40, 20
"""Objects of a heap and heaps that a drawing shows one by one."""
_WIDEST_DRAWING = 24


class Nim(Game):
    """Two players take objects from heaps; who takes the last object of all wins.

    The players alternate. A move takes one or more objects from one heap. With
    `misere=yes` the player who takes the last object loses instead.

    A move is the number of the heap, from 1, and how many objects it takes: `2:3` takes
    three from the second heap.

    A position in one line is how many objects each heap has: `heaps=3-4-5`.
    """

    heaps: tuple[int, ...] = (3, 4, 5)
    misere: bool = False

    class State(NamedTuple):
        """The heaps as the digits of one number in base `size`, the first heap the lowest."""

        packed: int

    def setup(self) -> None:
        for number, heap in enumerate(self.heaps, 1):
            if type(heap) is not int or heap < 0:
                raise ParameterError(
                    f"{self.name}: heap {number} is not a number of objects",
                    found=repr(heap),
                    allowed="whole numbers from 0 up",
                    advice="nim:heaps=3-4-5",
                )
        self.count = len(self.heaps)
        self.biggest = max(self.heaps, default=0)
        self.bits = max(1, max(self.heaps, default=0).bit_length())
        self.size = 1 << self.bits
        self.order = tuple(sorted(range(self.count), key=self.heaps.__getitem__, reverse=True))

    def limits(self) -> State:
        return self.State((1 << self.bits * self.count) - 1)

    def start(self) -> State:
        return self.State(self.pack(self.heaps))

    def pack(self, heaps: tuple[int, ...]) -> int:
        """Heaps as one number, the first the lowest digit."""
        return sum(heap << self.bits * place for place, heap in enumerate(heaps))

    def heap(self, packed: int, place: int) -> int:
        """How many objects the heap at `place` (from 0) has."""
        return (packed >> self.bits * place) & (self.size - 1)

    def heaps_of(self, state: State) -> tuple[int, ...]:
        """How many objects each heap has."""
        return tuple(self.heap(state.packed, place) for place in range(self.count))

    # A raw move is the heap's place (from 0) times `size`, plus the objects taken.

    def moves(self, state: State) -> Iterator[int]:
        for place in range(self.count):
            for taken in range(1, self.heap(state.packed, place) + 1):
                yield place * self.size + taken

    def play(self, state: State, move: int) -> State:
        taken = move & (self.size - 1)
        return self.State(state.packed - (taken << self.bits * (move >> self.bits)))

    def payoff(self, state: State) -> int:
        # Whoever would move now has not taken the last object: the other one has.
        return 1 if self.misere else -1

    def layer(self, state: State) -> int:
        """How many objects are taken, in quarters of the biggest heap: a move goes four layers on at most."""
        taken = sum(self.heaps)
        for place in range(self.count):
            taken -= self.heap(state.packed, place)
        return 4 * taken // max(1, self.biggest)

    def canonical(self, state: State) -> State:
        # The order of the heaps does not matter: the biggest goes to the place that had the most at the start.
        return self.ordered(tuple(sorted(self.heaps_of(state), reverse=True)))

    def ordered(self, heaps: tuple[int, ...]) -> State:
        """The state of these heaps, the biggest first, each in a place that may hold as many."""
        return self.State(sum(heap << self.bits * place for place, heap in zip(self.order, heaps, strict=True)))

    # Heaps in order are combinations with repetition (of what the smallest, the second smallest,
    # ... lack to the biggest heap of all), which are numbered without gaps.

    def rank(self, state: State) -> int:
        number = 0
        for left in range(1, self.count + 1):
            lacking = self.biggest - self.heap(state.packed, self.order[left - 1])
            number += comb(lacking + left - 1, left)
        return number

    def unrank(self, number: int) -> State:
        heaps = []
        for left in range(self.count, 0, -1):
            lacking = 0
            while comb(lacking + left, left) <= number:
                lacking += 1
            number -= comb(lacking + left - 1, left)
            heaps.append(self.biggest - lacking)
        return self.ordered(tuple(reversed(heaps)))

    def show_move(self, state: State, move: int) -> str:
        return f"{(move >> self.bits) + 1}:{move & (self.size - 1)}"

    def name_move(self, state: State, move: int) -> str:
        """`take 2 from heap 1`."""
        return f"take {move & (self.size - 1)} from heap {(move >> self.bits) + 1}"

    def parse_move(self, state: State, text: str) -> int | None:
        head, _, tail = text.partition(":")
        longest = len(str(max(self.count, self.size)))
        if not (text.isascii() and head.isdecimal() and tail.isdecimal() and max(len(head), len(tail)) <= longest):
            return None
        place, taken = int(head) - 1, int(tail)
        if not (0 <= place < self.count and 1 <= taken <= self.heap(state.packed, place)):
            return None
        move = place * self.size + taken
        return move if self.show_move(state, move) == text else None

    def show(self, state: State) -> str:
        return "heaps=" + "-".join(map(str, self.heaps_of(state)))

    def parse(self, text: str) -> State:
        form = f"heaps={'-'.join('...' for _ in self.heaps)}, none above {'-'.join(map(str, self.heaps))}"
        body = text.strip().removeprefix("heaps=")
        words = body.split("-") if body else []
        if not text.isascii() or not all(word.isdecimal() and len(word) <= len(str(self.size)) for word in words):
            raise PositionError(f"{self.name}: cannot read the position {text!r}", found=repr(text), allowed=form)
        heaps = tuple(map(int, words))
        if len(heaps) != self.count:
            found = f"{len(heaps)} heaps"
            raise PositionError(f"{self.name}: no such position: {text}", found=found, allowed=form)
        for number, (heap, most) in enumerate(zip(heaps, self.heaps, strict=True), 1):
            if heap > most:
                found = f"{heap} in heap {number}"
                raise PositionError(f"{self.name}: no such position: {text}", found=found, allowed=form)
        return self.State(self.pack(heaps))

    def draw(self, state: State) -> str:
        if self.count == 0:
            return "no heaps"
        heaps = self.heaps_of(state)[:MOST_HEAPS]
        wide, deep = len(str(len(heaps))), max(len(str(heap)) for heap in heaps)
        rows = [f"{number:>{wide}}: {heap:>{deep}}  {_signs(heap)}" for number, heap in enumerate(heaps, 1)]
        if self.count > MOST_HEAPS:
            rows.append(f"... {self.count - MOST_HEAPS} more heaps")
        return "\n".join(row.rstrip() for row in rows)

    def draw_board(self, state: State) -> kit.Board:
        """The heaps; an object stands for taking it and all to its right. Only numbers of big heaps."""
        heaps = self.heaps_of(state)
        most = max(self.heaps, default=0)
        if not 0 < most <= _WIDEST_DRAWING or self.count > _WIDEST_DRAWING:
            shown = [kit.Slot(kit.figure(heap, f"heap {number}")) for number, heap in enumerate(heaps[:MOST_HEAPS], 1)]
            return kit.Board("Nim", (kit.Row(tuple(shown), "Heaps"),))
        cells = [[kit.stone() if place < heap else None for place in range(most)] for heap in heaps]
        places = [
            kit.Place(f"{row + 1}:{heap - place}", kit.cell(row, place).inside(4), 20, pill=True)
            for row, heap in enumerate(heaps)
            for place in range(heap)
        ]
        names = [str(number) for number in range(1, self.count + 1)]
        return kit.Board("Nim", (kit.grid("Heaps", cells, places, down=names, has_cells=False),))


def _signs(heap: int) -> str:
    """One sign for each object, in fives; cut off for big heaps."""
    signs = "|" * min(heap, MOST_SIGNS)
    fives = " ".join(signs[i : i + 5] for i in range(0, len(signs), 5))
    return fives + " ..." if heap > MOST_SIGNS else fives
