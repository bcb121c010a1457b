"""The meaning of values, in words. Nothing here draws; nothing here loads rich."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple

import endsight as es
from endsight.base.deferred import deferred
from endsight.base.shortened import shortened
from endsight.errors import Ends
from endsight.game import Game
from endsight.game.numbers import (
    Amount,
    Interval,
    Number,
    as_interval,
    count_text,
    decimal_text,
    full_text,
    is_enclosed,
    number_in,
    short_decimal,
    short_text,
    simplest,
)
from endsight.game.results import endless_share
from endsight.graph.plan import EQUILIBRIUM, FOUND_EQUILIBRIUM

with deferred(__name__):
    from endsight.graph.explorer import meets_chance

Write = Callable[[Amount], str]
"""One way of writing numbers."""
# Longer decimals do not earn their place in a line.
_DIGITS = 6
_SPANS = ((31_557_600.0, "years"), (86_400.0, "days"), (3_600.0, "h"), (60.0, "min"))


# ---------------------------------------------------------------------- numbers


def number_text(value: Amount, digits: int | None = None) -> str:
    """Return the exact number if short, with a decimal, which has `digits` decimal places if given, all correct."""
    if is_enclosed(value):
        return _enclosed_text(value, _DIGITS if digits is None else digits)
    if digits is None:
        return short_text(value)
    exact = short_text(value)
    head, _, _ = exact.partition(" ")
    decimal = decimal_text(value, digits)
    if simplest(value * 10**digits).denominator == 1:
        return decimal if isinstance(simplest(value), int) or head == "≈" else f"{head} = {decimal}"
    return f"≈ {decimal}" if head == "≈" else f"{head} ≈ {decimal}"


def cell_text(value: Any, write: Write = number_text) -> str:
    """Return a cell of the policy as a table: `write` formats values and chances, and whole numbers are counts."""
    if isinstance(value, Fraction) or is_enclosed(value):
        return write(value)
    if isinstance(value, list | tuple):
        return " ".join(cell_text(item, write) for item in value)
    return "" if value is None else fact_text(value, str)


def _enclosed_text(value: Interval, digits: int) -> str:
    """Return the decimal if both ends round to it, else the ends."""
    if value.is_without_limit:
        return short_text(value.lower)
    low, high = rounded_ends(value, digits)
    return f"≈ {low}" if low == high else f"[{low}, {high}]"


def rounded_ends(value: Interval, digits: int) -> tuple[str, str]:
    """Return the decimal to which both ends round, twice; else both ends, rounded outwards."""
    low, high = (decimal_text(end, digits) for end in (value.lower, value.upper))
    return (low, high) if low == high else _outwards(value, digits)


def _outwards(value: Interval, digits: int) -> tuple[str, str]:
    low, high = floor(value.lower * 10**digits), ceil(value.upper * 10**digits)
    return decimal_text(Fraction(low, 10**digits), digits), decimal_text(Fraction(high, 10**digits), digits)


def interval_text(value: Amount, digits: int | None = None) -> str:
    """Return proven ends: equal for an exact number, else rounded outwards to `digits` places (by default enough)."""
    ends = as_interval(value)
    if ends.is_without_limit:
        return short_text(ends.lower)
    if digits is None and ends.width:
        # Enough places to show where the ends differ; further ones would only show powers of 2 in the denominators.
        digits = len(str(int(1 / ends.width)))
    if digits is None:
        return f"[{full_text(simplest(ends.lower))}, {full_text(simplest(ends.upper))}]"
    return "[{}, {}]".format(*_outwards(ends, digits))


def approximate(value: Amount, digits: int = _DIGITS) -> str:
    """Return only the short decimal, for narrow places."""
    if is_enclosed(value):
        return _enclosed_text(value, digits)
    return short_decimal(value, digits=digits)


def percent(chance: Amount) -> str:
    """Return a chance in percent with up to two decimals, `≈` where rounded: `2.78%`."""
    if is_enclosed(chance):
        return f"{_enclosed_text(Interval(chance.lower * 100, chance.upper * 100), 2)}%"
    return f"{short_decimal(simplest(chance * 100), digits=2)}%"


def fact_text(fact: Any, number: Write = number_text) -> str:
    """Return a number, or a list or mapping of numbers, in one line; `number` formats each."""
    if isinstance(fact, Mapping):
        return ", ".join(f"{key}: {fact_text(item, number)}" for key, item in fact.items())
    if isinstance(fact, list | tuple):
        return ", ".join(fact_text(item, number) for item in fact)
    if fact is None or isinstance(fact, bool):
        return {None: "none", True: "yes", False: "no"}[fact]
    return fact if isinstance(fact, str) else number(fact)


def endless_text(paid: Mapping[str, str]) -> str:
    """Return the payoff of play that never ends: `1/2 to each player`, or by name where payoffs differ."""
    if len({*paid.values()}) > 1:
        return ", ".join(f"{name} {amount}" for name, amount in paid.items())
    return next(iter(paid.values())) + (" to each player" if len(paid) > 1 else "")


def discount_text(discount: str) -> str:
    """Return the effect of that discount, as a sentence without its end."""
    return f"everything after a move of a player counts {discount} times as much"


def conventions(game: Game) -> list[str]:
    """Return what every value rests on, a sentence each: payoff of endless play, discount, unproven assumptions."""
    sentences = [game.rests_on] if game.rests_on else []
    if game.gives("endless"):
        paid = zip(game.player_names, map(short_text, endless_share(game)), strict=True)
        sentences.append(f"Play that never ends pays {endless_text(dict(paid))}.")
    if game.discount != 1:
        sentences.append(f"{capital(discount_text(str(game.discount)))}; values count from this position on.")
    return sentences


def stored_values(document: Mapping[str, Any]) -> str:
    """Return the values in the document of a stored solution in one line, by player where there are several."""
    lower, upper = (document["value"] or document[end] or {} for end in ("lower", "upper"))
    return _scores({name: _stored_value(number_in(low), number_in(upper[name])) for name, low in lower.items()})


def _stored_value(low: Number, high: Number) -> str:
    if low != high:
        return shortened(interval_text(Interval(Fraction(low), Fraction(high))), 40)
    text = full_text(low)
    return text if len(text) <= 40 else short_text(low)


def listed(items: Iterable[str], most: int = 6, last: str = "and") -> str:
    """Return `a, b and c`; of a long list, count the rest."""
    items = list(items)
    if len(items) > most:
        return f"{', '.join(items[: most - 1])} {last} {len(items) - most + 1:,} more"
    return f" {last} ".join([", ".join(items[:-1]), items[-1]]) if len(items) > 1 else "".join(items)


def paragraphs(text: str) -> list[str]:
    """Return the paragraphs of a docstring without their line breaks."""
    return [" ".join(part.split()) for part in text.split("\n\n")]


def capital(text: str) -> str:
    """Return the text with a capital first letter."""
    return text[:1].upper() + text[1:]


def ends_text(write: Write, lower: Ends, upper: Ends) -> str:
    """Return `first from -1 to 1, second at least 3`: proven bounds on every player's value."""
    texts = (_end_text(write, lower[name], upper[name]) for name in lower)
    return ", ".join(text if len(lower) == 1 else f"{name} {text}" for name, text in zip(lower, texts, strict=True))


