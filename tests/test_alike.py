"""Classes of nodes with the same future: as the definition finds them, by plain loops and by machine code alike."""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from random import Random
from typing import Any

import pytest

import endsight as es
import thresholds
from amounts import seed_rows
from endsight import CHANCE, Graph
from hidden_rules import NaiveBag, NaiveHighCard
from hidden_walks import classes, compiled_rules_see_sevens, has_compiled_states, steps_shown


def random_graph(random: Random, *, has_loops: bool) -> tuple[Graph, list[int]]:
    """Copies of each of a few nodes, which lead to any copies, and look the same; chances may be written apart.

    With what is seen at every node.
    """
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
    return graph, [looks[kind] for kind in copies]


def _random_node(random: Random, node: int, kinds: int, has_loops: bool) -> tuple[int, list[Any], Any]:
    """The mover; moves with what they bring and where they lead; and what is paid where there are none."""
    mover, children = random.choice((CHANCE, 0, 1)), range(kinds) if has_loops else range(node + 1, kinds)
    degree = random.randint(0, 3) if children else 0
    moves = random.choices(range(2), k=degree) if mover == CHANCE else random.sample(range(3), degree)
    steps = [(move, random.choice((None, None, (1, -1))), random.choice(children)) for move in moves]
    return mover, steps, (random.choice((0, Fraction(1, 2))), 0)


def future(graph: Graph, looks: list[int], node: int, old: list[Any]) -> Hashable:
    """What is to be said of a node, where others stand with their old classes."""
    if graph.is_end(node):
        return looks[node], graph.payoffs[node]
    assert graph.rewards is not None
    assert graph.weights is not None
    chances: dict[Any, int] = {}
    for edge in graph.edges(node):
        child, is_chance = graph.successors[edge], graph.movers[node] == CHANCE
        is_unseen = is_chance and looks[child] == looks[node]
        what = None if is_unseen else graph.moves[edge], is_unseen, graph.rewards[edge], old[child]
        chances[what] = chances.get(what, 0) + graph.weights[edge]
    total = sum(chances.values())
    shares = frozenset((what, Fraction(own, total)) for what, own in chances.items())
    return looks[node], graph.movers[node], shares if is_chance else tuple(chances)


def classes_by_definition(graph: Graph, looks: list[int]) -> list[int]:
    """All nodes together at first, and then apart for as long as there is anything to tell them apart by."""
    found = [0] * len(graph)
    while True:
        numbers: dict[Hashable, int] = {}
        new = [numbers.setdefault(future(graph, looks, node, found), len(numbers)) for node in range(len(graph))]
        if len(numbers) == len({*found}):
            return new
        found = new


@pytest.mark.parametrize("has_loops", [False, True])
@pytest.mark.parametrize("seeds", seed_rows(400, 50))
def test_classes_are_those_of_the_definition(has_loops: bool, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.hidden_states_in_small_tables(monkeypatch)
    merged = 0
    for seed in seeds:
        graph, looks = random_graph(Random(seed), has_loops=has_loops)
        wanted = classes_by_definition(graph, looks)
        merged += len({*wanted}) < len(graph)
        for in_arrays in (False, True) if graph.successors else (False,):
            found = classes(graph, looks, in_arrays=in_arrays)
            assert found.own == wanted, (seed, in_arrays)
            assert [found.own[node] for node in found.first] == list(range(len(found.first)))
            assert found.sizes == [wanted.count(own) for own in range(len(found.first))]
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
    for in_arrays in (False, True):
        assert classes(graph, [0] * 5, in_arrays=in_arrays).own == [0, 1, 2, 3, 4]


GAMES = [NaiveBag(), NaiveHighCard((2, 5, 8, 3), (0, 7, 0, 0))]


@pytest.mark.parametrize("game", GAMES)
def test_compiled_rules_see_what_python_sees(game: es.Game) -> None:
    plain, compiled = (es.solve(game, engine=engine) for engine in ("plain", "compiled"))
    assert has_compiled_states(compiled)
    assert compiled.values() == plain.values()
    assert steps_shown(compiled) == steps_shown(plain)


@pytest.mark.parametrize("game", GAMES)
def test_machine_code_that_sees_something_else_is_not_believed(game: es.Game, monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = steps_shown(es.solve(game, engine="plain"))
    compiled_rules_see_sevens(monkeypatch)
    found = es.solve(game, engine="compiled")
    assert has_compiled_states(found)
    assert steps_shown(found) == wanted
