"""Python's face: what is not what a function takes gets one message that says what is."""

from __future__ import annotations

import inspect
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import run
from endsight.games import Nim, Pig, TicTacToe

GAME = Nim(heaps=(1, 2))
SOLUTION = es.solve(GAME)

GAMES: list[tuple[Any, str]] = [
    (Nim, "Nim(), with parameters if it takes any"),
    (GAME.position(), "its .game"),
    (None, "endsight.games.Pig(), or its name: 'pig:target=20'"),
]
TAKE_GAMES: list[tuple[str, Callable[[Any], Any]]] = [
    ("solve", es.solve),
    ("simulate", es.simulate),
    ("short_rules", es.short_rules),
    ("policy_loss", lambda found: es.policy_loss(found, "first", "random")),
    ("check_rules", es.check_rules),
]


@pytest.mark.parametrize(("found", "advice"), GAMES, ids=str)
@pytest.mark.parametrize(("name", "function"), TAKE_GAMES, ids=[name for name, _ in TAKE_GAMES])
def test_what_is_no_game(name: str, function: Callable[[Any], Any], found: Any, advice: str) -> None:
    with pytest.raises(es.UsageError) as caught:
        function(found)
    assert caught.value.message == f"{name} takes a game"
    assert caught.value.advice == advice
    assert caught.value.exit_code == 2


TAKE_POSITIONS: list[tuple[str, Callable[[Any], Any]]] = [
    ("solve", lambda found: es.solve(GAME, found)),
    ("simulate", lambda found: es.simulate(GAME, found)),
    ("short_rules", lambda found: es.short_rules(GAME, None, found)),
    ("policy_loss", lambda found: es.policy_loss(GAME, "first", "random", found)),
    ("a solution", SOLUTION.value),
    ("a solution", SOLUTION.options),
    ("a solution", SOLUTION.best_moves),
    ("a solution", SOLUTION.distance),
    ("a solution", SOLUTION.line),
    ("a solution", lambda found: SOLUTION.distribution(position=found)),
    ("a solution", SOLUTION.length_distribution),
    ("a policy", SOLUTION.policy),
]


@pytest.mark.parametrize(("name", "function"), TAKE_POSITIONS)
def test_what_is_no_position_of_the_game(name: str, function: Callable[[Any], Any]) -> None:
    with pytest.raises(es.UsageError) as caught:
        function((1, 1))
    assert caught.value.message == f"{name} takes a position of nim"
    assert (caught.value.found, caught.value.advice) == ("(1, 1) (tuple)", "the moves as text, or game.position(MOVES)")
    with pytest.raises(es.IllegalMoveError):
        function("1:9")
    for other in (TicTacToe(), Nim(heaps=(5,))):
        with pytest.raises(es.UsageError) as caught:
            function(other.position())
        assert caught.value.message == f"{name} takes a position of {GAME!r}"
        assert caught.value.found == f"a position of {other!r}"


@pytest.mark.parametrize("function", [each for _, each in TAKE_GAMES], ids=[name for name, _ in TAKE_GAMES])
def test_a_name_stands_for_its_game(function: Callable[[Any], Any]) -> None:
    told = []
    for game in ("nim:heaps=1-2", GAME):
        try:
            told.append(repr(function(game)))
        except es.QuestionError as error:
            told.append(error.message)
    assert told[0] == told[1]
    with pytest.raises(es.UnknownGameError):
        function("no such game")


def test_moves_stand_for_their_position() -> None:
    position = GAME.position("2:1")
    assert SOLUTION.value("2:1") == SOLUTION.value(position) == es.solve("nim:heaps=1-2", "2:1").value()
    assert SOLUTION.best_moves("2:1") == SOLUTION.best_moves(position)
    assert SOLUTION.policy("2:1") == SOLUTION.policy(position)
    assert es.load("nim:heaps=1-2") == GAME


def test_a_file_may_begin_later(tmp_path: Path) -> None:
    file = tmp_path / "puzzle.txt"
    file.write_text("4\n1\n0 1\n", encoding="utf-8")
    spec = f"dominoes:@{file}"
    assert es.solve(spec).position == es.load("dominoes:n=4").position("0-1")
    assert es.check_rules(spec).is_sound
    for ask in (es.report, lambda game: es.sweep(game, "n=3..4"), lambda game: es.report("nim", against=game)):
        with pytest.raises(
            es.QuestionError, match=r"is about a game from its start, and .*puzzle\.txt \(n=4\) begins later"
        ):
            ask(spec)
    for command in (("report", spec), ("sweep", spec, "--vary", "n=3..4"), ("growth", spec, "--vary", "n=2..3")):
        ending = run(*command)
        assert (ending.code, ending.out) == (2, "")
        assert "the moves 0-1" in ending.err


