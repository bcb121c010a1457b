"""`endsight line`: best play, as one line or as a plan."""

from __future__ import annotations

from collections.abc import Sequence

import endsight as es
from endsight.answers.solution import walk
from endsight.faces.advice.moves import MoveRow, PlanRows, moves_of, named, plan_of
from endsight.faces.advice.readings import Reading, heading
from endsight.faces.cli.columns import DIM, Column
from endsight.faces.cli.command import asking, batch_output_options, command, stored_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.render import MOST_ROWS, draw_footer, draw_head, row_limit
from endsight.faces.cli.request import Asked, Request, respond
from endsight.faces.documents import line_document
from endsight.game import CHANCE

_NO_LINE = (
    "Players see different things or move at once, so play is a plan for each of them and not one line: "
    "endsight analyze --as PLAYER shows what to do, endsight dist how the game may end."
)
_ONLY_CHANCE = (
    "Chance moves next, and no player decides right after it: endsight analyze shows what each outcome is worth, "
    "endsight dist how the game may end."
)


@command(
    'endsight line tictactoe --at "a1 b1"',
    "endsight line pots:4-9-2-7 --objective cooperative",
)
@takes(asking, stored_option, output=batch_output_options)
def line(request: Request) -> int:
    """Show one line of best play, or a plan for each outcome of chance.

    Of several best moves the line takes the first. Where chance moves or players mix their moves, the
    line ends, and a plan says how likely each outcome is and what to do then; with --json and --plain
    the line continues with the likeliest outcomes. If a position recurs, the line ends and says so.
    """
    return respond(
        request,
        document=lambda asked: line_document(asked.solution, asked.position),
        show=_show,
        rows=lambda document: document["moves"],
        columns=("player", "move"),
    )


def _show(asked: Asked) -> None:
    """Follow best play: one line as far as there is one, then a plan, or the moves that have a chance."""
    screen, solution = asked.output.screen, asked.solution
    draw_head(asked)
    walked = list(walk(solution, asked.position, solution.chosen))
    place = walked[-1][1] if walked else asked.position
    reading, rows = moves_of(solution, place)
    is_mixed = place.mover != CHANCE and not place.is_over and solution.chosen(place) is None
    mixture = [row for row in rows if is_mixed and row.chance not in ("", "0 %")]
    if walked:
        _draw_steps(asked, [step for step, _ in walked])
    if place.mover == CHANCE and (plan := plan_of(solution, place, reading)) is not None:
        _draw_plan(asked.output, plan, reading)
    elif mixture:
        _draw_mixture(asked.output, mixture, reading)
    elif solution.source.by_history and not place.is_over:
        screen.apart(_NO_LINE)
    elif not walked and not place.is_over:
        screen.apart(_ONLY_CHANCE)
    draw_footer(asked)


def _draw_steps(asked: Asked, steps: Sequence[es.Step]) -> None:
    screen = asked.output.screen
    screen.line()
    first = len(asked.position.history) + 1
    shown = enumerate(steps[:MOST_ROWS], start=first)
    screen.table(
        [Column(align="right"), Column(), Column()],
        [(str(number), step.player, step.move) for number, step in shown],
    )
    row_limit(asked.output, min(MOST_ROWS, len(steps)), len(steps), "move")
    if steps[-1].back_to is not None:
        before = "at the beginning" if not steps[-1].back_to else f"after move {first + steps[-1].back_to - 1}"
        screen.apart(f"This is the position {before} again: play repeats for ever.")
    screen.apart(" ".join([*asked.position.history, *(step.move for step in steps)][: 10 * MOST_ROWS]), DIM)


def _draw_plan(output: Output, plan: PlanRows, reading: Reading) -> None:
    """Draw what to do for each outcome, in a sentence if short enough, and row by row."""
    screen = output.screen
    screen.apart("Chance moves next. What to do for each outcome:")
    for answer, cues in plan.groups:
        screen.line(f"  {answer} after {cues}.")
    screen.line()
    columns = [
        Column("outcome"),
        Column("chance", align="right"),
        Column("then"),
        Column(heading(reading), align="right"),
    ]
    names = [(row, f"{row.by}: " if row.by and len(reading.names) > 1 else "") for row in plan.rows]
    screen.table(columns, [(row.cue, row.chance, name + named(row.answers), row.value) for row, name in names])
    if plan.more:
        screen.line("More outcomes are possible.")


def _draw_mixture(output: Output, mixture: Sequence[MoveRow], reading: Reading) -> None:
    screen = output.screen
    screen.apart("Best play mixes moves here, each with its chance:")
    screen.line()
    columns = [Column("move"), Column("chance", align="right"), Column(heading(reading), align="right")]
    screen.table(columns, [(row.move, row.chance, row.result) for row in mixture])
