"""Information sets of games in which players see different things, and what two plans prove."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import CHANCE, Game, Limits
from endsight.errors import LimitReached, NoValue, QuestionError, RulesError
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


def test_the_sets_of_kuhn_poker() -> None:
    solution = es.solve(Poker())
    assert (solution.states, solution.facts()["information_sets"]) == (58, {"first": 6, "second": 6})


@pytest.mark.parametrize("together", [False, True])
def test_moves_at_once_are_moves_that_the_other_does_not_see(together: bool) -> None:
    solution = es.solve(Card(rows=3, together=together))
    assert solution.facts()["information_sets"] == {"first": 3, "second": 1}
    assert solution.value() == es.solve(Card(rows=3)).value()
    assert sum(solution.values()) == 3
    assert [option.text for option in solution.seen_by("second", "? ?" if not together else "?").options]


@pytest.mark.parametrize("seed", range(12))
def test_pairs_of_plans_are_paid_what_the_rules_say(seed: int) -> None:
    game = Hidden(seed, depth=3 + seed % 3, wide=1 + seed % 2, together=seed % 3 == 0, gains=seed % 5 == 0, heavy=7)
    paid = es.solve(game, fixed={"first": "random", "second": "random"}).values()[0]
    assert paid == walk(game, lambda player, view, moves: moves)
    first, second = (es.exploit(game, {name: "random"}).players[0].brings for name in ("first", "second"))
    assert first <= paid <= 5 - second


@pytest.mark.parametrize("seed", range(8))
def test_the_best_reply_is_the_best_of_all_pure_replies(seed: int) -> None:
    game = Hidden(seed, depth=4, together=seed % 2 == 0, gains=seed % 3 == 0)
    choices: list[dict[Any, tuple]] = [{}, {}]
    walk(game, lambda player, view, moves: choices[player].setdefault(view, moves) and moves)
    pure = {view: moves[0] for view, moves in choices[1].items()}
    replies = [dict(zip(choices[0], picked, strict=True)) for picked in product(*choices[0].values())]
    found = es.exploit(game, {"second": lambda game, seen, moves: moves[0]}).players[0]
    assert 5 - found.brings == max(expected(game, (reply, pure)) for reply in replies)


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

    def payoff(self, s: Card.State) -> Any:
        return (*super().payoff(s), 0)


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
        (Lacking(together=True), RulesError, "moves does not yield all combinations"),
        (Round(), NoValue, "Round: play may never end"),
        (Three(), QuestionError, "only for two opposed players"),
        (Listed(), RulesError, "Listed: sees returns something that is not exact (seen exactly)"),
        (Broken(), ZeroDivisionError, "division"),
    ],
)
def test_games_without_plans_are_refused_by_name(game: Game, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind) as caught:
        es.solve(game)
    assert told in str(caught.value)


def test_limits_stop_the_walk() -> None:
    with pytest.raises(LimitReached, match="more than 20 states"):
        es.solve(Poker(), limits=Limits(states=20))


def test_other_utilities_are_those_of_whole_games() -> None:
    assert sum(es.solve(Uneven(), utility="lead").values()) == 0
    assert sum(es.solve(Uneven(), utility="win").values()) == 1


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
