"""Hostile texts through every field of every command: nothing raw may come out of any of them.

``python tests/hostile_commands.py --count 20000 --seed 1`` runs so many random command lines
in this process: rules whose texts, names, parameters and errors are hostile, and arguments,
file names, records, certificates and manifests that are. It stops at the first output with a
raw control character, and prints what it was.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from command_line import Ending, run
from stored_folders import seal, unsealed

SIGNS = [
    "\x00", "\x07", "\x08", "\x0b", "\x0c", "\x1c", "\x7f", "\x85", "\x9b31m", "\xad", "\r", "\n", "\t",
    "\x1b[31m", "\x1b[2J", "\x1b]0;title\x07", "\x1b]8;;http://evil.example\x1b\\x", "\x1bc", "\x1b(0",
    "\x1bP1$r\x1b\\", "\r\nverdict: proven", "\nerror: nothing", "\u061c", "\u180e", "\u200b", "\u200d",
    "\u200e", "\u2028", "\u2029", "\u202a", "\u202e", "\u2060", "\u2066", "\u2069", "\ufeff", "\ufff9", "\ufffe",
    "\ud800", "\udcff", "\U000e0041", "\U000f0000", "\U0010ffff", "\u034f", "\u3164", "\ufe00", "\u0378",
    "[bold red]x[/bold red]", "[link=http://evil.example]x[/link]", "[/]", ":smile:", "{0}", "%s%n", "\\x1b", "$a$",
    "${", "<script>", "&amp;", '"', "'", "`", "=1+1", "一二三", "e\u0301\u0301", "\u0301", "😀", "♟\ufe0f", " ",
    "", "-", "/",
]  # fmt: skip
"""Signs and sequences that move the cursor, colour, hide, reorder, forge lines, or are markup somewhere."""

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""What the command line itself writes where colour is asked for."""
HARMLESS = "\n\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
INVISIBLE = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u3164\uffa0")

RULES = """
import sys
from typing import Literal, NamedTuple
from endsight import CHANCE, Game
from endsight.errors import ParameterError, RulesError

T = {texts}


class {kind}(Game):
    name = "h" + T.get("name", "")
    label: str = T.get("label", "")
    choice: Literal["a", T.get("choice", "b")] = "a"
    heap: int = 3

    class State(NamedTuple):
        left: int

    def _told(self, rule):
        if "raise " + rule in T:
            raise ValueError(T["raise " + rule])
        if "refuse " + rule in T:
            raise RulesError(T["refuse " + rule], found=T["refuse " + rule], allowed="x" + T["refuse " + rule])

    def setup(self):
        self._told("setup")
        if "parameter" in T:
            raise ParameterError(T["parameter"], advice=T["parameter"])
    def limits(self):
        self._told("limits")
        return self.State(self.heap)
    def start(self):
        {printing}
        return self.State(self.heap)
    def moves(self, state):
        self._told("moves")
        yield from range(1, min(2, state.left) + 1)
    def play(self, state, move):
        self._told("play")
        return self.State(state.left - move)
    {mover}
    def payoff(self, state):
        self._told("payoff")
        return {payoff}
    def show(self, state):
        return f"{{state.left}}" + T.get("show", "")
    def parse(self, text):
        self._told("parse")
        return self.State(int(text[:1]) if text[:1].isdigit() else 0)
    def draw(self, state):
        self._told("draw")
        return T.get("draw", "") + f"heap {{state.left}}" + T.get("draw", "")
    def show_move(self, state, move):
        return f"{{move}}" + T.get("move", "")
    def svg(self, state):
        return "<svg><text>" + T.get("svg", "") + "</text></svg>"


{kind}.__doc__ = "Take some." + T.get("doc", "") + "\\n\\n    More" + T.get("doc", "")
{kind}.__name__ += T.get("class", "").encode("utf-8", "ignore").decode().replace(chr(0), "")
if "player" in T:
    {kind}.player_names = property(lambda game: ("p" + T["player"], "q" + T["player"])[:game.player_count])
setattr({kind}, "policy_first" + T.get("policy", ""), lambda game, state: next(iter(game.moves(state))))


def strange(game, state):
    if "raise policy" in T:
        raise ValueError(T["raise policy"])
    return next(iter(game.moves(state)))


strange.__name__ += T.get("function", "").encode("utf-8", "ignore").decode()
"""
PRINTING = 'print(T["print"]); print(T["print"], file=sys.stderr, end="")'
CHANCE_MOVER = "def to_move(self, state): return CHANCE if state.left % 2 else 0"

