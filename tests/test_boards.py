"""Boards of the built-in games along random lines of play: well-formed, complete, titled, and of the kit alone."""

from __future__ import annotations

import ast
import pathlib
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from enum import Enum
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

import endsight as es
import endsight.board as kit
from amounts import times
from board_pictures import DOCS, FOLDER, PICTURES, picture
from endsight import Game, Position
from endsight.board import (
    Board,
    Mark,
    Panel,
    Path,
    Rect,
    Row,
    Slot,
    Use,
    board_at,
    card,
    cell,
    grid,
    stylesheet,
    symbols,
    tile,
)
from endsight.board.parts import drawings, palette
from endsight.games import BUILT_IN
from endsight.games.pictures.bag import still_inside

SPECS = {
    "hiddenpots": ["hiddenpots:count=4,max=3"],
    "highcard": ["highcard:hand=1-3-5-7,rival=8-x-4-x"],
    "highcardduel": ["highcardduel:hand=1-3-5-7,rival=8-x-4-x"],
    "pots": ["pots:4-9-2-7-5", "pots:-3", "pots:" + "-".join(["7"] * 40)],
    "rpsbag": ["rpsbag:100-0-200/0-300-0/1-1-1"],
    "connectfour": ["connectfour", "connectfour:width=4,height=5,line=3"],
    "dominoes": ["dominoes:n=4", "dominoes", "dominoes:n=20"],
    "nim": ["nim", "nim:heaps=100-3", "nim:heaps=0-0"],
    "tictactoe": ["tictactoe", "tictactoe:width=7,height=4,line=4"],
    "ur": ["ur", "ur:pieces=2"],
}
DRAWN = sorted(BUILT_IN)
ALL = [spec for name in DRAWN for spec in SPECS.get(name, [name])]
ELEMENTS = frozenset(
    "svg g path rect circle polygon text title use a div ul li p span b small pre style defs symbol ellipse".split()  # noqa: SIM905
)


def positions(game: Game, seed: str, games: int = 3, longest: int = 25) -> Iterator[Position]:
    """Positions along random lines of play."""
    dice = random.Random(seed)
    for _ in range(games):
        here = game.position()
        for _ in range(longest):
            yield here
            moves = list(islice(here.moves(), 200))
            if not moves:
                break
            here = here.play(dice.choice(moves))


def names_of(text: str) -> set[str]:
    """Names of all elements."""
    return {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(text).iter()}


def clickable(board: str) -> list[str]:
    return re.findall(r'<a class="es-place[^"]*" data-move="([^"]*)"', board)


@pytest.mark.parametrize("spec", ALL)
@pytest.mark.parametrize("games", times(3, 1))
def test_boards_are_whole_along_random_games(spec: str, games: int) -> None:
    game = es.load(spec)
    for position in positions(game, spec, games):
        board = board_at(position)
        texts = [str(game.show_move(position.state, move)) for move in islice(position.moves(), 400)]
        marks = {text: Mark(f"/play/{text}", f"play {text}", "best", ("win", "in 3")) for text in texts}
        html = board.html(marks, position.history[-1] if position.history else None)
        shown = clickable(html)
        assert len(shown) == len(set(shown)), "one link for a move"
        assert set(shown) <= set(texts)
        assert names_of(html) <= ELEMENTS
        check_titles(html)
        assert "<script" not in html
        assert "style=" not in html
        assert "http" not in html.replace("http://www.w3.org", "")
        ElementTree.fromstring(board.svg(marks))
        assert not clickable(board.html()), "a board without marks has no links"


def check_titles(html: str) -> None:
    """Every piece has a title, and points to drawings and colours of the kit alone."""
    for element in ElementTree.fromstring(html).iter():
        if element.get("role") == "img":
            # A slot that is faded has its title in the group inside.
            assert element.get("aria-label") or any(
                child.text for child in element.iter() if child.tag.endswith("title")
            )
    assert set(re.findall(r'href="#es-([a-z0-9-]+)"', html)) <= set(drawings())
    assert set(re.findall(r"var\(--([a-z0-9-]+)\)", html)) <= palette()


def test_every_piece_stands_where_its_move_is() -> None:
    position = es.load("tictactoe").position("a1 b2 c3")
    board = board_at(position)
    assert clickable(board.html({"b1": Mark("/b1"), "a1": Mark("/a1")})) == ["b1"], "a1 is taken"
    assert 'class="es-last"' in board.html(last="c3")
    assert 'class="es-last"' not in board.html(last="b1")


@pytest.mark.parametrize(
    ("spec", "moves", "lines"),
    [("tictactoe", "a1 b1 a2 b2 a3", 1), ("tictactoe", "a1 b1 a2", 0), ("connectfour", "1 2 1 2 1 2 1", 1)],
)
def test_winning_lines_are_drawn(spec: str, moves: str, lines: int) -> None:
    assert board_at(es.load(spec).position(moves)).html().count('class="es-line"') == lines


