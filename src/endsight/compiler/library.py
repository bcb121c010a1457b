"""What some of Python's own functions mean, as Python: translated where rules call them, as their own helpers are."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Iterator
from typing import Any

__all__ = ["STANDS_FOR"]

# -------------------------------------------------------------------- numbers


def gcd(*numbers: int) -> int:
    result = 0
    for number in numbers:
        other = abs(number)
        while other:
            result, other = other, result % other
    return result


def lcm(*numbers: int) -> int:
    result = 1
    for number in numbers:
        result = result // max(1, gcd(result, number)) * abs(number)
    return result


def isqrt(number: int) -> int:
    """Newton's method, from above."""
    if number < 0:
        raise ValueError
    if number == 0:
        return 0
    root = 1 << (number.bit_length() + 1) // 2
    better = (root + number // root) // 2
    while better < root:
        root = better
        better = (root + number // root) // 2
    return root


def factorial(number: int) -> int:
    return perm(number, number)


def perm(number: int, count: Any = None) -> int:
    taken = number if count is None else count
    if number < 0 or taken < 0:
        raise ValueError
    result = 1 if taken <= number else 0
    for at in range(min(taken, number)):
        result *= number - at
    return result


def comb(number: int, count: int) -> int:
    if number < 0 or count < 0:
        raise ValueError
    result = 1 if count <= number else 0
    for at in range(min(count, number - count)):
        result = result * (number - at) // (at + 1)
    return result


def power(base: Any, exponent: Any, modulus: Any = None) -> Any:
    if modulus is None:
        return base**exponent
    if exponent < 0:
        raise ValueError
    result = 1 % modulus
    while exponent:
        if exponent % 2:
            result = result * base % modulus
        exponent //= 2
        base = base * base % modulus if exponent else 0
    return result


def divided(number: int, by: int) -> tuple[int, int]:
    return number // by, number % by


def product(items: Any, start: Any = 1) -> Any:
    for item in items:
        start = start * item
    return start


# -------------------------------------------------------------------- what can be gone through


def pairwise(items: Any) -> Iterator[tuple[Any, Any]]:
    for at in range(len(items) - 1):
        yield items[at], items[at + 1]


def accumulated(items: Any, function: Any = operator.add) -> Iterator[Any]:
    total, is_first = 0, True
    for item in items:
        total = item if is_first else function(total, item)
        is_first = False
        yield total


def place_of_end(number: int) -> int:
    if number < 0:
        raise ValueError
    return number


def cycled(items: Any) -> Iterator[Any]:
    while len(items) > 0:
        yield from items


def repeated(item: Any, times: int) -> Iterator[Any]:
    for _ in range(times):
        yield item


def cut(items: Any, first: int, *last: int) -> Any:
    if first < 0:
        raise ValueError
    if not last:
        return items[:first]
    if last[0] < 0:
        raise ValueError
    if len(last) == 1:
        return items[first : last[0]]
    if last[1] < 1:
        raise ValueError
    return tuple(items[at] for at in range(first, min(last[0], len(items)), last[1]))


# -------------------------------------------------------------------- lists and sets, as they are after a change


def inserted(items: list[Any], at: int, item: Any) -> list[Any]:
    return [*items[:at], item, *items[at:]]


def turned(items: list[Any]) -> list[Any]:
    return items[::-1]


def without_place(items: list[Any], at: int) -> list[Any]:
    if not -len(items) <= at < len(items):
        raise IndexError
    at %= len(items)
    return items[:at] + items[at + 1 :]


def without(items: list[Any], item: Any) -> list[Any]:
    return without_place(items, items.index(item))


def discarded(items: set[Any], item: Any) -> set[Any]:
    return {each for each in items if each != item}


def united(items: set[Any], others: Any) -> set[Any]:
    result = {each for each in items}  # noqa: C416
    for each in others:
        result.add(each)
    return result


def common(items: set[Any], others: Any) -> set[Any]:
    return {each for each in items if each in others}


def lacking(items: set[Any], others: Any) -> set[Any]:
    return {each for each in items if each not in others}


def in_one(items: set[Any], others: set[Any]) -> set[Any]:
    return united(lacking(items, others), lacking(others, items))


def is_inside(items: set[Any], others: set[Any]) -> bool:
    return all(each in others for each in items)


def is_around(items: set[Any], others: Any) -> bool:
    """`items.issuperset(others)`."""
    return all(item in items for item in others)


def is_smaller(items: set[Any], others: set[Any]) -> bool:
    """`items < others`."""
    return len(items) < len(others) and is_inside(items, others)


def is_apart(items: set[Any], others: Any) -> bool:
    return not any(each in others for each in items)


def is_same(items: set[Any], others: set[Any]) -> bool:
    return len(items) == len(others) and is_inside(items, others)


def without_key(table: dict[Any, Any], key: int) -> dict[Any, Any]:
    return {own: value for own, value in table.items() if own != key}


# -------------------------------------------------------------------- order


def put_in_order(items: list[Any], keys: list[Any], reverse: Any) -> None:
    """Items and their keys, the largest first unless `reverse` is None; equal ones as they were."""
    for number in range(1, len(keys)):
        item, key, at = items[number], keys[number], number
        while at > 0 and (key < keys[at - 1] if reverse is None else keys[at - 1] < key):
            items[at], keys[at], at = items[at - 1], keys[at - 1], at - 1
        items[at], keys[at] = item, key


STANDS_FOR: dict[Any, Any] = {
    math.gcd: gcd,
    math.lcm: lcm,
    math.isqrt: isqrt,
    math.factorial: factorial,
    math.perm: perm,
    math.comb: comb,
    math.prod: product,
    pow: power,
    divmod: divided,
    itertools.pairwise: pairwise,
    itertools.accumulate: accumulated,
    itertools.repeat: repeated,
    itertools.cycle: cycled,
    itertools.islice: cut,
}
"""The function above that is called in place of one of Python's."""
