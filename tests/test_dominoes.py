"""Dominoes: rules, puzzle files, relabelling, openings and even kernels, each against plain search."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest

import endsight as es
import naive
import thresholds
from amounts import every
from endsight import Position
from endsight.errors import FileError, IllegalMoveError, LimitReached, ParameterError, PositionError
from endsight.games.dominoes import Dominoes
from places import reachable


def theorem(place: Position) -> es.Solution:
    return es.solve(place.game, place, method="theorem")


def witness(solution: es.Solution) -> dict[str, Any]:
    """What the certificate of a line shows: kernels, and answers to the loser's moves."""
    return es.prove(solution).evidence.witness  # type: ignore[union-attr]


def rows_of(place: Position) -> list[int]:
    """For each value, the values that an unused tile leads to, as bits."""
    game, used = place.game, place.state.used
    return [sum(1 << move % game.n for move in game.moves(game.State(used, value))) for value in range(game.n)]


def positions(n: int) -> list[Position]:
    return list(reachable(Dominoes(n=n).position()))


@pytest.mark.parametrize(("n", "states"), [(1, 1), (2, 10), (3, 99), (4, 1492), (5, 40_805)])
def test_reachable_lines_as_published(n: int, states: int) -> None:
    """Lines of at least one tile, told apart by the set of used tiles and the tail."""
    solution = es.solve(Dominoes(n=n), method="graph", symmetry=False)
    assert solution.states == states + 1
    assert solution.values() == (1, -1)
    assert solution.distance() == 2 * n - 1


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_theorems_and_relabelling_against_plain_search_everywhere(n: int) -> None:
    game = Dominoes(n=n)
    plain = es.solve(game, method="graph", symmetry=False)
    merged = es.solve(game, method="graph")
    proven = es.solve(game, method="theorem")
    oracle = naive.Recursion(game)
    for position in positions(n):
        truth = oracle.value(position)
        assert plain.values(position) == truth
        assert merged.values(position) == truth
        assert merged.distance(position) == plain.distance(position)
        assert proven.values(position) == truth


@pytest.mark.parametrize("n", [5, 6])
def test_openings_against_search_up_to_relabelling(n: int) -> None:
    game = Dominoes(n=n)
    searched = es.solve(game, method="graph")
    proven = es.solve(game, method="theorem")
    assert proven.method == "openings by doubles"
    doubles = {f"{a}-{a}" for a in range(n)}
    for option in searched.options():
        assert (option.category == "win") == (option.text in doubles)
    assert set(searched.best_moves()) == set(proven.best_moves()) == doubles


def test_relabelling_gives_one_state_for_all_orders_of_values() -> None:
    """Positions that differ by a permutation of the values never come apart in value or distance."""
    draw = random.Random(4)
    game = Dominoes(n=5)
    solution = es.solve(game, method="graph")
    for _ in range(200):
        line = random_line(draw, game, draw.randint(1, 9))
        names = list(range(5))
        draw.shuffle(names)
        renamed = [f"{names[int(move[0])]}-{names[int(move[2])]}" for move in line.history]
        other = game.position(renamed)
        assert solution.values(line) == solution.values(other)
        assert solution.distance(line) == solution.distance(other)
        once = game.canonical(line.state)
        assert solution.values(line) == solution.values(Position(game, once, line.mover, (0, 0), ()))


def random_line(draw: random.Random, game: Dominoes, length: int) -> Position:
    position = game.position()
    while len(position.history) < length and not position.is_over:
        position = position.play(draw.choice(list(position.moves())))
    return position


def kernels_by_definition(rows: list[int], tail: int) -> bool:
    """Whether any set of values that holds the tail is an even kernel."""
    values = range(len(rows))
    for size in range(1, len(rows) + 1):
        for members in combinations(values, size):
            inside = sum(1 << value for value in members)
            closed = all(not rows[value] & inside for value in members)
            even = all((rows[value] & inside).bit_count() % 2 == 0 for value in values if not inside >> value & 1)
            if tail in members and closed and even:
                return True
    return False


