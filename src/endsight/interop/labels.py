"""Moves of other projects' games as words of a position's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def told_apart(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without blanks, no two alike: empty ones and those that occur twice with their number from 1."""
    words = [_word(label) for label in labels]
    times = Counter(words)
    return tuple(word if word and times[word] == 1 else f"{word}#{number}" for number, word in enumerate(words, 1))


def _word(label: str) -> str:
    """A question mark alone would stand for a move that was not seen, and `;` parts moves in a position's text."""
    return "_".join(label.split()).replace("?", "¿").replace(";", ",")
