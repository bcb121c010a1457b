"""What is known before any state: the objects of the rules, and the methods of the game."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from enum import IntEnum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from endsight.base.shortened import shortened
from endsight.compiler import core
from endsight.compiler.calls import Calls, LocalFunction, SuperOf
from endsight.compiler.holders import MOST_MEMBER
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import Marker, is_itself, is_list, is_plain, is_whole
from endsight.compiler.sources import function_of, is_cached, is_generator, method_of
from endsight.compiler.syntax import fits
from endsight.compiler.values import Lists
from endsight.game import Game
from endsight.game.codec import Coder, fields_of

_NO_OBJECTS = (
    *(int, float, list, type, FunctionType, BuiltinFunctionType, MethodType, ModuleType),
    *(LocalFunction, SuperOf, Lists, Game, Marker),
)


class KnownObjects:
    """The part of the translation of a game's rules that examines objects as they are."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = type(game)
        self.kinds = fields_of(game)
        self._plain: dict[int, tuple[Any, bool]] = {}
        self._values: dict[int, tuple[Any, bool]] = {}
        self.truths: set[str] = set()
        """Places of whole numbers that may hold True or False."""
        self.numbered: set[str] = set()
        """Places of members of an IntEnum that may hold plain numbers."""
        self.full: set[str] = set()
        """Fields of up to a number of items, and parts of fields, that have all of them in all states of play."""
        self.unordered: dict[int, Any] = {}
        """Sets that were made during translation, by identity."""
        self.cached: set[FunctionType] = set()
        """Functions behind a cache."""

    def forget(self) -> None:
        """Start again, without objects that need a number or were made during translation."""
        self.keep: list[Any] = []
        self.pool: list[Any] = []
        self.numbers: dict[Any, int] = {}
        self.classes: dict[str, Any] = {}
        """The classes of named tuples, by name."""

    def named(self, kind: Any, *place: Any) -> tuple[tuple[str, ...], str]:
        """The names and the label of a named tuple; raises `CannotCompile` where another class has its name."""
        if self.classes.setdefault(kind.__name__, kind) is not kind:
            raise CannotCompile(f"there are two classes called {kind.__name__}: give one of them another name", *place)
        return kind._fields, kind.__name__

    def is_plain(self, value: Any) -> bool:
        """Whether operations on a known value can be done during translation."""
        if type(value) in (int, bool, str, type(None)):
            return True
        known = self._plain.get(id(value))
        if known is None:
            known = self._plain[id(value)] = value, is_plain(value)
        return known[1]

    def is_value(self, known: Any) -> bool:
        """Whether a known object can exist at run time: a number, or lists of numbers."""
        if is_whole(known) or not is_list(known):
            return is_whole(known)
        if id(known) not in self._values:
            try:
                depth_of(known, CannotCompile)
                self._values[id(known)] = known, True
            except CannotCompile:
                self._values[id(known)] = known, False
        return self._values[id(known)][1]

    def is_object(self, known: Any) -> bool:
        """Whether a value that is not a number may be represented by its number in the list of objects."""
        is_odd = isinstance(known, tuple) and not is_list(known)
        return not isinstance(known, _NO_OBJECTS) and not is_odd and not hasattr(known, "dtype")

    def number_of(self, known: Any) -> int:
        """The number of an object; equal texts have one number."""
        key = known if isinstance(known, str) else id(known)
        if key not in self.numbers:
            self.numbers[key] = len(self.pool)
            self.pool.append(known)
        return self.numbers[key]

    @property
    def none(self) -> core.Type:
        """The type of None."""
        return core.Known((self.number_of(None),))

    def kept(self, known: Any) -> Any:
        """A value made during translation, which is kept so that its `id` stays its own."""
        self.keep.append(known)
        return known

    def is_in_order(self, value: Any) -> bool:
        """Whether Python iterates over a known object in the same order: a set made here may have another one."""
        return id(value) not in self.unordered

    # ---------------------------------------------------------------- fields of states

    def type_of_field(self, kind: Coder) -> core.Type:
        """The type of a field in the core."""
        number = core.EITHER if kind.place in self.truths or bool in map(type, kind.values) else core.INT
        if kind.sort == "whole":
            return number
        if kind.sort == "one of":
            if all(map(is_whole, kind.values)):
                is_member = isinstance(kind.values[0], IntEnum) and kind.place not in self.numbered
                return core.Member(type(kind.values[0])) if is_member else number
            if not all(map(is_itself, kind.values)):
                raise CannotCompile(f"the field {kind.place} is one of {kind.values!r}, which cannot be compiled")
            return core.Known(tuple(sorted(map(self.number_of, kind.values))))
        if kind.sort == "members":
            if kind.limits[0].bit_length() > MOST_MEMBER + 1:
                raise CannotCompile(f"the field {kind.place} has members above {MOST_MEMBER}")
            return core.Tuple((number,), (), core.MEMBERS)
        items = tuple(map(self.type_of_field, kind.items))
        if kind.sort == "up to" and kind.place not in self.full:
            return core.Tuple((core.INT, *items), (kind.made.__name__,), core.UP_TO)
        if kind.sort == "perhaps":
            return core.Tuple((core.BOOL, *items), (), core.MAYBE)
        if kind.made is str:
            return core.Tuple(items, (), core.TEXT)
        return core.Tuple(items, *(self.named(kind.made) if hasattr(kind.made, "_fields") else ()))

    def read_field(self, kind: Coder, own: core.Type, rest: Iterator[core.Expr]) -> core.Expr:
        """A field of type `own`, made from the next numbers of the codec."""
        if kind.sort == "whole":
            return next(rest)
        if kind.sort == "one of":
            return _chosen(next(rest), list(enumerate(self._numbers(kind))))
        if kind.sort == "members":
            return core.Row((next(rest),), own)
        first = () if kind.sort == "items" else (next(rest),)
        first = () if kind.place in self.full and kind.sort == "up to" else first
        pairs = zip(kind.items, own.items[len(first) :], strict=True)
        return core.Row((*first, *(self.read_field(*each, rest) for each in pairs)), own)

    def numbers_of(self, kind: Coder, value: core.Expr) -> Iterator[core.Expr]:
        """The codec's numbers for a field; a value outside its limits yields a number outside the limits, too."""
        if kind.sort == "whole":
            yield value
        elif kind.sort == "one of":
            pairs = [(number, place) for place, number in enumerate(self._numbers(kind))]
            yield _chosen(value, pairs, len(pairs))
        else:
            own = value.type
            parts = [core.Field(value, number, each) for number, each in enumerate(own.items)]
            if len(parts) > len(kind.items):
                yield parts.pop(0)
            elif kind.sort == "up to":
                yield core.Number(len(parts))
            for item, part in zip(kind.items, parts, strict=True):
                yield from self.numbers_of(item, part)

    def is_like_keys(self, kind: Coder) -> bool:
        """Whether a field's numbers in the core are those of the codec, as those of letters are in their order."""
        if kind.sort == "one of":
            return self._numbers(kind) == list(range(len(kind.values)))
        return kind.is_word or (kind.sort == "items" and all(self.is_like_keys(item) for item in kind.items))

    def gets_shorter(self, kind: Coder) -> None:
        """Note that a field may have fewer items than fit."""
        self.full -= {each.place for each in kind.parts()}

    def _numbers(self, kind: Coder) -> list[int]:
        """The values that a field may have, in the core: whole numbers themselves, others by their numbers."""
        are_whole = all(map(is_whole, kind.values))
        return [int(each) if are_whole else self.number_of(each) for each in kind.values]

    # ---------------------------------------------------------------- methods of the game

    def method(self, name: str) -> tuple[FunctionType, bool] | None:
        """The function that `game.NAME` runs, and whether it is passed the game; None if the class has none."""
        found = method_of(self.game, name)
        function = function_of(found)
        if function is not None and is_cached(found) and is_generator(function):
            raise CannotCompile(f"{name} yields its values once, then a cache gives it used up", *_place(function))
        if function is None:
            return self._set_up(name)
        if is_cached(found):
            self.cached.add(function)
        return function, not isinstance(found, staticmethod)

    def _set_up(self, name: str) -> tuple[FunctionType, bool] | None:
        """The same for what `setup` stored on the game: a function, or a method of the game under another name."""
        found = vars(self.game).get(name)
        if isinstance(found, MethodType) and found.__self__ is self.game and isinstance(found.__func__, FunctionType):
            return found.__func__, True
        return (found, False) if isinstance(found, FunctionType) else None

    def getter(self, name: str) -> FunctionType | None:
        """The function that a property calls; None if that is not a plain function."""
        found = method_of(self.game, name)
        function = found.fget if isinstance(found, property) else None
        return function if isinstance(function, FunctionType) and name not in vars(Game) else None

    def above(self, to: Calls, node: ast.AST, kind: Any, name: str) -> FunctionType:
        """The function that `super().NAME` runs in a method of that class."""
        mro = type(self.game).__mro__
        after = mro[mro.index(kind) + 1 :] if kind in mro else ()
        found = next((each.__dict__[name] for each in after if name in each.__dict__), None)
        if not isinstance(found, FunctionType):
            to.refuse(node, f"super().{name} is not a plain method")
        return found


