"""One sentence on a position, who wins and what to play, and a second one that says why. Plain data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import Literal

from endsight.answers.solution import Solution
from endsight.errors import Ends
from endsight.faces.advice.moves import MoveRow, as_subject, is_word, named, order
from endsight.faces.advice.readings import Reading, bound_words, number_words
from endsight.faces.wording import capital, verdict
from endsight.game import CHANCE
from endsight.game.numbers import as_interval, count_text
from endsight.game.position import Position

Tone = Literal["good", "even", "bad", "open", "plain"]
"""How good the position is for the mover; `open` where that is not proven, `plain` where nobody decides."""


@dataclass(frozen=True)
class Said:
    """The words on a position: the `headline`, the `reason` in smaller type, and the `tone` as colour and sign."""

    tone: Tone
    headline: str
    reason: str = ""


def said_of(solution: Solution, position: Position, reading: Reading, rows: Sequence[MoveRow]) -> Said:
    """Say who wins or what the position is worth, and the move to make. `rows` are those of `moves_of`."""
    if position.is_over:
        return _over(solution, position, reading)
    if solution.is_mixed(position):
        return _together(solution, position, reading)
    if any(row.sign == "open" for row in rows):
        return _open(solution, position, reading)
    if reading.kind == "result":
        return _result(solution, position, reading, rows)
    if reading.mover == CHANCE:
        return _chance(solution, position, reading)
    return {"chance": _ahead, "score": _score, "total": _total}[reading.kind](solution, position, reading, rows)


def unproven(names: Sequence[str], lower: Ends | None, upper: Ends | None) -> Said:
    """Say what is proven so far, while the work continues or after a limit stopped it."""
    known = bounds_text(names, lower, upper) if lower and upper else ""
    return Said("open", f"Not proven yet: {known}." if known else "Not proven yet.", "You can still play every move.")


def bounds_text(names: Sequence[str], lower: Ends, upper: Ends) -> str:
    """Return `First gets at least 2 and at most 5, ...`: proven bounds by player; "" where nothing is proven.

    For two opponents who win 1 or lose 1, say who wins or at least draws.
    """
    texts = [_bounds(low, high) for low, high in zip(lower.values(), upper.values(), strict=True)]
    if len(texts) == 2 and _are_opposed(list(lower.values()), list(upper.values())):
        ends = next(iter(lower.values())), next(iter(upper.values()))
        if set(ends) <= {-1, 0, 1}:
            return _RESULTS[ends].format(*map(capital, names))
        texts = texts[:1]
    return ", ".join(f"{capital(name)} gets {text}" for name, text in zip(names, texts, strict=False) if text)


_RESULTS: dict[tuple[Fraction | int | None, Fraction | int | None], str] = {
    (-1, 1): "either may win",
    (0, 1): "{0} at least draws",
    (-1, 0): "{1} at least draws",
    (1, 1): "{0} wins",
    (0, 0): "a draw",
    (-1, -1): "{1} wins",
}
"""Bounds on the first player's value, in words."""


def _bounds(low: Fraction | None, high: Fraction | None) -> str:
    if low is not None and low == high:
        return f"exactly {bound_words(low, floor)}"
    if low is not None and high is not None:
        return f"between {bound_words(low, floor)} and {bound_words(high, ceil)}"
    least = "" if low is None else f"at least {bound_words(low, floor)}"
    return least if high is None else f"at most {bound_words(high, ceil)}"


def _are_opposed(lower: Sequence[Fraction | None], upper: Sequence[Fraction | None]) -> bool:
    """Return whether the second player's bounds are the first's, negated: then they add nothing."""
    ends = (*lower, *upper)
    return None not in ends and ends[1] == -(ends[2] or 0) and ends[3] == -(ends[0] or 0)


# ---------------------------------------------------------------------- ends of games


def _over(solution: Solution, position: Position, reading: Reading) -> Said:
    moves = f" in {count_text(len(position.history), 'move')}" if position.history else ""
    result = verdict(solution, position)
    if result is not None and result.winner is not None:
        return Said("good", f"{capital(result.winner)} won{moves}.")
    if result is not None:
        return Said("even", f"A draw{moves}.")
    values = solution.ends(position)
    if reading.kind == "total":
        total = as_interval(values[0]).middle
        tone: Tone = "good" if total > 0 else "bad" if total else "plain"
        return Said(tone, f"The game is over: {reading.words(values, 0)} in all.")
    top = max(as_interval(value).upper for value in values)
    won = [player for player, value in enumerate(values) if as_interval(value).lower == top]
    scores = _scores(reading, values) if reading.kind == "score" else ""
    if len(won) == len(values):
        return Said("even", f"A draw{moves}.", scores)
    return Said("good", f"{named([reading.names[player] for player in won])} won{moves}.", scores)


