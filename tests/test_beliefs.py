"""Games in which all players see the same, from naive rules: as the built-in games, and as all histories followed."""

from __future__ import annotations

import json
from enum import IntEnum
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_beliefs
import thresholds
from amounts import each, seed_rows
from at_once import value_of_matrix
from belief_oracle import HistoryOracle
from command_line import ask, run
from endsight import CHANCE, Game
from endsight.errors import NoValue
from hidden_rules import BlindBag, NaiveBag, NaiveHighCard, NaivePots

DICE = ((1, 2, 3), (4, 5, 6), (2, 2, 2))
BAGS = [DICE, ((1, 0, 0), (0, 1, 1)), ((3, 1, 1), (1, 1, 3), (1, 1, 3), (0, 2, 1)), ((1, 1, 1),)]
CARDS = [((1, 3, 5, 7), (8, 0, 4, 0)), ((2, 3), (0, 0)), ((1, 4, 6), (0, 0, 0)), ((2, 5, 8, 3), (0, 7, 0, 0))]
RULES = Path(__file__).with_name("hidden_rules.py")


@pytest.mark.parametrize("dice", BAGS)
def test_a_bag_of_dice_is_the_game_of_counted_faces(dice: tuple[tuple[int, ...], ...]) -> None:
    known = es.solve(es.games.RpsBag(dice=dice))
    for rules in (NaiveBag, BlindBag):
        found = es.solve(rules(dice=dice))
        assert found.value() == known.value()
        assert dict(found.distribution().items()) == dict(known.distribution().items())
        if len(dice) < 4:
            assert HistoryOracle(rules(dice=dice)).value() == found.values()


@pytest.mark.parametrize(("hand", "rival"), CARDS)
@pytest.mark.parametrize("utility", ["payoff", "win"])
def test_cards_against_a_shuffled_order(hand: tuple[int, ...], rival: tuple[int, ...], utility: Any) -> None:
    known = es.solve(es.games.HighCard(hand=hand, rival=tuple(card or None for card in rival)), utility=utility)
    found = es.solve(NaiveHighCard(hand=hand, rival=rival), utility=utility)
    assert found.value() == known.value()
    assert dict(found.distribution().items()) == dict(known.distribution().items())


@pytest.mark.parametrize("known", each([{6: 14, 7: 16}, {0: 2, 1: 4}, {4: 10, 6: 14}], lambda known: 7 in known))
def test_eight_cards_of_which_six_are_shuffled(known: dict[int, int]) -> None:
    hand, rival = tuple(range(1, 16, 2)), tuple(known.get(place, 0) for place in range(8))
    found = es.solve(NaiveHighCard(hand=hand, rival=rival))
    assert found.value() == es.solve(es.games.HighCard(hand=hand, rival=tuple(card or None for card in rival))).value()
    assert len(found.game.hidden.graph) > 500_000


@pytest.mark.parametrize(("count", "most"), [(1, 2), (2, 3), (3, 2), pytest.param(4, 3, marks=pytest.mark.slow)])
@pytest.mark.parametrize("utility", ["payoff", "win", "lead"])
@pytest.mark.parametrize("objective", ["competitive", "cooperative"])
def test_pots_that_are_filled_first(count: int, most: int, utility: Any, objective: Any) -> None:
    asked = {"utility": utility, "objective": objective}
    for fixed in ({}, {"second": "random"}, {"first": "worst"}):
        known = es.solve(es.games.HiddenPots(count=count, max=most), fixed=fixed, **asked)
        assert es.solve(NaivePots(count=count, most=most), fixed=fixed, **asked).value() == known.value()


@pytest.mark.parametrize("seeds", seed_rows(2000, 8))
def test_random_games_are_worth_what_their_histories_are(seeds: range) -> None:
    told = 0
    for seed in seeds:
        random = Random(seed)
        told += bool(fuzz_beliefs.compare(fuzz_beliefs.random_game(random), random))
    assert told > 0.9 * len(seeds)


def test_compiled_rules_find_the_same() -> None:
    game = NaivePots(count=4, most=3)
    plain, compiled = (es.solve(game, engine=engine) for engine in ("plain", "compiled"))
    assert compiled.values() == plain.values() == (Fraction(370, 81), Fraction(278, 81))
    assert len(compiled.game.hidden) == len(plain.game.hidden)


