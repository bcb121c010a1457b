"""One answer, or a batch of them, in the form that was asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from endsight.cli.failures import refused
from endsight.cli.output import Output
from endsight.cli.request import Asked, Refusal, Request
from endsight.errors import LimitReached

if TYPE_CHECKING:
    from endsight.game import Position

__all__ = ["position_answer", "respond"]

Document = dict[str, Any]
Stopped = Callable[["Position", LimitReached], Document]


def respond(
    request: Request,
    output: Output,
    *,
    document: Callable[[Asked], Document],
    show: Callable[[Asked], None],
    rows: Callable[[Document], Iterable[Mapping[str, Any]]],
    columns: Sequence[str] = (),
    stopped: Stopped | None = None,
) -> int:
    """Answer `request` and give the exit code.

    `document` makes the JSON, `show` draws for people, `rows` takes the lines of
    `--plain` out of the document, under `columns` (default: all its keys). `stopped`
    makes the JSON of a position at which a limit stopped the work.
    """
    if output.form == "jsonl":
        return _respond_to_batch(request, output, document, stopped)
    if output.form == "people":
        request.answer(show)
    elif output.form == "plain":
        output.rows(rows(request.answer(document)), columns)
    else:
        return _respond_with_document(request, output, document, stopped)
    return 0


def position_answer(output: Output, asked: Asked, *, moves: bool) -> Document:
    """The position's document; with `--interval` its proven ends as well, equal where the value is exact."""
    from endsight.documents import position_document

    document = position_document(asked.solution, asked.position, moves=moves)
    if output.interval:
        document["lower"] = document["lower"] or document["value"]
        document["upper"] = document["upper"] or document["value"]
    return document


def _respond_with_document(
    request: Request, output: Output, document: Callable[[Asked], Document], stopped: Stopped | None
) -> int:
    position = request.starting_position()
    try:
        output.document(request.answer(document, position))
    except LimitReached as error:
        if stopped is not None:
            output.document(stopped(position, error))
        return refused(error)
    return 0


def _respond_to_batch(
    request: Request, output: Output, document: Callable[[Asked], Document], stopped: Stopped | None
) -> int:
    """One document a line, in the order of the lines; the exit code is that of the first refusal."""
    code = 0
    for answer in request.answers(document):
        if not isinstance(answer, Refusal):
            output.document(answer)
            continue
        output.document(_refusal_document(answer, stopped))
        refusal = refused(answer.error, place=f"line {answer.line}")
        code = code or refusal
    return code


def _refusal_document(refusal: Refusal, stopped: Stopped | None) -> Document:
    """What stands in the place of an answer, so that lines in and lines out stay together."""
    from endsight.documents import error_document

    if stopped is not None and refusal.position is not None and isinstance(refusal.error, LimitReached):
        return stopped(refusal.position, refusal.error)
    return error_document(refusal.error) | {"line": refusal.line}
