"""Moves at once where everything else is seen: values, mixtures, built-in games, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_at_once
from amounts import seeds, times
from at_once import Naive, random_game, stop_or_go_on
from command_line import Ending, ask, run
from endsight import CHANCE, Game
from endsight.errors import NoValue, QuestionError, RulesError
from ranges import as_range
from thresholds import compile_small_games, every_game_is_large, few_exact_positions_at_once
from web_server import serving


def solve(name: str, **options: Any) -> es.Solution:
    return es.solve(es.load(name), **options)


@pytest.mark.parametrize("count", times(80, 20))
def test_random_games_agree_with_every_square_part_of_every_matrix(count: int) -> None:
    assert fuzz_at_once.run(count, 11) > count / 16


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rps", 0),
        pytest.param("morra", 0, marks=pytest.mark.slow),
        ("morra:fingers=2", 0),
        ("blotto", Fraction(14, 9)),
        ("blotto:mine=2,yours=1", 1),
        ("blotto:mine=4,yours=4", 0),
        ("goofspiel:cards=3", 0),
        ("goofspiel:prizes=falling", 0),
        ("goofspiel:cards=3,points=win", 0),
    ],
)
def test_built_in_games_are_worth_what_is_known_and_what_the_oracle_says(name: str, value: Fraction) -> None:
    solution = solve(name)
    assert solution.values() == (value, -value)
    assert solution.values() == Naive(solution.game).value()


def test_morra_with_three_fingers_is_even() -> None:
    """Of its nine by nine matrix the oracle looks at every square part: that takes a quarter of a minute."""
    assert solve("morra").values() == (0, 0)


def test_hands_that_are_not_alike_are_worth_what_the_oracle_says() -> None:
    game = es.games.Goofspiel(cards=4)
    position = game.position("3 1-4 2 2-1")
    solution = es.solve(game, position)
    assert solution.values() == Naive(game).value(position)
    assert solution.values()[0] != 0


class OneMove(Game):
    """Both players pick 1 or 2 at once, and are paid what a table says."""

    players = 2
    table = ((3, 0), (5, 1))

    class State(NamedTuple):
        first: int
        second: int

    def limits(self) -> State:
        return self.State(2, 2)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> Any:
        return (0, 1)

    def moves(self, state: State) -> Any:
        return list(product((1, 2), (1, 2))) if state.first == 0 else []

    def play(self, state: State, move: tuple[int, int]) -> State:
        return self.State(*move)

    def payoff(self, state: State) -> tuple[int, ...]:
        return (self.table[state.first - 1][state.second - 1], self.table[state.second - 1][state.first - 1])


def test_interests_that_are_not_opposed_have_no_value_in_words_unless_all_want_the_same() -> None:
    with pytest.raises(NoValue, match="equilibria that are worth different amounts") as refused:
        es.solve(OneMove())
    assert "the sums differ" in str(refused.value.found)
    assert es.solve(OneMove(), utility="lead").values() == (0, 0)
    cooperative = es.solve(OneMove(), objective="cooperative")
    assert cooperative.values() == (5, 0)
    assert cooperative.best_moves() == ["2-1"]
    assert dict(cooperative.distribution()) == {5: 1}


class Three(OneMove):
    """Three players, of whom two move at once."""

    players = 3

    def payoff(self, state: OneMove.State) -> tuple[int, ...]:
        return (1, -1, 0) if state.first == state.second else (-1, 1, 0)


def test_three_players_have_no_value_though_their_payoffs_add_up() -> None:
    with pytest.raises(NoValue, match="move at once"):
        es.solve(Three())


def test_policies_and_searches_are_refused_by_name() -> None:
    for options in ({"method": "graph"}, {"objective": "cooperative"}):
        with pytest.raises(QuestionError, match="only some of them follow policies"):
            solve("rps", fixed={"first": "random"}, **options)
    for method in ("minimax", "alphabeta", "proofnumber"):
        with pytest.raises(QuestionError, match="solves games in which one moves at a time"):
            solve("rps", method=method)


def test_play_by_given_policies_is_luck_and_neither_stored_nor_proven(tmp_path: Path) -> None:
    fixed = {0: "random", 1: "random"}
    for objective in ("competitive", "cooperative"):
        solution = es.solve("rps", fixed=fixed, objective=objective)
        step = es.review(solution, "rock-paper").steps[0]
        assert (step.luck, step.mistakes, step.gifts, step.hidden) == ((-1, 1), (0, 0), (0, 0), (0, 0))
        with pytest.raises(QuestionError, match="play by given policies there is followed, not stored"):
            es.save(solution, tmp_path / "rps")
        with pytest.raises(QuestionError, match="move at once have no certificate"):
            es.prove(solution)
    told = run("solve", "rps", "--fix", "first=random", "--fix", "second=random", "-o", str(tmp_path / "rps"))
    assert (told.code, "followed, not stored" in told.err, [*tmp_path.iterdir()]) == (2, True, [])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"to_move": lambda *_: (1, 0)}, "an invalid group of players"),
        ({"to_move": lambda *_: (0,)}, "an invalid group of players"),
        ({"to_move": lambda *_: (0, 2)}, "an invalid group of players"),
        ({"moves": lambda _, state: [(1, 1), (2, 1), (1, 2)] * (state.first == 0)}, "all combinations"),
        ({"moves": lambda _, state: [(1, 1), (2, 1), (1, 2), (2, 2)] * (state.first == 0)}, "all combinations"),
        ({"moves": lambda _, state: [1, 2] * (state.first == 0)}, "all combinations"),
    ],
)
def test_rules_that_do_not_say_who_moves_and_how_are_blamed(changed: dict, message: str) -> None:
    with pytest.raises(RulesError, match=message):
        es.solve(type("Changed", (OneMove,), changed)(), utility="lead")


def test_compiled_rules_are_refused_by_name_and_python_answers() -> None:
    solution = solve("goofspiel:cards=3", engine="compiled")
    assert solution.source.engine == "plain"
    assert "players move at once" in str(solution.source.refusal)


# ---------------------------------------------------------------------- loops


def test_a_value_that_is_no_fraction_lies_between_close_bounds() -> None:
    """v = val [[2, v/2], [v/2, 1]] = 2 - 2/sqrt(3), the smaller root of 3 (2 - v)^2 = 4."""
    solution = es.solve(stop_or_go_on())
    value = solution.value()["first"]
    assert 3 * (2 - value.upper) ** 2 <= 4 <= 3 * (2 - value.lower) ** 2
    assert value.width < Fraction(1, 1 << 57)
    assert solution.source.method == "interval iteration"
    parts = solution.parts(0)
    assert all(value.lower <= part.value[0].upper for part in parts if part.probability)
    with pytest.raises(es.errors.LimitReached, match="only enclosed between proven bounds"):
        solution.distribution()
    with pytest.raises(es.errors.LimitReached, match="need not be fractions"):
        es.solve(stop_or_go_on(), exact=True)


def test_random_loops_have_bounds_that_one_move_of_the_game_proves() -> None:
    assert fuzz_at_once.run_loops(25, 3) < Fraction(1, 1 << 50)


class Discounted(OneMove):
    """The same game with a discount in place of chance: it is played again where moves differ."""

    discount = Fraction(1, 2)

    def moves(self, state: OneMove.State) -> Any:
        return list(product((1, 2), (1, 2))) if state.first != state.second or state.first == 0 else []

    def payoff(self, state: OneMove.State) -> tuple[int, int]:
        return (4, -4) if state.first == 1 else (2, -2)


def test_a_discount_makes_play_end() -> None:
    value = es.solve(Discounted()).value()["first"]
    assert 3 * (2 - value.upper) ** 2 <= 4 <= 3 * (2 - value.lower) ** 2


class Again(OneMove):
    """Rock, paper, scissors until somebody wins."""

    def moves(self, state: OneMove.State) -> Any:
        return list(product((0, 1, 2), (0, 1, 2))) if state.first == state.second else []

    def payoff(self, state: OneMove.State) -> tuple[int, int]:
        return (1, -1) if (state.first - state.second) % 3 == 1 else (-1, 1)


def test_a_game_that_only_mixtures_end_has_its_value_and_a_certificate() -> None:
    solution = es.solve(Again())
    assert solution.value() == {"first": 0, "second": 0}
    assert {part.probability for part in solution.parts(0)} == {Fraction(1, 3)}
    assert es.verify(es.prove(solution), Again).claim


class Waiting(OneMove):
    """Who waits with the other waits for ever; the first player gets 1 by acting alone, or if the second acts alone."""

    def moves(self, state: OneMove.State) -> Any:
        return list(product((0, 1), (0, 1))) if (state.first, state.second) == (0, 0) else []

    def payoff(self, state: OneMove.State) -> tuple[int, int]:
        return (0, 0) if (state.first, state.second) == (1, 1) else (1, -1)


def test_a_value_that_no_mixture_holds_is_enclosed() -> None:
    """The matrix [[v, 1], [1, 0]] with 0 for endless play: the first player gets as near to 1 as wanted (Everett)."""
    value = es.solve(Waiting()).value()["first"]
    assert Fraction(99, 100) < value.lower < 1 <= value.upper < 1 + Fraction(1, 10**9)
    assert es.verify(es.prove(es.solve(Waiting())), Waiting).claim


class PaidAgain(Again):
    """Each round costs the first player something."""

    def reward(self, state: OneMove.State, move: Any) -> tuple[int, int]:
        return (-1, 1)


def test_loops_that_pay_and_that_both_can_keep_going_are_refused_by_name() -> None:
    with pytest.raises(NoValue, match="can keep play going for ever and are paid on the way"):
        es.solve(PaidAgain())


@pytest.mark.parametrize("seed", seeds(3, 1))
def test_bounds_of_random_games_that_may_never_end_hold(seed: int) -> None:
    assert fuzz_at_once.run_lasting(12, seed) <= 3


# ---------------------------------------------------------------------- searches without moves kept


def searched(game: Game, at: str = "", **options: Any) -> es.Solution:
    """Bounds by a search in depth, as large games have them."""
    with pytest.MonkeyPatch.context() as patch:
        every_game_is_large(patch)
        return es.solve(game, at, interval=True, **options)


@pytest.mark.parametrize("name", ["goofspiel:cards=4", "goofspiel:points=win", "goofspiel:cards=5,prizes=falling"])
@pytest.mark.parametrize("symmetry", [True, False])
def test_a_search_encloses_the_exact_value_of_every_position(name: str, symmetry: bool) -> None:
    exact, random = solve(name, method="graph"), Random(1)
    found = searched(exact.game, symmetry=symmetry)
    assert found.method == "matrix games in depth"
    assert found.states < exact.states if symmetry else found.states == exact.states
    for _ in range(40):
        position = exact.game.position()
        while not position.is_over:
            position = position.play(random.choice(list(position.moves())))
            for own, value in zip(map(as_range, found.values(position)), exact.values(position), strict=True):
                assert own.lower <= value <= own.upper
                assert own.width < Fraction(1, 1 << 54)


@pytest.mark.parametrize("options", ["cards=13", "cards=13,points=win", "cards=13,prizes=falling"])
def test_a_position_that_is_its_own_image_is_not_searched(options: str) -> None:
    """Both players stand alike there and what they get together is proven, so each gets half of it."""
    game = es.load(f"goofspiel:{options}")
    for at in ("", "13", "13 1-1 12"):
        for utility in ("payoff", "lead"):
            found = searched(game, at, utility=utility)
            assert (found.states, found.values()) == (1, (0, 0))


def test_rules_of_moves_at_once_are_not_compiled() -> None:
    for name, why in (("rps", "only Python explores such games"), (f"{__file__}:Secret", "not a tuple")):
        method = ask("value", name, "--engine", "compiled")["method"]
        assert method["engine"] == "plain"
        assert why in method["refused"]


class Secret(OneMove):
    """Interests are opposed, and the second player has seen something before."""

    def payoff(self, state: OneMove.State) -> tuple[int, ...]:
        return (self.table[state.first - 1][state.second - 1], -self.table[state.first - 1][state.second - 1])

    def sees(self, state: OneMove.State, player: int) -> Any:
        return (player, state.first > 0)


def test_random_games_are_enclosed_by_a_search() -> None:
    random, methods = Random(5), []
    for _ in range(60):
        game, utility = random_game(random), random.choice(["payoff", "win", "lead"])
        found, values = searched(game, utility=utility), Naive(game, utility=utility).value()
        for own, value in zip(map(as_range, found.values()), values, strict=True):
            assert own.lower <= value <= own.upper
        methods.append(found.method)
    assert methods.count("matrix games in depth") > 30


def test_what_comes_back_or_is_not_opposed_is_no_game_for_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    every_game_is_large(monkeypatch)
    assert es.solve(Again(), interval=True).method != "matrix games in depth"
    with pytest.raises(NoValue):
        es.solve(Together(), interval=True)


def test_large_games_of_moves_at_once_have_bounds_without_being_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    compile_small_games(monkeypatch)
    few_exact_positions_at_once(monkeypatch, 100)
    solution = solve("goofspiel:cards=4")
    assert solution.method == "matrix games in depth"
    assert solution.value() == {"first": 0, "second": 0}
    position = solution.game.position("4 1-2")
    assert sum(part.probability for part in solution.parts(0, solution.game.position("3"))) == 1
    value = as_range(solution.value(position)["first"])
    exact = solve("goofspiel:cards=4", exact=True).value(position)["first"]
    assert value.lower <= exact <= value.upper
    monkeypatch.undo()
    assert solve("goofspiel:cards=4").method == "backward induction"


class Together(Again):
    """Both are paid when somebody wins."""

    def moves(self, state: OneMove.State) -> Any:
        return list(product((0, 1), (0, 1))) if (state.first, state.second) == (0, 0) else []

    def play(self, state: OneMove.State, move: Any) -> OneMove.State:
        return self.State(move[0] + 1, move[1] + 1)

    def payoff(self, state: OneMove.State) -> tuple[int, int]:
        return (state.first, state.second)


# ---------------------------------------------------------------------- what is told


def test_a_player_is_told_the_own_parts_with_chance_value_and_regret() -> None:
    solution = solve("blotto")
    parts = solution.parts(0)
    assert {part.text: part.probability for part in parts}["0/4"] == Fraction(4, 9)
    assert all(part.regret == 0 for part in parts if part.probability)
    assert max(part.regret for part in parts) > 0
    with pytest.raises(QuestionError, match="does not move at once"):
        solve("tictactoe").parts(0)


def test_joint_moves_have_the_chances_of_both_mixtures() -> None:
    document = ask("analyze", "rps")
    assert document["to_move"] == "first and second"
    assert {entry["probability"]["exact"] for entry in document["moves"]} == {"1/9"}
    assert document["moves"][1]["move"] == "rock-paper"
    assert document["moves"][1]["value"]["first"]["exact"] == "-1"


def test_a_line_takes_the_likeliest_and_the_distribution_all() -> None:
    solution = solve("morra:fingers=2")
    assert solution.line() == ["1/2-1/2"]
    assert solution.policy(solution.position) is None
    assert sum(solution.distribution().outcomes.values()) == 1
    assert "first and second" in run("line", "rps").out


def test_samples_draw_from_the_mixtures() -> None:
    found = es.simulate(solve("blotto").game, games=400, seed=3)
    assert found.value == Fraction(14, 9)
    assert found.value in found.interval
    assert set(found.counts) <= {-2, 0, 1, 2, 4}
    assert found.mean_plies == 1


def test_a_matrix_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "matrix"
    file.write_text("1/2 0\n0, 1/3\n", encoding="utf-8")
    document = ask("analyze", f"rps:@{file}")
    assert document["value"]["first"]["exact"] == "1/5"
    assert [entry["move"] for entry in document["moves"]] == ["1-1", "1-2", "2-1", "2-2"]
    for text, message in (("1 2\n3\n", "rows of 2, 1 entries"), ("1 x\n", "'x'"), ("", "no rows"), ("1/0\n", "'1/0'")):
        file.write_text(text, encoding="utf-8")
        failed = run("value", f"rps:@{file}")
        assert failed.code == 3
        assert message in failed.err


@pytest.mark.parametrize("name", ["rps", "morra:fingers=2", "blotto", "goofspiel:cards=3", "goofspiel:points=win"])
def test_positions_read_back_what_they_show(name: str) -> None:
    game = es.load(name)
    waiting = [game.position()]
    for position in waiting[:200]:
        assert game.parse(game.show(position.state)) == position.state
        assert game.draw(position.state)
        for move in position.moves():
            assert game.parse_move(position.state, game.show_move(position.state, move)) == move
        waiting += map(position.play, position.moves())


@pytest.mark.parametrize(
    "text", ["first=1 second=1-2 prizes=1 prize=2 ahead=0", "first=1-2 second=1-2 prizes=1-2 prize=2 ahead=0", "x", ""]
)
def test_positions_that_no_game_of_goofspiel_has_are_refused(text: str) -> None:
    with pytest.raises(es.errors.PositionError):
        es.games.Goofspiel(cards=3).position_from(text)


# ---------------------------------------------------------------------- playing and reviewing


def play(game: str, *options: str, typed: str = "") -> Ending:
    ending = run("play", game, *options, stdin="".join(f"{word}\n" for word in typed.split()))
    assert "Traceback" not in ending.err
    return ending


@pytest.mark.parametrize(
    ("name", "own", "joint"),
    [("rps", "paper", "paper-rock"), ("morra", "1/2", "1/2-1/2"), ("blotto", "4/0", "4/0-1/2")],
)
def test_a_person_types_the_own_part_and_no_joint_move(name: str, own: str, joint: str) -> None:
    refused = play(name, typed=joint)
    assert f"not a move here: '{joint}'" in refused.err
    assert "regret" not in refused.out
    assert f"Moves: {own}-" in play(name, typed=own).out
    assert "first> " in refused.err


def test_the_other_part_is_drawn_from_the_mixture_by_the_seed() -> None:
    support = {part.text for part in solve("blotto").parts(1) if part.probability}
    replies = {seed: play("blotto", "--seed", str(seed), typed="2/2").out for seed in range(12)}
    drawn = {out.split("Moves: 2/2-")[1].split("\n")[0] for out in replies.values()}
    assert 1 < len(drawn) <= len(support)
    assert drawn <= support
    assert play("blotto", "--seed", "3", typed="2/2").out == replies[3]


def test_two_people_choose_before_either_part_is_shown() -> None:
    ending = play("rps", "--seat", "second=human", typed="rock u paper ? rock-rock scissors")
    before, after = ending.out.split("first and second: paper-scissors\n")
    assert "second to move: rock paper scissors" in before
    assert "taken back" in before
    assert "regret" in before
    assert ending.err.count("first> ") == 2
    prompts = [line for line in ending.err.split("\n") if "> " in line]
    assert all(line.endswith("> ") for line in prompts), prompts
    assert "luck of the draw  -1     1" in after


def test_turns_are_taken_back_and_chance_is_typed_between_moves_at_once() -> None:
    ending = play("goofspiel:cards=3", "--roll", "by-hand", typed="2 1 u u 2 ? 2 1 ? q")
    assert ending.out.count("taken back") == 2
    assert "Moves: 2 2-2 1\n" in ending.out
    refused = play("rps", "--quiz")
    assert refused.code == 2
    assert "--quiz" in refused.err


def test_partners_who_move_at_once_play_and_are_reviewed_as_one() -> None:
    ending = play("rps", "--objective", "cooperative", "--seat", "first=perfect")
    assert "Moves: rock-scissors" in ending.out
    step = es.review(solve("rps", objective="cooperative"), "rock-paper").steps[0]
    assert step.mistakes[0] == 2
    assert step.best == ("rock-scissors", "paper-rock", "scissors-paper")


@pytest.mark.parametrize("name", ["rps", "morra:fingers=2", "blotto", "goofspiel:cards=3"])
def test_a_review_judges_each_part_against_the_mixture_of_the_other(name: str) -> None:
    solution, random = solve(name), Random(4)
    for _ in range(8):
        position = solution.position
        while not position.is_over:
            position = position.play(random.choice(list(position.moves())))
        found = es.review(solution, position)
        for player in (0, 1):
            rest = found.luck[player] + found.hidden[player] - found.mistakes[player] + found.gifts[player]
            assert found.start[player] + rest == found.final[player]
        here = solution.position
        for step in found.steps:
            if here.mover == CHANCE:
                assert step.probability is None
            else:
                _check_joint(solution, here, step)
            here = here.after(step.move)


def _check_joint(solution: es.Solution, here: es.Position, step: Any) -> None:
    """No joint move is best; each part brings what the other's mixture says, and the chance is the product of two."""
    assert step.best is None
    made = here.game.parse_move(here.state, step.move)
    chance = Fraction(1)
    for player, own in enumerate(made):
        other = {part.move: part.probability for part in solution.parts(1 - player, here)}
        worth = sum(
            share
            * solution.value(here.play((own, reply) if player == 0 else (reply, own)))[("first", "second")[player]]
            for reply, share in other.items()
        )
        assert step.mistakes[player] == solution.value(here)[("first", "second")[player]] - worth
        chance *= next(part.probability for part in solution.parts(player, here) if part.move == own)
    assert step.probability == chance


