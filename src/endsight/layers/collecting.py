"""All layers in order of their keys: the rows of the solution, as one pass over the sorted work files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from endsight.errors import FileError
from endsight.layers.arrays import Keys
from endsight.layers.parts import Scores
from endsight.layers.segments import key_blocks, score_blocks
from endsight.layers.streams import Block, Stream, together

Pair = tuple[Keys, Scores]


def in_key_order(
    folder: Path,
    files: Sequence[tuple[str, str]],
    words: int,
    rows: int,
    columns: int,
    tell: Callable[[int], None],
) -> Iterator[Pair]:
    """Keys and scores of all layers in order of the keys, `rows` at a time; `files` names those of each part.

    A state that several layers have comes once. `columns` as in `read_scores`; `tell` hears how many rows are read.
    """
    runs = [Stream(_rows(folder, keys, scores, words, columns)) for keys, scores in files]
    waiting: list[Pair] = []
    count = read = 0
    for taken in together(runs):
        read += sum(len(keys) for keys, _ in taken)
        tell(read)
        waiting.append(_sorted(*_joined(taken)))
        count += len(waiting[-1][1])
        while count >= rows:
            keys, scores = _joined(waiting)
            yield keys[:rows], scores[:rows]
            waiting, count = [(keys[rows:], scores[rows:])], count - rows
    if count:
        yield _joined(waiting)


def _joined(pairs: Sequence[Block]) -> Pair:
    return np.concatenate([keys for keys, _ in pairs]), np.concatenate([scores for _, scores in pairs])


def _rows(folder: Path, keys: str, scores: str, words: int, columns: int) -> Iterator[Pair]:
    """The rows of one part, a block at a time."""
    for pair in zip(key_blocks(folder, keys, words), score_blocks(folder, scores, columns), strict=True):
        if len(pair[0]) != len(pair[1]):
            raise FileError("the scores of a part are not as many as its keys")
        yield pair


def _sorted(keys: Keys, scores: Scores) -> Pair:
    """Rows in order of their keys, each key once."""
    words = keys.view(np.uint64)
    order = np.lexsort(words.T)
    keys, scores = keys[order], scores[order]
    repeated: npt.NDArray[np.bool_] = (keys[1:] == keys[:-1]).all(axis=1)
    if not repeated.any():
        return keys, scores
    if (scores[1:] != scores[:-1])[repeated].any():
        raise FileError("two layers have different scores for one state")
    kept = np.concatenate(([True], ~repeated))
    return keys[kept], scores[kept]