def _scores(reading: Reading, values: Sequence[object]) -> str:
    texts = [f"{name} {reading.words(values, player)}" for player, name in enumerate(reading.names)]  # type: ignore[arg-type]
    return f"{', '.join(texts)}."


# ---------------------------------------------------------------------- results


def _result(solution: Solution, position: Position, reading: Reading, rows: Sequence[MoveRow]) -> Said:
    outcome = verdict(solution, position, searches=True)
    name = reading.names[reading.viewer]
    if outcome is None or outcome.winner is None:
        return _drawn(name, rows)
    plies = "" if outcome.distance is None else f"It takes at most {count_text(outcome.distance, 'move')}. "
    first = [row.move for row in rows if row.rank == 1]
    if outcome.winner == solution.game.player_names[reading.viewer]:
        return Said("good", f"{name} wins{_how(rows)}.", plies + _keeps("win", rows))
    longest = called_in(rows)
    holds = f"To hold out longest, {longest}" if longest else f"{as_subject(first)} holds out longest"
    reason = f"{holds}{_for(outcome.distance)}." if plies and len(rows) > 1 else plies.strip()
    return Said("bad", f"{name} loses against best play.", reason)


def _how(rows: Sequence[MoveRow]) -> str:
    """Return what wins, as the end of a sentence: a single move by its name, if it has one."""
    called = called_in(rows)
    return f": {called}" if called else f" by playing {named([row.move for row in rows if row.rank == 1])}"


def called_in(rows: Sequence[MoveRow]) -> str:
    """Return the name of the only best move, to use within a sentence; "" for several, or if the rules give none."""
    names = [row.name for row in rows if row.rank == 1]
    return f"{names[0][:1].lower()}{names[0][1:]}" if len(names) == 1 else ""


def _for(distance: int | None) -> str:
    return "" if distance is None else f": {count_text(distance, 'move')}"


def _drawn(name: str, rows: Sequence[MoveRow]) -> Said:
    draws = [row for row in rows if row.gives_away == "nothing"]
    if len(draws) == len(rows):
        return Said("even", "A draw with best play.", f"Every move of {name} keeps it." if len(rows) > 1 else "")
    return Said("even", f"A draw: {name} must play {named([row.move for row in draws])}.", _keeps("draw", rows))


def _keeps(what: str, rows: Sequence[MoveRow]) -> str:
    """Say which moves keep the win or the draw."""
    keep = sum(row.gives_away == "nothing" for row in rows)
    if keep == len(rows):
        return "" if keep == 1 else f"Every move keeps the {what}."
    if keep == 1:
        rest = {row.gives_away for row in rows} - {"nothing"}
        return (
            "Every other move loses."
            if rest <= {"the game", "the draw"}
            else f"Every other move throws the {what} away."
        )
    return f"Of {count_text(len(rows), 'move')}, {keep} keep the {what}."


# ---------------------------------------------------------------------- chances and scores


def _ahead(solution: Solution, position: Position, reading: Reading, rows: Sequence[MoveRow]) -> Said:
    values = solution.ends(position)
    share = as_interval(reading.chance(values, reading.viewer))
    name, words = reading.names[reading.viewer], reading.words(values, reading.viewer)
    tone: Tone = "good" if share.lower * 2 > 1 else "bad" if share.upper * 2 < 1 else "even"
    how = f"{_PLACES[tone]}: {words} to win"
    if share.lower == 1 or share.upper == 0:
        how = f"{'wins' if share.lower == 1 else 'loses'} for certain"
    return Said(tone, f"{name} {how}. {_do(rows)}", _others(rows))


_PLACES: dict[Tone, str] = {"good": "is ahead", "bad": "is behind", "even": "is level"}


def _score(solution: Solution, position: Position, reading: Reading, rows: Sequence[MoveRow]) -> Said:
    tone, standing = _standing(solution, position, reading)
    return Said(tone, f"{standing} {_do(rows)}", _others(rows))


