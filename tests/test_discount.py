"""Rules with a discount: values of the textbooks, two players, what is refused, and random games against an oracle."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import endsight as es
import fuzz_judgement
import naive
from amounts import seed_rows
from command_line import run
from endsight import CHANCE, Game, check_rules, open_tablebase, short_rules
from endsight.errors import NoValue, QuestionError, RulesError
from strategies import GraphGame, MoverGraph, MoverRewards

NINE_TENTHS = Fraction(9, 10)
FOREST = Path(__file__).parents[1] / "benchmarks" / "rules" / "forest.py"


class Machine(Game):
    """Puterman, *Markov Decision Processes* (1994), section 3.1: two states, as in QuantEcon's tests of its solvers."""

    players = 1
    place: int = 0
    discount = Fraction(19, 20)

    class State(NamedTuple):
        place: int
        slips: bool

    def limits(self) -> State:
        return self.State(1, True)

    def start(self) -> State:
        return self.State(self.place, False)

    def to_move(self, state: State) -> int:
        return CHANCE if state.slips else 0

    def moves(self, state: State) -> Iterator[str]:
        if state.slips:
            yield from ("stays", "goes")
        elif state.place == 0:
            yield from ("a", "b")
        else:
            yield "c"

    def weight(self, state: State, move: str) -> int:
        return 1

    def play(self, state: State, move: str) -> State:
        if state.slips:
            return self.State(int(move == "goes"), False)
        return self.State(0, True) if move == "a" else self.State(1, False)

    def reward(self, state: State, move: str) -> int:
        return {"a": 5, "b": 10, "c": -1}.get(move, 0)

    def payoff(self, state: State) -> int:
        return 0


@pytest.mark.parametrize(("age", "value"), [(0, 6561), (1, 7371), (2, 8371)])
def test_the_forest_is_worth_what_pymdptoolbox_says(age: int, value: int) -> None:
    said = run("value", f"{FOREST}:age={age}", "--json")
    assert said.code == 0
    document = json.loads(said.out)
    assert document["value"]["player"]["exact"] == f"{value}/250"
    assert document["facts"]["discount"]["exact"] == "9/10"


@pytest.mark.parametrize(("place", "value"), [(0, Fraction(-60, 7)), (1, -20)])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_the_example_of_puterman_is_exact(place: int, value: Any, engine: Any) -> None:
    assert es.solve(Machine(place), engine=engine).values() == (value,)


def test_pymdptoolbox_and_quantecon_find_the_same_where_they_are_installed() -> None:
    """The forest of ages 0 to 2, and Puterman's two states, each by the other's policy iteration in floats."""
    toolbox, example = pytest.importorskip("mdptoolbox.mdp"), pytest.importorskip("mdptoolbox.example")
    forest = toolbox.PolicyIteration(*example.forest(), 0.9)
    forest.run()
    ours = [es.solve(f"{FOREST}:age={age}").values()[0] for age in range(3)]
    assert pytest.approx(list(map(float, ours)), abs=1e-9) == forest.V
    process = pytest.importorskip("quantecon").markov.DiscreteDP(
        np.array([[5, 10], [-1, -np.inf]]), np.array([[[0.5, 0.5], [0, 1]], [[0, 1], [0.5, 0.5]]]), 0.95
    )
    theirs = process.solve(method="policy_iteration").v
    assert theirs == pytest.approx([float(es.solve(Machine(place)).values()[0]) for place in (0, 1)], abs=1e-9)


class Circle(Game):
    """Every move pays 1; nothing ends."""

    players = 1
    discount: Any = Fraction(3, 4)

    class State(NamedTuple):
        place: int

    def limits(self) -> State:
        return self.State(2)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Iterator[int]:
        yield from (1, 2)

    def play(self, state: State, move: int) -> State:
        return self.State((state.place + move) % 3)

    def reward(self, state: State, move: int) -> int:
        return 1

    def payoff(self, state: State) -> int:
        return 0


def test_play_that_never_ends_has_a_geometric_sum() -> None:
    solution = es.solve(Circle())
    assert solution.values() == (4,)
    assert [option.value for option in solution.options()] == [(4,), (4,)]
    position = Circle().position("1 1 2")
    assert position.so_far == (0,)
    assert solution.values(position) == (4,), "values count from the position on"


def test_chance_does_not_discount() -> None:
    dice = MoverRewards(
        ((1, 2), (0,), ()), ((0,),) * 3, 1, (0, CHANCE, 0), ((1, 1), (1,), ()), (((1,), (0,)), ((3,),), ())
    )
    dice.discount = Fraction(1, 2)
    # x = 1 + (3 + x) / 2
    assert es.solve(dice).values() == (5,)


