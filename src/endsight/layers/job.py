"""The inputs of a task as plain data: any process can rebuild the rules from them."""

from __future__ import annotations

import inspect
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import endsight.games
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import FileError
from endsight.game import Game
from endsight.games import is_built_in
from endsight.identity import key_of
from endsight.naming.rules_files import module_by_name, module_from_file


@dataclass(frozen=True)
class SolveJob:
    """The game, how its states are keyed, and the folder of the solve.

    folder       where all files lie; every worker must see it under this path
    place        file of rules from outside, or an importable module; None for a built-in game
    kind         name of the class
    parameters   as the game was made
    rules        the key of the game: a worker whose rules have another meaning refuses
    """

    folder: str
    place: str | None
    kind: str
    parameters: tuple[tuple[str, Any], ...]
    rules: str | None
    has_symmetry: bool
    tracks_mover: bool

    @staticmethod
    def of(folder: Path, rules: CompiledRules) -> SolveJob:
        """The job of solving the game of `rules` in a folder."""
        kind = type(rules.game)
        return SolveJob(
            folder=str(folder.resolve()),
            place=place_of(rules.game),
            kind=kind.__qualname__,
            parameters=tuple(rules.game.values().items()),
            rules=key_of(rules.game).text,
            has_symmetry=rules.has_symmetry,
            tracks_mover=rules.tracks_mover,
        )

    def path(self, name: str) -> Path:
        """A file of the folder."""
        return Path(self.folder) / name


def place_of(game: Game) -> str | None:
    """Where workers find the rules: their file, or their module; None for those of the package.

    Raises `CannotCompile` for rules that were entered interactively, which no worker could load.
    """
    if is_built_in(game):
        return None
    kind = type(game)
    try:
        file = inspect.getsourcefile(kind)
    except (TypeError, OSError):
        file = ""
    if file is None:
        return kind.__module__
    if not Path(file).is_file():
        raise CannotCompile("the rules are in no file, and workers load them from one")
    return str(Path(file).resolve())


def rules_of(job: SolveJob) -> CompiledRules:
    """The compiled rules of a job, made once in each thread."""
    known: dict[SolveJob, CompiledRules] = _local.__dict__.setdefault("rules", {})
    if job not in known:
        game = _game_of(job)
        made = CompiledRules.of(game, symmetry=job.has_symmetry, tracks_mover=job.tracks_mover)
        known[job] = replace(made, is_apart=True)
    return known[job]


_local = threading.local()


def _game_of(job: SolveJob) -> Game:
    if job.place is None:
        kind: type[Game] = getattr(endsight.games, job.kind)
    else:
        module = module_from_file(job.place) if job.place.endswith(".py") else module_by_name(job.place)
        kind = getattr(module, job.kind)
    game = kind(**dict(job.parameters))
    found = key_of(game)
    if found.text is None or found.text != job.rules:
        raise FileError(
            f"the rules of {job.kind} have changed since the solve began",
            found=f"key {found.text}" if found.reason is None else found.reason,
            allowed=f"key {job.rules}",
            advice="the same rules, and the same versions of endsight and Python, on every machine",
        )
    return game
