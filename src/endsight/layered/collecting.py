"""All layers in order of their keys: the rows of the solution, as one pass over the sorted work files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from endsight.errors import FileError
from endsight.layered.arrays import Keys
from endsight.layered.parts import Scores
from endsight.layered.segments import key_blocks, score_blocks

__all__ = ["in_key_order", "last_key", "up_to"]

Pair = tuple[Keys, Scores]


def in_key_order(
    folder: Path, files: Sequence[tuple[str, str]], words: int, rows: int, columns: int = 1
) -> Iterator[Pair]:
    """Keys and scores of all layers in order of the keys, `rows` at a time; `files` names those of each part.

    A state that several layers have comes once. `columns` as in `read_scores`.
    """
    runs = [_Run(folder, keys, scores, words, columns) for keys, scores in files]
    waiting: list[Pair] = []
    count = 0
    for pair in _merged(runs):
        waiting.append(pair)
        count += len(pair[1])
        while count >= rows:
            keys, scores = _joined(waiting)
            yield keys[:rows], scores[:rows]
            waiting, count = [(keys[rows:], scores[rows:])], count - rows
    if count:
        yield _joined(waiting)


def _joined(pairs: Sequence[Pair]) -> Pair:
    return np.concatenate([keys for keys, _ in pairs]), np.concatenate([scores for _, scores in pairs])


class _Run:
    """The rows of one part, a block at a time."""

    def __init__(self, folder: Path, keys: str, scores: str, words: int, columns: int) -> None:
        self._blocks = zip(key_blocks(folder, keys, words), score_blocks(folder, scores, columns), strict=True)
        self.is_over = False
        self.fill()

    def fill(self) -> None:
        """Read the next block; the one before is used up."""
        pair = next(self._blocks, None)
        if pair is None:
            self.is_over = True
            return
        self.keys, self.scores = pair
        if len(self.keys) != len(self.scores):
            raise FileError("the scores of a part are not as many as its keys")

    @property
    def last(self) -> tuple[int, ...]:
        """The largest key that has been read, its highest word first."""
        return last_key(self.keys)

    def take(self, bound: tuple[int, ...]) -> Pair:
        """The rows that have been read up to the key `bound`."""
        count = up_to(self.keys, bound)
        pair = self.keys[:count], self.scores[:count]
        self.keys, self.scores = self.keys[count:], self.scores[count:]
        if not len(self.scores):
            self.fill()
        return pair


def last_key(keys: Keys) -> tuple[int, ...]:
    """The largest of some sorted keys, its highest word first."""
    return tuple(int(word) for word in keys[-1, ::-1].view(np.uint64))


def up_to(keys: Keys, bound: tuple[int, ...]) -> int:
    """How many of the sorted keys are at most `bound`."""
    low, high = 0, len(keys)
    for word in reversed(range(keys.shape[1])):
        # Among keys that share the higher words with the bound, the next word decides.
        column = keys[low:high, word].view(np.uint64)
        target = np.uint64(bound[keys.shape[1] - 1 - word])
        low, high = (
            low + int(np.searchsorted(column, target, "left")),
            low + int(np.searchsorted(column, target, "right")),
        )
    return high


def _merged(runs: list[_Run]) -> Iterator[Pair]:
    """All rows in order: again and again those up to the smallest of the last keys that have been read."""
    while runs := [run for run in runs if not run.is_over]:
        bound = min(run.last for run in runs)
        yield _sorted(*_joined([run.take(bound) for run in runs]))


def _sorted(keys: Keys, scores: Scores) -> Pair:
    """Rows in order of their keys, each key once."""
    words = keys.view(np.uint64)
    order = np.argsort(words[:, 0], kind="stable") if words.shape[1] == 1 else np.lexsort(words.T)
    keys, scores = keys[order], scores[order]
    repeated: npt.NDArray[np.bool_] = (keys[1:] == keys[:-1]).all(axis=1)
    if not repeated.any():
        return keys, scores
    if (scores[1:] != scores[:-1])[repeated].any():
        raise FileError("two layers have different scores for one state")
    kept = np.concatenate(([True], ~repeated))
    return keys[kept], scores[kept]
