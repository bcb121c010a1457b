"""Examples in Markdown pages: read, run, compared, and written anew.

A page is one session in an empty folder. Its fenced blocks count by their language:

`console`   lines that begin with `$ ` are commands, what follows is what they print
            (`$ echo $?` is the exit code of the command before);
`python`    after a line `<!-- file: NAME -->` it is the content of that file, after
            `<!-- add to: NAME -->` a further part of it; else it is run, with `>>>` as
            a doctest; names last to the end of the page.

All others are only shown. A line `<!-- run: COMMAND -->` before a block runs a command
that readers do not see. The table after a line `<!-- plan: NAME -->` is that of `endsight.graph.plan`.
Run this file to write the outputs of all pages anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from doctest import DocTestParser
from pathlib import Path
from unittest.mock import patch

from endsight.faces.cli.group import endsight
from endsight.graph import plan

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

_FENCE = re.compile(r"^(```+)(\S*)(.*)$")
_NOTE = re.compile(r"^<!-- (file|add to|run): (.+) -->$")
_PLAN = re.compile(r"^<!-- plan: (\w+) -->$")
_MASKS = (
    (re.compile(r"· (?:under )?[\d.,]+ m?s$", re.MULTILINE), "· … s"),
    (re.compile(r'"seconds": [\d.e-]+'), '"seconds": …'),
    (re.compile(r'"audited": [1-9]\d*'), '"audited": …'),
    # A busy machine compiles rules that a quiet one runs in Python.
    (re.compile(r"^[\d,]+ positions? checked again by the rules in Python\.\n", re.MULTILINE), ""),
    (re.compile(r'"version": "[^"]+"'), '"version": "…"'),
    (re.compile(r"\bkey [0-9a-f]{16}…"), "key …"),
    (re.compile(r"^endsight \d\S*$", re.MULTILINE), "endsight …"),
)


def masked(text: str) -> str:
    """The text without what may differ from run to run: seconds, what fits into them, and the version."""
    for pattern, stand_in in _MASKS:
        text = pattern.sub(stand_in, text)
    return "\n".join(line.rstrip() for line in text.splitlines())


@dataclass(frozen=True)
class Block:
    """A fenced block: its language and lines, where they begin in the page (from 0), and the notes before it."""

    language: str
    lines: list[str]
    first: int
    notes: list[tuple[str, str]]

    @property
    def text(self) -> str:
        return "".join(line + "\n" for line in self.lines)


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page's text, in order."""
    lines = page.splitlines()
    notes: list[tuple[str, str]] = []
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if note := _NOTE.match(line):
            notes.append((note[1], note[2]))
        if opened := _FENCE.match(line):
            end = next(n for n in range(number, len(lines)) if lines[n].strip() == opened[1])
            yield Block(opened[2], lines[number:end], number, notes)
            notes = []
            number = end + 1


@dataclass
class Session:
    """Runs the examples of one page; `run` gives a block as it should stand in the page."""

    folder: Path
    names: dict[str, object] = field(default_factory=lambda: {"__name__": "__main__"})
    exit_code: int = 0

    def run(self, block: Block) -> list[str]:
        file = None
        for kind, text in block.notes:
            if kind == "run":
                self._command(text)
            else:
                file = self.folder / text
                before = file.read_text(encoding="utf-8") + "\n" if kind == "add to" else ""
                file.write_text(before + block.text, encoding="utf-8")
        if block.language == "console":
            return self._console(block)
        if block.language == "python" and file is None:
            return self._python(block)
        return block.lines

    def _console(self, block: Block) -> list[str]:
        lines = []
        for shown, old in _commands(block.lines):
            command = "\n".join(line.removeprefix("$ ").removeprefix("> ") for line in shown)
            lines += [*shown, *_kept(self._command(command), old)]
        return lines

    def _command(self, command: str) -> str:
        if command == "echo $?":
            return f"{self.exit_code}\n"
        words = shlex.shlex(command, posix=True, punctuation_chars=True)
        words.whitespace_split = True
        words.commenters = ""
        arguments = list(words)
        if arguments[0] == "endsight" and not any(set(word) <= set("|&;<>()\n") for word in arguments):
            return self._endsight(shlex.split(command)[1:])
        first, by, rest = _parted(command, arguments)
        if by == ">":
            printed = io.StringIO()
            messages = self._endsight(first, printed)
            (self.folder / rest).write_text(printed.getvalue(), encoding="utf-8")
            return messages
        if by == "|":
            printed = io.StringIO()
            return self._endsight(first, printed) + self._bash(rest, printed.getvalue())
        return self._bash(command)

    def _bash(self, command: str, stdin: str = "") -> str:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            input=stdin,
            text=True,
            check=False,
        )
        self.exit_code = done.returncode
        return done.stdout

    def _endsight(self, arguments: list[str], apart: io.StringIO | None = None) -> str:
        """The command line in this process, its answer to `apart` if there is one: a new process would take 0.3 s."""
        printed = io.StringIO()
        with (
            contextlib.chdir(self.folder),
            contextlib.redirect_stdout(apart or printed),
            contextlib.redirect_stderr(printed),
            patch("sys.stdin", io.StringIO()),
            patch.dict(os.environ, {"NO_COLOR": "1"}),
        ):
            os.environ.pop("COLUMNS", None)
            try:
                endsight.main(arguments, prog_name="endsight")
            except SystemExit as end:
                self.exit_code = int(end.code or 0)
        if self.exit_code == 1:
            raise RuntimeError(printed.getvalue())
        return printed.getvalue()

    def _python(self, block: Block) -> list[str]:
        examples = DocTestParser().get_examples(block.text)
        if not examples:
            assert not self._execute(block.text, "exec"), "a block without >>> prints something"
            return block.lines
        return self._doctest(block)

    def _doctest(self, block: Block) -> list[str]:
        lines: list[str] = []
        for part in DocTestParser().parse(block.text):
            if isinstance(part, str):
                lines += part.splitlines()
                continue
            first, *more = part.source.splitlines()
            lines += [f">>> {first}", *(f"... {line}".rstrip() for line in more)]
            lines += _kept(self._execute(part.source, "single"), part.want.splitlines())
        return lines

    def _execute(self, source: str, mode: str) -> str:
        printed = io.StringIO()
        with contextlib.chdir(self.folder), contextlib.redirect_stdout(printed):
            exec(compile(source, "<example>", mode), self.names)
        return printed.getvalue()


