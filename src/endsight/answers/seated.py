"""Moves made by the program: chance outcomes, random moves, moves of a policy or of best play, and guesses.

Guesses are estimates from random games where nothing is proven in time, and never an answer. They are those of
Monte-Carlo tree search with upper confidence bounds (Kocsis and Szepesvári, "Bandit based Monte-Carlo planning", 2006):
every game goes down the tree by moves that are promising or rarely tried, adds one node, and ends at random.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import lcm, log, sqrt
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.answers.solver import solve
from endsight.errors import QuestionError
from endsight.game import CHANCE, TOGETHER
from endsight.game.contract import Contract
from endsight.game.derived import next_mover, shares
from endsight.game.joint_moves import parts_of
from endsight.game.limits import CLOCK
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import BY_VALUE, PERFECT, PolicyRule, Question, policy_move, rule_name, utility_of

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


def drawn(weights: Sequence[int], random: Random) -> int:
    """An index drawn by weight; uses only `getrandbits`, which is the same in every version of Python."""
    total = sum(weights)
    while (number := random.getrandbits(total.bit_length())) >= total:
        pass
    for place, weight in enumerate(weights):
        number -= weight
        if number < 0:
            return place
    raise AssertionError("the number is below the sum of the weights")


def made_move(position: Position, rule: PolicyRule, solved: Callable[[Position], Solution], random: Random) -> Any:
    """The move of chance, or of a player who follows a policy or `PERFECT`; `solved` returns the solution needed.

    Who plays perfectly by a solution in which that player is bound to a policy follows the policy, and who plays `best`
    or `worst` does what the value of a player bound to that rests on.
    """
    moves = list(position.moves())
    if position.mover == CHANCE:
        contract = Contract(position.game)
        return moves[drawn([contract.weight(position.state, move) for move in moves], random)]
    if rule in (PERFECT, *BY_VALUE):
        solution = solved(position) if rule == PERFECT else bound(solved(position), position.mover, str(rule))
        rule = solution.question.fixed.get(position.mover, rule)
    if rule == "random":
        return random.choice(moves)
    if rule not in (PERFECT, *BY_VALUE):
        return policy_move(position, rule)
    if position.mover == TOGETHER or solution.source.chances(position) is not None:
        return mixed_move(position, dict.fromkeys(position.movers, PERFECT), solution, random)
    best = solution.chosen(position)
    return moves[0] if best is None else best


def bound(solution: Solution, player: int, rule: str) -> Solution:
    """The solution of the same question in which that player is bound to `best` or `worst`."""
    question = solution.question
    is_own = question.objective == "competitive" or player == 0
    if question.fixed.get(player, "best" if is_own else PERFECT) == rule:
        return solution
    fixed: dict[str | int, PolicyRule] = {**dict(question.fixed.items()), player: rule}
    if (player, rule) not in solution.bound_to:
        solution.bound_to[player, rule] = solve(
            solution.game,
            solution.position,
            objective=question.objective,
            utility=question.utility,
            fixed=fixed,
            limits=solution.budget.limits,
        )
    return solution.bound_to[player, rule]


def mixed_move(
    position: Position,
    rules: Mapping[int, PolicyRule],
    solution: Solution,
    random: Random,
    made: Mapping[int, Any] | None = None,
) -> Any:
    """A move or outcome at a position where players may mix moves, perhaps several players at once.

    Each mover draws an own part by the entry for their number in `rules`; `made` are the parts already chosen.
    """
    if position.mover == CHANCE:
        return made_move(position, PERFECT, lambda _: solution, random)
    parts = dict(made or {})
    for player in position.movers:
        if player not in parts:
            weights = _own_weights(position, player, rules[player], solution, random)
            parts[player] = list(weights)[drawn(list(weights.values()), random)]
    return joined(position, parts)


def joined(position: Position, parts: Mapping[int, Any]) -> Any:
    """The move of which these are the movers' own parts."""
    joint = tuple(parts[player] for player in position.movers)
    return joint if len(joint) > 1 else joint[0]


def _own_weights(
    position: Position, player: int, rule: PolicyRule, solution: Solution, random: Random
) -> Mapping[Any, int]:
    """Whole weights of a mover's possible moves."""
    weights = solution.source.part_weights(position, player, rule)
    if weights is not None:
        return weights
    if position.mover != TOGETHER:
        return {made_move(position, rule, lambda _: solution, random): 1}
    if rule == PERFECT and solution.question.objective == "cooperative":
        return {solution.chosen(position)[position.movers.index(player)]: 1}
    if rule == PERFECT:
        options = solution.parts(player, position)
        unit = lcm(*(option.probability.denominator for option in options if option.probability))
        return {option.move: int(option.probability * unit) for option in options if option.probability}
    if rule == "random":
        return dict.fromkeys(parts_of(list(position.moves()))[position.movers.index(player)], 1)
    raise QuestionError(
        f"the policy {rule_name(rule)!r} chooses whole moves, but players move at once here",
        allowed="perfect, random",
    )


# ---------------------------------------------------------------------- guesses


