"""Sources of answers by position: a theorem, a solved table, a search, or a stored solution.

No code asks for the class of a source or of a table. Whatever only some of them know has a default here, which
says that it is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, NamedTuple, NoReturn, Self, TypeAlias, TypeVar

from endsight.errors import EndsightError, LimitReached
from endsight.game import CHANCE
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, as_interval, ends_of
from endsight.game.position import Position
from endsight.game.question import Utility

if TYPE_CHECKING:
    from random import Random

    from endsight.answers.distribution import Distribution
    from endsight.answers.options import Judged
    from endsight.answers.plans import FollowedView
    from endsight.answers.seen import SeenPosition
    from endsight.graph.graph import Graph
    from endsight.graph.objective import View
    from endsight.graph.table import Swings

N = TypeVar("N")
T = TypeVar("T")

Row: TypeAlias = tuple[tuple[Amount, ...], int | None]
"""Values, and the number of plies to the end: None where there is no such number, or it is not proven."""


Bounds: TypeAlias = tuple[tuple[Number, Number], ...]
"""Lower and upper bound per player, equal where the value is known."""


class Facts(NamedTuple):
    """What play from a position on is like: see `Source`."""

    is_win_loss: bool
    has_distances: bool
    notion: str | None

    @property
    def are_full(self) -> bool:
        """Whether no more can be known, so that the same facts hold at all later positions."""
        return self.is_win_loss and self.has_distances and self.notion is None


class InOneProcess:
    """What holds machine code, locks and open files: copies are the object itself, and other processes get none."""

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} cannot be pickled: store it with es.save(solution, PATH), "
            "and open it with es.open_tablebase(PATH); or solve in the process that asks"
        )

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self


class _KnownPlay:
    """What is known of play from the solved position on: see `Source`."""

    method: str
    states: int
    edges: int | None = None
    is_win_loss: bool = False
    has_distances: bool = False
    notion: str | None = None
    has_loops = False
    has_chance: bool | None = None
    moves_at_once = exchanges = False
    swings: Swings | None = None
    on_arrays: Any = None


class Source(_KnownPlay):
    """Where a solution's numbers come from, asked by position.

    Values are those of the whole game, one entry per player in order of their numbers.

    method, theorem  the method's name in answers; the theorem that they rest on, with its source
    states, edges    distinct states visited (canonical ones with symmetry on); moves, where they are counted
    is_win_loss      the game is only won, drawn or lost
    has_distances    rows have distances
    has_parts        other facts (`Facts`) may hold in a part of the game that begins at a later position
    notion           what the values mean where they are not simply *the* value
    refusal          why the rules were not compiled, where compiling was intended
    holds_all        every position that play can reach from the solved one has a row
    plays_on         values of all positions that play can reach cost little, though they have no rows
    merges           states that the rules call equivalent share a row
    exchanges        states that are the same with the players exchanged share a row
    has_loops        play is known to be able to return to a position
    has_chance       whether chance occurs; None where that is not known
    moves_at_once    two players are known to move at once somewhere
    by_history       answers depend on the moves that led to a position, which must not be left out
    wants_distances  distances need a search beside this source
    checker          name of the verifier's checker for this source's kind of evidence
    table            the table that holds all rows in memory
    on_arrays        that table if it has bounds of every node on arrays (`enclosed.NodeBounds`)
    searcher         the object that searches for the values of single positions
    compiled         the compiled rules behind the answer; None where Python ran the rules, or nothing ran
    audited          positions of a compiled answer that the rules in Python have checked
    """

    theorem: str | None = None
    has_parts = False
    refusal: str | None = None
    holds_all = plays_on = False
    merges = by_history = False
    wants_distances = False
    kept_in: Path | None = None
    """The file in which a search has kept what it proved; None where nothing was kept."""
    checker: str | None = None
    table: StateTable[Any] | None = None
    searcher: Any = None
    compiled: Any = None
    audited = 0

    @property
    def play_facts(self) -> Facts:
        """What play from the solved position on is like."""
        return Facts(self.is_win_loss, self.has_distances, self.notion)

    @property
    def engine(self) -> str:
        """What ran the rules: `compiled`, `plain`, or `none`."""
        return "plain" if self.compiled is None else "compiled"

    def row(self, position: Position) -> Row | None:
        """Value per player, exact or enclosed, and distance; None for a position that this source does not cover."""
        raise NotImplementedError

    def covers(self, position: Position) -> bool:
        """Whether this source can answer for the position."""
        return self.row(position) is not None

    def continues(self, position: Position) -> bool:
        """Whether this source, begun at another position, answers this one with what it has learned."""
        return False

    def value(self, position: Position) -> tuple[Amount, ...]:
        """Value per player of a covered position."""
        row = self.row(position)
        assert row is not None, "only positions that are covered are asked about"
        return row[0]

    def distance(self, position: Position) -> int | None:
        """Number of plies to the end; also None for a position that is not covered."""
        row = self.row(position)
        return None if row is None else row[1]

    def counts_plies(self) -> bool:
        """Whether distances not found so far will be from now on, however long they take to find."""
        return False

    def passes(self, position: Position) -> bool:
        """Whether the answer there is right as far as the rules in Python, which may run now, can tell."""
        return True

    def sharpen(self, position: Position) -> None:
        """Make a covered position's value as exact as that of the solved position."""

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least `amount` of the whole game; None where a short search does not decide."""
        return None

    def proven(self, position: Position) -> Bounds | None:
        """Bounds per player proven so far, without further work; None for nothing."""
        return ends_of(self.value(position)) if self.covers(position) else None

    def left_open(self, need: str, advice: str) -> EndsightError:
        """The error for proven bounds that are too wide for the question."""
        if self.swings is not None:
            return self.swings.error()
        message = f"stopped: {need}, and here values are only enclosed between proven bounds"
        return LimitReached(message, states=self.states, advice=advice)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """Named facts about the position; numbers are int, Fraction or Interval."""
        return {}

    def chosen(self, position: Position) -> Any:
        """The move of best play, where the source knows it without comparing moves; else None."""
        return None

    def move_values(self, position: Position) -> Mapping[Any, tuple[Amount, ...]] | None:
        """`value` after every move that may be made, where the source finds them all at once; None: ask every move."""
        return None

    def chances(self, position: Position) -> Mapping[Any, Fraction] | None:
        """The chance of every move that play mixes there, without those of chance 0; None: one move is chosen."""
        return None

    def regrets(self, position: Position, move: Any) -> Mapping[int, Judged] | None:
        """What each mover gives away with a move, judged by what that player has seen; None: compare values."""
        return None

    def seen_by(self, player: int, moves: str | Iterable[str], *, ranges: bool) -> SeenPosition | None:
        """A position as a player sees it, see `Solution.seen_by`; None where every player sees everything."""
        return None

    def part_weights(self, position: Position, player: int, rule: Any) -> Mapping[Any, int] | None:
        """Whole weights of a mover's own moves where players mix moves, see `Solution.part_weights`; else None."""
        return None

    def chain(self, position: Position, utility: Utility) -> tuple[View, Graph] | None:
        """Play from a position on, see `Solution.chain`; None: find it move by move."""
        return None

    def distribution(self, position: Position, player: int) -> Distribution | None:
        """Distribution of the player's payoff under the policies of the question; None: walk through the play."""
        return None

    def policy_rows(self, position: Position) -> list[dict[str, Any]] | None:
        """The policy as rows in a shape of its own; None: list the positions."""
        return None

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """Evidence for `value(position)` as plain data that `checker` can verify."""
        return None


