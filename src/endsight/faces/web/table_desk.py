"""What a worker answers about tables: how play goes on, and what one seat sees, may do, and may ask.

A table is a true history that only the server knows, as the question's `at`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Protocol

from endsight.answers.seated import PERFECT, drawn, made_move, mixed_move
from endsight.answers.seen import SeenPosition, own_texts
from endsight.answers.solution import Option, Solution
from endsight.errors import QuestionError
from endsight.faces.advice import plain_marks
from endsight.faces.blaming import blaming_rules
from endsight.faces.catalog import parameter_rows
from endsight.faces.documents import position_document, seen_document
from endsight.faces.web.asking import Ask
from endsight.faces.web.seat_views import seat_document
from endsight.faces.web.seats import HAND
from endsight.faces.web.views import View, chance_view, number_view, seat_board
from endsight.faces.wording import case_text, seen_note
from endsight.game import CHANCE, TOGETHER
from endsight.game.field_texts import value_text
from endsight.game.numbers import Amount
from endsight.game.position import Position
from endsight.naming.specification import Loaded

__all__ = ["TABLE_ANSWERS"]

WAYS = (HAND, PERFECT, "random")
"""What a seat at a table can be set to."""
MOST_MOVES = 1000
"""Moves that are made without a person before the server is told of them."""

Document = dict[str, Any]


class Desk(Protocol):
    """What these answers need of the worker."""

    def loaded(self, spec: str) -> Loaded:
        """The game of that name."""

    def position(self, ask: Ask) -> Position:
        """The position asked about."""

    def opening(self, ask: Ask) -> Position:
        """Where the moves of the question begin."""

    def solution(self, ask: Ask, position: Position) -> Solution:
        """The solver's answer for a position."""


# ---------------------------------------------------------------------- before a game


def hall(desk: Desk, ask: Ask) -> Document:
    """What has to be known to open a table: who plays, and who may play for them."""
    position = desk.opening(ask)
    game = position.game
    with blaming_rules(game):
        return {
            "title": game.title(),
            "players": list(game.player_names),
            "ways": list(WAYS),
            "hides": game.gives("sees"),
            "rules": [" ".join(part.split()) for part in (type(game).__doc__ or "").split("\n\n")],
            "params": [{**row, "text": value_text(getattr(game, row["name"]))} for row in parameter_rows(type(game))],
        }


# ---------------------------------------------------------------------- play


def step(desk: Desk, ask: Ask) -> Document:
    """Moves of chance and of seats without a person, up to a choice of a person; and who is to choose then.

    `extra` has `ways` (how each player plays, by name), `chosen` (by name what people have chosen for the first of
    these moves), and `seed`, a secret of the table.
    """
    position = desk.position(ask)
    with blaming_rules(position.game):
        return _Play(desk, ask, position).on()


class _Play:
    """One table for as long as nobody has to be asked."""

    def __init__(self, desk: Desk, ask: Ask, position: Position) -> None:
        self.position = position
        self.solved = partial(_solution, desk, ask)
        names = position.game.player_names
        self.ways = {number: ask.extra["ways"][name] for number, name in enumerate(names)}
        self.chosen = {names.index(name): text for name, text in ask.extra["chosen"].items()}
        # The seed's SHA-512 with the number of moves: who sees draws learns nothing of those to come.
        self.random = Random(f"{ask.extra['seed']} {len(position.history)}")

    def on(self) -> Document:
        """What was played, who is asked now, and whether it is over."""
        moves: list[str] = []
        while not (self.position.is_over or self.asked) and len(moves) < MOST_MOVES:
            self.position = self.position.play(self._move())
            moves.append(self.position.history[-1])
            self.chosen = {}
        return {"moves": moves, "asked": self.asked, "over": self.position.is_over}

    @property
    def asked(self) -> list[int]:
        """The people who have to choose here."""
        return [player for player in self.position.movers if self.ways[player] == HAND and player not in self.chosen]

    def _move(self) -> Any:
        """The next move or outcome: what people have chosen, with what the other movers draw."""
        place = self.position
        if place.mover == CHANCE:
            return made_move(place, PERFECT, self.solved, self.random)
        parts = {player: self._known_part(player) for player in place.movers if self.ways[player] != PERFECT}
        perfect = dict.fromkeys((player for player in place.movers if player not in parts), PERFECT)
        if perfect:
            known = self.solved(place)
            return mixed_move(known.asked(place), perfect, known, self.random, parts)
        joint = tuple(parts[player] for player in place.movers)
        return joint if len(joint) > 1 else joint[0]

    def _known_part(self, player: int) -> Any:
        """What a person has chosen, or any own move with the same chance."""
        texts = own_texts(self.position, player)
        moves = list(texts)
        if player not in self.chosen:
            return moves[drawn([1] * len(moves), self.random)]
        return next(move for move in moves if texts[move] == self.chosen[player])


