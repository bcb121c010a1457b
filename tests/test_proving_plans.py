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
from endsight.algorithms.best_reply import Plan, plan_certificates
from endsight.algorithms.equilibrium import equilibrium
from endsight.algorithms.information_sets import information_sets
from endsight.game.numbers import between
from endsight.proof.planned import planned
from endsight.proof.writing import certificate_text
from endsight.verifier import SCHEMA
from endsight.verifier.rules import rules_hash
from endsight.verifier.walk import View
from hidden_games import Hidden
from hidden_plans import Tree, hidden_value, random_tree, starts_subgame, subtree
from verifier_cases import claim


def proven(game: Game, plans: tuple[Plan, Plan] | None = None, at: str = "") -> tuple[Certificate, Fraction, Fraction]:
    """A certificate of the solved game, or of its value by other plans, once around through its text."""
    sets = information_sets(game, start=game.position(at))
    found = equilibrium(sets)
    values = between(found.lower, found.upper), between(sets.constant - found.upper, sets.constant - found.lower)
    told, evidence = planned(
        View(game, claim({}, position=at), {}), plan_certificates(sets, plans or found.plans), values
    )
    about: Any = {"text": "", "class": type(game).__name__, "own": game.title() not in es.games.BUILT_IN}
    about |= {"parameters": game.values(), "rules": rules_hash(type(game))}
    made = Certificate(SCHEMA, "", about, told, evidence)
    return Certificate.from_text(certificate_text(made)), found.lower, found.upper


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
    made, lower, upper = proven(es.load(name))
    assert lower == upper
    assert made.claim.value["first"] == (lower, upper)
    assert es.verify(made)


@pytest.mark.parametrize("seed", seeds(20, 8))
def test_equilibria_of_random_games_are_proven(seed: int) -> None:
    game = Hidden(seed=seed, depth=4 + seed % 3, together=seed % 2 == 0, gains=seed % 3 == 0)
    made, lower, upper = proven(game)
    assert made.claim.value["first"] == (lower, upper)
    assert es.verify(made, Hidden)


def test_less_is_claimed_where_plans_prove_less() -> None:
    """Two plans that mix evenly, in the place of those that were solved."""
    game = es.load("kuhn")
    sets = information_sets(game)
    plans = []
    for side in sets.sides:
        masses = [4] + [0] * (side.sequences - 1)
        for number in range(len(side)):
            for sequence in side.after(number):
                masses[sequence] = masses[side.parent[number]] // side.count[number]
        plans.append(Plan(masses, 4))
    made, value, _ = proven(game, (plans[0], plans[1]))
    low, high = made.claim.value["first"]
    assert low is not None
    assert high is not None
    assert low < value < high
    assert es.verify(made)


@pytest.mark.parametrize("seed", seeds(25, 8))
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
        made, lower, upper = proven(tree, at=place.text)
        own = subtree(tree, place.state.node, place.so_far)
        assert (lower, upper) == (hidden_value(own, "payoff")[0],) * 2 == made.claim.value["first"]
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
