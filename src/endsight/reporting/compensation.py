"""What makes a two-player game even: points, a head start, or another parameter, each found by solving that game.

The players' final results are compared after adding one player's bonus points, so the first player's share of the wins
is a monotone step function of these points: the half points next to the step determine all others.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, partial
from math import ceil
from typing import Any

from endsight.answers.explanation import sweep
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.compiler.payoffs import is_only_won_drawn_or_lost
from endsight.engine.choice import goes_by_views
from endsight.errors import InputError, NoValue, QuestionError, RulesError
from endsight.faces.wording import capital
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, are_exact, count_text
from endsight.game.position import Position, as_text
from endsight.reporting.amounts import EVEN
from endsight.reporting.played import Played, best_play

ENOUGH = Fraction(1, 20)
"""Parameters are tried only where nothing else comes this near to even."""
MOST_STEPS = 12
"""Steps of a head start, and of each parameter, that are tried at most."""
MOST_HALVES = 1 << 40
"""Half points that are tried at most."""
PARAMETER_STEPS = 2
LONGEST = 1000
"""Points with a larger denominator are rounded in sentences."""


@dataclass(frozen=True)
class Compensation:
    """A change of the game, and its effect on the first player's chances.

    kind    `points`, `head start` or `parameter`
    what    the change in words, as the end of "if ..."
    share   the first player's share of the wins, a draw counted half, from solving the changed game
    lead    how much more the first player may expect there than the second; given in place of the share where players
            go by what they see
    points  the points given for that lead, exactly
    draws   the share of draws between perfect players there; given where the share is half, if it can be found
    beside  the nearest change of the same kind on the other side of even, where this one is not exactly even
    """

    kind: str
    what: str
    share: Fraction | None
    lead: Amount | None = None
    points: Fraction | None = None
    draws: Fraction | None = None
    beside: Compensation | None = None

    @property
    def distance(self) -> Fraction:
        """The distance from even."""
        return Fraction(0) if self.share is None else abs(self.share - EVEN)

    @property
    def is_first_ahead(self) -> bool:
        """Whether the first player has more than half of the wins."""
        return self.share is not None and self.share > EVEN


Solver = Callable[..., Solution]
"""Solves a changed game for the win."""


def share_for_wins(game: Game, **options: Any) -> Fraction | None:
    """The first player's share of the wins where both play only to win; None where only bounds are known.

    `options` are those of `solve`.
    """
    return _share(solve(game, utility="win", **options))


def compensations(
    solution: Solution, share: Fraction | None, everything: Played | None, **options: Any
) -> list[Compensation]:
    """The changes found, the most even first; `options` are those of `solve`, `everything` is all that play can reach.

    Where everybody sees everything, both play for the win, and `share` is the first player's share of the wins so far;
    otherwise both play for the points that the rules pay, and the change is a number of points that makes both expect
    the same.
    """
    game = solution.game
    if goes_by_views(game.position()):
        return list(_mean_points(solution))
    if share is None:
        return []
    solved = partial(solve, utility="win", **options)
    behind = 1 if share > EVEN else 0
    changes = [*_points(solution, everything, behind, solved), *_head_starts(game, behind, solved)]
    if not changes or min(each.distance for each in changes) > ENOUGH:
        changes += _parameters(game, solved)
    return sorted((each for each in changes if each.distance < abs(share - EVEN)), key=lambda each: each.distance)


def _share(solution: Solution) -> Fraction | None:
    """The first player's share of the wins; None where only bounds are known."""
    values = solution.values()
    return Fraction(values[0]) if are_exact(values) else None  # type: ignore[arg-type]


# ---------------------------------------------------------------------- points


def _points(solution: Solution, everything: Played | None, behind: int, solved: Solver) -> Iterator[Compensation]:
    """Half points for the player who is behind, in games that pay points."""
    if not pays_points(solution, everything):
        return
    game, values = solution.game, solution.values()

    def share(halves: int) -> Fraction | None:
        return _share(_with_points(game, behind, Fraction(halves, 2), solved))

    # Without chance, two opposed players need the points that one is ahead by.
    lead = abs(Fraction(values[0]) - Fraction(values[1])) if are_exact(values) else 0  # type: ignore[arg-type]
    halves = _crossing(share, behind, ceil(2 * lead))
    if halves is None:
        return
    tried = [_given(solution, behind, Fraction(each, 2), solved) for each in (halves - 1, halves) if each]
    yield from _nearest(tried)


def pays_points(solution: Solution, everything: Played | None) -> bool:
    """Whether results are points: payoffs of 1, 0 and -1 may only say who won, but rewards add up even to these.

    Where `everything` is None, because that is too much to look at, the rules and best play are asked.
    """
    game, names = solution.game, solution.game.player_names
    if game.gives("reward"):
        return True
    if is_only_won_drawn_or_lost(game):
        return False
    shares = map(solution.distribution, names) if everything is None else everything.view.seen_payoffs
    return any(payoff not in (-1, 0, 1) for share in shares for payoff in share)


def _given(solution: Solution, behind: int, points: Fraction, solved: Solver) -> Compensation | None:
    """The game with that many points for the player who is behind."""
    name = capital(solution.game.player_names[behind])
    changed = _with_points(solution.game, behind, points, solved)
    return _tried("points", f"{name} gets {_points_text(points)}", changed)


def _tried(kind: str, what: str, changed: Solution) -> Compensation | None:
    """The effect of a change on the game; None where only bounds are known."""
    share = _share(changed)
    if share is None:
        return None
    return Compensation(kind, what, share, draws=_draws(changed) if share == EVEN else None)


