"""Rock, paper, scissors against a bag of dice: rules, theorem, and enumeration as a second witness."""

import json
from collections import defaultdict
from fractions import Fraction
from itertools import permutations, product
from math import gcd, prod
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight
from amounts import each
from endsight import solve
from endsight.errors import FileError, IllegalMoveError, ParameterError, PositionError, QuestionError
from endsight.games import RpsBag

NAMES = ("rock", "paper", "scissors")
POINTS = {
    ("rock", "scissors"): 3,
    ("scissors", "paper"): 3,
    ("paper", "rock"): 3,
    **{(name, name): 1 for name in NAMES},
}
KNOWN = json.loads((Path(__file__).parent / "known" / "rpsbag.json").read_text())["cases"]

weights = st.integers(0, 4)
a_die = st.tuples(weights, weights, weights).filter(any)
few_dice = st.lists(a_die, min_size=1, max_size=3).map(tuple)


class Enumeration:
    """Every order of the dice with every sequence of faces, and its chance; no counts, no polynomials."""

    def __init__(self, dice):
        self.dice = dice
        self.worlds = []
        for order in permutations(range(len(dice))):
            for faces in product(range(3), repeat=len(dice)):
                chance = prod(Fraction(dice[i][face], sum(dice[i])) for i, face in zip(order, faces, strict=True))
                if chance:
                    self.worlds.append((order, tuple(NAMES[face] for face in faces), chance))

    def after(self, seen):
        return [world for world in self.worlds if world[1][: len(seen)] == seen]

    def chance(self, seen):
        return sum(world[2] for world in self.after(seen)) / sum(world[2] for world in self.worlds)

    def next(self, seen):
        """Chances of the coming face after the sequence `seen`."""
        total = sum(world[2] for world in self.after(seen))
        return {name: sum(w[2] for w in self.after(seen) if w[1][len(seen)] == name) / total for name in NAMES}

    def worth(self, seen):
        chances = self.next(seen)
        return {name: sum(POINTS.get((name, face), 0) * chances[face] for face in NAMES) for name in NAMES}

    def inside(self, seen, thrown):
        """Chance of each die not to be among the first `thrown`."""
        worlds = self.after(seen)
        total = sum(world[2] for world in worlds)
        return [sum(w[2] for w in worlds if i not in w[0][:thrown]) / total for i in range(len(self.dice))]

    def value(self, seen, gesture=None):
        """Expected points of the coming turns, by looking at every continuation."""
        if len(seen) == len(self.dice):
            return 0
        worth = self.worth(seen)
        now = worth[gesture] if gesture else max(worth.values())
        return now + sum(
            chance * self.value((*seen, face), gesture) for face, chance in self.next(seen).items() if chance
        )

    def per_turn(self, seen):
        turns = []
        for length in range(len(seen), len(self.dice)):
            reached = {world[1][:length] for world in self.after(seen)}
            turns.append(sum(self.chance(s) * max(self.worth(s).values()) for s in reached) / self.chance(seen))
        return turns

    def points(self, gesture=None):
        """Distribution of the points; the first best gesture where none is given."""
        chances = defaultdict(Fraction)
        for _, faces, chance in self.worlds:
            points = 0
            for turn, face in enumerate(faces):
                worth = self.worth(faces[:turn])
                shown = gesture or max(NAMES, key=lambda name, worth=worth: worth[name])
                points += POINTS.get((shown, face), 0)
            chances[points] += chance
        total = sum(chances.values())
        return {points: chances[points] / total for points in sorted(chances)}


def theorem(game, fixed=None):
    return solve(game, fixed={0: fixed} if fixed else {}, method="theorem")


def table(game, place=None):
    """The rows of the table, each by how often rock, paper and scissors were seen."""
    rows = endsight.table(game, place).to_dicts()
    return {tuple(row[name] for name in NAMES): row for row in rows}


def of_each(row, what):
    """What a row of the table tells of each gesture."""
    return {name: row[f"{what} {name}"] for name in NAMES}


