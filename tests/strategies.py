"""Random small games, as rules over explicit graphs, for the agreement tests.

Every game is a `Game` whose parameters are its whole graph, so that a failing example
prints as the one line that rebuilds it. A state is the number of a node, a move the
number of an edge out of it (two edges may lead to the same node), node 0 the start.
Payoffs come from few numbers, so that ties are common.
"""

from fractions import Fraction
from typing import Any, NamedTuple

from hypothesis import strategies as st

from endsight import CHANCE, Game

FEW = (-2, -1, -1, 0, 0, 0, 1, 1, 2, Fraction(1, 2), Fraction(-2, 3))
"""What payoffs and rewards are drawn from."""


class GraphGame(Game):
    """Players alternate; a payoff is the would-be mover's (or a tuple, one entry per player)."""

    successors: tuple = ((),)  # per node, the nodes its edges lead to
    payoffs: tuple = (0,)  # per node, asked only where there are no edges
    seats: int = 2

    class State(NamedTuple):
        number: int

    def players(self) -> int:
        return self.seats

    def limits(self) -> State:
        return self.State(len(self.successors) - 1)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> Any:
        yield from range(len(self.successors[state.number]))

    def play(self, state: State, move: int) -> State:
        return self.State(self.successors[state.number][move])

    def payoff(self, state: State) -> Any:
        return self.payoffs[state.number]


class DecidedGraph(GraphGame):
    """Only won, drawn or lost, as its text proves."""

    def payoff(self, state: Any) -> int:
        pays = self.payoffs[state.number]
        return 1 if pays > 0 else -1 if pays < 0 else 0


class AlternatingRewards(GraphGame):
    """Moves bring rewards, seen by the mover (or tuples, one entry per player)."""

    rewards: tuple = ((),)  # per node and edge

    def reward(self, state: Any, move: int) -> Any:
        return self.rewards[state.number][move]


class MoverGraph(GraphGame):
    """Each node says who moves there; chance outcomes have weights; payoffs are tuples."""

    movers: tuple = (0,)
    weights: tuple = ((),)  # per node and edge

    def to_move(self, state: Any) -> int:
        return self.movers[state.number]

    def weight(self, state: Any, move: int) -> int:
        return self.weights[state.number][move]


class MoverRewards(MoverGraph):
    """Moves bring rewards as well, one entry per player."""

    rewards: tuple = ((),)  # per node and edge

    def reward(self, state: Any, move: int) -> Any:
        return self.rewards[state.number][move]


def amounts() -> st.SearchStrategy:
    return st.sampled_from(FEW)


def shares(seats: int, zero_sum: bool = False) -> st.SearchStrategy:
    """Payoffs or rewards, one entry per player."""
    if zero_sum and seats == 2:
        return amounts().map(lambda amount: (amount, -amount))
    return st.tuples(*[amounts()] * seats)


@st.composite
def forward_edges(draw: Any, nodes: int, width: int = 3) -> tuple:
    """Successors with higher numbers only; the last node is an end, others may be."""
    successors = []
    for node in range(nodes):
        least = 1 if node == 0 and nodes > 1 else 0
        most = 0 if node == nodes - 1 else width
        children = st.integers(min(node + 1, nodes - 1), nodes - 1)
        successors.append(tuple(draw(st.lists(children, min_size=least, max_size=most))))
    return tuple(successors)


@st.composite
def alternating_acyclic(
    draw: Any, max_nodes: int = 12, payoffs: Any = (-1, 0, 1), seats: int = 2, kind: type[GraphGame] = GraphGame
) -> GraphGame:
    """Players alternate, no chance, no loops; won, drawn or lost unless other payoffs are given."""
    nodes = draw(st.integers(1, max_nodes))
    successors = draw(forward_edges(nodes))
    return kind(successors, tuple(draw(st.sampled_from(payoffs)) for _ in range(nodes)), seats)


@st.composite
def alternating_rewards(draw: Any, max_nodes: int = 10, seats: int = 2) -> AlternatingRewards:
    """Players alternate, no chance, no loops; rewards and payoffs are single numbers or tuples."""
    nodes = draw(st.integers(1, max_nodes))
    successors = draw(forward_edges(nodes))
    is_single = seats == 1 or (seats == 2 and draw(st.booleans()))
    share = amounts() if is_single else shares(seats)
    payoffs = tuple(draw(share) for _ in range(nodes))
    return AlternatingRewards(successors, payoffs, seats, _per_edge(draw, successors, share))


@st.composite
def alternating_loops(draw: Any, max_nodes: int = 12, payoffs: Any = (-1, 0, 1)) -> GraphGame:
    """Two players alternate, no chance, edges anywhere: endless play is possible."""
    nodes = draw(st.integers(2, max_nodes))
    children = st.lists(st.integers(0, nodes - 1), max_size=3)
    # A third of the nodes are ends, else hardly any game is ever decided.
    kinds = [draw(st.integers(0, 2)) if node else 1 for node in range(nodes)]
    successors = tuple(tuple(draw(children)) if kind else () for kind in kinds)
    return GraphGame(successors, tuple(draw(st.sampled_from(payoffs)) for _ in range(nodes)))


