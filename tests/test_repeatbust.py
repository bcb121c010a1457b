"""Roll until a sum repeats: rules, the sweeps over rewards, and two plain recursions as witnesses."""

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import naive
import thresholds
from endsight import Solution, solve, table
from endsight.errors import IllegalMoveError, LimitReached, ParameterError, PositionError, QuestionError
from endsight.games import RepeatBust

KNOWN = json.loads((Path(__file__).parent / "known" / "repeatbust.json").read_text())
CASES = {f"{case['sides']}x{case['dice']}": case for case in KNOWN["cases"]}
RULES = ("best", "myopic", "myopic-roll")
FIRSTS = ("ignored", "scored")
SMALL = [RepeatBust(sides, dice, first) for sides, dice in ((1, 1), (1, 2), (2, 1), (3, 1), (2, 2)) for first in FIRSTS]


def settled(game: RepeatBust, rule: str = "best", position=None) -> Solution:
    found = solve(game, position, fixed={} if rule == "best" else {0: rule}, method="theorem")
    assert found.method == "backward induction"
    return found


def thresholds_of(game: RepeatBust, rule: str = "best") -> list[dict]:
    return table(game, fixed={} if rule == "best" else {0: rule}).to_dicts()


def everywhere(game: RepeatBust) -> list:
    """All positions that play can reach, with those in the air."""
    positions = [game.position()]
    seen = {positions[0].state}
    for position in positions:
        for move in position.moves():
            child = position.play(move)
            if child.state not in seen:
                seen.add(child.state)
                positions.append(child)
    return positions


@contextmanager
def long_numbers() -> Iterator[None]:
    """Let whole numbers of any length become text."""
    allowed = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.set_int_max_str_digits(allowed)


def rounded(number: Fraction, decimals: int) -> str:
    """The number with so many decimals."""
    whole, rest = divmod(round(number * 10**decimals), 10**decimals)
    return f"{whole}.{rest:0{decimals}d}"


def assert_number(found, known: dict) -> None:
    """`found` is the number that the known answers describe, to the last digit of p/q."""
    found = Fraction(found)
    if "decimal" in known:
        decimals = len(known["decimal"].partition(".")[2])
        assert rounded(found, decimals) == known["decimal"]
    with long_numbers():
        text = str(found)
    if "exact" in known:
        assert text == known["exact"]
    else:
        assert len(text) == known["length"]
        assert hashlib.sha256(text.encode()).hexdigest() == known["sha256"]


class Witness:
    """The game without a bound on rolling, from its description: no columns, no scales, no package.

    Every decision is answered with (value, chance to bust, rolls to come, decisions to come).
    """

    def __init__(self, sides: int, dice: int, rule: str):
        counts = {0: 1}
        for _ in range(dice):
            longer: dict[int, int] = {}
            for total, ways in counts.items():
                for face in range(1, sides + 1):
                    longer[total + face] = longer.get(total + face, 0) + ways
            counts = longer
        self.chances = {total: Fraction(ways, sides**dice) for total, ways in counts.items()}
        self.mean = sum(total * chance for total, chance in self.chances.items())
        # One more point than the rarest sum can make up for, so that ties are still decided by comparing.
        self.far = self.mean / min(self.chances.values()) + 1
        self.rule = rule
        self.decide = cache(self._decide)

    def roll(self, reward: int, last: int) -> tuple:
        parts = [
            (chance, self.decide(reward + total, total)) for total, chance in self.chances.items() if total != last
        ]
        value, bust, rolls, decisions = (sum((c * part[i] for c, part in parts), Fraction(0)) for i in range(4))
        return value, bust + self.chances[last], rolls + 1, decisions

    def _decide(self, reward: int, last: int) -> tuple:
        stop = (Fraction(reward), Fraction(0), Fraction(0), Fraction(1))
        myopic = self.mean - self.chances[last] * (reward + last)
        if reward > self.far or (self.rule == "myopic" and myopic <= 0) or (self.rule == "myopic-roll" and myopic < 0):
            return stop
        value, bust, rolls, decisions = self.roll(reward, last)
        if self.rule == "best" and value <= reward:
            return stop
        return value, bust, rolls, decisions + 1

    def start(self, first: str) -> tuple:
        parts = [(c, self.decide(total if first == "scored" else 0, total)) for total, c in self.chances.items()]
        value, bust, rolls, decisions = (sum((c * part[i] for c, part in parts), Fraction(0)) for i in range(4))
        return value, bust, rolls + 1, decisions


def answers(theorem: Solution, position) -> tuple:
    """The same four numbers by the theorem."""
    distribution = theorem.distribution(position=position)
    facts = distribution.facts
    assert sum(distribution.values()) == 1
    assert list(distribution) == sorted(distribution)
    assert all(distribution.values())
    (value,) = theorem.values(position)
    assert distribution.mean() == value
    return value, facts["bust_probability"], facts["expected_rolls"], distribution.expected_plies


