"""Moves of other projects' games as words in a position's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def distinct_words(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels without blanks, no two alike: empty ones and those that occur twice with their number from 1.

    All get their number if one label looks like another with its number.
    """
    words = [_word(label) for label in labels]
    numbered, times = [f"{word}#{number}" for number, word in enumerate(words, 1)], Counter(words)
    found = [word if word and times[word] == 1 else other for word, other in zip(words, numbered, strict=True)]
    return tuple(found if len(set(found)) == len(found) else numbered)


def distinct_parts(labels: Sequence[str]) -> tuple[str, ...]:
    """The same for parts of moves of several players: `-` joins them, so they have `_` instead of it."""
    return distinct_words([label.replace("-", "_") for label in labels])


def _word(label: str) -> str:
    """Replace `?`, which alone means an unseen move, and `;`, which separates moves in a position's text."""
    return "_".join(label.split()).replace("?", "¿").replace(";", ",")
