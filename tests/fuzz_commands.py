"""Random command lines in bad surroundings: no traceback, no exit 1, no hang past the limit, no file lost.

    python tests/fuzz_commands.py [--count 5000] [--seed 1] [--jobs 2]

All commands with good and nonsense values for their options, on good games, broken ones, and ones that hang,
eat memory, raise or harm the process (`mean_rules.py`), each in one of 15 surroundings. The lines that
went wrong are printed with what they gave; the exit code is 1 where there is one.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from command_surroundings import PRECIOUS, PROGRAM, SURROUNDINGS, Line, Result, run
from mean_rules import write_rules

SECONDS = 1.0
SLACK = 3.0
"""Seconds for Python to start on a busy machine, beside those that a limit may be passed by."""
LATE = 2.0
NO_LIMIT = 25.0
"""Seconds for what has no `--time`, and does little."""

GOOD = ("tictactoe", "nim", "nim:heaps=1-2", "pots:4-9-2-7", "dominoes:n=3", "repeatbust:sides=3", "pigturn")
GOOD += ("pig:target=5", "hiddenpots:count=2,max=3", "highcard:hand=1-3,rival=8-x", "rpsbag:1-0-2/0-3-0")
LARGE = ("connectfour", "pig:target=200", "dominoes:n=9", "nim:heaps=40-50-60-70")
BAD = (
    "",
    ":",
    "nothing",
    "nim:",
    "nim:heaps=",
    "nim:heaps=x",
    "nim:heaps=-1",
    "pots",
    "pots:@/dev/null",
    "pots:@/nowhere",
)
BAD += ("tictactoe:width=0", "tictactoe:width=99999999999999999999", "nim:a=b,c", "os.path:join", "mygame", "@-", "a b")
BAD += ("nim:" + "9" * 5000, "\udcff", "a\nb", "\x1b[31m", "rules.py", "pots:@.", "dominoes:@/dev/null", "/dev/null")
FILES = {
    "empty": b"",
    "no_class": b"x = 1\n",
    "syntax": b"class Game(:\n",
    "binary": bytes(range(256)) * 20,
    "zeros": bytes(5000),
    "other_class": b"class Game: pass\n",
    "imports": b"import nothing_of_that_name\n",
    "deep": b"x = " + b"(" * 3000 + b")" * 3000 + b"\n",
    "long": b"x = 1\n" * 200_000,
    "two": b"from endsight.game import Game\nclass A(Game): pass\nclass B(Game): pass\n",
    "bare": b"from endsight.game import Game\nclass A(Game): pass\n",
    "no_parameters": b"""from typing import NamedTuple
from endsight.game import Game
class Bare(Game):
    class State(NamedTuple):
        n: int
    def start(self): return self.State(3)
    def moves(self, state): return [1] if state.n else []
    def play(self, state, move): return self.State(state.n - move)
    def payoff(self, state): return -1
""",
}
NATURAL = rb"""from enum import Enum
from typing import Literal, NamedTuple
from endsight import Game
class Sign(Enum):
    NONE = "."
    X = "x"
    ALSO = "x"
class Strange(Game):
    long: int = 3
    class State(NamedTuple):
        text: str
        rows: tuple[tuple[str, ...], ...]
        sign: Sign | None
        kind: Literal["a b", "a_b", 1, "1"]
        own: frozenset[int]
        many: tuple[bool, ...]
    def limits(self):
        signs = "x_ -/\\\u00e9\u3000\U0001f600"
        return self.State((signs,) * 3, ((signs,) * 2,) * 2, Sign, None, 5, (True,) * 400)
    def start(self): return self.State("", (), None, "a b", frozenset(), ())
    def moves(self, state):
        if len(state.text) < self.long:
            yield from ("x", " ", "\u3000", ("_", ()), Sign.X)
    def play(self, state, move):
        letter = move if isinstance(move, str) else "_" if isinstance(move, tuple) else "-"
        text = state.text + letter
        kind = ("a b", "a_b", 1, "1")[len(text)]
        sign = None if move == "x" else Sign.X
        return self.State(text, ((letter,),), sign, kind, state.own | {len(text)}, (True,) * (100 * len(text)))
    def payoff(self, state): return state.text.count("x") - 1