def test_the_line_of_dominoes_has_the_order_of_the_moves() -> None:
    html = board_at(es.load("dominoes:n=4").position("0-1 1-3 3-3")).html()
    assert re.findall(r"<title>Domino (\d-\d)</title>", html)[:3] == ["0-1", "1-3", "3-3"]
    assert "The next tile must have a 3." in html


def test_players_differ_by_shape() -> None:
    html = board_at(es.load("tictactoe").position("a1 b2")).html()
    assert html.count("#es-cross") == html.count("#es-ring") == 1


def test_pictures_hold_all_that_they_use() -> None:
    picture = board_at(es.load("connectfour").position("4 4")).svg()
    used, held = set(re.findall(r'href="#(es-[a-z0-9-]+)"', picture)), set(re.findall(r'<symbol id="([^"]+)"', picture))
    assert used == held
    assert "prefers-color-scheme:dark" in picture


def test_stylesheet_and_symbols_are_of_the_kit() -> None:
    assert "url(" not in stylesheet()
    assert "@import" not in stylesheet()
    assert names_of(symbols()) <= ELEMENTS


def test_a_board_that_is_none_is_told() -> None:
    class Odd(es.games.TicTacToe):
        def draw_board(self, state: object) -> Board:
            return "nothing"  # type: ignore[return-value]

    with pytest.raises(es.errors.RulesError, match="draw_board does not return a board"):
        board_at(Odd().position())
    with pytest.raises(es.errors.UsageError, match="no such sign"):
        Mark(sign="splendid")  # type: ignore[arg-type]


@pytest.mark.parametrize("spec", [spec for spec in ALL if spec.split(":")[0] not in ("dominoes", "nim", "pots")])
def test_every_legal_move_is_on_the_board(spec: str) -> None:
    game = es.load(spec)
    for position in positions(game, spec):
        texts = [str(game.show_move(position.state, move)) for move in position.moves()]
        assert sorted(clickable(board_at(position).html({text: Mark("/") for text in texts}))) == sorted(texts)


def test_every_built_in_game_is_tested_here() -> None:
    assert set(DRAWN) <= set(BUILT_IN)


# ---------------------------------------------------------------------- pictures of the docs


@pytest.mark.parametrize("name", PICTURES)
def test_pictures_of_the_docs_are_those_of_the_code(name: str) -> None:
    text = picture(name)
    assert (FOLDER / f"{name}.svg").read_text(encoding="utf-8") == text
    assert len(text) < 12_000
    ElementTree.fromstring(text)


def test_every_piece_is_pictured_and_shown() -> None:
    pages = "".join(page.read_text(encoding="utf-8") for page in DOCS.rglob("*.md"))
    assert (
        set(re.findall(r"pieces/([\w-]+)\.svg", pages)) == set(PICTURES) == {path.stem for path in FOLDER.glob("*.svg")}
    )
    shared = {"SEATS", "card_back", "pips"}
    named = {name for name, module in homes_in_stub().items() if module == "endsight.board.pieces"}
    assert named - shared <= set(PICTURES)


# ---------------------------------------------------------------------- games that draw nothing


class Turn(Enum):
    CROSS = "X"
    CIRCLE = "O"


class Paper(Game):
    """Tic-tac-toe on a tuple of cells, without a word about drawing."""

    by_pair: bool = False

    class State(NamedTuple):
        cells: tuple[tuple[str, ...], ...]
        turn: Turn
        count: int
        hand: tuple[int, ...] = (4, 7)
        is_open: bool = False

    def limits(self) -> Any:
        return self.State((("XO.",) * 3,) * 3, Turn.CIRCLE, 9, (9, 9), True)  # type: ignore[arg-type]

    def start(self) -> Any:
        return self.State((("",) * 3,) * 3, Turn.CROSS, 0)

    def moves(self, state: Any) -> Iterator[Any]:
        for row in range(3):
            for column in range(3):
                if not state.cells[row][column]:
                    yield (row, column) if self.by_pair else row * 3 + column

    def play(self, state: Any, move: Any) -> Any:
        row, column = move if self.by_pair else divmod(move, 3)
        rows = [list(line) for line in state.cells]
        rows[row][column] = state.turn.value
        after = Turn.CIRCLE if state.turn is Turn.CROSS else Turn.CROSS
        return self.State(tuple(map(tuple, rows)), after, state.count + 1)

    def payoff(self, state: Any) -> int:
        return 0


@pytest.mark.parametrize("by_pair", [False, True])
def test_cells_of_a_tuple_can_be_clicked(by_pair: bool) -> None:
    game = Paper(by_pair=by_pair)
    for position in positions(game, "paper"):
        texts = [str(game.show_move(position.state, move)) for move in position.moves()]
        html = board_at(position).html({text: Mark(f"/{text}") for text in texts})
        assert sorted(clickable(html)) == sorted(texts)
        assert names_of(html) <= ELEMENTS
        check_titles(html)
    board = board_at(game.position().play((1, 2) if by_pair else 5)).html()
    assert "#es-cross" in board
    for told in ("turn: CIRCLE", "count: 1", "is_open: no", "hand", ">7<"):
        assert told in board, told