def test_kernels_are_found_exactly_where_there_are_any() -> None:
    """Even kernels, and growing ones where there is no even one; answers to every move play these out."""
    draw = random.Random(1)
    found, grown = 0, 0
    for _ in range(400):
        game = Dominoes(n=draw.randint(2, 7))
        position = random_line(draw, game, draw.randint(1, game.tiles))
        solution, rows, tail = theorem(position), rows_of(position), position.state.tail
        shown = witness(solution) if "kernel" in solution.method and "search" not in solution.method else {"move": ""}
        own = {} if "move" in shown else shown["lost"][0]
        assert ("kernel" in own) == kernels_by_definition(rows, tail)
        found += "kernel" in own
        for values in own.values():
            assert tail in values
            assert solution.values()[position.mover] == -1
        if "growing kernel" in own:
            grown += 1
            if game.tiles - len(position.history) <= 12:
                assert grows_by_definition(rows, sum(1 << value for value in own["growing kernel"]), tail)
    assert (found > 20, grown > 5) == (True, True)


@pytest.mark.parametrize("n", [7, 8])
def test_verdicts_in_the_middle_of_long_lines(n: int) -> None:
    """The search with kernels against retrograde search of the last dozens of tiles."""
    draw = random.Random(n)
    game = Dominoes(n=n)
    for _ in range(12):
        position = random_line(draw, game, game.tiles - 13)
        verdict = theorem(position).values()
        assert verdict == es.solve(game, position, method="graph").values()


def test_a_double_is_not_always_right() -> None:
    assert es.solve(Dominoes(n=5), Dominoes(n=5).position("2-2 2-1 1-1 1-0 0-0 0-3")).category() == "loss"
    game = Dominoes(n=3)
    assert es.solve(game, game.position("1-1 1-0 0-2")).best_moves() == ["2-1"]


def test_witness_is_a_kernel_or_a_move_to_one() -> None:
    game = Dominoes(n=7)
    solution = es.solve(game, game.position("0-0 0-1 1-1"))
    assert witness(solution) == {"lost": [{"kernel": [0, 1]}]}
    assert solution.method == "even kernel"
    assert solution.category() == "loss"


def test_the_empty_line_for_any_number_of_values() -> None:
    solution = es.solve(Dominoes(n=100_000))
    assert solution.value() == {"first": 1, "second": -1}
    assert solution.policy(solution.position) == "0-0"


def test_many_values_are_decided_by_kernels() -> None:
    game = Dominoes(n=1000)
    for line, category, method in (
        ("0-0 0-1", "win", "even kernel"),
        ("0-0 0-1 1-1", "loss", "even kernel"),
        ("0-1 1-2 2-3", "win", "growing even kernel"),
        ("3-17 17-17 17-250 250-9", "win", "growing even kernel"),
    ):
        solution = es.solve(game, game.position(line))
        assert (solution.category(), solution.method) == (category, method)
        assert solution.distance() is None


def test_what_no_kernel_decides_stops_at_a_limit() -> None:
    game = Dominoes(n=1000)
    line = game.position("17-17 17-250 250-30 30-30 30-9")
    with pytest.raises(LimitReached, match="states"):
        es.solve(game, line, limits=es.Limits(states=200)).value()


_OPEN = "10-8 8-8 8-1 1-4 4-6 6-5 5-2 2-1 1-3 3-5 5-10 10-2 2-0 0-1 1-9 9-9 9-7 7-0 0-5"
"""A line whose winner nobody knows."""


def test_a_line_that_kernels_give_up_on_is_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Dominoes(n=6)
    line = game.position("0-1 1-2 2-2 2-3 3-3 3-4")
    proven = es.solve(game, line)
    assert proven.theorem is not None
    thresholds.dominoes_give_up(monkeypatch, 0)
    searched = es.solve(game, line)
    assert (searched.method, searched.theorem) == ("search", None)
    assert searched.values() == proven.values() == es.solve(game, line, method="graph").values()
    for asked in ({"method": "theorem"}, {"engine": "plain"}):
        alone = es.solve(game, line, **asked)
        assert (alone.values(), alone.theorem) == (proven.values(), proven.theorem)
        assert "even kernel" in alone.method
        with pytest.raises(LimitReached, match="300 states"):
            es.solve(Dominoes(n=11), _OPEN, limits=es.Limits(states=300), **asked).value()


