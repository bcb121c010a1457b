"""Commands in bad surroundings: streams that are closed or full, no home, no locale, odd terminals and caches."""

from __future__ import annotations

import json
import os
import pty
import random
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

PROGRAM = "from endsight.faces.cli import main; main()"
PRECIOUS = "precious\n"
"""What stands in a file before a command is told to write there."""


@dataclass(frozen=True)
class Line:
    """One command line in one surrounding; `seconds` is what it may take, `kept` a file that may not be lost."""

    words: tuple[str, ...]
    surrounding: str
    seconds: float
    kept: Path | None = None
    stdin: str = ""


@dataclass
class Result:
    """What a line gave; `faults` says what should not be."""

    line: Line
    code: int
    out: str
    err: str
    seconds: float
    faults: list[str] = field(default_factory=list)


@dataclass
class Place:
    """Where a command runs: its streams, environment and folder."""

    folder: Path
    environment: dict[str, str]
    shell: str = '"$@"'
    terminal: bool = False
    gone: bool = False


def _cache(place: Place, path: str) -> None:
    place.environment["ENDSIGHT_CACHE_DIR"] = path


def _file_as_cache(place: Place) -> None:
    path = place.folder / "cache-file"
    path.write_text("no folder", encoding="utf-8")
    _cache(place, str(path))


def _pipe_as_cache(place: Place) -> None:
    path = place.folder / "cache-pipe"
    with suppress(FileExistsError):
        os.mkfifo(path)
    _cache(place, str(path))


def _odd_width(place: Place) -> None:
    widths = ("0", "1", "2", "3", "4", "-1", "x", "1.5", "99999999999999999", "")
    place.environment["COLUMNS"] = random.choice(widths)


def _no_home(place: Place) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "ENDSIGHT_CACHE_DIR", "USER"):
        place.environment.pop(name, None)
    place.environment["TERM"] = "dumb"


def _no_locale(place: Place) -> None:
    place.environment |= {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "PYTHONIOENCODING": "ascii"}


def _redirected(text: str) -> Callable[[Place], None]:
    def change(place: Place) -> None:
        place.shell = f'"$@" {text}'

    return change


def _terminal(place: Place) -> None:
    place.terminal = True


def _folder_gone(place: Place) -> None:
    place.gone = True


SURROUNDINGS: dict[str, Callable[[Place], None]] = {
    "usual": lambda place: None,
    "stdout closed": _redirected(">&-"),
    "stdout full": _redirected(">/dev/full"),
    "nobody reads": _redirected("| true; exit ${PIPESTATUS[0]}"),
    "stderr closed": _redirected("2>&-"),
    "stderr full": _redirected("2>/dev/full"),
    "stdin closed": _redirected("<&-"),
    "all closed": _redirected("<&- >&- 2>&-"),
    "cache is a file": _file_as_cache,
    "cache is a pipe": _pipe_as_cache,
    "cache in /proc": lambda place: _cache(place, "/proc/1/nothing"),
    "odd width": _odd_width,
    "no home": _no_home,
    "no locale": _no_locale,
    "terminal": _terminal,
    "folder gone": _folder_gone,
}


def run(line: Line, folder: Path) -> Result:
    """The line in its surrounding, with what is wrong about how it ended."""
    place = Place(folder, dict(os.environ) | {"NO_COLOR": "1"})
    SURROUNDINGS[line.surrounding](place)
    command = [sys.executable, "-c", PROGRAM, *line.words]
    command = ["bash", "-c", place.shell, "bash", *command]
    if place.gone:
        command = ["bash", "-c", 'd=$(mktemp -d); cd "$d"; rmdir "$d"; "$@"', "bash", *command]
    began = time.monotonic()
    try:
        code, out, err = (_in_terminal if place.terminal else _in_pipes)(command, place, line)
    except subprocess.TimeoutExpired:
        return Result(line, -1, "", "", time.monotonic() - began, [f"no end within {line.seconds:.1f} s"])
    result = Result(line, code, out, err, time.monotonic() - began)
    result.faults = list(_faults(result))
    return result


def _in_pipes(command: list[str], place: Place, line: Line) -> tuple[int, str, str]:
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=place.environment,
        cwd=place.folder,
        start_new_session=True,
    ) as process:
        try:
            out, err = process.communicate(line.stdin.encode(), timeout=line.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.communicate()
            raise
    return process.returncode, out.decode("utf-8", "replace"), err.decode("utf-8", "replace")


def _in_terminal(command: list[str], place: Place, line: Line) -> tuple[int, str, str]:
    leader, follower = pty.openpty()
    text = bytearray()

    def read() -> None:
        with suppress(OSError):
            while piece := os.read(leader, 65536):
                text.extend(piece)

    reader = threading.Thread(target=read, daemon=True)
    with subprocess.Popen(
        command,
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env=place.environment,
        cwd=place.folder,
        start_new_session=True,
    ) as process:
        os.close(follower)
        reader.start()
        os.write(leader, line.stdin.encode() + b"\x04\x04")
        try:
            process.wait(line.seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            raise
        finally:
            process.wait()
            reader.join(2)
            os.close(leader)
    return process.returncode, text.decode("utf-8", "replace"), ""


SPEAKS_ITS_OWN = {"doctor", "completion", "serve", "--version", "--help", "nonsense", "play", "plot", "export"}
"""Commands whose answer is no JSON, whatever is asked."""


def _faults(result: Result) -> Iterator[str]:
    line, code = result.line, result.code
    both = result.out + result.err
    if "Traceback (most recent" in both or "Exception ignored" in both:
        yield "a traceback"
    if code not in (0, 2, 3, 4, 5) and not _ends_itself(line):
        yield f"exit code {code}"
    if (
        code == 4
        and line.words[0] not in ("check", "verify")
        and "check" not in line.words
        and "verify" not in line.words
    ):
        yield "exit code 4"
    if "this is a bug" in both:
        yield "called a bug"
    if code not in (0, 4) and not both.strip() and line.surrounding in ("usual", "odd width", "no home", "no locale"):
        yield "no message"
    if line.kept is not None and not line.kept.exists():
        yield "a file is lost"
    if line.kept is not None and code != 0 and line.kept.exists() and line.kept.read_text("utf-8") != PRECIOUS:
        yield "a file is changed though the command failed"
    asked = (
        "--json" in line.words
        and line.surrounding == "usual"
        and "-" not in line.words
        and "/dev/stdout" not in line.words
    )
    if (
        asked
        and code == 0
        and line.words[0] not in SPEAKS_ITS_OWN
        and "--help" not in line.words
        and "--version" not in line.words
    ):
        try:
            json.loads(result.out)
        except ValueError:
            yield "no JSON"


def _ends_itself(line: Line) -> bool:
    """Rules that call `os._exit` end a process that nobody watches with their own code."""
    return any("leave" in word for word in line.words) and "--time" not in line.words
