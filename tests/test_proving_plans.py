"""From solved plans to certificates: what is found of games with hidden information is what the verifier accepts."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

import pytest

import endsight as es
from amounts import seeds
from command_line import run
from endsight import Certificate, Game
from hidden_games import Hidden
from hidden_plans import Tree, hidden_value, random_tree, starts_subgame, subtree


def proven(game: Game, at: str = "") -> Certificate:
    """A certificate of the solved game, once around through its text."""
    return Certificate.from_text(es.prove(es.solve(game, at)).to_text())


@pytest.mark.parametrize(
    "name",
    [
        "kuhn",
        "kuhn:cards=5",
        "leduc",
        "liarsdice:sides=3",
        "battleship:squares=3,shots=2",
        "phantomtictactoe:width=2,height=2",
        "goofspiel:cards=3",
    ],
)
def test_equilibria_of_built_in_games_are_proven(name: str) -> None:
    made, value = proven(es.load(name)), es.solve(name).value()["first"]
    assert made.claim.value["first"] == (value, value)
    assert es.verify(made)


@pytest.mark.parametrize("seed", seeds(20, 4))
def test_equilibria_of_random_games_are_proven(seed: int) -> None:
    game = Hidden(seed=seed, depth=4 + seed % 3, together=seed % 2 == 0, gains=seed % 3 == 0)
    made, value = proven(game), es.solve(game).value()["first"]
    assert made.claim.value["first"] == (value, value)
    assert es.verify(made, Hidden)


def test_less_is_claimed_where_plans_prove_less() -> None:
    """Plans that mix evenly, in the place of those that were solved: the checker says what they prove."""
    made: Any = proven(es.load("kuhn"))
    value = made.claim.value["first"][0]
    plans = {"first": (2, 2, 1, 1) * 3, "second": (2, 2) * 6}
    even = {name: replace(getattr(made.evidence, name), total=4, masses=masses) for name, masses in plans.items()}
    unclaimed = replace(made, evidence=replace(made.evidence, **even))
    with pytest.raises(es.Wrong, match="the value of first is not as claimed"):
        es.verify(unclaimed)
    wide = {"first": (value - 1, value + 1), "second": (-value - 1, -value + 1)}
    assert es.verify(replace(unclaimed, claim=replace(made.claim, value=wide)))


@pytest.mark.parametrize("seed", seeds(25, 4))
def test_what_starts_a_subgame_is_proven_and_nothing_else(seed: int) -> None:
    """At every position of random trees, against the tree below it as a game of its own."""
    tree = random_tree(Random(seed), depth=3)
    places, met = [tree.position()], set()
    for place in places:
        places += [place.play(move) for move in place.moves()]
        is_own = starts_subgame(tree, place.state.node)
        met.add(is_own)
        if not is_own:
            with pytest.raises(es.QuestionError, match="starts no subgame"):
                proven(tree, at=place.text)
            continue
        made = proven(tree, at=place.text)
        lower = upper = hidden_value(subtree(tree, place.state.node, place.so_far), "payoff")[0]
        assert made.claim.value["first"] == (lower, upper)
        assert es.verify(made, Tree)
        second = made.claim.value["second"]
        for shift in (Fraction(1, 10**30), -Fraction(1, 10**30)):
            value = {"first": (lower + shift, upper + shift), "second": second}
            with pytest.raises(es.Wrong, match="the value of first is not as claimed"):
                es.verify(replace(made, claim=replace(made.claim, value=value)), Tree)


def test_random_trees_have_positions_of_both_kinds() -> None:
    kinds = set()
    for seed in range(25):
        tree = random_tree(Random(seed), depth=3)
        kinds |= {(starts_subgame(tree, node), bool(tree.edges[node])) for node in range(1, len(tree.edges))}
    assert {(True, True), (False, True)} <= kinds


def test_a_second_round_is_proven_by_itself(tmp_path: Path) -> None:
    """Both hands are shown after a round, so that a game begins there; within a round none does."""
    file, rules = str(tmp_path / "rounds.cert"), f"{Path(__file__).with_name('hidden_games.py')}:Rounds"
    said = run("prove", rules, "--at", "1 2", "-o", file)
    assert said.code == 0, said.err
    assert "after '1 2': first secures 1, second secures -1" in " ".join(said.out.split())
    said = run("verify", file, rules)
    assert said.code == 0, said.err
    assert "plans: 4 ends, 1 and 1 information sets" in said.out
    said = run("prove", rules, "--at", "1", "-o", file)
    assert (said.code, "starts no subgame" in said.err) == (2, True)


@pytest.mark.parametrize("options", [(), ("--utility", "lead")])
def test_by_the_command_line(tmp_path: Path, options: tuple[str, ...]) -> None:
    file = str(tmp_path / "kuhn.cert")
    said = run("prove", "kuhn", *options, "-o", file)
    assert said.code == 0, said.err
    assert len(Path(file).read_bytes()) < 1000
    said = run("verify", file)
    assert said.code == 0, said.err
    assert "; every player sees what `sees` gives" in " ".join(said.out.split())


@pytest.mark.parametrize("options", [("--at", "1 2 bet"), ("--dist", "first")])
def test_what_has_no_certificate_says_so(tmp_path: Path, options: tuple[str, ...]) -> None:
    said = run("prove", "kuhn", *options, "-o", str(tmp_path / "kuhn.cert"))
    assert said.code == 2
    assert "certificate" in said.err


def test_python_proves_the_same() -> None:
    certificate = es.prove(es.solve("leduc"))
    assert es.verify(certificate)
    value = es.solve("leduc").value()["first"]
    assert certificate.claim.value["first"] == (value, value)
