"""Certificates of two plans: what they prove of games with hidden information, and every lie that is refused."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import seeds
from certificate_texts import text_of
from endsight import Certificate, Game
from endsight.verifier import SCHEMA
from endsight.verifier.certificate import Evidence, Plan, Plans
from endsight.verifier.rules import rules_hash
from endsight.verifier.walk import MOST_PLIES
from endsight.verifier.words import SECURED, SIGHT
from hidden_games import Poker
from hidden_plans import Behaviour, Plain, Tree, View, masses, random_behaviour, random_tree
from verifier_cases import claim

MEANT = f"{SECURED}; {SIGHT}"
TINY = Fraction(1, 10**30)


def certificate(game: Game, plans: Evidence, low: Any, high: Any, total: Any = 0, **more: Any) -> Certificate:
    about: Any = {"text": "by hand", "class": type(game).__name__, "own": True, "parameters": game.values()}
    about["rules"] = rules_hash(type(game))
    low, high = Fraction(low), Fraction(high)
    value = {"first": (low, high), "second": (total - high, total - low)}
    made = Certificate(SCHEMA, "", about, claim(value, **{"notion": MEANT, **more}), plans)
    return Certificate.from_text(text_of(made))


def plans_of(game: Game, first: Behaviour, second: Behaviour) -> Plans:
    made = [masses(game, player, behaviour) for player, behaviour in enumerate((first, second))]
    return Plans(*(Plan(total, tuple(each)) for total, each in made))


def poker(player: int, view: View, moves: Any) -> tuple[int, int]:
    """An equilibrium of Kuhn's poker: weights of passing and betting."""
    seen = [thing for kind, thing in view if kind == "saw"]
    card, told = seen[-1]
    if player == 0:
        return {(2, 5): (2, 1), (3, 5): (0, 1)}.get((card, told), (1, 0))
    return {(1, 1): (2, 1), (2, 2): (2, 1), (3, 1): (0, 1), (3, 2): (0, 1)}.get((card, told), (1, 0))


PLANS = plans_of(Poker(), poker, poker)
VALUE = Fraction(-1, 18)
NOTHING = Plans(Plan(1, ()), Plan(1, ()))
"""Plans of players who decide nothing."""


def refused(made: Certificate, kind: type[Game] = Poker, error: type[es.EndsightError] = es.Wrong) -> str:
    with pytest.raises(error) as caught:
        es.verify(made, kind)
    return str(caught.value)


def test_the_value_of_poker_is_proven() -> None:
    made = certificate(Poker(), PLANS, VALUE, VALUE)
    verdict = es.verify(made, Poker)
    assert verdict.checked[1] == "plans: 30 ends, 6 and 6 information sets, a best reply to each plan"
    assert verdict.claim == (
        "Poker(cards=3) at the start: first secures -1/18, second secures 1/18; every player sees what `sees` gives"
    )
    assert len(made.to_text()) < 700


def test_a_range_is_proven_where_plans_are_not_best() -> None:
    def even(player: int, view: View, moves: Any) -> tuple[int, ...]:
        return (1,) * len(moves)

    plans = plans_of(Poker(), even, even)
    low, high = (Plain(Poker()).best_reply(player, even) for player in (1, 0))
    assert low < VALUE < high
    text = es.verify(certificate(Poker(), plans, low, high), Poker).claim
    assert "first secures between" in text
    assert "no exact value is claimed" in text
    assert "proven between" in refused(certificate(Poker(), plans, low + TINY, high))
    assert "proven between" in refused(certificate(Poker(), plans, low, high - TINY))
    assert es.verify(certificate(Poker(), plans, low - TINY, high + TINY), Poker)


@pytest.mark.parametrize("seed", seeds(60, 10))
def test_what_random_plans_secure_is_found_exactly(seed: int) -> None:
    """Against every pure reply, with chance, gains, moves at once and sets that are not come to."""
    draw = random.Random(seed)
    game = random_tree(draw, depth=3)
    first, second = random_behaviour(draw), random_behaviour(draw)
    if any(_replies(sets.values()) > 300 for sets in Plain(game).sets()):
        return
    low, high = Plain(game).best_reply(1, first), Plain(game).best_reply(0, second)
    assert (low, high) == (Plain(game).replied(1, first), Plain(game).replied(0, second))
    plans = plans_of(game, first, second)
    assert es.verify(certificate(game, plans, low, high, total=1), Tree)
    assert "is not as claimed" in refused(certificate(game, plans, low + TINY, high, total=1), Tree)
    assert "is not as claimed" in refused(certificate(game, plans, low, high - TINY, total=1), Tree)
    assert "is not as claimed" in refused(certificate(game, plans, low, high, total=1 + TINY), Tree)


def _replies(sets: Any) -> int:
    found = 1
    for moves in sets:
        found *= len(moves)
    return found


# ---------------------------------------------------------------------- lies

Change = Callable[[dict[str, Any]], Any]
ENTRY = "do not add up to what arrives there"