# -------------------------------------------------------------------- tables in memory


TableForm: TypeAlias = Literal["graph", "numbers", "vectors", "bounds", "layers"]
"""A value for every node of a graph; one number, or one for each player, by key; bounds on arrays, or by layer."""


class StateTable(_KnownPlay, Generic[N]):
    """A table in memory of all positions that play can reach, for use by `Solved`, by nodes of type `N`.

    The facts mean the same as in `Source`. Values are those of what is still to come, per player; with `by_mover`
    those of the player who moves and of the other one. Where values are enclosed (`is_enclosed`), bounds are whole
    numbers over `scale`, and with `is_exact` the value of the solved position is known exactly all the same. Some
    amounts have no limit unless `is_limited`. `rules` are the compiled rules that found the positions; None where
    Python found them. `form` says how `storage.saving` writes the whole table.
    """

    form: TableForm
    by_mover = False
    scale: int = 1
    is_exact: bool = False
    is_enclosed = False
    is_limited = True
    rules: Any
    view: View

    def node(self, position: Position) -> N | None:
        """The node of the position; None where the table does not hold it."""
        raise NotImplementedError

    def place(self, key: Any) -> N | None:
        """The table's node for a node of `view`; None where the table does not hold it."""
        return self.node(self.view.position(key))

    def row(self, node: N) -> Row:
        """Values and distance."""
        raise NotImplementedError

    def drawn(self, random: Random, count: int) -> Iterable[Any]:
        """Up to `count` distinct positions of the table, drawn uniformly and in no order, as nodes of `view`."""
        raise NotImplementedError

    def at_hand(self, node: N) -> Row:
        """Values and distance, without the work that exact values take."""
        return self.row(node)

    def learn(self, node: N) -> None:
        """Find the exact value of that node too, where exact values are wanted."""

    def chosen(self, position: Position, node: N) -> Any:
        """The move of best play, where the table knows it; else None."""
        return None

    def forced(self, node: N) -> N | None:
        """The node that play must go to from there, since another move of the same worth may repeat for ever."""
        return None

    def bounds(self, node: N) -> tuple[Number, Number]:
        """Proven bounds of the first player's value, where nodes tell the players apart; times `scale`."""
        value = as_interval(self.row(node)[0][0])
        return value.lower, value.upper

    def stand_in(self, node: N) -> tuple[Amount, ...] | None:
        """At a node whose amount has no limit, numbers from which bounds of other nodes follow; else None."""
        return None

    def ends(self, node: N) -> Bounds:
        """Bounds for each player whose value is stored separately, the first player first; times `scale`."""
        return (self.bounds(node),)

    def exact(self, nodes: Sequence[N], budget: Budget) -> Mapping[N, Number]:
        """The first player's exact values where `is_exact`; raises `LimitReached` where they are out of reach."""
        raise NotImplementedError

    def payoffs(self, player: int) -> list[Number] | None:
        """All payoffs that the player can still get, or a superset; None where not known."""
        return None


