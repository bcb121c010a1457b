"""Cards against a partly known order: rules, theorem, and every order tried as a second witness."""

import json
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight
import thresholds
from endsight import CHANCE, solve
from endsight.errors import FileError, IllegalMoveError, LimitReached, ParameterError, PositionError, QuestionError
from endsight.games import HighCard

KNOWN = json.loads((Path(__file__).parent / "known" / "highcard.json").read_text())["cases"]


def deals(count):
    """Every hand against every rival's list with some turns unknown, as parameters."""
    for hand in combinations(range(1, 2 * count + 1), count):
        theirs = [card for card in range(1, 2 * count + 1) if card not in hand]
        for known in range(count + 1):
            for cards in permutations(theirs, known):
                for turns in combinations(range(count), known):
                    placed = dict(zip(turns, cards, strict=True))
                    yield hand, tuple(placed.get(turn) for turn in range(count))


@st.composite
def a_deal(draw, least=1, most=5):
    count = draw(st.integers(least, most))
    cards = draw(st.permutations(range(1, 2 * count + 1)))
    hidden = draw(st.lists(st.booleans(), min_size=count, max_size=count))
    rival = tuple(None if hide else card for hide, card in zip(hidden, cards[count:], strict=True))
    return HighCard(hand=tuple(cards[:count]), rival=rival)


def theorem(game, utility="payoff"):
    return solve(game, utility=utility, method="theorem")


def plan(place):
    """The table of what to lay."""
    return endsight.table(place.game, place, method="theorem").to_dicts()


def scores(game, order):
    """The score of one order of our cards against each arrangement of the rival's unknown cards."""
    theirs = set(range(1, 2 * game.count + 1)) - set(game.hand) - set(game.rival)
    for arrangement in permutations(sorted(theirs)):
        coming = iter(arrangement)
        row = [next(coming) if card is None else card for card in game.rival]
        yield sum(ours > card for ours, card in zip(order, row, strict=True))


def by_trying(game):
    """Best expected score, best win chance, and the distribution for every order of our cards."""
    distributions = []
    for order in permutations(game.hand):
        counted = Counter(scores(game, order))
        total = sum(counted.values())
        distributions.append({score: Fraction(counted[score], total) for score in sorted(counted)})
    means = [sum(score * chance for score, chance in chances.items()) for chances in distributions]
    wins = [sum(won(game, score) * chance for score, chance in chances.items()) for chances in distributions]
    return max(means), max(wins), distributions


def won(game, score):
    return Fraction((2 * score > game.count) + (2 * score >= game.count), 2)


def every_value(game, win=False):
    """Whole-game value of every position by recursion over the rules: (state, score so far) -> value."""

    @cache
    def value(state, score):
        moves = list(game.moves(state))
        if not moves:
            return won(game, score) if win else Fraction(score)
        after = [value(game.play(state, move), score + game.reward(state, move)) for move in moves]
        return sum(after) / len(after) if game.to_move(state) == CHANCE else max(after)

    return value


def positions(game):
    """Every reachable position."""
    found = {}
    queue = [game.position()]
    for place in queue:
        key = (place.state, place.so_far)
        if key not in found:
            found[key] = place
            queue.extend(place.play(move) for move in place.moves())
    return list(found.values())


# ---------------------------------------------------------------- the theorem


@pytest.mark.parametrize("count", [1, 2, 3])
def test_all_small_deals_by_trying_every_order(count):
    for hand, rival in deals(count):
        game = HighCard(hand=hand, rival=rival)
        place = game.position()
        mean, win, distributions = by_trying(game)
        assert theorem(game).values(place) == (mean,)
        assert theorem(game, "win").values(place) == (win,)
        found = theorem(game).distribution(position=place)
        assert dict(found) in distributions
        for chances in distributions:
            dominates(dict(found), chances)
        assert found.facts["more_than_half"] == sum(chance for score, chance in found.items() if 2 * score > count)


def dominates(better, other):
    for level in range(max(other) + 1):
        assert sum(c for score, c in better.items() if score >= level) >= sum(
            c for score, c in other.items() if score >= level
        )


