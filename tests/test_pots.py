"""Pots: the rules, and every theorem against tables written here, the oracle and worked answers."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import endsight
from endsight import Position, Question, Solution, solve
from endsight.errors import FileError, IllegalMoveError, ParameterError, PositionError, QuestionError
from endsight.games.pots import LEFT, RIGHT, Pots
from naive import Recursion

KNOWN = json.loads((Path(__file__).parent / "known" / "pots.json").read_text())
UTILITIES = ("payoff", "win", "lead")
GREEDY = {0: "bigger", 1: "bigger"}
LINES = st.one_of(
    st.lists(st.integers(0, 3), max_size=9),
    st.lists(st.integers(-3, 3), max_size=9),
    st.lists(st.integers(-(10**25), 10**25), max_size=7),
)


def theorem(game: Pots, question: Question | None = None) -> tuple[Solution, Position]:
    asked = vars(question or Question())
    found = solve(game, method="theorem", **{name: asked[name] for name in ("objective", "utility", "fixed")})
    return found, found.position


def lead_table(pots: tuple[int, ...]) -> list[list[int]]:
    """table[left][right]: how far the player to move comes out ahead; both want gold."""
    count = len(pots)
    table = [[0] * (count + 1) for _ in range(count + 1)]
    for length in range(1, count + 1):
        for left in range(count - length + 1):
            right = left + length
            table[left][right] = max(pots[left] - table[left + 1][right], pots[right - 1] - table[left][right - 1])
    return table


def first_gold_table(pots: tuple[int, ...]) -> list[list[int]]:
    """table[left][right]: the first player's gold when both want as much of it as possible."""
    count = len(pots)
    table = [[0] * (count + 1) for _ in range(count + 1)]
    for length in range(1, count + 1):
        own = (count - length) % 2 == 0
        for left in range(count - length + 1):
            right = left + length
            table[left][right] = max(
                own * pots[left] + table[left + 1][right], own * pots[right - 1] + table[left][right - 1]
            )
    return table


def random_line(source: random.Random, longest: int) -> tuple[int, ...]:
    """Many shapes: ties, negative pots, runs, zigzags."""
    count, spread = source.randrange(longest + 1), source.choice([1, 2, 5, 20, 1000])
    slope, zigzag = source.choice([0, 0, 1, -1]), source.choice([0, 0, 10])
    return tuple(source.randint(-spread, spread) + slope * i + zigzag * (i % 2) for i in range(count))


def every_position(position: Position) -> list[Position]:
    """Each reachable position once for its state and totals."""
    seen = {(position.state, position.so_far): position}
    queue = [position]
    for here in queue:
        for move in here.moves():
            then = here.play(move)
            if (then.state, then.so_far) not in seen:
                seen[then.state, then.so_far] = then
                queue.append(then)
    return queue


def best_moves(found: Solution, position: Position, interest: int) -> list[str]:
    values = {then.history[-1]: found.values(then)[interest] for then in map(position.play, position.moves())}
    return [move for move, value in values.items() if value == max(values.values())]


# ---------------------------------------------------------------- rules


def test_a_game_move_by_move() -> None:
    game = Pots((4, 9, 2, 7))
    position = game.position("L R L")
    assert position.so_far == (13, 7)
    assert position.to_move == "second"
    assert game.show(position.state) == "left=2 right=3"
    assert [game.show_move(position.state, move) for move in position.moves()] == ["L"]
    over = position.after("L")
    assert over.is_over
    assert over.to_move is None
    assert over.so_far == (13, 9)


def test_a_single_pot_is_taken_with_l_only() -> None:
    with pytest.raises(IllegalMoveError, match="move 1, 'R', is not legal"):
        Pots((5,)).position("R")


@pytest.mark.parametrize("question", [Question(), Question("cooperative"), Question(fixed=GREEDY)])
def test_the_empty_line_is_over(question: Question) -> None:
    found, position = theorem(Pots(()), question)
    assert position.is_over
    assert found.values(position) == (0, 0)
    assert dict(found.distribution()) == {0: 1}


def test_pots_must_be_given_and_be_whole_numbers() -> None:
    with pytest.raises(ParameterError, match="needs pots"):
        Pots()
    with pytest.raises(ParameterError, match="pots holds a number that is not exact"):
        Pots((1, 2.5))
    for wrong in ("7", True, Fraction(1, 2)):
        with pytest.raises(ParameterError, match="pot number 2 is not a whole number"):
            Pots((1, wrong))


def test_positions_as_text() -> None:
    game = Pots((4, 9, 2, 7))
    position = game.position_from("left=1 right=3")
    assert (position.state, position.mover) == ((1, 3), 0)
    assert game.position_from("left=1 right=4").mover == 1
    for wrong in ("left=3 right=1", "left=0 right=5", "left=-1 right=2", "left=1", "middle=2"):
        with pytest.raises(PositionError):
            game.position_from(wrong)


