"""One key for everything that is kept: every edit of what rules reach is seen, and nothing else matters."""

from __future__ import annotations

import argparse
import copy
import dis
import inspect
import json
import math
import os
import pickle
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

import pytest

import edited_rules
import endsight as es
from amounts import seeds
from command_line import run
from edited_rules import NARROW, NATURAL, REFLECTIVE, WIDE, Edit, Files, edits, harmless, key, loaded, retyped, written
from endsight import load
from endsight.errors import FileError, QuestionError, RulesError
from interpreted import numbers_of
from kept_rules import BINDING, OF_GLOBALS, Known, is_there, keep, keeps_size, kept, known, names_in, remember
from kept_rules import key_of_rules as key_of

ROOT = Path(__file__).parent
QUICK = 6
"""One edit in so many is tried in every run, all of them in slow ones."""
SOURCES = {"wide": WIDE, "narrow": NARROW, "reflective": REFLECTIVE, "natural": NATURAL}


@pytest.fixture(autouse=True)
def _without_rules() -> Iterator[None]:
    yield
    edited_rules.forget()


def test_names_that_code_uses_are_read_as_python_reads_them() -> None:
    def look(code: CodeType) -> int:
        own, other = set(), set()
        for each in dis.get_instructions(code):
            if each.opcode in dis.hasname and each.opname not in BINDING:
                (own if each.opname in OF_GLOBALS else other).add(each.argval)
        own -= {"__name__"} if "__module__" in code.co_names[:2] else set()
        assert names_in(code) == (own, other)
        return 1 + sum(look(each) for each in code.co_consts if isinstance(each, CodeType))

    modules = (argparse, json, random, copy, edited_rules, inspect)
    assert sum(look(compile(inspect.getsource(module), "text", "exec")) for module in modules) > 300


def test_at_least_200_edits_are_there() -> None:
    assert len(edits(WIDE)) + len(edits(NARROW)) > 250


@pytest.mark.parametrize(
    ("name", "step"),
    [("wide", 9), ("narrow", 2), ("reflective", 2), ("natural", 2)]
    + [pytest.param(name, 1, marks=pytest.mark.slow) for name in ("wide", "narrow", "reflective", "natural")],
)
def test_every_edit_has_another_key(tmp_path: Path, name: str, step: int) -> None:
    files = SOURCES[name]
    base = key(tmp_path / "base", files)
    assert base is not None
    assert base.text is not None, base.reason
    seen = {base.text}
    ran = 0
    for number, edit in enumerate(edits(files)[::step]):
        found = key(tmp_path / str(number), edit.files)
        if found is not None:  # rules that run
            ran += 1
            assert found.text is not None, (edit.what, found.reason)
            assert found.text != base.text, edit.what
            seen.add(found.text)
    assert ran > 15
    assert len(seen) > ran * 0.9


@pytest.mark.parametrize("name", SOURCES)
def test_edits_that_mean_nothing_keep_the_key(tmp_path: Path, name: str) -> None:
    base = key(tmp_path / "base", SOURCES[name])
    # The last of them changes docstrings, which the reflective rules read.
    for number, edit in enumerate(harmless(SOURCES[name])[: 3 if name == "reflective" else None]):
        assert key(tmp_path / "elsewhere" / str(number), edit.files) == base, edit.what


def test_other_types_of_natural_fields_have_another_key(tmp_path: Path) -> None:
    """Members, values, orders and aliases of types say what stored numbers mean."""
    base = key(tmp_path / "base", NATURAL)
    assert base is not None
    wider = NATURAL | {"colours.py": NATURAL["colours.py"] + "\nWide = tuple[bool, ...]\n"}
    assert key(tmp_path / "wider", wider) == base
    for number, edit in enumerate(retyped(NATURAL)):
        found = key(tmp_path / str(number), edit.files)
        assert found is not None, edit.what
        assert found != base, edit.what


def test_the_order_of_a_literal_means_nothing(tmp_path: Path) -> None:
    """`typing` gives back the order that it met first in the process, so no key and no stored number may hang on it."""
    turned = NATURAL | {
        "rules.py": NATURAL["rules.py"]
        .replace('Literal["bid", "play"]', 'Literal["play", "bid"]')
        .replace("1, 3", "3, 1")
    }
    one, other = loaded(tmp_path / "one", NATURAL), loaded(tmp_path / "other", turned)
    assert one is not None
    assert other is not None
    assert key_of(one) == key_of(other)
    assert numbers_of(one, one.start())[0] == numbers_of(other, other.start())[0]


PRINT = """
import sys
sys.path.insert(0, sys.argv[1])
from endsight import load
from kept_rules import key_of_rules
for spec in sys.argv[2:]:
    print(key_of_rules(load(spec)).text)
"""


