"""Instructions of one machine function, as operations write them: words, joins, room on the stack, faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from llvmlite import ir

from endsight.compiler.lowering.kinds import (
    REAL,
    TRUTH,
    WHOLE,
    WORD,
    BoardCell,
    BoardPlace,
    Kind,
    Operand,
    Packed,
    RowKind,
    Unsuited,
)

KNOWN_DATA = "endsight_known_data"


def constant(number: int) -> ir.Constant:
    """A constant word."""
    return ir.Constant(WORD, number)


class Emitter:
    """Writes instructions into a function; `builder` stands where the next one goes.

    The function's first block holds nothing but room on the stack.
    """

    def __init__(self, function: ir.Function, lengths: Mapping[int, Packed]) -> None:
        self.function = function
        self.lengths = lengths
        """The layout of as many numbers as a board, or a row of one, has."""
        self.rooms = ir.IRBuilder(function.append_basic_block("rooms"))
        self.builder = ir.IRBuilder(function.append_basic_block("begin"))
        self.reached: Any = None
        """The bit without which Python would not reach what is evaluated here, so that nothing is a fault."""
        self.escape: Any = None
        """Where a fault leads; if there is no such place, what follows continues with some harmless value."""
        self.cells: dict[Any, BoardCell] = {}
        """Words and bits that depend on one number of a board alone."""
        self.places: dict[Any, BoardPlace] = {}
        """Words that are a number of a board each, and where that is, known or not."""
        self.spans: dict[Any, tuple[int, int]] = {}
        """Between which numbers words are known to be."""
        self.made: dict[Any, Any] = {}
        """What was made before, and checked; see `once`."""
        self.counted: dict[Any, tuple[Any, ...]] = {}
        """Words that say how many of some bits are set, each of which depends on one number of a board."""
        self.own_fault: Any = None
        """Room for the last fault of this call, if only its end tells the world: what each turn of a loop around the
        call finds alike can then be found before the loop."""
        self.is_watchful = False
        """Whether this function, or one that it calls, ends early where something failed before."""
        self.finds_in_loop = False
        """Whether an item of a tuple is found by a number in a loop whose number of turns is not known."""

    # ---------------------------------------------------------------- kinds

    def word(self, value: Operand) -> Any:
        """A whole number as a word."""
        if value.kind is WHOLE:
            return value.part
        if value.kind is TRUTH:
            known = value.known
            if known is not None:
                return constant(int(known))
            return self.as_cell(self.builder.zext(value.part, WORD), self.cells.get(value.part))
        raise Unsuited(f"a whole number is needed here, not a {value.kind.name}")

    def real(self, value: Operand) -> Any:
        """A number as a double."""
        if value.kind is REAL:
            return value.part
        known = value.known
        if known is not None:
            return ir.Constant(REAL.type, float(known))
        return self.builder.sitofp(self.word(value), REAL.type)

    def settled(self, value: Operand) -> Operand:
        """The value in its stored form: truth values as words."""
        if value.kind is TRUTH:
            return Operand(WHOLE, self.word(value))
        if isinstance(value.kind, RowKind):
            items = tuple(map(self.settled, value.part))
            kind = RowKind(tuple(item.kind for item in items), value.kind.label, value.kind.names)
            return value._replace(kind=kind, part=items)
        return value

    def turned_into(self, kind: Kind, value: Operand) -> Operand:
        """The value converted to that kind, words to doubles where that is needed."""
        if value.kind is kind or value.kind == kind:
            return value
        if kind is REAL and value.kind.is_whole:
            return Operand(REAL, self.real(value))
        if kind is WHOLE and value.kind is TRUTH:
            return Operand(WHOLE, self.word(value))
        raise Unsuited(f"cannot unify {value.kind.name} and {kind.name}")

    def met(self, ends: list[tuple[list[Any], Any]]) -> list[Any]:
        """Words that come from any of some blocks."""
        joins = []
        for parts in zip(*(words for words, _ in ends), strict=True):
            joins.append(self.builder.phi(parts[0].type))
            for part, (_, block) in zip(parts, ends, strict=True):
                joins[-1].add_incoming(part, block)
        return joins

    # ---------------------------------------------------------------- numbers of boards

    def as_cell(self, part: Any, cell: BoardCell | None) -> Any:
        """The word or bit `part`, of which that is known."""
        if cell is not None and not isinstance(part, ir.Constant):
            self.cells[part] = cell
        return part

    def cell_of(self, function: Callable[..., Any], *parts: Any) -> BoardCell | None:
        """What a function makes of some words, if they depend on one number of a board alone and it has a result."""
        cells = [self.cells.get(part) for part in parts if not isinstance(part, ir.Constant)]
        if not cells or any(each is None or each[:3] != cells[0][:3] for each in cells):  # type: ignore[index]
            return None
        size = len(cells[0].table)  # type: ignore[union-attr]
        given = [self.cells[part].table if part in self.cells else (part.constant,) * size for part in parts]
        try:
            table = tuple(int(function(*each)) for each in zip(*given, strict=True))
        except (ArithmeticError, ValueError):
            return None
        is_small = all(-(1 << 31) < each < 1 << 31 for each in table)
        return cells[0]._replace(table=table) if is_small else None  # type: ignore[union-attr]

    def chosen(self, test: Any, yes: Any, no: Any) -> Any:
        """One of two words, without a jump: the processor would often guess it wrong."""
        result = self.once("select", test, yes, no, make=lambda: self.builder.select(test, yes, no))
        result.set_metadata("unpredictable", self.function.module.add_metadata([]))
        return result

    def once(self, *what: Any, make: Callable[[], Any]) -> Any:
        """What `make` gives, or gave before in this block."""
        key = (*what, self.builder.block)
        if key not in self.made:
            self.made[key] = make()
        return self.made[key]

    # ---------------------------------------------------------------- the stack

    def room(self, kind: Any) -> Any:
        """A pointer to room for that type, kept until the function returns; a single number is zero at first."""
        place = self.rooms.alloca(kind)
        if not isinstance(kind, ir.ArrayType):
            self.rooms.store(ir.Constant(kind, None), place)
        return place

    def words_room(self, length: int) -> Any:
        """A pointer to `length` words on the stack."""
        place = self.rooms.alloca(ir.ArrayType(WORD, max(length, 1)))
        return self.rooms.bitcast(place, WORD.as_pointer())

    # ---------------------------------------------------------------- shared variables

    def shared(self, name: str) -> Any:
        """A word shared by all functions of the object."""
        known = self.function.module.globals.get(name)
        if known is not None:
            return known
        variable = ir.GlobalVariable(self.function.module, WORD, name)
        variable.linkage = "internal"
        variable.initializer = constant(0)
        return variable

    @property
    def known_data(self) -> Any:
        """The rules' data array if it is a constant of the object; else None."""
        return self.function.module.globals.get(KNOWN_DATA)

    def fault_if(self, condition: Any, site: Any) -> None:
        """Write `site` into the fault if the bit `condition` is set.

        A site of 0 says that nothing fails there, unless something failed before, which must not be forgotten.
        """
        if any(isinstance(part, ir.Constant) and not part.constant for part in (condition, site)):
            return
        condition = condition if self.reached is None else self.builder.and_(condition, self.reached)
        if self.own_fault is not None and self.escape is None:
            found = self.builder.select(condition, site, self.builder.load(self.own_fault))
            self.builder.store(found, self.own_fault)
            return
        with self.builder.if_then(condition, likely=False):
            self.builder.store(site, self.shared("endsight_fault"))
            if self.escape is not None:
                self.builder.branch(self.escape)

    def tell_fault(self) -> None:
        """Write the last fault of this call, if there is any, where all functions look."""
        if self.own_fault is not None:
            found = self.builder.load(self.own_fault)
            with self.builder.if_then(self.builder.icmp_signed("!=", found, constant(0)), likely=False):
                self.builder.store(found, self.shared("endsight_fault"))

    def escape_if_faulty(self) -> None:
        """Go where faults lead, if there is such a place, after an instruction that may have failed."""
        if self.escape is not None:
            fault = self.builder.load(self.shared("endsight_fault"))
            further = self.builder.append_basic_block("further")
            self.builder.cbranch(self.builder.icmp_signed("==", fault, constant(0)), further, self.escape)
            self.builder.position_at_end(further)

    def function_of(self, name: str, kind: ir.FunctionType) -> Any:
        """A function outside the module, such as one that LLVM knows."""
        known = self.function.module.globals.get(name)
        return known if known is not None else ir.Function(self.function.module, kind, name)

    def bit(self, number: int) -> Any:
        """A constant bit."""
        return ir.Constant(TRUTH.type, number)
