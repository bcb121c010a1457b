"""Games, positions and policies by name: what is read, and what every mistake is answered with."""

from __future__ import annotations

import inspect
import io
import json
import os
import random
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from fractions import Fraction
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import endsight as es
from amounts import examples
from command_line import ask, run
from endsight.errors import (
    EndsightError,
    FileError,
    IllegalMoveError,
    InputError,
    ParameterError,
    RulesError,
    UnknownGameError,
)
from endsight.games import BUILT_IN
from thresholds import input_files_of_at_most

load = es.load
AVAILABLE = sorted(name for name in BUILT_IN if PathFinder.find_spec(name, sys.modules["endsight.games"].__path__))

HEAP = '''
    """Take 1 to `most` from a heap; who cannot take has lost."""
    from typing import NamedTuple
    from endsight.game import Game

    class Countdown(Game):
        heap: int = 10
        most: int = 3
        class State(NamedTuple):
            left: int
        def limits(self):            return self.State(self.heap)
        def start(self):             return self.State(self.heap)
        def moves(self, state):      yield from range(1, min(self.most, state.left) + 1)
        def play(self, state, move): return self.State(state.left - move)
        def payoff(self, state):     return -1
        def policy_one(self, state): return 1
'''

KINDS = """
    from __future__ import annotations
    from fractions import Fraction
    from typing import ClassVar, Literal, NamedTuple
    from endsight.errors import FileError, ParameterError
    from endsight.game import Game

    class Kinds(Game):
        whole: int = 1
        yes: bool = False
        word: str = "w"
        share: Fraction = Fraction(1, 2)
        first: Literal["ignored", "scored"] = "ignored"
        size: Literal[3, 5] = 3
        maybe: int | None = None
        numbers: tuple[int, ...] = ()
        marks: tuple[int | None, ...] = ()
        rows: tuple[tuple[int, ...], ...] = ()
        pair: tuple[int, int] = (1, 2)
        words: tuple[str, ...] = ()
        number: ClassVar[int] = 5
        class State(NamedTuple):
            left: int
        def limits(self):            return self.State(1)
        def start(self):             return self.State(1)
        def moves(self, state):      yield from range(state.left)
        def play(self, state, move): return self.State(0)
        def payoff(self, state):     return -1

    class Listed(Kinds):
        numbers: tuple[int, ...]
        def setup(self):
            if len(self.numbers) > 5:
                raise ParameterError("at most five numbers", found=str(len(self.numbers)))
        @classmethod
        def parameters(cls):
            return {"numbers": tuple[int, ...], "yes": bool}
        @classmethod
        def from_file(cls, text, *, order: Literal["up", "down"] = "up", yes=False, note="", times=1):
            if not text.isascii():
                raise FileError("only numbers")
            if note == "odd":
                raise ParameterError("cannot use note=odd")
            numbers = sorted(map(int, text.split()), reverse=order == "down")
            return cls(numbers=tuple(numbers), yes=yes), ("0",) if note == "moved" else ()

    class Kept(Kinds):
        @classmethod
        def from_file(cls, text):
            return cls(word=text), ()
"""


def write(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))
    return str(path)


@pytest.fixture
def heap(tmp_path: Path) -> str:
    return write(tmp_path, "heap.py", HEAP)


@pytest.fixture
def kinds(tmp_path: Path) -> str:
    return write(tmp_path, "kinds.py", KINDS)


