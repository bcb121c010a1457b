"""The designer's report: is a game fair, and is it a good one? Every number is exact or proven."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from endsight.answers.records import Column, Records, Tabular
from endsight.answers.solution import Solution
from endsight.errors import QuestionError
from endsight.game import Game
from endsight.game.limits import Limits
from endsight.game.markup import html_table, joined, paragraph
from endsight.game.numbers import Amount, is_enclosed, simplest
from endsight.naming.arguments import as_whole_game
from endsight.reporting.amounts import amount, percent
from endsight.reporting.findings import Findings
from endsight.reporting.sections import Section, left_out, seats_verdict, sections


@dataclass(frozen=True)
class Report(Tabular):
    """What a game is like for its players; as a table, one row per number.

    game      the game
    verdict   the most important findings in a sentence or two
    sections  all findings, each with a sentence and its numbers
    left_out  what does not apply or could not be found, with the reason
    notion    what best play and its values mean where they are not simply *the* best, as in `Solution.notion`, or None
    against   the report of another version of the rules, where one was asked for
    """

    game: Game
    verdict: str
    sections: tuple[Section, ...]
    left_out: Mapping[str, str]
    notion: str | None = None
    against: Report | None = None

    def __getitem__(self, key: str) -> Section:
        """The section with that key, such as `seats` or `length`."""
        return next(section for section in self.sections if section.key == key)

    @property
    def figures(self) -> dict[str, Amount]:
        """All numbers, keyed by section and name: `length.mean`."""
        return {
            f"{section.key}.{name}": number for section in self.sections for name, number in section.figures.items()
        }

    def records(self) -> Records:
        """One row per number; with another version of the rules, the numbers of both."""
        columns: list[Column] = [("section", "text"), ("figure", "text"), ("value", "number")]
        other = None if self.against is None else self.against.figures
        own = self.figures
        rows: list[tuple[Any, ...]] = [(*key.split(".", 1), own.get(key)) for key in {**own, **(other or {})}]
        if other is not None:
            columns.append(("against", "number"))
            rows = [(*row, other.get(f"{row[0]}.{row[1]}")) for row in rows]
        return Records(f"report of {self.game.title()}", columns, rows)

    def _repr_html_(self) -> str:
        rows = [(section.title, section.sentence) for section in self.sections]
        names = ["", repr(self.game)]
        if self.against is not None:
            others = {section.key: section.sentence for section in self.against.sections}
            names.append(repr(self.against.game))
            rows = [(*row, others.get(section.key, "")) for row, section in zip(rows, self.sections, strict=True)]  # type: ignore[misc]
        return joined(paragraph(self.verdict, strong=True), html_table("", names, rows))

    def __repr__(self) -> str:
        return f"<Report of {self.game!r}: {self.verdict}>"


_OPTIONS = ("engine", "symmetry", "exact", "interval", "digits", "progress")
"""The options of `solve` that leave the question as it is: a report is about best play by all."""


def report(
    game: Game | str,
    *,
    against: Game | str | None = None,
    limits: Limits | None = None,
    solution: Solution | None = None,
    **options: Any,
) -> Report:
    """The designer's report of a game, compared with another version of its rules where `against` names one.

    It covers seats and what makes them even, length, choices, mistakes, a ladder of skill, tension, luck, draws, first
    moves and useless moves; each number is exact or between proven bounds, in a plain sentence. What does not apply is
    left out with a reason. `options` are those of `endsight.solve` about how to solve: engine, symmetry, exact,
    interval, digits and progress. Best play is that of `solution` where one is given, such as a stored one; what else
    is looked at is solved in any case. Raises what `endsight.solve` raises, and `QuestionError` for other options.
    """
    others = [name for name in options if name not in _OPTIONS]
    if others:
        raise QuestionError(
            "a report is about best play by all, each for themselves, and takes no other question",
            found=", ".join(others),
            allowed=", ".join(("against", "limits", *_OPTIONS)),
        )
    other = None if against is None else report(against, limits=limits, **options)
    findings = Findings(as_whole_game(game, "report"), limits or Limits(), options, solution)
    made = tuple(sections(findings))
    verdict = _alone(findings) if findings.players == 1 else seats_verdict(findings)
    return Report(findings.game, verdict, made, left_out(findings), findings.notion, other)


def _alone(findings: Findings) -> str:
    """How far ahead a single player has to look."""
    value = findings.solution.values()[0]
    shares = {rung.policy: rung.share for rung in findings.ladder or ()}
    naive = shares.get("lookahead")
    if naive == value:
        moves = "one move" if shares.get("greedy") == value else "two moves"
        return f"Whoever looks {moves} ahead plays as well as possible."
    if naive is None or is_enclosed(naive) or is_enclosed(value) or not 0 <= naive < value:
        return f"Perfect play brings {amount(value)} points on average."
    return (
        f"Whoever looks two moves ahead gets {percent(simplest(Fraction(naive) / value))} of what perfect play brings."
    )