def histories(game):
    """Every position before a gesture, each sequence of faces on its own, with that sequence."""
    places = [(game.position(), ())]
    for place, seen in places:
        yield place, seen
        if not place.is_over:
            thrown = place.after("rock")
            places += [(thrown.play(face), (*seen, NAMES[face - 1])) for face in thrown.moves()]


def exact(texts):
    return {key: Fraction(text) for key, text in texts.items()}


# ---------------------------------------------------------------- the theorem


@settings(max_examples=25)
@given(few_dice)
def test_every_history_as_by_enumeration(dice):
    game, worlds = RpsBag(dice=dice), Enumeration(dice)
    proof = theorem(game)
    for place, seen in histories(game):
        so_far = place.so_far[0]
        assert proof.values(place) == (so_far + worlds.value(seen),)
        facts = proof.facts(place)
        assert facts["posterior"] == worlds.inside(seen, len(seen))
        assert facts["per_turn"] == worlds.per_turn(seen)
        fixed = {name: so_far + worlds.value(seen, name) for name in NAMES}
        assert facts["best_fixed"] == {"gesture": max(NAMES, key=fixed.get), "value": max(fixed.values())}


@settings(max_examples=25)
@given(few_dice)
def test_while_a_die_is_in_the_air(dice):
    game, worlds = RpsBag(dice=dice), Enumeration(dice)
    proof = theorem(game)
    for place, seen in histories(game):
        if place.is_over:
            continue
        for gesture in NAMES:
            air = place.after(gesture)
            assert proof.values(air)[0] == place.so_far[0] + worlds.worth(seen)[gesture] + sum(
                worlds.per_turn(seen)[1:]
            )
            facts = proof.facts(air)
            assert facts["posterior"] == worlds.inside(seen, len(seen) + 1)
            assert facts["per_turn"] == [worlds.worth(seen)[gesture], *worlds.per_turn(seen)[1:]]
            total = sum(game.weight(air.state, face) for face in air.moves())
            chances = {NAMES[face - 1]: Fraction(game.weight(air.state, face), total) for face in air.moves()}
            assert chances == {name: chance for name, chance in worlds.next(seen).items() if chance}


@settings(max_examples=20)
@given(few_dice)
def test_table_rows_as_by_enumeration(dice):
    game, worlds = RpsBag(dice=dice), Enumeration(dice)
    expected = defaultdict(Fraction)
    some = {}
    for place, seen in histories(game):
        if not place.is_over:
            counts = tuple(seen.count(name) for name in NAMES)
            expected[counts] += worlds.chance(seen)
            some[counts] = seen
    rows = table(game)
    assert set(rows) == set(expected)
    for counts, row in rows.items():
        worth = worlds.worth(some[counts])
        assert row["probability"] == expected[counts]
        assert of_each(row, "worth") == worth
        assert of_each(row, "next") == worlds.next(some[counts])
        assert row["best"] == [name for name in NAMES if worth[name] == max(worth.values())]


@pytest.mark.parametrize("start", ["", "rock", "rock rock", "paper scissors rock"])
def test_table_further_on_holds_what_can_still_come(start):
    game = RpsBag(dice=((1, 1, 1), (2, 0, 3), (1, 4, 1), (1, 2, 3)))
    place = game.position(start)
    rows = table(game, place)
    counted = [sum(seen) for seen in rows]
    assert counted == sorted(counted)
    for turn in set(counted):
        chances = [row["probability"] for seen, row in rows.items() if sum(seen) == turn]
        assert sum(chances) == 1
    first = (len(place.history) + 1) // 2
    assert set(counted) == set(range(first, 4))


@settings(max_examples=20)
@given(few_dice, st.sampled_from([None, *NAMES]))
def test_distribution_as_by_enumeration(dice, gesture):
    game = RpsBag(dice=dice)
    found = theorem(game, gesture).distribution()
    assert dict(found.outcomes) == Enumeration(dice).points(gesture)
    assert list(found.outcomes) == sorted(found.outcomes)
    assert found.expected_plies == len(dice)
    assert found.mean() == theorem(game, gesture).values()[0]


