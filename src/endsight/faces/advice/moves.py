"""The moves of a position side by side, and plans: what to do after each reply or outcome of chance. Plain data.

Moves have a sign, their values, and what they give away; a plan is never just one likely line of play.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from typing import Any, Literal

from endsight.answers.options import Option
from endsight.answers.solution import Solution
from endsight.board import Mark
from endsight.faces.advice.readings import Reading, percent_words, reading_of, telling_digits
from endsight.faces.wording import capital, listed, number_text, result_of
from endsight.game import CHANCE, TOGETHER
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


# ---------------------------------------------------------------------- plans


MOST_ROWS = 24
MOST_ANSWERS = 4
_FEW_GROUPS = 4


@dataclass(frozen=True)
class PlanRow:
    """A reply or an outcome of chance, and what to do after it.

    cue      the reply or outcome, as text
    who      who makes it: the name of a player, or `chance`
    chance   the probability of an outcome, in words; "" for a reply
    answers  the best moves after it, or one phrase in their place
    by       who makes these moves: the name of a player; "" for nobody
    note     `only` for a single good answer, `any` where all are equally good
    value    what it is worth for the viewer, in words
    share    the first player's part of an evaluation bar, 0 to 1, for display only; None for no bar
    """

    cue: str
    who: str
    chance: str
    answers: tuple[str, ...]
    by: str
    note: str
    value: str
    share: float | None


@dataclass(frozen=True)
class PlanRows:
    """Rows in the order in which the rules list replies and outcomes; `more` says whether some are left out.

    `move` is the move that comes first, None at chance. `shown` has the rows of a table: outcomes with the same answer
    and the same value share one. `groups` is a shorter form for when few answers serve many outcomes whose values
    differ: pairs of an answer and its cues.
    """

    title: str
    lead: str
    move: str | None
    rows: tuple[PlanRow, ...]
    shown: tuple[PlanRow, ...]
    groups: tuple[tuple[str, str], ...]
    more: bool = False


def plan_of(
    solution: Solution, position: Position, reading: Reading, knows: Callable[[Position], bool] = lambda _: True
) -> PlanRows | None:
    """Return what to do after each reply to the best move, or after each outcome; None where there is nothing to plan.

    Leave out replies for which `knows` says that no answer is at hand: they would have to be solved first.
    """
    if position.is_over or position.mover == TOGETHER or solution.source.by_history:
        return None  # where players see different things, what to do depends on more than the position
    if position.mover == CHANCE:
        return _plan(solution, position, reading, knows, None)
    move = solution.chosen(position)
    if move is None:
        return None
    then = position.play(move)
    return _plan(solution, then, reading, knows, then.history[-1]) if knows(then) and not then.is_over else None


def _plan(
    solution: Solution, place: Position, reading: Reading, knows: Callable[[Position], bool], move: str | None
) -> PlanRows | None:
    if place.mover == TOGETHER:
        return None
    moves = list(islice(place.moves(), MOST_ROWS + 1))
    chances = {option.text: option.probability for option in solution.options(place)} if place.mover == CHANCE else {}
    # Where the same player moves again, there is no reply, only the next move.
    tried = [solution.chosen(place)] if place.mover == reading.viewer else moves[:MOST_ROWS]
    after = [(move, then) for move, then in zip(tried, map(place.play, tried), strict=True) if knows(then)]
    rows = tuple(_plan_row(solution, place, move, then, reading, chances.get(then.history[-1])) for move, then in after)
    if not rows or (move is None and not any(row.by for row in rows)):
        return None  # nobody decides anything after an outcome
    more = place.mover != reading.viewer and (len(moves) > MOST_ROWS or len(rows) < len(moves))
    title = "Plan for each outcome" if move is None else f"Plan after {move}"
    shown = _merged(rows, chances) if chances else rows
    groups = _groups(rows, reading) if chances and not more else ()
    listed = groups if len(shown) > len(groups) or rows[0].share is None else ()
    return PlanRows(title, _lead(place, reading, rows[0]), move, rows, shown, listed, more)


def _merged(rows: Sequence[PlanRow], chances: Mapping[str, Any]) -> tuple[PlanRow, ...]:
    """Join outcomes with the same answer and the same value into one row each."""
    alike: dict[PlanRow, list[str]] = {}
    for row in rows:
        alike.setdefault(replace(row, cue="", chance=""), []).append(row.cue)
    return tuple(
        replace(row, cue=named(_runs(cues), 12), chance=percent_words(sum(chances[cue] for cue in cues)))
        for row, cues in alike.items()
    )


def _lead(place: Position, reading: Reading, first: PlanRow) -> str:
    if place.mover == CHANCE:
        return "After"
    return "Then" if place.mover == reading.viewer else f"If {capital(first.who)} plays"


def _plan_row(solution: Solution, place: Position, move: Any, then: Position, reading: Reading, chance: Any) -> PlanRow:
    values = place.worth(move, solution.ends(then))
    answers, by, note = _answers(solution, then)
    is_result, viewer = reading.kind == "result", reading.viewer
    return PlanRow(
        cue=then.history[-1],
        who=place.to_move or "",
        chance="" if chance is None else percent_words(chance),
        answers=answers,
        by=by,
        note=note,
        value=solution.category_of(values, viewer) if is_result else reading.words(values, viewer),
        share=None if reading.kind != "chance" else float(as_interval(reading.chance(values, 0)).middle),
    )


def _answers(solution: Solution, then: Position) -> tuple[tuple[str, ...], str, str]:
    """Return the best moves at a position, who makes them, and a note on whether there is a choice."""
    if then.is_over:
        return ("the game is over",), "", ""
    if then.mover in (CHANCE, TOGETHER):
        return ("no choice",) if then.mover == CHANCE else ("both move",), "", ""
    options = solution.options(then)
    best = [option.text for option in options if option.best]
    if not best:
        return ("not proven",), then.to_move or "", ""
    if len(best) == len(options) > 1:
        return ("any",), then.to_move or "", "any"
    # The quickest of equally good moves come first: distances separate moves of equal value.
    shown = best if len(best) <= MOST_ANSWERS else [option.text for option in options if option.rank == 1]
    return tuple(shown[:MOST_ANSWERS]), then.to_move or "", "only" if len(best) == 1 < len(options) else ""


def _groups(rows: Sequence[PlanRow], reading: Reading) -> tuple[tuple[str, str], ...]:
    """Return each answer with its cues, where there are many outcomes and few answers."""
    answers: dict[str, list[str]] = {}
    for row in rows:
        answers.setdefault(_answer_text(row, reading), []).append(row.cue)
    if not any(row.by for row in rows) or len(rows) < 2 * len(answers) or len(answers) > _FEW_GROUPS or len(rows) < 4:
        return ()
    return tuple((answer, named(_runs(cues), 12)) for answer, cues in answers.items())


def _answer_text(row: PlanRow, reading: Reading) -> str:
    text = named(row.answers)
    is_own = not row.by or capital(row.by) == reading.names[reading.viewer]
    if not row.by or (is_own and all(map(is_word, row.answers))):
        return capital(text)
    return f"Play {text}" if is_own else f"{capital(row.by)} plays {text}"


def _runs(cues: Sequence[str]) -> list[str]:
    """Return `9 to 12` for consecutive numbers; other cues stay as they are."""
    if not all(cue.isascii() and cue.isdigit() for cue in cues):
        return list(cues)
    runs: list[list[int]] = []
    for number in sorted(map(int, cues)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    texts = ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run) for run in runs)
    return list(chain.from_iterable(texts))


def marks_of(rows: Iterable[MoveRow], address: Callable[[str], str | None] = lambda _: None) -> dict[str, Mark]:
    """Return a mark for each move, by its text; `address` gives the target of a click."""
    return {row.move: Mark(address(row.move), _label(row), row.sign, _words(row)) for row in rows}


def plan_marks(plan: PlanRows | None, taken: Container[str]) -> dict[str, Mark]:
    """Return what to do after each outcome of chance, for boards that show outcomes; none for texts in `taken`."""
    rows = () if plan is None or plan.move is None else plan.rows
    return {
        row.cue: Mark(None, f"after {row.cue}: {named(row.answers)}, {row.value}", "plain", (_brief(row), row.value))
        for row in rows
        if row.chance and row.cue not in taken
    }


def _brief(row: PlanRow) -> str:
    """Return what to do in a word or two, for a place on the board."""
    return named(row.answers, 2) if row.by else ""


def plain_marks(moves: Iterable[str], address: Callable[[str], str | None]) -> dict[str, Mark]:
    """Return marks without values, where these are hidden or unknown."""
    return {move: Mark(address(move), f"play {move}") for move in moves}


def _label(row: MoveRow) -> str:
    chance = f", chance {row.chance}" if row.chance else ""
    best = ", the best" if row.sign == "best" else ""
    return f"{row.move}: {row.result}{best}{chance}"


def _words(row: MoveRow) -> tuple[str, ...]:
    """Return at most two lines; an outcome of chance has its probability below its value."""
    return (*row.words[:1], row.chance) if row.chance else row.words
