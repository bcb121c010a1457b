"""What a solution means for people: tables in a game's own shape, fairness, and values against a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any

from endsight.algorithms.outcome_distribution import outcome_distribution, visits
from endsight.answers.chosen_play import known_at
from endsight.answers.records import Records, Tabular
from endsight.answers.solution import Solution
from endsight.base.collector import collector_paused
from endsight.errors import LimitReached, NoValue, ParameterError, QuestionError
from endsight.errors.complaints import require_parameter
from endsight.game import Game
from endsight.game.numbers import Amount, count_text, is_enclosed, share_of, simplest
from endsight.game.position import Position, as_text
from endsight.game.question import require_no_discount
from endsight.games import is_built_in
from endsight.games.race import HOLD
from endsight.graph.reachable import keeps_totals, reachable

if TYPE_CHECKING:
    from endsight.answers.enclosed import BestPlay

MOST_ROWS = 10_000
"""Positions that the general table lists by default."""


@collector_paused()
def table_rows(solution: Solution, position: Position | None = None, most: int = MOST_ROWS) -> list[dict[str, Any]]:
    """The policy as rows: in the game's own shape where it has one, else one row per reachable position.

    Whole numbers in rows are counts, faces, rewards or distances; every value and chance is a `Fraction`. Raises
    `QuestionError` where the game has no shape of its own and more than `most` positions.
    """
    position = solution.asked(position)
    rows = solution.source.policy_rows(position)
    if rows is not None:
        return rows
    shape = _SHAPES.get(solution.game.title()) if is_built_in(solution.game) else None
    return shape(solution, position, most) if shape else _all_positions(solution, position, most)


def telling_columns(rows: Iterable[Mapping[str, Any]]) -> tuple[list[str], list[dict[str, Any]]]:
    """The informative keys, and the rows, with a key of its own for each number by player or by move.

    Keys that are empty everywhere are left out, and so is a category where all are plain values.
    """
    flat = [_flat(row) for row in rows]
    keys = {key for row in flat for key, value in row.items() if value is not None and (key, value) != _PLAIN_VALUE}
    return [key for key in dict.fromkeys(key for row in flat for key in row) if key in keys], flat


def _flat(row: Mapping[str, Any]) -> dict[str, Any]:
    cells: dict[str, Any] = {}
    for key, value in row.items():
        cells |= {f"{key} {name}": item for name, item in value.items()} if isinstance(value, Mapping) else {key: value}
    return cells


_PLAIN_VALUE = ("category", "value")


def _all_positions(solution: Solution, position: Position, most: int) -> list[dict[str, Any]]:
    game = solution.game
    rows: list[dict[str, Any]] = []
    places = reachable(position, solution.budget, totals=keeps_totals(solution.question, game))
    # Positions are counted before they are evaluated, since that may take long.
    listed = list(islice(places, most + 1))
    if len(listed) > most:
        raise QuestionError(
            f"{game.title()} has no policy table here: more than {count_text(most, 'position')} can be reached",
            advice="more rows (--rows), a later position (--at), or smaller parameters",
        )
    for place in listed:
        values = zip(game.player_names, solution.ends(place), strict=True)
        rows.append(
            {
                "position": as_text(game, "show", place.state),
                "to_move": place.to_move,
                "value": {name: value if is_enclosed(value) else Fraction(value) for name, value in values},
                "category": solution.category(place),
                "distance": solution.distance(place),
                "best": solution.best_moves(place),
            }
        )
    return rows


def _pig_rows(solution: Solution, position: Position, most: int) -> list[dict[str, Any]]:
    """For every pair of scores, the smallest pot at which holding is best for the player to move.

    Both players hold alike where each plays for themselves. A player bound to a policy has no rows; where both are, or
    both play for the first, the table lists all positions.
    """
    free = [player for player in (0, 1) if player not in solution.question.fixed]
    if solution.question.objective == "cooperative" or not free:
        return _all_positions(solution, position, most)
    play = solution.best_play(position)
    if play is not None:
        return _pig_rows_of_columns(*play.best_at(HOLD), free)
    hold_at: dict[tuple[int, int], int | None] = {}
    for place in reachable(position, solution.budget):
        if place.mover not in free or place.is_over:
            continue
        own, other, pot = _pig_scores(place)
        smallest = hold_at.setdefault((own, other), None)
        if "hold" in solution.best_moves(place) and (smallest is None or pot < smallest):
            hold_at[own, other] = pot
    return [{"own": own, "other": other, "hold_at": pot} for (own, other), pot in sorted(hold_at.items())]


def _pig_rows_of_columns(columns: list[Any], holds: Any, free: list[int]) -> list[dict[str, Any]]:
    """The same rows from the fields of all decisions at once."""
    import numpy as np

    is_free = np.isin(columns[3], free)
    holds, (first, second, pot, turn, _) = holds[is_free], (column[is_free] for column in columns)
    own, other = np.where(turn == 0, first, second), np.where(turn == 0, second, first)
    width = int(max(own.max(), other.max())) + 1
    never = width + int(pot.max())
    smallest = np.full(width * width, -1)
    smallest[own * width + other] = never
    np.minimum.at(smallest, own[holds] * width + other[holds], pot[holds])
    return [
        {"own": place // width, "other": place % width, "hold_at": None if pot == never else pot}
        for place, pot in enumerate(smallest.tolist())
        if pot >= 0
    ]


def _pig_scores(place: Position) -> tuple[int, int, int]:
    """The own score, the other's, and the pot, for the player to move."""
    scores = (place.state.first, place.state.second)
    return scores[place.mover], scores[1 - place.mover], place.state.pot


