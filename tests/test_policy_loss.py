"""What policies give away, against the oracle's best play and best replies, position by position."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import endsight as es
from amounts import examples
from command_line import ask, exact, run
from endsight import CHANCE
from naive import Recursion
from strategies import chance_acyclic, stopping_loops
from test_schemas import validate
from thresholds import compile_small_games


def habit(salt: int) -> Any:
    """A policy without sense: some legal move, decided by the state's number."""

    def choose(game: es.Game, state: Any) -> Any:
        moves = list(game.moves(state))
        return moves[(state.number * 7 + salt) % len(moves)]

    return choose


def met_under(oracle: Recursion, player: int, policy: Any) -> list[Any]:
    """All nodes that the policy can lead to, nearest first."""
    nodes = [oracle.root()]
    for node in nodes:
        moves = oracle.legal(node)
        if moves and node[1] == player and policy is not None:
            moves = [policy(oracle.game, node[0])]
        nodes += [child for move in moves if (child := oracle.after(node, move)) not in nodes]
    return nodes


def given_away(oracle: Recursion, node: Any, player: int, policy: Any) -> Fraction:
    moves = oracle.legal(node) if policy is None else [policy(oracle.game, node[0])]
    after = [oracle.through(node, move)[player] for move in moves]
    return oracle.value_of(node)[player] - Fraction(sum(after)) / len(after)


@examples(150, 10, chance_acyclic(), st.integers(0, 5), st.sampled_from(["habit", "random"]))
def test_losses_and_worst_positions_are_those_of_the_oracle(game: Any, salt: int, kind: str) -> None:
    player = salt % game.player_count
    policy = habit(salt) if kind == "habit" else None
    best = Recursion(game)
    fixed = Recursion(game, fixed={player: "random" if policy is None else lambda state: policy(game, state)})
    found = es.policy_loss(game, player, policy or "random")
    assert found.loss == best.value()[player] - fixed.value()[player]
    assert found.value == fixed.value()
    regrets = [
        given_away(best, node, player, policy)
        for node in met_under(best, player, policy)
        if node[1] == player and best.legal(node)
    ]
    assert (found.worst.regret if found.worst else 0) == max(regrets, default=0)
    if found.worst:
        node = (found.worst.position.state, found.worst.position.mover, found.worst.position.so_far)
        assert game.position(found.worst.position.text).state == node[0]
        assert given_away(best, node, player, policy) == found.worst.regret
        assert found.worst.position.mover == player
        assert (found.worst.move is None) == (policy is None)


def test_one_player_loses_the_sum_of_what_single_decisions_give_away() -> None:
    """The performance difference (Kakade and Langford 2002, lemma 6.1), added up path by path."""
    game = es.games.PigTurn(sides=3, bust=1)

    def early(game: Any, state: Any) -> Any:
        hold = game.parse_move(state, "hold")
        return hold if hold is not None and state.total >= 3 else game.parse_move(state, "roll")

    best = es.solve(game)
    total = Fraction(0)
    ways = [(game.position(), Fraction(1))]
    for place, chance in ways:
        if place.is_over:
            continue
        if place.mover == CHANCE:
            moves = list(place.moves())
            ways += [(place.play(move), chance / len(moves)) for move in moves]
            continue
        then = place.play(early(game, place.state))
        total += chance * (best.value(place)["player"] - best.value(then)["player"])
        ways.append((then, chance))
    assert total > 0
    assert es.policy_loss(game, "player", early).loss == total


@examples(60, 8, stopping_loops(rewards=True), st.integers(0, 5), st.sampled_from(["habit", "random"]))
def test_loops_lose_the_difference_of_two_exact_values(game: Any, salt: int, kind: str) -> None:
    player = salt % game.player_count
    policy = habit(salt) if kind == "habit" else "random"
    best, bound = es.solve(game).values(), es.solve(game, fixed={player: policy}).values()
    found = es.policy_loss(game, player, policy)
    assert found.loss == best[player] - bound[player]
    assert found.loss >= 0


