"""Information sets of games in which players see different things, and what two plans prove."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import CHANCE, Game, Limits
from endsight.algorithms.best_reply import Plan, bounds, is_plan, reply_values
from endsight.algorithms.information_sets import InformationSets, information_sets
from endsight.errors import LimitReached, NoValue, QuestionError, RulesError
from endsight.game.limits import Budget
from hidden_games import Hidden, Poker, expected, walk


class Card(Game):
    """Chance shows the first player a card; both call a number, the second without having seen the card."""

    rows: int = 2
    together: bool = False

    class State(NamedTuple):
        card: int
        told: int
        asked: int

    def start(self) -> State:
        return self.State(0, 0, 0)

    def limits(self) -> State:
        return self.State(self.rows, 9, 9)

    def to_move(self, s: State) -> Any:
        if not s.card:
            return CHANCE
        return (0, 1) if self.together else int(s.told > 0)

    def moves(self, s: State) -> Iterator[Any]:
        own = range(1, self.rows + 1)
        if not s.card:
            yield from own
        elif not s.asked:
            yield from product(own, own) if self.together else own

    def play(self, s: State, m: Any) -> State:
        if not s.card:
            return self.State(m, 0, 0)
        if self.together:
            return self.State(s.card, *m)
        return s._replace(asked=m) if s.told else s._replace(told=m)

    def payoff(self, s: State) -> tuple[int, int]:
        gain = s.card * s.told if s.told != s.asked else -1
        return (gain, 3 - gain)

    def sees(self, s: State, player: int) -> tuple[int, ...]:
        return (s.card if player == 0 else 0, s.asked)


def uniform(sets: InformationSets, player: int) -> Plan:
    """The plan that mixes the moves of every set evenly, over a denominator that all sets divide."""
    side = sets.sides[player]
    total = 2**20 * 3**20
    masses = [total] + [0] * (side.sequences - 1)
    for number in range(len(side)):
        for sequence in side.after(number):
            masses[sequence] = masses[side.parent[number]] // side.count[number]
    return Plan(masses, total)


def test_the_sets_of_kuhn_poker() -> None:
    sets = information_sets(Poker())
    assert (sets.nodes, sets.ends, sets.constant) == (58, 30, 0)
    assert [len(side) for side in sets.sides] == [6, 6]
    assert [side.sequences for side in sets.sides] == [13, 13]
    assert Fraction(1, sets.scale) == Fraction(1, 6)
    first = sets.sides[0]
    assert first.seen(first.view[0]) == [("saw", (0, 0)), ("saw", (1, 0))]
    assert first.seen(first.view[1]) == [("saw", (0, 0)), ("saw", (1, 0)), ("did", 1), ("saw", (1, 1)), ("saw", (1, 5))]


@pytest.mark.parametrize("together", [False, True])
def test_moves_at_once_are_moves_that_the_other_does_not_see(together: bool) -> None:
    one, other = information_sets(Card(rows=3, together=together)), information_sets(Card(rows=3, together=False))
    assert one.payoffs == other.payoffs
    assert one.scale == other.scale
    assert one.constant == 3
    assert [list(side.parent) for side in one.sides] == [list(side.parent) for side in other.sides]
    assert [list(side.moves) for side in one.sides] == [[(1, 2, 3)] * 3, [(1, 2, 3)]]


@pytest.mark.parametrize("seed", range(16))
def test_pairs_of_plans_are_paid_what_the_rules_say(seed: int) -> None:
    game = Hidden(seed, depth=3 + seed % 4, wide=1 + seed % 2, together=seed % 3 == 0, gains=seed % 5 == 0, heavy=7)
    sets = information_sets(game)
    plans = [uniform(sets, player) for player in (0, 1)]
    paid = Fraction(
        sum(amount * plans[0].masses[mine] * plans[1].masses[yours] for mine, yours, amount in sets.payoffs),
        sets.scale * plans[0].total * plans[1].total,
    )
    assert paid == walk(game, lambda player, view, moves: moves)
    lower, upper = bounds(sets, *plans)
    assert lower <= paid <= upper


@pytest.mark.parametrize("seed", range(8))
def test_the_best_reply_is_the_best_of_all_pure_replies(seed: int) -> None:
    game = Hidden(seed, depth=4, together=seed % 2 == 0, gains=seed % 3 == 0)
    choices: list[dict[Any, tuple]] = [{}, {}]
    walk(game, lambda player, view, moves: choices[player].setdefault(view, moves) and moves)
    sets = information_sets(game)
    pure = {view: moves[0] for view, moves in choices[1].items()}
    replies = [dict(zip(choices[0], picked, strict=True)) for picked in product(*choices[0].values())]
    assert bounds(sets, uniform(sets, 0), first_moves(sets, 1))[1] == max(expected(game, (r, pure)) for r in replies)


def first_moves(sets: InformationSets, player: int) -> Plan:
    """The pure plan that makes the first move of every set."""
    side = sets.sides[player]
    masses = [1] + [0] * (side.sequences - 1)
    for number in range(len(side)):
        masses[side.first[number]] = masses[side.parent[number]]
    return Plan(masses, 1)


def test_what_is_no_plan_is_refused() -> None:
    sets = information_sets(Poker())
    good = first_moves(sets, 0)
    wrong = [
        Plan([1, *good.masses[2:], 0], 1),
        Plan([*good.masses[:-1], -1], 1),
        Plan(good.masses[:-1], 1),
        Plan(good.masses, 2),
        Plan([0] * len(good.masses), 0),
    ]
    assert is_plan(sets.sides[0], good)
    assert not any(is_plan(sets.sides[0], plan) for plan in wrong)
    with pytest.raises(ValueError, match="not a plan"):
        bounds(sets, wrong[0], first_moves(sets, 1))


def test_a_reply_is_worth_what_its_sequences_are() -> None:
    sets = information_sets(Card(rows=2))
    values = reply_values(sets, 0, first_moves(sets, 0))
    # The first player says 1 whatever the card: 1 is answered by -1 twice, 2 by the cards 1 and 2.
    assert [Fraction(-value, sets.scale) for value in values] == [-1, -1, Fraction(3, 2)]


class Blurred(Card):
    """The second player may call as many numbers as the card says, and does not see the card."""

    def moves(self, s: Card.State) -> Iterator[Any]:
        return iter(range(1, s.card + 1)) if s.card and s.told and not s.asked else super().moves(s)


class Uneven(Card):
    def payoff(self, s: Card.State) -> tuple[int, int]:
        return (s.told, s.asked)


class Lacking(Card):
    def moves(self, s: Card.State) -> Iterator[Any]:
        return (move for move in super().moves(s) if move != (2, 2))


class Round(Card):
    def play(self, s: Card.State, m: Any) -> Card.State:
        return self.start() if s.card and s.told else super().play(s, m)


class Three(Card):
    players = 3


class Listed(Card):
    def sees(self, s: Card.State, player: int) -> Any:
        return [s.told]


class Broken(Card):
    def sees(self, s: Card.State, player: int) -> Any:
        return 1 // s.card


@pytest.mark.parametrize(
    ("game", "kind", "told"),
    [
        (
            Blurred(),
            RulesError,
            "Blurred: same moves: second has seen the same in two positions, but has different moves there\n"
            "  found:   after '1 1': moves 1\n"
            "           after '2 1': moves 1, 2\n"
            "           second has seen: (0, 0)\n",
        ),
        (
            Uneven(),
            QuestionError,
            "Uneven: constant sum: the two players' payoffs do not have the same sum at every end\n"
            "  found:   1 + 1 = 2 after '1 1 1'\n"
            "           1 + 2 = 3 after '1 1 2'\n",
        ),
        (Lacking(together=True), RulesError, "moves at once: the moves are not all combinations"),
        (Round(), NoValue, "Round: play may never end"),
        (Three(), QuestionError, "Three: plans over information sets need two opposed players"),
        (Listed(), RulesError, "Listed: sees returns something that is not exact (seen exactly)"),
        (Broken(), RulesError, "Broken: the rule 'sees' does not work"),
    ],
)
def test_games_without_plans_are_refused_by_name(game: Game, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind) as caught:
        information_sets(game)
    assert told in str(caught.value)


def test_limits_stop_the_walk() -> None:
    with pytest.raises(LimitReached, match="more than 20 states"):
        information_sets(Poker(), Budget(Limits(states=20)))


def test_other_utilities_are_those_of_whole_games() -> None:
    assert information_sets(Uneven(), utility="lead").constant == 0
    wins = information_sets(Uneven(), utility="win")
    assert wins.constant == 1
    assert bounds(wins, first_moves(wins, 0), first_moves(wins, 1)) == (0, 1)


class Turns(Game):
    """A coin that nobody sees says who moves next: the first player twice, or the second and then the first."""

    players = 2

    class State(NamedTuple):
        coin: int
        made: tuple[int, ...]

    def start(self) -> State:
        return self.State(0, ())

    def to_move(self, state: State) -> int:
        return CHANCE if not state.coin else 1 if state.coin == 2 and not state.made else 0

    def moves(self, state: State) -> Any:
        return () if len(state.made) > 1 else (1, 2)

    def play(self, state: State, move: int) -> State:
        return state._replace(made=(*state.made, move)) if state.coin else state._replace(coin=move)

    def payoff(self, state: State) -> Any:
        won = 1 if sum(state.made) == 3 else 0
        return (won, -won)

    def sees(self, state: State, player: int) -> int:
        return 0


def test_an_unseen_move_is_not_the_players_own() -> None:
    pytest.importorskip("highspy")
    solution = es.solve(Turns())
    told, true = solution.seen_by("first", "? ?"), solution.seen_by("first", "2 1")
    assert (told.options, told.reach, told.posterior) == (true.options, true.reach, true.posterior)