def _standing(solution: Solution, position: Position, reading: Reading) -> tuple[Tone, str]:
    """Say who is ahead and by how much."""
    values = solution.ends(position)
    own, *others = (as_interval(values[player]) for player in _from(reading.viewer, len(values)))
    on_average = " on average" if reading.is_random else ""
    if len(values) > 2 or solution.question.objective == "cooperative":
        return "plain", f"{_scores(reading, values)[:-1]}{on_average}."
    name, other_name = (reading.names[player] for player in _from(reading.viewer, 2))
    other = others[0]
    margin = own - other
    tone: Tone = "good" if margin.lower > 0 else "bad" if margin.upper < 0 else "even"
    if own.lower == -other.upper and own.upper == -other.lower:
        if tone == "even":
            return tone, f"{name} and {other_name} are level{on_average}."
        verb = "gains" if tone != "bad" else "loses"
        return tone, f"{name} {verb} {number_words(own if own.lower >= 0 else -own, reading.digits)}{on_average}."
    mine, its = (reading.words(values, player) for player in _from(reading.viewer, 2))
    return tone, f"{name} {_PLACES[tone]}: {mine} against {its}{on_average}."


def _from(viewer: int, count: int) -> list[int]:
    return [viewer, *(player for player in range(count) if player != viewer)]


def _total(solution: Solution, position: Position, reading: Reading, rows: Sequence[MoveRow]) -> Said:
    words = reading.words(solution.ends(position), 0)
    best = next(row for row in rows if row.rank == 1)
    how = f"{words} on average" if reading.is_random else f"{words} in all"
    if len(rows) == 1:
        return Said("plain", f"{order(best)}: {how}.", "There is no other move.")
    next_best = next((row for row in rows if row.gives_away != "nothing"), None)
    if next_best is None:
        return Said("even", f"{capital(how)}.", "Every move is equally good.")
    subject = order(next_best) if next_best.name else as_subject([next_best.move])
    what = f"{subject} brings {next_best.result}, {next_best.gives_away} less."
    return Said("good", f"{order(best)}: {how}.", what if len(rows) == 2 else f"Next best: {what[0].lower()}{what[1:]}")


def _chance(solution: Solution, position: Position, reading: Reading) -> Said:
    values = solution.ends(position)
    if reading.kind == "total":
        return Said("plain", f"{reading.words(values, 0)} on average with best play.", "Chance moves next.")
    if reading.kind == "score":
        return Said("plain", _standing(solution, position, reading)[1], "Chance moves next.")
    shares = [as_interval(reading.chance(values, player)) for player in range(len(values))]
    ahead = max(range(len(values)), key=lambda player: shares[player].middle)
    level = shares[ahead].lower * 2 == 1 == shares[ahead].upper * 2
    words = reading.words(values, ahead)
    said = f"{reading.names[0]} and {reading.names[1]} are level: {words} to win." if level else ""
    return Said("plain", said or f"{reading.names[ahead]} is ahead: {words} to win.", "Chance moves next.")


def _together(solution: Solution, position: Position, reading: Reading) -> Said:
    if reading.kind == "chance":
        values = solution.ends(position)
        return Said("plain", f"{reading.names[0]} wins {reading.words(values, 0)} in equilibrium.", _MIXED)
    return Said("plain", _standing(solution, position, reading)[1], _MIXED)


_MIXED = "Both move at once and mix their moves: the table has the chances."


def _open(solution: Solution, position: Position, reading: Reading) -> Said:
    """Say what is proven where values are enclosed and leave open which move is best."""
    values = solution.ends(position)
    name, verb = reading.names[reading.viewer], "wins" if reading.kind == "chance" else "gets"
    return Said(
        "open", f"Not proven yet: {name} {verb} {reading.words(values, reading.viewer)}.", "These are proven bounds."
    )


def _do(rows: Sequence[MoveRow]) -> str:
    """Say what to do; where all moves are equally good, say that."""
    first = [row for row in rows if row.rank == 1]
    best = [row.move for row in first]
    if len(best) == len(rows) > 1:
        return "Any move will do."
    if len(first) == 1:
        return f"{order(first[0])}."
    if all(map(is_word, best)):
        return f"{capital(named(best))}."
    return f"Play {named(best)}."


def _others(rows: Sequence[MoveRow]) -> str:
    """Say what the other moves would cost."""
    worse = [row for row in rows if row.gives_away != "nothing"]
    if len(rows) == 1:
        return "There is no other move."
    if not worse:
        return "Every move is equally good."
    cost = worse[0].gives_away
    if len(rows) == 2:
        return f"{'The other move' if worse[0].name else as_subject([worse[0].move])} would cost {cost}."
    return (
        f"That is {cost} better than any other move." if len(worse) == len(rows) - 1 else f"The next best costs {cost}."
    )