def test_the_key_is_the_same_in_every_process(tmp_path: Path) -> None:
    games = [f"{written(tmp_path, WIDE)}:Own", "connectfour", "highcard:hand=1-3-5-7,rival=8-x-4-x", "scorecard"]
    found = set()
    for seed in ("0", "1", "17"):
        command = [sys.executable, "-c", PRINT, str(ROOT), *games]
        done = subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        )
        found.add(done.stdout)
    assert len(found) == 1
    assert len(set(found.pop().split())) == len(games)


def test_asserts_that_python_leaves_out_are_another_key() -> None:
    keys = set()
    for flags in ([], ["-O"]):
        command = [sys.executable, *flags, "-c", PRINT, str(ROOT), "tictactoe"]
        keys.add(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    assert len(keys) == 2


# ---------------------------------------------------------------------- what is kept


def _kept_edits(files: Files, slow: bool) -> list[Edit]:
    found = edits(files)
    return found if slow else found[::QUICK]


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_edit_is_refused_by_from_and_by_status(tmp_path: Path, slow: bool) -> None:
    spec, solution = f"{written(tmp_path / 'base', NARROW)}:Own", str(tmp_path / "solved")
    assert run("solve", spec, "-o", solution, "--engine", "plain").code == 0
    assert run("value", spec, "--from", solution).code == 0
    tried = 0
    for number, edit in enumerate(_kept_edits(NARROW, slow)):
        if loaded(tmp_path / str(number), edit.files) is not None:
            edited_rules.forget()
            changed = f"{tmp_path / str(number) / 'rules.py'}:Own"
            for command in (("value", changed, "--from", solution), ("status", solution, "--game", changed)):
                tried += 1
                ending = run(*command)
                assert ending.code == 3, edit.what
                assert not ending.out
                if "parameters: " not in ending.err:  # a default that was edited is another parameter
                    assert "rules that mean something else today" in ending.err
                    assert f"endsight solve {changed}" in ending.err
                assert ending.err.count("\n") <= 4
    assert tried > 6


@pytest.mark.slow
def test_edits_of_all_that_rules_reach_are_refused_by_from(tmp_path: Path) -> None:
    spec, solution = f"{written(tmp_path / 'base', WIDE)}:Own", str(tmp_path / "solved")
    assert run("solve", spec, "-o", solution).code == 0
    tried = 0
    for number, edit in enumerate(edits(WIDE)):
        game = loaded(tmp_path / str(number), edit.files)
        if game is not None:
            edited_rules.forget()
            tried += 1
            ending = run("value", f"{tmp_path / str(number) / 'rules.py'}:Own", "--from", solution)
            assert ending.code == 3, edit.what
            if "does not work" in ending.err:  # the edit has broken a rule
                with pytest.raises(RulesError):
                    es.solve(game, engine="plain")
            else:
                assert "holds the solution of" in ending.err
    assert tried > 200


@pytest.mark.parametrize("slow", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_an_edit_finds_nothing_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow: bool) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path / "cache"))
    game, again = (loaded(tmp_path / name, NARROW) for name in ("base", "again"))
    assert game is not None
    assert again is not None
    remember(game, 123)
    assert known(again) == Known(123, True)
    for number, edit in enumerate(_kept_edits(NARROW, slow)):
        changed = loaded(tmp_path / str(number), edit.files)
        if changed is not None:
            states, is_trusted = known(changed)
            assert (states, is_trusted or None) == (None, None), edit.what


# ---------------------------------------------------------------------- changes while a program runs


class Steps(es.Game):
    """Count up to `most`."""

    most: int = 4
    by = 1

    class State(NamedTuple):
        at: int

    def limits(self) -> State:
        return self.State(self.most + 3)

    def start(self) -> State:
        return self.State(0)

    def moves(self, state: State) -> range:
        return range(1, 3 if state.at < self.most else 1)

    def play(self, state: State, move: int) -> State:
        return self.State(state.at + move * self.by)

    def payoff(self, state: State) -> int:
        return -1


def _other_payoff(self: Steps, state: Any) -> int:
    return 1


def _changes() -> dict[str, Callable[[Steps, type[Steps]], None]]:
    return {
        "an attribute of the game": lambda game, kind: setattr(game, "by", 2),
        "a method on the game": lambda game, kind: setattr(game, "payoff", _other_payoff.__get__(game)),
        "a method on the class": lambda game, kind: setattr(kind, "payoff", _other_payoff),
        "an attribute of the class": lambda game, kind: setattr(kind, "by", 3),
        "a parameter": lambda game, kind: setattr(game, "most", 5),
        "a method of a base class": lambda game, kind: setattr(kind.__mro__[1], "payoff", _other_payoff),
        "the State": lambda game, kind: setattr(kind, "State", NamedTuple("State", [("at", int), ("by", int)])),
        "code of a function": lambda game, kind: setattr(kind.payoff, "__code__", _other_payoff.__code__),
    }