def _dominoes_rows(solution: Solution, position: Position, most: int) -> list[dict[str, Any]]:
    """Every opening of the empty line; later positions use the general table."""
    if position.state.used:
        return _all_positions(solution, position, most)
    return [
        {"opening": option.text, "category": option.category, "distance": option.distance}
        for option in solution.options(position)
    ]


_SHAPES: dict[str, Callable[[Solution, Position, int], list[dict[str, Any]]]] = {
    "dominoes": _dominoes_rows,
    "pig": _pig_rows,
}


@dataclass(frozen=True)
class Fairness(Tabular):
    """How even a game is when it is played as the solution says; numbers are exact, or proven bounds.

    values          of the whole game per player
    seat_advantage  the first player's value minus the second's; None for one player
    win, draw, lose chances that the first player ends with more than every other, level
                    with the best other, or with less; None for one player
    length          expected number of moves by players; None where play need not end
    forced          share of those moves that were the only legal one
    costless        share of those moves with several legal moves, all of them best
    """

    values: dict[str, Amount]
    seat_advantage: Amount | None
    win: Amount | None
    draw: Amount | None
    lose: Amount | None
    length: Amount | None
    forced: Amount | None
    costless: Amount | None

    def records(self) -> Records:
        """One row per measure."""
        rows = [(name, value) for name, value in vars(self).items() if name != "values" and value is not None]
        rows = [*((f"value_{name}", value) for name, value in self.values.items()), *rows]
        return Records("how even the game is", [("measure", "text"), ("value", "number")], rows)


def fairness(solution: Solution, position: Position | None = None) -> Fairness:
    """The seat advantage, chances, length and share of decisions that matter, under the chosen play.

    Large games with loops get proven bounds, unless exact values were asked for. Raises `QuestionError` where play
    repeats for ever and pays on the way, and `LimitReached` where proven bounds leave open which moves are best.
    """
    require_no_discount(solution.game, "this comparison of players")
    position = solution.asked(position)
    play = solution.best_play(position)
    values = solution.ends(position) if play is None or play.is_exact else solution.values_at_hand(position)
    win = draw = lose = None
    if len(values) > 1:
        win, draw, lose = (play and play.results()) or _chances(solution, position)
    length, forced, costless = _decisions(solution, position) if play is None else _decisions_at_hand(play)
    return Fairness(
        values=dict(zip(solution.game.player_names, values, strict=True)),
        seat_advantage=simplest(values[0] - values[1]) if len(values) > 1 else None,
        win=win,
        draw=draw,
        lose=lose,
        length=length,
        forced=forced,
        costless=costless,
    )


def _chances(solution: Solution, position: Position) -> tuple[Amount, Amount, Amount]:
    _, graph = solution.chain(position, utility="win")
    shares = outcome_distribution(graph, 0, 0, solution.budget)
    win, lose = shares.get(1, Fraction(0)), shares.get(0, Fraction(0))
    return win, 1 - win - lose, lose


def _decisions_at_hand(play: BestPlay) -> tuple[Amount | None, ...]:
    total, forced, costless = play.decisions()
    return (total, share_of(forced, total), share_of(costless, total)) if total else (total, None, None)


def _decisions(solution: Solution, position: Position) -> tuple[Amount | None, ...]:
    view, graph = solution.chain(position)
    counts = visits(graph, solution.budget)
    if counts is None:
        return None, None, None
    mixes = solution.source.by_history or solution.source.moves_at_once
    total = forced = costless = Fraction(0)
    for node, count in counts.items():
        if not view.is_ply(graph, node):
            continue
        place = known_at(solution, view.position(graph.keys[node]))
        options = list(place.moves()) if mixes else solution.options(place)
        total += count
        forced += count if len(options) == 1 else 0
        costless += count if len(options) > 1 and not mixes and all(option.best for option in options) else 0
    if not total:
        return 0, None, None
    return simplest(total), forced / total, None if mixes else costless / total


@dataclass(frozen=True)
class Sample:
    """One point of a sweep: the parameter's value, and the solution or the reason why there is none.

    setting     the parameter's value
    solution    None where there is none
    message     why there is none
    is_stopped  whether a limit is the reason
    """

    setting: Any
    solution: Solution | None
    message: str | None
    is_stopped: bool = False


def sweep(game: Game, parameter: str, settings: Iterable[Any], solve: Callable[[Game], Solution]) -> Iterator[Sample]:
    """Solve `game` with `parameter` set to each of `settings` in turn.

    A setting that the rules refuse, that exceeds a limit, or that has no known value yields a `Sample` with a
    message instead of a solution. Raises `ParameterError` for an unknown parameter.
    """
    require_parameter(game, parameter)
    for setting in settings:
        try:
            yield Sample(setting, solve(type(game)(**{**game.values(), parameter: setting})), None)
        except (LimitReached, NoValue, ParameterError) as error:
            yield Sample(setting, None, error.message, isinstance(error, LimitReached))
