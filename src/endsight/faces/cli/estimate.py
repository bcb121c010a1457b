"""`endsight estimate`: states, memory and time before solving."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import endsight as es
from endsight.cost.estimate import Estimate, fits
from endsight.cost.estimate import estimate as estimated
from endsight.errors import QuestionError
from endsight.faces.answer_rows import estimate_rows
from endsight.faces.cli.columns import BEST, STRONG, WORSE
from endsight.faces.cli.command import command, placed, takes
from endsight.faces.cli.request import Request
from endsight.faces.documents import game_head
from endsight.game.limits import Limits


@command(
    "endsight estimate connectfour:width=5,height=4",
    "endsight estimate dominoes:n=7 --symmetry off --memory 8GB",
    "endsight estimate mygame.py:MyGame --json",
)
@takes(placed)
def estimate(request: Request) -> None:
    """Estimate states, memory and time before solving, by sampling.

    Games of up to about ten million states are counted. Of larger games a part is counted and
    random play is sampled, and the estimate comes with a range. If you give limits, the answer
    says whether solving can stay within them; the sampling also keeps to those of time and memory.
    """
    if (request.method, request.engine) != ("auto", "auto"):
        raise QuestionError(
            "estimate takes no --method and no --engine, as it is about those that auto would choose",
            advice="endsight growth GAME --vary KEY=VALUES --methods NAMES: measures by method",
        )
    position = request.starting_position()
    with request.working(position.game) as progress:
        result = estimated(
            position.game,
            position,
            request.question(),
            symmetry=request.symmetry == "on",
            limits=Limits(memory=request.limits.memory),
            progress=progress,
        )
    is_fitting = fits(result, request.limits)
    document = _document(result, is_fitting)
    columns = [key for key in document if key not in ("schema", "params", "players")]
    request.output.answer(document, lambda: _draw(request, result, is_fitting), columns=columns)


def _document(estimate: Estimate, fits: bool | None = None) -> dict[str, Any]:
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
    document["version"] = es.__version__
    return document


def _draw(request: Request, result: Estimate, is_fitting: bool | None) -> None:
    screen = request.output.screen
    screen.title(request.loaded.title, " · " + ("counted" if result.exact else f"estimated from {result.basis}"))
    screen.line()
    screen.pairs(estimate_rows(result))
    screen.line()
    if result.theorem is not None:
        screen.line(f"None of this is needed: {result.theorem} solves the position without a search.", BEST)
        return
    if result.seconds is None:
        screen.line("It is not known beforehand whether solving stays within the limits.")
        return
    verdict, style = _verdict(request, result, is_fitting)
    screen.line(verdict, style)
    if is_fitting and not result.is_judged:
        screen.line("Only its first positions were checked for loops that would leave it without a value.")


def _verdict(request: Request, result: Estimate, is_fitting: bool | None) -> tuple[str, str]:
    """Say whether the whole graph fits within the limits, and in which style to print that."""
    if not is_fitting:
        return "The whole game cannot be kept within the limits: ask about a later position, or raise them.", WORSE
    if not fits(replace(result, lower=result.states), request.limits):
        return "The whole game can be kept within the limits at the lower end only, not as estimated.", STRONG
    if not fits(replace(result, lower=result.upper), request.limits):
        return "The whole game can be kept within the limits as estimated, but not at the upper end.", STRONG
    return "The whole game can be kept within the limits.", BEST