@pytest.mark.parametrize("method", ["auto", "graph", "minimax", "search", "layers"])
def test_every_method_solves_what_players_know(method: Any) -> None:
    solution = es.solve(NaiveBag(dice=DICE), method=method)
    assert solution.value() == {"player": Fraction(67, 15)}
    assert solution.notion == "what players know: the mean over all that may be hidden from them"


# ---------------------------------------------------------------------- positions


def test_what_nobody_saw_changes_nothing() -> None:
    game = NaiveBag(dice=DICE)
    solution, known = es.solve(game), es.solve(es.games.RpsBag(dice=DICE))
    wanted = known.value(known.game.position("rock paper"))
    for text in ("rock ? paper", "rock die1 paper", "rock die3 paper"):
        assert solution.value(game.position(text)) == es.solve(game, game.position(text)).value() == wanted
        assert solution.best_moves(game.position(text)) == known.best_moves(known.game.position("rock paper"))
    drawn = {option.text: option.probability for option in solution.options(game.position("rock die2"))}
    counted = {option.text: option.probability for option in known.options(known.game.position("rock"))}
    assert drawn == {f"? {face}": chance for face, chance in counted.items()}
    assert solution.asked(game.position("rock die2")).text == "rock"


def test_what_is_seen_may_be_said_instead_of_what_happened() -> None:
    game = NaivePots(count=4, most=3)
    solution = es.solve(game)
    wanted = solution.value(game.position("2 1 3 1 L"))
    assert solution.value(game.position("2 ? ? 1 L [1,4,1,1]")) == wanted
    assert solution.value(game.position("[0,4,2,1] L [1,4,1,1]")) == wanted
    before = solution.options(game.position("2 ? ? 1 L"))
    assert [option.text for option in before] == ["[1,4,1,1]", "[1,4,2,1]", "[1,4,3,1]"]
    assert {option.probability for option in before} == {Fraction(1, 3)}
    line = solution.line()
    assert solution.asked(game.position(line)).is_over
    assert solution.value(game.position(line)).keys() == {"first", "second"}


def test_moves_that_leave_open_what_was_seen_are_refused() -> None:
    game = NaiveBag(dice=DICE)
    with pytest.raises(es.PositionError, match="leaves open what the players have seen") as caught:
        es.solve(game, game.position("rock ? ?"))
    assert "rock die" in str(caught.value.found)
    with pytest.raises(es.PositionError, match="depends on the moves"):
        es.solve(game, game.position_from("gone=1 gesture=1 drawn=0 face=2"))
    with pytest.raises(es.IllegalMoveError, match="move 3, 'stone'"):
        game.position("rock ? stone")
    with pytest.raises(es.IllegalMoveError):
        game.position("rock [9,9]")


class Draws(es.Game):
    """A draw: 1 is shown, 2 is not, and after 3 there is another one, also unseen; then a guess."""

    players = 1
    third: bool = True

    class State(NamedTuple):
        drawn: int
        guess: int

    def start(self) -> Any:
        return self.State(0, 0)

    def to_move(self, state: Any) -> int:
        return CHANCE if state.drawn in (0, 3) else 0

    def weight(self, state: Any, move: int) -> int:
        return 1

    def moves(self, state: Any) -> Any:
        return () if state.guess else (4, 5) if state.drawn == 3 else (1, 2, 3)[: 3 if self.third or state.drawn else 2]

    def play(self, state: Any, move: int) -> Any:
        return state._replace(guess=move) if state.drawn in (1, 2, 4, 5) else state._replace(drawn=move)

    def payoff(self, state: Any) -> int:
        return int(state.guess == state.drawn)

    def sees(self, state: Any, player: int) -> Any:
        return (state.drawn == 1, state.guess)


def test_an_unseen_draw_is_one_that_shows_nothing() -> None:
    solution = es.solve(Draws(third=False))
    assert solution.values("?") == solution.values("2") == (1,)
    with pytest.raises(es.PositionError, match="leaves open what the players have seen"):
        es.solve(Draws()).values("?")
    assert es.solve(Draws()).values("? ?") == (Fraction(1, 2),)


