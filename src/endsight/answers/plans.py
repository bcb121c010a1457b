"""Play by plans: what they are worth from every history, the moves that they mix, and how players follow them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from endsight.algorithms.backward_induction import backward_induction
from endsight.algorithms.best_reply import SequencePlan, bounds, plan_certificates, reply_values
from endsight.algorithms.equilibrium import Equilibrium, equilibrium
from endsight.algorithms.histories import Behaviour, Histories, History, SeenSoFar, reached_sets
from endsight.algorithms.information_sets import information_sets
from endsight.algorithms.off_path import off_path
from endsight.algorithms.played_histories import HistoryView, play_from
from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.algorithms.walked_sets import WalkedSets, walked_sets
from endsight.answers.options import Judged
from endsight.answers.seen import SeenPosition, judged, own_texts, seen_by
from endsight.answers.source import Bounds, Row, Source
from endsight.engine.choice import Engine
from endsight.errors import LimitReached, QuestionError, RulesError
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.arguments import takes
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, between, chances_of, ends_of, simplest
from endsight.game.position import Position
from endsight.game.question import PERFECT, PolicyRule, Question, Utility, rule_name, sees_too_much, steady
from endsight.game.unseen import require_told
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View
from endsight.graph.plan import EQUILIBRIUM, FOUND_EQUILIBRIUM
from endsight.graph.table import Kind


@dataclass(frozen=True)
class FollowsPlan:
    """Play by a plan; where the plan itself never comes, a best reply to the other player's plan.

    reply  the worth of every own sequence against the other's plan (see `reply_values`)
    off    weights of play off the path, by information set (see `off_path`); None where nothing is proven
    """

    side: Treeplex
    plan: SequencePlan
    reply: Sequence[int]
    off: Sequence[Sequence[int] | None] | None = None
    name = "of the plan"
    """Its name in messages."""

    @cached_property
    def set_of(self) -> Mapping[int, int]:
        """The information set for each number of its view."""
        return {view: number for number, view in enumerate(self.side.view)}

    def weights(self, eyes: SeenSoFar, moves: Sequence[Any]) -> Mapping[Any, int]:
        """Whole weights of the moves there."""
        number = self.set_of[eyes.view]
        own, known = self.side.after(number), self.side.moves[number]
        proven = None if self.off is None else self.off[number]
        masses = self.plan.masses[own.start : own.stop] if proven is None else proven
        planned = {move: mass for move, mass in zip(known, masses, strict=True) if mass}
        if planned:
            return planned
        worth = self.reply[own.start : own.stop]
        return {known[worth.index(max(worth))]: 1}

    def is_proven(self, number: int) -> bool:
        """Whether play there is proven a best reply to the other's play that leads there by mistakes."""
        return self.off is not None and self.off[number] is not None


Off: TypeAlias = "Sequence[Sequence[int] | None] | None"


def replies_to(
    sets: InformationSets, plans: tuple[SequencePlan, SequencePlan], off: tuple[Off, Off] = (None, None)
) -> tuple[FollowsPlan, FollowsPlan]:
    """How both players play by their plans, and `off` the path of these plans."""
    made = [
        FollowsPlan(side, plan, reply_values(sets, 1 - player, plans[1 - player]), off[player])
        for player, (side, plan) in enumerate(zip(sets.sides, plans, strict=True))
    ]
    return made[0], made[1]


class Uniform:
    """Every move with the same chance."""

    name = "random"

    def weights(self, eyes: SeenSoFar, moves: Sequence[Any]) -> Mapping[Any, int]:
        """1 for each move."""
        return dict.fromkeys(moves, 1)