@pytest.mark.parametrize("what", _changes())
def test_a_change_at_run_time_is_seen(what: str) -> None:
    class Base(Steps):
        def payoff(self, state: Any) -> int:
            return -1

    class Own(Base):
        pass

    game = Own()
    before = key_of(game)
    assert before.text is not None
    assert key_of(game) == before == key_of(Own())
    _changes()[what](game, Own)
    assert key_of(game) != before


PAIRS = {
    "a name that is worked out": ("getattr(tools, 'FAC' + 'TOR')", "tools.FACTOR = {}"),
    "an entry of a module": ("tools.__dict__['FACTOR']", "tools.FACTOR = {}"),
    "a function of a library that is replaced": ("math.floor(1)", "math.floor = lambda number: {}"),
    "a table of functions": ("TABLE['a']()", "TABLE = {{'a': lambda: {}}}"),
    "a docstring that is read": ("len(helper.__doc__)", "helper.__doc__ = 'a' * {}"),
    "annotations that are read": ("helper.__annotations__['a']", "helper.__annotations__ = {{'a': {}}}"),
    "a method of the State": ("1", "Own.State._replace = lambda self: {}"),
    "a field of the State": ("1", "Own.State.left = property(lambda self: {})"),
    "a default of the State": ("1", "Own.State.__new__.__defaults__ = ({},)"),
    "an attribute of a function": ("helper.more", "helper.more = {}"),
    "the order of a set": ("next(iter(FEW))", "FEW = set([0, 8][::{} or -1])"),
    "the order of a dict": ("next(iter(FEW))", "FEW = dict.fromkeys([0, 8][::{} or -1])"),
    "a very long number": ("FEW % 2", "FEW = 10**6000 + {}"),
    "a zero with another sign": ("str(FEW)", "FEW = (-1) ** {} * 0.0"),
    "a class without a def": ("FEW.share", "FEW = type('T', (), dict(share={}))"),
    "which object a table holds": ("FEW[0] is A", "A, B = object(), object(); FEW = (A, B)[{} - 1:]"),
    "which object a set holds": ("A in FEW", "A, B = object(), object(); FEW = {{(A, B)[{} - 1]}}"),
    "which object is a key": ("A in FEW", "A, B = object(), object(); FEW = {{(A, B)[{} - 1]: 1}}"),
    "which list is the same": ("FEW[0] is FEW[1]", "A = [1]; FEW = [A, ([1], A)[{} - 1]]"),
    "which function is the same": ("FEW[0] is FEW[1]", "FEW = [lambda: 1 for _ in '12']; FEW[:{}] = FEW[-1:]"),
    "an object in a set": ("FEW <= C", "A, B = object(), object(); C = {{('a', A)}}; FEW = {{('a', (A, B)[{} - 1])}}"),
    "a set of another kind": ("isinstance(FEW, set)", "FEW = (set, frozenset)[{} - 1]((1, 2))"),
    "a dict of another kind": ("isinstance(FEW, dict)", "FEW = (dict, types.MappingProxyType)[{} - 1](dict(a=1))"),
    "what a table gives for other keys": ("FEW['a']", "FEW = defaultdict((int, list)[{} - 1])"),
    "the same in a class of one's own": ("FEW['a']", "FEW = type('T', (defaultdict,), dict())((int, list)[{} - 1])"),
    "the order of a set of pairs": ("next(iter(FEW))", "FEW = set([(0, 0), (0, 6)][::{} or -1])"),
    "a number of a library": ("int(math.pi)", "math.pi = {}.0"),
    "a function of a library for another": ("math.floor(1.5)", "math.floor = (math.trunc, math.ceil)[{} - 1]"),
    "a method of a library's class": ("int(-Fraction(1))", "Fraction.__neg__ = lambda self: {}"),
    "a class that is registered": ("isinstance(1, FEW)", "class FEW(abc.ABC): pass\nFEW.register((str, int)[{} - 1])"),
    "cells of a code object": ("FEW()", "FEW = types.FunctionType((lambda: A).__code__, dict(A={}))"),
}
SOURCE = """
import abc, math, types
from collections import defaultdict
from fractions import Fraction
from typing import NamedTuple
import tools
from endsight import Game
def helper(): return 1
class Own(Game):
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state): return range(min(1, state.left))
    def play(self, state, move): return self.State(state.left - 1)
    def payoff(self, state): return {body}
{after}
"""


