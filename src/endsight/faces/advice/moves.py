"""The moves of a position side by side: a sign, their values, and what they give away. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from endsight.answers.options import Option
from endsight.answers.solution import Solution
from endsight.faces.advice.readings import Reading, percent_words, reading_of, telling_digits
from endsight.faces.wording import capital, listed, number_text, result_of
from endsight.game import CHANCE
from endsight.game.numbers import Amount, as_interval, is_enclosed, simplest
from endsight.game.position import Position, as_text

Sign = Literal["best", "good", "even", "bad", "open", "plain"]
"""How good a move is for its player: best, as good (or a win), a draw, worse (or a loss), not proven, no judgement."""

_LOST = {("win", "draw"): "the win", ("win", "loss"): "the game", ("draw", "loss"): "the draw"}


@dataclass(frozen=True)
class MoveRow:
    """One legal move, or one outcome of chance.

    move        as text, in the game's notation
    sign        how good the move is
    words       its value, in at most two short lines
    result      its value in one line
    exact       its exact value, in words
    others      the value for every player, in order, where several players have scores; else empty
    gives_away  what the mover loses by it, `nothing` for the best move; "" if unknown
    lost        the exact loss; None if unknown
    chance      the probability of an outcome or of a move in a mixture, in words; "" for none
    rank        1 for the best; None where moves are not ranked
    name        the move in words, as an instruction; "" where the rules give it no name
    """

    move: str
    sign: Sign
    words: tuple[str, ...]
    result: str
    exact: str
    others: tuple[str, ...] = ()
    gives_away: str = ""
    lost: str | None = None
    chance: str = ""
    rank: int | None = None
    name: str = ""


def move_name(position: Position, move: Any) -> str:
    """Return the rules' name for a move, as an instruction; "" where they give none."""
    game = position.game
    return as_text(game, "name_move", position.state, move) if game.gives("name_move") else ""


def moves_of(solution: Solution, position: Position) -> tuple[Reading, tuple[MoveRow, ...]]:
    """Return how values are read, and every legal move, best first; outcomes of chance keep the rules' order."""
    if position.is_over:
        return reading_of(solution, position), ()
    options = solution.options(position)
    reading = reading_of(solution, position)
    worths = [option.value[reading.viewer] for option in options]
    reading = replace(reading, digits=telling_digits(worths))
    return reading, tuple(_row(reading, options, option, move_name(position, option.move)) for option in options)


def drawn_moves(reading: Reading, options: Sequence[Option]) -> tuple[MoveRow, ...]:
    """Return a row for each own move of a player whose plan draws one, with its chance.

    A move has no value where the other's plan never leads.
    """
    worths = [option.value[reading.viewer] for option in options if option.value]
    reading = replace(reading, digits=telling_digits(worths))
    return tuple(
        _row(reading, options, option, "")
        if option.value
        else MoveRow(option.text, "plain", (), "not reached", "", chance=percent_words(option.probability or 0))
        for option in options
    )


def _row(reading: Reading, options: Sequence[Option], option: Option, name: str) -> MoveRow:
    own, result = option.value[reading.viewer], _result(reading, option)
    is_score = reading.kind == "score"
    return MoveRow(
        option.text,
        _sign(reading, options, option),
        _short(reading, options, option),
        result,
        number_text(simplest(own)) if reading.kind != "chance" else reading.exact(option.value, reading.viewer),
        tuple(reading.words(option.value, player) for player in range(len(reading.names))) if is_score else (),
        _gives_away(reading, options, option),
        None if (lost := _lost(reading, options, option)) is None else number_text(simplest(lost)),
        "" if option.probability is None else percent_words(option.probability),
        option.rank,
        name,
    )


def _result(reading: Reading, option: Option) -> str:
    return result_of(option) if option.category != "value" else reading.words(option.value, reading.viewer)


def _short(reading: Reading, options: Sequence[Option], option: Option) -> tuple[str, ...]:
    """Return at most two lines for a place on the board."""
    if option.category != "value":
        return (option.category,) if option.distance is None else (option.category, f"in {option.distance}")
    own = reading.words(option.value, reading.viewer)
    if option.regret and reading.kind in ("score", "total"):
        return own, f"{reading.difference(option.regret)} less"
    return (own, "best") if option.rank == 1 and reading.kind == "score" and len(options) > 1 else (own,)


def _sign(reading: Reading, options: Sequence[Option], option: Option) -> Sign:
    if reading.mover == CHANCE or option.probability is not None:
        return "plain"
    if option.best is None:
        return "open"
    if option.category == "loss" or not option.best:
        return "even" if option.category == "draw" else "good" if option.category == "win" else "bad"
    is_alone = any(other.rank != 1 for other in options) or len(options) == 1
    if option.rank == 1 and is_alone:
        return "best"
    return "even" if option.category == "draw" else "good"


def _lost(reading: Reading, options: Sequence[Option], option: Option) -> Amount | None:
    """Return what a move gives away, as proven bounds where values are enclosed; None if unknown."""
    if option.regret is not None or option.best is None:
        return option.regret
    best = next((other for other in options if other.best), None)
    if best is None or option.best:
        return None
    top, own = (as_interval(each.value[reading.viewer]) for each in (best, option))
    return top - own


def _gives_away(reading: Reading, options: Sequence[Option], option: Option) -> str:
    lost = _lost(reading, options, option)
    if lost is None:
        return "nothing" if option.best else ""
    if not is_enclosed(lost) and not lost:
        return "nothing"
    best = next(other for other in options if other.best)
    return _LOST.get((best.category, option.category)) or reading.difference(lost)


# ---------------------------------------------------------------------- moves in sentences


def is_word(move: str) -> bool:
    """Return whether a move reads as a verb or a word, like `roll` and `hold`, and not as a place."""
    return len(move) > 1 and move.isascii() and move.isalpha()


def to_do(move: str) -> str:
    """Return the instruction to make a move: `Roll`, `Play 4`."""
    return move.capitalize() if is_word(move) else f"Play {move}"


def order(row: MoveRow) -> str:
    """Return the instruction for a move that may have a name: `Take right, 8`."""
    return capital(row.name) if row.name else to_do(row.move)


def as_subject(moves: Sequence[str]) -> str:
    """Return moves as the subject that begins a sentence: `Roll`, `Playing 4`."""
    return capital(named(moves)) if all(map(is_word, moves)) else f"Playing {named(moves)}"


def named(moves: Sequence[str], most: int = 4) -> str:
    """Return `2, 3 or 4`; of many moves, only the first ones."""
    return listed(moves, most, "or")
