"""Answers without a certificate say the true reason, and `prove` gives out nothing that `verify` refuses."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

import endsight as es
from strategies import GraphGame, MoverGraph, MoverRewards

HALF = Fraction(1, 2)
ROLLED = MoverGraph(
    ((0, 3, 5), (), (4, 4), (), (), (3, 3, 4)),
    ((5,), (1,), (-1,), (-2,), (-1,), (-1,)),
    1,
    (-1, 0, -1, 0, -1, 0),
    ((3, 1, 3), (), (1, 2), (), (), (3, 3, 2)),
)
ONE_AMOUNT = MoverGraph(
    ((2, 0), (), (1,), (0, 4), (4,), ()),
    ((0,), (-2,), (1,), (HALF,), (1,), (-1,)),
    1,
    (-1, -1, 0, -1, -1, 0),
    ((2, 3), (), (2,), (2, 3), (1,), ()),
)
RANDOM_FIRST = MoverGraph(
    ((1, 2, 0), (0, 1, 2), (2,)),
    ((-2, 2), (1, -1), (HALF, -HALF)),
    2,
    (1, 0, 1),
    ((1, 2, 2), (3, 2, 1), (3,)),
)
EQUAL_GAINS = MoverRewards(
    ((0,), (1, 3, 1), (), (1, 0)),
    ((0, HALF), (1, 0), (-2, 1), (0, 5)),
    2,
    (0, 0, 1, -1),
    ((1,), (3, 3, 2), (), (2, 2)),
    (((1, 1),), ((-1, 2), (1, HALF), (0, 0)), (), ((0, 0), (0, 0))),
)
SEVERAL_LOOPS = MoverRewards(
    ((2,), (1,), (1, 1), (), ()),
    ((-2, HALF, 5), (-1, HALF, 2), (HALF, 2, 2), (0, 5, HALF), (1, -2, 1)),
    3,
    (-1, 0, 2, 0, 2),
    ((2,), (1,), (3, 2), (), ()),
    (((-1, HALF, -1),), ((0, 0, 0),), ((HALF, 0, 2), (0, 2, 1)), (), ()),
)
BETWEEN_LOOPS = MoverRewards(
    ((3, 0), (0, 1), (5, 3), (1, 1), (6, 5), (), ()),
    ((-1, HALF), (-1, 0), (2, 2), (2, HALF), (0, 1), (1, 0), (1, -1)),
    2,
    (1, 1, 0, 1, 0, 0, 1),
    ((1, 1), (2, 1), (2, 1), (2, 3), (3, 1), (), ()),
    (((0, 0), (0, 0)), ((2, 0), (0, 0)), ((2, 0), (2, 0)), ((-2, 0), (-2, 0)), ((-1, 0), (1, 0)), (), ()),
)


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (ONE_AMOUNT, {"interval": True}),
        (RANDOM_FIRST, {"fixed": {0: "random"}, "interval": True}),
        (EQUAL_GAINS, {"utility": "lead"}),
        (SEVERAL_LOOPS, {"utility": "win"}),
        (BETWEEN_LOOPS, {"utility": "win"}),
    ],
    ids=[
        "one amount between bounds",
        "bounds that do not follow from one another",
        "gains that are no lead",
        "loops of other totals",
        "ways from loop to loop",
    ],
)
def test_these_have_certificates(game: es.Game, options: dict[str, Any]) -> None:
    assert es.verify(es.prove(es.solve(game, **options)), type(game)).checked


class Sets(GraphGame):
    members: frozenset = frozenset({1})


def typed_in() -> es.Game:
    """Rules without a text."""
    names: dict[str, Any] = {"GraphGame": GraphGame}
    exec("class Typed(GraphGame):\n    def payoff(self, state): return 0", names)
    return names["Typed"](((1,), ()), (0, 0))


CHAIN = (((1, 2), (), ()), (0, 1, -1))
REASONS: dict[str, tuple[Callable[[], es.Game], dict[str, Any], bool, str]] = {
    "bounds that do not meet": (lambda: ROLLED, {"interval": True}, True, "not every move of best play can be shown"),
    "play that need not end": (lambda: GraphGame(((0, 1), ()), (0, -1), 1), {}, True, "this play may never end"),
    "a set as a parameter": (lambda: Sets(*CHAIN), {}, False, "a parameter of this game has no place in a certificate"),
    "rules without a text": (typed_in, {}, False, "the rules of Typed have no text"),
    "a policy without a file": (
        lambda: GraphGame(*CHAIN),
        {"fixed": {0: eval("lambda game, state: 0")}},
        False,
        "a policy that is in no file has no place in a certificate",
    ),
}


@pytest.mark.parametrize("name", REASONS)
def test_others_say_why_not(name: str) -> None:
    make, options, distributed, reason = REASONS[name]
    game, options = make(), dict(options)
    solution = es.solve(game, game.position(options.pop("at", "")), engine="plain", **options)
    with pytest.raises(es.EndsightError) as caught:
        es.prove(solution, distribution=game.player_names[0] if distributed else None)
    assert reason in str(caught.value)