def piped(spec: str, text: str) -> Any:
    """The game of that name, with the text on the standard input."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", io.StringIO(text))
        return load(spec)


def error(kind: type[EndsightError], text: str, loader: Callable[[str], object] = load) -> str:
    """The message of the error that `text` must raise: exactly of that kind."""
    with pytest.raises(kind) as caught:
        loader(text)
    assert type(caught.value) is kind
    return str(caught.value)


# ---------------------------------------------------------------------- built-in games


def test_name_alone() -> None:
    assert load("tictactoe").values() == {"width": 3, "height": 3, "line": 3}


def test_parameters_by_name_and_the_first_without() -> None:
    assert load("tictactoe:width=4,height=3").values() == {"width": 4, "height": 3, "line": 3}
    assert load("tictactoe:4,line=2").values() == {"width": 4, "height": 3, "line": 2}
    assert load("tictactoe: 4 , line = 2 ").values() == {"width": 4, "height": 3, "line": 2}


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("pots:4-9-2-7", {"pots": (4, 9, 2, 7)}),
        ("pots:-3-7--2-5", {"pots": (-3, 7, -2, 5)}),
        ("pots:", {"pots": ()}),
        ("pots:-5", {"pots": (-5,)}),
        ("nim:3-4-5", {"heaps": (3, 4, 5), "misere": False}),
        ("nim:heaps=3-4-5,misere=yes", {"heaps": (3, 4, 5), "misere": True}),
        ("rpsbag:100-0-200/0-300-0", {"dice": ((100, 0, 200), (0, 300, 0))}),
        ("highcard:hand=1-3-5-7,rival=8-x-4-x", {"hand": (1, 3, 5, 7), "rival": (8, None, 4, None)}),
        ("highcard:hand=1-3-5-7,rival=8--1-4-x", {"hand": (1, 3, 5, 7), "rival": (8, None, 4, None)}),
        ("repeatbust:sides=4,dice=1,first=scored", {"sides": 4, "dice": 1, "first": "scored"}),
    ],
)
def test_the_contract_s_own_examples(text: str, values: dict[str, Any]) -> None:
    assert load(text).values() == values


def test_missing_parameter_says_how_to_give_it() -> None:
    message = error(ParameterError, "pots")
    assert "pots needs pots" in message
    assert "pots:4-9-2-7 or pots:@FILE" in message
    for name in ("hiddenpots", "rpsbag", "highcard"):
        assert f"{name}:" in error(ParameterError, name)


def test_examples_in_messages_work() -> None:
    for name in ("pots", "hiddenpots", "rpsbag", "highcard"):
        advice = error(ParameterError, name).rpartition("try:")[2].split(" or ")[0].strip()
        assert load(advice).title() == name


def test_unknown_names_get_the_nearest() -> None:
    message = error(UnknownGameError, "tictactoo")
    assert "no game called 'tictactoo'" in message
    assert message.endswith("try:     tictactoe")
    assert error(UnknownGameError, "TicTacToe:width=4").endswith("tictactoe")
    assert error(UnknownGameError, "tic-tac-toe").endswith("tictactoe")
    assert error(UnknownGameError, "qqqqqqqq").endswith("endsight games lists them; your own rules are FILE.py:Class")
    assert "no game is named" in error(UnknownGameError, "")
    assert len(error(UnknownGameError, "x" * 10**6)) < 1000


def test_unknown_parameters_get_the_nearest() -> None:
    message = error(ParameterError, "tictactoe:widht=4")
    assert "no parameter 'widht'" in message
    assert message.endswith("try:     width=")
    assert "width=..., height=..., line=..." in message


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("tictactoe:width=4,width=5", "'width' twice"),
        ("tictactoe:4,width=5", "found:   '4' and '5'"),
        ("tictactoe:4,3", "tictactoe:width=4,height=3"),
        ("pots:4,9,2", "pots:4-9-2"),
        ("tictactoe:line=3,", "a parameter is empty"),
        ("tictactoe:", "found:   ''"),
        ("tictactoe:=3", "no parameter ''"),
        ("tictactoe:@file", "cannot be read from a file"),
        ("tictactoe:width=3.0", "a whole number"),
        ("tictactoe:width=²", "a whole number"),
        ("tictactoe:width=1_0", "a whole number"),
        ("tictactoe:width=" + "9" * 4301, "4,301 digits"),
        ("pots:" + "-".join(["9" * 4301] * 2), "number 1: a number of 4,301 digits"),
        ("pots:1-x-3", "number 2: 'x'"),
        ("pots:1-2-", "belongs to no number in '1-2-'"),
        ("pots:1---2", "belongs to no number in '1---2'"),
        ("pots:--2", "belongs to no number in '--2'"),
        ("pots:1--", "belongs to no number in '1--'"),
        ("nim:misere=maybe", "yes or no"),
        ("repeatbust:first=score", "try:     scored"),
        ("rpsbag:1-2-3/4-q-6", "row 2: number 2: 'q'"),
        ("rpsbag:rows=dice,@file", "@FILE comes first"),
        ("rpsbag:dice=@file", "rpsbag:@FILE"),
    ],
)
def test_mistakes_in_parameters(text: str, part: str) -> None:
    message = error(ParameterError, text)
    assert part in message
    assert len(message) < 1000


def test_a_comma_after_the_class(heap: str) -> None:
    message = error(ParameterError, f"{heap}:Countdown,heap=3")
    assert "Countdown was given 'heap' twice" in message
    assert message.endswith("try:     FILE.py:Countdown:heap=3, with a colon after the class")


def refusal(loader: Callable[[str], object], text: str) -> EndsightError | None:
    """The error that names mistakes in `text`; any other exception gets out and fails the test."""
    try:
        loader(text)
    except EndsightError as wrong:
        return wrong
    return None


def test_out_of_range_values_are_refused_at_once() -> None:
    for text in (
        "nim:heaps=99999999999",
        "tictactoe:width=1000000000",
        "connectfour:width=1000000000",
        "pig:target=" + "9" * 4000,
        "repeatbust:sides=1000000000,dice=1000000000",
        "hiddenpots:count=1000000000,max=1000000000",
        "dodgem:size=1000000",
        "chomp:width=1000000000",
    ):
        wrong = refusal(load, text)
        assert wrong is None or isinstance(wrong, ParameterError), text


def sources() -> dict[str, str]:
    """The package of every game that is listed."""
    rows = (line.split("\t") for line in run("games", "--plain").out.splitlines())
    return {name: source for name, _, source, *_ in rows}


def test_names_of_games(heap: str) -> None:
    found = sources()
    assert {found[name] for name in BUILT_IN} == {"endsight"}
    assert ask("games", f"{heap}:Countdown")["class"] == "Countdown"


# ---------------------------------------------------------------------- every kind of parameter


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("whole=-12", "whole", -12),
        ("whole=007", "whole", 7),
        ("yes=YES", "yes", True),
        ("yes=0", "yes", False),
        ("yes=off", "yes", False),
        ("word=a:b=c", "word", "a:b=c"),
        ("word=", "word", ""),
        ("share=-2/3", "share", Fraction(-2, 3)),
        ("share=0.25", "share", Fraction(1, 4)),
        ("share=5", "share", Fraction(5)),
        ("first=scored", "first", "scored"),
        ("size=5", "size", 5),
        ("maybe=x", "maybe", None),
        ("maybe=-1", "maybe", -1),
        ("numbers=1", "numbers", (1,)),
        ("numbers=", "numbers", ()),
        ("marks=x-3--1--2", "marks", (None, 3, None, -2)),
        ("rows=1--2/3", "rows", ((1, -2), (3,))),
        ("rows=1//2", "rows", ((1,), (), (2,))),
        ("pair=3-4", "pair", (3, 4)),
        ("words=a-b-c", "words", ("a", "b", "c")),
    ],
)
def test_values_follow_the_annotations(kinds: str, text: str, key: str, value: object) -> None:
    found = load(f"{kinds}:Kinds:{text}").values()[key]
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    "text",
    [
        "share=1/0",
        "share=1e99999999",
        "share=nan",
        "share=1/-2",
        "size=4",
        "pair=1",
        "pair=1-2-3",
        "maybe=y",
        "marks=-x",
    ],
)
def test_values_that_are_none(kinds: str, text: str) -> None:
    assert "cannot read" in error(ParameterError, f"{kinds}:Kinds:{text}")


def test_kinds_that_have_no_text_form(tmp_path: Path) -> None:
    path = write(tmp_path, "odd.py", HEAP.replace("heap: int", "other: float = 1.0\n        heap: int"))
    assert "kind float" in error(ParameterError, f"{path}:Countdown:other=2")


def as_text(numbers: list[int]) -> str:
    return "-".join(map(str, numbers))


@given(st.lists(st.integers()))
def test_lists_read_back(numbers: list[int]) -> None:
    assert load(f"pots:{as_text(numbers)}").values()["pots"] == tuple(numbers)


@given(st.text(alphabet="0123456789-x/", max_size=12))
def test_lists_have_one_reading(text: str) -> None:
    """The sign rule, written again as a grammar: number (- number)*, number = -? digits."""
    is_list = text == "" or re.fullmatch(r"-?[0-9]+(--?[0-9]+)*", text)
    try:
        numbers = load(f"pots:pots={text}").values()["pots"]
    except ParameterError:
        assert not is_list
    else:
        assert numbers == tuple(int(n) for n in re.findall(r"(?:(?<=^)|(?<=[0-9]-))-?[0-9]+", text))


def test_huge_lists() -> None:
    numbers = tuple((-1) ** i * i for i in range(200_000))
    assert load("pots:" + "-".join(map(str, numbers))).values()["pots"] == numbers


# ---------------------------------------------------------------------- @FILE and the standard input


def test_file_is_read_by_the_game(kinds: str, tmp_path: Path) -> None:
    numbers = write(tmp_path, "numbers.txt", "3 1\n2\n")
    spec = f"{kinds}:Listed:@{numbers}"
    assert load(spec).values()["numbers"] == (1, 2, 3)
    assert load(f"{spec},order=down,yes=yes").values() == {"numbers": (3, 2, 1), "yes": True}
    assert piped(f"{kinds}:Listed:@-", "\ufeff7 6\r\n").values()["numbers"] == (6, 7)
    assert piped(f"{kinds}:Listed:@-,order=down", "7 8").values()["numbers"] == (8, 7)


def test_file_may_hold_moves(kinds: str, tmp_path: Path) -> None:
    numbers = write(tmp_path, "numbers.txt", "3")
    begun = es.solve(f"{kinds}:Listed:@{numbers},note=moved").position
    assert begun.history == ("0",)
    assert begun.is_over


@pytest.mark.parametrize("name", ["a,b.txt", "a:b.txt", "a=b.txt", "a,order=down", "a, b=c,d=e.txt", "ä ☃.txt", "@"])
def test_file_names_may_hold_anything(kinds: str, tmp_path: Path, name: str) -> None:
    write(tmp_path, name, "2 1")
    assert load(f"{kinds}:Listed:@{tmp_path / name}").values()["numbers"] == (1, 2)
    assert load(f"{kinds}:Listed:@{tmp_path / name},order=down").values()["numbers"] == (2, 1)


def test_byte_order_mark_and_line_ends(kinds: str, tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"\xef\xbb\xbfone\r\ntwo\rthree\n")
    assert load(f"{kinds}:Kept:@{path}").values()["word"] == "one\ntwo\nthree\n"


def test_files_that_cannot_be_read(kinds: str, tmp_path: Path) -> None:
    write(tmp_path, "numbers.txt", "1")
    spec = f"{kinds}:Listed:@{tmp_path}"
    assert error(FileError, f"{spec}/number.txt").endswith("numbers.txt")
    assert "number.txt'" in error(FileError, f"{spec}/number.txt,order=down").splitlines()[0]
    assert "is a folder" in error(FileError, spec)
    assert "no folder" in error(FileError, f"{spec}/none/numbers.txt")
    assert "cannot be read" in error(FileError, f"{spec}/\0")
    assert "cannot be read" in error(FileError, f"{spec}/{'x' * 5000}")
    (tmp_path / "latin").write_bytes(b"1 2 \xff")
    assert "byte 0xff at offset 4" in error(FileError, f"{spec}/latin")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="no endless device here")
def test_endless_files_are_refused(kinds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    input_files_of_at_most(monkeypatch, 1000)
    with pytest.raises(FileError, match="too big"):
        load(f"{kinds}:Kept:@/dev/zero")


def test_mistakes_in_a_file_are_input_and_those_in_the_command_usage(kinds: str, tmp_path: Path) -> None:
    many = write(tmp_path, "many", "1 2 3 4 5 6")
    message = error(FileError, f"{kinds}:Listed:@{many}")
    assert message.startswith(f"{many}: at most five numbers")
    assert "found:   6" in message
    assert "standard input" in error(FileError, f"{kinds}:Listed:@-", lambda spec: piped(spec, "1 2 3 4 5 6"))
    few = write(tmp_path, "few", "1 2")
    assert "note=odd" in error(ParameterError, f"{kinds}:Listed:@{few},note=odd")
    assert "try:     order=" in error(ParameterError, f"{kinds}:Listed:@{few},ordr=up")
    assert "up, down" in error(ParameterError, f"{kinds}:Listed:@{few},order=left")
    assert "only numbers" in error(FileError, f"{kinds}:Listed:@{write(tmp_path, 'snow', '☃')}")
    assert "from_file" in error(RulesError, f"{kinds}:Listed:@{write(tmp_path, 'word', 'one')}")


@pytest.mark.parametrize("result", ["None", "cls()", "(cls(), 5)", "(cls(), ('zz',))", "((), ())", "1/0"])
def test_from_file_that_gives_something_else(tmp_path: Path, result: str) -> None:
    extra = f"\n        @classmethod\n        def from_file(cls, text): return {result}\n"
    path = write(tmp_path, "odd.py", HEAP + extra)
    with pytest.raises(InputError):
        piped(f"{path}:Countdown:@-", "")


def test_standard_input_is_read_by_default(kinds: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = f"{kinds}:Kept:@-"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("é\r\n".encode())))
    assert load(spec).values()["word"] == "é\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff")))
    with pytest.raises(FileError, match="standard input is not UTF-8"):
        load(spec)
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(FileError, match="no standard input"):
        load(spec)


# ---------------------------------------------------------------------- rules of one's own


def test_own_file_in_every_form(heap: str) -> None:
    for spec in (f"{heap}:Countdown:heap=7", f"{heap}:heap=7", f"{heap}:7", f"{heap}:Countdown:7"):
        assert load(spec).values() == {"heap": 7, "most": 3}
    for spec in (heap, f"{heap}:Countdown"):
        assert load(spec).values() == {"heap": 10, "most": 3}


def test_own_file_relative_to_the_current_folder(heap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(heap).parent)
    assert load("heap.py").title() == "Countdown"
    assert load("./heap.py:Countdown").title() == "Countdown"
    assert load("heap:Countdown").title() == "Countdown"
    assert "no class 'Cuontdown'" in error(UnknownGameError, "heap:Cuontdown")
    sys.modules.pop("heap")


def test_windows_paths(heap: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(heap).parent)
    write(Path(heap).parent, "C:\\games\\heap.py", HEAP)
    assert load("C:\\games\\heap.py:Countdown:heap=7").values()["heap"] == 7
    assert "no file 'D:\\\\games\\\\heap.py'" in error(FileError, "D:\\games\\heap.py:Countdown")


def test_module_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "mypackage_one/heaps.py", HEAP)
    write(tmp_path, "mypackage_one/__init__.py", "")
    write(tmp_path, "mypackage_one/lame.py", "import nothing_of_that_name")
    write(tmp_path, "mypackage_one/broken.py", "x = (")
    monkeypatch.chdir(tmp_path)
    assert load("mypackage_one.heaps:Countdown:7").values()["heap"] == 7
    assert "no module 'mypackage_one.heap'" in error(UnknownGameError, "mypackage_one.heap:Countdown")
    assert "no module 'none_such.heap'" in error(UnknownGameError, "none_such.heap:Countdown")
    assert "nothing_of_that_name" in error(RulesError, "mypackage_one.lame:Countdown")
    assert "broken.py, line 1" in error(RulesError, "mypackage_one.broken:Countdown")
    assert "tictactoe" in error(UnknownGameError, "tictacto:Countdown")


def test_same_class_for_the_same_text_and_a_new_one_after_an_edit(heap: str) -> None:
    first = load(heap)
    assert load(heap) == first
    Path(heap).write_text(textwrap.dedent(HEAP.replace("heap: int = 10", "heap: int = 11")))
    assert load(heap).values()["heap"] == 11
    assert inspect.getmodule(type(first)) is sys.modules[type(first).__module__]


def test_source_and_annotations_can_be_inspected(kinds: str) -> None:
    kind = type(load(f"{kinds}:Kinds"))
    assert "class Kinds(Game)" in inspect.getsource(kind)
    assert kind.parameters()["numbers"] == tuple[int, ...]
    assert sys.modules[kind.__module__].__file__ == str(Path(kinds).resolve())


def test_neighbours_can_be_imported(tmp_path: Path) -> None:
    for folder, number in (("one", 5), ("two", 6)):
        write(tmp_path, f"{folder}/helper.py", f"NUMBER = {number}")
        for name, line in (("plain", "import helper"), ("relative", "from . import helper")):
            write(tmp_path, f"{folder}/{name}.py", line + textwrap.dedent(HEAP.replace("= 10", "= helper.NUMBER")))
    for name in ("plain", "relative"):
        for folder, number in (("one", 5), ("two", 6)):
            assert load(str(tmp_path / folder / f"{name}.py")).values()["heap"] == number
    assert str(tmp_path / "one") not in sys.path


@pytest.mark.parametrize("line", ["import helper", "from . import helper", "from helper import NUMBER\nimport helper"])
def test_a_neighbour_that_has_changed_is_read_again(tmp_path: Path, line: str) -> None:
    write(tmp_path, "other.py", "START = 1")
    text = line + textwrap.dedent(HEAP.replace("= 10", "= helper.NUMBER"))
    for number in (3, 40, 3, 5):
        write(tmp_path, "helper.py", f"from other import START\nNUMBER = {number} * START")
        rules = write(tmp_path, "heap.py", text)
        assert load(rules).values()["heap"] == number
        assert load(rules) == load(rules)
    write(tmp_path, "other.py", "START = 10")
    assert load(rules).values()["heap"] == 50


def written_at_once(path: str, text: str) -> None:
    """Another text in the same second: Python tells the bytecode that it keeps of a text by that and the size."""
    Path(path).write_text(text, encoding="utf-8")
    os.utime(path, (1e9, 1e9))


def told(folder: Path, *words: str) -> str:
    """What Python says in a process of its own that keeps bytecode, as it does when nobody tells it not to."""
    where = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    asked = [sys.executable, *words]
    return subprocess.run(asked, cwd=folder, env=where, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("spec", ["heap.py", "heap:Countdown"])
def test_neighbours_are_read_as_they_are_however_fast_they_change(tmp_path: Path, spec: str) -> None:
    helper = write(tmp_path, "kit/helper.py", "NUMBER = 3")
    write(tmp_path, "heap.py", "from kit import helper" + textwrap.dedent(HEAP.replace("= 10", "= helper.NUMBER")))
    program = f"import endsight; print(endsight.load({spec!r}).values()['heap'])"
    for number in (3, 5, 7):
        written_at_once(helper, f"NUMBER = {number}")
        assert told(tmp_path, "-c", program) == f"{number}\n"


def test_the_verifier_runs_the_text_that_it_checks(tmp_path: Path) -> None:
    rules, text = str(tmp_path / "heap.py"), textwrap.dedent(HEAP)
    for pay in ("-1", "-5", "-3"):
        written_at_once(rules, text.replace("return -1", f"return {pay}"))
        told(tmp_path, "-m", "endsight", "prove", "heap.py", "-o", "heap.cert")
        assert "proven" in told(tmp_path, "-m", "endsight.verifier", "heap.cert", f"{rules}:Countdown")


@pytest.mark.parametrize("is_regular", [True, False])
def test_packages_of_the_same_name_stay_apart(tmp_path: Path, is_regular: bool) -> None:
    lines = "import kit.deep.inner\nfrom kit.deep import inner"
    for folder, number in (("one", 5), ("two", 6)):
        write(tmp_path, f"{folder}/kit/deep/inner.py", f"NUMBER = {number}")
        if is_regular:
            write(tmp_path, f"{folder}/kit/__init__.py", "")
            write(tmp_path, f"{folder}/kit/deep/__init__.py", "")
        write(tmp_path, f"{folder}/plain.py", lines + textwrap.dedent(HEAP.replace("= 10", "= inner.NUMBER")))
    for folder, number in (("one", 5), ("two", 6)):
        assert load(str(tmp_path / folder / "plain.py")).values()["heap"] == number
    sys.modules.pop("kit")


def test_what_a_file_prints_does_not_mix_with_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    load(write(tmp_path, "loud.py", HEAP + "\n    print('hello')\n"))
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "hello\n"


def test_own_files_with_mistakes(tmp_path: Path) -> None:
    def file(text: str) -> str:
        return write(tmp_path, "mine.py", text)

    good = textwrap.dedent(HEAP)
    assert error(FileError, f"{tmp_path}/min.py:Countdown").startswith("there is no file")
    assert "mine.py, line 3" in error(RulesError, file("x = 1\ny = 2\nclass (\n"))
    assert "ZeroDivisionError: division by zero (mine.py, line 2)" in error(RulesError, file("\n1 / 0"))
    assert "NameError" in error(RulesError, file("x = missing"))
    assert "SystemExit" in error(RulesError, file("import sys\nsys.exit()"))
    assert "null" in error(RulesError, file("x = '\0'")).lower()
    assert "no class of rules" in error(UnknownGameError, file("x = 1"))
    assert "import helper" in error(RulesError, (write(tmp_path, "helper.py", ""), file("import helpr"))[1])
    assert "OSError: no" in error(RulesError, file("raise OSError('no')"))
    message = error(UnknownGameError, f"{file(good)}:Cuontdown")
    assert "found:   Countdown" in message
    assert message.endswith("mine.py:Countdown")
    assert "more than one game" in error(UnknownGameError, file(good + "\n\nclass Other(Countdown):\n    pass\n"))
    assert "is not a game" in error(RulesError, f"{file('class Mine: pass')}:Mine")
    assert "is not a game" in error(RulesError, f"{file('Mine = 5')}:Mine")
    assert "the base class itself" in error(RulesError, f"{file('from endsight.game import Game')}:Game")
    (tmp_path / "mine.py").write_bytes(b"x = '\xff'\n")
    assert "mine.py is not Python" in error(RulesError, str(tmp_path / "mine.py"))
    (tmp_path / "folder.py").mkdir()
    assert "is a folder" in error(FileError, str(tmp_path / "folder.py"))


def test_private_and_imported_classes_do_not_count(tmp_path: Path) -> None:
    text = HEAP.replace("class Countdown(Game)", "class _Base(Game)") + "\n    class Mine(_Base):\n        pass\n"
    path = write(tmp_path, "mine.py", "from endsight.games import TicTacToe\n" + textwrap.dedent(text))
    assert load(path).title() == "Mine"
    assert load(f"{path}:TicTacToe").title() == "tictactoe"


@pytest.mark.parametrize(
    ("method", "line"),
    [
        ("setup", "def setup(self): [][5]"),
        ("setup", "def setup(self): self.help()\n        def help(self): [][5]"),
        ("start", "def start(self): return [][5]"),
        ("start", "def start(self, more): return 5"),
        ("to_move", "def to_move(self, state): return [][5]"),
        ("moves", "def to_move(self, state): return 0\n        def moves(self, state): return [][5]"),
    ],
)
def test_rules_that_fail_are_named_with_the_line(tmp_path: Path, method: str, line: str) -> None:
    path = write(tmp_path, "mine.py", HEAP + f"\n        {line}\n")
    message = error(RulesError, f"{path}:Countdown")
    assert f"the rule '{method}' does not work" in message
    assert "IndexError: list index out of range (mine.py, line " in message or "TypeError" in message


def test_rules_can_be_loaded_without_being_run(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", HEAP + "\n        def start(self): return [][5]\n")
    checked = run("check", f"{path}:heap=4")
    assert (checked.code, "start" in checked.out) == (4, True)
    assert run("check", f"{path}:head=4").err.rstrip().endswith("heap=")
    assert "start" in error(RulesError, path)


def test_annotations_that_make_no_sense(tmp_path: Path) -> None:
    path = write(tmp_path, "mine.py", HEAP.replace("heap: int", "heap: 'Nothing'"))
    assert "NameError" in error(RulesError, path)


def test_parameter_errors_of_own_rules_pass_through(kinds: str) -> None:
    assert error(ParameterError, f"{kinds}:Listed:1-2-3-4-5-6").startswith("at most five numbers")


def test_moves_that_fail_later(heap: str, tmp_path: Path) -> None:
    game = load(heap)
    assert game.position("3 3").state.left == 4
    assert game.position("") == load(heap).position()
    with pytest.raises(IllegalMoveError):
        game.position("3 4")
    extra = "\n        def play(self, state, move): return self.State({10: 7}[state.left])\n"
    told = run("value", write(tmp_path, "broken.py", HEAP + extra), "--at", "3 3")
    assert told.code == 3
    assert re.search(r"the rule 'play' does not work\n.*KeyError: 7 \(broken.py, line ", told.err)


# ---------------------------------------------------------------------- installed packages


@pytest.fixture
def plug_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "plug_heap.py", HEAP)
    info = tmp_path / "heap_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: heap-games\nVersion: 1.0\n")
    entries = {
        "countdown": "plug_heap:Countdown",
        "lost": "plug_heap:Lost",
        "gone": "plug_gone:Game",
        "notgame": "plug_heap:NamedTuple",
        "tictactoe": "plug_heap:Countdown",
    }
    lines = "".join(f"{name} = {value}\n" for name, value in entries.items())
    (info / "entry_points.txt").write_text(f"[endsight.games]\n{lines}")
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.usefixtures("plug_ins")
def test_games_of_installed_packages() -> None:
    assert load("countdown:heap=7").values()["heap"] == 7
    assert (sources()["countdown"], sources()["tictactoe"]) == ("heap-games", "endsight")
    assert error(UnknownGameError, "countdwon").endswith("try:     countdown")


@pytest.mark.usefixtures("plug_ins")
def test_broken_packages_only_matter_when_asked_for() -> None:
    assert load("tictactoe").title() == "tictactoe"
    assert "'gone' of the package heap-games cannot be loaded" in error(RulesError, "gone")
    assert "AttributeError" in error(RulesError, "lost:5")
    assert "is not a game" in error(RulesError, "notgame")


# ---------------------------------------------------------------------- batches and policies


@pytest.mark.parametrize(("text", "lines"), [("a1 b2\n\nc3\n", ["a1 b2", "", "c3"]), ("a1", ["a1"]), ("\n", [""])])
def test_batches(text: str, lines: list[str]) -> None:
    ending = run("value", "tictactoe", "--at", "-", "--jsonl", stdin=text)
    assert [json.loads(line)["position"] for line in ending.out.splitlines()] == lines


def fixed(game: str, text: str) -> str:
    """The exact value for the first player of a game with a policy, or what is wrong with that."""
    ending = run("value", game, "--fix", text, "--json")
    return json.loads(ending.out)["value"]["first"]["exact"] if ending.code == 0 else f"{ending.code} {ending.err}"


def test_policies_by_name(heap: str) -> None:
    game = f"{heap}:heap=3,most=2"
    assert (fixed(game, "second=one"), fixed(game, "first=one")) == ("1", "-1")
    assert fixed(f"{heap}:heap=2,most=2", "first=one") == "-1"
    assert fixed(f"{heap}:heap=2,most=2", " first = random ") == "0"
    assert re.search(r"try: +first", fixed(game, "frist=one"))
    assert re.search(r"try: +random", fixed(game, "first=randm"))
    for text in ("one", "first=", "=one", ""):
        assert fixed(game, text).startswith("2 ")


def test_policies_from_a_file(heap: str, tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "policies.py",
        """
        def most(game, state):
            return min(game.most, state.left)
        def lame(state):
            return 1
        number = 5
        """,
    )
    assert fixed(f"{heap}:heap=3", f"first={path}:most") == "1"
    assert fixed(f"{heap}:heap=5", f"first={path}:most") == "-1"
    assert re.search(
        r"^2 .*no function 'mots'\n.*most, lame\n.*:most$", fixed(heap, f"first={path}:mots").strip(), re.S
    )
    assert "which function" in fixed(heap, f"first={path}")
    for name in ("lame", "number"):
        assert re.search(r"^3 .*is not a policy", fixed(heap, f"first={path}:{name}"))
    assert fixed(heap, f"first={tmp_path}/none.py:most").startswith("3 ")


# ---------------------------------------------------------------------- nothing else gets out

SEEDS = (
    *("tictactoe:width=4,height=3,line=3", "connectfour:width=5,height=4", "nim:heaps=3-4-5,misere=no", "dominoes:n=5"),
    *("pots:4-9-2-7", "pots:-3-7--2-5", "hiddenpots:count=3,max=3", "rpsbag:1-0-2/0-3-0", "pig:target=20"),
    *("highcard:hand=1-3-5-7,rival=8-x-4-x", "repeatbust:sides=6,dice=2,first=scored", "pigturn:sides=6,bust=1"),
    *("chomp:width=3,height=2", "hexapawn:3", "dodgem:size=3", "rpsbag:@FILE,rows=dice", "pots:@-"),
    "games/x.py:Class:n=3",
)
PIECES = (
    *("9" * 11, "9" * 40, "9" * 5000, "-", "--", "---", ",", ":", "=", "@", "/", "x", "-1", "0", " ", "\n", "\0", "é"),
    *(
        "²",
        "1e9",
        "0.5",
        "1/0",
        "@-",
        "@/",
        "yes",
        "width",
        "n=",
        "heaps=",
        "\ud800",
        "None",
        "[]",
        ".py",
        ".py:",
        "..",
    ),
)


def mutated(source: random.Random) -> str:
    text = source.choice([seed for seed in SEEDS if seed.partition(":")[0] in AVAILABLE or ".py" in seed])
    for _ in range(source.randrange(1, 5)):
        # Mostly behind the name, so that the rules get something to refuse.
        place = source.randrange(len(text) + 1 if source.random() < 0.2 else max(1, len(text) - text.find(":")))
        place = len(text) - place
        kind = source.randrange(40) // 9
        if kind == 0:
            text = text[:place] + text[place + source.randrange(1, 4) :]
        elif kind == 1:
            text = text[:place] + source.choice(PIECES) + text[place:]
        elif kind == 2:
            text = text[:place] + chr(source.randrange(32, 127)) + text[place + 1 :]
        elif kind == 3:
            text = text[place:] + text[:place]
        else:
            other = source.choice(SEEDS)
            text = text[:place] + other[source.randrange(len(other)) :]
    return text


def test_five_thousand_mutated_names_never_surprise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    source = random.Random(20)
    refused = 0
    for _ in range(5_000):
        text = mutated(source)
        wrong = refusal(lambda spec: piped(spec, "1 2 3"), text)
        if wrong is not None:
            refused += 1
            assert wrong.exit_code in (2, 3), text
            assert len(str(wrong)) < 5_000
            # None of the built-in rules may fail; there are no others here.
            assert not isinstance(wrong, RulesError), text
    assert 1_000 < refused < 5_000


@examples(100, 20, st.text(max_size=40))
def test_any_text(text: str) -> None:
    wrong = refusal(load, text)
    assert wrong is None or wrong.exit_code in (2, 3)
    assert run("value", "tictactoe", "--fix", text).code in (0, 2, 3)
