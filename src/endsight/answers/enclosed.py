"""Large games with chance and loops, from the compiled explorer's arrays to answers by position.

No lists are built: bounds are found and checked on the arrays themselves, and only the nodes that somebody
asks about are turned into numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from endsight.algorithms.action_elimination import exact_at, reached
from endsight.algorithms.arena import Arena, Structure, first_amount
from endsight.algorithms.decided_play import DecidedPlay, certain_verdicts
from endsight.algorithms.deflation import enclose_endless
from endsight.algorithms.interval_iteration import Enclosure, enclose_values
from endsight.algorithms.policy_iteration import exact_near, exact_values_of, has_few_loops, is_long
from endsight.answers.source import Row, Solved, StateTable
from endsight.compiler.columns import fields_of
from endsight.compiler.refusal import CannotCompile
from endsight.engine.entry import trusted_rules
from endsight.engine.exploring import Arrays, explore_arrays, graph_of
from endsight.errors import LimitReached
from endsight.game import CHANCE
from endsight.game.limits import EXACT, PERHAPS_EXACT, Budget
from endsight.game.numbers import Amount, Number, count_text, rest_of, simplest, with_rest
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.graph.table import Kind

MOST_ASKED_ALONE = 8
"""Positions whose exact values are found one by one; after that all are found, where there are no loops."""
FEW_PAYOFFS = 40
"""Distinct payoffs whose chances are found one by one where there are no loops."""


def solve_enclosed(
    view: View, position: Position, kind: Kind, budget: Budget, most: int | None = None
) -> Solved | None:
    """Proven intervals of all positions, and exact values near `position` where `kind` asks for them.

    None where there are more than `most` positions. Raises `CannotCompile` where the rules, the question or the
    numbers do not suit this method, and where play might never end; `LimitReached` past a limit.
    """
    if view.tracks or view.choosers or not view.has_to_move:
        raise CannotCompile("only games that say who moves, without policies, are enclosed on arrays")
    _expect(budget, {"auto": PERHAPS_EXACT, "exact": EXACT}.get(kind))
    budget.look(0, "compiling")
    rules = trusted_rules(view, position)
    arrays = explore_arrays(rules, position, budget, at_most=most)
    if len(arrays.keys) > arrays.nodes:
        return None
    graph = graph_of(arrays, view)
    total = _constant_sum(graph)
    arena = _one_amount(graph, view, total)
    structure = Structure.of(arena)
    is_exact = structure.ends and (kind == "exact" or (kind == "auto" and not is_long(structure)))
    if structure.ends:
        _expect(budget, EXACT if is_exact else None)
        enclosure = enclose_values(arena, structure, budget=budget)
        assert enclosure is not None
    else:
        _require_bounds(view, arena, structure, total, kind)
        enclosure = enclose_endless(arena, view.endless[0] * arena.unit, structure, budget)
    has_loops = bool(len(structure.loops))
    shares_are_exact = kind == "exact" or (kind == "auto" and not has_loops)
    table = NodeBounds(view, arrays, enclosure, graph, total, budget, has_loops, is_exact, shares_are_exact)
    source = Solved(table)
    budget.witness = source.proven
    return source


def _expect(budget: Budget, exact: str | None) -> None:
    """Tell progress the step in which exact values will be found, after the rules have been checked again, if any."""
    steps = [step for step in budget.later if not step.endswith(EXACT)]
    steps[1:1] = () if exact is None else (exact,)
    budget.later = tuple(steps)


def _require_bounds(view: View, arena: Arena, structure: Structure, total: Number | None, kind: Kind) -> None:
    """Raise `CannotCompile` where players can keep play going for ever, and bounds are not what is wanted then."""
    if kind == "exact" or (kind == "auto" and has_few_loops(structure)):
        raise CannotCompile("where play might never end, exact values are found on the graph as it is")
    if arena.gains is not None or (total is not None and sum(view.endless) != total):
        raise CannotCompile("where play might never end and pays, the graph is judged as it is")


def _one_amount(graph: Graph, view: View, total: Number | None) -> Arena:
    """The first player's amount; raises `CannotCompile` where one machine word per node is not enough."""
    if graph.players > 2:
        raise CannotCompile("the amounts of three or more players are not one number per node")
    if graph.players > 1 and total is None:
        raise CannotCompile("the players' payoffs have no constant sum")
    arena = first_amount(graph, list(map(view.sign, range(view.players))))
    if arena.is_long:
        raise CannotCompile("payoffs, rewards or weights have too many digits")
    return arena


def _constant_sum(graph: Graph) -> Number | None:
    """The constant sum of two players' payoffs wherever play ends; None where it varies, or for one player."""
    sums = {simplest(sum(payoff)) for payoff in graph.paid}
    if graph.players != 2 or len(sums) > 1 or any(sum(gain) for gain in graph.gained):
        return None
    return next(iter(sums), 0)


