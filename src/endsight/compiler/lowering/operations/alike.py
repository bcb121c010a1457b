"""Numbers and truth values that are made alike, side by side in one word: few instructions make all of them.

What Python makes number by number, such as `mark if at == move else cell` for every cell of a board, consists of the
same instructions for each; they differ in constants, and in the number of the board that they begin with.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

from llvmlite import ir

from endsight.compiler.lowering.emitter import Emitter, constant
from endsight.compiler.lowering.kinds import WORD
from endsight.compiler.lowering.operations.spans import span_of

_BITWISE = {"and": "and_", "or": "or_", "xor": "xor"}
_TURNED = {"slt": "sgt", "sle": "sge", "sgt": "slt", "sge": "sle"}


def alike(to: Emitter, parts: Sequence[Any], bits: int) -> Any:
    """Words and bits that are made alike as numbers of so many bits, the first highest; else None."""
    first = parts[0]
    are_same = all(type(each) is type(first) and each.type == first.type for each in parts)
    if not are_same or len(parts) * bits >= WORD.width:
        return None
    if isinstance(first, ir.Constant):
        return _constants(parts, bits)
    if (word := _mapped(to, parts, bits)) is not None:
        return word
    lows = constant(_lows(len(parts), bits))
    if all(each is first for each in parts):
        least, most = span_of(to, first)
        is_small = least >= 0 and most <= _mask(bits)
        return to.builder.mul(to.builder.zext(first, WORD), lows) if is_small else None
    name = getattr(first, "opname", "")
    if name not in (*_BITWISE, "zext", "select", "icmp") or any(each.opname != name for each in parts):
        return None
    return _compared(to, parts, bits) if name == "icmp" else _operated(to, name, parts, bits)


def _constants(parts: Sequence[Any], bits: int) -> Any:
    numbers = [each.constant & 1 if each.type.width == 1 else each.constant for each in parts]
    if not all(0 <= each <= _mask(bits) for each in numbers):
        return None
    return constant(functools.reduce(lambda word, each: word << bits | each, numbers, 0))


def _mapped(to: Emitter, parts: Sequence[Any], bits: int) -> Any:
    """The same where each depends on another number of one board alone, in the order of the board."""
    first = to.cells.get(parts[0])
    if first is None or first.bits != bits or not all(0 <= each <= _mask(bits) for each in first.table):
        return None
    cells = [first._replace(at=first.at - number * bits) for number in range(len(parts))]
    if cells != [to.cells.get(each) for each in parts]:
        return None
    builder = to.builder
    lows = constant(_lows(len(parts), bits))
    board = builder.lshr(first.board, constant(cells[-1].at))
    if first.table == tuple(range(len(first.table))):
        return builder.and_(board, constant(lows.constant * _mask(bits)))
    digits = [builder.and_(builder.lshr(board, constant(bit)), lows) for bit in range(bits)]
    turned = [builder.xor(digit, lows) for digit in digits]
    made = []
    for number, value in enumerate(first.table):
        here = lows
        for bit in range(bits):
            here = builder.and_(here, digits[bit] if number >> bit & 1 else turned[bit])
        made.append(builder.mul(here, constant(value)))
    return functools.reduce(builder.or_, made)


def _operated(to: Emitter, name: str, parts: Sequence[Any], bits: int) -> Any:
    """The same for instructions that do the same with each bit, once what they begin with is made so."""
    builder, words = to.builder, []
    for operand in zip(*(each.operands for each in parts), strict=True):
        words.append(alike(to, operand, bits))
        if words[-1] is None:
            return None
    if name == "select":
        changed = builder.and_(builder.xor(words[1], words[2]), builder.mul(words[0], constant(_mask(bits))))
        return builder.xor(changed, words[2])
    return words[0] if name == "zext" else getattr(builder, _BITWISE[name])(*words)


def _compared(to: Emitter, parts: Sequence[Any], bits: int) -> Any:
    """One word compared with constants that go up by 1, or with 0 each of words made alike."""
    sign, swapped = parts[0].op, isinstance(parts[0].operands[0], ir.Constant)
    if any(each.op != sign for each in parts):
        return None
    words, numbers = zip(*(each.operands[::-1] if swapped else each.operands for each in parts), strict=True)
    if not all(isinstance(each, ir.Constant) for each in numbers):
        return None
    if all(each is words[0] for each in words):
        first = numbers[0].constant
        is_row = [each.constant for each in numbers] == list(range(first, first + len(parts)))
        sign = _TURNED.get(sign, sign) if swapped else sign
        return _row_compared(to, sign, words[0], first, len(parts), bits) if is_row else None
    if sign != "ne" or any(each.constant for each in numbers) or (word := alike(to, words, bits)) is None:
        return None
    lows, builder = constant(_lows(len(parts), bits)), to.builder
    return functools.reduce(builder.or_, (builder.and_(builder.lshr(word, constant(bit)), lows) for bit in range(bits)))


def _row_compared(to: Emitter, sign: str, word: Any, first: int, count: int, bits: int) -> Any:
    """Where a word is equal to, below or above numbers from `first` on."""
    builder, lows = to.builder, constant(_lows(count, bits))
    if sign in ("eq", "ne"):
        left = builder.sub(constant(first + count - 1), word)
        inside = builder.icmp_unsigned("<", left, constant(count))
        distance = builder.mul(builder.select(inside, left, constant(0)), constant(bits))
        found = builder.shl(builder.zext(inside, WORD), distance)
    elif sign in ("slt", "sle", "sgt", "sge"):
        # The numbers below the word, or up to it, come first.
        least = first - (sign in ("sge", "slt"))
        distance = builder.sub(constant(least + count), _between(to, word, least, least + count))
        found = builder.and_(builder.shl(constant(-1), builder.mul(distance, constant(bits))), lows)
    else:
        return None
    return builder.xor(found, lows) if sign in ("ne", "slt", "sle") else found


def _between(to: Emitter, word: Any, least: int, most: int) -> Any:
    """A word, or the end that it is beyond."""
    span = span_of(to, word)
    for end, sign, is_needed in ((least, "<", span[0] < least), (most, ">", span[1] > most)):
        if is_needed:
            word = to.builder.select(to.builder.icmp_signed(sign, word, constant(end)), constant(end), word)
    return word


def _lows(count: int, bits: int) -> int:
    return sum(1 << number * bits for number in range(count))


def _mask(bits: int) -> int:
    return (1 << bits) - 1
