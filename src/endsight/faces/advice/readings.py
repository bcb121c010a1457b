"""How to put the values of a game into words: as results, chances to win, leads or totals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from endsight.answers.solution import Solution
from endsight.compiler.payoffs import is_only_won_drawn_or_lost
from endsight.faces.wording import capital, has_luck, number_text, rounded_ends
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.numbers import Amount, Interval, Number, as_interval, between, decimal_text, is_enclosed, simplest
from endsight.game.position import Position

Kind = Literal["result", "chance", "score", "total"]
"""What a value gives: who wins; how likely a player wins; what each of several players gets; what the only one gets."""

_LEAST_DIGITS = 2
_MOST_DIGITS = 6
_ROUNDS_AWAY = Fraction(1, 20)
"""A percentage below this would be rounded to zero."""


@dataclass(frozen=True)
class Reading:
    """How to read the values of one position.

    kind       the meaning of the values
    names      the players' names, with a capital to begin a sentence
    mover      who is to move: the number of a player, or `CHANCE` or `TOGETHER`
    is_random  whether chance plays a part from here on, so that values are averages
    digits     the number of decimals that distinguishes moves of different values
    is_share   for chances: whether values are already chances, and not wins less losses
    """

    kind: Kind
    names: tuple[str, ...]
    mover: int
    is_random: bool
    digits: int = _LEAST_DIGITS
    is_share: bool = False

    @property
    def viewer(self) -> int:
        """The player from whose side moves are seen: the mover, or the first player where chance or several move."""
        return 0 if self.mover in (CHANCE, TOGETHER) else self.mover

    def chance(self, values: Sequence[Amount], player: int) -> Amount:
        """Return the player's chance to win, with a tie counted as a half."""
        value = values[player]
        if self.is_share:
            return value
        ends = as_interval(value)
        return between(simplest((ends.lower + 1) / 2), simplest((ends.upper + 1) / 2))

    def words(self, values: Sequence[Amount], player: int) -> str:
        """Return a player's value in a short form: `60.6 %` or `52.20`."""
        if self.kind == "chance":
            return percent_words(self.chance(values, player))
        return number_words(values[player], self.digits)

    def exact(self, values: Sequence[Amount], player: int) -> str:
        """Return the value exactly where that is short, with a decimal."""
        return number_text(simplest(self.chance(values, player) if self.kind == "chance" else values[player]))

    def difference(self, amount: Amount) -> str:
        """Return what a move gives away, in the unit of the values; wins less losses count twice as chances."""
        if self.kind != "chance":
            return number_words(amount, self.digits)
        ends = as_interval(amount)
        return percent_words(amount if self.is_share else between(ends.lower / 2, ends.upper / 2))


def reading_of(solution: Solution, position: Position) -> Reading:
    """Return how to read the values at that position."""
    solution = solution.at(position)
    names = names_of(solution)
    kind, is_share = _kind(solution, position)
    is_random = kind == "chance" or (not position.is_over and has_luck(solution, position))
    return Reading(kind, names, position.mover, is_random, is_share=is_share)


def names_of(solution: Solution) -> tuple[str, ...]:
    """Return the players' names, with a capital to begin a sentence."""
    return tuple(map(capital, solution.game.player_names))


def heading(reading: Reading) -> str:
    """Return the heading of a column of values, as seen by the viewer."""
    name = reading.names[reading.viewer]
    total = "Average total" if reading.is_random else "Total"
    return {"result": f"Result for {name}", "chance": f"{name} wins", "score": f"{name} gets", "total": total}[
        reading.kind
    ]


def _kind(solution: Solution, position: Position) -> tuple[Kind, bool]:
    if len(solution.game.player_names) == 1:
        return "total", False
    is_cooperative = solution.question.objective == "cooperative"
    mover = 0 if position.is_over or position.mover < 0 else position.mover
    if not is_cooperative and solution.category_of(solution.ends(position), mover) != "value":
        return "result", False
    if solution.question.utility == "win":
        return "chance", True
    is_plain = solution.question.utility == "payoff" and solution.game.discount == 1
    return ("chance", False) if is_plain and _is_won_or_lost(solution.game) else ("score", False)


@lru_cache(maxsize=64)
def _is_won_or_lost(game: Game) -> bool:
    return is_only_won_drawn_or_lost(game)


# ---------------------------------------------------------------------- numbers


def number_words(value: Amount, digits: int = _LEAST_DIGITS) -> str:
    """Return a whole number as it is, another with `digits` decimals, and both ends of bounds, rounded outwards."""
    if is_enclosed(value) and not value.is_without_limit:
        value = between(value.lower, value.upper)
    if not is_enclosed(value):
        value = simplest(value)
        return _signed(str(value) if isinstance(value, int) and abs(value) < 10**15 else decimal_text(value, digits))
    if value.is_without_limit:
        return "∞" if value.lower > 0 else "−∞"
    return _ends_words(value, digits)


def _ends_words(value: Interval, digits: int) -> str:
    low, high = rounded_ends(value, digits)
    return _signed(low) if low == high else f"{_signed(low)} to {_signed(high)}"


def bound_words(value: Number, rounded: Callable[[Fraction], int]) -> str:
    """Return a short form that never overstates a proven bound: `rounded` is `floor` for lower bounds, else `ceil`."""
    value = simplest(value)
    if isinstance(value, int):
        return number_words(value)
    unit = 10**_MOST_DIGITS
    return number_words(simplest(Fraction(rounded(value * unit), unit)), _MOST_DIGITS)


def percent_words(chance: Amount) -> str:
    """Return `60.6 %`; only exact values give `0 %` and `100 %`."""
    if not is_enclosed(chance) or chance.lower == chance.upper:
        return _percent(as_interval(chance).lower)
    share = Interval(chance.lower * 100, chance.upper * 100)
    return f"{_ends_words(share, 1)} %"


def _percent(chance: Fraction) -> str:
    share = chance * 100
    if share.denominator == 1:
        return f"{share} %"
    if 0 < share < _ROUNDS_AWAY:
        return "under 0.1 %"
    if 100 > share > 100 - _ROUNDS_AWAY:
        return "over 99.9 %"
    return f"{decimal_text(share, 1)} %"


def _signed(text: str) -> str:
    """Write the minus as the typographic sign."""
    return text.replace("-", "−", 1)


def telling_digits(amounts: Sequence[Amount]) -> int:
    """Return the fewest decimals, from 2 to 6, that distinguish all different amounts."""
    middles = {as_interval(amount).middle for amount in amounts}
    for digits in range(_LEAST_DIGITS, _MOST_DIGITS):
        if len({decimal_text(middle, digits) for middle in middles}) == len(middles):
            return digits
    return _MOST_DIGITS
