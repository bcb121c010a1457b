"""Exceptions met while a game was solved: whose fault are they, ours or the rules'?"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import TYPE_CHECKING

import click

from endsight.errors import EndsightError, RulesError
from endsight.waiting import is_stop

if TYPE_CHECKING:
    from endsight.game import Game

__all__ = ["blaming_rules", "is_from_file"]


@contextmanager
def blaming_rules(game: Game) -> Iterator[None]:
    """Turn an exception that comes out of somebody's own rules or policy into a `RulesError`."""
    try:
        yield
    except (EndsightError, click.ClickException, click.exceptions.Exit, MemoryError):
        raise
    except BaseException as error:
        from endsight.rules_guard import broken_rules, exception_text, is_ours, last_place, note_rule, place_in_rules

        if is_stop(error):
            note_rule(type(game), error)
            raise

        if place_in_rules(type(game), error)[0] is not None and not is_ours(type(game)):
            raise broken_rules(type(game), error, "moves") from error
        if is_from_file(error):
            raise RulesError(
                "a policy from a file does not work", found=f"{exception_text(error)} ({last_place(error)})"
            ) from error
        if isinstance(error, BrokenPipeError):  # nobody reads the answer any more
            raise
        if not is_ours(type(game)) and (fault := _fault_of(game)) is not None:
            raise fault from error
        raise


def _fault_of(game: Game) -> RulesError | None:
    """What a short check finds wrong with rules that made something else fail."""
    from endsight.rules_check import check_rules

    faults = check_rules(game, states=2_000, seconds=2).faults
    if not faults:
        return None
    fault = faults[0]
    where = f" (state {fault.state})" if fault.state is not None else ""
    return RulesError(
        f"{game.title()}: the rules break their contract",
        found=f"{fault.rule} {fault.message}{where}",
        advice=fault.cure,
    )


def is_from_file(error: BaseException) -> bool:
    """Whether any frame of the traceback belongs to a file that was named on the command line."""
    return any(
        str(frame.f_globals.get("__name__", "")).startswith("endsight_rules_")
        for frame, _ in walk_tb(error.__traceback__)
    )
