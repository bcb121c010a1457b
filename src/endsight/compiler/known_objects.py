"""What is known before any state: the objects of the rules, and the methods of the game."""

from __future__ import annotations

import ast
import inspect
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from endsight.compiler.calls import Calls, LocalFunction, SuperOf
from endsight.compiler.constants import depth_of
from endsight.compiler.nested import Lists
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import Mark, is_list, is_plain, is_whole
from endsight.compiler.sources import function_of, is_cached, method_of
from endsight.game import Game
from endsight.game.codec import fields_of

_NO_OBJECTS = (
    int,
    float,
    list,
    FunctionType,
    BuiltinFunctionType,
    MethodType,
    ModuleType,
    type,
    LocalFunction,
    SuperOf,
    Lists,
    Game,
    Mark,
)


class KnownObjects:
    """The part of the translation of a game's rules that examines objects as they are."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kind = type(game)
        self.kinds = fields_of(game)
        self._plain: dict[int, tuple[Any, bool]] = {}
        self._values: dict[int, tuple[Any, bool]] = {}
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

    def kept(self, known: Any) -> Any:
        """A value made during translation, which is kept so that its `id` stays its own."""
        self.keep.append(known)
        return known

    def is_in_order(self, value: Any) -> bool:
        """Whether Python iterates over a known object in the same order: a set made here may have another one."""
        return id(value) not in self.unordered

    # ---------------------------------------------------------------- methods of the game

    def method(self, name: str) -> tuple[FunctionType, bool] | None:
        """The function that `game.NAME` runs, and whether it is passed the game; None if the class has none."""
        found = method_of(self.game, name)
        function = function_of(found)
        if function is not None and is_cached(found) and inspect.isgeneratorfunction(function):
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


def _place(function: FunctionType) -> tuple[str, int]:
    return function.__code__.co_filename, function.__code__.co_firstlineno
