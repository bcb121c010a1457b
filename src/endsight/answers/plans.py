"""Answers from two plans: the value of play by them from every history, and the moves that they mix."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property, partial
from typing import Any

from endsight.algorithms.backward_induction import backward_induction
from endsight.algorithms.best_reply import bounds, plan_certificates
from endsight.algorithms.equilibrium import Equilibrium, equilibrium
from endsight.algorithms.histories import Histories, History, reached_sets
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.off_path import off_path
from endsight.algorithms.played_histories import HistoryView, play_from
from endsight.algorithms.walked_sets import WalkedSets, walked_sets
from endsight.answers.behaviours import FollowsPlan, MixedPlay, replies_to
from endsight.answers.options import Judged
from endsight.answers.seen import SeenPosition, judged, own_texts, seen_by
from endsight.answers.source import Bounds, Row, Source
from endsight.engine.choice import Engine
from endsight.errors import LimitReached, QuestionError
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, between, chances_of, ends_of, simplest
from endsight.game.position import Position
from endsight.game.question import Question, Utility
from endsight.game.unseen import require_told
from endsight.graph.graph import Graph
from endsight.graph.plan import EQUILIBRIUM, FOUND_EQUILIBRIUM
from endsight.graph.table import Kind

MOST_OFF_PATH = 20_000
"""Histories of a game up to which play off the equilibrium path is computed."""
MOST_SETS = 10_000
"""Information sets that a table lists at most."""


def by_plans(game: Game, position: Position, question: Question, kind: Kind, engine: Engine, budget: Budget) -> Planned:
    """An equilibrium of two opposed players who see different things; raises what `equilibrium` raises.

    Also `QuestionError` for a position without a past, and `LimitReached` where `kind` is `exact` and no exact value is
    found.
    """
    require_past(position)
    require_told(game, position)
    walked = walked_sets(game, engine, budget, question.utility)
    optimal = equilibrium(walked.sets, budget, partial(_leave_bounds, budget, walked.sets.constant))
    budget.witness = None
    if kind == "exact" and not optimal.is_exact:
        raise LimitReached(
            "stopped: no exact value was found",
            found=f"between {optimal.lower} and {optimal.upper}, proven: {optimal.reason}",
            states=walked.sets.nodes,
            advice="the same without --exact, which gives the proven bounds",
        )
    return Planned(game, position, question.utility, walked, optimal, budget)


def require_past(position: Position) -> None:
    """Raise `QuestionError` for a position that was set up, where players go by what they have seen before."""
    title, hides = position.game.title(), position.game.gives("sees")
    if position.set_up is not None:
        why = f"{title} hides something from players" if hides else f"players of {title} move at once"
        raise QuestionError(
            f"{why}, so a position includes what each player has seen",
            found="a position that was set up, without the moves that players have seen",
            advice="the moves and outcomes that led there, with --at",
        )


def _leave_bounds(budget: Budget, total: Number, lower: Fraction, upper: Fraction) -> None:
    """Set the budget's witness, so that whoever stops the work knows the bounds proven at the start."""
    bounds = (simplest(lower), simplest(upper)), (simplest(total - upper), simplest(total - lower))
    budget.witness = lambda position: None if position.history else bounds


class PlayedByHistory(MixedPlay, Source):
    """Play from the start of the game in which every player's behaviour depends on all that the player has seen.

    The value of a history is that of play by these behaviours from there.
    """

    engine: str = "plain"
    has_chance = True
    by_history = True

    def __init__(self, game: Game, utility: Utility, histories: Histories, budget: Budget) -> None:
        self.game, self.utility, self.histories, self.budget = game, utility, histories, budget
        self._rows: dict[Any, tuple[Amount, ...]] = {}

    def covers(self, position: Position) -> bool:
        """Whether the position was reached by moves from the start."""
        return position.set_up is None

    def row(self, position: Position) -> Row | None:
        """The value of the whole game per player under this play; no distance."""
        if position.set_up is not None:
            return None
        require_told(self.game, position)
        history = self.seen_at(position)
        key = history.key, position.so_far
        if key not in self._rows:
            self._rows[key] = self.brings(history)
        return self._rows[key], None

    def proven(self, position: Position) -> Bounds | None:
        """The value where it has already been found: computing it might start the search for play off the path."""
        if position.set_up is not None or position.is_told:
            return None
        row = self._rows.get((self.histories.at(position).key, position.so_far))
        return None if row is None else ends_of(row)

    def brings(self, history: History) -> tuple[Amount, ...]:
        """The value of this play from a history on for each player, over the whole game."""
        view, graph = self._from(history, self.utility)
        values = backward_induction(graph, self.budget).values[0]
        return tuple(map(simplest, view.whole(history.position, values, by_mover=False)))

    def _from(self, history: History, utility: Utility) -> tuple[HistoryView, Graph]:
        return play_from(self.histories, history, self.behaviours, utility, self.budget)

    def chain(self, position: Position, utility: Utility) -> tuple[HistoryView, Graph]:
        """Play from a position on, as a graph in which chance alone decides."""
        return self._from(self.seen_at(position), utility)

    def seen_at(self, position: Position) -> History:
        """The history that led to a position."""
        return self.histories.at(position)

    def policy_rows(self, position: Position) -> list[dict[str, Any]]:
        """The behaviours as rows: one per information set from a position on, with the chances of its moves."""
        asked = self.histories, self.seen_at(position), self.behaviours, self.budget
        return [
            {
                "player": self.game.player_names[each.player],
                "sees": self.game.show_seen(each.history.eyes[each.player].seen, each.player),
                "example": each.history.position.text,
                "reached": each.chance > 0,
                "plan": self._chances_of(each.history, each.player),
            }
            for each in reached_sets(*asked, MOST_SETS)
        ]

    def _chances_of(self, history: History, player: int) -> dict[str, Fraction]:
        """The chances of a player's moves by their texts."""
        weights = self.histories.shares(history, player, self.behaviours[player])
        texts = own_texts(history.position, player)
        return dict(zip(texts.values(), chances_of([weights.get(own, 0) for own in texts]), strict=True))