@settings(max_examples=20)
@given(st.lists(a_die, min_size=1, max_size=4).map(tuple), st.sampled_from([None, *NAMES]), st.data())
def test_agrees_with_the_general_engine(dice, gesture, data):
    game = RpsBag(dice=dice)
    proof = theorem(game, gesture)
    place = game.position()
    while True:
        general = solve(game, place, fixed={0: gesture} if gesture else {}, method="graph")
        assert proof.values(place) == general.values()
        found, walked = proof.distribution(position=place), general.distribution()
        assert (dict(found), found.expected_plies) == (dict(walked), walked.expected_plies)
        if place.is_over:
            break
        place = place.play(data.draw(st.sampled_from(list(place.moves()))))


@pytest.mark.parametrize(
    "dice",
    each(
        [((2, 0, 1), (1, 1, 1), (0, 3, 1), (5, 1, 0)), ((1, 2, 0), (1, 2, 0), (0, 0, 4), (3, 1, 2))],
        lambda dice: dice[0] == dice[1],
    ),
)
def test_four_dice_as_by_enumeration(dice):
    game, worlds = RpsBag(dice=dice), Enumeration(dice)
    proof = theorem(game)
    assert proof.values(game.position()) == (worlds.value(()),)
    assert dict(proof.distribution()) == worlds.points()
    place = game.position("rock scissors paper paper") if dice[0][1] else game.position("rock scissors paper rock")
    seen = tuple(place.history[1::2])
    facts = proof.facts(place)
    assert facts["per_turn"] == worlds.per_turn(seen)
    assert facts["posterior"] == worlds.inside(seen, 2)


