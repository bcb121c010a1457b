"""The designer's report as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.faces.documents import amount_document, parameters_document

if TYPE_CHECKING:
    from endsight.reporting.report import Report


def report_document(report: Report) -> dict[str, Any]:
    """Return `endsight.report/1`: the verdict, sections with sentences and numbers, and the other version beside it."""
    document: dict[str, Any] = {
        "schema": "endsight.report/1",
        "game": report.game.title(),
        "params": parameters_document(report.game),
        "players": list(report.game.player_names),
        "verdict": report.verdict,
        "sections": [
            vars(section) | {"figures": {name: amount_document(number) for name, number in section.figures.items()}}
            for section in report.sections
        ],
        "left_out": [{"title": title, "reason": reason} for title, reason in report.left_out.items()],
        "notion": report.notion,
    }
    return document if report.against is None else document | {"against": report_document(report.against)}


def report_rows(report: Report) -> list[dict[str, Any]]:
    """Return one row per number, with the sentence of its section; with another version, also the number there."""
    sentences = {section.key: section.sentence for section in report.sections}
    return [row | {"sentence": sentences.get(row["section"])} for row in report.to_dicts()]
