"""Rows of numbers in files: cards by turn, dice by face or one a row."""

from __future__ import annotations

import re
from typing import TypeAlias

from endsight.base.faults import FileError

Line: TypeAlias = "tuple[int, list[int]]"
_CARD = re.compile(r"[-+]?[0-9]{1,1000}")


def die_fault(die: object) -> str | None:
    """What keeps `die` from being three weights that can be thrown, or None."""
    if not isinstance(die, tuple) or len(die) != 3:
        return f"{die!r}: not three weights"
    if any(isinstance(weight, bool) or not isinstance(weight, int) for weight in die):
        return f"{die!r}: not whole numbers"
    if min(die) < 0:
        return f"{min(die)}: a negative weight"
    return None if any(die) else "all three weights are 0: no face can come up"


def weights_in_row(number: int, line: str) -> list[int]:
    """The numbers of one line; `FileError` where one is not a whole number from 0 up."""
    weights = []
    for item in line.replace(",", " ").split():
        if not (item.isascii() and item.isdecimal()) or len(item) > 1000:
            raise FileError(
                f"line {number} cannot be read as weights", found=repr(item[:40]), allowed="whole numbers from 0 up"
            )
        weights.append(int(item))
    return weights


def dice_in_rows(lines: list[Line]) -> tuple[tuple[int, ...], ...]:
    """One die a row."""
    for number, weights in lines:
        fault = die_fault(tuple(weights))
        if fault:
            raise FileError(f"line {number} is not a die", found=fault, allowed="three weights: rock, paper, scissors")
    return tuple(tuple(weights) for _, weights in lines)


def dice_in_columns(lines: list[Line]) -> tuple[tuple[int, ...], ...]:
    """Three rows rock, paper, scissors; die i has the i-th number of each."""
    if len(lines) != 3:
        raise FileError(
            "the dice cannot be read",
            found=f"{len(lines)} rows of numbers",
            allowed="three rows: the rock weights of all dice, their paper weights, their scissors weights",
            advice="rows=dice for one die a row",
        )
    first, length = lines[0][0], len(lines[0][1])
    for number, weights in lines:
        if len(weights) != length:
            raise FileError(
                f"line {number} does not fit line {first}",
                found=f"{len(weights)} numbers; line {first} has {length}",
                allowed="one number for every die in each of the three rows",
            )
    return tuple(zip(*(weights for _, weights in lines), strict=True))


def cards_in_row(number: int, line: str, marks: tuple[str, ...]) -> tuple[int | None, ...]:
    """The cards of one line, None for one of `marks`; `FileError` where something else stands there."""
    items = line.replace(",", " ").split()
    strange = next((item for item in items if item not in marks and not _CARD.fullmatch(item)), None)
    if strange is not None:
        allowed = "whole numbers" + (", x or -1 for unknown ones" if marks else "")
        raise FileError(f"line {number} cannot be read as cards", found=repr(strange[:40]), allowed=allowed)
    return tuple([None if item in marks else int(item) for item in items])
