"""Compiled proof-number search against the oracle: tiny tables, all payoffs, kernels as Python runs them."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import endsight as es
import naive
from amounts import seed_rows
from endsight import CHANCE, Game, Limits, Position
from endsight.games import ConnectFour
from interpreted import Refused
from kernel_runs import Search
from ranges import as_range
from test_search_kernel import (
    NODES,
    Decided,
    Halves,
    Plain,
    Rewarded,
    Tagged,
    Told,
    oracle,
    random_game,
)
from thresholds import numbers_grow_large_at_once, prove_in_turns, refuse_proofs

KINDS = (Plain, Decided, Told, Halves, Tagged)


class ToldAlone(Told):
    """The same without rewards."""

    reward = Game.reward


def kind_of(kind: type[Plain]) -> type[Plain]:
    return ToldAlone if kind is Told else kind


proving = partial(Search, by="proof numbers")
together = partial(Search, by="both")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("buckets", [1, 4, None])
@pytest.mark.parametrize("seeds", seed_rows(40, 5))
def test_values_agree_with_the_oracle(kind: type[Plain], buckets: int | None, seeds: range) -> None:
    for seed in seeds:
        game = random_game(kind_of(kind), seed)
        assert proving(game, buckets).values(game.position()) == naive.Recursion(game).value(), (kind, seed)


def test_one_player() -> None:
    for seed in range(40):
        game = random_game(Plain, seed, seats=1)
        assert proving(game).values(game.position()) == naive.Recursion(game).value(), seed


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_as_python_runs_them(kind: type[Plain]) -> None:
    for seed in range(3):
        game = random_game(kind_of(kind), seed)
        runs = [proving(game, 2, is_plain=is_plain) for is_plain in (False, True)]
        found = [(each.values(game.position()), each.left) for each in runs]
        assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seeds", seed_rows(10, 4))
def test_what_is_proven_on_the_way_is_so(kind: type[Plain], seeds: range) -> None:
    """Bounds of all positions that the tables know, and whether amounts are reached there."""
    known = 0
    for seed in seeds:
        game = random_game(kind_of(kind), seed)
        proofs = proving(game, 4)
        proofs.values(game.position())
        right = naive.Recursion(game)
        before = proofs.states
        for node in range(NODES):
            state = game.State(node) if len(game.State._fields) == 1 else game.State(node, game.tags[node], node % 2)
            for mover in [game.to_move(state)] if game.gives("to_move") else [0, 1]:
                position = Position(game, state, mover, (0, 0), ())
                value = right.value_of((state, mover, (0, 0)))
                ends = [as_range(each) for each in proofs.proven(position) or ()]
                known += any(each.lower == each.upper for each in ends)
                assert all(each.lower <= value[player] <= each.upper for player, each in enumerate(ends))
                for player in (0, 1):
                    assert [proofs.reaches(position, player, value[player] + add) for add in (0, 1)] == [True, False]
        assert proofs.states == before
    assert known


def test_positions_of_a_board_game_with_symmetry() -> None:
    game = ConnectFour(width=4, height=4)
    solution = es.solve(game, method="layers")
    for buckets in (1, 1 << 10):
        proofs = proving(game, buckets)
        for line in ("", "1", "2 3", "4 4 1", "2 2 2", "1 2 1 2 1", "1 2 1 2 1 2 1"):
            position = game.position(line)
            right = solution.value(position)
            assert proofs.values(position) == (right["first"], right["second"])


def test_what_a_stopped_run_has_proven_is_so() -> None:
    game = ConnectFour(width=4, height=4)
    right = {option.text: option.value for option in es.solve(game, method="layers").options()}
    for most in (1_000, 8_000, 20_000):
        with pytest.raises(es.LimitReached) as caught:
            es.solve(game, method="proofnumber", engine="compiled", limits=es.Limits(states=most))
        for move, (lower, upper) in caught.value.moves.items():
            values = zip(lower.values(), right[move], upper.values(), strict=True)
            assert all(low <= value <= high for low, value, high in values)


def test_the_command_takes_compiled_rules_and_python() -> None:
    for engine, path in (("plain", "proofnumber"), ("compiled", "proof numbers")):
        solution = es.solve("tictactoe", method="proofnumber", engine=engine)  # type: ignore[arg-type]
        assert solution.plan is not None
        assert (solution.method, solution.plan.path) == ("proof-number search", path)
        assert solution.value() == {"first": 0, "second": 0}


@pytest.mark.parametrize("name", ["tictactoe", "hexapawn:width=4,height=4", "dominoes:n=5", "chomp:width=4,height=4"])
def test_python_enters_the_positions_that_compiled_rules_enter(name: str) -> None:
    """Both run one text; without symmetry, and with room for everything, their tables know the same."""
    game = es.load(name)
    by_engine = [
        es.solve(game, method="proofnumber", engine=engine, symmetry=False) for engine in ("plain", "compiled")
    ]
    assert by_engine[0].facts()["nodes"] == by_engine[1].states


@pytest.mark.parametrize("seeds", seed_rows(200, 30))
def test_numbers_that_grow_too_large_answer_nothing(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small number for what is shown, open questions reach it: they must not be taken for a no."""
    numbers_grow_large_at_once(monkeypatch)
    refused = 0
    for seed in seeds:
        game = random_game(Decided, seed)
        try:
            found = proving(game, None, is_plain=True).value(game.position())
        except Refused:
            refused += 1
        else:
            assert found == naive.Recursion(game).value()[0], seed
    assert 0 < refused < len(seeds)


