"""Compiled proof-number search against the oracle: tiny tables, all payoffs, kernels as Python runs them."""

from __future__ import annotations

from dataclasses import fields

import pytest

import endsight as es
import naive
from endsight import CHANCE, Game, Limits, Position
from endsight.answers.searching import search
from endsight.compiler import proof_numbers
from endsight.compiler.kernels import proof_numbers as kernels
from endsight.compiler.proof_numbers import ProofNumbers
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.game.limits import Budget
from endsight.games.connectfour import ConnectFour
from ranges import as_range
from test_search_kernel import NODES, Decided, Halves, Plain, PlainRules, Rewarded, Tagged, Told, random_game

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
def test_values_agree_with_the_oracle(kind: type[Plain], buckets: int | None) -> None:
    for seed in range(40):
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


def test_numbers_that_grow_too_large_answer_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small number for what is shown, open questions reach it: they must not be taken for a no."""
    for module in (proof_numbers, kernels):
        monkeypatch.setattr(module, "NEVER", 4)
    refused = 0
    for seed in range(200):
        game = random_game(Decided, seed)
        try:
            found = proving(game, None, is_plain=True).search(game.position())
        except CannotCompile:
            refused += 1
        else:
            assert found == naive.Recursion(game).value()[0], seed
    assert 0 < refused < 200


def test_games_that_are_not_searched() -> None:
    """Loops are noticed, or the value is right all the same; chance and rewards are refused."""
    refused = 0
    for seed in range(60):
        game = random_game(Decided, seed, is_cyclic=True)
        found = proving(game, 2).found(game.position())
        refused += found is None
        assert found is None or found == naive.Sweeps(game).value(), seed
    assert refused > 5
    dice = random_game(ToldAlone, 1)
    object.__setattr__(dice, "movers", (CHANCE, *dice.movers[1:]))
    with pytest.raises(CannotCompile, match="dice or cards"):
        proving(dice).search(dice.position())
    with pytest.raises(CannotCompile, match="rewards"):
        proving(random_game(Rewarded, 1))
