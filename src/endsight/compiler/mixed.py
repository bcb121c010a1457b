"""Moves of several types, such as texts where a player decides and whole numbers where chance does.

`moves` gives them as rows (`core.MIXED`), and the other rules are translated for each type by itself, behind a function
that finds out which it is. So the rules never meet a row, and what Python would refuse for one type of move is a fault
for that type alone.
"""

from __future__ import annotations

from collections.abc import Sequence

from endsight.compiler import core
from endsight.compiler.program import Function
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.values import joined_types


def types_of(move: core.Type) -> tuple[core.Type, ...]:
    """The types that a move may have."""
    is_mixed = move.label == core.MIXED
    return move.items[1:] if is_mixed else (move,)


def with_type(move: core.Type | None, kind: core.Type) -> core.Type:
    """The type of moves which may also be of that one."""
    kinds = () if move is None else types_of(move)
    place = _place(kinds, kind)
    joined = None if place == len(kinds) else joined_types(kinds[place], kind)
    kinds = (*kinds[:place], joined or kind, *kinds[place + 1 :])
    return kinds[0] if len(kinds) == 1 else core.Tuple((core.INT, *kinds), (), core.MIXED)


def as_mixed(expr: core.Expr, kind: core.Type, move: core.Type) -> core.Expr:
    """A move of type `kind` as one of several types."""
    kinds = types_of(move)
    place = _place(kinds, kind)
    parts = [expr if at == place else _nothing(each) for at, each in enumerate(kinds)]
    return core.Row((core.Number(place), *parts), move)


def by_type(name: str, parts: Sequence[Function], move: core.Type) -> Function:
    """A rule that calls the one of `parts` which is for the move's type; raises `CannotCompile`."""
    first = parts[0]
    own, state, line = core.Local("move", move), core.Local("state", first.parameters[0][1]), first.line
    results = [part.result for part in parts if part.result != core.NOTHING]
    if any(result != results[0] for result in results):
        kinds = " and ".join(dict.fromkeys(result.name for result in results))
        raise CannotCompile(f"{name.removeprefix('rule_')} gives {kinds}, for moves of several types", first.file, line)
    body: list[core.Stmt] = []
    for place, (part, kind) in enumerate(zip(parts, types_of(move), strict=True)):
        call = core.Call(part.name, (state, core.Field(own, place + 1, kind)), part.result)
        always_fails = part.result == core.NOTHING
        way = (core.Do(call, line), core.Stop(line)) if always_fails else (core.Return(call, line),)
        is_this = core.Compare("==", core.Field(own, 0, core.INT), core.Number(place))
        body += way if part is parts[-1] else [core.If(is_this, way, (), line)]
    parameters, result = (("state", state.type), ("move", move)), (results or [core.NOTHING])[0]
    return Function(name, parameters, tuple(body), result, first.file, line)


def _place(kinds: Sequence[core.Type], kind: core.Type) -> int:
    """The first of those types that has a common type with `kind`; their number if none has."""
    return next((at for at, each in enumerate(kinds) if joined_types(each, kind) is not None), len(kinds))


def _nothing(kind: core.Type) -> core.Expr:
    """Any value of that type, which nobody reads."""
    if kind.is_tuple:
        return core.Row(tuple(map(_nothing, kind.items)), kind)
    return core.Number(kind.numbers[0] if kind.is_object else 0)
