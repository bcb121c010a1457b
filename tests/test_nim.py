"""Nim: the rules, and the exclusive or against the rules played out."""

from itertools import product

import pytest

from endsight import Limits, Solution, solve
from endsight.errors import IllegalMoveError, ParameterError, PositionError, QuestionError
from endsight.games.nim import Nim
from naive import Recursion
from places import reachable

SMALL = [
    *[()],
    *product(range(4)),
    *product(range(4), repeat=2),
    *product(range(3), repeat=3),
    (3, 2, 1),
    (3, 3, 2),
    (1, 1, 1, 1),
    (2, 1, 1, 1),
    (5, 4),
]


def theorem(game: Nim, utility: str = "payoff") -> Solution:
    """The answer by the theorem alone: a single state is too few to search for distances, too."""
    return solve(game, utility=utility, method="theorem", limits=Limits(states=1))  # type: ignore[arg-type]


# ---------------------------------------------------------------- rules


def test_a_game_move_by_move() -> None:
    game = Nim()
    position = game.position("2:4 1:1")
    assert game.show(position.state) == "heaps=2-0-5"
    assert position.to_move == "first"
    moves = [game.show_move(position.state, move) for move in position.moves()]
    assert moves == ["1:1", "1:2", "3:1", "3:2", "3:3", "3:4", "3:5"]
    assert position.after("3:5").after("1:2").is_over


@pytest.mark.parametrize(("misere", "payoff"), [(False, -1), (True, 1)])
def test_who_takes_the_last_object(misere: bool, payoff: int) -> None:
    """The payoff at the end is that of the player who did not take it."""
    game = Nim((2,), misere)
    over = game.position("1:2")
    assert game.payoff(over.state) == payoff
    assert theorem(game).values(over) == (-payoff, payoff)


@pytest.mark.parametrize("text", ["0:1", "1:0", "1:4", "4:1", "1", "1:", ":1", "01:1", "1:1:1", "a:b", "-1:1", "1:²"])
def test_moves_that_are_not_legal(text: str) -> None:
    with pytest.raises(IllegalMoveError):
        Nim().position(text)


def test_every_move_reads_back() -> None:
    game = Nim((2, 7, 1))
    for position in reachable(game.position()):
        moves = list(position.moves())
        assert [game.parse_move(position.state, game.show_move(position.state, move)) for move in moves] == moves
        assert game.position_from(game.show(position.state)).state == position.state


def test_positions_as_text() -> None:
    game = Nim((3, 4, 5))
    assert game.heaps_of(game.position_from("heaps=0-4-1").state) == (0, 4, 1)
    assert game.position_from("second: heaps=1-1-1").to_move == "second"
    assert game.position_from("0-4-1") == game.position_from("heaps=0-4-1")
    for wrong in ("heaps=4-4-4", "heaps=1-1", "heaps=1-1-1-1", "heaps=", "heaps=1--1", "heaps=a-b-c", "1 2 3"):
        with pytest.raises(PositionError):
            game.position_from(wrong)
    empty = Nim(())
    assert empty.position_from("heaps=").is_over
    with pytest.raises(PositionError):
        empty.position_from("heaps=1")


@pytest.mark.parametrize("wrong", [(3, -1), (2, True), ("3",)])
def test_heaps_must_be_numbers_of_objects(wrong: tuple) -> None:
    with pytest.raises(ParameterError, match="is not a number of objects"):
        Nim(wrong)


def test_no_heap_is_a_float() -> None:
    with pytest.raises(ParameterError, match="heaps holds a number that is not exact"):
        Nim((2, 1.5))


def test_the_order_of_the_heaps_does_not_matter() -> None:
    game = Nim((2, 3, 1))
    known: dict[tuple[int, ...], object] = {}
    for position in reachable(game.position()):
        same = game.canonical(position.state)
        assert sorted(game.heaps_of(same)) == sorted(game.heaps_of(position.state))
        assert all(heap <= most for heap, most in zip(game.heaps_of(same), game.heaps, strict=True))
        assert known.setdefault(tuple(sorted(game.heaps_of(same))), same) == same
        assert game.canonical(same) == same


def test_states_stay_within_their_limits() -> None:
    for game in (Nim((3, 4, 5)), Nim((7,)), Nim((8, 1)), Nim((0, 0))):
        most = game.limits().packed
        for position in reachable(game.position()):
            assert 0 <= position.state.packed <= most
            assert 0 <= game.canonical(position.state).packed <= most


def test_drawings() -> None:
    game = Nim((3, 0, 12))
    assert game.draw(game.start()) == "1:  3  |||\n2:  0\n3: 12  ||||| ||||| ||"
    assert Nim(()).draw(Nim(()).start()) == "no heaps"
    many = Nim((10**30,) * 100)
    rows = many.draw(many.start()).split("\n")
    assert len(rows) == 21
    assert max(map(len, rows)) < 100


# ---------------------------------------------------------------- the theorem


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("heaps", SMALL, ids=str)
def test_every_position_agrees_with_the_rules_played_out(heaps: tuple[int, ...], misere: bool) -> None:
    game = Nim(heaps, misere)
    for utility in ("payoff", "win", "lead"):
        oracle = Recursion(game, "competitive", utility)
        found = theorem(game, utility)
        for position in reachable(game.position()):
            assert found.values(position) == oracle.value(position)
            if not position.is_over:
                assert found.chosen(position) == oracle.chosen(oracle.root(position))
            assert found.category(position) in ("win", "loss")


def test_values_in_each_utility() -> None:
    game = Nim((3, 4, 5))
    start = game.position()
    assert theorem(game).values(start) == (1, -1)
    assert theorem(game, "win").values(start) == (1, 0)
    assert theorem(game, "lead").values(start) == (2, -2)
    lost = start.after("1:2")
    assert theorem(game).values(lost) == (1, -1)
    assert theorem(game).facts(start) == {"nim_sum": 2}
    assert theorem(game).facts(lost) == {"nim_sum": 0}


@pytest.mark.parametrize("misere", [False, True])
def test_heaps_too_big_to_count_down(misere: bool) -> None:
    """Values of heaps whose moves nobody can list, and the move that is played where they can be listed."""
    huge = Nim((10**30, 2**90 + 17, 5), misere)
    found, position = theorem(huge), huge.position()
    then = position.after(f"1:{10**30 - (2**90 + 17 ^ 5)}")
    assert found.values(position) == found.values(then) == (1, -1)
    assert found.values(position.after("1:1")) == (-1, 1)
    assert found.facts(then) == {"nim_sum": 0}
    many = Nim((90_000, 2**16 + 17, 5), misere)
    found, position = theorem(many), many.position()
    then = position.play(found.chosen(position))
    assert found.facts(then) == {"nim_sum": 0}
    assert found.values(position) == found.values(then) == (1, -1)


def test_other_questions_are_left_to_the_engine() -> None:
    game = Nim()
    for question in ({"objective": "cooperative"}, {"fixed": {0: "random"}}):
        with pytest.raises(QuestionError, match="no theorem settles"):
            solve(game, method="theorem", **question)  # type: ignore[arg-type]
        assert solve(game, **question).theorem is None  # type: ignore[arg-type]


def test_ranks_number_sorted_heaps_without_gaps() -> None:
    game = Nim(heaps=(4, 4, 4))
    states = {game.canonical(game.State(game.pack((a, b, c)))) for a in range(5) for b in range(5) for c in range(5)}
    assert sorted(map(game.rank, states)) == list(range(len(states)))
    assert all(game.unrank(game.rank(state)) == state for state in states)
