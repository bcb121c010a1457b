"""Random games on which play can come back to a position: each has a certificate of exactly its value.

    python tests/prove_games.py --count 1000 --seed 1
    python tests/prove_games.py --count 1000 --seed 1 --rivals

Every game is solved, held against the oracle of `naive.py`, proven and verified; the
certificate must claim the value and no wider range. Prints how many games of each shape
were proven; a game that fails is printed as the line that rebuilds it. With `--rivals` all
games are of two players against each other who can come back to a position, with payoffs such
as 3, 0 and -3, or 5, 1 and -4.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import endsight as es
import stochastic
from endsight import CHANCE
from naive import Enumeration, Oracle, Sweeps, met
from strategies import GraphGame, MoverGraph, MoverRewards

PALETTES: tuple[tuple[Any, ...], ...] = (
    (3, 0, -3),
    (5, 1, -4),
    (5, 3, 2, 1),
    (-1, -2, -7),
    (2, 1, -1, -2),
    (1, 0, -1),
    (Fraction(1, 2), Fraction(-2, 3), 4, -4),
    (0, 0, 6),
)


@dataclass(frozen=True)
class Asked:
    """A game and a question, with the oracle that answers it."""

    shape: str
    game: es.Game
    oracle: Callable[..., Oracle]
    options: Mapping[str, Any] = field(default_factory=dict)


class MirroredGraph(GraphGame):
    """A graph in two copies that moves change between, which `canonical` tells to be one."""

    class State(NamedTuple):
        number: int
        copy: int

    def limits(self) -> Any:
        return self.State(len(self.successors) - 1, 1)

    def start(self) -> Any:
        return self.State(0, 0)

    def play(self, state: Any, move: int) -> Any:
        child = self.successors[state.number][move]
        return self.State(child, (state.copy + state.number + move) % 2)

    def canonical(self, state: Any) -> Any:
        return self.State(state.number, 0)


class MirroredMovers(MirroredGraph):
    """The same where each node says who moves there."""

    movers: tuple = (0,)

    def to_move(self, state: Any) -> int:
        return self.movers[state.number]


def _edges(draw: random.Random) -> tuple[tuple[int, ...], ...]:
    """Edges anywhere between up to ten nodes, a third of them ends."""
    nodes = draw.randint(3, 10)
    going = [node == 0 or draw.random() < 2 / 3 for node in range(nodes)]
    return tuple(tuple(draw.randrange(nodes) for _ in range(draw.randint(1, 3))) if go else () for go in going)


def _opposed(draw: random.Random, count: int) -> tuple[tuple[Any, Any], ...]:
    palette = draw.choice(PALETTES)
    return tuple((amount, -amount) for amount in draw.choices(palette, k=count))


def _unequal(draw: random.Random, count: int, seats: int) -> tuple[tuple[Any, ...], ...]:
    palette = draw.choice(PALETTES)
    return tuple(tuple(draw.choices(palette, k=seats)) for _ in range(count))


def _movers(draw: random.Random, edges: Any, seats: int) -> tuple[int, ...]:
    return tuple(draw.randrange(seats) for _ in edges)


def _ones(edges: Any) -> tuple[tuple[int, ...], ...]:
    return tuple((1,) * len(children) for children in edges)


def _single(draw: random.Random) -> Asked:
    edges = _edges(draw)
    amounts = tuple(draw.choices(draw.choice(PALETTES), k=len(edges)))
    return Asked("single numbers", GraphGame(edges, amounts), Sweeps)


def _tuples(draw: random.Random) -> Asked:
    edges = _edges(draw)
    return Asked("tuples", GraphGame(edges, _opposed(draw, len(edges))), Sweeps)


def _told(draw: random.Random) -> Asked:
    edges = _edges(draw)
    game = MoverGraph(edges, _opposed(draw, len(edges)), 2, _movers(draw, edges, 2), _ones(edges))
    return Asked("movers told", game, Sweeps)


def _mirrored(draw: random.Random) -> Asked:
    edges = _edges(draw)
    symmetry = {"symmetry": draw.random() < 0.7}
    if draw.random() < 0.5:
        amounts = tuple(draw.choices(draw.choice(PALETTES), k=len(edges)))
        return Asked("symmetric", MirroredGraph(edges, amounts), Sweeps, symmetry)
    game = MirroredMovers(edges, _opposed(draw, len(edges)), 2, _movers(draw, edges, 2))
    return Asked("symmetric", game, Sweeps, symmetry)


def _alone(draw: random.Random) -> Asked:
    edges = _edges(draw)
    amounts = tuple(draw.choices(draw.choice(PALETTES), k=len(edges)))
    return Asked("one player", GraphGame(edges, amounts, 1), Sweeps)


def _cooperative(draw: random.Random) -> Asked:
    edges, seats = _edges(draw), draw.randint(2, 3)
    game: es.Game = GraphGame(edges, _unequal(draw, len(edges), seats), seats)
    if draw.random() < 0.5:
        game = MoverGraph(edges, game.values()["payoffs"], seats, _movers(draw, edges, seats), _ones(edges))
    return Asked("cooperative", game, Sweeps, {"objective": "cooperative"})


def _utility(draw: random.Random) -> Asked:
    edges = _edges(draw)
    game: es.Game = GraphGame(edges, _unequal(draw, len(edges), 2))
    if draw.random() < 0.5:
        game = MoverGraph(edges, game.values()["payoffs"], 2, _movers(draw, edges, 2), _ones(edges))
    return Asked("win or lead", game, Sweeps, {"utility": draw.choice(["win", "lead"])})


def first_move(game: es.Game, state: Any) -> Any:
    return next(iter(game.moves(state)))


def _fixed(draw: random.Random) -> Asked:
    edges, player = _edges(draw), draw.randrange(2)
    rule = draw.choice(["worst", "random", "policy"])
    if rule == "random":  # chance: small enough for the oracle
        edges = edges[:6]
        edges = tuple(tuple(child % len(edges) for child in children[:2]) for children in edges)
    game = MoverGraph(edges, _opposed(draw, len(edges)), 2, _movers(draw, edges, 2), _ones(edges))
    fixed = {player: first_move if rule == "policy" else rule}
    return Asked(f"fixed to {rule}", game, Enumeration if rule == "random" else Sweeps, {"fixed": fixed})


def _chance(draw: random.Random) -> Asked:
    return Asked("chance", stochastic.random_game(draw.randrange(1 << 30)), Enumeration)


class OneDecides(Enumeration):
    """Only one of several players ever decides, who need not be the first; None for others where ties may matter."""

    def value_of(self, node: Any) -> tuple[Any, ...]:
        if node not in self.values:
            nodes = self.reachable(node)
            deciding = {self.target(each) for each in nodes if self.decides(each)}
            counting = deciding or set(range(self.players))
            row: list[Any] = [None] * self.players
            for self.amount in counting:
                self._enumerate(node)
                row[self.amount] = self.values[node][self.amount]
            total = self._sum(nodes)
            if self.players == 2 and total is not None:
                row[1 - self.amount] = total - row[self.amount]
            self.values = {node: tuple(row)}
        return self.values[node]

    def total(self, _: Any) -> None:
        """Not the same everywhere."""

    def _sum(self, nodes: list[Any]) -> Any:
        """What all get together wherever play ends, and for ever; None where that differs, or moves bring something."""
        sums = {sum(self.worth(self.final(node))) for node in nodes if not self.legal(node)}
        after = {node: {self.after(node, move) for move in self.played(node)} for node in nodes}
        if any(node in met(node, after.__getitem__) for node in nodes):
            sums.add(sum(self.worth((0,) * self.players)))
        gains = {sum(self.gain(node, move)) for node in nodes for move in self.played(node)}
        return sums.pop() if len(sums) == 1 and gains <= {0} else None


def _one_decides(draw: random.Random) -> Asked:
    """Two or three players, payoffs of all sums, perhaps chance and rewards; only the last player decides.

    With rewards only dice lead back, and every die may end the game.
    """
    seats, nodes, rule = draw.randint(2, 3), draw.randint(3, 6), draw.choice(("chance", "none", "random", "rewards"))
    quiet = 0 if rule in ("none", "random") else CHANCE
    movers = tuple(draw.choice((seats - 1, quiet if rule != "none" else seats - 1)) for _ in range(nodes))
    edges = []
    for node, mover in enumerate(movers):
        lowest = node + 1 if rule == "rewards" and mover != CHANCE else 0
        ways = [draw.randrange(lowest, nodes) for _ in range(draw.randint(1, 2))] if lowest < nodes else []
        ways += [nodes - 1] * (rule == "rewards" and mover == CHANCE)
        edges.append(tuple(ways) if node + 1 < nodes and (not node or draw.random() < 2 / 3) else ())
    weights = tuple(tuple(draw.randint(1, 3) for _ in ways) for ways in edges)
    facts = (tuple(edges), _unequal(draw, nodes, seats), seats, movers, weights)
    game = MoverGraph(*facts)
    if rule == "rewards":
        game = MoverRewards(*facts, tuple(_unequal(draw, len(ways), seats) for ways in edges))
    return Asked(f"one of {seats} decides", game, OneDecides, {"fixed": {0: "random"}} if rule == "random" else {})


def _stopping(draw: random.Random) -> Asked:
    return Asked("chance that ends", stochastic.random_game(draw.randrange(1 << 30), stopping=True), Enumeration)


SHAPES: tuple[Callable[[random.Random], Asked], ...] = (
    _single, _tuples, _told, _mirrored, _alone, _cooperative, _utility, _fixed, _chance, _stopping,
    _one_decides,
)  # fmt: skip


def asked(seed: int) -> Asked:
    """A question, always the same for a seed; games come back to a position in one way or another."""
    draw = random.Random(seed)
    return draw.choice(SHAPES)(draw)


def rivals(seed: int) -> Asked:
    """A question about two rivals who can come back to a position, and who are paid other amounts than 1, 0 and -1."""
    draw = random.Random(seed)
    while True:
        question = draw.choice((_single, _tuples, _told, _mirrored))(draw)
        loops, amounts = _loops_and_amounts(question.game)
        if loops and not amounts <= {-1, 0, 1}:
            return question


def _loops_and_amounts(game: es.Game) -> tuple[set[Any], set[Any]]:
    """The states that are met from which play need never end, and what the ends that are met pay the first player."""
    after: dict[Any, list[Any]] = {}
    waiting = [game.start()]
    for state in waiting:
        if state not in after:
            after[state] = [game.play(state, move) for move in game.moves(state)]
            waiting += after[state]
    shares = [game.payoff(state) for state, children in after.items() if not children]
    amounts = {abs(share[0] if isinstance(share, tuple) else share) for share in shares}
    loops, left = set(after), -1
    while left != (left := len(loops)):
        loops = {state for state in loops if not loops.isdisjoint(after[state])}
    return loops, amounts


def naive_value(question: Asked) -> tuple[Any, ...]:
    """Everybody's value, as the oracle finds it."""
    options = dict(question.options)
    options.pop("symmetry", None)
    fixed = {
        player: (lambda state, rule=rule: rule(question.game, state)) if callable(rule) else rule
        for player, rule in options.pop("fixed", {}).items()
    }
    return question.oracle(question.game, fixed=fixed, **options).value()