def _draws(changed: Solution) -> Fraction | None:
    """The share of draws between perfect players; None where that leads to too many positions."""
    played = best_play(changed, Budget(changed.budget.limits))
    return None if played is None else played.results(0).get(EVEN, Fraction(0))


def _nearest(tried: Iterable[Compensation | None]) -> Iterator[Compensation]:
    """The most even of ever larger changes, with the nearest one on the other side."""
    ranked = sorted((each for each in tried if each is not None), key=lambda each: each.distance)
    if ranked:
        best = ranked[0]
        across = [each for each in ranked if each.is_first_ahead != best.is_first_ahead]
        yield replace(best, beside=across[0]) if across and best.distance else best


def _mean_points(solution: Solution) -> Iterator[Compensation]:
    """Points that make both expect the same; a fixed bonus changes nobody's plans."""
    game, values = solution.game, solution.values()
    if not are_exact(values) or values[0] == values[1]:
        return
    lead = Fraction(values[0]) - Fraction(values[1])  # type: ignore[arg-type]
    behind = 1 if lead > 0 else 0
    # Where the game itself pays no points, their meaning is not obvious.
    unit = " (a win counts 1, a loss -1)" if is_only_won_drawn_or_lost(game) else ""
    what = f"{capital(game.player_names[behind])} gets {_points_text(abs(lead))}{unit}"
    yield Compensation("points", what, None, 0, abs(lead))


def _crossing(share: Callable[[int], Fraction | None], behind: int, guess: int) -> int | None:
    """The least number of half points with which the player who was behind no longer is; None where none is found.

    The search begins at a guess, and doubles its steps until the number lies between two that were tried.
    """

    @cache
    def is_enough(halves: int) -> bool:
        own = share(halves)
        return own is not None and (own <= EVEN if behind else own >= EVEN)

    least = most = min(max(guess, 1), MOST_HALVES)
    step = 1
    while least and is_enough(least):
        least, most, step = max(0, least - step), least, 2 * step
    while not is_enough(most):
        if most == MOST_HALVES:
            return None
        least, most, step = most, min(most + step, MOST_HALVES), 2 * step
    return bisect_left(range(most), True, lo=least, key=is_enough)


def _with_points(game: Game, player: int, points: Fraction, solved: Solver) -> Solution:
    """The solved game in which that player gets that many points more."""
    bonus = tuple(points * (seat == player) for seat in range(game.player_count))
    return solved(*paid_more(game, bonus), method="graph")


def paid_more(game: Game, bonus: tuple[Number, ...]) -> tuple[Game, Position]:
    """A game in which totals count, and its start with that much already gained by each player."""
    if not game.gives("reward"):
        rules = type(game)
        kind: type[Game] = type(rules.__name__, (rules,), {"reward": lambda *_: 0, "__doc__": rules.__doc__})
        game = kind(**game.values())
    return game, replace(game.position(), so_far=bonus)


def _points_text(number: Fraction) -> str:
    """`half a point`, `1/9 of a point`, `10 points`; long fractions are rounded."""
    if number.denominator > LONGEST:
        return f"about {float(number):.4g} points"
    if number < 1:
        return "half a point" if number == EVEN else f"{number} of a point"
    if number.denominator > 2:
        return f"{number} points"
    whole, rest = divmod(number, 1)
    return f"{whole}{' and a half' if rest else ''} point{'s' if number != 1 else ''}"


# ---------------------------------------------------------------------- head starts


def _head_starts(game: Game, behind: int, solved: Solver) -> Iterator[Compensation]:
    """Other numbers at the start in fields whose names say they belong to the player who is behind."""
    start, name = game.start(), game.player_names[behind]
    for field in game.State._fields:
        if name in field.split("_"):
            yield from _nearest(_steps(game, field, getattr(start, field), behind, solved))


def _steps(game: Game, field: str, begun: Any, behind: int, solved: Solver) -> Iterator[Compensation]:
    """The first steps of one field, up to the one that reverses the advantage."""
    for step in range(1, MOST_STEPS + 1):
        place = _started(game, field, begun + step) if type(begun) is int else None
        what = f"{capital(game.player_names[behind])} starts with {begun + step} instead of {begun}"
        tried = None if place is None else _tried("head start", what, solved(game, place, method="graph"))
        if tried is None:
            return
        yield tried
        if tried.share == EVEN or tried.is_first_ahead == bool(1 - behind):
            return


def _started(game: Game, field: str, number: int) -> Position | None:
    """The start with another number in one field; None where there is no such position or play is over."""
    state = game.start()._replace(**{field: number})
    try:
        place = game.position_from(as_text(game, "show", state))
    except InputError:
        return None
    return None if place.is_over else place


# ---------------------------------------------------------------------- parameters


def _of_two(game: Game, *, solved: Solver) -> Solution:
    """The changed game, solved; raises `NoValue` where the rules no longer have two players or fail there."""
    if game.player_count != 2:
        raise NoValue(f"{game.title()} has {count_text(game.player_count, 'player')} there")
    try:
        return solved(game)
    except (QuestionError, RulesError) as error:
        raise NoValue(error.message) from error


def _parameters(game: Game, solved: Solver) -> Iterator[Compensation]:
    """The game with each numeric parameter slightly smaller or larger."""
    for key, value in game.values().items():
        if type(value) is not int:
            continue
        near = [value + step for step in range(-PARAMETER_STEPS, PARAMETER_STEPS + 1) if step and value + step > 0]
        for sample in sweep(game, key, near, partial(_of_two, solved=solved)):
            what = f"{key} is {sample.setting} instead of {value}"
            tried = None if sample.solution is None else _tried("parameter", what, sample.solution)
            if tried is not None:
                yield tried
