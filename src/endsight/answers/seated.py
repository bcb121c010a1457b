"""Moves made by the program: chance outcomes, random moves, and moves of a policy or of best play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import lcm
from random import Random
from typing import TYPE_CHECKING, Any

from endsight.answers.solver import solve
from endsight.errors import QuestionError
from endsight.game import CHANCE, TOGETHER
from endsight.game.contract import Contract
from endsight.game.joint_moves import parts_of
from endsight.game.position import Position
from endsight.game.question import BY_VALUE, PERFECT, PolicyRule, policy_move, rule_name

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