class Planned(PlayedByHistory):
    """Play by a plan for each of two players, from the start of the game.

    The value at the start is that of the game, exact or between the bounds that the plans prove. The value of any other
    history is that of play by the two plans from there.
    """

    checker = "plans"

    def __init__(
        self,
        game: Game,
        position: Position,
        utility: Utility,
        walked: WalkedSets,
        optimal: Equilibrium,
        budget: Budget,
    ) -> None:
        super().__init__(game, utility, Histories(game, [side.views for side in walked.sets.sides]), budget)
        self.sets, self.optimal = walked.sets, optimal
        self.method, self.states = optimal.method, walked.sets.nodes
        self.engine, self.refusal, self.audited = walked.engine, walked.refused, walked.audited
        self.reason = optimal.reason
        if optimal.is_exact:
            self.notion = FOUND_EQUILIBRIUM if position.history else EQUILIBRIUM
        else:
            self.notion = f"bounds proven by one plan for each side ({optimal.reason}); later positions by these plans"

    @cached_property
    def behaviours(self) -> tuple[FollowsPlan, FollowsPlan]:  # type: ignore[override]
        """How both players play; in games small enough for it, also off the equilibrium path."""
        sets, optimal = self.sets, self.optimal
        if not optimal.is_exact or sets.nodes > MOST_OFF_PATH:
            return replies_to(sets, optimal.plans)
        ends = information_sets(self.game, self.budget, pays_one=True).payoffs
        replies = off_path(sets, ends, optimal, self.budget)
        first, second = (plan if each is None else each.plan for each, plan in zip(replies, optimal.plans, strict=True))
        if bounds(sets, first, second) != (optimal.lower, optimal.upper):
            return replies_to(sets, optimal.plans)
        off = tuple(None if each is None else each.weights for each in replies)
        return replies_to(sets, (first, second), (off[0], off[1]))

    def row(self, position: Position) -> Row | None:
        """The value of the whole game per player, or that of play by both plans; no distance."""
        at_start = position.set_up is None and not position.history
        return (self._start(), None) if at_start else super().row(position)

    def proven(self, position: Position) -> Bounds | None:
        """The value where it has already been found: computing it might start the search for play off the path."""
        at_start = position.set_up is None and not position.history
        return ends_of(self._start()) if at_start else super().proven(position)

    def _start(self) -> tuple[Amount, ...]:
        optimal, total = self.optimal, self.sets.constant
        return between(optimal.lower, optimal.upper), between(total - optimal.upper, total - optimal.lower)

    def seen_by(self, player: int, moves: str | Iterable[str], *, ranges: bool) -> SeenPosition:
        """A position as seen by the player to move there, see `seen.seen_by`."""
        return seen_by(self, player, moves, ranges=ranges)

    def regrets(self, position: Position, move: Any) -> Mapping[int, Judged]:
        """What each mover gave away by their own part of a move, judged by what that player had seen."""
        history = self.histories.at(position)
        return {
            player: judged(self, history, player, own) for player, own in self.histories.parts(position, move).items()
        }

    def witness(self, position: Position) -> Mapping[str, Any]:
        """Both plans, which prove the value at the start; after moves, plans for the game that begins there."""
        if not position.history:
            return plan_certificates(self.sets, self.optimal.plans)
        sets = information_sets(self.game, self.budget, self.utility, position)
        return plan_certificates(sets, equilibrium(sets, self.budget).plans)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """The number of information sets of each player."""
        sizes = map(len, self.sets.sides)
        return {"information_sets": dict(zip(self.game.player_names, sizes, strict=True))}