def test_the_old_name_says_what_replaces_it() -> None:
    with pytest.warns(DeprecationWarning, match="load_game is replaced by load"):
        assert es.load_game("nim").game == es.load("nim")


def test_positions_of_an_equal_game_are_its_own() -> None:
    position = Nim(heaps=(1, 2)).position("1:1")
    assert SOLUTION.value(position) == es.solve(GAME, position).value()


@pytest.mark.parametrize("limit", ["seconds", "memory", "states", "threads"])
@pytest.mark.parametrize("most", ["2GB", -1, True, None, 0, 3])
def test_limits_are_numbers(limit: str, most: Any) -> None:
    if most is None or (isinstance(most, int) and not isinstance(most, bool) and most >= 0):
        assert getattr(es.Limits(**{limit: most}), limit) == most
        return
    with pytest.raises(es.UsageError) as caught:
        es.Limits(**{limit: most})
    assert caught.value.message == f"a limit of {limit} cannot be {most!r}"
    assert "0 or more; None for no limit" in (caught.value.allowed or "")


@pytest.mark.parametrize("most", [10**30, 1e30, 1e308, 10**400, math.inf])
@pytest.mark.parametrize("limit", ["seconds", "memory", "states", "threads"])
def test_limits_beyond_reach_are_none(limit: str, most: float) -> None:
    """Clocks, words of the machine and lists of threads overflowed."""
    for method, engine in (("graph", "plain"), ("layers", "compiled")):
        limits = es.Limits(**{limit: most})  # type: ignore[arg-type]
        assert es.solve(GAME, method=method, engine=engine, limits=limits).value() == SOLUTION.value()


@pytest.mark.parametrize("limit", ["seconds", "memory", "states", "threads"])
def test_no_number_is_no_limit(limit: str) -> None:
    with pytest.raises(es.UsageError, match=f"a limit of {limit} cannot be nan"):
        es.Limits(**{limit: math.nan})  # type: ignore[arg-type]


WRONG: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: es.solve(GAME, limits="2GB"), "limits takes an endsight.Limits", "endsight.Limits(seconds=60)"),
    (lambda: es.solve(GAME, digits="6"), "digits takes a whole number", "digits=6"),
    (lambda: es.solve(GAME, digits=True), "digits takes a whole number", "digits=6"),
    (lambda: es.solve(GAME, symmetry="off"), "symmetry takes True or False", "symmetry=True or symmetry=False"),
    (lambda: es.solve(GAME, exact=1), "exact takes True or False", "exact=True or exact=False"),
    (lambda: es.solve(GAME, fixed=["random"]), "fixed takes a dictionary", "fixed={'second': 'random'}"),
    (lambda: es.simulate(GAME, games="9"), "games takes a whole number", "games=10_000"),
    (lambda: es.simulate(GAME, seed=0.5), "seed takes a whole number", "seed=1"),
    (lambda: es.prove(GAME), "prove takes an endsight.Solution", "prove(endsight.solve(game))"),
    (lambda: es.review(GAME, "1:1"), "review takes an endsight.Solution", "review(endsight.solve(game), MOVES)"),
    (lambda: es.save(GAME, Path("x")), "save takes an endsight.Solution", "save(endsight.solve(game), PATH)"),
    (lambda: es.load(GAME), "load takes text", "load('nim:heaps=3,5')"),
    (
        lambda: es.write_certificate(SOLUTION, Path("x")),
        "write_certificate takes an endsight.Certificate",
        "write_certificate(endsight.prove(solution), PATH)",
    ),
]


@pytest.mark.parametrize(("call", "message", "advice"), WRONG, ids=[message for _, message, _ in WRONG])
def test_what_is_of_another_kind(call: Callable[[], Any], message: str, advice: str) -> None:
    with pytest.raises(es.UsageError) as caught:
        call()
    assert caught.value.message == message
    assert caught.value.advice == advice


def test_policies_are_names_or_functions() -> None:
    with pytest.raises(es.QuestionError) as caught:
        es.solve(Pig(), fixed={"first": 3})
    assert caught.value.message == "pig has no policy called 3"
    assert (caught.value.allowed or "").endswith("or a function(game, state) that returns a move")


