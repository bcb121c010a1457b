"""`endsight solve`: all reachable positions, solved and stored in a folder."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from endsight.base.deferred import deferred
from endsight.base.waiting import is_stop
from endsight.errors import LimitReached, TimeUp
from endsight.errors.rules_guard import note_rule
from endsight.faces.cli.columns import DIM, STRONG
from endsight.faces.cli.command import COUNT, MEMORY, PATH, asking, command, flag, option, takes
from endsight.faces.cli.failures import INTERRUPTED, refused
from endsight.faces.cli.request import Request
from endsight.faces.cli.streams import say_error
from endsight.faces.cli.surroundings import in_first_folder
from endsight.faces.wording import stored_values
from endsight.game.limits import Budget, size_text
from endsight.game.numbers import count_text
from endsight.graph.table import Kind

if TYPE_CHECKING:
    from endsight.storage.saving import Stored

with deferred(__name__):
    from endsight.layers.modes import Solve
    from endsight.storage.status import committed, status_of


@command(
    "endsight solve tictactoe -o tictactoe.solved",
    "endsight solve connectfour:width=5,height=4 -o c54 --time 10m",
    "endsight value tictactoe --from tictactoe.solved",
)
@takes(
    asking,
    option("-o path", "PATH", "The folder to store in.", PATH, required=True),
    flag("--best", "Also store the move that best play takes."),
    option(
        "--mode",
        "MODE",
        "Where to work: auto (default), memory, disk (needs little memory), cluster (Dask).",
        default="auto",
    ),
    option("--workers", "N", "Parallel tasks (default: one per core).", COUNT),
    option("--scheduler", "ADDRESS", "A Dask scheduler: tcp://host:8786."),
    option("--disk", "SIZE", "Stop when the working files exceed SIZE: 50GB.", MEMORY),
)
def solve(request: Request, path: Path, **how: Any) -> int:
    """Solve every reachable position, and store it.

    PATH becomes a folder of Parquet files and a manifest, from which `--from PATH` answers
    any question without solving again. You can stop at any time: the same command continues.
    A complete folder is left unchanged.
    """
    try:
        stored = _solved(request, path, **how)
    except KeyboardInterrupt as stop:
        if isinstance(stop, TimeUp) or not is_stop(stop):
            raise
        say_error(" ".join(filter(None, ("stopped", getattr(stop, "rule", None)))), _what_is_kept(path))
        return INTERRUPTED
    except LimitReached as error:
        code = refused(error)
        say_error(_what_is_kept(path))
        return code
    document = status_of(in_first_folder(path))
    request.output.answer(document, lambda: _show(request, path, stored.outcome, document))
    return 0


def _solved(request: Request, path: Path, *, best: bool, **how: Any) -> Stored:
    position = request.starting_position()
    kind: Kind = "exact" if request.output.exact else "interval" if request.output.interval else "auto"
    with request.working(position.game) as progress:
        budget = Budget(request.limits, progress and request.expecting(progress, position))
        try:
            folder, merges = in_first_folder(path), request.symmetry == "on"
            own = {"method": request.method, "engine": request.engine, "kind": kind, "best": best}
            return Solve(
                folder, position, request.question(), symmetry=merges, budget=budget, in_memory=own, **how
            ).stored()
        except TimeUp as alarm:
            note_rule(type(position.game), alarm)
            raise budget.time_is_up("solving", alarm) from None


def _what_is_kept(path: Path) -> str:
    """Return a sentence on what an interrupted solve has stored, and how to continue."""
    kept = committed(in_first_folder(path))
    if kept == 0:
        return f"nothing is stored in {path} yet; the same command starts over"
    return f"{count_text(kept, 'part')} kept in {path}; the same command continues from there"


def _show(request: Request, path: Path, outcome: str, document: dict[str, Any]) -> None:
    screen, states, size = request.output.screen, document["states"], document["size"]
    done = {"solved": "solved and stored", "resumed": "solved; what was stored before was kept", "complete": ""}
    how = done[outcome] or "already solved and stored; nothing to do"
    screen.title(request.loaded.title, f" · {how}")
    screen.line()
    held = f"{count_text(states, 'state')}, {size_text(size, 2)} ({size / max(1, states):.2f} bytes a state)"
    screen.line(f"{path}: {held}", STRONG)
    screen.line(f"value: {stored_values(document)}")
    command = ["endsight", "analyze", request.game, *request.repeated(), "--from", str(path)]
    screen.line(f"now: {shlex.join(command)}", DIM)
