"""Random play by given policies: a sample of games, with what it proves about the expectation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cached_property, partial
from numbers import Rational
from random import Random
from typing import Any

from endsight.answers.chosen_play import known_at
from endsight.answers.seated import drawn
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.errors import LimitReached, QuestionError
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.arguments import as_kind
from endsight.game.limits import Budget, in_time
from endsight.game.numbers import Amount, Interval, Number, added, simplest
from endsight.game.position import Position, position_in_truth
from endsight.game.question import BY_VALUE, PolicyRule, Question, player_number, question_about, require_no_discount
from endsight.game.results import absolute, alternates
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.naming.arguments import as_asked

MOST_FOR_VALUE = 20_000
"""States up to which the exact value is computed beside the sample when nothing else needs it."""
LONGEST_GAME = 1_000_000
"""Moves and chance outcomes in one game; longer play probably never ends."""
MOST_REMEMBERED = 100_000
"""Choices of best play that a sample keeps; any further ones are looked up every time."""


@dataclass(frozen=True)
class Simulation:
    """What a player got in a number of games, and what that says about the expectation.

    player      whose utility was counted
    games       how many games were played
    seed        of the pseudo-random numbers: the same seed gives the same games everywhere
    counts      how often the player got each amount, in increasing order
    confidence  chance, before the games are played, that the interval will hold the expectation
    mean        of the sample
    interval    holds the expectation with that confidence; None where no bounds of the
                amounts are known (give `between`)
    between     the bounds that the interval rests on
    chances     for each amount, an interval that holds its chance, each on its own
    mean_plies  moves by players in a game, on average
    value       the expectation itself, exact or enclosed, where it is known
    solved      the solution that best play and the expectation are from; None where nothing was solved
    """

    player: str
    games: int
    seed: int
    counts: Mapping[Number, int]
    confidence: Fraction
    mean: Fraction
    interval: Interval | None
    between: tuple[Number, Number] | None
    chances: Mapping[Number, Interval]
    mean_plies: Fraction
    value: Amount | None
    solved: Solution | None

    @property
    def states(self) -> int:
        """States visited while solving, 0 where nothing was solved."""
        return 0 if self.solved is None else self.solved.states


@in_time
def simulate(
    game: Game | str,
    position: Position | str | None = None,
    *,
    fixed: Mapping[str | int, PolicyRule] | None = None,
    games: int = 10_000,
    seed: int = 0,
    confidence: Fraction = Fraction(95, 100),
    player: str | None = None,
    between: tuple[Number, Number] | None = None,
    solution: Solution | None = None,
    **options: Any,
) -> Simulation:
    """Play `games` games from `position` (default: the start) and count what `player` gets.

    Players in `fixed` follow their policies. The others play best, for which the game is solved first, with the
    `options` of `endsight.solve`, unless a `solution` is given, such as a stored one. Where all players are fixed
    nothing is solved, so games of any size can be sampled; for small games the exact value is given as well. `between`
    are known bounds of the amount, if any.

    The interval is Hoeffding's (1963, theorem 1), valid for every number of games. Raises `QuestionError` for a number
    of games, a seed or a confidence that makes no sense, and `LimitReached` where a game does not end.
    """
    game, position = as_asked(game, position, "simulate")
    _check(games, seed, confidence, between)
    question = question_about(game, fixed=fixed, **options)
    require_no_discount(game, "a simulation")
    budget = Budget(options.get("limits"), options.get("progress"))
    solution = solution or _solved(game, position, question, options, budget)
    start = position if solution is None else position_in_truth(solution.game, solution.position)
    question = question if solution is None else solution.question
    is_mixed = solution is not None and solution.source.by_history
    table = (_MixedTable if is_mixed else _Table)(start.game, question, start, solution, budget)
    number = 0 if player is None else player_number(game, player)
    counts: Counter[Number] = Counter()
    random = Random(seed)
    plies = 0
    for done in range(games):
        table.budget.glance(done, "playing games")
        totals, moves = table.play(random)
        counts[totals[number]] += 1
        plies += moves
    mean = Fraction(sum(amount * count for amount, count in counts.items()), games)
    bounds = _bounds(counts, between) if between else _known_bounds(question, solution, number)
    return Simulation(
        player=game.player_names[number],
        games=games,
        seed=seed,
        counts=dict(sorted(counts.items())),
        confidence=confidence,
        mean=mean,
        interval=None if bounds is None else _around(mean, games, confidence, *bounds),
        between=bounds,
        chances={
            amount: confidence_interval(Fraction(count, games), games, confidence)
            for amount, count in sorted(counts.items())
        },
        mean_plies=Fraction(plies, games),
        value=None if solution is None else solution.values()[number],
        solved=solution,
    )


def _check(games: int, seed: int, confidence: Fraction, between: tuple[Number, Number] | None) -> None:
    as_kind(games, int, "games", "games=10_000")
    as_kind(seed, int, "seed", "seed=1")
    as_kind(confidence, Rational, "confidence", "confidence=Fraction(95, 100)")
    for bound in between or ():
        as_kind(bound, Rational, "between", "between=(-1, Fraction(3, 2))")
    if games < 1:
        raise QuestionError("a sample needs at least one game", found=str(games), allowed="1, 2, 3, ...")
    if seed < 0:
        raise QuestionError("the seed must be a whole number, 0 or more", found=str(seed))
    if not 0 < confidence < 1:
        raise QuestionError(
            "the confidence must lie between 0 and 1", found=str(confidence), allowed="0.95, 0.99, or any other below 1"
        )


def _solved(
    game: Game, position: Position, question: Question, options: dict[str, Any], budget: Budget
) -> Solution | None:
    """The solution where play needs it, or where it costs little; else None."""
    options = {**options, "fixed": question.fixed}
    needs_values = len(question.fixed) < game.player_count or any(rule in BY_VALUE for rule in question.fixed.values())
    # Policies must not see hidden information, which only beliefs respect.
    if needs_values or game.gives("sees"):
        return solve(game, position, **options)
    own = budget.limits
    few = min(own.states or MOST_FOR_VALUE, MOST_FOR_VALUE)
    small = budget.within(states=few, seconds=own.seconds, memory=own.memory)
    return small.attempt(partial(solve, game, position, **{**options, "limits": small.limits}))


class _Table:
    """The place where games are played."""

    def __init__(
        self, game: Game, question: Question, position: Position, solution: Solution | None, budget: Budget
    ) -> None:
        self.game = game
        self.view = View(game, question)
        self.position = position
        self.solution = solution
        self.budget = budget
        self.shares = partial(absolute, players=game.player_count, alternating=alternates(game))
        self._chosen: dict[tuple[Any, int, tuple[Number, ...]], Any] = {}

    def play(self, random: Random) -> tuple[tuple[Number, ...], int]:
        """Play one game: return what each player got, and the number of moves that players made."""
        game, place, plies = self.game, self.position, 0
        state, mover, totals = place.state, place.mover, place.so_far
        for _ in range(LONGEST_GAME):
            move, is_over = self._next(state, mover, totals, random)
            if is_over:
                final = self.shares(game.payoff(state), mover, said=(game, "payoff", state))
                return self.view.utility(tuple(map(simplest, added(totals, final)))), plies
            if self.view.has_rewards:
                gain = self.shares(game.reward(state, move), mover, said=(game, "reward", state))
                totals = added(totals, gain)
            plies += mover != CHANCE
            state = game.play(state, move)
            mover = self.view.next_mover(state, mover)
        raise LimitReached(
            f"stopped: a game was still going on after {LONGEST_GAME:,} moves",
            states=0,
            advice="other policies, or rules under which play ends",
        )

    def _next(self, state: Any, mover: int, totals: tuple[Number, ...], random: Random) -> tuple[Any, bool]:
        """The next move; the flag says that the game is over instead."""
        moves = self.view.legal(state, mover, totals, self.budget)
        if not moves:
            return None, True
        if mover == CHANCE:
            return moves[drawn([self.game.weight(state, move) for move in moves], random)], False
        if mover in self.view.random_players:
            return moves[drawn([1] * len(moves), random)], False
        if len(moves) == 1 or mover in self.view.choosers:
            return moves[0], False
        if self.view.acting(mover) == TOGETHER:
            mixture = self._best(state, mover, totals)
            return [*mixture][drawn([*mixture.values()], random)], False
        return self._best(state, mover, totals), False

    def _best(self, state: Any, mover: int, totals: tuple[Number, ...]) -> Any:
        """The move of best play, or a mixture of moves at once, looked up only once per sample."""
        key = (state, mover, totals)
        if key in self._chosen:
            return self._chosen[key]
        assert self.solution is not None
        place = known_at(self.solution, Position(self.game, state, mover, totals, ()))
        is_mixed = self.view.acting(mover) == TOGETHER
        move = self.solution.mixture(place) if is_mixed else self.solution.chosen(place)
        if len(self._chosen) < MOST_REMEMBERED:
            self._chosen[key] = move
        return move


class _MixedTable(_Table):
    """A table where players mix moves: it first finds everything that play may lead to, with its chances."""

    @cached_property
    def chain(self) -> tuple[View, Graph]:
        """All that play may lead to, as a graph."""
        assert self.solution is not None
        return self.solution.chain(self.position)

    def play(self, random: Random) -> tuple[tuple[Number, ...], int]:
        """Play one game: return what each player got, and the number of moves that players made."""
        view, graph = self.chain
        node, plies = 0, 0
        gained = view.carried(self.position.so_far)
        while not graph.is_end(node):
            edges = graph.edges(node)
            edge = edges[drawn(graph.weights_of(edges), random)]
            plies += view.is_ply(graph, node)
            gained, node = graph.through(edge, gained), graph.successors[edge]
        paid = graph.payoffs[node] or ()
        return tuple(map(simplest, added(gained, paid))), plies


def _around(mean: Fraction, games: int, confidence: Fraction, low: Number, high: Number) -> Interval:
    """The interval of an expectation between `low` and `high`."""
    if low == high:
        return Interval(Fraction(low), Fraction(low))
    ends = confidence_interval((mean - low) / (high - low), games, confidence)
    return Interval(low + (high - low) * ends.lower, low + (high - low) * ends.upper)


def _bounds(counts: Mapping[Number, int], between: tuple[Number, Number]) -> tuple[Number, Number]:
    """The bounds that were given, checked against the sample."""
    low, high = between
    outside = [amount for amount in counts if not low <= amount <= high]
    if outside or low > high:
        raise QuestionError(
            f"the bounds {low} and {high} do not hold",
            found=f"a game that paid {outside[0]}" if outside else f"{low} above {high}",
            advice="wider bounds",
        )
    return between


def _known_bounds(question: Question, solution: Solution | None, player: int) -> tuple[Number, Number] | None:
    """Proven bounds: those of a share of wins, or of all possible payoffs where they have been found."""
    if question.utility == "win":
        return 0, 1
    if solution is None:
        return None
    source = solution.source
    amounts = None if source.table is None else source.table.payoffs(player)
    if amounts is not None:
        so_far = View(solution.game, question).carried(solution.position.so_far)[player]
        amounts = [amount + so_far for amount in amounts]
    is_walked = source.holds_all or source.checker is not None
    is_walked = is_walked or source.by_history
    if amounts is None and is_walked and not source.has_loops and solution.states <= MOST_FOR_VALUE:
        amounts = list(solution.distribution(solution.game.player_names[player]))
    return None if amounts is None else (min(amounts), max(amounts))


# `decimal` rounds logarithms correctly on every machine; floats do not.
_EXACTLY = Context(prec=50)
_MARGIN = Decimal("1e-12")
_GRID = 10**9


def confidence_interval(mean: Fraction, count: int, confidence: Fraction) -> Interval:
    """The ends between which the expectation lies with at least that confidence.

    `mean` is that of `count` independent numbers between 0 and 1. The ends are multiples of 1e-9, rounded outwards, and
    the same on every machine.
    """
    allowed = _EXACTLY.add(_EXACTLY.ln(_decimal(2 / (1 - confidence))), _MARGIN)

    def is_refuted(place: int) -> bool:
        return _EXACTLY.multiply(_distance(mean, Fraction(place, _GRID)), Decimal(count)) > allowed

    lower = _last(0, mean * _GRID // 1, is_refuted) if mean > 0 else 0
    upper = -_last(-_GRID, -mean * _GRID // 1, lambda place: is_refuted(-place)) if mean < 1 else _GRID
    return Interval(Fraction(lower, _GRID), Fraction(upper, _GRID))


def _last(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The largest number from `low` on up to which `holds` stays true, given that it is true at `low`."""
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _distance(mean: Fraction, expectation: Fraction) -> Decimal:
    """The Kullback-Leibler distance between two chances."""
    total = Decimal(0)
    for own, other in ((mean, expectation), (1 - mean, 1 - expectation)):
        if own and not other:
            return Decimal("Infinity")
        if own:
            total = _EXACTLY.add(total, _EXACTLY.multiply(_decimal(own), _EXACTLY.ln(_decimal(own / other))))
    return total


def _decimal(value: Fraction) -> Decimal:
    return _EXACTLY.divide(Decimal(value.numerator), Decimal(value.denominator))
