"""The policy as a picture, if it has a shape."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from endsight.answers.explanation import table_rows
from endsight.answers.solution import Solution
from endsight.charts.figures import Cell, Chart, Curves, HeatMaps, HeatPanel, Rows, Series, Tone
from endsight.charts.naming import where
from endsight.errors import QuestionError
from endsight.faces.wording import approximate, listed
from endsight.game.numbers import count_text
from endsight.game.position import Position
from endsight.game.question import require_all_seen

MOST_ROWS = 40
"""Tables of more positions are not drawn."""

Table = Sequence[Mapping[str, Any]]
Draw = Callable[[str, Table], Chart]


def policy(solution: Solution, position: Position | None = None) -> Chart:
    """The policy: a threshold curve, a heat map, an order of cards, or a short table.

    The same rows as `endsight table`. Raises `QuestionError` if the policy has no shape and more than 40 positions.
    """
    require_all_seen(solution.game, "a picture of the policy")
    position = solution.asked(position)
    rows = table_rows(solution, position)
    name = where(position)
    if not any(row.get("best", True) for row in rows):
        raise QuestionError(
            f"{name}: the policy has no rows to draw",
            found="no position there in which one player chooses a move",
            advice="an earlier position, or endsight analyze GAME for the chances of moves at once",
        )
    draw = shape_of(rows) or (_all_positions if len(rows) <= MOST_ROWS else None)
    if draw is None:
        raise QuestionError(
            f"{name}: the policy has no shape to draw",
            found=count_text(len(rows), "position"),
            allowed=f"up to {MOST_ROWS}",
            advice="endsight table GAME --plain, or a later position (--at)",
        )
    return draw(name, rows)


def shape_of(rows: Table) -> Draw | None:
    """The function that draws rows of a policy as more than a table; None where they have no shape."""
    return next((draw for keys, draw in _SHAPES.items() if rows and set(keys) <= set(rows[0])), None)


def _thresholds(name: str, rows: Table) -> Curves:
    best = tuple((row["last"], row["stop_at"]) for row in rows)
    myopic = tuple((row["last"], row["myopic_stop_at"]) for row in rows)
    listing = listed((f"{stop} after {last}" for last, stop in best), 40)
    return Curves(
        title=f"{name}: stop from this reward on",
        description=f"The smallest reward at which stopping is best, by the last sum: {listing}.",
        across="last sum",
        upwards="reward",
        series=(
            Series("best play stops from here", best, "best", "circle", labelled=True),
            Series("looking one throw ahead", myopic, "worse", "square", dashed=True),
        ),
    )


def _hold_at(name: str, rows: Table) -> HeatMaps:
    known = [row["hold_at"] for row in rows if row["hold_at"] is not None]
    top = max([1, *known])
    cells = tuple(
        Cell(row["own"], row["other"], _pot(row["hold_at"]), Fraction(row["hold_at"] or 0, top)) for row in rows
    )
    return HeatMaps(
        title=f"{name}: hold from this pot on",
        description=(
            f"For every pair of scores the smallest pot at which holding is best: from {min(known, default=0)} "
            f"to {top}; {len(rows) - len(known)} of {count_text(len(rows), 'pair')} have none."
        ),
        across="own score",
        upwards="score of the other",
        panels=(HeatPanel("", cells),),
        key="The number is the smallest pot at which holding is best; the deeper the blue, the larger. · is never.",
    )


def _pot(hold_at: int | None) -> str:
    return "·" if hold_at is None else str(hold_at)


def _gestures(name: str, rows: Table) -> HeatMaps:
    turns: dict[int, list[Cell]] = defaultdict(list)
    tones: dict[str, Tone] = {"rock": "best", "paper": "worse", "scissors": "plain"}
    for row in rows:
        best = row["best"]
        letters = "".join(gesture[0].upper() for gesture in best)
        tone: Tone = tones[best[0]] if len(best) == 1 else "plain"
        turns[row["rock"] + row["paper"] + row["scissors"]].append(Cell(row["paper"], row["rock"], letters, tone=tone))
    opening = ", ".join(rows[0]["best"])
    return HeatMaps(
        title=f"{name}: the best gesture by the faces seen",
        description=f"First {opening}. {len(rows)} counts of faces in {count_text(len(turns), 'turn')};"
        " one picture a turn.",
        across="papers seen",
        upwards="rocks seen",
        panels=tuple(
            HeatPanel(f"{seen} seen" if seen else "first turn", tuple(cells)) for seen, cells in sorted(turns.items())
        ),
        key="R rock (blue), P paper (orange), S scissors (grey); several letters: equally good.",
    )


def _openings(name: str, rows: Table) -> HeatMaps:
    cells = []
    for row in rows:
        first, second = map(int, row["opening"].split("-"))
        wins = row["category"] == "win"
        length = "" if row["distance"] is None else str(row["distance"])
        cells.append(Cell(second, first, ("▲" if wins else "▼") + length, tone="best" if wins else "worse"))
    winning = [row["opening"] for row in rows if row["category"] == "win"]
    return HeatMaps(
        title=f"{name}: which opening tile wins",
        description=f"Winning openings: {listed(winning, 30)}. All {len(rows) - len(winning)} others lose.",
        across="the tail that is left open",
        upwards="the other half",
        panels=(HeatPanel("", tuple(cells)),),
        key="▲ wins, ▼ loses; beside it the number of tiles to the end, where it is known.",
    )


def _cards(name: str, rows: Table) -> Curves:
    own = tuple((row["turn"], row["card"]) for row in rows)
    rival = tuple((row["turn"], row["rival"]) for row in rows if row["rival"] is not None)
    listing = listed((f"{row['card']} ({row['reason']})" for row in rows), 12)
    series = [Series("our card", own, "best", "circle", joined=False, labelled=True)]
    if rival:
        series.append(Series("the rival's, where it is known", rival, "worse", "square", joined=False))
    return Curves(
        title=f"{name}: which card on which turn",
        description=f"In order: {listing}.",
        across="turn",
        upwards="card",
        series=tuple(series),
    )


def _all_positions(name: str, rows: Table) -> Rows:
    players = list(rows[0]["value"])
    worth = [f"value {player}" for player in players] if len(players) > 1 else ["value"]
    shown = [row for row in rows if row["best"]]
    return Rows(
        title=f"{name}: what to play",
        description=listed((f"{row['position']}: {' or '.join(row['best'])}" for row in shown), 40) + ".",
        columns=("position", "to move", "best", *worth),
        rows=tuple(
            (row["position"], row["to_move"], " ".join(row["best"]), *map(approximate, row["value"].values()))
            for row in shown
        ),
    )


_SHAPES: dict[tuple[str, ...], Draw] = {
    ("last", "stop_at"): _thresholds,
    ("own", "other", "hold_at"): _hold_at,
    ("rock", "paper", "scissors"): _gestures,
    ("opening", "category"): _openings,
    ("turn", "card"): _cards,
}
"""Keys of a row -> the function that draws such a table."""
