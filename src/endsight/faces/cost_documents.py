"""Documents on the cost of answers and the state of the installation: estimates, growth, doctor.

Counts are whole numbers; times and fitted or measured numbers are plain decimals; values
are exact numbers, as everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import endsight
from endsight.faces.documents import game_head, parameter_document
from endsight.game import Game
from endsight.game.numbers import number_document
from endsight.game.question import Question

if TYPE_CHECKING:
    from endsight.cost.estimate import Estimate
    from endsight.cost.growth import Fit, Measurement
    from endsight.faces.doctor import Report


def estimate_document(estimate: Estimate, fits: bool | None = None) -> dict[str, Any]:
    """Return `endsight.estimate/1`: states, memory and time before solving, and whether they fit within the limits."""
    document = game_head("estimate", estimate.game, estimate.question)
    document["position"] = estimate.position.text
    if estimate.position.set_up is not None:
        document["set_up"] = estimate.position.set_up
    names = ("states", "lower", "upper", "exact", "basis", "edges", "depth", "sampled", "engine", "memory")
    document |= {name: getattr(estimate, name) for name in names}
    for name, digits in (("seconds", 6), ("bytes_per_state", 1), ("seconds_per_state", 9)):
        measured = getattr(estimate, name)
        document[name] = None if measured is None else round(measured, digits)
    document["plans"] = None if estimate.plans is None else asdict(estimate.plans)
    document["theorem"] = estimate.theorem
    document["fits"] = fits
    document["judged"] = estimate.is_judged
    document["elapsed"] = round(estimate.elapsed, 6)
    document["version"] = endsight.__version__
    return document


def growth_document(
    game: Game, question: Question, parameter: str, rows: Sequence[Measurement], fits: Sequence[Fit]
) -> dict[str, Any]:
    """Return `endsight.growth/1`: the cost of each method against a parameter, and the laws fitted to it."""
    return game_head("growth", game, question) | {
        "vary": parameter,
        "rows": [_row(parameter, row) for row in rows],
        "fits": [_fit(fit) for fit in fits],
        "version": endsight.__version__,
    }


def doctor_document(report: Report, freed: int | None = None) -> dict[str, Any]:
    """Return `endsight.doctor/1`: versions, extras, caches, memory, cores, and problems with their cures."""
    document = {"schema": "endsight.doctor/1", **asdict(report)}
    document["packages"] = [asdict(package) | {"sufficient": package.is_sufficient} for package in report.packages]
    return document if freed is None else document | {"freed": freed}


def _row(parameter: str, row: Measurement) -> dict[str, Any]:
    value = None if row.value is None else {name: number_document(own) for name, own in row.value.items()}
    return {
        parameter: parameter_document(row.setting),
        **{name: getattr(row, name) for name in ("method", "status", "positions", "edges", "nodes")},
        "seconds": None if row.seconds is None else round(row.seconds, 6),
        "value": value,
        "message": row.message,
    }


def _fit(fit: Fit) -> dict[str, Any]:
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
