"""Every number that is promised to be exact is exact: documents of all commands, and what Python gives back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import endsight as es
from command_line import exact, run
from endsight.faces.cli.group import endsight

MEASURED = {"seconds", "elapsed", "seconds_per_state", "bytes_per_state", "factor", "power", "residual"}
"""Keys of what a clock or a fit measures: nobody promises that these are exact."""

QUESTIONS: dict[str, list[list[str]]] = {
    "value": [["pigturn"], ["pig:target=8", "--interval"], ["tictactoe", "--fix", "second=random"]],
    "analyze": [
        ["repeatbust:sides=4", "--policy", "player=myopic"],
        ["rpsbag:100-0-200/0-300-0", "--at", "paper rock"],
        ["pig:target=8", "--at", "roll", "--interval"],
    ],
    "line": [["pots:4-9-2-7"]],
    "table": [["repeatbust:sides=4"], ["nim:heaps=1-2"], ["rpsbag:1-1-1/2-1-0"], ["repeatbust:sides=3", "--rule"]],
    "dist": [["pigturn", "--at-least", "--at-most"], ["hiddenpots:count=3,max=2"], ["pig:target=4", "--length"]],
    "simulate": [["pots:4-9-2-7", "--fix", "first=random", "--games", "50"]],
    "sweep": [["repeatbust", "--vary", "sides=2..3"]],
    "fair": [["pig:target=4"]],
    "report": [["pig:target=4"], ["kuhn", "--against", "pots:4-9-2-7"]],
    "exploit": [["pots:4-9-2-7", "random"], ["rps", "random"]],
    "review": [["pots:4-9-2-7", "L R L L"]],
    "games": [[], ["repeatbust"]],
    "check": [["pigturn"]],
    "estimate": [["tictactoe"]],
    "growth": [["nim", "--vary", "heaps=1-1,1-2,2-2"]],
    "doctor": [[]],
}
"""Questions whose documents are walked, by command."""
WITH_FILES = {"prove", "verify", "solve", "status"}


def floats(item: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], float, Any]]:
    """Every float of a document with the way to it and the object around it."""
    if isinstance(item, dict):
        for key, value in item.items():
            if isinstance(value, float):
                yield (*path, key), value, item
            yield from floats(value, (*path, key))
    elif isinstance(item, list):
        for number, value in enumerate(item):
            if isinstance(value, float):
                yield (*path, str(number)), value, item
            yield from floats(value, (*path, str(number)))


def numbers(item: Any) -> Iterator[dict[str, Any]]:
    """Every `{"exact", "approx"}` of a document."""
    if isinstance(item, dict):
        if "approx" in item:
            yield item
        for value in item.values():
            yield from numbers(value)
    elif isinstance(item, list):
        for value in item:
            yield from numbers(value)


def check_document(document: Any) -> None:
    for path, _, around in floats(document):
        key = path[-1]
        assert key in MEASURED or (key == "approx" and "exact" in around), path
    for number in numbers(document):
        assert set(number) in ({"exact", "approx"}, {"exact", "approx", "exact_hex"}), number
        exact(number)  # the double is the nearest one


def test_every_command_with_documents_is_walked() -> None:
    names = endsight.list_commands(None)  # type: ignore[arg-type]
    with_json = {
        name
        for name in names
        if any("--json" in option.opts for option in endsight.get_command(None, name).params)  # type: ignore[arg-type,union-attr]
    }
    assert with_json == set(QUESTIONS) | WITH_FILES


def test_commands_with_files_hold_no_bare_float(tmp_path: Path) -> None:
    certificate, folder = str(tmp_path / "proof.json"), str(tmp_path / "solved")
    for command in (
        ["prove", "repeatbust:sides=3", "-o", certificate],
        ["verify", certificate],
        ["solve", "pigturn:sides=4", "-o", folder],
        ["status", folder],
        ["analyze", "pigturn:sides=4", "--from", folder],
    ):
        ending = run(*command, "--json")
        assert ending.code == 0, ending
        check_document(json.loads(ending.out))


@pytest.mark.parametrize(
    "question",
    [[name, *rest] for name, asked in QUESTIONS.items() for rest in asked],
    ids=lambda words: " ".join(words),
)
def test_documents_hold_no_bare_float(question: list[str]) -> None:
    ending = run(*question, "--json")
    assert ending.code == 0, ending
    check_document(json.loads(ending.out))


def test_a_bare_float_would_be_found() -> None:
    for document in ({"value": 0.5}, {"rows": [1, 2.0]}, {"approx": 0.5}, {"v": {"exact": "1/2", "approx": 0.25}}):
        with pytest.raises((AssertionError, KeyError)):
            check_document(document)


# ---------------------------------------------------------------------- Python


def inexact(item: Any, path: str, seen: set[int]) -> Iterator[str]:
    """Paths to floats inside an answer: through mappings, lists and dataclasses of the package."""
    if isinstance(item, float | complex):
        yield path
    elif isinstance(item, Mapping):
        for key, value in item.items():
            yield from inexact(key, f"{path} key", seen)
            yield from inexact(value, f"{path}[{key!r}]", seen)
    elif isinstance(item, list | tuple | set | frozenset):
        for number, value in enumerate(item):
            yield from inexact(value, f"{path}[{number}]", seen)
    elif is_dataclass(item) and not isinstance(item, es.Solution) and id(item) not in seen:
        seen.add(id(item))
        for field in fields(item):
            yield from inexact(getattr(item, field.name), f"{path}.{field.name}", seen)


ASKED = [
    (es.games.RepeatBust(sides=4), "3"),
    (es.games.Pig(target=4), ""),
    (es.games.Pots((4, 9, 2, 7)), "R"),
    (es.games.RpsBag(((1, 2, 0), (1, 1, 1))), "paper rock"),
    (es.games.HighCard(hand=(1, 4, 6), rival=(2, None, None)), ""),
    (es.games.HiddenPots(count=3, max=2), "2 1"),
    (es.games.TicTacToe(), "a1 b2"),
    (es.games.Piglet(target=3), ""),
]


@pytest.mark.parametrize(("game", "moves"), ASKED, ids=lambda item: str(item)[:30])
@pytest.mark.parametrize("interval", [False, True])
def test_python_gives_no_float(game: es.Game, moves: str, interval: bool) -> None:
    position = game.position(moves)
    solution = es.solve(game, position, interval=interval)
    player = game.player_names[0]
    answers: dict[str, Any] = {
        "value": solution.value(),
        "values": solution.values(),
        "options": solution.options(),
        "facts": solution.facts(),
        "rows": list(solution.policy.rows()) if game.title() in ("pots", "piglet") else [],
        "loss": es.policy_loss(game, player, "random", position, interval=interval),
        "sample": es.simulate(game, position, fixed=dict.fromkeys(game.player_names, "random"), games=20),
    }
    if not interval:
        exactly = {
            "distribution": solution.distribution(),
            "mean": solution.distribution().mean(),
            "lengths": solution.length_distribution(),
            "fairness": es.fair(game, position),
            "table": es.table(game, position),
        }
        answers |= exactly
    assert list(inexact(answers, "", set())) == []


def test_floats_in_answers_would_be_found() -> None:
    assert list(inexact({"a": [Fraction(1), 0.5]}, "", set())) == ["['a'][1]"]
    assert list(inexact(es.Step("first", 0.5), "", set())) == [".move"]  # type: ignore[arg-type]
