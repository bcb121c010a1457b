"""Whether rules read files, clocks or chance while they play, so that no hash of them says what they mean.

What `setup` reads is no matter: it lies on the game afterwards, and is hashed there.
Followed are, from the methods that decide play on, all functions and classes of an author
whose name a function that is reached uses, as a global or as an attribute.
"""

from __future__ import annotations

import functools
import io
import os
import sys
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

from endsight.game import Game
from endsight.identity.code import content_of
from endsight.identity.origin import library_of, library_of_function

__all__ = ["read_from_outside"]

_PLAY = ("start", "limits", "moves", "play", "payoff", "reward", "to_move", "seat", "weight", "canonical", "exchanged")
_PLAY_ALSO = ("layer", "rank", "unrank", "players", "par")
"""The methods that decide values; with the others games are set up, written and drawn."""

_MODULES = {
    *("asyncio", "builtins", "ctypes", "datetime", "dbm", "fileinput", "getpass", "glob", "http", "importlib", "io"),
    *("linecache", "locale", "marshal", "mmap", "multiprocessing", "os", "pathlib", "pickle", "pkgutil", "platform"),
    *("posix", "queue", "random", "runpy", "secrets", "select", "shelve", "shutil", "signal", "socket", "sqlite3"),
    *("subprocess", "sys", "tempfile", "threading", "time", "timeit", "urllib", "uuid"),
    *("posixpath", "ntpath", "genericpath", "configparser", "gc"),
}
"""Modules of the standard library with functions that read something from outside."""
_BUILTINS = {"open", "input", "eval", "exec", "__import__", "breakpoint"}
_SYSTEM = {"argv", "stdin", "path", "modules", "getsizeof", "getrefcount", "_getframe", "platform", "executable"}
_OF_CHANCE = {
    *("SystemRandom", "betavariate", "choice", "choices", "expovariate", "gammavariate", "gauss", "getrandbits"),
    *("getstate", "lognormvariate", "normalvariate", "paretovariate", "randbytes", "randint", "random", "randrange"),
    *("sample", "seed", "setstate", "shuffle", "triangular", "uniform", "vonmisesvariate", "weibullvariate"),
}
_PATHS = {"join", "basename", "dirname", "split", "splitext", "splitdrive", "normpath", "normcase", "commonprefix"}
_HARMLESS = {
    "posixpath": _PATHS,
    "ntpath": _PATHS,
    "genericpath": {"commonprefix"},
    "datetime": {"date", "timedelta"},
    "queue": {"Queue", "PriorityQueue", "LifoQueue", "SimpleQueue", "Empty"},
    "os": {"path", "PathLike", "fspath"},
    "pathlib": {"PurePath", "PurePosixPath"},
    "threading": {"Lock", "RLock", "local"},
}


def read_from_outside(rules: Any) -> str | None:
    """One sentence that names what is read from outside while play goes on; None where nothing is."""
    reach = _Reach()
    if isinstance(rules, Game):
        reach.follow_game(rules)
    else:
        reach.follow(rules, getattr(rules, "__name__", "the policy"))
    return reach.found


