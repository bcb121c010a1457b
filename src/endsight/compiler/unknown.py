"""Whole numbers of which little is known: what rules give for all states at once, as far as that can be determined.

A state's numbers are unknown, each one of a few. Anything computed from them is a constant plus a sum of functions of
few of them each: a board's sum of distances is a function of each cell. Where a program has to know more to continue -
which way an `if` goes, which place an index means - the states are divided, and each part is examined by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from math import prod
from operator import getitem
from typing import Any, TypeAlias

from endsight.compiler.interpreter import COMPARE, Faulty

Cells: TypeAlias = "tuple[int, ...]"
Values: TypeAlias = "tuple[int, ...]"
Function: TypeAlias = "dict[Values, Any]"
"""The result for each choice of some unknown numbers."""

MOST_VALUES = 1 << 14
"""Choices that one function may tell apart."""
TOO_WIDE = -1
"""The site of a fault of the reading itself: too many numbers interact for all choices to be examined."""


class _Itself(dict[Values, int]):
    """The number itself, which may be one of very many."""

    def __missing__(self, values: Values) -> int:
        return values[0]


@dataclass
class Domain:
    """The states being examined: all in which each number is one of its `allowed` ones.

    `decisions` says which part was taken where the states had to be divided; beyond them the first is taken, and the
    others are added to `waiting`. While `is_whole`, states may not be divided.
    """

    allowed: list[Sequence[int]]
    decisions: Sequence[int] = ()
    waiting: list[tuple[int, ...]] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    is_whole: bool = False

    def number(self, cell: int) -> Unknown:
        """The unknown number with that place in the state."""
        return Unknown(self, 0, {(cell,): _Itself()})

    def choices(self, cells: Cells) -> Iterator[Values]:
        """All combinations that these numbers may have."""
        if prod(len(self.allowed[cell]) for cell in cells) > MOST_VALUES:
            raise Faulty(TOO_WIDE)
        return product(*(self.allowed[cell] for cell in cells))

    def divide(self, cell: int, parts: Sequence[Sequence[int]]) -> None:
        """Continue with one part of the values that a number may have."""
        if self.is_whole:
            raise Faulty(TOO_WIDE)
        depth = len(self.taken)
        if depth < len(self.decisions):
            part = self.decisions[depth]
        else:
            part = 0
            self.waiting += [(*self.taken, other) for other in range(1, len(parts))]
        self.taken.append(part)
        self.allowed[cell] = parts[part]


class Unknown:
    """A sum of a constant and functions of few unknown numbers each; or one function of any values."""

    __slots__ = ("box", "constant", "parts")

    def __init__(self, box: Domain, constant: Any, parts: dict[Cells, Function]) -> None:
        self.box = box
        self.constant = constant
        self.parts = parts

    def bounds(self) -> tuple[int, int]:
        """Bounds of its value: the sums of the least, and of the largest, values of the parts."""
        low = high = self.constant
        for cells, function in self.parts.items():
            values = [function[each] for each in self.box.choices(cells)]
            low, high = low + min(values), high + max(values)
        return low, high

    def as_one(self) -> tuple[Cells, Function]:
        """The same as one function."""
        if len(self.parts) == 1 and self.constant == 0:
            return next(iter(self.parts.items()))
        cells = tuple(sorted({cell for each in self.parts for cell in each}))
        readers = [(_reader(cells, own), function) for own, function in self.parts.items()]
        values = {
            each: self.constant + sum(function[reader(each)] for reader, function in readers)
            for each in self.box.choices(cells)
        }
        return cells, values

    def determined(self) -> Any:
        """Its value, once the states have been divided far enough for there to be one."""
        cells, function = self.as_one()
        while True:
            groups: dict[Any, list[Values]] = {}
            for each in self.box.choices(cells):
                groups.setdefault(function[each], []).append(each)
            if len(groups) == 1:
                return next(iter(groups))
            place, cell = next((at, cell) for at, cell in enumerate(cells) if len(self.box.allowed[cell]) > 1)
            others = [other for other in cells if other != cell and len(self.box.allowed[other]) > 1]
            if others:
                self.box.divide(cell, [(value,) for value in self.box.allowed[cell]])
            else:
                self.box.divide(cell, [[each[place] for each in group] for group in groups.values()])

    def __bool__(self) -> bool:
        return bool(determined(mapped(bool, self)))

    def __index__(self) -> int:
        return int(self.determined())

    def __len__(self) -> int:
        return len(self.determined())

    def __iter__(self) -> Iterator[Any]:
        return iter(self.determined())

    def __getitem__(self, place: int) -> Any:
        return mapped(partial(_item, place), self)

    __hash__ = None  # type: ignore[assignment]


for _sign, _meaning in COMPARE.items():  # the result may be unknown, too
    setattr(Unknown, f"__{_meaning.__name__}__", lambda one, other, sign=_sign: compared(sign, one, other))


def _item(place: int, items: Any) -> Any:
    return getitem(items, place)


def _reader(cells: Cells, own: Cells) -> Callable[[Values], Values]:
    """A function that picks the values of some of these numbers."""
    places = [cells.index(cell) for cell in own]
    return lambda values: tuple(values[place] for place in places)


def _parts_of(value: Any) -> tuple[Any, dict[Cells, Function]]:
    return (value.constant, value.parts) if isinstance(value, Unknown) else (value, {})


def determined(value: Any) -> Any:
    """A value that is known once the states have been divided far enough."""
    return value.determined() if isinstance(value, Unknown) else value


def bounds_of(value: Any) -> tuple[int, int]:
    """Bounds of a number."""
    return value.bounds() if isinstance(value, Unknown) else (value, value)


def mapped(function: Callable[..., Any], *values: Any) -> Any:
    """A function of some values, computed for all combinations that they may have."""
    box = next((each.box for each in values if isinstance(each, Unknown)), None)
    if box is None:
        return function(*values)
    functions: list[tuple[Cells, Function]] = [
        each.as_one() if isinstance(each, Unknown) else ((), {(): each}) for each in values
    ]
    cells = tuple(sorted({cell for own, _ in functions for cell in own}))
    readers = [(_reader(cells, own), values_of) for own, values_of in functions]
    made = {each: function(*(values_of[reader(each)] for reader, values_of in readers)) for each in box.choices(cells)}
    return _of(box, 0, {}, {cells: made})


def _of(box: Domain, constant: Any, parts: dict[Cells, Function], made: dict[Cells, Function]) -> Any:
    """The sum of these: a known value if no part varies, as those that were just `made` may not."""
    varying = dict(parts)
    for cells, function in made.items():
        first = next(iter(function.values()))
        if any(each != first for each in function.values()):
            varying[cells] = function
        else:
            varying.pop(cells, None)
            constant = constant + first if constant else first
    return Unknown(box, constant, varying) if varying else constant


def total(left: Any, right: Any, factor: int = 1) -> Any:
    """`left + factor * right`, part by part."""
    if not isinstance(left, Unknown) and not isinstance(right, Unknown):
        return left + factor * right
    box: Domain = left.box if isinstance(left, Unknown) else right.box
    (constant, parts), (more, others) = _parts_of(left), _parts_of(right)
    made = {}
    for cells, function in others.items():
        own = parts.get(cells)
        made[cells] = {each: (0 if own is None else own[each]) + factor * function[each] for each in box.choices(cells)}
    return _of(box, constant + factor * more, parts, made)


def compared(op: str, left: Any, right: Any) -> Any:
    """Whether numbers compare like that: known if their bounds decide it."""
    (low, high), (least, most) = bounds_of(left), bounds_of(right)
    if low > most or high < least:
        return COMPARE[op](low, least)
    return mapped(COMPARE[op], left, right)


def chosen(test: Unknown, yes: Any, no: Any) -> Any:
    """`yes` for states in which the test holds, and `no` for the others; `TOO_WIDE` if these are no such numbers."""
    if yes is no:
        return yes
    if isinstance(yes, list | tuple) and isinstance(no, list | tuple) and len(yes) == len(no):
        return type(yes)(chosen(test, *both) for both in zip(yes, no, strict=True))
    (constant, parts), (other, others) = _parts_of(yes), _parts_of(no)
    if not isinstance(constant, int) or not isinstance(other, int):
        raise Faulty(TOO_WIDE)
    test_of = test.as_one()
    same = {own: parts[own] for own in parts if parts[own] is others.get(own)}
    made: dict[Cells, Function] = {}
    for own in {**parts, **others}.keys() - same.keys():
        _add(made, *_between(test.box, test_of, own, parts.get(own), others.get(own)))
    if constant != other:
        _add(made, *_between(test.box, test_of, (), {(): constant}, {(): other}))
        constant = 0
    for own in same.keys() & made.keys():
        kept = same.pop(own)
        made[own] = {each: made[own][each] + kept[each] for each in made[own]}
    return _of(test.box, constant, same, made)


def _between(
    box: Domain, test: tuple[Cells, Function], own: Cells, yes: Function | None, no: Function | None
) -> tuple[Cells, Function]:
    """One part of two numbers, by the outcome of a test; `TOO_WIDE` if it is no number."""
    wide = tuple(sorted({*own, *test[0]}))
    asks, reads = _reader(wide, test[0]), _reader(wide, own)
    made = {}
    for each in box.choices(wide):
        function = yes if test[1][asks(each)] else no
        made[each] = 0 if function is None else function[reads(each)]
    if not all(isinstance(each, int) for each in made.values()):
        raise Faulty(TOO_WIDE)
    return wide, made


def _add(made: dict[Cells, Function], cells: Cells, function: Function) -> None:
    before = made.get(cells)
    made[cells] = function if before is None else {each: before[each] + function[each] for each in function}
