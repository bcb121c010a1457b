"""`solve_layered`: solve a whole game into a folder by tasks on files, with the same result as in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from math import ceil
from pathlib import Path
from random import Random

from endsight.answers.auditing import LEAST_SECONDS, MOST, SHARE, Audit
from endsight.compiler.driver import REASONS
from endsight.compiler.kernels.core import Code
from endsight.compiler.native import distrust
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.entry import trusted_rules
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.graph.objective import View
from endsight.graph.table import Kind
from endsight.layers.executors import Executor, Serial
from endsight.layers.job import SolveJob, place_of, rules_of
from endsight.layers.layering import WorkByMoves, WorkByRules
from endsight.layers.table import collected
from endsight.layers.work import NOT_EXACT, SolveWork, why_loops_pay
from endsight.storage.audit import audit_part, wrong_solution
from endsight.storage.checkpoint import Checkpoint
from endsight.storage.identity import Identity, require_steady
from endsight.storage.manifest import Manifest, note_audited
from endsight.storage.saving import Stored, solution_in
from endsight.storage.source import StoredSource as StoredSource
from endsight.storage.tablebase import position_of

_LOOPS = "loops"
"""The checkpoint entry for a game with loops."""
TASK_BYTES = 1 << 29
"""The default memory of one task."""


def solve_layered(
    folder: Path,
    position: Position,
    *,
    symmetry: bool = True,
    executor: Executor | None = None,
    task_bytes: int = TASK_BYTES,
    budget: Budget | None = None,
    disk: int | None = None,
    kind: Kind = "auto",
    watch: Callable[[SolveWork], None] | None = None,
) -> Stored:
    """Solve every position reachable from `position` into `folder`, continuing an earlier run.

    For games of one player or of two who are opposed; each player maximises their own payoff. The rules' `layer`
    divides the game, or else the number of moves; a game with loops but without `layer` is one layer. Games with both
    chance and loops are refused. Values are exact, except that games with chance get proven bounds and are refused
    where `kind` is `exact`. Each task that `executor` runs at the same time uses about `task_bytes` of memory; files
    under way take up to `disk` bytes. `watch` is called with the work when all scores are found. Raises `QuestionError`
    for other games, `FileError`, `FolderBusy`, `LimitReached`, `RulesError`, and `Wrong` where the solution contradicts
    the rules in Python.
    """
    executor, budget = executor or Serial(), budget or Budget()
    require_steady(position.game, is_played=False)
    began = executor.seconds()
    identity = Identity.of(position, Question(), symmetry=symmetry, kind=kind)

    def written(checkpoint: Checkpoint) -> Manifest:
        def begun(loops: bool) -> SolveWork:
            budget.later = ("counting", "arranging", "writing", "looking")
            budget.look(0, "compiling")
            rules, loops = _compiled(position, symmetry, loops)
            own: type[SolveWork] = WorkByRules if loops or position.game.gives("layer") else WorkByMoves
            return own(position, rules, checkpoint, executor, budget, task_bytes, disk, kind != "exact", loops)

        try:
            work = _solved(checkpoint, begun)
        except CannotCompile as reason:
            checkpoint.abandon()
            raise _refused(reason) from reason
        if watch is not None:
            watch(work)
        manifest = collected(work)
        note_audited(folder, audit_files(work, manifest, executor.seconds() - began))
        return manifest

    return solution_in(folder, identity, written)


def _solved(checkpoint: Checkpoint, begun: Callable[[bool], SolveWork]) -> SolveWork:
    """The finished work; repeated if it turns out that play can come back to a position."""
    work = begun(checkpoint.facts(_LOOPS) is not None)
    if not work.solve():
        checkpoint.forget(*checkpoint.names)
        checkpoint.commit(_LOOPS, [], {})
        work = begun(True)
        is_solved = work.solve()
        assert is_solved, "that play comes back is expected now"
    return work


def why_not_layered(position: Position, symmetry: bool, kind: Kind = "auto") -> str | None:
    """Why the game of a position cannot be solved in layers, judging by the rules and a sample; None if it can."""
    if kind == "exact" and position.game.gives("weight"):
        return NOT_EXACT
    try:
        _compiled(position, symmetry)
    except CannotCompile as reason:
        return str(reason)
    return None


def _compiled(position: Position, symmetry: bool, loops: bool = False) -> tuple[CompiledRules, bool]:
    """Rules whose keys fit the game, and whether play can come back to a position, judging by a sample."""
    game = position.game
    if game.player_count > 2:
        raise CannotCompile("values of more than two players are not kept by layers")
    place_of(game)
    rules = trusted_rules(View(game, Question(), symmetry=symmetry, tracks_mover=loops or None), position)
    rules.require_whole_payoffs("a solve in layers on the disk")
    if not loops and not comes_back(rules, position):
        return rules, False
    if meets_chance(position):
        raise CannotCompile(REASONS[Code.CYCLIC])
    reason = why_loops_pay(game)
    if reason is not None:
        raise CannotCompile(reason)
    return (rules, True) if loops else _compiled(position, symmetry, loops=True)


def _refused(reason: CannotCompile) -> QuestionError:
    return QuestionError(
        "this game cannot be solved in layers on the disk",
        found=str(reason),
        allowed="rules that compile, of one player or two opposed ones, and no chance where play can come back",
        advice="--mode memory",
    )


# -------------------------------------------------------------------- the rules in Python


def audit_files(work: SolveWork, manifest: Manifest, taken: float) -> int:
    """Check rows of every part, after a solve of `taken` seconds of computing; returns how many it checked.

    Raises `Wrong` where a row contradicts the rules; the solution is then deleted.
    """
    seconds = max(LEAST_SECONDS, SHARE * taken) / len(manifest.parts)
    calls = [
        (work.job, manifest, part, ceil(MOST * rows.rows / max(1, manifest.rows)), seconds)
        for part, rows in enumerate(manifest.parts)
    ]
    looked, doing = 0, "looking at the rules again"
    work.budget.look(manifest.states, doing)
    for _, found in work.executor.run(look, calls):
        looked += found.looked
        work.budget.look(manifest.states, doing)
        if found.difference is not None:
            work.checkpoint.abandon()
            distrust(work.rules.explorer, str(found.difference))
            folder = work.checkpoint.folder
            raise wrong_solution(
                f"the solution for {folder} is wrong, and thrown away",
                found.difference,
                "--mode memory --engine plain, and report it as a bug in endsight",
            )
    return looked


def look(job: SolveJob, manifest: Manifest, part: int, most: int, seconds: float) -> Audit:
    """The task: check rows of one part, drawn by the key of the rules and the question."""
    rules = rules_of(job)
    with closing(StoredSource(job.path(""), manifest, rules.game, Question())) as source:
        return audit_part(source, position_of(manifest.identity, rules.game), part, most, seconds, rules)


# Some random games show whether play comes back to a position, so that nobody waits for a refusal.


_MOVES, _GAMES, _LONGEST = 4_000, 40, 1_000
"""The most moves and games that are tried, and the most moves of one position that are listed."""


def comes_back(rules: CompiledRules, position: Position) -> bool:
    """Whether a key occurs twice in one of some random games; False proves nothing."""
    for game in _games(position):
        seen = set()
        for place in game:
            key = rules.key(place.state, place.mover)
            if key in seen:
                return True
            seen.add(key)
    return False


def meets_chance(position: Position) -> bool:
    """Whether dice or cards decide in one of some random games; False proves nothing."""
    return any(place.mover == CHANCE for game in _games(position) for place in game)


def _games(position: Position) -> Iterator[Iterator[Position]]:
    """The positions with moves in some random games."""
    random, left = Random(0), [_MOVES]

    def played() -> Iterator[Position]:
        place = position
        while left[0] and (moves := list(islice(place.moves(), _LONGEST))):
            yield place
            left[0] -= 1
            place = place.play(random.choice(moves))

    for _ in range(_GAMES):
        yield played()
