"""Playing in the terminal: every word of the help, every seat, and the ends of a game."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import endsight as es
import naive
import strategies
from amounts import examples
from command_line import Ending, run
from endsight import CHANCE, Game
from shown import draw, move_of_a_seat
from thresholds import play_gives_up

PERFECT = "perfect"
POLICY = "def left(game, state):\n    return next(iter(game.moves(state)))\n"


def play(game: str, *options: str, typed: str = "") -> Ending:
    """A game in which the words of `typed` are typed, one a line."""
    ending = run("play", game, *options, stdin="".join(f"{word}\n" for word in typed.split("|") if word))
    assert "Traceback" not in ending.err
    return ending


def record(ending: Ending) -> str:
    assert ending.code == 0, ending
    return re.search(r"^Moves: (.*)$", ending.out, re.MULTILINE)[1]


def test_a_game_against_perfect_play_to_the_end() -> None:
    ending = play("pots:4-9-2-7", typed="L|R")
    moves = record(ending)
    review = es.review(es.solve(es.games.Pots([4, 9, 2, 7])), moves)
    assert review.finished
    assert review.mistakes == (5, 0)
    assert f"= final          {review.final[0]}" in ending.out
    assert "The game is over" in ending.out
    assert "first> " in ending.err
    assert "first> " not in ending.out


def test_values_are_hidden_until_asked() -> None:
    quiet = play("tictactoe", typed="a1|q").out
    assert "regret" not in quiet
    assert "regret" in play("tictactoe", typed="a1|?|q").out
    assert "regret" in play("tictactoe", "--show", typed="q").out
    shown = play("tictactoe", typed="show|hide|a1|q").out
    assert shown.count("regret") == 1
    assert "values are hidden" in shown


@pytest.mark.parametrize("word", ["hint", "show", "hide", "line", "moves", "undo", "quit", "help"])
def test_every_word_of_the_help_works(word: str) -> None:
    helped = play("tictactoe", typed="help|q").out
    assert re.search(rf"\b{word}\b", helped)
    for form in (word, f":{word}", word.upper()):
        ending = play("tictactoe", typed=f"b2|{form}|q")
        assert ending.code == 0
        assert "not a move" not in ending.err


def test_take_back_goes_to_the_own_turn_before() -> None:
    again = play("tictactoe", typed="a1|b1|u|u|b2|q")
    assert record(again).split()[0] == "b2"
    assert again.out.count("taken back") == 2
    assert "nothing to take back" in play("tictactoe", typed="u|q").err


def test_lines_are_lines_of_best_play() -> None:
    ending = play("pots:4-9-2-7", typed="line|q")
    assert " ".join(es.solve(es.games.Pots([4, 9, 2, 7])).line()) in ending.out


def test_moves_in_the_wrong_case_and_wrong_moves() -> None:
    assert record(play("pots:4-9-2-7", typed="l|R")).startswith("L")
    ending = play("tictactoe", typed="z9|a1 b1||q")
    assert "not a move here: 'z9'" in ending.err
    assert "allowed: a1" in ending.err
    assert "Moves:" not in ending.out


def test_the_same_seed_gives_the_same_draws() -> None:
    first, again, other = (play("pigturn", "--seed", seed, typed="roll|roll|roll|q") for seed in ("5", "5", "6"))
    assert (first.out, first.err) == (again.out, again.err)
    assert record(first) != record(other)


def test_chance_by_hand() -> None:
    ending = play("pigturn", "--roll", "by-hand", typed="roll|4|roll|9|6|hold")
    assert record(ending) == "roll 4 roll 6 hold"
    assert "chance> " in ending.err
    assert "not a move here: '9'" in ending.err


def test_draws_follow_the_weights() -> None:
    places = [draw([1, 3], seed) for seed in range(400)]
    assert 60 < places.count(0) < 140


@pytest.mark.parametrize("seat", ["perfect", "random", "worst", "bigger", "smaller"])
def test_seats(seat: str) -> None:
    ending = play("pots:4-9-2-7-5", "--seat", f"first={seat},second={seat}", "--seed", "1")
    moves = record(ending)
    game = es.games.Pots([4, 9, 2, 7, 5])
    solution = es.solve(game)
    assert game.position(moves).is_over
    position = game.position()
    for move in moves.split():
        if seat == "perfect":
            assert move == solution.policy(position)
        if seat == "worst":
            own = {option.text: option.value[position.mover] for option in solution.options(position)}
            assert own[move] == min(own.values())
            assert move == next(text for text in ("L", "R") if own.get(text) == own[move])
        position = position.after(move)
    assert f"first is {seat}" in ending.out


def test_two_people_and_a_policy_from_a_file(tmp_path: Path) -> None:
    moves = record(play("tictactoe", "--seat", "second=human", typed="a1|b1|b2|c3|a3|a2|c1"))
    assert moves == "a1 b1 b2 c3 a3 a2 c1"
    file = tmp_path / "mine.py"
    file.write_text(POLICY, encoding="utf-8")
    assert record(play("nim:heaps=1-2", "--seat", f"second={file}:left", typed="1:1|2:1")) == "1:1 2:1 2:1"


def test_games_of_ones_own(tmp_path: Path) -> None:
    from test_cli import RULES

    file = tmp_path / "mygame.py"
    file.write_text(RULES, encoding="utf-8")
    ending = play(f"{file}:MyGame:heap=5", typed="1|1|q")
    assert record(ending).split()[0] == "1"
    assert play(f"{file}:Crashing", typed="1").code == 3


# ---------------------------------------------------------------------- the quiz


def test_the_quiz_asks_before_it_tells() -> None:
    ending = play("pots:4-9-2-7-5-3", "--quiz", typed="L|R|L|L")
    assert "not the best (0 of 1): L gives away 5" in ending.out
    assert "right (2 of 3)" in ending.out
    assert "Quiz: 2 of 3 best moves guessed." in ending.out
    assert record(ending).split()[0] == "R"


def test_values_can_be_guessed() -> None:
    ending = play("pots:4-9-2-7-5-3", "--quiz", typed="= 19|= 3/2|= x|L|= 19|q")
    assert "right (1 of 1): worth 19 to first" in ending.out
    assert "no (1 of 2)" in ending.out
    assert "is not a guess of a value" in ending.err
    assert "are already shown" in ending.err
    assert "right (1 of 1)" in play("tictactoe", "--quiz", typed="= draw|q").out
    assert "right (1 of 1)" in play("tictactoe", "--quiz", "--utility", "win", typed="= draw|q").out


def test_a_hint_in_a_quiz_does_not_count() -> None:
    ending = play("pots:4-9-2-7-5-3", "--quiz", typed="?|R|q")
    assert "Quiz: 0 of 0 best moves guessed." in ending.out


# ---------------------------------------------------------------------- how it ends


def test_the_end_of_the_input_ends_politely() -> None:
    ending = play("tictactoe", typed="a1")
    assert ending.code == 0
    assert record(ending).startswith("a1 ")
    assert "Unfinished game" in ending.out
    assert play("tictactoe").code == 0


def test_bounds_can_be_played_but_not_reviewed() -> None:
    ending = play("pig:target=8", "--interval", "--seed", "1", typed="roll|?|q")
    assert ending.code == 0
    assert "no review" in ending.err


def test_time_is_for_answers_and_not_for_people() -> None:
    solution = es.solve(es.games.TicTacToe(), limits=es.Limits(seconds=1000))
    solution.budget._started -= 2000
    with pytest.raises(es.LimitReached):
        solution.budget.look(0, "")
    solution.budget.reopen()
    solution.budget.look(0, "")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_loses_nothing() -> None:
    script = "from endsight.faces.cli import main; import sys; sys.argv = ['endsight', 'play', 'tictactoe']; main()"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=0
    ) as process:
        process.stdin.write("a1\n")
        seen = ""
        while seen.count("first> ") < 2:
            assert select.select([process.stderr], [], [], 60)[0], seen
            seen += os.read(process.stderr.fileno(), 1000).decode()
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the moves so far: a1 b2" in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (("tictactoe", "--seat", "first=nobody"), 2, "human, perfect, random"),
        (("tictactoe", "--seat", "third=human"), 2, "first, second"),
        (("tictactoe", "--seat", "first=human,first=perfect"), 2, "twice"),
        (("tictactoe", "--seat", "first"), 2, "PLAYER="),
        (("tictactoe", "--quiz", "--show"), 2, "cannot be combined"),
        (("tictactoe", "--at", "-"), 2, "standard input"),
        (("tictactoe", "--at", "a1 a1"), 3, "not legal"),
    ],
)
def test_what_cannot_be_played(options: tuple[str, ...], code: int, message: str) -> None:
    ending = run("play", *options)
    assert (ending.code, ending.out) == (code, "")
    assert message in ending.err


@pytest.mark.parametrize("text", ["\x1b[2J", "\x00", "a" * 100_000, "= 1e999999999", "= 1/0", ":", "=", "💥", "q" * 50])
def test_nothing_typed_breaks_it(text: str) -> None:
    for quiz in ([], ["--quiz"]):
        ending = play("tictactoe", *quiz, typed=f"{text}|a1|q")
        assert ending.code == 0
        assert len(ending.err) < 200_000
        assert record(ending).startswith("a1")


def test_a_game_that_begins_later() -> None:
    ending = play("tictactoe", "--at", "a1 b1", typed="b2|q")
    assert record(ending).split()[0] == "b2"
    review = json.loads(run("review", "tictactoe", *record(ending).split(), "--at", "a1 b1", "--json").out)
    assert Fraction(review["mistakes"]["first"]["exact"]) == 0


# ---------------------------------------------------------------------- seats and the policies of values

# The second player gives the first one a point or takes it.
GIVE_OR_TAKE = strategies.MoverGraph(
    successors=((1,), (2, 3), (), ()), payoffs=((0, 0), (0, 0), (1, 0), (0, 1)), movers=(0, 1, 0, 0),
    weights=((1,), (1, 1), (), ()),
)  # fmt: skip
# The second player's first move ends the game, or leads to a choice between much and little.
TWICE = strategies.MoverGraph(
    successors=((1, 2), (), (3, 4), (), ()), payoffs=((0, 0), (0, 0), (0, 0), (-9, 9), (9, -9)), movers=(1, 0, 1, 0, 0),
    weights=((1, 1), (), (1, 1), (), ()),
)  # fmt: skip


def solved_as(game: Game, objective: Any, fixed: dict[Any, Any]) -> Any:
    return es.solve(game, objective=objective, fixed=fixed)


@settings(max_examples=60)
@example(GIVE_OR_TAKE, "best", "cooperative", 0)
@example(TWICE, "worst", "competitive", 0)
@given(
    strategies.chance_acyclic(max_nodes=8),
    st.sampled_from([PERFECT, "best", "worst", "greedy", "lookahead"]),
    st.sampled_from(["competitive", "cooperative"]),
    st.integers(0, 99),
)
def test_what_a_seat_plays_is_worth_what_the_player_bound_to_its_policy_gets(
    game: Game, rule: str, objective: str, seed: int
) -> None:
    solved, random = solved_as(game, objective, {}), Random(seed)
    place = game.position()
    while not place.is_over:
        move = move_of_a_seat(place, rule, solved, random)
        if place.mover != CHANCE:
            fixed = {} if rule == PERFECT else {place.mover: rule}
            oracle = naive.Recursion(game, objective, "payoff", fixed)
            node = (place.state, place.mover, place.so_far)
            assert oracle.through(node, move) == oracle.value_of(node)
        place = place.play(move)


@examples(30, 5, strategies.chance_acyclic(seats=2, max_nodes=8), st.sampled_from(["worst", "greedy", "lookahead"]))
def test_perfect_play_of_a_bound_player_is_the_policy(game: Game, rule: str) -> None:
    solved, place = solved_as(game, "competitive", {1: rule}), game.position()
    oracle = naive.Recursion(game, fixed={1: rule})
    while not place.is_over:
        move = move_of_a_seat(place, PERFECT, solved, Random(0))
        if place.mover != CHANCE:
            node = (place.state, place.mover, place.so_far)
            assert oracle.through(node, move) == oracle.value_of(node)
        place = place.play(move)


def test_who_is_bound_to_random_moves_moves_at_random_in_play() -> None:
    games = [
        run("play", "tictactoe", "--fix", "second=random", "--seed", str(n), stdin="b2\nq\n").out for n in range(9)
    ]
    assert all("first is human · second is random" in told for told in games)
    assert len({told[told.index("second (random)") :].split()[2] for told in games}) > 3
    random, place = Random(0), es.load("tictactoe").position("b2")
    solved = solved_as(place.game, "competitive", {"second": "random"})
    assert any(one != two for one, two in pairwise(move_of_a_seat(place, PERFECT, solved, random) for _ in range(20)))


@pytest.mark.parametrize(("fix", "who"), [
    ("first=random", "first is random · second is human"), ("second=greedy", "first is human · second is greedy"),
])  # fmt: skip
def test_by_default_bound_players_follow_their_policies(fix: str, who: str) -> None:
    assert who in run("play", "nim:heaps=1-2", "--fix", fix, stdin="q\n").out


def test_players_who_choose_together_are_asked_for_a_move_of_both() -> None:
    ending = run("play", "rps", "--objective", "cooperative", "--seed", "1", stdin="q\n")
    assert "first and second to move: rock-rock rock-paper" in " ".join(ending.out.split())
    assert "first and second> " in ending.out + ending.err


class Weather(Game):
    """Chance moves for ever, unless the player once leaves."""

    players = 1

    class State(NamedTuple):
        at: int

    def limits(self) -> Any:
        return self.State(3)

    def start(self) -> Any:
        return self.State(0)

    def to_move(self, state: Any) -> int:
        return CHANCE if state.at in (1, 2) else 0

    def moves(self, state: Any) -> tuple[int, ...]:
        return ((1, 3), (1, 2), (1, 2), ())[state.at]

    def play(self, state: Any, move: int) -> Any:
        return self.State(move)

    def payoff(self, state: Any) -> int:
        return -1


def test_play_that_chance_alone_keeps_going_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    """It went on until all memory was taken."""
    play_gives_up(monkeypatch, moves=30)
    ending = play(f"{__file__}:Weather", "--seat", "player=perfect", "--seed", "1")
    assert ending.code == 5
    assert "still going on after 30 moves with nobody to ask" in ending.err
    assert ending.out.count("chance:") == 29
    assert play(f"{__file__}:Weather", "--seed", "1", typed="3").code == 0
