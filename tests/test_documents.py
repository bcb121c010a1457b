"""Every document fits its schema and says what the solution says."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib import resources
from typing import Any

import jsonschema
import pytest

import endsight as es
from endsight.answers import explanation
from endsight.errors import IllegalMoveError
from endsight.faces import documents
from endsight.game.numbers import LONGEST_EXACT, number_document

GAMES = [
    (es.games.TicTacToe, {}, "a1 b2"),
    (es.games.Dodgem, {}, ""),
    (es.games.Pots, {"pots": (4, 9, 2, 7)}, "R"),
    (es.games.HiddenPots, {"count": 3, "max": 2}, "2 1 L"),
    (es.games.RepeatBust, {"sides": 3, "dice": 1}, ""),
    (es.games.RepeatBust, {"sides": 3, "dice": 1}, "2"),
    (es.games.RpsBag, {"dice": ((1, 2, 0), (1, 1, 1))}, "paper rock"),
    (es.games.HighCard, {"hand": (1, 4, 6), "rival": (2, None, None)}, ""),
    (es.games.Nim, {}, "1:2"),
    (es.games.Pig, {"target": 5}, ""),
    (es.games.PigTurn, {}, "roll 4"),
    (es.games.Dominoes, {"n": 4}, "0-1 1-3"),
]


def validate(document: dict[str, Any]) -> None:
    name, _, version = document["schema"].removeprefix("endsight.").partition("/")
    assert version == "1"
    text = resources.files("endsight").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    round_trip = json.loads(json.dumps(document, allow_nan=False))
    jsonschema.Draft202012Validator(json.loads(text)).validate(round_trip)


def no_bare_float(item: Any, key: str = "") -> None:
    """Floats stand only under `approx`, beside the exact number, and under `seconds`."""
    if isinstance(item, dict):
        for name, value in item.items():
            no_bare_float(value, name)
    elif isinstance(item, list):
        for value in item:
            no_bare_float(value, key)
    else:
        assert not isinstance(item, float) or key in ("approx", "seconds"), key


@pytest.mark.parametrize(("kind", "parameters", "at"), GAMES)
def test_documents_fit_their_schemas(kind: Any, parameters: dict[str, Any], at: str) -> None:
    game = kind(**parameters)
    position = game.position(at)
    solution = es.solve(game, position)
    distribution = solution.distribution()
    everything = [
        documents.position_document(solution),
        documents.position_document(solution, moves=False),
        documents.line_document(solution),
        documents.table_document(solution, explanation.table_rows(solution), position),
        documents.distribution_document(solution, distribution, position, at_least=True, at_most=True),
        documents.distribution_document(solution, distribution, position, facts_only=True),
        documents.fair_document(solution, explanation.fairness(solution), position),
    ]
    for document in everything:
        validate(document)
        no_bare_float(document)


@pytest.mark.parametrize(("kind", "parameters", "at"), GAMES)
def test_moves_come_best_first_and_the_best_reach_the_value(kind: Any, parameters: dict[str, Any], at: str) -> None:
    game = kind(**parameters)
    document = documents.position_document(es.solve(game, game.position(at)))
    if document["to_move"] == "chance":
        chances = [Fraction(move["probability"]["exact"]) for move in document["moves"]]
        assert sum(chances) == 1
        assert all(move["rank"] is None and move["best"] is None for move in document["moves"])
        for player in document["players"]:
            values = [Fraction(move["value"][player]["exact"]) for move in document["moves"]]
            mean = sum(chance * value for chance, value in zip(chances, values, strict=True))
            assert mean == Fraction(document["value"][player]["exact"])
        return
    ranks = [move["rank"] for move in document["moves"]]
    assert ranks == sorted(ranks)
    assert ranks[0] == 1
    mover = document["to_move"]
    for move in document["moves"]:
        given_away = Fraction(document["value"][mover]["exact"]) - Fraction(move["value"][mover]["exact"])
        assert given_away == Fraction(move["regret"]["exact"])
        assert move["best"] == (given_away == 0)


def test_sweep_and_errors() -> None:
    game = es.games.Nim()
    question = es.Question()
    samples = explanation.sweep(es.games.Chomp(), "width", [1, 2, 0], es.solve)
    document = documents.sweep_document(es.games.Chomp(), question, "width", samples)
    validate(document)
    assert [row["status"] for row in document["rows"]] == ["exact", "exact", "unknown"]
    with pytest.raises(IllegalMoveError) as caught:
        game.position("9:9")
    validate(documents.error_document(caught.value))


def test_document_of_an_answer_that_a_limit_stopped() -> None:
    game = es.games.TicTacToe(width=4, height=4, line=4)
    with pytest.raises(es.LimitReached) as caught:
        es.solve(game, limits=es.Limits(states=2_000))
    document = documents.stopped_document(
        game.position(), es.Question(), caught.value, method="graph", seconds=0.1, moves=True
    )
    validate(document)
    assert (document["status"], document["value"], document["unproven_line"]) == ("enclosed", None, [])
    assert {name: number["exact"] for name, number in document["upper"].items()} == {"first": "1", "second": "1"}


def test_long_numbers_are_given_in_hexadecimal() -> None:
    value = Fraction(10**LONGEST_EXACT + 1, 3)
    document = number_document(value)
    assert document["exact"] is None
    top, bottom = (int(part, 16) for part in document["exact_hex"].split("/"))
    assert Fraction(top, bottom) == value
    assert document["approx"] is None
    assert number_document(Fraction(1, 3)) == {"exact": "1/3", "approx": 1 / 3}


def test_long_lists_in_parameters_are_described() -> None:
    game = es.games.Pots(range(1001))
    described = documents.parameters_document(game)["pots"]
    assert described["count"] == 1001
    assert len(described["sha256"]) == 64
    assert documents.parameters_document(es.games.Pots((1, -2)))["pots"] == [1, -2]