def test_games_that_are_not_searched() -> None:
    """Loops are noticed, or the value is right all the same; chance and rewards are refused."""
    refused = 0
    for seed in range(60):
        game = random_game(Decided, seed, is_cyclic=True)
        found = proving(game, 2).values(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 5
    dice = random_game.__wrapped__(ToldAlone, 1)
    object.__setattr__(dice, "movers", (CHANCE, *dice.movers[1:]))
    with pytest.raises(Refused, match="dice or cards"):
        proving(dice).value(dice.position())
    with pytest.raises(Refused, match="rewards"):
        proving(random_game(Rewarded, 1))


# -------------------------------------------------------------------- beside a search, in turns

SMALL = "connectfour:width=5,height=4"


@pytest.fixture
def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    prove_in_turns(monkeypatch)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("buckets", "threads"), [(1, 1), (4, 2), (None, 1)])
@pytest.mark.parametrize("seeds", seed_rows(20, 4))
@pytest.mark.usefixtures("in_turns")
def test_both_agree_with_the_oracle(seeds: range, kind: type[Plain], buckets: int | None, threads: int) -> None:
    for seed in seeds:
        game = random_game(kind_of(kind), seed)
        searcher, start = together(game, buckets, threads=threads), game.position()
        assert searcher.values(start) == oracle(game), (kind, seed)
        if searcher.states_of_proofs is not None:
            assert searcher.bounds_of_start(start) == (searcher.value(start),) * 2


