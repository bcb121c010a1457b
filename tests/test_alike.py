"""Classes of nodes with the same future: as the definition finds them, by plain loops and by machine code alike."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import endsight as es
from amounts import seed_rows
from endsight import CHANCE, Graph, Question
from endsight.engine import alike
from endsight.engine.alike import hidden_states
from endsight.game.limits import Budget
from endsight.graph.graph import Picked
from endsight.graph.hidden_states import Classes, Sights
from endsight.graph.objective import View
from hidden_rules import NaiveBag, NaiveHighCard, NaivePots

KINDS = {"offsets": np.int64, "successors": np.int32, "moves": np.int64, "movers": np.int8, "weights": np.int64}


def random_graph(random: Random, *, has_loops: bool) -> tuple[Graph, Sights]:
    """Copies of each of a few nodes, which lead to any copies, and look the same; chances may be written apart."""
    kinds = random.randint(1, 6)
    base = [_random_node(random, node, kinds, has_loops) for node in range(kinds)]
    copies = sorted(random.choices(range(kinds), k=random.randint(1, 12)) + list(range(kinds)))
    places = [[at for at, kind in enumerate(copies) if kind == node] for node in range(kinds)]
    offsets, moves, weights, rewards, successors = [0], list[int](), list[int](), list[Any](), list[int]()
    for kind in copies:
        times = random.choice((1, 1, 2))
        for move, gain, child in base[kind][1]:
            parts = random.choice((1, 2)) if base[kind][0] == CHANCE else 1
            moves += [move] * parts
            weights += [times * random.choice((2, 2, 6)) // parts] * parts
            rewards += [gain] * parts
            successors += random.choices(places[child], k=parts)
        offsets.append(len(moves))
    payoffs = [None if base[kind][1] else base[kind][2] for kind in copies]
    graph = Graph(
        keys=range(len(copies)), index={}, offsets=offsets, successors=successors, moves=moves,
        movers=[base[kind][0] for kind in copies], weights=weights, rewards=rewards, payoffs=payoffs,
        interests=((0, 1), (1, 1)), players=2, endless=(0, 0), alternating=False, is_win_loss=False,
    )  # fmt: skip
    looks = random.choices((0, 0, 1), k=kinds)
    return graph, Sights([None, "a", "b"], Picked([1, 2], [looks[kind] for kind in copies]))


def _random_node(random: Random, node: int, kinds: int, has_loops: bool) -> tuple[int, list[Any], Any]:
    """The mover; moves with what they bring and where they lead; and what is paid where there are none."""
    mover, children = random.choice((CHANCE, 0, 1)), range(kinds) if has_loops else range(node + 1, kinds)
    degree = random.randint(0, 3) if children else 0
    moves = random.choices(range(2), k=degree) if mover == CHANCE else random.sample(range(3), degree)
    steps = [(move, random.choice((None, None, (1, -1))), random.choice(children)) for move in moves]
    return mover, steps, (random.choice((0, Fraction(1, 2))), 0)


def in_arrays(graph: Graph) -> Graph:
    """The same as compiled rules leave it."""
    parts = {name: np.array(getattr(graph, name), kind).data for name, kind in KINDS.items()}
    found = Graph(**{**vars(graph), **parts, "rules": "compiled"})
    for name in ("ends", "gains"):
        picked = getattr(graph, name)
        found.__dict__[name] = Picked(picked.rows, np.array(picked.numbers, np.int32).data)
    return found


def classes_of(graph: Graph, sights: Sights) -> Classes:
    """The classes that are found."""
    view = View(NaivePots(), Question(), symmetry=False)
    return hidden_states(view, graph, sights, Budget(), merged=True).classes


def future(graph: Graph, sights: Sights, node: int, old: list[Any]) -> Hashable:
    """What is to be said of a node, where others stand with their old classes."""
    if graph.is_end(node):
        return sights.nodes[node], graph.payoffs[node]
    assert graph.rewards is not None
    assert graph.weights is not None
    chances: dict[Any, int] = {}
    for edge in graph.edges(node):
        child, is_chance = graph.successors[edge], graph.movers[node] == CHANCE
        is_unseen = is_chance and sights.nodes[child] == sights.nodes[node]
        what = None if is_unseen else graph.moves[edge], is_unseen, graph.rewards[edge], old[child]
        chances[what] = chances.get(what, 0) + graph.weights[edge]
    total = sum(chances.values())
    shares = frozenset((what, Fraction(own, total)) for what, own in chances.items())
    return sights.nodes[node], graph.movers[node], shares if is_chance else tuple(chances)


def classes_by_definition(graph: Graph, sights: Sights) -> list[int]:
    """All nodes together at first, and then apart for as long as there is anything to tell them apart by."""
    classes = [0] * len(graph)
    while True:
        numbers: dict[Hashable, int] = {}
        new = [numbers.setdefault(future(graph, sights, node, classes), len(numbers)) for node in range(len(graph))]
        if len(numbers) == len({*classes}):
            return new
        classes = new


@pytest.mark.parametrize("has_loops", [False, True])
@pytest.mark.parametrize("seeds", seed_rows(400, 100))
def test_classes_are_those_of_the_definition(has_loops: bool, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alike, "_SLOTS", 16)  # so that there is soon too little room
    merged = 0
    for seed in seeds:
        graph, sights = random_graph(Random(seed), has_loops=has_loops)
        wanted = classes_by_definition(graph, sights)
        merged += len({*wanted}) < len(graph)
        for given in [graph, in_arrays(graph)] if graph.successors else [graph]:
            found = classes_of(given, sights)
            assert list(found.own) == wanted, (seed, given.rules)
            assert [found.own[node] for node in found.first] == list(range(len(found.first)))
            assert list(found.sizes) == [wanted.count(own) for own in range(len(found.first))]
    assert merged > len(seeds) / 2


def test_weights_that_pass_words_are_told_apart_exactly() -> None:
    """Of two states of chance, one leads to an end in one of two cases; the other one nearly always."""
    far = [1 << 62] * 4 + [1, 1]
    graph = Graph(
        keys=range(5), index={}, offsets=[0, 2, 8, 10, 10, 10], successors=[1, 2, 3, 3, 3, 3, 3, 4, 3, 4],
        moves=[0] * 10, movers=[CHANCE] * 5, weights=[1, 1, *far, 1, 1], rewards=None,
        payoffs=[*[None] * 3, (0,), (1,)],
        interests=((0, 1),), players=1, endless=(0,), alternating=False, is_win_loss=False,
    )  # fmt: skip
    sights = Sights([None, "a"], Picked([1], [0] * 5))
    for given in (graph, in_arrays(graph)):
        assert list(classes_of(given, sights).own) == [0, 1, 2, 3, 4]


GAMES = [NaiveBag(), NaiveHighCard((2, 5, 8, 3), (0, 7, 0, 0))]


@pytest.mark.parametrize("game", GAMES)
def test_compiled_rules_see_what_python_sees(game: es.Game) -> None:
    plain, compiled = (es.solve(game, engine=engine) for engine in ("plain", "compiled"))
    assert compiled.game.hidden.graph.rules is not None
    assert compiled.values() == plain.values()
    found = [dict(_seen(solution.game.hidden)) for solution in (plain, compiled)]
    assert found[0] == found[1]


@pytest.mark.parametrize("game", GAMES)
def test_machine_code_that_sees_something_else_is_not_believed(game: es.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = dict(_seen(es.solve(game, engine="plain").game.hidden))
    monkeypatch.setattr(alike, "_look_text", lambda _: "def es_sights(p_sights, at, state):\n    p_sights[at] = 7")
    found = es.solve(game, engine="compiled")
    assert found.game.hidden.graph.rules is not None
    assert dict(_seen(found.game.hidden)) == wanted


def _seen(hidden: Any) -> Iterator[tuple[Any, Any]]:
    """What every step from every hidden state shows."""
    for state in range(len(hidden)):
        yield hidden.example(state), [hidden.things[step.seen] for step in hidden.steps(state)]
