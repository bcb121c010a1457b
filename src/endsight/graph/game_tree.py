"""A game as a search sees it: any single position on demand, instead of all at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from endsight.errors import QuestionError
from endsight.game.limits import Budget, Ends
from endsight.game.numbers import Number, simplest
from endsight.graph.components import components_of
from endsight.graph.graph import Interest

T = TypeVar("T")
Call: TypeAlias = "Generator[Call[Any], Any, T]"
"""A function that yields its own recursive calls."""


class ProvenNodes:
    """What a search has proven about nodes so far, for the caller that stops it.

    `look` gives the ends of what is still to come at a node, per player as the tree sees
    them, or None; the running search sets it. `refusal` says why the search does not suit
    the game; then it has stopped.
    """

    refusal: QuestionError | None = None

    def __init__(self) -> None:
        self.look: Callable[[Hashable], tuple[Ends, ...] | None] = lambda _: None


@dataclass(frozen=True, slots=True)
class GameNode:
    """One node: who acts there (or CHANCE), and either a payoff or what the moves lead to.

    payoff    of each player at the end of the game, None elsewhere
    children  key and gain of each player (None for nothing), in the order of the moves
    weights   whole weights of chance outcomes, one per child; None elsewhere
    columns   number of the second player's moves where both move at once; the children are then a matrix, row by row
    """

    mover: int
    payoff: tuple[Number, ...] | None
    children: list[tuple[Hashable, tuple[Number, ...] | None]]
    weights: list[int] | None
    columns: int = 0


@dataclass(frozen=True)
class GameTree:
    """`look` returns a node; the other fields mean what they mean in `endsight.Graph`.

    `is_opposed` says it is proven that whatever is good for one of two players is equally bad
    for the other, so that the value of one is the value of both; `may_be_opposed` that
    this depends on payoffs that are not known yet. `draw` is the value of a payoff of 0
    to everybody. `bounds` are proven for the first player's value, or the mover's
    where players alternate. `spot` gives the position that
    a key stands for, without the gains on the way there.
    """

    root: Hashable
    look: Callable[[Hashable], GameNode]
    interests: tuple[Interest, ...]
    players: int
    draw: tuple[Number, ...]
    alternating: bool
    is_opposed: bool
    may_be_opposed: bool
    bounds: Ends
    spot: Callable[[Hashable], Hashable]

    def ends(self, low: Number | None, high: Number | None) -> tuple[Ends, ...]:
        """The ends of every player's value, given those of the tree's number; its players must be opposed."""
        total = sum(self.draw)
        other = None if high is None else simplest(total - high), None if low is None else simplest(total - low)
        return ((low, high), other)[: self.players]

    def values(self, value: Number) -> tuple[Number, ...]:
        """Every player's value, given the tree's number; its players must be opposed."""
        return (value, simplest(sum(self.draw) - value))[: self.players]


@dataclass(frozen=True)
class SearchResult:
    """The result of a search at the root, in the tree's own view, and its effort.

    `nodes` counts every visit, `states` the distinct nodes among them. `is_complete` says
    that every reachable node was visited, `met_chance` that dice decided at one,
    `rests_on_ties` that the value is that of players who take the first of their best moves.
    """

    value: tuple[Number, ...]
    nodes: int
    states: int
    method: str
    is_complete: bool
    met_chance: bool = False
    rests_on_ties: bool = False


MANY_VISITS = 50
"""Mean number of visits to each node from which a loop is looked for."""


def comes_back() -> QuestionError:
    """Why a depth-first search stops where a node repeats."""
    return QuestionError(
        "play can come back to a position in this game, and a search in depth would go round for ever",
        advice="--method graph",
    )


class Visits:
    """Nodes entered and left by a depth-first search: counts them, finds loops, enforces the limits."""

    def __init__(self, tree: GameTree, budget: Budget) -> None:
        self.tree = tree
        self.budget = budget
        self.nodes = 0
        self.met: set[Hashable] = set()
        self.path: set[Hashable] = set()
        self.met_chance = False
        self.patience = 1_000

    def loop_at(self, key: Hashable) -> QuestionError | None:
        """Why the node must not be entered: it is on the path, whatever was gained since; None where it is not."""
        return None if self.tree.spot(key) not in self.path else comes_back()

    def refuse_loop(self, key: Hashable) -> None:
        """Raise `QuestionError` where the node is on the path."""
        if (refusal := self.loop_at(key)) is not None:
            raise refusal

    def refuse_rounds(self) -> None:
        """Raise `QuestionError` where nodes are entered again and again, and lie on a loop that no path has closed."""
        if self.nodes <= max(self.patience, MANY_VISITS * len(self.met)):
            return
        self.patience = 2 * self.nodes
        spots: dict[Hashable, int] = {}
        ways: dict[int, list[int]] = {}
        for key in list(self.met):
            number = spots.setdefault(self.tree.spot(key), len(spots))
            children = [child for child, _ in self.tree.look(key).children if child in self.met]
            ways.setdefault(number, []).extend(
                spots.setdefault(self.tree.spot(child), len(spots)) for child in children
            )
        if any(len(part) > 1 or part[0] in ways[part[0]] for part in components_of(ways)):
            raise comes_back()

    def enter(self, key: Hashable) -> GameNode:
        """The node, which is on the path until `leave`; raises `QuestionError` where it is already."""
        self.refuse_loop(key)
        self.nodes += 1
        self.path.add(self.tree.spot(key))
        self.met.add(key)
        self.budget.spend(len(self.met), "searching")
        if self.nodes % 1024 == 0:
            self.budget.look(len(self.met), "searching")
        place = self.tree.look(key)
        self.met_chance |= place.weights is not None
        return place

    def leave(self, key: Hashable) -> None:
        """Take the node off the path."""
        self.path.discard(self.tree.spot(key))


def run_deep(call: Call[T], findings: ProvenNodes | None = None) -> T:
    """The result of a search that yields its own recursive calls, and is sent their results.

    Stops where the search puts a refusal into `findings`; then there is no result.

    The waiting calls lie in a list: Python's own stack ends the process where a game is long.
    """
    waiting: list[Call[Any]] = [call]
    result: Any = None
    findings = findings or ProvenNodes()
    while waiting and findings.refusal is None:
        try:
            following = waiting[-1].send(result)
        except StopIteration as done:
            waiting.pop()
            result = done.value
        else:
            waiting.append(following)
            result = None
    returned: T = result
    return returned
