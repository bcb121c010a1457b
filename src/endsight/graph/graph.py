"""All positions reachable from a given one, as plain arrays: the data that every algorithm works on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import accumulate, count
from operator import sub
from typing import Any, TypeVar, overload

from endsight.game import CHANCE, TOGETHER
from endsight.game.numbers import Amount, Number, added, average, chances_of, simplest, with_rest
from endsight.graph.components import maximal_end_components
from endsight.graph.ways import Ways

T = TypeVar("T")
A = TypeVar("A", bound=Amount)
Interest = tuple[int, int]
"""Whose payoff a mover cares about, and +1 to maximise or -1 to minimise it."""
_PARTS = ("keys", "offsets", "successors", "moves", "movers", "weights", "rewards", "payoffs", "unending", "discounts")


class Made(Sequence[T]):
    """A sequence whose rows are made on demand."""

    @abstractmethod
    def made(self, places: slice) -> list[T]:
        """The rows at these places."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        return self.made(at) if isinstance(at, slice) else self.made(slice(at, at + 1 or None))[0]


@dataclass(frozen=True, eq=False)
class Picked(Sequence[T]):
    """Entry i is `rows[numbers[i]]`: many entries, few of them distinct."""

    rows: Sequence[T]
    numbers: Sequence[int]

    @staticmethod
    def of_distinct(rows: Sequence[T | None]) -> Picked[T | None]:
        """The same entries with each distinct row stored once; the first stored row is None."""
        places: dict[T | None, int] = {None: 0}
        return Picked(numbers=[places.setdefault(row, len(places)) for row in rows], rows=list(places))

    def __len__(self) -> int:
        return len(self.numbers)

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        return [self.rows[n] for n in self.numbers[at]] if isinstance(at, slice) else self.rows[self.numbers[at]]

    def __iter__(self) -> Iterator[T]:
        return map(self.rows.__getitem__, self.numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Graph(Ways):
    """Nodes 0..n-1 (0 is the root) and edges 0..m-1, grouped by the node they leave.

    keys        n   what the node stands for: a state, or a `TrackedNode` with mover and totals
    index           key -> node
    offsets     n+1 edges of node i are offsets[i] .. offsets[i+1]-1; none at the end of the game
    successors  m   node an edge leads to
    moves       m   move of an edge, in the rules' own form
    movers      n   player to move, CHANCE, or TOGETHER where two or more players move at once, whose moves are then
                    all combinations of their parts; in an alternating graph always 0
    weights     m   whole weights of chance outcomes (1 for players' moves); None without chance
    rewards     m   gain of each player on an edge, None for nothing; None without rewards
    payoffs     n   payoff of each player at the end of the game, None elsewhere
    discounts   m   factor on everything after an edge; None where nothing is discounted
    interests       what each player wants, by player number
    players         number of entries in rewards and payoffs
    endless         payoff of each player where play never ends and nothing was gained before
    unending    n   payoff of each player where play never leaves a loop through that node, for nodes
                    that hold the gains so far; None where it is `endless` everywhere
    swing           which of the payoffs in `unending` that endless play visits again and again it is paid:
                    -1 the least for the player whose amount counts, +1 the most; 0 where all are equal
    alternating     entries are (mover's, other's) and swap places along every edge,
                    instead of following the players' numbers
    is_win_loss     two players, no rewards, and all payoffs (before any utility), also of endless play,
                    are 1, 0 or -1 and sum to 0
    rules           compiled rules that explored the graph; None where Python did

    Sequences are lists where Python explored the graph, and views of arrays where compiled rules did.
    """

    keys: Sequence[Hashable]
    index: Mapping[Hashable, int]
    offsets: Sequence[int]
    successors: Sequence[int]
    moves: Sequence[Any]
    movers: Sequence[int]
    weights: Sequence[int] | None
    rewards: Sequence[tuple[Number, ...] | None] | None
    payoffs: Sequence[tuple[Number, ...] | None]
    interests: tuple[Interest, ...]
    players: int
    endless: tuple[Number, ...]
    alternating: bool
    is_win_loss: bool
    unending: Sequence[tuple[Number, ...]] | None = None
    discounts: Sequence[Number] | None = None
    swing: int = 0
    rules: Any = field(default=None, repr=False)

    def __len__(self) -> int:
        return len(self.keys)

    def __eq__(self, other: object) -> bool:
        """Whether nodes, edges and amounts are the same, whichever engine explored them."""
        if not isinstance(other, Graph):
            return NotImplemented
        return self.same_nodes(other) and all(
            getattr(self, name) == getattr(other, name)
            for name in ("interests", "players", "endless", "alternating", "is_win_loss")
        )

    def same_nodes(self, other: Graph) -> bool:
        """Whether nodes, edges and their amounts are the same."""
        pairs = ((getattr(self, part), getattr(other, part)) for part in _PARTS)
        return all(one is two if one is None or two is None else list(one) == list(two) for one, two in pairs)

    __hash__ = None  # type: ignore[assignment]

    def is_chance(self, node: int) -> bool:
        """Whether chance moves at `node`."""
        return self.movers[node] == CHANCE

    def endless_at(self, node: int) -> tuple[Number, ...]:
        """Payoff of each player where play stays for ever on loops through `node`."""
        return self.endless if self.unending is None else self.unending[node]

    def gain(self, edge: int) -> tuple[Number, ...] | None:
        """Gain of each player on an edge; None for nothing."""
        return None if self.rewards is None else self.rewards[edge]

    def gain_of(self, edge: int, player: int = 0) -> Number:
        """Gain of one player on an edge."""
        gain = self.gain(edge)
        return 0 if gain is None else gain[player]

    def through(self, edge: int, after: tuple[Number, ...]) -> tuple[Number, ...]:
        """Value of taking `edge`, seen from its start, when its end is worth `after`."""
        if self.alternating:
            after = (after[1], after[0])
        if self.discounts is not None:
            after = tuple(simplest(self.discounts[edge] * amount) for amount in after)
        gain = self.gain(edge)
        return after if gain is None else added(gain, after)

    def exchanged(self, player: int) -> Graph:
        """The same graph with the amounts of the first player and of `player` exchanged."""
        swapped = partial(with_exchanged, place=player)
        places = with_exchanged(tuple(range(self.players)), player)
        return replace(
            self,
            rewards=None if self.rewards is None else [None if row is None else swapped(row) for row in self.rewards],
            payoffs=[None if row is None else swapped(row) for row in self.payoffs],
            interests=tuple((places[target], direction) for target, direction in self.interests),
            endless=swapped(self.endless),
            unending=None if self.unending is None else list(map(swapped, self.unending)),
        )

    def along(self, choices: Sequence[int]) -> Graph:
        """The same nodes; where `choices` holds an edge (not -1), only that edge of the node is kept."""
        kept = [self.edges(node) if edge < 0 else (edge,) for node, edge in enumerate(choices)]
        edges = [edge for node in kept for edge in node]
        offsets = [*accumulate(map(len, kept), initial=0)]
        return self._of_edges(edges, offsets=offsets, successors=[self.successors[edge] for edge in edges])

    def within(self, part: Sequence[int], paid: Callable[[int], tuple[Number, ...]]) -> Graph:
        """The nodes of a component, and an end for every edge that leaves it, where play gets what is `paid` for that.

        Edges keep their order, and moves are their numbers in this graph.
        """
        edges = [edge for node in part for edge in self.edges(node)]
        place = {node: number for number, node in enumerate(part)}
        left = [edge for edge in edges if self.successors[edge] not in place]
        ends = dict(zip(left, count(len(part))))
        return self._of_edges(
            edges,
            keys=[*part, *left],
            index={},
            offsets=[*accumulate((len(self.edges(node)) for node in part), initial=0), *[len(edges)] * len(left)],
            successors=[ends[edge] if edge in ends else place[self.successors[edge]] for edge in edges],
            moves=edges,
            movers=[*(self.movers[node] for node in part), *[0] * len(left)],
            payoffs=[*[None] * len(part), *map(paid, left)],
            unending=None,
        )

    def _of_edges(self, edges: list[int], **changed: Any) -> Graph:
        """The graph with these of its edges, in this order, and what else changes."""
        for name in {"moves", "weights", "rewards", "discounts"} - changed.keys():
            rows = getattr(self, name)
            changed[name] = rows and [rows[edge] for edge in edges]
        return replace(self, **changed)

    def padded(self, payoff: tuple[Number, ...] | None = None) -> Graph:
        """The same graph as lists; unexpanded nodes have no moves, and that payoff."""
        border = len(self) - (len(self.offsets) - 1)
        return replace(
            self,
            offsets=[*self.offsets, *[self.offsets[-1]] * border],
            movers=[*self.movers, *[0] * border],
            payoffs=[*self.payoffs, *[payoff] * border],
        )

    # ------------------------------------------------------------------ facts, measured not declared

    @cached_property
    def ends(self) -> Picked[tuple[Number, ...] | None]:
        """The payoffs of all nodes, with each distinct one stored once; the first row is None."""
        return Picked.of_distinct(self.payoffs)

    @cached_property
    def gains(self) -> Picked[tuple[Number, ...] | None]:
        """The gains of all edges, with each distinct one stored once; the first row is None."""
        return Picked.of_distinct(self.rewards or ())

    @property
    def paid(self) -> Sequence[tuple[Number, ...]]:
        """All distinct payoffs, in the order of the nodes."""
        return self.ends.rows[1:]  # type: ignore[return-value]

    @property
    def gained(self) -> Sequence[tuple[Number, ...]]:
        """All distinct gains, in the order of the edges."""
        return self.gains.rows[1:]  # type: ignore[return-value]

    @cached_property
    def deciders(self) -> set[int]:
        """Players who have a choice somewhere; a single legal move is no choice."""
        widths = map(sub, self.offsets[1:], self.offsets)
        movers = {mover for mover, width in zip(self.movers, widths, strict=True) if width > 1} - {CHANCE}
        return set(range(self.players)) if TOGETHER in movers else movers

    @cached_property
    def has_chance(self) -> bool:
        """Whether chance (dice or cards) decides anywhere."""
        return self._decides(CHANCE)

    @cached_property
    def moves_at_once(self) -> bool:
        """Whether several players move at once anywhere, each in their own interest."""
        return self._decides(TOGETHER)

    def _decides(self, who: int) -> bool:
        """Whether `who` decides anywhere; a mover that the rules name at an end decides nothing."""
        return who in self.movers and any(at == who and not self.is_end(node) for node, at in enumerate(self.movers))

    def matrix(self, node: int) -> list[range]:
        """The edges of a node at which two players move at once: a row for each part of the first, in order."""
        edges = self.edges(node)
        first = self.moves[edges[0]][0]
        columns = next((place for place, edge in enumerate(edges) if self.moves[edge][0] != first), len(edges))
        return [edges[begin : begin + columns] for begin in range(0, len(edges), columns)]

    @cached_property
    def is_constant_sum(self) -> bool:
        """Whether the players' payoffs add up to the same whatever they do, node by node.

        In an acyclic graph the expected sum still to come must not depend on
        any decision; in a cyclic one all payoffs must have one sum, play that stays on a loop
        for ever must pay that sum too, and all rewards sum 0.
        """
        if self.is_cyclic:
            sums = {simplest(sum(payoff)) for payoff in self.paid} | self.endless_sums
            return len(sums) <= 1 and all(sum(gain) == 0 for gain in self.gained)
        return self._sums is not None

    @cached_property
    def end_components(self) -> list[list[int]]:
        """Maximal sets of nodes on which the players together can keep play for ever, chance included."""
        loops = [part for part in self.components if self.is_loop(part)]
        if not self.has_chance:
            return loops
        after = {node: self.children(node) for part in loops for node in part}
        return maximal_end_components(after, self.is_chance)

    @cached_property
    def paying(self) -> list[list[int]]:
        """The end components in which something is gained on the way."""
        return [] if self.rewards is None else [part for part in self.end_components if any(self.gains_in(part))]

    def gains_in(self, part: list[int]) -> Iterator[tuple[int, int, tuple[Number, ...]]]:
        """Every edge within a component that has a gain: the node it leaves, its number, and the gain."""
        inside, rewards = set(part), self.rewards or ()
        for node in part:
            for edge in self.edges(node):
                gain = rewards[edge]
                if gain is not None and self.successors[edge] in inside and any(gain):
                    yield node, edge, gain

    @property
    def pays_on_loops(self) -> bool:
        """Whether play can continue for ever and gain something again and again."""
        return self.is_cyclic and bool(self.paying)

    @cached_property
    def state_count(self) -> int:
        """Number of distinct states where nodes are `objective.TrackedNode`: several nodes may hold one state."""
        return len({key.state for key in self.keys})  # type: ignore[attr-defined]

    @property
    def endless_sums(self) -> set[Number]:
        """Sums of all players' payoffs where play never ends; empty where it always ends."""
        if self.unending is None and not self.has_chance:
            return {simplest(sum(self.endless))} if self.is_cyclic else set()
        return {simplest(sum(self.endless_at(node))) for part in self.end_components for node in part}

    @property
    def total(self) -> Number:
        """The sum of all players' payoffs, where it is constant."""
        return simplest(sum(next(iter(self.paid), self.endless)))

    def row_of(self, amount: A) -> tuple[A, ...]:
        """All players' values from the first player's, where it determines them; else that one, followed by zeros."""
        rest: Any = with_rest(amount, self.total)[1:] if self.players == 2 else (0,) * (self.players - 1)
        return (amount, *rest)

    @property
    def has_one_amount(self) -> bool:
        """Whether the first player's amount determines everybody's: one player, or two who alternate or share a sum."""
        return self.players == 1 or self.alternating or (self.players == 2 and self.is_constant_sum)

    @cached_property
    def one_amount(self) -> Graph:
        """The graph of a single player where loops pay, all cooperate and all are paid alike; else the graph itself."""
        if self.has_one_amount or self.moves_at_once or not self.pays_on_loops:
            return self
        rows = (*self.paid, *self.gained, self.endless, *(self.unending or ()))
        interests = {self.interests[player] for player in self.deciders}
        do_differ = len(interests) > 1 or any(direction < 0 for _, direction in interests)
        if do_differ or any(len({*row}) > 1 for row in rows):
            return self
        return replace(
            self,
            movers=[min(mover, 0) for mover in self.movers],
            rewards=[row and row[:1] for row in self.rewards or ()],
            payoffs=[row and row[:1] for row in self.payoffs],
            interests=((0, 1),),
            players=1,
            endless=self.endless[:1],
            unending=None if self.unending is None else [row[:1] for row in self.unending],
        )

    @property
    def is_solitary(self) -> bool:
        """Whether there is one player, who maximises, and earlier gains do not matter."""
        return self.players == 1 and self.interests == ((0, 1),) and self.unending is None

    @cached_property
    def rests_on_ties(self) -> bool:
        """Whether some player's value may depend on which of several best moves somebody takes."""
        return not (self.has_one_amount or self.one_amount.has_one_amount) and bool(self.deciders)

    @property
    def has_distances(self) -> bool:
        """Whether counting plies makes sense: the game is only won, drawn or lost, at an end, without chance."""
        return self.is_win_loss and not self.has_chance and (len({*self.endless}) == 1 or not self.is_cyclic)

    @cached_property
    def totals(self) -> Sequence[Number]:
        """The sum that all players are still paid from each node on, where it is constant."""
        return [self.total] * len(self) if self.is_cyclic else self._sums or ()

    @cached_property
    def _sums(self) -> list[Number] | None:
        """The sum that all are still paid from each node of a graph without loops; None where it depends on play."""
        totals: list[Number] = [0] * len(self)
        unknown: set[int] = set()  # in a part of a game, nodes that lead nowhere yet
        for node in self.order or ():
            payoff = self.payoffs[node]
            if payoff is not None:
                totals[node] = sum(payoff)
                continue
            edges, is_chance = self.edges(node), self.movers[node] == CHANCE
            known = [edge for edge in edges if self.successors[edge] not in unknown]
            sums = [totals[self.successors[edge]] + sum(self.gain(edge) or ()) for edge in known]
            if not is_chance and any(other != sums[0] for other in sums):
                return None
            if not sums or (is_chance and len(sums) < len(edges)):
                unknown.add(node)
            else:
                totals[node] = self.mean(node, sums) if is_chance else sums[0]
        return totals

    def chances(self, node: int) -> list[tuple[int, Fraction]]:
        """The edges of a chance node, or of one that has a single edge, with their chances."""
        edges = self.edges(node)
        return list(zip(edges, chances_of(self.weights_of(edges)), strict=True))

    def outcomes(self, node: int) -> list[tuple[int, Fraction]]:
        """The successors in place of the edges, with the same chances."""
        return [(self.successors[edge], chance) for edge, chance in self.chances(node)]

    def mean(self, node: int, values: Sequence[Number]) -> Number:
        """Average of `values`, one per edge of the chance node `node`, by weight."""
        return average(self.weights_of(self.edges(node)), values)

    def weights_of(self, edges: Sequence[int]) -> list[int]:
        """The weights of edges of a chance node; all are 1 where the graph keeps none."""
        return [1] * len(edges) if self.weights is None else [self.weights[edge] for edge in edges]


def with_exchanged(row: tuple[T, ...], place: int) -> tuple[T, ...]:
    """The entries with the first and the one at `place` exchanged."""
    return row if place == 0 else (row[place], *row[1:place], row[0], *row[place + 1 :])