def fault(question: Asked) -> str | None:
    """What is wrong with the answer or its certificate; None for nothing."""
    try:
        solution = es.solve(question.game, **question.options)
    except es.EndsightError as error:
        return f"unsolved: {error.message}"  # type: ignore[attr-defined]
    truth = naive_value(question)
    # Where players cooperate, what others than the first get depends on how ties are broken.
    told = 1 if question.options.get("objective") == "cooperative" else len(truth)
    if any(value not in (own, None) for own, value in zip(solution.values()[:told], truth, strict=False)):
        return f"solved {solution.values()}, the oracle says {truth}"
    try:
        certificate = es.prove(solution)
    except es.EndsightError as error:
        return f"no certificate: {error}"
    policies = {
        solution.game.player_names[player]: rule
        for player, rule in question.options.get("fixed", {}).items()
        if callable(rule)
    }
    es.verify(certificate, type(question.game), policies=policies)
    claims = list(zip(certificate.claim.value.values(), truth, strict=True))[:told]
    # Where nobody decides, bounds are about one player all the same.
    has_one = question.oracle is OneDecides and any(ends == (value, value) for ends, value in claims)
    unclaimed = (None, None) if has_one else None
    for ends, value in claims:
        if value is not None and ends not in ((value, value), unclaimed):
            return f"claimed {certificate.claim.value}, the oracle says {truth}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove random games on which play can come back to a position.")
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rivals", action="store_true", help="two players, loops, other payoffs than 1, 0 and -1")
    given = parser.parse_args()
    counts, reasons, faults = Counter[str](), Counter[str](), 0
    for number in range(given.count):
        question = (rivals if given.rivals else asked)(given.seed * 1_000_003 + number)
        found = fault(question)
        if found is None:
            counts[question.shape] += 1
        elif found.startswith("unsolved"):
            reasons[f"{question.shape}, {found}"] += 1
        else:
            faults += 1
            print(f"{question.shape}: {question.game!r}, {dict(question.options)}: {found}")
    shapes = ", ".join(f"{count:,} {shape}" for shape, count in sorted(counts.items()))
    print(f"{given.count:,} games, seed {given.seed}: {faults} faults; proven exactly: {shapes}")
    for reason, count in reasons.most_common():
        print(f"{count:,} {reason}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