def test_there_are_no_fewer_than_no_digits() -> None:
    with pytest.raises(es.QuestionError) as caught:
        es.solve(GAME, digits=-1)
    assert (caught.value.found, caught.value.allowed) == ("-1", "0, 1, 2, ...")


MOVES: list[tuple[Callable[[], Any], str]] = [
    (lambda: GAME.position(3), "3 (int)"),
    (lambda: GAME.position(["1:1", 3]), "3 (int)"),
    (lambda: GAME.position().after(None), "None (NoneType)"),
    (lambda: es.review(SOLUTION, 3), "3 (int)"),
    (lambda: es.review(SOLUTION, [(0, 1)]), "(0, 1) (tuple)"),
]


@pytest.mark.parametrize(("call", "found"), MOVES, ids=["position", "one of them", "after", "review", "one step"])
def test_moves_are_text(call: Callable[[], Any], found: str) -> None:
    with pytest.raises(es.UsageError) as caught:
        call()
    assert (caught.value.message, caught.value.found) == ("moves must be given as text", found)
    assert caught.value.advice


PATHS: list[tuple[str, Callable[[Any], Any]]] = [
    ("open_tablebase", es.open_tablebase),
    ("save", lambda found: es.save(SOLUTION, found)),
    ("write_certificate", lambda found: es.write_certificate(es.prove(SOLUTION), found)),
    ("Certificate.read", es.verify),
]


@pytest.mark.parametrize(("name", "function"), PATHS, ids=[name for name, _ in PATHS])
@pytest.mark.parametrize("found", [3, None, ["x"]], ids=str)
def test_files_are_named_by_paths(name: str, function: Callable[[Any], Any], found: Any) -> None:
    with pytest.raises(es.UsageError) as caught:
        function(found)
    assert caught.value.message == f"{name} takes a path"
    assert caught.value.found == f"{found!r} ({type(found).__name__})"


# ---------------------------------------------------------------------- verbs and modules

CALLS = {
    "solve": "solution",
    "analyze": "es.analyze(GAME)",
    "check_rules": "es.check_rules(solution.game)",
    "cite": "es.cite(solution)",
    "estimate": "es.estimate(GAME)",
    "exploit": "es.exploit(GAME, 'random')",
    "export": "es.export(folder / 'solved', 'csv', folder / 'rows.csv')",
    "fair": "es.fair(GAME)",
    "growth": "es.growth('pigturn', 'sides=2,3')",
    "gym_env": "es.gym_env(GAME)",
    "load": "es.load(GAME)",
    "load_game": "es.load_game(GAME)",
    "open_tablebase": "es.open_tablebase(folder / 'solved')",
    "pettingzoo_env": "es.pettingzoo_env(GAME)",
    "plot": "es.plot(GAME, 'values')",
    "policy_loss": "es.policy_loss(GAME, 'first', 'random')",
    "prove": "es.prove(solution)",
    "report": "es.report(GAME)",
    "review": "es.review(solution, '1:1')",
    "save": "es.save(solution, folder / 'solved')",
    "short_rules": "es.short_rules('pigturn:sides=3')",
    "simulate": "es.simulate(GAME, games=10)",
    "sweep": "es.sweep('pigturn', 'sides=2,3')",
    "table": "es.table(GAME)",
    "to_efg": "es.to_efg(GAME)",
    "to_openspiel": "es.to_openspiel(GAME)",
    "verify": "es.verify(es.prove(solution))",
    "write_certificate": "es.write_certificate(es.prove(solution), folder / 'proof.json')",
}
AFTER_ALL_MODULES = """
import importlib, pkgutil, sys, tempfile
from pathlib import Path
import endsight as es
for module in pkgutil.walk_packages(es.__path__, "endsight."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
GAME = "nim:heaps=1-2"
solution = es.solve(GAME, method="graph")
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    es.save(solution, folder / "solved")
    for call in sys.argv[1:]:
        if not call.startswith("es.save"):
            eval(call)
"""


def test_verbs_work_after_every_module_was_imported() -> None:
    """A module of a verb's name would replace the verb in the package once it is imported."""
    assert {name for name in es.__all__ if inspect.isfunction(getattr(es, name))} == {*CALLS}
    command = [sys.executable, "-W", "ignore::DeprecationWarning", "-c", AFTER_ALL_MODULES, *CALLS.values()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
