"""The designer's report as a document."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.faces.documents import amount_document, parameters_document

if TYPE_CHECKING:
    from endsight.reporting.report import Report


def report_document(found: Report) -> dict[str, Any]:
    """Return `endsight.report/1`: the verdict, sections with sentences and numbers, and the other version beside it."""
    document: dict[str, Any] = {
        "schema": "endsight.report/1",
        "game": found.game.title(),
        "params": parameters_document(found.game),
        "players": list(found.game.player_names),
        "verdict": found.verdict,
        "sections": [
            {
                "key": section.key,
                "title": section.title,
                "sentence": section.sentence,
                "figures": {name: amount_document(number) for name, number in section.figures.items()},
            }
            for section in found.sections
        ],
        "left_out": [{"title": title, "reason": reason} for title, reason in found.left_out.items()],
        "notion": found.notion,
    }
    return document if found.against is None else document | {"against": report_document(found.against)}


def report_rows(found: Report) -> list[dict[str, Any]]:
    """Return one row per number, with the sentence of its section; with another version, also the number there."""
    sentences = {section.key: section.sentence for section in found.sections}
    return [row | {"sentence": sentences.get(row["section"])} for row in found.to_dicts()]
