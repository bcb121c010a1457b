"""Policies short enough to remember, each with the exact price of the simplification.

Where every decision is between the same two moves, a rule may be *one threshold*: one move as soon as a number of
the state is large enough, else the other; or *a sloped one*, a threshold on that number plus a multiple of another.
For every number and direction, the first guess is the one that gives away least, added up over all
positions. From the best of these, thresholds are tried upwards and downwards by the value of the whole game under
each, in floats: these only choose what to try. The result is the best of the thresholds tried. `policy_pricing` prices
it, like the policies that the game names itself, exactly or between proven bounds, and these prices decide which rules
are returned.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.arena import arena_of, words
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.algorithms.policy_screening import Screening
from endsight.answers.enclosed import NodeBounds
from endsight.answers.policy_pricing import PolicyLoss, policy_loss
from endsight.answers.solution import Solution
from endsight.answers.solver import solve
from endsight.answers.source import Solved
from endsight.compiler.columns import fields_of
from endsight.errors import QuestionError
from endsight.game import CHANCE, Game
from endsight.game.numbers import as_interval, simplest
from endsight.game.position import Position, as_text
from endsight.game.question import GENERAL_POLICIES, PolicyRule, player_number, policies_of, require_no_discount
from endsight.graph.explorer import explore
from endsight.graph.judgement import amount_player, opposed_signs
from endsight.naming.arguments import as_asked

Words = npt.NDArray[np.int64]
SLOPES = [sign * Fraction(size) for size in ("2", "1", "1/2", "1/4", "1/8") for sign in (-1, 1)]
"""Multiples of another number of the state that a sloped threshold may add."""
_MOST_TIMES = 32
"""What a threshold compares may be up to this many times the largest number of a state, in whole numbers."""
MOST_SPREAD = 2
"""Numbers and directions, the best by their guesses, for which thresholds far apart are tried."""
TOLERANCE = 1e-10
"""Thresholds whose values differ by less than this, relative to the values, count as equal."""
PATIENCE = 3
"""Thresholds in a row without improvement after which the search in that direction stops."""


@dataclass(frozen=True)
class ShortRule:
    """A rule in words, as a policy, with its value and what it gives away.

    `tried` counts the rules of its kind that were compared by the value of the whole game.
    """

    rule: str
    policy: PolicyRule
    price: PolicyLoss
    tried: int


@dataclass(frozen=True)
class _Threshold:
    """`move` once field + slope * other >= least, else `otherwise`; both moves as the rules yield them."""

    move: Any
    otherwise: Any
    field: str
    slope: Fraction
    other: str
    least: Fraction
    is_always: bool = False
    __name__ = "threshold"

    def __call__(self, game: Game, state: Any) -> Any:
        amount = getattr(state, self.field) + (self.slope * getattr(state, self.other) if self.slope else 0)
        move, moves = self.move if amount >= self.least else self.otherwise, list(game.moves(state))
        return move if move in moves else moves[0]

    def on_columns(self, columns: Mapping[str, Words]) -> tuple[npt.NDArray[np.bool_], Any, Any]:
        """For many states at once, their numbers as columns: where `move` is wanted, that move, and the other."""
        return self.amounts(columns) >= int(self.least * self.slope.denominator), self.move, self.otherwise

    def amounts(self, columns: Mapping[str, Words]) -> Words:
        """The amounts that it compares, times the denominator of its slope."""
        own = columns[self.field] * self.slope.denominator
        return own + columns[self.other] * self.slope.numerator if self.slope else own

    def words(self, name: Callable[[Any], str]) -> str:
        """`hold once pot >= 21, else roll`."""
        if self.is_always:
            return f"always {name(self.move)}"
        amount = self.field
        if self.slope:
            size = abs(self.slope)
            part = self.other if size == 1 else f"{size} {self.other}" if size > 1 else f"{self.other}/{1 / size}"
            amount += f" {'+' if self.slope > 0 else '-'} {part}"
        return f"{name(self.move)} once {amount} >= {simplest(self.least)}, else {name(self.otherwise)}"


def short_rules(
    game: Game | str,
    player: str | int | None = None,
    position: Position | str | None = None,
    *,
    best: Solution | None = None,
    **options: Any,
) -> list[ShortRule]:
    """Short rules for `player` (default: the first), the best of each kind, with their prices.

    The policies that the game names come first, then one threshold, then a sloped one where that is better.
    `options` are those of `endsight.solve`; large games with loops are priced by proven bounds unless `exact` is
    asked for. `best` is the solution with the same options, if you have it. Raises `QuestionError` where the game
    names no policy and its decisions are not all between the same two moves.
    """
    game, position = as_asked(game, position, "short_rules")
    require_no_discount(game, "a short rule")
    number = 0 if player is None else player_number(game, player)
    if best is None or best.position != position:
        best = solve(game, position, **options)
    if best.source.on_arrays is not None and not options.get("exact"):
        options["interval"] = True
    if best.source.on_arrays is not None and best.source.merges:
        options["symmetry"] = False
        best = solve(game, position, **options)
    arrays: NodeBounds | None = best.source.on_arrays
    if options.get("interval") and arrays is not None:
        # Otherwise exact values near the start would be computed again for every rule.
        best = replace(best, source=Solved(replace(arrays, is_exact=False)))

    def price(policy: PolicyRule) -> PolicyLoss:
        return policy_loss(game, number, policy, position, best=best, **options)

    own = [name for name in policies_of(game) if name not in GENERAL_POLICIES]
    rules = [ShortRule(name, name, price(name), 1) for name in own]
    choices = _choices(best, number)
    if choices is None:
        if rules:
            return rules
        raise QuestionError(
            f"{game.title()} has no short rule: it names no policy, and its decisions are not all between"
            " the same two moves by numbers of the state",
            advice="--policy PLAYER=file.py:function of analyze prices a rule of your own",
        )
    return rules + _kept([(candidate, candidate.priced(choices, price)) for candidate in _thresholds(choices)])


@dataclass(frozen=True)
class _Candidate:
    """A threshold, the number tried to find it, and whether it `says_more` than an equally good one before it."""

    threshold: _Threshold
    tried: int
    says_more: bool = False

    def priced(self, choices: _Choices, price: Callable[[PolicyRule], PolicyLoss]) -> ShortRule:
        """The rule in words with its price."""
        return ShortRule(self.threshold.words(choices.name), self.threshold, price(self.threshold), self.tried)


def _thresholds(choices: _Choices) -> Iterator[_Candidate]:
    """The best threshold, or the nearest one found, and a sloped one that may be better."""
    searches = [_ThresholdSearch(choices, guess) for _, guess in choices.guesses(Fraction(0))]
    for each in searches:
        each.look(each.start)
    for each in sorted(searches, key=lambda each: -each.worth)[:MOST_SPREAD]:
        each.spread()
    best = max(searches, key=lambda each: each.worth)
    best.climb()
    always = [
        each for each in searches if choices.forced <= {each.guess.move} and _is_as_good(each.look(0), best.worth)
    ]
    tried = sum(len(each.worths) for each in searches)
    if always:
        yield _Candidate(always[0].at(0), tried)
    nearest = best.at(best.top)
    if always and nearest.is_always:
        return
    yield _Candidate(nearest, tried)
    if nearest.is_always:
        yield _Candidate(choices.last_exception(nearest), tried, says_more=True)
        return
    sloped = [pair for slope in SLOPES for pair in choices.guesses(slope, nearest.field)]
    if sloped:
        steeper = _ThresholdSearch(choices, min(sloped, key=lambda pair: pair[0])[1])
        steeper.look(steeper.start)
        steeper.spread()
        steeper.climb()
        yield _Candidate(steeper.at(steeper.top), len(steeper.worths))


def _kept(priced: list[tuple[_Candidate, ShortRule]]) -> list[ShortRule]:
    """The rules from `_thresholds`, the simplest first, that are worth keeping by their proven losses.

    A rule is dropped if it is not proven better than the one before, unless it says more and is not proven
    worse. "Always" is dropped where another rule stays.
    """
    kept: list[ShortRule] = []
    is_always = False
    for candidate, rule in priced:
        if kept:
            before, after = as_interval(kept[-1].price.loss), as_interval(rule.price.loss)
            if after.upper >= before.lower and not (candidate.says_more and after.lower <= before.upper):
                continue
        kept = [rule] if is_always else [*kept, rule]
        is_always = candidate.threshold.is_always
    return kept


def _choices(best: Solution, player: int) -> _Choices | None:
    """The choices among which thresholds decide; None where there are no suitable ones."""
    arrays: NodeBounds | None = best.source.on_arrays
    choices = _choices_of_graph(best, player) if arrays is None else _choices_on_arrays(best, arrays, player)
    return choices if choices is not None and choices.fits else None


def _choices_on_arrays(best: Solution, table: NodeBounds, player: int) -> _Choices | None:
    arrays = table.arrays
    if arrays.moves.size != arrays.edges:
        return None
    kinds, codes = np.unique(arrays.moves.reshape(-1), return_inverse=True)
    choices = _Choices(best, table.enclosure, arrays.movers, player, kinds.tolist(), codes)
    choices.fields = fields_of(arrays.rules.packing, arrays.keys[choices.nodes])
    return choices


def _choices_of_graph(best: Solution, player: int) -> _Choices | None:
    view, graph = explore(
        best.game, best.position, best.question, symmetry=False, tracks_mover=True, budget=best.budget
    )
    if opposed_signs(graph) is None or amount_player(graph):  # then values have no single order
        return None
    enclosure = enclose_values(arena_of(graph).for_guesses(), budget=best.budget)
    if enclosure is None:
        return None
    movers = [CHANCE if graph.is_end(node) else graph.movers[node] for node in range(len(graph))]
    if not graph.moves:
        return None
    numbers = {move: number for number, move in enumerate(dict.fromkeys(graph.moves))}
    codes = np.array([numbers[move] for move in graph.moves])
    choices = _Choices(best, enclosure, np.array(movers), player, list(numbers), codes)
    states = [view.split(graph.keys[node])[0] for node in choices.nodes.tolist()]
    if not states or not all(isinstance(value, int) for state in states for value in state):
        return None
    choices.fields = [words(column, _MOST_TIMES) for column in zip(*states, strict=True)]
    return choices


class _Choices:
    """A solved game as arrays, with one player's choices between two moves.

    movers        who moves at every node; `CHANCE` where play is over
    kinds, codes  the moves of the game as the rules yield them, and the number of each edge's move
    nodes, firsts  these choices, and the first edge of each
    pair, forced  the moves between which the player chooses; those that are the only legal one somewhere
    """

    fields: list[Words]
    """The fields of the states at these choices."""

    def __init__(
        self,
        best: Solution,
        enclosure: Enclosure,
        movers: npt.NDArray[Any],
        player: int,
        kinds: list[Any],
        codes: Words,
    ) -> None:
        self.best, self.enclosure, self.arena = best, enclosure, enclosure.arena
        counts = np.diff(self.arena.offsets)
        self.nodes = np.flatnonzero((movers == player) & (counts == 2))
        self.firsts = self.arena.offsets[self.nodes]
        self.is_wider = bool(((movers == player) & (counts > 2)).any())
        self.sign = int(self.arena.signs[self.nodes[0]]) if len(self.nodes) else 1
        both, order = np.unique(np.stack([codes[self.firsts], codes[self.firsts + 1]], 1), return_index=True)
        self.pair = [kinds[code] for code in both[np.argsort(order)].tolist()]
        self.is_first = codes[self.firsts] == both[np.argmin(order)] if len(both) else np.zeros(0, np.bool_)
        alone = self.arena.offsets[:-1][(movers == player) & (counts == 1)]
        self.forced = {kinds[code] for code in np.unique(codes[alone]).tolist()}

    @property
    def fits(self) -> bool:
        """Whether there are decisions, all between the same two moves, with numbers that differ between them."""
        return len(self.pair) == 2 and not self.is_wider and bool(self.columns)

    def name(self, move: Any) -> str:
        """The move as text."""
        state = self.best.game.State(*(int(column[0]) for column in self.fields))
        return as_text(self.best.game, "show_move", state, move)

    @cached_property
    def columns(self) -> dict[str, Words]:
        """The numbers of the states that differ between decisions."""
        named = zip(self.best.game.State._fields, self.fields, strict=True)
        return {name: column for name, column in named if column.min() < column.max()}

    @cached_property
    def gaps(self) -> Words:
        """How much better the first of the two moves is, roughly, in units that cannot overflow."""
        arena, enclosure, first = self.arena, self.enclosure, self.firsts
        worth = [enclosure.bounds[arena.successors[edges], 0] >> 8 for edges in (first, first + 1)]
        if arena.gains is not None:
            scale = enclosure.denominator // arena.unit
            worth = [
                part + (arena.gains[edges] * scale >> 8) for part, edges in zip(worth, (first, first + 1), strict=True)
            ]
        gap = (worth[0] - worth[1]) * self.sign
        gap = np.where(self.is_first, gap, -gap)
        found: Words = gap >> len(gap).bit_length()
        return found

    def guesses(self, slope: Fraction, only: str | None = None) -> Iterator[tuple[int, _Threshold]]:
        """Thresholds with what they give away, added up over all decisions: one for each number and direction."""
        for name, own in self.columns.items():
            for other, more in self.columns.items() if slope else [("", own)]:
                if name == other or only not in (None, name):
                    continue
                amounts = own * slope.denominator + more * slope.numerator
                for turn in (0, 1):
                    gaps = self.gaps if turn == 0 else -self.gaps
                    loss, least = _least_loss(amounts, gaps)
                    move, otherwise = self.pair[turn], self.pair[1 - turn]
                    yield loss, _Threshold(move, otherwise, name, slope, other, Fraction(least, slope.denominator))

    def last_exception(self, always: _Threshold) -> _Threshold:
        """The threshold from the largest number on, where the other move is played."""
        swapped = replace(always, move=always.otherwise, otherwise=always.move, is_always=False)
        return replace(swapped, least=Fraction(int(always.amounts(self.columns).max()), always.slope.denominator))

    def edges(self, move: Any) -> Words:
        """The edge of one of the two moves at every choice."""
        taken: Words = self.firsts + (self.is_first != (move == self.pair[0]))
        return taken

    @cached_property
    def screening(self) -> Screening:
        """The arena in which the player follows a rule."""
        return Screening(self.enclosure, self.nodes, self.best.budget)


@dataclass
class _ThresholdSearch:
    """A search among thresholds of one kind, by their places in order, with the worths of those tried."""

    choices: _Choices
    guess: _Threshold
    worths: dict[int, float] = field(default_factory=dict)

    @cached_property
    def amounts(self) -> Words:
        """The amount that is compared at every choice."""
        return self.guess.amounts(self.choices.columns)

    @cached_property
    def thresholds(self) -> Words:
        """All amounts that occur, in order."""
        return np.unique(self.amounts)

    @property
    def start(self) -> int:
        """The place of the guess."""
        return int(np.searchsorted(self.thresholds, int(self.guess.least * self.guess.slope.denominator)))

    def look(self, place: int) -> float:
        """The approximate worth to the player of the threshold at a place, when others answer best."""
        if place not in self.worths:
            choices, guess = self.choices, self.guess
            is_reached = self.amounts >= self.thresholds[place]
            edges = np.where(is_reached, choices.edges(guess.move), choices.edges(guess.otherwise))
            self.worths[place] = choices.screening.worth(edges) * choices.sign
        return self.worths[place]

    @property
    def top(self) -> int:
        """The best place so far: the first of those that floats cannot distinguish."""
        most = max(self.worths.values())
        return min(place for place, worth in self.worths.items() if _is_as_good(worth, most))

    @property
    def worth(self) -> float:
        """The worth of the best place."""
        return self.worths[self.top]

    def spread(self) -> None:
        """Try a few thresholds far apart, since the guess may lie on the wrong hill."""
        for place in range(0, len(self.thresholds), max(1, len(self.thresholds) // 8)):
            self.look(place)

    def climb(self) -> None:
        """Try thresholds upwards and downwards from the best, until several in a row are no better."""
        start = self.top
        for step in (1, -1):
            place, since = start + step, 0
            while 0 <= place < len(self.thresholds) and since < PATIENCE:
                before = self.worth
                self.look(place)
                since = 0 if self.worth > before else since + 1
                place += step

    def at(self, place: int) -> _Threshold:
        """The threshold at a place."""
        least = Fraction(int(self.thresholds[place]), self.guess.slope.denominator)
        return replace(self.guess, least=least, is_always=place == 0)


def _is_as_good(worth: float, best: float) -> bool:
    """Whether floats cannot distinguish a worth from the best."""
    return worth >= best - TOLERANCE * (1 + abs(best))


def _least_loss(amounts: Words, gaps: Words) -> tuple[int, int]:
    """The threshold of least loss where a move that is better by `gaps` is taken from it on."""
    order = np.argsort(amounts, kind="stable")
    sorted_amounts, sorted_gaps = amounts[order], gaps[order]
    # Below the threshold a better move is lost; from it on a worse one is taken.
    below = np.concatenate(([0], np.cumsum(np.maximum(sorted_gaps, 0))))
    above = np.concatenate(([0], np.cumsum(np.maximum(-sorted_gaps, 0))))
    starts = np.flatnonzero(np.concatenate(([True], np.diff(sorted_amounts) > 0)))
    losses = below[starts] + (above[-1] - above[starts])
    at = int(np.argmin(losses))
    return int(losses[at]), int(sorted_amounts[starts[at]])