TEXTS = ("name", "label", "choice", "show", "draw", "move", "svg", "doc", "class", "player", "policy", "function")
FAULTS = ("setup", "limits", "moves", "play", "payoff", "parse", "draw", "policy")


def hostile_text(random: Random) -> str:
    """A few signs between letters."""
    return "".join(random.choice(SIGNS) + random.choice(("", "x", "yz")) for _ in range(random.randint(1, 4)))


def argument(text: str) -> str:
    """The text without what no argument and no file name can hold."""
    return re.sub("[\x00\ud800-\udc7f]", "", text)


def file_name(random: Random) -> str:
    """A hostile name for a file."""
    return argument(hostile_text(random)).replace("/", "")


@dataclass
class Rules:
    """A rules file with hostile texts, and how to name its game."""

    file: Path
    kind: str = "Hostile"

    @property
    def spec(self) -> str:
        """For the command line."""
        return f"{self.file}:{self.kind}"


def write_rules(folder: Path, texts: dict[str, str], *, name: str = "rules.py", chance: bool = False) -> Rules:
    """Rules with those texts."""
    text = RULES.format(
        texts=ascii(texts),
        kind="Hostile",
        mover=CHANCE_MOVER if chance else "",
        # Rules that so much as name a stream have no key, and so nothing of theirs is stored.
        printing=PRINTING if "print" in texts else "",
        payoff="state.left" if chance else "-1",
    )
    (folder / name).write_text(text, encoding="utf-8")
    return Rules(folder / name)


def raw_signs(text: str, *, tabs: bool = False, colours: bool = False) -> set[str]:
    """What in an output should have been shown as an escape."""
    text = COLOURS.sub("", text) if colours else text
    allowed = HARMLESS + ("\t" if tabs else "")
    return {sign for sign in text if (not sign.isprintable() and sign not in allowed) or sign in INVISIBLE}


def check(ending: Ending) -> None:
    """Raise where an output holds anything raw, or a table lost its form, or it is our bug."""
    colours = "always" in ending.command
    tabs = "--plain" in ending.command
    for stream, text in (("stdout", ending.out), ("stderr", ending.err)):
        raw = raw_signs(text, tabs=tabs and stream == "stdout", colours=colours)
        assert not raw, (ending.command, stream, raw, text)
    assert "this is a bug" not in ending.err, (ending.command, ending.err)
    assert ending.code in (0, 2, 3, 4, 5), (ending.command, ending.code, ending.err)
    if tabs and ending.out:
        lines = ending.out.rstrip("\n").split("\n")
        assert len({line.count("\t") for line in lines}) == 1, (ending.command, ending.out)
    if "--json" in ending.command and ending.out:
        json.loads(ending.out)


# ---------------------------------------------------------------------- command lines


