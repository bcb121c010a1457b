"""The contract check: every faulty game is caught with the right rule named, no good one is blamed."""

from __future__ import annotations

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, ClassVar, NamedTuple

import pytest

import endsight as es
from amounts import each, times
from endsight import CHANCE, Game, check_rules, load
from endsight.errors import NoValue
from endsight.games import BUILT_IN
from faulty_games import (
    FAULTY,
    GOOD,
    WARNED,
    WITHOUT_VALUE,
    ChanceLoop,
    DataclassState,
    Dice,
    FloatMover,
    Heap,
    ListInState,
    ListOfMovers,
    NoMover,
    NoOutcome,
    Pair,
    Walk,
    states_of,
)
from thresholds import check_without_samples


def made(kind: type[Game], **rules: Callable[..., Any]) -> type[Game]:
    """The game with other rules."""
    return type(kind.__name__, (kind,), rules)


def blamed(report: Any, rule: str) -> Any:
    (fault,) = [fault for fault in report.faults if fault.rule == rule]
    return fault


@pytest.fixture
def no_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """No fault, warning or judgement depends on the samples that tell how large a game is."""
    check_without_samples(monkeypatch)


# ---------------------------------------------------------------------- each fault


@pytest.mark.parametrize(("kind", "rule", "text"), FAULTY, ids=[f"{kind.__name__}-{rule}" for kind, rule, _ in FAULTY])
def test_fault_is_named(kind: type[Game], rule: str, text: str) -> None:
    report = check_rules(kind())
    assert any(fault.rule == rule and text in fault.message for fault in report.faults), report.faults
    assert not report.is_sound
    assert all(fault.message and fault.cure for fault in report.faults)


@pytest.mark.parametrize(
    "asked", [{}, {"engine": "compiled"}, *({"method": m} for m in ("search", "alphabeta", "minimax"))]
)
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        (DataclassState, "State must be a NamedTuple"),
        (ListInState, "cannot be looked up: it holds something that can change|has a type that states cannot have"),
        (NoMover, "to_move returns a player who does not exist\n  found:   None"),
        (FloatMover, "to_move returns a player who does not exist\n  found:   1.0"),
        (ListOfMovers, r"to_move returns a player who does not exist\n  found:   \[0, 1\]"),
        (made(Heap, moves=lambda *_: [(1, 0.5)]), r"moves yields \(1, 0.5\), in which 0.5 is"),
        (made(Heap, moves=lambda *_: "12"), "moves does not return moves\n  found:   '12'"),
        (made(Heap, moves=lambda *_: {1}), r"moves does not return moves\n  found:   \{1\}"),
        (made(Heap, play=lambda *_: None), "play returns None, not a State|a state is not a State"),
        (made(Dice, play=lambda *_: None), "play returns None, not a State"),
    ],
)
def test_solving_says_what_is_wrong_too(kind: type[Game], message: str, asked: dict[str, Any]) -> None:
    """They ended in `TypeError`, `AttributeError`, or took 1.0 for a player."""
    with pytest.raises(es.errors.RulesError, match=message):
        es.solve(kind(), **asked)


# What follows from a fault may be reported too; everything else must be quiet.
ALSO_BLAMED = {
    "ListInState": {"start", "play"},
    "ShowRaises": {"show", "draw"},
}


@pytest.mark.parametrize(("kind", "rule"), [case[:2] for case in FAULTY], ids=[case[0].__name__ for case in FAULTY])
def test_no_other_rule_is_blamed(kind: type[Game], rule: str) -> None:
    report = check_rules(kind())
    assert {fault.rule for fault in report.faults} <= ALSO_BLAMED.get(kind.__name__, {rule})
    assert not report.warnings


def test_the_faulty_games_cover_every_rule() -> None:
    rules = {
        "limits",
        "start",
        "moves",
        "play",
        "payoff",
        "to_move",
        "weight",
        "reward",
        "canonical",
        "exchanged",
        "layer",
    }
    assert rules | {"rank", "unrank", "players", "seat", "par", "State", "parameters"} <= {case[1] for case in FAULTY}