def test_chance_that_goes_round_for_nothing_keeps_what_was_paid_before() -> None:
    game = fuzz_judgement.DiscountedMoverRewards(
        successors=((1,), (1,)),
        payoffs=((0, 0),) * 2,
        movers=(CHANCE, CHANCE),
        weights=((1,), (1,)),
        rewards=(((2, -2),), ((0, 0),)),
        counted=(99, 100),
    )
    assert es.solve(game).values() == naive.Discounted(game).value() == (2, -2)


def test_two_players_who_are_opposed_have_one_value() -> None:
    game = fuzz_judgement.DiscountedRewards(
        ((1, 2), (0, 2), ()), ((0, 0), (0, 0), (1, -1)), 2, (((1, -1), (0, 0)), ((-2, 2), (0, 0)), ()), counted=(1, 2)
    )
    solution = es.solve(game)
    # x = max(1 + y / 2, 1 / 2), y = min(-2 + x / 2, 1 / 2) seen by the first player
    assert solution.values() == (Fraction(0) + Fraction(1, 2), Fraction(-1, 2))
    assert solution.notion is None


def test_sums_that_are_constant_only_without_a_discount_are_told_as_an_equilibrium() -> None:
    game = MoverGraph(((1, 3), (2, 4), (), (), ()), ((0, 1),) * 3 + ((1, 0), (1, 0)), 2, (0, 1, 0, 0, 0), ((1, 1),) * 5)
    assert es.solve(game).notion is None
    game.discount = NINE_TENTHS
    assert es.solve(game).notion == "subgame-perfect equilibrium, each player taking the first of their best moves"


# ---------------------------------------------------------------------- what is refused


@pytest.mark.parametrize("discount", [0, -1, 2, 0.9, "1/2"])
def test_what_is_no_discount_is_refused(discount: Any) -> None:
    game = Circle()
    game.discount = discount
    with pytest.raises(RulesError, match="discount is not a factor"):
        es.solve(game)


@pytest.mark.parametrize("method", ["minimax", "alphabeta", "proofnumber", "search", "layers"])
def test_methods_that_count_everything_fully_are_refused(method: Any) -> None:
    with pytest.raises(QuestionError, match="does not allow a discount"):
        es.solve(Machine(), method=method)


@pytest.mark.parametrize(
    "ask",
    [
        lambda solution: solution.distribution(),
        lambda solution: solution.length_distribution(),
        lambda solution: es.fair(solution.game),
        lambda solution: es.prove(solution),
        lambda solution: es.review(solution, "a goes"),
        lambda solution: es.simulate(solution.game, games=10),
        lambda solution: short_rules(solution.game),
    ],
)
def test_what_adds_up_play_is_refused(ask: Any) -> None:
    with pytest.raises(QuestionError, match="does not allow a discount"):
        ask(es.solve(Machine()))


@pytest.mark.parametrize("command", ["dist", "dist --length", "fair", "simulate", "prove", "play", "review"])
def test_commands_refuse_in_one_message(command: str, tmp_path: Path) -> None:
    more = {"prove": ("-o", str(tmp_path / "x")), "review": ("wait grows",)}.get(command, ())
    name, *options = command.split()
    said = run(name, str(FOREST), *options, *more)
    assert said.code == 2
    assert "does not allow a discount, and Forest has one" in said.err


def test_comparing_utilities_are_refused() -> None:
    game = GraphGame(((1, 1), ()), ((1, -1),) * 2, 2)
    game.discount = NINE_TENTHS
    for utility in ("win", "lead"):
        with pytest.raises(QuestionError, match=f"the utility '{utility}' does not allow a discount"):
            es.solve(game, utility=utility)


def test_chance_alone_that_pays_for_ever_is_refused() -> None:
    game = MoverRewards(((0, 0),), ((0,),), 1, (CHANCE,), ((1, 1),), (((1,), (2,)),))
    game.discount = NINE_TENTHS
    with pytest.raises(NoValue, match="total is infinite"):
        es.solve(game)


class Fading(es.games.Kuhn):
    """Kuhn poker in which later moves count less."""

    discount = Fraction(1, 2)


@pytest.mark.parametrize("fixed", [{}, {"first": "random"}])
def test_the_discount_is_named_where_players_see_different_things(fixed: dict[str, str]) -> None:
    """Policies for all players but one were said to be allowed where exactly these were given."""
    with pytest.raises(QuestionError, match="discount = 1/2") as refused:
        es.solve(Fading(), fixed=fixed)
    assert "rules without discount" in str(refused.value)
    both = es.solve(Fading(), fixed={"first": "random", "second": "random"})
    assert both.value() == {"first": Fraction(3, 64), "second": Fraction(-3, 64)}


