"""Whether everything that play reaches is known, so that a hash of it identifies the meaning of the rules.

An author's functions are examined. Of Python and its libraries play may use only what `known` lists: anything else
might read a file, a clock, chance, a line number or the stack, under any name. `setup` may use anything, because its
results are stored on the game and hashed there. From the methods that decide play, the search follows all functions and
classes of an author whose name a reached function uses, as a global or as an attribute.
"""

from __future__ import annotations

import builtins
import functools
import types
from collections.abc import Mapping
from typing import Any

from endsight.game import Game
from endsight.identity.code import content_of
from endsight.identity.known import PLACES, attribute_words, is_known, is_known_attribute
from endsight.identity.origin import is_at_its_name, library_of, library_of_function

_PLAY = ("start", "limits", "moves", "play", "payoff", "reward", "to_move", "seat", "weight", "canonical", "exchanged")
_PLAY_ALSO = ("sees", "layer", "rank", "unrank", "players", "par", "__getattr__", "__getattribute__")
"""The methods that determine values; the others set up, print and draw games."""

DYNAMIC = frozenset(
    {"getattr", "hasattr", "vars", "dir", "globals", "locals", "attrgetter", "methodcaller", "format", "format_map"}
    | {"Formatter", "__dict__", "__getattribute__", "__subclasses__", "__globals__", "__match_args__"}
)
"""Names that reach attributes by computed names; using the name or the object that it names both count."""
_OF_OBJECTS = frozenset({"__class__", "__doc__", "__dict__", "__weakref__", "__module__"})
_DATA = (int, str, bytes, bool, float, complex, type(None), type(...), type(NotImplemented))


def read_from_outside(rules: Any) -> str | None:
    """One sentence that names something in play that may depend on more than its arguments; None for nothing."""
    reach = _Reach()
    if isinstance(rules, Game):
        reach.follow_game(rules)
    else:
        reach.follow(rules, getattr(rules, "__name__", "the policy"))
    return reach.verdict()