@pytest.mark.parametrize(
    ("text", "pots"),
    [
        ("4 9,2\n7", (4, 9, 2, 7)),
        ("", ()),
        (" \n\n", ()),
        ("-3, +7,\n0\n", (-3, 7, 0)),
        ("1\u00a02\t3", (1, 2, 3)),
        ("9" * 4000, (int("9" * 4000),)),
    ],
)
def test_files(text: str, pots: tuple[int, ...]) -> None:
    game, moves = Pots.from_file(text)
    assert game == Pots(pots)
    assert moves == ()


@pytest.mark.parametrize("word", ["x", "1.5", "1_000", "--2", "1-2", "9" * 5000, "٣"])
def test_a_file_with_a_word_that_is_no_number(word: str) -> None:
    with pytest.raises(FileError, match=r"line 2 of the file, word 3, is not a whole number") as error:
        Pots.from_file(f"1 2 3\n4,5 {word}\n6")
    assert word[:30] in str(error.value)
    assert len(str(error.value)) < 300


def test_a_file_has_no_options() -> None:
    with pytest.raises(ParameterError, match="no options"):
        endsight.load("pots:@line.txt,rows=dice")


def test_drawings_show_the_ends_and_stay_narrow() -> None:
    assert Pots((4, 9, 2, 7)).draw(Pots.State(0, 4)) == " L       R\n[4] 9 2 [7]"
    assert Pots((4, 9, 2, 7)).draw(Pots.State(1, 2)) == " L\n[9]"
    assert Pots((4,)).draw(Pots.State(1, 1)) == "no pot is left"
    assert Pots((4, 5)).draw(Pots.State(0, 2)) == " L   R\n[4] [5]"
    long = Pots(tuple(range(1000)))
    marks, row = long.draw(long.start()).split("\n")
    assert row.startswith("[0] 1 2")
    assert " more ... " in row
    assert row.endswith("998 [999]")
    assert len(row) <= 60
    assert marks.rindex("R") == len(row) - 2
    hidden = int(row.split("... ")[1].split()[0])
    assert hidden + len(row.replace(f"... {hidden} more ...", "").split()) == 1000
    assert len(Pots((10**5000,) * 30).draw(Pots.State(0, 30)).split("\n")[1]) < 200


# ---------------------------------------------------------------- worked answers


@pytest.mark.parametrize("case", KNOWN["cases"], ids=lambda case: case["name"])
def test_worked_answers(case: dict) -> None:
    game = Pots(tuple(case["pots"]))
    questions = {
        "competitive_known": Question(),
        "cooperative_known": Question("cooperative"),
        "competitive_unknown_greedy": Question(fixed=GREEDY),
        "cooperative_unknown_greedy": Question("cooperative", fixed={0: "bigger", 1: "smaller"}),
    }
    for key, question in questions.items():
        known = case[key]
        found, position = theorem(game, question)
        value = found.values(position)
        assert value[0] == known["first_player_gold"]
        assert value[1] == known.get("second_player_gold", sum(case["pots"]) - value[0])
        if "optimal_first_moves" in known:
            # With a single pot both ends are the same pot, and the move is called L.
            best = known["optimal_first_moves"] if len(case["pots"]) > 1 else ["L"]
            assert best_moves(found, position, 0) == best
        if "moves" in known:
            line = ""
            while not position.is_over:
                position = position.play(found.chosen(position))
                line = "".join(position.history)
            assert line == known["moves"]
            assert position.so_far == value


def test_worked_answers_for_a_thousand_pots() -> None:
    known = KNOWN["large"][0]
    game = Pots(tuple((7919 * i * i + 104729 * i + 3) % 1000003 for i in range(1000)))
    assert sum(game.pots) == known["total"]
    competitive = known["competitive_known"]
    value = (competitive["first_player_gold"], competitive["second_player_gold"])
    for question, expected in (
        (Question(), value),
        (Question("competitive", "lead"), (competitive["difference"], -competitive["difference"])),
        (Question("competitive", "win"), (1, 0)),
        (Question(fixed=GREEDY), tuple(known["competitive_unknown_greedy"].values())),
        (Question(fixed={0: "bigger", 1: "smaller"}), tuple(known["cooperative_unknown_greedy"].values())),
    ):
        found, position = theorem(game, question)
        assert found.values(position) == expected
    found, position = theorem(game, Question("cooperative"))
    first = known["cooperative_known"]["first_player_gold"]
    assert found.values(position) == (first, known["total"] - first)


# ---------------------------------------------------------------- against the oracle


