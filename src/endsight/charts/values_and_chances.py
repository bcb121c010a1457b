"""What moves are worth, who was winning along a played game, and how often each payoff comes."""

from __future__ import annotations

from bisect import bisect_right
from fractions import Fraction
from math import ceil

from endsight.answers.distribution import Shares
from endsight.answers.options import Option, is_only_best
from endsight.answers.reviewing import Review, ReviewStep
from endsight.answers.solution import Solution
from endsight.charts.figures import Bar, Bars, Outcomes, Timeline, TimelinePoint, Tone
from endsight.charts.layout import AxisScale
from endsight.charts.naming import where
from endsight.errors import QuestionError
from endsight.faces.wording import listed, number_text, percent, result_of
from endsight.game import CHANCE
from endsight.game.numbers import Number, as_interval, count_text, short_decimal
from endsight.game.position import Position


def history(review: Review, *, player: str | None = None) -> Timeline:
    """The value to `player` (default: the first) after every move, with luck and mistakes marked.

    Raises `QuestionError` for an unknown player.
    """
    solution = review.solution
    seat = 0 if player is None else solution.player_number(player)
    name = solution.game.player_names[seat]
    start = TimelinePoint("start", review.start[seat], "", "start")
    turns = (start, *(_turn(solution, step, seat) for step in review.steps))
    wrong = sum(step.is_mistake for step in review.steps)
    return Timeline(
        title=f"{where(solution.position)}: what the game was worth to {name}, move by move",
        description=(
            f"{count_text(len(review.steps), 'move')}, {count_text(wrong, 'mistake')}. From "
            f"{number_text(review.start[seat])} to {number_text(review.final[seat])}: luck "
            f"{short_decimal(review.luck[seat])}, mistakes {short_decimal(review.mistakes[seat])}, "
            f"by the others {short_decimal(review.gifts[seat])}"
            + (f", by what was hidden {short_decimal(review.hidden[seat])}." if "hidden" in review.parts else ".")
        ),
        upwards=f"value to {name}",
        turns=turns,
        level=_level(review),
    )


def _turn(solution: Solution, step: ReviewStep, seat: int) -> TimelinePoint:
    several = solution.game.player_count > 1 and step.player != "chance"
    label = f"{step.player} {step.move}" if several else step.move
    lost = sum(step.mistakes)
    cost = short_decimal(-lost, digits=3).replace("-", "−") if lost else ""
    return TimelinePoint(label, step.value[seat], cost, "mistake" if lost else "luck" if step.best is None else "play")


def _level(review: Review) -> Number | None:
    """The value at which two players are level, if the sum of their payoffs is constant."""
    sums = {sum(values) for values in (review.start, *(step.value for step in review.steps))}
    if len(review.start) != 2 or len(sums) > 1:
        return None
    return Fraction(sums.pop(), 2)


# ---------------------------------------------------------------------- values of moves

MOST_BARS = 40


def values(solution: Solution, position: Position | None = None, *, player: str | None = None) -> Bars:
    """Bars: the value of every move (or outcome of chance), best first, with exact labels.

    Seen by `player`, by name; by default the one to move (where all play for the first, and
    at chance, the first). Raises `QuestionError` for an unknown player, and at the end of the game.
    """
    position = solution.asked(position)
    options = solution.options(position)
    if not options:
        raise QuestionError("the game is over there: no moves to compare", advice="an earlier position")
    is_shared = position.mover == CHANCE or solution.question.objective == "cooperative"
    seat = 0 if is_shared else position.mover
    if player is not None:
        seat = solution.player_number(player)
    name = solution.game.player_names[seat]
    shown = options[:MOST_BARS]
    what = "outcome" if position.mover == CHANCE else "move"
    return Bars(
        title=f"{where(position)}: what each {what} is worth to {name}",
        description=_described(options, seat, what),
        axis=f"value to {name}",
        bars=tuple(_bar(option, seat, is_only_best(option, options)) for option in shown),
        note=_note(shown, options[MOST_BARS:], seat, what),
    )


