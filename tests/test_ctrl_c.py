"""Ctrl-C at awkward moments: while the program is loaded, after the answer, and in a terminal with a progress line."""

from __future__ import annotations

import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals differ")

AT_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(name, path=None, target=None):
        if name == {module!r}:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder)
sys.argv = ["endsight", "value", "tictactoe"]
from endsight.faces.cli import main
main()
"""
AT_THE_END = """
import atexit, os, signal, sys
atexit.register(os.kill, os.getpid(), signal.SIGINT)
sys.argv = ["endsight", *sys.argv[1:]]
from endsight.faces.cli import main
main()
"""


def finished(script: str, *arguments: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("module", ["endsight.faces.cli.group", "click", "fractions"])
def test_while_the_program_is_loaded(module: str) -> None:
    assert finished(AT_IMPORT.format(module=module)) == (130, "", "stopped by Ctrl-C\n")


def test_while_the_question_is_asked() -> None:
    code, out, err = finished(AT_IMPORT.format(module="endsight.algorithms.backward_induction"))
    assert (code, out.count("Traceback"), err.count("Traceback")) == (130, 0, 0)
    assert err.strip().startswith("stopped by Ctrl-C")


@pytest.mark.parametrize("module", ["endsight.answers.solver", "endsight.algorithms.backward_induction"])
def test_while_a_library_is_loaded_that_turns_it_into_another_error(module: str) -> None:
    sent = "            os.kill(os.getpid(), signal.SIGINT)\n"
    turned = """
            try:
                os.kill(os.getpid(), signal.SIGINT)
            except BaseException:
                raise ImportError("cannot load module more than once per process") from None
"""
    script = AT_IMPORT.replace(sent, turned).format(module=module)
    assert finished(script) == (130, "", "stopped by Ctrl-C\n")


BUG = """
import json, os, signal, sys
from endsight.faces.cli import main
def mistaken(*args, **options):
    try:
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:
        pass
    raise KeyError("a mistake of ours")
json.dumps = mistaken
sys.argv = ["endsight", "value", "tictactoe", "--json", "--debug"]
main()
"""


def test_a_bug_after_ctrl_c_was_lost_is_told_as_a_bug() -> None:
    code, out, err = finished(BUG)
    assert (code, out) == (1, "")
    assert "KeyError: 'a mistake of ours'" in err
    assert "this is a bug in endsight" in err


def test_after_the_answer_it_changes_nothing() -> None:
    assert finished(AT_THE_END, "value", "tictactoe") == (0, "draw\n", "")
    code, out, err = finished(AT_THE_END, "value", "nothing-of-that-name")
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_where_the_shell_has_switched_it_off_it_stays_off() -> None:
    script = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{AT_IMPORT.format(module='click')}"
    assert finished(script) == (0, "draw\n", "")


# -------------------------------------------------------------------- in a terminal


def screen(text: str) -> list[str]:
    """What is to be seen in the end: carriage returns go back, later signs cover earlier ones."""
    lines = [""]
    column = 0
    for sign in re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", text):
        if sign == "\n":
            lines.append("")
        elif sign == "\r":
            column = 0
        else:
            lines[-1] = lines[-1][:column].ljust(column) + sign + lines[-1][column + 1 :]
            column += 1
    return [line.rstrip() for line in lines]


def in_a_terminal(command: list[str], until: str) -> tuple[int, str]:
    """Exit code and all that a command writes to a terminal in which Ctrl-C is pressed once `until` is to be read."""
    pty = pytest.importorskip("pty")
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.execvp(command[0], command)
    text, pressed, deadline = b"", False, time.monotonic() + 60
    while time.monotonic() < deadline:
        ready, _, _ = select.select([terminal], [], [], 1)
        try:
            more = os.read(terminal, 65536) if ready else b" "
        except OSError:  # the other end has gone
            break
        text += more if ready else b""
        if not pressed and until.encode() in text:
            os.write(terminal, b"\x03")
            pressed = True
    else:
        os.kill(child, signal.SIGKILL)
    os.close(terminal)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert pressed, text
    return code, text.decode()


PROGRAM = "from endsight.faces.cli import main; main()"


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        ("value connectfour:width=5,height=5 --engine plain --method graph", "exploring  "),
        ("analyze tictactoe:width=5,height=5,line=5 --method alphabeta", " states"),
        ("solve connectfour:width=5,height=5 --engine plain --method graph -o {folder}", "exploring  "),
        ("play connectfour:width=5,height=4", "move"),
    ],
)
def test_the_terminal_is_left_as_it_was(arguments: str, seen: str, tmp_path: Path) -> None:
    words = arguments.format(folder=tmp_path / "kept").split()
    code, text = in_a_terminal([sys.executable, "-c", PROGRAM, *words], seen)
    assert code == 130
    assert text.count("\x1b[?25l") == text.count("\x1b[?25h")  # the cursor is shown again
    assert "\x1b[?1049h" not in text  # no other screen
    assert re.findall(r"\x1b\[([0-9;]*)m", text)[-1:] in ([], [""], ["0"])  # no colour is left on
    left = screen(text.replace("\r\n", "\n\r"))
    assert "Traceback" not in text
    assert left[-1] == ""
    assert any(line.startswith("stopped") for line in left)
    assert not any(line.startswith(("exploring", "searching", "solving")) or line.endswith("  ^C") for line in left)
