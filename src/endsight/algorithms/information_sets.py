"""From rules to information sets: what each of two players can tell apart, and how their plans pay.

One walk over all histories of a game. An information set is everything that a player has seen so far, each thing once
for as long as it stays the same, with the player's own moves between; so recall is perfect by construction, and nobody
notices how often something unseen happens. Histories are not kept: the result has the size of sets and payoffs.

Simultaneous moves are taken one after the other, where the second player does not see the first one's move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import gcd, lcm
from typing import Any, NamedTuple

from endsight.algorithms import information_faults as faults
from endsight.algorithms.information_faults import Trail
from endsight.algorithms.treeplex import GrowingSets, InformationSets, NumberedViews, Payoffs
from endsight.base.collector import collector_paused
from endsight.errors import EndsightError
from endsight.errors.complaints import odd
from endsight.errors.legal_moves import all_of
from endsight.errors.rules_guard import broken_rules, place_in_rules
from endsight.game import CHANCE, TOGETHER, Game
from endsight.game.contract import Contract
from endsight.game.limits import Budget
from endsight.game.natural import is_natural
from endsight.game.numbers import Number, simplest
from endsight.game.position import Position
from endsight.game.question import Utility, utility_of
from endsight.game.results import absolute, alternates, mover_in
from endsight.games import is_built_in


def information_sets(
    game: Game,
    budget: Budget | None = None,
    utility: Utility = "payoff",
    start: Position | None = None,
    *,
    pays_one: bool = False,
) -> InformationSets:
    """The information sets of a game of two players whose payoffs (or `utility` of them) add up to a constant.

    With `start`, only those reachable from that position, by both players as they see it there. If it `pays_one`,
    every end pays the first player 1: payoffs are the chances of chance, none of them 0.
    Raises `QuestionError` for other numbers of players, payoffs that do not add up to a constant, and discounts;
    `NoValue` where play may continue for ever; `RulesError` where one information set has different moves, where moves
    at once are not all combinations, and for other broken rules; `LimitReached` when the budget is spent.
    """
    sets = few_information_sets(game, budget, utility, start=start, pays_one=pays_one)
    assert sets is not None, "the walk came to its end"
    return sets


@collector_paused()
def few_information_sets(
    game: Game,
    budget: Budget | None = None,
    utility: Utility = "payoff",
    at_most: int | None = None,
    *,
    pays_one: bool = False,
    start: Position | None = None,
) -> InformationSets | None:
    """The same; None for a game of more than `at_most` histories. With `pays_one` every end pays 1 to each player."""
    if game.player_count != 2:
        raise faults.two_players(game)
    if game.discount != 1:
        raise faults.no_discount(game)
    walk = HistoryWalk(game, budget or Budget(), utility, pays_one=pays_one)
    try:
        is_whole = walk.run(start or game.position(), lambda: walk.nodes != at_most)
    except (EndsightError, MemoryError):
        raise
    except Exception as error:
        if is_built_in(game) or place_in_rules(type(game), error)[0] is None:
            raise  # a fault of this package
        raise broken_rules(type(game), error, "sees") from error
    return walk.result() if is_whole else None


class _Eyes(NamedTuple):
    """A player's knowledge: the number of the view, what was seen last, the sequence of own moves."""

    view: int
    seen: Any
    sequence: int


class _HistoryNode(NamedTuple):
    """One history: its position, the chance of its chance moves (over / under), and what was gained on the way."""

    state: Any
    mover: int
    eyes: tuple[_Eyes, _Eyes]
    over: int
    under: int
    gained: tuple[Number, ...]
    trail: Trail
    depth: int


