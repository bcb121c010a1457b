"""The oracle: slow and obvious answers, straight from the rules, to hold every fast one against.

It shares nothing with the package but the rules protocol. A node is (state, mover,
totals): whose turn it is, and what the moves so far brought each player. Values have
one entry per player and count the whole game. Three ways to find them:

- `Recursion`: backward induction; any number of players, chance, rewards; no loops.
- `Sweeps`: play that is cut off after 0, 1, 2, ... plies, until nothing changes any more;
  loops, no chance, no rewards, constant sum. Also counts the plies of forced wins.
- `Enumeration`: every pair of stationary policies, each solved as a linear system; loops
  and chance; one player, or two whose payoffs and rewards sum to 0. Tiny games only.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from endsight.game import CHANCE, Game

Node = tuple[Any, int, tuple]
Policy = str | Callable[[Any], Any]  # "random", "worst", or a function state -> move


class Oracle:
    """A game and what is asked about it; subclasses say `value_of(node)`."""

    def __init__(self, game: Game, objective: str = "competitive", utility: str = "payoff", fixed: dict | None = None):
        self.game, self.objective, self.utility = game, objective, utility
        self.fixed: dict[int, Policy] = fixed or {}
        self.players = game.player_count
        self.values: dict[Node, tuple] = {}

    # ---- the game as nodes

    def root(self, position: Any = None) -> Node:
        position = position or self.game.position()
        return (position.state, position.mover, position.so_far)

    def per_player(self, share: Any, mover: int) -> tuple:
        """A payoff or reward with one entry per player."""
        if isinstance(share, tuple):
            return share
        if self.players == 1:
            return (share,)
        if share == 0:
            return (0,) * self.players
        assert not self.game.gives("to_move"), "a single number needs alternating players"
        return (share, -share) if mover == 0 else (-share, share)

    def legal(self, node: Node) -> list:
        return list(self.game.moves(node[0]))

    def after(self, node: Node, move: Any) -> Node:
        state, mover, totals = node
        child = self.game.play(state, move)
        gain = self.per_player(self.game.reward(state, move), mover)
        turn = self.game.to_move(child) if self.game.gives("to_move") else (mover + 1) % self.players
        return (child, turn, tuple(a + b for a, b in zip(totals, gain, strict=True)))

    def final(self, node: Node) -> tuple:
        """Everybody's total at the end of the game."""
        state, mover, totals = node
        return tuple(a + b for a, b in zip(totals, self.per_player(self.game.payoff(state), mover), strict=True))

    def reachable(self, root: Node) -> list[Node]:
        nodes = [root]
        seen = {root}
        for node in nodes:
            for move in self.legal(node):
                child = self.after(node, move)
                if child not in seen:
                    seen.add(child)
                    nodes.append(child)
        return nodes

    # ---- the question

    def worth(self, totals: tuple) -> tuple:
        """Everybody's utility of whole-game totals."""
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:i] + totals[i + 1 :]) for i, own in enumerate(totals))
        if self.players == 1:
            par = self.game.par()
            return (Fraction(1) if totals[0] > par else Fraction(1, 2) if totals[0] == par else Fraction(0),)
        winners = [i for i, own in enumerate(totals) if own == max(totals)]
        return tuple(Fraction(1, len(winners)) if i in winners else Fraction(0) for i in range(self.players))

    def wish(self, mover: int, value: tuple) -> Any:
        """What the mover wants as much of as possible."""
        if self.fixed.get(mover) == "worst":
            return -value[mover]
        return value[0] if self.objective == "cooperative" else value[mover]

    def chances(self, node: Node) -> list[tuple[Any, Fraction]] | None:
        """Moves with their probabilities where dice or a random player decide, else None."""
        state, mover, _ = node
        moves = self.legal(node)
        if mover == CHANCE:
            weights = [self.game.weight(state, move) for move in moves]
            return [(move, Fraction(weight, sum(weights))) for move, weight in zip(moves, weights, strict=True)]
        if self.fixed.get(mover) == "random":
            return [(move, Fraction(1, len(moves))) for move in moves]
        return None

    def options(self, node: Node) -> list:
        """The moves a player chooses among: one where a policy is fixed."""
        policy = self.fixed.get(node[1])
        return [policy(node[0])] if callable(policy) else self.legal(node)

    # ---- answers

    def value_of(self, node: Node) -> tuple:
        raise NotImplementedError

    def value(self, position: Any = None) -> tuple:
        return self.value_of(self.root(position))

    def through(self, node: Node, move: Any) -> tuple:
        """Value of making that move."""
        return self.value_of(self.after(node, move))

    def move_values(self, position: Any = None) -> list[tuple[Any, tuple]]:
        """Every legal move with its value, in the order of the rules."""
        node = self.root(position)
        return [(move, self.through(node, move)) for move in self.legal(node)]

    def best_moves(self, position: Any = None) -> list:
        """All moves of the highest wish of the player to move."""
        mover = self.root(position)[1]
        wishes = [(move, self.wish(mover, value)) for move, value in self.move_values(position)]
        return [move for move, wish in wishes if wish == max(wish for _, wish in wishes)]