@dataclass
class Trial:
    """A folder with one rules file, and commands about it that use what commands before them have written."""

    folder: Path
    rules: Rules
    random: Random
    done: list[tuple[str, ...]] = field(default_factory=list)

    def run(self, *command: str, stdin: str = "") -> Ending:
        """Run and look at what came out."""
        command = tuple(map(argument, command))
        self.done.append(command)
        ending = run(*command, stdin=stdin.encode("utf-8", "surrogatepass"))
        check(ending)
        return ending

    def forms(self, *, plain: bool = True) -> list[str]:
        """The output options of a command."""
        ways = [[], ["--json"], ["--color", "always"], ["--color", "never"], ["--ascii"], ["--debug"]]
        return self.random.choice(ways + ([["--plain"]] if plain else []))

    def questions(self) -> Iterator[tuple[list[str], str]]:
        """Commands about the game: the words, and what is typed."""
        spec, text = self.rules.spec, hostile_text(self.random)
        name = self.random.choice(("value", "analyze", "line", "table", "dist", "fair", "check", "estimate", "games"))
        yield [name, spec, *self.forms()], ""
        yield ["value", spec, "--at", self.random.choice((text, "1", f"1{text}")), *self.forms()], ""
        yield ["analyze", spec, "--position", self.random.choice((text, "2", f"2{text}")), *self.forms()], ""
        player = self.random.choice(("first", "player", f"p{text}", text))
        policy = self.random.choice(("random", text, f"{self.rules.file}:strange", f"{self.rules.file}:{text}"))
        yield ["value", spec, "--fix", f"{player}={policy}", *self.forms()], ""
        yield ["review", spec, self.random.choice((text, "1 1 1", f"1 {text}")), *self.forms()], ""
        yield ["simulate", spec, "--games", "5", "--seed", "1", *self.forms()], ""
        yield (
            [
                "sweep",
                spec,
                "--vary",
                self.random.choice(("heap=1..3", f"label={text},b", f"{text}=1..2")),
                *self.forms(),
            ],
            "",
        )
        yield ["play", spec, "--seed", "1", "--show"], f"?\nmoves\n{text}\n1\n={text}\nline\nq\n"
        yield ["plot", spec, "values", "-o", "-"], ""
        yield (
            [
                self.random.choice(("value", "games", "check", text)),
                self.random.choice((text, f"{spec}:{text}=1", f"{spec}{text}", f"{spec}:label={text}")),
            ],
            "",
        )
        yield ["value", spec, self.random.choice(("--method", "--engine", "--utility", "--time", text)), text], ""

    def proofs(self) -> None:
        """A certificate, and edited ones."""
        path = self.folder / f"c{file_name(self.random)}"
        ending = self.run("prove", self.rules.spec, "-o", str(path), *self.forms())
        self.run("prove", self.rules.spec, "-o", "-")
        if ending.code or not path.exists():
            return
        self.run("verify", str(path), self.rules.spec, *self.forms())
        document = json.loads(path.read_bytes())
        edited = self.folder / "edited.cert"
        for _ in range(4):
            edited.write_text(json.dumps(self._edited(document)), encoding="utf-8")
            self.run("verify", str(edited), self.rules.spec, *self.forms())

    def _edited(self, part: object) -> object:
        """The same with a hostile text somewhere."""
        text = hostile_text(self.random)
        if isinstance(part, dict) and part:
            key = self.random.choice(list(part))
            if self.random.random() < 0.1:
                return part | {text: 1}
            return part | {key: self._edited(part[key])}
        if isinstance(part, list) and part:
            number = self.random.randrange(len(part))
            return [*part[:number], self._edited(part[number]), *part[number + 1 :]]
        return text

    def stored(self) -> None:
        """A stored solution, and one whose manifest was edited and sealed again."""
        path = self.folder / f"s{file_name(self.random)}"
        spec = self.rules.spec
        ending = self.run("solve", spec, "-o", str(path), *self.forms())
        if ending.code:
            return
        self.run("status", str(path), *self.forms())
        for form in ("csv", "jsonl", "dot"):
            self.run("export", str(path), "--to", form, "--game", spec)
        self.run("export", str(path), "--to", "parquet", "--game", spec, "-o", str(self.folder / "all.parquet"))
        self.run("value", spec, "--from", str(path), *self.forms())
        self._edit_manifest(path)
        self.run("status", str(path))
        self.run("value", spec, "--from", str(path))
        self.run("export", str(path), "--to", "csv")

    def _edit_manifest(self, path: Path) -> None:
        file = path / "MANIFEST.json"
        document = unsealed(file)
        texts = {key: hostile_text(self.random) for key in ("method", "notion", "license")}
        document |= self.random.choice([{}, texts])
        document["versions"] |= {hostile_text(self.random): hostile_text(self.random)}
        document["identity"] |= {
            self.random.choice(("game", "rules", "objective", "utility")): hostile_text(self.random)
        }
        document["identity"]["params"] |= {hostile_text(self.random): hostile_text(self.random)}
        document["identity"]["position"]["moves"] = hostile_text(self.random)
        document["value"] |= {hostile_text(self.random): "0"}
        seal(file, document)


def trials(random: Random, root: Path) -> Iterator[Trial]:
    """Rules with hostile texts in some of their fields, without end."""
    number = 0
    while True:
        number += 1
        folder = root / str(number)
        folder.mkdir()
        texts = {name: hostile_text(random) for name in random.sample((*TEXTS, "print"), random.randint(0, 4))}
        if random.random() < 0.3:
            texts[random.choice(("raise ", "refuse ")) + random.choice(FAULTS)] = hostile_text(random)
        if random.random() < 0.05:
            texts["parameter"] = hostile_text(random)
        name = f"r{file_name(random)}.py" if random.random() < 0.3 else "rules.py"
        yield Trial(folder, write_rules(folder, texts, name=name, chance=random.random() < 0.3), random)


def run_commands(count: int, seed: int) -> int:
    """Run at least so many commands; the number that were run."""
    random, done = Random(seed), 0
    with tempfile.TemporaryDirectory() as root:
        for trial in trials(random, Path(root)):
            for words, typed in trial.questions():
                trial.run(*words, stdin=typed)
            trial.proofs()
            trial.stored()
            done += len(trial.done)
            if done >= count:
                return done
    raise AssertionError


def main() -> None:
    """The long run."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"{run_commands(given.count, given.seed):,} commands, nothing raw")


if __name__ == "__main__":
    main()
