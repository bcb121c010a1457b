"""Where backward induction does not find what was solved, the prover tells ties from wrong values."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

import endsight as es
import naive
import strategies
from amounts import examples
from endsight import CHANCE, Game
from endsight.errors import QuestionError
from strategies import MoverGraph

RIVALS = MoverGraph(((1, 2), (), ()), ((0, 0), (1, -1), (2, -2)), 2, (0, 0, 0), ((1, 1), (), ()))
TIED = MoverGraph(((1, 2), (), ()), ((0, 0), (1, 3), (1, 5)), 2, (0, 0, 0), ((1, 1), (), ()))


@pytest.mark.parametrize(
    ("game", "told", "reason"),
    [
        (RIVALS, (1, -1), "however ties are broken"),
        (RIVALS, (5, -5), "however ties are broken"),
        (TIED, (1, 5), "depend on how ties are broken"),
        (TIED, (1, 4), "however ties are broken"),
        (TIED, (2, 5), "however ties are broken"),
    ],
)
def test_ties_are_blamed_only_where_they_matter(game: Game, told: tuple[int, int], reason: str) -> None:
    with pytest.raises(QuestionError, match=reason):
        prove_as(game, told)


def prove_as(game: Game, told: tuple[Any, ...]) -> None:
    """Prove a solution that says those values."""
    with pytest.MonkeyPatch.context() as patch:
        solution = es.solve(game)
        patch.setattr(es.Solution, "values", lambda self, position=None: told)
        es.prove(solution)


TOLD = strategies.chance_acyclic(max_nodes=6, rewards=False).filter(lambda game: game.players() > 1)


def choices(game: Any) -> Iterator[dict[int, int]]:
    """Every way of choosing one edge at each node where somebody decides."""
    nodes = [node for node, edges in enumerate(game.successors) if edges and game.movers[node] != CHANCE]
    for chosen in product(*(range(len(game.successors[node])) for node in nodes)):
        yield dict(zip(nodes, chosen, strict=True))


def played(game: Any, chosen: dict[int, int], node: int) -> tuple[Fraction, ...]:
    edges = game.successors[node]
    if not edges:
        return tuple(map(Fraction, game.payoffs[node]))
    if game.movers[node] == CHANCE:
        rows = [played(game, chosen, child) for child in edges]
        weights = [Fraction(weight, sum(game.weights[node])) for weight in game.weights[node]]
        return naive.mean(list(zip(weights, rows, strict=True)))
    return played(game, chosen, edges[chosen[node]])


def is_best(game: Any, chosen: dict[int, int]) -> bool:
    """Whether nobody could gain by another choice at any node."""
    for node in chosen:
        mover = game.movers[node]
        own = played(game, chosen, node)[mover]
        if any(played(game, chosen, child)[mover] > own for child in game.successors[node]):
            return False
    return True


@examples(150, 20, game=TOLD)
def test_every_way_that_ties_come_out_is_found(game: Any) -> None:
    solved = es.solve(game).values()
    possible = {played(game, chosen, 0) for chosen in choices(game) if is_best(game, chosen)}
    impossible = tuple(value + 1_000 for value in solved)
    for told in {*possible, impossible} - {solved}:
        with pytest.raises(QuestionError, match="depend on" if told in possible else "however ties are broken"):
            prove_as(game, told)
