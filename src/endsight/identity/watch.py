"""Whether rules are still those that were solved, in the same program.

A cell of a notebook may give a helper, a constant or a method another meaning after a game was solved. What the rules
themselves change while they run (a table that they fill, a count of calls) is no such change.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from endsight.errors import QuestionError
from endsight.game import Game
from endsight.games import is_built_in
from endsight.identity import deep
from endsight.identity.classes import own_attributes
from endsight.identity.code import content_of
from endsight.identity.origin import library_of, library_of_function
from endsight.identity.walk import NOT_MEANING, IdentityWalk

MOST = 1_000
"""A list, dictionary or set with more entries counts as changed only if another one takes its place."""
_CONTAINERS = (list, tuple, dict, set, frozenset, bytearray, deque, MappingProxyType)
_OF_ARRAYS, _BYTES = ("array", "builtins", "numpy"), 8
"""Modules whose classes hold numbers as bytes, and the bytes of a number."""
_NOT_OF_CLASSES = NOT_MEANING | {"__annotations__", "__annotations_cache__"}
"""Entries of classes that have no meaning, or that Python makes when they are first asked for."""
_NONE = object()


class Watch:
    """What all names are bound to by which a game from outside and the policies of `fixed` reach their objects."""

    def __init__(self, game: Game, fixed: Mapping[int, Any]) -> None:
        self._title = game.title()
        reached = _Reached()
        rules = () if is_built_in(game) else (game,)
        with suppress(Exception), deep():  # an object that cannot be examined ends the walk, and not the solve
            for each in (*rules, *filter(callable, fixed.values())):
                reached.digest(each)
        self._seen = [(*read, read.content()) for read in reached.reads()]
        self._own: set[tuple[int, Any]] = set()
        """The names that the rules change themselves."""

    def require_same(self, *, may_grow: bool = True) -> None:
        """Raise `QuestionError` if a name is bound to another object now, or an entry of a table is another one.

        Rules may keep what they have worked out in a table, so it `may_grow`.
        """
        changed = next((called for called, _, is_new in self._changes() if not (is_new and may_grow)), None)
        if changed is not None:
            raise QuestionError(
                f"the rules of {self._title}, or what they use, have changed since they were solved",
                found=f"another {changed}",
                allowed="questions about the rules as they were then",
                advice="solve the game again",
            )

    def accept(self) -> None:
        """Leave out from now on whatever has changed, since the rules have run and nothing else."""
        self._own.update(place for _, place, _ in self._changes())

    def _changes(self) -> Iterator[tuple[str, tuple[int, Any], bool]]:
        """What to call each change, its place, and whether a table has a new entry."""
        for number, (called, content, before) in enumerate(self._seen):
            now = content()
            if now.keys() == before.keys() and all(map(_is_same, now.values(), before.values())):
                continue
            for name in before.keys() | now.keys():
                is_same = _is_same(now.get(name, _NONE), before.get(name, _NONE))
                if not is_same and (number, name) not in self._own:
                    yield called or name, (number, name), bool(called) and name not in before


class _Read(NamedTuple):
    """How to read what an object refers to: by name; or the entries of a table, which is then `called` something."""

    called: str
    content: Callable[[], dict[Any, Any]]


class _Reached(IdentityWalk):
    """A walk that does not enter large containers."""

    def _looked_at(self, kind: type, thing: Any) -> bytes:
        return b"" if isinstance(thing, _CONTAINERS) and len(thing) > MOST else super()._looked_at(kind, thing)

    def reads(self) -> Iterator[_Read]:
        """For each visited object that can change, how to read it."""
        return filter(None, map(self._read_of, self._keep))

    def _read_of(self, thing: Any) -> _Read | None:
        if isinstance(thing, FunctionType):
            return None if library_of_function(thing) else _Read("", lambda: _of_function(thing))
        if isinstance(thing, ModuleType):  # names of endsight are bound when they are first asked for
            if library_of(thing.__name__) == "endsight":
                return None
            return _Read("", lambda: {name: vars(thing)[name] for name in self._named if name in vars(thing)})
        if isinstance(thing, _CONTAINERS) and len(thing) > MOST:
            return None
        if isinstance(thing, dict | MappingProxyType):
            return _Read("entry of a dictionary", lambda: dict(thing))
        if isinstance(thing, list | bytearray | deque):
            return _Read("entry of a list", lambda: dict(enumerate(thing)))
        if type(thing).__module__ in _OF_ARRAYS and hasattr(type(thing), "tobytes"):
            is_short = len(thing.tobytes()) <= _BYTES * MOST
            return _Read("entry of an array", lambda: {"": thing.tobytes()}) if is_short else None
        if isinstance(thing, set):
            return _Read("entry of a set", lambda: dict(zip(thing, thing, strict=True)))
        is_class = isinstance(thing, type)
        if library_of((thing if is_class else type(thing)).__module__) is not None:
            return None
        return _Read("", lambda: _of_class(thing) if is_class else dict(own_attributes(thing)))


def _is_same(one: Any, other: Any) -> bool:
    """Whether a name is bound to the same object, or to an equal one that is made anew whenever it is read."""
    return one is other or (type(one) is type(other) and type(one) in (int, str, bytes) and one == other)


def _of_function(function: FunctionType) -> dict[Any, Any]:
    code, space = function.__code__, function.__globals__
    found: dict[str, Any] = {name: space[name] for name in content_of(code).globals if name in space}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # an empty cell
            found[name] = cell.cell_contents
    called = function.__name__
    defaults = {f"{called}()": code, f"default of {called}": function.__defaults__}
    return found | defaults | {f"default by name of {called}": function.__kwdefaults__}


def _of_class(kind: type) -> dict[Any, Any]:
    return {name: value for name, value in vars(kind).items() if name not in _NOT_OF_CLASSES}
