"""`hazardstop`, `piglet` and Pig with two dice: published values, oracles, and the games that they generalise."""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

import endsight as es
from endsight.games.race import Race
from endsight.verifier import rules
from naive import Enumeration, Recursion

Gain = Callable[[int, int], int | None]


@pytest.mark.parametrize(("sides", "busts"), [(4, (1,)), (4, (2, 4)), (6, (1, 2)), (6, (3, 5, 6)), (3, (1, 2, 3))])
def test_hazardstop_is_what_the_oracle_says(sides: int, busts: tuple[int, ...]) -> None:
    game = es.games.HazardStop(sides=sides, busts=busts)
    plain, naive = es.solve(game, engine="plain"), Recursion(game)
    assert plain.values() == naive.value()
    assert plain.distribution().outcomes == naive.distribution()
    assert es.solve(game, engine="compiled").values() == naive.value()


@pytest.mark.parametrize("bust", [1, 4])
def test_one_bad_face_is_a_turn_of_pig(bust: int) -> None:
    turn = es.solve(es.games.PigTurn(sides=6, bust=bust)).values()
    assert es.solve(es.games.HazardStop(sides=6, busts=(bust,))).values() == turn


def test_stopping_is_best_beyond_the_bound() -> None:
    """With totals that may grow further the value is the same: the bound cuts nothing off."""
    game = es.games.HazardStop(sides=6, busts=(1, 2))
    value = {}
    for total in range(200, -1, -1):
        roll = Fraction(sum(value.get(total + face, total + face) for face in range(3, 7)), 6)
        value[total] = max(Fraction(total), roll)
    assert es.solve(game).values()[0] == value[0]
    assert es.policy_loss(game, "player", "myopic").loss == 0


def test_piglet_to_2_has_the_published_chances() -> None:
    """Neller and Presser 2004, section 3: own score, other's, pot -> chance of winning."""
    game = es.games.Piglet(target=2)
    published = {(0, 0, 0): "4/7", (0, 0, 1): "5/7", (0, 1, 0): "2/5", (0, 1, 1): "3/5", (1, 0, 0): "4/5",
                 (1, 1, 0): "2/3"}  # fmt: skip
    solution = es.solve(game)
    for (own, other, pot), chance in published.items():
        place = game.position_from(f"first={own} second={other} pot={pot} turn=first")
        assert (solution.values(place)[0] + 1) / 2 == Fraction(chance)
    assert solution.values() == Enumeration(game).value()


@pytest.mark.parametrize("target", [1, 2, 3, 6])
def test_piglet_plain_and_compiled_agree(target: int) -> None:
    game = es.games.Piglet(target=target)
    exactly = es.solve(game, engine="plain").values()
    assert es.solve(game, engine="compiled").values() == exactly
    chances = es.solve(game, utility="win").values()
    assert chances == tuple(Fraction(value + 1, 2) for value in exactly)


# ---------------------------------------------------------------- two dice


def big(one: int, two: int) -> int | None:
    """What a throw brings in Big Pig; None where it loses the pot."""
    if one == two:
        return 25 if one == 1 else 2 * (one + two)
    return None if 1 in (one, two) else one + two


def plain(one: int, two: int) -> int | None:
    """What a throw brings in two-dice Pig; None where it loses the pot or more."""
    return None if 1 in (one, two) else one + two


@pytest.mark.parametrize(("kind", "chance"), [("BigPig", "18/23"), ("TwoDicePig", "36/47")])
def test_one_point_goes_to_the_first_good_throw(kind: str, chance: str) -> None:
    """With a good throw in 26 (25) of 36 the first player wins w = 26/36 + 10/36 (1 - w)."""
    game = getattr(es.games, kind)(target=1)
    assert es.solve(game, utility="win").values()[0] == Fraction(chance)
    assert es.solve(game).values() == Enumeration(game).value()


