"""The names of a function, and what each stands for where instructions are written.

A name is room on the stack, one piece for each kind of value that it stands for, which LLVM turns into registers; so a
loop needs no second pass.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from llvmlite import ir

from endsight.compiler.lowering.emitter import constant
from endsight.compiler.lowering.expressions import Expressions
from endsight.compiler.lowering.kinds import NOTHING, WHOLE, WORD, Kind, Operand, Packed, RowKind, Unsuited
from endsight.compiler.lowering.operations.boards import at_hand, packed
from endsight.compiler.lowering.operations.data import loaded, words_of
from endsight.compiler.lowering.operations.spans import span_of

if TYPE_CHECKING:
    from endsight.compiler.lowering.unit import Builder


@dataclass(eq=False)
class Room:
    """Room for one kind of value that a name stands for."""

    kind: Kind
    places: list[Any]
    packed: Any = None
    """Room for the one word that holds a board."""
    layout: Packed | None = None
    spans: Mapping[int, tuple[int, int]] = field(default_factory=dict)
    """Between which numbers its words are, of a name that is assigned in one place."""


SEVERAL = Room(NOTHING, [])
"""The slot of a name that may stand for several kinds."""


@dataclass
class Exits:
    """Where `break` and `continue` go, and what names stood for there."""

    stop: Any
    further: Any
    stopped: list[Names] = field(default_factory=list)
    went_on: list[Names] = field(default_factory=list)


@dataclass
class Context:
    """Whose statements are written: those of the function, or of a generator inside one of its loops.

    `number` distinguishes their names; `file` is the one that line numbers count in; `is_left` says that its statements
    are left in their middle and resumed: what they need then lies on the stack; `gathers` that what they yield is only
    written down; `is_copied` that they are written several times. `stored` has the names that its statements assign.
    """

    number: int
    file: str
    stored: Mapping[str, Assigned]
    loops: list[Exits] = field(default_factory=list)
    yields: Callable[[Operand], None] | None = None
    leaves: Exits | None = None
    is_left: bool = False
    gathers: bool = False
    is_copied: bool = False


class Assigned(NamedTuple):
    """A name that a function assigns in one place, if that is so, where it is one field of one argument."""

    is_once: bool
    is_field: bool


ALWAYS = Assigned(is_once=True, is_field=True)
"""An argument that is never assigned again."""

Names: TypeAlias = dict[tuple[int, str], Room | Operand]
"""By context and name; a value stands for a name that is never assigned again."""


class Named(Expressions):
    """The part of a frame that keeps names."""

    def __init__(self, unit: Builder, function: ir.Function, context: Context) -> None:
        super().__init__(function, unit.lengths)
        self.unit = unit
        self.context = context
        self.names: Names = {}
        self.slots: dict[tuple[int, str, Kind], Room] = {}
        self.seen: set[Room] = set()

    def enter(self, key: str, value: Operand) -> None:
        """Enter a name that stands for a value: kept where it is, if the function never assigns the name again."""
        value = self.settled(value)
        if key in self.context.stored or _is_row(value.kind) or (self.context.is_left and value.known is None):
            self.store(key, value)
        else:
            self.names[self.context.number, key] = value

    def store(self, key: str, value: Operand) -> None:
        """Assign a value to a name."""
        value = self.settled(value)
        if value.kind is NOTHING:
            raise Unsuited(f"{key} would be nothing")
        slot = self._slot(key, value.kind)
        for place, part in zip(slot.places, value.leaves(), strict=True):
            self.builder.store(part, place)
        now = value.lying(slot.places.__getitem__) if _is_row(value.kind) else value
        stored = self.context.stored.get(key, ALWAYS)
        if stored.is_once and not self.context.is_copied:
            words = enumerate(value.leaves())
            slot.spans = {number: span_of(self, word) for number, word in words if word.type == WORD}
        if value.layout and stored.is_field:
            word = packed(self, value.leaves(), value.layout) if value.packed is None else value.packed
            slot.packed, slot.layout = slot.packed or self.room(WORD), value.layout
            self.builder.store(word, slot.packed)
        self.names[self.context.number, key] = slot
        self.names[self.context.number, f"{key} now"] = Operand(NOTHING) if self.context.is_left else now

    def lasting(self, word: Any) -> Callable[[], Any]:
        """A word that is needed again after other statements."""
        if not self.context.is_left or isinstance(word, ir.Constant):
            return lambda: word
        place = self.room(word.type)
        self.builder.store(word, place)
        return lambda: self.builder.load(place)

    def _slot(self, key: str, kind: Kind) -> Room:
        what = (self.context.number, key, kind)
        if what not in self.slots:
            types = kind.types()
            if _is_row(kind):
                # Side by side, so that items can be found by number; LLVM takes them apart where none is.
                row = self.words_room(len(types))
                places = [self.rooms.gep(row, [constant(number)]) for number in range(len(types))]
                for place in places:
                    self.rooms.store(constant(0), place)
            else:
                places = [self.room(part) for part in types]
            self.slots[what] = Room(kind, places)
        return self.slots[what]

    def read(self, key: str) -> Operand:
        """What a name stands for."""
        known = self.names.get((self.context.number, key))
        if isinstance(known, Operand):
            return known
        now = self.names.get((self.context.number, f"{key} now"))
        if isinstance(now, Operand) and now.kind is not NOTHING:
            return now
        if known is None:
            if key not in self.context.stored:
                return self.unit.constant(key)
            known = self.names[self.context.number, key] = self._slot(key, WHOLE)
        if known is SEVERAL:
            raise Unsuited(f"cannot unify the kinds of values that {key} may stand for")
        self.seen.add(known)
        places = known.places
        row = places.__getitem__ if _is_row(known.kind) else None
        words = [self.builder.load(place) for place in places]
        for number, (least, most) in known.spans.items():
            # The room holds 0 before the name is assigned.
            self.spans[words[number]] = min(least, 0), max(most, 0)
        value = known.kind.built(iter(words), row)
        return at_hand(self, value, known.layout, known.packed and self.builder.load(known.packed))

    def meet(self, ways: list[Names]) -> None:
        """Continue where several branches meet; a name that stands for several kinds must not be read."""
        met: Names = {}
        for names in ways:
            for key, slot in names.items():
                met[key] = slot if met.get(key, slot) is slot else SEVERAL
        self.names = met if len(ways) == 1 else without_values(met)

    def again(self, before: Names, ways: list[Names]) -> None:
        """Check, at the end of a loop, that what a name stood for when it began holds for each turn."""
        for names in ways:
            for key, slot in names.items():
                old = before.get(key) or self.slots.get((*key, WHOLE))
                if old is not slot and isinstance(old, Room) and old in self.seen:
                    raise Unsuited(f"cannot unify the kinds of values that {key[1]} may stand for")


def without_values(names: Names) -> Names:
    """What names stand for, without the values that they were given on one way here."""
    return {key: slot for key, slot in names.items() if not key[1].endswith(" now")}


def _is_row(kind: Kind) -> bool:
    """Whether a value lies in memory word by word."""
    return isinstance(kind, RowKind) and len(kind.items) > 0 and kind.is_of_words


def stored_names(definition: ast.FunctionDef, nodes: Sequence[ast.AST]) -> dict[str, Assigned]:
    """Names that a function, which consists of these nodes, assigns."""
    given = {each.arg for each in definition.args.args}
    stored = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    fields = {
        node.targets[0].id
        for node in nodes
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and isinstance(node.value, ast.Attribute)
        and isinstance(node.value.value, ast.Name)
        and node.value.value.id not in stored
    }
    once = {name for name, times in stored.items() if times == 1 and name not in given}
    return {name: Assigned(name in once, name in once and name in fields) for name in stored}


class Gathered:
    """The moves of a generator, written down before the body of the loop over them runs for the first of them.

    There is room for as many as there are at most, and their number.
    """

    def __init__(self, frame: Named, most: int) -> None:
        self.frame = frame
        self.most = most
        self.count = frame.room(WORD)
        frame.builder.store(constant(0), self.count)
        self.kind: Kind | None = None
        self.spans: list[tuple[int, int]] = []
        """Between which numbers each word of a move is."""
        self.width = 0
        self.room: Any = None

    def add(self, move: Operand) -> None:
        """Write a move, and count it if it is reached; there is room for one that is not."""
        frame, builder = self.frame, self.frame.builder
        move = frame.settled(move)
        if self.kind is None:
            self.kind, self.width = move.kind, len(move.leaves())
            self.room = frame.words_room((self.most + 1) * self.width)
            self.spans = [span_of(frame, each) for each in move.leaves()]
        at = builder.load(self.count)
        first = builder.mul(at, constant(self.width))
        for number, word in enumerate(words_of(frame.turned_into(self.kind, move))):
            builder.store(word.part, builder.gep(self.room, [builder.add(first, constant(number))]))
            ends = [self.spans[number], span_of(frame, word.part)]
            self.spans[number] = min(each[0] for each in ends), max(each[1] for each in ends)
        by = constant(1) if frame.reached is None else builder.zext(frame.reached, WORD)
        builder.store(builder.add(at, by), self.count)

    def item(self, number: Operand) -> Operand:
        """The move with that number."""
        assert self.kind is not None
        first = self.frame.builder.mul(number.part, constant(self.width))
        move = loaded(self.frame, self.kind, self.frame.builder.gep(self.room, [first]))
        for word, (least, most) in zip(move.leaves(), self.spans, strict=True):
            self.frame.spans[word] = least, most
            if least >= 0 and most < 1 << 62:
                word.set_metadata(
                    "range", self.frame.function.module.add_metadata([constant(least), constant(most + 1)])
                )
        return move