def _solution(desk: Desk, ask: Ask, position: Position) -> Solution:
    """What answers at a position: plans of players who see different things are those from the start of the game."""
    return desk.solution(ask, desk.opening(ask) if position.game.gives("sees") else position)


# ---------------------------------------------------------------------- one seat


def seat(desk: Desk, ask: Ask) -> Document:
    """`endsight.seat/1`; `extra` has the number of the `player`, and what that player has `chosen`, or None."""
    position = desk.position(ask)
    with blaming_rules(position.game):
        return seat_document(position, ask.extra["player"], ask.extra["chosen"])


def seat_picture(desk: Desk, ask: Ask) -> View:
    """The board that goes with it, as HTML; places on it lead to the buttons of the page, by the number of the move."""
    position, player = desk.position(ask), ask.extra["player"]
    with blaming_rules(position.game):
        moves = seat_document(position, player, ask.extra["chosen"])["moves"]
        return {"html": seat_board(position, player, plain_marks(moves, lambda move: f"#move-{moves.index(move)}"))}


def seat_values(desk: Desk, ask: Ask) -> Document:
    """`endsight.position/1` for a player whose turn it is, with what `analyze --as` may tell that player."""
    position = desk.position(ask)
    with blaming_rules(position.game):
        solution, found = _seen(desk, ask, position)
        if found is None:
            return position_document(solution, solution.asked(position))
        # The moves that were made are no part of what the player knows.
        bare = replace(found, position=replace(found.position, history=()))
        return seen_document(solution, bare) | {"to_move": found.player}


def seat_worth(desk: Desk, ask: Ask) -> View:
    """The same as a page shows it."""
    position = desk.position(ask)
    with blaming_rules(position.game):
        solution, found = _seen(desk, ask, position)
        names = position.game.player_names
        if found is None:
            asked = solution.asked(position)
            values, options = solution.values(asked), solution.options(asked)
            return {"value": _shares(names, values), "rows": list(map(_row, options)), "posterior": [], "note": None}
        return {
            "value": None if found.value is None else _shares(names, found.value),
            "rows": list(map(_row, found.options)),
            "posterior": [
                {"player": each.player, "sees": each.sees, "case": case_text(each.probability)}
                for each in found.posterior
            ],
            "note": seen_note(found),
        }


def _seen(desk: Desk, ask: Ask, position: Position) -> tuple[Solution, SeenPosition | None]:
    """The solution, and the position as the player sees it, where players know or do different things."""
    player = ask.extra["player"]
    if position.is_over or player not in position.movers:
        raise QuestionError("values are told to a player whose turn it is", advice="ask again on your turn")
    solution = _solution(desk, ask, position)
    if solution.source.by_history or position.mover == TOGETHER:
        return solution, solution.seen_by(player, position.history)
    return solution, None


def _shares(names: Sequence[str], values: Sequence[Amount]) -> list[View]:
    return [{"player": name, **number_view(value)} for name, value in zip(names, values, strict=True)]


def _row(option: Option) -> View:
    return {
        "move": option.text,
        "chance": None if option.probability is None else chance_view(option.probability),
        "share": float(option.probability or 0),
        "values": [number_view(value) for value in option.value],
        "regret": None if option.regret is None else number_view(option.regret),
        "best": option.best,
    }


TABLE_ANSWERS: dict[str, Callable[[Desk, Ask], Document]] = {
    "hall": hall,
    "step": step,
    "seat": seat,
    "seat picture": seat_picture,
    "seat values": seat_values,
    "seat worth": seat_worth,
}
"""Answers about tables, by their kind."""
