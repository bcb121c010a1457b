"""How to put the values of a game into words and pictures: as results, chances to win, leads or totals, and as bars.

An evaluation bar shows a position, a course those of the moves so far: plain data, with floats for display only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
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


# ---------------------------------------------------------------------- evaluation bars


_RESULTS = {1: (0.97, "+", ""), 0: (0.5, "=", "="), -1: (0.03, "", "+")}
"""The first player's part of a bar, and the texts at its ends: the rest shows that there was another player."""
_HEADROOM = Fraction(5, 4)


@dataclass(frozen=True)
class Balance:
    """An evaluation bar: the first player's part, from 0 to 1, with both ends where only bounds are proven.

    first, second  short texts at the two ends of the bar
    label          the exact numbers in words
    tick           for one player: where a dashed tick marks the value of stopping now; None for no tick
    """

    low: float
    high: float
    first: str
    second: str
    label: str
    tick: float | None = None


@dataclass(frozen=True)
class Point:
    """The value before the first move or after a move; `height` is from -1 to 1 (for one player, from 0 to 1).

    number      the number of moves made
    move, who   the last of these moves, and who made it; "" at the start
    text        the value at that point, in words
    is_mistake  whether the mover gave something away; None where no single player chose the move
    """

    number: int
    move: str
    who: str
    height: float
    text: str
    is_mistake: bool | None


@dataclass(frozen=True)
class Course:
    """The values along a game: the `title`, the labels at the upper and lower edge, and the points."""

    title: str
    top: str
    bottom: str
    points: tuple[Point, ...]
    one_sided: bool

    @property
    def note(self) -> str:
        """A sentence on what the signs mean and what happened."""
        moves = [point for point in self.points if point.is_mistake is not None]
        wrong = any(point.is_mistake for point in moves)
        parts = ["No mistakes so far." if not wrong else "? marks a mistake."] if moves else []
        has_luck = any(point.who == "chance" for point in self.points)
        parts += ["Changes at an outcome of chance are luck."] * has_luck
        return " ".join([*parts, "Choose a point to go there."])


def balance_of(solution: Solution, position: Position, reading: Reading) -> Balance | None:
    """The evaluation bar of a position; None for three and more players."""
    if len(reading.names) > 2:
        return None
    values = solution.ends(position)
    if reading.kind == "total":
        return _scale(solution, position, reading, values)
    if reading.kind == "result":
        part, above, below = _RESULTS[_winning(values)]
        return Balance(part, part, above, below, _label(reading, values))
    low, high = _share(reading, values)
    return Balance(float(low), float(high), *_ends(reading, values), _label(reading, values))


def _winning(values: Sequence[Amount]) -> int:
    """Return 1 where the first of two players wins, -1 where the second one does, and 0 for a draw."""
    first, second = map(as_interval, values)
    return (first.lower > second.lower) - (first.lower < second.lower)


def _scale(solution: Solution, position: Position, reading: Reading, values: Sequence[Amount]) -> Balance:
    own = as_interval(values[0])
    stops = [] if position.is_over or position.mover < 0 else _stops(solution, position)
    top = max([own.upper, *stops, Fraction(0)]) * _HEADROOM or Fraction(1)
    low, high = (_clipped(end / top) for end in (own.lower, own.upper))
    tick = None if not stops else float(_clipped(max(stops) / top))
    words = number_words(own.middle, 1)
    stopped = f"; stopping now brings {reading.words((max(stops),), 0)}" if stops else ""
    return Balance(float(low), float(high), words, "", f"{reading.exact(values, 0)} with best play{stopped}", tick)


def _stops(solution: Solution, position: Position) -> list[Fraction]:
    """Return the values of the moves that end the game at once."""
    ends = (option for option in solution.options(position) if position.play(option.move).is_over)
    return [as_interval(option.value[0]).middle for option in ends]


def _share(reading: Reading, values: Sequence[Amount]) -> tuple[Fraction, Fraction]:
    """Return the ends of the first player's part of the bar."""
    first, second = map(as_interval, values)
    if reading.kind == "chance":
        ends = as_interval(reading.chance(values, 0))
        return _clipped(ends.lower), _clipped(ends.upper)
    return _part(first.lower, second.upper), _part(first.upper, second.lower)


def _part(own: Fraction, other: Fraction) -> Fraction:
    """Return the part of the first of two scores; if either is negative, shift an even bar by the margin."""
    if own >= 0 and other >= 0:
        return own / (own + other) if own + other else Fraction(1, 2)
    margin = own - other
    return Fraction(1, 2) + margin / (2 * (1 + abs(margin)))


