"""Fixed policies modulo primes: against exact fractions on random games without loops, and on `repeatbust`."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

import endsight as es
from endsight.algorithms import modular_evaluation as module
from endsight.algorithms.modular_evaluation import modular_evaluation
from endsight.algorithms.policy_evaluation import policy_evaluation
from endsight.explorer import explore
from endsight.game import CHANCE, Game
from endsight.graph import Graph
from endsight.limits import Budget
from endsight.reachable import reachable
from stochastic import PAYOFFS
from strategies import MoverGraph, MoverRewards


def forward_game(seed: int, *, rewards: bool) -> Game:
    """Up to thirty nodes whose edges lead on, with weights and payoffs of any sign and size."""
    draw = random.Random(seed)
    nodes, seats = draw.randint(2, 30), draw.randint(1, 2)
    ways = tuple(
        tuple(draw.randrange(node + 1, nodes) for _ in range(draw.randint(1, 4))) if node < nodes - 1 else ()
        for node in range(nodes)
    )
    movers = (*(draw.choice((CHANCE, *range(seats))) for _ in range(nodes - 1)), 0)
    pays = tuple(tuple(draw.choice((*PAYOFFS, 10**12)) for _ in range(seats)) for _ in range(nodes))
    weights = tuple(tuple(draw.choice((1, 2, 7, 10**9)) for _ in row) for row in ways)
    if not rewards:
        return MoverGraph(ways, pays, seats, movers, weights)
    gains = tuple(tuple(tuple(draw.choice(PAYOFFS) for _ in range(seats)) for _ in row) for row in ways)
    return MoverRewards(ways, pays, seats, movers, weights, gains)


def any_choices(graph: Graph, seed: int) -> list[int]:
    draw = random.Random(seed)
    decides = [not graph.is_end(node) and graph.movers[node] != CHANCE for node in range(len(graph))]
    return [draw.choice(graph.edges(node)) if decides[node] else -1 for node in range(len(graph))]


@pytest.mark.parametrize("rewards", [False, True])
def test_random_games_without_loops(rewards: bool) -> None:
    for seed in range(60):
        game = forward_game(seed, rewards=rewards)
        _, graph = explore(game, game.position())
        choices = any_choices(graph, seed)
        assert modular_evaluation(graph, choices) == policy_evaluation(graph, choices)[0]


def test_primes_in_blocks_bring_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game = es.games.RepeatBust(sides=3, dice=2)
    _, graph = explore(game, game.position())
    choices = any_choices(graph, 1)
    expected = policy_evaluation(graph, choices)[0]
    assert modular_evaluation(graph, choices) == expected
    monkeypatch.setattr(module, "_ROOM", 1)
    assert modular_evaluation(graph, choices) == expected


@pytest.mark.parametrize(
    ("game", "fixed"),
    [
        (es.games.RepeatBust(sides=3, dice=2), {"player": "myopic"}),
        (es.games.PigTurn(sides=4), {"player": "random"}),
        (es.games.Pots(pots=(4, 9, 2, 7)), {"first": "bigger", "second": "smaller"}),
    ],
    ids=str,
)
def test_as_a_method_of_its_own(game: Game, fixed: dict[str, str]) -> None:
    found = es.solve(game, fixed=fixed, method="modular")
    assert found.method == "evaluation modulo primes"
    assert found.values() == es.solve(game, fixed=fixed).values()
    for position in list(reachable(game.position(), Budget()))[:5]:
        assert found.values(position) == es.solve(game, position, fixed=fixed).values()


def test_what_it_cannot_answer() -> None:
    with pytest.raises(es.errors.QuestionError, match="policy for every player"):
        es.solve(es.games.Pots(pots=(4, 9, 2, 7)), fixed={"first": "bigger"}, method="modular")
    with pytest.raises(es.errors.QuestionError, match="without loops"):
        es.solve(es.games.Pig(5), fixed={0: "hold20", 1: "hold20"}, method="modular")


@pytest.mark.slow
def test_myopic_play_of_three_dice() -> None:
    game = es.games.RepeatBust(sides=6, dice=3)
    view, graph = explore(game, game.position())
    rolls = {node: {graph.moves[edge]: edge for edge in graph.edges(node)} for node in range(len(graph))}
    choices = [
        rolls[node][game.policy_myopic(view.split(key)[0])] if graph.movers[node] == 0 and rolls[node] else -1
        for node, key in enumerate(graph.keys)
    ]
    value = es.solve(game, fixed={"player": "myopic"}).values()
    assert modular_evaluation(graph, choices) == value


def test_loops_are_refused() -> None:
    game = MoverGraph(((1,), (0, 2), ()), ((0,), (0,), (1,)), 1, (0, CHANCE, 0), ((1,), (1, 1), ()))
    _, graph = explore(game, game.position())
    with pytest.raises(ValueError, match="without loops"):
        modular_evaluation(graph, any_choices(graph, 0))


def test_remainders_are_put_together_with_their_sign() -> None:
    primes = [2_147_483_647, 2_147_483_629, 2_147_483_587]
    for whole in (0, 1, -1, 10**25, -(10**25)):
        assert module._together([whole % p for p in primes], primes) == whole


def test_fractions_of_payoffs_count_in_the_denominator() -> None:
    ends = ((0,), (Fraction(1, 7),), (Fraction(-1, 11),))
    game = MoverGraph(((1, 2), (), ()), ends, 1, (CHANCE, 0, 0), ((2, 3), (), ()))
    _, graph = explore(game, game.position())
    assert modular_evaluation(graph, [-1, -1, -1]) == (Fraction(2, 35) - Fraction(3, 55),)
