"""The content of pages as plain data: made in a worker, put into templates by the server.

Numbers have the form that people read: the exact number if short, and a decimal.
The JSON API gives them in full.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import islice
from typing import Any
from urllib.parse import quote

from endsight.answers.solution import Solution
from endsight.board import Mark, board_at, board_seen, draws_board
from endsight.faces import wording
from endsight.faces.advice import advice_on
from endsight.faces.advice.moves import marks_of, move_name, order, plain_marks, plan_marks
from endsight.faces.advice.readings import course_of, heading, percent_words
from endsight.faces.catalog import parameter_rows
from endsight.faces.web.drawing import rebuilt
from endsight.faces.web.seats import ways_to_play
from endsight.game import Game
from endsight.game.field_texts import value_text
from endsight.game.numbers import (
    Amount,
    are_exact,
    exact_text,
    full_text,
    is_enclosed,
    short_decimal,
    simplest,
)
from endsight.game.position import Position, as_text, require_names

View = dict[str, Any]

MOST_MOVES = 400
_MOST_BARS = 40
LONGEST = 48
"""Exact numbers with more characters are left to the JSON API."""
LONGEST_PARAMETER = 400


# ---------------------------------------------------------------------- numbers


def number_view(value: Amount) -> View:
    """Return `exact` and `decimal` of a number as texts; `digits` counts those of an exact number that is too long."""
    if is_enclosed(value):
        return {"exact": wording.interval_text(value, 6), "decimal": wording.approximate(value), "digits": 0}
    value = simplest(value)
    exact = exact_text(value, LONGEST)
    if exact is None:
        digits = sum(map(str.isdigit, full_text(value)))
        return {"exact": None, "decimal": short_decimal(value), "digits": digits}
    return {"exact": exact, "decimal": short_decimal(value), "digits": 0}


# ---------------------------------------------------------------------- the board


def board_view(opening: Position, position: Position, link: str) -> View:
    """Return the position without values: its board, its legal moves and its history.

    `link` is the address to which the text of a move is appended.
    """
    game, before = position.game, len(opening.history)
    moves = list(islice(position.moves(), MOST_MOVES + 1))
    texts = [as_text(game, "show_move", position.state, move) for move in moves]
    require_names(game, position.state, dict(zip(moves, texts, strict=True)))
    names = [move_name(position, move) for move in moves]
    return {
        "players": list(game.player_names),
        "ways": ways_to_play(position),
        "has_chance": game.gives("weight") or game.gives("to_move"),
        "to_move": position.to_move,
        "over": position.to_move is None,
        "state": as_text(game, "show", position.state),
        "moves": texts[:MOST_MOVES],
        "names": {text: name for text, name in zip(texts, names, strict=True) if name},
        "more_moves": len(texts) > MOST_MOVES,
        "earlier": list(opening.history),
        "history": history(opening, position.history[before:]),
        "so_far": [
            {"player": name, **number_view(share)}
            for name, share in zip(game.player_names, position.so_far, strict=True)
            if any(position.so_far)
        ],
        "board": board_html(position, plain_marks(texts[:MOST_MOVES], lambda move: link + quote(move, safe=""))),
        "params": parameters_view(game),
    }


def seat_board(position: Position, player: int, marks: Mapping[str, Mark]) -> str:
    """Return the board as a player sees it, with a mark on each own move; the full board once the game is over."""
    if position.is_over or not position.game.gives("sees"):
        return board_html(position, marks)
    return board_seen(position.game, position.state, player).html(marks)


def board_html(position: Position, marks: Mapping[str, Mark]) -> str:
    """Return the board with a mark on every legal move: drawn by the rules, or from the fields of the state."""
    drawn = _own_picture(position)
    if drawn:
        return rebuilt(drawn, {text: (mark.href or "", mark.label) for text, mark in marks.items()})
    return board_at(position).html(marks, _last(position))


def _last(position: Position) -> str | None:
    return position.history[-1] if position.history else None


def board_picture(position: Position) -> str:
    """Return the board as a separate picture, with no mark but that of the last move."""
    drawn = _own_picture(position)
    return rebuilt(drawn) if drawn else board_at(position).svg(last=_last(position), width=480)


def _own_picture(position: Position) -> str:
    """Return the rules' `svg` drawing if they do not draw boards; else ""."""
    game = position.game
    return game.svg(position.state) if game.gives("svg") and not draws_board(game) else ""  # type: ignore[attr-defined]