def multiplied_out(dice):
    """The coefficients of prod (w + r x + p y + s z), die by die, and those of one degree without what they share."""
    found = {(0, 0, 0): 1}
    for rock, paper, scissors in dice:
        longer = defaultdict(int)
        for (a, b, c), ways in found.items():
            longer[a, b, c] += (rock + paper + scissors) * ways
            longer[a + 1, b, c] += rock * ways
            longer[a, b + 1, c] += paper * ways
            longer[a, b, c + 1] += scissors * ways
        found = longer
    shared = [gcd(*(ways for counts, ways in found.items() if sum(counts) == seen)) for seen in range(len(dice) + 1)]
    return {counts: ways // shared[sum(counts)] for counts, ways in found.items()}


@settings(deadline=None, max_examples=60)
@given(st.lists(a_die, min_size=1, max_size=9).map(tuple))
def test_chances_are_the_coefficients_of_the_product(dice):
    ways, expected = RpsBag(dice).ways, multiplied_out(dice)
    assert {
        (a, b, c): number for a, plane in enumerate(ways) for b, row in enumerate(plane) for c, number in enumerate(row)
    } == expected


def test_a_fixed_gesture_is_worth_the_same_in_every_turn():
    game = RpsBag(dice=((3, 1, 0), (1, 1, 5), (0, 2, 2)))
    turns = theorem(game, "paper").facts(game.position())["per_turn"]
    assert turns == [turns[0]] * 3


def test_a_fixed_gesture_does_not_change_what_is_in_the_air():
    game = RpsBag(dice=((1, 0, 0), (0, 0, 1)))
    place = game.position("scissors")
    # Scissors against one rock and one pair of scissors, then rock by the policy.
    assert theorem(game, "rock").values(place) == (Fraction(1, 2) + 2,)


def test_fifty_dice_agree_with_themselves():
    dice = tuple((7 * i % 301, 300 - 7 * i % 301, 0) if i % 3 else (i, 2 * i + 1, 299 - 3 * i) for i in range(50))
    game = RpsBag(dice=dice)
    proof = theorem(game)
    found = proof.distribution()
    assert sum(found.outcomes.values()) == 1
    assert found.mean() == proof.values(game.position())[0]
    thrown = game.position("rock paper paper rock paper rock")
    posterior = proof.facts(thrown)["posterior"]
    assert sum(posterior) == 47
    # Whoever asks after the face has come up, on average, believes what he believed before.
    air = thrown.after("paper")
    faces = {face: game.weight(air.state, face) for face in air.moves()}
    later = [
        (Fraction(weight, sum(faces.values())), proof.facts(air.play(face))["posterior"])
        for face, weight in faces.items()
    ]
    for die in range(0, 50, 7):
        assert sum(chance * belief[die] for chance, belief in later) == proof.facts(air)["posterior"][die]


@pytest.mark.parametrize("case", KNOWN, ids=[case["name"] for case in KNOWN])
def test_known_answers(case):
    game = RpsBag(dice=tuple(zip(case["rock"], case["paper"], case["scissors"], strict=True)))
    place = game.position()
    proof = theorem(game)
    facts = proof.facts(place)
    assert proof.values(place) == (Fraction(case["value"]),)
    assert facts["best_fixed"]["value"] == Fraction(case["best_fixed"])
    if "per_turn" in case:
        assert facts["per_turn"] == list(map(Fraction, case["per_turn"]))
    rows = table(game)
    for history in case["histories"]:
        row = rows[history["rock"], history["paper"], history["scissors"]]
        assert row["probability"] == Fraction(history["probability"])
        assert of_each(row, "next") == exact(history["next"])
        assert of_each(row, "worth") == exact(history["worth"])
        assert set(row["best"]) == set(history["best"])
        assert str(row["probability"]) == history["probability"]


def test_questions_of_other_kinds_are_left_to_the_engine():
    game = RpsBag(dice=((1, 2, 3),))
    for rule in ("random", "worst", lambda game, state: 1):
        with pytest.raises(QuestionError, match="no theorem settles"):
            theorem(game, rule)


def test_the_solver_uses_it():
    solution = solve(RpsBag(dice=((1, 1, 1), (1, 1, 1))))
    assert solution.method == "face counts"
    assert solution.value() == {"player": Fraction(8, 3)}
    assert solution.best_moves() == list(NAMES)


# ---------------------------------------------------------------- the rules


def test_the_notation_of_the_rules():
    game = RpsBag(dice=((1, 1, 1),) * 4)
    place = game.position("paper rock scissors scissors")
    assert game.show(place.state) == "rock=1 paper=0 scissors=1"
    assert place.so_far == (4,)
    assert [game.position(text).to_move for text in ("", "rock", "rock rock")] == ["player", "chance", "player"]
    for text in ("", "paper", "paper rock", "paper rock scissors"):
        state = game.position(text).state
        assert game.position_from(game.show(state)).state == state


def test_points_of_every_pair():
    game = RpsBag(dice=((1, 1, 1),))
    for gesture, face in product(NAMES, NAMES):
        assert game.position(f"{gesture} {face}").so_far == (POINTS.get((gesture, face), 0),)


def test_impossible_faces_are_no_moves():
    game = RpsBag(dice=((100, 0, 200), (300, 0, 0)))
    with pytest.raises(IllegalMoveError, match=r"allowed: +rock scissors"):
        game.position("rock paper")
    with pytest.raises(IllegalMoveError, match=r"allowed: +rock$"):
        game.position("rock scissors rock scissors")
    with pytest.raises(IllegalMoveError, match="the game is over"):
        game.position("rock rock rock rock rock")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("rock=1 paper=0", "nothing for scissors"),
        ("rock=1 paper=0 scissors=many", "'scissors=many'"),
        ("rock=1 paper=0 scissors=-1", "'scissors=-1'"),
        ("rock=1 paper=0 scissors=0 gesture=well", "'gesture=well'"),
        ("rock=2 paper=0 scissors=1", "3 faces seen"),
        ("rock=1 paper=0 scissors=1 gesture=rock", "2 faces seen and a die in the air"),
        ("rock=0 paper=1 scissors=0", "cannot have shown"),
        ("rock=0 paper=0 scissors=2", "cannot have shown"),
    ],
)
def test_positions_that_are_none(text, complaint):
    game = RpsBag(dice=((100, 0, 200), (300, 0, 0)))
    with pytest.raises(PositionError, match=complaint):
        game.position_from(text)