@settings(max_examples=12)
@given(a_deal(4, 5))
def test_larger_deals_by_trying_every_order(game):
    place = game.position()
    mean, win, distributions = by_trying(game)
    assert theorem(game).values(place) == (mean,)
    assert theorem(game, "win").values(place) == (win,)
    found = dict(theorem(game).distribution(position=place))
    assert found in distributions
    for chances in distributions:
        dominates(found, chances)


def test_all_positions_of_all_small_deals():
    for count in (1, 2, 3):
        for number, (hand, rival) in enumerate(deals(count)):
            if count < 3 or number % 5 == 0:
                check_every_position(HighCard(hand=hand, rival=rival))


@settings(max_examples=15)
@given(a_deal(4, 4))
def test_all_positions_of_larger_deals(game):
    check_every_position(game)


def check_every_position(game):
    payoff, win = theorem(game), theorem(game, "win")
    value, chance = every_value(game), every_value(game, win=True)
    for place in positions(game):
        score = place.so_far[0]
        expected = value(place.state, score)
        assert payoff.values(place) == (expected,)
        assert win.values(place) == (chance(place.state, score),)
        if place.to_move == "player":
            after = {
                move: value(game.play(place.state, move), score + game.reward(place.state, move))
                for move in place.moves()
            }
            assert payoff.chosen(place) == next(move for move, worth in after.items() if worth == expected)
        found = payoff.distribution(position=place)
        assert found.mean() == expected
        won_chances = win.distribution(position=place)
        assert won_chances.mean() == chance(place.state, score)
        assert won_chances.facts == found.facts
        assert payoff.facts(place)["more_than_half"] == found.facts["more_than_half"]
        assert sum(found.outcomes.values()) == 1
        assert list(found.outcomes) == sorted(found.outcomes)


@settings(max_examples=25)
@given(a_deal(1, 4), st.sampled_from(["payoff", "win"]), st.data())
def test_agrees_with_the_general_engine(game, utility, data):
    place = game.position()
    for _ in range(data.draw(st.integers(0, game.end))):
        place = place.play(data.draw(st.sampled_from(list(place.moves()))))
    fast = solve(game, place, utility=utility)
    assert fast.method == "smallest sufficient card"
    for symmetry in (True, False):
        general = solve(game, place, utility=utility, method="graph", symmetry=symmetry)
        assert fast.values() == general.values()
        assert [(o.text, o.value, o.rank) for o in fast.options()] == [
            (o.text, o.value, o.rank) for o in general.options()
        ]
    assert place.to_move != "player" or fast.policy(place) in fast.best_moves()
    walked = general.distribution()
    # An order with the same mean as one that dominates it has the same distribution.
    assert dict(fast.distribution()) == dict(walked)
    assert fast.distribution().expected_plies == walked.expected_plies


@settings(max_examples=60)
@given(a_deal(1, 12), st.data())
def test_the_table_is_worth_the_value(game, data):
    place = game.position()
    for _ in range(data.draw(st.integers(0, game.count))):
        place = place.play(data.draw(st.sampled_from(list(place.moves()))))
    proof = theorem(game)
    rows = plan(place)
    assert [row["turn"] for row in rows] == list(range(place.state.turn + 1, game.count + 1))
    assert [row.get("rival") for row in rows] == list(game.rival[place.state.turn :])
    end = place
    for row in rows:
        left = game.in_hand(end.state)
        if row["reason"] == "sure win":
            assert row["card"] == min(card for card in left if card > row.get("rival"))
        elif row["reason"] == "sacrifice":
            assert max(left) < row.get("rival")
            assert row["card"] == min(left)
        else:
            assert row.get("rival") is None
        end = end.after(str(row["card"]))
    assert proof.values(end) == proof.values(place)
    kept = [row["card"] for row in rows if row["reason"] == "unknown"]
    assert kept == sorted(kept)
    assert proof.facts(place)["sure_wins"] == sum(row["reason"] == "sure win" for row in rows)
    assert plan(solve_to_end(end)) == []


def solve_to_end(place):
    while not place.is_over:
        place = place.play(next(place.moves()))
    return place


