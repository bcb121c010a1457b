"""Games in which players see different things or move at once, small enough for plans by hand and for slow oracles."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import Any, NamedTuple

import endsight as es
from belief_oracle import HistoryOracle
from endsight import CHANCE, Game
from naive import Oracle


class Tree(Game):
    """Any finite tree: node 0 is the start, and what both players see of a node is a number each."""

    edges: tuple[tuple[int, ...], ...]
    movers: tuple[int, ...]
    """A player, -1 for chance, -2 for both at once: two moves each, so that such a node has four edges."""
    sights: tuple[tuple[int, ...], ...]
    payoffs: tuple[tuple[Fraction | int, ...], ...]
    weights: tuple[tuple[int, ...], ...]
    gains: tuple[tuple[Fraction | int, ...], ...]
    """What the first player gets from the second on the way to a node, one number in a tuple."""
    players = 2

    class State(NamedTuple):
        node: int

    def limits(self) -> Any:
        return self.State(len(self.edges))

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> Any:
        mover = self.movers[state.node]
        return (0, 1) if mover == -2 else mover

    def moves(self, state: Any) -> Any:
        count = len(self.edges[state.node])
        return list(product((0, 1), (0, 1))) if self.movers[state.node] == -2 and count else range(count)

    def play(self, state: Any, move: Any) -> Any:
        return self.State(self.edges[state.node][_place(move)])

    def weight(self, state: Any, move: int) -> int:
        return self.weights[state.node][move]

    def reward(self, state: Any, move: Any) -> Any:
        gain = self.gains[self.edges[state.node][_place(move)]][0]
        return gain, -gain

    def payoff(self, state: Any) -> Any:
        return self.payoffs[state.node]

    def sees(self, state: Any, player: int) -> Any:
        return self.sights[state.node][player]


def _place(move: Any) -> int:
    return 2 * move[0] + move[1] if isinstance(move, tuple) else move


def random_tree(draw: random.Random, depth: int = 4) -> Tree:
    """A tree of constant sum; a player who moves sees how many moves there are, so that sets have the same moves."""
    rows: list[list[Any]] = []

    def grow(left: int) -> int:
        node, mover = len(rows), draw.choice((CHANCE, 0, 1, 0, 1, -2))
        count = 0 if left == 0 or (node and draw.random() < 0.15) else 4 if mover == -2 else draw.randint(1, 3)
        own = (mover in (0, -2)) * count, (mover in (1, -2)) * count
        sights = tuple(10 * moves + draw.randint(0, 1) for moves in own)
        amount = draw.choice((-3, -1, 0, 1, 2, Fraction(1, 3)))
        gain = draw.choice((0, 0, 0, 1, -2))
        weights = tuple(draw.randint(1, 3) for _ in range(count))
        rows.append([(), mover, sights, (amount, 1 - amount), weights, (gain,)])
        rows[node][0] = tuple(grow(left - 1) for _ in range(count))
        return node

    grow(depth)
    return Tree(*(tuple(column) for column in zip(*rows, strict=True)))


def random_behaviour(draw: random.Random) -> Behaviour:
    """Weights drawn anew for every information set, some of them 0."""
    told: dict[Any, list[int]] = {}

    def weights(player: int, view: View, moves: Sequence[Any]) -> list[int]:
        if (player, view) not in told:
            found = [draw.choice((0, 1, 1, 2)) for _ in moves]
            told[player, view] = found if any(found) else [1] * len(moves)
        return told[player, view]

    return weights


# ---------------------------------------------------------------------- plans by walking, and what they are worth

View = tuple[Any, ...]
Behaviour = Callable[[int, View, Sequence[Any]], Sequence[int]]
"""Whole weights of a player's moves at an information set, by what was seen and done there."""