@dataclass
class NodeBounds(StateTable[int]):
    """Bounds of all positions; with `is_exact`, exact values near the first.

    Without loops, `is_exact` means exact values of all positions, computed when they are asked for. With
    `shares_are_exact`, chances and expected lengths are exact as well, else proven bounds. `total` is the constant sum
    of the players' values; None where it depends on play.
    """

    view: View
    arrays: Arrays
    enclosure: Enclosure
    graph: Graph
    total: Number | None
    budget: Budget
    has_loops: bool = False
    is_exact: bool = False
    shares_are_exact: bool = False
    form = "bounds"
    is_enclosed = True
    _asked: int = 0

    def __post_init__(self) -> None:
        self.states = self.arrays.nodes
        self.rules = self.arrays.rules
        self.scale = self.enclosure.denominator
        self.on_arrays = None if self.enclosure.kept is not None else self

    def drawn(self, random: Random, count: int) -> list[Any]:
        """Some of the positions."""
        some = random.sample(range(self.arrays.nodes), min(count, self.arrays.nodes))
        return self.arrays.rules.states(self.arrays.keys[some])[0]

    @cached_property
    def known(self) -> Mapping[int, Number]:
        """Exact values of the first node and those after it, computed when they are asked for."""
        return exact_near(0, self.enclosure, self.budget) if self.is_exact else {}

    def all_known(self) -> Mapping[int, Number]:
        """All exact values of the answer: of every position where there are no loops."""
        if self.is_exact and not self.has_loops and len(self.known) < self.arrays.nodes:
            self.known = exact_at(
                self.enclosure.arena, self.enclosure.verdicts, np.arange(self.arrays.nodes), self.budget
            )
        return self.known

    def row(self, node: int) -> Row:
        """Values, exact where they are known, or where all of them must be exact."""
        if node not in self.known and self.is_exact and not self.has_loops:
            self._asked += 1
            if self._asked > MOST_ASKED_ALONE:
                self.all_known()
            else:
                self.learn(node)
        return self._row(self.known, node)

    def at_hand(self, node: int) -> Row:
        """Values and distance without the work that exact values take."""
        return self._row(self.known if "known" in vars(self) else {}, node)

    def _row(self, known: Mapping[int, Number], node: int) -> Row:
        return with_rest(known[node] if node in known else self.enclosure.amount(node), self.total), None

    @property
    def method(self) -> str:  # type: ignore[override]
        """The method's name in answers."""
        is_used = self.is_exact and "known" in vars(self)
        name = "interval iteration" if self.has_loops else "backward induction between proven bounds"
        return f"{name}, exact along best play" if is_used else name

    def node(self, position: Position) -> int | None:
        """The number of the position's node."""
        key = self.arrays.rules.key(position.state, position.mover)
        return None if key is None else self.arrays.node(key)

    def learn(self, node: int) -> None:
        """Find exact values near that node too, where they are wanted."""
        if self.is_exact and node not in self.known:
            self.known = {**self.known, **exact_near(node, self.enclosure, self.budget)}

    def bounds(self, node: int) -> tuple[int, int]:
        """Proven bounds of the first player's value, times `scale`."""
        low, high = self.enclosure.bounds[node].tolist()
        return low, high

    def exact(self, nodes: Sequence[int], budget: Budget) -> Mapping[int, Number]:
        """The first player's exact values."""
        return exact_values_of(self.enclosure, nodes, budget)

    def chosen(self, position: Position, node: int) -> Any:
        """The first of the best moves where bounds prove which it is, else None."""
        arrays = self.arrays
        edges = range(int(arrays.offsets[node]), int(arrays.offsets[node + 1]))
        verdicts = self.enclosure.verdicts[edges.start : edges.stop].tolist()
        kept = self._kept(node)
        # Moves of a state that stands for an equivalent one may differ from its own.
        if arrays.rules.has_symmetry or (kept < 0 and (2 not in verdicts or 1 in verdicts[: verdicts.index(2)])):
            return None
        move = arrays.moves[kept if kept >= 0 else edges[verdicts.index(2)]].tolist()
        return tuple(move) if isinstance(move, list) else move

    def forced(self, node: int) -> int | None:
        """The node that play must go to, since another move of the same worth may repeat for ever."""
        kept = self._kept(node)
        return None if kept < 0 else int(self.arrays.successors[kept])

    def _kept(self, node: int) -> int:
        return -1 if self.enclosure.kept is None else int(self.enclosure.kept[node])

    def best_play(self, position: Position) -> BestPlay | None:
        """Best play from a position in the table; None for others."""
        node = self.node(position)
        return None if node is None else BestPlay(self, position, node)


