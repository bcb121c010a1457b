"""Exact policy iteration: games with chance in which play can come back to a position.

Component by component, successors first. Inside a component one player's policies are
improved as in Howard (1960); two opposed players as in Hoffman and Karp, "On
nonterminating stochastic games" (1966): the second player answers the first's policy optimally,
then the first improves. Floats find a policy that is nearly always optimal already; then
every policy is evaluated by one exact linear solve in whole numbers, so every
improvement is strict and the iteration ends with all optimality equations exactly true.

Where play ends with probability 1 whatever the players do, the values are the only solution
of the optimality equations (Shapley 1953; Condon 1992). Where both sides together can keep play going for
ever (`endless`), they are not: then a side that finds no better move also checks whether it can stay for
ever where that pays more (`end_components.can_stay`), and values and policies are right when it cannot either
(docs/theory/endless-play.md; such policies exist: Liggett and Lippman 1969).

Where loops cost one side something each time, that side's policies are improved first and last, starting from one
that keeps play from paying for ever (`Payer.stop_paying`); no improvement closes such a loop again, as its gains would
have to be zero or better ("Costs on the way" there; with one player, Bertsekas and Tsitsiklis 1991).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from math import lcm
from typing import TypeAlias

from endsight.algorithms.arena import Arena
from endsight.algorithms.end_components import Endless, can_stay, closed_classes, ways_out
from endsight.algorithms.float_policy_iteration import FloatGame
from endsight.game.numbers import Number, average, nearest_float, simplest
from endsight.graph.paying_loops import Payer

Values: TypeAlias = "list[Number] | dict[int, Number]"
"""Values by node, as far as they are known."""


def exact_values(arena: Arena, endless: Mapping[int, Endless] | None = None) -> tuple[list[Number], dict[int, int]]:
    """Value of every node, and the edges of best play at decisions named in `endless`.

    `endless` has the nodes on which both sides together can keep play going for ever, or on whose loops something is
    gained, with the payoff of that; elsewhere play must end with probability 1 whatever the players do.
    """
    values: list[Number] = [0] * len(arena)
    choices: dict[int, int] = {}
    lists = arena.lists()
    for part in lists.components:
        choices |= solve_component(lists, part, values, endless or {})
    return [simplest(Fraction(value) / arena.unit) for value in values], choices


def solve_component(
    arena: Arena, part: list[int], values: Values, endless: Mapping[int, Endless] | None = None
) -> dict[int, int]:
    """Set the values of one component, in units of an arena of lists; those of all nodes it leads to must be known.

    Returns the edges of best play at decisions that `endless` names (see `exact_values`).
    """
    if arena.is_loop(part):
        return _Component(arena, part, values, endless or {}).solve()
    values[part[0]] = _backed_up(arena, part[0], values)
    return {}


def _backed_up(arena: Arena, node: int, values: Values) -> Number:
    """The value of a node from those of its successors."""
    if arena.is_end(node):
        payoff: int = arena.payoffs[node]
        return payoff
    sign = arena.signs[node]
    worths = [simplest(arena.gain(edge) + values[arena.successors[edge]]) for edge in arena.edges(node)]
    if sign:
        return max(worths) if sign > 0 else min(worths)
    weights = [arena.weight(edge) for edge in arena.edges(node)]
    return average(weights, worths)


class _Component:
    """One component while it is solved; the nodes it leads to have their values.

    All numbers here are multiples of 1 / (`base` * `unit`), nearly all of them whole, which
    avoids greatest common divisors: `base` clears the denominators of the
    surrounding values, `unit` those of the latest solution.
    """

    def __init__(self, arena: Arena, part: list[int], values: Values, endless: Mapping[int, Endless]) -> None:
        self.arena = arena
        self.part = sorted(part)
        self.values = values
        self.inside = set(part)
        self.chance = [node for node in self.part if arena.signs[node] == 0]
        self.choices: dict[int, int] = {}
        edges = [edge for node in self.part for edge in arena.edges(node)]
        around = {arena.successors[edge] for edge in edges} - self.inside
        lasting = {node: endless[node].amount for node in self.part if node in endless}
        self.payer = max((endless[node].payer for node in lasting), key=abs, default=0)
        self.outer = self.payer or 1
        self.stops: dict[int, tuple[int, int]] = {}
        self.base = lcm(*(amount.denominator for amount in (*map(values.__getitem__, around), *lasting.values())))
        self.gains = {edge: arena.gain(edge) * self.base for edge in edges}
        self.around = {node: int(values[node] * self.base) for node in around}
        self.lasting = {node: int(amount * self.base) for node, amount in lasting.items()}
        self.known = self.around
        self.unit = 1
        self.scaled: dict[int, Number] = {}

    def solve(self) -> dict[int, int]:
        """Set the values of the component's nodes; return best play's edges where play need not end."""
        inner, outer = -self.outer, self.outer
        by_side = {side: [node for node in self.part if self.arena.signs[node] == side] for side in (inner, outer)}
        if not self.lasting:
            self.choices = self._guessed({})
        else:
            self.choices = ways_out(self.arena, self.part) | self._stop_paying()
            # One player alone may begin with any choices that lead out, so with those that seem best.
            better = self.choices if by_side[inner] else self._guessed(self.choices)
            if not [*closed_classes(self.arena, self.part, better)]:
                self.choices = better
        self._evaluate()
        while any(self._improve(by_side[side]) or self._stay(side) for side in (inner, outer)):
            self._evaluate()
        bottom = self.base * self.unit
        for node in self.part:
            self.values[node] = simplest(Fraction(self.scaled[node]) / bottom)
        return {node: edge for node, edge in self.choices.items() if node in self.lasting}

    def _guessed(self, first: Mapping[int, int]) -> dict[int, int]:
        """Choices from policy iteration in floats, which starts from the given ones, else from the first edges."""
        arena = self.arena
        game = float_game(arena, self.part, self.values)
        choices = game.offsets[:-1].copy()
        for place, node in enumerate(self.part):
            choices[place] += first.get(node, arena.offsets[node]) - arena.offsets[node]
        game.solve(choices)
        return {
            node: int(choices[place] - game.offsets[place]) + arena.offsets[node]
            for place, node in enumerate(self.part)
            if arena.signs[node]
        }

    def _stop_paying(self) -> dict[int, int]:
        """First choices of the side that loses on the loops, with which play pays only finitely often."""
        if not self.payer:
            return {}

        def loss(edge: int) -> Number:
            return -self.payer * (self.gains[edge] + self.around.get(self.arena.successors[edge], 0))

        moves, lost = Payer(self.arena, self.arena.signs.__getitem__, loss, self.payer).stop_paying(self.part)
        assert not lost, "graphs on which play pays for ever are refused before"
        return moves

    # ---------------------------------------------------------------- evaluation

    def _evaluate(self) -> None:
        """Exact values of all nodes under the choices."""
        self.stops = {}
        if self.lasting:
            closed = closed_classes(self.arena, self.part, self.choices)
            self.known = self.around | {node: self.lasting[node] for node in closed}
        rest = self._solve_equations(self._equations(self._stop(edge)[1] for edge in self.choices.values()))
        while rest:
            later = [node for node in rest if not self._fill(node)]
            if len(later) == len(rest):
                # No choice leads to these nodes, which lead round among themselves.
                later = self._solve_equations(self._equations(self.chance))
            rest = later

    def _equations(self, first: Iterable[int]) -> dict[int, list[tuple[int, int, int]]]:
        """For the chance nodes `first` and all that play reaches from there: weights, gains and stops of outcomes."""
        arena = self.arena
        equations: dict[int, list[tuple[int, int, int]]] = {}
        queue = [node for node in first if node not in self.known]
        while queue:
            node = queue.pop()
            if node in equations:
                continue
            parts = equations[node] = [(arena.weight(edge), *self._stop(edge)) for edge in arena.edges(node)]
            queue += [stop for _, _, stop in parts if stop not in self.known]
        return equations

    def _stop(self, edge: int) -> tuple[int, int]:
        """Gains along `edge` and the choices after it, and the chance node or known node where they stop."""
        arena = self.arena
        way, node = [], arena.successors[edge]
        while arena.signs[node] and node not in self.known and node not in self.stops:
            way.append(node)
            node = arena.successors[self.choices[node]]
        gain, stop = self.stops.get(node, (0, node))
        for passed in reversed(way):
            gain += self.gains[self.choices[passed]]
            self.stops[passed] = gain, stop
        return gain + self.gains[edge], stop

    def _solve_equations(self, equations: dict[int, list[tuple[int, int, int]]]) -> list[int]:
        """Solve one linear equation per chance node; return the chance nodes that are not among them."""
        import flint

        row = {node: place for place, node in enumerate(equations)}
        matrix = [[0] * len(row) for _ in row]
        right = [[0] for _ in row]
        for node, parts in equations.items():
            place = row[node]
            for weight, gain, stop in parts:
                matrix[place][place] += weight
                right[place][0] += weight * (gain + self.known.get(stop, 0))
                if stop in row:
                    matrix[place][row[stop]] -= weight
        solved = flint.fmpz_mat(matrix).solve(flint.fmpz_mat(right)).entries() if row else []
        pairs = [(int(number.p), int(number.q)) for number in solved]
        self.unit = lcm(*(bottom for _, bottom in pairs))
        self.scaled = {node: value * self.unit for node, value in self.known.items()}
        for node, (top, bottom) in zip(equations, pairs, strict=True):
            self.scaled[node] = top * (self.unit // bottom)
        for node, edge in self.choices.items():
            if node not in self.known:
                gain, stop = self._stop(edge)
                self.scaled[node] = gain * self.unit + self.scaled[stop]
        return [node for node in self.chance if node not in self.scaled]

    def _fill(self, node: int) -> bool:
        """Set the value of a chance node that the choices never reach, if its successors have theirs."""
        arena = self.arena
        edges = arena.edges(node)
        if any(arena.successors[edge] not in self.scaled for edge in edges):
            return False
        weights = [arena.weight(edge) for edge in edges]
        self.scaled[node] = average(weights, map(self._worth, edges))
        return True

    # ---------------------------------------------------------------- improvement

    def _worth(self, edge: int) -> Number:
        return self.gains[edge] * self.unit + self.scaled[self.arena.successors[edge]]

    def _improve(self, nodes: Iterable[int]) -> bool:
        """Switch every node to a strictly better edge where there is one."""
        changed = False
        for node in nodes:
            choose = max if self.arena.signs[node] > 0 else min
            best = choose(self.arena.edges(node), key=self._worth)
            if self._worth(best) != self._worth(self.choices[node]):
                self.choices[node] = best
                changed = True
        return changed

    def _stay(self, side: int) -> bool:
        """Switch nodes of a side to stay for ever where that pays it more; the other side's to leave, where it cannot.

        The inner side answers choices of the outer one, which may use all its best moves.
        """
        if not self.lasting:
            return False
        worse = {node for node, amount in self.lasting.items() if side * (amount * self.unit - self.scaled[node]) > 0}
        equal = {
            node: [self.choices[node]]
            if side != self.outer == self.arena.signs[node]
            else [edge for edge in self.arena.edges(node) if self._worth(edge) == self.scaled[node]]
            for node in worse
        }
        stays, switches = can_stay(self.arena, worse, equal, side)
        if stays or side == self.outer:
            self.choices |= switches
        return stays


def float_game(arena: Arena, part: list[int], values: Values) -> FloatGame:
    """A component in floats; the `values` of the surrounding nodes must be known."""
    place = {node: number for number, node in enumerate(part)}
    rows = []
    for node in part:
        edges, is_chance = arena.edges(node), arena.signs[node] == 0
        total = sum(map(arena.weight, edges))
        chances = [arena.weight(edge) / total if is_chance else 1.0 for edge in edges]
        leads = [place.get(arena.successors[edge], len(part)) for edge in edges]
        gains = [_float_gain(arena, edge, values, place) for edge in edges]
        rows.append([*zip(leads, chances, gains, strict=True)])
    return FloatGame.of(rows, [arena.signs[node] for node in part])


def _float_gain(arena: Arena, edge: int, values: Values, place: dict[int, int]) -> float:
    child = arena.successors[edge]
    beyond = 0.0 if child in place else nearest_float(values[child]) or 0.0
    return (nearest_float(arena.gain(edge)) or 0.0) + beyond