def _chosen(value: core.Expr, pairs: list[tuple[int, int]], otherwise: int | None = None) -> core.Expr:
    """The second item of the pair whose first item is the value."""
    apart = {other - one for one, other in pairs}
    if isinstance(value, core.Number):
        return core.Number(dict(pairs).get(int(value.value), otherwise or 0))
    if len(apart) == 1:
        by = apart.pop()
        return core.Binary("add", value, core.Number(by), 0) if by else value
    result = core.Number(pairs[-1][1] if otherwise is None else otherwise)
    for one, other in reversed(pairs):
        same = core.Compare("==", value, core.Number(one))
        result = core.Choice(same, core.Number(other), result, core.INT)  # type: ignore[assignment]
    return result


def _place(function: FunctionType) -> tuple[str, int]:
    return function.__code__.co_filename, function.__code__.co_firstlineno


# Constant lists, as laid out in the data array.


def depth_of(value: Any, refuse: Callable[[str], CannotCompile]) -> int:
    """How many lists deep a value is; raises what `refuse` returns unless it holds nothing but whole numbers."""
    if not is_list(value):
        if not is_whole(value):
            raise refuse(f"{shortened(repr(value), 60)} is not a whole number")
        if not fits(value):
            raise refuse(f"{shortened(repr(value), 60)} does not fit a machine word")
        return 0
    depths = [depth_of(item, refuse) for item in value]
    # An empty list fits in with lists of any depth.
    full = {depth for item, depth in zip(value, depths, strict=True) if depth == 0 or len(item)}
    if len(full) > 1 or (0 in full and any(depths)):
        raise refuse("a list holds both numbers and lists, or lists of different depths")
    depth = 1 + max(depths, default=0)
    if depth > 4:
        raise refuse("a list is more than four lists deep")
    return depth