def after_moves(position: Position, answer: Callable[[Position], T | None]) -> list[T] | None:
    """The results of `answer` after every move of a player who answers chance; None unless all are found.

    Games solved in rounds keep no rows of such positions.
    """
    if position.mover == CHANCE:
        return None
    rows = [answer(position.play(move)) for move in position.moves()]
    known = [row for row in rows if row is not None]
    return known if rows and len(known) == len(rows) else None


class Solved(Source):
    """All positions that play can reach, from a table in memory; `mixing` says how players mix moves, if they do."""

    holds_all = True

    def __init__(self, table: StateTable[Any], mixing: FollowedView | None = None) -> None:
        self.table: StateTable[Any] = table
        self.mixing, self.by_history = mixing, mixing is not None
        self.states, self.edges = table.states, table.edges
        self.is_win_loss, self.has_distances, self.notion = table.is_win_loss, table.has_distances, table.notion
        self.has_parts, self.has_loops, self.has_chance = mixing is None, table.has_loops, table.has_chance
        self.merges, self.exchanges, self.compiled = table.view.canonical is not None, table.exchanges, table.rules
        self.moves_at_once, self.on_arrays, self.swings = table.moves_at_once, table.on_arrays, table.swings

    @property
    def method(self) -> str:  # type: ignore[override]
        """The method's name in answers, which says whether exact values have been found."""
        return self.table.method

    def covers(self, position: Position) -> bool:
        """Whether the table holds the position."""
        return self.table.node(position) is not None

    def row(self, position: Position) -> Row | None:
        """Value of the whole game per player and distance; None for a position that the table does not hold."""
        node = self.table.node(position)
        return None if node is None else self._whole(position, self.table.row(node))

    def _whole(self, position: Position, row: Row) -> Row:
        return self.table.view.whole(position, row[0], by_mover=self.table.by_mover), row[1]

    def proven(self, position: Position) -> Bounds | None:
        """The value, without the work that exact values take."""
        node = self.table.node(position)
        return None if node is None else ends_of(self._whole(position, self.table.at_hand(node))[0])

    def sharpen(self, position: Position) -> None:
        """Make the value as exact as that of the solved position."""
        self.table.learn(self.table.node(position))

    def chosen(self, position: Position) -> Any:
        """The move of best play, where the table knows it; else None."""
        node = self.table.node(position)
        return None if node is None else self.table.chosen(position, node)

    def chances(self, position: Position) -> Mapping[Any, Fraction] | None:
        """The chance of every possible move, where players mix moves; else None."""
        return None if self.mixing is None else self.mixing.chances(position)

    def part_weights(self, position: Position, player: int, rule: Any) -> Mapping[Any, int] | None:
        """Whole weights of a mover's own moves, where players mix moves; else None."""
        return None if self.mixing is None else self.mixing.part_weights(position, player, rule)

    def chain(self, position: Position, utility: Utility) -> tuple[View, Graph] | None:
        """Play from a position on as a graph, where players mix moves; else None."""
        return None if self.mixing is None else self.mixing.chain(position, utility)
