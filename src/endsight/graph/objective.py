"""A game under a question: what a node of the graph must remember, who decides, and what counts.

Objectives, utilities and fixed policies change the graph, and never the algorithms:

- *cooperative*: every mover's interest becomes the first player's utility;
- *fixed to best or worst*: that player's interest is the highest or the lowest own utility;
- *fixed to random*: that player's positions become chance positions;
- *fixed to any other policy*: that player's positions keep only the move of the policy,
  which leaves out most of the graph before it is ever built;
- *win*, and *lead* among three: the payoff is a function of the totals, so a node
  carries the totals so far (for several players less their smallest);
- *lead* for two: every payoff and reward becomes the difference at once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from endsight.base.deferred import deferred
from endsight.errors.complaints import bound_together, no_number
from endsight.errors.legal_moves import all_of
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, added, simplest
from endsight.game.position import Position
from endsight.game.question import BY_VALUE, Question, Utility, offered, policy_function, require_utility, utility_of
from endsight.game.results import Share, absolute, endless_share, mover_in
from endsight.graph.graph import Graph, Interest
from endsight.graph.plan import NODES, fitting

with deferred(__name__):
    from endsight.compiler.payoffs import are_numbers

_NUMBERS = {"int", "bool", "class", "Fraction", "fractions.Fraction", "Number"}
"""Words of annotations that guarantee numbers."""
_OUTCOMES = {(1, -1), (-1, 1), (0, 0)}
"""Payoffs of games that are only won, drawn or lost."""

Totals = tuple[Number, ...]


class TrackedNode(NamedTuple):
    """Key of a node that must remember more than the state."""

    state: Any
    mover: int
    totals: Totals


class View:
    """`game` under `question`; the explorer asks the view about every node.

    `tracks` says whether nodes are `TrackedNode` (state, mover, totals) instead of states alone:
    `endsight.graph.plan.NODES` chooses, unless `tracks_mover` says whether they hold the mover. A view of an
    alternating two-player game without tracking is *relative*: entries of payoffs and rewards are (mover's,
    other's).
    """

    def __init__(
        self, game: Game, question: Question, *, symmetry: bool = True, tracks_mover: bool | None = None
    ) -> None:
        self.game, self.question, self.is_paid = game, question.check(game), game.means_of is not None
        if self.is_paid:
            require_utility(game, question.utility)
        self.players = game.player_count
        self.has_to_move, self.has_rewards = game.gives("to_move"), game.gives("reward")
        compares = question.utility == "win" or (question.utility == "lead" and self.players > 2)
        self.tracks_totals = self.has_rewards and compares and not self.is_paid
        self.takes_turns = not self.has_to_move and self.players > 1
        self.pays_numbers = self.takes_turns and self.players == 2 and pays_numbers(game)
        self.is_plain, self.discounted = question.is_plain, game.discount != 1
        as_told = self.tracks_totals or (self.takes_turns and bool(tracks_mover))
        self.tracks = next(fitting(NODES, self)).path != "state" if tracks_mover is None else as_told
        self.relative = self.takes_turns and not self.tracks
        self.random_players = frozenset(p for p, rule in question.fixed.items() if rule == "random")
        bound = {player: rule for player, rule in question.fixed.items() if rule not in ("random", *BY_VALUE)}
        self.choosers = {player: policy_function(game, rule) for player, rule in bound.items()}
        # A fixed policy need not treat equivalent states alike, so they stay apart.
        self.canonical = game.canonical if symmetry and not self.choosers and game.gives("canonical") else None
        self.seen_payoffs: set[Totals] = set()

    # ---------------------------------------------------------------- nodes

    def key(self, position: Position) -> Any:
        """The node of a position, under the explorer's name for it."""
        return self.key_of(position.state, position.mover, position.so_far)

    def key_of(self, state: Any, mover: int, totals: Totals) -> Any:
        """The node of a state with its mover and the totals so far."""
        if self.canonical is not None:
            state = self.canonical(state)
        if not self.tracks:
            return state
        return TrackedNode(state, mover, self.counted(totals) if self.tracks_totals else ())

    def key_after(self, state: Any, mover: int, totals: Totals, gain: Totals | None) -> Any:
        """The node of the state that a move of `mover` leads to, if it brings `gain` on top of the totals before it."""
        return self.key_of(state, self.next_mover(state, mover), added(totals, gain) if gain and totals else totals)

    @staticmethod
    def counted(totals: Totals) -> Totals:
        """The part of the totals that affects the rest: for several players, differences, less the smallest entry."""
        if len(totals) == 1:
            return totals
        least = min(totals)
        return tuple(simplest(total - least) for total in totals)

    def split(self, key: Any) -> tuple[Any, int, Totals]:
        """State, mover and totals of a node; the mover of a relative view is always 0."""
        if self.tracks:
            return key.state, key.mover, key.totals
        return key, (mover_in(self.game, key) if self.has_to_move else 0), ()

    def position(self, key: Any) -> Position:
        """The position at a node, without the moves that led there."""
        state, mover, totals = self.split(key)
        return Position(self.game, state, mover, totals or (0,) * self.players, ())

    def next_mover(self, state: Any, mover: int) -> int:
        """The mover in `state` when `mover` moved before it."""
        if self.has_to_move:
            found = self.game.to_move(state)
            return TOGETHER if isinstance(found, tuple) else found
        return (mover + 1) % self.players

    # ---------------------------------------------------------------- movers and their moves

    def acting(self, mover: int) -> int:
        """The mover as the algorithms see it: a player who moves at random counts as chance."""
        if mover == TOGETHER:
            return self._acting_together()
        return CHANCE if mover in self.random_players else mover

    def _acting_together(self) -> int:
        """Several players at once, as the algorithms see them.

        They decide like one where all want the same. Raises `QuestionError` where some of them are bound to policies.
        """
        if self.question.fixed:
            raise bound_together(self.game)
        return self.question.counted(TOGETHER)

    def mixture(self, state: Any, mover: int, totals: Totals) -> Mapping[Any, int] | None:
        """Whole weights of the moves there, where it is given how players move; else None."""
        return None

    def without_totals(self) -> View:
        """The same in payoffs, in nodes without totals."""
        question = replace(self.question, utility="payoff")
        return View(self.game, question, symmetry=self.canonical is not None, tracks_mover=True)

    def is_ply(self, graph: Graph, node: int) -> bool:
        """Whether a player, random or not, makes a move at that node."""
        return not graph.is_end(node) and self.split(graph.keys[node])[1] != CHANCE

    def legal(self, state: Any, mover: int, totals: Totals, budget: Budget | None = None) -> list[Any]:
        """The legal moves at a node; only one where a policy is fixed."""
        gathered = list if budget is None else budget.gathered
        moves = all_of(self.game, self.game.moves(state), state, gathered)
        return [self._chosen(state, mover, moves)] if mover in self.choosers and moves else moves

    def _chosen(self, state: Any, mover: int, moves: list[Any]) -> Any:
        """The move that the player's policy chooses."""
        return offered(self.game, self.question.fixed.get(mover), self.choosers[mover](state, mover), state, moves)

    @property
    def interests(self) -> tuple[Interest, ...]:
        """Whose utility each player cares about, and in which direction."""
        own = self.question.objective == "competitive"  # else the first player's
        fixed = {seat: (seat, BY_VALUE[str(rule)]) for seat, rule in self.question.fixed.items() if rule in BY_VALUE}
        return tuple(fixed.get(player, (player * own, 1)) for player in range(self.players))

    def sign(self, mover: int) -> int:
        """Whether that mover wants more (1) or less (-1) of the first player's amount, where the two are opposed."""
        target, direction = self.interests[mover]
        return direction if target == 0 else -direction

    # ---------------------------------------------------------------- payoffs and rewards

    def gain(self, state: Any, move: Any, mover: int) -> Totals | None:
        """Each player's gain by a move, in the view's own form; None for nothing."""
        return self.gain_of(self.game.reward(state, move), mover, state)

    def gain_of(self, reward: Share, mover: int, state: Any = None) -> Totals | None:
        """`gain` from the rules' `reward` (in `state`, for a message)."""
        if reward.__class__ is int and not reward:
            return None
        share = self._absolute(reward, mover, "reward", state)
        return share if any(share) else None

    def final(self, state: Any, mover: int, totals: Totals) -> Totals:
        """The payoff at the end of the game under the question's utility."""
        return self.final_of(self.game.payoff(state), mover, totals, state)

    def final_of(self, payoff: Share, mover: int, totals: Totals, state: Any = None) -> Totals:
        """`final` from the rules' `payoff` (in `state`, for a message)."""
        share = self._absolute(payoff, mover, "payoff", state)
        self.seen_payoffs.add(share)
        if self.tracks_totals:
            share = tuple(map(simplest, added(share, totals)))
        return self.utility(share)

    def utility(self, share: Totals) -> Totals:
        """Each player's utility of whole-game totals."""
        if self.is_paid:
            return share
        if self.players == 1 and self.question.utility == "win":
            return (_above(share[0], self.game.par()),)  # type: ignore[attr-defined]
        return utility_of(share, self.question.utility)

    def carried(self, so_far: Totals) -> Totals:
        """The amount that `so_far` adds to the values of a node's future, which may hold it already."""
        if self.tracks_totals or (self.question.utility == "win" and not self.is_paid):
            return (0,) * self.players
        return self.utility(so_far)

    def whole(self, position: Position, values: tuple[Amount, ...], *, by_mover: bool) -> tuple[Amount, ...]:
        """Values of the whole game per player, from those still to come (with `by_mover` the mover's first)."""
        if by_mover and position.mover == 1:
            values = values[::-1]
        if not any(position.so_far):
            return values
        return tuple(simplest(a + b) for a, b in zip(self.carried(position.so_far), values, strict=True))

    def edge_gain(self, gain: Totals | None) -> Totals | None:
        """A gain as the graph records it; where nodes hold the totals, the graph records none."""
        if gain is None or self.tracks_totals:
            return None
        worth = self.utility(gain) if self.question.utility == "lead" else gain
        return worth if any(worth) else None

    def step(self, position: Position, move: Any) -> tuple[Any, Totals | None]:
        """The node that a move leads to, and what it brings: two moves that lead there may bring different amounts."""
        return self.key(position.play(move)), self.edge_gain(self.gain(position.state, move, position.mover))

    @property
    def draw(self) -> Totals:
        """The utility of a payoff of 0 to everybody, also where the rules pay utilities."""
        nothing = (0,) * self.players
        return utility_of(nothing, self.question.utility) if self.is_paid else self.utility(nothing)

    @property
    def endless(self) -> Totals:
        """The utility of endless play where nothing was gained before."""
        return self.utility(endless_share(self.game))

    def unending(self, keys: Sequence[Any]) -> list[Totals]:
        """The value of endless play node by node: the payoff by the rules, on top of the totals of the node.

        Where nodes hold no totals it is `endless`, whatever was gained before.
        """
        paid, held = endless_share(self.game), {key.totals for key in keys}
        worth = {totals: self.utility(tuple(map(simplest, added(paid, totals)))) for totals in held}
        return [worth[key.totals] for key in keys]

    @property
    def is_win_loss(self) -> bool:
        """Whether all payoffs seen are those of a two-player game that is only won, drawn or lost."""
        plain = not self.has_rewards and not self.discounted and not self.is_paid
        return plain and self.seen_payoffs | {endless_share(self.game)} <= _OUTCOMES

    def _absolute(self, share: Share, mover: int, rule: str, state: Any) -> Totals:
        if isinstance(share, tuple) and self.relative:
            raise no_number(self.game, rule, share, state)
        said = None if state is None else (self.game, rule, state)
        alternating = not self.has_to_move and self.players == 2
        return tuple(map(simplest, absolute(share, mover, self.players, alternating=alternating, said=said)))


class PlayedView(View):
    """A game in which chance alone decides, since every player's behaviour is known.

    `mix` gives the moves at a position, joint ones where several players move, with whole weights.
    """

    def __init__(self, game: Game, utility: Utility, mix: Callable[[Position], Mapping[Any, int]]) -> None:
        super().__init__(game, Question("competitive", utility), symmetry=False, tracks_mover=True)
        self.mix = mix

    def acting(self, mover: int) -> int:
        """`CHANCE`, whoever moves."""
        return CHANCE

    def mixture(self, state: Any, mover: int, totals: Totals) -> Mapping[Any, int] | None:
        """The players' mixture there; None for chance itself."""
        if mover == CHANCE:
            return None
        return self.mix(Position(self.game, state, mover, totals or (0,) * self.players, ()))

    def without_totals(self) -> PlayedView:
        """The same play in payoffs, in nodes without totals."""
        return PlayedView(self.game, "payoff", self.mix)


def _above(total: Number, par: Number) -> Number:
    return 1 if total > par else (Fraction(1, 2) if total == par else 0)


def may_have_rounds(game: Game, question: Question) -> bool:
    """Whether rules and question are of the kind that `rounds` solves layer by layer: chance, no rewards."""
    told = all(map(game.gives, ("layer", "weight", "to_move"))) and not game.gives("reward")
    plain = question.is_plain and game.discount == 1
    return told and plain and game.player_count <= 2 and not any(endless_share(game))


def pays_numbers(game: Game) -> bool:
    """Whether payoffs and rewards are single numbers, by annotation or proof from the code, and `endless` is too."""
    rules = filter(game.gives, ("payoff", "reward"))
    are_all = all(_promises_numbers(game, rule) or are_numbers(game, rule) for rule in rules)
    return are_all and not isinstance(game.endless, tuple)


def _promises_numbers(game: Game, rule: str) -> bool:
    annotation = getattr(getattr(game, rule), "__annotations__", {}).get("return")
    return set(re.findall(r"[\w.]+", str(annotation))) <= _NUMBERS