@dataclass(frozen=True)
class BestPlay:
    """The results of best play from one position, found without walking through it.

    All amounts are exact where `is_exact`, else they may be proven bounds.
    """

    source: NodeBounds
    position: Position
    node: int

    @property
    def is_exact(self) -> bool:
        """Whether chances and expected lengths are exact numbers."""
        return self.source.shares_are_exact

    @cached_property
    def _decided(self) -> DecidedPlay:
        source = self.source
        verdicts = certain_verdicts(source.enclosure, self.node, source.budget)
        return DecidedPlay(source.enclosure.arena, verdicts, self.node, self.is_exact, source.budget)

    def outcomes(self, player: int) -> dict[Number, Amount] | None:
        """The chance of each amount that `player` may get over the whole game, in increasing order.

        None where walking through the play is better: where it pays on the way, or where, without loops, ends have very
        many different payoffs.
        """
        graph = self.source.graph
        pays = any(map(any, graph.gained))
        if pays or (not self.source.has_loops and len(graph.paid) > FEW_PAYOFFS):
            return None
        carried = self.source.view.carried(self.position.so_far)[player]
        chances = self._chances([payoff[player] for payoff in graph.paid])
        return {simplest(kind + carried): chance for kind, chance in sorted(chances.items())}

    def _chances(self, kinds: list[Any]) -> dict[Any, Amount]:
        """The chance of every kind of end, `kinds` in order of `graph.paid`, without ends that play never reaches."""
        play, numbers = self._decided, np.asarray(self.source.graph.ends.numbers)
        seen = set(numbers[play.nodes].tolist()) - {0}
        reached = sorted({kinds[number - 1] for number in seen})
        chances: dict[Any, Amount] = {}
        for kind in reached[:-1] if play.is_exact else reached:
            is_kind = np.array([False, *(each == kind for each in kinds)])
            chances[kind] = play.chance(is_kind[numbers]) if len(reached) > 1 else 1
        if play.is_exact:
            chances[reached[-1]] = rest_of(chances.values())
        return chances

    def results(self) -> tuple[Amount, Amount, Amount] | None:
        """Chances that the first player ends with more than every other, level with the best, or with less.

        None where that depends on earlier gains.
        """
        graph = self.source.graph
        if any(map(any, graph.gained)) or any(self.position.so_far):
            return None
        chances = self._chances([_result(payoff) for payoff in graph.paid])
        win, draw, lose = (chances.get(kind, 0) for kind in (1, 0, -1))
        return win, draw, lose

    def decisions(self) -> tuple[Amount, Amount, Amount]:
        """The expected numbers of the players' moves to come, of forced ones, and of those where all moves are best."""
        play, arrays = self._decided, self.source.arrays
        counts = np.diff(arrays.offsets)
        is_ply = (arrays.movers != CHANCE) & (counts > 0)
        sources = np.repeat(np.arange(arrays.nodes), counts)
        worse = np.bincount(sources[play.verdicts == 0], minlength=arrays.nodes)
        # Players who move at random have no best move.
        is_choice = self.source.enclosure.arena.signs != 0
        costless = is_ply & is_choice & (counts > 1) & (worse == 0)
        return play.count(is_ply), play.count(is_ply & (counts == 1)), play.count(costless)

    def best_at(self, move: int) -> tuple[list[npt.NDArray[np.int64]], npt.NDArray[np.bool_]]:
        """The fields of all decisions that play can reach, as columns, and whether `move` is best there."""
        enclosure, arrays = self.source.enclosure, self.source.arrays
        arena = enclosure.arena
        nodes = np.sort(reached(arena, np.array([self.node])))
        nodes = nodes[arena.signs[nodes] != 0]
        edges = np.flatnonzero(arrays.moves == move)
        sources = np.searchsorted(arena.offsets, edges, side="right") - 1
        verdicts = enclosure.verdicts[edges]
        is_best = np.zeros(arrays.nodes, np.bool_)
        is_best[sources[verdicts == 2]] = True
        is_reached = np.zeros(arrays.nodes, np.bool_)
        is_reached[nodes] = True
        doubtful = sources[(verdicts == 1) & is_reached[sources]]
        if len(doubtful):
            raise LimitReached(
                f"stopped: proven bounds do not show which moves are best at {count_text(len(doubtful), 'position')}",
                states=arrays.nodes,
                advice="a later position (--at), or a smaller game",
            )
        return fields_of(arrays.rules.packing, arrays.keys[nodes]), is_best[nodes]


def _result(payoff: tuple[Number, ...]) -> int:
    """1 where the first player has more than every other, 0 where level with the best, else -1."""
    best = max(payoff[1:])
    return (payoff[0] > best) - (payoff[0] < best)
