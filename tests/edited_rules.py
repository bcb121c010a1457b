"""Rules that reach a lot, and edits of all of it: `python tests/edited_rules.py --count 1000 --seed 1`.

Each edit changes one thing in one of the files: a number, a text, an operator, a default, a
decorator, a base class, a statement, a file that `setup` reads. Each must change the key of the
game; and edits that mean nothing (comments, blank lines, docstrings, another layout, another
folder) must not. Run as a script, the edits are drawn at random, two at a time.
"""

from __future__ import annotations

import argparse
import ast
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import endsight as es
from endsight import load
from endsight.errors import EndsightError
from kept_rules import Key, key_of_rules

Files = dict[str, str]

WIDE: Files = {
    "rules.py": '''
"""Rules that reach as much as rules can."""

from __future__ import annotations

import enum
import functools
import operator
import re
from collections import Counter, OrderedDict, deque, namedtuple
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import ClassVar, NamedTuple

import tools
from family import Paying, Sizes
from helpers import STEP, TABLE, counted, further, late
from kit.inner import doubled
from lazily import OTHER

from endsight import Game, ParameterError

LIMIT = 30
WORDS = ("one", "two", "three")
WEIGHTS = {"low": 1, "high": 4}
ODD = frozenset({"x1", "x3", "x5"})
FEW = {7, 8}
RATIO = Fraction(1, 2)
BYTES = b"abc"
PATTERN = re.compile("a+b")
shifted = functools.partial(operator.add, 3)
second = operator.itemgetter(1)
triple = lambda number: 3 * number


class Colour(enum.Enum):
    """Members with values."""

    RED = 1
    GREEN = 2

    @property
    def weight(self):
        return self.value + 5


class Level(enum.IntEnum):
    EASY = 3
    HARD = 9


Pair = namedtuple("Pair", "left right", defaults=(4,))


class Prize(NamedTuple):
    amount: int = 2
    extra: int = 1

    def total(self):
        return self.amount + self.extra


@dataclass(frozen=True)
class Price:
    """A dataclass."""

    base: int = 6
    steps: tuple = (1, 2)
    more: list = field(default_factory=lambda: [1])

    def at(self, place):
        return self.base + self.steps[place % 2]


class Square:
    """Objects that know each other."""

    __slots__ = ("number", "next")

    def __init__(self, number):
        self.number = number
        self.next = None


class Bag(dict):
    rest = 11

    def __missing__(self, key):
        return self.rest


class Meta(type):
    factor = 2

    @property
    def scaled(cls):
        return cls.factor * 3


class Scale(metaclass=Meta):
    factor = 5


def made(first, step=2, *, last=9):
    """A closure."""
    inner = first + 1

    def count(number, more=3, *, most=40):
        return min(most, number + inner + more + step + last)

    return count


def chosen(kind):
    def decorate(function):
        @functools.wraps(function)
        def wrapper(self, state):
            return function(self, state) + kind

        return wrapper

    return decorate


class Own(Paying, Sizes, Game):
    """The rules."""

    heap: int = 12
    most: int = 3
    name: ClassVar[str] = "own"
    bonus = 7
    marks = [1, 2, 3]
    handler = staticmethod(lambda number: number + 2)
    counter = staticmethod(made(1))

    class State(NamedTuple):
        """What is left."""

        left: int

    class Nested:
        """A class inside."""

        value = 13

        def read(self):
            return self.value

    def setup(self):
        if self.heap > LIMIT + 100:
            raise ParameterError("too many")
        here = Path(__file__).parent
        self.lines = tuple(map(int, (here / "board.txt").read_text().split()))
        self.raw = (here / "board.bin").read_bytes()
        self.queue = deque([1, 2], maxlen=5)
        self.counts = Counter("aab")
        self.order = OrderedDict(a=1, b=2)
        self.bag = Bag(a=1)
        self.price = Price(base=8)
        self.prize = Prize(extra=4)
        self.pair = Pair(1)
        self.first = Square(1)
        self.first.next = Square(2)
        self.first.next.next = self.first
        self.fewest = self.choose_least if self.heap > 3 else self.choose_most
        self.formula = made(2, step=5)
        self.rates = [0.5, 1.25]
        self.inside = self.Nested()
        self.loop = [1]
        self.loop.append(self.loop)

    def raised(self, number, extra):
        return further(number, extra)

    power = functools.partialmethod(raised, extra=2)

    def choose_least(self, state):
        return min(state.left, 2)

    def choose_most(self, state):
        return max(state.left, 1)

    @property
    def limit(self):
        return LIMIT + self.bonus

    @classmethod
    def unit(cls):
        return cls.bonus + 1

    @functools.cached_property
    def derived(self):
        return sum(self.marks) + 1

    def limits(self):
        return self.State(self.limit)

    def start(self):
        return self.State(self.heap)

    def moves(self, state):
        for number in range(1, min(self.most, state.left) + 1):
            if number not in FEW and WORDS[0] and "x1" in ODD and PATTERN.match("ab") and not late(number):
                yield number

    def play(self, state, move):
        return self.State(further(state.left, -move))

    @chosen(kind=4)
    def payoff(self, state):
        total = self.paid(state) + TABLE["end"] + STEP + tools.rate(1) + tools.deep.value + doubled(2)
        total += shifted(1) + second((1, 2)) + triple(2) + WEIGHTS["low"] + int(RATIO * 2) + len(BYTES) + counted()
        total += Colour.RED.weight + Level.HARD + Scale.scaled + Scale.factor + self.counter(1) + self.handler(1)
        total += self.fewest(state) + self.formula(1) + self.unit() + self.derived + self.lines[0] + len(self.raw)
        total += self.price.at(0) + self.prize.total() + self.pair.right + self.first.next.number + self.bag["z"]
        total += sum(self.queue) + self.counts["a"] + self.order["b"] + int(self.rates[0]) + self.inside.read()
        total += self.power(1) + self.size()
        import lazily

        return -1 if total + lazily.ANSWER + OTHER > 0 else 1
''',
    "helpers.py": '''
"""Helpers in a file of their own."""

import functools

STEP = 2
TABLE = {"end": 5, "other": 6}
_HIDDEN = [3, 4]


@functools.lru_cache(maxsize=16)
def counted():
    return sum(_HIDDEN) + further(1, 1)


def further(at, move, extra=0):
    """At, and a move on."""
    return at + move + extra * 0


def late(number, *, above=20):
    return number > above or any(number == each + 100 for each in _HIDDEN)
''',
    "tools.py": '''
"""A module whose attributes are used."""

import deep

FACTOR = 3


def rate(number):
    return number * FACTOR
''',
    "deep.py": "value = 17\n",
    "lazily.py": "ANSWER = 42\nOTHER = 2\n",
    "kit/__init__.py": "",
    "kit/inner.py": """
from . import scale


def doubled(number):
    return number * scale.TWO
""",
    "kit/scale.py": "TWO = 2\n",
    "family.py": '''
"""Mixins."""


class Root:
    share = 2

    def size(self):
        return self.share + 1


class Sizes(Root):
    def size(self):
        return super().size() + 3


class Paying:
    """What is paid."""

    price_of = {1: 2}

    def paid(self, state, least=1):
        return self.price_of.get(1, 0) + least

    def reward(self, state, move):
        return 0
''',
    "board.txt": "1 2 3\n",
    "board.bin": "abc",
}

