"""A hash over all objects that rules reach, the same in every process.

The walk starts at the game and visits its class with all base classes and mixins, and every
function, class and module of an author that these name, in whatever module; cells of
closures, defaults, wrapped functions; the game's own attributes, which hold what
`setup` made of parameters and files; tables, Enums, NamedTuples, dataclasses, partials.
Libraries count by name and version, the standard library by Python's.

An attribute of a module counts if a reached function uses an attribute of that name; all of them count if functions
look up names at run time (`getattr`, `globals`, ...). Objects that cannot be examined raise `Unknowable`.
"""

from __future__ import annotations

import abc
import copyreg
import functools
import importlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from typing import Any, Literal, get_args, get_origin

from endsight.game import Game
from endsight.identity.classes import (
    as_plain,
    made_by_namedtuple,
    own_attributes,
    shows_all,
    types_in_order,
)
from endsight.identity.code import content_of
from endsight.identity.known import PLACES
from endsight.identity.origin import is_at_its_name, library_of, library_of_function
from endsight.identity.outside import DYNAMIC

_ATOMS = frozenset({int, bool, str, bytes, type(None), type(...), type(NotImplemented)})
_FLOATS, _BOUND = (float, complex), (staticmethod, classmethod, types.MethodType)
_OF_GLOBALS = {"globals", "vars", "locals", "__globals__"}
"""Names by which a function may reach globals that it does not name."""
_ALWAYS = {"__getattr__"}
_READERS = {"__doc__", "__annotations__", "get_type_hints"}
"""Names whose use gives docstrings and annotations a meaning."""
NOT_MEANING = {
    "__doc__", "__module__", "__qualname__", "__firstlineno__", "__static_attributes__", "_abc_impl", "__slotnames__",
}  # fmt: skip
"""Entries of classes without meaning (`copy` and `pickle` leave the last one); docstrings count where they are read."""
_MUTABLE = {list, dict, set, bytearray}
_SAME: Any = object.__eq__
_DATA = (dict, list, set, frozenset, tuple, int, str, bytes, bytearray, float, complex)


class Unknowable(Exception):
    """The walk reached an object with unknown content; the text names it."""


