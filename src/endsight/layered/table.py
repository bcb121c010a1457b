"""From the sorted work files of all layers to the parts of a solution and its manifest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from endsight.compiler.packing import Packing
from endsight.compiler.rules import CompiledRules
from endsight.compiler.solved import per_player
from endsight.game import Position
from endsight.layered.arrays import words_of
from endsight.layered.collecting import in_key_order
from endsight.layered.parts import Scores
from endsight.layered.phases import Extent, Phases
from endsight.layered.segments import key_blocks, read_scores
from endsight.layered.tasks import keys_path, scores_path
from endsight.numbers import Amount, Interval, simplest
from endsight.storage.encoding import WIN_LOSS_OUTCOMES, compiled_layout, ends_columns, ends_layout
from endsight.storage.layout import Layout
from endsight.storage.manifest import Manifest, Part
from endsight.storage.ordering import order_for, sample_of, sampling_step
from endsight.storage.parts import PART_ROWS
from endsight.storage.rows import Column, Rows
from endsight.storage.saving import amount_texts, stored_part
from endsight.storage.values import Encoded

__all__ = ["collected"]


@dataclass(frozen=True)
class _Form:
    """How scores of the work files become columns: see `storage.layout`, forms `score`, `numbers` and `ends`.

    kinds   of whole numbers in the columns of a score or a number, by name
    """

    layout: Layout
    method: str
    kinds: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def of(extent: Extent, rules: CompiledRules) -> _Form:
        if extent.scoring.kind == "ends":
            unit = str(extent.scoring.denominator)
            encoded = Encoded("ends", {}, _sum_text(extent, rules), unit)
            return _Form(ends_layout(rules, encoded), "backward induction between proven ends")
        ends = extent.extremes
        if extent.scoring.kind == "numbers":
            low, high = -ends["most_loss"], ends["most_win"]
            encoded = Encoded("numbers", {}, "0" if rules.players == 2 else None)
            return _Form(compiled_layout(rules, encoded), "layers", {"value_0": _kind(low, high)})
        # A win or a loss stands in the work files as 1 + distance.
        most = max(ends["most_win"], ends["most_loss"], 1) - 1
        low = most + 2 - ends["least_loss"] if ends["least_loss"] else 0
        high = most + 2 - ends["least_win"] if ends["least_win"] else 0
        encoded = Encoded("score", {}, outcomes=WIN_LOSS_OUTCOMES, most=most)
        return _Form(compiled_layout(rules, encoded), "layers", {"score": _kind(-low, high)})

    def columns(self, scores: Scores) -> dict[str, Column]:
        """The columns of some rows."""
        if self.layout.values == "ends":
            return ends_columns(scores, pa.nulls(len(scores), pa.string()))
        if self.layout.values == "score":
            scores = np.sign(scores) * (self.layout.most + 2 - np.abs(scores))
        return {name: scores.astype(kind) for name, kind in self.kinds.items()}


def _sum_text(extent: Extent, rules: CompiledRules) -> str | None:
    """What the players' values add up to, None for one player."""
    return str(extent.total) if rules.players == 2 else None


def _kind(low: int, high: int) -> str:
    return next(f"int{bits}" for bits in (8, 16, 32, 64) if -(1 << bits - 1) <= low and high < 1 << bits - 1)


def collected(phases: Phases, extent: Extent) -> Manifest:
    """All parts of the table on the disk, and their manifest."""
    rules, checkpoint = phases.rules, phases.checkpoint
    form = _Form.of(extent, rules)
    packing = _order(phases, extent)
    runs = phases.arrange(packing)
    layout = replace(form.layout, fields=packing.names, limits=packing.limits)
    parts: list[Part] = []
    total = 0
    rows = in_key_order(checkpoint.folder, runs, packing.words, PART_ROWS, extent.scoring.columns)
    for keys, scores in rows:
        phases.budget.look(total, f"writing {sum(extent.states):,} rows")
        columns = dict(zip(layout.key_columns, words_of(keys), strict=True)) | form.columns(scores)
        parts.append(stored_part(checkpoint, Rows(layout, columns, len(scores)), len(parts), 0, len(scores)))
        total += len(scores)
    value, distance = _root(phases, extent)
    return Manifest(
        identity=checkpoint.identity,
        layout=layout,
        method=form.method,
        notion=None,
        rows=total,
        states=total,
        is_win_loss=extent.scoring.kind == "wins",
        value=dict(zip(phases.position.game.player_names, map(amount_texts, value), strict=True)),
        distance=distance,
        tiers="one",
        parts=tuple(parts),
    )


def _order(phases: Phases, extent: Extent) -> Packing:
    """The order of the fields in the keys of the table, as `storage.ordering` chooses it from all of them."""
    own, total = phases.rules.packing, sum(extent.states)
    sample = _sampled(phases, extent, total)
    distinct = np.unique(np.stack(sample), axis=1)
    if sampling_step(total) > 1 and distinct.shape[1] < len(sample[0]):
        # Layers share states, so there are fewer than were counted; how many decides which are sampled.
        total = _count(phases, extent)
        distinct = np.unique(np.stack(_sampled(phases, extent, total)), axis=1)
    return order_for(own, tuple(distinct))


def _sampled(phases: Phases, extent: Extent, total: int) -> tuple[npt.NDArray[np.uint64], ...]:
    """The sample of all layers' keys, word by word; those that layers share as often as they have them."""
    samples = []
    for path in _paths(extent, keys_path):
        for keys in key_blocks(phases.checkpoint.folder, path, phases.rules.packing.words):
            samples.append(sample_of(words_of(keys), total))
    return tuple(np.concatenate(column) for column in zip(*samples, strict=True))


def _count(phases: Phases, extent: Extent) -> int:
    """How many distinct states all layers have."""
    files = list(zip(_paths(extent, keys_path), _paths(extent, scores_path), strict=True))
    words, columns = phases.rules.packing.words, extent.scoring.columns
    rows = in_key_order(phases.checkpoint.folder, files, words, PART_ROWS, columns)
    return sum(len(keys) for keys, _ in rows)


def _paths(extent: Extent, path: Callable[[int, int], str]) -> Iterator[str]:
    """The files of every part of every layer."""
    return (path(layer, part) for layer, parts in enumerate(extent.parts) for part in range(parts))


def _root(phases: Phases, extent: Extent) -> tuple[tuple[Amount, ...], int | None]:
    """Value per player and distance of the position asked about."""
    columns = extent.scoring.columns
    found = read_scores(phases.checkpoint.folder, scores_path(0, 0), columns)[0]
    if extent.scoring.kind == "ends":
        return _between(phases.position, extent, *map(int, found)), None
    small = int(found)
    if extent.scoring.kind == "numbers":
        return per_player(phases.position, small), None
    return per_player(phases.position, (small > 0) - (small < 0)), abs(small) - 1 if small else None


def _between(position: Position, extent: Extent, low: int, high: int) -> tuple[Amount, ...]:
    """Ends of the whole game per player, from those of what is to come for the first."""
    ends = (Fraction(end, extent.scoring.denominator) for end in (low, high))
    first = Interval(*ends) if low < high else simplest(Fraction(low, extent.scoring.denominator))
    shares: tuple[Amount, ...] = (first,) if len(position.so_far) == 1 else (first, extent.total - first)
    return tuple(simplest(share + gained) for share, gained in zip(shares, position.so_far, strict=True))