class _Reach:
    """The objects that play reaches, as far as followed."""

    def __init__(self) -> None:
        self.found: str | None = None
        self._seen: set[int] = set()
        self._keep: list[Any] = []
        self._named: set[str] = set()
        self._places: list[tuple[Mapping[str, Any], types.ModuleType | None]] = []
        """Attributes of the reached classes, modules and objects, by name; with the module, for a library's."""
        self._dynamic: str | None = None
        self._words: set[str] = set()

    def verdict(self) -> str | None:
        """What is unknown, if anything."""
        unknown = sorted(word for word in self._words if not is_known_attribute(word))
        if self.found is None and self._dynamic is not None and unknown:
            return _sentence(f"{unknown[0]}, a name for {self._dynamic},")
        return self.found

    def follow_game(self, game: Game) -> None:
        """Follow the methods that decide play."""
        for place in (game.__dict__, *(vars(kind) for kind in type(game).__mro__ if kind not in (Game, object))):
            self._places.append((place, None))
        self._bases(type(game))
        for name in (*_PLAY, *_PLAY_ALSO):
            self._use(name)

    def follow(self, thing: Any, name: str) -> None:
        """Follow one object reached under that name."""
        if type(thing) in _DATA:
            if type(thing) is str:
                self._words |= attribute_words(thing)
            return
        if self.found is not None or id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        self._keep.append(thing)
        called = getattr(thing, "__name__", type(thing).__name__)
        if isinstance(called, str) and called in DYNAMIC:
            self._dynamic = called
        module = getattr(thing, "__module__", None)
        if callable(thing) and isinstance(module, str) and is_at_its_name(thing) is not None:
            self._library(module, getattr(thing, "__qualname__", called))
        elif isinstance(thing, types.FunctionType):
            self._function(thing, name)
        elif isinstance(thing, type):
            self._class(thing, name)
        elif isinstance(thing, types.ModuleType):
            self._module(thing)
        elif isinstance(thing, types.MethodType | types.BuiltinFunctionType | types.MethodWrapperType):
            self._bound(thing, name)
        elif isinstance(thing, types.MethodDescriptorType | types.WrapperDescriptorType | types.GetSetDescriptorType):
            self._method(thing.__name__, thing.__objclass__)
        else:
            self._object(thing, name)

    # ---------------------------------------------------------------- kinds of things

    def _function(self, function: types.FunctionType, name: str) -> None:
        for cell in function.__closure__ or ():
            with_content = [] if _is_empty(cell) else [cell.cell_contents]
            for content in with_content:
                self.follow(content, name)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.follow(value, name)
        for value in function.__dict__.values():
            self.follow(value, name)
        if library_of_function(function) is None:
            self._names(function)
        else:
            # A wrapper may have the name of the wrapped function; its code shows the owner.
            self._library(str(function.__globals__["__name__"]), function.__code__.co_qualname)

    def _names(self, function: types.FunctionType) -> None:
        """Follow the names that an author's function uses."""
        content = content_of(function.__code__)
        self._words |= content.words
        for used in content.globals:
            if used in PLACES:
                self._say(used)
            elif used in function.__globals__:
                self.follow(function.__globals__[used], used)
            elif hasattr(builtins, used) and (used != "hash" or function.__name__ != "__hash__"):
                self._library("builtins", used)
            if used in DYNAMIC:
                self._dynamic = used
        for used in content.attributes:
            if used in DYNAMIC:
                self._dynamic = used
            if is_known_attribute(used):
                self._use(used)
            else:
                self._say(used)
        for module, level in content.imports:
            self._import(module, level, function)

    def _import(self, module: str, level: int, function: types.FunctionType) -> None:
        from importlib import import_module

        try:
            package = function.__globals__.get("__package__") if level else None
            self.follow(import_module("." * level + module, package), module)
        except Exception:  # whatever the author's module raises, the rules would raise too
            return

    def _module(self, module: types.ModuleType) -> None:
        """Follow the names used anywhere in an author's module, or of a library's module."""
        self._place(vars(module), None if library_of(module.__name__) is None else module)

    def _class(self, kind: type, name: str) -> None:
        if kind.__module__ == "builtins":
            return
        if library_of(kind.__module__) is not None:
            self._library(kind.__module__, kind.__qualname__)
            return
        self._bases(kind)
        for base in kind.__mro__:
            if base.__module__ != "builtins" and library_of(base.__module__) is None:
                self._place(vars(base))
        for own in dir(kind):
            if own.startswith("__") and own not in _OF_OBJECTS:
                self._use(own)
        self.follow(type(kind), name)

    def _bases(self, kind: type) -> None:
        """Follow what a class inherits from libraries."""
        for base in kind.__mro__:
            if base.__module__ != "builtins" and library_of(base.__module__) is not None:
                self._library(base.__module__, base.__qualname__)

    def _bound(self, method: Any, name: str) -> None:
        own = method.__self__
        if isinstance(method, types.MethodType):
            self.follow(method.__func__, name)
        if own is None or isinstance(own, types.ModuleType):
            self._library(str(method.__module__), method.__name__)
        else:
            self._method(method.__name__, own)

    def _method(self, name: str, own: Any) -> None:
        """Follow a method of a class or of an object, under any name."""
        if not is_known_attribute(name):
            self._say(name)
        self.follow(own, name)

    def _object(self, thing: Any, name: str) -> None:
        if isinstance(thing, staticmethod | classmethod):
            self.follow(thing.__func__, name)
        elif isinstance(thing, property):
            for each in (thing.fget, thing.fset):
                self.follow(each, name)
        elif isinstance(thing, functools.partial | functools.partialmethod):
            for each in (thing.func, *thing.args, *thing.keywords.values()):
                self.follow(each, name)
        elif isinstance(thing, functools.cached_property):
            self.follow(thing.func, name)
        elif hasattr(thing, "__wrapped__"):
            self.follow(thing.__wrapped__, name)
        else:
            self._instance(thing, name)

    def _instance(self, thing: Any, name: str) -> None:
        if isinstance(thing, list | tuple | set | frozenset | dict):
            self._container(thing, name)
        self.follow(type(thing), name)
        if library_of(type(thing).__module__) is None and type(thing).__module__ != "builtins":
            self._place(getattr(thing, "__dict__", {}))

    def _container(self, things: Any, name: str) -> None:
        items = [*things, *things.values()] if isinstance(things, dict) else list(things)
        if {int, bool, str, bytes}.issuperset(map(type, items)):
            items = [item for item in items if type(item) is str and "_" in item]
        for item in items:
            self.follow(item, name)

    # ---------------------------------------------------------------- names

    def _use(self, name: str) -> None:
        """Follow an attribute name: any reached object may have it."""
        if name not in self._named:
            self._named.add(name)
            for place, module in list(self._places):
                self._look(place, name, module)

    def _place(self, place: Mapping[str, Any], module: types.ModuleType | None = None) -> None:
        self._places.append((place, module))
        for name in sorted(self._named):
            self._look(place, name, module)

    def _look(self, place: Mapping[str, Any], name: str, module: types.ModuleType | None) -> None:
        """Follow the object under a name in a place, if any; `module` is that of a library."""
        if module is None:
            if name in place:
                self.follow(place[name], name)
        elif not name.startswith("__") and (name in place or ("__getattr__" in place and hasattr(module, name))):
            value = getattr(module, name)
            # Data must be known by its name; all other objects know their origin.
            if callable(value) or isinstance(value, types.ModuleType):
                self.follow(value, name)
            else:
                self._library(module.__name__, name)

    # ---------------------------------------------------------------- verdicts

    def _library(self, module: str, name: str) -> None:
        if not is_known(module, name):
            self._say(name if module in ("builtins", "None", "_io", "io") else f"{module}.{name}")

    def _say(self, called: str) -> None:
        self.found = self.found or _sentence(called)


def _sentence(called: str) -> str:
    return f"{called} is used while play goes on, and what it gives may depend on more than its arguments"


def _is_empty(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False
