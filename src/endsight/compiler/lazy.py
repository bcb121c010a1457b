"""Functions that produce their items one by one, as equivalent generator expressions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

from endsight.compiler.resolve import is_one_of
from endsight.compiler.syntax import filled

CHOSEN = (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement)
_MOST = 8


def as_generator(function: Any, node: ast.Call, repeat: Any, fresh: Callable[[], str]) -> ast.expr | None:
    """A call as a generator expression with names of ours; None for other functions.

    `repeat` is the known value of the keyword of that name, or how many items `combinations` and the like choose.
    """
    given = node.args
    if any(isinstance(part, ast.Starred) for part in given) or (node.keywords and function is not itertools.product):
        return None
    text = _text_of(function, given, repeat if isinstance(repeat, int) else 0)
    return None if text is None else filled(text, node, fresh, **{f"a{at}": part for at, part in enumerate(given)})


def _text_of(function: Any, given: list[ast.expr], repeat: int) -> str | None:
    """The generator expression as text, in which `a0`, `a1`, ... stand for the arguments."""
    count = len(given)
    if function is map and count > 1:
        items = ", ".join(f"x{at}" for at in range(1, count))
        sources = ", ".join(f"a{at}" for at in range(1, count))
        return f"(a0({items}) for {items} in {sources if count == 2 else f'zip({sources})'})"
    if function is filter and count == 2:
        is_none = isinstance(given[0], ast.Constant) and given[0].value is None
        return f"(x for x in a1 if {'x' if is_none else 'a0(x)'})"
    if function is itertools.starmap and count == 2:
        return "(a0(*x) for x in a1)"
    if isinstance(function, BuiltinFunctionType) and function == itertools.chain.from_iterable and count == 1:
        return "(x for part in a0 for x in part)"
    if function is itertools.product and 0 < repeat * count <= _MOST:
        return _tuples("x{}", [f"for x{at} in a{at % count}" for at in range(repeat * count)])
    if is_one_of(function, CHOSEN) and 0 < repeat <= _MOST:
        return _tuples("a0[x{}]", [_places(function, at) for at in range(repeat)])
    return None


def _places(function: Any, at: int) -> str:
    """The loop over the places of one item, each after the one before, or different from all before."""
    if function is itertools.permutations:
        return " ".join([f"for x{at} in range(len(a0))", *(f"if x{at} != x{before}" for before in range(at))])
    first = f"x{at - 1}{' + 1' * (function is itertools.combinations)}, " if at else ""
    return f"for x{at} in range({first}len(a0))"


def _tuples(item: str, loops: list[str]) -> str:
    items = "".join(f"{item.format(at)}, " for at in range(len(loops)))
    return f"(({items}) {' '.join(loops)})"