@settings(max_examples=40)
@given(
    pots=LINES,
    objective=st.sampled_from(["competitive", "cooperative"]),
    utility=st.sampled_from(UTILITIES),
    fixed=st.sampled_from([{}, {}, *({0: a, 1: b} for a in ("bigger", "smaller") for b in ("bigger", "smaller"))]),
)
def test_every_position_agrees_with_the_rules_played_out(pots: list, objective: str, utility: str, fixed: dict) -> None:
    game = Pots(tuple(pots))
    question = Question(objective, utility, fixed)
    policies = {player: getattr(game, "policy_" + rule) for player, rule in fixed.items()}
    oracle = Recursion(game, objective, utility, policies)
    found, start = theorem(game, question)
    for position in every_position(start):
        value = oracle.value(position)
        assert found.values(position) == found.afresh(position).values(position) == value
        if not position.is_over:
            assert found.chosen(position) == oracle.chosen(oracle.root(position))
    for player, name in enumerate(game.player_names):
        distribution = found.distribution(name)
        assert dict(distribution) == {found.values(start)[player]: 1}
        assert distribution.expected_plies == len(pots)


def test_the_theorems_settle_nothing_else() -> None:
    game = Pots((1, 2, 3))
    for question in (
        Question(fixed={0: "bigger"}),
        Question("cooperative", fixed={1: "smaller"}),
        Question(fixed={0: "bigger", 1: "worst"}),
        Question(fixed={0: "random", 1: "bigger"}),
        Question(fixed={0: lambda game, state: LEFT, 1: "bigger"}),
    ):
        with pytest.raises(QuestionError, match="no theorem settles"):
            theorem(game, question)


# ---------------------------------------------------------------- against tables


def stretch(game: Pots, left: int, right: int) -> Position:
    """The position in which those pots are left, with nothing gained."""
    state = game.State(left, right)
    return Position(game, state, game.to_move(state), (0, 0), ())


def test_the_stack_agrees_with_the_table_on_every_stretch() -> None:
    source = random.Random(1)
    for _ in range(300):
        pots = random_line(source, 12)
        found, table = theorem(Pots(pots))[0], lead_table(pots)
        for left in range(len(pots) + 1):
            for right in range(left, len(pots) + 1):
                place = stretch(found.game, left, right)
                own = found.values(place)[place.mover]
                assert 2 * own - sum(pots[left:right]) == table[left][right], (pots, left, right)


def test_the_stack_agrees_with_the_table_on_long_lines() -> None:
    source = random.Random(2)
    for _ in range(60):
        pots = random_line(source, 150)
        first, second = theorem(Pots(pots))[0].values()
        assert first - second == lead_table(pots)[0][len(pots)]


def test_all_small_lines() -> None:
    """All lines of up to six pots of 0, 1, 2: values, and the first of the best moves."""
    lines: list[tuple[int, ...]] = [()]
    for _ in range(6):
        lines += [(*line, gold) for line in lines[-(3 ** len(lines[-1])) :] for gold in range(3)]
    assert len(lines) == sum(3**count for count in range(7))
    for pots in lines[1:]:
        table, count = lead_table(pots), len(pots)
        found, position = theorem(Pots(pots))
        assert found.values(position)[0] * 2 - sum(pots) == table[0][count]
        left_is_best = pots[0] - table[1][count] == table[0][count]
        assert found.chosen(position) == (LEFT if left_is_best else RIGHT)


def test_a_line_of_play_takes_the_first_best_move_all_along() -> None:
    """Also after moves that were not best, and from positions out of order."""
    source = random.Random(3)
    for _ in range(300):
        game = Pots(random_line(source, 40))
        table = lead_table(game.pots)
        found, position = theorem(game)
        while not position.is_over:
            for place in (*elsewhere(source, position), position):
                left, right = place.state
                left_is_best = game.pots[left] - table[left + 1][right] == table[left][right]
                assert found.chosen(place) == (LEFT if left_is_best else RIGHT)
            is_astray = source.random() < 0.2
            position = position.play(source.choice(list(position.moves())) if is_astray else found.chosen(position))


def elsewhere(source: random.Random, position: Position) -> list[Position]:
    """Now and then another stretch of the same line: some moves on, or back."""
    if source.random() < 0.8:
        return []
    left = source.randrange(max(0, position.state.left - 2), position.state.right)
    return [stretch(position.game, left, source.randrange(left + 1, len(position.game.pots) + 1))]


def test_cooperation_agrees_with_the_table() -> None:
    """Long enough for several kept rows; all stretches, in any order; words and long numbers."""
    source = random.Random(4)
    for factor in (1, 10**6, 10**17, 10**30):
        pots = tuple(factor * source.randint(-50, 100) for _ in range(source.choice([90, 91])))
        game = Pots(pots)
        table, total = first_gold_table(pots), sum(pots)
        found, position = theorem(game, Question("cooperative"))
        assert found.values(position) == (table[0][len(pots)], total - table[0][len(pots)])
        for _ in range(300):
            left = source.randrange(len(pots) + 1)
            right = source.randrange(left, len(pots) + 1)
            rest = sum(pots[left:right])
            assert found.values(stretch(game, left, right)) == (table[left][right], rest - table[left][right])