GAMES = 6_000
_LONGEST = 2_000
"""Moves after which a random game is stopped and counted as it stands."""


class _TriedNode:
    """The number of games through a node, their payoffs to every player, and the nodes after each move tried."""

    __slots__ = ("children", "sums", "visits")

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.sums = [0.0] * players
        self.children: dict[int, _TriedNode] = {}


@dataclass(frozen=True)
class Guess:
    """The evidence of random games about a move.

    move      as the rules give it
    games     how many games took it: the more, the better it looked
    brought   their mean payoff to the player whose value counts; None where there were none
    is_share  whether every game paid -1, 0 or 1, so that (`brought` + 1) / 2 is a share of wins, draws counted half
    """

    move: Any
    games: int
    brought: float | None
    is_share: bool


def guesses(position: Position, question: Question, seconds: float) -> list[Guess]:
    """Every move, in the order of the rules, with the results of up to `GAMES` games or those played in `seconds`.

    Where chance or several players move, and for players with a fixed policy, moves are drawn as if by chance.
    """
    moves = list(position.moves())
    search = _TreeSearch(position, question, Random())
    until = CLOCK.now() + seconds
    for played in range(GAMES if len(moves) > 1 else 0):
        if played >= 2 * len(moves) and CLOCK.now() >= until:
            break
        search.play_one()
    nodes = [search.root.children.get(number) for number in range(len(moves))]
    is_share, counted = search.only_results and position.game.player_count == 2, question.counted(position.mover)
    return [
        Guess(move, 0, None, is_share)
        if node is None
        else Guess(move, node.visits, node.sums[counted] / node.visits if position.mover >= 0 else None, is_share)
        for move, node in zip(moves, nodes, strict=True)
    ]


def best_guess(position: Position, question: Question, seconds: float) -> Any:
    """The move that most games took, the first of equals. There must be a legal move."""
    return max(guesses(position, question, seconds), key=lambda guess: guess.games).move


class _TreeSearch:
    """The tree, and the lowest and highest payoff of any game to any player: the scale for what is promising."""

    def __init__(self, position: Position, question: Question, random: Random) -> None:
        self.position, self.game, self.question, self.random = position, position.game, question, random
        self.root = _TriedNode(self.game.player_count)
        self.low, self.high = 0.0, 0.0
        self.only_results = True

    def play_one(self) -> None:
        """Play one game: select, expand, play out, and update every node on the way."""
        state, mover = self.position.state, self.position.mover
        totals, path, node = list(self.position.so_far), [self.root], self.root
        factor: Number = 1
        is_inside = True
        for _ in range(_LONGEST):
            moves = list(self.game.moves(state))
            if not moves:
                self.add(totals, factor, "payoff", mover, state)
                break
            number = self.choice(node, moves, state, mover) if is_inside else self.any_move(moves, state, mover)
            if self.game.gives("reward"):
                self.add(totals, factor, "reward", mover, state, moves[number])
            if is_inside:
                is_inside = number in node.children
                node = node.children.setdefault(number, _TriedNode(len(totals)))
                path.append(node)
            factor *= self.game.discount if mover != CHANCE else 1
            state = self.game.play(state, moves[number])
            mover = next_mover(self.game, state, mover)
        self.count(path, totals)

    def add(self, totals: list[Number], factor: Number, rule: str, *paid: Any) -> None:
        """Add what the rule `payoff` or `reward` pays, times a factor, to every player's total so far."""
        gains = shares(self.game, rule, *paid)
        totals[:] = [total + factor * gain for total, gain in zip(totals, gains, strict=True)]

    def choice(self, node: _TriedNode, moves: Sequence[Any], state: Any, mover: int) -> int:
        """The number of the move to follow: an untried one, else the one with the highest upper bound."""
        if mover < 0 or mover in self.question.fixed:
            return self.any_move(moves, state, mover)
        fresh = [number for number in range(len(moves)) if number not in node.children]
        if fresh:
            return self.random.choice(fresh)
        width, counted = (self.high - self.low) or 1.0, self.question.counted(mover)
        spread = width * sqrt(2 * log(node.visits))

        def bound(number: int) -> float:
            child = node.children[number]
            return child.sums[counted] / child.visits + spread / sqrt(child.visits)

        return max(node.children, key=bound)

    def any_move(self, moves: Sequence[Any], state: Any, mover: int) -> int:
        """The number of a random move, drawn by weight where it is an outcome of chance."""
        if mover == CHANCE:
            return drawn([self.game.weight(state, move) for move in moves], self.random)
        return self.random.randrange(len(moves))

    def count(self, path: Sequence[_TriedNode], totals: Sequence[Number]) -> None:
        """Count a game for every node on its path."""
        worth = tuple(totals) if len(totals) == 1 else utility_of(tuple(totals), self.question.utility)
        amounts = list(map(float, worth))
        self.low, self.high = min(self.low, *amounts), max(self.high, *amounts)
        self.only_results = self.only_results and {-1, 0, 1}.issuperset(worth)
        for node in path:
            node.visits += 1
            node.sums = [total + own for total, own in zip(node.sums, amounts, strict=True)]
