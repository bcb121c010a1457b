"""Ways to write a whole number as a field or a move of a natural type: texts, Enums, tuples, sets, and what is none.

A rules text counts in whole numbers; a form says how it writes the numbers below `count` down, and reads them back.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

__all__ = ["FORMS", "Field", "naturalised"]

LETTERS = ".XO_ -=/aé\u00df1x\u03a9\U0001f600,"
"""Blanks, marks that texts of positions use themselves, letters beyond ASCII."""


@dataclass(frozen=True)
class Field:
    """How numbers stand in a field.

    type    its annotation
    limit   what `limits()` gives it
    write   from an expression that is a number to one that is the field's value
    read    the inverse
    before  lines of the module that these need
    """

    type: str
    limit: str
    write: Callable[[str], str]
    read: Callable[[str], str]
    before: str = ""


def _whole(draw: random.Random, count: int, tag: str) -> Field:
    return Field("int", str(count - 1), lambda v: v, lambda f: f)


def _truth(draw: random.Random, count: int, tag: str) -> Field:
    if count > 2:
        return _bits(draw, count, tag)
    return Field("bool", "True", lambda v: f"({v}) == 1", lambda f: f"int({f})")


def _letter(draw: random.Random, count: int, tag: str) -> Field:
    letters = "".join(draw.sample(LETTERS, min(count, len(LETTERS))))
    letters += "".join(map(chr, range(0x4E00, 0x4E00 + count - len(letters))))
    before = f"LETTERS{tag} = {letters!r}\n"
    return Field("str", f"LETTERS{tag}", lambda v: f"LETTERS{tag}[{v}]", lambda f: f"LETTERS{tag}.index({f})", before)


def _one_of(draw: random.Random, count: int, tag: str) -> Field:
    words = draw.choice((_words, _numbers))(draw, count)
    before = f"WORDS{tag} = {words!r}\nKind{tag} = Literal[{', '.join(map(repr, words))}]\n"
    return Field(f"Kind{tag}", "None", lambda v: f"WORDS{tag}[{v}]", lambda f: f"WORDS{tag}.index({f})", before)


def _words(draw: random.Random, count: int) -> tuple[str, ...]:
    return tuple(f"{draw.choice('ab é-')}{number}" for number in range(count))


def _numbers(draw: random.Random, count: int) -> tuple[int, ...]:
    return tuple(draw.sample(range(-5, 2 * count), count))


def _enum(draw: random.Random, count: int, tag: str) -> Field:
    kind = draw.choice(("Enum", "IntEnum", "str, Enum"))
    values = [repr(f"v {number}") if kind == "str, Enum" else str(5 * number - 3) for number in range(count)]
    lines = [f"    M{number} = {value}\n" for number, value in enumerate(values)]
    if draw.random() < 0.5:
        lines.insert(1, f"    ALIAS = {values[0]}\n")
    more = draw.random() < 0.5
    before = f"class Kind{tag}({kind}):\n{''.join(lines)}\n\nMEMBERS{tag} = tuple(Kind{tag})\n"
    read = (lambda f: f"MEMBERS{tag}.index({f})") if more or kind != "IntEnum" else (lambda f: f"(int({f}) + 3) // 5")
    return Field(f"Kind{tag}", "None", lambda v: f"MEMBERS{tag}[{v}]", read, before)


def _bits(draw: random.Random, count: int, tag: str) -> Field:
    bits = max(1, (count - 1).bit_length())
    return Field(
        "tuple[bool, ...]",
        "True",
        lambda v: f"tuple((({v}) >> at) % 2 == 1 for at in range({bits}))",
        lambda f: f"sum(int(bit) << at for at, bit in enumerate({f}))",
    )


def _set(draw: random.Random, count: int, tag: str) -> Field:
    bits = max(1, (count - 1).bit_length())
    return Field(
        "frozenset[int]",
        str(bits - 1),
        lambda v: f"frozenset(at for at in range({bits}) if ({v}) >> at & 1)",
        lambda f: f"sum(1 << at for at in {f})",
    )


def _many(draw: random.Random, count: int, tag: str) -> Field:
    return Field("tuple[int, ...]", f"(1,) * {count - 1}", lambda v: f"(1,) * ({v})", lambda f: f"len({f})")


def _text(draw: random.Random, count: int, tag: str) -> Field:
    letter = draw.choice(LETTERS)
    limit = f"({letter + 'q'!r},) * {count - 1}"
    return Field("str", limit, lambda v: f"{letter!r} * ({v})", lambda f: f"len({f})")


def _named(draw: random.Random, count: int, tag: str) -> Field:
    most = (count - 1) // 2
    before = f"class Pair{tag}(NamedTuple):\n    high: int\n    low: bool\n\n"
    return Field(
        f"Pair{tag}",
        f"Pair{tag}({most}, True)",
        lambda v: f"Pair{tag}(({v}) // 2, ({v}) % 2 == 1)",
        lambda f: f"({f}.high * 2 + int({f}.low))",
        before,
    )


def _rows(draw: random.Random, count: int, tag: str) -> Field:
    return Field(
        "tuple[tuple[int, ...], ...]",
        str(max(1, (count - 1) // 4)),
        lambda v: f"((({v}) % 2,), (({v}) // 2 % 2, ({v}) // 4))",
        lambda f: f"({f}[0][0] + 2 * {f}[1][0] + 4 * {f}[1][1])",
    )


def _deep(draw: random.Random, count: int, tag: str) -> Field:
    """Rows of rows, with some that are empty at times."""
    return Field(
        "tuple[tuple[tuple[int, ...], ...], ...]",
        f"(((1,) * {count - 1},), ((1,) * {count - 1},))",
        lambda v: f"(((1,) * (({v}) // 2),), ((1,) * (({v}) - ({v}) // 2),))",
        lambda f: f"(len({f}[0][0]) + len({f}[1][0]))",
    )


def _pair(draw: random.Random, count: int, tag: str) -> Field:
    inner = draw.choice((_whole, _letter, _one_of, _enum))(draw, count, tag)
    return Field(
        f"tuple[{inner.type}, bool]",
        f"({inner.limit}, True)",
        lambda v: f"({inner.write(v)}, True)",
        lambda f: inner.read(f"{f}[0]"),
        inner.before,
    )


def _perhaps(draw: random.Random, count: int, tag: str) -> Field:
    inner = draw.choice((_whole, _letter, _one_of, _enum, _set, _named, _pair))(draw, max(count - 1, 2), tag)
    return Field(
        f"{inner.type} | None",
        # Nothing stands there at the start that would tell how many letters there are.
        inner.limit.replace(f"LETTERS{tag}", f"(LETTERS{tag},)"),
        lambda v: f"(None if ({v}) == 0 else {inner.write(f'({v}) - 1')})",
        lambda f: f"(0 if {f} is None else 1 + {inner.read(f)})",
        inner.before,
    )


FORMS = (_whole, _truth, _letter, _one_of, _enum, _bits, _set, _many, _text, _named, _rows, _deep, _pair, _perhaps)
_MOVES = (_whole, _letter, _one_of, _enum, _bits, _named, _rows, _pair)
_HEAD = "from enum import Enum, IntEnum\nfrom typing import Literal\n"


def naturalised(text: str, seed: int, nodes: int) -> str:
    """The rules of that text (see `game_texts`), with states and moves of natural types drawn by the seed."""
    draw = random.Random(f"natural {seed}")
    base = draw.choice((2, 3, 5, nodes))
    high = draw.choice(FORMS)(draw, (nodes - 1) // base + 1 if nodes > base else 2, "_high")
    low = draw.choice(FORMS)(draw, base, "_low")
    twin = draw.choice(FORMS)(draw, 2, "_twin")
    move = draw.choice(_MOVES)(draw, 3, "_move")
    fields = [("high", high), ("low", low), ("twin", twin)]
    draw.shuffle(fields)
    text = text.replace("state.number", "self.number_of(state)").replace("[move]", "[self.place_of(move)]")
    states = "".join(f"        {name}: {field.type}\n" for name, field in fields)
    text = text.replace("        number: int\n        twin: int\n", states)
    limits = ", ".join(field.limit for _, field in fields)
    made = {"high": high.write(f"number // {base}"), "low": low.write(f"number % {base}"), "twin": twin.write("other")}
    rules = {
        "def start(self): return self.State(0, 0)": "def start(self): return self.made(0, 0)",
        "yield from range(len(": "yield from map(self.move, range(len(",
        "self.State(SUCCESSORS": "self.made(SUCCESSORS",
        ", move % 2)": ", self.place_of(move) % 2)",
        "canonical(self, state): return self.State(": "canonical(self, state): return self.made(",
        f"self.State({nodes - 1}, 1)": f"self.State({limits})",
    }
    for old, new in rules.items():
        text = text.replace(old, new)
    text = text.replace("[self.number_of(state)]))\n", "[self.number_of(state)])))\n")
    text = text.replace("]) - 1\n", "]) - 1)\n").replace(
        "last(self, state): return len", "last(self, state): return self.move(len"
    )
    helpers = f"""
    def made(self, number, other): return self.State({", ".join(made[name] for name, _ in fields)})
    def number_of(self, state): return {high.read("state.high")} * {base} + {low.read("state.low")}
    def move(self, place): return {move.write("place")}
    def place_of(self, move): return {move.read("move")}
"""
    before = _HEAD + "".join(field.before for field in (high, low, twin, move))
    head, mark, rest = text.partition("\nSUCCESSORS = ")
    head, rest = head + "\n" + before + mark, rest
    at = rest.index("    def start(self)")
    return head + rest[:at] + helpers.lstrip("\n") + rest[at:]