@pytest.mark.parametrize("case", KNOWN, ids=[case["name"] for case in KNOWN])
def test_known_answers(case):
    game = HighCard(hand=tuple(case["hand"]), rival=tuple(case["rival"]))
    place = game.position()
    proof = theorem(game)
    assert proof.values(place) == (Fraction(case["value"]),)
    assert proof.facts(place)["sure_wins"] == case["sure_wins"]
    rows = plan(place)
    assert {str(row["turn"]): row["card"] for row in rows if row.get("rival")} == case["cards"]
    assert sorted(row["card"] for row in rows if row.get("rival") is None) == case["kept"]
    assert list(game.unknown) == case["unknown"]
    chances = {int(score): Fraction(text) for score, text in case["distribution"].items()}
    assert dict(proof.distribution(position=place)) == chances


def test_distribution_of_fifty_unknown_turns():
    game = HighCard(hand=tuple(range(2, 101, 2)), rival=(None,) * 50)
    proof = theorem(game)
    found = proof.distribution()
    assert sum(found.outcomes.values()) == 1
    assert found.mean() == proof.values(game.position())[0] == Fraction(51, 2)
    # Card 2i beats the i smallest odd cards: all 50 win only where each meets its own neighbour.
    assert min(found) == 1
    assert max(found) == 50
    assert found[50] == Fraction(1, factorial_of(50))
    half = Fraction(1, 2)
    result = theorem(game, "win").distribution()
    assert list(result) == [0, half, 1]
    assert result[1] == found.facts["more_than_half"]
    assert result[half] == found[25]


def factorial_of(count):
    return 1 if count == 0 else count * factorial_of(count - 1)


def test_a_hundred_thousand_cards():
    count = 100_000
    # Even cards against odd ones: known turns take the next card up, unknown ones keep the rest.
    rival = tuple(None if turn % 2 else 2 * turn + 1 for turn in range(count))
    game = HighCard(hand=tuple(range(2 * count, 0, -2)), rival=rival)
    proof = theorem(game)
    unknown = count // 2
    assert proof.values(game.position()) == (unknown + Fraction(unknown + 1, 2),)
    with pytest.raises(LimitReached, match="50000"):
        proof.distribution()


def test_the_limit_is_for_the_distribution_only(monkeypatch):
    thresholds.few_chances_of_scores(monkeypatch, 1)
    game = HighCard(hand=(2, 4), rival=(None, None))
    assert theorem(game).values(game.position()) == (Fraction(3, 2),)
    with pytest.raises(LimitReached):
        theorem(game, "win").values()


def test_policies_are_left_to_the_engine():
    game = HighCard(hand=(2, 4), rival=(None, None))
    with pytest.raises(QuestionError, match="no theorem settles"):
        solve(game, fixed={0: "random"}, method="theorem")


# ---------------------------------------------------------------- the rules

GAME = HighCard(hand=(5, 1, 7, 3), rival=(8, None, 4, -1))


def test_the_notation_of_the_rules():
    assert GAME.rival == (8, None, 4, None)
    place = GAME.position("1 3 5 7")
    assert (place.to_move, place.so_far) == ("chance", (1,))
    assert place.after("6").so_far == (1,)
    assert place.after("2").so_far == (2,)
    assert place.after("6").after("2").so_far == (2,)
    assert place.after("2").after("6").so_far == (3,)
    assert place.after("2").after("6").is_over
    assert GAME.par() == 2


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ("", "hand=1-3-5-7 waiting=none unknown=2-6"),
        ("1 7", "hand=3-5 waiting=7 unknown=2-6"),
        ("1 7 5 3", "hand=none waiting=7-3 unknown=2-6"),
        ("1 7 5 3 6", "hand=none waiting=3 unknown=2"),
        ("1 7 5 3 6 2", "hand=none waiting=none unknown=none"),
    ],
)
def test_positions_in_one_line(moves, text):
    place = GAME.position(moves)
    assert GAME.show(place.state) == text
    assert GAME.position_from(text).state == place.state


