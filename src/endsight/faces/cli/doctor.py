"""`endsight doctor`: versions, extras, caches, machine, and any problems."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from endsight.faces.cli.command import command, flag, takes
from endsight.faces.cli.output import BEST, WORSE, Column, Output
from endsight.faces.doctor import Package, Report, examine
from endsight.faces.doctor import clear_cache as clear
from endsight.faces.wording import bytes_text
from endsight.game.numbers import count_text


@command("endsight doctor", "endsight doctor --clear-cache")
@takes(flag("--clear-cache", "Delete the cache of compiled rules."))
def doctor(output: Output, clear_cache: bool) -> None:
    """Check the installation and suggest fixes."""
    freed = clear() if clear_cache else None
    report = examine()
    document = _document(report, freed)
    output.answer(document, lambda: _draw(output, report, freed), lambda document: document["packages"])


def _document(report: Report, freed: int | None = None) -> dict[str, Any]:
    """Return `endsight.doctor/1`: versions, extras, caches, memory, cores, and problems with their cures."""
    document = {"schema": "endsight.doctor/1", **asdict(report)}
    document["packages"] = [asdict(package) | {"sufficient": package.is_sufficient} for package in report.packages]
    return document if freed is None else document | {"freed": freed}


def _draw(output: Output, report: Report, freed: int | None) -> None:
    screen = output.screen
    cache = report.cache
    screen.title(f"endsight {report.version}", f" · {report.python} · {report.system}")
    screen.line()
    rows = [(package.name, _state(package)) for package in report.packages if package.extra is None]
    rows += [
        ("memory", f"{bytes_text(report.memory['free'])} free of {bytes_text(report.memory['total'])}"),
        ("cores", str(report.cores)),
        ("cache", f"{bytes_text(cache.bytes)} in {count_text(cache.files, 'file')}, {cache.folder}"),
    ]
    screen.pairs(rows)
    extras = [(f"[{each.extra}]", each.name, _state(each)) for each in report.packages if each.extra is not None]
    if extras:
        screen.apart("optional extras:")
        screen.table([Column(), Column(), Column()], extras)
    screen.line()
    if freed is not None:
        screen.line(f"Cleared the cache: {bytes_text(freed)} freed.")
    for problem in report.problems:
        screen.line(f"problem: {problem.message}", WORSE)
        screen.line(f"cure: {problem.cure}", indent=2)
    if not report.problems:
        screen.line("No problems found.", BEST)


def _state(package: Package) -> str:
    if package.version is None:
        return "not installed"
    return package.version if package.is_sufficient else f"{package.version}, needs {package.least}"
