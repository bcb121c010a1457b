"""A played game, split exactly into its starting value, luck, and mistakes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from endsight.answers.options import Judged, judgement
from endsight.answers.records import Column, Records, Tabular
from endsight.answers.solution import Solution
from endsight.errors import QuestionError
from endsight.game import TOGETHER
from endsight.game.arguments import as_kind
from endsight.game.numbers import Number, count_text, simplest
from endsight.game.position import Position, move_texts, position_of, positions_along
from endsight.game.question import require_no_discount

Shares = tuple[Number, ...]


@dataclass(frozen=True)
class ReviewStep:
    """One move of a reviewed game. Tuples have one entry per player, in order of their numbers.

    player       who moved: a player's name, or `chance`
    move         the move, in the game's notation
    best         the moves that would have kept the value; None at chance, for a player bound to a policy and for
                 simultaneous moves of opponents
    value        of the whole game after the move
    luck         what chance, or a player bound to a policy, added to each player's value
    hidden       where players see different things or mix moves: what hidden information and the draw added to each
                 player's value
    mistakes     what the mover gave away by not playing a best move: the regret, at the mover's entry
    gifts        what the mover's choice gave each of the others; below 0 where it took from them
    probability  for simultaneous moves of opponents: the chance that both mixtures together give them; else None
    parts        for the same moves: by mover's number, that mover's own parts that give nothing away; else None
    """

    player: str
    move: str
    best: tuple[str, ...] | None
    value: Shares
    luck: Shares
    mistakes: Shares
    gifts: Shares
    hidden: Shares
    probability: Fraction | None = None
    parts: Mapping[int, tuple[str, ...]] | None = None

    @property
    def is_mistake(self) -> bool:
        """Whether the mover gave something away."""
        return any(self.mistakes)


@dataclass(frozen=True)
class Review(Tabular):
    """A game move by move. For every player, exactly::

        start + luck + hidden - mistakes + gifts = final

    `start` is the value where the review begins and `final` what the game paid, or, where it is not `finished`, the
    value of the `position` reached; where all players see the same, its mean over what is still hidden. Tuples have one
    entry per player. In a zero-sum game of two, a player's gifts are the rival's mistakes.

    Where players see different things, a mistake is what a move gives away against the other's plan, averaged over
    everything hidden from the player, and `hidden` is what the truth added to that: 0 on average. A move to which the
    plan gives any chance is no mistake. Players who move at once are judged one by one, each by their own part of the
    move against the other's mixture; the effect of how the two parts met counts as `hidden`.
    """

    solution: Solution
    position: Position
    steps: tuple[ReviewStep, ...]
    start: Shares

    @property
    def final(self) -> Shares:
        """The value of the game at the end of the record."""
        return self.steps[-1].value if self.steps else self.start

    @property
    def finished(self) -> bool:
        """Whether the record reaches the end of the game."""
        return self.position.is_over

    @property
    def luck(self) -> Shares:
        """What chance added to each player's value."""
        return self._sum("luck")

    @property
    def hidden(self) -> Shares:
        """What hidden information, and draws among mixed moves, added to each player's value."""
        return self._sum("hidden")

    @property
    def mistakes(self) -> Shares:
        """What each player gave away."""
        return self._sum("mistakes")

    @property
    def gifts(self) -> Shares:
        """What the choices of the others gave each player."""
        return self._sum("gifts")

    @property
    def parts(self) -> tuple[str, ...]:
        """The names of the parts of a value change; `hidden` only where something is hidden or moves are mixed."""
        source = self.solution.source
        return ("luck", "mistakes", "gifts") + ("hidden",) * (source.by_history or source.moves_at_once)

    def better(self, step: ReviewStep) -> list[str]:
        """The better moves that a mistake missed; for moves at once, each mover's better parts: `first: rock paper`."""
        if not step.is_mistake:
            return []
        if step.parts is None:
            return list(step.best or ())
        names = self.solution.game.player_names
        return [f"{names[mover]}: {' '.join(own)}" for mover, own in step.parts.items() if step.mistakes[mover]]

    def __repr__(self) -> str:
        game = self.solution.game
        wrong = sum(step.is_mistake for step in self.steps)
        return f"<Review of {game!r}: {count_text(len(self.steps), 'move')}, {count_text(wrong, 'mistake')}>"

    def records(self) -> Records:
        """One row per move: who moved, the best moves, and luck, mistakes and gifts per player."""
        names = self.solution.game.player_names
        parts = ("value", *self.parts)
        booked: list[Column] = [
            (part if len(names) == 1 else f"{part}_{name}", "number") for part in parts for name in names
        ]
        columns: list[Column] = [("player", "text"), ("move", "text"), ("best", "list"), *booked]
        rows = (
            (step.player, step.move, step.best, *(number for part in parts for number in getattr(step, part)))
            for step in self.steps
        )
        return Records(f"review of {self.solution.game.title()}", columns, rows)

    def _sum(self, part: str) -> Shares:
        columns = zip(*(getattr(step, part) for step in self.steps), strict=True)
        return tuple(simplest(sum(column)) for column in columns) or (0,) * len(self.start)


