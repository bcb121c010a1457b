"""What writes one random rules class, with its tables of productions; see `program_texts.py`."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

__all__ = [
    "EXPRESSIONS",
    "FRACTIONS",
    "HOSTILE_NAMES",
    "LOOPED",
    "MEMBERS",
    "PLAIN_NAMES",
    "STATEMENTS",
    "TESTS",
    "Field",
    "Program",
    "Scope",
    "Shape",
    "Writer",
    "bind",
    "defined",
    "drawn",
    "indented",
]

_T = TypeVar("_T")

PLAIN_NAMES = ("n", "k", "each", "item", "count", "left", "x", "y", "total", "place")
HOSTILE_NAMES = (
    "es_t1",
    "es_total",
    "es_y",
    "es_x",
    "free",
    "fields",
    "mask",
    "steps",
    "state_",
    "rule_play",
    "i",
    "_",
)
BUILT_INS = ("len", "sum", "min", "abs", "range", "max")
EDGES = (
    *(f"{sign}{2**power + more}" for power in (31, 32, 62) for sign in ("", "-") for more in (-1, 0, 1)),
    *("9223372036854775807", "9223372036854775806", "-9223372036854775807", "-9223372036854775807 - 1"),
)
BEYOND = tuple(f"{sign}{number}" for number in (2**63, 2**63 + 1, 2**64, 2**64 + 1) for sign in ("", "-"))


@dataclass(frozen=True)
class Shape:
    """How programs are drawn: shares of unusual constructs, from 0 to 1, and tags that are left out.

    `alone` is the share of programs with one unusual construct, which is drawn often there: others
    would get the program refused before it is reached.
    """

    wide: float = 0.02
    traps: float = 0.06
    edges: float = 0.03
    natural: float = 0.4
    alone: float = 0.5
    without: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Field:
    """A field of a natural type: how it is declared, and templates of what is done with it (see `program_natural.py`).

    starts   what it may be at the start; `start` is the one that was drawn
    numbers  numbers that are read from a value, `tests` truths
    looped   what gives numbers in loops
    makes    other values
    opened   statements that give its parts names
    edits    changes of `held`, a list of its items
    before   what the module must have
    """

    tag: str
    type: str
    limit: str
    starts: tuple[str, ...]
    numbers: tuple[str, ...]
    tests: tuple[str, ...]
    makes: tuple[str, ...]
    looped: tuple[str, ...] = ()
    opened: tuple[str, ...] = ()
    edits: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    own_name: str = ""
    start: str = ""

    @property
    def name(self) -> str:
        """What it is called in the state."""
        return self.own_name or self.tag


@dataclass
class Program:
    """A text with a class `Rules`, and the tags of what was drawn for it."""

    seed: int
    text: str
    tags: frozenset[str]


@dataclass
class Scope:
    """What an expression or statement may use where it stands.

    names    that are bound to whole numbers on every path
    kept     the same, and must not be given other values
    loose    that may be unbound
    lists    made here, with their lengths
    values   names of values of fields of natural types, and of these fields
    rules    whether `state` is in reach
    move     whether `move` is
    gives    what a `return` here gives: a number, or nothing in a generator
    loops    how many loops are around
    """

    names: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    loose: list[str] = field(default_factory=list)
    lists: dict[str, int] = field(default_factory=dict)
    rules: bool = True
    move: bool = True
    gives: str | None = None
    loops: int = 0
    first: str = "self"
    values: dict[str, str] = field(default_factory=dict)

    def inner(self) -> Scope:
        """The same for a block inside: what it binds may be unbound outside."""
        return replace(
            self,
            names=[*self.names],
            kept=[*self.kept],
            loose=[*self.loose],
            lists={**self.lists},
            values={**self.values},
        )


Production = tuple[float, str, str, Callable[..., "str | list[str]"]]
EXPRESSIONS: list[Production] = []
FRACTIONS: list[Production] = []
TESTS: list[Production] = []
LOOPED: list[Production] = []
STATEMENTS: list[Production] = []
MEMBERS: list[Production] = []
HIDING = ("names", "loose", "truth", "fraction", "value that moves throws away")
"""Traps that are drawn all over a program."""


def drawn(
    table: list[Production], tag: str, weight: float = 1.0, kind: str = "usual"
) -> Callable[[Callable[..., _T]], Callable[..., _T]]:
    """Add a production to a table; `kind` is usual, wide, traps or edges."""

    def add(production: Callable[..., _T]) -> Callable[..., _T]:
        table.append((weight, tag, kind, production))  # type: ignore[arg-type]
        return production

    return add


class Writer:
    """One program while it is written."""

    def __init__(self, seed: int, shape: Shape) -> None:
        self.seed = seed
        self.random = random.Random(seed)
        self.shape = shape
        self.tags: set[str] = set()
        self.imports: list[str] = []
        self.before: list[str] = []
        self.after: list[str] = []
        self.attributes: list[str] = []
        self.members: list[str] = []
        self.mixin: list[str] = []
        self.setup: list[str] = []
        self.numbers: list[str] = []
        """Expressions for constants of the class, the instance or the module."""
        self.tables: list[tuple[str, int]] = []
        """Expressions for lists of numbers, with their lengths."""
        self.calls: list[tuple[str, int, bool]] = []
        """Texts of calls with places for numbers, how many, and whether `self` is needed."""
        self.generators: list[str] = []
        self.callers: list[str] = []
        """Methods that call a function with one number, and take one more."""
        self.last: list[str] = []
        """What stands at the end of the class."""
        self.fields: list[Field] = []
        """Fields of natural types."""
        self.order = ["a", "b", "step"]
        """The fields of the state."""
        self.in_state: list[str] = []
        """Methods of the state."""
        self.of_state: list[str] = []
        """Calls that are about the state, with a place for a number."""
        self.move_made: tuple[str, ...] = ("$n",)
        """How a move is made of a number."""
        self.move_numbers = ["move"]
        """Numbers that are read from a move."""
        self.subject = self._subject() if self.chance(shape.alone) else ""
        """The tag of the only unusual construct, if there is only one."""
        self.often = self.random.choice((0.04, 0.12, 0.4))
        """How often it is drawn, as a share of what else its table gives."""
        shares = {kind: 0.0 if self.subject else 3.5 * getattr(shape, kind) for kind in ("wide", "traps", "edges")}
        self.kinds = {kind: self.chance(share) for kind, share in shares.items()}
        self.kinds["natural"] = False
        """Whether this program has any of a kind: so most have none, and some have several."""
        self.hiding: dict[str, bool] = {}
        """Whether it has traps that are drawn all over a program."""

    # ---------------------------------------------------------------- draws

    def _subject(self) -> str:
        """An unusual construct; each is as likely as the others."""
        tables = (EXPRESSIONS, TESTS, LOOPED, STATEMENTS, MEMBERS)
        tags = {tag for table in tables for _, tag, kind, _ in table if kind in ("wide", "traps")}
        return self.random.choice(sorted({*tags, *HIDING} - self.shape.without))

    def pick(self, table: list[Production]) -> Callable[..., Any]:
        """A production of the table."""
        shares = {"usual": 1.0, **{kind: 1.5 if is_on else 0.0 for kind, is_on in self.kinds.items()}}
        weights = [0.0 if tag in self.shape.without else weight * shares[kind] for weight, tag, kind, _ in table]
        if self.subject:
            share = self.often * sum(weights) or 1.0
            weights = [
                share if tag == self.subject else weight for weight, (_, tag, *_) in zip(weights, table, strict=True)
            ]
        _, tag, _, production = self.random.choices(table, weights)[0]
        self.tags.add(tag)
        return production

    def one(self, *texts: str) -> str:
        """One of the texts."""
        return self.random.choice(texts)

    def chance(self, share: float) -> bool:
        """True in that share of all draws."""
        return self.random.random() < share

    def is_trapped(self, tag: str, share: float) -> bool:
        """Whether this program has traps, that one among them, and it is drawn now: these hide all others if there."""
        if self.subject:
            return tag == self.subject and self.chance(0.7)
        if not self.kinds["traps"] or tag in self.shape.without:
            return False
        return self.hiding.setdefault(tag, self.chance(0.35)) and self.chance(share)

    def name(self, scope: Scope, *, fresh: bool = False) -> str:
        """A name for a local value: mostly a usual one, sometimes one that means something elsewhere."""
        pool: tuple[str, ...] = PLAIN_NAMES
        if self.is_trapped("names", 0.25):
            pool = BUILT_INS if self.chance(0.08) else HOSTILE_NAMES
        if fresh:
            pool = tuple(name for name in pool if name not in (*scope.names, *scope.loose, *scope.lists)) or ("other",)
        return self.random.choice(pool)

    def small(self) -> str:
        """A small constant."""
        return str(self.random.randint(1, 7))

    # ---------------------------------------------------------------- the parts of an expression

    def number(self, scope: Scope, depth: int = 2) -> str:
        """An expression for a whole number."""
        if depth <= 0 or self.chance(0.12):
            return self.atom(scope)
        return f"({self.pick(EXPRESSIONS)(self, scope, depth - 1)})"

    def atom(self, scope: Scope) -> str:
        """A name or a constant."""
        pool = [self.small(), *(2 * scope.names), *scope.kept]
        if scope.rules:
            pool += ["state.a", "state.b", "state.step"]
        if scope.move:
            pool += 2 * self.move_numbers
        if self.numbers and self.chance(0.3):
            pool += [each for each in self.numbers if scope.first == "self" or not each.startswith("self")]
        if self.kinds["edges"] and self.chance(0.2):
            self.tags.add("edge")
            pool = [f"({self.one(*BEYOND) if self.chance(0.03) else self.one(*EDGES)})"]
        if scope.loose and self.is_trapped("loose", 0.3):
            self.tags.add("loose")
            pool = scope.loose
        return self.random.choice(pool)

    def test(self, scope: Scope, depth: int = 2) -> str:
        """An expression whose truth is used."""
        if depth <= 0:
            return f"{self.atom(scope)} {self.one('<', '>', '<=', '>=', '==', '!=')} {self.small()}"
        return f"({self.pick(TESTS)(self, scope, depth - 1)})"

    def looped(self, scope: Scope, depth: int) -> tuple[str, str, list[str]]:
        """Something to loop over: text, target, and the names that it binds."""
        text, target = self.pick(LOOPED)(self, scope, depth - 1)
        return text, target, [name for name in target.replace("(", "").replace(")", "").split(", ") if name != "_"]

    def comprehension(self, scope: Scope, depth: int, *, most: int = 2) -> str:
        """`element for ... if ...` without its brackets."""
        inner = scope.inner()
        parts = []
        for _ in range(self.random.choice((1, 1, 1, most))):
            text, target, names = self.looped(inner, depth)
            parts.append(f"for {target} in {text}")
            inner.names += names
            if self.chance(0.3):
                parts.append(f"if {self.test(inner, 1)}")
        return f"{self.number(inner, depth)} {' '.join(parts)}"

    def table(self, scope: Scope) -> tuple[str, int]:
        """A list of numbers and its length."""
        usable = [each for each in self.tables if scope.first == "self" or not each[0].startswith("self")]
        local = list(scope.lists.items())
        if (usable or local) and self.chance(0.75):
            return self.random.choice(usable + local)
        length = self.random.randint(2, 4)
        return f"({', '.join(self.number(scope, 0) for _ in range(length))})", length

    def call(self, scope: Scope, depth: int) -> str:
        """A call of something written before."""
        usable = [each for each in self.calls if scope.first == "self" or not each[2]]
        if not usable:
            return self.atom(scope)
        text, count, _ = self.random.choice(usable)
        return text.format(*(self.number(scope, depth) for _ in range(count)))

    def value_of(self, scope: Scope, field: Field, depth: int = 2) -> str:
        """A value of a field's kind: that of the state, one that was named, or one made of it."""
        named = [name for name, kind in scope.values.items() if kind == field.name]
        own = self.random.choice([*named, *([f"state.{field.name}"] if scope.rules else [])] or [field.start])
        if depth <= 0 or self.chance(0.35):
            return own
        return f"({self.filled(scope, self.template(*field.makes), field, depth, own)})"

    def template(self, *templates: str) -> str:
        """One of the templates, seldom one of those that are refused."""
        drawn_one = self.one(*templates)
        while drawn_one[0] == "~" and not self.chance(0.08):
            drawn_one = self.one(*templates)
        return drawn_one.removeprefix("~")

    def filled(self, scope: Scope, template: str, field: Field, depth: int, value: str | None = None) -> str:
        """A template with all its places filled."""
        own = value if value is not None else self.value_of(scope, field, depth - 1)
        parts: dict[str, Callable[[], str]] = {
            "v": lambda: own,
            "w": lambda: self.value_of(scope, field, 0),
            "n": lambda: self.atom(scope),
            "k": self.small,
            "t": lambda: self.test(scope, min(depth, 1)),
        }
        return re.sub(r"\$(\w)", lambda place: parts[place[1]](), template)

    # ---------------------------------------------------------------- blocks

    def block(self, scope: Scope, count: int) -> list[str]:
        """Statements; the scope learns what they bind."""
        return [line for _ in range(count) for line in self.pick(STATEMENTS)(self, scope)]

    def body(self, scope: Scope, count: int = 1) -> list[str]:
        """An indented block inside of a statement; what it binds may be unbound afterwards."""
        inner = scope.inner()
        lines = self.block(inner, count) or ["pass"]
        scope.loose += [name for name in inner.names if name not in (*scope.names, *scope.loose)]
        return indented(lines)

    @contextmanager
    def loop(self, scope: Scope, names: list[str]) -> Iterator[Scope]:
        """The scope of a loop's body."""
        inner = scope.inner()
        inner.names += names
        inner.loops += 1
        yield inner
        scope.loose += [name for name in inner.names if name not in (*scope.names, *scope.loose)]

    def mixed(self, scope: Scope) -> str:
        """A number that most of what is in scope bears on."""
        parts = [self.number(scope)]
        for place, name in enumerate(dict.fromkeys(scope.names)):
            parts.append(f"{place + 2} * {name}")
        for name, length in scope.lists.items():
            parts.append(f"{name}[{self.random.randrange(length)}]")
        if scope.loose and self.is_trapped("loose", 0.15):
            self.tags.add("loose")
            parts.append(self.random.choice(scope.loose))
        if (self.kinds["traps"] or self.subject) and scope.rules and self.chance(0.6):
            parts.append(self.call(scope, 0))
            parts += [self.random.choice(self.numbers)] if self.numbers else []
        return " + ".join(parts)

    # ---------------------------------------------------------------- the whole

    def written(self) -> Program:
        """The program."""
        subject = [each for each in MEMBERS if each[1] == self.subject]
        for _ in range(self.random.randint(0, 1) if subject else self.random.randint(1, 4)):
            self.pick(MEMBERS)(self)
        traps = subject or [each for each in MEMBERS if each[2] == "traps"]
        for _ in range(self.random.randint(1, 2) if subject or self.kinds["traps"] else 0):
            self.pick(traps)(self)
        sizes = [self.random.choice((3, 5, 11, 97)) for _ in range(2)]
        if self.kinds["edges"]:
            sizes[0] = self.random.choice((2**31, 2**32 + 1, 2**61, 2**62 + 1, 2**63))
        members = [*self._rules(sizes, self.random.randint(2, 4)), *self.members]
        if self.setup:
            members.insert(0, defined("setup", "self", self.setup))
        lines = ["from typing import NamedTuple", *dict.fromkeys(self.imports)]
        lines += ["", "from endsight.game import CHANCE, Game", "", *self.before, ""]
        if self.mixin:
            lines += ["class Mixin:", *indented("\n\n".join(self.mixin).split("\n")), ""]
        lines += [f"class Rules({'Mixin, Game' if self.mixin else 'Game'}):", *indented(self.attributes)]
        types = {field.name: field.type for field in self.fields}
        own = [*(f"{name}: {types.get(name, 'int')}" for name in self.order), *("\n" + text for text in self.in_state)]
        lines += indented(["class State(NamedTuple):", *indented(own), ""])
        members += self.last if any("def reward(" in member for member in [*members, *self.last]) else []
        for member in members:
            lines += [*indented(member.split("\n")), ""]
        text = "\n".join([*lines, *self.after])
        return Program(self.seed, "\n".join(line.rstrip() for line in text.split("\n")) + "\n", frozenset(self.tags))

    def _rules(self, sizes: list[int], depth: int) -> list[str]:
        first = [str(self.random.randrange(min(sizes[0], 90))), str(self.random.randrange(sizes[1])), "0"]
        start = f"self.State({self._in_order(first, {field.name: field.start for field in self.fields})})"
        most = [str(sizes[0] - 1), str(sizes[1] - 1), str(depth)]
        limits = f"self.State({self._in_order(most, {field.name: field.limit for field in self.fields})})"
        rules = [f"def limits(self):\n    return {limits}", f"def start(self):\n    return {start}"]
        rules += [self._moves(depth), self._play(sizes)]
        players = self.random.choice((1, 2, 2, 2, 3))
        has_chance = self.chance(0.3)
        if players != 2:
            self.attributes.append(f"players = {players}")
        alternates = players == 2 and not has_chance and self.chance(0.6)
        if not alternates:
            mover = f"(state.step + state.b) % {players}"
            mover = f"CHANCE if state.step % 2 == 1 else {mover}" if has_chance else mover
            rules.append(f"def to_move(self, state):\n    return {mover}")
        rules.append(self._share("payoff", players, alternates, move=False))
        if self.chance(0.45):
            rules.append(self._share("reward", players, alternates, move=True))
        if has_chance:
            scope = Scope()
            lines = [*self.block(scope, self.random.randint(0, 1)), f"return 1 + ({self.mixed(scope)}) % 4"]
            rules.append(defined("weight", "self, state, move", lines))
        return rules

    def _in_order(self, numbers: list[str], others: dict[str, str]) -> str:
        """Texts for `a`, `b` and `step`, and for the other fields, in the order in which a state has them."""
        texts = {**dict(zip(("a", "b", "step"), numbers, strict=True)), **others}
        return ", ".join(texts[name] for name in self.order)

    def _given(self, indent: str, text: str) -> str:
        """Statements that yield a move made of a number, in one of the ways in which moves are made."""
        ways = [f"yield {made.replace('$n', text)}" for made in self.move_made]
        if len(ways) == 1:
            return indent + ways[0]
        tests = [f"if ({text}) % {len(ways)} == {place}:" for place in range(len(ways) - 1)]
        lines = [*(part for pair in zip(tests, ways, strict=False) for part in (pair[0], f"    {pair[1]}")), ways[-1]]
        tail = ["else:", f"    {lines.pop()}"]
        return "\n".join(
            indent + re.sub("^if", "elif" if at else "if", line) for at, line in enumerate([*lines, *tail])
        )

    def _of_made(self, lines: list[str]) -> list[str]:
        """The lines of a generator of numbers, as one of moves."""
        if self.move_made == ("$n",):
            return lines
        told = "\n".join(lines)
        told = re.sub(r"(?m)^( *)yield from (.*)$", r"\1for each_one in \2:\n\1    yield each_one", told)
        return re.sub(r"(?m)^( *)yield (.*)$", lambda line: self._given(line[1], line[2]), told).split("\n")

    def _moves(self, depth: int) -> str:
        scope = Scope(move=False, gives="yield")
        way = self.random.randrange(7)
        if way == 0:
            items = f"range({self.one('1', '3', '2')}, {self.one('0', '-1')}, -1)"
            found = self.one(items, "(0, 2, 1)", "[4, 1]", "range(1 + state.b % 3)")
            if len(self.move_made) > 1:
                lines = [f"if state.step < {depth}:", f"    yield from {found}"]
                return defined("moves", "self, state", self._of_made(lines))
            if self.move_made != ("$n",):
                found = f"[{self.move_made[0].replace('$n', 'each_one')} for each_one in {found}]"
            return defined("moves", "self, state", [f"if state.step >= {depth}:\n    return ()", f"return {found}"])
        lines = [f"if state.step >= {depth}:", "    return", *self.block(scope, self.random.randint(0, 2))]
        if way == 1:
            lines += [f"for move in range({self.random.randint(2, 4)}):"]
            lines += [f"    if {self.test(scope)}:", "        yield move", f"yield {self.random.randint(5, 9)}"]
        elif way == 2:
            lines += [f"yield from range({self.random.randint(1, 3)})"]
            lines += [f"if {self.test(scope)}:", f"    yield ({self.mixed(scope)}) % 3 + 3"]
        elif way == 3:
            lines += ["yield 0", f"yield 1 + ({self.mixed(scope)}) % 5"]
        elif way == 4:
            lines += [f"yield from ({self.comprehension(scope, 1, most=1)})"]
        else:
            text, target, names = self.looped(scope, 2)
            inner = scope.inner()
            inner.names += names
            lines += ["yield 20", f"for {target} in {text}:", f"    yield {self.number(inner, 1)} % 3"]
            if self.chance(0.3):
                lines += ["else:", "    yield 21"]
        if self.is_trapped("value that moves throws away", 0.15):
            self.tags.add("value that moves throws away")
            lines.append(f"return {self.one('[5]', '()', 'None', 'None')}")
        return defined("moves", "self, state", self._of_made(lines))

    def _play(self, sizes: list[int]) -> str:
        scope = Scope()
        lines = self.block(scope, self.random.randint(1, 3))
        first, second = f"({self.mixed(scope)}) % {sizes[0]}", f"({self.number(scope)}) % {sizes[1]}"
        others = {each.name: self.value_of(scope, each) for each in self.fields}
        words = "".join(f", {name}={text}" for name, text in others.items())
        lines.append(
            self.one(
                f"return state._replace(step=state.step + 1, b={second}, a={first}{words})",
                f"return self.State(step=state.step + 1, a={first}, b={second}{words})",
                f"return self.State({self._in_order([first, second, 'state.step + 1'], others)})",
            )
        )
        return defined("play", "self, state, move", lines)

    def _share(self, rule: str, players: int, alternates: bool, *, move: bool) -> str:
        scope = Scope(move=move, gives="share")
        lines = self.block(scope, self.random.randint(0, 3))
        entry = f"({self.mixed(scope)}) % 1009 - 500"
        if "fractions" not in self.shape.without and self.chance(0.2):
            self.imports.append("from fractions import Fraction")
            entry = self.pick(FRACTIONS)(self, scope, 2)
        if self.is_trapped("truth", 0.05):
            self.tags.add("truth")
            entry = self.test(scope)
        if players == 1 or (alternates and self.chance(0.8)):
            lines.append(f"return {entry}")
        else:
            others = [f"({self.number(scope)}) % 13" for _ in range(players - 1)]
            lines.append(f"return ({', '.join([entry, *others])})")
        return defined(rule, "self, state, move" if move else "self, state", lines)


def indented(lines: list[str]) -> list[str]:
    """The lines one step further to the right."""
    return [f"    {line}" if line else "" for text in lines for line in text.split("\n")]


def defined(name: str, parameters: str, lines: list[str]) -> str:
    """The text of a function."""
    return "\n".join([f"def {name}({parameters}):", *indented(lines)])


def bind(scope: Scope, *names: str) -> None:
    """Tell a scope that these names are whole numbers now."""
    for name in names:
        scope.names.append(name)
        scope.lists.pop(name, None)
        while name in scope.loose:
            scope.loose.remove(name)
