"""Who was winning: the value along a game that was played."""

from __future__ import annotations

from fractions import Fraction

from endsight.answers.reviewing import Review, ReviewStep
from endsight.answers.solution import Solution
from endsight.charts.figures import Timeline, Turn
from endsight.charts.naming import where
from endsight.faces.wording import number_text
from endsight.game.numbers import Number, count_text, short_decimal

__all__ = ["history"]


def history(review: Review, *, player: str | None = None) -> Timeline:
    """The value to `player` (default: the first) after every move, with luck and mistakes marked.

    Raises `QuestionError` for an unknown player.
    """
    solution = review.solution
    seat = 0 if player is None else solution.player_number(player)
    name = solution.game.player_names[seat]
    start = Turn("start", review.start[seat], "", "start")
    turns = (start, *(_turn(solution, step, seat) for step in review.steps))
    wrong = sum(step.is_mistake for step in review.steps)
    return Timeline(
        title=f"{where(solution.position)}: what the game was worth to {name}, move by move",
        description=(
            f"{count_text(len(review.steps), 'move')}, {count_text(wrong, 'mistake')}. From "
            f"{number_text(review.start[seat])} to {number_text(review.final[seat])}: luck "
            f"{short_decimal(review.luck[seat])}, mistakes {short_decimal(review.mistakes[seat])}, "
            f"by the others {short_decimal(review.gifts[seat])}."
        ),
        upwards=f"value to {name}",
        turns=turns,
        level=_level(review),
    )


def _turn(solution: Solution, step: ReviewStep, seat: int) -> Turn:
    several = solution.game.player_count > 1 and step.player != "chance"
    label = f"{step.player} {step.move}" if several else step.move
    lost = sum(step.mistakes)
    if lost:
        return Turn(label, step.value[seat], short_decimal(-lost, digits=3).replace("-", "−"), "mistake")
    if step.best is None:
        return Turn(label, step.value[seat], "", "luck")
    return Turn(label, step.value[seat], "", "play")


def _level(review: Review) -> Number | None:
    """Where two players stand level, if what they get has the same sum throughout."""
    sums = {sum(values) for values in (review.start, *(step.value for step in review.steps))}
    if len(review.start) != 2 or len(sums) > 1:
        return None
    return Fraction(sums.pop(), 2)