class Plain:
    """A game's histories by plain recursion: views are whole histories, chances are fractions."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def looked(self, state: Any, views: tuple[View, View]) -> tuple[View, View]:
        found = []
        for player, view in enumerate(views):
            now = self.game.sees(state, player)
            last = next((thing for kind, thing in reversed(view) if kind == "saw"), None)
            found.append(view if last == now else (*view, ("saw", now)))
        return found[0], found[1]

    def children(self, state: Any, views: tuple[View, View]) -> Iterator[tuple[Any, tuple[View, View], Any, Any]]:
        """State, views, gain of the first player, and their own move of each player, or the chance, for every move."""
        game = self.game
        moves, mover = list(game.moves(state)), game.to_move(state)
        total = sum(game.weight(state, move) for move in moves) if mover == CHANCE else 0
        for move in moves:
            parts = {} if mover == CHANCE else dict(enumerate(move)) if mover == (0, 1) else {mover: move}
            after = tuple(view if p not in parts else (*view, ("did", parts[p])) for p, view in enumerate(views))
            chance = Fraction(game.weight(state, move), total) if total else Fraction(1)
            gain = game.reward(state, move)
            yield game.play(state, move), after, gain[0] if gain else 0, (parts, chance)

    def sets(self) -> tuple[dict[View, list[Any]], dict[View, list[Any]]]:
        """The moves of all information sets of both players, in the order in which play by the rules meets them."""
        found: tuple[dict[View, list[Any]], dict[View, list[Any]]] = ({}, {})

        def walk(state: Any, views: tuple[View, View]) -> None:
            views = self.looked(state, views)
            children = list(self.children(state, views))
            for player in (0, 1):
                own = list(dict.fromkeys(parts[player] for *_, (parts, _) in children if player in parts))
                if own:
                    found[player].setdefault(views[player], own)
            for child, after, _, _ in children:
                walk(child, after)

        walk(self.game.start(), ((), ()))
        return found

    def worth(self, chosen: Callable[[int, View, Any], Fraction]) -> Fraction:
        """What the first player gets if moves are drawn with those chances."""

        def walk(state: Any, views: tuple[View, View]) -> Fraction:
            views = self.looked(state, views)
            children = list(self.children(state, views))
            if not children:
                return Fraction(self.game.payoff(state)[0])
            found = Fraction(0)
            for child, after, gain, (parts, chance) in children:
                for player, own in parts.items():
                    chance *= chosen(player, views[player], own)
                found += chance * (gain + walk(child, after)) if chance else 0
            return found

        return walk(self.game.start(), ((), ()))

    def best_reply(self, player: int, behaviour: Behaviour) -> Fraction:
        """What the first player gets if that player replies best to the other's behaviour, by trying all replies."""
        sets = self.sets()
        views = list(sets[player])
        worths = []
        for reply in product(*(range(len(sets[player][view])) for view in views)):
            picked = {view: sets[player][view][place] for view, place in zip(views, reply, strict=True)}

            def chosen(who: int, view: View, own: Any, picked: Any = picked) -> Fraction:
                if who == player:
                    return Fraction(picked[view] == own)
                return share(behaviour, who, view, sets[who][view], own)

            worths.append(self.worth(chosen))
        return max(worths) if player == 0 else min(worths)

    def replied(self, player: int, behaviour: Behaviour) -> Fraction:
        """The same by folding back, for games with too many replies to try: sets by sets, from the last."""
        sets = self.sets()
        worth: dict[View, Fraction] = {}

        def walk(state: Any, views: tuple[View, View], chance: Fraction, got: Any) -> None:
            views = self.looked(state, views)
            children = list(self.children(state, views))
            if not children:
                last = before(views[player])
                worth[last] = worth.get(last, Fraction(0)) + chance * (got + self.game.payoff(state)[0])
            for child, after, gain, (parts, drawn) in children:
                for who, own in parts.items():
                    drawn *= 1 if who == player else share(behaviour, who, views[who], sets[who][views[who]], own)
                walk(child, after, chance * drawn, got + gain)

        walk(self.game.start(), ((), ()), Fraction(1), 0)
        for view in sorted(sets[player], key=len, reverse=True):
            there = [worth.get((*view, ("did", own)), Fraction(0)) for own in sets[player][view]]
            last = before(view)
            worth[last] = worth.get(last, Fraction(0)) + (max if player == 0 else min)(there)
        return worth[()]


