"""Every task checks its share of a solution on files again, by the rules in Python."""

from __future__ import annotations

import json
from contextlib import closing
from math import ceil

from endsight.answers.auditing import LEAST_SECONDS, MOST, SHARE, Audit
from endsight.compiler.native import distrust
from endsight.game.question import Question
from endsight.layers.job import Job, rules_of
from endsight.layers.work import Work
from endsight.storage.audit import audit_part, wrong_solution
from endsight.storage.manifest import Manifest
from endsight.storage.source import Stored
from endsight.storage.tablebase import position_of


def audit_files(work: Work, manifest: Manifest, taken: float) -> int:
    """Check rows of every part, after a solve of `taken` seconds of computing; returns how many it checked.

    Raises `Wrong` where a row contradicts the rules; the solution is then deleted.
    """
    text = json.dumps(manifest.document())
    seconds = max(LEAST_SECONDS, SHARE * taken) / len(manifest.parts)
    calls = [
        (work.job, text, part, ceil(MOST * rows.rows / max(1, manifest.rows)), seconds)
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


def look(job: Job, text: str, part: int, most: int, seconds: float) -> Audit:
    """The task: check rows of one part, drawn by the key of the rules and the question."""
    manifest, rules = Manifest.from_document(json.loads(text)), rules_of(job)
    with closing(Stored(job.path(""), manifest, rules.game, Question())) as source:
        return audit_part(source, position_of(manifest.identity, rules.game), part, most, seconds, rules)
