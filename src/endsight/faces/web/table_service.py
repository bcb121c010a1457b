"""A worker's answers about tables: how play continues, and what one seat sees, may do, and may ask.

A table is a true history that only the server knows; it is the question's `at`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.answers.options import Option
from endsight.answers.seated import drawn, joined, made_move, mixed_move
from endsight.answers.seen import SeenPosition, own_texts
from endsight.answers.solution import Solution
from endsight.errors import QuestionError
from endsight.faces.advice.moves import plain_marks
from endsight.faces.documents import parameters_document, position_document, seen_document
from endsight.faces.seen_moves import seen_events, seen_moves
from endsight.faces.web.asking import Ask
from endsight.faces.web.seats import HAND
from endsight.faces.web.views import View, chance_view, number_view, parameters_view, seat_board
from endsight.faces.wording import case_text, seen_note
from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import Amount, number_document
from endsight.game.position import Position, as_text
from endsight.game.question import PERFECT

if TYPE_CHECKING:
    from endsight.faces.web.answer_service import AnswerService

WAYS = (HAND, PERFECT, "random")
"""The possible settings of a seat at a table."""
MOST_MOVES = 1000
"""The most moves made without a person before the worker reports to the server."""

Document = dict[str, Any]


# ---------------------------------------------------------------------- before a game


def hall(_service: AnswerService, _ask: Ask, position: Position) -> Document:
    """Return what is needed to open a table: who plays, and who may play for them."""
    game = position.game
    return {
        "players": list(game.player_names),
        "ways": list(WAYS),
        "hides": game.gives("sees"),
        "rules": type(game).__doc__ or "",
        "params": parameters_view(game),
    }


# ---------------------------------------------------------------------- play


def step(service: AnswerService, ask: Ask, position: Position) -> Document:
    """Play moves of chance and of seats without a person, up to a person's choice; say who has to choose then.

    `extra` has `ways` (how each player plays, by name), `chosen` (by name, people's choices for the first of
    these moves), and `seed`, a secret of the table.
    """
    return _Play(service, ask, position).on()


class _Play:
    """One table, played until a person has to choose."""

    def __init__(self, service: AnswerService, ask: Ask, position: Position) -> None:
        self.position = position
        self.solved = partial(_solution, service, ask)
        names = position.game.player_names
        self.ways = {number: ask.extra["ways"][name] for number, name in enumerate(names)}
        self.chosen = {names.index(name): text for name, text in ask.extra["chosen"].items()}
        # Hash the seed (SHA-512) with the number of moves: seeing draws reveals nothing about later ones.
        self.random = Random(f"{ask.extra['seed']} {len(position.history)}")

    def on(self) -> Document:
        """Play on; return the moves, who has to choose now, and whether the game is over."""
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
        """Return the next move or outcome: people's choices, with what the other movers draw."""
        place = self.position
        if place.mover == CHANCE:
            return made_move(place, PERFECT, self.solved, self.random)
        parts = {player: self._known_part(player) for player in place.movers if self.ways[player] != PERFECT}
        perfect = dict.fromkeys((player for player in place.movers if player not in parts), PERFECT)
        if perfect:
            known = self.solved(place)
            return mixed_move(known.asked(place), perfect, known, self.random, parts)
        return joined(place, parts)

    def _known_part(self, player: int) -> Any:
        """Return a person's choice, or else a move drawn uniformly."""
        texts = own_texts(self.position, player)
        moves = list(texts)
        if player not in self.chosen:
            return moves[drawn([1] * len(moves), self.random)]
        return next(move for move in moves if texts[move] == self.chosen[player])


def _solution(service: AnswerService, ask: Ask, position: Position) -> Solution:
    """Return the solution at a position; plans for players who see different things start at the game's start."""
    return service.solution(ask, service.opening(ask) if position.game.gives("sees") else position)


# ---------------------------------------------------------------------- one seat


def seat(_service: AnswerService, ask: Ask, position: Position) -> Document:
    """Return `endsight.seat/1`; `extra` has the number of the `player` and the player's `chosen` move, or None."""
    return seat_document(position, ask.extra["player"], ask.extra["chosen"])


