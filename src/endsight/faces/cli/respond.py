"""One answer, or a batch of answers, in the requested form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from functools import partial

from endsight.errors import Interrupted, LimitReached, Stopped
from endsight.faces.cli.failures import refused
from endsight.faces.cli.output import Document, Output, Rows, one_row
from endsight.faces.cli.request import Asked, Refusal, Request
from endsight.faces.documents import error_document, position_document
from endsight.faces.wording import ends_text
from endsight.game.numbers import count_text
from endsight.game.position import Position

MOST_MOVES = 40
"""Longer lists of moves for people are cut, with a note."""

Unfinished = Callable[["Position", Stopped], Document]


def respond(
    request: Request,
    *,
    document: Callable[[Asked], Document],
    show: Callable[[Asked], None],
    rows: Rows = one_row,
    columns: Sequence[str] = (),
    stopped: Unfinished | None = None,
    is_drawn: bool = True,
) -> int:
    """Answer `request` and return the exit code.

    `document` makes the JSON, `show` draws for people, and `rows` and `columns` are those of `Output.write`. `stopped`
    makes the document of a position whose work was stopped; by default that is the JSON of `value`, and nothing for
    `--plain`. `is_drawn` says whether `show` uses the screen, which takes long to load.
    """
    output, unfinished = request.output, stopped or partial(request.unfinished, moves=False)
    if output.form == "jsonl":
        return _respond_to_batch(request, document, unfinished)
    position = request.starting_position()
    try:
        if output.form == "people":
            with output.screen.all_or_nothing() if is_drawn else nullcontext():
                request.answer(show, position)
        else:
            output.write(request.answer(document, position), rows, columns)
    except (LimitReached, Interrupted) as stop:
        if output.form == "people":
            _show_unfinished(output, stop)
        elif stopped is not None or output.form == "json":
            output.write(unfinished(position, stop), rows, columns)
        return refused(stop)
    return 0


def _show_unfinished(output: Output, stop: Stopped) -> None:
    """Show people what was proven by then: bounds on the value and on moves, and the best line so far."""
    if isinstance(stop, LimitReached) and stop.limit is None:
        return
    if stop.lower is not None and stop.upper is not None:
        output.say(f"Proven so far: {ends_text(output.number, stop.lower, stop.upper)}.")
    for number, (move, ends) in enumerate(stop.moves.items()):
        if number == MOST_MOVES:
            output.say(f"  … {count_text(len(stop.moves) - number, 'more move')}; --json has all")
            break
        output.say(f"  {move}: {ends_text(output.number, *ends)}")
    if stop.line:
        output.say(f"Best line so far (not proven): {' '.join(stop.line)}")


def position_answer(asked: Asked, *, moves: bool) -> Document:
    """Return the position's document; `--interval` adds proven bounds, which are equal where the value is exact."""
    return position_document(asked.solution, asked.position, moves=moves, interval=asked.output.interval)


def _respond_to_batch(request: Request, document: Callable[[Asked], Document], stopped: Unfinished) -> int:
    """Print one document per line, in the order of the lines; return the exit code of the first refusal."""
    output, code = request.output, 0
    for answer in request.answers(document):
        if not isinstance(answer, Refusal):
            output.document(answer)
            continue
        output.document(_refusal_document(answer, stopped))
        refusal = refused(answer.error, place=f"line {answer.line}")
        if isinstance(answer.error, Interrupted):
            return refusal
        code = code or refusal
    return code


def _refusal_document(refusal: Refusal, stopped: Unfinished) -> Document:
    """Return a document in place of an answer, so that input and output lines match."""
    error = refusal.error
    if refusal.position is not None and isinstance(error, Stopped):
        return stopped(refusal.position, error)
    if isinstance(error, Interrupted):
        raise error
    return error_document(error) | {"line": refusal.line}