def moved(player: str, place: int, by: int) -> Change:
    def change(evidence: dict[str, Any]) -> None:
        numbers = list(map(int, evidence[player]["masses"].split()))
        numbers[place] += by
        evidence[player]["masses"] = " ".join(map(str, numbers))

    return change


def rewritten(player: str, change: Callable[[list[int]], list[int]]) -> Change:
    def whole(evidence: dict[str, Any]) -> None:
        numbers = list(map(int, evidence[player]["masses"].split()))
        evidence[player]["masses"] = " ".join(map(str, change(numbers)))

    return whole


def swapped(numbers: list[int]) -> list[int]:
    """The first set's pair in the place of the second's."""
    return [*numbers[2:4], *numbers[:2], *numbers[4:]]


def exchange(evidence: dict[str, Any]) -> None:
    evidence["first"], evidence["second"] = evidence["second"], evidence["first"]


LIES: dict[str, tuple[Change, str]] = {
    "an entry one higher": (moved("first", 0, 1), ENTRY),
    "an entry one lower": (moved("second", 0, -1), ENTRY),
    "sums right, a child's wrong": (
        rewritten("first", lambda numbers: [numbers[0] - 1, numbers[1] + 1, *numbers[2:]]),
        ENTRY,
    ),
    "an entry below 0": (rewritten("first", lambda numbers: [numbers[0] + 1, -1, *numbers[2:]]), ENTRY),
    "a set missing": (rewritten("second", lambda numbers: numbers[2:]), ENTRY),
    "the last set missing": (rewritten("second", lambda numbers: numbers[:-2]), ENTRY),
    "a set too many": (rewritten("second", lambda numbers: [*numbers, 3, 0]), "more masses than its information sets"),
    "sets exchanged": (rewritten("second", swapped), "the value of first is not as claimed"),
    "plans exchanged": (exchange, "more masses than its information sets"),
    "another total": (lambda evidence: evidence["first"].update(total="4"), ENTRY),
    "another total, all": (
        lambda evidence: [rewritten("second", lambda numbers: [2 * own for own in numbers])(evidence)],
        ENTRY,
    ),
}


@pytest.mark.parametrize("name", LIES)
def test_every_lie_about_poker_is_refused(name: str) -> None:
    change, reason = LIES[name]
    document = json.loads(certificate(Poker(), PLANS, VALUE, VALUE).to_text())
    change(document["evidence"])
    assert reason in refused(Certificate.from_text(json.dumps(document)))


def test_every_single_entry_of_poker_counts() -> None:
    """Moved by one either way, and by one from each entry to its neighbour."""
    for player in ("first", "second"):
        size = len(getattr(PLANS, player).masses)
        for place in range(size):
            for change in (moved(player, place, 1), moved(player, place, -1)):
                document = json.loads(certificate(Poker(), PLANS, VALUE, VALUE).to_text())
                change(document["evidence"])
                assert ENTRY in refused(Certificate.from_text(json.dumps(document)))


