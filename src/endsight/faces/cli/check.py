"""`endsight check`: do the rules follow the contract of `endsight.Game`?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from endsight.answers.unfinished import as_stopped
from endsight.base.alarm import give_time
from endsight.errors import LimitReached, RulesError
from endsight.faces.blaming import blaming_rules
from endsight.faces.cli.columns import BEST, STRONG, WORSE
from endsight.faces.cli.command import STATES, command, cost_options, game_argument, option, takes
from endsight.faces.cli.failures import refused
from endsight.faces.cli.hash_seeds import depends_on_hashes
from endsight.faces.cli.output import Output
from endsight.faces.cli.request import Request
from endsight.faces.wording import endless_text, fact_text, rough_count
from endsight.game import Game
from endsight.game.limits import Budget
from endsight.game.numbers import count_text
from endsight.naming.class_names import game_title
from endsight.naming.specification import load_rules
from endsight.rules_check.check import CheckReport, RulesCheck

BROKEN = 4
_SHARE = 0.7
"""The share of the time for examining states; the rest is for claims about all of them, and for the report."""
FAULT_COLUMNS = ("rule", "state", "message", "cure", "count", "place")


@command(
    "endsight check mygame.py:MyGame",
    "endsight check dodgem --states 1e3",
)
@takes(
    game_argument,
    cost_options,
    option("--states", "COUNT", "Check at most COUNT states (default 20000).", STATES),
)
def check(request: Request) -> int:
    """Check the rules of a game for errors.

    Checks determinism, weights, limits, payoffs, symmetry claims, texts and size. Rules that use
    sets are run again in other processes, because the order of a set of texts differs between processes.

    The exit code is 4 if there is an error; every error is listed with the state where it
    occurs and what to do about it. A game without errors may still have no value, because of
    loops: the report says so, and why. Where a limit or Ctrl-C stops the check, the report is
    about what was checked by then.
    """
    states = {} if request.limits.states is None else {"states": request.limits.states}
    try:
        game = load_rules(request.game)
        budget = Budget(request.limits)
        seconds = None if budget.seconds_left is None else _SHARE * budget.seconds_left
        checking = RulesCheck(game, budget, seconds=seconds, **states)
        try:
            with blaming_rules(game):
                checking.run()
                report = checking.report()
                if report.is_sound:
                    report = _with_hashes(request.game, game, report, seconds)
        except (LimitReached, KeyboardInterrupt, MemoryError) as error:
            return _tell_unfinished(request, checking, error)
    except RulesError as error:
        refused(error)
        return BROKEN
    _tell(request, report)
    return 0 if report.is_sound else BROKEN


def _tell_unfinished(
    request: Request, checking: RulesCheck, error: LimitReached | KeyboardInterrupt | MemoryError
) -> int:
    """Tell what was checked by the time of a stop, and return its exit code."""
    give_time(None)
    checking.budget.states = len(checking.nodes)
    stop = as_stopped(error, checking.budget)
    if isinstance(stop, LimitReached) and stop.limit == "memory":
        stop.otherwise = "check less of the game: --states"
    _tell(request, checking.report(stop.args[0]))
    return refused(stop)


def _tell(request: Request, report: CheckReport) -> None:
    request.output.answer(
        report.to_document(),
        lambda: _draw(request.output, request.game, report),
        lambda document: [*document["faults"], *document["warnings"]],
        FAULT_COLUMNS,
    )


def _with_hashes(spec: str, game: Game, report: CheckReport, seconds: float | None) -> CheckReport:
    """Return the report with the fault that only another process shows, or a warning that no process could be asked."""
    fault, unseen = depends_on_hashes(spec, game, seconds)
    if fault is not None:
        return replace(report, faults=(fault,))
    return report if unseen is None else replace(report, warnings=(*report.warnings, unseen))


def _draw(output: Output, spec: str, report: CheckReport) -> None:
    screen = output.screen
    screen.title(game_title(spec), f" · {_extent(report)}")
    for title, faults, style in (("error", report.faults, WORSE), ("warning", report.warnings, STRONG)):
        for fault in faults:
            screen.line()
            where = f", in the state {fault.state}" if fault.state is not None else ""
            again = f" (and {fault.again})" if fault.count > 1 else ""
            screen.line(f"{title}: {fault.rule} {fault.message}{where}{again}", style)
            screen.line(f"cure: {fault.cure}", indent=2)
            if fault.place is not None:
                screen.line(f"place: {fault.place}", indent=2)
    screen.line()
    _draw_facts(output, report)
    screen.line()
    _draw_outlook(output, report)
    if report.stopped is not None:
        found = count_text(len(report.faults), "error") if report.faults else "No problems"
        screen.line(f"{found} found by then: the check was not done.", WORSE if report.faults else STRONG)
    elif report.is_sound:
        is_whole = report.complete and (report.facts["views"] is None or report.facts["views"]["complete"])
        extent = "." if is_whole else " in the positions checked."
        if report.warnings:
            screen.line(f"No errors, {count_text(len(report.warnings), 'warning')}{extent}", STRONG)
        else:
            screen.line(f"No problems found{extent}", BEST)
    else:
        screen.line(f"{count_text(len(report.faults), 'error')} found in the rules.", WORSE)


def _draw_outlook(output: Output, report: CheckReport) -> None:
    """Draw what each player sees, and whether a value can be given."""
    screen, value = output.screen, report.value
    if report.sight is not None:
        screen.line(report.sight)
    if value is None:
        return
    if value.notion is not None:
        screen.line(f"endsight reports {value.notion}.")
    elif value.reason is None:
        screen.line("The game has a value" + ("." if value.complete else " as far as it was checked."))
    else:
        screen.line(f"endsight reports no value: {value.reason.message}", STRONG)
        screen.line(f"found: {value.reason.found}", indent=2)
        screen.line(f"try: {value.reason.advice}", indent=2)


def _extent(report: CheckReport) -> str:
    if report.complete:
        count = count_text(report.states, "state")
        return f"checked all {count}" if report.states > 1 else "checked its only state"
    return f"checked {count_text(report.states, 'state')} of more"


def _draw_facts(output: Output, report: CheckReport) -> None:
    facts = dict(report.facts)
    fields = facts.pop("fields", {})
    ends, endless, views = facts.pop("positions", None), facts.pop("endless"), facts.pop("views")
    least, pairs, whole, half = (facts.pop(f"symmetry_{name}") for name in ("plies", "pairs", "whole", "half"))
    if facts["symmetry"] is not None and pairs is not None:
        facts["symmetry_compared"] = _compared(least, pairs, whole, half)
    rows = [
        (name.replace("_", " "), f"{fact:,}" if type(fact) is int else fact_text(fact, output.number))
        for name, fact in facts.items()
        if fact is not None
    ]
    if endless is not None:
        rows.append(("endless play", f"pays {endless_text({name: output.number(it) for name, it in endless.items()})}"))
    if ends is not None:
        low, high = ends
        counted = f"{low:,}" if low == high else f"between {rough_count(low)} and {rough_count(high)}"
        rows.append(("positions", counted))
    rows += [
        (f"field {name}", ", ".join(met) if isinstance(met[0], str) else f"{met[0]} to {met[1]}")
        for name, met in fields.items()
    ]
    rows += [] if views is None else _view_rows(views)
    output.screen.pairs(rows)


def _view_rows(views: dict[str, Any]) -> list[tuple[str, str]]:
    """Return what players see, and how much there is to plan for."""
    most = "" if views["complete"] else "at least "
    sizes = [
        (title, ", ".join(f"{most}{count:,} of {name}" for name, count in views[key].items()))
        for title, key in (("information sets", "sets"), ("sequences", "sequences"))
    ]
    widest = [] if views["widest_belief"] is None else [("widest belief", f"{views['widest_belief']:,}")]
    notes = [(title, "yes" if views[key] else f"no{meaning}") for key, (title, meaning) in _VIEWS.items()]
    counts = [(title, f"{most}{views[title]:,}") for title in ("histories", "payoffs")]
    return notes + sizes + counts + widest


_VIEWS = {
    "common": ("common view", ""),
    "remember": ("views remember", ": the newest thing seen does not tell all before it; sets are counted by history"),
    "turns_seen": ("turns are seen", ": being asked to move tells more than sees does"),
    "own_moves_seen": ("own moves seen", ": sees forgets some, and they are remembered all the same"),
}
"""Fact of views -> its title, and the consequence where it does not hold."""


def _compared(least: int | None, pairs: int, ended: int, half: int | None) -> str:
    """Say how many states were compared with their canonical ones, and how far ahead."""
    count = count_text(pairs, "state")
    if least is None:
        return f"{count}, to the end of play"
    middle = "to the end" if half is None else f"{count_text(half, 'ply')} ahead or more"
    return f"{count}: {ended:,} to the end of play, half of all {middle}, every one {count_text(least, 'ply')} at least"
