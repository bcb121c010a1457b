"""`python -m endsight.verifier FILE [file.py:Class]`: is the claim of a certificate true?"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib import import_module
from typing import Any

from endsight.base.faults import EndsightError, FileError, Wrong
from endsight.base.printable import printable_lines
from endsight.verifier.certificate import Certificate
from endsight.verifier.checking import verify
from endsight.verifier.rules import load

LONGEST = 1_000
"""Characters of a field that are shown in full."""


def main(arguments: Sequence[str]) -> int:
    """Check the file that the arguments name, print what was checked, and return the exit code."""
    parser = ArgumentParser("python -m endsight.verifier", description="0: proven, 4: wrong, 3: unreadable.")
    parser.add_argument("file", metavar="FILE", help="one certificate")
    parser.add_argument("rules", nargs="?", metavar="file.py:Class", help="rules that are not built in; they are run")
    parser.add_argument("--time", type=float, default=0, metavar="SECONDS", help="end it after so long")
    parser.add_argument("--memory", type=float, default=0, metavar="GB", help="end it where it takes more (Linux)")
    given = parser.parse_args(arguments)
    # Modules that the rules import are read as texts: bytecode that Python keeps may be that of another text.
    sys.pycache_prefix = os.devnull
    if given.time:
        return _in_time(min(1e9, given.time), given)
    if given.memory > 0:
        # Missing on some systems.
        resource = import_module("resource")
        resource.setrlimit(resource.RLIMIT_AS, (int(min(1e9, given.memory) * 1e9),) * 2)
    try:
        with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
            # What rules print does not count as a verdict.
            text, code = _verdict(given.file, given.rules)
    except EndsightError as error:
        return _say(f"error: {error}", error.exit_code, sys.stderr)
    except (KeyboardInterrupt, MemoryError) as stop:
        return _say(f"error: stopped by {stop!r}", 5 if isinstance(stop, MemoryError) else 130, sys.stderr)
    return _say(text, code, sys.stdout)


def _in_time(seconds: float, given: Any) -> int:
    """The verdict from a process that is killed when the time is up."""
    own = [sys.executable, "-m", "endsight.verifier", f"--memory={given.memory}"]
    try:
        return subprocess.call([*own, "--", given.file, *filter(None, [given.rules])], timeout=seconds)
    except subprocess.TimeoutExpired:
        return _say("error: stopped: the time is up", 5, sys.stderr)


def _verdict(file: str, rules: str | None) -> tuple[str, int]:
    certificate = Certificate.read(file)
    document = json.loads(certificate.text)
    lines = [f"class: {json.dumps(document['game']['class'])}"]
    lines += [f"parameters: {_fields(document['game']['parameters'])}", f"claim: {_fields(document['claim'])}"]
    try:
        checked = verify(certificate, None if rules is None else load(rules)).checked
    except Wrong as error:
        return "\n".join([*lines, f"verdict: wrong: {error}"]), Wrong.exit_code
    return "\n".join([*lines, *(f"checked: {line}" for line in checked), "verdict: proven"]), 0


def _fields(fields: Mapping[str, Any]) -> str:
    """Fields of the file as they stand there."""
    return ", ".join(f"{json.dumps(key)}: {_short(json.dumps(value))}" for key, value in fields.items())


def _short(text: str) -> str:
    """A long text by its length and SHA-256."""
    digest = sha256(text.encode()).hexdigest()
    return text if len(text) <= LONGEST else f"({len(text):,} characters, SHA-256 {digest})"


def _say(text: str, code: int, stream: Any) -> int:
    """Print the text, escaped, and return the exit code; return another code if the text cannot be written."""
    # None where it was closed before we began.
    if stream is None:
        return code
    try:
        stream.reconfigure(errors="backslashreplace")
        print(printable_lines(text), file=stream, flush=True)
    except OSError as error:
        # Or it would fail again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
        if stream is not sys.stderr and not isinstance(error, BrokenPipeError):
            return _say(f"error: the verdict cannot be written: {error.strerror}", FileError.exit_code, sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