@pytest.mark.parametrize(("kind", "gain", "loses_all"), [("BigPig", big, False), ("TwoDicePig", plain, True)])
@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_two_dice_keep_the_equations_of_all_36_throws(kind: str, gain: Gain, loses_all: bool, engine: str) -> None:
    """Play always ends, so only the right values solve all equations.

    Throws pass most scores by, and each of these is a solve of its own, for which rules are compiled.
    """
    target = 5 if engine == "plain" else 2
    game = getattr(es.games, kind)(target=target)
    solution = es.solve(game, engine=engine)

    @cache
    def worth(own: int, other: int, pot: int, mover: str = "first") -> Fraction:
        first, second = (own, other) if mover == "first" else (other, own)
        text = f"first={first} second={second} pot={pot} turn={mover}"
        return solution.values(game.position_from(text))[mover == "second"]

    def after(own: int, other: int, pot: int, throw: tuple[int, int]) -> Fraction:
        if (more := gain(*throw)) is None:
            kept = 0 if loses_all and throw == (1, 1) else own
            return -worth(other, kept, 0, "second")
        return worth(own, other, min(pot + more, target - own))

    for own, other in product(range(target), repeat=2):
        for pot in range(target - own):
            worths = [sum(after(own, other, pot, throw) for throw in product(range(1, 7), repeat=2)) / 36]
            if pot:
                worths.append(-worth(other, own + pot, 0, "second"))
            assert worth(own, other, pot) == max(worths)
        assert worth(own, other, target - own) == 1


def test_throws_read_as_two_faces() -> None:
    game = es.games.TwoDicePig(target=30)
    state = game.position("roll 4-6 hold roll 3-5 hold roll 1-1").state
    assert game.show(state) == "first=0 second=8 pot=0 turn=second"
    state = game.position("roll 4-6 hold roll 3-5 hold roll 1-4").state
    assert game.show(state) == "first=10 second=8 pot=0 turn=second"
    game = es.games.BigPig(target=60)
    assert game.show(game.position("roll 1-1 roll 3-3 roll 2-5").state) == "first=0 second=0 pot=44 turn=first"


@pytest.mark.parametrize("game", [es.games.HazardStop(), es.games.Piglet(target=4)])
def test_rules_keep_the_contract(game: es.Game) -> None:
    report = es.check_rules(game)
    assert not report.faults
    place = game.position()
    for text in ["flip", "heads", "hold"] if game.player_count == 2 else ["roll", "3", "stop"]:
        assert game.parse(game.show(place.state)) == place.state
        assert game.draw(place.state)
        place = place.after(text)
    assert game.parse(game.show(place.state)) == place.state


@pytest.mark.parametrize(
    ("kind", "parameters"),
    [
        ("HazardStop", {"sides": 0}),
        ("HazardStop", {"busts": ()}),
        ("HazardStop", {"busts": (7,)}),
        ("HazardStop", {"busts": (1, 1)}),
        ("Piglet", {"target": 0}),
        ("BigPig", {"target": 0}),
        ("TwoDicePig", {"target": -1}),
    ],
)
def test_parameters_that_make_no_sense(kind: str, parameters: dict) -> None:
    with pytest.raises(es.ParameterError):
        getattr(es.games, kind)(**parameters)


@pytest.mark.parametrize(
    ("game", "text"),
    [
        (es.games.HazardStop(), "total=10 phase=rolling"),
        (es.games.Piglet(target=3), "first=3 second=3 pot=0 turn=first"),
        (es.games.Piglet(target=3), "first=2 second=0 pot=1 turn=first flying=yes"),
        (es.games.Piglet(target=3), "first=3 second=0 pot=1 turn=second"),
        (es.games.BigPig(target=30), "first=10 second=0 pot=21 turn=first"),
        (es.games.BigPig(target=30), "first=10 second=0 pot=20 turn=first rolling=yes"),
        (es.games.TwoDicePig(target=30), "first=30 second=30 pot=0 turn=first"),
    ],
)
def test_positions_that_cannot_be(game: es.Game, text: str) -> None:
    with pytest.raises(es.PositionError):
        game.position_from(text)


# ---------------------------------------------------------------- what they have in common


@pytest.mark.parametrize("kind", ["Pig", "Piglet", "BigPig", "TwoDicePig"])
def test_what_races_share_counts_as_their_rules(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = getattr(es.games, kind)
    lines, before = linecache.getlines, rules.rules_hash(game)
    changed = ["# changed"]
    monkeypatch.setattr(linecache, "getlines", lambda name: lines(name) + changed * (name == inspect.getfile(Race)))
    assert rules.rules_hash(game) != before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("first=10 second=10 pot=0 turn=first", "one player at the target"),
        ("first=10 second=3 pot=1 turn=second", "one player at the target"),
        ("first=4 second=3 pot=7 turn=first", "at most 6"),
        ("first=4 second=3 pot=6 turn=first rolling=yes", "at most 5"),
        ("first=4 second=3 pot=6 turn=third", "turn"),
    ],
)
def test_positions_that_no_race_meets(text: str, words: str) -> None:
    with pytest.raises(es.errors.EndsightError) as found:
        es.games.Pig(10).position_from(text)
    assert words in f"{found.value} {found.value.allowed}"