NARROW: Files = {
    "rules.py": """
from typing import NamedTuple

import tools
from family import Paying
from helpers import BONUS, TABLE, further

from endsight import Game

LIMIT = 200


class Own(Paying, Game):
    long: int = 40
    most: int = 3
    slope = 2

    class State(NamedTuple):
        at: int

    def setup(self):
        self.weights = tuple(number * 2 for number in range(self.long))

    def limits(self):
        return self.State(LIMIT)

    def start(self):
        return self.State(0)

    def moves(self, state):
        if state.at < 30 + tools.EXTRA:
            for number in range(1, self.most + 1):
                yield number

    def play(self, state, move):
        return self.State(further(state.at, move * 1))

    def payoff(self, state):
        return self.paid(state) + BONUS + TABLE[1] + self.weights[2] - self.slope
""",
    "helpers.py": """
BONUS = 3
TABLE = (1, 2, 3)


def further(at, move, extra=1):
    return at + move + extra
""",
    "tools.py": "EXTRA = 4\n",
    "family.py": """
class Paying:
    unit = 1

    def paid(self, state):
        return self.unit if state.at % 2 == 0 else -self.unit
""",
}
"""Rules that are compiled."""


REFLECTIVE: Files = {
    "rules.py": """
import functools
import operator
from typing import NamedTuple

import tools

from endsight import Game

NAMES = ("FAC", "TOR")
rated = operator.attrgetter("rate")


def helper(number: int) -> int:
    \"\"\"Say what comes.\"\"\"
    return number


class Kind:
    pass


class Own(Game):
    inside = 2

    class State(NamedTuple):
        left: int

    def limits(self):
        return self.State(3)

    def start(self):
        return self.State(3)

    def moves(self, state):
        return [1] if state.left else []

    def play(self, state, move):
        return self.State(state.left - move)

    def payoff(self, state):
        total = getattr(tools, NAMES[0] + NAMES[1]) + rated(tools)(2) + int("{0.inside}".format(self))
        total += len(helper.__name__) + len(Kind.__qualname__) + len(type(self).payoff.__name__) + len(helper.__doc__)
        total += hasattr(tools, "extra") + functools.partial(getattr, self)("ins" + "ide") + vars(tools)["other"]
        return -1 if total > 5 else 1
""",
    "tools.py": """
FACTOR = 3
other = 5
extra = 1


def rate(number):
    return number * FACTOR
""",
}
"""Rules that ask for names, and by names that are worked out."""

