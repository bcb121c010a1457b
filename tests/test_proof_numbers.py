"""Compiled proof-number search against the oracle: tiny tables, all payoffs, kernels as Python runs them."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import endsight as es
import naive
from amounts import seed_rows
from endsight import CHANCE, Game, Limits, Position
from endsight.answers.searching import search
from endsight.compiler import proof_numbers, searching
from endsight.compiler.kernels import proof_numbers as kernels
from endsight.compiler.proof_numbers import ProofNumbers
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.compiler.searching import Searcher
from endsight.game.limits import Budget
from endsight.games.connectfour import ConnectFour
from ranges import as_range
from test_search_kernel import (
    NODES,
    Decided,
    Halves,
    Plain,
    PlainRules,
    Rewarded,
    Tagged,
    Told,
    oracle,
    random_game,
    searcher_of,
)

KINDS = (Plain, Decided, Told, Halves, Tagged)


class ToldAlone(Told):
    """The same without rewards."""

    reward = Game.reward


def kind_of(kind: type[Plain]) -> type[Plain]:
    return ToldAlone if kind is Told else kind


def proving(game: Game, buckets: int | None = 1, *, is_plain: bool = False, states: int | None = None) -> ProofNumbers:
    """Proof numbers of the game with so many buckets at the most."""
    rules = CompiledRules.of(game, symmetry=True, tracks_mover=not game.gives("to_move") and game.player_count == 2)
    if is_plain:
        rules = PlainRules(**{each.name: getattr(rules, each.name) for each in fields(rules)})
    return ProofNumbers(rules, Budget(Limits(states=states)), buckets)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("buckets", [1, 4, None])
@pytest.mark.parametrize("seeds", seed_rows(40, 10))
def test_values_agree_with_the_oracle(kind: type[Plain], buckets: int | None, seeds: range) -> None:
    for seed in seeds:
        game = random_game(kind_of(kind), seed)
        assert proving(game, buckets).found(game.position()) == naive.Recursion(game).value(), (kind, seed)


def test_one_player() -> None:
    for seed in range(40):
        game = random_game(Plain, seed, seats=1)
        assert proving(game).found(game.position()) == naive.Recursion(game).value(), seed


@pytest.mark.parametrize("kind", KINDS)
def test_kernels_as_python_runs_them(kind: type[Plain]) -> None:
    for seed in range(3):
        game = random_game(kind_of(kind), seed)
        runs = [proving(game, 2, is_plain=is_plain) for is_plain in (False, True)]
        found = [(each.found(game.position()), each.run.counters[:8].tolist()) for each in runs]
        assert found[0] == found[1]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_proven_on_the_way_is_so(kind: type[Plain]) -> None:
    """Bounds of all positions that the tables know, and whether amounts are reached there."""
    known = 0
    for seed in range(10):
        game = random_game(kind_of(kind), seed)
        proofs = proving(game, 4)
        proofs.found(game.position())
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
            assert proofs.found(position) == (right["first"], right["second"])


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
    rules = CompiledRules.of(game, symmetry=False, tracks_mover=not game.gives("to_move"))
    compiled = ProofNumbers(rules, Budget())
    compiled.search(game.position())
    plain = search(game, game.position(), method="proofnumber", symmetry=False)
    assert plain.facts(game.position()) == {"nodes": compiled.states}


@pytest.mark.parametrize("seeds", seed_rows(200, 30))
def test_numbers_that_grow_too_large_answer_nothing(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small number for what is shown, open questions reach it: they must not be taken for a no."""
    for module in (proof_numbers, kernels):
        monkeypatch.setattr(module, "NEVER", 4)
    refused = 0
    for seed in seeds:
        game = random_game(Decided, seed)
        try:
            found = proving(game, None, is_plain=True).search(game.position())
        except CannotCompile:
            refused += 1
        else:
            assert found == naive.Recursion(game).value()[0], seed
    assert 0 < refused < len(seeds)