@dataclass(frozen=True)
class ByFunction:
    """Play by a user's `function(game, seen, moves)`, which returns a move or a mapping of moves to whole weights.

    Where everybody sees the state it may be a `function(game, state)` instead.
    """

    game: Game
    function: Callable[..., Any]
    takes_moves: bool = True

    @property
    def name(self) -> str:
        """The function's name."""
        return rule_name(self.function)

    @cached_property
    def _steady(self) -> Callable[..., Any]:
        return steady(self.game, partial(self.function, self.game), self.name)

    def weights(self, eyes: SeenSoFar, moves: Sequence[Any]) -> Mapping[Any, int]:
        """The weights that the function returns; raises `RulesError` where they are not whole weights."""
        asked = (eyes.seen, tuple(moves)) if self.takes_moves else (self.game.State(*eyes.seen),)
        choice = self._steady(*asked)
        if not isinstance(choice, Mapping):
            return {choice: 1}
        if not all(type(weight) is int and weight >= 0 for weight in choice.values()) or not sum(choice.values()):
            raise RulesError(
                f"{self.game.title()}: the policy {self.name} returned weights that are not probabilities",
                found=f"{brief(dict(choice))}, where the player sees {brief(eyes.seen)}",
                allowed="a move, or a dict from moves to whole numbers, 0 or more and not all 0",
            )
        return {move: weight for move, weight in choice.items() if weight}


class MixedPlay:
    """Play in which every player's behaviour is known, by what that player has seen; `behaviours` are by player."""

    game: Game
    histories: Histories
    budget: Budget
    behaviours: Sequence[Behaviour]

    def seen_at(self, position: Position) -> History:
        """The position with what every player has seen."""
        raise NotImplementedError

    def chances(self, position: Position) -> Mapping[Any, Fraction]:
        """The chance of every possible move or outcome, leaving out those with chance 0."""
        weights = self.histories.outcomes(self.seen_at(position), self.behaviours, self.budget)
        return dict(zip(weights, chances_of(weights.values()), strict=True))

    def part_weights(self, position: Position, player: int, rule: Any) -> Mapping[Any, int]:
        """Whole weights of a mover's own moves by the behaviour of `player` (`perfect`), or by another policy."""
        behaviour = self.behaviours[player] if rule == PERFECT else by_policy(self.game, rule)
        return self.histories.shares(self.seen_at(position), player, behaviour)


def by_policy(game: Game, rule: PolicyRule) -> Behaviour:
    """The behaviour of a policy that knows what the player sees; raises `QuestionError` for one that sees the state."""
    if callable(rule) and (takes(rule, 3) or not game.gives("sees")):
        return ByFunction(game, rule, takes_moves=takes(rule, 3))
    if rule == "random":
        return Uniform()
    raise sees_too_much(game, rule)


class FollowedView(MixedPlay, PlayedView):
    """A game in which players go by what they see, and every player follows a policy, by number in `fixed`.

    A policy depends on what its player sees of a state, and what follows depends on the state alone, so play is a
    Markov chain, possibly with loops.
    """

    def __init__(self, game: Game, utility: Utility, fixed: Mapping[int, PolicyRule], budget: Budget) -> None:
        super().__init__(game, utility, self.outcomes)
        self.fixed, self.budget, self.histories = fixed, budget, Histories(game)
        self.behaviours = [by_policy(game, fixed[player]) for player in range(self.players)]

    def outcomes(self, position: Position) -> Mapping[Any, int]:
        """Whole weights of everything that may follow a position with a positive chance."""
        return self.histories.outcomes(self.seen_at(position), self.behaviours, self.budget)

    def seen_at(self, position: Position) -> History:
        """The position with what every player sees of it, without the past."""
        eyes = (SeenSoFar(0, self.game.sees(position.state, player)) for player in range(self.players))
        return History(position, tuple(eyes))

    def key(self, position: Position) -> Any:
        """The node of a position; raises `QuestionError` where moves that led there are unknown."""
        if self.game.gives("sees"):
            require_told(self.game, position)
        return super().key(position)

    def chain(self, position: Position, utility: Utility) -> tuple[View, Graph]:
        """Play from a position on, as a graph in which chance alone decides."""
        view = FollowedView(position.game, utility, self.fixed, self.budget)
        return view, explore_view(view, position, self.budget)


# ---------------------------------------------------------------------- how players follow plans


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
