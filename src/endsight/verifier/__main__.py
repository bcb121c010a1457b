"""`python -m endsight.verifier FILE [file.py:Class]`: is the claim of a certificate true?"""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from contextlib import redirect_stdout, suppress
from importlib import import_module
from typing import Any

from endsight.faults import EndsightError, FileError, Wrong
from endsight.printable import printable_lines
from endsight.verifier.certificate import Certificate, describe
from endsight.verifier.checking import verify
from endsight.verifier.rules import load
from endsight.verifier.words import verdict_document, verdict_text

__all__ = ["main"]

STOPPED = 5
"""The exit code where a limit stopped the work."""
UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "KB": 10**3, "MB": 10**6, "GB": 10**9}


def main(arguments: Sequence[str]) -> int:
    """Check the file that the arguments name, say what was checked, and give the exit code."""
    parser = ArgumentParser(
        "python -m endsight.verifier", description="0: proven, 4: wrong, 3: unreadable, 5: stopped."
    )
    parser.add_argument("file", metavar="FILE", help="one certificate")
    parser.add_argument("rules", nargs="?", metavar="file.py:Class", help="rules that are not built in; they are run")
    parser.add_argument("--time", type=_amount, metavar="TIME", help="stop after that long: 30s, 2m")
    parser.add_argument("--memory", type=_amount, metavar="SIZE", help="stop past that: 2GB")
    given = parser.parse_args(arguments)
    memory = [] if given.memory is None else [f"--memory={given.memory}"]
    if given.time is not None:  # another process does the work, and is ended in time
        again = [sys.executable, "-m", "endsight.verifier", *memory, "--", given.file, *filter(None, [given.rules])]
        with suppress(subprocess.TimeoutExpired):
            code = subprocess.run(again, timeout=given.time, check=False).returncode
            return code if code >= 0 else STOPPED
        return _say("error: stopped: the time is over\n  try:     more --time", STOPPED)
    try:
        if memory:
            resource = import_module("resource")
            resource.setrlimit(resource.RLIMIT_DATA, (int(given.memory),) * 2)
        with redirect_stdout(sys.stderr):  # what rules print is no verdict
            found, code = _verdict(given.file, given.rules)
        return _say(found, code, sys.stdout)
    except ImportError:
        parser.error("this system has no limit of memory for a process")
    except MemoryError:
        return _say("error: stopped: the memory is used up\n  try:     more --memory", STOPPED)
    except EndsightError as error:
        return _say(f"error: {error}", error.exit_code)


def _amount(text: str) -> float:
    """Seconds or bytes, of texts such as 30s, 2m and 1.5GB."""
    number = text.rstrip("smhKMGB")
    if text[len(number) :] not in UNITS:
        raise ValueError
    return float(number) * UNITS[text[len(number) :]]


def _verdict(file: str, rules: str | None) -> tuple[str, int]:
    certificate = Certificate.read(file)
    checked: tuple[str, ...] = ()
    reason = None
    try:
        checked = verify(certificate, None if rules is None else load(rules)).checked
    except Wrong as error:
        reason = str(error)
    text = verdict_text(verdict_document(describe(certificate), checked, reason))
    return text, 0 if reason is None else Wrong.exit_code


def _say(text: str, code: int, stream: Any = None) -> int:
    """Print every line of the text, escaped, and give the exit code, another where the verdict cannot be written."""
    stream = stream or sys.stderr
    try:
        print(printable_lines(text).encode(stream.encoding, "backslashreplace").decode(stream.encoding), file=stream)
        stream.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # or it would fail again at the end
        if stream is not sys.stderr and not isinstance(error, BrokenPipeError):
            return _say(f"error: the verdict cannot be written\n  found:   {error.strerror}", FileError.exit_code)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
