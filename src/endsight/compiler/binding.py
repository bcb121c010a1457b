"""Arguments of calls, bound to names as Python binds them."""

from __future__ import annotations

import ast
from types import FunctionType
from typing import Any

from endsight.compiler import core
from endsight.compiler.flow import Value
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_whole
from endsight.compiler.values import width_of


def bound_arguments(
    arguments: ast.arguments, given: list[Value], words: dict[str, Value], defaults: dict[str, Value]
) -> dict[str, Value]:
    """Values by parameter, in order; `type_comment` is its name in the rules.

    Raises `CannotCompile` without a place where the call does not fit.
    """
    if arguments.kwarg is not None:
        raise CannotCompile("a function takes **arguments", None, arguments.kwarg.lineno)
    places = [*arguments.posonlyargs, *arguments.args]
    names = [each.arg for each in (*places, *arguments.kwonlyargs)]
    bound = dict(zip((each.arg for each in places), given, strict=False))
    by_name = {each.type_comment: each.arg for each in (*arguments.args, *arguments.kwonlyargs)}
    rest = given[len(places) :] if arguments.vararg is not None else []
    if len(given) - len(rest) > len(places) or any(word not in by_name or by_name[word] in bound for word in words):
        raise CannotCompile("the function does not take these arguments")
    bound = defaults | bound | {by_name[word]: value for word, value in words.items()}
    lacking = [name for name in names if name not in bound]
    if lacking:
        raise CannotCompile(f"the function needs {lacking[0]}")
    in_order = {name: bound[name] for name in names}
    return (
        in_order if arguments.vararg is None else in_order | {arguments.vararg.arg: _together(rest, arguments.vararg)}
    )


def _together(values: list[Value], node: ast.arg) -> Value:
    """The tuple that `*arguments` stands for."""
    if all(value.is_known for value in values):
        return Value(core.OBJECT, None, tuple(value.known for value in values))
    if not all(width_of(value.type) for value in values):
        raise CannotCompile("a function takes *arguments that are no numbers", None, node.lineno)
    kind = core.Tuple(tuple(value.type for value in values))
    return Value(kind, core.Row(tuple(value.expr for value in values), kind))


def defaults_of(function: FunctionType, arguments: ast.arguments) -> dict[str, Value]:
    """The default values that a function has now, by parameter."""
    places = [*arguments.posonlyargs, *arguments.args]
    given = zip(reversed(places), reversed(function.__defaults__ or ()), strict=False)
    defaults = {each.arg: _constant(value) for each, value in given}
    code = function.__code__
    own = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
    for each, name in zip(arguments.kwonlyargs, own, strict=True):
        if name in (function.__kwdefaults__ or {}):
            defaults[each.arg] = _constant((function.__kwdefaults__ or {})[name])
    return defaults


def _constant(value: Any) -> Value:
    if is_whole(value):
        number = core.Number(value if isinstance(value, bool) else int(value))
        return Value(number.type, number, value)
    return Value(core.OBJECT, None, value)
