"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

from __future__ import annotations

import sys

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    try:
        from endsight.cli.group import endsight
    except KeyboardInterrupt:  # Ctrl-C may come before there is anything to stop
        sys.exit(130)
    endsight.main(prog_name="endsight")
