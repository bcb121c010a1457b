"""Blame for exceptions raised while a game is solved: are they our fault or that of the rules?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

import click

import endsight as es
from endsight.base.waiting import is_stop
from endsight.errors import EndsightError, RulesError
from endsight.errors.rules_guard import broken_rules, exception_text, is_ours, last_place, note_rule, place_in_rules
from endsight.game import Game


@contextmanager
def blaming_rules(game: Game) -> Iterator[None]:
    """Turn an exception from somebody's own rules or policy into a `RulesError`."""
    try:
        yield
    except (EndsightError, click.ClickException, click.exceptions.Exit, MemoryError):
        raise
    except BaseException as error:
        fault = _blamed(error, game)
        if fault is None:
            raise
        raise fault from error


def _blamed(error: BaseException, game: Game) -> RulesError | None:
    """Return the error of the rules or of a policy behind an exception; None if neither is to blame."""
    if is_stop(error):
        note_rule(type(game), error)
        return None
    if place_in_rules(type(game), error)[0] is not None and not is_ours(type(game)):
        return broken_rules(type(game), error, "moves")
    if is_from_file(error):
        found = f"{exception_text(error)} ({last_place(error)})"
        return RulesError("a policy from a file does not work", found=found)
    if isinstance(error, BrokenPipeError) or is_ours(type(game)):  # nobody reads the answer any more, or it is our bug
        return None
    return _fault_of(game)


def _fault_of(game: Game) -> RulesError | None:
    """Return the first fault that a short check finds in rules that made something else fail."""
    faults = es.check_rules(game, states=2_000, seconds=2).faults
    if not faults:
        return None
    fault = faults[0]
    where = f" (state {fault.state})" if fault.state is not None else ""
    return RulesError(
        f"there is an error in the rules of {game.title()}",
        found=f"{fault.rule} {fault.message}{where}",
        advice=fault.cure,
    )


def is_from_file(error: BaseException) -> bool:
    """Return whether any frame of the traceback belongs to a file named on the command line."""
    return any(
        str(frame.f_globals.get("__name__", "")).startswith("endsight_rules_")
        for frame, _ in walk_tb(error.__traceback__)
    )
