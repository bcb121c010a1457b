"""`endsight estimate`: states, memory and time before solving."""

from __future__ import annotations

from dataclasses import replace

from endsight.cost.estimate import Estimate, fits
from endsight.cost.estimate import estimate as estimated
from endsight.faces.cli.columns import BEST, STRONG, WORSE
from endsight.faces.cli.command import command, output_options, placed, takes
from endsight.faces.cli.request import Request
from endsight.faces.cost_documents import estimate_document
from endsight.faces.wording import bytes_text, rough_count, seconds_text
from endsight.game.limits import Limits
from endsight.game.numbers import count_text


@command(
    "endsight estimate connectfour:width=5,height=4",
    "endsight estimate dominoes:n=7 --symmetry off --memory 8GB",
    "endsight estimate mygame.py:MyGame --json",
)
@takes(placed, output_options)
def estimate(request: Request) -> None:
    """Estimate states, memory and time before solving, by sampling.

    Games of up to about ten million states are counted. Of larger games a part is counted and
    random play is sampled, and the estimate comes with a range. If you give limits, the answer
    says whether solving can stay within them; the sampling also keeps to those of time and memory.
    """
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
    document = estimate_document(result, is_fitting)
    columns = [key for key in document if key not in ("schema", "params", "players")]
    request.output.answer(document, lambda: _draw(request, result, is_fitting), columns=columns)


def _draw(request: Request, result: Estimate, is_fitting: bool | None) -> None:
    screen = request.output.screen
    screen.title(request.loaded.title, " · " + ("counted" if result.exact else f"estimated from {result.basis}"))
    screen.line()
    rows = [("states", rough_count(result.states, exact=result.exact))]
    if not result.exact:
        rows.append(("between", f"{rough_count(result.lower)} and {rough_count(result.upper)}"))
    engine = "compiled, layer by layer" if result.engine == "compiled" else "plain, the whole graph kept"
    rows += [("engine", engine)] * (result.seconds is not None)
    rows.append(("moves", rough_count(result.edges, exact=result.exact)))
    rows.append(("depth", count_text(result.depth, "ply") + ("" if result.exact else " or more")))
    rows += _plan_rows(result) if result.seconds is None else _cost_rows(result)
    rows.append(("sampled", f"{count_text(result.sampled, 'state')} in {seconds_text(result.elapsed)}"))
    screen.pairs(rows)
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


def _cost_rows(result: Estimate) -> list[tuple[str, str]]:
    memory, seconds = result.memory, result.seconds
    assert memory is not None, "it was measured"
    assert seconds is not None, "it was measured"
    return [
        ("memory", f"{bytes_text(memory)}, {result.bytes_per_state:.0f} bytes a state"),
        ("time", f"{seconds_text(seconds)}, {1 / (result.seconds_per_state or 1):,.0f} states a second"),
    ]


def _plan_rows(result: Estimate) -> list[tuple[str, str]]:
    """Return the known facts about a game in which players do not see everything."""
    unknown = "unknown: players do not see everything, so the cost does not follow from the number of states"
    if result.plans is None:
        uncounted = "not counted: there are more than 100,000 histories, or all players see the same"
        return [("information sets", uncounted), ("memory and time", unknown)]
    counted = (("information sets", result.plans.sets), ("sequences", result.plans.sequences))
    texts = [(title, ", ".join(f"{count:,} of {name}" for name, count in counts.items())) for title, counts in counted]
    return [("histories", f"{result.plans.histories:,}"), *texts, ("memory and time", unknown)]


def _verdict(request: Request, result: Estimate, is_fitting: bool | None) -> tuple[str, str]:
    """Say whether the whole graph fits within the limits, and in which style to print that."""
    if not is_fitting:
        return "The whole game cannot be kept within the limits: ask about a later position, or raise them.", WORSE
    if not fits(replace(result, lower=result.states), request.limits):
        return "The whole game can be kept within the limits at the lower end only, not as estimated.", STRONG
    if not fits(replace(result, lower=result.upper), request.limits):
        return "The whole game can be kept within the limits as estimated, but not at the upper end.", STRONG
    return "The whole game can be kept within the limits.", BEST
