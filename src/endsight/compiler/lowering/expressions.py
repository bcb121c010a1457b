"""Expressions of rules and kernels, as instructions."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import (
    DATA,
    NOTHING,
    REAL,
    SCRATCH,
    TRUTH,
    WHOLE,
    WORD,
    BoardCell,
    Kind,
    Memory,
    Operand,
    Packed,
    RowKind,
    Unsuited,
    fixed,
    row,
    whole,
)
from endsight.compiler.lowering.operations import OPERATIONS
from endsight.compiler.lowering.operations.arithmetic import divided
from endsight.compiler.lowering.operations.boards import Passing, at_hand, most_of, over, packed, rejoined, too_large
from endsight.compiler.lowering.operations.data import es_length
from endsight.compiler.lowering.operations.memory import es_load
from endsight.compiler.lowering.operations.spans import span_of
from endsight.compiler.syntax import CALCULATED, COMPARED

if TYPE_CHECKING:
    from endsight.compiler.lowering.names import Context
    from endsight.compiler.lowering.unit import Builder

_WORDS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.LShift: "shl",
    ast.RShift: "ashr",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}
_REALS = {ast.Add: "fadd", ast.Sub: "fsub", ast.Mult: "fmul", ast.Div: "fdiv"}


class Expressions(Emitter):
    """The part of a frame that evaluates expressions; the other part keeps names."""

    unit: Builder
    context: Context
    read: Callable[[str], Operand]

    def expression(self, node: ast.expr) -> Operand:
        """The value of an expression."""
        method = getattr(self, "_" + type(node).__name__.lower(), None)
        if method is None:
            raise Unsuited(f"{type(node).__name__} has no machine code here")
        value: Operand = method(node)
        return value

    # ---------------------------------------------------------------- parts

    def _constant(self, node: ast.Constant) -> Operand:
        if isinstance(node.value, bool):
            return self._told(node.value)
        if isinstance(node.value, float):
            return Operand(REAL, ir.Constant(REAL.type, node.value))
        if node.value is None:
            return Operand(NOTHING)
        if not isinstance(node.value, int):
            raise Unsuited(f"{node.value!r} is not a number")
        return fixed(node.value)

    def _name(self, node: ast.Name) -> Operand:
        return self.read(node.id)

    def _tuple(self, node: ast.Tuple) -> Operand:
        return rejoined(self, row([self.expression(part) for part in node.elts]))

    def _attribute(self, node: ast.Attribute) -> Operand:
        base = self.expression(node.value)
        if not isinstance(base.kind, RowKind) or node.attr not in base.kind.names:
            raise Unsuited(f"a {base.kind.name} has no field {node.attr}")
        number = base.kind.names.index(node.attr)
        item: Operand = base.part[number]
        if base.kind.label == "State" and number in self.unit.boards:
            word = base.part[len(base.kind.names) + list(self.unit.boards).index(number)]
            # All boards begin at bit 0, so that one of several goes in one word, too.
            layout = self.unit.boards[number]
            first = self.builder.lshr(word.part, constant(layout.at))
            return at_hand(self, item, layout._replace(at=0), first)
        return item

    def _subscript(self, node: ast.Subscript) -> Operand:
        base, index = self.expression(node.value), self.expression(node.slice)
        if isinstance(base.kind, Memory):
            return es_load(self, base, index)
        return OPERATIONS["es_item"](self, base, index, fixed(0))

    def _call(self, node: ast.Call) -> Operand:
        if not isinstance(node.func, ast.Name):
            raise Unsuited(f"{ast.unparse(node.func)} cannot be called")
        called = node.func.id
        if called in ("es_all", "es_any"):
            return self._at_once(node.args, stops=called == "es_any")
        if called == "es_chosen":
            return self._chosen_at_once(*node.args)
        given = [self.expression(part) for part in node.args]
        if called in OPERATIONS:
            return OPERATIONS[called](self, *given)
        if called == "State":
            return self._state([self.settled(part) for part in given])
        names = self.unit.constants.get(called)
        if isinstance(names, tuple):
            return self.settled(Operand(RowKind(tuple(part.kind for part in given), called, names), tuple(given)))
        for kind in DATA:
            if called == kind.label:
                return kind.of(given)
        if called in self.unit.definitions:
            return self.unit.called(self, called, given)
        builtin = getattr(self, f"_{called}_of", None)
        if builtin is None:
            raise Unsuited(f"{called} cannot be called")
        result: Operand = builtin(*given)
        return result

    def _state(self, fields: list[Operand]) -> Operand:
        """A state: its fields, then each of its boards as one word; a fault where a number needs more bits."""
        boards = []
        for number, layout in self.unit.boards.items():
            boards.append(whole(self._board(fields[number], layout)))
        parts = (*fields, *boards)
        return Operand(RowKind(tuple(part.kind for part in parts), "State", self.unit.constants["State"]), parts)

    def _board(self, board: Operand, layout: Packed) -> Any:
        """A board as one word; a fault where a number is larger than it may be, except in what comes out of a key."""
        words, site, own = board.leaves(), constant(self.unit.site_of_limits), board.layout
        most = most_of(self, words) if own is None else own.most
        is_told = self.unit.is_codec(self.context.file) or (most is not None and 0 < most <= layout.most)
        bad = self.bit(0)
        if board.packed is not None and own is not None and own.bits == layout.bits:
            word = self.builder.shl(self.builder.lshr(board.packed, constant(own.at)), constant(layout.at))
            word = self.builder.and_(word, constant(((1 << len(words) * layout.bits) - 1) << layout.at))
        else:
            bad = too_large(self, words, layout)
            word = packed(self, words, layout)
        if not is_told and 0 < layout.most < (1 << layout.bits) - 1:
            bad = self.builder.or_(bad, over(self, word, len(words), layout))
        if isinstance(bad, ir.Constant):
            return word
        # What is read from the board before the fault is noticed must be within limits, too.
        self.fault_if(bad, site)
        return self.builder.select(bad, constant(0), word)

    # ---------------------------------------------------------------- numbers

    def _binop(self, node: ast.BinOp) -> Operand:
        return self.calculated(node.op, self.expression(node.left), self.expression(node.right))

    def calculated(self, op: ast.operator, a: Operand, b: Operand) -> Operand:
        """Unchecked arithmetic, in words or doubles."""
        known = _folded(op, a.known, b.known)
        if known is not None:
            return fixed(known)
        if a.kind is REAL or b.kind is REAL or isinstance(op, ast.Div):
            if type(op) not in _REALS:
                raise Unsuited(f"{type(op).__name__} is not for floating numbers here")
            return Operand(REAL, getattr(self.builder, _REALS[type(op)])(self.real(a), self.real(b)))
        left, right = self.word(a), self.word(b)
        if isinstance(op, ast.FloorDiv | ast.Mod):
            # Kernels divide only by numbers that they know are not 0; the processor must not trap even so.
            is_none = self.builder.icmp_signed("==", right, constant(0))
            parts = divided(self, left, self.builder.select(is_none, constant(1), right))
            return whole(self.builder.select(is_none, constant(0), parts[isinstance(op, ast.Mod)]))
        if type(op) not in _WORDS:
            raise Unsuited(f"{type(op).__name__} has no machine code here")
        result = getattr(self.builder, _WORDS[type(op)])(left, right)
        return whole(self.as_cell(result, self.cell_of(CALCULATED[type(op)][1], left, right)))

    def _unaryop(self, node: ast.UnaryOp) -> Operand:
        if isinstance(node.op, ast.Not):
            return self._told(self.truth(node))
        value = self.expression(node.operand)
        known = value.known
        if isinstance(node.op, ast.USub):
            if value.kind is REAL:
                return Operand(
                    REAL, ir.Constant(REAL.type, -known) if known is not None else self.builder.fneg(value.part)
                )
            return fixed(-known) if isinstance(known, int) else whole(self.builder.neg(self.word(value)))
        word = self.word(value)
        return whole(self.builder.not_(word)) if isinstance(node.op, ast.Invert) else whole(word)

    def _int_of(self, value: Operand) -> Operand:
        if value.kind is REAL:
            return whole(self.builder.fptosi(value.part, WORD))
        return whole(self.word(value))

    # ---------------------------------------------------------------- truth

    def truth(self, node: ast.expr) -> Any:
        """Whether an expression is true: a bit, or True or False if that is already known."""
        if isinstance(node, ast.BoolOp):
            bits = (self._told(self.truth(part)) for part in node.values)
            return self.true(self._deciding(bits, len(node.values), stops=isinstance(node.op, ast.Or)))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return self._turned(self.truth(node.operand))
        return self.true(self.expression(node))

    def true(self, value: Operand) -> Any:
        """Whether a value counts as true."""
        known = value.known
        if known is not None:
            return bool(known)
        if value.kind is TRUTH:
            return value.part
        if value.kind is WHOLE:
            return self.compared(ast.NotEq(), value, fixed(0))
        if value.kind is REAL:
            return self.builder.fcmp_unordered("!=", value.part, ir.Constant(REAL.type, 0.0))
        if isinstance(value.kind, RowKind) and (not value.kind.label or value.kind.depth or value.kind == SCRATCH):
            return self.true(es_length(self, value))
        if isinstance(value.kind, RowKind):
            return bool(value.part)
        raise Unsuited(f"a {value.kind.name} is neither true nor false")

    def _boolop(self, node: ast.BoolOp) -> Operand:
        """`a or b` as a value."""
        values = (self.settled(self.expression(part)) for part in node.values)
        return self._deciding(values, len(node.values), stops=isinstance(node.op, ast.Or))

    def _deciding(self, values: Iterator[Operand], count: int, stops: bool) -> Operand:
        """The first of `count` values whose truth is `stops`, or the last.

        Each is taken from the iterator, and so evaluated, behind the jump that those before it leave undecided.
        """
        ends: list[tuple[Operand, Any]] = []
        after = None
        for number, value in enumerate(values):
            bit = self.true(value)
            if number == count - 1 or bit is stops:
                ends.append((value, self.builder.block))
                break
            if isinstance(bit, bool):
                continue
            ends.append((self._told(stops) if value.kind is TRUTH else value, self.builder.block))
            after = after or self.builder.append_basic_block("decided")
            further = self.builder.append_basic_block("undecided")
            self.builder.cbranch(bit, *((after, further) if stops else (further, after)))
            self.builder.position_at_end(further)
        if after is None:
            return ends[-1][0]
        self.builder.branch(after)
        self.builder.position_at_end(after)
        return self._met(ends)

    def _at_once(self, parts: list[ast.expr], stops: bool) -> Operand:
        """The same with all parts evaluated, without a jump; a fault counts only where Python would reach it."""
        outer, result = self.reached, self.bit(int(not stops))
        for part in parts:
            bit = self.as_bit(self.truth(part))
            result = self.builder.or_(result, bit) if stops else self.builder.and_(result, bit)
            way = self.builder.not_(result) if stops else result
            self.reached = way if outer is None else self.builder.and_(outer, way)
        self.reached = outer
        return Operand(TRUTH, result)

    def _met(self, ends: list[tuple[Operand, Any]]) -> Operand:
        """The value that comes from any of the blocks; all are settled."""
        kind = ends[0][0].kind
        for value, _ in ends:
            if value.kind != kind:
                raise Unsuited(f"cannot unify {kind.name} and {value.kind.name}")
        shape = Passing.of(*(value for value, _ in ends))
        return shape.value(self, iter(self.met([(shape.words(value), block) for value, block in ends])))

    def _ifexp(self, node: ast.IfExp) -> Operand:
        bit = self.truth(node.test)
        if isinstance(bit, bool):
            return self.expression(node.body if bit else node.orelse)
        blocks = [self.builder.append_basic_block(each) for each in ("chosen", "otherwise", "after")]
        self.builder.cbranch(bit, *blocks[:2])
        ends: list[tuple[Operand, Any]] = []
        for part, block in zip((node.body, node.orelse), blocks, strict=False):
            self.builder.position_at_end(block)
            ends.append((self.settled(self.expression(part)), self.builder.block))
        kinds = {value.kind for value, _ in ends}
        wanted: Kind = REAL if REAL in kinds else ends[0][0].kind
        same = []
        for value, block in ends:
            self.builder.position_at_end(block)
            same.append((self.turned_into(wanted, value), block))
            self.builder.branch(blocks[2])
        self.builder.position_at_end(blocks[2])
        met = self._met(same)
        if met.kind is WHOLE:
            self._as_chosen(met.part, bit, *(value.part for value, _ in same))
        return met

    def _chosen_at_once(self, test: ast.expr, yes: ast.expr, no: ast.expr) -> Operand:
        """One of two numbers that are both worked out, without a jump; of each a fault counts only if it is chosen."""
        outer, bit, words = self.reached, self.as_bit(self.truth(test)), []
        for part, way in ((yes, bit), (no, self.builder.not_(bit))):
            self.reached = way if outer is None else self.builder.and_(outer, way)
            words.append(self.word(self.expression(part)))
        self.reached = outer
        return whole(self._as_chosen(self.chosen(bit, *words), bit, *words))

    def _as_chosen(self, part: Any, *parts: Any) -> Any:
        return self.as_cell(part, self.cell_of(lambda test, yes, no: yes if test else no, *parts))

    # ---------------------------------------------------------------- comparisons

    def _compare(self, node: ast.Compare) -> Operand:
        """`a < b < c`: later parts are evaluated only if needed."""
        return self._deciding(self._links(node), len(node.ops), stops=False)

    def _links(self, node: ast.Compare) -> Iterator[Operand]:
        left = self.expression(node.left)
        for op, part in zip(node.ops, node.comparators, strict=True):
            right = self.expression(part)
            yield self._told(self.compared(op, left, right))
            left = right

    def compared(self, op: ast.cmpop, a: Operand, b: Operand) -> Any:
        """One comparison: a bit, or True or False if that is already known."""
        sign, function = COMPARED[type(op)]
        if isinstance(a.kind, RowKind) or isinstance(b.kind, RowKind):
            return self._rows_compared(op, a, b)
        known = a.known, b.known
        if known[0] is not None and known[1] is not None:
            return function(*known)
        if a.kind is REAL or b.kind is REAL:
            ordered = self.builder.fcmp_unordered if sign == "!=" else self.builder.fcmp_ordered
            return ordered(sign, self.real(a), self.real(b))
        left, right = self.word(a), self.word(b)
        cell = self.cell_of(function, left, right)
        if cell is None:
            if sign in ("==", "!=") and (bit := self._compared_in_place(sign, left, right)) is not None:
                return bit
            return self.once("icmp", left, right, sign, make=lambda: self.builder.icmp_signed(sign, left, right))
        if len(set(cell.table)) == 1:
            return bool(cell.table[0])
        bit = self._told_by_board(cell)
        return self.as_cell(self.builder.icmp_signed(sign, left, right) if bit is None else bit, cell)

    def _told_by_board(self, cell: BoardCell) -> Any:
        """The same where one number of a board is it, or is not: LLVM joins such tests of one board; else None."""
        for wanted, sign in ((1, "=="), (0, "!=")):
            if cell.table.count(wanted) == 1:
                own = self.builder.and_(cell.board, constant((1 << cell.bits) - 1 << cell.at))
                return self.builder.icmp_signed(sign, own, constant(cell.table.index(wanted) << cell.at))
        return None

    def _compared_in_place(self, sign: str, left: Any, right: Any) -> Any:
        """The same for a number of a board, beside a word that is written to all places: LLVM joins such tests."""
        for one, other in ((left, right), (right, left)):
            place = self.places.get(one)
            if place is None or isinstance(other, ir.Constant):
                continue
            mask, (least, most) = (1 << place.bits) - 1, span_of(self, other)
            if least >= 0 and most <= mask:
                builder = self.builder
                everywhere = self.once("mul", other, place.lows, make=partial(builder.mul, other, constant(place.lows)))
                found = builder.lshr(builder.xor(place.board, everywhere), place.shift)
                return builder.icmp_signed(sign, builder.and_(found, constant(mask)), constant(0))
        return None

    def _rows_compared(self, op: ast.cmpop, a: Operand, b: Operand) -> Any:
        """Tuples, item by item."""
        for kind in (a.kind, b.kind):
            if not isinstance(kind, RowKind) or kind.depth or kind == SCRATCH:
                raise Unsuited(f"a {a.kind.name} cannot be compared with a {b.kind.name}")
        one, other = self._items_of(a), self._items_of(b)
        if isinstance(op, ast.Eq | ast.NotEq):
            same: Any = len(one) == len(other)
            if same:
                same = self._all_same(one, other)
            return same if isinstance(op, ast.Eq) else self._turned(same)
        return self._ordered(op, one, other)

    def _items_of(self, row: Operand) -> tuple[Operand, ...]:
        """The items of a tuple; of a state the fields, without its boards as words."""
        items: tuple[Operand, ...] = row.part
        return items[: len(items) - len(self.unit.boards)] if row.kind.name == "State" else items

    def _all_same(self, a: tuple[Operand, ...], b: tuple[Operand, ...]) -> Any:
        same: Any = True
        for one, other in zip(a, b, strict=True):
            bit = self.compared(ast.Eq(), one, other)
            if isinstance(bit, bool):
                if not bit:
                    return False
                continue
            same = bit if same is True else self.builder.and_(same, bit)
        return same

    def _ordered(self, op: ast.cmpop, a: tuple[Operand, ...], b: tuple[Operand, ...]) -> Any:
        """Which of two tuples comes first: the first items that differ decide."""
        if not a or not b:
            return COMPARED[type(op)][1](len(a), len(b))
        rest = self.as_bit(self._ordered(op, a[1:], b[1:]))
        strict = {ast.LtE: ast.Lt(), ast.GtE: ast.Gt()}.get(type(op), op)
        same = self.as_bit(self.compared(ast.Eq(), a[0], b[0]))
        return self.builder.select(same, rest, self.as_bit(self.compared(strict, a[0], b[0])))

    def as_bit(self, bit: Any) -> Any:
        """A bit, which may be known."""
        return self.bit(int(bit)) if isinstance(bit, bool) else bit

    def _told(self, bit: Any) -> Operand:
        return Operand(TRUTH, self.as_bit(bit))

    def _turned(self, bit: Any) -> Any:
        if isinstance(bit, bool):
            return not bit
        return self.as_cell(self.builder.not_(bit), self.cell_of(operator.not_, bit))


def _folded(op: ast.operator, a: int | float | None, b: int | float | None) -> int | None:
    """The result of arithmetic in words, if it is already known."""
    if not isinstance(a, int) or not isinstance(b, int) or type(op) not in CALCULATED:
        return None
    try:
        number: int = CALCULATED[type(op)][1](a, b)
    except (ArithmeticError, ValueError):
        return None
    return number if isinstance(number, int) and -(1 << 63) <= number < 1 << 63 else None