# ---------------------------------------------------------------- known answers


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("first", FIRSTS)
@pytest.mark.parametrize("size", CASES)
def test_known_values_busts_and_rolls(size, first, rule):
    case = CASES[size]
    game = RepeatBust(case["sides"], case["dice"], first)
    theorem = settled(game, rule)
    known = case[first][rule]
    facts = theorem.distribution().facts
    assert_number(theorem.values(game.position())[0], known["value"])
    assert_number(facts["bust_probability"], known["bust_probability"])
    assert_number(facts["expected_rolls"], known["expected_rolls"])


@pytest.mark.parametrize("size", CASES)
def test_known_thresholds_and_ties(size):
    case = CASES[size]
    game = RepeatBust(case["sides"], case["dice"])
    theorem = settled(game)
    rows = thresholds_of(game)
    assert {str(row["last"]): row["stop_at"] for row in rows} == case["stop_at"]
    assert {str(row["last"]): row["myopic_stop_at"] for row in rows} == case["myopic_stop_at"]
    # Rolling less stopping falls strictly with the reward: a tie can only be at the threshold.
    ties = []
    for row in rows:
        in_the_air = game.position_from(f"reward={row['stop_at']} last={row['last']} phase=rolling")
        if theorem.values(in_the_air)[0] == row["stop_at"]:
            ties.append([row["stop_at"], row["last"]])
    assert sorted(ties) == case["ties"]


@pytest.mark.parametrize("size", CASES)
def test_known_price_of_the_myopic_rule(size):
    case = CASES[size]
    game = RepeatBust(case["sides"], case["dice"])
    facts = settled(game).facts(game.position())
    assert_number(facts["myopic_value"], case["ignored"]["myopic"]["value"])
    assert (facts["myopic_loss"] == 0) == case["myopic_is_best"]
    if "myopic_errs_at" in case:
        known = case["myopic_errs_at"]
        position = game.position_from(f"reward={known['reward']} last={known['last']}")
        assert game.show_move(position.state, game.policy_myopic(position.state)) == "stop"
        solution = solve(game, position)
        assert solution.best_moves() == ["roll"]
        roll, stop = solution.options()
        assert_number(roll.value[0], known["roll"])
        assert stop.value == (known["stop"],)


def test_figures_printed_elsewhere():
    published = KNOWN["published"]
    for size, value in published["myopic, first ignored"].items():
        sides, dice = map(int, size.split("x"))
        game = RepeatBust(sides, dice)
        assert float(settled(game, "myopic").values(game.position())[0]) == pytest.approx(value, rel=2e-15)
    for sides, dice, source in ((6, 2, "302472"), (6, 1, "4860490")):
        (known,) = (number for name, number in published.items() if source in name)
        game = RepeatBust(sides, dice, "scored")
        assert_number(settled(game).values(game.position())[0], known)
    for known in published["never, mean rolls"]:
        game = RepeatBust(known["sides"], known["dice"])
        facts = settled(game, "never").distribution().facts
        assert facts["expected_rolls"] == Fraction(known["exact"])


def test_two_dice_as_in_the_manual():
    game = RepeatBust()
    solution = solve(game)
    assert solution.method == "backward induction"
    assert solution.theorem is None
    assert float(solution.values()[0]) == 22.588601243413137
    assert solution.states == 2747
    two = solution.options()[0]
    assert (two.text, two.probability, float(two.value[0])) == ("2", Fraction(1, 36), 24.699908964251026)
    roll, stop = solution.options(game.position("7"))
    assert (roll.text, float(roll.value[0]), roll.best) == ("roll", 21.400178417139685, True)
    assert (stop.text, stop.value, stop.regret) == ("stop", (0,), roll.value[0])
    assert float(solution.values(game.position_from("reward=35 last=7 phase=rolling"))[0]) == pytest.approx(38.41, 1e-3)


# ---------------------------------------------------------------- witnesses


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_best_play_against_the_oracle(game):
    theorem = settled(game)
    oracle = naive.Recursion(game)
    for position in everywhere(game):
        assert theorem.values(position) == oracle.value(position)
        if position.to_move == "player":
            # `stop` comes first, so the oracle's first best move stops on a tie, too.
            assert theorem.chosen(position) == oracle.chosen(oracle.root(position))
    distribution = theorem.distribution()
    assert dict(distribution) == oracle.distribution()
    assert distribution.expected_plies == oracle.plies()


def answered(policy, asked) -> int | None:
    """The move; None where the policy refuses."""
    try:
        return policy(asked)
    except QuestionError:
        return None


