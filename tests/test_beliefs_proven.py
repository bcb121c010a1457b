"""Certificates of games in which all players see the same: what they know is found again, and walked through."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_beliefs
from amounts import each, seeds
from belief_oracle import HistoryOracle
from certificate_texts import text_of
from command_line import run
from endsight import CHANCE, Certificate, Game
from endsight.verifier.beliefs import Beliefs
from endsight.verifier.certificate import Bounds, Induction, Plans, Play
from endsight.verifier.checking import induced
from endsight.verifier.walk import MOST_PLIES, NOBODY, Walk
from endsight.verifier.words import SIGHT
from hidden_rules import BlindBag, NaiveBag, NaiveHighCard, NaivePots
from test_plan_certificates import TINY, certificate, refused
from verifier_cases import claim

RULES = Path(__file__).with_name("hidden_rules.py")
GAMES: tuple[Game, ...] = (
    NaiveBag(),
    BlindBag(dice=((1, 0, 0), (0, 1, 1))),
    NaiveHighCard(hand=(1, 4, 6), rival=(0, 0, 0)),
    NaivePots(count=3, most=2),
)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_naive_rules_are_proven(game: Game) -> None:
    for utility in ("payoff", "win") if game.player_count == 2 else ("payoff",):
        solution = es.solve(game, utility=utility)
        made = es.prove(solution)
        verdict = es.verify(made, type(game))
        assert verdict.claim.endswith("; every player sees what `sees` gives")
        values = zip(game.player_names, solution.values(), strict=True)
        assert made.claim.value == {name: (value, value) for name, value in values}
        for shift in (TINY, -TINY):
            document = json.loads(made.to_text())
            value = solution.values()[0] + shift
            document["claim"]["value"][game.player_names[0]] = f"{value.numerator}/{value.denominator}"
            assert "is not as claimed" in refused(Certificate.from_text(json.dumps(document)), type(game))


@pytest.mark.parametrize("seed", seeds(60, 10))
def test_random_games_have_the_values_of_their_beliefs(seed: int) -> None:
    """Their rules take rows, which no file holds, so that the walk is asked itself."""
    game = fuzz_beliefs.random_game(Random(seed))
    walk = Walk(Beliefs(game, claim({}), {}), NOBODY, lambda *_: -1)
    found, _ = induced(walk)
    oracle = HistoryOracle(game).value()
    assert [low for low, _ in found.values()] == list(oracle)


# Games 0, 1 and 3 take as long as all others.
@pytest.mark.parametrize("seed", each(range(12), lambda seed: seed in (2, 4, 6)))
def test_positions_of_random_games_are_worth_what_is_known_there(seed: int) -> None:
    """Every position of every play, and the value of all histories that look like it."""
    game = fuzz_beliefs.random_game(Random(seed))
    solution, oracle, places, proven = es.solve(game), HistoryOracle(game), [game.position()], 0
    for place in places:
        places += [place.play(move) for move in place.moves()][: 200 - len(places)]
        if not place.history:
            continue
        wanted = oracle.after(place.history)
        made = claim({}, position=place.text)
        found, _ = induced(Walk(Beliefs(game, made, {}), NOBODY, lambda *_: -1))
        assert [low for low, _ in found.values()] == list(wanted), place.text
        if solution.values(solution.asked(place)) != wanted:
            with pytest.raises(es.QuestionError, match=r"depends on what nobody has seen|play may be over"):
                es.prove(es.solve(game, place.text))
            continue
        told = es.prove(es.solve(game, place.text))
        assert [low for low, _ in told.claim.value.values()] == list(wanted)
        assert es.verify(told, type(game))
        proven += not place.is_over
    assert proven


@pytest.mark.parametrize(
    "at", ["rock", "rock ? paper", "rock die1 paper", "rock ? paper rock", "rock ? paper rock ? rock"]
)
def test_positions_are_proven_for_what_is_known(tmp_path: Path, at: str) -> None:
    """What nobody has seen may be told or not; the claim names one of the plays that look like that."""
    file, value = str(tmp_path / "bag.cert"), es.solve(NaiveBag(), at).values()[0]
    assert run("prove", f"{RULES}:NaiveBag", "--at", at, "-o", file).code == 0
    assert es.verify(file, NaiveBag)
    document = json.loads(Path(file).read_text(encoding="utf-8"))
    assert "?" not in document["claim"]["position"]
    assert Fraction(document["claim"]["value"]["player"]) == value
    document["claim"]["position"] = "rock die1 scissors"
    assert "is not as claimed" in refused(Certificate.from_text(json.dumps(document)), NaiveBag)


def test_an_unseen_coin_tells_nothing() -> None:
    """After a coin that nobody has seen the guess is worth what it was worth before; the guess itself tells."""
    for position, value in (("1", Fraction(2, 3)), ("1 1", Fraction(1, 3)), ("2 1", Fraction(1, 3))):
        assert es.verify(guessed(value, position=position), Guess)


def test_by_the_command_line(tmp_path: Path) -> None:
    file = str(tmp_path / "bag.cert")
    made = run("prove", f"{RULES}:NaiveBag", "-o", file)
    assert made.code == 0, made.err
    said = run("verify", file, f"{RULES}:NaiveBag")
    assert said.code == 0, said.err
    assert "every player sees what `sees` gives" in " ".join(said.out.split())
    said = run("prove", f"{RULES}:NaiveBag", "--dist", "player", "-o", file)
    assert (said.code, "have no certificate, only values" in said.err) == (2, True)


# ---------------------------------------------------------------------- by hand


class Guess(Game):
    """A coin is thrown unseen, with weights 1 and 2; a player guesses it, or two do, one after the other."""

    count: int = 1
    fault: str = ""

    class State(NamedTuple):
        coin: int
        told: int
        more: int

    def players(self) -> int:
        return self.count

    def limits(self) -> Any:
        return self.State(2, 99, 9)

    def start(self) -> Any:
        return self.State(0, 0, 0)

    def to_move(self, state: Any) -> int:
        if state.coin == 0:
            return CHANCE
        return state.coin - 1 if self.fault == "turns" else state.more % self.count

    def moves(self, state: Any) -> Any:
        if state.coin == 0:
            return (1, 2)
        return () if state.more == self.count else (1, 2, 3)[: 3 if self.fault == "moves" and state.coin == 2 else 2]

    def weight(self, state: Any, move: int) -> int:
        return move

    def play(self, state: Any, move: int) -> Any:
        if state.coin == 0:
            return self.State(0 if self.fault == "loop" else move, 0, 0)
        if self.fault == "again" and move == 2:
            return self.State(state.coin, 0, 0)
        return self.State(state.coin, 4 * state.told + move, state.more + 1)

    def reward(self, state: Any, move: int) -> Any:
        if self.fault == "gift":
            return int(state.coin > 0), 0
        early = 6 * (move == 1) if self.fault == "early" and state.coin == 0 else 0
        return (early, -early)[: self.count]

    def payoff(self, state: Any) -> Any:
        right = int(state.told % 4 == state.coin)
        return (-right, right) if self.count == 2 else (right,)

    def policy_right(self, state: Any) -> int:
        """What the coin shows."""
        return int(state.coin)

    def sees(self, state: Any, player: int) -> Any:
        if self.fault == "apart":
            return state.coin * player, state.told
        return state.coin * (self.fault == "open"), state.told * (self.fault != "unseen")


def guessed(value: Any, evidence: Any = None, **more: Any) -> Certificate:
    """A certificate about guessing, by backward induction where nothing else is given."""
    game = Guess(**{key: more.pop(key) for key in ("count", "fault") if key in more})
    low = high = Fraction(value)
    brought = 2 * (game.fault == "gift")
    ends = {"player": (low, high)} if game.count == 1 else {"first": (brought - high,) * 2, "second": (low, high)}
    made = certificate(game, evidence or Induction(), 0, 0, **{"notion": SIGHT, **more})
    made = replace(made, claim=replace(made.claim, value=ends))
    return Certificate.from_text(text_of(made))


class Later(Game):
    """Unseen chance asks the player at once, or shows something before, or ends; asked at once, the player gets 1."""

    players = 1

    class State(NamedTuple):
        place: int

    def limits(self) -> Any:
        return self.State(6)

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> int:
        return 0 if state.place in (1, 3) else CHANCE

    def moves(self, state: Any) -> Any:
        return {0: (1, 2), 1: (4, 5), 2: (3, 5), 3: (5, 6)}.get(state.place, ())

    def play(self, state: Any, move: int) -> Any:
        return self.State(move)

    def payoff(self, state: Any) -> int:
        return int(state.place == 4)

    def sees(self, state: Any, player: int) -> int:
        return (state.place > 2) * state.place


def later(position: str, value: int) -> Certificate:
    """A certificate about that by backward induction."""
    made = certificate(Later(), Induction(), 0, 0, notion=SIGHT, position=position)
    made = replace(made, claim=replace(made.claim, value={"player": (Fraction(value),) * 2}))
    return Certificate.from_text(text_of(made))


def test_who_is_asked_knows_that_nothing_else_was_shown() -> None:
    assert es.verify(later("1", 1), Later)
    assert es.verify(later("2 3", 0), Later)
    assert es.verify(later("2 5", 0), Later)
    assert "is not as claimed" in refused(later("1", 0), Later)


def test_a_coin_that_nobody_has_seen() -> None:
    """The likelier side is guessed: 2/3, and not 1, which those would get who see it."""
    assert es.verify(guessed(Fraction(2, 3)), Guess).checked[1] == "backward induction: 4 states, 3 moves, 1 choices"
    assert "is not as claimed" in refused(guessed(1), Guess)
    assert es.verify(guessed(1, fault="open"), Guess)
    assert es.verify(guessed(Fraction(2, 3) + 2, fault="early"), Guess)


def test_two_players_who_see_each_other_guess() -> None:
    assert es.verify(guessed(Fraction(2, 3), count=2), Guess)
    assert es.verify(guessed(Fraction(2, 3), count=2, fault="gift"), Guess)


def test_bounds_are_about_beliefs_too() -> None:
    best = Bounds(Play((1,)), Play(()))
    assert es.verify(guessed(Fraction(2, 3), best), Guess)
    assert "is not as claimed" in refused(guessed(Fraction(2, 3), Bounds(Play((0,)), Play(()))), Guess)


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "other moves": ({"fault": "moves"}, "players cannot distinguish states"),
    "another player": ({"fault": "turns", "count": 2}, "players cannot distinguish states"),
    "unseen moves": ({"fault": "unseen", "count": 2}, "players do not see which move was made"),
    "other sights": ({"fault": "apart", "count": 2}, "players see different things"),
    "chance without end": ({"fault": "loop"}, f"chance that nobody sees does not end within {MOST_PLIES:,} plies"),
    "after moves": ({"position": "1 1"}, "the value of player is not as claimed"),
    "set up": ({"set_up": "coin=1 told=0 more=0"}, "where something is hidden, claims are for moves from the start"),
    "a policy": (
        {"fixed": {"player": "right"}},
        "where something is hidden, claims are for moves from the start, without policies",
    ),
    "no word about sight": ({"notion": None}, "the claim does not say what its values mean"),
    "a win": ({"category": "win"}, "the category is 'value', not 'win'"),
    "outcomes": (
        {"player": "player", "outcomes": ((Fraction(1), Fraction(1)),)},
        "where something is hidden, claims are for moves from the start, without policies or outcomes",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_game_of_beliefs_is_refused(name: str) -> None:
    change, reason = REFUSED[name]
    assert reason in refused(guessed(Fraction(2, 3), **change), Guess)


AGAIN = Bounds(Play((0,)), Play((), ((3, 1),), (1,), (1,)))
"""The other guess leads back to where it was made."""


def test_play_that_comes_back_to_a_belief() -> None:
    assert es.verify(guessed(Fraction(1, 3), AGAIN, fault="again"), Guess)
    assert "backward induction" in refused(guessed(Fraction(1, 3), fault="again"), Guess)
    never = Bounds(Play((0,), (), (1,), (0,)), None)
    made = guessed(0, never, fault="again", count=2, utility="win")
    assert "totals depend on what is hidden" in refused(made, Guess)


def test_one_player_need_not_see_the_own_moves() -> None:
    assert es.verify(guessed(Fraction(2, 3), fault="unseen"), Guess)


def test_what_others_do_not_see_is_no_belief_of_the_solver_either() -> None:
    """Who guesses second does not know the first guess: the values of beliefs would be those of another game."""
    made = es.prove(es.solve(Guess(count=2, fault="unseen")))
    assert isinstance(made.evidence, Plans)
    assert es.verify(made, Guess)


class Uneven(Game):
    """A coin that nobody sees: heads, or tails and then a draw of two things; then a guess which of the three it is."""

    players = 1

    class State(NamedTuple):
        drawn: int
        guess: int

    def limits(self) -> Any:
        return self.State(4, 3)

    def start(self) -> Any:
        return self.State(0, 0)

    def to_move(self, state: Any) -> int:
        return CHANCE if state.drawn in (0, 4) else 0

    def moves(self, state: Any) -> tuple[int, ...]:
        if state.guess:
            return ()
        return {0: (1, 4), 4: (2, 3)}.get(state.drawn, (1, 2, 3))

    def weight(self, state: Any, move: int) -> int:
        return 2 if move == 3 else 1

    def play(self, state: Any, move: int) -> Any:
        return self.State(move, 0) if state.drawn in (0, 4) else self.State(state.drawn, move)

    def payoff(self, state: Any) -> int:
        return state.guess if state.guess == state.drawn else 0

    def sees(self, state: Any, player: int) -> int:
        return state.guess


def test_what_comes_about_sooner_and_later_counts_alike() -> None:
    made = claim({})
    found, _ = induced(Walk(Beliefs(Uneven(), made, {}), NOBODY, lambda *_: -1))
    assert [*found.values()] == [(Fraction(1), Fraction(1))]
    assert es.solve(Uneven()).values() == (Fraction(1),)
