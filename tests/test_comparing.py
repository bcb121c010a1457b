"""What both engines are held against before compiled rules are trusted, and how long slow rules may take for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import endsight as es
from endsight.compiler import choice, comparing
from endsight.compiler.choice import Task
from endsight.compiler.engine import CompiledSource, trusted_rules
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import RulesError
from endsight.explorer import explore
from endsight.limits import Budget
from endsight.question import Question

GAME = es.games.Nim(heaps=(3, 4, 5))


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def rules() -> CompiledRules:
    return CompiledRules.of(GAME, symmetry=False)


def test_equal_engines_are_trusted(rules: CompiledRules) -> None:
    start = GAME.position()
    comparing.compare(rules, start, comparing.first_sample(rules, start, None))


@pytest.mark.parametrize("part", ["payoffs", "moves", "successors"])
def test_a_difference_far_from_the_start_is_seen(
    part: str, rules: CompiledRules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparing, "_FEWEST", 5)
    monkeypatch.setattr(comparing, "_SECONDS", 0.0)
    monkeypatch.setattr(comparing, "_FIRST_COMPARED", 5)
    monkeypatch.setattr(comparing, "_LATER_SECONDS", 60.0)
    start, honest = GAME.position(), comparing.explore_arrays

    def lying(rules: Any, position: Any, budget: Any, **options: Any) -> Any:
        arrays, kernel = honest(rules, position, budget, **options)
        if len(position.history) > 2:
            getattr(arrays, part)[:] += 1
        return arrays, kernel

    first = comparing.first_sample(rules, start, None)
    assert len(first[1].offsets) - 1 == 5
    comparing.compare(rules, start, first)
    monkeypatch.setattr(comparing, "explore_arrays", lying)
    with pytest.raises(CannotCompile, match=f"their {part if part != 'successors' else ''}"):
        comparing.compare(rules, start, first)


def test_what_was_explored_is_used_where_its_nodes_are_the_same(rules: CompiledRules) -> None:
    start = GAME.position()
    same = explore(GAME, start, Question(), symmetry=False, at_most=50)
    merged = explore(GAME, start, Question(), symmetry=True, at_most=50)
    told = explore(GAME, start, Question(), symmetry=False, tracks_mover=True, at_most=50)
    assert comparing.first_sample(rules, start, same) is same
    assert comparing.first_sample(rules, start, merged) is not merged
    assert comparing.first_sample(rules, start, told) is not told


def test_later_positions_are_reachable_and_of_several_stages() -> None:
    plies = [len(place.history) for place in comparing._later(GAME.position())]
    assert len(plies) == 12
    assert min(plies) <= 2
    assert max(plies) >= 4
    over = GAME.position("1:3 2:4 3:5")
    assert {place.state for place in comparing._later(over)} == {over.state}


class Broken(es.games.Nim):
    """Rules that fail where few objects are left."""

    def payoff(self, state: Any) -> int:
        if state.packed == 0:
            raise ValueError("nobody thought of that")
        return 0


def test_rules_that_fail_later_are_left_to_the_solve(rules: CompiledRules, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Broken(heaps=(3, 4, 5))
    first = explore(game, game.position(), Question(), symmetry=False, at_most=2)
    monkeypatch.setattr(comparing, "_hold_against", lambda *parts, **named: None)
    comparing.compare(CompiledRules.of(GAME, symmetry=False), game.position(), first)
    with pytest.raises(RulesError, match="nobody thought of that"):
        explore(game, game.position())


def test_slow_rules_are_compiled_early(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Nim(heaps=(7, 7, 7))
    expanded = []
    honest = choice.explore
    monkeypatch.setattr(
        choice, "explore", lambda *parts, **named: expanded.append(named["at_most"]) or honest(*parts, **named)
    )
    monkeypatch.setattr(choice, "_FIRST_EDGES", 100)

    def asked(slow: bool) -> Any:
        expanded.clear()
        monkeypatch.setattr(choice, "_SLOW_EDGE", -1.0 if slow else 1e9)
        monkeypatch.setattr(choice, "_SLOW_SECONDS", 0.0)
        monkeypatch.setattr(choice, "_SLOW_EDGES", 0)
        task = Task(game, game.position(), Question(), "auto", False, Budget())
        assert task.is_large == slow
        return task

    asked(slow=False)
    assert max(expanded) > 100
    task = asked(slow=True)
    assert max(expanded) <= choice._FIRST_LOOK
    source = task.solved("layers")
    assert isinstance(source, CompiledSource)
    plain = es.solve(game, method="graph", engine="plain")
    assert source.value(game.position()) == plain.values()
    assert source.distance(game.position()) == plain.distance()


def test_chance_is_explored_by_number_alone() -> None:
    graph = explore(es.games.PigTurn(), es.games.PigTurn().position(), at_most=20)[1]
    assert choice.nodes_in_time(100.0, graph) == float("inf")
    graph = explore(GAME, GAME.position(), at_most=20)[1]
    # So many moves at least, and what half a second allows.
    per_node = len(graph.successors) / 20
    assert choice.nodes_in_time(100.0, graph) == int(10_000 / per_node)
    assert choice.nodes_in_time(0.005, graph) == 2_000
    assert choice.nodes_in_time(0.0, graph) == float("inf")


def test_only_what_was_compared_is_trusted() -> None:
    rules = trusted_rules(GAME, GAME.position(), symmetry=False, tracks_mover=False)
    assert rules.game is GAME