def _parted(command: str, words: list[str]) -> tuple[list[str], str, str]:
    """What an `endsight` is asked whose answer goes to a file or another command, by what, and to which; or nothing."""
    first, by, rest = command.partition(" | ") if " | " in command else command.rpartition(" > ")
    arguments = words[: words.index(by.strip())] if by.strip() in words else []
    is_plain = arguments[:1] == ["endsight"] and not any(set(word) <= set("|&;<>()\n") for word in arguments)
    return (arguments[1:], by.strip(), rest) if is_plain and shlex.split(first) == arguments else ([], "", "")


def _commands(lines: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Commands (with their continuation lines, which begin with `> `) and what the page says they print."""
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    assert starts[:1] == [0], "a console block begins with `$ `"
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        first = start + 1
        while first < end and lines[first].startswith("> "):
            first += 1
        yield lines[start:first], lines[first:end]


def _kept(printed: str, old: list[str]) -> list[str]:
    """What was printed; as the page has it, where the two differ only in what is masked."""
    if masked(printed) == masked("\n".join(old)):
        return old
    return [line.rstrip() for line in printed.splitlines()]


def renewed(page: str, folder: Path) -> str:
    """The page's text with the true outputs of its examples, which run in `folder`."""
    session = Session(folder)
    lines = page.splitlines()
    shift = 0
    for block in list(blocks(page)):
        new = session.run(block)
        first = block.first + shift
        lines[first : first + len(block.lines)] = new
        shift += len(new) - len(block.lines)
    return "".join(line + "\n" for line in _with_plans(lines))


def _with_plans(lines: list[str]) -> Iterator[str]:
    """The lines with true tables of how methods are chosen."""
    inside = False
    for line in lines:
        if inside and (line == "" or line.startswith("|")):
            continue
        if inside:
            yield ""
        inside = False
        yield line
        if found := _PLAN.match(line):
            inside = True
            yield ""
            yield from plan_table(getattr(plan, found[1]))


def plan_table(rows: tuple[plan.Case, ...]) -> list[str]:
    """A table of `endsight.graph.plan` in Markdown."""
    shown = ["| | When | What is done | Why |", "|---|---|---|---|"]
    for number, row in enumerate(rows, start=1):
        when = "; ".join(_condition(name, allowed) for name, allowed in row.when.items()) or "always"
        path = f"refused: {row.path}" if row.path in plan.REFUSALS else row.path
        shown.append(f"| {number} | {when} | {path} | {row.reason} |")
    return shown


def _condition(name: str, allowed: tuple[object, ...]) -> str:
    """What a row asks of one fact."""
    if name == "kind":
        return "no `--exact`"
    if name in ("method", "engine", "mode"):
        return f"{name} " + " or ".join(f"`{each}`" for each in allowed)
    if name == "bound":
        return f"*{name}*: {allowed[0]}"
    return f"*{name}*" if allowed == (True,) else f"not *{name}*"


def main() -> None:
    for page in [Path(name) for name in sys.argv[1:]] or PAGES:
        before = page.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            after = renewed(before, Path(folder))
        if after != before:
            page.write_text(after, encoding="utf-8")
            print(f"{page}: outputs written anew")


if __name__ == "__main__":
    main()