NATURAL: Files = {
    "rules.py": """
from typing import Literal, NamedTuple

from colours import Colour, Grade, Pair
from colours import Row as Cells

from endsight import Game

Phase = Literal["bid", "play"]
Numbers = Literal[1, 3]


class Own(Game):
    class State(NamedTuple):
        cells: Cells
        colour: Colour
        grade: Grade | None
        pair: Pair
        phase: Phase
        number: Numbers
        text: str
        taken: frozenset[int]
        is_open: bool
        more: tuple[tuple[int, bool], ...]

    def limits(self):
        return self.State(4, Colour, None, Pair(7, True, Grade), None, None, ".XO", 5, True, ((2, True), (2, True)))

    def start(self):
        return self.State(
            (0, 1, 2), Colour.RED, None, Pair(0, False, Grade.LOW), "bid", 1, ".X", frozenset({1}), True, ()
        )

    def moves(self, state):
        if state.is_open:
            yield "a"
            yield Colour.BLUE
            yield "pair", (1, Grade.HIGH)

    def play(self, state, move):
        return state._replace(is_open=False, phase="play", colour=state.colour.other)

    def payoff(self, state):
        return len(state.text) + state.number
""",
    "colours.py": """
from enum import Enum, IntEnum
from typing import NamedTuple


class Colour(Enum):
    RED = "r"
    BLUE = "b"
    AZURE = "b"
    GREEN = "g"

    @property
    def other(self):
        return Colour.BLUE if self is Colour.RED else Colour.RED


class Grade(IntEnum):
    LOW = 1
    HIGH = 5


class Pair(NamedTuple):
    left: int
    right: bool
    grade: Grade


Row = tuple[int, ...]
""",
}
"""Rules whose states and moves are texts, Enums, tuples and sets."""

RETYPED = [
    ("rules.py", "is_open: bool\n", "is_open: int\n"),
    ("rules.py", "more: tuple[tuple[int, bool], ...]", "more: tuple[tuple[int, int], ...]"),
    ("rules.py", "grade: Grade | None", "grade: Colour | None"),
    ("rules.py", "text: str\n        taken: frozenset[int]\n", "taken: frozenset[int]\n        text: str\n"),
    ("rules.py", 'Literal["bid", "play"]', 'Literal["bid", "play", "show"]'),
    ("rules.py", "Literal[1, 3]", "Literal[1, 2, 3]"),
    ("rules.py", "Literal[1, 3]", 'Literal[1, "True", 3]'),
    ("rules.py", "Row as Cells", "Wide as Cells"),
    ("colours.py", "Row = tuple[int, ...]", "Row = tuple[bool, ...]"),
    ("colours.py", "left: int\n    right: bool\n", "right: bool\n    left: int\n"),
    ("colours.py", "right: bool\n", "right: int\n"),
    ("colours.py", "grade: Grade\n", "grade: Grade | None\n"),
    ("colours.py", '    RED = "r"\n    BLUE = "b"\n', '    BLUE = "b"\n    RED = "r"\n'),
    ("colours.py", '    AZURE = "b"\n', '    AZURE = "a"\n'),
    ("colours.py", '    AZURE = "b"\n', ""),
    ("colours.py", '    GREEN = "g"\n', '    GRUEN = "g"\n'),
    ("colours.py", "class Grade(IntEnum)", "class Grade(Enum)"),
    ("colours.py", "    HIGH = 5\n", "    HIGH = 5\n    TOP = 6\n"),
]
"""Other types, members and orders, which say how states are told and kept: file, text, and what it becomes."""