def test_games_that_are_not_searched() -> None:
    """Loops are noticed, or the value is right all the same; chance and rewards are refused."""
    refused = 0
    for seed in range(60):
        game = random_game(Decided, seed, is_cyclic=True)
        found = proving(game, 2).found(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 5
    dice = random_game.__wrapped__(ToldAlone, 1)
    object.__setattr__(dice, "movers", (CHANCE, *dice.movers[1:]))
    with pytest.raises(CannotCompile, match="dice or cards"):
        proving(dice).search(dice.position())
    with pytest.raises(CannotCompile, match="rewards"):
        proving(random_game(Rewarded, 1))


# -------------------------------------------------------------------- beside a search, in turns

SMALL = "connectfour:width=5,height=4"


@pytest.fixture
def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turns of a few positions, nobody is alone for long."""
    for name, number in (("_ALONE", 1), ("PROOFS_AFTER", 0), ("_STRIDE", 8), ("_ROUND", 4)):
        monkeypatch.setattr(searching, name, number)


def both(game: Game, buckets: int | None = 1, threads: int = 1) -> Searcher:
    """A search of the game beside which proof numbers run."""
    searcher = searcher_of(game, buckets, threads=threads)
    searcher.prover = lambda most: proving(game, min(most, buckets or most))
    return searcher


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("buckets", "threads"), [(1, 1), (4, 2), (None, 1)])
@pytest.mark.parametrize("seeds", seed_rows(20, 8))
@pytest.mark.usefixtures("in_turns")
def test_both_agree_with_the_oracle(seeds: range, kind: type[Plain], buckets: int | None, threads: int) -> None:
    for seed in seeds:
        game = random_game(kind_of(kind), seed)
        searcher, start = both(game, buckets, threads), game.position()
        assert searcher.found(start) == oracle(game), (kind, seed)
        if searcher.proofs is not None:
            low, high = searcher.table.find(searcher.rules.root_key(start.state, start.mover))
            assert low == high == searcher.search(start)


@pytest.mark.parametrize(("share", "name"), [(Fraction(1000), "search"), (Fraction(1, 1000), "proof-number search")])
@pytest.mark.usefixtures("in_turns")
@pytest.mark.parametrize("seeds", seed_rows(40, 20))
def test_either_may_be_first(seeds: range, share: Fraction, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """So many positions of the search for one of the proof numbers."""
    monkeypatch.setattr(searching, "_SHARE", share)
    named = Counter[str]()
    for seed in seeds:
        game = random_game(Decided, seed)
        searcher = both(game)
        assert searcher.found(game.position()) == oracle(game), seed
        named[searcher.method] += searcher.proofs is not None
    assert named[name] > 0.8 * named.total() > len(seeds) / 4, named


@pytest.mark.usefixtures("in_turns")
def test_proof_numbers_get_less_when_they_have_tried_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    small = "connectfour:width=4,height=4"

    def entered(long: int) -> tuple[int, int]:
        """Positions of proof numbers, and of the search, until one of them has the value."""
        monkeypatch.setattr(searching, "_LONG", long)
        searcher = both(es.load(small))
        assert searcher.found(es.load(small).position()) == (0, 0)
        assert searcher.proofs is not None
        return searcher.proofs.states, searcher.states - searcher.proofs.states

    (proofs, search), (fewer, own) = entered(1 << 25), entered(200)
    assert fewer >= 200
    assert fewer / own < proofs / search / 2


@pytest.mark.usefixtures("in_turns")
@pytest.mark.parametrize("seeds", seed_rows(100, 40))
def test_each_may_answer_a_part(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """What one has proven is no question for the other."""
    monkeypatch.setattr(searching, "_SHARE", 1)
    named = Counter[str]()
    for seed in seeds:
        game = random_game(Decided, seed)
        searcher = both(game)
        assert searcher.found(game.position()) == oracle(game), seed
        named[searcher.method] += 1
    assert {*named} == {"search", "proof-number search", "search and proof-number search"}, named


@pytest.mark.usefixtures("in_turns")
def test_what_both_have_proven_on_the_way_is_so() -> None:
    """Bounds of all positions, and whether amounts are reached there."""
    known = 0
    for seed in range(10):
        game = random_game(Decided, seed)
        right, searcher = naive.Recursion(game), both(game, 4)
        searcher.found(game.position())
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
    def refused(*_: object) -> ProofNumbers:
        raise CannotCompile("they cannot")

    game = random_game(Decided, 1)
    searcher = both(game)
    searcher.prover = refused
    assert (searcher.found(game.position()), searcher.proofs) == (oracle(game), None)
    monkeypatch.setattr(ProofNumbers, "go_on", refused)
    searcher = both(game)
    assert (searcher.found(game.position()), searcher.method) == (oracle(game), "search")


@pytest.mark.usefixtures("in_turns")
def test_loops_are_noticed_by_both() -> None:
    refused = 0
    for seed in range(40):
        game = random_game(Decided, seed, is_cyclic=True)
        found = both(game, 2).found(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 5


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.usefixtures("in_turns")
def test_limits_hold_for_both_together(threads: int) -> None:
    game = ConnectFour(width=5, height=4)
    for most in (500, 5_000, 20_000):
        searcher = both(game, None, threads)
        searcher.budget = Budget(Limits(states=most, threads=threads))
        with pytest.raises(es.LimitReached):
            searcher.search(game.position())
        assert searcher.proofs is not None
        assert searcher.proofs is not None
        assert searcher.proofs.states > 0
        assert most <= searcher.states < most + 2_000


@pytest.mark.parametrize("share", [Fraction(1000), Fraction(1, 1000)])
@pytest.mark.usefixtures("in_turns")
def test_a_kept_search_goes_on(share: Fraction, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file holds the value, whoever has proven it."""
    monkeypatch.setattr(searching, "_SHARE", share)
    asked = partial(es.solve, SMALL, method="search", engine="compiled", keep=tmp_path / "file")
    with pytest.raises(es.LimitReached):
        asked(limits=Limits(states=5_000))
    for fewer_than in (10**7, 20):
        solution = asked()
        assert (solution.value(), solution.states < fewer_than) == ({"first": 0, "second": 0}, True)


@pytest.mark.usefixtures("in_turns")
def test_the_method_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """By whoever answered the position asked about first, and its proof is walked through."""
    for share, name in ((Fraction(1000), "search"), (Fraction(1, 1000), "proof-number search")):
        monkeypatch.setattr(searching, "_SHARE", share)
        solution = es.solve(SMALL, method="search", engine="compiled")
        assert (solution.value(), solution.method) == ({"first": 0, "second": 0}, name)
        assert solution.source.audited > 20
        right = es.solve(SMALL, method="layers")
        assert {each.text: each.value for each in solution.options()} == {
            each.text: each.value for each in right.options()
        }
        assert solution.method == name


class Ordered(Decided):
    """An order that compares thirds, where payoffs are whole."""

    def order(self, state: Any, move: int) -> int:
        return 1 if Fraction(move, 3) > Fraction(1, 2) else 0


@pytest.mark.usefixtures("in_turns")
def test_both_count_in_the_same_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(searching, "_SHARE", Fraction(1, 1000))
    for seed in range(5):
        game = random_game(Ordered, seed)
        assert es.solve(game, method="search", engine="compiled").values() == oracle(game)


@pytest.mark.usefixtures("in_turns")
def test_rules_with_rewards_are_searched_alone() -> None:
    game = random_game(Rewarded, 1)
    solution = es.solve(game, method="search", engine="compiled")
    assert (solution.method, solution.source.searcher.prover) == ("search", None)  # type: ignore[attr-defined]
