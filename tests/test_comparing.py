"""What both engines are held against before compiled rules are trusted, and how long slow rules may take for it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import pytest

import endsight as es
from endsight import Question
from endsight.compiler import choice, comparing, looking
from endsight.compiler.choice import Task
from endsight.compiler.engine import solve_compiled, trusted_rules
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.errors import RulesError
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.objective import View

GAME = es.games.Nim(heaps=(3, 4, 5))


@pytest.fixture(scope="module")
def rules() -> CompiledRules:
    return CompiledRules.of(GAME, symmetry=False)


def test_equal_engines_are_trusted(rules: CompiledRules) -> None:
    start = GAME.position()
    comparing.compare(rules, start, comparing.first_sample(rules, start, None))


def test_the_order_and_the_number_of_positions_count(rules: CompiledRules) -> None:
    view, plain = comparing.first_sample(rules, GAME.position(), None)
    assert looking.difference_in(rules, view, plain) is None
    part = explore(GAME, GAME.position(), symmetry=False, at_most=20)[1]
    assert looking.difference_in(rules, view, part) is None
    turned = replace(part, keys=[*part.keys[:20], *reversed(part.keys[20:])])
    found = looking.difference_in(rules, view, turned)
    assert found is not None
    assert found.rule == "play"
    found = looking.difference_in(rules, view, replace(plain, offsets=[*plain.offsets, plain.offsets[-1]]))
    assert found is not None
    assert found.what == "not as many positions"


class Long(es.Game):
    """A game of 150 plies in which nothing but the last three is of any interest."""

    class State(NamedTuple):
        plies: int
        side: int

    def limits(self) -> Any:
        return self.State(150, 96)

    def start(self) -> Any:
        return self.State(0, 0)

    def moves(self, state: Any) -> Any:
        if state.plies < 150:
            yield from range(3)

    def play(self, state: Any, move: int) -> Any:
        return self.State(state.plies + 1, (2 * state.side + move) % 97)

    def payoff(self, state: Any) -> int:
        return state.side % 3 - 1


@pytest.mark.parametrize("rule", ["payoff", "moves", "play"])
def test_a_difference_in_the_last_plies_of_a_long_game_is_seen(rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "_LATER_SECONDS", 60.0)
    game, honest = Long(), looking.compiled_looks
    rules, start = CompiledRules.of(game, tracks_mover=False), game.position()
    first = comparing.first_sample(rules, start, None)
    assert max(state.plies for state in first[1].keys) < 50
    comparing.compare(rules, start, first)

    def lying(rules: Any, view: Any, nodes: Any) -> Any:
        looks = honest(rules, view, nodes)
        wrong = {"payoff": (7, -7), "moves": [7], "play": [game.start()]}[rule]
        return [
            look._replace(**{rule: wrong}) if node.plies >= 148 else look
            for node, look in zip(nodes, looks, strict=True)
        ]

    monkeypatch.setattr(looking, "compiled_looks", lying)
    with pytest.raises(CannotCompile, match=f"they differ: compiled, the rule '{rule}' says something else at State"):
        comparing.compare(rules, start, first)


def test_rules_that_fail_in_python_alone_are_a_difference(rules: CompiledRules) -> None:
    broken, start = Broken(heaps=(3, 4, 5)), GAME.position()
    view = View(broken, Question(), symmetry=False)
    end = GAME.position("1:3 2:4 3:5")
    assert looking.difference_at(rules, View(GAME, Question(), symmetry=False), [end.state, start.state]) is None
    assert looking.difference_at(rules, view, [start.state]) is None
    found = looking.difference_at(rules, view, [start.state, end.state])
    assert found is not None
    assert "nobody thought of that" in found.what


def test_where_compiled_rules_stop_nothing_is_said(rules: CompiledRules, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: Any) -> Any:
        raise CannotCompile("the sum does not fit a machine word")

    monkeypatch.setattr(looking, "compiled_looks", stopped)
    view = View(GAME, Question(), symmetry=False)
    assert looking.difference_at(rules, view, [GAME.start()]) is None


def test_what_was_explored_is_used_where_its_nodes_are_the_same(rules: CompiledRules) -> None:
    start = GAME.position()
    same = explore(GAME, start, Question(), symmetry=False, at_most=50)
    merged = explore(GAME, start, Question(), symmetry=True, at_most=50)
    told = explore(GAME, start, Question(), symmetry=False, tracks_mover=True, at_most=50)
    assert comparing.first_sample(rules, start, same) is same
    assert comparing.first_sample(rules, start, merged) is not merged
    assert comparing.first_sample(rules, start, told) is not told


def test_games_are_played_to_their_end() -> None:
    game = Long()
    places = comparing.played(game.position(), View(game, Question()))
    plies = [state.plies for state in places]
    assert len(set(places)) == len(places)
    assert set(plies) == set(range(151))
    games = plies.count(150)
    assert games >= 2
    assert plies[:games] == [150] * games
    over = GAME.position("1:3 2:4 3:5")
    assert comparing.played(over, View(GAME, Question())) == [over.state]


class Broken(es.games.Nim):
    """Rules that fail where few objects are left."""

    def payoff(self, state: Any) -> int:
        if state.packed == 0:
            raise ValueError("nobody thought of that")
        return 0


def test_rules_that_fail_later_are_left_to_the_solve(rules: CompiledRules, monkeypatch: pytest.MonkeyPatch) -> None:
    game = Broken(heaps=(3, 4, 5))
    places = comparing.played(game.position(), View(game, Question()))
    assert game.State(0) in places
    with pytest.raises(RulesError, match="nobody thought of that"):
        explore(game, game.position())


def test_slow_rules_are_compiled_early(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.Nim(heaps=(7, 7, 7))
    expanded = []
    honest = choice.explore_on
    monkeypatch.setattr(choice, "explore_on", lambda *parts: expanded.append(parts[-1]) or honest(*parts))
    monkeypatch.setattr(choice, "_FIRST_EDGES", 100)

    def asked(slow: bool) -> Any:
        expanded.clear()
        monkeypatch.setattr(choice, "_SLOW_EDGE", -1.0 if slow else 1e9)
        monkeypatch.setattr(choice, "_SLOW_SECONDS", 0.0)
        monkeypatch.setattr(choice, "_SLOW_EDGES", 0)
        task = Task(game, game.position(), Question(), "auto", "auto", "auto", False, Budget())
        assert task.large == slow
        return task

    asked(slow=False)
    assert max(expanded) > 100
    task = asked(slow=True)
    assert max(expanded) <= choice._FIRST_LOOK
    source = solve_compiled(
        game, game.position(), Question(), "layers", symmetry=False, budget=Budget(), begun=task.begun
    )
    assert source.table is not None
    plain = es.solve(game, method="graph", engine="plain")
    assert source.value(game.position()) == plain.values()
    assert source.distance(game.position()) == plain.distance()


def test_chance_is_explored_by_number_alone() -> None:
    graph = explore(es.games.PigTurn(), es.games.PigTurn().position(), at_most=20)[1]
    assert choice.nodes_in_time(100.0, graph) == float("inf")
    graph = explore(GAME, GAME.position(), at_most=20)[1]
    # So many moves at least, and what half a second allows.
    per_node = len(graph.successors) / 20
    assert choice.nodes_in_time(100.0, graph) == int(15_000 / per_node)
    assert choice.nodes_in_time(0.005, graph) == 2_000
    assert choice.nodes_in_time(0.0, graph) == float("inf")


def test_only_what_was_compared_is_trusted() -> None:
    rules = trusted_rules(GAME, GAME.position(), symmetry=False, tracks_mover=False)
    assert rules.game is GAME