class Recursion(Oracle):
    """Backward induction. Ties go to the first move, which matters to the others' values only."""

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self.values[node] = self._value_of(node)
        return self.values[node]

    def _value_of(self, node: Node) -> tuple:
        if not self.legal(node):
            return self.worth(self.final(node))
        chances = self.chances(node)
        if chances is None:
            return self.through(node, self.chosen(node))
        return mean([(chance, self.through(node, move)) for move, chance in chances])

    def chosen(self, node: Node) -> Any:
        """The first move of the best value (a game won or lost may have a shorter way: see `Sweeps`)."""
        return max(self.options(node), key=lambda move: self.wish(node[1], self.through(node, move)))

    def outcomes(self, node: Node | None = None) -> dict[tuple, Fraction]:
        """Everybody's totals with their probabilities when every choice is the first best move."""
        node = node or self.root()
        if not self.legal(node):
            return {self.final(node): Fraction(1)}
        result: dict[tuple, Fraction] = {}
        for move, chance in self.chances(node) or [(self.chosen(node), Fraction(1))]:
            for totals, rest in self.outcomes(self.after(node, move)).items():
                result[totals] = result.get(totals, Fraction(0)) + chance * rest
        return result

    def distribution(self, player: int = 0, position: Any = None) -> dict:
        """What one player gets with which probability, in increasing order."""
        outcomes = self.outcomes(self.root(position))
        amounts = sorted({totals[player] for totals in outcomes})
        return {amount: sum(chance for t, chance in outcomes.items() if t[player] == amount) for amount in amounts}

    def plies(self, node: Node | None = None) -> Fraction:
        """Mean number of moves that players make (chance outcomes are not counted)."""
        node = node or self.root()
        if not self.legal(node):
            return Fraction(0)
        own = 0 if node[1] == CHANCE else 1
        ways = self.chances(node) or [(self.chosen(node), Fraction(1))]
        return own + sum(chance * self.plies(self.after(node, move)) for move, chance in ways)


class Sweeps(Oracle):
    """Play that is cut off after k plies pays like endless play; k grows until nothing changes."""

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self._sweep(node)
        return self.values[node]

    def distance(self, position: Any = None) -> int | None:
        """Plies to a forced win or loss; None for a draw. For games only won, drawn or lost."""
        node = self.root(position)
        self.value_of(node)
        return self.reached[node]

    def _sweep(self, root: Node) -> None:
        nodes = self.reachable(root)
        assert all(node[1] != CHANCE and not any(node[2]) for node in nodes), "no chance, no rewards"
        endless = self.worth((0,) * self.players)
        values = {node: endless if self.legal(node) else self.worth(self.final(node)) for node in nodes}
        self.reached = {node: 0 if values[node] != endless else None for node in nodes}
        for plies in range(1, len(nodes) + 1):
            longer = {node: self._one_ply(node, values) for node in nodes}
            for node in nodes:
                if longer[node] != values[node]:
                    self.reached[node] = plies
            if longer == values:
                break
            values = longer
        assert longer == values, "a forced win never visits a node twice"
        self.values.update(values)

    def _one_ply(self, node: Node, values: dict) -> tuple:
        if not self.legal(node):
            return values[node]
        return max((values[self.after(node, move)] for move in self.options(node)), key=lambda v: self.wish(node[1], v))