def test_places_are_those_of_the_cells() -> None:
    board = board_at(Paper().position()).html({"5": Mark("/5")})
    # Row 1 and column 2 from the top left, from 0.
    x, y, *_ = cell(1, 2).inside(3)
    assert f'x="{x:g}" y="{y:g}"' in board.partition('data-move="5"')[2][:200]


class Heap(Game):
    """Numbers that name no item: what is taken from a heap beside a row of weights."""

    class State(NamedTuple):
        weights: tuple[int, ...]
        left: int

    def limits(self) -> Any:
        return self.State((9, 9, 9), 5)

    def start(self) -> Any:
        return self.State((2, 0, 1), 5)

    def moves(self, state: Any) -> Iterator[int]:
        yield from range(min(state.left, 3))

    def play(self, state: Any, move: int) -> Any:
        return state._replace(left=state.left - move - 1)

    def payoff(self, state: Any) -> int:
        return -1


def test_items_that_a_move_does_not_change_stand_for_nothing() -> None:
    html = board_at(Heap().position()).html({text: Mark("/") for text in "012"})
    assert not clickable(html)
    assert "left: 5" in html


class Told(Heap):
    class State(NamedTuple):  # type: ignore[assignment]
        left: int

    def limits(self) -> Any:
        return self.State(5)

    def start(self) -> Any:
        return self.State(5)

    def draw(self, state: Any) -> str:
        return "<b>" + "|" * state.left


def test_a_text_drawing_stands_in_a_panel() -> None:
    board = board_at(Told().position())
    assert "&lt;b&gt;|||||" in board.html()
    assert "&lt;b&gt;|||||" in board.svg()


@pytest.mark.parametrize(
    "text", ["<script>alert(1)</script>", '"><a href="//x">', "\x00\x1b", "a" * 5000, "]]>", "\ud800"]
)
def test_hostile_texts_stay_texts(text: str) -> None:
    class Hostile(Heap):
        def draw_board(self, state: Any) -> Board:
            slot = Slot(tile(text, text), 40, "0")
            return Board(text, (Row((slot,), text), grid(text, [[card(text)]], across=[text]), Panel(text)))

    board = board_at(Hostile().position())
    for drawn in (board.html({"0": Mark(text, text, "best", (text, text))}), board.svg({"0": Mark(None, text)}, text)):
        assert names_of(drawn) <= ELEMENTS
        assert len(drawn) < 30_000


def test_what_is_not_of_the_kit_is_refused() -> None:
    for shape in (Use("nothing"), Rect(0, 0, 1, 1, "red"), Path("url(x)"), Rect(float("nan"), 0, 1, 1)):
        with pytest.raises(es.errors.UsageError):
            shape.svg()


def test_what_is_still_in_the_bag_adds_up() -> None:
    dice = ((100, 0, 200), (0, 300, 0), (1, 1, 1))
    assert still_inside(dice, (0, 0, 0)) == [1, 1, 1]
    assert still_inside(dice, (0, 1, 0)) == [1, Fraction(1, 4), Fraction(3, 4)]
    assert sum(still_inside(dice, (1, 0, 1))) == 1


def homes_in_stub() -> dict[str, str]:
    stub = ast.parse(pathlib.Path(kit.__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
    imports = (node for node in stub.body if isinstance(node, ast.ImportFrom))
    return {alias.name: node.module or "" for node in imports for alias in node.names}


def test_type_checkers_know_the_same_names() -> None:
    assert set(homes_in_stub()) == set(kit.__all__)
    assert all(getattr(kit, name) is not None for name in kit.__all__)
    with pytest.raises(AttributeError):
        kit.nothing_of_that_name  # type: ignore[attr-defined] # noqa: B018


def test_rules_load_nothing_to_draw_with() -> None:
    code = "import sys, endsight.games.pig, endsight.games.tictactoe; print([m for m in sys.modules if 'board.' in m])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_positions_show_themselves_as_boards() -> None:
    picture_of = es.load("tictactoe").position("a1 b2")._repr_svg_()
    ElementTree.fromstring(picture_of)
    assert "#es-cross" in picture_of
    assert 'class="es-last"' in picture_of
    assert es.board.board_at is board_at


def test_games_without_states_of_fields_are_text(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "game.nfg"
    file.write_text('NFG 1 R "Matching" { "a" "b" } { 2 2 }\n1 -1 -1 1 -1 1 1 -1\n', encoding="utf-8")
    html = board_at(es.load(str(file)).position()).html()
    assert names_of(html) <= ELEMENTS


class Robot(NamedTuple):
    """Where one stands."""

    x: int
    y: int


class Robots(Game):
    """Two robots stand somewhere."""

    class State(NamedTuple):
        """The robots."""

        robots: tuple[Robot, Robot]

    def start(self) -> Any:
        return self.State((Robot(0, 2), Robot(1, 0)))


def test_records_are_no_rows_of_a_board() -> None:
    """They were drawn as a board, with points in place of noughts."""
    assert Robots().draw(Robots().start()) == "robots=0-2/1-0"