def test_fault_names_the_state_as_the_game_shows_it() -> None:
    class Odd(Heap):
        def play(self, state: Any, move: int) -> Any:
            return self.State(state.left - move if state.left != 4 else 99)

        def show(self, state: Any) -> str:
            return f"{state.left} left"

        def parse(self, text: str) -> Any:
            return self.State(int(text.removesuffix(" left"))) if text.endswith(" left") else super().parse(text)

    fault = blamed(check_rules(Odd()), "play")
    assert fault.state == "4 left"
    assert fault.count == 3  # the three moves from there
    assert str(fault).startswith("play: after the move 1 sets the field left to 99")
    assert "cure: " in str(fault)


def test_long_states_are_shortened() -> None:
    class Long(Heap):
        def show(self, state: Any) -> str:
            return "x" * 1000 + str(state.left)

        def payoff(self, state: Any) -> float:
            return 0.5

    state = blamed(check_rules(Long()), "payoff").state
    assert state is not None
    assert len(state) == 200


def test_faults_of_one_kind_are_counted_once() -> None:
    class Doubled(Heap):
        def moves(self, state: Any) -> Any:
            return [*super().moves(state), *super().moves(state)]

    assert blamed(check_rules(Doubled(heap=9)), "moves").count == 9


def test_check_stops_after_twenty_kinds() -> None:
    class Zoo(Heap):
        heap = 200

        def play(self, state: Any, move: int) -> Any:
            class Odd(RuntimeError):
                pass

            Odd.__name__ = f"Odd{state.left}"
            raise Odd if state.left % 2 else ValueError(state.left)

    assert len(check_rules(Zoo()).faults) == 1  # one rule, one cure: one kind
    many = {f"policy_{number}": (lambda self, state: None) for number in range(40)}
    report = check_rules(type("Many", (Heap,), many)())
    assert 20 <= len(report.faults) <= 40
    assert report.states == 1


# ---------------------------------------------------------------------- good games


@pytest.mark.parametrize("kind", GOOD)
def test_good_games_have_no_fault(kind: type[Game]) -> None:
    report = check_rules(kind())
    assert report.faults == ()
    assert report.warnings == ()
    assert report.complete
    assert report.states == len(list(states_of(kind())))


SMALL = {
    "pots": "pots:4-9-2-7",
    "hiddenpots": "hiddenpots:count=4,max=3",
    "rpsbag": "rpsbag:1-2-3/4-0-6/1-1-1",
    "highcard": "highcard:hand=1-3-5-7,rival=8-x-4-x",
    "dominoes": "dominoes:3",
    "pig": "pig:10",
    "nim": "nim:heaps=3-4-2,misere=yes",
    "tictactoe": "tictactoe:width=3,height=2,line=2",
    "connectfour": "connectfour:width=4,height=3,line=3",
    "repeatbust": "repeatbust:sides=3,dice=2",
    "highcardduel": "highcardduel:hand=2-3-5,rival=x-4-x",
}


@pytest.mark.parametrize("name", sorted(BUILT_IN))
@pytest.mark.parametrize("states", times(3_000, 300))
@pytest.mark.usefixtures("no_samples")
def test_built_in_games_are_sound(name: str, states: int) -> None:
    report = check_rules(load(SMALL.get(name, name)), states=states)
    assert report.faults == ()
    assert report.warnings == ()


@pytest.mark.parametrize(("kind", "rule", "text"), WARNED, ids=[case[0].__name__ for case in WARNED])
def test_what_is_odd_only_warns(kind: type[Game], rule: str, text: str) -> None:
    """It does not keep the game from being solved, so it is no fault."""
    report = check_rules(kind())
    assert report.is_sound
    (warning,) = report.warnings
    assert warning.rule == rule
    assert text in warning.message
    assert es.solve(kind()).values() is not None