def kinds_of(value: Any, depth: int) -> tuple[str | None, ...]:
    """The type of the lists of each level: `list`, `tuple`, `range`, `bytes`, or None for several."""
    kinds: list[str | None] = []
    level = [value]
    for _ in range(depth):
        found = {"tuple" if isinstance(each, tuple) else type(each).__name__ for each in level}
        kinds.append(found.pop() if len(found) == 1 else None)
        level = [item for each in level for item in each if is_list(item)]
    return tuple(kinds)


def lengths_of(value: Any, depth: int) -> tuple[int | None, ...]:
    """How many items the tuples of each level have inside the outermost list; None where that is not one number."""
    lengths: list[int | None] = [None]
    level = list(value)
    for _ in range(1, depth):
        found = {len(each) if type(each) is tuple else None for each in level}
        level = [item for each in level for item in each]
        are_plain = all(is_list(each) or type(each) in (int, bool) for each in level)
        lengths.append(found.pop() if len(found) == 1 and are_plain else None)
    return tuple(lengths)


def flatten(lists: list[Any]) -> list[int]:
    """The data array of `Translation`."""
    data = [0] * (len(lists) + 1)
    for number, value in enumerate(lists, start=1):
        data[number] = _append(data, value)
    return data


def _append(data: list[int], value: Any) -> int:
    """Add a list to the data array, and return where it begins."""
    items = [_append(data, item) if is_list(item) else int(item) for item in value]
    data.append(len(items))
    data.extend(items)
    return len(data) - 1 - len(items)


def frozen(value: Any) -> Any:
    """The same list as tuples of plain numbers."""
    return tuple(map(frozen, value)) if is_list(value) else value if isinstance(value, bool) else int(value)


def has_truth(value: Any) -> bool:
    """Whether a list contains a truth value."""
    return isinstance(value, bool) or (
        is_list(value) and not isinstance(value, range | bytes) and any(map(has_truth, value))
    )
