"""Sets of small numbers in the rules, as the bits of a number: membership, unions, comparisons, size.

The sequence of the members is made beside it, in order, for everything that needs one; if nothing reads it, nothing of
it remains in the machine code.
"""

from __future__ import annotations

import ast
from typing import Any

from endsight.compiler import core, library
from endsight.compiler.flow import Value
from endsight.compiler.texts import Texts

MOST_MEMBER = 62
"""The largest member of a set that is one number."""
_COMPARISONS = (library.is_same, library.is_inside, library.is_smaller, library.is_around)


class Members(Texts):
    """The part of the translation of a function that deals with such sets."""

    def of_bits(self, bits: core.Expr, sort: str, item: core.Type = core.INT) -> Value:
        """The set, or the sorted list, whose members are the bits of a number."""
        if not isinstance(bits, core.Number):
            name = self.fresh()
            self.add(core.Assign(name, bits, self.line))
            bits = core.Local(name, core.INT)
        name, kind = self.fresh(), core.Sequence(item, sort)
        self.fresh_lists.add(name)
        self.add(core.Assign(name, core.Members(bits, kind), self.line))
        return Value(kind, core.Local(name, kind), bits=None if sort == "list" else bits)

    def has_bit(self, bits: core.Expr, member: core.Expr) -> core.Expr:
        """Whether a number is among the members."""
        place = core.Binary("and", member, core.Number(63), 0)
        bit = core.Binary("and", core.Binary("shift_right", bits, place, 0), core.Number(1), 0)
        inside = core.Compare("==", core.Binary("and", member, core.Number(-64), 0), core.Number(0))
        return core.Either("and", (inside, core.Compare("!=", bit, core.Number(0))), core.BOOL)

    def bits_of(self, value: Value, node: ast.AST, *, whole: bool) -> core.Expr | None:
        """The members of a set or the items of a known sequence as bits; None if they have no such form.

        Numbers that are too large are left out, unless `whole` says that all are needed: then they are a fault.
        """
        if value.bits is not None:
            return value.bits  # type: ignore[no-any-return]
        if isinstance(value.known, set | frozenset | tuple | list | range):
            if not all(type(each) is int and (0 <= each <= MOST_MEMBER or not whole) for each in value.known):
                return None
            return core.Number(sum(1 << each for each in set(value.known) if 0 <= each <= MOST_MEMBER))
        if not self._is_written(value):
            return None
        result: core.Expr = core.Number(0)
        for item in self.written[value.expr.name]:
            inside = [core.Compare("<=", core.Number(0), item), core.Compare("<=", item, core.Number(MOST_MEMBER))]
            fits = core.Either("and", tuple(inside), core.BOOL)
            site = self.site(node, f"a member of the set is not within 0 .. {MOST_MEMBER}")
            bit: core.Expr = core.Binary("shift_left", core.Number(1), item, site)
            if whole:
                self.add(core.Fault(core.Not(fits), site, self.line))
            else:
                bit = core.Choice(fits, bit, core.Number(0), core.INT)
            result = core.Binary("or", result, bit, 0)
        return result

    def _is_written(self, value: Value) -> bool:
        """Whether a set is written out at that place."""
        return isinstance(value.expr, core.Local) and value.expr.name in self.written

    def by_bits(self, function: Any, one: Value, other: Value, node: ast.AST) -> Value | None:
        """The result of a function of `library` for two sets, one of which is bits; None for others."""
        is_written = self._is_written(one) or self._is_written(other)
        if (one.bits is None and other.bits is None) or (is_written and function in _COMPARISONS):
            return None
        needs_left = function not in (library.common, library.is_apart)
        left = self.bits_of(one, node, whole=needs_left)
        right = self.bits_of(other, node, whole=needs_left and function is not library.lacking)
        if left is None or right is None:
            return None
        if function is library.is_around:
            left, right = right, left
        lacking = core.Binary("and", left, core.Unary("invert", right, 0), 0)
        is_inside = core.Compare("==", lacking, core.Number(0))
        if function is library.is_same:
            return Value(core.BOOL, core.Compare("==", left, right))
        if function is library.is_smaller:
            return Value(core.BOOL, core.Either("and", (is_inside, core.Compare("!=", left, right)), core.BOOL))
        if function in _COMPARISONS:
            return Value(core.BOOL, is_inside)
        bits = core.Binary({library.united: "or", library.in_one: "xor"}.get(function, "and"), left, right, 0)
        if function is library.is_apart:
            return Value(core.BOOL, core.Compare("==", bits, core.Number(0)))
        items = {each.type.item for each in (one, other) if each.type.is_sequence}
        sort = one.type.sort if one.expr is not None else type(one.known).__name__
        item = items.pop() if len(items) == 1 else core.EITHER
        return self.of_bits(lacking if function is library.lacking else bits, sort or "", item)

    def small(self, source: ast.expr, node: ast.AST, sort: str) -> Value | None:
        """A set of known small numbers, each of which may be in it or not; None for others."""
        with self.attempt():
            fits, _ = self._small(source)
        if not fits:
            return None
        _, bits = self._small(source)
        return self.of_bits(bits, sort)

    def _small(self, source: ast.expr) -> tuple[bool, core.Expr]:
        """Whether all items of `source` are such numbers, and their bits."""
        name = self.fresh()
        fits: bool | None = None
        bits = core.Local(name, core.INT)
        self.add(core.Assign(name, core.Number(0), self.line))

        def turn(item: Value) -> None:
            nonlocal fits
            fits = fits is not False and type(item.known) is int and 0 <= item.known <= MOST_MEMBER
            if fits:
                bit = core.Number(1 << item.known)
                self.add(core.Assign(name, core.Binary("or", bits, bit, 0), self.line))

        self.go_through(source, turn, set(), source, unordered=True)
        return bool(fits), bits
