"""Fields and moves of natural types, for the programs of `program_texts.py`: tuples, texts, Enums, sets, `X | None`.

A kind of field is a table of templates. In them `$v` stands for a value of the kind, `$w` for another one, `$n` for a
number, `$k` for a small constant and `$t` for a test; every one but `$v` is drawn anew where it stands. What begins
with `~` is refused as yet, and drawn seldom.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from program_writer import EXPRESSIONS, LOOPED, MEMBERS, STATEMENTS, TESTS, Field, Scope, Writer, bind, defined, drawn

__all__ = ["fields_for"]

_MARKS = (
    "    EMPTY = 0\n    CROSS = 1\n    NOUGHT = 2",
    '    EMPTY = "."\n    CROSS = "X"\n    NOUGHT = "O"',
    "    EMPTY = 0\n    CROSS = 1\n    NOUGHT = 2\n    ALSO = 1",
    "    EMPTY = 1\n    CROSS = (1, 2)\n    NOUGHT = None\n    LAST = True",
    "    NOUGHT = -1\n    EMPTY = enum.auto()\n    CROSS = enum.auto()",
)
_OTHER = "    @property\n    def other(self):\n        return Mark.CROSS if self is Mark.NOUGHT else Mark.NOUGHT"
_DUO = """class Duo(NamedTuple):
    one: int
    two: bool = True
    def more(self, by=1):
        return Duo(self.one + by, not self.two)
    @property
    def worth(self):
        return self.one * 2 + self.two
    @classmethod
    def of(cls, number):
        return cls(number % 5, number % 2 == 1)"""
_LEVEL = """class Level(enum.IntEnum):
    LOW = 1
    MID = 2
    HIGH = 5
    @property
    def after(self):
        return Level.HIGH if self is Level.MID else Level(self % 2 + 1)
    def above(self, by=1):
        return self.value > by or self in (Level.LOW, by)"""
_ALL = "(Mark.EMPTY, Mark.CROSS, Mark.NOUGHT)"

_CELLS = Field(
    "cells",
    "tuple[int, ...]",
    "3",
    ("(0, 1, 2)", "(3, 3, 0)"),
    numbers=(
        *("$v[$n % 3]", "$v[-1]", "sum($v)", "max($v)", "$v.count($n % 4)", "len($v)", "sorted($v)[1]", "len(set($v))"),
        *("sum(p * q for p, q in enumerate($v))", "sum(p != q for p, q in zip($v, $w))", "sum($v[1:])"),
        *("sum($v[::-1][:2])", "int($v < $w)", "min($v, $w)[0]", "$v.index(max($v))", "sum(map(abs, $v))"),
        *(
            "next(q for q in $v)",
            "next((p for p, q in enumerate($v) if q == $n % 4), $n)",
            "next((q for q in $v if q > 1), 7)",
        ),
        *("sum(p - q for p, q in zip($v, $v[1:]))", "len([q for q in $v if q == $n % 4])", "$v[-2:][0]"),
    ),
    tests=(
        *("$n % 4 in $v", "$v == $w", "$v < $w", "any($v)", "all($v)", "$v == (0, 1, 2)", "not $v", "True in $v"),
        *("$v[0] == $v[1] == $v[2]", "all(p <= q for p, q in zip($v, $v[1:]))", "$v != ($n % 4, 1, $n % 4)"),
    ),
    looped=("$v", "$v[1:]", "reversed($v)", "sorted($v)"),
    makes=(
        *("$v[:1] + ($n % 4,) + $v[2:]", "($n % 4, *$v[1:])", "$v[1:] + $v[:1]", "tuple(sorted($v))", "$v[::-1]"),
        *("tuple($n % 4 if p == $k % 3 else q for p, q in enumerate($v))", "tuple(reversed($v))", "$w"),
        *("tuple(3 - q if q else q for q in $v)", "tuple(map(lambda q: (q + $n) % 4, $v))", "tuple(map(max, $v, $w))"),
        *(
            "tuple([$n % 4, $n % 4, 1])",
            "tuple(max(p, q) for p, q in zip($v, $w))",
            "($n % 4,) * 3",
            "$v if $t else $w",
        ),
        "tuple(q % 4 for q in ($n, $n, $n))",
    ),
    opened=("p, q, r = $v", "p, *r = $v; q, r = r", "(p, q), r = $v[:2], $v[2]"),
    edits=("held[$n % 3] = $n % 4", "held[$k % 3], held[0] = held[0], held[$k % 3]", "held[-1] -= held[-1] and 1"),
)
_HAND = Field(
    "hand",
    "tuple[int, ...]",
    "(4, 4, 4)",
    ("()", "(2,)", "(1, 4, 0)"),
    numbers=(
        *("len($v)", "sum($v)", "$v[0] if $v else $n", "$v[-1] if len($v) > 1 else 7", "max($v, default=$n)"),
        *("sum(p * q for p, q in enumerate($v, 1))", "next((q for q in $v if q > 1), 9)", "len($v + $w)"),
        *("sum($v[:-1])", "$v.count(4)", "sum(sorted($v)[:2])", "len($v) and $v[$n % len($v)]", "int($v == $w)"),
    ),
    tests=(
        "$v",
        "not $v",
        "$n % 5 in $v",
        "$v == $w",
        "len($v) > 1",
        "$v[:1] == (2,)",
        "~$v < $w",
        "$v == ()",
        "any($v)",
    ),
    looped=("$v", "$v[::-1]", "reversed($v)"),
    makes=(
        *(
            "($v + ($n % 5,))[:3]",
            "$v[1:]",
            "$v[:-1]",
            "tuple(sorted($v))",
            "tuple(q for q in $v if q != $n % 5)",
            "()",
        ),
        *("($n % 5,)", "(*$v[:2], $n % 5)", "$v[:2] + $w[:1]", "$v[::-1]", "$v if $t else ()", "$v or ($n % 5,)"),
        "tuple(q for p, q in enumerate($v) if p != $k % 3)",
    ),
)
_GRID = Field(
    "grid",
    "tuple[tuple[int, ...], ...]",
    "2",
    ("((0, 1), (2, 0))", "((0, 0),) * 2"),
    numbers=(
        *("$v[$n % 2][$n % 2]", "sum(map(sum, $v))", "sum(row[0] for row in $v)", "max(max(row) for row in $v)"),
        *("sum(cell * 3 for row in $v for cell in row)", "sum(p * r for p, (q, r) in enumerate($v))", "len($v[0])"),
        *(
            "sum(row.count(1) for row in $v)",
            "~sum(p - q for p, q in zip(*$v))",
            "~sum(sum($v, ()))",
            "$v.index($v[1])",
        ),
    ),
    tests=("(0, 1) in $v", "$v[0] < $v[1]", "any(2 in row for row in $v)", "$v == $w", "$v[0] == $w[$n % 2]", "$v"),
    looped=("$v[0]", "$v[$n % 2]", "(q for row in $v for q in row)"),
    makes=(
        *(
            "(($n % 3, $n % 3), $v[0])",
            "$v[::-1]",
            "~tuple(zip(*$v))",
            "tuple(row[::-1] for row in $v)",
            "($v[1], $w[0])",
        ),
        *("tuple(tuple(2 - cell for cell in row) for row in $v)", "$v[:1] + ((1, $n % 3),)", "tuple(sorted($v))"),
        "tuple(tuple($n % 3 if (p, q) == ($k % 2, 1) else $v[p][q] for q in range(2)) for p in range(2))",
    ),
    opened=("(p, q), (r, _) = $v", "(p, q), r = $v; r = r[0]"),
)
_PAIR = Field(
    "pair",
    "Duo",
    "Duo(4, True)",
    ("Duo(1, False)", "Duo(3)"),
    numbers=(
        *("$v.one", "int($v.two)", "$v[0]", "$v.one + $v.two", "$v.two * 3", "sum($v)", "$v._replace(one=$n % 5).one"),
        *("len($v)", "$v.count(1)", "max($v)", "int($v == $w)", "$v[-1] + 1", "(lambda p, q: p * 2 + q)(*$v)"),
        *("$v.worth", "$v.more().worth", "$v.more($n % 3).one", "Duo.of($n).worth"),
    ),
    tests=("$v.two", "$v == (1, True)", "$v == Duo(2, False)", "$v > $w", "1 in $v", "$v", "$v.one == $v.two", "$v[1]"),
    looped=("$v",),
    makes=(
        *(
            "Duo($n % 5, bool($t))",
            "$v._replace(two=bool($t))",
            "Duo(one=$n % 5, two=not $v.two)",
            "Duo($n % 5)",
            "Duo.of($n)",
        ),
        *(
            "$v._replace(one=$n % 5, two=$w.two)",
            "Duo(*$v)",
            "Duo($v.one, $n % 2 == 1)",
            "~Duo._make(($n % 5, $n > 3))",
        ),
    ),
    opened=("p, q = $v; r = 1",),
    before=(_DUO,),
)
_FLAG = Field(
    "flag",
    "bool",
    "True",
    ("False", "True"),
    numbers=("int($v)", "$v + 1", "$v * $n", "3 if $v else $n", "(5, 7)[$v]", "$n << $v", "-$v", "sum(($v, $w))"),
    tests=("$v", "not $v", "$v == $w", "$v == 1", "$v != ($n > 2)", "$v < $w", "$v and $t", "$v in (0, 3)", "$v | $w"),
    makes=(
        "not $v",
        "bool($t)",
        "$n % 2 == 0",
        "$v ^ True",
        "$v and $w",
        "$v != $w",
        "True",
        "$v if $t else $w",
        "$n > 4",
    ),
)
_TEXT = Field(
    "text",
    "str",
    "'.XO'",
    ("'X.O'", "'...'"),
    numbers=(
        *("len($v)", "$v.count('X')", "$v.find('O')", "$v.index($v[1])", "'.XO'.index($v[$n % 3])", "int($v == $w)"),
        *("{'.': 2, 'X': 5, 'O': 9}[$v[0]]", "sum(p for p, q in enumerate($v) if q == 'X')", "int($v[0] == $v[2])"),
        *("int('XO' == $v[1:])", "len($v[1:])", "sum(p != q for p, q in zip($v, $w))", "len(set($v))"),
    ),
    tests=(
        *("'X' in $v", "$v == $w", "$v == 'X.O'", "$v[$n % 3] == '.'", "$v[$n % 3] in 'XO'", "$v[1] != $w[0]", "$v"),
        *("all(q == '.' for q in $v)", "~$v < $w", "$v[:2] == 'X.'", "$v[0] + $v[1] == 'XX'", "$v != ('X', '.', 'O')"),
    ),
    makes=(
        *("$v[:1] + 'X' + $v[2:]", "$v.replace('X', 'O')", "$v[::-1]", "$v[1:] + $v[0]", "'X' * 3", "'O' + $w[1:]"),
        *("''.join('.XO'[$n % 3] if p == 1 else q for p, q in enumerate($v))", "''.join(reversed($v))", "$w"),
        *("$v[:2] + '.XO'[$n % 3]", "$v if $t else $w", "''.join(['O', $v[0], '.'])"),
    ),
    opened=("p, q, r = $v; p, q, r = p == q, q == r, '.XO'.index(r)",),
)
_WORD = Field(
    "word",
    "str",
    "('ab', 'ab', 'abc')",
    ("''", "'ba'"),
    numbers=(
        "len($v)",
        "$v.count('a')",
        "$v.find('b')",
        "int($v[:1] == 'a')",
        "sum(q == 'b' for q in $v)",
        "len($v + $w)",
    ),
    tests=("$v", "not $v", "'a' in $v", "$v == $w", "$v == 'ab'", "len($v) > 1", "$v[-1:] == 'b'", "$v == ''"),
    makes=(
        "($v + 'a')[:3]",
        "$v[1:]",
        "$v[:-1]",
        "''",
        "'b'",
        "$v[:2]",
        "''.join(q for q in $v if q != 'a')",
        "'ab' * $k",
    ),
)
_MARK = Field(
    "mark",
    "Mark",
    "Mark",
    ("Mark.EMPTY", "Mark.NOUGHT"),
    numbers=(
        *(f"{_ALL}.index($v)", "{Mark.EMPTY: 4, Mark.CROSS: 6, Mark.NOUGHT: 1}[$v]", "list(Mark).index($v)"),
        *("len($v.name)", "int($v is Mark.CROSS)", "int($v.value == 1)", "~{Mark.EMPTY: 4}.get($v, $n)", "~len(Mark)"),
    ),
    tests=(
        *("$v is Mark.CROSS", "$v == Mark.NOUGHT", "$v == $w", "$v is not $w", "$v in (Mark.CROSS, Mark.EMPTY)", "$v"),
        *(
            "$v == 1",
            "$v.value == 1",
            "$v != 'X'",
            "$v.name == 'CROSS'",
            "$v in {Mark.CROSS}",
            "$v.value",
            "$v.value is None",
        ),
    ),
    makes=(
        *(
            "Mark.CROSS",
            "Mark.NOUGHT if $t else $v",
            f"{_ALL}[$n % 3]",
            "list(Mark)[$n % 3]",
            "$v.other",
            "$v if $t else $w",
        ),
        "{Mark.EMPTY: Mark.CROSS, Mark.CROSS: Mark.NOUGHT, Mark.NOUGHT: Mark.EMPTY}[$v]",
        *(
            "~Mark['CROSS']",
            "next(q for q in Mark if q is not $v)",
            "Mark($n % 3)",
            "max($v, $w, key=lambda q: len(q.name))",
        ),
    ),
    before=("Mark",),
)
_LEVELS = Field(
    "level",
    "Level",
    "Level.HIGH",
    ("Level.LOW", "Level.MID"),
    numbers=(
        "$v + $n",
        "$v * 2",
        "int($v)",
        *("$v.value", "len($v.name)", "$v.after + $n", "$v.after.after.value", "Level($n % 2 + 1).after * 3"),
        *("int($v.above())", "$v.after.above($n) + $n", "int($v.after is $w.after)", "$v & $w", "$v | $n"),
        "list(Level).index($v)",
        "max($v, $n)",
        "~(0,) * 6 == $v",
    ),
    tests=(
        "$v > Level.LOW",
        "$v == 2",
        *("$v is Level.HIGH", "$v.above($n)", "$v is not $w.after", "isinstance($v, Level)", "$v.after in {1, 5}"),
        "$v == $w",
        "$v in (1, 5)",
        "$v < $n",
        "$v",
        "$v.name == 'MID'",
    ),
    makes=(
        *("$v.after", "$w.after if $v.above($n) else $v", "Level($v.value)", "[Level.LOW, $v.after][$n % 2]"),
        "Level.HIGH",
        "Level(2)",
        "max($v, $w)",
        "Level.LOW if $t else $v",
        "list(Level)[$n % 3]",
        "Level($v)",
        "1 + ($n > 3)",
    ),
    before=(_LEVEL,),
)
_PHASE = Field(
    "phase",
    "Literal['bid', 'play', 'end']",
    "'end'",
    ("'bid'", "'play'"),
    numbers=("('bid', 'play', 'end').index($v)", "len($v)", "{'bid': 1, 'play': 5, 'end': 2}[$v]", "int($v[0] == 'b')"),
    tests=(
        *("$v == 'bid'", "$v in ('bid', 'end')", "$v != $w", "~$v.startswith('p')", "$v < 'c'", "'i' in $v", "$v"),
        *("$v < $w", "$v + 's' == 'bids'", "$v in 'play it'"),
    ),
    makes=(
        "'play'",
        "'end' if $t else $v",
        "('bid', 'play', 'end')[$n % 3]",
        "{'bid': 'play', 'play': 'end', 'end': 'bid'}[$v]",
    ),
)
_CHOICE = Field(
    "choice",
    "Literal[4, False, 1]",
    "1",
    ("4", "1", "False"),
    numbers=("$v + $n", "$v * 3", "(4, False, 1).index($v)", "{4: 2, 0: 7, 1: 3}[$v]", "int($v)", "max($v, $w)"),
    tests=("$v", "$v == 1", "$v == $w", "$v in (1, 4)", "not $v", "$v > $n", "$v == True"),
    makes=("4", "(4, False, 1)[$n % 3]", "1", "$v if $t else $w", "4 * ($n > 2)", "$t and 4", "$n > 3"),
)
_OWN = Field(
    "own",
    "frozenset[int]",
    "5",
    ("frozenset({1, 3})", "frozenset()"),
    numbers=(
        *("len($v)", "sum($v)", "min($v, default=9)", "max($v | {0})", "len($v & $w)", "sum(q * q for q in $v)"),
        *("sorted($v | {2})[0]", "sum(p * q for p, q in enumerate(sorted($v)))", "sum(1 for q in $v if q > $k)"),
        *("len($v.union($w))", "~next(iter(sorted($v)), 8)", "~len({*$v, 9})"),
    ),
    tests=(
        *(
            "$n % 6 in $v",
            "$v",
            "$v <= $w",
            "$v == {1, 3}",
            "$v.isdisjoint($w)",
            "True in $v",
            "$v < $w | {5}",
            "not $v",
        ),
        *("$v == frozenset()", "all(q in $w for q in $v)", "any(q > 3 for q in $v)", "$v == (1, 3)"),
    ),
    looped=("sorted($v)", "sorted($v, reverse=True)"),
    makes=(
        *("$v | {$n % 6}", "$v - {$n % 6}", "$v ^ $w", "$v & {0, 1, 2}", "frozenset()", "frozenset({$n % 6, $n % 6})"),
        *("frozenset(q for q in $v if q % 2)", "$v.union({$n % 6})", "frozenset(range($n % 4))", "$v if $t else $w"),
        *(
            "frozenset((q + 1) % 6 for q in $v)",
            "frozenset([$n % 6])",
            "frozenset($w - $v)",
            "frozenset({True, $n % 6})",
        ),
    ),
)
_OPEN = Field(
    "open",
    "int | None",
    "3",
    ("None", "2"),
    numbers=(
        *(
            "0 if $v is None else $v + 1",
            "~$v or $n",
            "int($v is None)",
            "$v if $v is not None else 9",
            "sum([$v, 2]) if $v is not None else $n",
            "4 if $v is None else max([$v])",
            "int($v == $w)",
        ),
        *("-1 if $v is None else (7, 8, 9, 4)[$v]", "~($v or 0) + 1"),
    ),
    tests=(
        *("$v is None", "$v is not None and $v > $n", "$v == $n % 4", "$v", "not $v", "$v in (1, None)", "$v == $w"),
        *("$v != 0", "None is not $v", "$v == None", "$v is None or $v < 2", "$v and $n", "$w and $v", "$v or $n > 4"),
    ),
    makes=(
        *(
            "None",
            "$n % 4",
            "~$n % 4 if $t else None",
            "~None if $v is None else ($v + 1) % 4",
            "$v if $v else $w",
            "3",
        ),
        *("~$v or None", "$v if $t else $w"),
    ),
)
_SPOT = Field(
    "spot",
    "tuple[int, int] | None",
    "(3, 3)",
    ("None",),
    numbers=("sum($v) if $v else 5", "0 if $v is None else $v[0] * $v[1]", "int($v == (1, 2))", "~len($v or ())"),
    tests=(
        "$v is None",
        "$v == (1, 2)",
        "~$v and $v[0]",
        "not $v",
        "$v == $w",
        "~$v is not None and 2 in $v",
        "$n > 2 and $v",
    ),
    makes=(
        "($n % 4, $n % 4)",
        "None",
        "~$v and ($v[1], $v[0])",
        "~None if $v else (1, 2)",
        "~($n % 4, 1) if $t else $w",
    ),
)
_MARKS_ROW = Field(
    "marks",
    "tuple[Mark, ...]",
    "Mark",
    ("(Mark.EMPTY,) * 2", "(Mark.CROSS, Mark.NOUGHT)"),
    numbers=(
        *("$v.count(Mark.CROSS)", "sum(q is Mark.CROSS for q in $v)", "int($v[0] == $v[1])", "len($v[$n % 2].name)"),
        *("sum(p for p, q in enumerate($v) if q is Mark.EMPTY)", f"{_ALL}.index($v[$n % 2])", "len(set($v))"),
    ),
    tests=(
        *("next(q for q in $v) is Mark.CROSS", "next((q for q in $v if q is not Mark.EMPTY), None) is None"),
        *("Mark.CROSS in $v", "$v[$n % 2] is Mark.EMPTY", "all(q is not Mark.EMPTY for q in $v)", "$v == $w"),
        *("$v == (Mark.CROSS, Mark.CROSS)", "$v[0] is $w[1]", "1 in $v"),
    ),
    makes=(
        *("$v[:1] + (Mark.CROSS,)", "tuple(Mark.NOUGHT if q is Mark.CROSS else q for q in $v)", "$v[::-1]", "$w"),
        *(
            f"tuple({_ALL}[$n % 3] if p == $k % 2 else q for p, q in enumerate($v))",
            "(Mark.EMPTY,) * 2",
            "($v[0].other, $v[0])",
        ),
    ),
    edits=("held[$n % 2] = Mark.CROSS", "held[0] = held[1]", "~held.reverse()"),
    before=("Mark",),
)
_TRUTHS = Field(
    "truths",
    "tuple[bool, ...]",
    "True",
    ("(False, True, False)",),
    numbers=("sum($v)", "$v.count(True)", "$v[$n % 3] + 1", "sum(p for p, q in enumerate($v) if q)", "$v.index($v[2])"),
    tests=("any($v)", "$v[0]", "1 in $v", "not $v[$n % 3]", "$v == $w", "$v == (0, 1, 0)", "$v < $w", "all($v)"),
    looped=("$v",),
    makes=(
        *(
            "tuple(not q for q in $v)",
            "(bool($t), *$v[1:])",
            "tuple($n % 2 > q for q in $v)",
            "$v[::-1]",
            "(False,) * 3",
        ),
        *("tuple(p == $k % 3 for p in range(3))", "tuple(p and q for p, q in zip($v, $w))"),
    ),
    edits=("held[$n % 3] = True", "held[0] = not held[1]", "held[$k % 3] ^= True"),
)
_GAPS = Field(
    "gaps",
    "tuple[int | None, ...]",
    "2",
    ("(None, 1)", "(0, None)"),
    numbers=("sum(q is None for q in $v)", "~sum(q or 0 for q in $v)", "int($v[0] == $v[1])", "$v.count(None)"),
    tests=("None in $v", "$v[0] is None", "$v[$n % 2]", "$v == $w", "1 in $v", "~$v == (None, 1)"),
    makes=(
        "$v[::-1]",
        "~(None, $n % 3)",
        "~($n % 3 if $t else None, $v[0])",
        "~tuple(None if q else 1 for q in $v)",
        "$w",
    ),
)
_DUOS = Field(
    "duos",
    "tuple[Duo, ...]",
    "Duo(4, True)",
    ("(Duo(1, False), Duo(2))",),
    numbers=(
        *("sum(q.one for q in $v)", "$v[$n % 2].one", "sum(q.two for q in $v)", "max(q.one for q in $v)"),
        *("sum(p * q for p, q in $v)", "max($v, key=lambda q: q.one).one", "sorted($v)[0].one"),
    ),
    tests=(
        "any(q.two for q in $v)",
        "$v[0] == $v[1]",
        "$v[0] < $v[1]",
        "Duo(1, False) in $v",
        "(2, True) in $v",
        "$v == $w",
    ),
    makes=(
        *("($v[1], $v[0]._replace(one=$n % 5))", "tuple(q._replace(two=not q.two) for q in $v)", "$v[::-1]"),
        *("(Duo($n % 5, True), $v[0])", "tuple(Duo(q.one, $n > 3) for q in $v)", "tuple(sorted($v))"),
    ),
    before=(_DUO,),
)
_LEVELS_ROW = Field(
    "levels",
    "tuple[Level, ...]",
    "(Level.HIGH, Level.HIGH)",
    ("(Level.LOW, Level.MID)", "(Level.HIGH, 1)"),
    numbers=(
        *("sum($v)", "$v[$n % 2].value", "sum(q.after for q in $v)", "len([q for q in $v if q.above($n)])"),
        *("$v.count(Level.MID)", "max($v).after + 1", "sum(q * p for p, q in enumerate($v))", "len($v)"),
    ),
    tests=(
        "Level.LOW in $v",
        "$v[0].above($n)",
        "any(q.above() for q in $v)",
        "$v == $w",
        "$v[0] is $w[1]",
        "$v[1] == 5",
    ),
    looped=("$v",),
    makes=(
        *("tuple(q.after for q in $v)", "($v[1], $w[0].after)", "$v[::-1]", "tuple(sorted($v))", "(*$v[:1], Level(2))"),
        *("$v[:1] + (Level.LOW if $t else $v[0],)", "tuple(max(p, q) for p, q in zip($v, $w))", "($v[0], 2)"),
        "tuple(Level.LOW if p == $k % 2 else q for p, q in enumerate($v))",
    ),
    edits=("held[$n % 2] = Level.LOW", "held[0] = held[1].after", "held[1] = max(held)"),
    before=(_LEVEL,),
)
KINDS = (
    *(
        _CELLS,
        _CELLS,
        _HAND,
        _HAND,
        _GRID,
        _PAIR,
        _FLAG,
        _TEXT,
        _WORD,
        _MARK,
        _MARK,
        _LEVELS,
        _LEVELS_ROW,
        _PHASE,
        _CHOICE,
        _OWN,
        _OWN,
    ),
    *(_OPEN, _OPEN, _SPOT, _MARKS_ROW, _TRUTHS, _GAPS, _DUOS),
)


@dataclass(frozen=True)
class Moves:
    """How moves of one type are made of a number `$n`, in one way or several, and what numbers are read from a move."""

    tag: str
    made: str | tuple[str, ...]
    numbers: tuple[str, ...]
    before: tuple[str, ...] = ()


MOVES = (
    Moves("letters", "'abc'[($n) % 3]", ("'abc'.index(move)", "{'a': 3, 'b': 7, 'c': 1}[move]", "int(move == 'b')")),
    Moves(
        "words", "('go', 'stop', 'wait')[($n) % 3]", ("len(move)", "int(move == 'go')", "int(move in ('go', 'wait'))")
    ),
    Moves(
        "members", f"{_ALL}[($n) % 3]", ("int(move is Mark.CROSS)", "len(move.name)", f"{_ALL}.index(move)"), ("Mark",)
    ),
    Moves("pairs", "(($n) % 5, 1)", ("move[0]", "(move[0] * 2 + move[1])", "sum(move)", "int(move == (1, 1))")),
    Moves(
        "nested", "('put', (($n) % 4, -1))", ("move[1][0]", "sum(move[1])", "(move[1][0] - move[1][1])", "len(move[0])")
    ),
    Moves(
        "sets",
        ("frozenset({($n) % 5, 9})", "frozenset(range(($n) % 3))"),
        (
            *("len(move)", "sum(move)", "int(3 in move)", "int(move == frozenset({2, 9}))", "len(move | {1, 2})"),
            *("sum(each * 2 for each in sorted(move))", "len(move - {9})", "(max(move) if move else 5)"),
        ),
    ),
    Moves("flags", "(($n) % 2 == 1)", ("int(move)", "(2 if move else 5)", "(move + 3)", "int(not move)")),
    Moves(
        "named",
        "Duo(($n) % 5, ($n) % 2 == 1)",
        ("move.one", "(move.one * 2 + move.two)", "int(move == (1, True))", "move._replace(one=3).one", "move[0]"),
        (_DUO,),
    ),
    Moves("mixed", f"({_ALL}[($n) % 3], ($n) % 4)", ("move[1]", "int(move[0] is Mark.CROSS)", "len(move)"), ("Mark",)),
)


@dataclass(frozen=True)
class Several:
    """How moves of several types are made of a number `$n`, and what numbers are read from a move."""

    tag: str
    made: tuple[str, ...]
    numbers: tuple[str, ...]
    before: tuple[str, ...] = ()


SEVERAL = (
    Several(
        "numbers or words",
        ("$n", "('go', 'stop')[($n) % 2]"),
        (
            *("(move if isinstance(move, int) else len(move))", "int(move == 'go')", "int(move == 2)"),
            *("(7 if move in ('go', 'stop') else move)", "(3 if isinstance(move, str) else move * 2)"),
            "int(isinstance(move, (str, tuple)))",
        ),
    ),
    Several(
        "pairs or a word",
        ("(($n) % 5, 1)", "'pass'"),
        (
            *("int(move == 'pass')", "(0 if move == 'pass' else move[0])", "len(move)", "int(move != (1, 1))"),
            "(move[0] * 2 + move[1] if isinstance(move, tuple) else 9)",
        ),
    ),
    Several(
        "made texts or numbers",
        ("f'c{($n) % 4}'", "($n) % 5"),
        (
            *("(int(move[1]) if isinstance(move, str) else move)", "int(move == 'c2')", "int(move == 3)"),
            "(4 if isinstance(move, str) else move * 2)",
        ),
    ),
    Several(
        "sets or a word",
        ("frozenset({($n) % 5, 9})", "frozenset(range(($n) % 3))", "'pass'"),
        (
            *("len(move)", "(sum(move) if isinstance(move, frozenset) else 7)", "int(move == 'pass')"),
            *("int(move == frozenset({2, 9}))", "(len(move - {9}) if move != 'pass' else 3)"),
        ),
    ),
    Several(
        "named, pairs or flags",
        ("Duo(($n) % 5, ($n) % 2 == 1)", "(($n) % 3, 'x')", "(($n) % 2 == 1)"),
        (
            *("(move.one if isinstance(move, Duo) else 7)", "int(move == (1, 'x'))", "int(isinstance(move, tuple))"),
            *("(len(move) if isinstance(move, tuple) else move + 4)", "int(move == (2, False))"),
        ),
        (_DUO,),
    ),
    Several(
        "members, pairs or numbers",
        (f"{_ALL}[($n) % 3]", "(($n) % 3, 'x')", "($n) % 7"),
        (
            *("int(move is Mark.CROSS)", "int(move == (1, 'x'))", "int(move is not Mark.EMPTY)"),
            "(move if isinstance(move, int) else move[0] if isinstance(move, tuple) else 4)",
            "(len(move.name) if isinstance(move, Mark) else 8)",
        ),
        ("Mark",),
    ),
)


def fields_for(w: Writer) -> None:
    """Give some programs fields, and fewer of them moves, of natural types.

    They are drawn by themselves: the other programs are the same whatever there is of these.
    """
    own = random.Random(f"natural {w.seed}")
    if own.random() >= w.shape.natural or w.subject:
        return
    w.tags.add("natural")
    kinds = own.sample(KINDS, own.choice((1, 1, 2, 3)))
    for number, kind in enumerate(kinds):
        w.tags.add(f"field {kind.tag}")
        w.fields.append(replace(kind, own_name=f"{kind.tag}{number}", start=own.choice(kind.starts)))
    w.order = own.sample([*w.order, *(field.name for field in w.fields)], len(w.order) + len(w.fields))
    w.kinds["natural"] = True
    moves: Moves | Several | None = own.choice(MOVES) if own.random() < 0.35 else None
    if moves is None and own.random() < 0.3:
        moves = own.choice(SEVERAL)
    if moves is not None:
        w.tags.add(f"moves {moves.tag}")
        w.move_made = moves.made if isinstance(moves.made, tuple) else (moves.made,)
        w.move_numbers = list(moves.numbers)
    needed = [part for each in [*w.fields, *([moves] if moves else [])] for part in each.before]
    w.imports += ["import enum", "from typing import Literal"] if w.fields or needed else []
    for part in dict.fromkeys(needed):
        w.before.append(f"class Mark(enum.Enum):\n{own.choice(_MARKS)}\n{_OTHER}" if part == "Mark" else part)


def _field(w: Writer, s: Scope) -> Field | None:
    usable = [field for field in w.fields if s.rules or field.name in s.values.values()]
    return w.random.choice(usable) if usable else None


# -------------------------------------------------------------------- productions


@drawn(EXPRESSIONS, "number of a field", 6, "natural")
def _number(w: Writer, s: Scope, d: int) -> str:
    field = _field(w, s)
    return w.atom(s) if field is None else w.filled(s, w.template(*field.numbers), field, d)


@drawn(TESTS, "test of a field", 4, "natural")
def _test(w: Writer, s: Scope, d: int) -> str:
    field = _field(w, s)
    return f"{w.atom(s)} > 2" if field is None else w.filled(s, w.template(*field.tests), field, d)


@drawn(LOOPED, "loop over a field", 2, "natural")
def _looped(w: Writer, s: Scope, d: int) -> tuple[str, str]:
    field = _field(w, s)
    if field is None or not field.looped:
        return f"range({w.atom(s)} % 4)", w.name(s)
    return w.filled(s, w.template(*field.looped), field, d), w.name(s)


@drawn(STATEMENTS, "value of a field named", 4, "natural")
def _named(w: Writer, s: Scope) -> list[str]:
    field = _field(w, s)
    if field is None:
        return ["pass"]
    name = f"{w.one('own', 'new')}_{field.name}"
    one, other = w.value_of(s, field, 2), w.value_of(s, field, 2)
    lines = [f"{name} = {one}"]
    if w.chance(0.4):
        lines = [f"if {w.test(s)}:", f"    {name} = {one}", "else:", f"    {name} = {other}"]
    s.values[name] = field.name
    return lines


@drawn(STATEMENTS, "field opened", 1.5, "natural")
def _opened(w: Writer, s: Scope) -> list[str]:
    field = _field(w, s)
    if field is None or not field.opened or s.loops:
        return _named(w, s)
    lines = w.filled(s, w.template(*field.opened), field, 1).split("; ")
    n = w.name(s)
    bind(s, n)
    return [*lines, f"{n} = p + q * 2 + r * 4"]


@drawn(STATEMENTS, "field as a list", 2, "natural")
def _listed(w: Writer, s: Scope) -> list[str]:
    field = _field(w, s)
    if field is None or not field.edits or s.loops:
        return _named(w, s)
    lines = [f"held = list({w.value_of(s, field, 1)})"]
    lines += [w.filled(s, w.template(*field.edits), field, 1) for _ in range(w.random.randint(1, 2))]
    s.values[f"own_{field.name}"] = field.name
    return [*lines, f"own_{field.name} = tuple(held)"]


@drawn(MEMBERS, "helper of a field", 3, "natural")
def _helper(w: Writer) -> None:
    if not w.fields:
        return
    field, n = w.random.choice(w.fields), len(w.members)
    scope = Scope(["k"], rules=False, move=False, gives="number", values={"given": field.name})
    lines = [*w.block(scope, w.random.randint(0, 1)), f"return {w.filled(scope, w.template(*field.numbers), field, 1)}"]
    w.members.append(defined(f"read{n}", "self, given, k=2", lines))
    w.of_state.append(f"self.read{n}(state.{field.name}, {{}})")
    if w.chance(0.5):
        scope = Scope(["k"], rules=False, move=False, values={"given": field.name})
        made = w.filled(scope, w.template(*field.makes), field, 1)
        w.members.append(defined(f"made{n}", "self, given, k=1", [f"return {made}"]))
        more = f"self.made{n}($v, $n)"
        w.fields = [replace(each, makes=(*each.makes, more)) if each is field else each for each in w.fields]


@drawn(MEMBERS, "method of the state", 0.7, "natural")
def _of_state(w: Writer) -> None:
    n = len(w.in_state)
    if w.chance(0.5):
        w.in_state.append(f"def told{n}(self, k=3):\n    return self.a * k + self.b")
        w.of_state.append(f"state.told{n}({{}})")
    else:
        w.in_state.append(f"@property\ndef told{n}(self):\n    return self.a + 2 * self.b")
        w.of_state.append(f"state.told{n}")


@drawn(EXPRESSIONS, "call with a field", 2, "natural")
def _called(w: Writer, s: Scope, d: int) -> str:
    if not s.rules or not w.of_state or s.first != "self":
        return w.atom(s)
    return w.random.choice(w.of_state).format(w.number(s, 0))