@pytest.mark.parametrize("game", [HighCard(hand=(2, 3, 6), rival=(None, 1, None)), HighCard(hand=(2,), rival=(1,))])
def test_every_position_reads_back(game):
    for place in positions(game):
        assert game.position_from(game.show(place.state)).state == place.state


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hand=1-3", "hand=... waiting=... unknown="),
        ("hand=1-x waiting=7-5 unknown=2-6", "hand=1-x"),
        ("hand=1-2 waiting=7 unknown=2-6", "hand 2"),
        ("hand=1-7 waiting=7 unknown=2-6", "hand 7 twice"),
        ("hand=1-3 waiting=7 unknown=2-4", "unknown 4"),
        ("hand=1-3 waiting=7 unknown=2", "1 of the rival's"),
        ("hand=1-3 waiting=5-7 unknown=2-6", "2 cards waiting"),
        ("hand=none waiting=5-7 unknown=2", "2 cards waiting"),
        ("hand=1-3-5-7 waiting= unknown=2-6", "waiting="),
        ("turn=3", "turn"),
    ],
)
def test_positions_that_are_none(text, complaint):
    with pytest.raises(PositionError, match=complaint):
        GAME.position_from(text)


def test_moves_that_are_none():
    for moves in ("2", "1 1", "1 3 5 7 8", "1 3 5 7 6 6", "1 3 5 7 6 2 2"):
        with pytest.raises(IllegalMoveError):
            GAME.position(moves)


@pytest.mark.parametrize(
    ("hand", "rival", "complaint"),
    [
        ((), (), "at least one"),
        ((1, 2), (3,), "2 in the hand, 1 turns"),
        ((1, 5), (None, None), "5 in hand"),
        ((0, 1), (None, None), "0 in hand"),
        ((1, 2), (None, 5), "5 in rival"),
        ((1, 2), (-2, 3), "-2 in rival"),
        ((2, 2), (None, None), "2 twice in hand"),
        ((1, 2), (3, 3), "3 twice in rival"),
        ((1, 2), (None, 2), "2 in hand and in rival"),
        ((1, "2"), (None, None), "whole numbers"),
        ((1, True), (None, None), "whole numbers"),
        ((1, 2), (None, "x"), "whole numbers"),
    ],
)
def test_deals_that_are_none(hand, rival, complaint):
    with pytest.raises(ParameterError, match=complaint):
        HighCard(hand=hand, rival=rival)


def test_equivalent_states_have_one_canonical_form():
    game = HighCard(hand=(2, 5, 6, 7), rival=(None, None, 1, None))
    first, second = game.position("7 2 5 6").state, game.position("2 6 5 7").state
    assert first != second
    assert game.canonical(first) == game.canonical(second) == game.canonical(game.canonical(first))
    third = game.position("5 2 6 7").state
    assert game.canonical(third) != game.canonical(first)


def test_drawing():
    assert GAME.draw(GAME.position("1 7 5").state).splitlines() == [
        "turn      1  2  3  4",
        "rival     8  x  4  x",
        "ours      *  7  *  .",
        "in hand   3",
        "unknown   2  6",
    ]
    assert GAME.draw(GAME.position("1 7 5 3 6").state).splitlines()[2:] == [
        "ours      *  *  *  3",
        "in hand",
        "unknown   2",
    ]
    wide = HighCard(hand=tuple(range(1, 101)), rival=(None,) * 100).position("50 60")
    assert max(map(len, str(wide).splitlines())) < 120


def test_reading_files():
    game = HighCard(hand=(1, 3, 5, 7), rival=(8, None, 4, None))
    for text in ("1 3 5 7\n8 x 4 -1\n", "\n1,3,5,7\n\n8, X, 4, x"):
        assert HighCard.from_file(text) == (game, ())


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "0 rows"),
        ("1 2 3\n", "1 rows"),
        ("1\n2\n3\n", "3 rows"),
        ("1 x\n3 4\n", r"line 1 .*\n.*'x'"),
        ("1 2\n\n3 ?\n", r"line 3 .*\n.*'\?'"),
        ("1 2\n3 4.5\n", r"line 2 .*\n.*'4.5'"),
    ],
)
def test_files_that_hold_no_cards(text, complaint):
    with pytest.raises(FileError, match=complaint):
        HighCard.from_file(text)


def test_files_take_no_options():
    with pytest.raises(ParameterError, match=r"takes no options\n.*rows=dice"):
        endsight.load("highcard:@cards.txt,rows=dice")
