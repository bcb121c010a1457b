"""Conditions on states and results of rules, so that compiled rules give what the plain engine accepts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from endsight.compiler import core
from endsight.compiler.program import Function
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_named_tuple
from endsight.compiler.values import joined_types, nodes_in
from endsight.game import Game

if TYPE_CHECKING:
    from endsight.compiler.known_objects import KnownObjects

Decoder: TypeAlias = Callable[[Iterator[int]], Any]
"""Makes a result of the rules from the words that kernels write."""

SHARES = ("payoff", "reward", "bound")
"""Rules that give amounts, which may be fractions."""
_STATES = ("play", "canonical", "exchanged", "before")


def refuse_odd_states(game: Game) -> None:
    """Raise `CannotCompile` unless states are plain named tuples."""
    kind = type(game).State
    if vars(game).get("State", kind) is not kind or not is_named_tuple(kind):
        raise CannotCompile("State is not a plain NamedTuple: its own operators, or a base, could mean anything")
    if type(game).__getattribute__ is not object.__getattribute__ or hasattr(type(game), "__getattr__"):
        raise CannotCompile("the class has a look-up of its own, which could give anything")


def require_result(rule: str, made: Function) -> None:
    """Raise `CannotCompile` unless a rule returns what the plain engine accepts."""
    place = made.file, made.line
    kind = made.result
    if rule in _STATES:
        if kind.label != "State":
            raise CannotCompile(f"{rule} does not give a State", *place)
        if rule == "before" and not made.yields:
            raise CannotCompile("before does not yield its states one by one", *place)
        return
    if rule in ("moves", "sees"):
        _require_plain(rule, made)
        return
    items = _items_of(kind)
    is_other = kind.is_table and kind.sort != "tuple"  # also where it may be a list
    fits = core.is_word if rule in SHARES else core.is_number
    if not all(map(fits, items)) or is_other or kind.label:
        raise CannotCompile(f"{rule} gives {kind.name}, and whole numbers are needed", *place)
    if rule in (*SHARES, "order", "weight") and any(item in (core.BOOL, core.EITHER) for item in items):
        raise CannotCompile(f"a {rule} may be True or False here: wrap it in int()", made.file, _line_of_truth(made))


def _items_of(kind: core.Type) -> tuple[core.Type, ...]:
    items: tuple[core.Type, ...] = kind.items if kind.is_tuple else (kind.item,) if kind.is_table else (kind,)
    return items


def _require_plain(rule: str, made: Function) -> None:
    """Raise `CannotCompile` unless a move, or what is seen, consists of numbers, truth values, texts and objects."""
    is_move, leaves = rule == "moves", _leaves(made.result)
    odd = [each for each in leaves if not each.is_object and not core.is_number(each)]
    if odd and not (is_move and made.result == core.NOTHING):
        name, needed = (made.result.name, "") if is_move else (odd[0].name, " or tuples of them")
        raise CannotCompile(f"{rule} gives {name}, and whole numbers{needed} are needed", made.file, made.line)
    if core.EITHER in leaves:
        what = "a move is True or a number here" if is_move else "sees gives True or a number"
        raise CannotCompile(f"{what}: wrap it in int()", made.file, _line_of_truth(made))


def _leaves(kind: core.Type) -> list[core.Type]:
    """The types that a tuple consists of in the end."""
    if kind.is_tuple and kind.label != core.MAYBE:
        return [each for item in kind.items for each in _leaves(item)]
    return [kind]


def words_in(kind: core.Type) -> int:
    """How many words kernels write for a value of that type."""
    return len(_leaves(kind))


def decoder(kind: core.Type, objects: KnownObjects) -> Decoder:
    """A function that makes a value of that type, as the rules give it, from the words that kernels write."""
    if kind.is_object:
        pool = objects.pool
        return lambda words: pool[next(words)]
    if kind.is_tuple:
        parts = [decoder(item, objects) for item in kind.items]
        if kind.label in _PARTLY:
            return _partly(kind, parts)
        make: Callable[[Any], Any] = _MAKING.get(kind.label, tuple)
        if kind.names:
            make = objects.classes[kind.label]._make
        return lambda words: make([part(words) for part in parts])
    if kind.member is not None:
        members: dict[int, Any] = {int(each): each for each in kind.member}
        return lambda words: members[next(words)]
    return next if kind != core.BOOL else lambda words: bool(next(words))


def _partly(kind: core.Type, parts: list[Decoder]) -> Decoder:
    """The same where the first word says which of the others mean anything: a count, or the number of a type.

    The rest are fillers (`core.none_of`), which need not stand for any value of their type.
    """
    used, make = _PARTLY[kind.label]
    if kind.names and kind.names[0] == "str":
        make = "".join
    counts = [words_in(item) for item in kind.items[1:]]

    def made(words: Iterator[int]) -> Any:
        chosen = used(next(words))
        rows = [[next(words) for _ in range(count)] for count in counts]
        return make([part(iter(row)) for part, row in zip(parts[1:][chosen], rows[chosen], strict=True)])

    return made


def _members(bits: list[int]) -> frozenset[int]:
    return frozenset(each for each in range(bits[0].bit_length()) if bits[0] >> each & 1)


_MAKING: dict[str, Callable[[Any], Any]] = {core.TEXT: "".join, core.MEMBERS: _members}
_PARTLY: dict[str, tuple[Callable[[int], slice], Callable[[list[Any]], Any]]] = {
    core.UP_TO: (lambda count: slice(count), tuple),
    core.MIXED: (lambda number: slice(number, number + 1), lambda row: row[0]),
}


def _line_of_truth(made: Function) -> int:
    """The line of the first result that may be True or False."""
    for node in nodes_in(made.body):
        if isinstance(node, core.Return | core.Yield) and node.value is not None:
            leaves = [each for item in _items_of(node.value.type) for each in _leaves(item)]
            if any(each in (core.BOOL, core.EITHER) for each in leaves):
                return node.line
    return made.line


# Moves of several types, such as texts where a player decides and whole numbers where chance does.
#
# `moves` gives them as rows (`core.MIXED`), and the other rules are translated for each type by itself, behind a
# function that finds out which it is. So the rules never meet a row, and what Python would refuse for one type of move
# is a fault for that type alone.


def types_of(move: core.Type) -> tuple[core.Type, ...]:
    """The types that a move may have."""
    return move.items[1:] if move.label == core.MIXED else (move,)


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
    parts = [expr if at == place else core.none_of(each) for at, each in enumerate(kinds)]
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
        way = (core.Do(call).at(line), core.Stop().at(line)) if always_fails else (core.Return(call).at(line),)
        is_this = core.Compare("==", core.Field(own, 0, core.INT), core.Number(place))
        body += way if part is parts[-1] else [core.If(is_this, way).at(line)]
    parameters, result = (("state", state.type), ("move", move)), (results or [core.NOTHING])[0]
    return Function(name, parameters, tuple(body), result, first.file, line)


def _place(kinds: Sequence[core.Type], kind: core.Type) -> int:
    """The first of those types that has a common type with `kind`; their number if none has."""
    return next((at for at, each in enumerate(kinds) if joined_types(each, kind) is not None), len(kinds))
