"""From solved plans to certificates: what is found of games with hidden information is what the verifier accepts."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import run
from endsight.algorithms.best_reply import Plan
from endsight.algorithms.equilibrium import equilibrium
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.told_plans import told_plans
from endsight.game import Game
from endsight.game.numbers import between
from endsight.proof.planned import planned
from endsight.proof.writing import certificate_text
from endsight.verifier import SCHEMA, Certificate
from endsight.verifier.rules import rules_hash
from endsight.verifier.walk import View
from hidden_games import Hidden
from verifier_cases import claim


def proven(game: Game, plans: tuple[Plan, Plan] | None = None) -> tuple[Certificate, Fraction, Fraction]:
    """A certificate of the solved game, or of its value by other plans, once around through its text."""
    sets = information_sets(game)
    found = equilibrium(sets)
    values = between(found.lower, found.upper), between(sets.constant - found.upper, sets.constant - found.lower)
    told, evidence = planned(View(game, claim({}), {}), told_plans(sets, plans or found.plans), values)
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


@pytest.mark.parametrize("seed", range(20))
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


def test_what_is_not_the_start_has_no_certificate() -> None:
    game = es.load("kuhn")
    sets = information_sets(game)
    view = View(game, claim({}, position=""), {})
    view.claim = claim({}, position="1 2")
    with pytest.raises(es.QuestionError, match="where players see different things, only the start of the game"):
        planned(view, told_plans(sets, equilibrium(sets).plans), (0, 0))


@pytest.mark.parametrize("options", [(), ("--utility", "lead")])
def test_by_the_command_line(tmp_path: Path, options: tuple[str, ...]) -> None:
    file = str(tmp_path / "kuhn.cert")
    said = run("prove", "kuhn", *options, "-o", file)
    assert said.code == 0, said.err
    assert len(Path(file).read_bytes()) < 1000
    said = run("verify", file)
    assert said.code == 0, said.err
    assert "; every player sees what `sees` gives" in " ".join(said.out.split())


@pytest.mark.parametrize("options", [("--at", "1 2"), ("--dist", "first")])
def test_what_has_no_certificate_says_so(tmp_path: Path, options: tuple[str, ...]) -> None:
    said = run("prove", "kuhn", *options, "-o", str(tmp_path / "kuhn.cert"))
    assert said.code == 2
    assert "certificate" in said.err


def test_python_proves_the_same() -> None:
    certificate = es.prove(es.solve("leduc"))
    assert es.verify(certificate)
    value = es.solve("leduc").value()["first"]
    assert certificate.claim.value["first"] == (value, value)
