"""`hazardstop` and `piglet`: published values, the oracle, and the games that they generalise."""

from __future__ import annotations

from fractions import Fraction

import pytest

import endsight as es
from naive import Enumeration, Recursion


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
    ],
)
def test_positions_that_cannot_be(game: es.Game, text: str) -> None:
    with pytest.raises(es.PositionError):
        game.position_from(text)