def test_the_posterior_is_that_of_bayes() -> None:
    game = NaiveBag(dice=((1, 0, 2), (0, 3, 0), (1, 1, 0)))
    solution = es.solve(game)
    assert solution.facts() == {}  # nothing is hidden yet
    facts = solution.facts(game.position("rock ? paper paper ? rock"))
    # Paper is of the second or third die, rock then of the first or third: 1 * 1/3, 1 * 1/2, 1/2 * 1/3.
    ways = {3: Fraction(1, 3), 6: Fraction(1, 2), 5: Fraction(1, 6)}
    texts = {f"gone={gone} gesture=2 drawn=0 face=1": way for gone, way in ways.items()}
    assert facts == {"hidden_states": 3, "posterior": texts}


def test_the_page_and_charts_ask_about_what_is_known() -> None:
    game = NaiveBag(dice=DICE)
    solution = es.solve(game)
    place = game.position("rock ? paper rock die1 rock")
    assert es.plot(game, "history", place).svg().count("<svg") == 1
    assert es.analyze(game, place).value == solution.value(place)
    assert es.fair(game, place).length == 1
    assert len(es.table(game, place)) == 13
    with pytest.raises(es.QuestionError, match="a stored solution is looked up by states"):
        es.save(solution, "never")


def test_a_review_adds_up_by_what_was_seen() -> None:
    solution = es.solve(NaivePots(count=4, most=3))
    for record in ("2 3 1 1 L R R L", "[0,4,2,1] L [1,4,3,1] R [1,3,3,1] R L"):
        review = es.review(solution, record)
        assert review.finished
        parts = (review.start, review.luck, review.mistakes, review.gifts)
        final = tuple(a + b - c + d for a, b, c, d in zip(*parts, strict=True))
        assert final == review.final
        assert {step.player for step in review.steps if any(step.luck)} == {"chance"}
    assert es.review(solution, "2 3 1 1 L R R L").final == (3, 4)


def test_samples_are_of_what_really_happens() -> None:
    sample = es.simulate(BlindBag(dice=DICE), games=400, seed=3)
    chances = es.solve(es.games.RpsBag(dice=DICE)).distribution()
    assert set(sample.counts) <= set(chances)
    assert sample.value == Fraction(67, 15)
    assert sample.interval is not None
    assert sample.interval.lower <= Fraction(67, 15) <= sample.interval.upper
    assert sample.between == (min(chances), max(chances))


# ---------------------------------------------------------------------- moves at once


class SecretStakes(es.Game):
    """Two players show a coin at once; which of two tables pays is drawn unseen, and a hint is given."""

    players = 2
    tables = (((3, -1), (-2, 4)), ((0, 2), (5, -3)))
    hints = ((3, 1), (1, 2))

    class State(NamedTuple):
        """The table from 1 (0: not drawn), the hint from 1, and what was shown."""

        table: int
        hint: int
        shown: tuple[int, int] | None

    def start(self) -> State:
        return self.State(0, 0, None)

    def to_move(self, state: State) -> Any:
        return (0, 1) if state.hint else CHANCE

    def moves(self, state: State) -> Any:
        if state.hint:
            return [] if state.shown else list(product((0, 1), (0, 1)))
        return (1, 2)

    def weight(self, state: State, move: int) -> int:
        return self.hints[state.table - 1][move - 1] if state.table else move

    def play(self, state: State, move: Any) -> State:
        if state.hint:
            return state._replace(shown=move)
        return state._replace(hint=move) if state.table else state._replace(table=move)

    def payoff(self, state: State) -> tuple[int, int]:
        assert state.shown is not None
        paid = self.tables[state.table - 1][state.shown[0]][state.shown[1]]
        return (paid, -paid)

    def sees(self, state: State, player: int) -> Any:
        return (state.hint, state.shown or ())


def test_moves_at_once_are_mixed_by_what_both_know() -> None:
    game, worth = SecretStakes(), Fraction(0)
    for hint in (0, 1):
        chances = [
            Fraction(table, 3) * Fraction(row[hint], sum(row)) for table, row in zip((1, 2), game.hints, strict=True)
        ]
        mean = [
            [sum(chance * table[a][b] for chance, table in zip(chances, game.tables, strict=True)) for b in (0, 1)]
            for a in (0, 1)
        ]
        worth += value_of_matrix(mean)
    solution = es.solve(game)
    assert solution.values() == (worth, -worth) == (Fraction(31, 36), Fraction(-31, 36))
    assert solution.distribution().mean() == worth
    rows = solution.options(game.position("? 1"))
    assert sum(row.probability * row.value[0] for row in rows) == solution.values(game.position("? 1"))[0]
    with pytest.raises(es.QuestionError, match="something is hidden and players move at once"):
        es.prove(solution)


