"""Answers by position: value, every move with its regret, distance, line, policy, distribution."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import lcm
from typing import TYPE_CHECKING, Any

from endsight.answers.amounts_by_player import AmountsByPlayer
from endsight.answers.options import Category, Option, parts_against, rank_options, with_mixtures, worst_option
from endsight.answers.records import Column, Records, Tabular
from endsight.answers.seen import SeenPosition, seen_at_once
from endsight.answers.source import Row, Source
from endsight.answers.unfinished import telling
from endsight.errors import LimitReached, QuestionError
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.limits import Budget, Ends
from endsight.game.made_from_rules import facts_at, position_in_truth, state_known
from endsight.game.markup import MOST_ROWS, drawing, html_table, joined, paragraph
from endsight.game.numbers import (
    Amount,
    Interval,
    Number,
    amount_text,
    are_exact,
    as_interval,
    between,
    is_enclosed,
    simplest,
)
from endsight.game.position import Position, as_text
from endsight.game.question import (
    BY_VALUE,
    PolicyRule,
    Question,
    Utility,
    player_number,
    policy_function,
    require_all_seen,
    require_no_discount,
)
from endsight.graph.explorer import explore
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.graph.plan import NOTIONS
from endsight.graph.plan import Row as PlanRow
from endsight.graph.reachable import keeps_totals, reachable
from endsight.naming.arguments import as_position

if TYPE_CHECKING:
    from endsight.answers.distribution import Distribution, LengthDistribution
    from endsight.answers.enclosed import BestPlay

__all__ = ["Category", "Option", "Policy", "Solution", "Step"]


@dataclass(frozen=True)
class Step:
    """One move of a line: who moves (a player's name or `chance`) and the move as text.

    `back_to` is of the last move of a line that goes round for ever: how many moves of the line
    came before the position that it leads back to.
    """

    player: str
    move: str
    back_to: int | None = None


@dataclass
class Solution:
    """The answers to one question about one game.

    Values are exact (`int` or `Fraction`), per player by name, and count the whole
    game: what the moves so far brought plus what is to come. Positions outside what was
    solved first are solved when asked for. `plan` is the row of `endsight.graph.plan` that was
    followed; None for what was stored. `asks_distance`: distances are searched for, however long that takes.
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
    _others: dict[Any, Solution] = field(default_factory=dict, repr=False)

    # ---------------------------------------------------------------- showing itself

    def __repr__(self) -> str:
        after = f" after {self.position.text!r}" if self.position.history else ""
        return f"<Solution of {self.game!r}{after} by {self.method}>"

    def _repr_html_(self) -> str:
        """What is known without any work: a notebook may show it at any time."""
        table = ""
        if self.source.holds_all and self._is_at_hand():
            records = self.move_table()
            table = paragraph(self._worth()) + (html_table("", records.names, *records.shown()) if len(records) else "")
        rests = paragraph(f"by a theorem: {self.theorem}") if self.theorem else ""
        drawn = drawing(as_text(self.game, "draw", self.position.state))
        return joined(paragraph(repr(self)[1:-1], strong=True), drawn, table, rests)

    def _is_at_hand(self) -> bool:
        """Whether every move leads to what is solved exactly by now, and there are not too many."""
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
        """Name of the method that found the answer."""
        return self.source.method

    @property
    def theorem(self) -> str | None:
        """The theorem the answer rests on, with its source; None for none."""
        return self.source.theorem

    @property
    def states(self) -> int:
        """Distinct states met (canonical ones with symmetry on)."""
        return self.source.states + sum(other.states for other in self._others.values())

    @property
    def notion(self) -> str | None:
        """What the values mean where they are not simply the value; None where they are."""
        known = None if self.plan is None else NOTIONS.get(self.plan.path)
        return "; ".join(filter(None, (known, self.source.notion))) or None

    def value(self, position: Position | str | None = None) -> dict[str, Fraction | Interval]:
        """Value of the whole game per player, by name: always a `Fraction`, or an `Interval` of proven bounds.

        Raises `NoValue`, as `solve` does, for a position that has no value (docs/theory/endless-play.md); see `ends`.
        """
        values = (value if is_enclosed(value) else Fraction(value) for value in self.values(position))
        return AmountsByPlayer(zip(self.game.player_names, values, strict=True))

    def values(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """Value of the whole game per player, in order of their numbers; exact or enclosed; raises `NoValue`."""
        position = self.asked(position)
        source = self._at(position)
        values = source.value(position)
        if source.swings is not None and is_enclosed(values[source.swings.player]):
            raise source.swings.error()
        return values

    def ends(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """The same; of a position without a value the two ends that endless play can bring, as an `Interval`."""
        position = self.asked(position)
        return self._at(position).value(position)

    def values_at_hand(self, position: Position | str | None = None) -> tuple[Amount, ...]:
        """The same without further work where that is much: then enclosed, though exact values could be had."""
        position = self.asked(position)
        source = self._at(position)
        known = source.proven(position)
        return source.value(position) if known is None else tuple(between(*bounds) for bounds in known)

    def exact_values(self, position: Position | str | None = None) -> tuple[Number, ...]:
        """The same where exact numbers are needed; `LimitReached` or `NoValue` where there are only two ends."""
        position = self.asked(position)
        values = self.values(position)
        if not are_exact(values) and position != self.position and self._is_exact():
            values = self._afresh(position).values(position)  # or the reason why there is no value
        exact = tuple(value for value in values if not is_enclosed(value))
        if len(exact) < len(values):
            if self.source.swings is not None:
                raise self.source.swings.error()
            raise LimitReached(
                "stopped: this needs exact values, and here they are only enclosed between proven bounds",
                states=self.states,
                advice="--exact, or a smaller game",
            )
        return exact

    def distance(self, position: Position | str | None = None) -> int | None:
        """Plies to the end under best play; None for draws, scores, chance, or where unproven.

        Beside a theorem that settles only who wins, distances are searched for where that
        takes no more than 500 000 states; where they were asked for, however long it takes.
        """
        position = self.asked(position)
        with self.telling(position):
            return self._distance(self._at(position), position)

    def known_distance(self, position: Position | str | None = None) -> int | None:
        """The distance where it costs nothing or was asked for; None where it may have to be searched for."""
        return self.distance(position) if self.source.holds_all or self.asks_distance else None

    def _distance(self, source: Source, position: Position) -> int | None:
        if self.distances is not None and self.distances.covers(position):
            source = self.distances
        return source.distance(position)

    def _row(self, position: Position) -> Row:
        """Value and distance, looked up once."""
        row = self._trusted(position).row(position) or self._afresh(position).source.row(position)
        assert row is not None, "a solution holds the position that it is of"
        if self.distances is not None and self.distances.covers(position):
            return row[0], self.distances.distance(position)
        return row

    def best_play(self, position: Position) -> BestPlay | None:
        """What best play from that position brings, where that is told without walking through the play."""
        table = self.source.on_arrays
        return None if table is None else table.best_play(position)

    @cached_property
    def distances(self) -> Source | None:
        """The solved graph beside a theorem that settles only who wins; None where there is none."""
        return self.searched() if self.source.wants_distances else None

    def category(self, position: Position | str | None = None) -> Category:
        """`win`, `draw` or `loss` of the player to move, or `value` for games of scores and chance."""
        position = self.asked(position)
        if not self.source.is_win_loss:
            return "value"
        return self.category_of(self.ends(position), position.mover)

    def facts(self, position: Position | str | None = None) -> Mapping[str, Any]:
        """Named facts about the position, as its theorem knows them; numbers are int or Fraction."""
        position = self.asked(position)
        return {**self._at(position).facts(position), **facts_at(self.game, position)}

    def category_of(self, values: tuple[Amount, ...], mover: int) -> Category:
        """`category` of values that are known already."""
        if not self.source.is_win_loss or mover == CHANCE:
            return "value"
        draw = Fraction(1, 2) if self.question.utility == "win" else 0
        own = values[mover]
        if is_enclosed(own):
            return "value"
        return "win" if own > draw else "loss" if own < draw else "draw"

    def answers(self, position: Position) -> bool:
        """Whether that position is answered here as exactly as the one that was solved."""
        source, position = self.source, self.asked(position)
        if not source.covers(position):
            return False
        if source.wants_distances:
            distances: Source | None = vars(self).get("distances")  # they may take long to search for
            return distances is not None and distances.covers(position)
        if not source.holds_all or not self._is_exact():
            return True
        source.sharpen(position)
        return are_exact(source.value(position))

    def asked(self, position: Position | str | None) -> Position:
        """The position asked about, in the solution's game: its own where none is given."""
        return self.position if position is None else as_position(position, self.game, "a solution")

    def _at(self, position: Position) -> Source:
        source = self._trusted(position)
        return source if source.covers(position) else self._afresh(position).source

    def _trusted(self, position: Position) -> Source:
        """The source, after a look at its answer there; from then on another one, where that is wrong."""
        if not self.source.passes(position):
            self.source = self.again(position).source
        return self.source

    def _afresh(self, position: Position) -> Solution:
        """The solution from that position on."""
        key = (position.state, position.mover, position.so_far)
        if key not in self._others:
            self._others[key] = self.again(position)
        return self._others[key]

    # ---------------------------------------------------------------- moves

    def options(self, position: Position | str | None = None) -> list[Option]:
        """Every legal move, best first and ties in the rules' order; chance outcomes in that order."""
        position = self.asked(position)
        with self.telling(position):
            return self._options(position)

    def telling(self, position: Position) -> AbstractContextManager[None]:
        """Stops of the work inside tell what is proven about `position`: see `endsight.errors.Stopped`."""
        return telling(position, self.question, self.budget, self.proven)

    def to_networkx(self, depth: int | None = None) -> Any:
        """The positions that up to `depth` moves lead to (None: all), as a directed graph of networkx.

        Moves, values and regrets are attributes of its edges and nodes: see `endsight.answers.networks`. Raises
        `UsageError` where networkx is not installed, and `QuestionError` where players see different things.
        """
        from endsight.answers.networks import network

        require_all_seen(self.game, "a graph of the game")
        return network(self, depth)

    def proven(self, position: Position) -> tuple[Ends, ...] | None:
        """What all the work for this solution has proven about a position, without any more of it."""
        for source in (self.source, *(other.source for other in self._others.values())):
            found = source.proven(position)
            if found is not None:
                return found
        return None if self.budget.witness is None else self.budget.witness(position)

    def worst_move(self, position: Position) -> Any:
        """The move that brings the player to move least; where ends leave that open, the likeliest."""
        position = self.asked(position)
        with self.telling(position):
            options = self._unranked(position)
        worst = worst_option(options, position.mover, self._draw_doubled)
        if worst is None:
            worst = min(options, key=lambda option: as_interval(option.value[position.mover]).middle)
        return worst.move

    @property
    def _draw_doubled(self) -> int | None:
        if self.game.player_count == 1:
            return None
        return 1 if self.question.utility == "win" else 0

    def _unranked(self, position: Position) -> list[Option]:
        """Every legal move in the rules' order."""
        options = self._known_options(position)
        if options is not None:
            return options
        return [self._option(position, move) for move in self.budget.gathered(position.moves())]

    def _options(self, position: Position) -> list[Option]:
        options = self._unranked(position)
        if position.mover == CHANCE:
            return self._with_chances(position, options)
        chances = self.source.chances(position)
        if chances is not None:
            return [replace(option, probability=chances.get(option.move, Fraction(0))) for option in options]
        if self._is_mixed(position):
            return with_mixtures(options)
        ranked = rank_options(options, self._wish(position.mover), self._draw_doubled)
        if any(option.best is None for option in ranked) and position != self.position and self._is_exact():
            # The ends leave it open here, so it is asked exactly.
            return self._afresh(position).options(position)
        return ranked

    def _wish(self, mover: int) -> int:
        """Whose utility a mover wants most of."""
        is_shared = self.question.objective == "cooperative" and self.question.fixed.get(mover) != "best"
        return 0 if is_shared else mover

    def _is_mixed(self, position: Position) -> bool:
        """Whether several players move at once there, each for their own good."""
        return position.mover == TOGETHER and self.question.objective == "competitive"

    def parts(self, player: int, position: Position | str | None = None) -> list[Option]:
        """What a player who moves at once with another may do, best first: worth against the other's mixture.

        The mixture of the player stands beside as chances. Raises `QuestionError` where that player does not.
        """
        position = self.asked(position)
        if not self._is_mixed(position) or player not in position.movers:
            name = self.game.player_names[player]
            raise QuestionError(f"{name} does not move at once with another player here", found=position.to_move)
        with self.telling(position):
            options = parts_against(self._unranked(position), position.movers.index(player))
        return rank_options(options, player, self._draw_doubled)

    def _is_exact(self) -> bool:
        """Whether exact values are what this solution gives where it was asked."""
        return are_exact(self.values())

    def _option(self, position: Position, move: Any) -> Option:
        self.budget.glance(self.source.states, "comparing moves")
        then = position.play(move)
        after, distance = self._row(then)
        value = position.worth(move, after)
        return Option(
            move=move,
            text=then.history[-1],
            value=value,
            regret=None,
            rank=None,
            best=None,
            category=self.category_of(value, position.mover),
            distance=None if distance is None else distance + 1,
            probability=None,
        )

    def _known_options(self, position: Position) -> list[Option] | None:
        """Unranked options where the source finds all moves' values in one pass."""
        values = self.source.move_values(position) if self.source.covers(position) else None
        if values is None:
            return None
        show = self.game.show_move
        return [
            Option(move, show(position.state, move), value, None, None, None, "value", None, None)
            for move, value in values.items()
        ]

    def _with_chances(self, position: Position, options: list[Option]) -> list[Option]:
        weights = [self.game.weight(position.state, option.move) for option in options]
        total = sum(weights)
        return [
            replace(option, probability=Fraction(weight, total))
            for option, weight in zip(options, weights, strict=True)
        ]

    def seen_by(self, player: str | int, moves: str | Iterable[str] = "", *, ranges: bool = False) -> SeenPosition:
        """A position as a player sees it who does not see everything, and is to move there.

        `moves` are those from the start of the game, as text; `?` stands for a move or outcome that the player has not
        seen. Raises `IllegalMoveError` where no play fits, `QuestionError` where the plays that fit look different
        to the player, where the player is not to move, and for games in which everybody sees everything. With
        `ranges` the least and the largest chance of every move over all optimal plans are told, too.
        """
        number = player_number(self.game, player)
        found = self.source.seen_by(number, moves, ranges=ranges)
        if found is not None:
            return found
        position = self.game.position(moves)
        if self._is_mixed(position) and not ranges:
            return seen_at_once(self, number, position)
        raise QuestionError(
            f"all players of {self.game.title()} see the same there",
            allowed="games in which players see different things" + ("" if ranges else " or move at once"),
            advice="the same without ranges" if ranges else "the same without --as",
        )

    def chance_of(self, position: Position, move: Any) -> Fraction:
        """The chance that play as this solution has it makes that move or outcome at a position."""
        if position.mover == CHANCE or self.source.chances(position) is not None or self._is_mixed(position):
            return next(option.probability or Fraction(0) for option in self.options(position) if option.move == move)
        return Fraction(move == self.chosen(position))

    def move_table(self, position: Position | str | None = None) -> Records:
        """`options` as a table for CSV, pandas and Polars; one column of values per player."""
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
        """All moves with regret 0, as text, in order of rank; none at chance or at the end."""
        return [option.text for option in self.options(position) if option.best]

    def chosen(self, position: Position) -> Any:
        """The move that play takes: of a fixed policy, else the first of rank 1.

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
        if self._is_mixed(position):
            return None
        if rule is not None and rule not in BY_VALUE:
            return policy_function(self.game, rule)(position.state, position.mover)
        # Where distances are known the winner hastens, which a source without them does not see.
        is_known = self.source.covers(position) and self.distances is None
        move = self.source.chosen(position) if is_known else None
        if move is not None:
            return move
        return self.worst_move(position) if rule == "worst" else self.options(position)[0].move

    def _chosen_for_certain(self, position: Position) -> Any:
        """`chosen`; `LimitReached` where values are only enclosed, and their ends do not tell."""
        rule = self.question.fixed.get(position.mover)
        is_choice = position.mover != CHANCE and not self._is_mixed(position)
        is_best_play = is_choice and rule in (None, *BY_VALUE) and not position.is_over
        if is_best_play and not self._is_exact() and self._is_open(position, rule):
            if self.source.swings is not None:
                raise self.source.swings.error()
            raise LimitReached(
                "stopped: at a position on the way the proven bounds do not tell which moves are best",
                states=self.states,
                advice="--exact",
            )
        return self.chosen(position)

    def _is_open(self, position: Position, rule: PolicyRule | None) -> bool:
        """Whether proven bounds leave open which move best play, or the worst, takes."""
        if rule == "worst":
            return worst_option(self._unranked(position), position.mover, self._draw_doubled) is None
        return any(option.best is None for option in self.options(position))

    def steps(self, position: Position | str | None = None) -> Iterator[Step]:
        """One line of best play; chance, and players who mix moves, take the likeliest, the first of several.

        Ends with the game, or where a position comes back: see `Step.back_to`.
        """
        position = self.asked(position)
        seen = {(position.state, position.mover): 0}
        back_to = None
        while back_to is None and not position.is_over:
            self.budget.glance(self.source.states, "playing a line")
            move = self.chosen(position)
            if move is None:
                move = self._likeliest(position)
            player = position.to_move
            assert player is not None
            position = position.play(move)
            place = (position.state, position.mover)
            back_to = seen.get(place)
            seen[place] = len(seen)
            yield Step(player, position.history[-1], back_to)
            if not self.source.by_history:
                # Long lines would copy their whole history at every move.
                position = replace(position, history=())

    def _likeliest(self, position: Position) -> Any:
        chances = self.source.chances(position)
        if chances is not None:
            return max(chances, key=lambda move: chances[move])
        if self._is_mixed(position):
            return max(self.options(position), key=lambda option: option.probability or 0).move
        if position.mover != CHANCE:
            return next(position.moves())
        return max(position.moves(), key=lambda move: self.game.weight(position.state, move))

    def line(self, position: Position | str | None = None) -> list[str]:
        """One line of best play as moves in the game's notation, chance outcomes included."""
        return [step.move for step in self.steps(position)]

    @property
    def policy(self) -> Policy:
        """What to play, as a function of the position."""
        return Policy(self)

    # ---------------------------------------------------------------- distribution

    def distribution(self, player: str | None = None, position: Position | str | None = None) -> Distribution:
        """What `player` (default: the first) gets over the whole game when play goes as chosen.

        In units of the question's utility. Raises `QuestionError` for an unknown player.
        """
        require_no_discount(self.game, "a distribution")
        position = self.asked(position)
        number = self.player_number(player)
        known = self.source.distribution(position, number)
        return self._walk(position, number) if known is None else known

    def player_number(self, player: str | None) -> int:
        """The number of the player of that name (default: the first); `QuestionError` where there is none."""
        return 0 if player is None else player_number(self.game, player)

    def _walk(self, position: Position, player: int) -> Distribution:
        """The distribution by following the chosen moves through the rules themselves, or on arrays."""
        from endsight.algorithms.outcome_distribution import outcome_distribution
        from endsight.algorithms.total_distribution import pays_again, total_distribution
        from endsight.answers.distribution import Distribution

        play = self.best_play(position)
        chances = None if play is None else play.outcomes(player)
        if play is not None and chances is not None:
            return Distribution(self.game.player_names[player], chances, play.decisions()[0])
        view, graph = self.chain(position)
        so_far, name = view.carried(position.so_far)[player], self.game.player_names[player]
        if pays_again(graph, player):
            arrived, rest = total_distribution(graph, player, so_far, Fraction(1, 1000), self.budget)
            mean = self.values(position)[player]
            return Distribution.cut(name, arrived, rest, mean, self._expected_plies(view, graph))
        outcomes = outcome_distribution(graph, player, so_far, self.budget)
        return Distribution(name, outcomes, self._expected_plies(view, graph))

    def mixture(self, position: Position) -> Mapping[Any, int]:
        """What players who move at once do there, as joint moves with whole weights."""
        chances = {option.move: Fraction(option.probability or 0) for option in self.options(position)}
        unit = lcm(*(chance.denominator for chance in chances.values()))
        return {move: int(chance * unit) for move, chance in chances.items() if chance}

    def _mixture_for_certain(self, position: Position) -> Mapping[Any, int]:
        """`mixture`; `LimitReached` where values are only enclosed, and so are the chances of best play."""
        if not are_exact(self.ends(position)):
            raise LimitReached(
                "stopped: values are only enclosed between proven bounds here, and so are the chances of moves at once",
                states=self.states,
                advice="endsight analyze, or endsight simulate for a sample",
            )
        return self.mixture(position)

    def _expected_plies(self, view: View, graph: Graph) -> Number | None:
        from endsight.algorithms.outcome_distribution import visits

        counts = visits(graph, self.budget)
        plies = None if counts is None else sum(count for node, count in counts.items() if view.is_ply(graph, node))
        return None if plies is None else simplest(plies)

    def length_distribution(
        self, position: Position | str | None = None, *, rest: Fraction = Fraction(1, 1000), most: int = 10_000
    ) -> LengthDistribution:
        """How many moves players still make from a position on when play goes as chosen.

        Outcomes of chance are not counted. Where play can come back to a position, lengths
        are listed until at most `rest` is left of the play that ends, or up to `most` plies.
        """
        from endsight.algorithms.length_of_play import length_of_play
        from endsight.answers.distribution import LengthDistribution

        view, graph = self.chain(position)
        lengths, longer, endless = length_of_play(
            graph, lambda node: view.is_ply(graph, node), Fraction(rest), most, self.budget
        )
        return LengthDistribution(lengths, longer, endless, self._expected_plies(view, graph))

    def chain(self, position: Position | str | None = None, utility: Utility | None = None) -> tuple[View, Graph]:
        """Play as chosen from `position` on, as a graph with one edge at every decision.

        Payoffs stand in order of the players' numbers, in units of `utility` (default: the
        question's); symmetry is off, so nodes are the states that play really meets. Raises
        `LimitReached` where proven bounds leave open which moves are best.
        """
        position = position_in_truth(self.game, self.asked(position))
        game, question = self.game, self.question
        known = self.source.chain(position, utility or question.utility)
        if known is not None:
            return known

        def choose(state: Any, mover: int, totals: tuple[Number, ...]) -> Any:
            so_far = totals or (0,) * game.player_count
            return self._chosen_for_certain(Position(game, state_known(position.game, state), mover, so_far, ()))

        def mix(state: Any, totals: tuple[Number, ...]) -> Mapping[Any, int]:
            so_far = totals or (0,) * game.player_count
            return self._mixture_for_certain(Position(game, state_known(position.game, state), TOGETHER, so_far, ()))

        random = {p: rule for p, rule in question.fixed.items() if rule == "random"}
        return explore(
            position.game,
            position,
            Question("competitive", utility or question.utility, random),
            symmetry=False,
            tracks_mover=True,
            choosers={p: choose for p in range(game.player_count) if p not in random},
            mixed=mix if question.objective == "competitive" else None,
            budget=self.budget,
            # Where best play depends on totals, they were found to have an end.
            is_finite=View(game, question).tracks_totals,
        )


@dataclass(frozen=True)
class Policy(Tabular):
    """What a solution plays: call it with a position, or write it out.

    >>> import endsight as es
    >>> solution = es.solve(es.games.Nim(heaps=(1, 2)))
    >>> solution.policy(solution.position)
    '2:1'
    """

    solution: Solution

    def __call__(self, position: Position | str) -> str | None:
        """The move as text; None at chance, for a player who moves at random, and at the end."""
        position = as_position(position, self.solution.game, "a policy")
        move = self.solution.chosen(position)
        return None if move is None else as_text(self.solution.game, "show_move", position.state, move)

    def rows(self) -> Iterator[Mapping[str, str]]:
        """One row per reachable decision: position, mover, best moves, and the value per player.

        The order is breadth first from the solution's position. Numbers are exact texts, of
        what is still to come where the utility is the payoff.
        """
        names = self.solution.game.player_names
        for place, mover, best, *values in self._entries():
            row = {"position": place, "to_move": mover, "best": " ".join(best)}
            yield row | {f"value_{name}": str(value) for name, value in zip(names, values, strict=True)}

    def _entries(self) -> Iterator[tuple[Any, ...]]:
        """Text of the state, mover, best moves and values of every reachable decision."""
        solution = self.solution
        require_all_seen(solution.game, "a policy by positions")
        totals = keeps_totals(solution.question, solution.game)
        for position in reachable(solution.position, solution.budget, totals=totals):
            if position.mover == CHANCE or position.is_over:
                continue
            show, best = as_text(solution.game, "show", position.state), solution.best_moves(position)
            yield show, position.to_move, best, *solution.ends(position)

    def records(self) -> Records:
        """The same as a table with exact numbers."""
        names = self.solution.game.player_names
        columns: list[Column] = [("position", "text"), ("to_move", "text"), ("best", "list")]
        columns += [(f"value_{name}", "number") for name in names]
        return Records(f"policy of {self.solution.game.title()}", columns, self._entries())

    def _repr_html_(self) -> str:
        # Rows would have to be looked for, and a notebook may show this at any time.
        return joined(paragraph(f"policy of {self.solution.game!r}: call it with a position, or .to_csv(path)"))

    def _repr_markdown_(self) -> str:
        return f"policy of `{self.solution.game!r}`"

    def __repr__(self) -> str:
        return f"<Policy of {self.solution.game!r}>"