@pytest.mark.parametrize("what", PAIRS)
def test_what_no_edit_of_a_line_changes_is_seen_too(tmp_path: Path, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for place, name in ((math, "floor"), (math, "pi"), (Fraction, "__neg__")):
        monkeypatch.setattr(place, name, getattr(place, name))  # it is put back afterwards
    body, after = PAIRS[what]
    keys = []
    for number, share in enumerate((1, 1, 0 if what.startswith("the order") else 2)):
        files = {"rules.py": SOURCE.format(body=body, after=after.format(share)), "tools.py": "FACTOR = 1"}
        keys.append(key(tmp_path / str(number), files))
    assert keys[0] == keys[1] != keys[2]
    assert keys[0] is not None
    assert keys[0].text is not None, keys[0].reason


def test_a_default_that_is_given_keeps_the_key() -> None:
    game = Steps()
    assert key_of(Steps(most=4)) == key_of(Steps(4)) == key_of(game)
    assert key_of(Steps(most=5)) != key_of(game)
    assert game.player_count == 2
    assert key_of(Steps()) == key_of(game)


def test_a_policy_has_a_key_of_its_own() -> None:
    def policy(bonus: int) -> Callable[..., Any]:
        return lambda game, state: min(bonus, len(list(game.moves(state))))

    assert key_of(policy(1)) == key_of(policy(1))
    assert key_of(policy(1)) != key_of(policy(2))


# ---------------------------------------------------------------------- what has no key


def _generator() -> Iterator[int]:
    yield 1


UNKNOWN = {
    "an open file": (lambda: open(__file__, encoding="utf-8"), "TextIOWrapper"),  # noqa: SIM115
    "a generator": (_generator, "generator"),
    "a lock": (threading.Lock, "lock"),
    "a lock in a list": (lambda: [1, [threading.Lock()]], "lock"),
    "a socket": (lambda: __import__("socket").socket(), "socket"),
}


@pytest.mark.parametrize("what", UNKNOWN)
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_cannot_be_looked_into_has_no_key_and_is_named(what: str, tmp_path: Path) -> None:
    make, named = UNKNOWN[what]
    game = Steps()
    game.source = make()  # type: ignore[attr-defined]
    found = key_of(game)
    assert found.text is None
    assert found.reason is not None
    assert "source" in found.reason
    assert named in found.reason
    with pytest.raises(QuestionError, match=named):
        es.save(es.solve(game, engine="plain"), tmp_path / "solved")
    assert not keeps_size(game)
    getattr(game.source, "close", lambda: None)()  # type: ignore[attr-defined]


OUTSIDE = """
import functools, json, os, random, time
from pathlib import Path
from typing import NamedTuple
from endsight import Game

@functools.cache
def table():
    with open("table.json") as file:
        return json.load(file)

def now():
    return int(time.time())

class Reader:
    def read(self):
        return Path("table.json").read_text()
    def write(self):
        return 1

class Own(Game):
    class State(NamedTuple):
        left: int
    def setup(self):
        self.reader = Reader()
        self.text = __file__ and Path(__file__).name
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state): return range(min(1, state.left))
    def play(self, state, move): return self.State(state.left - 1)
    def payoff(self, state): return {body}
"""


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ("table()[0]", "open"),
        ("now() % 2", "time"),
        ("random.choice([1, -1])", "choice"),
        ("len(os.environ) % 2", "environ"),
        ("len(self.reader.read())", "Path"),
        ("eval('1')", "eval"),
        ("(lambda: len(open('x').read()))()", "open"),
        ("self.reader.write()", None),
        ("random.Random(4).randint(0, 1) * 0 + 1", "Random"),
        ("1", None),
    ],
)
def test_what_play_reads_from_outside_leaves_no_key(tmp_path: Path, body: str, named: str | None) -> None:
    path = tmp_path / "rules.py"
    path.write_text(OUTSIDE.replace("{body}", body), encoding="utf-8")
    found = key_of(load(f"{path}:Own"))
    assert (found.text is None) == (named is not None), found
    if named is not None:
        assert found.reason is not None
        assert named in found.reason


def test_every_built_in_game_has_a_key() -> None:
    for spec in (
        "tictactoe",
        "ur",
        "pots:4-9",
        "rpsbag:1-2-3",
        "highcard:hand=1-2,rival=x-3",
        "hiddenpots:count=2,max=2",
    ):
        found = key_of(load(spec))
        assert found.text is not None, found.reason
    for name in ("dominoes", "nim", "chomp", "dodgem", "hexapawn", "pig", "pigturn", "scorecard", "blackjack"):
        found = key_of(load(name))
        assert found.text is not None, found.reason


# ---------------------------------------------------------------------- what version 0.1 left


OLD = ROOT / "known" / "0.1"
KNOWN = json.loads((OLD / "manifest.json").read_text(encoding="utf-8"))


def _arguments(command: str) -> list[str]:
    """The game and the question of a command of `manifest.json`, with the rules where they are kept."""
    words = command.replace("countdown.py", str(OLD / "countdown.py")).split()[2:]
    for option in ("--mode", "--workers", "--method", "--engine"):
        if option in words:
            del words[words.index(option) : words.index(option) + 2]
    return [word for word in words if word != "--best"]


