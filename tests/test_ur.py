"""`ur` beside a second writing of its rules: every position, every move, and the value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb
from typing import Any

import pytest

import endsight as es
from amounts import every, times

# A player's pieces as a sorted tuple: 0 waits, 1 to 14 is a square, 15 is home.
Side = tuple[int, ...]
# Pieces of the player on turn, of the other, and whether the first player is on turn.
Place = tuple[Side, Side, bool]
THROWS = {throw: sum(1 for dice in product((0, 1), repeat=4) if sum(dice) == throw) for throw in range(5)}


def steps(own: Side, other: Side, throw: int) -> dict[int, tuple[Side, Side, bool]]:
    """By the square a piece leaves: own pieces, the other's, and whether the same player throws again."""
    found = {}
    for start in set(own) - {15} if throw else ():
        end = start + throw
        if end > 15 or (end < 15 and end in own) or (end == 8 and 8 in other):
            continue
        mine = list(own)
        mine.remove(start)
        theirs = [0 if piece == end and 5 <= piece <= 12 else piece for piece in other]
        found[start] = (tuple(sorted([*mine, end])), tuple(sorted(theirs)), end in (4, 8, 14))
    return found


def after(place: Place, throw: int) -> list[Place]:
    """Positions before the next throw that the player on turn can choose from."""
    own, other, is_first = place
    found = steps(own, other, throw).values()
    if not found:
        return [(other, own, not is_first)]
    return [(mine, theirs, is_first) if again else (theirs, mine, not is_first) for mine, theirs, again in found]


def is_over(place: Place) -> bool:
    return set(place[0]) == {15} or set(place[1]) == {15}


@cache
def places(pieces: int) -> dict[Place, dict[int, list[Place]]]:
    """Every position before a throw, with what every throw offers."""
    first = ((0,) * pieces, (0,) * pieces, True)
    found: dict[Place, dict[int, list[Place]]] = {}
    waiting = [first]
    while waiting:
        place = waiting.pop()
        if place not in found:
            found[place] = {} if is_over(place) else {throw: after(place, throw) for throw in THROWS}
            waiting += [child for children in found[place].values() for child in children]
    return found


def ends(pieces: int, sweeps: int, bits: int = 50) -> tuple[Fraction, Fraction]:
    """Ends of the first player's value by sweeps from below and from above, in whole numbers; late positions first.

    A position with the second on turn is worth what its mirror image is worth to the first, with the other sign.
    """
    unit = 1 << bits
    number = {place[:2]: each for each, place in enumerate(place for place in places(pieces) if place[2])}
    # Lower ends of every place with the first on turn, then its upper ends with the other sign.
    ends = [-unit] * (2 * len(number))
    late_first: list[tuple[int, list[tuple[int, list[int], list[int]]]]] = []
    for place, each in sorted(number.items(), key=lambda item: -sum(item[0][0]) - sum(item[0][1])):
        if is_over((*place, True)):
            won = unit if set(place[0]) == {15} else -unit
            ends[each], ends[each + len(number)] = won, -won
            continue
        offered = []
        for throw, children in places(pieces)[*place, True].items():
            lower = [number[child[:2]] + (0 if child[2] else len(number)) for child in children]
            offered.append((THROWS[throw], lower, [(each + len(number)) % len(ends) for each in lower]))
        late_first.append((each, offered))
    for _ in range(sweeps):
        for each, offered in late_first:
            ends[each] = sum(weight * max([ends[child] for child in lower]) for weight, lower, _ in offered) // 16
            high = sum(weight * min([ends[child] for child in upper]) for weight, _, upper in offered)
            ends[each + len(number)] = high // 16
    return Fraction(ends[0], unit), Fraction(-ends[len(number)], unit)


def side(game: es.games.Ur, squares: int, home: int) -> Side:
    on_board = [square for square in range(1, 15) if squares >> (square - 1) & 1]
    return (*[0] * (game.pieces - home - len(on_board)), *on_board, *[15] * home)


def place_of(game: es.games.Ur, state: Any) -> Place:
    first, second = side(game, state.first, state.first_home), side(game, state.second, state.second_home)
    return (second, first, False) if state.turn else (first, second, True)


@cache
def states(game: es.games.Ur) -> list[Any]:
    """Every state that play can reach."""
    found = {game.start(): None}
    waiting = list(found)
    while waiting:
        state = waiting.pop()
        for move in game.moves(state):
            child = game.play(state, move)
            if child not in found:
                found[child] = None
                waiting.append(child)
    return list(found)


