"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

from __future__ import annotations

import gc
import sys

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    # Loading makes a million objects that stay: looking through them for garbage takes a tenth of a short answer.
    gc.set_threshold(100_000, 10, 10)
    try:
        from endsight.cli.group import endsight

        endsight.main(prog_name="endsight")
    except KeyboardInterrupt:  # before there is anything to stop, or when it is stopped already
        sys.exit(130)
