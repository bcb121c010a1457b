"""`endsight games`: the list of games, and the rules of one."""

from __future__ import annotations

import os
from typing import Any

from click import HelpFormatter

from endsight.base.standard_streams import stdout
from endsight.faces.catalog import game_document, games_document
from endsight.faces.cli.columns import DIM, STRONG, Column
from endsight.faces.cli.command import argument, command, complete_game, cost_options, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.streams import is_terminal, terminal_width
from endsight.faces.wording import capital, discount_text, endless_text
from endsight.game.titles import shown_value


@command(
    "endsight games",
    "endsight games repeatbust",
    "endsight games mygame.py:MyGame",
)
@takes(
    argument("name", "[GAME]", required=False, shell_complete=complete_game),
    cost_options,
)
def games(output: Output, name: str | None, **_limits: object) -> int:
    """List the games, or show the rules and moves of one."""
    if name is None:
        _list_games(output)
        return 0
    document = game_document(name)
    output.answer(document, lambda: _draw_game(output, document), lambda document: document["params"])
    return 0


# ---------------------------------------------------------------------- all games


def _list_games(output: Output) -> None:
    def draw() -> None:
        _say_pairs(output, list(map(_line, document["games"])))
        output.say("")
        _say_pairs(output, COMMANDS)

    document = games_document(warn=lambda error: output.note(str(error), "warning"))
    output.answer(document, draw, lambda document: map(_row, document["games"]))


def _line(row: dict[str, Any]) -> tuple[str, str]:
    return row["name"], row["summary"] + ("" if row["source"] == "endsight" else f"  [{row['source']}]")


COMMANDS = [
    ("endsight games NAME", "shows its rules, parameters and moves"),
    ("endsight analyze NAME", "shows what every move is worth"),
]


def _say_pairs(output: Output, pairs: list[tuple[str, str]]) -> None:
    """Print names with texts, wrapped where space is short, without rich, which would take longer to load."""
    width = terminal_width(stdout()) if is_terminal(stdout()) or "COLUMNS" in os.environ else 10_000
    longest = max(len(name) for name, _ in pairs)
    help_text = HelpFormatter(width=width)
    help_text.write_dl(pairs, col_max=longest if longest + 2 <= width // 2 else 0)
    output.say(*help_text.getvalue().splitlines())


def _row(row: dict[str, Any]) -> dict[str, Any]:
    """Return a row of text, with the parameters in one cell."""
    return row | {"params": ",".join(f"{each['name']}={_default_text(each, '...')}" for each in row["params"])}


def _default_text(parameter: dict[str, Any], required: str) -> str:
    return required if parameter["required"] else shown_value(parameter["default"])


# ---------------------------------------------------------------------- one game


def _draw_game(output: Output, document: dict[str, Any]) -> None:
    screen = output.screen
    screen.line(document["name"], STRONG)
    screen.line()
    for paragraph in document["rules"].split("\n\n"):
        screen.paragraph(paragraph)
        screen.line()
    if document["params"]:
        rows = [(row["name"], _values_text(row), _default_text(row, "must be given")) for row in document["params"]]
        screen.table([Column("parameter"), Column("values"), Column("default")], rows)
        screen.line()
    facts, then = {"policies": " ".join(document["policies"])}, document["then"]
    if document["example"] and document["players"] is not None:
        facts |= {"example": document["example"], "players": " ".join(document["players"])}
        facts |= {"position": document["start"], f"moves of {document['to_move']}": " ".join(document["moves"])}
    if then is not None:
        facts[f"after {then['after']}"] = f"moves of {then['to_move']}: {' '.join(then['moves'])}"
    screen.pairs(facts.items())
    if document["endless"] is not None:
        paid = {name: number["exact"] for name, number in document["endless"].items()}
        screen.apart(f"Play that never ends pays {endless_text(paid)}.")
    if document["discount"] is not None:
        screen.apart(f"{capital(discount_text(document['discount']['exact']))}.")
    if document["sight"] is not None:
        screen.apart(document["sight"])
    screen.apart(f"endsight analyze {document['example'] or document['name'] + ':...'}", DIM)


def _values_text(row: dict[str, Any]) -> str:
    return " | ".join(map(str, row["choices"] or [row["kind"]]))