def retyped(files: Files) -> list[Edit]:
    """Edits of what natural fields are declared as."""
    colours = files["colours.py"] + "\nWide = tuple[bool, ...]\n"
    whole = files | {"colours.py": colours}
    return [
        Edit(f"{name}: {new!r} for {old!r}", whole | {name: whole[name].replace(old, new)})
        for name, old, new in RETYPED
    ]


@dataclass(frozen=True)
class Edit:
    """One change: what, where, and the files after it."""

    what: str
    files: Files


def edits(files: Files) -> list[Edit]:
    """Every edit of one node of a syntax tree, and of the files that are read."""
    return list(_edits(tuple(files.items())))


@cache
def _edits(contents: tuple[tuple[str, str], ...]) -> list[Edit]:
    files = dict(contents)
    found: list[Edit] = []
    for name, text in contents:
        if name.endswith(".py"):
            for number in range(len([*_places(ast.parse(text))])):
                tree = ast.parse(text)
                what = next(islice(_places(tree), number, None)).change()
                found.append(Edit(f"{name}: {what}", files | {name: ast.unparse(ast.fix_missing_locations(tree))}))
        else:
            found.append(Edit(f"{name}: another content", files | {name: "9" + text[1:]}))
            found.append(Edit(f"{name}: more content", files | {name: text + "4"}))
    return found


def harmless(files: Files) -> list[Edit]:
    """Edits that mean nothing."""
    python = [name for name in files if name.endswith(".py")]
    commented = {
        name: "# A remark.\n\n\n" + files[name].replace("\n    def ", "\n\n    # About it.\n    def ")
        for name in python
    }
    unparsed = {name: ast.unparse(ast.parse(files[name])) for name in python}
    return [
        Edit("another folder", files),
        Edit("comments and blank lines", files | commented),
        Edit("another layout", files | unparsed),
        Edit("docstrings added, or changed", files | {name: _documented(files[name]) for name in python}),
    ]


@dataclass
class _Place:
    node: ast.AST
    name: str
    index: int | None
    to: object
    what: str

    def change(self) -> str:
        if self.index is None:
            setattr(self.node, self.name, self.to)
        elif self.to is None:
            del getattr(self.node, self.name)[self.index]
        else:
            getattr(self.node, self.name)[self.index] = self.to
        return self.what


class _Renaming(_Place):
    """A function or class gets another name; what it was called is bound to it in a line below."""

    def change(self) -> str:
        name = getattr(self.node, "name")  # noqa: B009
        body: Any = self.to
        assert self.index is not None
        body.insert(self.index + 1, ast.parse(f"{name} = {name}_too").body[0])
        setattr(self.node, "name", f"{name}_too")  # noqa: B010
        return self.what


_SWAPPED = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Mod: ast.Mult, ast.Gt: ast.GtE, ast.Lt: ast.LtE,
    ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


