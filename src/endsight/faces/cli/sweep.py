"""`endsight sweep`: the value as a parameter varies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from endsight.answers.explanation import Sample
from endsight.answers.explanation import sweep as sweep_samples
from endsight.base.alarm import holding_alarm
from endsight.errors import EndsightError, LimitReached
from endsight.faces.blaming import blaming_rules
from endsight.faces.cli.columns import Column
from endsight.faces.cli.command import command, number_options, takes, varying
from endsight.faces.cli.progress import ProgressLine, progress_line
from endsight.faces.cli.render import draw_next
from endsight.faces.cli.request import Request
from endsight.faces.documents import sweep_document, sweep_row
from endsight.faces.wording import Write
from endsight.game import Game
from endsight.game.field_texts import value_text
from endsight.game.titles import shown_value
from endsight.naming.class_names import game_title
from endsight.naming.specification import lacking, settings


@command(
    "endsight sweep repeatbust --vary sides=2..8",
    "endsight sweep nim --vary heaps=1-2,1-3,2-2 --json",
)
@takes(varying, number_options)
def sweep(request: Request, vary: str) -> int:
    """Show how the value at the start depends on a parameter.

    --time limits all values together, --states each one separately. A setting that is
    stopped, refused by the rules or has no value gets a row that says so. Rows are printed
    as they are found; --json waits for the last one, and after Ctrl-C, or an error in the
    rules, holds the rows found by then.
    """
    request = completed(request, vary)
    game = request.loaded.whole("sweep")
    key, values = settings(game, vary)
    done: list[Sample] = []
    try:
        with progress_line(request.output.quiet) as progress:
            _print(request, key, values, _samples(request, key, values, done, progress))
    except (EndsightError, KeyboardInterrupt):
        if 0 < len(done) < len(values) and request.output.form == "json":
            with holding_alarm():
                _print(request, key, values, done)
        raise
    return LimitReached.exit_code if any(sample.is_stopped for sample in done) else 0


def _samples(
    request: Request, key: str, values: list[Any], done: list[Sample], progress: ProgressLine | None
) -> Iterator[Sample]:
    """Yield the samples one by one, record them in `done`, and wipe the line of progress before each.

    An error that ends the sweep names the setting where it occurred.
    """

    def solve(instance: Game) -> Any:
        request.look()
        return request.solve(instance, progress=progress)

    samples = sweep_samples(request.loaded.game, key, values, solve)
    for setting in values:
        try:
            with blaming_rules(request.loaded.game):
                sample = next(samples)
        except EndsightError as error:
            error.message = f"{key}={shown_value(setting)}: {error.message}"
            raise
        done.append(sample)
        if progress is not None:
            progress.wipe()
        yield sample


def completed(request: Request, vary: str) -> Request:
    """Return the request with the one parameter that it lacks filled in from the values to come."""
    key, equals, values = (part.strip() for part in vary.partition("="))
    if not equals or "@" in request.game or lacking(request.game) != [key]:
        return request
    first = re.split(r"\.\.|,", values)[0]
    return replace(request, game=f"{request.game}{',' if ':' in request.game else ':'}{key}={first}")


def _print(request: Request, key: str, values: list[Any], samples: Iterable[Sample]) -> None:
    """Write the samples in the requested form; except for JSON, each one as soon as it is ready."""
    output = request.output
    if output.form == "people":
        _draw(request, key, values, samples)
    elif output.form == "plain":
        rows = (sweep_row(key, sample) | {key: value_text(sample.setting)} for sample in samples)
        output.rows(rows, (key, "status", "value", "message"))
    else:
        output.document(sweep_document(request.loaded.game, request.question(), key, samples))


def _draw(request: Request, key: str, values: list[Any], samples: Iterable[Sample]) -> None:
    screen = request.output.screen
    names = request.loaded.game.player_names
    widest = max(len(shown_value(value)) for value in values)
    columns = [Column(key, "right", least=max(len(key), widest))]
    columns += [Column(name if len(names) > 1 else "value", least=12) for name in names]
    columns += [Column(fit="wrap")]
    is_first = True
    for sample in samples:
        if is_first:
            screen.title(game_title(request.game), f" · value at the start against {key}")
            screen.line()
        columns = draw_next(request.output, columns, sample, partial(_cells, names), is_first=is_first)
        is_first = False


def _cells(names: Sequence[str], sample: Sample, write: Write) -> list[str]:
    values = [""] * len(names) if sample.solution is None else map(write, sample.solution.values())
    return [shown_value(sample.setting), *values, "" if sample.message is None else f"no value: {sample.message}"]
