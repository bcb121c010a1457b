"""Texts of fields and moves of natural types: no two values have the same one, and each is read back."""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from itertools import product
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

import endsight as es
from endsight import load
from endsight.errors import PositionError


class Plain(Enum):
    a = "1"
    b = "2"
    x = "3"


class Texts(str, Enum):  # noqa: UP042
    p = "1 2"
    q = "x"


class Pair(NamedTuple):
    number: int
    is_open: bool


class Nested(NamedTuple):
    pair: Pair
    words: tuple[str, ...] | None


Close = Literal["a b", "a_b", 1, True, "1", "x", "-"]
SIGNS = (
    "",
    " ",
    "_",
    "\\",
    "-",
    "/",
    "[",
    "]",
    "x",
    "e",
    "=",
    "\u3000",
    "\n",
    "\U000e0100",
    "\udc80",
    "é",
    "\U0001f600",
)
TEXTS = (
    *SIGNS,
    "\\x",
    "\\e",
    "\\u3000",
    "x x",
    *map("".join, product(["x", "-", "/", "[", "]", "\\", " ", "_"], repeat=2)),
)


def lists(items: Iterable[Any], most: int) -> list[tuple[Any, ...]]:
    """All lists of up to so many of the items."""
    items = list(items)
    return [each for count in range(most + 1) for each in product(items, repeat=count)]


ROWS = lists(["", "-", "/", "x", "[", "]", "\\"], 3)
CHOICES: tuple[Any, ...] = Close.__args__  # type: ignore[attr-defined]
CASES: list[tuple[Any, list[Any]]] = [
    (str, list(TEXTS)),
    (str | None, [*TEXTS, None]),
    (tuple[str, ...], ROWS),
    (tuple[str, ...] | None, [*ROWS, None]),
    (tuple[tuple[str, ...], ...], lists(ROWS[:40], 2)),
    (tuple[tuple[tuple[str, ...], ...], ...], lists(lists(ROWS[:8], 2), 2)),
    (tuple[tuple[int, ...] | None, ...], lists([None, (), (1,), (1, 2)], 3)),
    (tuple[()], [()]),
    (tuple[tuple[tuple[()], ...], ...], lists(lists([()], 3), 3)),
    (tuple[int | None, ...], lists([0, 11, None], 3)),
    (tuple[str | None, ...], lists(["x", "", "\\", None], 3)),
    (Close, list(CHOICES)),
    (Close | None, [*CHOICES, None]),
    (tuple[Close, ...], lists(CHOICES, 3)),
    (Plain | None, [*Plain, None]),
    (tuple[Texts, ...], lists(Texts, 3)),
    (bool | None, [True, False, None]),
    (frozenset[int] | None, [None, frozenset(), frozenset({0}), frozenset({10, 2})]),
    (Nested, [Nested(Pair(1, True), words) for words in [*ROWS, None]]),
    (tuple[Nested, ...], lists([Nested(Pair(1, False), words) for words in [*ROWS[:20], None]], 2)),
]


class Holding(es.Game):
    """A state has one field, of any type; moves are anything."""

    def start(self) -> Any:
        return self.State(None)  # type: ignore[attr-defined]

    def moves(self, state: Any) -> list[Any]:
        return []


def holding(kind: Any) -> Any:
    """Rules whose state has a field of that type."""
    state = NamedTuple("State", [("field", kind)])  # type: ignore[misc]  # noqa: UP014
    return type("Holding", (Holding,), {"State": state})()


def exactly(value: Any) -> Any:
    """A value with the types of all that is in it."""
    items = sorted(value) if isinstance(value, frozenset) else value
    return type(value), list(map(exactly, items)) if isinstance(items, tuple | list) else value


