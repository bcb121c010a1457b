"""What pages show, as plain data: made in a worker, put into templates by the server.

Numbers are here what people read: the exact number where it is short, and a decimal.
The JSON API gives them in full.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import islice
from typing import Any

from endsight.answers.solution import Option, Solution
from endsight.board import Mark, board_at
from endsight.faces.catalog import parameter_rows
from endsight.faces.web.drawing import rebuilt
from endsight.faces.web.seats import ways_to_play
from endsight.faces.wording import (
    approximate,
    conventions,
    fact_text,
    interval_text,
    meaning,
    number_text,
    percent,
    tie_note,
)
from endsight.game import CHANCE
from endsight.game.field_texts import value_text
from endsight.game.numbers import (
    Amount,
    are_exact,
    as_interval,
    count_text,
    exact_text,
    full_text,
    is_enclosed,
    short_decimal,
    simplest,
)
from endsight.game.position import Position, as_text

__all__ = ["View", "board_view", "chance_view", "method_text", "number_view", "values_view"]

View = dict[str, Any]

MOST_MOVES = 400
MOST_LINE = 40
_MOST_BARS = 40
LONGEST = 48
"""Exact numbers of more signs are left to the JSON API."""
LONGEST_PARAMETER = 400
_GLYPHS = {"win": "▲", "draw": "■", "loss": "▼", "value": "◆"}


# ---------------------------------------------------------------------- numbers


def number_view(value: Amount) -> View:
    """`exact` and `decimal` of a number as texts; `digits` says how many an exact number has that is too long."""
    if is_enclosed(value):
        return {"exact": interval_text(value, 6), "decimal": approximate(value), "digits": 0}
    value = simplest(value)
    exact = exact_text(value)
    if exact is None or len(exact) > LONGEST:
        digits = sum(map(str.isdigit, full_text(value)))
        return {"exact": None, "decimal": short_decimal(value), "digits": digits}
    return {"exact": exact, "decimal": short_decimal(value), "digits": 0}


# ---------------------------------------------------------------------- the board


def board_view(opening: Position, position: Position, link: str) -> View:
    """The position without any value: drawn, with its legal moves and what led to it.

    `link` is the address to which a move is appended, as text.
    """
    game, before = position.game, len(opening.history)
    texts = [as_text(game, "show_move", position.state, move) for move in islice(position.moves(), MOST_MOVES + 1)]
    view: View = {
        "title": game.title(),
        "players": list(game.player_names),
        "ways": ways_to_play(position),
        "has_chance": game.gives("weight") or game.gives("to_move"),
        "to_move": position.to_move,
        "over": position.to_move is None,
        "drawing": as_text(game, "draw", position.state),
        "state": as_text(game, "show", position.state),
        "moves": texts[:MOST_MOVES],
        "more_moves": len(texts) > MOST_MOVES,
        "earlier": list(opening.history),
        "history": history(opening, position.history[before:]),
        "so_far": [
            {"player": name, **number_view(share)}
            for name, share in zip(game.player_names, position.so_far, strict=True)
            if any(position.so_far)
        ],
        "board": _board(position, {text: link + _quoted(text) for text in texts[:MOST_MOVES]}),
        "params": _parameters(position),
    }
    return view


def _board(position: Position, links: Mapping[str, str]) -> str:
    """The board with a link for every legal move: drawn by the rules, or from the fields of the state."""
    game = position.game
    if game.gives("svg") and not game.gives("draw_board"):
        drawn = game.svg(position.state)  # type: ignore[attr-defined]
        if drawn != "":
            return rebuilt(drawn, {text: (address, f"play {text}") for text, address in links.items()})
    marks = {text: Mark(address, f"play {text}") for text, address in links.items()}
    return board_at(position).html(marks, position.history[-1] if position.history else None)


def _parameters(position: Position) -> list[View]:
    """What can be set about the game, with the texts it is set to now."""
    game = position.game
    rows = [{**row, "text": value_text(getattr(game, row["name"]))} for row in parameter_rows(type(game))]
    return rows if all(len(row["text"]) <= LONGEST_PARAMETER for row in rows) else []


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


def history(opening: Position, moves: Sequence[str]) -> list[View]:
    """Who made each move."""
    rows, place = [], opening
    for number, move in enumerate(moves):
        rows.append({"number": number + 1, "player": place.to_move, "move": move})
        place = place.after(move)
    return rows


# ---------------------------------------------------------------------- values


def values_view(solution: Solution, position: Position, earlier: Solution, opening: Position) -> View:
    """Every move with what it is worth, the main line, and who was winning so far."""
    options = solution.options(position)
    values = solution.value(position)
    number = {name: number_text(simplest(value)) for name, value in values.items()}
    category = solution.category(position)
    # Where somebody wins, one number says it all: that of who is to move.
    shown = range(len(values)) if category == "value" else range(position.mover, position.mover + 1)
    return {
        "meaning": meaning(solution, position, number),
        "category": category,
        "glyph": _GLYPHS[category],
        "players": [{"player": name, **number_view(value)} for name, value in values.items()],
        "rows": [_option_view(options, option, shown) for option in options[:MOST_MOVES]],
        "more_rows": max(0, len(options) - MOST_MOVES),
        "columns": list(solution.game.player_names) if len(values) > 1 and category == "value" else [],
        "has_distances": any(option.distance is not None or option.category != "value" for option in options),
        "is_chance": position.mover == CHANCE and not position.is_over,
        "tie": tie_note(options),
        "line": _line(solution, position),
        "facts": _facts(solution, position),
        "method": method_text(solution),
        "theorem": solution.theorem,
        "notion": solution.notion,
        "conventions": conventions(solution.game),
        "proven": are_exact(values.values()),
        "strip": list(_strip(earlier, opening, position)),
    }


def _option_view(options: list[Option], option: Option, shown: range) -> View:
    glyph, word = _judgement(options, option)
    return {
        "move": option.text,
        "glyph": glyph,
        "word": word,
        "values": [number_view(option.value[player]) for player in shown],
        "category": option.category,
        "result": None if option.category == "value" else option.category,
        "regret": None if option.regret is None else number_view(option.regret),
        "rank": option.rank,
        "distance": option.distance,
        "best": option.best,
        "probability": None if option.probability is None else chance_view(option.probability),
    }


def chance_view(chance: Amount) -> View:
    """A number with its percentage."""
    return {**number_view(chance), "percent": percent(chance)}


def _judgement(options: list[Option], option: Option) -> tuple[str, str]:
    """A sign and a word: the best move, one as good, a worse one, the chance of a mixed or drawn one, or not proven."""
    if option.best is None:
        return ("?", "not proven") if option.probability is None else ("", f"chance {percent(option.probability)}")
    if not option.best:
        return "▼", "worse"
    alone = sum(other.rank == 1 for other in options[:2]) == 1
    return ("▲", "best") if option.rank == 1 and alone else ("●", "equally good" if option.rank == 1 else "as good")


def _line(solution: Solution, position: Position) -> View:
    steps = list(islice(solution.steps(position), MOST_LINE + 1))
    return {
        "steps": [{"player": step.player, "move": step.move} for step in steps[:MOST_LINE]],
        "more": len(steps) > MOST_LINE,
    }


def _facts(solution: Solution, position: Position) -> list[View]:
    return [
        {"name": name.replace("_", " "), "text": fact_text(fact), "bars": _bars(fact)}
        for name, fact in solution.facts(position).items()
    ]


def _bars(fact: Any) -> list[View]:
    """Beliefs as bars: numbers that are chances and add up to 1, each with its name."""
    named = fact.items() if isinstance(fact, Mapping) else enumerate(fact, 1) if isinstance(fact, list | tuple) else ()
    chances = [(str(name), chance) for name, chance in named]
    numbers = [chance for _, chance in chances if isinstance(chance, int | Fraction) and 0 <= chance <= 1]
    if len(numbers) < len(chances) or not 1 < len(chances) <= _MOST_BARS or sum(numbers) != 1:
        return []
    return [{"name": name, "share": float(chance), **chance_view(chance)} for name, chance in chances]


def method_text(solution: Solution) -> str:
    """How the answer was found."""
    states = f" · {count_text(solution.states, 'state')}" if solution.states else ""
    return f"{solution.method}{states}"


def _strip(solution: Solution, opening: Position, position: Position) -> Iterator[View]:
    """The value before each move so far and now, where the solution holds it already."""
    place = opening
    moves = position.history[len(opening.history) :]
    if not solution.source.covers(opening):
        return
    for number in range(len(moves) + 1):
        if solution.source.covers(place):
            yield _point(solution, place, number, moves)
        if number < len(moves):
            place = place.after(moves[number])


def _point(solution: Solution, place: Position, number: int, moves: Sequence[str]) -> View:
    values = list(map(as_interval, solution.values(place)))
    mine, others = values[0].middle, [value.middle for value in values[1:]]
    level = mine - max(others) if others else mine
    return {
        "number": number,
        "move": moves[number - 1] if number else None,
        "level": [simplest(level).numerator, simplest(level).denominator] if level.denominator < 10**15 else None,
        "height": _clipped(level),
        "text": ", ".join(f"{name} {number_view(value)['decimal']}" for name, value in solution.value(place).items()),
    }


def _clipped(level: Fraction) -> float:
    """For the eye only: where the point is drawn."""
    return max(-1e9, min(1e9, float(level)))