@pytest.mark.parametrize("game", SMALL, ids=repr)
@pytest.mark.parametrize("rule", ["myopic", "myopic-roll"])
def test_fixed_rules_against_the_oracle(game, rule):
    policy = game.policy_myopic if rule == "myopic" else game.policy_myopic_roll
    theorem = settled(game, rule)
    # A tie at the bound is worth the same by either move.
    oracle = naive.Recursion(game, fixed={0: lambda state: answered(policy, state) or 0})
    for position in everywhere(game):
        assert theorem.values(position) == oracle.value(position)
        if position.to_move == "player":
            assert answered(theorem.chosen, position) == answered(policy, position.state)


@settings(max_examples=60)
@given(st.data())
def test_any_position_against_the_description(data):
    sides = data.draw(st.integers(1, 4))
    dice = data.draw(st.integers(1, 2 if sides < 4 else 1))
    game = RepeatBust(sides, dice, data.draw(st.sampled_from(FIRSTS)))
    rule = data.draw(st.sampled_from(RULES))
    witness = Witness(sides, dice, rule)
    last = data.draw(st.integers(dice, dice * sides))
    reward = data.draw(st.integers(0, game.bound + 5))
    theorem = settled(game, rule)
    if reward < game.bound:
        assert answers(theorem, game.position_from(f"reward={reward} last={last}")) == witness.decide(reward, last)
        in_the_air = game.position_from(f"reward={reward} last={last} phase=rolling")
        assert answers(theorem, in_the_air) == witness.roll(reward, last)
    else:
        assert answers(theorem, game.position_from(f"reward={reward} last={last}")) == (
            witness.decide(reward, last) if rule == "myopic-roll" else (reward, 0, 0, 1)
        )
    assert answers(theorem, game.position()) == witness.start(game.first)
    for row in thresholds_of(game, rule):
        stops = [witness.decide(reward, row["last"])[2] == 0 for reward in range(game.bound + 5)]
        assert stops == [reward >= row["stop_at"] for reward in range(game.bound + 5)]


@pytest.mark.parametrize(("sides", "dice"), [(1, 1), (1, 3), (2, 1), (6, 1), (3, 2), (6, 2)])
def test_never_stopping_is_a_linear_system(sides, dice):
    game = RepeatBust(sides, dice)
    chances = Witness(sides, dice, "best").chances
    steps = {
        last: [(chances[last], "bust", 1)] + [(c, total, 1) for total, c in chances.items() if total != last]
        for last in chances
    }
    to_come = naive.solve(steps, {"bust": Fraction(0)})
    theorem = settled(game, "never")
    from_start = 1 + sum(chance * to_come[last] for last, chance in chances.items())
    assert answers(theorem, game.position()) == (0, 1, from_start, from_start - 1)
    for last in chances:
        if game.bound:
            position = game.position_from(f"reward=0 last={last}")
            assert answers(theorem, position) == (0, 1, to_come[last], to_come[last])
            assert theorem.chosen(position) == game.policy_never(position.state) != next(position.moves())
    past = game.position_from(f"reward={game.bound} last={game.low}")
    assert answers(theorem, past) == (0, 1, to_come[game.low], to_come[game.low])
    for move in (theorem.chosen, lambda position: game.policy_never(position.state)):
        with pytest.raises(QuestionError, match="past the end"):
            move(past)
    assert {row.get("stop_at") for row in thresholds_of(game, "never")} == {None}


