"""What commands say beside the value, in random games, and the questions that gave wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_verbs
from amounts import seed_rows
from command_line import run
from endsight import CHANCE, Game, short_rules
from endsight.errors import NoValue, QuestionError, RulesError, UsageError


@pytest.mark.parametrize("seeds", seed_rows(60, 5))
def test_random_games_under_random_questions(seeds: range, tmp_path: Path) -> None:
    tally: Counter = Counter()
    differences: list[str] = []
    for seed in seeds:
        fuzz_verbs.run_one(seed, tmp_path, tally, differences)
    assert not differences
    assert min(tally[verb.__name__] for verb in fuzz_verbs.VERBS) > len(seeds) / 3


class Passing(Game):
    """A heap of which one or two are taken; once somebody may pass."""

    players = 2

    class State(NamedTuple):
        heap: int
        passed: bool

    def limits(self) -> State:
        return self.State(5, True)

    def start(self) -> State:
        return self.State(5, False)

    def moves(self, state: State) -> Iterator[Any]:
        yield from range(1, 1 + min(2, state.heap))
        if state.heap == 2 and not state.passed:
            yield None

    def play(self, state: State, move: Any) -> State:
        return state._replace(passed=True) if move is None else state._replace(heap=state.heap - move)

    def payoff(self, state: State) -> int:
        return -1


@pytest.mark.parametrize("ask", [es.solve, es.fair, es.table, es.simulate, es.report, es.estimate, es.analyze])
def test_none_as_a_move_is_refused_by_every_answer(ask: Any) -> None:
    with pytest.raises(RulesError, match="moves yields None") as caught:
        ask(Passing())
    assert "'pass'" in str(caught.value)


@pytest.mark.parametrize("name", ["rps", "goofspiel:cards=2", "goofspiel:cards=3,prizes=falling", "morra:fingers=2"])
def test_players_at_once_who_cooperate_play_the_moves_they_agree_on(name: str) -> None:
    solution = es.solve(name, objective="cooperative")
    value = solution.value()["first"]
    assert solution.distribution().outcomes == {value: 1}
    assert es.simulate(name, objective="cooperative", games=20).counts == {value: 20}
    assert es.fair(name, objective="cooperative").win == 1
    with pytest.raises(QuestionError, match="each replies in their own interest"):
        es.exploit(name, "random", objective="cooperative")


def test_policies_of_cooperating_players_are_priced_for_the_first() -> None:
    first, second = es.exploit("tictactoe:width=3,height=2,line=3", "random", objective="cooperative").players
    own = es.solve("tictactoe:width=3,height=2,line=3", objective="cooperative", fixed={"second": "random"})
    assert second.value == 1
    assert second.brings == own.value()["first"] < 1
    assert second.gives_away == second.value - second.brings
    assert first.gives_away > 0


class Ties(Game):
    """The first player may leave the second one something, or all to the third, and does not care."""

    players = 3

    class State(NamedTuple):
        at: int

    def limits(self) -> State:
        return self.State(4)

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int:
        return 0 if state.at == 0 else CHANCE

    def moves(self, state: State) -> tuple[int, ...]:
        return {0: (1, 2), 1: (3, 4)}.get(state.at, ())

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> tuple[int, int, int]:
        return (0, 1, 4) if state.at == 2 else (0, 3, 0)


def test_a_report_of_three_plays_the_moves_of_its_values() -> None:
    found = es.report(Ties())
    assert [found.figures[f"value.value_{name}"] for name in ("second", "third")] == [3, 0]
    assert [found.figures[f"seats.share_{name}"] for name in ("second", "third")] == [1, 0]
    assert "only the first is made" in found.left_out["Useless moves"]


@pytest.mark.parametrize("option", [{"fixed": {0: "random"}}, {"utility": "win"}, {"method": "graph"}])
def test_a_report_takes_no_other_question(option: dict[str, Any]) -> None:
    with pytest.raises(QuestionError, match="takes no other question"):
        es.report("nim:heaps=1-2", **option)
    assert es.report("nim:heaps=1-2", engine="plain").figures["length.mean"] >= Fraction(1)


class Auction(Game):
    """Three bid at once; the highest bid that nobody shares wins, and else the third player does."""

    players = 3

    class State(NamedTuple):
        bids: tuple[int, int, int]

    def limits(self) -> State:
        return self.State((3, 3, 3))

    def start(self) -> State:
        return self.State((0, 0, 0))

    def to_move(self, state: State) -> Any:
        return 0 if any(state.bids) else (0, 1, 2)

    def moves(self, state: State) -> Any:
        return [] if any(state.bids) else list(product((1, 2, 3), repeat=3))

    def play(self, state: State, move: Any) -> State:
        return self.State(move)

    def payoff(self, state: State) -> tuple[int, int, int]:
        alone = [bid for bid in state.bids if state.bids.count(bid) == 1]
        winner = state.bids.index(max(alone)) if alone else 2
        return (int(winner == 0), int(winner == 1), int(winner == 2))


def test_the_ladder_of_three_at_once_counts_what_a_best_reply_wins() -> None:
    game = Auction()
    bids = list(product((1, 2, 3), repeat=2))
    shares = [
        max(
            Fraction(sum(game.payoff(game.State((*others[:seat], own, *others[seat:])))[seat] for others in bids), 9)
            for own in (1, 2, 3)
        )
        for seat in range(3)
    ]
    assert es.report(game).figures["ladder.random"] == sum(shares) / 3 == Fraction(13, 27)


def test_odd_arguments_are_refused_in_words() -> None:
    with pytest.raises(QuestionError, match="a player has two policies"):
        es.solve("nim:heaps=1-2", fixed={1: "random", "second": "best"})
    both = {"fixed": {0: "random", 1: "random"}, "games": 3}
    for wrong in ({"confidence": 0.5}, {"between": (-1.5, 1.5)}):
        with pytest.raises(UsageError, match="an exact number"):
            es.simulate("nim:heaps=1-2", **both, **wrong)
    with pytest.raises(QuestionError, match="players of rps go by what they see"):
        es.exploit("rps", "random", "rock-paper")


class Coin(Game):
    """The second player alone sees how a coin falls; the first guesses, and the second says for how much."""

    players = 2

    class State(NamedTuple):
        coin: int
        guess: int
        stake: int

    def limits(self) -> State:
        return self.State(2, 2, 2)

    def start(self) -> State:
        return self.State(0, 0, 0)

    def to_move(self, state: State) -> int:
        return int(bool(state.guess)) if state.coin else CHANCE

    def moves(self, state: State) -> tuple[int, ...]:
        return () if state.stake else (1, 2)

    def play(self, state: State, move: int) -> State:
        name = "coin" if not state.coin else "guess" if not state.guess else "stake"
        return state._replace(**{name: move})

    def payoff(self, state: State) -> tuple[int, int]:
        own = state.stake if state.coin == state.guess else -state.stake
        return (own, -own)

    def sees(self, state: State, player: int) -> Any:
        return (state.coin if player else 0, state.guess, state.stake, bool(state.coin))


def test_no_plan_goes_by_what_its_player_does_not_see() -> None:
    said = run("line", f"{__file__}:Coin").out
    assert "Players see different things or move at once, so play is a plan for each of them" in said
    assert "What to do for each outcome" not in said


class Rounds(Coin):
    """Both choose at once for a fee, again and again, until chance stops them."""

    class State(NamedTuple):
        at: int

    def limits(self) -> Any:
        return self.State(3)

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> Any:
        return (0, 1) if state.at == 0 else CHANCE if state.at == 1 else 0

    def moves(self, state: Any) -> Any:
        return (list(product((1, 2), (1, 2))), (0, 2), (), ())[state.at]

    def play(self, state: Any, move: Any) -> Any:
        return self.State(move) if state.at else self.State(1 if move[0] == move[1] else 3)

    def reward(self, state: Any, move: Any) -> Any:
        return (0, 0) if state.at else (-1, 1)

    def payoff(self, state: Any) -> tuple[int, int]:
        return (state.at, -state.at)

    sees = Game.sees


@pytest.mark.parametrize("utility", ["payoff", "win", "lead"])
def test_policies_on_loops_that_pay_are_refused_and_not_added_up_for_ever(utility: Any) -> None:
    with pytest.raises((NoValue, QuestionError)):
        es.exploit(Rounds(), "random", utility=utility, limits=es.Limits(states=1000))


class OneChoice(Game):
    """A single decision, between two moves."""

    class State(NamedTuple):
        at: int

    def limits(self) -> State:
        return self.State(2)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> tuple[int, ...]:
        return () if state.at else (1, 2)

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> int:
        return state.at


def test_one_decision_has_no_threshold() -> None:
    with pytest.raises(QuestionError, match="has no short rule"):
        short_rules(OneChoice())
