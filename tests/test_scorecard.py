"""`scorecard` against a recursion over dice in the order thrown."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import endsight as es
from amounts import each


def points(dice: tuple[int, ...], sides: int) -> list[int]:
    """What the dice bring in each category."""
    low = min(dice)
    straight = set(dice) == set(range(low, low + len(dice)))
    equal = len(set(dice)) == 1
    return [
        *(face * dice.count(face) for face in range(1, sides + 1)),
        8 * len(dice) if straight else 0,
        10 * len(dice) if equal else 0,
    ]


def expected(dice: int, sides: int, rerolls: int) -> Fraction:
    """Best expected total, by all throws in order and all sets of dice taken up again."""
    faces = range(1, sides + 1)

    @cache
    def card(free: frozenset[int]) -> Fraction:
        if not free:
            return Fraction(0)
        return sum((lying(free, throw, rerolls) for throw in product(faces, repeat=dice)), Fraction(0)) / sides**dice

    @cache
    def lying(free: frozenset[int], throw: tuple[int, ...], left: int) -> Fraction:
        gains = points(throw, sides)
        worths = [gains[category] + card(free - {category}) for category in free]
        if left:
            for up in product((False, True), repeat=dice):
                if any(up):
                    sets = [faces if again else (face,) for face, again in zip(throw, up, strict=True)]
                    after = [lying(free, other, left - 1) for other in product(*sets)]
                    worths.append(sum(after, Fraction(0)) / len(after))
        return max(worths)

    return card(frozenset(range(sides + 2)))


@pytest.mark.parametrize(
    "options",
    each(
        [(2, 1, 1), (2, 2, 0), (2, 2, 2), (2, 3, 1), (3, 2, 1), (3, 3, 1), (4, 2, 1)],
        lambda options: sum(options) < 6 or options == (3, 2, 1),
    ),
)
def test_expected_total(options: tuple[int, int, int]) -> None:
    dice, sides, rerolls = options
    game = es.games.Scorecard(dice=dice, sides=sides, rerolls=rerolls)
    value = expected(dice, sides, rerolls)
    for engine in ("plain", "compiled"):
        assert es.solve(game, engine=engine).values() == (value,)


def test_one_sided_dice_bring_all_that_there_is() -> None:
    # Three ones: 3 in `1s`, no straight, 30 for equal dice.
    assert es.solve(es.games.Scorecard(dice=3, sides=1, rerolls=0)).values() == (33,)


def test_a_game_move_by_move() -> None:
    game = es.games.Scorecard(dice=3, sides=6, rerolls=2)
    place = game.position("1-5-5 keep:5-5 6 keep:5-5 5 equal")
    assert place.so_far == (30,)
    assert game.show(place.state) == "filled=equal dice=none rerolls=2"
    place = place.after("2-3-4").after("straight")
    assert place.so_far == (54,)
    assert "equal" not in game.draw(place.state)
    place = place.after("1-1-6").after("keep:none")
    assert "3 in the air" in game.draw(place.state)
    assert game.parse(game.show(place.state)) == place.state
    lying = place.after("2-2-3")
    scored = [game.show_move(lying.state, move) for move in lying.moves()][:6]
    assert scored == ["1s", "2s", "3s", "4s", "5s", "6s"]


@pytest.mark.parametrize("parameters", [{"dice": 1}, {"sides": 0}, {"rerolls": -1}])
def test_parameters_that_make_no_sense(parameters: dict) -> None:
    with pytest.raises(es.ParameterError, match=r"scorecard: .* must be at least"):
        es.games.Scorecard(**parameters)


@pytest.mark.parametrize("parameters", [{"dice": 40}, {"sides": 21}])
def test_cards_that_are_too_large(parameters: dict) -> None:
    with pytest.raises(es.LimitReached, match="too many ways"):
        es.games.Scorecard(**parameters)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "filled=none dice=2-1 rerolls=1",
        "filled=none dice=2-5 rerolls=1",
        "filled=none dice=2-3 rerolls=2",
        "filled=none dice=3 rerolls=1",
        "filled=1s,1s dice=2-3 rerolls=1",
        "filled=9s dice=2-3 rerolls=1",
        "filled=1s,2s,3s,4s,straight,equal dice=2-3 rerolls=0",
    ],
)
def test_positions_that_cannot_be(text: str) -> None:
    with pytest.raises(es.PositionError, match="no such position"):
        es.games.Scorecard().position_from(text)


def test_every_position_reads_as_it_is_shown() -> None:
    game = es.games.Scorecard(dice=2, sides=2, rerolls=1)
    assert not es.check_rules(game).faults
    places = [game.position()]
    for place in places:
        assert game.parse(game.show(place.state)) == place.state
        if len(places) < 500:
            places += [place.play(move) for move in place.moves()]