@pytest.mark.parametrize(("kind", "message", "found"), WITHOUT_VALUE, ids=[case[0].__name__ for case in WITHOUT_VALUE])
def test_no_value_has_one_reason_for_check_value_and_estimate(kind: type[Game], message: str, found: str) -> None:
    report = check_rules(kind())
    assert report.is_sound
    assert report.value is not None
    assert report.value.reason is not None
    told = report.value.reason.error()
    assert message in told.message
    assert found in told.found
    for ask in (es.solve, es.estimate):
        with pytest.raises(NoValue) as caught:
            ask(kind())
        assert str(caught.value) == str(told)
    document = report.to_document()["value"]
    assert document["can_be_told"] is False
    assert document["reason"] == told.message


def test_a_loop_of_chance_that_one_player_keeps_going_has_a_value() -> None:
    report = check_rules(ChanceLoop())
    assert report.is_sound
    assert report.value is not None
    assert report.value.to_document() == {
        "can_be_told": True, "reason": None, "found": None, "advice": None, "complete": True, "notion": None,
    }  # fmt: skip
    assert es.solve(ChanceLoop()).values() == (1,)


def test_broken_rules_are_not_judged() -> None:
    report = check_rules(FAULTY[5][0]())
    assert report.value is None
    assert report.to_document()["value"] is None


def test_an_end_that_names_chance_only_warns() -> None:
    report = check_rules(NoOutcome())
    assert report.is_sound
    assert [(fault.rule, fault.message.split(":")[0]) for fault in report.warnings] == [
        ("to_move", "returns CHANCE where moves yields no outcome")
    ]


def test_symmetry_of_chances_need_not_be_step_by_step() -> None:
    """Two cards are turned over in random order: which is first makes no difference to the total."""

    class Cards(Game):
        players: ClassVar[int] = 1

        class State(NamedTuple):
            first: int
            second: int
            seen: int  # bit set of the rival's cards 2 and 6

        def limits(self) -> Any:
            return self.State(5, 5, 3)

        def start(self) -> Any:
            return self.State(0, 0, 0)

        def to_move(self, state: Any) -> int:
            return CHANCE if state.first and state.seen < 3 else 0

        def moves(self, state: Any) -> Any:
            if not state.first:
                yield from (3, 5)
            else:
                yield from (bit for bit in (1, 2) if not state.seen & bit)

        def play(self, state: Any, move: int) -> Any:
            if not state.first:
                return self.State(move, 8 - move, 0)
            return self.State(state.first if not state.seen else state.second, state.second, state.seen | move)

        def reward(self, state: Any, move: int) -> int:
            own = state.second if state.seen else state.first
            return int(own > 4 * move - 2) if state.first else 0

        def payoff(self, state: Any) -> int:
            return 0

        def canonical(self, state: Any) -> Any:
            return self.State(3, 5, 0) if state.first == 5 and not state.seen else state

    assert check_rules(Cards()).faults == ()

    class Richer(Cards):
        def reward(self, state: Any, move: int) -> int:
            return super().reward(state, move) * (state.first if not state.seen else 1)

    assert blamed(check_rules(Richer()), "canonical").message.endswith("have other rewards or weights")


@pytest.mark.usefixtures("no_samples")
def test_canonical_need_not_see_every_symmetry() -> None:
    """Heaps are sorted only at the top: equivalent successors have different images."""

    class Partly(Pair):
        def canonical(self, state: Any) -> Any:
            return self.State(*sorted(state)) if sum(state) > 5 else state

    assert check_rules(Partly()).faults == ()

    class Wrongly(Partly):
        def canonical(self, state: Any) -> Any:
            return self.State(2, 4) if state == (3, 3) else super().canonical(state)

    assert blamed(check_rules(Wrongly()), "canonical")
    # The relabelling of dominoes tells values apart by what is around them, which is not everything.
    assert check_rules(load("dominoes:n=5"), states=3_000).faults == ()


# ---------------------------------------------------------------------- facts and the document


def test_facts_are_measured() -> None:
    facts = check_rules(Dice()).facts
    assert facts["players"] == 1
    assert facts["chance"]
    assert not facts["cyclic"]
    assert facts["most_moves"] == 3
    assert facts["fields"] == {"total": (0, 8), "stage": (0, 2)}
    assert facts["symmetry"] is None
    assert facts["constant_sum"] is None
    assert check_rules(Walk()).facts["cyclic"]
    pair = Pair()
    states = list(states_of(pair))
    assert check_rules(pair).facts["symmetry"] == Fraction(
        len({pair.canonical(state) for state in states}), len(states)
    )
    assert check_rules(pair).facts["moves"] == sum(len(list(pair.moves(state))) for state in states)
    assert check_rules(pair).facts["ends"] == 1
    assert check_rules(load("pots:1-2-3")).facts["rewards"]


