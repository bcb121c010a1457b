"""`endsight report`: how a game feels to the people who play it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import endsight as es
from endsight.faces.cli.columns import DIM
from endsight.faces.cli.command import (
    command,
    complete_game,
    game_argument,
    limit_options,
    option,
    stored_option,
    takes,
)
from endsight.faces.cli.request import Request
from endsight.faces.documents import report_document
from endsight.faces.wording import basis, listed


@command(
    "endsight report tictactoe",
    "endsight report pots:4-9-2-7 --against pots:4-9-7-2",
)
@takes(
    game_argument,
    option("--against", "GAME", "Another version of the rules, shown side by side.", shell_complete=complete_game),
    limit_options,
    stored_option,
)
def report(request: Request, against: str | None) -> None:
    """Is the game fair and fun? A report for designers.

    Who is ahead, and what would make the game even; how long it takes, how often players
    have a choice, what mistakes cost, what skill is worth, how much is luck, and more. Every
    number is exact or proven, and explained in a sentence. With --from, best play is read from
    the folder; seats against weaker players and changed games are solved all the same.
    """
    other = None if against is None else replace(request, game=against).loaded.whole("report")
    game = request.loaded.whole("report")
    with request.working(game) as progress:
        solution = None if request.stored is None else request.solve(game, progress=progress)
        answer = es.report(game, against=other, limits=request.limits, solution=solution, progress=progress)
    columns = ("section", "figure", "value", *(("against",) if other else ()), "sentence")
    request.output.answer(
        report_document(answer), lambda: _show(request, against, answer), lambda _: _rows(answer), columns
    )


def _rows(report: es.Report) -> list[dict[str, Any]]:
    """Return one row per number, with the sentence of its section; with another version, also the number there."""
    sentences = {section.key: section.sentence for section in report.sections}
    return [row | {"sentence": sentences.get(row["section"])} for row in report.to_dicts()]


def _show(request: Request, against: str | None, report: es.Report) -> None:
    screen, title = request.output.screen, request.loaded.title
    screen.title(title, "" if against is None else f" beside {against}")
    screen.line()
    screen.paragraph(report.verdict)
    rows = [(section.title, section.sentence) for section in report.sections]
    if report.against is not None:
        screen.paragraph(f"{against}: {report.against.verdict}")
        rows = list(_side_by_side(title, report, str(against), report.against))
    screen.line()
    screen.pairs(rows)
    if report.left_out:
        screen.line()
    for reason in dict.fromkeys(report.left_out.values()):
        left = listed(title for title, why in report.left_out.items() if why == reason)
        screen.line(f"Left out: {left} ({reason}).", DIM)
    for note in basis(report.game, report.notion, None if report.against is None else report.against.notion):
        screen.apart(note, DIM)


def _side_by_side(title: str, report: es.Report, against: str, other: es.Report) -> Iterator[tuple[str, str]]:
    """Yield the sentences of two versions, only once where both have the same."""
    own, others = ({section.title: section.sentence for section in each.sections} for each in (report, other))
    for section in dict.fromkeys((*own, *others)):
        one, two = own.get(section), others.get(section)
        if one == two:
            yield section, f"Both: {one}"
            continue
        sentences = [(title, one)] if one else []
        sentences += [(against, two)] if two else []
        for number, (name, sentence) in enumerate(sentences):
            yield "" if number else section, f"{name}: {sentence}"