CLAIMS: dict[str, tuple[dict[str, Any], str]] = {
    "lower too high": ({"low": VALUE + TINY}, "the value of first is not as claimed"),
    "upper too low": ({"high": VALUE - TINY}, "the value of first is not as claimed"),
    "another sum": ({"total": 1}, "the value of second is not as claimed"),
    "no word about sight": ({"notion": SECURED}, "the claim does not say what its values mean"),
    "only sight": ({"notion": SIGHT}, "the claim does not say what its values mean"),
    "no notion": ({"notion": None}, "the claim does not say what its values mean"),
    "a category": ({"category": "loss"}, "the category is 'value', not 'loss'"),
    "in the middle": ({"position": "1 2"}, "the position starts no subgame"),
    "set up": ({"set_up": "first=0 second=0 told=0"}, "plans are for positions after moves from the start"),
    "together": ({"objective": "cooperative"}, "plans need two rivals without fixed policies"),
    "outcomes": ({"player": "first", "outcomes": ((Fraction(0), Fraction(1)),)}, "prove no outcomes"),
    "against a policy": ({"fixed": {"second": "random"}}, "plans need two rivals without fixed policies"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_other_claims_are_refused(name: str) -> None:
    change, reason = CLAIMS[name]
    made = certificate(Poker(), PLANS, **{"low": VALUE, "high": VALUE, **change})
    assert reason in refused(made)


def test_wins_and_leads_are_counted_at_the_ends() -> None:
    """Twice the value in the lead; of two players who get the same together, the chance to win."""
    assert es.verify(certificate(Poker(), PLANS, 2 * VALUE, 2 * VALUE, utility="lead"), Poker)
    low, high = Fraction(0), Fraction(1)
    assert es.verify(certificate(Poker(), PLANS, low, high, total=1, utility="win"), Poker)


# ---------------------------------------------------------------------- rules


class Broken(Poker):
    """Poker with one rule that does not hold."""

    fault: str = ""

    def moves(self, state: Any) -> Any:
        moves = tuple(super().moves(state))
        if state.told == 2 and state.first == 3 and moves:
            return {"moves": (1,), "order": (2, 1), "twice": (1, 2, 2)}.get(self.fault, moves)
        return moves

    def payoff(self, state: Any) -> Any:
        first, second = super().payoff(state)
        return (first, second + 1) if self.fault == "sum" and state == (2, 3, 4) else (first, second)

    def sees(self, state: Any, player: int) -> Any:
        return [1] if self.fault == "list" else super().sees(state, player)


FAULTS = {
    "moves": (es.Wrong, "a player who has seen and done the same has different moves"),
    "twice": (es.errors.RulesError, "a move occurs twice, or the joint moves are not all combinations"),
    "sum": (es.Wrong, "the two players do not get the same sum at every end"),
    "list": (es.errors.RulesError, "the rules do not work"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_rules_that_are_no_game_for_plans_are_refused(fault: str) -> None:
    error, reason = FAULTS[fault]
    assert reason in refused(certificate(Broken(fault=fault), PLANS, VALUE, VALUE), Broken, error)


def test_the_order_of_moves_may_differ_inside_an_information_set() -> None:
    assert es.verify(certificate(Broken(fault="order"), PLANS, VALUE, VALUE), Broken)


class Alone(Game):
    """One or two players of whom the first ends play, or chance does some time."""

    count: int = 1
    chance: bool = False

    class State(NamedTuple):
        over: int

    def players(self) -> int:
        return self.count

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> int:
        return -1 if self.chance else 0

    def moves(self, state: Any) -> Any:
        return () if state.over else (0, 1)

    def play(self, state: Any, move: int) -> Any:
        return self.State(move if self.chance else 1)

    def payoff(self, state: Any) -> Any:
        return (0,) * self.count


def test_play_that_may_go_on_for_ever_is_refused() -> None:
    made = certificate(Alone(count=2, chance=True), NOTHING, 0, 0, notion=SECURED)
    assert f"play does not end within {MOST_PLIES:,} plies" in refused(made, Alone)


def test_plans_are_about_two_players() -> None:
    made = certificate(Alone(), Plans(Plan(1, (1, 0)), Plan(1, ())), 0, 0)
    assert "plans need two rivals without fixed policies" in refused(made, Alone)


def test_no_other_evidence_says_anything_of_hidden_cards() -> None:
    """Backward induction would let everybody see all cards."""
    made = certificate(Poker(), PLANS, VALUE, VALUE)
    document = json.loads(made.to_text())
    document["evidence"] = {"kind": "induction"}
    assert "players see different things" in refused(Certificate.from_text(json.dumps(document)))


# ---------------------------------------------------------------------- texts that cannot be read

TEXTS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a total of nothing": lambda evidence: evidence["first"].update(total="0"),
    "a total below nothing": lambda evidence: evidence["first"].update(total="-3"),
    "a total that is a number": lambda evidence: evidence["first"].update(total=3),
    "a total beyond reason": lambda evidence: evidence["first"].update(total=hex(1 << 1_200_000)),
    "a mass that is a fraction": lambda evidence: evidence["first"].update(masses="1/2 1/2"),
    "a mass with a point": lambda evidence: evidence["first"].update(masses="1.5"),
    "masses as a list": lambda evidence: evidence["first"].update(masses=[1, 0]),
    "masses nested deep": lambda evidence: evidence["first"].update(masses=json.loads("[" * 900 + "]" * 900)),
    "one plan only": lambda evidence: evidence.pop("second"),
    "no plan": lambda evidence: evidence.update(second=None),
    "a key more": lambda evidence: evidence["first"].update(more=1),
    "cut off": lambda evidence: evidence["first"].update(masses="zlib:eJwzVDBUMFQwBAAGyAFr"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_files_that_are_no_plans_cannot_be_read(name: str) -> None:
    document = json.loads(certificate(Poker(), PLANS, VALUE, VALUE).to_text())
    TEXTS[name](document["evidence"])
    with pytest.raises(es.FileError, match="is not a certificate that can be read"):
        Certificate.from_text(json.dumps(document))


def test_nesting_beyond_reason_is_no_crash() -> None:
    with pytest.raises(es.FileError, match="is not a certificate that can be read"):
        Certificate.from_text('{"evidence": ' + "[" * 100_000 + "]" * 100_000 + "}")


def test_claims_in_words_say_what_is_written_whatever_it_is() -> None:
    made = certificate(Poker(), PLANS, VALUE, VALUE, notion="secured; \x1b[31mred")
    assert "secures -1/18" in repr(made)
    assert "\x1b" not in repr(made)


def test_time_is_kept() -> None:
    with pytest.raises(es.errors.LimitReached, match="the time is up"):
        es.verify(certificate(Poker(cards=40), PLANS, VALUE, VALUE), Poker, seconds=0.0)
