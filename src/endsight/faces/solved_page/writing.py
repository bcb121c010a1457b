"""The file itself: positions with what is said about them, the program that shows them, and the style sheets."""

from __future__ import annotations

from functools import partial
from html import escape
from importlib.resources import files

from endsight import __version__
from endsight.answers.solution import Solution
from endsight.board import board_at, stylesheet, symbols
from endsight.errors import QuestionError
from endsight.faces.advice import MoveRow, balance_of, heading, marks_of, moves_of, order, said_of
from endsight.faces.gallery import card_of, settings_text
from endsight.faces.solved_page.packing import Packer
from endsight.faces.solved_page.positions import Held, Key, key_of, positions_of
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.contract import Contract
from endsight.game.field_texts import value_text
from endsight.game.position import Position
from endsight.games import is_built_in

__all__ = ["require_turns", "solved_page"]

_SHADES = 1000
"""Steps of the evaluation bar."""


def solved_page(solution: Solution) -> str:
    """One HTML file that plays the game from the position of the solution on, and shows every value.

    It holds every position that can be reached where these are few, else all that perfect play of any player can meet.
    Raises `QuestionError` where players see different things or move at once, and `LimitReached` where it would be too
    large.
    """
    require_turns(solution.position)
    held = positions_of(solution)
    places = {key: number for number, key in enumerate(held.positions)}
    packer = Packer()
    for position in held.positions.values():
        _pack(packer, solution, position, places)
    return _filled(solution, packer.packed(_about(solution, held)))


def require_turns(position: Position) -> None:
    """Raise `QuestionError` where best play draws lots: players see different things, or move at once here."""
    game = position.game
    hides = game.gives("sees")
    if hides or position.mover == TOGETHER:
        why = "players see different things" if hides else "players move at once"
        where = f"after {position.text!r}" if position.text else "at the start"
        raise QuestionError(
            f"no file can play {game.title()}: its {why}, so that best play draws lots",
            found="rules that give `sees`" if hides else f"moves at once {where}",
            allowed="games in which everybody sees everything and players move one after the other",
            advice="endsight serve plays the game on a page, and endsight table shows each player's plan",
        )


def _about(solution: Solution, held: Held) -> dict[str, object]:
    return {
        "players": list(solution.game.player_names),
        "whole": held.is_whole,
        "count": len(held.positions),
        "method": solution.method,
    }


def _pack(packer: Packer, solution: Solution, position: Position, places: dict[Key, int]) -> None:
    """One position: its board, who is to move, what is said about it, the bar, and every move."""
    require_turns(position)
    reading, rows = moves_of(solution, position)
    said = said_of(solution, position, reading, rows)
    last = position.history[-1] if position.history else None
    packer.markup(board_at(position).html(marks_of(rows, lambda _: "#"), last))
    packer.numbers(0 if position.is_over else 1 if position.mover == CHANCE else 2 + position.mover)
    best = next((row for row in rows if row.rank == 1), None)
    packer.strings(said.tone, said.headline, said.reason, heading(reading), "" if best is None else order(best))
    balance = balance_of(solution, position, reading)
    packer.numbers(0 if balance is None else 1 + round(_SHADES * balance.low))
    packer.strings("" if balance is None else balance.label)
    packer.numbers(len(rows))
    after = {option.text: option.move for option in solution.options(position)}
    for row in rows:
        _pack_move(packer, row, position, after, places)


def _pack_move(
    packer: Packer, row: MoveRow, position: Position, moves: dict[str, object], places: dict[Key, int]
) -> None:
    move = moves[row.move]
    is_chance = position.mover == CHANCE
    weight = Contract(position.game).weight(position.state, move) if is_chance else 0
    packer.strings(row.move, row.sign, row.result, row.exact, row.gives_away, row.chance)
    packer.numbers(places.get(key_of(position.play(move)), -1) + 1, int(row.rank == 1), weight)


def _filled(solution: Solution, packed: dict[str, str]) -> str:
    """The template with everything in its place."""
    read = partial(_read, "endsight.faces.solved_page")
    name, settings = _named(solution.game)
    parts = {
        "title": escape(name),
        "settings": escape(settings),
        "style": _read("endsight.faces.web", "static/endsight.css") + stylesheet() + read("solved_page.css"),
        "symbols": symbols(),
        "script": read("solved_page.js"),
        "version": __version__,
        **packed,
    }
    text = read("solved_page.html")
    for key, value in parts.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _named(game: Game) -> tuple[str, str]:
    """What the game is called, and its settings in a few words."""
    name = type(game).__name__.lower() if is_built_in(game) else type(game).__name__
    given = ",".join(f"{key}={value_text(value)}" for key, value in game.values().items())
    return card_of(name).name, settings_text(name, given)


def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")
