"""How a command ends when it cannot answer: a message on standard error, and an exit code.

0 answered; 1 our bug; 2 usage; 3 bad input; 4 a claim or rules proved wrong;
5 stopped by a limit; 130 Ctrl-C.
"""

from __future__ import annotations

import sys
import traceback
import warnings
from traceback import walk_tb
from typing import Any, cast

import click

from endsight.base.waiting import interrupt_came, is_stop
from endsight.errors import EndsightError, Interrupted, LimitReached, RulesError, UsageError
from endsight.errors.rules_guard import exception_text, last_place
from endsight.faces.blaming import is_from_file
from endsight.faces.cli.streams import say_error
from endsight.game.numbers import count_text

INTERRUPTED = 130
_USUAL_DEPTH = 1000
"""Python's own recursion limit."""
_OPTIONS = {"seconds": "--time", "memory": "--memory", "states": "--states"}


def report(error: BaseException, *, debug: bool) -> int:
    """Print the error (with `debug`, after its traceback) and return the exit code."""
    if isinstance(error, SystemExit) and not is_from_file(error):
        return error.code if isinstance(error.code, int) else 0
    if isinstance(error, Interrupted):
        return refused(error)
    is_ctrl_c = isinstance(error, click.Abort) or (isinstance(error, KeyboardInterrupt) and is_stop(error))
    if is_ctrl_c or (interrupt_came() and _is_of_loading(error)):
        say_error("stopped by Ctrl-C")
        return INTERRUPTED
    if debug:
        say_error(*"".join(traceback.format_exception(error)).rstrip().split("\n"))
    return refused(_as_known(error))


def _is_of_loading(error: BaseException) -> bool:
    """Whether the error ended the loading of a module."""
    frames = walk_tb(error.__traceback__)
    return isinstance(error, ImportError) or any(frame.f_code.co_name == "<module>" for frame, _ in frames)


def refused(error: EndsightError | Interrupted, *, place: str | None = None) -> int:
    """Say why there is no answer (in `place`, if there are several), and return the exit code."""
    if isinstance(error, Interrupted):
        after = f"after {count_text(error.states, 'state')}" if error.states else None
        say_error(" ".join(filter(None, (str(error), after, error.rule))))
        return INTERRUPTED
    if isinstance(error, LimitReached):
        _advise_options(error)
    say_error(*(f"error: {place}: {error}" if place else f"error: {error}").split("\n"))
    if isinstance(error, LimitReached) and error.refused is not None:
        say_error(f"note: the rules were not compiled: {error.refused}")
    return error.exit_code


def tell_warnings(*, is_quiet: bool = False) -> None:
    """Print Python's warnings about somebody's rules in the form of our messages, and our own without a place."""
    warnings.showwarning = cast("Any", _hide_warning if is_quiet else _show_warning)
    sys.unraisablehook = _show_ignored


def _show_warning(message: Warning | str, kind: type[Warning], file: str, line: int, *_rest: object) -> None:
    place = "" if kind.__module__.partition(".")[0] == "endsight" else f"{file}, line {line}: "
    say_error(f"warning: {place}{message}")


def _hide_warning(*_about: object) -> None:
    pass


def _show_ignored(ignored: Any) -> None:
    say_error(f"warning: an exception was ignored: {type(ignored.exc_value).__name__}: {ignored.exc_value}")


def memory_is_out(error: MemoryError) -> LimitReached:
    """Return the stop at the end of memory, without what took it."""
    traceback.clear_frames(error.__traceback__)  # the frames hold whatever took the memory
    return LimitReached("stopped: there is no more memory", advice="ask about a later position", limit="memory")


def _advise_options(error: LimitReached) -> None:
    """Name the option that raises the limit, if the error names a field of `Limits`."""
    if error.limit is not None:
        error.advice = ", or ".join(filter(None, (f"raise {_OPTIONS[error.limit]}", error.otherwise)))


def _as_known(error: BaseException) -> EndsightError:
    if isinstance(error, EndsightError):
        return error
    if isinstance(error, click.ClickException):
        return _from_click(error)
    if isinstance(error, MemoryError):
        return memory_is_out(error)
    if isinstance(error, RecursionError) and sys.getrecursionlimit() < _USUAL_DEPTH:
        return RulesError("the rules set the recursion limit too low", found=f"a limit of {sys.getrecursionlimit()}")
    if is_from_file(error):
        return RulesError("the rules do not work", found=f"{exception_text(error)} ({last_place(error)})")
    return EndsightError(
        "this is a bug in endsight, not in your question",
        found=exception_text(error),
        advice="run the same command with --debug, and report what it prints",
    )


def _from_click(error: click.ClickException) -> UsageError:
    """Put a parser's complaint into our wording, with our exit code."""
    message = error.message.strip() if error.message else error.format_message().strip()
    if isinstance(error, click.MissingParameter | click.BadParameter):
        message = error.format_message().strip()
    choices = _missing_choices(error)
    if choices is not None:
        message = message.partition(" Choose from")[0]
    close = getattr(error, "possibilities", None)
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "endsight"
    return UsageError(
        (message[:1].lower() + message[1:]).rstrip("."),
        allowed=choices,
        advice=(f"{close[0]}, or " if close else "") + f"{path} --help",
    )


def _missing_choices(error: click.ClickException) -> str | None:
    """List the possible values where one of several words is missing; None for other errors."""
    kind = error.param.type if isinstance(error, click.MissingParameter) and error.param else None
    return ", ".join(kind.choices) if isinstance(kind, click.Choice) else None
