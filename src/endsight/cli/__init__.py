"""The command line: parse, call the Python face, show. No game knowledge, nothing heavy at start-up."""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """What the command `endsight` runs; ends the process with the exit code."""
    from endsight.cli.group import endsight

    endsight.main(prog_name="endsight")