def parameters_view(game: Game) -> list[View]:
    """Return the game's parameters, with their current values as texts; none if a text is too long for a field."""
    rows = [{**row, "text": value_text(getattr(game, row["name"]))} for row in parameter_rows(type(game))]
    return rows if all(len(row["text"]) <= LONGEST_PARAMETER for row in rows) else []


def history(opening: Position, moves: Sequence[str]) -> list[View]:
    """Return who made each move."""
    played = enumerate(zip(opening.along(moves), moves, strict=False), start=1)
    return [{"number": number, "player": place.to_move, "move": move} for number, (place, move) in played]


# ---------------------------------------------------------------------- values


def values_view(solution: Solution, position: Position, link: str) -> View:
    """Return the advice on the position (see `endsight.faces.advice`), with the facts and the board that go with it."""
    values = solution.ends(position)
    source = solution.source
    at_hand = source.searcher is None  # otherwise each reply might need a search
    advice = advice_on(solution, position, source.covers if at_hand else lambda _: False)
    entries = asdict(advice)
    marks = marks_of(advice.moves[:MOST_MOVES], lambda move: link + quote(move, safe=""))
    marks |= plan_marks(advice.plan, marks)
    return {
        **entries,
        "board": board_html(position, marks),
        "moves": entries["moves"][:MOST_MOVES],
        "more_moves": max(0, len(advice.moves) - MOST_MOVES),
        "viewer": solution.game.player_names[advice.reading.viewer],
        "heading": heading(advice.reading),
        "best": next(((row.move, order(row)) for row in advice.moves if row.rank == 1), None),
        "tie": wording.tie_note(solution.options(position)) if advice.reading.mover >= 0 else None,
        "mixes": _mixes(solution, position),
        "facts": _facts(solution, position),
        "method": wording.method_text(solution),
        "theorem": solution.theorem,
        "notion": solution.at(position).notion,
        "conventions": wording.conventions(solution.game),
        "proven": are_exact(values),
    }


def course_view(solutions: Sequence[Solution], opening: Position, moves: Sequence[str]) -> View | None:
    """Return the values along a game; None if it has no course, or only its start."""
    found = course_of(solutions, opening, moves)
    return None if found is None or len(found.points) < 2 else {**asdict(found), "note": found.note}


def chance_view(chance: Amount) -> View:
    """Return a number with its percentage."""
    return {**number_view(chance), "percent": wording.percent(chance)}


def _mixes(solution: Solution, position: Position) -> list[View]:
    """Return each player's mix of own moves with chances, where several move at once; empty elsewhere."""
    if position.is_over or not solution.is_mixed(position):
        return []
    return [
        {
            "player": player,
            "moves": [
                (option.text, percent_words(option.probability or 0), float(option.probability or 0))
                for option in solution.parts(player, position)
            ],
        }
        for player in position.movers
    ]


def _facts(solution: Solution, position: Position) -> list[View]:
    return [
        {"name": name.replace("_", " "), "text": wording.fact_text(fact), "bars": _bars(fact)}
        for name, fact in solution.facts(position).items()
    ]


def _bars(fact: Any) -> list[View]:
    """Return beliefs as bars: numbers that are chances and add up to 1, each with its name."""
    named = fact.items() if isinstance(fact, Mapping) else enumerate(fact, 1) if isinstance(fact, list | tuple) else ()
    chances = [(str(name), chance) for name, chance in named]
    numbers = [chance for _, chance in chances if isinstance(chance, int | Fraction) and 0 <= chance <= 1]
    if len(numbers) < len(chances) or not 1 < len(chances) <= _MOST_BARS or sum(numbers) != 1:
        return []
    return [{"name": name, "share": float(chance), **chance_view(chance)} for name, chance in chances]