@pytest.mark.parametrize("pieces", times(2, 1))
def test_every_position_and_every_move(pieces: int) -> None:
    game = es.games.Ur(pieces=pieces)
    before_throws = [state for state in states(game) if state.throw == 0]
    assert {place_of(game, state) for state in before_throws} == set(places(pieces))
    assert len(before_throws) == len(places(pieces))
    for state in before_throws:
        offered = places(pieces)[place_of(game, state)]
        assert {throw: game.weight(state, throw) for throw in game.moves(state)} == (THROWS if offered else {})
        for throw, children in offered.items():
            then = game.play(state, throw)
            reached = [game.play(then, move) for move in game.moves(then)] if then.throw else [then]
            assert sorted(place_of(game, child) for child in reached) == sorted(children)


def test_one_piece_exactly() -> None:
    game = es.games.Ur(pieces=1)
    value = es.solve(game, exact=True).values()[0]
    low, high = ends(1, 150)
    assert low <= value <= high
    assert high - low < Fraction(1, 10**9)
    assert es.solve(game, engine="compiled", exact=True).values()[0] == value


@pytest.mark.slow
def test_two_pieces_between_ends() -> None:
    found = es.solve(es.games.Ur(pieces=2), interval=True).values()[0]
    assert isinstance(found, es.Interval)
    low, high = ends(2, 30)
    assert low <= found.upper
    assert found.lower <= high
    assert high - low < Fraction(1, 10**5)
    assert found.upper - found.lower < Fraction(1, 10**12)


def positions_before_throws(pieces: int) -> int:
    """How many there are up to exchanging the players, by counting boards instead of walking."""
    boards: Counter[tuple[int, int]] = Counter()
    for one, two, first, second in product(range(9), range(9), range(7), range(7)):
        ways = comb(8, one) * comb(max(0, 8 - one), two) * comb(6, first) * comb(6, second)
        boards[one + first, two + second] += ways
    homes = [(mine, theirs) for mine, theirs in product(range(pieces), range(pieces + 1)) if mine < pieces]
    return sum(
        ways
        for mine, theirs in homes
        for (own, other), ways in boards.items()
        if own + mine <= pieces and other + theirs <= pieces
    )


def test_there_are_about_137_million_positions() -> None:
    """The count that solvers of the game publish, and the ones that the rules themselves reach."""
    assert [2 * positions_before_throws(pieces) for pieces in (1, 2)] == [len(places(1)), len(places(2))]
    assert 137 * 10**6 < positions_before_throws(7) < 138 * 10**6


@pytest.mark.parametrize("step", every(5))
def test_layers_never_fall_and_the_contract_is_kept(step: int) -> None:
    report = es.check_rules(es.games.Ur(pieces=1))
    assert report.is_sound
    assert not report.warnings
    game = es.games.Ur(pieces=2)
    for state in states(game)[::step]:
        assert all(game.layer(game.play(state, move)) >= game.layer(state) for move in game.moves(state))


def test_notation_and_drawing() -> None:
    game = es.games.Ur()
    place = game.position("4 enter-4 1 enter-1")
    assert place.to_move == "chance"
    assert game.show(place.state) == "first=1-4 second=none home=0-0 turn=second"
    assert str(place).splitlines()[0] == "o . . o     * .   o first  5 to enter, 0 home"
    place = game.position_from("first=1-7-14 second=8 home=2-0 turn=first throw=1")
    assert [game.show_move(place.state, move) for move in place.moves()] == ["1-2", "14-home"]
    assert game.parse(game.show(place.state)) == place.state


@pytest.mark.parametrize("pieces", [0, 8])
def test_parameters_that_make_no_sense(pieces: int) -> None:
    with pytest.raises(es.ParameterError):
        es.games.Ur(pieces=pieces)


@pytest.mark.parametrize(
    "text",
    [
        "first=1",
        "first=15 second=none home=0-0 turn=first",
        "first=1-1 second=none home=0-0 turn=first",
        "first=1-2-3-4-13-14 second=none home=2-0 turn=first",
        "first=5 second=5 home=0-0 turn=first",
        "first=none second=none home=7-0 turn=first",
        "first=none second=none home=0 turn=first",
        "first=none second=none home=0-0 turn=third",
        "first=14 second=none home=6-0 turn=first throw=2",
        "first=none second=none home=0-0 turn=first throw=5",
        "first=none second=none home=7-7 turn=first",
    ],
)
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(es.PositionError):
        es.games.Ur().position_from(text)