def test_document_is_plain_data() -> None:
    document = check_rules(Pair()).to_document()
    assert json.loads(json.dumps(document)) == document
    assert document["schema"] == "endsight.check/1"
    assert document["game"] == "Pair"
    assert document["complete"] is True
    assert document["facts"]["symmetry"]["exact"] == "7/10"
    faulty = check_rules(FAULTY[5][0]()).to_document()
    assert set(faulty["faults"][0]) == {"rule", "state", "message", "cure", "count", "place"}
    assert json.loads(json.dumps(faulty)) == faulty


# ---------------------------------------------------------------------- limits


@pytest.mark.usefixtures("no_samples")
def test_states_limit_the_check_and_ends_are_seen_all_the_same() -> None:
    report = check_rules(load("connectfour"), states=300)
    assert report.states == 300
    assert not report.complete
    assert report.facts["ends"] > 0


@pytest.mark.parametrize("game", ["goofspiel:cards=7", "tictactoe", "pig:target=20", "ur:pieces=2", "dodgem:size=4"])
@pytest.mark.parametrize("states", each([1, 2, 7, 30, 300], lambda states: states in (1, 7, 300)))
@pytest.mark.usefixtures("no_samples")
def test_a_part_of_a_game_is_judged_as_far_as_it_goes(game: str, states: int) -> None:
    """A part may end anywhere: without loops and ends, too, where no payments are known yet."""
    report = check_rules(load(game), states=states)
    assert report.is_sound
    assert report.value is None or report.value.reason is None


def test_no_time_means_no_states() -> None:
    report = check_rules(load("connectfour"), seconds=0)
    assert report.states < 10
    assert not report.complete


def test_nothing_is_complete_where_the_moves_are_unknown() -> None:
    class Unknown(Heap):
        def moves(self, state: Any) -> Any:
            raise ValueError

    assert not check_rules(Unknown()).complete


def test_small_limits_do_not_hide_the_rest() -> None:
    assert check_rules(Heap(heap=40), states=100).complete
    assert not check_rules(Heap(heap=40), states=10).complete
    assert check_rules(Heap(), states=0).states == 1


def test_fault_far_from_the_start_is_met_in_a_random_game() -> None:
    class Deep(Game):
        """A counter of many digits: breadth first never gets to the end."""

        class State(NamedTuple):
            digits: int
            length: int

        def limits(self) -> Any:
            return self.State(2**40, 40)

        def start(self) -> Any:
            return self.State(0, 0)

        def moves(self, state: Any) -> Any:
            if state.length < 40:
                yield from (0, 1)

        def play(self, state: Any, move: int) -> Any:
            return self.State(2 * state.digits + move, state.length + 1)

        def payoff(self, state: Any) -> float:
            return 1.0

    assert blamed(check_rules(Deep(), states=500), "payoff")


def test_loop_is_found_whatever_the_size() -> None:
    class Ring(Walk):
        squares = 3_000

        def moves(self, state: Any) -> Any:
            yield from (1, self.squares - 1)

        def play(self, state: Any, move: int) -> Any:
            return self.State((state.square + move) % self.squares)

    (warning,) = check_rules(Ring()).warnings
    assert "no end can be reached" in warning.message
    assert es.solve(Ring()).values() == (0, 0)


def test_rewards_beside_a_loop_are_counted() -> None:
    class Entrance(Walk):
        """A fee for the way in; the ring itself pays nothing."""

        squares = 6

        def moves(self, state: Any) -> Any:
            if state.square == 0:
                yield 1
            elif state.square < 5:
                yield from (0, 1)

        def play(self, state: Any, move: int) -> Any:
            return self.State(state.square + move if move or state.square == 1 else 1)

        def reward(self, state: Any, move: int) -> int:
            return 3 * int(state.square == 0)

    report = check_rules(Entrance())
    assert report.is_sound
    assert not report.warnings
    assert report.value is not None
    assert report.value.reason is None
    # Whoever goes on to the top loses 1, so both stay for ever with the fee.
    assert es.solve(Entrance()).values() == (3, -3)