def share(behaviour: Behaviour, player: int, view: View, moves: Sequence[Any], own: Any) -> Fraction:
    """The chance of one move."""
    weights = behaviour(player, view, moves)
    return Fraction(weights[moves.index(own)], sum(weights))


def masses(game: Game, player: int, behaviour: Behaviour) -> tuple[int, list[int]]:
    """The total and the masses of a plan in the order of a certificate, from whole weights of moves."""
    sets = Plain(game).sets()[player]
    reach: dict[View, Fraction] = {}
    for view, moves in sets.items():
        arriving = reach.get(before(view), Fraction(1))
        for own in moves:
            reach[(*view, ("did", own))] = arriving * share(behaviour, player, view, moves, own)
    total = lcm(*(chance.denominator for chance in reach.values()))
    told = []
    for view, moves in sets.items():
        arriving = reach.get(before(view), Fraction(1))
        if arriving and len(moves) > 1:
            told += [int(reach[(*view, ("did", own))] * total) for own in moves]
    return total, told


def before(view: View) -> View:
    """The view up to the last own move."""
    while view and view[-1][0] != "did":
        view = view[:-1]
    return view


# ---------------------------------------------------------------------- the truth


class HiddenOracle(Oracle):
    """The value of a tree, or of a subgame of it, from an exact equilibrium, which best replies of their own prove."""

    def value(self, position: Any = None) -> tuple[Any, ...]:
        """What both players can secure; None for each where the position starts no subgame."""
        assert self.objective == "competitive"
        assert not self.fixed
        if position is None or not position.history:
            return hidden_value(self.game, self.utility)
        if not starts_subgame(self.game, position.state.node):
            return (None, None)
        return hidden_value(subtree(self.game, position.state.node, position.so_far), self.utility)


def starts_subgame(tree: Tree, root: int) -> bool:
    """Whether no view at a decision below a node is one at a decision elsewhere."""
    plain, found = Plain(tree), {True: set[Any](), False: set[Any]()}

    def walk(node: int, views: tuple[View, View], is_below: bool) -> None:
        is_below = is_below or node == root
        views = plain.looked(tree.State(node), views)
        for child, after, _, (parts, _) in plain.children(tree.State(node), views):
            found[is_below] |= {(player, views[player]) for player in parts}
            walk(child.node, after, is_below)

    walk(0, ((), ()), False)
    return found[True].isdisjoint(found[False])


def subtree(tree: Tree, root: int, gained: Sequence[Any]) -> Tree:
    """The tree below a node as a game of its own, whose ends pay what was gained before, too."""
    nodes = [root]
    for node in nodes:
        nodes += tree.edges[node]
    numbers = {node: number for number, node in enumerate(nodes)}
    edges = tuple(tuple(numbers[child] for child in tree.edges[node]) for node in nodes)
    movers, sights, weights, gains = (
        tuple(column[node] for node in nodes) for column in (tree.movers, tree.sights, tree.weights, tree.gains)
    )
    payoffs = tuple(tuple(map(sum, zip(tree.payoffs[node], gained, strict=True))) for node in nodes)
    return Tree(edges, movers, sights, payoffs, weights, gains)


@cache
def hidden_value(game: Game, utility: Any) -> tuple[Any, ...]:
    """What both players can secure."""
    return es.solve(game, utility=utility).exact_values()


class BeliefOracle(Oracle):
    """The value of a game from all its histories, where all players see the same."""

    def value(self, position: Any = None) -> tuple[Any, ...]:
        if position is None or not position.history:
            return history_value(self.game)
        return HistoryOracle(self.game).after(position.history)


@cache
def history_value(game: Game) -> tuple[Any, ...]:
    """What every player gets in the mean."""
    return HistoryOracle(game).value()