@st.composite
def chance_acyclic(
    draw: Any,
    seats: int | None = None,
    max_nodes: int = 10,
    zero_sum: bool = False,
    chance: bool = True,
    rewards: bool = True,
) -> MoverGraph:
    """Up to three players and chance, no loops, payoffs of any sums and rewards on the way."""
    seats = seats or draw(st.integers(1, 3))
    nodes = draw(st.integers(1, max_nodes))
    successors = draw(forward_edges(nodes))
    movers = tuple(draw(st.integers(CHANCE if chance else 0, seats - 1)) for _ in range(nodes))
    payoffs = tuple(draw(shares(seats, zero_sum)) for _ in range(nodes))
    weights = _per_edge(draw, successors, st.integers(1, 4))
    if not rewards:
        return MoverGraph(successors, payoffs, seats, movers, weights)
    gains = _per_edge(draw, successors, shares(seats, zero_sum))
    return MoverRewards(successors, payoffs, seats, movers, weights, gains)


@st.composite
def stopping_loops(
    draw: Any, seats: int | None = None, max_decisions: int = 4, width: int = 2, rewards: bool = False
) -> MoverGraph:
    """One player, or two with opposed payoffs; loops, but play ends with probability 1 whatever they do.

    Decision nodes lead to later decision nodes, to ends, and to chance nodes; every chance
    node has at least one outcome that ends the game, and only chance leads back.
    """
    seats = seats or draw(st.integers(1, 2))
    decisions = draw(st.integers(1, max_decisions))
    dice = draw(st.integers(1, 3))
    ends = draw(st.integers(1, 3))
    first_end = decisions + dice
    nodes = first_end + ends
    successors: list[tuple[int, ...]] = []
    for node in range(decisions):
        children = draw(st.lists(st.integers(node + 1, nodes - 1), min_size=1, max_size=width))
        successors.append(tuple(children))
    for _ in range(dice):
        out = draw(st.integers(first_end, nodes - 1))
        back = draw(st.lists(st.integers(0, nodes - 1), max_size=3))
        place = draw(st.integers(0, len(back)))
        successors.append((*back[:place], out, *back[place:]))
    successors += [()] * ends
    movers = [draw(st.integers(0, seats - 1)) for _ in range(decisions)] + [CHANCE] * dice + [0] * ends
    payoffs = tuple(draw(shares(seats, zero_sum=True)) for _ in range(nodes))
    weights = _per_edge(draw, successors, st.integers(1, 4))
    if not rewards:
        return MoverGraph(tuple(successors), payoffs, seats, tuple(movers), weights)
    gains = _per_edge(draw, successors, shares(seats, zero_sum=True))
    return MoverRewards(tuple(successors), payoffs, seats, tuple(movers), weights, gains)


def _per_edge(draw: Any, successors: Any, what: st.SearchStrategy) -> tuple:
    return tuple(tuple(draw(what) for _ in children) for children in successors)


class LayeredGraph(GraphGame):
    """Each node says in which layer it is; edges never lead to a lower one."""

    layers: tuple = (0,)

    def layer(self, state: Any) -> int:
        return self.layers[state.number]


class LayeredMovers(MoverGraph):
    """The same where each node says who moves there."""

    layers: tuple = (0,)

    def layer(self, state: Any) -> int:
        return self.layers[state.number]


class LayeredRewards(MoverRewards):
    """The same where moves bring rewards as well."""

    layers: tuple = (0,)

    def layer(self, state: Any) -> int:
        return self.layers[state.number]


@st.composite
def layered_loops(
    draw: Any, max_nodes: int = 12, payoffs: Any = (-1, 0, 1), told: bool = False, seats: int = 2
) -> GraphGame:
    """One player or two opposed ones, no chance; loops inside layers, of which there are up to three.

    Players alternate, or are `told` node by node.
    """
    nodes = draw(st.integers(2, max_nodes))
    layers = sorted(draw(st.sampled_from((0, 3, 4))) for _ in range(nodes))
    successors = []
    for node in range(nodes):
        within = st.integers(layers.index(layers[node]), nodes - 1)
        is_end = node and draw(st.integers(0, 2)) == 0
        successors.append(() if is_end else tuple(draw(st.lists(within, max_size=3))))
    amount = st.sampled_from(payoffs)
    if not told:
        shares_of = tuple(draw(amount) for _ in range(nodes))
        return LayeredGraph(tuple(successors), shares_of, seats, tuple(layers))
    pays = tuple((value, -value)[:seats] for value in (draw(amount) for _ in range(nodes)))
    movers = tuple(draw(st.integers(0, seats - 1)) for _ in range(nodes))
    weights = tuple((1,) * len(children) for children in successors)
    return LayeredMovers(tuple(successors), pays, seats, movers, weights, tuple(layers))


@st.composite
def layered_chance(draw: Any, seats: int = 1, max_nodes: int = 10) -> MoverGraph:
    """One player or two opposed ones with chance and rewards; no loops, and layers that never fall."""
    game = draw(chance_acyclic(seats=seats, zero_sum=True, max_nodes=max_nodes))
    layers = sorted(draw(st.integers(0, 3)) for _ in game.successors)
    values = game.values()
    kind = LayeredRewards if isinstance(game, MoverRewards) else LayeredMovers
    return kind(**values, layers=tuple(layers))
