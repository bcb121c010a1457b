"""Answers by position: values, every move with its regret, distances, lines, policies and distributions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import lcm
from typing import TYPE_CHECKING, Any

from endsight.answers.records import AmountsByPlayer, Column, Records
from endsight.answers.source import InOneProcess, Row, Source
from endsight.answers.unfinished import telling
from endsight.base.deferred import deferred
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.limits import Budget, Ends
from endsight.game.markup import MOST_ROWS, drawing, html_table, joined, paragraph
from endsight.game.numbers import Amount, Interval, Number, amount_text, are_exact, between, is_enclosed
from endsight.game.position import Position, as_text, facts_at
from endsight.game.question import (
    BY_VALUE,
    Question,
    Utility,
    bound_move,
    player_number,
    require_all_seen,
    require_no_discount,
)
from endsight.graph.plan import NOTIONS
from endsight.graph.plan import Case as PlanRow
from endsight.naming.arguments import as_position

if TYPE_CHECKING:
    from endsight.answers.distribution import Distribution, LengthDistribution
    from endsight.answers.enclosed import BestPlay
    from endsight.answers.seen import SeenPosition

with deferred(__name__):
    from endsight.answers.chosen_play import chain, lengths, payoffs, require_worth_of_endless
    from endsight.answers.graph_values import require_value
    from endsight.answers.later import SolvedParts
    from endsight.answers.options import Category, Option, compared, parts, row_at, worst_move
    from endsight.answers.policies import Policy, network
    from endsight.answers.seen import seen_at_once
    from endsight.graph.graph import Graph
    from endsight.graph.objective import View


@dataclass(frozen=True)
class Step:
    """One move of a line: who moves (a player's name or `chance`) and the move as text.

    `back_to` is set only on the last move of a line that repeats for ever: it is the number of moves
    of the line before the position that the line returns to.
    """

    player: str
    move: str
    back_to: int | None = None


def walk(solution: Solution, position: Position, choose: Callable[[Position], Any]) -> Iterator[tuple[Step, Position]]:
    """Yield each move that `choose` returns, and the position after it, until it returns None or a position repeats."""
    seen = {(position.state, position.mover): 0}
    back_to = None
    while back_to is None and (move := choose(position)) is not None:
        solution.budget.glance(solution.source.states, "playing a line")
        player = position.to_move
        assert player is not None, "whoever has a move to choose is to move"
        position = position.play(move)
        place = (position.state, position.mover)
        back_to = seen.get(place)
        if back_to is not None:
            require_worth_of_endless(solution, position)
        seen[place] = len(seen)
        if not solution.source.by_history:
            # Without this, long lines would copy their whole history at every move.
            position = replace(position, history=position.history[-1:])
        yield Step(player, position.history[-1], back_to), position


@dataclass
class Solution(InOneProcess):
    """The answers to one question about one game.

    Values are exact (`int` or `Fraction`), per player by name, and count the whole game: what the moves so far
    have paid plus what is still to come. A position outside the part solved first is solved when you ask about it.
    `plan` is the row of `endsight.graph.plan` that was followed; None for a stored solution. With `asks_distance`,
    distances are searched for, however long that takes. `bound_to` keeps the solutions in which one more player is
    bound to a policy. `begin` is the position that the source was solved from, if that is an earlier one.
    `require_same` raises `QuestionError` if the rules have changed since.
    """

    game: Game
    position: Position
    question: Question
    source: Source
    seconds: float
    again: Callable[[Position], Solution] = field(repr=False)
    searched: Callable[[], Source | None] = field(repr=False)
    budget: Budget = field(default_factory=Budget, repr=False)
    plan: PlanRow | None = field(default=None, repr=False)
    asks_distance: bool = field(default=False, repr=False)
    begin: Position | None = field(default=None, repr=False)
    require_same: Callable[..., None] = field(default=lambda **_: None, repr=False)
    require_alike: Callable[[Position], None] = field(default=lambda _: None, repr=False)
    bound_to: dict[tuple[int, str], Solution] = field(default_factory=dict, repr=False)
    _others: dict[Any, Solution] = field(default_factory=dict, repr=False)

    # ---------------------------------------------------------------- showing itself

    def __repr__(self) -> str:
        after = f" after {self.position.text!r}" if self.position.history else ""
        return f"<Solution of {self.game!r}{after} by {self.method}>"

    def _repr_html_(self) -> str:
        """Show what is known without further work, since a notebook may render this at any time."""
        table = ""
        if self.source.holds_all and self._is_at_hand():
            records = self.move_table()
            table = paragraph(self._worth()) + (html_table("", records.names, *records.shown()) if len(records) else "")
        rests = paragraph(f"by a theorem: {self.theorem}") if self.theorem else ""
        drawn = drawing(as_text(self.game, "draw", self.position.state))
        return joined(paragraph(repr(self)[1:-1], strong=True), drawn, table, rests)

    def _is_at_hand(self) -> bool:
        """Whether every move leads to a position already solved exactly, and there are not too many moves."""
        moves = list(islice(self.position.moves(), MOST_ROWS + 1))
        if len(moves) > MOST_ROWS:
            return False
        places = [self.position, *map(self.position.play, moves)]
        known = map(self.source.proven, places)
        return all(bounds is not None and all(low == high for low, high in bounds) for bounds in known)

    def _worth(self) -> str:
        pairs = zip(self.game.player_names, self.values(), strict=True)
        return "worth " + ", ".join(f"{name} {amount_text(value)}" for name, value in pairs)

    # ---------------------------------------------------------------- values

    @property
    def method(self) -> str:
        """The name of the method that found the answer."""
        return self.source.method

    @property
    def theorem(self) -> str | None:
        """The theorem that the answer rests on, with its source; None where it rests on none."""
        return self.source.theorem

    @property
    def states(self) -> int:
        """The number of distinct states visited (canonical states where symmetry is on)."""
        return self.source.states + sum(other.states for other in self._others.values())

    @property
    def notion(self) -> str | None:
        """What the values mean where they are not simply the value; otherwise None."""
        known = None if self.plan is None else NOTIONS.get(self.plan.path)
        return "; ".join(filter(None, (known, self.at(self.position).source.notion))) or None

    @property
    def is_one_of_several(self) -> bool:
        """Whether the values are of one equilibrium, which may differ from those of others: interests are not opposed.

        Players then make one of several equally good moves, because others may get different amounts after them.
        """
        return self.at(self.position).source.notion is not None

    def value(self, position: Position | str | None = None) -> dict[str, Fraction | Interval]:
        """The value of the whole game by player name, each a `Fraction` or an `Interval`; raises `NoValue`."""
        values = (value if is_enclosed(value) else Fraction(value) for value in self.values(position))
        return AmountsByPlayer(zip(self.game.player_names, values, strict=True))

    def values(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """The value of the whole game per player, by player number, exact or enclosed; raises `NoValue`."""
        values = self.ends(position)
        if any(map(is_enclosed, values)):
            position = self.asked(position)
            require_value(self._at(position), position, View(self.game, self.question), self.budget)
        return values

    def ends(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """Like `values`; a position without a value has an `Interval` of the two ends that endless play can pay."""
        position = self.asked(position)
        return self._at(position).value(position)

    def values_at_hand(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """Like `ends`, without much further work: values may be enclosed here though exact ones could be computed."""
        position = self.asked(position)
        source = self._at(position)
        known = source.proven(position)
        return source.value(position) if known is None else tuple(between(*bounds) for bounds in known)

    def exact_values(self, position: Position | str | None = None) -> tuple[Number, ...]:
        """Like `values`, but always exact; raises `LimitReached` or `NoValue` where only two ends are known."""
        position = self.asked(position)
        values = self.values(position)
        if not are_exact(values) and position != self.position and self.is_exact():
            values = self.afresh(position).values(position)  # or the reason why there is no value
        exact = tuple(value for value in values if not is_enclosed(value))
        if len(exact) < len(values):
            raise self.source.left_open("this needs exact values", advice="--exact, or a smaller game")
        return exact

    def distance(self, position: Position | str | None = None) -> int | None:
        """Plies to the end under best play; None for draws, scores and chance, and where no distance is proven.

        Where a theorem settles only who wins, distances are searched for if the search stays within 500 000 states,
        or without that limit if distances were asked for.
        """
        position = self.asked(position)
        with self.telling(position):
            told = self.at(position)
            beside = told.distances
            is_beside = beside is not None and beside.covers(position)
            return (beside if is_beside else told._at(position)).distance(position)  # type: ignore[union-attr]

    def known_distance(self, position: Position | str | None = None) -> int | None:
        """The distance where it costs nothing or was asked for; None where it might need a search."""
        told = self.at(self.asked(position))
        return told.distance(position) if told.source.holds_all or self.asks_distance else None

    def row(self, position: Position | str | None = None) -> Row:
        """The value and the distance, as `ends` and `distance` give them."""
        position = self.asked(position)
        with self.telling(position):
            return row_at(self.at(position), position)

    def best_play(self, position: Position) -> BestPlay | None:
        """What best play from the position pays, where that is known without walking through the play; else None."""
        table = self.source.on_arrays
        return None if table is None else table.best_play(position)

    @cached_property
    def distances(self) -> Source | None:
        """The solved graph that supplies distances where a theorem settles only who wins; None where there is none."""
        return self.searched() if self.source.wants_distances else None

    def category(self, position: Position | str | None = None) -> Category:
        """`win`, `draw` or `loss` for the player to move; `value` in games of scores and chance."""
        told = self.at(position := self.asked(position))
        return told.category_of(told.ends(position), position.mover) if told.source.is_win_loss else "value"

    def facts(self, position: Position | str | None = None) -> Mapping[str, Any]:
        """Named facts about the position from its theorem; numbers are int or Fraction."""
        position = self.asked(position)
        return {**self._at(position).facts(position), **facts_at(self.game, position)}

    def category_of(self, values: tuple[Amount, ...], mover: int) -> Category:
        """The `category` of values that are already known, at a position that this solution is told `at`."""
        is_of_one = self.source.is_win_loss and mover >= 0  # else chance, or several players at once
        if not is_of_one or is_enclosed(own := values[mover]):
            return "value"
        draw = Fraction(1, 2) if self.question.utility == "win" else 0
        return "win" if own > draw else "loss" if own < draw else "draw"

    def answers(self, position: Position) -> bool:
        """Whether this solution answers the position as exactly as the one that was solved."""
        source, position = self.source, self.asked(position)
        if not source.covers(position):
            return False
        if source.wants_distances:
            distances: Source | None = vars(self).get("distances")  # they may take long to search for
            return distances is not None and distances.covers(position)
        if not source.holds_all or not self.is_exact():
            return True
        source.sharpen(position)
        return are_exact(source.value(position))

    def asked(self, position: Position | str | None) -> Position:
        """The position asked about, in the solution's game; the solution's own position where none is given."""
        if position is None:
            return self.position
        self.require_same()
        asked = as_position(position, self.game, "a solution")
        self.require_alike(asked)
        return asked

    def asked_by_rules(self, position: Position | str | None) -> Position:
        """Like `asked`, for an answer that runs the rules; `QuestionError` if they have changed since."""
        self.require_same()
        return self.asked(position)

    def _at(self, position: Position) -> Source:
        source = self._trusted(position)
        return source if source.covers(position) else self.afresh(position).source

    def _trusted(self, position: Position) -> Source:
        """The source, once its answer at the position has been checked; a wrong source is replaced for good."""
        if not self.source.passes(position):
            self.source = self.again(position).source
        return self.source

    def at(self, position: Position) -> Solution:
        """The solution whose facts hold at the position: this one, or one of a part of the game (see `later`)."""
        is_own = position is self.position and self.begin is None
        return self if is_own or not self.source.has_parts else self._parts.at(position)

    @cached_property
    def _parts(self) -> SolvedParts:
        return SolvedParts(self)

    def afresh(self, position: Position) -> Solution:
        """The solution that starts at the position, or an earlier one of these that continues there."""
        if position.place not in self._others:
            latest = next(reversed(self._others.values()), None)
            if latest is not None and latest.source.continues(position):
                return latest
            self._others[position.place] = self.again(position)
        return self._others[position.place]

    # ---------------------------------------------------------------- moves

    def options(self, position: Position | str | None = None) -> list[Option]:
        """Every legal move, best first, with ties in the rules' order; chance outcomes in the rules' order."""
        position = self.asked_by_rules(position)
        with self.telling(position):
            return compared(self.at(position), position)

    def telling(self, position: Position) -> AbstractContextManager[None]:
        """A context in which an exception that stops the work says what is proven about `position`: see `Stopped`."""
        return telling(position, self.question, self.budget, self.proven)

    def to_networkx(self, depth: int | None = None) -> Any:
        """The positions within `depth` moves (None: all positions), as a directed networkx graph.

        Nodes and edges carry values, moves and regrets as attributes: see `endsight.answers.policies`. Raises
        `UsageError` where networkx is not installed, and `QuestionError` where players see different things.
        """
        require_all_seen(self.game, "a graph of the game")
        return network(self, depth)

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """What the work for this solution has already proven about a position, without further work."""
        for source in (self.source, *(other.source for other in self._others.values())):
            bounds = source.proven(position)
            if bounds is not None:
                return bounds
        return None if self.budget.witness is None else self.budget.witness(position)

    def is_mixed(self, position: Position) -> bool:
        """Whether several players move at once there, each in their own interest."""
        return position.mover == TOGETHER and self.question.objective == "competitive"

    def parts(self, player: int, position: Position | str | None = None) -> list[Option]:
        """The moves of a player who moves at once with another, best first by their worth against the other's mixture.

        `probability` is a move's chance in the player's own mixture. Raises `QuestionError` for any other player.
        """
        return parts(self, player, self.asked(position))

    def is_exact(self) -> bool:
        """Whether this solution gives exact values where it was asked."""
        return are_exact(self.values())

    def seen_by(self, player: str | int, moves: str | Iterable[str] = "", *, ranges: bool = False) -> SeenPosition:
        """The position as seen by a player who does not see everything and is to move there.

        `moves` are the moves from the start of the game, as text; `?` stands for a move or outcome that the player has
        not seen. With `ranges`, the answer also gives each move's least and largest chance over all optimal plans.
        Raises `IllegalMoveError` where no play fits, and `QuestionError` where the plays that fit look different to the
        player, where the player is not to move, and for games in which everybody sees everything.
        """
        number = player_number(self.game, player)
        seen = self.source.seen_by(number, moves, ranges=ranges)
        return seen_at_once(self, number, self.game.position(moves), ranges=ranges) if seen is None else seen

    def chance_of(self, position: Position, move: Any) -> Fraction:
        """The chance of that move or outcome at a position, under play as this solution has it."""
        if position.mover == CHANCE or self.source.chances(position) is not None or self.is_mixed(position):
            return next(option.probability or Fraction(0) for option in self.options(position) if option.move == move)
        return Fraction(move == self.chosen(position))

    def move_table(self, position: Position | str | None = None) -> Records:
        """The `options` as a table for CSV, pandas and Polars, with one column of values per player."""
        position = self.asked(position)
        names = self.game.player_names
        values: list[Column] = [("value" if len(names) == 1 else f"value_{name}", "number") for name in names]
        columns: list[Column] = [("move", "text"), ("probability", "number"), *values, ("regret", "number")]
        columns += [("rank", "count"), ("best", "flag"), ("category", "text"), ("distance", "count")]
        rows = (
            (one.text, one.probability, *one.value, one.regret, one.rank, one.best, one.category, one.distance)
            for one in self.options(position)
        )
        where = (
            f"after {position.text!r}" if position.history else "at the start" if position.set_up is None else "here"
        )
        return Records(f"moves of {self.game.title()} {where}", columns, rows)

    def best_moves(self, position: Position | str | None = None) -> list[str]:
        """All moves with regret 0, as text, by rank; an empty list at chance and at the end."""
        return [option.text for option in self.options(position) if option.best]

    def chosen(self, position: Position) -> Any:
        """The move that is played: that of a fixed policy, else the first move of rank 1.

        None at chance, for a player who moves at random or mixes moves, where several players move at once, and at
        the end.
        """
        position = self.asked(position)
        rule = self.question.fixed.get(position.mover)
        if position.mover == CHANCE or rule == "random" or position.is_over:
            return None
        chances = self.source.chances(position)
        if chances is not None:
            return next(iter(chances)) if len(chances) == 1 else None
        if self.is_mixed(position):
            return None
        if rule is not None and rule not in BY_VALUE:
            return bound_move(position, rule)
        if (told := self.at(position)).source.has_distances != self.source.has_distances:
            return told.chosen(position)
        # With known distances the winner hastens; a source without distances cannot do that.
        is_known = self.source.covers(position) and self.distances is None
        move = self.source.chosen(position) if is_known else None
        if move is not None:
            return move
        return worst_move(self, position) if rule == "worst" else self.options(position)[0].move

    def steps(self, position: Position | str | None = None) -> Iterator[Step]:
        """One line of best play; chance, and players who mix moves, take the likeliest move (the first of equals).

        The line ends with the game, or where a position repeats: see `Step.back_to`.
        """
        return (step for step, _ in walk(self, self.asked_by_rules(position), self._likeliest))

    def _likeliest(self, position: Position) -> Any:
        move = self.chosen(position)
        if move is not None or position.is_over:
            return move
        chances = self.source.chances(position)
        if chances is not None:
            return max(chances, key=lambda move: chances[move])
        if self.is_mixed(position):
            return max(self.options(position), key=lambda option: option.probability or 0).move
        if position.mover != CHANCE:
            return next(position.moves())
        return max(position.moves(), key=lambda move: self.game.weight(position.state, move))

    def line(self, position: Position | str | None = None) -> list[str]:
        """One line of best play as moves in the game's notation, including chance outcomes."""
        with self.telling(position := self.asked(position)):
            return [step.move for step in self.steps(position)]

    @property
    def policy(self) -> Policy:
        """The policy: what to play, as a function of the position."""
        return Policy(self)

    # ---------------------------------------------------------------- distribution

    def distribution(self, player: str | None = None, position: Position | str | None = None) -> Distribution:
        """The distribution of what `player` (default: the first) gets over the whole game under the chosen play.

        Payoffs are in units of the question's utility. Raises `QuestionError` for an unknown player.
        """
        require_no_discount(self.game, "a distribution")
        position, number = self.asked_by_rules(position), self.player_number(player)
        with self.telling(position):
            known = self.source.distribution(position, number)
            return payoffs(self, position, number) if known is None else known

    def player_number(self, player: str | None) -> int:
        """The number of the player with that name (default: the first); raises `QuestionError` for an unknown name."""
        return 0 if player is None else player_number(self.game, player)

    def mixture(self, position: Position) -> Mapping[Any, int]:
        """The joint moves, with whole weights, of players who move at once there."""
        chances = {option.move: Fraction(option.probability or 0) for option in self.options(position)}
        unit = lcm(*(chance.denominator for chance in chances.values()))
        return {move: int(chance * unit) for move, chance in chances.items() if chance}

    def length_distribution(
        self, position: Position | str | None = None, *, rest: Fraction = Fraction(1, 1000), most: int = 10_000
    ) -> LengthDistribution:
        """The distribution of the number of moves that players still make from a position under the chosen play.

        Chance outcomes are not counted. Where play can return to a position, lengths are listed until at most `rest`
        of the play that ends is left, or up to `most` plies.
        """
        require_no_discount(self.game, "a distribution")
        return lengths(self, self.asked_by_rules(position), Fraction(rest), most)

    def chain(self, position: Position | str | None = None, utility: Utility | None = None) -> tuple[View, Graph]:
        """The chosen play from `position` on, as a graph with one edge at every decision.

        Payoffs are in order of the players' numbers and in units of `utility` (default: the question's). Symmetry is
        off, so nodes are the states that play really visits. Raises `LimitReached` where proven bounds leave open
        which moves are best.
        """
        return chain(self, self.asked_by_rules(position), utility)