def seat_picture(_service: AnswerService, ask: Ask, position: Position) -> View:
    """Return the seat's board as HTML; its places link to the page's buttons, by the number of the move."""
    player = ask.extra["player"]
    moves = seat_document(position, player, ask.extra["chosen"])["moves"]
    return {"html": seat_board(position, player, plain_marks(moves, lambda move: f"#move-{moves.index(move)}"))}


def seat_values(service: AnswerService, ask: Ask, position: Position) -> Document:
    """Return `endsight.position/1` for the player to move, limited to what `analyze --as` may tell that player."""
    solution, found = _seen(service, ask, position)
    if found is None:
        known = position_document(solution, solution.asked(position))
        # Players who all see the same may not have seen the outcomes in the moves either.
        return known | {"position": ""} if position.game.gives("sees") else known
    # The player does not know the moves that were made.
    bare = replace(found, position=replace(found.position, history=()))
    return seen_document(solution, bare) | {"to_move": found.player}


def seat_worth(service: AnswerService, ask: Ask, position: Position) -> View:
    """Return these values for the page."""
    solution, found = _seen(service, ask, position)
    names = position.game.player_names
    if found is None:
        asked = solution.asked(position)
        values, options = solution.ends(asked), solution.options(asked)
        return {"value": _shares(names, values), "rows": list(map(_row, options)), "posterior": [], "note": None}
    return {
        "value": None if found.value is None else _shares(names, found.value),
        "rows": list(map(_row, found.options)),
        "posterior": [
            {"player": each.player, "sees": each.sees, "case": case_text(each.probability)} for each in found.posterior
        ],
        "note": seen_note(found),
    }


def _seen(service: AnswerService, ask: Ask, position: Position) -> tuple[Solution, SeenPosition | None]:
    """Return the solution, and the position as the player sees it, where players know or do different things."""
    player = ask.extra["player"]
    if position.is_over or player not in position.movers:
        raise QuestionError("values are shown to a player whose turn it is", advice="ask again on your turn")
    solution = _solution(service, ask, position)
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


TABLE_ANSWERS: dict[str, Callable[[AnswerService, Ask, Position], Document]] = {
    "hall": hall,
    "step": step,
    "seat": seat,
    "seat picture": seat_picture,
    "seat values": seat_values,
    "seat worth": seat_worth,
}
"""Kind -> the answer about tables."""


def seat_document(position: Position, player: int, chosen: str | None) -> Document:
    """Return `endsight.seat/1` of a true position as a player sees it; `chosen` is the choice for a move at once.

    Once the game is over it includes everything: what every player saw, the moves, and the payoffs.
    """
    game, over = position.game, position.is_over
    asked = not over and player in position.movers and chosen is None
    return {
        "schema": "endsight.seat/1",
        "game": game.title(),
        "params": parameters_document(game),
        "players": list(game.player_names),
        "player": game.player_names[player],
        "sees": _sees(position, player),
        "history": seen_moves(position, player),
        "your_turn": asked,
        "moves": list(own_texts(position, player).values()) if asked else [],
        "chosen": chosen,
        "waits_for": None if over or asked else _awaited(position, player),
        "over": over,
        "end": _end(position) if over else None,
    }


def _sees(position: Position, player: int) -> str:
    """Return what the player sees now: what `sees` shows where the rules give it, else the state."""
    game = position.game
    if not game.gives("sees"):
        return as_text(game, "draw", position.state)
    return game.show_seen(game.sees(position.state, player), player)


def _awaited(position: Position, player: int) -> str | None:
    """Return the awaited player if that is no secret; None if there may be several."""
    game = position.game
    others = [name for number, name in enumerate(game.player_names) if number != player]
    if game.gives("sees"):
        return others[0] if len(others) == 1 else None
    movers = [game.player_names[number] for number in position.movers if number != player]
    return movers[0] if len(movers) == 1 else None


# ---------------------------------------------------------------------- the end


def _end(position: Position) -> Document:
    """Return all there is to reveal once the game is over."""
    game, names = position.game, position.game.player_names
    hides = game.gives("sees")
    return {
        "drawing": as_text(game, "draw", position.state),
        "moves": list(position.history),
        "views": {name: list(seen_events(position, number)) for number, name in enumerate(names)} if hides else None,
        "payoffs": dict(zip(names, map(number_document, position.paid()), strict=True)),
    }
