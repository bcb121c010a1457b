"""The moves of a generator, written down before the body of the loop over them runs for the first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.compiler.lowering.emitter import constant
from endsight.compiler.lowering.kinds import WORD, Kind, Value, leaves
from endsight.compiler.lowering.operations.data import loaded, words_of

if TYPE_CHECKING:
    from endsight.compiler.lowering.frames import Frame


class Gathered:
    """Room for as many moves of a generator as there are at most, and their number."""

    def __init__(self, frame: Frame, most: int) -> None:
        self.frame = frame
        self.most = most
        self.count = frame.room(WORD)
        frame.builder.store(constant(0), self.count)
        self.kind: Kind | None = None
        self.width = 0
        self.room: Any = None

    def add(self, move: Value) -> None:
        """Write a move, and count it if it is reached; there is room for one that is not."""
        frame, builder = self.frame, self.frame.builder
        move = frame.settled(move)
        if self.kind is None:
            self.kind, self.width = move.kind, len(list(leaves(move)))
            self.room = frame.words_room((self.most + 1) * self.width)
        at = builder.load(self.count)
        first = builder.mul(at, constant(self.width))
        for number, word in enumerate(words_of(frame.turned_into(self.kind, move))):
            builder.store(word.part, builder.gep(self.room, [builder.add(first, constant(number))]))
        by = constant(1) if frame.reached is None else builder.zext(frame.reached, WORD)
        builder.store(builder.add(at, by), self.count)

    def item(self, number: Value) -> Value:
        """The move with that number."""
        assert self.kind is not None
        first = self.frame.builder.mul(number.part, constant(self.width))
        return loaded(self.frame, self.kind, self.frame.builder.gep(self.room, [first]))
