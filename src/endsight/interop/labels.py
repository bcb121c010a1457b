"""Moves of other projects' games as words of a position's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def told_apart(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without blanks, no two alike: empty ones and those that occur twice with their number from 1.

    All have their number where a label looks like another one with its number.
    """
    words = [_word(label) for label in labels]
    numbered, times = [f"{word}#{number}" for number, word in enumerate(words, 1)], Counter(words)
    told = [word if word and times[word] == 1 else other for word, other in zip(words, numbered, strict=True)]
    return tuple(told if len(set(told)) == len(told) else numbered)


def parts_told_apart(labels: Sequence[str]) -> tuple[str, ...]:
    """The same for parts of moves of several players, which `-` joins, and which have `_` instead of it."""
    return told_apart([label.replace("-", "_") for label in labels])


def _word(label: str) -> str:
    """A question mark alone would stand for a move that was not seen, and `;` parts moves in a position's text."""
    return "_".join(label.split()).replace("?", "¿").replace(";", ",")