def test_a_review_in_the_terminal_tells_the_chance_and_who_missed_what() -> None:
    told = run("review", "rps", "rock-paper").out
    assert "best  " not in told
    assert "chance 1/9" in told
    missed = ask("review", "goofspiel:cards=3", "1 2-3")["steps"][1]
    assert missed["best"] is None
    assert missed["parts"] == {"first": ["1"], "second": ["1"]}
    assert missed["probability"]["exact"] == "0"
    assert "mistake  first: 1 second: 1" in run("review", "goofspiel:cards=3", "1 2-3").out


def test_the_web_page_plays_and_reviews_moves_at_once() -> None:
    with serving(["rps", "goofspiel:cards=3"], quick=1) as served:
        page = served.get("/games/rps")
        assert page.status_code == 200
        assert page.text.count(', chance 11.1 %"') == 9, "each cell of the board tells its chance"
        assert "not proven" not in page.text
        assert served.get("/games/rps?once=perfect").status_code in (200, 303)
        moved = served.get("/games/rps?seat-first=perfect&seat-second=random")
        assert "-" in moved.headers.get("location", "") or "won" in moved.text
        review = served.get("/games/goofspiel:cards=3/review?at=1+2-3").text
        assert "better: first: 1, second: 1" in review
        assert '<span class="tag best">' not in review


@pytest.mark.parametrize("verb", ["dist", "fair"])
@pytest.mark.parametrize("game", ["blotto", "goofspiel"])
def test_bounds_do_not_give_the_chances_of_best_play_and_the_refusal_says_what_does(verb: str, game: str) -> None:
    refused = run(verb, game, "--interval")
    assert refused.code == 5
    assert refused.err == (
        "error: stopped: chances of moves at once follow from exact values, and here values are only enclosed between"
        " proven bounds\n  try:     --exact, and no --interval: values are then found as fractions, or endsight"
        " simulate for a sample\n"
    )
    assert run(verb, game, "--exact").code == 0