def _places(node: ast.AST) -> Iterator[_Place]:
    """Everything in a file, or a part of one, that can be changed, in a fixed order."""
    line = getattr(node, "lineno", 0)
    if isinstance(node, ast.Constant) and not isinstance(node.value, bool | type(None) | type(...)):
        changed = node.value + ("x" if isinstance(node.value, str) else b"x" if isinstance(node.value, bytes) else 1)
        yield _Place(node, "value", None, changed, f"{node.value!r} becomes {changed!r} in line {line}")
    if isinstance(node, ast.BinOp | ast.AugAssign | ast.BoolOp) and type(node.op) in _SWAPPED:
        yield _Place(node, "op", None, _SWAPPED[type(node.op)](), f"{type(node.op).__name__} swapped in line {line}")
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _SWAPPED:
        yield _Place(node, "ops", 0, _SWAPPED[type(node.ops[0])](), f"comparison swapped in line {line}")
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield _Place(node, "op", None, ast.UAdd(), f"not dropped in line {line}")
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        for number in range(len(node.decorator_list)):
            yield _Place(node, "decorator_list", number, None, f"decorator of {node.name} dropped")
    for statements in (getattr(node, "body", None), getattr(node, "orelse", None)):
        for number, statement in enumerate(statements if isinstance(statements, list) else ()):
            if isinstance(statement, ast.FunctionDef | ast.ClassDef) and not _is_special(statement.name):
                yield _Renaming(statement, "name", number, statements, f"{statement.name} renamed, and bound as before")
    if isinstance(node, ast.ClassDef):
        for number, base in enumerate(node.bases):
            if ast.unparse(base) not in ("Game", "NamedTuple"):
                yield _Place(node, "bases", number, None, f"base {ast.unparse(base)} of {node.name} dropped")
    if isinstance(node, ast.FunctionDef):
        for number, statement in enumerate(node.body):
            if len(node.body) > 1 and not _is_text(statement):
                yield _Place(node, "body", number, None, f"line {statement.lineno} dropped")
    for name, child in ast.iter_fields(node):
        if name in ("annotation", "returns"):
            continue
        for each in child if isinstance(child, list) else [child]:
            if isinstance(each, ast.AST) and not _is_text(each):
                yield from _places(each)


def _is_special(name: str) -> bool:
    """Whether a name means something to `endsight` or to Python, or nothing to anybody once the file is loaded."""
    return name.startswith("_") or name in ("Own", "State", "chosen", "decorate")


def _is_text(node: ast.AST) -> bool:
    """Whether a statement is a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _documented(text: str) -> str:
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module):
            body = node.body[1:] if node.body and _is_text(node.body[0]) else node.body
            node.body = [ast.Expr(ast.Constant("Another docstring.")), *body]
    return ast.unparse(ast.fix_missing_locations(tree))


# ---------------------------------------------------------------------- loading


def written(folder: Path, files: Files) -> Path:
    """The file of rules in a folder that holds these files."""
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder / "rules.py"


def forget() -> None:
    """Forget modules that rules from outside have imported."""
    for name in [
        *(name.removesuffix(".py").replace("/", ".") for name in {**WIDE, **NARROW, **REFLECTIVE, **NATURAL}),
        "kit",
    ]:
        sys.modules.pop(name, None)


def loaded(folder: Path, files: Files) -> es.Game | None:
    """The game that the files make; None where they do not run, or where its limits or start fail."""
    forget()
    path = written(folder, files)
    try:
        game = load(f"{path}:Own")
        game.position()
    except (EndsightError, Exception):
        return None
    return game


def key(folder: Path, files: Files) -> Key | None:
    """The key of the game that the files make, None where they make none."""
    game = loaded(folder, files)
    return None if game is None else key_of_rules(game)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    seen, missed, broken = 0, 0, 0
    with tempfile.TemporaryDirectory() as place:
        bases = {}
        for name, files in {"wide": WIDE, "narrow": NARROW, "reflective": REFLECTIVE, "natural": NATURAL}.items():
            more_edits = retyped(files) if files is NATURAL else []
            bases[name] = (files, key(Path(place) / name, files), [*edits(files), *more_edits])
        for number in range(options.count):
            name = draw.choice(list(bases))
            files, before, all_edits = bases[name]
            edit = draw.choice(all_edits)
            more = draw.choice(all_edits)
            changed = [file for file in files if more.files[file] != files[file]]
            both = (
                edit.files
                if any(edit.files[file] != files[file] for file in changed)
                else {**edit.files, **{file: more.files[file] for file in changed}}
            )
            after = key(Path(place) / str(number), both)
            if after is None:
                broken += 1
            elif after == before:
                missed += 1
                print(f"not seen: {name}, {edit.what}; {more.what}")
            else:
                seen += 1
    print(f"{options.count} edits, seed {options.seed}: {seen} seen, {missed} not seen, {broken} do not run")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
