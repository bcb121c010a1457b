"""Moves side by side, with a solution's answers for each: which are best, and what the others give away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from endsight.algorithms.matrix_game import matrix_game
from endsight.errors import QuestionError
from endsight.errors.legal_moves import all_of
from endsight.game import CHANCE
from endsight.game.joint_moves import part_texts, parts_of
from endsight.game.numbers import Amount, Interval, Number, are_exact, as_interval, chances_of, simplest, sum_of, times
from endsight.game.position import Position, require_names

if TYPE_CHECKING:
    from endsight.answers.solution import Solution
    from endsight.answers.source import Row

Category = Literal["win", "draw", "loss", "value"]


@dataclass(frozen=True)
class Option:
    """One legal move, or one outcome of chance, with its value.

    value        of the whole game per player, after this move and best play; exact or enclosed
    regret       what the mover gives away with it, 0 for the best; None at chance and where not proven
    rank         1 for the best (by value, then distance); equal moves share a rank; None where the regret is
    best         whether the regret is 0; None at chance and where not proven
    category     win, draw or loss for the player who makes the move, else `value`
    distance     plies to the end, including this move; None where there is none
    probability  the chance of a chance outcome, else None
    """

    move: Any
    text: str
    value: tuple[Amount, ...]
    regret: Number | None = None
    rank: int | None = None
    best: bool | None = None
    category: Category = "value"
    distance: int | None = None
    probability: Fraction | None = None


class Judged(NamedTuple):
    """A move as its player could judge it: what it gives away, and as text the moves that give nothing away."""

    regret: Number
    best: tuple[str, ...]


def unranked(solution: Solution, position: Position) -> list[Option]:
    """Every legal move in the rules' order; `RulesError` where two of them have the same name."""
    options = _known_options(solution, position)
    if options is None:
        moves = all_of(position.game, position.moves(), position.state, solution.budget.gathered)
        options = [_option(solution, position, move) for move in moves]
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
        return _with_mixtures(options)
    ranked = rank_options(options, _target(solution, position.mover), doubled_draw(solution))
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
        options = _parts_against(unranked(solution, position), position.movers.index(player))
    return rank_options(options, player, doubled_draw(solution))


def worst_move(solution: Solution, position: Position) -> Any:
    """The move that pays the player to move least; where the ends leave that open, the likeliest one."""
    position = solution.asked(position)
    with solution.telling(position):
        options = unranked(solution, position)
    worst = worst_option(options, position.mover, doubled_draw(solution))
    if worst is None:
        worst = min(options, key=lambda option: as_interval(option.value[position.mover]).middle)
    return worst.move


def row_at(solution: Solution, position: Position) -> Row:
    """The value and the distance in a single lookup, at a position that the solution is told `at`."""
    row = solution._trusted(position).row(position) or solution.afresh(position).source.row(position)
    assert row is not None, "a solution holds the position that it is of"
    if solution.distances is not None and solution.distances.covers(position):
        return row[0], solution.distances.distance(position)
    return row


def _option(solution: Solution, position: Position, move: Any) -> Option:
    solution.budget.glance(solution.source.states, "comparing moves")
    then = position.play(move)
    after, distance = row_at(solution, then)
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


def doubled_draw(solution: Solution) -> int | None:
    """Twice the payoff of a draw; None for a single player, who cannot draw."""
    if solution.game.player_count == 1:
        return None
    return 1 if solution.question.utility == "win" else 0


# ---------------------------------------------------------------------- ranks


def is_only_best(option: Option, ranked: Sequence[Option]) -> bool:
    """Whether a move is the best of some in the order of their ranks, and no other is as good."""
    return option.rank == 1 and sum(other.rank == 1 for other in ranked[:2]) == 1


def rank_options(options: list[Option], target: int, draw_doubled: int | None) -> list[Option]:
    """Options with regret, rank and best for a mover who maximizes the value of player `target`.

    Moves of equal value are ranked by distance: a mover who gets more than a draw hastens, any other delays; where
    there are no draws (`draw_doubled` is None, for one player) the mover always hastens.
    """
    bounds = [as_interval(option.value[target]) for option in options]
    if any(own.lower != own.upper for own in bounds):
        return _ranked_by_bounds(options, bounds)
    if not options:
        return []
    values = [own.lower for own in bounds]
    top = max(values)
    # Winners hasten, losers delay; draws and scores have no distance. Where a search found
    # the distances of only some moves, they do not rank moves of the same value.
    unmeasured = {value for option, value in zip(options, values, strict=True) if option.distance is None}
    keys = []
    for option, value in zip(options, values, strict=True):
        distance = 0 if value in unmeasured or option.distance is None else option.distance
        hastens = draw_doubled is None or 2 * value > draw_doubled
        keys.append((-value, distance if hastens else -distance))
    ranks = {key: number for number, key in reversed(list(enumerate(sorted(keys), start=1)))}
    ranked = [
        replace(option, regret=simplest(top - value), rank=ranks[key], best=value == top)
        for option, value, key in zip(options, values, keys, strict=True)
    ]
    return sorted(ranked, key=lambda option: option.rank or 0)


