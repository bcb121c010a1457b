"""The list of games and the rules of one game, as documents."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from itertools import islice
from typing import Any

from endsight.base.deferred import deferred
from endsight.errors import EndsightError
from endsight.faces.blaming import blaming_rules
from endsight.faces.documents import endless_document, parameter_document
from endsight.game import CHANCE, Game
from endsight.game.derived import discount_of
from endsight.game.numbers import number_document
from endsight.game.position import Position, as_text
from endsight.game.question import policies_of
from endsight.game.value_text import example
from endsight.naming.class_names import game_names, located
from endsight.naming.specification import game_class, load_game

with deferred(__name__):
    from endsight.engine.choice import goes_by_views
    from endsight.rules_check.sight import sight_of

MOST_MOVES = 24
"""The most moves of the start that are listed."""
_MOST_OUTCOMES = 100
"""The most moves of chance before the first player has a choice."""


def games_document(*, warn: Callable[[EndsightError], None]) -> dict[str, Any]:
    """Return `endsight.games/1`: every named game.

    Pass the error to `warn` where a game of an installed package cannot be loaded.
    """
    rows = []
    for name, source in sorted(game_names().items(), key=lambda item: (item[1] != "endsight", item[0])):
        try:
            kind = game_class(name)
        except EndsightError as error:
            warn(error)
            continue
        rows.append({"name": name, "summary": summary(kind), "source": source, "params": parameter_rows(kind)})
    return {"schema": "endsight.games/1", "games": rows}


def summary(kind: type[Game]) -> str:
    """Return the first sentence of the rules."""
    return _docstring(kind).partition("\n")[0]


def _docstring(kind: type[Game]) -> str:
    """Return the docstring of the rules, but not that of the base class of all rules."""
    own = (vars(base).get("__doc__") for base in kind.__mro__[: kind.__mro__.index(Game)])
    return inspect.cleandoc(next(filter(None, own), ""))


def parameter_rows(kind: type[Game]) -> list[dict[str, Any]]:
    """Return name, kind, choices and default (null where one must be given) of every parameter."""
    rows = []
    for key, annotation in kind.parameters().items():
        choices = list(typing.get_args(annotation)) if typing.get_origin(annotation) is typing.Literal else None
        default = getattr(kind, key, None)
        rows.append(
            {
                "name": key,
                "kind": "choice" if choices else _KINDS.get(annotation) or f"like {example(annotation)}",
                "choices": choices,
                "required": not hasattr(kind, key),
                "default": parameter_document(default),
            }
        )
    return rows


_KINDS = {int: "number", bool: "yes or no", str: "text"}


def game_document(name: str) -> dict[str, Any]:
    """Return `endsight.game/1`: rules, parameters, and the start of the game as given or of a small example."""
    bare = name.partition(":")[0] if not name.partition(":")[2] else name
    kind, parameters = located(bare)
    sample = bare if parameters is not None or ":" in bare else example_of(bare, kind)
    game = load_game(sample).game if sample else None
    kind = kind if game is None else type(game)
    document = {
        "schema": "endsight.game/1",
        "name": kind.title(),
        "class": kind.__name__,
        "rules": _docstring(kind),
        "params": parameter_rows(kind),
        "policies": list(policies_of(kind)),  # type: ignore[arg-type]
        "example": sample,
    }
    if game is None:
        unknown = ("players", "start", "moves", "then", "sight", "endless", "discount")
        return document | dict.fromkeys(unknown)
    with blaming_rules(game):
        if goes_by_views(game.position()):
            document["policies"] = ["random"]
        return document | _start_of(game)


def example_of(name: str, kind: type[Game]) -> str | None:
    """Return `name` with a text for every parameter that must be given; None if the rules refuse these."""
    required = [(key, annotation) for key, annotation in kind.parameters().items() if not hasattr(kind, key)]
    texts = [f"{key}={example(annotation)}" for key, annotation in required]
    if required and [key for key, _ in required] == list(kind.parameters())[:1]:
        texts = [example(required[0][1])]
    spec = ":".join([name, ",".join(texts)]) if texts else name
    try:
        load_game(spec)
    except EndsightError:
        return None
    return spec


def _start_of(game: Game) -> dict[str, Any]:
    position = game.position()
    return {
        "players": list(game.player_names),
        "start": as_text(game, "show", position.state),
        "sight": sight_of(position),
        "endless": endless_document(game) if game.gives("endless") else None,
        "discount": None if game.discount == 1 else number_document(discount_of(game)),
        "to_move": position.to_move,
        "moves": _moves(position),
        "then": _first_choice(position) if position.mover == CHANCE else None,
    }


def _first_choice(position: Position) -> dict[str, Any] | None:
    """Return the first choice of a player, after the first outcomes of chance; None where none comes soon."""
    for _ in range(_MOST_OUTCOMES):
        if position.mover != CHANCE or position.is_over:
            break
        position = position.play(next(position.moves()))
    if position.mover == CHANCE or position.is_over:
        return None
    return {"after": position.text, "to_move": position.to_move, "moves": _moves(position)}


def _moves(position: Position) -> list[str]:
    game = position.game
    moves = [as_text(game, "show_move", position.state, move) for move in islice(position.moves(), MOST_MOVES + 1)]
    return moves[:MOST_MOVES] + (["..."] if len(moves) > MOST_MOVES else [])