@pytest.mark.parametrize("name", KNOWN["solutions"])
def test_a_solution_of_0_1_is_refused_with_the_command_that_makes_it_anew(name: str) -> None:
    folder = OLD / "solutions" / name
    game, *question = _arguments(KNOWN["solutions"][name]["command"])
    title = game.rpartition(":")[2] if ".py:" in game else game.partition(":")[0]
    commands = [
        ("value", game, *question, "--from", str(folder)),
        ("status", str(folder)),
        ("export", str(folder), "--to", "csv"),
    ]
    for command in commands:
        ending = run(*[word for word in command if word != "--interval"])
        assert (ending.code, ending.out) == (3, ""), command
        assert "was stored by endsight 0.1.0" in ending.err
        assert "endsight solve " in ending.err
        assert title in ending.err
    with pytest.raises(FileError, match=r"0\.1\.0"):
        es.open_tablebase(folder)


@pytest.mark.parametrize("name", KNOWN["jobs"])
def test_a_job_of_0_1_is_not_gone_on_with(name: str) -> None:
    folder = OLD / "jobs" / name
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    command = KNOWN["jobs"][name]["command"].replace("countdown.py", str(OLD / "countdown.py")).split()[1:]
    for words in ((*command, "-o", str(folder)), ("status", str(folder))):
        ending = run(*words)
        assert (ending.code, ending.out) == (3, "")
        assert "was stored by endsight 0.1.0" in ending.err
        assert "endsight solve " in ending.err
    after = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and path.name != "LOCK"}
    (folder / "LOCK").unlink(missing_ok=True)
    assert after == before


@pytest.mark.parametrize("name", [name for name in KNOWN["solutions"] if name not in ("cluster", "policy")])
def test_the_command_of_a_refusal_answers_what_0_1_answered(name: str, tmp_path: Path) -> None:
    known = KNOWN["solutions"][name]
    ending = run("status", str(OLD / "solutions" / name))
    words = ending.err.rpartition("endsight solve ")[2].replace("FILE.py", str(OLD / "countdown.py")).split()
    words[words.index("-o") + 1] = str(tmp_path / "new")
    assert run("solve", *words).code == 0
    made = run("status", str(tmp_path / "new"), "--json").document
    for entry in ("value", "lower", "upper") if name not in ("rounds", "rounds-disk") else ():
        assert made[entry] == known[entry]


def test_the_policy_of_0_1_has_another_name_today() -> None:
    folder = OLD / "solutions" / "policy"
    ending = run("value", "pots:4-9-2-7", "--fix", f"second={OLD / 'countdown.py'}:last", "--from", str(folder))
    assert ending.code == 3
    assert "--fix second=FILE.py:last" in ending.err


@pytest.mark.parametrize("name", KNOWN["certificates"])
def test_a_certificate_of_0_1_is_right_or_refused_with_what_to_do(name: str) -> None:
    known = KNOWN["certificates"][name]
    rules = [word.replace("countdown.py", str(OLD / "countdown.py")) for word in known["verify"]]
    file = OLD / "certificates" / f"{name}.cert"
    ending = run("verify", str(file), *rules, "--json")
    if ending.code == 0:
        assert (ending.document["verdict"], ending.document["claim"]) == (known["verdict"], known["claim"])
    else:
        assert (ending.code, ending.out) == (3, "")
        assert f"endsight prove GAME -o {file}" in ending.err


