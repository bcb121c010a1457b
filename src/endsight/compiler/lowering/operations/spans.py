"""Between which numbers a word is, as far as the instructions that make it tell."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from llvmlite import ir

if TYPE_CHECKING:
    from endsight.compiler.lowering.emitter import Emitter

Span: TypeAlias = tuple[int, int]
"""The least and the largest number."""

_ALL = -(1 << 63), (1 << 63) - 1
_MONOTONE: dict[str, Callable[[int, int], int]] = {"add": operator.add, "sub": operator.sub, "mul": operator.mul}
_DEPTH = 12
"""So many instructions are looked at, one behind the other."""


def span_of(to: Emitter, part: Any, depth: int = _DEPTH) -> Span:
    """That of a word or bit; bits are 0 and 1."""
    if isinstance(part, ir.Constant):
        return (part.constant, part.constant) if part.type.width > 1 else (part.constant & 1,) * 2
    if part in to.cells:
        return min(to.cells[part].table), max(to.cells[part].table)
    if part.type.width == 1:
        return 0, 1
    if part not in to.spans:
        to.spans[part] = _found(to, part, depth - 1) if depth else _ALL
    return to.spans[part]


def result_span(function: Callable[[int, int], int], left: Span, right: Span) -> Span | None:
    """That of a result that grows or falls with each of two numbers; None if it may need more than a word."""
    ends = [function(*pair) for pair in itertools.product(left, right)]
    span = min(ends), max(ends)
    return span if _ALL[0] <= span[0] and span[1] <= _ALL[1] else None


def _found(to: Emitter, part: Any, depth: int) -> Span:
    name, operands = getattr(part, "opname", ""), getattr(part, "operands", ())
    if name == "select":
        operands = operands[1:]
    elif name == "phi":
        operands = [each for each, _ in part.incomings]
    elif name not in ("and", "or", "xor", "zext", *_MONOTONE):
        return _ALL
    spans = [span_of(to, each, depth) for each in operands]
    least, most = min(each[0] for each in spans), max(each[1] for each in spans)
    if name in _MONOTONE:
        return result_span(_MONOTONE[name], *spans) or _ALL
    if name == "and":
        inside = [each[1] for each in spans if each[0] >= 0]
        return (0, min(inside)) if inside else _ALL
    if name in ("or", "xor"):
        return (0, (1 << most.bit_length()) - 1) if least >= 0 else _ALL
    return least, most