def test_random_moves_at_once_meet_what_is_true() -> None:
    game, amounts = SecretStakes(), dict[int, Fraction]()
    for table, paid in zip((1, 2), game.tables, strict=True):
        for amount in (*paid[0], *paid[1]):
            amounts[amount] = amounts.get(amount, Fraction(0)) + Fraction(table, 12)
    solution = es.solve(game, fixed=dict.fromkeys(game.player_names, "random"))
    assert dict(solution.distribution().items()) == amounts
    assert sum(row.probability * row.value[0] for row in solution.options("?")) == solution.values()[0]

    def hinted(game: Any, seen: Any, moves: Any) -> Any:
        return {move: 1 + move for move in moves} if seen[0] == 1 else 0

    def first(game: Any, state: Any) -> Any:
        return 0 if state.hint else 1

    solution, worth = es.solve(game, fixed={"first": hinted, "second": first}), Fraction(0)
    for number, (table, hints) in enumerate(zip(game.tables, game.hints, strict=True), start=1):
        by_hint = Fraction(table[0][0] + 2 * table[1][0], 3), table[0][0]
        worth += Fraction(number, 3) * sum(Fraction(hints[k], sum(hints)) * by_hint[k] for k in (0, 1))
    assert solution.values()[0] == worth == solution.distribution().mean()
    with pytest.raises(es.QuestionError, match="sees the whole position"):
        es.solve(game, fixed={"first": "greedy", "second": first})


# ---------------------------------------------------------------------- policies and refusals


def test_policies_see_what_players_see() -> None:
    known, naive = es.games.HiddenPots(count=3, max=2), NaivePots(count=3, most=2)
    left = {"second": lambda game, state: 0}, {"second": lambda game, state: "L"}
    assert es.solve(known, fixed=left[0]).value() == es.solve(naive, fixed=left[1]).value()

    def cheats(game: Any, state: Any) -> str:
        return "L" if game.pot(state, 1) == 2 or state.left == state.right - 1 else "R"

    with pytest.raises(es.QuestionError, match="depends on what its player does not see"):
        es.solve(naive, fixed={"first": cheats})


class Guess(es.Game):
    """Each player in turn guesses an unseen coin, which shows 1 three times as often as 2."""

    players = 2

    class State(NamedTuple):
        coin: int
        first: int
        second: int

    def start(self) -> Any:
        return self.State(0, 0, 0)

    def to_move(self, state: Any) -> int:
        return CHANCE if not state.coin else 0 if not state.first else 1

    def weight(self, state: Any, move: int) -> int:
        return 3 if move == 1 else 1

    def moves(self, state: Any) -> Any:
        return () if state.second else (1, 2)

    def play(self, state: Any, move: int) -> Any:
        place = "coin" if not state.coin else "second" if state.first else "first"
        return state._replace(**{place: move})

    def reward(self, state: Any, move: int) -> Any:
        right = 4 * (state.coin == move)
        return (0, 0) if not state.coin else (-right, right) if state.first else (right, -right)

    def payoff(self, state: Any) -> Any:
        return (0, 0)

    def sees(self, state: Any, player: int) -> Any:
        return (state.first, state.second)

    def show(self, state: Any) -> str:
        return f"{state.first}{state.second}"


class OwnGuess(Guess):
    """The rules' own policies always guess 2."""

    def policy_greedy(self, state: Any) -> int:
        return 2

    def policy_two(self, state: Any) -> int:
        return 2


def second_follows(game: Any, seen: Any, moves: Any) -> Any:
    return seen[0]


def test_policies_may_go_by_what_is_seen() -> None:
    assert es.solve(Guess(), fixed={"second": second_follows}).value()["second"] == 0
    sample = es.simulate(Guess(), fixed={"first": "random", "second": second_follows}, games=20)
    assert set(sample.counts) == {0}
    with pytest.raises(AttributeError, match="nothing"):  # and not a fault of the rules
        es.solve(Guess(), fixed={"second": lambda game, state: state.nothing})