def review(solution: Solution, record: str | Iterable[str] | Position) -> Review:
    """Measure by `solution` what every move of a game did to its value.

    `record` holds the moves from the solution's position on, including chance outcomes: as text separated by blanks,
    one by one, or as the position they lead to. The luck of a step is the value after it minus the value before, as in
    unbiased estimates of luck ("luck adjusted" results in backgammon); sums of such differences telescope.

    Raises `IllegalMoveError`; `QuestionError` for a position that does not follow the solution's; `LimitReached` where
    values are only enclosed (ask for `exact=True`).
    """
    as_kind(solution, Solution, "review", "review(endsight.solve(game), MOVES)")
    require_no_discount(solution.game, "a review")
    if isinstance(record, Position):
        moves: str | Iterable[str] = _moves_after(solution.position, position_of(solution.game, record) or record)
    else:
        moves = record
    position = solution.position
    start = before = solution.exact_values(position)
    steps = []
    for then in positions_along(solution.game, position, move_texts(moves)):
        value = solution.exact_values(then)
        steps.append(_step(solution, position, then, before, value))
        position, before = then, value
    return Review(solution, position, tuple(steps), start)


def _moves_after(start: Position, reached: Position) -> tuple[str, ...]:
    """The moves that lead from one position to the other."""
    count = len(start.history)
    same_play = (reached.game, reached.set_up, reached.history[:count]) == (start.game, start.set_up, start.history)
    if not same_play:
        raise QuestionError(
            "a review begins at the solved position, and play from there cannot reach this position",
            found=f"solved after {start.text!r}, asked about {reached.text!r}",
            advice="solve the game from the position where the record begins",
        )
    return reached.history[count:]


def _step(solution: Solution, position: Position, then: Position, before: Shares, value: Shares) -> ReviewStep:
    """The change of value by one move, attributed to its cause."""
    change = tuple(simplest(new - old) for new, old in zip(value, before, strict=True))
    player, move, nothing = str(position.to_move), then.history[-1], (0,) * len(value)
    if solution.question.fixed.keys() >= {*position.movers}:  # by chance none
        return ReviewStep(player, move, None, value, change, nothing, nothing, nothing)
    made = position.game.parse_move(position.state, move)
    judged = _judged(solution, position, made)
    if judged is not None:
        step = _judged_step(player, move, value, change, judged)
        if position.mover != TOGETHER:
            return step
        # Several movers at once are judged one by one and not together.
        parts = {player: each.best for player, each in judged.items()}
        return replace(step, best=None, probability=solution.chance_of(position, made), parts=parts)
    # Cooperating players who move at once agree on the move, and on what it gives away.
    target = solution.question.counted(position.mover)
    mistakes = tuple(-change[target] if number in position.movers else 0 for number in range(len(value)))
    gifts = tuple(simplest(gain + lost) for gain, lost in zip(change, mistakes, strict=True))
    return ReviewStep(player, move, tuple(solution.best_moves(position)), value, nothing, mistakes, gifts, nothing)


def _judged(solution: Solution, position: Position, move: Any) -> Mapping[int, Judged] | None:
    """What movers who mix moves gave away, each by their own part of a move; None where they need not mix."""
    known = solution.source.regrets(position, move)
    if known is not None or position.mover != TOGETHER or solution.question.objective == "cooperative":
        return known
    return {
        player: judgement(solution.parts(player, position), own)
        for player, own in zip(position.movers, move, strict=True)
    }


def _judged_step(player: str, move: str, value: Shares, change: Shares, judged: Mapping[int, Judged]) -> ReviewStep:
    """A step whose movers are judged by what they had seen; one of two opposed players gets what the other gives away.

    What others get by a mistake is not known; then all that a step did to them counts as hidden.
    """
    mistakes = tuple(judged[number].regret if number in judged else 0 for number in range(len(value)))
    nothing = (0,) * len(value)
    gifts = mistakes[::-1] if len(value) == 2 and not sum(change) else nothing
    hidden = tuple(simplest(gain + lost - given) for gain, lost, given in zip(change, mistakes, gifts, strict=True))
    best = next(iter(judged.values())).best
    return ReviewStep(player, move, best, value, nothing, mistakes, gifts, hidden)
