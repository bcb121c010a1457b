"""Constant lists of the rules, as laid out in the data array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from endsight.base.shortened import shortened
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.resolve import is_list, is_whole

WORD_LIMIT = 1 << 63


def depth_of(value: Any, refuse: Callable[[str], CannotCompile]) -> int:
    """How many lists deep a value is; raises what `refuse` returns unless it holds nothing but whole numbers."""
    if not is_list(value):
        if not is_whole(value):
            raise refuse(f"{shortened(repr(value), 60)} is not a whole number")
        if not -WORD_LIMIT <= value < WORD_LIMIT:
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