def hold_at_5(game: Any, state: Any) -> Any:
    moves = list(game.moves(state))
    return moves[-1] if state.pot >= 5 else moves[0]


@pytest.mark.parametrize("policy", [hold_at_5, "random"])
@pytest.mark.parametrize("player", [0, 1])
def test_bounds_on_arrays_hold_the_exact_answer(player: int, policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Pig(target=10)
    exactly = es.policy_loss(game, player, policy, "roll 2")
    compile_small_games(monkeypatch)
    bound = es.policy_loss(game, player, policy, "roll 2", interval=True)
    for ends, value in zip(bound.value, exactly.value, strict=True):
        assert value in ends
        assert 0 < ends.width < Fraction(1, 10**12)
    assert exactly.worst is not None
    assert bound.worst is not None
    assert exactly.worst.regret in bound.worst.regret
    assert len(bound.worst.position.history) == len(exactly.worst.position.history)
    assert bound.worst.position.mover == player


@pytest.mark.slow
def test_hold_at_20_to_100_is_worth_what_was_published() -> None:
    """47.76% for the first against best play: Neller and Presser, UMAP Journal 25 (2004)."""
    found = es.policy_loss(es.games.Pig(), "first", "hold20", interval=True)
    chance = [(end + 1) / 2 for end in (found.value[0].lower, found.value[0].upper)]
    assert chance[1] - chance[0] < Fraction(1, 10**13)
    assert Fraction(4776, 10_000) <= chance[0] <= chance[1] < Fraction(4777, 10_000)


def test_repeatbust_says_the_same_of_its_myopic_rule_in_two_ways() -> None:
    document = ask("analyze", "repeatbust", "--at", "7", "--policy", "player=myopic")
    validate(document)
    assert exact(document["loss"]) == exact(document["facts"]["myopic_loss"])
    assert exact(document["policy"]["value"]["player"]) == exact(document["facts"]["myopic_value"])
    worst = document["worst_position"]
    assert worst["state"] == "reward=35 last=7"
    assert worst["move"] == "stop"
    there = ask("analyze", "repeatbust", "--at", worst["position"])
    stop = next(move for move in there["moves"] if move["move"] == "stop")
    assert exact(stop["regret"]) == exact(worst["regret"])


def test_a_policy_that_loses_nothing_has_no_worst_position() -> None:
    document = ask("analyze", "nim:heaps=1", "--policy", "first=random")
    validate(document)
    assert exact(document["loss"]) == 0
    assert document["worst_position"] is None
    assert "none gives anything away" in run("analyze", "nim:heaps=1", "--policy", "first=random").out


def test_enclosed_losses_have_ends() -> None:
    document = ask("analyze", "pig:target=25", "--interval", "--policy", "first=hold20")
    validate(document)
    assert document["policy"]["value"] is None
    low, high = (exact(document["loss"][end]) for end in ("lower", "upper"))
    assert 0 < low <= high


def test_batches_price_a_policy_at_every_position() -> None:
    ending = run("analyze", "pots:4-9-2-7", "--at", "-", "--jsonl", "--policy", "first=bigger", stdin="\nR L\n")
    assert ending.code == 0
    assert ending.out.count('"worst_position"') == 2


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--policy", "third=random"], 2, "no player called 'third'"),
        (["--policy", "first=clever"], 2, "no policy called 'clever'"),
        (["--policy", "first"], 2, "does not say who plays how"),
        (["--fix", "first=random", "--policy", "first=random"], 2, "first is fixed already"),
        (["--policy", "first=missing.py:f"], 3, "missing.py"),
    ],
)
def test_what_cannot_be_asked(options: list[str], code: int, words: str, tmp_path: Path) -> None:
    ending = run("analyze", "tictactoe", *options)
    assert ending.code == code
    assert words in ending.err
    assert not ending.out
