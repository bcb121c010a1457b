"""Certificates, true and false, that between them meet every line of the verifier.

`outcome` says what a verifier makes of one of them. `test_verifier.py` compares that with
what is expected, and `mutate_verifier.py` with what a changed verifier says.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from types import ModuleType
from typing import Any, NamedTuple

import endsight as es
import mutate_certificates
from endsight import CHANCE, Certificate, Game
from endsight.verifier import SCHEMA
from endsight.verifier.certificate import Bounds, Claim, Induction, Play, Witness
from endsight.verifier.rules import policy_entry, rules_hash
from endsight.verifier.words import FIRST_BEST, SECURED
from small_instances import instances
from strategies import AlternatingRewards, GraphGame, MoverGraph, MoverRewards


@dataclass(frozen=True)
class Case:
    """A certificate with what is handed to the verifier beside it."""

    name: str
    certificate: Certificate
    game: Any = None
    options: Mapping[str, Any] = field(default_factory=dict)


def outcome(verifier: ModuleType, case: Case) -> tuple[str, ...]:
    """The lines of the verdict, or the kind and the text of the error."""
    try:
        return verifier.verify(case.certificate, case.game, **case.options).checked
    except es.EndsightError as error:
        return type(error).__name__, str(error)


# ---------------------------------------------------------------------- certificates by hand


def claim(value: Mapping[str, Any], **more: Any) -> Claim:
    ends = {name: own if isinstance(own, tuple) else (Fraction(own),) * 2 for name, own in value.items()}
    known = {"position": "", "set_up": None, "objective": "competitive", "utility": "payoff", "fixed": {}}
    return Claim(**{**known, "category": "value", "notion": None, **more, "value": ends})


def by_hand(name: str, game: Game, evidence: Any, value: Mapping[str, Any], **more: Any) -> Case:
    """A case; of players whom `value` does not name nothing is claimed."""
    options = more.pop("options", {})
    value = (dict.fromkeys(game.player_names, (None, None)) if more.pop("all_named", True) else {}) | dict(value)
    play = more.pop("play", None)
    kind = type(game)
    about = {"text": "by hand", "class": kind.__name__, "own": True, "parameters": game.values()}
    about["rules"] = rules_hash(kind)
    certificate = Certificate(SCHEMA, "", about, claim(value, **more), evidence, play)
    return Case(name, certificate, kind, options)


def both(least: Play | None = None, most: Play | None = None) -> Bounds:
    return Bounds(least or Play(()), most or Play(()))


HALF = ((2, 1),)


def coin(stay: int = 1, seats: int = 2, payoff: Any = (1, -1)) -> MoverGraph:
    """Chance stays or ends."""
    return MoverGraph(((0, 1), ()), (payoff, payoff), seats, (CHANCE, 0), ((stay, 1), ()))


def waiting(payoff: Any = (1, -1), seats: int = 2) -> MoverGraph:
    """The first player waits through a coin that decides nothing, or ends with a payoff."""
    return MoverGraph(((1, 2), (0, 0), ()), (payoff,) * 3, seats, (0, CHANCE, 0), ((1, 1), (1, 1), ()))


def loops() -> list[Case]:
    """Chance and loops: bounds that are kept or not, and play that rests or not."""
    one = Play((), HALF, (0,), (2,))
    cases = [
        by_hand(
            "gains at one of two moves for ever",
            MoverRewards(
                ((1, 2), (0, 0), ()),
                ((0, 0),) * 3,
                2,
                (1, CHANCE, 0),
                ((1, 1), (1, 1), ()),
                (((1, -1), (0, 0)), ((0, 0), (0, 0)), ()),
            ),
            Bounds(Play((), (), (0,), (0,)), None),
            {"first": (0, None), "second": (None, 0)},
        ),
        by_hand(
            "chance goes round one state",
            MoverGraph(((0,),), ((0, 0),), 2, (CHANCE,), ((1,),)),
            both(Play((), (), (0,), (0,)), Play((), (), (0,), (0,))),
            {"first": 0, "second": 0},
        ),
        by_hand(
            "gained on the way to a loop",
            MoverRewards(
                ((1,), (1, 2), ()), ((0, 0),) * 3, 2, (0, 0, 0), ((1,), (1, 1), ()), (((1, 1),), ((0, 0), (0, 0)), ())
            ),
            both(Play((0,), (), (1,), (0,)), Play((), (), (1,), (0,))),
            {"first": 1, "second": 1},
        ),
        by_hand(
            "two loops that are worth otherwise",
            MoverRewards(
                ((1, 2), (1, 3), (2, 3), ()),
                ((0, 0),) * 4,
                2,
                (CHANCE, 0, 0, 0),
                ((1, 1), (1, 1), (1, 1), ()),
                (((1, 0), (0, 1)), ((0, 0), (0, 0)), ((0, 0), (0, 0)), ()),
            ),
            Bounds(Play((0, 0), (), (1, 2), (1, 1)), None),
            {"first": (1, None)},
            utility="win",
        ),
        by_hand("a coin ends", coin(), both(one, one), {"first": 1, "second": -1}),
        by_hand("a coin ends, with another sum", coin(payoff=(1, 2)), both(one, one), {"first": 1, "second": 2}),
        by_hand(
            "won by chance, called won",
            MoverGraph(((1,), (2,), ()), ((1, -1),) * 3, 2, (0, CHANCE, 0), ((1,), (1,), ())),
            both(),
            {"first": 1, "second": -1},
            category="win",
        ),
        by_hand(
            "gains that a rival can repeat for ever",
            MoverRewards(
                ((1, 2), (0, 0), ()),
                ((0, 0),) * 3,
                2,
                (1, CHANCE, 0),
                ((1, 1), (1, 1), ()),
                (((1, -1), (0, 0)), ((-1, 1),) * 2, ()),
            ),
            Bounds(Play((), HALF, (0,), (0,)), None),
            {"first": (0, None), "second": (None, 0)},
        ),
        by_hand(
            "a play within bounds that do not meet",
            GraphGame(((1, 2), (), ()), (0, 0, -1)),
            both(Play((0,))),
            {"first": (0, 1), "second": (-1, 0)},
            player="first",
            outcomes=((Fraction(0), Fraction(1)),),
            play=Play((0,)),
        ),
        by_hand(
            "three for a win, called won",
            GraphGame(((1,), ()), ((0, 0, 0), (2, 1, 0)), 3),
            Induction(),
            {"first": 1, "second": 0, "third": 0},
            utility="win",
            category="win",
        ),
        by_hand(
            "gained before going round",
            AlternatingRewards(((1,), (2,), (3,), (2,)), (0,) * 4, 2, ((1,), (0,), (0,), (0,))),
            both(),
            {"first": 1, "second": 0},
            utility="win",
            category="win",
        ),
        by_hand("a bound too high", coin(), both(Play((), HALF, (0,), (3,)), one), {"first": 1}),
        by_hand(
            "a bound by one too high", coin(), both(Play((), ((2, 20),), (0,), ((1 << 20) + 1,)), one), {"first": 1}
        ),
        by_hand("a bound too low for the claim", coin(), both(Play((), HALF, (0,), (1,)), one), {"first": 1}),
        by_hand("an upper bound too low", coin(), both(one, Play((), HALF, (0,), (1,))), {"first": 1}),
        by_hand("a loop without a bound", coin(), both(Play((), HALF), one), {"first": 1}),
        by_hand("a node that is not there", coin(), both(Play((), HALF, (2,), (2,)), one), {"first": 1}),
        by_hand("the last node", coin(), both(Play((), HALF, (0, 1), (2, 2)), one), {"first": 1}),
        by_hand(
            "one player",
            coin(seats=1, payoff=(3,)),
            both(Play((), (), (0,), (3,)), Play((), (), (0,), (3,))),
            {"player": 3},
        ),
        by_hand(
            "rounding",
            coin(stay=2),
            both(Play((), ((10, 3),), (0,), (999,)), Play((), ((10, 3),), (0,), (1001,))),
            {"first": (Fraction(9, 10), Fraction(11, 10))},
        ),
    ]
    stay, leave = Play((0,), HALF, (0,), (0,)), Play((1,))
    cases += [
        by_hand("waiting for ever is worth 0", waiting((-1, 1)), both(stay, Play((), HALF, (0,), (0,))), {"first": 0}),
        by_hand(
            "waiting for ever is not more",
            waiting((-1, 1)),
            Bounds(Play((0,), HALF, (0,), (1,)), None),
            {"first": (Fraction(1, 2), None)},
        ),
        by_hand(
            "waiting for ever may be less",
            waiting((-1, 1)),
            Bounds(Play((0,), HALF, (0,), (-1,)), None),
            {"first": (Fraction(-1, 2), None)},
            notion=SECURED,
        ),
        by_hand("leaving for 1", waiting(), both(leave, Play((), (), (0,), (1,))), {"first": 1, "second": -1}),
        by_hand(
            "an upper bound below endless play",
            waiting((-1, 1)),
            Bounds(None, Play((), HALF, (0,), (-1,))),
            {"first": (None, Fraction(-1, 2))},
        ),
        by_hand(
            "endless play with another sum",
            waiting((1, 0)),
            Bounds(Play((0,), HALF, (0,), (0,)), None),
            {"first": (0, None)},
            notion=SECURED,
        ),
        by_hand(
            "endless play with another sum, ends", waiting((1, 0)), both(leave, Play((), (), (0,), (1,))), {"first": 1}
        ),
        by_hand("alone, waiting is worth 0", waiting((-1,), 1), both(stay, Play((), HALF, (0,), (0,))), {"player": 0}),
        by_hand(
            "alone, waiting is not more",
            waiting((-1,), 1),
            Bounds(Play((0,), HALF, (0,), (1,)), None),
            {"player": (Fraction(1, 2), None)},
        ),
    ]
    paid = MoverRewards(((0, 1), ()), ((0, 0), (0, 0)), 2, (CHANCE, 0), ((1, 1), ()), (((1, -1), (0, 0)), ()))
    cases += [
        by_hand(
            "gains on a loop, sums as they should be",
            paid,
            both(Play((), (), (0,), (1,)), Play((), (), (0,), (1,))),
            {"first": 1, "second": -1},
        ),
        by_hand(
            "gains on a loop, too much", paid, both(Play((), (), (0,), (2,)), Play((), (), (0,), (1,))), {"first": 1}
        ),
    ]
    leaving = MoverRewards(((0, 1), ()), ((0,), (-1,)), 1, (0, 0), ((1, 1), ()), (((0,), (-1,)), ()))
    cases += [
        by_hand(
            "waiting costs nothing, leaving does",
            leaving,
            both(Play((0,), (), (0,), (0,)), Play((), (), (0,), (0,))),
            {"player": 0},
        ),
        by_hand(
            "waiting pays no less than nothing",
            leaving,
            Bounds(None, Play((), (), (0,), (-1,))),
            {"player": (None, -1)},
        ),
    ]
    level = Play((), (), (0,), (0,))
    for name, mover, there, back in (
        ("a hill that costs more than it brings", 0, (-4,), ((2,), (1,))),
        ("a hill that costs what it brings", 0, (-2,), ((2,), (1,))),
        ("a coin that costs more than it brings", CHANCE, (0,), ((1,), (-2,))),
        ("a coin that costs what it brings", CHANCE, (0,), ((1,), (-1,))),
    ):
        gains = ((there, (0,)), back, ())
        game = MoverRewards(((1, 2), (0, 0), ()), ((0,),) * 3, 1, (0, mover, 0), ((1, 1), (1, 1), ()), gains)
        cases.append(by_hand(name, game, both(Play((1,)), level), {"player": 0}))
    forever = MoverRewards(
        ((1, 2), (0, 0), ()),
        ((0, 0),) * 3,
        2,
        (0, CHANCE, 0),
        ((1, 1), (1, 1), ()),
        (((1, -1), (0, 0)), ((-1, 1),) * 2, ()),
    )
    cases.append(by_hand("gains that cancel for ever", forever, Bounds(stay, None), {"first": (0, None)}))
    two = MoverGraph(((1, 3), (2, 3), (0, 3), ()), ((1, -1),) * 4, 2, (CHANCE, 1, 0, 0), ((1, 1), (1, 1), (1, 1), ()))
    whole = Play((), (), (0,), (1,))
    cases.append(
        by_hand(
            "a loop through everybody",
            two,
            both(replace(whole, choices=(1,)), replace(whole, choices=(1,))),
            {"first": 1, "second": -1},
            notion=SECURED,
        )
    )
    cases.append(
        by_hand(
            "a loop that a rival keeps up",
            two,
            both(replace(whole, choices=(0,)), replace(whole, choices=(0,))),
            {"first": 1, "second": -1},
            notion=SECURED,
        )
    )
    return cases


def plainly() -> list[Case]:
    """Without chance and gains."""
    ring = GraphGame(((1, 2), (0, 3), (), ()), (0, 0, 1, 1))
    won = GraphGame(((1, 2), (0, 3), (), ()), (0, 0, -1, 1))
    return [
        by_hand(
            "a draw by going round",
            ring,
            both(Play((0,)), Play((0,))),
            {"first": 0, "second": 0},
            category="draw",
            notion=SECURED,
        ),
        by_hand(
            "the first leaves and wins",
            won,
            Bounds(Play((1,)), None),
            {"first": (1, None)},
            category="win",
            notion=SECURED,
        ),
        by_hand(
            "bounds where only ends count",
            won,
            Bounds(Play((0,), (), (0,), (1,)), None),
            {"first": (1, None)},
            category="win",
            notion=SECURED,
        ),
        by_hand("no choices", ring, both(), {"first": 0}),
        by_hand("nothing is claimed", ring, both(Play((0,)), Play((0,))), {}, notion=SECURED),
        by_hand(
            "round one state",
            MoverGraph(((0,),), ((0, 0),), 2, (0,), ((1,),)),
            both(),
            {"first": 0, "second": 0},
            category="draw",
        ),
        by_hand("too many choices", ring, both(Play((0, 0)), Play((0,))), {"first": 0, "second": 0}, category="draw"),
        by_hand("a choice that is not there", ring, both(Play((2,)), Play((0,))), {"first": 0}),
        by_hand("a choice below 0", ring, both(Play((-1,)), Play((0,))), {"first": 0}),
        by_hand(
            "a draw called a win",
            ring,
            both(Play((0,)), Play((0,))),
            {"first": 0, "second": 0},
            category="win",
            notion=SECURED,
        ),
        by_hand("a tie rule too much", ring, both(Play((0,)), Play((0,))), {"first": 0}, category="draw", notion="any"),
        by_hand("more than is proven", won, Bounds(Play((1,)), None), {"first": 1}, category="win", notion=SECURED),
        by_hand(
            "more than is proven, above", ring, Bounds(None, Play((0,))), {"first": 0}, category="draw", notion=SECURED
        ),
        by_hand(
            "less than is proven",
            ring,
            both(Play((0,)), Play((0,))),
            {"first": (-1, 1), "second": (None, 1)},
            notion=SECURED,
        ),
        by_hand("nobody", ring, both(Play((0,)), Play((0,))), {"nobody": 0}, notion=SECURED),
        by_hand("not all named", won, Bounds(Play((1,)), None), {"first": (1, None)}, notion=SECURED, all_named=False),
        by_hand(
            "only the second", won, Bounds(None, Play((1,))), {"second": (None, -1)}, category="value", notion=SECURED
        ),
        by_hand(
            "a lost game", GraphGame(((1,), (2,), ()), (0, 0, -1)), both(), {"first": -1, "second": 1}, category="loss"
        ),
        by_hand(
            "a won game that pays 2, called won",
            GraphGame(((1,), ()), (0, -2)),
            both(),
            {"first": 2, "second": -2},
            category="win",
        ),
        by_hand(
            "gains and a won end, called won",
            AlternatingRewards(((1,), ()), (0, -1), 2, ((1,), ())),
            both(),
            {"first": 2, "second": -2},
            category="win",
        ),
        by_hand(
            "one number where the rules say who moves",
            MoverGraph(((1,), ()), (0, -1), 2, (0, 1), ((1,), ())),
            both(),
            {"first": 1, "second": -1},
        ),
        by_hand("one number for three", GraphGame(((1,), ()), (0, -1), 3), Induction(), {"first": 1}),
        by_hand(
            "both want less",
            GraphGame(((1, 2), (3, 4), (3, 4), (), ()), ((0, 0),) * 3 + ((1, -1), (-1, 1))),
            both(Play((0, 0)), Play((0,))),
            {"first": 1, "second": -1},
            fixed={"first": "worst", "second": "worst"},
            notion=SECURED,
        ),
        by_hand("a won game that pays 2", GraphGame(((1,), ()), (0, -2)), both(), {"first": 2, "second": -2}),
        by_hand(
            "a won game, as win",
            GraphGame(((1,), ()), (0, -2)),
            both(),
            {"first": 1, "second": 0},
            category="win",
            utility="win",
        ),
        by_hand(
            "a drawn game, as win",
            GraphGame(((0,), ()), (0, -2)),
            both(),
            {"first": Fraction(1, 2), "second": Fraction(1, 2)},
            category="draw",
            utility="win",
        ),
        by_hand(
            "a won game, as lead",
            GraphGame(((1,), ()), (0, -1)),
            both(),
            {"first": 2, "second": -2},
            category="win",
            utility="lead",
        ),
        by_hand(
            "other sums",
            GraphGame(((1, 2), (), ()), ((0, 0), (1, 1), (1, 2))),
            both(Play((0,)), Play(())),
            {"first": 1},
        ),
        by_hand(
            "other sums, one of them chosen",
            MoverGraph(((1, 2), (), ()), ((0, 0), (1, 1), (1, 2)), 2, (1, 0, 0), ((1, 1), (), ())),
            both(None, Play((0,))),
            {"first": 1},
        ),
        by_hand(
            "other sums, the second decides first",
            MoverGraph(
                ((1, 2), (3, 4), (), (), ()),
                ((0, 0), (0, 0), (1, 1), (2, 2), (3, 1)),
                2,
                (1, 0, 0, 0, 0),
                ((1, 1), (1, 1), (), (), ()),
            ),
            both(Play((1,)), Play((0,))),
            {"first": (1, 3)},
        ),
        by_hand(
            "both for the first",
            GraphGame(((1, 2), (), ()), ((0, 0), (1, 1), (0, 2))),
            both(Play((0,))),
            {"first": 1},
            objective="cooperative",
        ),
        by_hand(
            "other sums, all alone",
            MoverGraph(((1, 2), (), ()), ((0, 0), (1, 1), (1, 2)), 2, (0, 0, 0), ((1, 1), (), ())),
            both(Play((0,))),
            {"first": 1},
        ),
        by_hand(
            "three by bounds",
            GraphGame(((1, 2), (), ()), ((0, 0, 0), (1, 1, 1), (0, 2, 0)), 3),
            both(Play((0,))),
            {"first": 1},
        ),
        by_hand(
            "three by bounds, others decide",
            GraphGame(((1,), (2, 3), (), ()), ((0, 0, 0),) * 2 + ((1, 1, 1), (0, 2, 0)), 3),
            both(),
            {"first": 1},
        ),
        by_hand(
            "more for both outside of the plays",
            MoverGraph(
                ((1, 2), (), (3, 4), (), ()),
                ((0, 0), (0, 0), (0, 0), (5, 5), (-1, 1)),
                2,
                (0, 0, 1, 0, 0),
                ((1, 1), (), (1, 1), (), ()),
            ),
            both(Play((0,)), Play((1,))),
            {"first": 0, "second": 0},
        ),
        by_hand(
            "a tie that is worth more to the other",
            MoverGraph(((1, 2), (), ()), ((0, 0), (1, 5), (1, -1)), 2, (0, 0, 0), ((1, 1), (), ())),
            Bounds(Play((1,)), None),
            {"first": (1, None), "second": (None, -1)},
            objective="cooperative",
        ),
        by_hand("the end already", GraphGame(((),), (-1,)), both(), {"first": -1, "second": 1}, category="loss"),
    ]


def gains() -> list[Case]:
    """Gains on the way, their sums, and what utilities make of them."""
    line = AlternatingRewards(((1, 2), (3,), (3,), ()), (0, 0, 0, 0), 2, ((1, 2), (3,), (1,), ()))
    split = MoverRewards(
        ((1, 2), (3,), (3,), ()),
        ((0, 0),) * 4,
        2,
        (0, 1, 1, 0),
        ((1, 1), (1,), (1,), ()),
        (((1, 0), (0, 2)), ((0, 2),), ((0, 1),), ()),
    )
    odd = MoverRewards(
        ((1, 2), (3,), (3,), (4,), ()),
        ((0, 0),) * 5,
        2,
        (0, 1, 1, 0, 0),
        ((1, 1), (1,), (1,), (1,), ()),
        (((1, 0), (0, 2)), ((0, 2),), ((0, 2),), ((0, 0),), ()),
    )
    parts = AlternatingRewards(((1,), ()), (Fraction(1, 3), Fraction(1, 3)), 2, ((Fraction(1, 2),), ()))
    single = MoverRewards(((1,), ()), ((1,), (2,)), 1, (0, 0), ((1,), ()), (((3,),), ()))
    return [
        by_hand("gains add up", line, both(Play((1,))), {"first": 1, "second": -1}),
        by_hand("gains add up, not chosen best", line, both(Play((0,))), {"first": 1, "second": -1}),
        by_hand("the same sum on all ways", split, both(Play((0,))), {"first": 1, "second": 2}),
        by_hand("another sum on another way", odd, both(Play((0,))), {"first": 1, "second": 2}),
        by_hand("gains as a win", split, both(Play((0,))), {"first": 0, "second": 1}, category="loss", utility="win"),
        by_hand("gains as a lead", split, both(Play((0,))), {"first": -1, "second": 1}, utility="lead"),
        by_hand(
            "parts",
            parts,
            both(Play((), ((6, 1),)), Play((), ((6, 1),))),
            {"first": Fraction(1, 6), "second": Fraction(-1, 6)},
        ),
        by_hand(
            "parts, rounded",
            parts,
            both(Play((), ((10, 1),)), Play((), ((10, 1),))),
            {"first": (Fraction(1, 10), Fraction(2, 10))},
        ),
        by_hand("gained before", split, both(), {"first": 1, "second": 2}, position="0"),
        by_hand("gained before, by induction", split, Induction(), {"first": 1, "second": 2}, position="0"),
        by_hand(
            "gained before, as a win",
            split,
            both(),
            {"first": 0, "second": 1},
            position="0",
            utility="win",
            category="win",
        ),
        by_hand("gained before, as a lead", split, both(), {"first": -1, "second": 1}, position="0", utility="lead"),
        by_hand("one player's gains", single, both(), {"player": 5}),
        by_hand(
            "three with gains on two ways",
            AlternatingRewards(
                ((1, 2), (3,), (3,), ()),
                ((0, 0, 0),) * 4,
                3,
                (((1, 0, 0), (0, 0, 1)), ((0, 1, 0),), ((0, 0, 2),), ()),
            ),
            Induction(),
            {"first": 1, "second": 1, "third": 0},
            notion=FIRST_BEST,
        ),
        by_hand(
            "three players' lead, gained before",
            AlternatingRewards(((1,), (2,), ()), ((0, 0, 0),) * 3, 3, (((1, 2, 3),), ((3, 0, 0),), ())),
            Induction(),
            {"first": 1, "second": -2, "third": -1},
            utility="lead",
            position="0",
        ),
        by_hand(
            "three players' lead",
            AlternatingRewards(((1,), (2,), ()), ((0, 0, 0),) * 3, 3, (((1, 2, 3),), ((3, 0, 0),), ())),
            Induction(),
            {"first": 1, "second": -2, "third": -1},
            utility="lead",
        ),
    ]


def inductions() -> list[Case]:
    """Several players, ties, chance."""
    tie = GraphGame(((1, 2), (), ()), ((0, 0, 0), (1, 2, 0), (1, 0, 2)), 3)
    rule = "backward induction, each player taking the first of their best moves"
    values = {"first": 1, "second": 2, "third": 0}
    dice = MoverGraph(((1, 2), (), ()), ((0, 0), (1, 0), (0, 3)), 2, (CHANCE, 0, 0), ((2, 1), (), ()))
    even = MoverGraph(((1, 2), (), ()), ((0, 0), (1, 2), (2, 1)), 2, (1, 0, 0), ((1, 1), (), ()))
    uneven = MoverGraph(((1, 2), (), ()), ((0, 0), (1, 2), (2, 2)), 2, (1, 0, 0), ((1, 1), (), ()))
    later = GraphGame(((1,), (2, 3), (), ()), ((0, 0, 0),) * 2 + ((1, 2, 0), (1, 2, 1)), 3)
    uneven_later = MoverGraph(
        ((1,), (2, 3), (), ()), ((0, 0), (0, 0), (1, 2), (2, 2)), 2, (0, 1, 0, 0), ((1,), (1, 1), (), ())
    )
    paid = MoverRewards(((1, 1), ()), ((1, 0), (0, 1)), 2, (0, 0), ((1, 1), ()), (((1, 0), (2, 0)), ()))
    return [
        by_hand("a tie", tie, Induction(), values, notion=rule),
        by_hand("a tie without its rule", tie, Induction(), values),
        by_hand("the other way out of a tie", tie, Induction(), {**values, "second": 0}, notion=rule),
        by_hand("chance", dice, Induction(), {"first": Fraction(2, 3), "second": 1}),
        by_hand("chance, wrong", dice, Induction(), {"first": Fraction(1, 3), "second": 1}),
        by_hand("the same sum", even, Induction(), {"first": 1, "second": 2}),
        by_hand("the same sum with a rule", even, Induction(), {"first": 1, "second": 2}, notion=rule),
        by_hand("another sum", uneven, Induction(), {"first": 1, "second": 2}, notion=rule),
        by_hand("another sum without its rule", uneven, Induction(), {"first": 1, "second": 2}),
        by_hand("gains", paid, Induction(), {"first": 2, "second": 1}, notion=rule),
        by_hand("worst", even, Induction(), {"first": 2, "second": 1}, fixed={"second": "worst"}),
        by_hand(
            "random", even, Induction(), {"first": Fraction(3, 2), "second": Fraction(3, 2)}, fixed={"second": "random"}
        ),
        by_hand("for the first", uneven, Induction(), {"first": 2, "second": 2}, objective="cooperative", notion=rule),
        by_hand("settled at the start only", later, Induction(), {"first": 1, "second": 2, "third": 0}, notion=rule),
        by_hand("even at the start only", uneven_later, Induction(), {"first": 1, "second": 2}, notion=rule),
        by_hand("no induction on loops", GraphGame(((0,),), (0,)), Induction(), {"first": 0}),
    ]


class Broken(MoverGraph):
    """A rule that does not keep its contract, by name."""

    fault: str = "none"

    def to_move(self, state: Any) -> int:
        return {"mover 2": 2, "mover -2": -2}.get(self.fault, self.movers[state.number])

    def weight(self, state: Any, move: int) -> Any:
        return {"weight 0": 0, "weight 1.0": 1.0, "weight yes": True}.get(self.fault, 1)

    def payoff(self, state: Any) -> Any:
        return (0.5, -0.5) if self.fault == "float" else (1, -1)

    def policy_two(self, state: Any) -> int:
        return 2

    def policy_last_one(self, state: Any) -> int:
        return 1


def first_move(game: Game, state: Any) -> Any:
    return next(iter(game.moves(state)))


def second_move(game: Game, state: Any) -> Any:
    return 1


class Parless(GraphGame):
    """One player, and nothing to compare with."""


class Par(Parless):
    def par(self) -> int:
        return 2


class ParPaid(MoverRewards):
    """The same with gains on the way."""

    def par(self) -> int:
        return 2


class Discounted(MoverGraph):
    """What comes later counts less."""

    discount = Fraction(1, 2)


def questions() -> list[Case]:
    """Policies, utilities, positions and rules that break their contract."""

    def broken(fault: str, mover: int = CHANCE, **more: Any) -> Case:
        game = Broken(((1, 2), (), ()), ((0, 0),) * 3, 2, (mover, 0, 0), ((1, 1), (), ()), fault)
        name = more.pop("name", fault)
        return by_hand(name, game, both(), {"first": 1, "second": -1}, **more)

    faults = ("none", "mover 2", "mover -2", "weight 0", "weight 1.0", "weight yes", "float")
    cases = [broken(fault) for fault in faults]
    later = Discounted(((),), ((1, -1),), 2, (0,), ((),))
    cases.append(by_hand("a discount", later, both(), {"first": 1, "second": -1}))
    cases.append(broken("none", name="set up with a blank", set_up="number=0 "))
    known, other = policy_entry(first_move), policy_entry(second_move)
    given = {"policies": {"first": first_move}}
    cases += [
        broken("none", 0, name="an illegal policy", fixed={"first": "two"}),
        broken("none", 0, name="a policy", fixed={"first": "last-one"}, category="win"),
        broken("none", 0, name="no such policy", fixed={"first": "nothing"}),
        broken("none", 0, name="nobody is fixed", fixed={"nobody": "random"}),
        broken("none", 0, name="a policy that is not named", fixed={"first": known}),
        broken("none", 0, name="a policy that is named", fixed={"first": known}, options=given, category="win"),
        broken("none", 0, name="a policy of another name", fixed={"first": other}, options=given),
        broken(
            "none", 0, name="a policy of another file", fixed={"first": {**known, "sha256": "0" * 64}}, options=given
        ),
        broken(
            "none", 0, name="a policy without a file", fixed={"first": known}, options={"policies": {"first": print}}
        ),
        broken(
            "none",
            0,
            name="a distribution of a policy that is named",
            fixed={"first": known},
            options=given,
            player="first",
            outcomes=((Fraction(1), Fraction(1)),),
            play=Play(()),
        ),
        broken("none", name="no time", options={"seconds": -1.0}),
        broken("none", name="enough time", options={"seconds": 1000.0}),
        broken("none", name="at the end", position="0", category="win"),
        broken("none", name="beyond the end", position="0 0"),
        broken("none", name="no such move", position="7"),
        broken("none", name="set up", set_up="number=1", category="win"),
        broken("none", name="set up out of range", set_up="number=9"),
        broken("none", name="set up without sense", set_up="number"),
    ]
    fork = ((1, 2), (3, 4), (3, 4), (), ())
    ones = ((1, 1), (1, 1), (1, 1), (), ())
    shares = ((0, 0),) * 3 + ((1, -1), (-1, 1))
    cases += [
        by_hand(
            "secured against chance in a player's place",
            MoverGraph(fork, shares, 2, (0, 1, 1, 0, 0), ones),
            Bounds(None, Play((1, 1))),
            {"first": (None, -1), "second": (1, None)},
            fixed={"first": "random"},
            notion=SECURED,
        ),
        by_hand(
            "secured against a policy",
            Broken(fork, shares, 2, (0, 1, 1, 0, 0), ones, "none"),
            Bounds(None, Play((0,))),
            {"first": (None, 1), "second": (-1, None)},
            fixed={"first": "last-one"},
            notion=SECURED,
        ),
    ]
    for kind in (Parless, Par):
        for pay, worth in ((1, 0), (2, Fraction(1, 2)), (3, 1)):
            game = kind(((),), ((pay,),), 1)
            cases.append(by_hand(f"{kind.__name__} {pay}", game, both(), {"player": worth}, utility="win"))
    for pay, worth in ((1, 1), (0, Fraction(1, 2)), (-1, 0)):
        game = ParPaid(((1,), ()), ((0,), (pay,)), 1, (0, 0), ((1,), ()), (((2,),), ()))
        cases.append(by_hand(f"par with {pay} at last", game, both(), {"player": worth}, utility="win"))
    cases.append(by_hand("a lead of one", Par(((),), ((1,),), 1), both(), {"player": 1}, utility="lead"))
    return cases


def distributions() -> list[Case]:
    """Chances carried forwards, also round."""
    toss = MoverGraph(
        ((1, 2), (), (1, 3), ()), ((0, 0), (0, 0), (0, 0), (1, -1)), 2, (CHANCE, 0, 0, 0), ((1, 2), (), (1, 1), ())
    )
    half = Play((1,), ((3, 1),))
    row = ((Fraction(0), Fraction(1, 3)), (Fraction(1), Fraction(2, 3)))
    low = both(Play((1,), ((3, 1),)), Play((), ((3, 1),)))
    worse = both(Play((0,), ((3, 1),)), Play((), ((3, 1),)))
    value = {"first": Fraction(2, 3), "second": Fraction(-2, 3)}

    def told(name: str, play: Play | None, outcomes: Any, player: str | None = "first", **more: Any) -> Case:
        game, evidence = more.pop("game", toss), more.pop("evidence", low)
        known = more.pop("value", value)
        return by_hand(name, game, evidence, known, play=play, outcomes=outcomes, player=player, **more)

    sure = both(Play((), HALF, (0,), (2,)), Play((), HALF, (0,), (2,)))
    certain = {"game": coin(), "evidence": sure, "value": {"first": 1, "second": -1}}
    one = ((Fraction(1), Fraction(1)),)
    return [
        told("a distribution", half, row),
        told("the second's", half, ((Fraction(-1), Fraction(2, 3)), (Fraction(0), Fraction(1, 3))), "second"),
        told("beside a player who wants the worst", half, row, fixed={"second": "worst"}),
        told("outcomes without a play", None, row),
        told("a play without outcomes", half, None, None),
        told("nobody's", half, row, "nobody"),
        told("wrong chances", half, ((Fraction(0), Fraction(2, 3)), (Fraction(1), Fraction(1, 3)))),
        told("a choice too many", Play((1, 0)), row),
        told("of another play", Play((0,)), ((Fraction(0), Fraction(1)),)),
        told("not the value", half, row, value={"first": (Fraction(1, 3), Fraction(1, 2)), "second": (-1, 0)}),
        told("another play than the best", half, row, value={"first": (0, 1)}, evidence=worse),
        told("by induction", half, row, evidence=Induction()),
        told("by induction, of another play", Play((0,)), ((Fraction(0), Fraction(1)),), evidence=Induction()),
        told("a play and a player without outcomes", half, None, "first"),
        told("not of the value", half, row, value={"first": Fraction(1, 3)}),
        told("round a coin", Play((), (), (0,), (2,)), one, **certain),
        told("round a coin, other visits", Play((), (), (0,), (3,)), one, **certain),
        told("round a coin, in parts", Play((), HALF, (0,), (4,)), one, **certain),
        told("round a coin, without visits", Play(()), one, **certain),
        told(
            "round for ever",
            Play((0,), (), (0,), (0,)),
            one,
            game=waiting((0, 0)),
            evidence=both(Play((0,), (), (0,), (0,)), Play((), (), (0,), (0,))),
            value={"first": 0, "second": 0},
        ),
        *(
            told(
                f"gains {utility}",
                Play(()),
                ((Fraction(won), Fraction(1)),),
                game=MoverRewards(
                    ((1,), (2,), ()), ((0, 0),) * 3, 2, (0, 0, 0), ((1,), (1,), ()), (((1, 0),), ((2, 1),), ())
                ),
                evidence=both(),
                value={"first": won},
                utility=utility,
                category=category,
            )
            for utility, won, category in (("payoff", 3, "value"), ("lead", 2, "value"), ("win", 1, "win"))
        ),
    ]


def subjects() -> list[Case]:
    """Bounds about another player than the first."""
    chosen = MoverGraph(((1, 2), (), ()), ((0, 0), (5, 1), (0, 3)), 2, (1, 0, 0), ((1, 1), (), ()))
    third = MoverGraph(((1, 2), (), ()), ((0, 0, 0), (5, 1, 1), (0, 3, 2)), 3, (2, 0, 0), ((1, 1), (), ()))
    others = MoverGraph(((1, 2), (), ()), ((0, 0, 0), (5, 1, 1), (0, 3, 2)), 3, (0, 0, 0), ((1, 1), (), ()))
    round_or_end = MoverGraph(((0, 1), ()), ((0, 0), (3, -2)), 2, (1, 0), ((1, 1), ()))
    rolled = MoverRewards(
        ((2, 1), (0, 3), (), ()),
        ((0, 0), (0, 0), (7, 0), (0, 1)),
        2,
        (1, CHANCE, 0, 0),
        ((1, 1), (1, 1), (), ()),
        (((0, 0), (0, 2)), ((0, 0), (0, 0)), (), ()),
    )
    kept = MoverRewards(
        ((1, 2), (1,), ()),
        ((0, 0, 0),) * 3,
        3,
        (2, 2, 2),
        ((1, 1), (1,), ()),
        (((0, 0, 2), (0, 0, 0)), ((0, 0, 0),), ()),
    )
    again, lower = Play((1,), (), (0,), (5,)), Play((), (), (0,), (5,))
    later = both(Play((1,), (), (0,), (3,)), Play((), (), (0,), (3,)))
    return [
        by_hand("the second alone decides", chosen, both(Play((1,))), {"second": 3}),
        by_hand("the second alone decides, too much", chosen, both(Play((1,))), {"second": 4}),
        by_hand("the second alone decides, too little above", chosen, both(Play((0,))), {"second": 1}),
        by_hand("the second alone decides, told of the first", chosen, both(Play(()), Play((1,))), {"first": 0}),
        by_hand("the second alone decides, told of both", chosen, both(Play((1,))), {"first": (0, None), "second": 3}),
        by_hand("the second alone goes round", round_or_end, both(Play((0,))), {"second": 0}),
        by_hand("the second alone goes round, too much", round_or_end, both(Play((0,))), {"second": 1}),
        by_hand("the second alone rolls and gains", rolled, both(again, lower), {"second": 5}),
        by_hand("the second alone rolls and gains, too much", rolled, both(again, lower), {"second": 6}),
        by_hand("the second alone, after a gain", rolled, later, {"second": 5}, position="1"),
        by_hand("the third alone decides", third, both(Play((1,))), {"third": 2}),
        by_hand("the third of whom the first decides", others, both(Play((1,))), {"third": 2}),
        by_hand("the third alone, who keeps a lead", kept, both(Play((0,))), {"third": 2}, utility="lead"),
    ]


def games() -> list[Case]:
    """Which rules a certificate is about."""
    solution = es.solve(es.games.Nim(heaps=(1, 2)), method="graph")
    certificate = es.prove(solution)
    theorem = es.prove(es.solve(es.games.Nim(heaps=(1, 2))))
    changed = [
        ("as it is", {}, None),
        ("of its class", {}, es.games.Nim),
        ("of its game", {}, es.games.Nim(heaps=(1, 2))),
        ("of another game", {}, es.games.Nim(heaps=(1, 3))),
        ("of another class", {}, es.games.Pots),
        ("not built in", {"class": "Nothing"}, None),
        ("own rules", {"own": True}, None),
        ("own rules, named", {"own": True}, es.games.Nim),
        ("other rules", {"rules": "0" * 64}, None),
        ("other parameters", {"parameters": {"heaps": 3}}, None),
        ("a parameter too many", {"parameters": {"heaps": (1, 2), "more": 1}}, None),
    ]
    cases = [Case(name, replace(certificate, game=certificate.game | change), game) for name, change, game in changed]
    own = theorem.claim
    witnesses = [
        ("a theorem", own, Witness("nim_sum", {})),
        ("a theorem of another game", own, Witness("stack_reduction", {})),
        ("no theorem", own, Witness("no theorem", {})),
        ("a witness too many", own, Witness("nim_sum", {"more": 1})),
        (
            "a theorem, another value",
            replace(own, value={**own.value, "first": (Fraction(-1),) * 2}),
            Witness("nim_sum", {}),
        ),
        ("a theorem, one player", replace(own, value={"first": own.value["first"]}), Witness("nim_sum", {})),
        ("a theorem, no category", replace(own, category="value"), Witness("nim_sum", {})),
        ("a theorem, another category", replace(own, category="loss"), Witness("nim_sum", {})),
        ("a theorem, a tie rule", replace(own, notion="any"), Witness("nim_sum", {})),
        ("a theorem, a fixed player", replace(own, fixed={"first": "random"}), Witness("nim_sum", {})),
    ]
    hidden = es.prove(es.solve(es.games.HiddenPots(2, 2), utility="win"))
    chance = replace(hidden, claim=replace(hidden.claim, category="loss"))
    cases += [Case("a theorem where chance moves", hidden), Case("a theorem where chance moves, called lost", chance)]
    return cases + [Case(name, replace(theorem, claim=made, evidence=proof)) for name, made, proof in witnesses]


class One(NamedTuple):
    number: int


class Two(NamedTuple):
    number: int


class Odd(tuple[int, ...]):
    """All of these are equal."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return 0


