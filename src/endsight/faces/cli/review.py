"""`endsight review`: a played game, split into luck and mistakes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import endsight as es
from endsight.errors import InputError, UsageError
from endsight.faces.cli.columns import BEST, STRONG, WORSE, Column
from endsight.faces.cli.command import argument, asking, command, stored_option, takes
from endsight.faces.cli.output import Output
from endsight.faces.cli.render import draw_footer, draw_head, draw_numbers
from endsight.faces.cli.request import Asked, Request, respond
from endsight.faces.documents import review_document
from endsight.faces.wording import Write
from endsight.game.numbers import Number
from endsight.game.position import as_text
from endsight.naming.class_names import game_names
from endsight.naming.game_record import read_record
from endsight.naming.input_files import STANDARD_INPUT, is_named
from endsight.naming.specification import load_game

_DRAWN = 3
"""The number of mistakes drawn with their positions, and of better moves named."""


@command(
    'endsight review pigturn "roll 4 roll 6 roll 5 hold"',
    'endsight review tictactoe "a1 b1 b2 c3"',
    'endsight review repeatbust "7 roll 5 stop" --json',
)
@takes(asking, stored_option, argument("record", "RECORD", nargs=-1))
def review(request: Request, record: tuple[str, ...]) -> int:
    """Review a played game: split it exactly into luck and mistakes.

    RECORD lists the moves, separated by blanks, with chance outcomes; @FILE reads them from
    a file, such as one that the page saved, and - from the standard input. It begins at the
    position of --at or --position, or else at the start. For every player, the value at the
    start plus luck, minus their own mistakes, plus the effect of the others' choices, is the
    final result.
    """
    moves = _moves(request, record)
    if not moves and not request.starting_position().is_over:
        raise InputError(
            "the record holds no moves, so there is nothing to review",
            found="an empty text",
            allowed="the moves that were played, separated by blanks, with chance outcomes",
            advice=f"endsight games {request.game} for how moves are written",
        )
    return respond(
        request,
        document=lambda asked: review_document(es.review(asked.solution, moves)),
        show=lambda asked: _show(asked, es.review(asked.solution, moves)),
        rows=lambda found: found["steps"],
        columns=("player", "move", "best", "value", "luck", "mistakes", "gifts"),
    )


def _moves(request: Request, record: tuple[str, ...]) -> list[str]:
    """Return the moves as texts, from wherever the record is read."""
    if not record:
        raise UsageError(
            "there is no record to review", allowed="the moves, @FILE or -", advice="endsight review --help"
        )
    source = record[0]
    if len(record) == 1 and "." in source and Path(source).is_file():
        raise UsageError(f"{source!r} is a file, not a move", advice=f"@{source}")
    if len(record) > 1 or not is_named(source):
        return " ".join(record).split()
    if source in STANDARD_INPUT and (request.at in STANDARD_INPUT or "@-" in request.game):
        raise UsageError("the standard input can be read only once", allowed="one - only")
    start = request.starting_position()
    recorded = read_record(request.text_of(source, "RECORD", start, "the moves played"))
    _require_same_game(request, recorded.game)
    if recorded.position not in (None, request.position):
        raise InputError("the record begins at a position that was set up", advice=f"--position {recorded.position!r}")
    return recorded.moves


def _require_same_game(request: Request, recorded: str | None) -> None:
    """Raise `InputError` for a record of another built-in game, or of the same with other parameters."""
    asked = request.game
    recorded = recorded or asked
    if recorded == asked or not {text.partition(":")[0] for text in (asked, recorded)} <= set(game_names()):
        return
    # A record names no files to be read.
    if "@" in recorded or load_game(recorded).game != request.loaded.game:
        raise InputError(
            "the record is of another game", found=recorded, allowed=asked, advice=f"endsight review {recorded} RECORD"
        )


def _show(asked: Asked, reviewed: es.Review) -> None:
    draw_head(asked)
    draw_review(asked.output, reviewed)
    draw_footer(asked)


def draw_review(output: Output, reviewed: es.Review) -> None:
    """Draw the steps with their effects, and the sums."""
    screen = output.screen
    if reviewed.steps:
        screen.line()
        _draw_steps(output, reviewed)
        _draw_mistakes(output, reviewed)
    screen.line()
    _draw_sums(output, reviewed)
    if not reviewed.finished:
        screen.apart("Unfinished game: 'final' is the value of the last position.")


def _draw_steps(output: Output, reviewed: es.Review) -> None:
    names = reviewed.solution.game.player_names
    changes = ["change"] if len(names) == 1 else [f"for {name}" for name in names]
    further = Column(continues=True)
    columns = [Column(align="right"), further, Column("move"), further, further, Column("better", fit="cut")]
    columns += map(Column, changes)
    styles = [WORSE if step.is_mistake else BEST if step.best is not None else "" for step in reviewed.steps]

    def cells(numbered: tuple[int, es.ReviewStep], write: Write) -> Sequence[str]:
        number, step = numbered
        return [str(number), step.player, step.move, *_verdict(write, reviewed, step), *_changes(write, step)]

    draw_numbers(output, columns, list(enumerate(reviewed.steps, start=1)), cells, styles)


def _draw_mistakes(output: Output, reviewed: es.Review) -> None:
    """Draw the positions of the first mistakes, if players moved in turn and the rules draw more than one line."""
    begun = reviewed.solution.position
    moves = reviewed.position.history[len(begun.history) :]
    if len(moves) != len(reviewed.steps) or reviewed.solution.game.gives("sees"):
        return
    places = begun.along(moves)
    later = islice(zip(places, reviewed.steps, strict=False), 1, None)  # the head already shows the first position
    for place, step in [each for each in later if each[1].is_mistake][:_DRAWN]:
        drawing = as_text(place.game, "draw", place.state)
        if "\n" not in drawing.strip("\n"):
            continue
        number = len(place.history) - len(begun.history) + 1
        better = ", ".join(reviewed.better(step)[:_DRAWN])
        output.screen.apart(f"Before move {number}: {step.player} played {step.move}; better: {better}.")
        output.screen.line()
        output.screen.block(drawing)


def _verdict(write: Write, reviewed: es.Review, step: es.ReviewStep) -> tuple[str, str, str]:
    """Return glyph, word, and the better moves."""
    if step.is_mistake:
        return "▼", "mistake", " ".join(reviewed.better(step))
    if step.probability is not None:
        return "", f"chance {write(step.probability)}", ""
    if step.best is None:
        return "", "luck", ""
    return ("●" if len(step.best) > 1 else "▲"), "best", ""


def _changes(write: Write, step: es.ReviewStep) -> list[str]:
    """Return the effect of the step on each player's value."""
    parts = zip(step.luck, step.hidden, step.mistakes, step.gifts, strict=True)
    return [_signed(write, luck + hidden - mistake + gift) for luck, hidden, mistake, gift in parts]


def _signed(write: Write, change: Number) -> str:
    """Write a change with a plus if it is positive; nothing for no change."""
    text = write(change) if change else ""
    if change <= 0:
        return text
    return f"≈ +{text[2:]}" if text.startswith("≈ ") else f"+{text}"


def _draw_sums(output: Output, reviewed: es.Review) -> None:
    """Draw start, luck, mistakes, gifts and final value, one column per player."""
    names = reviewed.solution.game.player_names
    booked = {
        "+ luck": reviewed.luck,
        "+ hidden luck" if reviewed.solution.game.gives("sees") else "+ luck of the draw": reviewed.hidden,
        "− mistakes": reviewed.mistakes,
        "+ by the others": reviewed.gifts,
    }
    parts = {"  start": reviewed.start} | {name: part for name, part in booked.items() if any(part)}
    parts["= final"] = reviewed.final

    columns = [Column(), *(Column(name if len(names) > 1 else "") for name in names)]
    styles = [""] * (len(parts) - 1) + [STRONG]
    draw_numbers(output, columns, [*parts.items()], lambda part, write: [part[0], *map(write, part[1])], styles)