class Enumeration(Oracle):
    """The best over all stationary policies of one side of the worst over all of the other."""

    def value_of(self, node: Node) -> tuple:
        if node not in self.values:
            self._enumerate(node)
        return self.values[node]

    def root(self, position: Any = None) -> Node:
        """Nodes carry no totals: with loops they would grow without end."""
        state, mover, totals = super().root(position)
        assert not any(totals), "ask about a position set up directly, where nothing has been gained yet"
        return (state, mover, totals)

    def after(self, node: Node, move: Any) -> Node:
        return (*super().after(node, move)[:2], (0,) * self.players)

    def through(self, node: Node, move: Any) -> tuple:
        gain = self.per_player(self.game.reward(node[0], move), node[1])
        return tuple(a + b for a, b in zip(gain, super().through(node, move), strict=True))

    def _enumerate(self, root: Node) -> None:
        assert self.players == 1 or self.utility == "payoff" or not self.game.gives("reward")
        nodes = self.reachable(root)
        choosing = [node for node in nodes if self.legal(node) and self.chances(node) is None]
        # With payoffs that sum to 0 a player either wants more for the first or less.
        up = [node for node in choosing if self.wish(node[1], (1, -1)[: self.players]) > 0]
        down = [node for node in choosing if node not in up]
        best: dict[Node, Any] = {}
        for mine in product(*map(self.options, up)):
            worst: dict[Node, Any] = {}
            for theirs in product(*map(self.options, down)):
                policy = dict(zip(up + down, mine + theirs, strict=True))
                for node, value in self._evaluate(nodes, policy).items():
                    worst[node] = min(value, worst.get(node, value))
            for node, value in worst.items():
                best[node] = max(value, best.get(node, value))
        total = sum(self.worth((0,) * self.players))
        self.values.update({node: (v, total - v)[: self.players] for node, v in best.items()})

    def _evaluate(self, nodes: list[Node], policy: dict) -> dict[Node, Fraction]:
        """The first player's value of every node when all moves are fixed."""
        ends = {node for node in nodes if not self.legal(node)}
        steps = {
            node: [
                (chance, self.after(node, move), self.per_player(self.game.reward(node[0], move), node[1])[0])
                for move, chance in self.chances(node) or [(policy[node], Fraction(1))]
            ]
            for node in nodes
            if node not in ends
        }
        finishing = set(ends)
        while more := {n for n in steps if n not in finishing and any(c in finishing for _, c, _ in steps[n])}:
            finishing |= more
        assert len(finishing) == len(nodes) or not self.game.gives("reward"), "endless play could gain without end"
        known = {node: Fraction(self.worth(self.final(node))[0]) for node in ends}
        known |= {node: Fraction(self.worth((0,) * self.players)[0]) for node in steps if node not in finishing}
        return known | solve({node: steps[node] for node in steps if node in finishing}, known)


def mean(weighted: list[tuple[Fraction, tuple]]) -> tuple:
    """Entry by entry."""
    return tuple(sum(chance * value[i] for chance, value in weighted) for i in range(len(weighted[0][1])))


def solve(steps: dict, known: dict) -> dict[Any, Fraction]:
    """v(node) = sum of chance * (gain + v(child)), by Gaussian elimination on exact fractions."""
    unknown = list(steps)
    column = {node: i for i, node in enumerate(unknown)}
    rows = []
    for node in unknown:
        row = [Fraction(0)] * (len(unknown) + 1)
        row[column[node]] += 1
        for chance, child, gain in steps[node]:
            row[-1] += chance * gain
            if child in known:
                row[-1] += chance * known[child]
            else:
                row[column[child]] -= chance
        rows.append(row)
    for i in range(len(rows)):
        pivot = next(k for k in range(i, len(rows)) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [entry / rows[i][i] for entry in rows[i]]
        for k in range(len(rows)):
            if k != i and rows[k][i] != 0:
                rows[k] = [a - rows[k][i] * b for a, b in zip(rows[k], rows[i], strict=True)]
    return {node: rows[column[node]][-1] for node in unknown}