# ---------------------------------------------------------------------- files in the cache


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder with what two games leave there that differ in one line."""
    place = tmp_path_factory.mktemp("cache")
    for name, files in _PAIR.items():
        path = written(place / name, files)
        assert _told(place, path) == _WORTH[name]
    return place


_PAIR = {"one": NARROW, "two": NARROW | {"helpers.py": NARROW["helpers.py"].replace("BONUS = 3", "BONUS = 8")}}
_WORTH = {"one": "first 6, second -6", "two": "first 11, second -11"}


def _told(place: Path, path: Path) -> str:
    command = [sys.executable, "-m", "endsight", "value", f"{path}:Own", "--engine", "compiled", "--method", "graph"]
    environment = {**os.environ, "ENDSIGHT_CACHE_DIR": str(place / "kept")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_what_is_not_as_it_was_written_is_not_used(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(cache / "kept"))
    files = sorted((cache / "kept").iterdir())
    assert {file.suffix for file in files} >= {".object", ".checked"}
    draw = random.Random(1)
    for file in files:
        content = file.read_bytes()
        assert kept(file) is not None
        others = [other.read_bytes() for other in files if other.suffix == file.suffix and other != file]
        shorter = [content[: draw.randrange(len(content))] for _ in range(20)]
        flipped = []
        for _ in range(60):
            changed = bytearray(content)
            changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
            flipped.append(bytes(changed))
        for wrong in (*others, *shorter, *flipped, content + b"\0", b"", b"\n"):
            file.write_bytes(wrong)
            assert kept(file) is None
        file.write_bytes(content)
        assert kept(file) is not None


@pytest.mark.parametrize("suffix", [".object", ".checked"])
def test_exchanged_files_change_no_answer(cache: Path, suffix: str) -> None:
    files = sorted(file for file in (cache / "kept").iterdir() if file.suffix == suffix)
    assert len(files) > 1
    contents = [file.read_bytes() for file in files]
    for file, content in zip(files, contents[1:] + contents[:1], strict=True):
        file.write_bytes(content)
    for name, worth in _WORTH.items():
        assert _told(cache, cache / name / "rules.py") == worth


def test_a_fifo_or_a_folder_in_the_cache_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    folder, pipe = tmp_path / f"{'a' * 40}.object", tmp_path / f"{'b' * 40}.object"
    folder.mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(pipe)
        assert kept(pipe) is None
    assert kept(folder) is None
    assert not is_there(folder)
    keep(folder, b"code")
    assert kept(folder) is None


def test_asking_about_rules_keeps_their_key(tmp_path: Path) -> None:
    """Neither a check nor a solve nor a copy leaves something behind that counts as another meaning."""
    file = tmp_path / "asked.py"
    file.write_text((Path(es.__file__).parent / "games" / "tictactoe.py").read_text(encoding="utf-8"), encoding="utf-8")
    game = load(f"{file}:TicTacToe")
    before = key_of(game)
    assert before.text is not None
    es.check_rules(game)
    es.solve(game).value()
    pickle.loads(pickle.dumps(copy.deepcopy(game)))
    assert key_of(game) == before


BY_OTHER_NAMES = {
    "attrgetter": ("PICK = operator.attrgetter('FACTOR')", "PICK(tools)"),
    "attrgetter, renamed": ("from operator import attrgetter as ag", "ag('FACTOR')(tools)"),
    "getattr, renamed": ("PICK = getattr", "PICK(tools, 'FACTOR')"),
    "vars, renamed": ("PICK = vars", "PICK(tools)['FACTOR']"),
    "a part of getattr": ("PICK = functools.partial(getattr, tools)", "PICK('FACTOR')"),
    "getattr in a table": ("PICK = {'get': getattr}", "PICK['get'](tools, 'FACTOR')"),
    "a format": ("", "int('{0.FACTOR}'.format(tools))"),
    "__getattribute__": ("", "tools.__getattribute__('FACTOR')"),
    "__subclasses__": ("", "sum(kind.number for kind in tools.Base.__subclasses__())"),
    "__globals__": ("from tools import FACTOR", "type(self).limits.__globals__['FACTOR']"),
}
"""How rules may reach what they do not name: a line of the module, and the payoff."""


@pytest.mark.parametrize("way", BY_OTHER_NAMES)
def test_what_is_reached_by_another_name_is_seen(way: str, tmp_path: Path) -> None:
    head, payoff = BY_OTHER_NAMES[way]
    rules = f"""
import functools, operator
from typing import NamedTuple
from endsight.game import Game
import tools
{head}

class Own(Game):
    class State(NamedTuple):
        n: int
    def limits(self): return self.State(1)
    def start(self): return self.State(0)
    def moves(self, state): return [0] if state.n == 0 else []
    def play(self, state, move): return self.State(1)
    def payoff(self, state): return {payoff}
"""
    keys = set()
    for number in (1, 7):
        tools = f"FACTOR = {number}\nclass Base: pass\nclass Special(Base):\n    number = {number}\n"
        found = key(tmp_path / str(number), {"rules.py": rules, "tools.py": tools})
        assert found is not None
        keys.add(found.text or number)
    assert len(keys) == 2


def test_whether_a_file_is_there_comes_from_outside(tmp_path: Path) -> None:
    rules = "import os\n" + COUNTDOWN_RULES.replace("return -1", "return -1 - os.path.exists('extra')")
    found = key(tmp_path, {"rules.py": rules})
    assert found is not None
    assert found.text is None
    assert "exists" in (found.reason or "")
    rules = rules.replace("os.path.exists('extra')", "len(os.path.join('a', 'b'))")
    found = key(tmp_path, {"rules.py": rules})
    assert found is not None
    assert found.text is not None


COUNTDOWN_RULES = """
from typing import NamedTuple
from endsight.game import Game

class Own(Game):
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state): return [1] if state.left else []
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
"""


FILLING = """
import random
from typing import NamedTuple
from endsight import Game

TABLE = {}