def judgement(options: Sequence[Option], own: Any) -> Judged:
    """What a player's own move gives away among ranked options, and the moves that give nothing away."""
    chosen = next(option for option in options if option.move == own)
    return Judged(chosen.regret or 0, tuple(option.text for option in options if option.best is not False))


def worst_option(options: list[Option], player: int, draw_doubled: int | None) -> Option | None:
    """The option of a player who plays badly on purpose: least own value, then the soonest loss or the latest win.

    `options` are in the rules' order, and the first of several equal ones is taken, as solvers do. None where the
    ends of enclosed values leave open which has the least.
    """
    own = [as_interval(option.value[player]) for option in options]
    if are_exact(option.value[player] for option in options):
        ranked = rank_options(options, player, draw_doubled)
        return next(option for option in ranked if option.rank == ranked[-1].rank)
    least = min(ends.upper for ends in own)
    lowest = [number for number, ends in enumerate(own) if ends.lower <= least]
    return options[lowest[0]] if len(lowest) == 1 else None


def _ranked_by_bounds(options: list[Option], bounds: list[Interval]) -> list[Option]:
    """Options of which some are only enclosed, ranked only as far as their ends prove."""
    ranked = []
    for number, (option, own) in enumerate(zip(options, bounds, strict=True)):
        others = bounds[:number] + bounds[number + 1 :]
        above = [other for other in others if other.lower > own.upper]
        best = False if above else True if all(own.lower >= other.upper for other in others) else None
        is_placed = all(
            other.lower > own.upper or other.upper < own.lower or (other == own and not own.width) for other in others
        )
        rank = 1 + len(above) if is_placed else None
        ranked.append((own, replace(option, regret=0 if best else None, rank=rank, best=best)))
    # Undecided options are sorted by the middle: a stable order that claims nothing.
    ranked.sort(key=lambda pair: (not pair[1].best, -pair[0].middle))
    return [option for _, option in ranked]


# ---------------------------------------------------------------------- moves at once

Mixture = Sequence[Fraction]


def _with_mixtures(options: Sequence[Option]) -> list[Option]:
    """Every joint move of two opposed players, in the rules' order, with its chance under optimal play."""
    if not options:
        return []
    rows, columns = _mixtures(options)
    chances = (own * other for own in rows for other in columns)
    return [replace(option, probability=chance) for option, chance in zip(options, chances, strict=True)]


def _parts_against(options: Sequence[Option], place: int) -> list[Option]:
    """The moves of the first (`place` 0) or the second of two opposed players, unranked.

    `options` are the joint moves in the rules' order. Values are against the other's mixture; chances are those of the
    player's own mixture.
    """
    own, others = _mixtures(options)[:: 1 if place == 0 else -1]
    parts = parts_of([option.move for option in options])[place]
    table = _rows(options) if place == 0 else list(map(list, zip(*_rows(options), strict=True)))
    return [_part(part, row, place, others, chance) for part, row, chance in zip(parts, table, own, strict=True)]


def _part(part: object, row: Sequence[Option], place: int, others: Mixture, chance: Fraction) -> Option:
    """One part of joint moves, made from the joint moves that contain it."""
    columns = zip(*(option.value for option in row), strict=True)
    value = tuple(_mean(others, amounts) for amounts in columns)
    text = part_texts(row[0].text, row[0].move)[place]
    return replace(row[0], move=part, text=text, value=value, category="value", distance=None, probability=chance)


def _mean(chances: Mixture, amounts: Sequence[Amount]) -> Amount:
    return sum_of(times(chance, amount) for chance, amount in zip(chances, amounts, strict=True) if chance)


def _mixtures(options: Sequence[Option]) -> tuple[Mixture, Mixture]:
    """The optimal mixtures of the first and the second player."""
    ends = [[as_interval(option.value[0]) for option in row] for row in _rows(options)]
    rows = matrix_game([[each.lower for each in row] for row in ends]).rows
    columns = matrix_game([[each.upper for each in row] for row in ends]).columns
    return chances_of(rows), chances_of(columns)


def _rows(options: Sequence[Option]) -> list[list[Option]]:
    """The joint moves as a matrix: a row for each part of the first player."""
    rows, columns = map(len, parts_of([option.move for option in options]))
    return [list(options[columns * row : columns * (row + 1)]) for row in range(rows)]
