"""`endsight growth`: how a game's cost grows, by method."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

import endsight as es
from endsight.base.deferred import deferred
from endsight.errors import QuestionError
from endsight.faces.cli.columns import STRONG, Column
from endsight.faces.cli.command import command, option, takes, varying
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Request
from endsight.faces.cli.sweep import completed
from endsight.faces.documents import game_head, parameter_document
from endsight.faces.wording import seconds_text
from endsight.game.numbers import number_document
from endsight.game.titles import shown_value
from endsight.naming.class_names import game_title
from endsight.naming.specification import settings

with deferred(__name__):
    from endsight.cost import growth as costs

COLUMNS = ("method", "status", "positions", "edges", "nodes", "seconds", "value", "message")
TITLES = {
    "minimax": "minimax, every line of play",
    "alphabeta": "alpha-beta",
    "table": "alpha-beta with a table",
    "graph": "every position once",
    "symmetry": "every position once, up to symmetry",
    "theorem": "theorem",
    "compiled": "every position once, compiled rules (compiling not counted)",
}


@command(
    "endsight growth dominoes --vary n=1..4",
    "endsight growth chomp --vary width=1..6 --methods table,graph,symmetry",
    "endsight growth nim --vary heaps=1-2,1-2-3,1-2-3-4 --json",
)
@takes(
    varying,
    option(
        "--methods",
        "NAMES",
        "Some of minimax, alphabeta, table, graph, symmetry, theorem (default: all these), compiled.",
    ),
)
def growth(request: Request, vary: str, methods: str | None) -> int:
    """Measure positions, edges, nodes and time against a parameter, by method.

    Limits apply to each value and method separately: 10 s and a million states, unless
    --time, --memory or --states are given. A method that a limit has stopped is not tried
    on later values. The laws are fitted to the last five measurements. With --engine
    compiled, compiled rules visit every position once as well.
    """
    if request.method != "auto":
        raise QuestionError("growth takes no --method, as it compares methods", allowed="--methods, a list of them")
    request = completed(request, vary)
    game = request.loaded.whole("growth")
    key, values = settings(game, vary)
    chosen: Any = [name.strip() for name in methods.split(",")] if methods else list(costs.METHODS)
    if request.engine == "compiled" and "compiled" not in chosen:
        chosen.append("compiled")
    limits = request.limits
    if limits == type(limits)():
        limits = costs.DEFAULT_LIMITS
    with request.working(game) as progress:
        rows = list(costs.growth(game, key, values, chosen, request.question(), limits=limits, progress=progress))
    fits = costs.fits_of(rows)
    document = _document(game, request.question(), key, rows, fits)
    columns = (key, *COLUMNS)
    request.output.answer(document, lambda: _draw(request, key, rows, fits), lambda document: document["rows"], columns)
    return 0


def _document(
    game: es.Game, question: es.Question, parameter: str, rows: Sequence[costs.Measurement], fits: Sequence[costs.Fit]
) -> dict[str, Any]:
    """Return `endsight.growth/1`: the cost of each method against a parameter, and the laws fitted to it."""
    return game_head("growth", game, question) | {
        "vary": parameter,
        "rows": [_row(parameter, row) for row in rows],
        "fits": [_fit(fit) for fit in fits],
        "version": es.__version__,
    }


def _row(parameter: str, row: costs.Measurement) -> dict[str, Any]:
    value = None if row.value is None else {name: number_document(own) for name, own in row.value.items()}
    return {
        parameter: parameter_document(row.setting),
        **{name: getattr(row, name) for name in ("method", "status", "positions", "edges", "nodes")},
        "seconds": None if row.seconds is None else round(row.seconds, 6),
        "value": value,
        "message": row.message,
    }


def _fit(fit: costs.Fit) -> dict[str, Any]:
    rough, smooth = fit.residuals
    return {
        "method": fit.method,
        "quantity": fit.quantity,
        "better": fit.better,
        "exponential": {"factor": round(fit.exponential, 6), "residual": round(rough, 6)},
        "polynomial": None
        if fit.polynomial is None or smooth is None
        else {"power": round(fit.polynomial, 6), "residual": round(smooth, 6)},
        "points": fit.count,
    }


def _draw(request: Request, key: str, rows: list[costs.Measurement], fits: list[costs.Fit]) -> None:
    screen = request.output.screen
    screen.title(game_title(request.game), f" · what it costs against {key}")
    for method in dict.fromkeys(row.method for row in rows):
        own = [row for row in rows if row.method == method]
        screen.apart(TITLES[method], STRONG)
        if all(row.status == "refused" for row in own) and len({row.message for row in own}) == 1:
            screen.line(f"not here: {own[0].message}", indent=2)
        else:
            _draw_method(request.output, key, own)
            _draw_law(request.output, key, [fit for fit in fits if fit.method == method])


def _draw_method(output: Output, key: str, rows: list[costs.Measurement]) -> None:
    def count(number: int | None) -> str:
        return "" if number is None else f"{number:,}"

    def time(row: costs.Measurement) -> str:
        return "" if row.seconds is None else seconds_text(row.seconds)

    cells = [
        [shown_value(row.setting), *map(count, (row.positions, row.edges, row.nodes)), time(row), row.message or ""]
        for row in rows
    ]
    names = (key, "positions", "edges", "nodes", "time")
    output.screen.table([*(Column(name, "right") for name in names), Column(fit="wrap")], cells)


def _draw_law(output: Output, key: str, fits: list[costs.Fit]) -> None:
    """Draw the growth of nodes and of time, one line each."""
    for fit in fits:
        if fit.quantity not in ("nodes", "seconds"):
            continue
        name = "time" if fit.quantity == "seconds" else fit.quantity
        better = fit.residuals[fit.better == "polynomial"]
        if fit.exponential == 1:
            law = f"the same for every {key}"
        elif fit.better == "polynomial":
            law = f"like {key}^{fit.polynomial:.2f}"
        else:
            law = f"{fit.exponential:.3g} times with each step of {key}"
        left = "" if fit.exponential == 1 else f", within a factor of {exp(better or 0.0):.2f}"
        output.screen.line(f"{name}: {law}{left}", indent=2)
