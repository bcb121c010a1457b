"""States as whole numbers: fields of natural types, flattened for tables, files and machine words, and back.

`limits()` sets the range of each field. A whole number: its largest value. A tuple: one limit for all items,
whose count then stays as at the start, or one limit each, and then there are at most that many.
A frozenset of whole numbers: its largest member. A text: the letters allowed at every place, or a tuple
of letters, place by place. The entry for a bool, an Enum or a Literal is ignored.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum
from functools import partial
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, Union, get_args, get_origin

from endsight.errors import PositionError, RulesError
from endsight.errors.rules_guard import brief
from endsight.game.field_texts import field_types, item_types
from endsight.game.numbers import count_text

if TYPE_CHECKING:
    from endsight.game import Game

Numbers: TypeAlias = "tuple[int, ...]"
Sort: TypeAlias = 'Literal["whole", "one of", "members", "items", "up to", "perhaps"]'


class Problem(NamedTuple):
    """Why the value of a field is not allowed.

    `place` names the field, as `cells_3`, `found` is the value, `why` the fault (`below 0`), `allowed` the values that
    are allowed, and `cure` what the author of the rules may do.
    """

    place: str
    found: str
    why: str
    allowed: str
    cure: str


class Codec:
    """Translates the states of one game to whole numbers from 0 up, equally many for every state.

    names   of the numbers: the field's, where it takes one; else `cells_0`, `cells_1`, ...
    limits  the largest value of each
    """

    def __init__(self, game: Game) -> None:
        """Raises `RulesError` for limits that do not fit the types of the fields."""
        self.make = game.State
        types = field_types(game.State, *type(game).__mro__)
        limits, names = game.limits(), game.State._fields
        if not isinstance(limits, tuple) or tuple.__len__(limits) != len(names):
            raise RulesError(
                f"{game.title()}: limits does not give a State",
                found=brief(limits),
                advice="write class State(NamedTuple), and return self.State(...) with the largest values",
            )
        rows = zip(names, limits, game.start(), strict=True)
        self.kinds = [_kind(types[name], limit, first, name) for name, limit, first in rows]
        self.limits: Numbers = tuple(most for kind in self.kinds for most in kind.limits)
        self.names = tuple(name for kind in self.kinds for name in kind.names())
        self.is_plain = all(kind.is_plain for kind in self.kinds)
        """Whether every field is one whole number, so that states are their own numbers."""
        plainly = partial(tuple.__new__, game.State)  # `State._make` is a Python function and takes longer
        self.state: Callable[[Sequence[int]], Any] = plainly if self.is_plain else self._made
        """The state that these numbers encode; the inverse of `numbers`."""

    def problem(self, state: Any) -> Problem | None:
        """The first field of a state that its type or limit does not allow; None where all are right."""
        for kind, value in zip(self.kinds, state, strict=True):
            problem = kind.problem(value)
            if problem is not None:
                return problem
        return None

    def numbers(self, state: Any) -> Numbers:
        """The whole numbers of a state that has no `problem`."""
        if self.is_plain:
            return tuple(state)
        return tuple(each for kind, value in zip(self.kinds, state, strict=True) for each in kind.numbers(value))

    def _made(self, numbers: Sequence[int]) -> Any:
        rest = iter(numbers)
        return self.make(*[kind.value(rest) for kind in self.kinds])


def fields_of(game: Game) -> list[Coder]:
    """The encodings of the fields of the states; without limits, whole numbers of any size."""
    return Codec(game).kinds if game.gives("limits") else [_Whole(name, 1 << 63) for name in game.State._fields]


def check_position(game: Game, state: Any, text: str) -> None:
    """Raise `PositionError` for a state, given as `text`, that the types and limits of its fields do not allow."""
    problem = Codec(game).problem(state) if game.gives("limits") else None
    if problem is not None:
        found, allowed = f"{problem.place} is {problem.found}", f"{problem.place}: {problem.allowed}"
        raise PositionError(f"no such position: {text}", found=found, allowed=allowed)


class Coder(ABC):
    """Translates values of one declared type, up to one limit, to `len(limits)` whole numbers from 0 up."""

    sort: Sort
    limits: Numbers
    items: Sequence[Coder] = ()
    """The kinds of the items of a tuple, a text or an optional value, place by place."""
    made: type = tuple
    """The type that holds the items."""
    values: tuple[Any, ...] = ()
    """The possible values, where there are only a few."""
    is_plain = False
    is_word = False
    """Whether Python calculates with the value as with its one whole number, as for whole numbers and bools."""

    def __init__(self, place: str) -> None:
        self.place = place

    @abstractmethod
    def problem(self, value: Any) -> Problem | None:
        """Why the value is not allowed; None where it is."""

    @abstractmethod
    def numbers(self, value: Any) -> Numbers:
        """The whole numbers of a value that has no `problem`."""

    def leaves(self, value: Any) -> Iterator[tuple[Coder, Any]]:
        """The parts of a value that has no `problem` which are one number each, or members of a set."""
        yield self, value

    def truths(self, value: Any) -> set[str]:
        """The names of the numbers that hold `True` or `False` in a value that has no `problem`."""
        return {part.place for part, own in self.leaves(value) if isinstance(own, bool)}

    def numbered(self, value: Any) -> set[str]:
        """The names of the numbers that hold none of the possible values itself, but an equal one of another class."""
        pairs = [(part, own) for part, own in self.leaves(value) if part.values]
        return {part.place for part, own in pairs if type(own) is not type(part.values[part.values.index(own)])}

    def parts(self) -> list[Coder]:
        """The encoding itself, and those of all items in it."""
        return [self, *(part for item in self.items for part in item.parts())]

    def lengths(self, value: Any) -> Iterator[tuple[Coder, bool]]:
        """The parts of a value that have up to a number of items, and whether they have all of these.

        Parts of what may be missing are left out: where it is, they have none.
        """
        return iter(())

    @abstractmethod
    def value(self, rest: Iterator[int]) -> Any:
        """The value that the next `len(limits)` numbers encode."""

    def names(self) -> list[str]:
        """The names of the numbers."""
        if len(self.limits) == 1:
            return [self.place]
        return [f"{self.place}_{number}" for number in range(len(self.limits))]

    def wrong(self, value: Any, why: str, allowed: str, cure: str) -> Problem:
        """The problem with this value."""
        return Problem(self.place, brief(value), why, allowed, cure)


class _Whole(Coder):
    """A whole number from 0 to a largest one."""

    sort = "whole"
    is_plain = True
    is_word = True

    def __init__(self, place: str, most: int) -> None:
        super().__init__(place)
        self.limits = (most,)

    def problem(self, value: Any) -> Problem | None:
        most = self.limits[0]
        if isinstance(value, int) and 0 <= value <= most:
            return None
        why, cure = f"{type(value).__name__} where a whole number is declared", "give a whole number"
        if isinstance(value, int) and value < 0:
            why, cure = "below 0", "fields go from 0 up: shift the field, or do not offer the move that leads there"
        elif isinstance(value, int):
            why, cure = f"above its limit {most}", "raise limits(), or do not offer the move that leads there"
        return self.wrong(value, why, f"a whole number from 0 to {most}", cure)

    def numbers(self, value: Any) -> Numbers:
        return (int(value),)

    def value(self, rest: Iterator[int]) -> Any:
        return next(rest)


class _OneOf(Coder):
    """One of a few values, encoded by its index among them."""

    sort = "one of"

    def __init__(self, place: str, values: Sequence[Any], *, is_word: bool = False) -> None:
        super().__init__(place)
        self.values, self.is_word = tuple(values), is_word
        self.limits = (len(values) - 1,)

    def problem(self, value: Any) -> Problem | None:
        if value in self.values:
            return None
        allowed = ", ".join(map(brief, self.values))
        return self.wrong(value, "which its type or its limit does not name", allowed, f"give one of {allowed}")

    def numbers(self, value: Any) -> Numbers:
        return (self.values.index(value),)

    def value(self, rest: Iterator[int]) -> Any:
        return self.values[next(rest)]


class _Members(Coder):
    """A frozenset of whole numbers from 0 to a largest one: a bit for each."""

    sort = "members"

    def __init__(self, place: str, most: int) -> None:
        super().__init__(place)
        self.most = most
        self.limits = ((2 << most) - 1,)

    def problem(self, value: Any) -> Problem | None:
        if isinstance(value, frozenset) and value.issubset(range(self.most + 1)):
            return None
        allowed = f"a frozenset of whole numbers from 0 to {self.most}"
        return self.wrong(value, "not within its limit", allowed, "raise limits(), which gives the largest member")

    def numbers(self, value: Any) -> Numbers:
        return (sum(1 << each for each in value),)

    def leaves(self, value: Any) -> Iterator[tuple[Coder, Any]]:
        return ((self, each) for each in value)

    def value(self, rest: Iterator[int]) -> Any:
        bits = next(rest)
        return frozenset(each for each in range(self.most + 1) if bits >> each & 1)


class _Items(Coder):
    """A fixed number of items, each of its own kind; `make` builds the value from their list."""

    sort: Sort = "items"
    cure = "where their number changes, let limits() give one limit for each item that there may be"

    def __init__(self, place: str, items: Sequence[Coder], made: type, make: Callable[[list[Any]], Any]) -> None:
        super().__init__(place)
        self.items, self.made, self.make = items, made, make
        self.limits = tuple(most for item in items for most in item.limits)

    def items_of(self, value: Any) -> Any:
        """The items of a value."""
        return value

    def problem(self, value: Any) -> Problem | None:
        given = self.items_of(value)
        if not isinstance(given, tuple | str) or not self.holds(len(given)):
            return self.wrong(given, f"not {self.length}", self.length, self.cure)
        for item, own in zip(self.items, given, strict=False):
            problem = item.problem(own)
            if problem is not None:
                return problem
        return None

    @property
    def length(self) -> str:
        """The allowed number of items, for people."""
        return f"{count_text(len(self.items), 'item')}, as at the start"

    def holds(self, count: int) -> bool:
        """Whether that many items are allowed."""
        return count == len(self.items)

    def numbers(self, value: Any) -> Numbers:
        return tuple(each for item, own in zip(self.items, value, strict=True) for each in item.numbers(own))

    def leaves(self, value: Any) -> Iterator[tuple[Coder, Any]]:
        for item, own in zip(self.items, self.items_of(value), strict=False):  # fewer where the count may vary
            yield from item.leaves(own)

    def lengths(self, value: Any) -> Iterator[tuple[Coder, bool]]:
        for item, own in zip(self.items, value, strict=False):
            yield from item.lengths(own)

    def value(self, rest: Iterator[int]) -> Any:
        return self.make([item.value(rest) for item in self.items])


class _UpTo(_Items):
    """Up to a fixed number of items: their count, then the items, then only 0."""

    sort: Sort = "up to"
    cure = "let limits() give one limit for each item that there may be"

    def __init__(self, place: str, items: Sequence[Coder], made: type, make: Callable[[list[Any]], Any]) -> None:
        super().__init__(place, items, made, make)
        self.limits = (len(items), *self.limits)

    @property
    def length(self) -> str:
        return f"at most {count_text(len(self.items), 'item')}, as limits() has"

    def holds(self, count: int) -> bool:
        return count <= len(self.items)

    def lengths(self, value: Any) -> Iterator[tuple[Coder, bool]]:
        yield self, len(value) == len(self.items)
        yield from super().lengths(value)

    def numbers(self, value: Any) -> Numbers:
        given = self.items_of(value)
        own = tuple(each for item, one in zip(self.items, given, strict=False) for each in item.numbers(one))
        return (len(given), *own, *(0,) * (len(self.limits) - 1 - len(own)))

    def value(self, rest: Iterator[int]) -> Any:
        count = next(rest)
        made = [item.value(rest) for item in self.items]
        return self.make(made[:count])


class _Perhaps(_UpTo):
    """None, or a value."""

    sort: Sort = "perhaps"

    def items_of(self, value: Any) -> Any:
        return () if value is None else (value,)

    def lengths(self, value: Any) -> Iterator[tuple[Coder, bool]]:
        return iter(())


def _kind(kind: Any, limit: Any, first: Any, place: str) -> Coder:
    """The encoding of values of the type `kind`, whose limit is `limit` and whose start value is `first` at `place`.

    `first` is None where the start has no value, in fields that may grow or be None.
    """
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is int:
        return _Whole(place, _largest(limit, place))
    if origin is bool:
        return _OneOf(place, (False, True), is_word=True)
    if origin is Literal:
        # `typing` keeps `Literal["b", "a"] | None` as `Literal["a", "b"] | None` if it has seen that before.
        values = sorted(inner, key=lambda value: (type(value).__name__, repr(value)))
        if len(set(values)) < len(values):
            raise RulesError(
                f"the field {place} takes values that are equal, so different states would be treated as one",
                found=f"Literal[{', '.join(map(repr, values))}]",
                advice="use values that differ by ==, such as texts",
            )
        return _OneOf(place, values)
    if origin in (UnionType, Union) and NoneType in inner and len(inner) == 2:
        item = _kind(next(each for each in inner if each is not NoneType), limit, first, place)
        return _Perhaps(place, [item], tuple, lambda made: made[0] if made else None)
    if origin is str:
        return _sequence(str, limit, first, place, str, "".join)
    if isinstance(origin, type):
        if issubclass(origin, Enum):
            return _OneOf(place, list(origin))
        if origin is frozenset:
            return _Members(place, _largest(limit, place, "its largest member, a whole number from 0 up"))
        if issubclass(origin, tuple):
            return _tuple(origin, inner, limit, first, place)
    raise _unknown(kind, place)


def _tuple(origin: type, inner: tuple[Any, ...], limit: Any, first: Any, place: str) -> Coder:
    """A tuple of any number of items of one type, of one item for each given type, or a NamedTuple."""
    if len(inner) == 2 and inner[1] is Ellipsis:
        return _sequence(inner[0], limit, first, place, tuple, tuple)
    if _occurs_in(origin, item_types(origin) if hasattr(origin, "_fields") else (), []):
        raise RulesError(
            f"the field {place} has a type that contains itself, so it has infinitely many values",
            found=origin.__name__,
            advice="keep the parts in a tuple and let them name each other by their numbers in it",
        )
    make = getattr(origin, "_make", tuple)
    types = item_types(origin) if hasattr(origin, "_fields") else inner
    if not types:
        return _sequence(int, limit, first, place, tuple, tuple)
    limits = limit if isinstance(limit, tuple) else (limit,) * len(types)
    first = (None,) * len(types) if first is None else first  # of a field that may be None
    if len(limits) != len(types) or not isinstance(first, tuple) or len(first) != len(types):
        raise RulesError(
            f"limits or start has a different number of items from the type of the field {place}",
            found=brief((limit, first)),
            allowed=count_text(len(types), "item"),
        )
    rows = zip(types, limits, first, strict=True)
    return _Items(place, [_kind(*row, f"{place}_{number}") for number, row in enumerate(rows)], origin, make)


def _occurs_in(target: type, kinds: Iterable[Any], known: list[Any]) -> bool:
    """Whether a type is one of `kinds`, or a part of one; skips the `known` ones."""
    for kind in kinds:
        if kind is target:
            return True
        if kind not in known:
            known.append(kind)
            inner = item_types(kind) if hasattr(kind, "_fields") else get_args(kind)
            if _occurs_in(target, inner, known):
                return True
    return False


def _sequence(item: Any, limit: Any, first: Any, place: str, made: type, make: Callable[[list[Any]], Any]) -> Coder:
    """As many items as at the start, or at most as many as there are limits."""
    first = () if first is None else first  # of a field that may be None
    if not isinstance(first, tuple | str):
        raise RulesError(f"start gives the field {place} a value that does not fit its type", found=brief(first))
    if isinstance(limit, tuple):
        firsts = [*first, *(first[-1:] or [None]) * len(limit)]
        rows = zip(limit, firsts, strict=False)
        return _UpTo(place, [_item(item, *row, f"{place}_{number}") for number, row in enumerate(rows)], made, make)
    if not first:
        raise RulesError(
            f"limits gives one limit for all items of the field {place}, which has none at the start",
            advice="give a tuple, with one limit for each item that there may be",
        )
    return _Items(place, [_item(item, limit, own, f"{place}_{number}") for number, own in enumerate(first)], made, make)


def _item(item: Any, limit: Any, first: Any, place: str) -> Coder:
    """One item of a tuple, or one letter of a text: a text that is an item has the length that it has at the start."""
    if item is not str or (isinstance(first, str) and len(first) > 1):
        return _kind(item, limit, first, place)
    if not isinstance(limit, str) or not limit:
        raise RulesError(
            f"limits must name the letters of {place}", found=brief(limit), allowed="a text, such as '.XO'"
        )
    return _OneOf(place, limit)


def _largest(limit: Any, place: str, allowed: str = "a whole number from 0 up") -> int:
    """A limit that is one whole number."""
    if not isinstance(limit, int) or limit < 0:
        raise RulesError(f"limits gives the field {place} no largest value", found=brief(limit), allowed=allowed)
    return int(limit)


def _unknown(kind: Any, place: str) -> RulesError:
    return RulesError(
        f"the field {place} has a type that states cannot have",
        found=getattr(kind, "__name__", str(kind)),
        allowed="int, bool, str, Enum, Literal, tuple, NamedTuple, frozenset of whole numbers, or one of them or None",
        advice="lists become tuples, sets frozensets, dicts tuples by a fixed order of their keys",
    )