"""
STRANGE = ("x", "\\u0020", "\\u3000 x", "_/ X", "\\", "\\e", "\\0", "x \\u3000 X", "\u3000", "\\udc80")
PLACES = (
    "text= rows= sign=x kind='a_b' own= many=",
    "text=x rows=x sign=x kind='a\\_b' own=1 many=" + "-".join(["yes"] * 100),
    "second: text=\\_ rows=\\_ sign=X kind='a\\_b' own=1 many=" + "-".join(["yes"] * 100),
    "text=\\q rows=] sign=ALSO kind=1 own=9 many=no",
    "text=x rows=\\e\\e sign=Q kind= own=- many=-",
    "text=" + "x" * 5000,
)
MOVES = (
    *STRANGE,
    "",
    "a1",
    "a1 b2",
    "1:1",
    "L",
    "1",
    "1 2",
    "z9",
    "a1 a1",
    "7 roll 5",
    "\x00",
    "-",
    "@/nowhere",
    "@.",
    "é",
    "x" * 3000,
)
NUMBERS = ("0", "1", "3", "10", "-1", "x", "1e9", "99999999999999999999", "", "nan", "1.5")
TIMES = ("0.3s", "1s", "800ms", "0", "1h", "x", "-1s", "nan", "1e400", "1e30", "")
SIZES = ("300MB", "1GB", "1", "0", "10kB", "x", "-5", "1e400", "1e30", "")


# ---------------------------------------------------------------------- lines


class Author:
    """Writes command lines at random, in a folder of its own."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.random = random.Random(seed)
        self.folder = folder
        rules = folder / "rules"
        rules.mkdir()
        self.mean = write_rules(rules)
        for name, content in FILES.items():
            (rules / f"{name}.py").write_bytes(content)
        (rules / "folder.py").mkdir()
        os.mkfifo(rules / "fifo.py")
        self.files = [str(rules / f"{name}.py") for name in (*FILES, "folder", "fifo")]
        self.strange = str(rules / "strange.py")
        Path(self.strange).write_bytes(NATURAL)
        self.number = 0
        self.stored = self._made("solve", "nim:heaps=1-2", "-o", str(folder / "nim.solved"))
        self.certificate = self._made("prove", "nim:heaps=1-2", "-o", str(folder / "nim.cert"))
        natural = self._made("solve", self.strange, "-o", str(folder / "strange.solved"))
        broken = folder / "broken.solved"
        shutil.copytree(self.stored, broken)
        part = max((each for each in broken.rglob("*") if each.is_file()), key=lambda each: each.stat().st_size)
        part.unlink()
        os.mkfifo(part)
        self.folders = [
            self.stored,
            natural,
            str(broken),
            str(folder),
            "/nowhere",
            "/dev/null",
            str(rules / "fifo.py"),
            "",
        ]

    def _made(self, *command: str) -> str:
        subprocess.run([sys.executable, "-c", PROGRAM, *command], check=True, capture_output=True)
        return command[-1]

    def line(self) -> Line:
        """The next one."""
        self.number += 1
        name = self.random.choice(list(COMMANDS if self.random.random() < 0.15 else sorted(LIMITED)))
        words = [name, *COMMANDS[name](self)]
        kept = self._output(words) if name in WRITERS else None
        has_limit = name in LIMITED
        seconds = NO_LIMIT
        if has_limit:
            if self.random.random() < 0.1:
                words += ["--time", self.random.choice(TIMES[3:])]
                seconds = NO_LIMIT if not self._hangs(words) else SECONDS
            if seconds != NO_LIMIT or "1h" not in words:
                words += ["--time", f"{SECONDS:g}s"]
                seconds = SECONDS * 1.1 + 1 + LATE + SLACK
            if self.random.random() < 0.5 or any("eats" in word for word in words):
                words += ["--memory", self.random.choice(SIZES if self.random.random() < 0.2 else SIZES[:2])]
        if self.random.random() < 0.3:
            words.append(self.random.choice(("--json", "--plain")))
        elif self.random.random() < 0.05:
            words.append(self.random.choice(("--debu", "--color", "--ascii", "--help", "--nonsense", "--color=x")))
        if self.random.random() < 0.05:
            self.random.shuffle(words)
            seconds = max(seconds, NO_LIMIT)
        words = [word.replace("\x00", "?") for word in words]
        stdin = self.random.choice(("", "a1\n", "1\n2\n", "\n\n", "4 9\n", "é\n", "u\n?\nq\n"))
        surrounding = self.random.choice(tuple(SURROUNDINGS))
        return Line(tuple(words), surrounding, seconds, kept, stdin)

    def _hangs(self, words: Sequence[str]) -> bool:
        return any(mark in word for word in words for mark in ("hangs", "eats", "fifo", "read"))

    def _output(self, words: list[str]) -> Path | None:
        """Add an output; gives the file that may not be lost."""
        place = self.folder / f"out{self.number}"
        kind = self.random.choice(
            ("new", "old", "link", "null", "stdout", "folder", "fifo", "nowhere", "full", "-", "fd")
        )
        path = Path(f"{place}.svg") if words[0] == "plot" else place
        target = None
        if kind in ("old", "link"):
            target = path if kind == "old" else Path(f"{place}.target")
            target.write_text(PRECIOUS, encoding="utf-8")
            if kind == "link":
                path.symlink_to(target)
        elif kind == "folder":
            path.mkdir()
        elif kind == "fifo":
            os.mkfifo(path)
        elif kind != "new":
            devices = {"null": "/dev/null", "stdout": "/dev/stdout", "nowhere": "/nowhere/x.svg", "full": "/dev/full"}
            words += ["-o", devices.get(kind, "-" if kind == "-" else "/dev/fd/2")]
            return None
        words += ["-o", str(path)]
        return target

    # ---------------------------------------------------------------- pieces

    def game(self) -> str:
        """A game, good or not."""
        kind = self.random.random()
        if kind < 0.2:
            return self.strange + self.random.choice(("", "", ":long=2", ":long=x"))
        if kind < 0.35:
            return self.random.choice(GOOD)
        if kind < 0.4:
            return self.random.choice(LARGE)
        if kind < 0.44:
            return self.random.choice(BAD)
        if kind < 0.5:
            return self.random.choice(self.files)
        if kind < 0.6:
            return str(self.mean["good"]) + self.random.choice(("", ":Mean", ":Mean:heap=3", ":heap=x", ":None"))
        return str(self.mean[self.random.choice(list(self.mean))])

    def some(self, *options: tuple[str, Sequence[str]], chance: float = 0.2) -> Iterator[str]:
        """Some of the options, with values out of those given (none for a flag)."""
        for name, values in options:
            if self.random.random() < chance:
                yield name
                if values:
                    yield self.random.choice(values)

    def question(self) -> list[str]:
        """Options of a question."""
        return list(
            self.some(
                ("--at", MOVES),
                ("--position", ("", "5 0", "heap=3 turn=0", "x", *PLACES)),
                ("--objective", ("competitive", "cooperative", "none")),
                ("--utility", ("win", "lead", "payoff", "x")),
                ("--fix", ("first=random", "second=best", "player=never", "x", "third=random", "first=/nowhere.py:f")),
                (
                    "--method",
                    ("auto", "graph", "search", "minimax", "alphabeta", "proofnumber", "layers", "theorem", "x"),
                ),
                ("--engine", ("plain", "compiled", "x")),
                ("--symmetry", ("off", "x")),
                ("--states", NUMBERS),
                ("--threads", ("1", "0", "x", "9" * 30)),
                chance=0.08,
            )
        )

    def numbers(self) -> list[str]:
        """Options of how numbers are written."""
        return list(self.some(("--exact", ()), ("--interval", ()), ("--digits", NUMBERS), chance=0.1))


