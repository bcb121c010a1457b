"""`endsight export`: a stored solution in a form for other programs."""

from __future__ import annotations

from pathlib import Path

import click

import endsight as es
from endsight.base.deferred import deferred
from endsight.base.outputs import open_output
from endsight.errors import UsageError
from endsight.faces.blaming import blaming_rules
from endsight.faces.cli.command import (
    PATH,
    argument,
    command,
    cost_options,
    debug_option,
    flag,
    option,
    rules_option,
    takes,
)
from endsight.faces.cli.output import Output
from endsight.faces.cli.progress import progress_line
from endsight.faces.cli.streams import say_file
from endsight.faces.cli.surroundings import in_first_folder
from endsight.faces.interop.gambit_writing import efg_lines
from endsight.naming.specification import load_game

with deferred(__name__):
    from endsight.storage import export as exporting

FORMS = ("csv", "jsonl", "parquet", "dot", "efg")


@command(
    "endsight export tictactoe.solved --to csv -o tictactoe.csv",
    "endsight export nim.solved --to dot -o nim.dot",
    "endsight export mygame.solved --game mygame.py:MyGame --to jsonl",
    "endsight export kuhn --to efg -o kuhn.efg",
)
@takes(
    argument("path", "PATH", PATH),
    option("--to form", None, "The format to write.", click.Choice(FORMS), required=True),
    option("-o target", "FILE", "The file (default stdout).", PATH),
    flag("--fields", "Write the fields of the state as columns, not the position as text."),
    rules_option,
    cost_options,
    output=debug_option,
)
def export(
    path: Path, form: str, target: Path | None, fields: bool, spec: str | None, output: Output, **_others: object
) -> int:
    """Write a stored solution in a form that other programs read.

    There is one row for every state and player to move: the position in the game's own notation
    (with --fields, the fields of its state), whose turn it is, the exact values of what is still to
    come, the category and the distance. Where players alternate and a state is worth the same to
    whoever is to move, it has one row, and `first` there is the player to move. `dot` draws the
    graph of up to 2 000 states. `efg` writes a game, named instead of PATH, as an extensive game for
    Gambit.
    """
    if form == "efg":
        return _write_tree(str(path), target)
    if form == "parquet" and target is None:
        raise UsageError("a Parquet file cannot be printed", advice="-o FILE")
    if form == "dot" and fields:
        raise UsageError("--fields is about rows, but dot draws a graph", allowed="csv, jsonl or parquet")
    game = load_game(spec).game if spec is not None else None
    with (
        es.open_tablebase(in_first_folder(path), game) as table,
        blaming_rules(table.game),
        progress_line(output.quiet) as progress,
    ):
        if target is None:
            say_file(exporting.export_text(table, form, fields=fields, progress=progress))
        else:
            exporting.write_export(table, form, in_first_folder(target), fields=fields, progress=progress)
    return 0


def _write_tree(name: str, target: Path | None) -> int:
    """Write the game of that name as an extensive game."""
    game = load_game(name).game
    with blaming_rules(game):
        lines = efg_lines(game)
        if target is None:
            say_file(lines)
            return 0
        with open_output(in_first_folder(target)) as file:
            for line in lines:
                file.write(line.encode())
            file.commit()
    return 0
