"""`solve_layered`: a whole game into a folder by tasks on files; the same folder as one solved in memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.compiler.engine import trusted_rules
from endsight.compiler.layers import REASONS, NeedsTracking
from endsight.compiler.packing import Packing
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import Code, CompiledRules
from endsight.compiler.solved import per_player
from endsight.errors import QuestionError
from endsight.game import Position
from endsight.layered.arrays import words_of
from endsight.layered.collecting import in_key_order
from endsight.layered.executors import Executor, Serial
from endsight.layered.parts import Scores
from endsight.layered.phases import Extent, Phases
from endsight.layered.room import Room
from endsight.layered.segments import key_blocks, read_scores
from endsight.layered.tasks import keys_path, scores_path
from endsight.limits import Budget
from endsight.numbers import Number
from endsight.objective import View
from endsight.question import Question
from endsight.storage.checkpoint import Checkpoint, prepare_folder
from endsight.storage.encoding import WIN_LOSS_OUTCOMES, compiled_layout
from endsight.storage.identity import Identity
from endsight.storage.locks import FolderLock
from endsight.storage.manifest import PARTIAL, Manifest, Part, read_manifest
from endsight.storage.ordering import order_for, sample_of
from endsight.storage.parts import PART_ROWS
from endsight.storage.rows import Rows
from endsight.storage.saving import Stored, amount_texts, stored_part
from endsight.storage.values import Encoded

__all__ = ["solve_layered", "why_not_layered"]

TASK_BYTES = 1 << 29
"""Memory of one task unless told otherwise."""


def solve_layered(
    folder: Path,
    position: Position,
    *,
    symmetry: bool = True,
    executor: Executor | None = None,
    task_bytes: int = TASK_BYTES,
    budget: Budget | None = None,
    room: Room | None = None,
    watch: Callable[[Phases], None] | None = None,
) -> Stored:
    """Solve every position reachable from `position` into `folder`, going on with an earlier run.

    For games without chance, of one player or of two who are opposed, in which play never
    comes back to a position; each player maximises the own payoff. About `task_bytes` of
    memory are used by each task that `executor` runs at the same time; `room` says what
    may be taken of the disk. `watch` is called with the phases when all scores are found.
    Raises `QuestionError` for other games, `FileError`, `FolderBusy`, `LimitReached`, and
    `RulesError`.
    """
    executor, budget = executor or Serial(), budget or Budget()
    identity = Identity.of(position, Question(), symmetry=symmetry)
    prepare_folder(folder)
    with FolderLock(folder):
        complete = read_manifest(folder)
        if complete is not None:
            complete.identity.require(identity, folder)
            if (folder / PARTIAL).exists():
                Checkpoint.begin(folder, identity).tidy(complete)
            return Stored(complete, "complete")
        checkpoint = Checkpoint.begin(folder, identity)
        has_begun = bool(checkpoint.names)
        rules = _rules(position, symmetry)
        phases = Phases(position, rules, checkpoint, executor, budget, task_bytes, room or Room(folder))
        try:
            extent = phases.solve()
        except CannotCompile as reason:
            raise _refused(reason) from reason
        if watch is not None:
            watch(phases)
        manifest = _collected(phases, extent)
        checkpoint.finish(manifest)
        return Stored(manifest, "resumed" if has_begun else "solved")


def why_not_layered(position: Position, symmetry: bool) -> str | None:
    """Why the game of a position cannot be solved in layers, as far as its rules tell; None if it can."""
    try:
        _compiled(position, symmetry)
    except CannotCompile as reason:
        return str(reason)
    return None


def _rules(position: Position, symmetry: bool) -> CompiledRules:
    try:
        return _compiled(position, symmetry)
    except CannotCompile as reason:
        raise _refused(reason) from reason


def _compiled(position: Position, symmetry: bool) -> CompiledRules:
    game = position.game
    if game.player_count > 2:
        raise CannotCompile("values of more than two players are not kept by layers")
    if game.gives("weight"):
        raise CannotCompile(REASONS[Code.HAS_CHANCE])
    tracks = View(game, Question(), symmetry=symmetry).tracks
    try:
        return trusted_rules(game, position, symmetry=symmetry, tracks_mover=tracks)
    except NeedsTracking:
        return trusted_rules(game, position, symmetry=symmetry, tracks_mover=True)


def _refused(reason: CannotCompile) -> QuestionError:
    return QuestionError(
        "this game cannot be solved in layers on the disk",
        found=str(reason),
        allowed="rules that compile, of one player or two opposed ones, without chance and without loops",
        advice="--mode memory",
    )


# -------------------------------------------------------------------- from layers to a table


@dataclass(frozen=True)
class _Form:
    """How scores of the work files become columns: see `storage.layout`, forms `score` and `numbers`."""

    encoded: Encoded
    name: str
    kind: str
    most: int

    @staticmethod
    def of(extent: Extent, players: int) -> _Form:
        ends = extent.extremes
        if not extent.is_win_loss:
            low, high = -ends["most_loss"], ends["most_win"]
            return _Form(Encoded("numbers", {}, "0" if players == 2 else None), "value_0", _kind(low, high), 0)
        # A win or a loss stands in the work files as 1 + distance.
        most = max(ends["most_win"], ends["most_loss"], 1) - 1
        low = most + 2 - ends["least_loss"] if ends["least_loss"] else 0
        high = most + 2 - ends["least_win"] if ends["least_win"] else 0
        encoded = Encoded("score", {}, outcomes=WIN_LOSS_OUTCOMES, most=most)
        return _Form(encoded, "score", _kind(-low, high), most)

    def column(self, scores: Scores) -> npt.NDArray[Any]:
        """The column of some rows."""
        if self.encoded.form == "score":
            scores = np.sign(scores) * (self.most + 2 - np.abs(scores))
        return scores.astype(self.kind)


def _kind(low: int, high: int) -> str:
    return next(f"int{bits}" for bits in (8, 16, 32, 64) if -(1 << bits - 1) <= low and high < 1 << bits - 1)


def _collected(phases: Phases, extent: Extent) -> Manifest:
    """All parts of the table on the disk, and their manifest."""
    rules, checkpoint = phases.rules, phases.checkpoint
    form = _Form.of(extent, rules.players)
    packing = _order(phases, extent)
    runs = phases.arrange(packing)
    layout = replace(compiled_layout(rules, form.encoded), fields=packing.names, limits=packing.limits)
    parts: list[Part] = []
    total = 0
    for keys, scores in in_key_order(checkpoint.folder, runs, packing.words, PART_ROWS):
        phases.budget.look(total, f"writing {sum(extent.states):,} rows")
        columns = dict(zip(layout.key_columns, words_of(keys), strict=True)) | {form.name: form.column(scores)}
        parts.append(stored_part(checkpoint, Rows(layout, columns, len(scores)), len(parts), 0, len(scores)))
        total += len(scores)
    value, distance = _root(phases, extent)
    return Manifest(
        identity=checkpoint.identity,
        layout=layout,
        method="layers",
        notion=None,
        rows=total,
        states=total,
        is_win_loss=extent.is_win_loss,
        value=dict(zip(phases.position.game.player_names, map(amount_texts, value), strict=True)),
        distance=distance,
        tiers="one",
        parts=tuple(parts),
    )


def _order(phases: Phases, extent: Extent) -> Packing:
    """The order of the fields in the keys of the table, as `storage.ordering` chooses it from all of them."""
    own, total = phases.rules.packing, sum(extent.states)
    samples = []
    for layer, parts in enumerate(extent.parts):
        for part in range(parts):
            for keys in key_blocks(phases.checkpoint.folder, keys_path(layer, part), own.words):
                samples.append(sample_of(words_of(keys), total))
    return order_for(own, tuple(np.concatenate(column) for column in zip(*samples, strict=True)))


def _root(phases: Phases, extent: Extent) -> tuple[tuple[Number, ...], int | None]:
    """Value per player and distance of the position asked about."""
    small = int(read_scores(phases.checkpoint.folder, scores_path(0, 0))[0])
    if not extent.is_win_loss:
        return per_player(phases.position, small), None
    return per_player(phases.position, (small > 0) - (small < 0)), abs(small) - 1 if small else None