@pytest.mark.parametrize(("share", "name"), [(Fraction(1000), "search"), (Fraction(1, 1000), "proof-number search")])
@pytest.mark.usefixtures("in_turns")
@pytest.mark.parametrize("seeds", seed_rows(40, 10))
def test_either_may_be_first(seeds: range, share: Fraction, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many positions of the search for one of the proof numbers."""
    prove_in_turns(monkeypatch, share)
    named = Counter[str]()
    for seed in seeds:
        game = random_game(Decided, seed)
        searcher = together(game)
        assert searcher.values(game.position()) == oracle(game), seed
        named[searcher.method] += searcher.states_of_proofs is not None
    assert named[name] > 0.8 * named.total() > len(seeds) / 4, named


@pytest.mark.usefixtures("in_turns")
def test_proof_numbers_get_less_when_they_have_tried_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    small = "connectfour:width=4,height=4"

    def entered(long: int) -> tuple[int, int]:
        """Positions of proof numbers, and of the search, until one of them has the value."""
        prove_in_turns(monkeypatch, most=long, turn=64)
        searcher = together(es.load(small))
        assert searcher.values(es.load(small).position()) == (0, 0)
        assert searcher.states_of_proofs is not None
        return searcher.states_of_proofs, searcher.states - searcher.states_of_proofs

    (proofs, search), (fewer, own) = entered(1 << 25), entered(200)
    assert fewer >= 200
    assert fewer / own < proofs / search / 2


@pytest.mark.usefixtures("in_turns")
@pytest.mark.parametrize("seeds", seed_rows(100, 40))
def test_each_may_answer_a_part(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one has proven is no question for the other."""
    prove_in_turns(monkeypatch, 1)
    named = Counter[str]()
    for seed in seeds:
        game = random_game(Decided, seed)
        searcher = together(game)
        assert searcher.values(game.position()) == oracle(game), seed
        named[searcher.method] += 1
    assert {*named} == {"search", "proof-number search", "search and proof-number search"}, named


@pytest.mark.usefixtures("in_turns")
def test_what_both_have_proven_on_the_way_is_so() -> None:
    """Bounds of all positions, and whether amounts are reached there."""
    known = 0
    for seed in range(10):
        game = random_game(Decided, seed)
        right, searcher = naive.Recursion(game), together(game, 4)
        searcher.values(game.position())
        for node in range(NODES):
            for mover in (0, 1):
                position = Position(game, game.State(node), mover, (0, 0), ())
                value = right.value_of((position.state, mover, (0, 0)))
                own = (value[mover], value[1 - mover])
                ends = [as_range(each) for each in searcher.proven(position) or ()]
                known += any(each.lower == each.upper for each in ends)
                assert all(each.lower <= own[at] <= each.upper for at, each in enumerate(ends))
                for player in (0, 1):
                    assert [searcher.reaches(position, player, value[player] + add) for add in (0, 1)] == [True, False]
    assert known


@pytest.mark.usefixtures("in_turns")
def test_proof_numbers_that_give_up_leave_the_search_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    game = random_game(Decided, 1)
    for at_first in (False, True):
        refuse_proofs(monkeypatch, at_first=at_first)
        searcher = together(game)
        assert (searcher.values(game.position()), searcher.method) == (oracle(game), "search")
        assert (searcher.states_of_proofs is None) == at_first


@pytest.mark.usefixtures("in_turns")
def test_loops_are_noticed_by_both() -> None:
    refused = 0
    for seed in range(40):
        game = random_game(Decided, seed, is_cyclic=True)
        found = together(game, 2).values(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 5


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("in_turns")
def test_limits_hold_for_both_together(threads: int) -> None:
    game = ConnectFour(width=5, height=4)
    for most in (500, 5_000, 20_000):
        searcher = together(game, None, threads=threads, states=most)
        with pytest.raises(es.LimitReached):
            searcher.value(game.position())
        assert searcher.states_of_proofs
        assert most <= searcher.states < most + 2_000


@pytest.mark.parametrize("share", [Fraction(1000), Fraction(1, 1000)])
@pytest.mark.usefixtures("in_turns")
def test_a_kept_search_goes_on(share: Fraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file holds the value, whoever has proven it."""
    prove_in_turns(monkeypatch, share)
    asked = partial(es.solve, SMALL, method="search", engine="compiled", keep=tmp_path / "file")
    with pytest.raises(es.LimitReached):
        asked(limits=Limits(states=5_000))
    for fewer_than in (10**7, 20):
        solution = asked()
        assert (solution.value(), solution.states < fewer_than) == ({"first": 0, "second": 0}, True)


@pytest.mark.usefixtures("in_turns")
def test_the_method_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever answered the position asked about first, and its proof is walked through."""
    right = es.solve(SMALL, method="layers").options()
    for share, name in ((Fraction(1000), "search"), (Fraction(1, 1000), "proof-number search")):
        prove_in_turns(monkeypatch, share)
        solution = es.solve(SMALL, method="search", engine="compiled")
        assert (solution.value(), solution.method) == ({"first": 0, "second": 0}, name)
        assert solution.source.audited > 20
        assert {each.text: each.value for each in solution.options()} == {each.text: each.value for each in right}
        assert solution.method == name


class Ordered(Decided):
    """An order that compares thirds, where payoffs are whole."""

    def order(self, state: Any, move: int) -> int:
        return 1 if Fraction(move, 3) > Fraction(1, 2) else 0


@pytest.mark.usefixtures("in_turns")
def test_both_count_in_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    prove_in_turns(monkeypatch, Fraction(1, 1000))
    for seed in range(5):
        game = random_game(Ordered, seed)
        assert es.solve(game, method="search", engine="compiled").values() == oracle(game)


@pytest.mark.usefixtures("in_turns")
def test_rules_with_rewards_are_searched_alone() -> None:
    game = random_game(Rewarded, 1)
    solution = es.solve(game, method="search", engine="compiled")
    assert (solution.method, solution.values()) == ("search", oracle(game))
