"""Growth: counts by every method, limits in their rows, and laws fitted to made-up measurements."""

from __future__ import annotations

import pytest

import endsight as es
from endsight import Limits, Question
from endsight.cost.growth import METHODS, Measurement, fits_of, growth
from endsight.errors import ParameterError, QuestionError
from endsight.faces.cost_documents import growth_document
from test_documents import validate


def test_every_method_finds_the_same_value_with_less() -> None:
    rows = list(growth(es.games.Dominoes(n=3), "n", [1, 2, 3, 4]))
    assert [(row.setting, row.method) for row in rows] == [(n, method) for n in (1, 2, 3, 4) for method in METHODS]
    assert all(row.status == "exact" and row.value == {"first": 1, "second": -1} for row in rows)
    last = {row.method: row for row in rows if row.setting == 4}
    # 1 492 lines with a tail, and the empty one.
    assert last["graph"].positions == last["minimax"].positions == 1_493
    nodes = [last[method].nodes for method in ("minimax", "graph", "symmetry", "theorem")]
    assert nodes == sorted(nodes, reverse=True)
    assert last["table"].nodes <= last["alphabeta"].nodes < last["minimax"].nodes
    assert last["minimax"].edges == last["minimax"].nodes - 1


def test_compiled_rules_meet_the_same_positions_and_moves() -> None:
    rows = list(growth(es.games.Dominoes(n=3), "n", [3, 4], ["graph", "compiled"]))
    for plain, compiled in zip(rows[::2], rows[1::2], strict=True):
        assert (compiled.method, compiled.status) == ("compiled", "exact")
        assert (compiled.positions, compiled.edges, compiled.value) == (plain.positions, plain.edges, plain.value)
        assert compiled.nodes == compiled.positions
    stopped = list(growth(es.games.Dominoes(n=3), "n", [3, 4], ["compiled"], limits=Limits(states=500)))
    assert [row.status for row in stopped] == ["exact", "stopped"]
    validate(growth_document(es.games.Dominoes(), Question(), "n", rows, []))


def test_what_cannot_be_compiled_is_refused_with_the_reason() -> None:
    rows = list(growth(es.games.PigTurn(), "bust", [1], ["compiled"]))
    assert rows[0].status == "refused"
    assert "pigturn are not compiled: " in str(rows[0].message)
    fixed = list(growth(es.games.Dominoes(), "n", [2], ["compiled"], Question(fixed={1: "random"})))
    assert "a player follows a policy" in str(fixed[0].message)


def test_minimax_counts_lines_of_play() -> None:
    """A heap of n from which any number is taken: 2^n nodes of the tree, n + 1 positions."""
    rows = list(growth(es.games.Nim(), "heaps", [(n,) for n in range(1, 9)], ["minimax", "graph"]))
    assert [row.nodes for row in rows if row.method == "minimax"] == [2**n for n in range(1, 9)]
    assert [row.positions for row in rows if row.method == "graph"] == [n + 1 for n in range(1, 9)]


def test_limits_stop_a_method_for_good_and_say_so() -> None:
    limits = Limits(states=50)
    rows = list(growth(es.games.Dominoes(n=3), "n", [2, 3, 4], ["graph", "symmetry"], limits=limits))
    graph = [row for row in rows if row.method == "graph"]
    assert [row.status for row in graph] == ["exact", "stopped", "stopped"]
    assert graph[1].message == "stopped: more than 50 states"
    assert graph[2].message == "not tried: stopped at 3"
    assert graph[2].positions is None
    assert [row.status for row in rows if row.method == "symmetry"] == ["exact", "exact", "exact"]


def test_methods_that_do_not_suit_a_game_are_refused_row_by_row() -> None:
    methods = [method for method in METHODS if method != "minimax"]  # millions of lines of play
    rows = list(growth(es.games.PigTurn(), "bust", [1, 2], methods))
    reasons = {row.method: row.message for row in rows if row.setting == 1}
    assert "chance" in str(reasons["alphabeta"])
    assert "symmetry" in str(reasons["symmetry"])
    assert "theorem" in str(reasons["theorem"])
    assert [row.status for row in rows if row.method == "graph"] == ["exact", "exact"]
    refused = list(growth(es.games.Dominoes(), "n", [0], ["graph", "table"]))
    assert [row.status for row in refused] == ["refused", "refused"]
    assert refused[0].message


def test_questions_reach_the_methods() -> None:
    pots = es.games.Pots((4, 9, 2, 7))
    rows = list(growth(pots, "pots", [(4, 9, 2, 7)], question=Question(utility="lead")))
    values = {tuple(row.value.values()) for row in rows if row.value is not None}
    assert values == {(10, -10)}
    assert len([row for row in rows if row.status == "exact"]) >= 4


def test_wrong_names() -> None:
    with pytest.raises(ParameterError, match="no parameter 'm'"):
        list(growth(es.games.Dominoes(), "m", [1]))
    with pytest.raises(QuestionError, match="no method 'magic'"):
        list(growth(es.games.Dominoes(), "n", [1], ["magic"]))  # type: ignore[list-item]


def made_up(law: object) -> list[Measurement]:
    return [Measurement(n, "graph", "exact", positions=law(n), seconds=0.5) for n in range(1, 8)]  # type: ignore[operator]


def test_laws_are_found_again() -> None:
    doubling = {fit.quantity: fit for fit in fits_of(made_up(lambda n: 3 * 2**n))}
    assert doubling["positions"].better == "exponential"
    assert doubling["positions"].exponential == pytest.approx(2)
    assert doubling["positions"].residuals[0] == pytest.approx(0, abs=1e-9)
    cubic = {fit.quantity: fit for fit in fits_of(made_up(lambda n: 5 * n**3))}
    assert cubic["positions"].better == "polynomial"
    assert cubic["positions"].polynomial == pytest.approx(3)
    assert doubling["seconds"].exponential == pytest.approx(1)
    assert "nodes" not in doubling


def test_too_few_or_nameless_settings_have_no_law() -> None:
    assert fits_of(made_up(lambda n: n)[:2]) == []
    named = [Measurement((n, n), "graph", "exact", positions=n) for n in range(1, 6)]
    assert fits_of(named) == []
    stopped = [Measurement(n, "graph", "stopped", seconds=1.0) for n in range(1, 6)]
    assert fits_of(stopped) == []
    below_one = [Measurement(n, "graph", "exact", positions=4 + n) for n in range(-2, 3)]
    (fit,) = fits_of(below_one)
    assert fit.polynomial is None
    assert fit.better == "exponential"


def test_document_fits_its_schema() -> None:
    game = es.games.Chomp()
    rows = list(growth(game, "width", [0, 1, 2, 3]))
    document = growth_document(game, Question(), "width", rows, fits_of(rows))
    validate(document)
    assert [row["width"] for row in document["rows"][:: len(METHODS)]] == [0, 1, 2, 3]
    assert {fit["method"] for fit in document["fits"]} >= {"minimax", "graph"}
    heaps = list(growth(es.games.Nim(), "heaps", [(1, 2)], ["graph"]))
    validate(growth_document(es.games.Nim(), Question(), "heaps", heaps, []))