def _end_text(write: Write, low: Fraction | None, high: Fraction | None) -> str:
    if low is None:
        return "unknown" if high is None else f"at most {write(high)}"
    if high is None:
        return f"at least {write(low)}"
    return write(low) if low == high else f"from {write(low)} to {write(high)}"


# ---------------------------------------------------------------------- counts and seconds


def rough_count(count: int, *, exact: bool = False) -> str:
    """Return `5,478` where exact; else two digits: `3,300,000`, and beyond 10^12 `4.2e13`."""
    if exact:
        return f"{count:,}"
    rounded = int(float(f"{count:.1e}"))
    return f"{rounded:,}" if rounded < 10**12 else f"{count:.1e}".replace("e+", "e")


def seconds_text(seconds: float) -> str:
    """`0.0031 s`, `12 s`, `3.4 min`, `5.1 h`, `12 days`, `40,000 years`."""
    for span, name in _SPANS:
        if seconds >= 2 * span:
            return f"{_two_digits(seconds / span)} {name}"
    return f"{_two_digits(seconds)} s"


def _two_digits(amount: float) -> str:
    return f"{float(f'{amount:.1e}'):,.0f}" if amount >= 9.95 else f"{amount:.2g}"


# ---------------------------------------------------------------------- results


class GameResult(NamedTuple):
    """The result of a game that is only won, drawn or lost; `winner` is None for a draw."""

    winner: str | None
    distance: int | None
    is_over: bool

    def __str__(self) -> str:
        if self.winner is None:
            return "draw"
        if self.is_over:
            return f"{self.winner} has won"
        return f"{self.winner} wins" + ("" if self.distance is None else f" in {self.distance}")


def verdict(solution: es.Solution, position: es.Position, *, searches: bool = False) -> GameResult | None:
    """Return the result under best play; None where the game is about scores or chances.

    For a theorem, leave out the distance unless `searches` is true.
    """
    solution, values = solution.at(position), solution.ends(position)
    if solution.category_of(values, 0 if position.is_over else position.mover) == "value":
        return None
    distance = solution.distance if searches else solution.known_distance
    for player, name in enumerate(solution.game.player_names):
        if solution.category_of(values, player) == "win":
            return GameResult(name, distance(position), position.is_over)
    return GameResult(None, None, position.is_over)


def listed_values(solution: es.Solution, position: es.Position, text: Write) -> str:
    """Return every player's value in one line, formatted by `text`."""
    values = solution.ends(position)
    return text(values[0]) if len(values) == 1 else listed_shares(solution.game.player_names, values, text)


def listed_shares(names: Sequence[str], values: Sequence[Amount], text: Write) -> str:
    """Return values by player in one line."""
    return ", ".join(f"{name} {text(own)}" for name, own in zip(names, values, strict=True))


