"""How a command ends when it cannot answer: a message on the standard error, and an exit code.

0 answered; 1 our bug; 2 usage; 3 bad input; 4 a claim or rules found wrong;
5 stopped by a limit; 130 Ctrl-C.
"""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb
from typing import TYPE_CHECKING

import click

from endsight.cli.streams import say_error
from endsight.errors import EndsightError, LimitReached, RulesError, UsageError

if TYPE_CHECKING:
    from endsight.game import Game

__all__ = ["blaming_rules", "refused", "report"]

INTERRUPTED = 130


def report(error: BaseException, *, debug: bool) -> int:
    """Print what went wrong (with `debug`, the traceback before it) and give the exit code."""
    if isinstance(error, SystemExit):
        return error.code if isinstance(error.code, int) else 0
    if _is_interrupt(error):
        say_error("stopped")
        return INTERRUPTED
    if debug:
        say_error("".join(traceback.format_exception(error)).rstrip())
    return refused(_as_known(error))


def refused(error: EndsightError, *, place: str | None = None) -> int:
    """Say why there is no answer (in `place`, of several), and give the exit code."""
    say_error(f"error: {place}: {error}" if place else f"error: {error}")
    return error.exit_code


def _is_interrupt(error: BaseException) -> bool:
    # click turns Ctrl-C, and the end of the input at a prompt, into Abort.
    return isinstance(error, KeyboardInterrupt | click.Abort)


def _as_known(error: BaseException) -> EndsightError:
    if isinstance(error, EndsightError):
        return error
    if isinstance(error, click.ClickException):
        return _from_click(error)
    if isinstance(error, MemoryError):
        return LimitReached("stopped: there is no more memory", advice="a later position, or smaller parameters")
    first = (str(error).splitlines() or [""])[0][:300]
    return EndsightError(
        "this is a bug in endsight, not in your question",
        found=f"{type(error).__name__}: {first}",
        advice="the same command with --debug, and report what it prints",
    )


def _from_click(error: click.ClickException) -> UsageError:
    """A parser's complaint in the words and with the exit code of all others."""
    message = error.message.strip() if error.message else error.format_message().strip()
    if isinstance(error, click.MissingParameter | click.BadParameter):
        message = error.format_message().strip()
    close = getattr(error, "possibilities", None)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "endsight"
    return UsageError(
        _lower_first(message).rstrip("."), advice=(f"{close[0]}, or " if close else "") + f"{path} --help"
    )


def _lower_first(text: str) -> str:
    return text[:1].lower() + text[1:]


@contextmanager
def blaming_rules(game: Game) -> Iterator[None]:
    """Turn an exception that comes out of somebody's own rules or policy into a `RulesError`."""
    try:
        yield
    except (EndsightError, click.ClickException, MemoryError, BrokenPipeError):
        raise
    except (Exception, SystemExit) as error:
        from endsight.rules_guard import broken_rules, exception_text, last_place, place_in_rules

        if place_in_rules(type(game), error)[0] is not None and not _is_built_in(game):
            raise broken_rules(type(game), error, "moves") from error
        if _is_from_file(error):
            raise RulesError(
                "a policy from a file does not work", found=f"{exception_text(error)} ({last_place(error)})"
            ) from error
        if not _is_built_in(game) and (fault := _fault_of(game)) is not None:
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


def _is_built_in(game: Game) -> bool:
    return type(game).__module__.startswith("endsight.games.")


def _is_from_file(error: BaseException) -> bool:
    """Whether any frame of the traceback belongs to a file that was named on the command line."""
    return any(
        str(frame.f_globals.get("__name__", "")).startswith("endsight_rules_")
        for frame, _ in walk_tb(error.__traceback__)
    )
