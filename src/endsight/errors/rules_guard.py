"""Exceptions inside a user's rules, turned into messages that name the rule and the line."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dis import opmap
from inspect import unwrap
from traceback import extract_tb, walk_tb
from typing import TYPE_CHECKING, Any

from endsight.base.machine import memory_to_ask_for
from endsight.base.shortened import shortened
from endsight.base.waiting import is_stop
from endsight.errors import EndsightError, RulesError
from endsight.game.protocol import declaration, misfit

if TYPE_CHECKING:
    from endsight.game import Game

_RAISES = opmap["RAISE_VARARGS"]


@contextmanager
def guarded(rules: type[Game], rule: str) -> Iterator[None]:
    """Let errors of this package, Ctrl-C and the end of memory pass; turn any other exception into a `RulesError`.

    `rule` is the method to blame if the traceback does not show it.
    """
    try:
        yield
    except (EndsightError, MemoryError):
        raise
    except BaseException as error:
        if is_stop(error):
            note_rule(rules, error)
            raise
        raise broken_rules(rules, error, rule) from error


def pass_on_limit(error: BaseException) -> None:
    """Raise the error again if this process reached its limit of memory; rules may also raise such an error."""
    if not isinstance(error, MemoryError) or memory_to_ask_for() is None:
        return
    last = error.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or last.tb_frame.f_code.co_code[last.tb_lasti] != _RAISES:
        raise error


def broken_rules(rules: type[Game], error: BaseException, rule: str) -> RulesError:
    """The `RulesError` for an exception from a game's own methods."""
    method, place = place_in_rules(rules, error)
    is_misfit = method is not None and method == misfit_in(rules, error)
    return RulesError(
        f"{rules.title()}: the rule {method or rule!r} does not work",
        found=f"{exception_text(error)}{f' ({place})' if place else ''}",
        allowed=declaration(method) if is_misfit and method else None,
        advice=None if is_misfit else "endsight check shows in which position",
    )


def exception_text(error: BaseException) -> str:
    """Kind and first line of the text of an exception, shortened."""
    try:
        lines = str(error).splitlines()
    except Exception:  # an exception's own __str__ may be broken too
        lines = []
    text = lines[0] if lines else ""
    return type(error).__name__ + (f": {text if len(text) <= 200 else text[:199] + '…'}" if text else "")


def place_in_rules(rules: type[Game], error: BaseException) -> tuple[str | None, str | None]:
    """The method of the rules that was called, and `file.py, line N` where it failed.

    The method is the outermost one of the rules' own files in the traceback, the line
    the innermost. For a rule that takes other arguments than it gets, it is where the rule begins.
    """
    # Games that this package makes from rules are nobody's own.
    bases = [base for base in rules.__mro__ if not re.match(r"endsight\.(game$|graph\.)", base.__module__)]
    files = {_file_of(base) for base in bases} - {None}
    frames = [(frame.f_code, line) for frame, line in walk_tb(error.__traceback__) if frame.f_code.co_filename in files]
    if not frames:
        wrong = misfit_in(rules, error)
        return (None, last_place(error)) if wrong is None else (wrong, place_of(rules, wrong))
    names = (code.co_name for code, _ in frames)
    method = next((name for name in names if hasattr(rules, name) and not name.startswith("__")), None)
    code, line = frames[-1]
    return method, f"{os.path.basename(code.co_filename)}, line {line}"


def misfit_in(rules: type[Game], error: BaseException) -> str | None:
    """The rule that failed because it takes other arguments than it gets; None for none."""
    if not isinstance(error, TypeError):
        return None
    wrong = misfit(rules)
    return wrong if wrong is not None and f"{wrong}()" in str(error) else None


def place_of(rules: type[Game], rule: str) -> str | None:
    """`file.py, line N` where a rule begins; None if it is not written in Python, or not defined."""
    function: Any = unwrap(getattr(rules, rule, None))  # type: ignore[arg-type]
    code = getattr(function, "__code__", None)
    if code is None or function.__module__ == "endsight.game":
        return None
    return f"{os.path.basename(code.co_filename)}, line {code.co_firstlineno}"


def note_rule(rules: type[Game], stop: Any) -> None:
    """Note on a stop which of the user's rules was running."""
    method, place = (None, None) if is_ours(rules) else place_in_rules(rules, stop)
    if method is not None and getattr(stop, "rule", None) is None:
        stop.rule = f"in the rule {method!r} ({place})"


def is_ours(rules: type[Game]) -> bool:
    """Whether these are rules that come with the package."""
    return rules.__module__.startswith("endsight.games.")


def brief(value: Any) -> str:
    """A value for a message."""
    try:
        text = repr(value)
    except Exception:  # a user's __repr__ may fail, and a number may be too long to print
        text = f"a {type(value).__name__}"
    return shortened(text, 80)


def last_place(error: BaseException) -> str | None:
    """`file.py, line N` of the innermost frame."""
    trace = extract_tb(error.__traceback__)
    return f"{os.path.basename(trace[-1].filename)}, line {trace[-1].lineno}" if trace else None


def _file_of(kind: type) -> str | None:
    return getattr(sys.modules.get(kind.__module__), "__file__", None)