def test_no_certificate_is_accepted_of_rules_that_discount(tmp_path: Path) -> None:
    rules, file = tmp_path / "rules.py", tmp_path / "x.cert"
    text = FOREST.read_text(encoding="utf-8")
    # Old forests are sold, so that play without a discount is worth something finite.
    ending = text.replace("        else:\n", "        elif state.age < 2:\n").replace("state.age if move", "0 if move")
    rules.write_text(ending.replace("    discount = Fraction(9, 10)\n", ""), encoding="utf-8")
    assert run("prove", f"{rules}:Forest", "-o", str(file)).code == 0
    assert run("verify", str(file), f"{rules}:Forest").code == 0
    rules.write_text(ending, encoding="utf-8")
    proven = file.read_text(encoding="utf-8")
    hash_of_these = re.findall("[0-9a-f]{64}", run("verify", str(file), f"{rules}:Forest").err)[0]
    file.write_text(re.sub("[0-9a-f]{64}", hash_of_these, proven))
    said = run("verify", str(file), f"{rules}:Forest")
    assert said.code == 3
    assert "rules that discount have no certificates" in said.err


# ---------------------------------------------------------------------- what is told


def test_answers_say_that_rules_discount() -> None:
    said = run("analyze", str(FOREST))
    told = "Everything after a move of a player counts 9/10 times as much"
    assert f"{told}; values count from this position on." in " ".join(said.out.split())
    assert f"{told}." in " ".join(run("games", str(FOREST)).out.split())
    report = check_rules(Machine())
    assert report.facts["discount"] == Fraction(19, 20)
    assert not report.warnings
    assert report.value is not None
    assert report.value.reason is None
    assert json.loads(run("games", "pig", "--json").out)["discount"] is None


_PAID_BY_CHANCE = """
from fractions import Fraction
from typing import NamedTuple
from endsight.game import CHANCE, Game

class Paid(Game):
    discount = Fraction(1, 2)
    class State(NamedTuple): at: int
    def limits(self): return self.State(4)
    def start(self): return self.State(0)
    def to_move(self, state): return CHANCE if state.at == 1 else 0
    def moves(self, state): return {0: (1,), 1: (2, 3), 2: (4,), 3: (4,)}.get(state.at, ())
    def play(self, state, move): return self.State(move)
    def reward(self, state, move): return -move if state.at == 1 else 8
    def payoff(self, state): return 4
"""


def test_a_plan_counts_what_an_outcome_of_chance_pays(tmp_path: Path) -> None:
    """As `analyze` does there, so that the outcomes are worth on average what the answer says above them."""
    (tmp_path / "paid.py").write_text(_PAID_BY_CHANCE)
    told = run("line", f"{tmp_path}/paid.py:Paid", "--at", "1").out
    assert re.search(r"Expected, with best play: 15/2", told)
    assert re.search(r"^  2 +50 % .* 8(\.00)?$", told, re.MULTILINE), told
    assert re.search(r"^  3 +50 % .* 7(\.00)?$", told, re.MULTILINE), told


def test_a_solution_is_stored_under_its_discount(tmp_path: Path) -> None:
    game = Circle()
    es.save(es.solve(game), tmp_path / "kept")
    assert open_tablebase(tmp_path / "kept", game).value() == {"player": 4}
    game.discount = Fraction(1, 2)
    with pytest.raises(es.EndsightError):
        open_tablebase(tmp_path / "kept", game)


def test_what_is_proven_of_payoffs_holds_of_endless_play() -> None:
    class Waits(Circle):
        """Nothing ends, and that pays 5; whatever ended would pay 1."""

        players = 1
        discount = 1
        endless = 5
        reward = Game.reward

        def payoff(self, state: Any) -> int:
            return 1

    for engine in ("plain", "compiled"):
        solution = es.solve(Waits(), engine=engine)
        assert (solution.values(), solution.category()) == ((5,), "value")


def test_proven_ends_pass_the_audit() -> None:
    for engine in ("plain", "compiled"):
        solution = es.solve(Machine(), engine=engine, interval=True)
        assert Fraction(-60, 7) in solution.values()[0]
        assert solution.source.refusal is None
        assert solution.source.audited == (3 if engine == "compiled" else 0)


# ---------------------------------------------------------------------- random games


@pytest.mark.parametrize("seeds", seed_rows(150, 20, 40_001))
def test_random_games_agree_with_the_oracle(seeds: range) -> None:
    _, wrong = fuzz_judgement.run(seeds, compiled=20, kind="discount")
    assert wrong == []