def _ask(author: Author) -> list[str]:
    return [author.game(), *author.question(), *author.numbers(), *author.some(("--from", author.folders), chance=0.1)]


def _simulate(author: Author) -> list[str]:
    more = author.some(("--games", ("10", "0", "-1", "x")), ("--seed", NUMBERS), ("--fix", ("first=random",)))
    return [author.game(), "--games", "50", "--fix", "second=random", *more]


def _plot(author: Author) -> list[str]:
    return [author.game(), author.random.choice(("values", "policy", "distribution", "history", "graph", "x"))]


def _play(author: Author) -> list[str]:
    seats = ("first=random", "second=human", "first=perfect", "x")
    return [author.game(), *author.some(("--quiz", ()), ("--show", ()), ("--seat", seats), ("--seed", ("1",)))]


def _vary(author: Author) -> list[str]:
    values = ("heaps=1-2,1-3", "heap=1..3", "sides=2..4", "x", "target=3..5", "n=1..3", "heap=1..10000000", "=")
    return [author.game(), "--vary", author.random.choice(values)]


def _export(author: Author) -> list[str]:
    game = author.some(("--game", (author.game(),)), chance=0.4)
    return [
        author.random.choice(author.folders),
        "--to",
        author.random.choice(("csv", "jsonl", "parquet", "dot", "x")),
        *game,
    ]