class _Reach:
    """What play reaches, as far as it has been followed."""

    def __init__(self) -> None:
        self.found: str | None = None
        self._seen: set[int] = set()
        self._keep: list[Any] = []
        self._named: set[str] = set()
        self._places: list[dict[str, Any]] = []
        """Attributes of the classes, modules and objects that are reached, by name."""

    def follow_game(self, game: Game) -> None:
        """From the methods that decide play on."""
        for place in (game.__dict__, *(vars(kind) for kind in type(game).__mro__ if kind not in (Game, object))):
            self._places.append(dict(place))
        for name in (*_PLAY, *_PLAY_ALSO):
            self._use(name)

    def follow(self, thing: Any, name: str) -> None:
        """One thing that is reached under that name, and what it reaches."""
        if self.found is not None or id(thing) in self._seen:
            return
        self._seen.add(id(thing))
        self._keep.append(thing)
        if isinstance(thing, FunctionType):
            self._function(thing, name)
        elif isinstance(thing, type):
            self._class(thing, name)
        elif isinstance(thing, ModuleType):
            if library_of(thing.__name__) is None:
                self._place(vars(thing))
        elif isinstance(thing, BuiltinFunctionType | MethodType):
            self._bound(thing, name)
        else:
            self._object(thing, name)

    # ---------------------------------------------------------------- kinds of things

    def _function(self, function: FunctionType, name: str) -> None:
        library = library_of_function(function)
        for cell in function.__closure__ or ():
            with_content = [] if _is_empty(cell) else [cell.cell_contents]
            for content in with_content:
                self.follow(content, name)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self.follow(value, name)
        for value in function.__dict__.values():
            self.follow(value, name)
        if library is not None:
            self._library(function, str(function.__module__), name)
            return
        content = content_of(function.__code__)
        space = function.__globals__
        for used in content.names:
            if used in space:
                self._global(space[used], used, content.names)
            elif used in _BUILTINS and used not in space:
                self._say(function, used)
            self._use(used)
        for module, _ in content.imports:
            self._global(sys.modules.get(module), module, content.names)

    def _global(self, thing: Any, name: str, names: tuple[str, ...]) -> None:
        """A global of a function; of a module of the standard library those of its functions count that are used."""
        if isinstance(thing, ModuleType) and library_of(thing.__name__) == "python":
            module = thing.__name__.partition(".")[0]
            used = [each for each in names if each in vars(thing)]
            # `time` has a `time`: the name of the module counts as one of its functions if there is no other.
            for each in [each for each in used if each != name] or used:
                if not isinstance(vars(thing)[each], ModuleType):
                    if self._is_outside(module, each):
                        self._say(vars(thing)[each], each)
                elif thing is os:  # os.path
                    self._global(vars(thing)[each], each, names)
        self.follow(thing, name)

    def _class(self, kind: type, name: str) -> None:
        if kind.__module__ == "builtins":
            return
        if library_of(kind.__module__) is not None:
            self._library(kind, kind.__module__, name)
            return
        for base in kind.__mro__:
            if base.__module__ != "builtins" and library_of(base.__module__) is None:
                self._place(vars(base))
        for own in [entry for entry in dir(kind) if entry.startswith("__") and entry not in ("__class__", "__doc__")]:
            self._use(own)

    def _bound(self, method: BuiltinFunctionType | MethodType, name: str) -> None:
        if isinstance(method, MethodType):
            self.follow(method.__func__, name)
            if method.__module__ == "random" and method.__name__ in _OF_CHANCE:
                self._say(method, name)
        elif method in (open, io.open):
            self._say(method, name)
        else:
            self._library(method, str(method.__module__), name)

    def _object(self, thing: Any, name: str) -> None:
        if isinstance(thing, staticmethod | classmethod):
            self.follow(thing.__func__, name)
        elif isinstance(thing, property):
            for each in (thing.fget, thing.fset):
                self.follow(each, name)
        elif isinstance(thing, functools.partial | functools.cached_property):
            self.follow(thing.func, name)
        elif isinstance(thing, list | tuple | set | frozenset | dict):
            self._container(thing, name)
        elif hasattr(thing, "__wrapped__"):
            self.follow(thing.__wrapped__, name)
        elif type(thing).__module__ != "builtins" and library_of(type(thing).__module__) is None:
            self._place(getattr(thing, "__dict__", {}))
            self.follow(type(thing), name)

    def _container(self, things: Any, name: str) -> None:
        items = list(things.values()) if isinstance(things, dict) else list(things)
        if not {int, str, bool, bytes}.issuperset(map(type, items)):
            for item in items:
                self.follow(item, name)

    # ---------------------------------------------------------------- names

    def _use(self, name: str) -> None:
        """A name that is used as an attribute: whatever is reached may be asked for it."""
        if name not in self._named:
            self._named.add(name)
            for place in self._places:
                if name in place:
                    self.follow(place[name], name)

    def _place(self, attributes: Any) -> None:
        place = dict(attributes)
        self._places.append(place)
        for name in [name for name in place if name in self._named]:
            self.follow(place[name], name)

    # ---------------------------------------------------------------- verdicts

    def _library(self, thing: Any, module: str, name: str) -> None:
        if library_of(module) == "python" and self._is_outside(module.partition(".")[0], thing.__name__):
            self._say(thing, name)

    def _is_outside(self, module: str, name: str) -> bool:
        if module == "builtins":
            return name in _BUILTINS
        if module == "sys":
            return name in _SYSTEM
        if module == "random":
            return name in _OF_CHANCE
        module = module.lstrip("_")
        return module in _MODULES and name not in _HARMLESS.get(module, ())

    def _say(self, thing: Any, name: str) -> None:
        module = getattr(thing, "__module__", None)
        called = name if module in (None, "builtins", "_io") or name in _BUILTINS else f"{module}.{name}"
        self.found = self.found or f"{called} is used while play goes on, which reads from outside"


def _is_empty(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return True
    return False