@pytest.mark.parametrize("game", [*SMALL, RepeatBust(6, 1), RepeatBust(3, 2, "scored")], ids=repr)
def test_states_are_the_decisions_that_can_be_reached(game):
    positions = everywhere(game)
    theorem = settled(game)
    theorem.values(game.position())
    deciding = [position for position in positions if position.to_move == "player"]
    assert theorem.states == len(deciding)
    later = deciding[len(deciding) // 4]
    below = {later.state}
    todo = [later]
    for position in todo:
        for child in (position.play(move) for move in position.moves()):
            if child.state not in below:
                below.add(child.state)
                todo.append(child)
    theorem = settled(game, position=later)
    theorem.values(later)
    assert theorem.states == sum(position.to_move == "player" for position in todo)


def test_the_value_alone_needs_no_distribution(monkeypatch):
    thresholds.no_distributions_of_repeat_bust(monkeypatch)
    game = RepeatBust(3, 2)
    assert solve(game).values() == (Witness(3, 2, "best").start("ignored")[0],)


def test_other_questions_are_left_to_the_general_engine():
    game = RepeatBust(3, 1)
    for rule in ("random", "worst", lambda game, state: next(game.moves(state))):
        with pytest.raises(QuestionError, match="no theorem settles"):
            settled(game, rule)
    random = solve(game, fixed={0: "random"})
    assert random.values() == naive.Recursion(game, fixed={0: "random"}).value()


def test_many_dice_end_in_a_limit_before_any_work():
    game = RepeatBust(1000, 10)
    with pytest.raises(LimitReached, match=r"(?s)about 10\^37 pairs .* fewer dice"):
        solve(game).values()
    over = game.position_from("reward=5 last=0 phase=stopped")
    assert solve(game, over).values() == (5,)
    with pytest.raises(LimitReached, match="too many sums"):
        RepeatBust(10**9, 1)


def test_four_dice_agree_with_the_printed_value_of_the_myopic_rule():
    game = RepeatBust(6, 4)
    theorem = settled(game)
    facts = theorem.facts(game.position())
    (value,) = theorem.values(game.position())
    assert rounded(facts["myopic_value"], 13) == "61.9699983119845"
    assert facts["myopic_value"] + facts["myopic_loss"] == value
    assert theorem.states == 380893
    assert list(facts["ways"].items())[:3] == [("4", 1), ("5", 4), ("6", 10)]
    assert sum(facts["ways"].values()) == 6**4


# ---------------------------------------------------------------- rules and texts


def test_moves_and_chance_outcomes_are_read_and_shown():
    game = RepeatBust()
    position = game.position("7 roll 5")
    assert position.text == "7 roll 5"
    assert game.show(position.state) == "reward=5 last=5"
    assert [game.show_move(position.state, move) for move in position.moves()] == ["stop", "roll"]
    assert game.position("7 roll 5 stop").is_over
    bust = game.position("7 roll 5 roll 5")
    assert bust.is_over
    assert game.payoff(bust.state) == 0
    assert game.payoff(game.position("7 roll 5 stop").state) == 5
    assert game.show(RepeatBust(first="scored").position("7 roll 5").state) == "reward=12 last=5"
    assert game.start() == game.parse(game.show(game.start()))
    with pytest.raises(IllegalMoveError, match="stop roll"):
        game.position("7 hold")
    with pytest.raises(IllegalMoveError, match="2 3 4"):
        game.position("13")


def test_rolling_is_offered_below_the_bound_only():
    game = RepeatBust()
    assert game.bound == 7 * 36 - 2
    below, at = (game.position_from(f"reward={game.bound - less} last=2") for less in (1, 0))
    assert len(list(below.moves())) == 2
    assert [game.show_move(at.state, move) for move in at.moves()] == ["stop"]
    for policy in (game.policy_never, game.policy_myopic_roll):
        with pytest.raises(QuestionError, match=f"roll, at reward={game.bound} last=2"):
            policy(at.state)
    assert game.policy_myopic(at.state) == next(at.moves())
    far = game.position_from("reward=100000 last=7")
    assert solve(game, far).values() == (100000,)


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_states_stay_within_their_limits_and_are_read_back(game):
    for position in everywhere(game):
        assert all(0 <= value <= most for value, most in zip(position.state, game.limits(), strict=True))
        assert game.parse(game.show(position.state)) == position.state
        assert game.draw(position.state)


def test_weights_are_the_ways_to_throw_a_sum():
    game = RepeatBust(6, 3)
    assert [game.weight(game.start(), move) for move in game.moves(game.start())] == [
        1, 3, 6, 10, 15, 21, 25, 27, 27, 25, 21, 15, 10, 6, 3, 1,
    ]  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "reward=3",
        "reward=3 last=1",
        "reward=3 last=13",
        "reward=3 last=7 phase=flying",
        "reward=3 last=7 phase=9",
        "reward=251 last=7 phase=rolling",
        "reward=3 last=0",
        "reward=3 last=7 phase=stopped",
        "reward=3 last=0 phase=bust",
        "reward=-1 last=7",
    ],
)
def test_positions_that_are_none_are_refused(text):
    with pytest.raises(PositionError):
        RepeatBust().position_from(text)


@pytest.mark.parametrize("parameters", [{"sides": 0}, {"dice": 0}, {"sides": -3}, {"first": "lost"}])
def test_parameters_out_of_range_are_refused(parameters):
    with pytest.raises(ParameterError):
        RepeatBust(**parameters)


def test_drawings_say_where_the_game_stands():
    game = RepeatBust()
    drawn = [game.draw(game.position(moves).state) for moves in ("", "7", "7 roll", "7 roll 5 stop", "7 roll 7")]
    assert drawn == [
        "reward 0, first throw of 2 dice of 6 in the air",
        "reward 0, last sum 7, deciding: with 2 dice of 6, a 7 (6 in 36) busts",
        "reward 0, last sum 7, dice in the air: with 2 dice of 6, a 7 (6 in 36) busts",
        "stopped with reward 5",
        "bust: the same sum twice in a row, reward 0",
    ]
