"""`endsight games`: which games there are, and the rules of one."""

from __future__ import annotations

import inspect
import typing
from typing import TYPE_CHECKING, Any

import click

from endsight.cli.command import command
from endsight.cli.failures import blaming_rules
from endsight.cli.options import game_complete, output_options, takes
from endsight.cli.output import Output
from endsight.cli.streams import say_error
from endsight.errors import EndsightError

if TYPE_CHECKING:
    from endsight.game import Game

__all__ = ["games"]

MOST_MOVES = 24


@command(
    "endsight games",
    "endsight games repeatbust",
    "endsight games mygame.py:MyGame",
)
@click.argument("name", metavar="[GAME]", required=False, shell_complete=game_complete)
@takes(output_options)
def games(output: Output, name: str | None) -> int:
    """List the games, or show the rules and moves of one."""
    if name is None:
        _list_games(output)
    else:
        _show_game(output, name)
    return 0


# ---------------------------------------------------------------------- all games


def _list_games(output: Output) -> None:
    rows = _rows()
    if output.form == "json":
        output.document({"schema": "endsight.games/1", "games": rows})
    elif output.form == "plain":
        output.rows([row | {"params": _parameters_text(row["params"])} for row in rows])
    else:
        for row in rows:
            source = "" if row["source"] == "endsight" else f"  [{row['source']}]"
            output.say(f"{row['name']:<{max(len(row['name']) for row in rows)}}  {row['summary']}{source}")
        output.say("\nendsight games NAME    shows its rules, parameters and moves")
        output.say("endsight analyze NAME  tells what every move is worth")


def _rows() -> list[dict[str, Any]]:
    """Every named game; an installed package whose game cannot be loaded gives a warning instead."""
    from endsight.specification import game_class, game_names

    rows = []
    for name, source in sorted(game_names().items(), key=lambda item: (item[1] != "endsight", item[0])):
        try:
            kind = game_class(name)
        except EndsightError as error:
            say_error(f"warning: {error}")
            continue
        rows.append({"name": name, "summary": _summary(kind), "source": source, "params": _parameters(kind)})
    return rows


def _summary(kind: type[Game]) -> str:
    """The first sentence of the rules."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def _parameters(kind: type[Game]) -> list[dict[str, Any]]:
    """Name, kind, choices and default (null where one must be given) of every parameter."""
    rows = []
    for key, annotation in kind.parameters().items():
        choices = list(typing.get_args(annotation)) if typing.get_origin(annotation) is typing.Literal else None
        default = getattr(kind, key, None)
        rows.append(
            {
                "name": key,
                "kind": "choice" if choices else _kind_text(annotation),
                "choices": choices,
                "required": not hasattr(kind, key),
                "default": _plain(default),
            }
        )
    return rows


def _plain(default: Any) -> Any:
    """A default as JSON can hold it."""
    from fractions import Fraction

    from endsight.numbers import number_document

    if isinstance(default, Fraction):
        return number_document(default)
    return list(default) if isinstance(default, tuple) else default


def _kind_text(annotation: Any) -> str:
    from endsight.naming.parameter_text import example

    if annotation is int:
        return "number"
    return {bool: "yes or no", str: "text"}.get(annotation, f"like {example(annotation)}")


def _parameters_text(rows: list[dict[str, Any]]) -> str:
    return ",".join(f"{row['name']}={_default_text(row)}" for row in rows)


def _default_text(row: dict[str, Any]) -> str:
    if row["required"]:
        return "..."
    default = row["default"]
    if isinstance(default, list):
        return "-".join(map(str, default))
    if isinstance(default, dict):
        return str(default["exact"])
    return {True: "yes", False: "no"}[default] if isinstance(default, bool) else str(default)


# ---------------------------------------------------------------------- one game


def _show_game(output: Output, name: str) -> None:
    document = _game_document(name)
    if output.form == "json":
        output.document(document)
    elif output.form == "plain":
        output.rows(document["params"])
    else:
        _draw_game(output, document)


def _game_document(name: str) -> dict[str, Any]:
    """Rules and parameters, and the start: of the game as given, or of a small example."""
    from endsight.specification import load_game

    bare = name.partition(":")[0] if not name.partition(":")[2] else name
    kind = _class_of(bare)
    example = bare if kind is None or ":" in bare else _example_of(bare, kind)
    game = load_game(example).game if example else None
    kind = type(game) if kind is None and game is not None else kind
    assert kind is not None
    document = {
        "schema": "endsight.game/1",
        "name": kind.title(),
        "class": kind.__name__,
        "rules": inspect.getdoc(kind) or "",
        "params": _parameters(kind),
        "policies": list(_policies(kind)),
        "example": example,
    }
    if game is None:
        return document | {"players": None, "start": None, "moves": None}
    with blaming_rules(game):
        return document | _start_of(game)


def _class_of(name: str) -> type[Game] | None:
    """The class, where `name` says nothing about parameters."""
    from endsight.errors import ParameterError
    from endsight.specification import game_class

    try:
        return game_class(name)
    except ParameterError:
        return None


def _example_of(name: str, kind: type[Game]) -> str | None:
    """`name` with a text for every parameter that must be given; None if the rules refuse that."""
    from endsight.naming.parameter_text import example
    from endsight.specification import load_game

    required = [(key, annotation) for key, annotation in kind.parameters().items() if not hasattr(kind, key)]
    texts = [f"{key}={example(annotation)}" for key, annotation in required]
    if [key for key, _ in required] == list(kind.parameters())[:1]:
        texts = [example(required[0][1])]
    spec = ":".join([name, ",".join(texts)]) if texts else name
    try:
        load_game(spec)
    except EndsightError:
        return None
    return spec


def _policies(kind: type[Game]) -> tuple[str, ...]:
    from endsight.question import policies_of

    return policies_of(kind)  # type: ignore[arg-type]


def _start_of(game: Game) -> dict[str, Any]:
    from itertools import islice

    position = game.position()
    moves = [str(game.show_move(position.state, move)) for move in islice(position.moves(), MOST_MOVES + 1)]
    return {
        "players": list(game.player_names),
        "start": game.show(position.state),
        "to_move": position.to_move,
        "moves": moves[:MOST_MOVES] + (["..."] if len(moves) > MOST_MOVES else []),
    }


def _draw_game(output: Output, document: dict[str, Any]) -> None:
    from endsight.cli.screen import DIM, STRONG, Column

    screen = output.screen
    screen.line(document["name"], STRONG)
    screen.line()
    for paragraph in document["rules"].split("\n\n"):
        screen.paragraph(paragraph)
        screen.line()
    if document["params"]:
        rows = [(row["name"], _values_text(row), _given(row)) for row in document["params"]]
        screen.table([Column("parameter"), Column("values"), Column("default")], rows)
        screen.line()
    facts = [("policies", " ".join(document["policies"]))]
    if document["example"] and document["players"] is not None:
        facts.append(("example", document["example"]))
        facts.append(("players", " ".join(document["players"])))
        facts.append(("position", document["start"]))
        facts.append((f"moves of {document['to_move']}", " ".join(document["moves"])))
    screen.table([Column(), Column(fit="wrap")], facts)
    screen.line()
    screen.line(f"endsight analyze {document['example'] or document['name'] + ':...'}", DIM)


def _values_text(row: dict[str, Any]) -> str:
    return " | ".join(map(str, row["choices"] or [row["kind"]]))


def _given(row: dict[str, Any]) -> str:
    return "must be given" if row["required"] else _default_text(row)