def test_cooperation_from_the_middle_works_on_that_stretch_only() -> None:
    game = Pots(tuple(range(40)))
    place = game.position_from("left=10 right=17")
    found = solve(game, place, objective="cooperative", method="theorem")
    table = first_gold_table(game.pots)
    assert found.values()[0] == table[10][17]
    assert found.values(place.after("L"))[0] == table[11][17]  # the second one took it
    assert found.states < 7**2
    assert found.values("")[0] == table[0][40]
    assert found.states > 7**2


@pytest.mark.parametrize("count", [1, 2, 3, 4, 7, 8, 40, 41])
def test_cooperation_counts_the_stretches_it_has_looked_at(count: int) -> None:
    """All whose length has the parity of the line, those without a choice too: a short line needs them all."""
    found = solve(Pots(tuple(range(count))), objective="cooperative")
    found.values()
    assert found.states == sum(count - length + 1 for length in range(count % 2, count + 1, 2))
    found.values("L")
    list(found.options())
    assert found.states <= (count + 1) * (count + 2) // 2


def test_sums_near_the_ends_of_machine_words() -> None:
    for bits in (31, 63):
        for pots in (
            (2 ** (bits - 1) - 1, 2 ** (bits - 1), 1),
            (2 ** (bits - 1), 2 ** (bits - 1), -1, 3),
            (-(2**bits), 1, -(2**bits)),
            (2**bits, 2**bits, 2**bits, 2**bits),
        ):
            found, position = theorem(Pots(pots), Question("cooperative"))
            assert found.values(position)[0] == first_gold_table(pots)[0][len(pots)]


def test_facts_about_the_four_readings() -> None:
    assert theorem_value((1, 5, 5, 1), Question("cooperative")) == (6, 6)
    assert theorem_value((1, 2, 10, 3), Question(fixed=GREEDY)) == (5, 11)
    assert theorem_value((1, 2, 10, 3), Question()) == (11, 5)
    assert theorem_value((1, 10**40, 1), Question()) == (2, 10**40)


def theorem_value(pots: tuple[int, ...], question: Question) -> tuple:
    found, position = theorem(Pots(pots), question)
    return found.values(position)


# ---------------------------------------------------------------- big lines


def play_out(game: Pots, found: Solution) -> tuple[int, int]:
    """Everybody's gold when each move is the chosen one (positions without their history)."""
    state, gold = game.start(), [0, 0]
    while state.left < state.right:
        mover = game.to_move(state)
        move = found.chosen(Position(game, state, mover, (gold[0], gold[1]), ()))
        gold[mover] += game.reward(state, move)[mover]
        state = game.play(state, move)
    return gold[0], gold[1]


@pytest.mark.parametrize("shape", ["random", "up", "hump", "zigzag", "noisy valley"])
def test_lines_of_thousands_of_pots_are_played_to_their_value(shape: str) -> None:
    source, count = random.Random(5), 4000
    pots = {
        "random": [source.randrange(10**9) for _ in range(count)],
        "up": list(range(count)),
        "hump": [min(i, count - i) for i in range(count)],
        "zigzag": [1 + 8 * (i % 2) for i in range(count - 1)],
        "noisy valley": [max(i, count - i) + source.randrange(9) for i in range(count)],
    }[shape]
    game = Pots(tuple(pots))
    for question in (Question(), Question(fixed={0: "smaller", 1: "bigger"})):
        found, position = theorem(game, question)
        assert play_out(game, found) == found.values(position)


def test_two_hundred_thousand_pots() -> None:
    source, count = random.Random(6), 200_000
    game = Pots(tuple(source.randrange(10**12) for _ in range(count)))
    found, position = theorem(game)
    value = found.values(position)
    assert sum(value) == sum(game.pots)
    assert max(found.values(position.play(move))[0] for move in position.moves()) == value[0]
    turned, same = theorem(Pots(game.pots[::-1]))
    assert turned.values(same) == value
    # Greedy play is best in a valley, and only there is it known to be.
    valley = Pots((*range(count, 0, -2), *range(1, count, 2)))
    best, start = theorem(valley)
    greedy, _ = theorem(valley, Question(fixed=GREEDY))
    assert best.values(start) == greedy.values(start)


def test_cooperation_is_played_to_its_value() -> None:
    source = random.Random(7)
    game = Pots(tuple(source.randrange(1000) for _ in range(601)))
    found, position = theorem(game, Question("cooperative"))
    assert play_out(game, found) == found.values(position)