def has_luck(solution: es.Solution, position: es.Position) -> bool:
    """Return whether chance plays a part from here on, as far as the source knows or a look ahead shows."""
    if "random" in solution.question.fixed.values():
        return True
    known = solution.source.has_chance
    return meets_chance(position) if known is None else known


def meaning(solution: es.Solution, position: es.Position, number: Mapping[str, str]) -> str:
    """Return a sentence on the position's value: how much, for whom, and under which play."""
    result = verdict(solution, position, searches=True)
    if position.is_over:
        return f"The game is over: {result or _scores(number)}."
    how = _how(solution)
    if len(number) == 1 and (moves := solution.known_distance(position)) is not None:
        how += f" in {count_text(moves, 'move')}"
    if result is not None:
        return _result_sentence(result, how)
    if solution.question.utility == "win":
        return f"Chance to win (a tie is shared), {how}: {_scores(number)}."
    if solution.question.utility == "lead":
        return f"Lead over the best other, {how}: {_scores(number)}."
    worth = "Expected" if has_luck(solution, position) else "Worth"
    return f"{worth}, {how}: {_scores(number)}{_margin(solution, position)}."


def _result_sentence(result: GameResult, how: str) -> str:
    if result.winner is None:
        return f"A draw, {how}."
    plies = "" if result.distance is None else f" in {count_text(result.distance, 'ply')}"
    return f"{capital(result.winner)} wins{plies}, {how}."


def _scores(number: Mapping[str, str]) -> str:
    return ", ".join(number.values() if len(number) == 1 else (f"{name} {text}" for name, text in number.items()))


def _how(solution: es.Solution) -> str:
    """Return the play under which a value holds."""
    question = solution.question
    names = solution.game.player_names
    if len(question.fixed) == len(names):
        return "with play as fixed"
    if standing(solution):
        return "in equilibrium"
    best = "all playing for the first" if question.objective == "cooperative" and len(names) > 1 else "with best play"
    rest = [name for player, name in enumerate(names) if player not in question.fixed]
    return f"{best} by {listed(rest)}" if question.fixed else best


def method_text(solution: es.Solution) -> str:
    """Say how the answer was found."""
    return solution.method + (f" · {count_text(solution.states, 'state')}" if solution.states else "")


def standing(solution: es.Solution) -> str:
    """Return the basis of a value in a game with hidden information, in a few words; "" for other games."""
    words = {EQUILIBRIUM: "equilibrium, both sides proven", FOUND_EQUILIBRIUM: "by the equilibrium found"}
    return words.get(solution.notion or "", "")


_NOTIONS = {
    EQUILIBRIUM: "Equilibrium: each side has a plan, and best replies to the two prove the value.",
    FOUND_EQUILIBRIUM: "One equilibrium: what play by the two plans yields from here; others may yield something else.",
}


def basis(game: Game, *notions: str | None) -> list[str]:
    """Return what values mean and rest on, a sentence each; none where they are simply the values."""
    meant = [_NOTIONS.get(notion, f"{capital(notion)}.") for notion in dict.fromkeys(filter(None, notions))]
    return [*meant, *conventions(game)]


def case_text(chance: Fraction) -> str:
    """Return `in 2 of 3 cases` or `for certain`."""
    return "for certain" if chance == 1 else f"in {chance.numerator} of {chance.denominator} cases"


_SEEN_NOTES = {
    "plan": "Chances are those of the plan; values and regrets are against the plan of the other.",
    "off the path": "Never reached: what is shown is a best reply to play that leads here by the fewest mistakes.",
    "best reply": "Never reached: the player's own plan avoids this, so a best reply to the other plan is shown.",
    "never reached": "Never reached: the other plan avoids this position, so moves have no value against it.",
}


def seen_note(found: es.SeenPosition) -> str:
    """Explain the chances and values of moves, where the question is about one player."""
    return _SEEN_NOTES[found.told]


def _margin(solution: es.Solution, position: es.Position) -> str:
    """Say which of two players is ahead."""
    if solution.game.player_count != 2 or solution.question.objective == "cooperative":
        return ""
    first, second = map(as_interval, solution.values_at_hand(position))
    if first == second and not first.width:
        return " (level)"
    names = solution.game.player_names
    for ahead, better, worse in ((names[0], first, second), (names[1], second, first)):
        if better.lower > worse.upper:
            return f" ({ahead} ahead by {approximate(simplest(better.middle - worse.middle))})"
    return ""


# ---------------------------------------------------------------------- moves


def result_of(option: es.Option) -> str:
    """Return `win in 7`, `draw` or `loss`, for the player who makes the move."""
    return option.category + ("" if option.distance is None else f" in {option.distance}")


def tie_note(options: list[es.Option]) -> str | None:
    """Say that several moves share the first rank, which floating-point numbers could not show; None for one move."""
    first = [option.text for option in options if option.rank == 1]
    if len(first) < 2:
        return None
    if len(first) == len(options):
        everything = "Both moves" if len(options) == 2 else f"All {count_text(len(options), 'move')}"
        return f"{everything} are equally good (an exact tie)."
    return f"{listed(first)} are equally good (an exact tie)."
