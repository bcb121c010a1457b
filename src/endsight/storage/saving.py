"""From a question, or a solution, to a folder that holds every reachable position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import islice
from os import PathLike
from pathlib import Path
from random import Random
from typing import Any, Literal, TypeAlias

from endsight.answers.solution import Solution
from endsight.answers.solver import solve_whole
from endsight.answers.source import Source
from endsight.engine.choice import Engine, Method, goes_by_views
from endsight.errors import FileError, QuestionError
from endsight.game.arguments import as_kind, as_path
from endsight.game.limits import Budget
from endsight.game.numbers import are_exact, count_text
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.reachable import random_game
from endsight.graph.table import Kind
from endsight.layers.rounds import LayerStore, LayerTable
from endsight.storage.checkpoint import Checkpoint, File, held_folder
from endsight.storage.identity import (
    Identity,
    no_stored_policies,
    require_all_seen,
    require_steady,
)
from endsight.storage.layout import Layout, amount_texts
from endsight.storage.manifest import PARTIAL, Manifest, Part, note_audited, read_manifest
from endsight.storage.parts import PART_ROWS, PartRows, part_path, write_part
from endsight.storage.values import ROWS, layer_rows, round_layout

WHOLE: tuple[Method, ...] = ("auto", "graph", "layers")
"""Methods that solve every reachable position."""

_SAMPLED_GAMES, _SAMPLED_PLIES, _SAMPLED_MOVES = 100, 100, 1000

Outcome: TypeAlias = Literal["solved", "resumed", "complete"]
"""What `solve_into` did: everything, the rest, or nothing, because it had been done."""


@dataclass(frozen=True)
class Stored:
    """The result of `solve_into`: the manifest, and what was done."""

    manifest: Manifest
    outcome: Outcome


def save(solution: Solution, path: str | PathLike[str], best: bool = False) -> Path:
    """Store a solution in the folder `path`: every position reachable from the one it was solved from.

    A solution that lacks some of them (a theorem, a search) is solved completely first. With `best` the move of best
    play is stored too. The folder must be new or empty; where it holds the same solution already, nothing happens.
    Returns the folder. Raises `FileError` where it holds something else or cannot be written, `FolderBusy` while
    another process writes into it, `LimitReached`, and `QuestionError` for rules that change between runs.
    """
    as_kind(solution, Solution, "save", "save(endsight.solve(game), PATH)")
    folder = as_path(path, "save")
    require_all_seen(solution.game)
    require_steady(solution.game)
    solution.require_same(may_grow=False)
    source = solution.source
    if source.by_history:
        raise no_stored_policies(solution.game)
    symmetry = source.table is None or source.merges or not solution.game.gives("canonical")
    is_enclosed = not are_exact(solution.values())
    kind: Kind = "interval" if is_enclosed else "auto"
    identity = Identity.of(solution.position, solution.question, symmetry=symmetry, kind=kind)
    again = partial(solve_whole, solution.game, solution.position, solution.question, kind=kind, budget=solution.budget)

    def solved(merges: bool, _: Checkpoint) -> Source:
        return source if source.table is not None and merges == symmetry else again(symmetry=merges)

    store(folder, identity, solution.position, solution.budget, solved, best=best)
    return folder


def solve_into(
    folder: Path,
    position: Position,
    question: Question,
    *,
    method: Method = "auto",
    engine: Engine = "auto",
    symmetry: bool = True,
    kind: Kind = "auto",
    best: bool = False,
    budget: Budget | None = None,
    make_store: Callable[[Checkpoint, bool], LayerStore] | None = None,
) -> Stored:
    """Solve every position reachable from `position` and store it, continuing an earlier run.

    `make_store` makes the store of layers for a game solved in rounds, with states merged by symmetry or not: see
    `layers.round_files`. Raises `QuestionError` for a method that does not solve all of them, `FileError`,
    `FolderBusy`, and the errors of `solve`.
    """
    if method not in WHOLE:
        raise QuestionError(
            f"the method {method} does not solve every position, and a stored solution needs all of them",
            allowed=", ".join(WHOLE),
        )
    budget = budget or Budget()
    require_steady(position.game, is_played=False)
    identity = Identity.of(position, question, symmetry=symmetry, kind=kind)
    if question.fixed and goes_by_views(position, budget.limits):
        raise no_stored_policies(position.game)
    solve_all = partial(solve_whole, position.game, position, question, method=method, engine=engine)

    def solved(merges: bool, checkpoint: Checkpoint) -> Source:
        kept = None if make_store is None else make_store(checkpoint, merges)
        return solve_all(symmetry=merges, kind=kind, budget=budget, store=kept)

    return store(folder, identity, position, budget, solved, best=best)


def store(
    folder: Path,
    identity: Identity,
    position: Position,
    budget: Budget,
    solved: Callable[[bool, Checkpoint], Source],
    *,
    best: bool,
) -> Stored:
    """Write the result of `solved`, with or without merging states, into the folder, unless it is there already."""

    def written(checkpoint: Checkpoint) -> Manifest:
        rows = ("numbering", "compressing") if position.game.gives("rank") else ("sorting", "writing")
        budget.later = "looking", *rows
        source = solved(identity.symmetry, checkpoint)
        if position.game.gives("canonical") and identity.symmetry and not is_closed(source, position):
            source = solved(False, checkpoint)
        assert source.table is not None, f"{source.method} solves no whole table"
        if source.table.swings is not None and not source.table.is_limited:
            raise QuestionError(
                f"stored solutions hold only numbers: {source.table.swings.message}",
                found=source.table.swings.found,
                advice="the same questions without a stored solution",
            )
        manifest = _written(checkpoint, source, position, budget, best=best)
        note_audited(folder, source.audited)
        return manifest

    stored = solution_in(folder, identity, written)
    if best and not stored.manifest.layout.has_best:
        raise FileError(f"{folder} holds this solution without best moves", advice="another folder")
    return stored


def solution_in(folder: Path, identity: Identity, written: Callable[[Checkpoint], Manifest]) -> Stored:
    """Hold the folder, and make it the solution with that identity by `written`, unless it is that already.

    Raises `FileError` where it holds something else.
    """
    with held_folder(folder):
        complete = read_manifest(folder)
        if complete is not None:
            complete.identity.require(identity, folder)
            if (folder / PARTIAL).exists():  # a run was killed before it had tidied the folder
                Checkpoint.begin(folder, complete.identity).tidy(complete)
            return Stored(complete, "complete")
        checkpoint = Checkpoint.begin(folder, identity)
        has_begun = bool(checkpoint.names)
        manifest = written(checkpoint)
        checkpoint.finish(manifest)
        return Stored(manifest, "resumed" if has_begun else "solved")


def is_closed(source: Source, position: Position) -> bool:
    """Whether play from merged states stays among the stored ones, judging by a sample.

    Rules may call states equivalent whose moves lead to inequivalent states: their values agree, but some positions
    would be missing.
    """
    if not source.merges:
        return True
    random = Random(0)
    games = (random_game(position, random, _SAMPLED_MOVES) for _ in range(_SAMPLED_GAMES))
    return all(source.covers(place) for game in games for place in islice(game, 1, _SAMPLED_PLIES + 2))


def _written(checkpoint: Checkpoint, source: Source, position: Position, budget: Budget, *, best: bool) -> Manifest:
    """Write all parts of the source's table, keeping those of an earlier run; returns their manifest."""
    table: Any = source.table
    if table.form == "layers":
        layout, count = round_layout(table), table.states
        parts = [part for layer in table.layers for part in _of_layer(checkpoint, table, layer, budget)]
    else:
        rows = ROWS[table.form](table, position, budget, best=best)
        layout, count = rows.layout, len(rows)
        parts = stored_parts(checkpoint, rows, 0, budget)
    return Manifest(
        identity=checkpoint.identity,
        layout=layout,
        method=source.method,
        notion=source.notion,
        rows=count,
        states=source.states,
        is_win_loss=source.is_win_loss,
        value=dict(zip(position.game.player_names, map(amount_texts, source.value(position)), strict=True)),
        distance=source.distance(position),
        tiers="layer" if layout.rounds else "one",
        parts=tuple(parts),
        swings=source.swings,
        moves_at_once=source.moves_at_once,
    )