HELD: dict[str, tuple[Any, Any]] = {
    "states that are alike": (0, 0),
    "equal states, two classes in a set": (frozenset({One(1)}), frozenset({Two(1)})),
    "equal states, two classes in a tuple": ((0, One(1)), (0, Two(1))),
    "states that differ in a set": (frozenset({(One(1), 2)}), frozenset({(One(1), 3)})),
    "states equal by their own word in a set": (frozenset({(Odd((1,)), 2)}), frozenset({(Odd((2,)), 2)})),
    "states equal by their own word in a tuple": ((0, Odd((1,))), (0, Odd((2,)))),
}
"""What two last states hold that chance leads to."""


class Holding(Game):
    """The payoff tells apart what is held, also where both are equal."""

    players = 1
    pair: int = 0

    class State(NamedTuple):
        stage: int
        held: Any

    def start(self) -> Any:
        return self.State(0, 0)

    def to_move(self, state: Any) -> int:
        return -1 if state.stage == 1 else 0

    def moves(self, state: Any) -> Any:
        return range((1, 2, 0)[state.stage])

    def weight(self, state: Any, move: int) -> int:
        return 1

    def play(self, state: Any, move: int) -> Any:
        return self.State(1, 0) if state.stage == 0 else self.State(2, list(HELD.values())[self.pair][move])

    def payoff(self, state: Any) -> int:
        return 4 * ("One" in repr(state)) + 2 * ("(2," in repr(state))