@pytest.mark.parametrize(
    ("rules", "policy", "worth"),
    [(Guess, "greedy", 3), (Guess, "lookahead", 3), (OwnGuess, "greedy", 1), (OwnGuess, "two", 1)],
)
def test_policies_look_ahead_from_what_players_know(rules: type[es.Game], policy: str, worth: int) -> None:
    game, fixed = rules(), {"second": policy}
    solution = es.solve(game, fixed=fixed)
    assert solution.value()["second"] == worth - 3 == solution.distribution("second").mean()
    sample = es.simulate(game, fixed=fixed, player="second", games=200)
    assert set(sample.counts) == ({4, -4} if worth == 1 else {0})
    assert solution.policy("? 1") == {3: "1", 1: "2"}[worth]


@pytest.mark.parametrize(("policy", "loss"), [("greedy", 2), ("two", 2), (second_follows, 0), ("random", 1)])
def test_what_a_policy_loses_is_found_by_what_players_know(policy: Any, loss: int) -> None:
    game = OwnGuess()
    for best in (None, es.solve(game)):
        found = es.policy_loss(game, "second", policy, best=best)
        assert (found.policy, found.loss, found.value) == (policy, loss, (loss, -loss))


def test_commands_price_policies_by_what_players_know() -> None:
    out = run("analyze", f"{__file__}:OwnGuess", "--policy", "second=two").out
    assert "gives away in total  2" in out
    assert run("report", f"{__file__}:Guess").code == 0


def test_policies_under_utilities_that_compare_totals() -> None:
    assert es.solve(Guess(), fixed={0: "random", 1: "random"}, utility="win").values() == (Fraction(1, 2),) * 2
    assert es.solve(OwnGuess(), fixed={1: "greedy"}, utility="lead").value()["second"] == -4
    with pytest.raises(es.QuestionError, match="go by payments"):
        es.solve(Guess(), fixed={1: "greedy"}, utility="lead")


def test_an_opponent_of_a_learner_sees_no_more_than_players() -> None:
    pytest.importorskip("gymnasium")
    for policy, pattern in (("lookahead", "sees the whole position"), (second_follows, None)):
        env = es.gym_env(Guess(), opponent=policy, values=False)
        env.reset(seed=1)
        if pattern:
            with pytest.raises(es.QuestionError, match=pattern):
                env.step(1)
        else:
            assert env.step(1)[1] == 0


def test_hidden_states_that_look_alike_in_text_are_listed_with_their_chances_together() -> None:
    facts = es.solve(Guess()).facts("?")
    assert facts == {"hidden_states": 2, "posterior": {"00": 1}}


def test_an_answer_says_where_unseen_rewards_count_as_expected() -> None:
    sentence = "Rewards that nobody has seen count at their expected size when they were paid."
    assert sentence in run("analyze", f"{__file__}:Guess", "--at", "? 1").out
    assert sentence not in run("analyze", f"{__file__}:Guess", "--at", "?").out
    assert sentence not in run("analyze", f"{RULES}:NaiveBag:dice=1-2-3/3-2-1", "--at", "rock ? rock").out


class Peeking(NaivePots):
    """Only the first player sees what lies inside."""

    def sees(self, state: Any, player: int) -> Any:
        return (super().sees(state, player), state.pots if player == 0 else 0)


class Silent(NaivePots):
    """Nobody sees which pot the other took."""

    def sees(self, state: Any, player: int) -> Any:
        return state.right - state.left if state.filled == self.count else 0


class Unlike(NaiveBag):
    """What may be shown depends on the die that came last."""

    def moves(self, state: Any) -> Any:
        moves = list(super().moves(state))
        return moves[1:] if state.face and state.gone & 1 else moves


@pytest.mark.parametrize("rules", [Peeking, Silent])
def test_games_in_which_players_see_different_things_are_no_game_of_beliefs(rules: type[es.Game]) -> None:
    with pytest.raises(es.QuestionError, match="hides something from players"):
        es.solve(rules(count=3, most=2), method="minimax")


