"""The value of every move at a position."""

from __future__ import annotations

from endsight.answers.solution import Option, Solution
from endsight.charts.figures import Bar, Bars, Tone
from endsight.charts.naming import where
from endsight.errors import QuestionError
from endsight.faces.wording import listed, number_text, percent, result_of
from endsight.game import CHANCE
from endsight.game.numbers import short_decimal
from endsight.game.position import Position

__all__ = ["values"]

MOST_BARS = 40


def values(solution: Solution, position: Position | None = None, *, player: str | None = None) -> Bars:
    """Bars: what every move (or outcome of chance) is worth, best first, with exact labels.

    Seen by `player`, by name; by default the one to move (where all play for the first, and
    at chance, the first). Raises `QuestionError` for an unknown player, and at the end of the game.
    """
    position = solution.asked(position)
    options = solution.options(position)
    if not options:
        raise QuestionError("the game is over there: no moves to compare", advice="an earlier position")
    seat = solution.player_number(player) if player is not None else _viewer(solution, position)
    name = solution.game.player_names[seat]
    shown = options[:MOST_BARS]
    left_out = len(options) - len(shown)
    is_alone = sum(option.rank == 1 for option in options[:2]) == 1
    what = "outcome" if position.mover == CHANCE else "move"
    return Bars(
        title=f"{where(position)}: what each {what} is worth to {name}",
        description=_described(options, seat, what),
        axis=f"value to {name}",
        bars=tuple(_bar(option, seat, is_alone) for option in shown),
        note=f"… and {left_out} more {what}s, none of them better" if left_out else "",
    )


def _viewer(solution: Solution, position: Position) -> int:
    """Whose value is shown: the mover's."""
    return 0 if position.mover == CHANCE or solution.question.objective == "cooperative" else position.mover


def _bar(option: Option, seat: int, is_alone: bool) -> Bar:
    value = option.value[seat]
    if option.probability is not None:
        return Bar(option.text, value, f"{number_text(value)}   ({percent(option.probability)})", "plain")
    glyph, tone = _GLYPHS[option.best]
    if option.best and not (option.rank == 1 and is_alone):
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
