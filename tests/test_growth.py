"""Growth: counts by every method, limits in their rows, and laws fitted to made-up measurements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

import endsight as es
from censuses import laws_of
from command_line import ask
from endsight import Limits, growth
from endsight.errors import ParameterError, QuestionError
from test_documents import validate

METHODS = ("minimax", "alphabeta", "table", "graph", "symmetry", "theorem")


def rows_of(game: es.Game, vary: str, settings: Sequence[Any], methods: Any = METHODS, **more: Any) -> list[Any]:
    return growth(game, {vary: settings}, methods, **more).to_dicts()


def test_every_method_finds_the_same_value_with_less() -> None:
    document = ask("growth", "dominoes:n=3", "--vary", "n=1..4")
    validate(document)
    rows = document["rows"]
    assert [(row["n"], row["method"]) for row in rows] == [(n, method) for n in (1, 2, 3, 4) for method in METHODS]
    assert {row["status"] for row in rows} == {"exact"}
    assert {tuple(own["exact"] for own in row["value"].values()) for row in rows} == {("1", "-1")}
    last = {row["method"]: row for row in rows if row["n"] == 4}
    # 1 492 lines with a tail, and the empty one.
    assert last["graph"]["positions"] == last["minimax"]["positions"] == 1_493
    nodes = [last[method]["nodes"] for method in ("minimax", "graph", "symmetry", "theorem")]
    assert nodes == sorted(nodes, reverse=True)
    assert last["table"]["nodes"] <= last["alphabeta"]["nodes"] < last["minimax"]["nodes"]
    assert last["minimax"]["edges"] == last["minimax"]["nodes"] - 1
    assert {fit["method"] for fit in document["fits"]} >= {"minimax", "graph"}


def test_compiled_rules_meet_the_same_positions_and_moves() -> None:
    rows = ask("growth", "dominoes:n=3", "--vary", "n=3..4", "--methods", "graph,compiled")["rows"]
    for plain, compiled in zip(rows[::2], rows[1::2], strict=True):
        assert (compiled["method"], compiled["status"]) == ("compiled", "exact")
        assert all(compiled[name] == plain[name] for name in ("positions", "edges", "value"))
        assert compiled["nodes"] == compiled["positions"]
    stopped = rows_of(es.games.Dominoes(n=3), "n", [3, 4], ["compiled"], limits=Limits(states=500))
    assert [row["status"] for row in stopped] == ["exact", "stopped"]


def test_what_cannot_be_compiled_is_refused_with_the_reason() -> None:
    rows = rows_of(es.games.PigTurn(), "bust", [1], ["compiled"])
    assert rows[0]["status"] == "refused"
    assert "pigturn are not compiled: " in str(rows[0]["message"])
    fixed = ask("growth", "dominoes", "--vary", "n=2..2", "--methods", "compiled", "--fix", "second=random")["rows"]
    assert "a player follows a policy" in fixed[0]["message"]


def test_minimax_counts_lines_of_play() -> None:
    """A heap of n from which any number is taken: 2^n nodes of the tree, n + 1 positions."""
    rows = rows_of(es.games.Nim(), "heaps", [(n,) for n in range(1, 9)], ["minimax", "graph"])
    assert [row["nodes"] for row in rows if row["method"] == "minimax"] == [2**n for n in range(1, 9)]
    assert [row["positions"] for row in rows if row["method"] == "graph"] == [n + 1 for n in range(1, 9)]


def test_limits_stop_a_method_for_good_and_say_so() -> None:
    limits = Limits(states=50)
    rows = rows_of(es.games.Dominoes(n=3), "n", [2, 3, 4], ["graph", "symmetry"], limits=limits)
    graph = [row for row in rows if row["method"] == "graph"]
    assert [row["status"] for row in graph] == ["exact", "stopped", "stopped"]
    assert graph[1]["message"] == "stopped: more than 50 states"
    assert graph[2]["message"] == "not tried: stopped at 3"
    assert graph[2]["positions"] is None
    assert [row["status"] for row in rows if row["method"] == "symmetry"] == ["exact", "exact", "exact"]


def test_methods_that_do_not_suit_a_game_are_refused_row_by_row() -> None:
    methods = [method for method in METHODS if method != "minimax"]  # millions of lines of play
    rows = rows_of(es.games.PigTurn(), "bust", [1, 2], methods)
    reasons = {row["method"]: row["message"] for row in rows if row["bust"] == 1}
    assert "chance" in str(reasons["alphabeta"])
    assert "symmetry" in str(reasons["symmetry"])
    assert "theorem" in str(reasons["theorem"])
    assert [row["status"] for row in rows if row["method"] == "graph"] == ["exact", "exact"]
    refused = rows_of(es.games.Dominoes(), "n", [0], ["graph", "table"])
    assert [row["status"] for row in refused] == ["refused", "refused"]
    assert refused[0]["message"]


def test_questions_reach_the_methods() -> None:
    rows = ask("growth", "pots:4-9-2-7", "--vary", "pots=4-9-2-7", "--utility", "lead")["rows"]
    values = {tuple(own["exact"] for own in row["value"].values()) for row in rows if row["value"] is not None}
    assert values == {("10", "-10")}
    assert len([row for row in rows if row["status"] == "exact"]) >= 4


def test_wrong_names() -> None:
    with pytest.raises(ParameterError, match="no parameter 'm'"):
        rows_of(es.games.Dominoes(), "m", [1])
    with pytest.raises(QuestionError, match="no method 'magic'"):
        rows_of(es.games.Dominoes(), "n", [1], ["magic"])


def test_laws_are_found_again() -> None:
    doubling = laws_of(range(1, 8), lambda n: 3 * 2**n)
    assert doubling["positions"]["better"] == "exponential"
    assert doubling["positions"]["exponential"] == pytest.approx(2)
    assert doubling["positions"]["residuals"][0] == pytest.approx(0, abs=1e-9)
    cubic = laws_of(range(1, 8), lambda n: 5 * n**3)
    assert cubic["positions"]["better"] == "polynomial"
    assert cubic["positions"]["polynomial"] == pytest.approx(3)
    assert doubling["seconds"]["exponential"] == pytest.approx(1)
    assert "nodes" not in doubling


def test_too_few_or_nameless_settings_have_no_law() -> None:
    assert laws_of([1, 2], lambda n: n) == {}
    assert laws_of([(n, n) for n in range(1, 6)], lambda n: n[0]) == {}
    assert laws_of(range(1, 6), None, status="stopped", seconds=1.0) == {}
    below_one = laws_of(range(-2, 3), lambda n: 4 + n, seconds=None)
    assert [*below_one] == ["positions"]
    assert (below_one["positions"]["polynomial"], below_one["positions"]["better"]) == (None, "exponential")


def test_document_fits_its_schema() -> None:
    document = ask("growth", "chomp", "--vary", "width=0..3")
    validate(document)
    assert [row["width"] for row in document["rows"][:: len(METHODS)]] == [0, 1, 2, 3]
    assert {fit["method"] for fit in document["fits"]} >= {"minimax", "graph"}
    validate(ask("growth", "nim", "--vary", "heaps=1-2", "--methods", "graph"))
