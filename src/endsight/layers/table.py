"""From the sorted work files of all layers to the parts of a solution and its manifest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.compiler.packing import Packing
from endsight.engine.solved import plain_view
from endsight.errors import FileError
from endsight.game.limits import Budget
from endsight.game.numbers import count_text
from endsight.game.question import Question
from endsight.layers.arrays import Block, Keys, Stream, distinct, together
from endsight.layers.parts import Scores, payoffs_of
from endsight.layers.segments import key_blocks, score_blocks
from endsight.layers.work import Files, SolveWork
from endsight.storage.keys import Words, order_for, rows_of, sample_of, sampling_step, words_of
from endsight.storage.layout import Layout, amount_texts
from endsight.storage.manifest import Manifest, Part
from endsight.storage.parts import PART_ROWS, Column, PartRows, smallest_kind
from endsight.storage.saving import stored_part
from endsight.storage.source import StoredSource
from endsight.storage.values import WIN_LOSS_OUTCOMES, Encoded, ends_encoded, layout_of

_REPEATED = 1 << 20
"""Keys of a sample, some of them repeated, that are held before each is kept once."""


@dataclass(frozen=True)
class _Form:
    """The conversion of scores in the work files to columns: see `storage.layout`, forms `score`, `numbers` and `ends`.

    kinds   of whole numbers in the columns of a score or a number, by name
    """

    layout: Layout
    method: str
    kinds: dict[str, str]

    @staticmethod
    def of(work: SolveWork) -> _Form:
        """The form that `storage.values` gives the same values in memory."""
        kind, rules, forced = work.scoring.kind, work.rules, work.forced
        values, kinds = _encoded(work)
        if forced is not None and forced >= 0:
            kinds["forced"] = smallest_kind(-1, forced)
        by_mover = rules.players == 2 and kind in ("wins", "numbers")
        layout = layout_of(plain_view(rules), rules.packing, replace(values, columns=kinds), by_mover=by_mover)
        methods = {"ends": "backward induction between proven bounds", "loops": "retrograde analysis"}
        return _Form(layout, methods.get(kind, "layers"), kinds)

    def columns(self, scores: Scores) -> dict[str, Column]:
        """The columns of some rows."""
        if self.layout.values == "ends":
            return ends_encoded(scores, pa.nulls(len(scores), pa.string()), None, 1).columns
        if scores.ndim == 2:
            found = {"value_0": payoffs_of(scores[:, 0]), "forced": scores[:, 1]}
            return {name: found[name].astype(kind) for name, kind in self.kinds.items()}
        if self.layout.values == "score":
            scores = np.sign(scores) * (self.layout.most + 2 - np.abs(scores))
        return {name: scores.astype(kind) for name, kind in self.kinds.items()}


def _encoded(work: SolveWork) -> tuple[Encoded, dict[str, str]]:
    """The description of the values, and the kinds of whole numbers in their columns by name."""
    scoring, extremes = work.scoring, work.extremes
    if scoring.kind == "ends":
        total = str(work.measure.most_sum) if work.rules.players == 2 else None
        return Encoded("ends", {}, total, str(scoring.denominator)), {}
    if scoring.kind == "numbers" or work.forced is not None:
        low, high = -extremes["most_loss"], extremes["most_win"]
        if scoring.kind == "loops":
            low, high = payoffs_of(np.array([low, high])).tolist()
        return Encoded("numbers", {}, "0" if work.rules.players == 2 else None), {"value_0": smallest_kind(low, high)}
    # The work files hold a win or a loss as 1 + distance.
    most = max(extremes["most_win"], extremes["most_loss"], 1) - 1
    low = most + 2 - extremes["least_loss"] if extremes["least_loss"] else 0
    high = most + 2 - extremes["least_win"] if extremes["least_win"] else 0
    return Encoded("score", {}, outcomes=WIN_LOSS_OUTCOMES, most=most), {"score": smallest_kind(-low, high)}


def collected(work: SolveWork) -> Manifest:
    """Write all parts of the table to disk; returns their manifest."""
    checkpoint, form = work.checkpoint, _Form.of(work)
    packing, total = _order(work)
    runs = work.arrange(packing)
    layout = replace(form.layout, fields=packing.names, limits=packing.limits)
    parts: list[Part] = []
    progress = _Progress(work.budget, f"writing {count_text(total, 'row')}", work.keys + total)
    for keys, scores in _in_key_order(work, runs, progress):
        columns = dict(zip(layout.key_columns, words_of(keys), strict=True)) | form.columns(scores)
        rows = PartRows(layout, columns, len(scores))
        parts.append(stored_part(checkpoint, rows, len(parts), 0, len(rows), progress.writing))
        progress.written += len(rows)
    manifest = Manifest(
        identity=checkpoint.identity,
        layout=layout,
        method=form.method,
        rows=progress.written,
        states=progress.written if work.distinct is None else work.distinct,
        is_win_loss=form.layout.values == "score",
        parts=tuple(parts),
    )
    return _with_value(manifest, work)


@dataclass
class _Progress:
    """Reports how many rows of layers are read and of the table are written, out of `total` for both."""

    budget: Budget
    doing: str
    total: int
    read: int = 0
    written: int = 0

    def reading(self, read: int) -> None:
        """Report the number of rows of layers read."""
        self.read = read
        self.writing(0)

    def writing(self, row: int) -> None:
        """Report the number of rows written of the current part."""
        written = self.written + row
        self.budget.glance(written, self.doing, (self.read + written, self.total))


def _order(work: SolveWork) -> tuple[Packing, int]:
    """The order of the fields in the keys of the table, as `storage.keys` chooses it from all of them.

    Also returns the number of rows, each counted once as far as known.
    """
    own, total = work.rules.packing, work.keys
    distinct, drawn = _sampled(work, total)
    if sampling_step(total) > 1 and len(distinct[0]) < drawn:
        # Layers share states, so fewer exist than were counted, and the sample depends on their number.
        total = _count(work)
        distinct, _ = _sampled(work, total)
    return order_for(own, distinct), total


def _sampled(work: SolveWork, total: int) -> tuple[Words, int]:
    """The sample of all layers' keys, word by word, each key once; and its length with those that layers share."""
    samples: list[Keys] = []
    words, held, drawn = work.rules.packing.words, 0, 0
    most = _REPEATED
    for path, _ in work.files:
        work.budget.glance(total, "counting rows")
        for keys in key_blocks(work.checkpoint.folder, path, words):
            samples.append(rows_of(sample_of(words_of(keys), total)))
            held, drawn = held + len(samples[-1]), drawn + len(samples[-1])
        if held > most:
            samples = [distinct(samples, words)]
            held = len(samples[0])
            most = max(_REPEATED, 2 * held)
    return words_of(distinct(samples, words)), drawn


