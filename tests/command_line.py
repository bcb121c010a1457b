"""The command line in this process: fast enough for thousands of questions."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from click.testing import CliRunner

from endsight.faces.cli.group import endsight


@dataclass(frozen=True)
class Ending:
    """How a command ended: its exit code and both streams."""

    command: tuple[str, ...]
    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        assert self.code == 0, self
        assert not self.err, self
        return json.loads(self.out)


def run(*command: str, stdin: str | bytes = "") -> Ending:
    """`endsight` with that command line."""
    result = CliRunner().invoke(endsight, list(command), input=stdin)
    assert result.exception is None or isinstance(result.exception, SystemExit), (command, result.exception)
    return Ending(command, result.exit_code, result.stdout, result.stderr)


def ask(*command: str, stdin: str | bytes = "") -> Any:
    """The document of a command that must answer, and say nothing else."""
    return run(*command, "--json", stdin=stdin).document


def exact(number: Mapping[str, Any]) -> Fraction:
    """The exact value of a number in a document, whose double must be the nearest one."""
    if number["exact"] is not None:
        value = Fraction(number["exact"])
        assert str(value) == number["exact"]
    else:
        value = Fraction(*(int(part, 16) for part in number["exact_hex"].split("/")))
    if number["approx"] is not None:
        assert number["approx"] == value.numerator / value.denominator
    return value
