"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    try:
        from endsight.cli.group import endsight

        endsight.main(prog_name="endsight")
    except KeyboardInterrupt:  # before there is anything to stop, or when it is stopped already
        sys.exit(130)