class Filling(Game):
    heap: int = 7

    class State(NamedTuple):
        heap: int

    def setup(self):
        self.known = {}

    def limits(self):
        return self.State(self.heap)

    def start(self):
        return self.State(self.heap)

    def moves(self, state):
        return self.known.setdefault(state.heap, [take for take in (1, 2) if take <= state.heap])

    def play(self, state, move):
        return self.State(state.heap - move)

    def payoff(self, state):
        return -1


class Beside(Filling):
    def moves(self, state):
        return TABLE.setdefault(state.heap, [take for take in (1, 2) if take <= state.heap])


class Drawn(Filling):
    def setup(self):
        self.known = {}
        self.lot = random.random()

    def moves(self, state):
        return [take for take in (1, 2) if take <= state.heap]


class Steady(Drawn):
    def setup(self):
        self.table = None
"""


@pytest.mark.parametrize(
    ("name", "what"),
    [("Filling", "change during play\n  found:   self.known"), ("Drawn", "each time\n  found:   self.lot")],
)
def test_rules_that_are_not_the_same_each_time_are_not_stored(tmp_path: Path, name: str, what: str) -> None:
    """They were stored under a key that no game made later had, and called changed rules when they were opened."""
    path = tmp_path / "filling.py"
    path.write_text(FILLING, encoding="utf-8")
    solution = es.solve(load(f"{path}:{name}"))
    with pytest.raises(QuestionError, match="can be stored and found again") as refused:
        es.save(solution, tmp_path / "stored")
    assert what in str(refused.value)
    assert not (tmp_path / "stored").exists()


def test_rules_that_setup_makes_otherwise_each_time_are_not_stored(tmp_path: Path) -> None:
    path = tmp_path / "filling.py"
    path.write_text(FILLING, encoding="utf-8")
    ended = run("solve", f"{path}:Drawn", "-o", str(tmp_path / "stored"))
    assert (ended.code, "self.lot" in ended.err) == (2, True)
    assert not (tmp_path / "stored").exists()


def test_what_is_set_on_a_game_by_hand_can_be_set_again(tmp_path: Path) -> None:
    path = tmp_path / "filling.py"
    path.write_text(FILLING, encoding="utf-8")
    game, same, other = (load(f"{path}:Steady") for _ in range(3))
    for each in (game, same):
        each.table = (1, 2)
    es.save(es.solve(game), tmp_path / "stored")
    assert es.open_tablebase(tmp_path / "stored", same).value() == es.solve(game).value()
    with pytest.raises(FileError, match="rules that mean something else"):
        es.open_tablebase(tmp_path / "stored", other)


def test_a_table_beside_the_game_that_play_fills_is_named(tmp_path: Path) -> None:
    """It is filled when a solution is saved, and empty in the process that opens it."""
    path = tmp_path / "filling.py"
    path.write_text(FILLING, encoding="utf-8")
    es.save(es.solve(load(f"{path}:Beside")), tmp_path / "stored")
    command = [sys.executable, "-m", "endsight", "value", f"{path}:Beside", "--from", str(tmp_path / "stored")]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == 2, ended.stderr
    assert "a table beside the game" in ended.stderr


TYPED = """
from typing import Literal, NamedTuple
from endsight import Game


class Pair(NamedTuple):
    one: Literal["a", "b"] = "a"
    other: int = 0


class Own(Game):
    class State(NamedTuple):
        pair: Pair
        cells: tuple[int, ...]
        kind: Literal["p", "q"] = "p"
        more: int | None = 0

    def limits(self):
        return self.State(Pair("b", 1), (1, 1), "q", 1)

    def start(self):
        return self.State(Pair(), (0, 0))

    def moves(self, state):
        yield from ()

    def play(self, state, move):
        return state

    def payoff(self, state):
        return 0
"""


def test_the_declared_types_of_fields_are_part_of_the_key(tmp_path: Path) -> None:
    """They say which number stands for which value in what is stored; the order of a Literal says nothing."""

    def key_after(before: str, after: str) -> str:
        path = tmp_path / f"{abs(hash((before, after)))}" / "rules.py"
        path.parent.mkdir()
        path.write_text(TYPED.replace(before, after) if before else TYPED, encoding="utf-8")
        key = key_of(load(f"{path}:Own"))
        assert key.text is not None, key.reason
        return key.text

    first = key_after("", "")
    assert {key_after('["p", "q"]', '["q", "p"]'), key_after('["a", "b"]', '["b", "a"]')} == {first}
    edits = [
        ("[int, ...]", "[int, int]"),
        (" | None", ""),
        ('["p", "q"]', '["p", "q", "r"]'),
        ('["a", "b"]', '["a", "b", "c"]'),
    ]
    keys = {key_after(before, after) for before, after in edits}
    assert len(keys | {first}) == 5


# ---------------------------------------------------------------------- which objects are the same one


KINDS = ("tuple", "list", "dict", "set", "frozenset", "thing", "mark")
TRIES = 300


class Thing:
    """An object that is equal to itself alone."""

    def __init__(self) -> None:
        self.held: Any = None


def drawn(draw: random.Random) -> list[tuple[str, list[int]]]:
    """Random data: each object's kind, and the later ones that it holds."""
    count = draw.randint(2, 7)
    return [
        (draw.choice(KINDS), [draw.randrange(number + 1, count) for _ in range(draw.randint(0, 3))])
        if number < count - 2
        else ("mark", [])
        for number in range(count)
    ]