def _clipped(share: Fraction) -> Fraction:
    return min(max(share, Fraction(0)), Fraction(1))


def _ends(reading: Reading, values: Sequence[Amount]) -> tuple[str, str]:
    if reading.kind == "score":
        brief = replace(reading, digits=1)
        return brief.words(values, 0), brief.words(values, 1)
    parts = [as_interval(reading.chance(values, player)).middle * 100 for player in (0, 1)]
    return str(round(parts[0])), str(round(parts[1]))


def _label(reading: Reading, values: Sequence[Amount]) -> str:
    first, second = reading.names
    if reading.kind == "result":
        return {1: f"{first} wins with best play", 0: "A draw", -1: f"{second} wins with best play"}[_winning(values)]
    verb = "wins" if reading.kind == "chance" else "gets"
    return ", ".join(f"{name} {verb} {reading.exact(values, player)}" for player, name in enumerate(reading.names))


# ---------------------------------------------------------------------- along a game


def course_of(solutions: Sequence[Solution], opening: Position, moves: Sequence[str]) -> Course | None:
    """Return the values along `moves` from where they begin, as far as one of the solutions already holds them.

    Return None where no solution holds the beginning, and for three or more players.
    """
    first = _holder(solutions, opening)
    if first is None or len(opening.game.player_names) > 2:
        return None
    reading = reading_of(first, opening)
    points = list(_points(solutions, opening, moves, reading))
    is_gain = reading.kind == "total" and all(level >= 0 for _, level in points)
    return Course(*_frame(reading, is_gain), _scaled(reading, points), is_gain)


def _holder(solutions: Sequence[Solution], place: Position) -> Solution | None:
    """Return the first solution that knows the value of a position without solving it."""
    return next((solution for solution in solutions if solution.source.covers(place)), None)


def _frame(reading: Reading, is_gain: bool) -> tuple[str, str, str]:
    """Return the title, and the labels at the upper and the lower edge; `is_gain` where no total is below 0."""
    first, second = reading.names[0], reading.names[-1]
    if reading.kind == "total":
        title = "Average total with best play" if reading.is_random else "Total with best play"
        return (title, "more", "0") if is_gain else (title, "above 0", "below 0")
    return {
        "result": ("Who is winning", f"{first} wins", f"{second} wins"),
        "chance": (f"{first}’s chance to win", "100 %", "0 %"),
        "score": (f"Lead of {first} with best play", f"{first} ahead", f"{second} ahead"),
    }[reading.kind]


def _points(
    solutions: Sequence[Solution], place: Position, moves: Sequence[str], reading: Reading
) -> Iterator[tuple[Point, Fraction]]:
    begun, before = len(place.history), None
    for number, after in enumerate(place.along(moves)):
        earlier, place = place, after
        holder = _holder(solutions, place)
        values = None if holder is None else holder.ends(place)
        if holder is not None and values is not None:
            mistake = _is_mistake(holder, earlier, before, values) if number and before is not None else None
            move, who = (moves[number - 1], earlier.to_move or "") if number else ("", "")
            text = reading.words(values, 0) if len(values) == 1 else _label(reading, values)
            point = Point(len(place.history) - begun, move, who, 0.0, text, mistake)
            yield point, _level(reading, values)
        before = values


def _is_mistake(solution: Solution, place: Position, before: Sequence[Amount], after: Sequence[Amount]) -> bool | None:
    """Return whether the move from `place` certainly gave something away; None where no single player chose it."""
    if place.mover in (CHANCE, TOGETHER) or place.mover in solution.question.fixed or solution.game.discount != 1:
        return None
    subject = solution.question.counted(place.mover)
    return as_interval(after[subject]).upper < as_interval(before[subject]).lower


def _level(reading: Reading, values: Sequence[Amount]) -> Fraction:
    """Return how good the values are for the first player; 0 is level."""
    if reading.kind == "chance":
        return as_interval(reading.chance(values, 0)).middle * 2 - 1
    own = as_interval(values[0]).middle
    return own if len(values) == 1 else own - as_interval(values[1]).middle


def _scaled(reading: Reading, points: Sequence[tuple[Point, Fraction]]) -> tuple[Point, ...]:
    """Set heights that fill the graph: chances and results on their own scale, scores up to the largest one."""
    top = max((abs(level) for _, level in points), default=Fraction(1)) or Fraction(1)
    unit = {"chance": Fraction(1), "result": top, "score": top * _HEADROOM, "total": top * _HEADROOM}[reading.kind]
    return tuple(replace(point, height=float(level / unit)) for point, level in points)