class IdentityWalk:
    """One walk over everything reached from the first argument of `digest`.

    Each object is visited once. If it occurs again, its number represents it, as rules may ask whether two are the same
    one; but data that compares by what it holds is hashed again unless this is during its visit. `has_docstrings`
    includes docstrings and annotations, which is necessary where `reads_docstrings` becomes true.
    """

    def __init__(self, *, has_docstrings: bool = False, outer: IdentityWalk | None = None) -> None:
        self.has_docstrings = has_docstrings
        self.reads_docstrings = False
        self._outer = outer
        self._depth: int = 0 if outer is None else outer._depth + 1
        self._known: dict[int, bytes] = {}
        self._numbered = 0
        self._keep: list[Any] = []
        self._where: list[str] = [] if outer is None else [*outer._where, "..."]
        self._sets: list[set[Any] | frozenset[Any]] = []
        self._named: set[str] = set(_ALWAYS)
        self._is_dynamic = False
        self._words: set[str] = set()
        self._modules: dict[str, types.ModuleType] = {}
        self._libraries: dict[str, types.ModuleType] = {}

    def digest(self, root: Any) -> bytes:
        """The hash of `root` and everything that it reaches; raises `Unknowable`."""
        content = [self._of(root)]
        done: set[tuple[str, str]] = set()
        content.append(self._attributes_of_modules(done))
        for things in self._sets:  # grows meanwhile
            content += [self._members(things), self._attributes_of_modules(done)]
        self.reads_docstrings |= not _READERS.isdisjoint(self._named | (self._words if self._is_dynamic else set()))
        return _hash("all", *content)

    # ---------------------------------------------------------------- one thing

    def _of(self, thing: Any) -> bytes:
        kind = type(thing)
        if kind in _ATOMS:
            return _atom(kind, thing)
        if kind in _FLOATS:
            return _hash(kind.__name__, repr(thing).encode())
        known = self._found(thing)
        if known is not None:
            return known
        is_itself = kind in _MUTABLE or kind.__eq__ is _SAME
        self._numbered += is_itself
        self._known[id(thing)] = b"again %d %d %d" % (is_itself, self._depth, self._numbered)
        self._keep.append(thing)
        found = self._looked_at(kind, thing)
        if not is_itself:
            self._known[id(thing)] = found
        return found

    def _found(self, thing: Any) -> bytes | None:
        """What represents an object that was visited before, here or by the walk around this one."""
        walk: IdentityWalk | None = self
        while walk is not None:
            if (known := walk._known.get(id(thing))) is not None:
                return known
            walk = walk._outer
        return None

    def _looked_at(self, kind: type, thing: Any) -> bytes:
        called = getattr(thing, "__name__", None)
        self._is_dynamic |= kind.__name__ in DYNAMIC or (isinstance(called, str) and called in DYNAMIC)
        look = _SPECIAL.get(kind)
        if look is not None:
            return look(self, thing)
        if isinstance(thing, type):
            return self._class(thing)
        place = is_at_its_name(thing)
        if place is not None:
            return _hash("library", place.encode())
        if hasattr(thing, "__origin__") and hasattr(thing, "__args__"):
            return _hash("generic", self._of(thing.__origin__), self._all(thing.__args__))
        if kind.__module__ == "typing":
            return _hash("typing", repr(thing).encode())
        return self._object(kind, thing)

    def _all(self, things: Iterable[Any]) -> bytes:
        return _hash("all", *map(self._of, things))

    @contextmanager
    def _at(self, name: str) -> Iterator[None]:
        """Remember the path to the visited object, for the message."""
        self._where.append(name)
        yield
        self._where.pop()

    def _unknown(self, what: str) -> Unknowable:
        return Unknowable(f"{'.'.join(self._where) or 'the rules'} is {what}, whose content cannot be told")

    # ---------------------------------------------------------------- plain data

    def _sequence(self, things: list[Any] | tuple[Any, ...]) -> bytes:
        kind = type(things).__name__
        if _ATOMS.issuperset(map(type, things)):
            return _hash(kind, _plain(things))
        return _hash(kind, *map(self._of, things))

    def _mapping(self, things: dict[Any, Any] | types.MappingProxyType[Any, Any]) -> bytes:
        # In the order of the entries, as rules may iterate over them.
        kind = type(things).__name__
        return _hash(kind, self._sequence(list(things)), self._sequence(list(things.values())))

    def _set(self, things: set[Any] | frozenset[Any]) -> bytes:
        """In the order of the members where that is the same in every process; else hashed when all else is known."""
        kind = type(things).__name__
        if all(map(_is_in_order, things)):
            return _hash(kind, self._sequence(list(things)))
        if _ATOMS.issuperset(map(type, things)):
            return _hash(kind, *sorted(_atom(type(thing), thing) for thing in things))
        if self._outer is not None:
            return _hash(kind, self._members(things))
        self._sets.append(things)
        return _hash(kind, b"%d" % len(self._sets))

    def _members(self, things: set[Any] | frozenset[Any]) -> bytes:
        """The members of a set in the order of their hashes, which each finds apart from the others."""
        found = {self._apart()._of(thing): thing for thing in things}
        if len(found) < len(things):
            raise self._unknown("a set of objects that nothing tells apart")
        return _hash("members", *(part for each in sorted(found) for part in (each, self._of(found[each]))))

    def _apart(self) -> IdentityWalk:
        """A walk over one member, which leaves no numbers behind."""
        walk = IdentityWalk(has_docstrings=self.has_docstrings, outer=self)
        walk._named, walk._words = self._named, self._words
        walk._modules, walk._libraries = self._modules, self._libraries
        return walk

    def _bytes(self, things: bytearray | memoryview) -> bytes:
        shape = (things.format, things.shape, things.strides) if isinstance(things, memoryview) else ()
        return _hash(type(things).__name__, repr(shape).encode(), bytes(things))

    # ---------------------------------------------------------------- functions

    def _function(self, function: types.FunctionType) -> bytes:
        library = library_of_function(function)
        if library is not None:
            place = is_at_its_name(function)
            if place is not None:
                return _hash("library", place.encode())
        with self._at(function.__name__):
            parts = [
                self._code(function.__code__),
                f"{function.__name__} {function.__qualname__}".encode(),
                self._of(function.__defaults__),
                self._of(function.__kwdefaults__),
                self._all(function.__closure__ or ()),
                self._of(function.__dict__),
            ]
            if self.has_docstrings:
                parts += map(self._of, (function.__doc__, function.__annotations__))
            if library is None:
                parts.append(self._names(function))
            else:
                parts.append(library.encode())
            return _hash("function", *parts)

    def _code(self, code: types.CodeType) -> bytes:
        content = content_of(code)
        return content.documented if self.has_docstrings else content.digest

    def _names(self, function: types.FunctionType) -> bytes:
        """The objects that a function's names refer to, among names of its module or of Python."""
        content = content_of(function.__code__)
        space = function.__globals__
        self._named.update(content.names)
        self._words |= content.words
        dynamic = DYNAMIC.intersection(content.names)
        self._is_dynamic |= bool(dynamic)
        names: Iterable[str] = content.names
        if dynamic & _OF_GLOBALS:
            names = sorted({*content.names, *filter(_is_plain_name, space)})
        builtins = sys.modules["builtins"].__dict__
        parts = []
        for name in names:
            if name in PLACES:
                continue
            if name in space or name in builtins:
                with self._at(name):
                    parts += [name.encode(), self._of(space[name] if name in space else builtins[name])]
        for module, level in content.imports:
            parts.append(self._imported(module, level, space))
        return _hash("names", *parts)

    def _imported(self, module: str, level: int, space: dict[str, Any]) -> bytes:
        """A module that a function imports when it runs."""
        try:
            loaded = importlib.import_module("." * level + module, space.get("__package__") if level else None)
        except Exception:  # whatever the author's module raises, the rules would raise too
            return _hash("no module", module.encode())
        return _hash("imports", self._of(loaded))

    def _method(self, method: Any) -> bytes:
        place = is_at_its_name(method)
        if place is not None:
            return _hash("library", place.encode())
        own, name = method.__self__, str(method.__name__)
        if isinstance(method, types.MethodType):
            return _hash("method", self._of(own), self._of(method.__func__))
        if own is None or (isinstance(own, types.ModuleType) and library_of(own.__name__) is None):
            raise self._unknown(f"{name}, a function that is not written in Python")
        return _hash("method", self._of(own), name.encode())

    def _descriptor(self, thing: Any) -> bytes:
        return _hash("descriptor", self._of(thing.__objclass__), thing.__name__.encode())

    def _wrapped(self, thing: Any) -> bytes:
        return _hash(type(thing).__name__, self._of(thing.__func__))

    def _cell(self, cell: types.CellType) -> bytes:
        try:
            content = cell.cell_contents
        except ValueError:
            return _hash("empty cell")
        return _hash("cell", self._of(content))

    # ---------------------------------------------------------------- classes, objects, modules

    def _class(self, kind: type) -> bytes:
        if kind.__module__ == "builtins" or library_of(kind.__module__) is not None:
            place = is_at_its_name(kind)
            if place is not None:
                changed = [(name, entry) for name, entry in vars(kind).items() if _is_of_an_author(entry)]
                return _hash("library", place.encode(), *(self._of(each) for pair in changed for each in pair))
            if kind.__module__ == "builtins":
                return _hash("library", kind.__qualname__.encode())
        with self._at(kind.__name__):
            parts = [f"{kind.__name__} {kind.__qualname__}".encode(), self._of(type(kind)), self._all(kind.__bases__)]
            left_out = NOT_MEANING - {"__doc__"} if self.has_docstrings else NOT_MEANING
            if kind.__bases__ == (tuple,) and hasattr(kind, "_fields"):
                defaults = kind._field_defaults, getattr(kind.__new__, "__defaults__", None)  # type: ignore[attr-defined]
                parts += [self._of(kind._fields), self._of(defaults), *map(self._type, types_in_order(kind))]
                left_out = left_out | made_by_namedtuple(kind)
            if "_abc_impl" in vars(kind):
                registered = getattr(abc, "_get_dump")(kind)[0]  # noqa: B009
                parts.append(self._set({each() for each in registered}))
            for name, entry in vars(kind).items():
                if name in left_out or isinstance(entry, types.GetSetDescriptorType):
                    continue
                with self._at(name):
                    parts += [name.encode(), self._of(entry)]
            return _hash("class", *parts)

    def _type(self, kind: Any) -> bytes:
        """A declared type. The order of a Literal's values depends on earlier uses in the process."""
        own, inner = get_origin(kind), get_args(kind)
        if own is None:
            return self._of(kind)
        parts = sorted(map(self._of, inner)) if own is Literal else map(self._type, inner)
        return _hash("type", self._of(own), *parts)

    def _object(self, kind: type, thing: Any) -> bytes:
        """An instance: its class, its attributes, and what its base classes written in C hold."""
        parts = [self._of(kind)]
        library = library_of(kind.__module__)
        if library is None:
            parts.append(self._own_attributes(thing))
        plain = next((each for each in _DATA if isinstance(thing, each)), None)
        if plain is not None:
            parts.append(self._looked_at(plain, as_plain(plain, thing)))
        if library is not None or not shows_all(kind, _DATA):
            parts.append(self._reduced(kind, thing))
        return _hash("object", *parts)

    def _own_attributes(self, thing: Any) -> bytes:
        # A parameter given explicitly and one left at its default mean the same.
        parameters = Game.values(thing) if isinstance(thing, Game) else {}
        parts = [IdentityWalk()._of(parameters)]
        if isinstance(thing, Game):
            # They determine how states are shown, packed and stored.
            parts.append(_hash("types", *map(self._type, types_in_order(getattr(thing, "State", None), thing))))
        for name, value in own_attributes(thing, parameters):
            with self._at(name):
                parts += [str(name).encode(), self._of(value)]
        return _hash("attributes", *parts)

    def _reduced(self, kind: type, thing: Any) -> bytes:
        """The arguments that would rebuild the object, as for `pickle`."""
        reduce = copyreg.dispatch_table.get(kind)
        try:
            made = thing.__reduce_ex__(2) if reduce is None else reduce(thing)
        except Exception:  # an object may refuse in any way
            raise self._unknown(_article(kind.__name__)) from None
        if isinstance(made, str):
            if library_of(kind.__module__) is None:
                raise self._unknown(_article(kind.__name__))
            return _hash("named", made.encode())
        make, arguments, *rest = made
        state, items, entries = (*rest, None, None, None)[:3]
        parts = [self._of(make), self._of(arguments), self._of(state)]
        return _hash("made", *parts, self._of(list(items or ())), self._of(list(entries or ())))

    def _module(self, module: types.ModuleType) -> bytes:
        """A module of a library by name; of an author's, `digest` adds the attributes that are used."""
        library = library_of(module.__name__)
        if library is not None:
            self._libraries.setdefault(module.__name__, module)
            return _hash("library", f"{library}: {module.__name__}".encode())
        self._modules.setdefault(module.__name__, module)
        return _hash("module", b"%d" % list(self._modules).index(module.__name__))

    def _attributes_of_modules(self, done: set[tuple[str, str]]) -> bytes:
        """The used attributes of authors' modules that are not `done`; the loop may find more names."""
        parts: list[bytes] = []
        while new := self._used_attributes(done):
            for module, name in new:
                done.add((module, name))
                with self._at(f"{module.rpartition('.')[2]}.{name}"):
                    place = self._modules.get(module) or self._libraries[module]
                    parts += [name.encode(), self._of(vars(place)[name])]
        return _hash("modules", *parts)

    def _used_attributes(self, done: set[tuple[str, str]]) -> list[tuple[str, str]]:
        # Attributes of a library's module that an author has set, or may have set, are the author's.
        replaced = [
            (place, name)
            for place, module in self._libraries.items()
            for name in sorted(self._named)
            if (place, name) not in done and _may_be_set(vars(module).get(name), name)
        ]
        return replaced + [
            (place, name)
            for place, module in self._modules.items()
            for name in sorted(vars(module))
            if (name in self._named or (self._is_dynamic and _is_plain_name(name))) and name not in PLACES
            if (place, name) not in done
        ]