def _note(shown: list[Option], left_out: list[Option], seat: int, what: str) -> str:
    """How many moves are left out, and that none of them is worth more to a player than any move shown, if so."""
    least = min(as_interval(option.value[seat]).lower for option in shown)
    none_is_better = all(as_interval(option.value[seat]).upper <= least for option in left_out)
    more = f"… and {count_text(len(left_out), f'more {what}')}" + ", none of them better" * none_is_better
    return more if left_out else ""


def _bar(option: Option, seat: int, is_alone: bool) -> Bar:
    value = option.value[seat]
    if option.probability is not None:
        return Bar(option.text, value, f"{number_text(value)}   ({percent(option.probability)})", "plain")
    glyph, tone = _GLYPHS[option.best]
    if option.best and not is_alone:
        glyph = "●"
    text = number_text(value) if option.category == "value" else result_of(option)
    if option.regret:
        text += f"   (gives away {short_decimal(option.regret, digits=4)})"
    return Bar(f"{glyph} {option.text}", value, text, tone)


_GLYPHS: dict[bool | None, tuple[str, Tone]] = {True: ("▲", "best"), False: ("▼", "worse"), None: ("?", "plain")}


def _described(options: list[Option], seat: int, what: str) -> str:
    best = [option.text for option in options if option.best]
    first = f"Best: {listed(best)}. " if best else ""
    worth = listed((f"{option.text} {number_text(option.value[seat])}" for option in options), 12)
    return f"{first}{len(options)} {what}{'' if len(options) == 1 else 's'}: {worth}."


# ---------------------------------------------------------------------- chances of payoffs

MOST_PAYOFFS = 80
"""More payoffs are drawn in groups of neighbours; the sums stay exact."""


def distribution(solution: Solution, position: Position | None = None, *, player: str | None = None) -> Outcomes:
    """Bars of the chance of each payoff of `player` (default: the first), and both cumulative curves.

    Raises `QuestionError` for an unknown player.
    """
    position = solution.asked(position)
    found = solution.distribution(player, position)
    shares = found.middles
    mean = as_interval(found.mean()).middle
    likeliest = sorted(shares.items(), key=lambda entry: (-entry[1], entry[0]))
    listing = listed((f"{short_decimal(payoff)} with {percent(chance)}" for payoff, chance in likeliest), 6)
    title = f"{where(position)}: what {found.player} gets, and how often"
    description = f"Mean {short_decimal(mean)}. {count_text(len(found), 'payoff')}, the likeliest first: {listing}."
    if not found.is_exact:
        description += " Chances are drawn at the middle of their proven bounds."
    across, width = f"what {found.player} gets", Fraction(0)
    if len(found) > MOST_PAYOFFS:
        shares, width = _grouped(shares)
        description += f" Drawn in groups {short_decimal(width)} wide."
        across += f" (groups of {short_decimal(width)})"
    return Outcomes(
        title=title,
        description=description,
        across=across,
        payoffs=tuple(shares),
        chances=tuple(shares.values()),
        at_least=tuple(shares.running(downwards=True).values()),
        at_most=tuple(shares.running(downwards=False).values()),
        mean=mean,
        width=width,
    )


def _grouped(shares: Shares) -> tuple[Shares, Fraction]:
    """The same in groups of equal width at round numbers, each under its least payoff, and the width."""
    payoffs = list(shares.parts)
    ticks = AxisScale(Fraction(payoffs[0]), Fraction(payoffs[-1]), 0, 1).ticks(MOST_PAYOFFS // 2)
    width = ticks[1] - ticks[0]
    first = Fraction(payoffs[0] // width * width)
    count = ceil((payoffs[-1] - first) / width) or 1
    count += first + count * width <= payoffs[-1]
    sums = [0] * count
    starts = [first + width * number for number in range(count)]
    for payoff, part in shares.parts.items():
        sums[bisect_right(starts, payoff) - 1] += part
    return Shares(dict(zip(starts, sums, strict=True)), shares.total), width