class HistoryWalk:
    """All histories of a game, depth first, in the order of the rules."""

    def __init__(self, game: Game, budget: Budget, utility: Utility, *, pays_one: bool = False) -> None:
        self.game, self.budget, self.utility, self.pays_one = game, budget, utility, pays_one
        self.contract = Contract(game)
        self.sides, self.views = (GrowingSets(), GrowingSets()), (NumberedViews(), NumberedViews())
        self.alternating, self.has_rewards = alternates(game), game.gives("reward")
        self.takes_turns = not game.gives("to_move")
        self.sums: dict[int, dict[tuple[int, int], int]] = {}
        self.constant: Number | None = None
        self.path: list[Any] = []
        self.on_path: set[Any] = set()
        self.nodes = self.ends = 0

    def run(self, start: Position, goes_on: Callable[[], bool]) -> bool:
        """Walk from `start` on, as long as it `goes_on`; return whether that was to the end."""
        blind = _Eyes(0, None, 0)
        stack = [_HistoryNode(start.state, start.mover, (blind, blind), 1, 1, start.so_far, None, 0)]
        while stack and goes_on():
            node = self._counted(stack.pop())
            gathered = partial(self.budget.gathered, states=self.nodes)
            legal = all_of(self.game, self.game.moves(node.state), node.state, gathered)
            if legal:
                stack += reversed(self._children(self._seen(node), legal))
            else:
                self._end(node)
        return not stack

    def _counted(self, node: _HistoryNode) -> _HistoryNode:
        """The node after it is counted and checked."""
        self.nodes += 1
        self.budget.spend(self.nodes, "walking through the histories")
        self._step_to(node)
        self.contract.check_state(node.state)
        if node.mover != TOGETHER or self.game.to_move(node.state) != (0, 1):
            self.contract.check_mover(node.state, node.mover)
        return node

    def _seen(self, node: _HistoryNode) -> _HistoryNode:
        """The node after both players have looked at it; at ends nobody needs to, as no decision follows."""
        return node._replace(eyes=(self._look(0, node), self._look(1, node)))

    def _step_to(self, node: _HistoryNode) -> None:
        """Keep the states on the way to a node, and refuse one that repeats: play could go round there."""
        for key in self.path[node.depth :]:
            self.on_path.discard(key)
        del self.path[node.depth :]
        key = (node.state, node.mover) if self.takes_turns else node.state
        if key in self.on_path:
            raise faults.play_goes_round(self.game, node.trail, node.state)
        self.path.append(key)
        self.on_path.add(key)

    def _look(self, player: int, node: _HistoryNode) -> _Eyes:
        """The player's knowledge after seeing the state of the node."""
        eyes = node.eyes[player]
        now = self.game.sees(node.state, player)
        if now == eyes.seen:
            return eyes
        if not is_natural(now):
            raise odd(self.game, "sees", now, node.state)
        return _Eyes(self.views[player].extended(eyes.view, ("saw", now)), now, eyes.sequence)

    # ---------------------------------------------------------------- moves

    def _children(self, node: _HistoryNode, legal: list[Any]) -> list[_HistoryNode]:
        if node.mover == CHANCE:
            return self._outcomes(node, legal)
        if node.mover == TOGETHER:
            mine, yours = self._parts(node, legal)
            first, second = self._choices(0, node, mine), self._choices(1, node, yours)
            return [self._child(node, move, (first[move[0]], second[move[1]]), node.over, node.under) for move in legal]
        own = self._choices(node.mover, node, tuple(legal))
        return [self._moved(node, move, own[move]) for move in legal]

    def _moved(self, node: _HistoryNode, move: Any, own: _Eyes) -> _HistoryNode:
        """The history after a move of a single player, who knows that much then."""
        other = node.eyes[1 - node.mover]
        eyes = (own, other) if node.mover == 0 else (other, own)
        return self._child(node, move, eyes, node.over, node.under)

    def _outcomes(self, node: _HistoryNode, legal: list[Any]) -> list[_HistoryNode]:
        weights = [self.contract.weight(node.state, move) for move in legal]
        total = sum(weights)
        children = []
        for move, weight in zip(legal, weights, strict=True):
            over, under = node.over * weight, node.under * total
            common = gcd(over, under)
            children.append(self._child(node, move, node.eyes, over // common, under // common))
        return children

    def _child(self, node: _HistoryNode, move: Any, eyes: tuple[_Eyes, _Eyes], over: int, under: int) -> _HistoryNode:
        game, state = self.game, node.state
        after = game.play(state, move)
        mover = 1 - node.mover if self.takes_turns else mover_in(game, after)
        gained = node.gained
        if self.has_rewards:
            gained = _added(gained, self._share(game.reward(state, move), node, "reward"))
        return _HistoryNode(after, mover, eyes, over, under, gained, (node.trail, state, move), node.depth + 1)

    def _parts(self, node: _HistoryNode, legal: list[Any]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """What each player may do where both move at once; every combination must be a move."""
        if not all(isinstance(move, tuple) and len(move) == 2 for move in legal):
            raise faults.no_combinations(self.game, node.trail, legal)
        mine, yours = (tuple(dict.fromkeys(move[player] for move in legal)) for player in (0, 1))
        if len(legal) != len(mine) * len(yours) or len(set(legal)) != len(legal):
            raise faults.no_combinations(self.game, node.trail, legal)
        return mine, yours

    def _choices(self, player: int, node: _HistoryNode, moves: tuple[Any, ...]) -> dict[Any, _Eyes]:
        """The player's knowledge after each of the moves, by move."""
        side, views, eyes = self.sides[player], self.views[player], node.eyes[player]
        number = side.opened(eyes.view, eyes.sequence, moves, (node.trail, node.state))
        known = side.moves[number]
        if known != moves and frozenset(known) != frozenset(moves):
            places = [(*side.places[number], known), (node.trail, node.state, moves)]
            raise faults.different_moves(self.game, player, views.seen(eyes.view), places)
        after = enumerate(known, side.first[number])
        return {move: _Eyes(views.extended(eyes.view, ("did", move)), eyes.seen, sequence) for sequence, move in after}

    # ---------------------------------------------------------------- ends

    def _end(self, node: _HistoryNode) -> None:
        self.ends += 1
        paid = _added(node.gained, self._share(self.game.payoff(node.state), node, "payoff"))
        worth = (1, 1) if self.pays_one else utility_of(paid, self.utility)
        self._add_up(worth, node)
        if worth[0]:
            value = node.over * worth[0]
            sums = self.sums.setdefault(node.under * value.denominator, {})
            pair = (node.eyes[0].sequence, node.eyes[1].sequence)
            sums[pair] = sums.get(pair, 0) + value.numerator

    def _share(self, share: Any, node: _HistoryNode, rule: str) -> tuple[Number, ...]:
        said = (self.game, rule, node.state)
        return absolute(share, node.mover, 2, alternating=self.alternating, said=said)

    def _add_up(self, worth: tuple[Number, ...], node: _HistoryNode) -> None:
        """Refuse an end at which the payoffs have another sum than at the first one."""
        total = worth[0] + worth[1]
        if self.constant is None:
            self.constant = total
            self.first_end = (node.trail, node.state, worth)
        if total != self.constant:
            raise faults.not_constant(self.game, [self.first_end, (node.trail, node.state, worth)])

    def result(self) -> InformationSets:
        """All that the walk has found."""
        assert self.constant is not None
        payoffs, scale = _over_one_denominator(self.sums)
        sides = self.sides[0].treeplex(self.views[0].views), self.sides[1].treeplex(self.views[1].views)
        return InformationSets(sides, payoffs, scale, simplest(self.constant), self.nodes, self.ends)


def _added(gained: tuple[Number, ...], share: tuple[Number, ...]) -> tuple[Number, ...]:
    return gained[0] + share[0], gained[1] + share[1]


def _over_one_denominator(sums: Mapping[int, Mapping[tuple[int, int], int]]) -> tuple[Payoffs, int]:
    """The sums of all denominators as whole numbers over the least common one."""
    scale = lcm(*sums)
    payoffs: dict[tuple[int, int], int] = {}
    for denominator, part in sums.items():
        factor = scale // denominator
        for pair, amount in part.items():
            payoffs[pair] = payoffs.get(pair, 0) + amount * factor
    common = gcd(scale, *payoffs.values())
    return Payoffs.of({pair: amount // common for pair, amount in payoffs.items()}), scale // common