@pytest.mark.parametrize(
    ("dice", "complaint"),
    [
        ((), "at least one die"),
        (((1, 2, 3), (0, 0, 0)), "die 2 .*\n.*all three weights are 0"),
        (((1, -2, 3),), "die 1 .*\n.*negative"),
        (((1, 2),), "die 1 .*\n.*not three weights"),
        (((1, 2, 3, 4),), "not three weights"),
        ((1, 2, 3), "die 1 .*\n.*1: not three weights"),
        (((1, 2, True),), "not whole numbers"),
        (((1, 2, Fraction(1, 2)),), "not whole numbers"),
    ],
)
def test_dice_that_are_none(dice, complaint):
    with pytest.raises(ParameterError, match=complaint):
        RpsBag(dice=dice)


def test_drawing():
    game = RpsBag(dice=((1, 1, 2), (3, 1, 0)))
    assert game.draw(game.position("paper rock scissors").state).splitlines() == [
        "                  rock     paper  scissors",
        "faces seen           1         0         0",
        "next face      37.50 %   25.00 %   37.50 %",
        "dice        1 of 2 to come, one in the air against our scissors",
    ]
    assert "next" not in game.draw(game.position("paper rock scissors rock").state)


def test_reading_files():
    wide = "100, 0, 1\n\n0 300 1\n200 0 1\n"
    dice = ((100, 0, 200), (0, 300, 0), (1, 1, 1))
    assert RpsBag.from_file(wide) == (RpsBag(dice=dice), ())
    transposed = ((100, 0, 1), (0, 300, 1), (200, 0, 1))
    assert RpsBag.from_file(wide, rows="dice") == (RpsBag(dice=transposed), ())
    assert RpsBag.from_file("1 2 3", rows="dice") == (RpsBag(dice=((1, 2, 3),)), ())


@pytest.mark.parametrize(
    ("text", "rows", "complaint"),
    [
        ("1 2\n3 4\n", "faces", "2 rows of numbers.*\n(.*\n)*.*rows=dice"),
        ("", "faces", "0 rows"),
        ("1 2\n\n3 4\n5\n", "faces", "line 4 does not fit line 1\n.*1 numbers; line 1 has 2"),
        ("1 2\n3 x\n5 6\n", "faces", "line 2 .*\n.*'x'"),
        ("1 2\n3 4\n5 -6\n", "faces", "line 3 .*\n.*'-6'"),
        ("1 2 3\n\n4 5\n", "dice", "line 3 is not a die\n.*not three weights"),
        ("1 2 3\n0 0 0\n", "dice", "line 2 is not a die\n.*all three weights are 0"),
        ("1 2 3\n4 5 6.5\n", "dice", "line 2 .*\n.*'6.5'"),
    ],
)
def test_files_that_hold_no_dice(text, rows, complaint):
    with pytest.raises(FileError, match=complaint):
        RpsBag.from_file(text, rows=rows)


def test_file_faults_that_belong_to_a_die_or_an_option():
    with pytest.raises(ParameterError, match=r"die 2 .*\n.*all three weights are 0"):
        RpsBag.from_file("1 0\n1 0\n1 0\n")
    with pytest.raises(ParameterError, match=r"no such rows\n.*rows=columns"):
        RpsBag.from_file("1\n1\n1\n", rows="columns")
    with pytest.raises(ParameterError, match="no parameter 'row'"):
        endsight.load("rpsbag:@dice.txt,row=dice")
