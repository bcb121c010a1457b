"""The board games: every position against rules written a second time, on text, and published facts."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from amounts import every
from endsight import Game, solve
from endsight.errors import ParameterError, PositionError
from endsight.games import Chomp, ConnectFour, Dodgem, Hexapawn, TicTacToe
from naive import Recursion, Sweeps

NAMES = {1: "win", 0: "draw", -1: "loss"}


def known(game: str, fact: str, sides: int) -> list[tuple[tuple[int, ...], list[str]]]:
    """The lines of known/`game`.txt about `fact`: the parameters, and the words after them."""
    lines = (Path(__file__).parent / "known" / f"{game}.txt").read_text().splitlines()
    words = [line.split() for line in lines if line and not line.startswith("#")]
    return [(tuple(map(int, row[1 : 1 + sides])), row[1 + sides :]) for row in words if row[0] == fact]


def states_of(game: Game, canonical: Callable[[Any], Any] = lambda state: state) -> list:
    """All reachable states, breadth first."""
    states = [canonical(game.start())]
    seen = set(states)
    for state in states:
        for move in game.moves(state):
            child = canonical(game.play(state, move))
            if child not in seen:
                seen.add(child)
                states.append(child)
    return states


# ---- the rules once more, on text: position -> what the would-be mover gets if it is over, and the moves

Board = dict[tuple[int, int], str]  # (column, row from the bottom, both from 0) -> x, o or .


def board_of(text: str) -> Board:
    rows = text.split(": ")[-1].split("/")[::-1]
    return {(column, row): sign for row, signs in enumerate(rows) for column, sign in enumerate(signs)}


def text_of(board: Board) -> str:
    width, height = max(board)[0] + 1, max(row for _, row in board) + 1
    return "/".join("".join(board[column, row] for column in range(width)) for row in reversed(range(height)))


def name(place: tuple[int, int]) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[place[0]] + str(place[1] + 1)


def lined_up(board: Board, sign: str, line: int) -> bool:
    """Whether `line` such signs follow each other from any square in any of the eight directions."""
    steps = [step for step in itertools.product((-1, 0, 1), repeat=2) if step != (0, 0)]
    return any(
        all(board.get((column + i * right, row + i * up)) == sign for i in range(line))
        for column, row in board
        for right, up in steps
    )


def stones_again(text: str, line: int, squares: Callable[[Board], dict[str, tuple[int, int]]]) -> tuple[int, dict]:
    board = board_of(text)
    own, other = "xo" if text.count("x") == text.count("o") else "ox"
    if lined_up(board, other, line):
        return -1, {}
    return 0, {move: text_of(board | {place: own}) for move, place in squares(board).items()}


def tictactoe_again(game: Any, text: str) -> tuple[int, dict[str, str]]:
    return stones_again(text, game.line, lambda board: {name(place): place for place in board if board[place] == "."})


def connectfour_again(game: Any, text: str) -> tuple[int, dict[str, str]]:
    def drops(board: Board) -> dict[str, tuple[int, int]]:
        empty = sorted((place for place in board if board[place] == "."), reverse=True)
        return {str(column + 1): (column, row) for column, row in empty}  # the lowest comes last

    return stones_again(text, game.line, drops)


def chomp_again(game: Any, text: str) -> tuple[int, dict[str, str]]:
    columns = [int(word) for word in text.split("-")]
    squares = {(column, row) for column, left in enumerate(columns) for row in range(left)}
    moves = {}
    for bite in squares:
        rest = {place for place in squares if place[0] < bite[0] or place[1] < bite[1]}
        moves[name(bite)] = "-".join(str(sum(place[0] == c for place in rest)) for c in range(len(columns)))
    return 1, moves


def hexapawn_again(game: Any, text: str) -> tuple[int, dict[str, str]]:
    board, second = board_of(text), text.startswith("second: ")
    own, other, up, far = ("o", "x", -1, 0) if second else ("x", "o", 1, game.height - 1)
    moves = {}
    if not any(board[place] == other and place[1] == game.height - 1 - far for place in board):
        for column, row in [place for place in board if board[place] == own]:
            wanted = {(column, row + up): ".", (column - 1, row + up): other, (column + 1, row + up): other}
            for target, sign in wanted.items():
                if board.get(target) == sign:
                    after = text_of(board | {(column, row): ".", target: own})
                    moves[f"{name((column, row))}-{name(target)}"] = after if second else f"second: {after}"
    return -1, moves


def dodgem_again(game: Any, text: str) -> tuple[int, dict[str, str]]:
    board, second = board_of(text), text.startswith("second: ")
    own, other = "ox" if second else "xo"
    if other not in board.values():
        return -1, {}
    moves = {}
    for column, row in [place for place in board if board[place] == own]:
        ahead = (column, row + 1) if second else (column + 1, row)
        sides = [(column - 1, row), (column + 1, row)] if second else [(column, row - 1), (column, row + 1)]
        for target in [ahead, *sides]:
            gone = board | {(column, row): "."}
            if board.get(target) == ".":
                after, where = text_of(gone | {target: own}), name(target)
            elif target not in board and target == ahead:
                after, where = text_of(gone), "off"
            else:
                continue
            moves[f"{name((column, row))}-{where}"] = after if second else f"second: {after}"
    return 1, moves


SMALL: list[tuple[Game, Callable[[Any, str], tuple[int, dict[str, str]]]]] = [
    (TicTacToe(), tictactoe_again),
    (TicTacToe(width=4, height=2, line=3), tictactoe_again),
    (TicTacToe(width=2, height=4, line=2), tictactoe_again),
    (TicTacToe(width=3, height=2, line=1), tictactoe_again),
    (TicTacToe(width=2, height=3, line=4), tictactoe_again),
    (ConnectFour(width=3, height=4, line=3), connectfour_again),
    (ConnectFour(width=4, height=3, line=3), connectfour_again),
    (ConnectFour(width=5, height=2, line=4), connectfour_again),
    (ConnectFour(width=4, height=1, line=2), connectfour_again),
    (ConnectFour(width=2, height=5, line=5), connectfour_again),
    (ConnectFour(width=2, height=3, line=1), connectfour_again),
    (Chomp(), chomp_again),
    (Chomp(width=4, height=4), chomp_again),
    (Chomp(width=1, height=5), chomp_again),
    (Chomp(width=5, height=4), chomp_again),
    (Hexapawn(), hexapawn_again),
    (Hexapawn(width=4, height=3), hexapawn_again),
    (Hexapawn(width=3, height=5), hexapawn_again),
    (Hexapawn(width=5, height=2), hexapawn_again),
    (Hexapawn(width=1, height=4), hexapawn_again),
    (Dodgem(size=2), dodgem_again),
    (Dodgem(size=3), dodgem_again),
]
GAMES = pytest.mark.parametrize("game", [game for game, _ in SMALL], ids=repr)


@pytest.mark.parametrize(("game", "again"), SMALL, ids=lambda value: repr(value) if isinstance(value, Game) else "")
@pytest.mark.parametrize("step", every(8))
def test_every_position_has_the_same_moves_and_end_as_the_rules_on_text(game: Game, again: Callable, step: int) -> None:
    for state in states_of(game)[::step]:
        moves = list(game.moves(state))
        children = {game.show_move(state, move): game.show(game.play(state, move)) for move in moves}
        ended, expected = again(game, game.show(state))
        assert children == expected
        assert len(moves) == len(children)
        if not moves:
            assert game.payoff(state) == ended


@GAMES
@pytest.mark.parametrize("step", every(8))
def test_every_position_can_be_written_and_read(game: Game, step: int) -> None:
    limits = game.limits()
    for state in states_of(game)[::step]:
        assert game.parse(game.show(state)) == state
        assert all(0 <= value <= most < 2**63 for value, most in zip(state, limits, strict=True))
        for move in game.moves(state):
            assert game.parse_move(state, game.show_move(state, move)) == move


@GAMES
def test_a_position_from_text_knows_whose_turn_it_is(game: Game) -> None:
    position = game.position()
    while not position.is_over:
        position = position.play(next(position.moves()))
        again = game.position_from(game.show(position.state))
        assert again.state == position.state
        if game.gives("seat"):
            assert again.mover == position.mover == game.seat(position.state)


# ---- symmetry


def reflections(game: Game, text: str) -> list[str]:
    """The text of equivalent positions, by turning and reflecting the text."""
    if isinstance(game, Chomp):
        columns = [int(word) for word in text.split("-")]
        turned = "-".join(str(sum(left > row for left in columns)) for row in range(game.height))
        return [turned] if game.width == game.height else []
    board = board_of(text)
    width, height = max(board)[0], max(row for _, row in board)
    mirrored = {(width - column, row): sign for (column, row), sign in board.items()}
    if isinstance(game, ConnectFour):
        return [text_of(mirrored)]
    if isinstance(game, TicTacToe):
        upside_down = {(column, height - row): sign for (column, row), sign in board.items()}
        transposed = {(row, column): sign for (column, row), sign in board.items()}
        return [text_of(b) for b in (mirrored, upside_down, *([transposed] if width == height else []))]
    second = text.startswith("second: ")
    swap = {"x": "o", "o": "x", ".": "."}
    prefix, other = ("second: ", "") if second else ("", "second: ")
    if isinstance(game, Dodgem):
        transposed = {(row, column): swap[sign] for (column, row), sign in board.items()}
        return [other + text_of(transposed)]
    flipped = {(column, height - row): swap[sign] for (column, row), sign in board.items()}
    return [prefix + text_of(mirrored), other + text_of(flipped)]


@GAMES
@pytest.mark.parametrize("step", every(8))
def test_equivalent_positions_share_one_canonical_state(game: Game, step: int) -> None:
    for state in states_of(game)[::step]:
        canonical = game.canonical(state)
        assert game.canonical(canonical) == canonical
        for text in reflections(game, game.show(state)):
            assert game.canonical(game.parse(text)) == canonical


@GAMES
def test_a_canonical_state_is_one_of_the_equivalent_ones(game: Game) -> None:
    for state in states_of(game)[::7]:
        texts = {game.show(state)}
        while more := {text for known in texts for text in reflections(game, known)} - texts:
            texts |= more
        assert game.show(game.canonical(state)) in texts


# ---- published facts


@pytest.mark.parametrize(
    ("kind", "sides"), [(TicTacToe, 3), (ConnectFour, 3), (Chomp, 2)], ids=["tictactoe", "connectfour", "chomp"]
)
def test_published_numbers_of_positions(kind: type[Game], sides: int) -> None:
    facts = known(kind.name, "positions", sides)
    assert facts
    for size, (count,) in facts:
        assert len(states_of(kind(*size))) == int(count)


def test_tictactoe_has_765_positions_up_to_symmetry() -> None:
    ((size, (count,)),) = known("tictactoe", "classes", 3)
    game = TicTacToe(*size)
    assert len(states_of(game, game.canonical)) == int(count) == len({game.canonical(s) for s in states_of(game)})


@pytest.mark.parametrize("kind", [TicTacToe, ConnectFour], ids=["tictactoe", "connectfour"])
def test_published_numbers_of_positions_by_ply(kind: type[Game]) -> None:
    ((size, counts),) = known(kind.name, "per-ply", 3)
    game = kind(*size)
    layer = {game.start()}
    for count in counts:
        assert len(layer) == int(count)
        layer = {game.play(state, move) for state in layer for move in game.moves(state)}


def test_published_numbers_of_finished_games_of_tictactoe() -> None:
    game = TicTacToe()
    paths = {game.start(): 1}
    lengths: Counter[int] = Counter()
    outcomes: Counter[int] = Counter()
    for ply in range(10):
        after: Counter[Any] = Counter()
        for state, count in paths.items():
            moves = list(game.moves(state))
            if not moves:
                lengths[ply] += count
                outcomes[game.payoff(state) * (-1) ** ply] += count
            for move in moves:
                after[game.play(state, move)] += count
        paths = after
    assert [lengths[ply] for ply in range(5, 10)] == [int(n) for n in known("tictactoe", "lengths", 3)[0][1]]
    assert [outcomes[value] for value in (1, -1, 0)] == [int(n) for n in known("tictactoe", "outcomes", 3)[0][1]]


VALUES = [
    (kind(*size), words)
    for kind, sides in ((TicTacToe, 3), (ConnectFour, 3), (Chomp, 2), (Hexapawn, 2), (Dodgem, 1))
    for size, words in known(kind.name, "value", sides)
]


@pytest.mark.parametrize(("game", "words"), [v for v in VALUES if v[0] != Dodgem(4)], ids=repr)
def test_published_values(game: Game, words: list[str]) -> None:
    solution = solve(game)
    assert NAMES[solution.values()[0]] == words[0]
    if len(words) > 1:
        assert solution.distance() == int(words[1])


@pytest.mark.slow
def test_dodgem_on_four_by_four_is_endless() -> None:
    assert ["draw"] in [words for game, words in VALUES if game == Dodgem(4)]
    assert solve(Dodgem(4)).values() == (0, 0)


@pytest.mark.parametrize(
    "game", [TicTacToe(), ConnectFour(4, 3, 3), Chomp(5, 4), Hexapawn(3, 3), Hexapawn(4, 3)], ids=repr
)
def test_solved_values_are_those_of_the_oracle(game: Game) -> None:
    assert solve(game).values() == Recursion(game).value()


def test_dodgem_on_three_by_three_is_won_in_every_position() -> None:
    game = Dodgem()
    oracle = Sweeps(game)
    assert oracle.value() == (1, -1)
    # Found by the oracle, not published: the winner needs 19 plies.
    assert oracle.distance() == 19 == solve(game).distance()
    ((_, (draws,)),) = known("dodgem", "draws", 1)
    assert sum(value == (0, 0) for value in oracle.values.values()) == int(draws)
    assert len(oracle.values) == len(states_of(game))


def test_published_winning_moves_of_chomp() -> None:
    for size, words in known("chomp", "winning", 2):
        game = Chomp(*size)
        best = Recursion(game).best_moves()
        assert [game.show_move(game.start(), move) for move in best] == words


# ---- rules in words: the corners that symmetric counting would not show


def test_who_blocks_the_other_in_dodgem_loses() -> None:
    game = Dodgem()
    assert not game.position_from("second: .x./.ox/...").is_over  # the left side is free
    position = game.position_from("second: x../ox./...")
    assert position.is_over
    assert game.payoff(position.state) == 1
    assert Sweeps(game).value(position) == (-1, 1)


def test_the_last_car_off_wins_at_once_in_dodgem() -> None:
    game = Dodgem()
    position = game.position_from("..x/.../.o.").after("c3-off")
    assert position.is_over
    assert Sweeps(game).value(position) == (1, -1)


def test_hexapawn_ends() -> None:
    game = Hexapawn()
    across = game.position_from("second: xo./.../...")
    assert across.is_over
    taken = game.position_from("second: .../.x./x..")
    assert taken.is_over
    stuck = game.position_from("second: .o./.x./...")
    assert stuck.is_over
    assert [game.payoff(position.state) for position in (across, taken, stuck)] == [-1, -1, -1]
    line = game.position("b1-b2 a3-b2 c1-b2 c3-c2 a1-a2 c2-c1")  # the line usually given for 3x3
    assert line.is_over
    assert Recursion(game).value(line) == (-1, 1)


def test_moves_come_in_the_promised_order() -> None:
    def moves(game: Game, text: str = "") -> str:
        position = game.position(text)
        return " ".join(game.show_move(position.state, move) for move in position.moves())

    assert moves(TicTacToe(3, 2, 3), "b1") == "a1 c1 a2 b2 c2"
    assert moves(ConnectFour(3, 1, 3), "2") == "1 3"
    assert moves(Chomp(2, 3)) == "a1 a2 a3 b1 b2 b3"
    assert moves(Hexapawn(), "a1-a2") == "b3-a2 b3-b2 c3-c2"
    assert moves(Dodgem()) == "a2-b2 a2-a1 a3-b3"


# ---- parameters and text


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: TicTacToe(width=0), "width"),
        (lambda: TicTacToe(width=27, height=1), "width"),
        (lambda: TicTacToe(line=0), "line"),
        (lambda: TicTacToe(width=8, height=8), "too large"),
        (lambda: ConnectFour(height=0), "height"),
        (lambda: ConnectFour(width=8, height=7), "too large"),
        (lambda: Chomp(width=0), "width"),
        (lambda: Chomp(width=16, height=15), "too large"),
        (lambda: Hexapawn(height=1), "height"),
        (lambda: Hexapawn(width=9, height=8), "too large"),
        (lambda: Dodgem(size=1), "size"),
        (lambda: Dodgem(size=8), "size"),
    ],
)
def test_impossible_boards_are_refused(make: Callable[[], Game], key: str) -> None:
    with pytest.raises(ParameterError, match=key) as error:
        make()
    assert error.value.allowed


def test_the_largest_boards_fit_into_a_machine_word() -> None:
    for game in (TicTacToe(9, 7, 5), ConnectFour(7, 8), Chomp(15, 15), Hexapawn(7, 9), Dodgem(7)):
        assert all(most < 2**63 for most in game.limits())
        state = game.start()
        for _ in range(40):
            moves = list(game.moves(state))
            if not moves:
                break
            state = game.play(state, moves[-1])
            assert game.parse(game.show(state)) == state
            assert all(0 <= value <= most for value, most in zip(state, game.limits(), strict=True))
            assert game.canonical(game.canonical(state)) == game.canonical(state)


@pytest.mark.parametrize(
    ("game", "text", "says"),
    [
        (TicTacToe(), "x../...", "2 rows"),
        (TicTacToe(), "x../..z/...", "row 2"),
        (TicTacToe(), "xx./.../...", "2 x and 0 o"),
        (TicTacToe(), "xxx/oo./..o", "then another stone"),
        (TicTacToe(), "second: x../.../...", "row 1"),
        (ConnectFour(3, 3, 3), "x../.../...", "column 1"),
        (ConnectFour(3, 3, 3), ".../.../oo.", "0 x and 2 o"),
        (ConnectFour(3, 3, 3), "x../x../xo.", "3 x and 1 o"),
        (ConnectFour(3, 3, 2), ".../o../xxo", "then a stone"),
        (Chomp(), "3-3-1", "each from 0 to 3"),
        (Chomp(), "1-2-0-0", "each from 0 to 3"),
        (Chomp(), "4-0-0-0", "each from 0 to 3"),
        (Chomp(), "", "each from 0 to 3"),
        (Hexapawn(), "third: ooo/.../xxx", "third"),
        (Hexapawn(), ": ooo/.../xxx", "whose turn"),
        (Hexapawn(), "x../.../...", "over before"),
        (Dodgem(), "xxx/.../.oo", "3 x"),
        (Dodgem(), ".../.../...", "0 x and 0 o"),
    ],
)
def test_impossible_positions_are_refused(game: Game, text: str, says: str) -> None:
    with pytest.raises(PositionError) as error:
        game.position_from(text)
    assert says in str(error.value)
    assert error.value.allowed


def test_positions_are_read_generously() -> None:
    game = TicTacToe()
    assert game.parse(" X.o / .x. / o.. ") == game.parse("x.o/.x./o..")
    assert Hexapawn().parse("first: ooo/.../xxx") == Hexapawn().start()
    assert game.position_from("x.o/.../...").to_move == "first"
    assert game.position_from("x../.../...").to_move == "second"


def test_drawings() -> None:
    assert str(TicTacToe().position("a1 c3")) == "3  . . O\n2  . . .\n1  X . .\n   a b c"
    assert str(ConnectFour(4, 3).position("2 2 1")) == "3  . . . .\n2  . O . .\n1  X X . .\n   1 2 3 4"
    assert str(Chomp(3, 2).position("c1")) == "2  # # .\n1  P # .\n   a b c"
    assert str(Chomp(1, 1).position("a1")) == "1  .\n   a"
    assert str(Hexapawn().position("b1-b2")) == "3  O O O\n2  . X .\n1  X . X\n   a b c"
    assert str(Dodgem().position()) == "3  X . .\n2  X . .\n1  . O O\n   a b c"
    wide = str(ConnectFour(10, 1, 4).position("10")).splitlines()
    assert wide == ["1   .  .  .  .  .  .  .  .  .  X", "    1  2  3  4  5  6  7  8  9 10"]