def _hash(kind: str, *parts: bytes) -> bytes:
    """Parts with their lengths, so that different lists of parts never agree."""
    lengths = ",".join(map(str, map(len, parts)))
    return sha256(b"%b(%b)%b" % (kind.encode(), lengths.encode(), b"".join(parts))).digest()


def _atom(kind: type, thing: Any) -> bytes:
    if kind is int:
        return b"i%x" % thing
    return b"%b%b" % (kind.__name__.encode(), repr(thing).encode("utf-8", "surrogatepass"))


def _plain(things: list[Any] | tuple[Any, ...]) -> bytes:
    try:
        return repr(things).encode("utf-8", "surrogatepass")
    except ValueError:  # whole numbers with more digits than Python writes
        return _hash("long", *(_atom(type(thing), thing) for thing in things))


def _is_plain_name(name: str) -> bool:
    return not name.startswith("__")


def _is_of_an_author(thing: Any) -> bool:
    """Whether an entry of a library's class or module is a function or method of an author; others are not asked."""
    function = thing.fget if isinstance(thing, property) else thing.__func__ if isinstance(thing, _BOUND) else thing
    if not isinstance(function, types.FunctionType):
        return False
    is_generated = function.__globals__.get("__name__", "").startswith("namedtuple_")
    return not is_generated and library_of_function(function) is None