def held_states() -> list[Case]:
    """States that hold equal things of two classes, or things with an equality of their own."""
    proven = es.prove(es.solve(Holding()))
    about = [{**proven.game, "parameters": {"pair": pair}} for pair in range(len(HELD))]
    return [Case(name, replace(proven, game=each), Holding) for name, each in zip(HELD, about, strict=True)]


# ---------------------------------------------------------------------- all of them


def by_hands() -> list[Case]:
    return (
        loops()
        + plainly()
        + gains()
        + inductions()
        + questions()
        + distributions()
        + subjects()
        + games()
        + held_states()
    )


SEED, CHANGED, SHORT = 3, 200, 1200


@cache
def proofs() -> list[Case]:
    """Certificates of small instances, and random changes of some that can still be read."""
    found = []
    for instance in instances()[::7]:
        certificate = es.prove(instance.solution())
        if len(certificate.to_text()) < SHORT:
            found.append(Case(str(instance), certificate))
    chance, texts = random.Random(SEED), mutate_certificates.bases()
    found += [Case(f"base {number}", Certificate.from_text(text)) for number, text in enumerate(texts)]
    for number in range(CHANGED):
        text, change = mutate_certificates.changed(chance.choice(texts), chance)
        try:
            found.append(Case(f"{change} {number}", Certificate.from_text(text)))
        except es.EndsightError:
            continue
    return found
