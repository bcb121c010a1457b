"""The file itself: positions with the advice on them, the program that shows them, and the style sheets."""

from __future__ import annotations

import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from html import escape
from importlib.resources import files
from typing import Any, TypeAlias

from endsight import __version__
from endsight.answers.solution import Solution
from endsight.board import script, stylesheet, symbols
from endsight.errors import LimitReached
from endsight.faces.gallery import card_of, chance_words, settings_text
from endsight.faces.solved_page.scenes import Node, NodeScene, Scenes, nodes_at
from endsight.faces.wording import number_text
from endsight.game import Game
from endsight.game.field_texts import value_text
from endsight.game.numbers import count_text, simplest
from endsight.game.position import Position
from endsight.games import is_built_in

_SHADES = 1000
"""Steps of the evaluation bar."""


def solved_page(solution: Solution) -> str:
    """Return one HTML file that plays the game from the position of the solution and shows every value.

    It holds every reachable position if these are few, else those that can arise while any one player plays perfectly.
    Where players see different things or move at once it holds all positions, and shows each player only what that
    player sees. Raises `LimitReached` if the file would be too large.
    """
    held, scenes, packer = positions_of(solution), Scenes(solution), Packer()
    nodes = [node for position in held.positions.values() for node in nodes_at(solution, position)]
    numbers = {_node_key(node): number for number, node in enumerate(nodes)}
    for node in nodes:
        _pack(packer, scenes.scene(node), numbers)
    return _filled(solution, packer.packed(_about(solution, held, len(nodes))))


def _node_key(node: Node) -> tuple[Key, tuple[Any, ...]]:
    return key_of(node[0]), node[1]


def _about(solution: Solution, held: Held, count: int) -> dict[str, object]:
    hides = solution.game.gives("sees") or count > len(held.positions)
    return {
        "players": list(solution.game.player_names),
        "whole": held.is_whole,
        "count": count,
        "positions": len(held.positions),
        "hides": hides,
        "method": solution.method,
        "worth": _worth(solution) if hides else "",
        "chance": asdict(chance_words(_name(solution.game))),
    }


def _worth(solution: Solution) -> str:
    """Say what the game is worth to each player, where a single position does not tell it."""
    shares = [f"{name} {number_text(simplest(value))}" for name, value in solution.value().items()]
    return f"With best play the players get on average: {', '.join(shares)}."


def _pack(packer: Packer, scene: NodeScene, numbers: Mapping[tuple[Key, tuple[Any, ...]], int]) -> None:
    """Pack one node: its boards, what was seen, the mover, the advice, the bar, and every choice."""
    packer.numbers(len(scene.boards))
    for board in scene.boards:
        packer.markup(board)
    packer.numbers(len(scene.seen))
    packer.strings(*scene.seen)
    packer.numbers(2 + scene.mover)
    packer.strings(scene.said.tone, scene.said.headline, scene.said.reason, scene.heading, scene.todo, scene.who)
    balance = scene.balance
    packer.numbers(0 if balance is None else 1 + round(_SHADES * balance.low))
    packer.strings("" if balance is None else balance.label)
    packer.numbers(len(scene.choices))
    for choice in scene.choices:
        row = choice.row
        packer.strings(row.move, row.sign, row.result, row.exact, row.gives_away, row.chance)
        packer.numbers(numbers.get(_node_key(choice.to), -1) + 1, int(row.rank == 1), choice.weight)


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
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], read("solved_page.html"))


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
    text = b64encode(gzip.compress(data, 9, mtime=0)).decode()
    # In lines of a length that editors can handle.
    return "".join(f"{line}\n" for line in re.findall(".{1,20000}", text))


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
    """Return the key that identifies a position of a file; where players see different things, all moves count."""
    state = position.history if position.game.gives("sees") else position.state
    return state, position.mover, position.so_far


def positions_of(solution: Solution) -> Held:
    """Return all positions from that of the solution; if more than `MOST`, those that perfect play can reach.

    For each player these are the positions that can arise while that player makes the moves of `Solution.chosen`,
    whatever the others do. Where players see different things, these are all positions. Raises `LimitReached` if there
    are more than `LARGEST`.
    """
    hides = solution.game.gives("sees")
    everything = _reached(solution.position, lambda place: map(place.play, place.moves()), LARGEST if hides else MOST)
    if everything is not None:
        return Held(everything, True)
    if hides:
        raise _too_large(solution, "the game has")
    reachable: dict[Key, Position] = {}
    for player in range(solution.game.player_count):
        reached = _reached(solution.position, partial(_after, solution, player), LARGEST)
        reachable |= reached or {}
        if reached is None or len(reachable) > LARGEST:
            raise _too_large(solution, "perfect play can meet")
    return Held(reachable, False)


def _too_large(solution: Solution, what: str) -> LimitReached:
    pays_on_loops = solution.source.has_loops and solution.game.gives("reward")
    return LimitReached(
        f"the file would be too large: {what} more than {count_text(LARGEST, 'position')}",
        states=LARGEST,
        found="play that comes back with other totals: each of them is a position" if pays_on_loops else None,
        allowed=count_text(LARGEST, "position"),
        advice="rules that pay where play ends" if pays_on_loops else "a later position, or smaller parameters",
    )


def _after(solution: Solution, player: int, place: Position) -> Iterable[Position]:
    """Return the positions after the player's choice, or after every move of another player or of chance."""
    if place.is_over:
        return ()
    chosen = solution.chosen(place) if place.mover == player else None
    return map(place.play, place.moves()) if chosen is None else [place.play(chosen)]


def _reached(start: Position, after: Callable[[Position], Iterable[Position]], most: int) -> dict[Key, Position] | None:
    """Return all positions that play reaches, level by level; None for more than `most`, or for infinitely many.

    If reaching a position takes as many moves as there are states, the path there visits a state twice, with different
    totals: a cycle pays, and every round of it gives another position.
    """
    visited = {key_of(start): start}
    states = {key_of(start)[:2]}
    level = [start]
    plies = 0
    while level:
        fresh = []
        for then in (each for place in level for each in after(place)):
            if key_of(then) not in visited:
                visited[key_of(then)] = then
                states.add(key_of(then)[:2])
                fresh.append(then)
            if len(visited) > most:
                return None
        plies += 1
        if fresh and plies >= len(states):
            return None
        level = fresh
    return visited
