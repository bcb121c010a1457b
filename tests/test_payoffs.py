"""What is known of payoffs before they are met is a fact: proven from what Python calls, or not claimed."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

import endsight as es
import naive
from amounts import each
from both_engines import proven_payoffs
from endsight import Game

BUILT_IN = (
    "tictactoe",
    "connectfour:width=4,height=3",
    "nim:heaps=2-3",
    "chomp:width=3,height=3",
    "dodgem",
    "hexapawn:width=3,height=3",
    "dominoes:n=4",
    "pig:target=6",
    "ur:pieces=1",
)
PLAIN = es.Question()
LEAD = es.Question(utility="lead")
WIN = es.Question(utility="win")
SEARCHES: Any = ("search", "minimax", "alphabeta", "proofnumber")


@pytest.mark.parametrize("spec", BUILT_IN)
def test_games_won_drawn_or_lost_lie_between_minus_one_and_one(spec: str) -> None:
    game = es.load(spec)
    assert proven_payoffs(game).is_decided
    assert proven_payoffs(game, PLAIN).sum == 0
    for question, most in ((PLAIN, 1), (LEAD, 2)):
        bounds = proven_payoffs(game, question).bounds
        assert bounds is not None
        assert all(-most <= low <= high <= most for low, high in bounds)
    assert proven_payoffs(game, WIN).bounds == ((0, 1), (0, 1))


class Pays(Game):
    """One move out of four, which ends the game."""

    class State(NamedTuple):
        steps: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        yield from range(1, 5 if state.steps == 0 else 1)

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> Any:
        return -1 if state.steps == 1 else 0


class ByHelper(Pays):
    """Constants in a method and in a local name."""

    def payoff(self, state: Any) -> int:
        pays = self.other(state)
        if state.steps == 2:
            pays = 3 - 1 * 2
        return pays

    def other(self, state: Any) -> int:
        return -1 if state.steps == 1 else 0


class ByField(Pays):
    """A field of the state."""

    def payoff(self, state: Any) -> int:
        return -state.steps


class ByParameter(Pays):
    """An attribute, which anybody can change."""

    most: int = 1

    def payoff(self, state: Any) -> int:
        return self.most


ONE = 1


class ByGlobal(Pays):
    """A name of the module, which anybody can bind anew."""

    def payoff(self, state: Any) -> int:
        return ONE


class Chosen(Pays):
    """Another function, chosen on the instance."""

    def setup(self) -> None:
        self.payoff = self.five  # type: ignore[method-assign]

    def five(self, state: Any) -> int:
        return 5


def five_times(function: Callable[..., int]) -> Callable[..., int]:
    @functools.wraps(function)
    def inner(self: Game, state: Any) -> int:
        return 5 * function(self, state)

    return inner


class Decorated(Pays):
    """A function around the text."""

    @five_times
    def payoff(self, state: Any) -> int:
        return -1


class LookedUpOtherwise(Pays):
    """A look-up of its own."""

    def __getattribute__(self, name: str) -> Any:
        return (lambda state: 5) if name == "payoff" else super().__getattribute__(name)


class OtherCode(Pays):
    """A function whose code was exchanged after it was written."""

    def payoff(self, state: Any) -> int:
        return -1


OtherCode.payoff.__code__ = ByField.payoff.__code__


class Bound(Pays):
    """Names that are bound in other ways than by assigning them."""

    def payoff(self, state: Any) -> int:
        pays = 1
        for pays in (5,):  # noqa: B007
            pass
        return pays


class Added(Pays):
    """A number that grows."""

    def payoff(self, state: Any) -> int:
        pays = 1
        pays += 4
        return pays


class FromInside(Pays):
    """A name that an inner function binds."""

    def payoff(self, state: Any) -> int:
        pays = 1

        def more() -> None:
            nonlocal pays
            pays = 5

        more()
        return pays


class NotItself(Pays):
    """A first argument that stands for something else."""

    def payoff(self, state: Any) -> int:
        self = FiveByHelper()
        return self.other(state)

    def other(self, state: Any) -> int:
        return 1


class FiveByHelper(Pays):
    """The same name, another number."""

    def other(self, state: Any) -> int:
        return 5


class Rewarded(Pays):
    """Rewards that the instance brings with it."""

    def setup(self) -> None:
        self.reward = lambda state, move: 5  # type: ignore[method-assign]


class Sums(Pays):
    """Constants, but what one gets the other need not lose."""

    def payoff(self, state: Any) -> tuple[int, int]:
        return (1, 1) if state.steps > 2 else (-1, -1)


def test_what_is_proven() -> None:
    for kind in (Pays, ByHelper):
        assert proven_payoffs(kind(), PLAIN).bounds == ((-1, 1), (-1, 1))
        assert proven_payoffs(kind()).is_decided
    assert proven_payoffs(Sums(), PLAIN).bounds == ((-1, 1), (-1, 1))
    assert proven_payoffs(Sums(), LEAD).bounds == ((0, 0), (0, 0))
    assert proven_payoffs(Sums(), PLAIN).sum is None
    assert not proven_payoffs(Sums()).is_decided


class Mirrored(Pays):
    """A number that is not known, and its opposite."""

    def payoff(self, state: Any) -> tuple[int, int]:
        lead = state.steps - 2
        other = 3
        return (lead, -lead) if state.steps > 2 else (lead - other, other - lead)


class NotMirrored(Pays):
    """Nearly the same."""

    def payoff(self, state: Any) -> tuple[int, int]:
        lead, other = state.steps - 2, 3
        return (lead, -lead) if state.steps > 2 else (lead - other, lead - other)


def test_opposites_are_opposed_whatever_they_are() -> None:
    assert proven_payoffs(Mirrored(), PLAIN).sum == 0
    assert proven_payoffs(Mirrored(), PLAIN).bounds is None
    assert proven_payoffs(Mirrored(), LEAD).bounds is None
    assert proven_payoffs(NotMirrored(), PLAIN).sum is None
    for method in SEARCHES:
        assert es.solve(Mirrored(), method=method).values() == naive.Recursion(Mirrored()).value()
    assert es.solve(Mirrored(), method="alphabeta").method == "alpha-beta with a table"


class Swapped(Mirrored):
    """Rewards are opposed, too."""

    def reward(self, state: Any, move: int) -> tuple[int, int]:
        gain = move * state.steps
        return (gain, -gain) if move > 1 else (0, 0)


class HalfSwapped(Swapped):
    """One of them is not."""

    def reward(self, state: Any, move: int) -> tuple[int, int]:
        gain = move * state.steps
        return (gain, -gain) if move > 1 else (0, 1)


def test_rewards_are_opposed_as_payoffs_are() -> None:
    assert proven_payoffs(Swapped(), PLAIN).sum == 0
    assert proven_payoffs(HalfSwapped(), PLAIN).sum is None
    assert proven_payoffs(Swapped(), PLAIN).bounds is None
    for method in SEARCHES:
        assert es.solve(Swapped(), method=method).values() == naive.Recursion(Swapped()).value()
    assert es.solve(Swapped(), method="alphabeta").method == "alpha-beta with a table"


LYING = (ByField, ByParameter, ByGlobal, Chosen, Decorated, LookedUpOtherwise, OtherCode, Bound, Added, FromInside)
LYING += (NotItself, Rewarded)  # type: ignore[assignment]


@pytest.mark.parametrize("kind", LYING)
def test_what_is_not_proven(kind: type[Game]) -> None:
    assert proven_payoffs(kind(), PLAIN).bounds is None
    assert proven_payoffs(kind(), PLAIN).sum is None
    assert not proven_payoffs(kind()).is_decided
    assert proven_payoffs(kind(), WIN).bounds == ((0, 1), (0, 1))


ASKED = [(kind, method) for kind in (*LYING, Pays, ByHelper, Sums) for method in SEARCHES]


@pytest.mark.parametrize("asked", each(ASKED, lambda asked: asked in ASKED[::3]))
def test_searches_find_the_value_whatever_the_text_says(asked: tuple[type[Game], Any]) -> None:
    kind, method = asked
    game = kind()
    try:
        solution = es.solve(game, method=method)
    except es.QuestionError as refusal:
        assert "opposed" in str(refusal) or "rewards" in str(refusal)  # noqa: PT017
        return
    assert solution.values() == naive.Recursion(game).value()
    assert [option.value for option in solution.options()] == [
        value for _, value in sorted(naive.Recursion(game).move_values(), key=lambda row: -row[1][0])
    ]


class OneNowOrFiveLater(Game):
    """Stop and be paid 1, or go on; what going on pays is a parameter."""

    later: int = 5

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(3)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        if state.place == 0:
            yield from (1, 2)
        elif state.place == 2:
            yield 3

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> int:
        return self.later if state.place == 3 else -1


class WrittenOut(OneNowOrFiveLater):
    """The same as constants."""

    def payoff(self, state: Any) -> int:
        return 5 if state.place == 3 else -1


@pytest.mark.parametrize("kind", [OneNowOrFiveLater, WrittenOut])
@pytest.mark.parametrize("method", SEARCHES)
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_a_win_of_one_is_not_the_most_that_can_be_paid(kind: type[Game], method: Any, engine: Any) -> None:
    if (method, engine, kind) == ("proofnumber", "plain", OneNowOrFiveLater):
        with pytest.raises(es.QuestionError, match="prove to be opposed"):
            es.solve(kind(), method=method, engine=engine)
        return
    solution = es.solve(kind(), method=method, engine=engine)
    assert solution.values() == (5, -5)
    assert solution.category() == "value"
    assert [(option.text, option.value, option.category) for option in solution.options()] == [
        ("2", (5, -5), "value"),
        ("1", (1, -1), "value"),
    ]


class TogetherLater(OneNowOrFiveLater):
    """Single numbers, until both are paid."""

    def payoff(self, state: Any) -> Any:
        return (5, 5) if state.place == 3 else -1


def test_a_tuple_that_no_search_meets_is_not_taken_for_a_single_number() -> None:
    game = TogetherLater()
    assert es.solve(game, method="minimax").values() == (5, 5)
    assert es.solve(game, method="search").values() == (5, 5)
    for method in ("alphabeta", "proofnumber"):
        with pytest.raises(es.QuestionError, match="opposed"):
            es.solve(game, method=method)  # type: ignore[arg-type]


class ThreePaid(OneNowOrFiveLater):
    """Three players, of whom the third is paid nothing."""

    players = 3

    def to_move(self, state: Any) -> int:
        return 0

    def payoff(self, state: Any) -> tuple[int, int, int]:
        return (1, -1, 0) if state.place == 3 else (0, 0, 0)


def test_three_players_are_not_searched_with_one_number() -> None:
    for method in ("search", "auto", "layers"):
        solution = es.solve(ThreePaid(), method=method, engine="compiled")  # type: ignore[arg-type]
        assert solution.values() == (1, -1, 0)


def test_rewards_set_on_the_instance_count() -> None:
    assert es.solve(Rewarded(), method="graph").values() == naive.Recursion(Rewarded()).value() == (6, -6)


class EndsWithChance(Pays):
    """The rules name chance as the mover where the game is over."""

    def to_move(self, state: Any) -> int:
        return -1 if state.steps else 0

    def payoff(self, state: Any) -> tuple[int, int]:
        return (1, -1) if state.steps == 1 else (0, 0)


def test_a_mover_at_the_end_of_the_game_decides_nothing() -> None:
    solution = es.solve(EndsWithChance(), method="graph")
    assert (solution.category(), solution.distance()) == ("win", 1)


# ---------------------------------------------------------------------------- positions that a search left out


class Beside(Game):
    """The first of two moves wins at once; what the other leads to is up to a subclass."""

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        if state.place == 0:
            yield from (1, 2)
        elif state.place == 2:
            yield from (3, 4)
        elif state.place == 3:
            yield 2

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> Any:
        return -1 if state.place == 1 else 0


class LoopBeside(Beside):
    """Play goes to and fro."""


class TupleBeside(Beside):
    """One end pays a tuple."""

    def moves(self, state: Any) -> Iterator[int]:
        if state.place == 0:
            yield from (1, 2)
        elif state.place == 2:
            yield 4

    def payoff(self, state: Any) -> Any:
        return (1, -1) if state.place == 4 else -1


class DiceBeside(TupleBeside):
    """Dice decide there."""

    def to_move(self, state: Any) -> int:
        return -1 if state.place == 2 else 0

    def payoff(self, state: Any) -> Any:
        return (1, -1) if state.place == 1 else (-1, 1)


@pytest.mark.parametrize(("kind", "other"), [(LoopBeside, 0), (TupleBeside, 1), (DiceBeside, -1)])
def test_moves_whose_positions_a_compiled_search_refuses(kind: type[Game], other: int) -> None:
    solution = es.solve(kind(), method="search", engine="compiled")
    assert solution.values() == (1, -1)
    assert {option.text: option.value for option in solution.options()} == {"1": (1, -1), "2": (other, -other)}


# ---------------------------------------------------------------------------- rules that break their contract


class Outcomes(Pays):
    """Chance takes the first move, by weights that are none."""

    outcome: str = "0"

    def to_move(self, state: Any) -> int:
        return -1 if state.steps == 0 else 0

    def weight(self, state: Any, move: int) -> Any:
        return {"0": 0, "half": 0.5, "minus": -1}[self.outcome]

    def payoff(self, state: Any) -> tuple[int, int]:
        return (state.steps, -state.steps)


class Outside(Pays):
    """A state beyond the limits."""

    def limits(self) -> Any:
        return self.State(1)

    def payoff(self, state: Any) -> int:
        return 0


class Nobody(Pays):
    """A mover who is not there."""

    players = 2

    def to_move(self, state: Any) -> int:
        return 7

    def payoff(self, state: Any) -> tuple[int, int]:
        return (0, 0)


@pytest.mark.parametrize("game", [Outcomes("0"), Outcomes("half"), Outcomes("minus"), Outside(), Nobody()])
@pytest.mark.parametrize("method", ["graph", *SEARCHES])
def test_broken_rules_are_not_answered(game: Game, method: Any) -> None:
    with pytest.raises((es.RulesError, es.QuestionError)) as refusal:
        es.solve(game, method=method)
    if method in ("graph", "minimax", "search"):
        assert isinstance(refusal.value, es.RulesError)


class PaidRounds(Game):
    """To and fro, and every move pays: totals grow for ever."""

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(2)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        if state.place < 2:
            yield from (1 - state.place, 2)

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def reward(self, state: State, move: int) -> int:
        return 1 + state.place

    def payoff(self, state: State) -> int:
        return 0


@pytest.mark.parametrize("utility", ["win", "lead", "payoff"])
@pytest.mark.parametrize("method", ["minimax", "alphabeta", "proofnumber"])
def test_searches_refuse_loops_that_pay(utility: Any, method: Any) -> None:
    with pytest.raises((es.QuestionError, es.RulesError), match=r"come back|prove|rewards|a loop pays"):
        es.solve(PaidRounds(), utility=utility, method=method, limits=es.Limits(states=1_000))


def test_theorems_are_about_built_in_rules_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Nim(heaps=(1, 2))
    assert es.solve(game).theorem is not None
    game.payoff = lambda state: 7  # type: ignore[method-assign]
    assert es.solve(game).theorem is None
    assert es.solve(game).values() == (7, -7) == naive.Recursion(game).value()
    monkeypatch.setattr(es.games.Nim, "payoff", lambda game, state: 3)
    again = es.games.Nim(heaps=(1, 2))
    assert es.solve(again).theorem is None
    assert es.solve(again).values() == (3, -3)


def test_payoffs_may_become_tuples_after_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ByHelper()
    assert es.solve(game).values() == (1, -1)
    monkeypatch.setattr(ByHelper, "payoff", lambda _, state: (state.steps, 1))
    assert es.solve(game).values() == (4, 1)


def test_the_number_of_players_may_be_given_after_a_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    game = ByHelper()
    assert es.solve(game).values() == (1, -1)
    monkeypatch.setattr(ByHelper, "players", 1, raising=False)
    assert es.solve(game).values() == (1,)