def test_cached_tables_are_no_change() -> None:
    from functools import cached_property

    class Cached(Heap):
        @cached_property
        def most(self) -> int:
            return 3

        def moves(self, state: Any) -> Any:
            yield from range(1, min(self.most, state.left) + 1)

    assert check_rules(Cached()).faults == ()


# ---------------------------------------------------------------------- nothing gets out


class Nasty:
    """Compares and prints with an exception, and cannot be hashed."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no comparison")

    def __repr__(self) -> str:
        raise RuntimeError("no picture")

    __hash__ = None  # type: ignore[assignment]


RULES = (
    *("limits", "start", "moves", "play", "payoff", "to_move", "weight", "reward", "canonical", "layer", "rank"),
    *(
        "exchanged",
        "unrank",
        "seat",
        "par",
        "players",
        "show",
        "parse",
        "show_move",
        "parse_move",
        "draw",
        "svg",
        "is_over",
    ),
    "policy_odd",
)
WRONG = (None, 1.5, float("nan"), "text", [1], {}, object(), Nasty(), (Nasty(),), b"x", Ellipsis, 10**5000)


def with_rule(kind: type[Game], rule: str, function: Callable[..., Any]) -> Game:
    return type("Changed", (kind,), {rule: function})()


@pytest.mark.parametrize("rule", RULES)
def test_wrong_results_never_raise(rule: str) -> None:
    for kind in (Heap, Dice, Pair, Walk):
        for wrong in WRONG:
            report = check_rules(with_rule(kind, rule, lambda *_, wrong=wrong: wrong))
            assert json.dumps(report.to_document())
            assert all(str(fault) for fault in report.faults + report.warnings)


@pytest.mark.parametrize(
    "rule", [rule for rule in RULES if rule not in ("unrank", "seat", "weight", "parse", "is_over")]
)
def test_wrong_kinds_are_faults(rule: str) -> None:
    for wrong in (1.5, None, [1], Nasty()):
        if rule == "parse_move" and wrong is None:
            continue  # says that the text stands for no move
        report = check_rules(with_rule(Dice, rule, lambda *_, w=wrong: w))
        assert rule in {fault.rule for fault in report.faults + report.warnings}
    assert "weight" in {fault.rule for fault in check_rules(with_rule(Dice, "weight", lambda *_: [1])).faults}
    assert "seat" in {fault.rule for fault in check_rules(with_rule(Heap, "seat", lambda *_: [1])).faults}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("error", [ValueError, RecursionError, MemoryError, StopIteration, KeyError, RuntimeError])
def test_exceptions_never_get_out(rule: str, error: type[Exception]) -> None:
    def failing(*_: object) -> None:
        raise error("on purpose")

    for kind in (Dice, Pair):
        report = check_rules(with_rule(kind, rule, failing))
        if rule not in ("weight", "unrank", "seat", "reward"):
            assert not report.is_sound


class Chained(NamedTuple):
    value: int
    below: Chained | None


class Chains(Game):
    """A state that holds states, without a bound."""

    class State(NamedTuple):
        top: Chained

    def start(self) -> State:
        return self.State(Chained(1, None))

    def moves(self, state: State) -> range:
        return range(state.top.value)

    def play(self, state: State, move: int) -> State:
        return self.State(Chained(0, state.top))

    def payoff(self, state: State) -> int:
        return 1


def test_a_type_that_contains_itself_is_named_where_no_rule_of_the_author_is_to_blame() -> None:
    faults = [fault for fault in check_rules(Chains()).faults if fault.rule != "limits"]
    assert {fault.rule for fault in faults} == {"State"}
    assert all("a field whose type contains itself" in fault.message for fault in faults)
    assert not any("recursion" in fault.cure for fault in faults)
