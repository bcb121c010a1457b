"""`solve_layered`: a whole game into a folder by tasks on files; the same folder as one solved in memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from endsight.compiler.engine import trusted_rules
from endsight.compiler.layers import REASONS, NeedsTracking
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import Code, CompiledRules
from endsight.errors import QuestionError
from endsight.game import Position
from endsight.layered.executors import Executor, Serial
from endsight.layered.phases import NOT_EXACT, Phases
from endsight.layered.returning import comes_back
from endsight.layered.room import Room
from endsight.layered.table import collected
from endsight.limits import Budget
from endsight.objective import View
from endsight.question import Question
from endsight.storage.checkpoint import Checkpoint, prepare_folder
from endsight.storage.identity import Identity
from endsight.storage.locks import FolderLock
from endsight.storage.manifest import PARTIAL, read_manifest
from endsight.storage.saving import Stored
from endsight.table import Kind

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
    kind: Kind = "auto",
    watch: Callable[[Phases], None] | None = None,
) -> Stored:
    """Solve every position reachable from `position` into `folder`, going on with an earlier run.

    For games of one player or of two who are opposed, in which play never comes back to a
    position; each player maximises the own payoff. Values are exact, but those of games
    with chance are proven ends, so that these are refused where `kind` is `exact`. About
    `task_bytes` of memory are used by each task that `executor` runs at the same time; `room`
    says what may be taken of the disk. `watch` is called with the phases when all scores are
    found. Raises `QuestionError` for other games, `FileError`, `FolderBusy`, `LimitReached`,
    and `RulesError`.
    """
    executor, budget = executor or Serial(), budget or Budget()
    identity = Identity.of(position, Question(), symmetry=symmetry, kind=kind)
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
        room, ends_will_do = room or Room(folder), kind != "exact"
        try:
            rules = _compiled(position, symmetry)
            phases = Phases(position, rules, checkpoint, executor, budget, task_bytes, room, ends_will_do=ends_will_do)
            extent = phases.solve()
        except CannotCompile as reason:
            checkpoint.abandon()
            raise _refused(reason) from reason
        if watch is not None:
            watch(phases)
        manifest = collected(phases, extent)
        checkpoint.finish(manifest)
        return Stored(manifest, "resumed" if has_begun else "solved")


def why_not_layered(position: Position, symmetry: bool, kind: Kind = "auto") -> str | None:
    """Why the game of a position cannot be solved in layers, as far as rules and a sample tell; None if it can."""
    if kind == "exact" and position.game.gives("weight"):
        return NOT_EXACT
    try:
        _compiled(position, symmetry)
    except CannotCompile as reason:
        return str(reason)
    return None


def _compiled(position: Position, symmetry: bool) -> CompiledRules:
    game = position.game
    if game.player_count > 2:
        raise CannotCompile("values of more than two players are not kept by layers")
    tracks = View(game, Question(), symmetry=symmetry).tracks
    try:
        rules = trusted_rules(game, position, symmetry=symmetry, tracks_mover=tracks)
    except NeedsTracking:
        rules = trusted_rules(game, position, symmetry=symmetry, tracks_mover=True)
    if comes_back(rules, position):
        raise CannotCompile(REASONS[Code.CYCLIC])
    return rules


def _refused(reason: CannotCompile) -> QuestionError:
    return QuestionError(
        "this game cannot be solved in layers on the disk",
        found=str(reason),
        allowed="rules that compile, of one player or two opposed ones, and play that never comes back to a position",
        advice="--mode memory",
    )
