"""The moves of a position, with a solution's answers for each, compared and ranked."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from endsight.answers.options import Option, parts_against, rank_options, with_mixtures, worst_option
from endsight.errors import QuestionError
from endsight.game import CHANCE
from endsight.game.numbers import as_interval, chances_of
from endsight.game.position import Position, require_names

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


def unranked(solution: Solution, position: Position) -> list[Option]:
    """Every legal move in the rules' order; `RulesError` where two of them have the same name."""
    options = _known_options(solution, position)
    if options is None:
        options = [_option(solution, position, move) for move in solution.budget.gathered(position.moves())]
    require_names(position.game, position.state, {option.move: option.text for option in options})
    return options


def compared(solution: Solution, position: Position) -> list[Option]:
    """Every legal move, best first, with ties in the rules' order; chance outcomes in the rules' order."""
    options = unranked(solution, position)
    if position.mover == CHANCE:
        return _with_chances(solution, position, options)
    chances = solution.source.chances(position)
    if chances is not None:
        return [replace(option, probability=chances.get(option.move, Fraction(0))) for option in options]
    if solution.is_mixed(position):
        return with_mixtures(options)
    ranked = rank_options(options, _target(solution, position.mover), draw_doubled(solution))
    if any(option.best is None for option in ranked) and position != solution.position and solution.is_exact():
        # The ends do not decide here, so exact values are needed.
        return solution.afresh(position).options(position)
    return ranked


def parts(solution: Solution, player: int, position: Position) -> list[Option]:
    """The moves of a player who moves at once with another: see `Solution.parts`."""
    if not solution.is_mixed(position) or player not in position.movers:
        name = solution.game.player_names[player]
        raise QuestionError(f"{name} does not move at once with another player here", found=position.to_move)
    with solution.telling(position):
        options = parts_against(unranked(solution, position), position.movers.index(player))
    return rank_options(options, player, draw_doubled(solution))


def worst_move(solution: Solution, position: Position) -> Any:
    """The move that pays the player to move least; where the ends leave that open, the likeliest one."""
    position = solution.asked(position)
    with solution.telling(position):
        options = unranked(solution, position)
    worst = worst_option(options, position.mover, draw_doubled(solution))
    if worst is None:
        worst = min(options, key=lambda option: as_interval(option.value[position.mover]).middle)
    return worst.move


def _option(solution: Solution, position: Position, move: Any) -> Option:
    solution.budget.glance(solution.source.states, "comparing moves")
    then = position.play(move)
    after, distance = solution.row(then)
    value = position.worth(move, after)
    return Option(
        move=move,
        text=then.history[-1],
        value=value,
        category=solution.category_of(value, position.mover),
        distance=None if distance is None else distance + 1,
    )


def _known_options(solution: Solution, position: Position) -> list[Option] | None:
    """Unranked options, where the source finds the values of all moves in one pass."""
    values = solution.source.move_values(position) if solution.source.covers(position) else None
    if values is None:
        return None
    show = solution.game.show_move
    return [Option(move, show(position.state, move), value) for move, value in values.items()]


def _with_chances(solution: Solution, position: Position, options: list[Option]) -> list[Option]:
    chances = chances_of([solution.game.weight(position.state, option.move) for option in options])
    return [replace(option, probability=chance) for option, chance in zip(options, chances, strict=True)]


def _target(solution: Solution, mover: int) -> int:
    """The player whose utility the mover maximizes."""
    is_shared = solution.question.objective == "cooperative" and solution.question.fixed.get(mover) != "best"
    return 0 if is_shared else mover


def draw_doubled(solution: Solution) -> int | None:
    """Twice the payoff of a draw; None for a single player, who cannot draw."""
    if solution.game.player_count == 1:
        return None
    return 1 if solution.question.utility == "win" else 0