@pytest.mark.parametrize("number", range(len(CASES)), ids=[str(kind) for kind, _ in CASES])
def test_no_two_values_have_the_same_text(number: int) -> None:
    """`" "` and `"_"`, `()` and `("",)`, None and `"x"` and rows of rows once read as each other."""
    kind, values = CASES[number]
    game, met = holding(kind), dict[str, Any]()
    for value in values:
        text = game.show(game.State(value)).removeprefix("field=")
        assert text.split() == [text] * bool(text)
        assert text.isprintable()
        assert exactly(met.setdefault(text, value)) == exactly(value), text
        assert exactly(game.parse(f"field={text}").field) == exactly(value)


def shown(move: Any) -> str:
    game = holding(int)
    return str(game.show_move(game.State(0), move))


def test_moves_that_are_tuples_of_texts_differ_in_their_texts() -> None:
    moves = [
        None,
        "x",
        (None, 1),
        ("x", 1),
        ("a-b", "c"),
        ("a", "b-c"),
        ("a", ("b", "c")),
        (("a", "b"), "c"),
        ("",),
        (),
        (("a",), (("b",),)),
    ]
    texts = list(map(shown, moves))
    assert len(set(texts)) == len(moves)
    assert "" not in texts


def test_moves_that_are_texts_differ_in_their_texts_and_have_no_blanks() -> None:
    texts = list(map(shown, TEXTS))
    assert len(set(texts)) == len(set(TEXTS))
    assert all(text.split() == [text] and text.isprintable() for text in texts)
    assert [shown(move) for move in ("e2_e4", "a-b", "x/y", "é")] == ["e2_e4", "a-b", "x/y", "é"]


class Sheet(es.Game):
    """A letter, or none, and rows of letters."""

    class State(NamedTuple):
        sign: str | None
        rows: tuple[tuple[str, ...], ...]

    def limits(self) -> State:
        return self.State(("x_ ",), (("x_ ",) * 2,) * 2)  # type: ignore[arg-type]

    def start(self) -> State:
        return self.State(None, ())

    def moves(self, state: State) -> Iterable[int]:
        return [0, 1, 2] if state.sign is None else []

    def play(self, state: State, move: int) -> State:
        return self.State("x_ "[move], (("x_ "[move],),))

    def payoff(self, state: State) -> int:
        return {"x": 3, "_": 5, " ": 7}[state.sign or " "]


@pytest.mark.parametrize(("move", "value"), [("0", 3), ("1", 5), ("2", 7)])
def test_a_position_that_is_shown_is_the_position_that_is_set_up(move: str, value: int) -> None:
    game = Sheet()
    after = game.position(move)
    again = game.position_from(f"second: {game.show(after.state)}")
    assert again.state == after.state
    assert es.solve(game, again).value() == es.solve(game, after).value() == {"first": -value, "second": value}


@pytest.mark.parametrize("text", [r"sign=\q rows=", r"sign=\ rows=", r"sign=x rows=\e\e\e", "sign=x rows=] rows=x"])
def test_a_text_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(PositionError):
        Sheet().position_from(text)


NESTED = """
from __future__ import annotations
from enum import Enum
from typing import NamedTuple
from endsight import Game
class Rules(Game):
    class Colour(Enum):
        A = 1
        B = 2
    class Pair(NamedTuple):
        colour: Colour
        number: int
    class State(NamedTuple):
        pair: Pair
        turns: int
    def limits(self): return self.State(self.Pair(self.Colour, 2), 2)
    def start(self): return self.State(self.Pair(self.Colour.A, 0), 0)
    def moves(self, state): return [0, 1] if state.turns < 2 else []
    def play(self, state, move): return self.State(self.Pair(self.Colour.B, move), state.turns + 1)
    def payoff(self, state): return state.pair.number
"""


def test_types_inside_of_the_rules_see_each_other(tmp_path: Path) -> None:
    """A NamedTuple whose field is a class beside it ended in a NameError, called a bug."""
    (tmp_path / "nested.py").write_text(NESTED)
    game = load(f"{tmp_path / 'nested.py'}:Rules")
    assert es.check_rules(game).is_sound
    after = game.position("1")
    assert game.show(after.state) == "pair=B-1 turns=1"
    assert game.parse("pair=B-1 turns=1") == after.state
    assert es.solve(game).value() == {"first": 0, "second": 0}
