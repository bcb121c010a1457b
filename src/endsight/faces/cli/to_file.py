"""Answers that are files: pages and charts."""

from __future__ import annotations

from pathlib import Path

from endsight.base.outputs import write_output
from endsight.faces.cli.output import Output
from endsight.faces.cli.surroundings import in_first_folder


def write_file(output: Output, path: str, content: bytes, note: str) -> None:
    """Print the content if the path is `-`; else write it to the file, and print the note."""
    if path == "-":
        output.say(*content.decode().rstrip("\n").split("\n"))
        return
    write_output(in_first_folder(Path(path)), content)
    output.say(note)
