"""The oracle of games in which players move at once: slow and obvious, with fractions, sharing nothing but the rules.

The value of a matrix game is found by trying every square part of the matrix (Shapley and Snow, "Basic solutions of
discrete games", 1950): some pair of mixtures that equalises one is optimal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple

import endsight as es
from endsight import CHANCE, Game
from naive import Node, Oracle, mean

Matrix = Sequence[Sequence]


def value_of_matrix(matrix: Matrix) -> Fraction:
    """What the rows get, by the first square part whose equalising mixtures hold against the whole matrix."""
    rows, columns = range(len(matrix)), range(len(matrix[0]))
    turned = list(zip(*matrix, strict=True))
    for size in range(1, min(len(rows), len(columns)) + 1):
        for own in combinations(rows, size):
            for other in combinations(columns, size):
                low = equalised([[turned[j][i] for i in own] for j in other])
                high = equalised([[matrix[i][j] for j in other] for i in own])
                if low is None or high is None:
                    continue
                gains = [sum(w * matrix[i][j] for w, i in zip(low[0], own, strict=True)) for j in columns]
                losses = [sum(w * matrix[i][j] for w, j in zip(high[0], other, strict=True)) for i in rows]
                if min(gains) == max(losses):
                    return min(gains)
    raise AssertionError("every matrix game has such a part")


def equalised(lines: Matrix) -> tuple[list[Fraction], Fraction] | None:
    """Weights that sum to 1, none negative, with which every line adds up to one value; None where there are none."""
    size = len(lines)
    equations = [[*map(Fraction, line), Fraction(-1), Fraction(0)] for line in lines]
    equations.append([Fraction(1)] * size + [Fraction(0), Fraction(1)])
    for place in range(size + 1):
        chosen = next((row for row in range(place, size + 1) if equations[row][place]), None)
        if chosen is None:
            return None
        equations[place], equations[chosen] = equations[chosen], equations[place]
        first = equations[place]
        equations[place] = [entry / first[place] for entry in first]
        for row in range(size + 1):
            if row != place and equations[row][place]:
                factor = equations[row][place]
                equations[row] = [a - factor * b for a, b in zip(equations[row], equations[place], strict=True)]
    solution = [row[-1] for row in equations]
    return (solution[:-1], solution[-1]) if min(solution[:-1]) >= 0 else None


# ---------------------------------------------------------------------- games


class MatrixGame(Game):
    """Both players choose at once, a row and a column; the second pays the first what stands there."""

    players = 2
    matrix: tuple[tuple[Any, ...], ...]

    class State(NamedTuple):
        row: int = -1
        column: int = -1

    def start(self) -> State:
        return self.State()

    def to_move(self, state: State) -> tuple[int, int]:
        return (0, 1)

    def moves(self, state: State) -> Iterator[tuple[int, int]]:
        if state.row < 0:
            yield from product(range(len(self.matrix)), range(len(self.matrix[0])))

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(*move)

    def payoff(self, state: State) -> tuple[Any, Any]:
        own = self.matrix[state.row][state.column]
        return (own, -own)


def solved_matrix(matrix: Matrix) -> es.Solution:
    """What endsight says of it."""
    return es.solve(MatrixGame(tuple(map(tuple, matrix))))


class AtOnceGraph(Game):
    """Play on a graph: a player, chance, or both players at once lead from node to node.

    `columns` is 0 where one moves, else how many moves the second player has where both do; the successors of a node
    then are the rows of a matrix, one after the other.
    """

    players = 2
    successors: tuple[tuple[int, ...], ...]
    columns: tuple[int, ...]
    movers: tuple[int, ...]
    weights: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[int, ...], ...]
    ends: tuple[int, ...]
    total: int = 0

    class State(NamedTuple):
        at: int

    def limits(self) -> State:
        return self.State(len(self.successors))

    def start(self) -> State:
        return self.State(0)

    def to_move(self, state: State) -> int | tuple[int, int]:
        return (0, 1) if self.columns[state.at] else self.movers[state.at]

    def moves(self, state: State) -> Any:
        count, columns = len(self.successors[state.at]), self.columns[state.at]
        return list(product(range(count // columns), range(columns))) if columns else list(range(count))

    def edge(self, state: State, move: Any) -> int:
        return move[0] * self.columns[state.at] + move[1] if isinstance(move, tuple) else move

    def play(self, state: State, move: Any) -> State:
        return self.State(self.successors[state.at][self.edge(state, move)])

    def weight(self, state: State, move: int) -> int:
        return self.weights[state.at][move]

    def reward(self, state: State, move: Any) -> tuple[Fraction, Fraction]:
        gain = Fraction(self.gains[state.at][self.edge(state, move)], 2)
        return (gain, -gain)

    def payoff(self, state: State) -> tuple[int, int]:
        return (self.ends[state.at], self.total - self.ends[state.at])


def random_game(random: Random, *, loops: bool = False) -> AtOnceGraph:
    """A few nodes; with loops, chance leads from every node on to an end now and then."""
    size, last = random.randint(2, 7), random.randint(1, 3)
    span = random.choice([1, 2, 20])
    successors, columns, movers, weights, gains = [], [], [], [], []
    for node in range(size):
        kind = random.choice(["first", "second", "chance", "both", "both", "both"])
        rows, wide = random.randint(1, 3), random.randint(1, 3)
        count = rows * wide if kind == "both" else rows
        reached = range(size + last) if loops else range(node + 1, size + last)
        successors.append(tuple(random.choice(reached) for _ in range(count)))
        columns.append(wide if kind == "both" else 0)
        movers.append({"first": 0, "second": 1, "chance": CHANCE}.get(kind, 0))
        weights.append(tuple(random.randint(1, 3) for _ in range(count)))
        gains.append(tuple(random.choice([0, 0, random.randint(-span, span)]) for _ in range(count)))
    if loops:
        _let_stop(random, size, last, successors, columns, movers, weights, gains)
    beyond = len(successors)
    ends = [0] * size + [random.randint(-span, span) for _ in range(last)]
    ends += [0] * (beyond + last - len(ends)) if not loops else [0] * (beyond - len(ends))
    empty = () if loops else ((),) * last
    return AtOnceGraph(
        (*successors, *empty), (*columns, *[0] * len(empty)), (*movers, *[0] * len(empty)), (*weights, *empty),
        (*gains, *empty), tuple(ends), random.choice([0, 0, 1, 3]),
    )  # fmt: skip


class Lasting(AtOnceGraph):
    """The same where play that never ends pays the first player a third."""

    endless = (Fraction(1, 3), Fraction(-1, 3))


def random_lasting_game(random: Random, *, alone: bool) -> AtOnceGraph:
    """Play that may never end, and is paid at ends only; `alone`: of two who move at once one has a single move."""
    size, last = random.randint(1, 6), random.randint(1, 3)
    successors, columns, movers, weights = [], [], [], []
    for _ in range(size):
        kind = random.choice(["chance", "both", "both", "both"])
        rows, wide = random.randint(1, 3), random.randint(1, 3)
        rows, wide = (rows, wide) if not alone else random.choice([(rows, 1), (1, wide)])
        count = rows * wide if kind == "both" else rows
        successors.append(tuple(random.randrange(size + last) for _ in range(count)))
        columns.append(wide if kind == "both" else 0)
        movers.append(CHANCE if kind == "chance" else 0)
        weights.append(tuple(random.randint(1, 3) for _ in range(count)))
    ends = tuple([0] * size + [random.randint(-2, 2) for _ in range(last)])
    gains = tuple((0,) * len(row) for row in successors)
    nothing = ((),) * last
    return random.choice([AtOnceGraph, Lasting])(
        (*successors, *nothing), (*columns, *[0] * last), (*movers, *[0] * last), (*weights, *nothing),
        (*gains, *nothing), ends,
    )  # fmt: skip


def in_turns(game: AtOnceGraph) -> AtOnceGraph:
    """The same game where whoever has a choice moves alone; the other must have none."""
    wide = zip(game.columns, game.successors, game.movers, strict=True)
    movers = tuple(int(columns > 1) if columns else mover for columns, _, mover in wide)
    return type(game)(game.successors, (0,) * len(game.columns), movers, game.weights, game.gains, game.ends)


def _let_stop(random: Random, size: int, last: int, *columns: list) -> None:
    """Put a node of chance behind every edge, which may lead to an end instead."""
    successors, wide, movers, weights, gains = columns
    for _ in range(last):
        for column, entry in zip(columns, ((), 0, 0, (), ()), strict=True):
            column.append(entry)
    for node in range(size):
        for place, child in enumerate(successors[node]):
            row = list(successors[node])
            row[place] = len(successors)
            successors[node] = tuple(row)
            successors.append((child, size + random.randrange(last)))
            wide.append(0)
            movers.append(CHANCE)
            weights.append((random.randint(1, 3), random.randint(1, 2)))
            gains.append((0, 0))


def stop_or_go_on() -> AtOnceGraph:
    """The game [[2, v/2], [v/2, 1]] of value v = 2 - 2/sqrt(3): chance ends it half of the times."""
    none: tuple = ()
    return AtOnceGraph(
        successors=((2, 1, 1, 3), (0, 4), none, none, none),
        columns=(2, 0, 0, 0, 0),
        movers=(0, CHANCE, 0, 0, 0),
        weights=((1,) * 4, (1, 1), none, none, none),
        gains=((0,) * 4, (0, 0), none, none, none),
        ends=(0, 0, 2, 1, 0),
    )


class Naive(Oracle):
    """Backward induction with a matrix game wherever both move at once; constant sum."""

    def root(self, position: Any = None) -> Node:
        position = position or self.game.position()
        return (position.state, self.game.to_move(position.state), position.so_far)

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self.values[node] = self._value_of(node)
        return self.values[node]

    def _value_of(self, node: Node) -> tuple:
        if not self.legal(node):
            return self.worth(self.final(node))
        chances = self.chances(node)
        if chances is not None:
            return mean([(chance, self.through(node, move)) for move, chance in chances])
        if not isinstance(node[1], tuple) or self.objective == "cooperative":
            mover = 0 if isinstance(node[1], tuple) else node[1]
            return max((self.through(node, move) for move in self.legal(node)), key=lambda v: self.interest(mover, v))
        return self.at_once(node)

    def at_once(self, node: Node) -> tuple:
        values = {move: self.through(node, move) for move in self.legal(node)}
        rows, columns = ({move[place]: None for move in values} for place in (0, 1))
        value = value_of_matrix([[values[row, column][0] for column in columns] for row in rows])
        return value, sum(next(iter(values.values()))) - value


class OneMove(Naive):
    """What a position is worth by told values of those after it, player by player."""

    def __init__(self, game: Game, told: dict[Any, tuple]) -> None:
        super().__init__(game)
        self.told = told

    def through(self, node: Node, move: Any) -> tuple:
        state, _, totals = self.after(node, move)
        return tuple(a + b for a, b in zip(self.told[state], totals, strict=True))
