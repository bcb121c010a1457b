"""Functions that produce their items one by one, as equivalent generator expressions."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

from endsight.compiler.resolve import is_one_of
from endsight.compiler.syntax import constant

Fresh = Callable[[], str]


def as_generator(function: Any, node: ast.Call, repeat: Any, fresh: Fresh) -> ast.GeneratorExp | None:
    """A call as a generator expression with names of ours; None for other functions.

    `repeat` is the known value of the keyword of that name, or how many items `combinations` and the like choose.
    """
    given = node.args
    if any(isinstance(part, ast.Starred) for part in given) or (node.keywords and function is not itertools.product):
        return None
    made = None
    if function is map and len(given) > 1:
        made = _mapped(given, fresh)
    elif function is filter and len(given) == 2:
        made = _filtered(given, fresh)
    elif function is itertools.starmap and len(given) == 2:
        item = fresh()
        made = _generator(ast.Call(given[0], [ast.Starred(_read(item), ast.Load())], []), [(item, given[1], [])])
    elif isinstance(function, BuiltinFunctionType) and function == itertools.chain.from_iterable and len(given) == 1:
        part, item = fresh(), fresh()
        made = _generator(_read(item), [(part, given[0], []), (item, _read(part), [])])
    elif function is itertools.product and isinstance(repeat, int) and 0 < repeat * len(given) <= _MOST:
        loops: list[Any] = [(fresh(), part, []) for _ in range(repeat) for part in given]
        made = _generator(_tuple([_read(name) for name, _, _ in loops]), loops)
    elif is_one_of(function, CHOSEN) and isinstance(repeat, int) and 0 < repeat <= _MOST:
        made = _chosen(function, given[0], repeat, fresh)
    return None if made is None else ast.fix_missing_locations(ast.copy_location(made, node))


CHOSEN = (itertools.combinations, itertools.permutations, itertools.combinations_with_replacement)
_MOST = 8


def _mapped(given: list[ast.expr], fresh: Fresh) -> ast.GeneratorExp:
    if len(given) == 2:
        item = fresh()
        return _generator(ast.Call(given[0], [_read(item)], []), [(item, given[1], [])])
    items = [fresh() for _ in given[1:]]
    targets = ast.Tuple([ast.Name(item, ast.Store()) for item in items], ast.Store())
    value = ast.Call(given[0], [_read(item) for item in items], [])
    return _generator(value, [(targets, ast.Call(constant(zip), given[1:], []), [])])


def _filtered(given: list[ast.expr], fresh: Fresh) -> ast.GeneratorExp:
    item = fresh()
    is_none = isinstance(given[0], ast.Constant) and given[0].value is None
    test: ast.expr = _read(item) if is_none else ast.Call(given[0], [_read(item)], [])
    return _generator(_read(item), [(item, given[1], [test])])


def _chosen(function: Any, items: ast.expr, count: int, fresh: Fresh) -> ast.GeneratorExp:
    """Loops over places, each after the one before, or different from all before."""
    loops: list[Any] = []
    for _ in range(count):
        first: list[ast.expr] = []
        if loops and function is not itertools.permutations:
            last = _read(loops[-1][0])
            first = [last if function is not itertools.combinations else ast.BinOp(last, ast.Add(), ast.Constant(1))]
        length = ast.Call(constant(len), [items], [])
        others = loops if function is itertools.permutations else []
        place = fresh()
        tests = [ast.Compare(_read(place), [ast.NotEq()], [_read(name)]) for name, _, _ in others]
        loops.append((place, ast.Call(constant(range), [*first, length], []), tests))
    return _generator(_tuple([ast.Subscript(items, _read(name), ast.Load()) for name, _, _ in loops]), loops)


def _generator(value: ast.expr, loops: list[Any]) -> ast.GeneratorExp:
    targets = [ast.Name(each, ast.Store()) if isinstance(each, str) else each for each, _, _ in loops]
    parts = [
        ast.comprehension(target, source, tests, 0) for target, (_, source, tests) in zip(targets, loops, strict=True)
    ]
    return ast.GeneratorExp(value, parts)


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _tuple(items: list[ast.expr]) -> ast.Tuple:
    return ast.Tuple(items, ast.Load())
