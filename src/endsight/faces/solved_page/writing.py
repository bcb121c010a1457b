"""The file itself: positions with the advice on them, the program that shows them, and the style sheets."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from importlib.resources import files
from typing import Any, TypeAlias

from endsight import __version__
from endsight.answers.solution import Solution
from endsight.board import board_at, script, stylesheet, symbols
from endsight.errors import LimitReached, QuestionError
from endsight.faces.advice import MoveRow, balance_of, heading, marks_of, moves_of, order, said_of
from endsight.faces.gallery import card_of, chance_words, settings_text
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.contract import Contract
from endsight.game.field_texts import value_text
from endsight.game.numbers import count_text
from endsight.game.position import Position
from endsight.games import is_built_in

_SHADES = 1000
"""Steps of the evaluation bar."""


def solved_page(solution: Solution) -> str:
    """Return one HTML file that plays the game from the position of the solution and shows every value.

    It holds every reachable position if these are few, else those that can arise while any one player plays perfectly.
    Raises `QuestionError` where players see different things or move at once, and `LimitReached` if the file would be
    too large.
    """
    require_turns(solution.position)
    held = positions_of(solution)
    places = {key: number for number, key in enumerate(held.positions)}
    packer = Packer()
    for position in held.positions.values():
        _pack(packer, solution, position, places)
    return _filled(solution, packer.packed(_about(solution, held)))


def require_turns(position: Position) -> None:
    """Raise `QuestionError` where best play is random: players see different things, or move at once here."""
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
        "chance": asdict(chance_words(_name(solution.game))),
    }


def _pack(packer: Packer, solution: Solution, position: Position, places: dict[Key, int]) -> None:
    """Pack one position: its board, the mover, the advice on it, the bar, and every move."""
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
    """Return the template with all parts filled in."""
    read = partial(_read, "endsight.faces.solved_page")
    name, given = _name(solution.game), solution.game.values()
    parts = {
        "title": escape(card_of(name).name),
        "settings": escape(settings_text(name, ",".join(f"{key}={value_text(each)}" for key, each in given.items()))),
        "style": _read("endsight.faces.web", "static/endsight.css") + stylesheet() + read("solved_page.css"),
        "symbols": symbols(),
        "script": script() + read("solved_page.js"),
        "version": __version__,
        **packed,
    }
    text = read("solved_page.html")
    for key, value in parts.items():
        text = text.replace("{{" + key + "}}", value)
    return text


def _name(game: Game) -> str:
    """Return the name by which the gallery knows the game."""
    return type(game).__name__.lower() if is_built_in(game) else type(game).__name__


def _read(package: str, name: str) -> str:
    return files(package).joinpath(name).read_text(encoding="utf-8")


_PIECES = re.compile(r"<[^>]*>[^<]*")


class Packer:
    """Collects numbers and texts in sequence; a text is stored as its number in a table."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.stream = bytearray()

    def numbers(self, *numbers: int) -> None:
        """Add whole numbers from 0, the lowest seven bits first; the top bit of a byte says that more follow."""
        for number in numbers:
            left = number
            while left > 127:
                self.stream.append(left & 127 | 128)
                left >>= 7
            self.stream.append(left)

    def strings(self, *texts: str) -> None:
        """Add texts by their numbers."""
        self.numbers(*(self.texts.setdefault(text, len(self.texts)) for text in texts))

    def markup(self, drawn: str) -> None:
        """Add HTML as a list of its elements, most of which many drawings share."""
        pieces = _PIECES.findall(drawn)
        self.numbers(len(pieces))
        self.strings(*pieces)

    def packed(self, about: dict[str, object]) -> dict[str, str]:
        """Return both parts for a file, compressed, as text: `tables` (JSON, with `about`) and `stream`."""
        tables = json.dumps(about | {"texts": list(self.texts)}, ensure_ascii=False, separators=(",", ":"))
        return {"tables": _compressed(tables.encode()), "stream": _compressed(bytes(self.stream))}


def _compressed(data: bytes) -> str:
    return "".join(_lines(b64encode(gzip.compress(data, 9, mtime=0)).decode()))


def _lines(text: str) -> Iterable[str]:
    """Split the text into lines of a length that editors can handle."""
    for start in range(0, len(text), 20_000):
        yield text[start : start + 20_000] + "\n"


MOST = 25_000
"""If there are at most this many positions, the file holds all of them."""
LARGEST = 150_000
"""The most positions of any file."""

Key: TypeAlias = "tuple[Any, int, tuple[Any, ...]]"


@dataclass(frozen=True)
class Held:
    """The positions of a file in the order in which they were reached, by state, mover and gains so far.

    is_whole  whether these are all reachable positions
    """

    positions: dict[Key, Position]
    is_whole: bool


def key_of(position: Position) -> Key:
    """Return the key that identifies a position of a file."""
    return position.state, position.mover, position.so_far


def positions_of(solution: Solution) -> Held:
    """Return all positions from that of the solution; if more than `MOST`, those that perfect play can reach.

    For each player these are the positions that can arise while that player makes the moves of `Solution.chosen`,
    whatever the others do. Raises `LimitReached` if there are more than `LARGEST`.
    """
    whole = _reached(solution.position, lambda place: map(place.play, place.moves()), MOST)
    if whole is not None:
        return Held(whole, True)
    met: dict[Key, Position] = {}
    for player in range(solution.game.player_count):
        found = _reached(solution.position, partial(_after, solution, player), LARGEST)
        met |= found or {}
        if found is None or len(met) > LARGEST:
            raise LimitReached(
                f"the file would be too large: perfect play can meet more than {count_text(LARGEST, 'position')}",
                states=LARGEST,
                allowed=count_text(LARGEST, "position"),
                advice="a later position, or smaller parameters",
                limit="states",
            )
    return Held(met, False)


def _after(solution: Solution, player: int, place: Position) -> Iterable[Position]:
    """Return the positions after the player's choice, or after every move of another player or of chance."""
    if place.is_over:
        return ()
    return [place.play(solution.chosen(place))] if place.mover == player else map(place.play, place.moves())


def _reached(start: Position, after: Callable[[Position], Iterable[Position]], most: int) -> dict[Key, Position] | None:
    """Return all positions that play reaches, level by level; None for more than `most`, or for infinitely many.

    If reaching a position takes as many moves as there are states, the path there visits a state twice, with different
    totals: a cycle pays, and every round of it gives another position.
    """
    met = {key_of(start): start}
    states = {key_of(start)[:2]}
    level = [start]
    plies = 0
    while level:
        fresh = []
        for then in (each for place in level for each in after(place)):
            if key_of(then) not in met:
                met[key_of(then)] = then
                states.add(key_of(then)[:2])
                fresh.append(then)
        plies += 1
        if len(met) > most or (fresh and plies >= len(states)):
            return None
        level = fresh
    return met
