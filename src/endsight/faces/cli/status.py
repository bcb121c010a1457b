"""`endsight status`: the contents and progress of a solution's folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from endsight.base.deferred import deferred
from endsight.faces.cli.command import COUNT, PATH, argument, command, cost_options, flag, option, rules_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.wording import stored_values
from endsight.game.limits import size_text
from endsight.game.numbers import count_text
from endsight.game.titles import shown_value
from endsight.naming.specification import load_game

with deferred(__name__):
    from endsight.storage.status import status_of


@command(
    "endsight status tictactoe.solved",
    "endsight status tictactoe.solved --check --json",
    "endsight status tictactoe.solved --audit 1000",
)
@takes(
    argument("path", "PATH", PATH),
    flag("--check", "Read every file and verify its checksums."),
    option("--audit", "N", "Check up to N positions again by running the rules.", COUNT),
    rules_option,
    cost_options,
)
def status(output: Output, path: Path, check: bool, audit: int | None, spec: str | None, **_limits: object) -> None:
    """Show what a folder of `endsight solve -o` holds, and its progress.

    The solution is complete, interrupted, or being worked on by another process. Only the manifest
    is read, unless --check is given. With --audit, Python runs the rules at up to N positions to check
    the moves and the values. A solution whose rules mean something else today is refused; rules that
    are not built in are known only if --game names them.
    """
    document = status_of(path, check=check, audit=audit, game=None if spec is None else load_game(spec).game)
    output.answer(document, lambda: _draw(output, document))


_WORDS = {
    "complete": "complete",
    "working": "not complete, and another process is working on it",
    "interrupted": "not complete; the same endsight solve continues it",
}


def _draw(output: Output, document: dict[str, Any]) -> None:
    screen = output.screen
    screen.title(document["path"], f" · {_WORDS[document['status']]}")
    screen.line()
    position, parameters = document["position"], document["params"]
    fixed = ", ".join(f"{player}={policy}" for player, policy in document["fixed"].items())
    question = [document["objective"], f"utility {document['utility']}", *([f"fixed {fixed}"] if fixed else [])]
    rows = [
        ("game", " ".join([document["game"], *(f"{key}={shown_value(value)}" for key, value in parameters.items())])),
        ("position", position["moves"] or position["set_up"] or "the start"),
        ("question", ", ".join(question)),
        ("method", document["method"] or ""),
        ("states", "" if document["states"] is None else f"{document['states']:,}"),
        ("rows", _rows_text(document)),
        ("parts", f"{document['parts']:,}"),
        ("size", size_text(document["size"], 2)),
        ("bytes a state", "" if document["states"] is None else f"{document['bytes_per_state']['approx']:.2f}"),
        ("value", stored_values(document)),
        ("distance", "" if document["distance"] is None else str(document["distance"])),
        ("audited", _audited_text(document)),
        ("checksums", "all verified" if document["checked"] else ""),
    ]
    screen.pairs(row for row in rows if row[1])


def _rows_text(document: dict[str, Any]) -> str:
    """Return the number of rows, if it differs from the number of states."""
    if document["rows"] in (None, document["states"]):
        return ""
    return f"{document['rows']:,}: one for each state and player to move there, or for each number of the rules' rank"


def _audited_text(document: dict[str, Any]) -> str:
    """Return the number of positions at which the rules in Python were consulted."""
    then, now = document["audited"], document["audited_now"]
    parts = [f"{count_text(then, 'position')} when it was solved"] if then else []
    parts += [f"{count_text(now, 'position')} now: all as the rules in Python say"] if now else []
    return ", ".join(parts)
