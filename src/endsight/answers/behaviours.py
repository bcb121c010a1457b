"""How players with hidden information play: by a plan, by a given policy, or by a best reply."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, TypeAlias

from endsight.algorithms.best_reply import SequencePlan, reply_values
from endsight.algorithms.histories import Behaviour, Histories, History, SeenSoFar
from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.errors import RulesError
from endsight.errors.rules_guard import brief
from endsight.game import Game
from endsight.game.arguments import takes
from endsight.game.limits import Budget
from endsight.game.numbers import chances_of
from endsight.game.position import Position
from endsight.game.question import PERFECT, PolicyRule, Utility, rule_name, sees_too_much, steady
from endsight.game.unseen import require_told
from endsight.graph.explorer import explore_view
from endsight.graph.graph import Graph
from endsight.graph.objective import PlayedView, View


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