def test_states_that_look_the_same_must_offer_the_same_moves() -> None:
    with pytest.raises(es.RulesError, match="cannot distinguish states that have different moves") as caught:
        es.solve(Unlike(dice=DICE))
    assert "player has rock paper scissors" in str(caught.value.found)
    assert "player has paper scissors" in str(caught.value.found)


@pytest.mark.parametrize("seen", [[0], (1, [2]), 0.5, (1, (0.5,))])
def test_what_is_seen_must_be_exact(seen: Any) -> None:
    class Odd(NaiveBag):
        """What is seen is nothing to rely on."""

        def sees(self, state: Any, player: int) -> Any:
            return seen

    with pytest.raises(es.RulesError, match="sees returns something that is not exact"):
        es.solve(Odd(dice=DICE))


class Unnoticed(NaiveBag):
    """A die that rolls back into the bag, unseen, as often as it likes."""

    def moves(self, state: Any) -> Any:
        moves = list(super().moves(state))
        return [*moves, 9] if state.drawn else moves

    def weight(self, state: Any, move: int) -> int:
        return 1 if move == 9 else super().weight(state, move)

    def play(self, state: Any, move: int) -> Any:
        return state._replace(drawn=0) if move == 9 else super().play(state, move)


def test_chance_that_may_go_round_unseen_is_refused() -> None:
    with pytest.raises(NoValue, match="chance can move for ever without showing anything"):
        es.solve(Unnoticed(dice=DICE))


# ---------------------------------------------------------------------- commands


def test_commands_answer_by_what_is_known() -> None:
    bag = f"{RULES}:NaiveBag"
    assert run("value", bag).out == "67/15 ≈ 4.466667\n"
    analysis = run("analyze", bag, "--at", "rock ? paper").out
    assert "after rock ? paper" in analysis
    assert "134/45" in analysis
    assert "What players know" in analysis
    (row, *_), line = ask("analyze", bag, "--at", "rock", "--json")["moves"], ask("line", bag, "--json")
    assert (row["move"], row["probability"]["exact"]) == ("? rock", "23/90")
    assert [move["player"] for move in line["moves"]] == ["player", "chance"] * 3


def test_lines_of_a_batch_are_answered_by_one_solution(tmp_path: Path) -> None:
    lines = tmp_path / "lines.txt"
    lines.write_text("rock\nrock ? paper\nrock die1 paper\nrock die1\n", encoding="utf-8")
    found = run("value", f"{RULES}:NaiveBag", "--at", f"@{lines}", "--jsonl").out.splitlines()
    values = [json.loads(line)["value"]["player"]["exact"] for line in found]
    assert values == ["67/15", "134/45", "134/45", "67/15"]


@pytest.mark.parametrize("most", [0, 10**9])
def test_a_belief_names_no_state_that_was_ruled_out(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of states with one future are drawn as such; the chances drawn are those of the posterior."""
    thresholds.hidden_states_kept_apart(monkeypatch, most)
    solution = es.solve(NaiveBag(dice=((1, 2, 3), (4, 5, 6), (2, 2, 2))))
    position = solution.game.position("rock ? paper")
    told = solution.facts(position)["posterior"]
    drawn = str(position).splitlines()
    for line in drawn:
        chance, _, state = line.partition(": ")
        assert "with the same future" in state or told[state] == Fraction(chance)


class Weather(IntEnum):
    """Numbers that are not those of their places."""

    SUN = -3
    RAIN = 7


class Forecast(Game):
    """Weather that is seen when it is there."""

    players = 1

    class State(NamedTuple):
        """Whether there is weather yet, and which."""

        there: bool
        rain: bool

    def limits(self) -> Any:
        return self.State(True, True)

    def start(self) -> Any:
        return self.State(False, False)

    def to_move(self, state: Any) -> int:
        return CHANCE

    def moves(self, state: Any) -> Any:
        return () if state.there else tuple(Weather)

    def play(self, state: Any, move: Any) -> Any:
        return self.State(True, move == Weather.RAIN)

    def payoff(self, state: Any) -> int:
        return 1 if state.rain else 0

    def sees(self, state: Any, player: int) -> tuple[bool, bool]:
        return state.there, state.rain


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_outcomes_of_an_enum_have_their_names_on_both_engines(engine: Any) -> None:
    assert [option.text for option in es.solve(Forecast(), engine=engine).options()] == ["SUN", "RAIN"]