def _may_be_set(thing: Any, name: str) -> bool:
    """Whether an attribute of a library's module may be another one than the library has under that name."""
    if thing is None or isinstance(thing, types.ModuleType):
        return False
    if isinstance(thing, type):
        return any(map(_is_of_an_author, vars(thing).values()))
    place = is_at_its_name(thing)
    return type(thing) in (*_ATOMS, *_FLOATS) or _is_of_an_author(thing) or not (place or name).endswith(name)


def _is_in_order(thing: Any) -> bool:
    """Whether a member of a set has the same hash in every process, so that it has its place there."""
    return type(thing) in (int, bool, float) or (type(thing) is tuple and all(map(_is_in_order, thing)))


def _article(word: str) -> str:
    return f"{'an' if word[:1].lower() in 'aeiou' else 'a'} {word}"


_Look = Callable[[IdentityWalk, Any], bytes]
_SPECIAL: dict[type, _Look] = {
    types.FunctionType: IdentityWalk._function,
    list: IdentityWalk._sequence,
    tuple: IdentityWalk._sequence,
    dict: IdentityWalk._mapping,
    types.MappingProxyType: IdentityWalk._mapping,
    set: IdentityWalk._set,
    frozenset: IdentityWalk._set,
    bytearray: IdentityWalk._bytes,
    memoryview: IdentityWalk._bytes,
    int: lambda _, thing: _atom(int, thing),
    str: lambda _, thing: _atom(str, thing),
    bytes: lambda _, thing: _atom(bytes, thing),
    float: lambda _, thing: repr(thing).encode(),
    complex: lambda _, thing: repr(thing).encode(),
    types.MethodType: IdentityWalk._method,
    types.BuiltinFunctionType: IdentityWalk._method,
    types.MethodWrapperType: IdentityWalk._method,
    types.WrapperDescriptorType: IdentityWalk._descriptor,
    types.MethodDescriptorType: IdentityWalk._descriptor,
    types.GetSetDescriptorType: IdentityWalk._descriptor,
    types.MemberDescriptorType: lambda _, thing: _hash("slot", thing.__name__.encode()),
    staticmethod: IdentityWalk._wrapped,
    classmethod: IdentityWalk._wrapped,
    property: lambda walk, thing: _hash("property", *map(walk._of, (thing.fget, thing.fset, thing.fdel))),
    functools.cached_property: lambda walk, thing: _hash("cached property", walk._of(thing.func)),
    type(functools.lru_cache(int)): lambda walk, thing: _hash(
        "cached", walk._of(thing.__wrapped__), walk._of(thing.cache_parameters())
    ),
    types.CellType: IdentityWalk._cell,
    types.CodeType: IdentityWalk._code,
    types.UnionType: lambda walk, thing: _hash("union", walk._all(thing.__args__)),
    types.ModuleType: IdentityWalk._module,
}
"""The visitor for each kind of object; all others are classes or objects."""