def test_machine_code_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random lines, some of which leave values without a tile; the memory of machine code has to grow."""
    draw = random.Random(12)
    for _ in range(60):
        game = Dominoes(n=draw.randint(4, 9))
        place = random_line(
            draw, game, draw.randint(3, game.tiles - 1) if game.n < 8 else draw.randint(20, game.tiles - 1)
        )
        python = theorem(place)
        worth = python.values()
        with monkeypatch.context() as patch:
            thresholds.dominoes_in_machine_code(patch)
            compiled = theorem(place)
            assert (compiled.values(), compiled.states) == (worth, python.states)
        if game.n < 6:
            assert worth == es.solve(game, place, method="graph").values()


def test_proof_numbers_find_who_wins_without_any_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """All lines of three values, and random ones of four and five, against the definition of the value."""
    thresholds.dominoes_without_kernels(monkeypatch)
    draw = random.Random(8)
    places = [each for each in positions(3) if each.state.used]
    for n, tiles in ((4, 1), (5, 5)):
        game = Dominoes(n=n)
        places += [random_line(draw, game, draw.randint(tiles, game.tiles - 1)) for _ in range(40)]
    for place in places:
        assert theorem(place).values() == naive.Recursion(place.game).value(place)


def test_equal_lines_have_equal_names() -> None:
    """The unused tiles of random lines, and the same with their values in another order, are searched once."""
    draw = random.Random(9)
    searched = 0
    for _ in range(100):
        game = Dominoes(n=draw.randint(3, 9))
        place = random_line(draw, game, max(1, game.tiles - draw.randint(2, 14)))
        order = draw.sample(range(game.n), game.n)
        tiles = (move.split("-") for move in place.history)
        turned = game.position([f"{order[int(a)]}-{order[int(b)]}" for a, b in tiles])
        proof = theorem(place)
        told, states = (proof.values(), proof.distance()), proof.states
        assert (proof.values(turned), proof.distance(turned)) == told
        assert proof.states == states
        searched += states > 3
    assert searched > 50


def test_a_searched_line_has_a_certificate() -> None:
    """The search shows the answers that it has found, and finds hardly anything more for that."""
    game = Dominoes(n=9)
    line = game.position("4-4 4-7 7-3 3-4 4-2 2-7 7-6 6-1 1-4 4-5 5-0 0-7 7-5 5-3 3-8 8-0 0-1 1-8 8-8 8-6")
    proof = theorem(line)
    proof.values()
    before = proof.states
    assert len(witness(proof)["lost"]) > 100
    assert proof.states < 1.2 * before


def grows_by_definition(rows: list[int], kernel: int, tail: int) -> bool:
    """Whether P, to move from the tail, loses to the answers of a growing kernel: played out, every reply tried."""
    for to in (value for value in range(len(rows)) if rows[tail] >> value & 1):
        if kernel >> to & 1:
            return False
        after = without(rows, tail, to)
        back = [value for value in range(len(rows)) if (after[to] & kernel) >> value & 1]
        if back:
            if not all(grows_by_definition(without(after, to, value), kernel, value) for value in back):
                return False
        elif not after[to] >> to & 1 or not grows_by_definition(without(after, to, to), kernel | 1 << to, to):
            return False
    return True


def without(rows: list[int], a: int, b: int) -> list[int]:
    rows = list(rows)
    rows[a] &= ~(1 << b)
    rows[b] &= ~(1 << a)
    return rows


@pytest.mark.parametrize("step", every(120, 40))
def test_verdicts_and_distances_of_lines_of_five_values(step: int) -> None:
    """A fortieth of all lines, or a third of them; some of them by a fresh search, so that no table helps."""
    game = Dominoes(n=5)
    plain = es.solve(game, method="graph")
    shared = theorem(game.position("0-0"))
    for number, position in enumerate(positions(5)[::step]):
        if not position.state.used:
            continue
        for proof in (shared, theorem(position)) if number % 5 == 0 else (shared,):
            assert proof.values(position) == plain.values(position)
            assert proof.distance(position) == plain.distance(position)


def test_distances_of_openings() -> None:
    """Plies of the whole game after a double and after another tile, as published for n up to 7."""
    for n, others in ((2, 2), (3, 6), (4, 8), (5, 14), (6, 16), (7, 22)):
        game = Dominoes(n=n)
        openings = es.solve(game, method="theorem")
        assert openings.distance() == 2 * n - 1
        assert openings.distance("1-1") == 2 * n - 2
        assert openings.distance("1-0") == others - 1


def test_positions_after_the_opening_share_one_search() -> None:
    """Where each starts its own, `analyze dominoes` visits 681,870 positions in place of 3,029, and takes 50 s."""
    solution = es.solve(es.games.Dominoes())
    moves: list[str] = []
    for plies in range(13, -1, -1):
        line = solution.game.position(" ".join(moves))
        assert solution.distance(line) == plies
        moves += [option.text for option in solution.options(line)[:1]]
    assert len(moves) == 13
    assert solution.states < 10_000


def test_utilities() -> None:
    game = Dominoes(n=3)
    for utility, worth in (("payoff", (1, -1)), ("win", (1, 0)), ("lead", (2, -2))):
        for method in ("auto", "graph"):
            assert es.solve(game, utility=utility, method=method).values() == worth  # type: ignore[arg-type]
    assert es.solve(game, objective="cooperative").theorem is None


def test_table_of_openings() -> None:
    rows = es.table(Dominoes(n=3)).to_dicts()
    assert len(rows) == 9
    assert [row for row in rows if row["category"] == "win"] == [
        {"opening": f"{a}-{a}", "category": "win", "distance": 5} for a in range(3)
    ]
    assert {row["distance"] for row in rows if row["category"] == "loss"} == {6}


def test_puzzle_file() -> None:
    game, moves = Dominoes.from_file("3\r\n2\r\n\r\n0 0 \r\n0 1\r\n")
    assert game == Dominoes(n=3)
    assert moves == ("0-0", "0-1")
    assert Dominoes.from_file("4\n0\n") == (Dominoes(n=4), ())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "cut short"),
        ("3\n", "cut short"),
        ("3\n2\n0 0\n", "promises 2 tiles"),
        ("3\n1\n0 0\n0 1\n", "promises 1 tiles"),
        ("x\n0\n", "line 1 of the puzzle file should be the number of values"),
        ("3\n-1\n", "line 2 of the puzzle file should be the number of tiles laid"),
        ("0\n0\n", "first line is the number of values"),
        ("3\n1\n0\n", "line 3 of the puzzle file should be a tile"),
        ("3\n1\n0 3\n", "line 3 of the puzzle file names a value that is not there"),
    ],
)
def test_broken_puzzle_files(text: str, message: str) -> None:
    with pytest.raises(FileError, match=message):
        Dominoes.from_file(text)


def test_text_forms() -> None:
    game = Dominoes(n=5)
    for line in ("", "0-0", "0-1 1-3 3-3"):
        state = game.position(line).state
        assert game.parse(game.show(state)) == state
    assert game.position_from("used=1-0,3-1 tail=3").state == game.position("0-1 1-3").state
    assert game.position_from("used=1-0,3-1 tail=3").to_move == "first"
    assert "tail 3, 13 of 15 tiles free" in game.draw(game.position("0-1 1-3").state)
    assert len(Dominoes(n=1000).draw(Dominoes(n=1000).position("0-1").state).splitlines()) < 5
    for text in ("used=0-0", "used=0-9 tail=0", "used=0-1 tail=7", "used= tail=0", "nonsense"):
        with pytest.raises(PositionError):
            game.parse(text)
    for move in ("1-9", "0-1", "2-3", "x", "1-", "-1-3"):
        with pytest.raises(IllegalMoveError):
            game.position("0-1").after(move)
    with pytest.raises(ParameterError):
        Dominoes(n=0)


def test_moves_whose_distance_was_not_found_share_their_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.a_distance_stays_open(monkeypatch, "2-2")
    solution = es.solve(Dominoes(n=4))
    wins = [option for option in solution.options() if option.category == "win"]
    assert [(option.text, option.rank) for option in wins] == [(f"{a}-{a}", 1) for a in range(4)]
    assert [option.distance for option in wins] == [7, 7, None, 7]