def made(data: list[tuple[str, list[int]]]) -> Any:
    """The first object of such data, anew each time."""
    objects: list[Any] = []
    for kind, numbers in data[::-1]:
        held = [objects[len(data) - 1 - number] for number in numbers]
        objects.append(_made(kind, held))
    return objects[-1]


def _made(kind: str, held: list[Any]) -> Any:
    can_be_inside = [each for each in held if not isinstance(each, list | dict | set)]
    if kind == "thing":
        thing = Thing()
        thing.held = held
        return thing
    if kind == "dict":
        return dict(enumerate(held))
    if kind in ("set", "frozenset", "tuple"):
        kinds: dict[str, Any] = {"set": set, "frozenset": frozenset, "tuple": tuple}
        return kinds[kind](filter(_hashes, can_be_inside))
    return held if kind == "list" else object()


def _hashes(each: Any) -> bool:
    try:
        hash(each)
    except TypeError:
        return False
    return True


def matches(ones: list[Any], others: list[Any], pairs: dict[int, int]) -> Iterator[dict[int, int]]:
    """Every way to pair the same objects so that each of `ones` holds the same as its partner in `others`."""
    if not ones and not others:
        yield pairs
    elif len(ones) == len(others):
        for found in _match(ones[0], others[0], pairs):
            yield from matches(ones[1:], others[1:], found)


def _match(one: Any, other: Any, pairs: dict[int, int]) -> Iterator[dict[int, int]]:
    if type(one) is not type(other):
        return
    if not isinstance(one, tuple | frozenset):  # these are equal where what they hold is
        if id(one) in pairs or id(other) in pairs.values():
            if pairs.get(id(one)) == id(other):
                yield pairs
            return
        pairs = {**pairs, id(one): id(other)}
    orders = permutations(other) if isinstance(one, set | frozenset) else [_held(other)]
    for order in orders:
        yield from matches(list(one) if isinstance(one, set | frozenset) else _held(one), list(order), pairs)


def _held(thing: Any) -> list[Any]:
    if isinstance(thing, Thing):
        return [thing.held]
    return [*thing.values()] if isinstance(thing, dict) else list(thing) if isinstance(thing, list | tuple) else []


@pytest.mark.parametrize("seed", seeds(40, 2))
def test_keys_tell_which_objects_are_the_same(seed: int) -> None:
    """Data made twice has one key; with another object in one place it has another, unless that changes nothing."""
    draw = random.Random(seed)
    game, told, differed = Steps(), 0, 0

    def key(thing: Any) -> str | None:
        game.data = thing  # type: ignore[attr-defined]
        return key_of(game).text

    for _ in range(TRIES):
        data = drawn(draw)
        one, again = made(data), made(data)
        assert key(one) == key(again), data
        edited = [(kind, list(numbers)) for kind, numbers in data]
        number = draw.randrange(len(data))
        numbers = edited[number][1]
        if not numbers:
            continue
        numbers[draw.randrange(len(numbers))] = draw.randrange(number + 1, len(data))
        other = made(edited)
        if key(one) is not None and key(other) is not None:
            told += 1
            is_alike = any(True for _ in matches([one], [other], {}))
            differed += not is_alike
            assert (key(one) == key(other)) == is_alike, (data, edited)
    assert told > TRIES / 10
    assert differed > TRIES / 50


ANSWERS_TO_ANY_NAME = """
from typing import NamedTuple
import endsight as es

class Asked:
    def __getattr__(self, name):
        raise BaseException(f"asked for {name}")

shelf = __import__("json")
shelf.asked = Asked()

class Rules(es.Game):
    class State(NamedTuple):
        left: int
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state):
        assert shelf.asked is not None
        yield from range(1, 1 + min(state.left, 2))
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1

print(es.solve(Rules(), engine="plain").value()["second"])
"""


def test_objects_that_answer_to_any_name_are_asked_for_nothing(tmp_path: Path) -> None:
    """Such as `pytest.mark`, which ends the test where a mark is asked for that nobody has declared."""
    file = tmp_path / "asking.py"
    file.write_text(ANSWERS_TO_ANY_NAME, encoding="utf-8")
    told = subprocess.run([sys.executable, file], capture_output=True, text=True, check=False)
    assert told.stdout == "1\n", told.stderr