def _of_layer(checkpoint: Checkpoint, table: LayerTable, layer: int, budget: Budget) -> list[Part]:
    known = stored_layer(checkpoint, round_layout(table), layer)
    if known is not None:
        return known
    return stored_parts(checkpoint, layer_rows(table, table.store.solved(layer, table)), layer, budget)


def stored_parts(checkpoint: Checkpoint, rows: PartRows, tier: int, budget: Budget) -> list[Part]:
    """All rows of a tier in parts, keeping those of an earlier run."""
    verb = "compressing" if rows.layout.keys == "dense" else "writing"  # compressing takes ten times as long
    doing = f"{verb} {count_text(len(rows), 'row')}"

    def tell(row: int) -> None:
        budget.glance(row, doing, (row, len(rows)))

    ranges = enumerate(rows.ranges(PART_ROWS))
    return [stored_part(checkpoint, rows, number, first, stop, tell, tier) for number, (first, stop) in ranges]


def stored_layer(checkpoint: Checkpoint, layout: Layout, tier: int) -> list[Part] | None:
    """The parts of a tier of a game in rounds, if all of them are on disk; else None."""
    document, parts = layout.document(), list[Part]()
    while (facts := checkpoint.facts(part_path(tier, len(parts)))) is not None and facts["layout"] == document:
        parts.append(Part.from_document(facts["part"]))
        if parts[-1].rows == facts["left"]:
            return parts
    return None


def stored_part(
    checkpoint: Checkpoint,
    rows: PartRows,
    number: int,
    first: int,
    stop: int,
    tell: Callable[[int], None],
    tier: int = 0,
) -> Part:
    """One part: written, unless an earlier run committed it; `tell` is called with the next row."""
    name = part_path(tier, number)
    # The number of rows left shows whether a part is the last of its tier.
    own = {"layout": rows.layout.document(), "left": len(rows) - first}
    facts = checkpoint.facts(name)
    if facts is not None and facts.items() >= own.items() and checkpoint.is_whole(name):
        return Part.from_document(facts["part"])
    part = write_part(checkpoint.folder, rows, tier, number, first, stop, tell)
    checkpoint.commit(name, [File(part.path, part.size, part.sha256)], {"part": asdict(part), **own})
    return part