def _verify(author: Author) -> list[str]:
    files = (author.certificate, author.certificate, "/dev/null", author.stored, "/nowhere", author.files[-1])
    return [author.random.choice(files), *([author.game()] if author.random.random() < 0.4 else [])]


def _review(author: Author) -> list[str]:
    return [author.game(), author.random.choice(MOVES), *author.question()]


COMMANDS: dict[str, Callable[[Author], list[str]]] = {
    "value": _ask,
    "analyze": _ask,
    "line": _ask,
    "table": lambda author: [*_ask(author), *author.some(("--rule", ()), chance=0.1)],
    "dist": _ask,
    "fair": _ask,
    "simulate": _simulate,
    "sweep": _vary,
    "growth": _vary,
    "review": _review,
    "play": _play,
    "plot": _plot,
    "solve": lambda author: [author.game(), *author.question()],
    "status": lambda author: [author.random.choice(author.folders), *author.some(("--check", ()))],
    "export": _export,
    "prove": _ask,
    "verify": _verify,
    "games": lambda author: [author.game()] if author.random.random() < 0.8 else [],
    "check": lambda author: [author.game(), *author.some(("--states", NUMBERS))],
    "estimate": lambda author: [author.game(), *author.question()],
    "doctor": lambda author: list(author.some(("--x", ()), chance=0.3)),
    "completion": lambda author: [author.random.choice(("bash", "zsh", "fish", "x"))],
    "serve": lambda author: [author.random.choice(BAD), "--port", "x"],
    "--version": lambda author: [],
    "--help": lambda author: [],
    "nonsense": lambda author: [author.game()],
}
WRITERS = {"plot", "solve", "export", "prove"}
LIMITED = set(COMMANDS) - {"doctor", "completion", "serve", "--version", "--help", "nonsense"}


# ---------------------------------------------------------------------- many of them


def tried(count: int, seed: int, jobs: int, tell: Callable[[Result], None]) -> Counter[Any]:
    """So many lines, each told; gives how often which exit code came."""
    codes: Counter[Any] = Counter()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        author = Author(folder, seed)
        with ThreadPoolExecutor(jobs) as pool:
            for result in pool.map(lambda line: run(line, folder), (author.line() for _ in range(count))):
                codes[result.code] += 1
                tell(result)
    return codes


def main() -> None:
    """Read the options, try the lines, tell what went wrong."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    wrong = 0

    def tell(result: Result) -> None:
        nonlocal wrong
        if result.faults:
            wrong += 1
            where = f"{result.line.surrounding}, code {result.code}, {result.seconds:.1f} s"
            print(f"--- {'; '.join(result.faults)} ({where})")
            words = " ".join(word[:200] for word in result.line.words)
            print("   ", words.encode("ascii", "backslashreplace").decode())
            print("   ", repr(result.err[-700:] or result.out[-700:]), flush=True)

    began = time.monotonic()
    codes = tried(options.count, options.seed, options.jobs, tell)
    seconds = time.monotonic() - began
    print(f"{options.count} lines, seed {options.seed}, {seconds:.0f} s: {wrong} wrong; exit codes {dict(codes)}")
    raise SystemExit(wrong > 0)


if __name__ == "__main__":
    main()