def _count(work: SolveWork) -> int:
    """The number of distinct states in all layers."""
    progress = _Progress(work.budget, "counting rows", work.keys)
    return sum(len(keys) for keys, _ in _in_key_order(work, work.files, progress))


def _with_value(manifest: Manifest, work: SolveWork) -> Manifest:
    """The manifest with value and distance of the position asked about, as its row says."""
    position = work.position
    with closing(StoredSource(work.checkpoint.folder, manifest, position.game, Question())) as source:
        row = source.row(position)
    if row is None:
        raise FileError("the position asked about is not in the files")
    value = dict(zip(position.game.player_names, map(amount_texts, row[0]), strict=True))
    return replace(manifest, value=value, distance=row[1])


# All layers in order of their keys: the rows of the solution, in one pass over the sorted work files.


Pair = tuple[Keys, Scores]


def _in_key_order(work: SolveWork, files: Sequence[Files], progress: _Progress) -> Iterator[Pair]:
    """Keys and scores of all layers in order of the keys, `PART_ROWS` at a time; a state of several layers comes once.

    `files` names those of keys and of scores of each part.
    """
    folder, words = work.checkpoint.folder, work.rules.packing.words
    runs = [Stream(_rows(folder, keys, scores, words, work.columns)) for keys, scores in files]
    waiting: list[Pair] = []
    count = read = 0
    for taken in together(runs):
        read += sum(len(keys) for keys, _ in taken)
        progress.reading(read)
        waiting.append(_sorted(*_joined(taken)))
        count += len(waiting[-1][1])
        while count >= PART_ROWS:
            keys, scores = _joined(waiting)
            yield keys[:PART_ROWS], scores[:PART_ROWS]
            waiting, count = [(keys[PART_ROWS:], scores[PART_ROWS:])], count - PART_ROWS
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
    is_first = np.concatenate(([True], ~repeated))
    return keys[is_first], scores[is_first]
