"""A reviewed game adds up exactly, for every player, whatever was played."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

import endsight as es
from amounts import examples
from command_line import ask, exact, run
from endsight import CHANCE, Game, Position
from endsight.games import BUILT_IN
from naive import Recursion
from strategies import alternating_rewards, chance_acyclic, stopping_loops
from test_schemas import validate

GAMES = {
    "dominoes": es.games.Dominoes(n=3),
    "repeatbust": es.games.RepeatBust(sides=3),
    "pots": es.games.Pots([4, 9, 2, 7, -3]),
    "hiddenpots": es.games.HiddenPots(count=4, max=3),
    "rpsbag": es.games.RpsBag([[1, 0, 2], [0, 3, 0], [1, 1, 1]]),
    "highcard": es.games.HighCard([1, 3, 5, 7], [8, None, 4, None]),
    "tictactoe": es.games.TicTacToe(),
    "connectfour": es.games.ConnectFour(width=3, height=3, line=3),
    "nim": es.games.Nim(heaps=(1, 2, 3)),
    "pig": es.games.Pig(target=5),
    "pigturn": es.games.PigTurn(),
    "chomp": es.games.Chomp(width=3, height=2),
    "hexapawn": es.games.Hexapawn(width=3, height=3),
    "dodgem": es.games.Dodgem(size=2),
    "piglet": es.games.Piglet(target=5),
    "bigpig": es.games.BigPig(target=20),
    "twodicepig": es.games.TwoDicePig(target=8),
    "ur": es.games.Ur(pieces=1),
}
# Games that are not named here are reviewed as they come.
OTHERS = {name: es.load(name) for name in BUILT_IN if name not in GAMES and name != "highcardduel"}
GAMES |= {name: game for name, game in OTHERS.items() if not game.gives("sees")}


def played(position: Position, rng: random.Random, most: int = 60) -> list[str]:
    """Random play to the end, or `most` moves of it."""
    moves = []
    while len(moves) < most and (legal := list(position.moves())):
        position = position.play(rng.choice(legal))
        moves.append(position.history[-1])
    return moves


def adds_up(review: es.Review) -> None:
    for part in ("luck", "hidden", "mistakes", "gifts"):
        columns = [getattr(step, part) for step in review.steps]
        for player in range(len(review.start)):
            assert getattr(review, part)[player] == sum(column[player] for column in columns)
    came = [review.start, review.luck, review.hidden, review.gifts]
    assert [sum(column) for column in zip(*came, strict=True)] == [
        final + mistakes for final, mistakes in zip(review.final, review.mistakes, strict=True)
    ]


@pytest.mark.parametrize("name", GAMES)
def test_identity_on_built_in_games(name: str) -> None:
    game, rng = GAMES[name], random.Random(name)
    solution = es.solve(game)
    for _ in range(4):
        moves = played(game.position(), rng)
        review = es.review(solution, moves)
        adds_up(review)
        assert review.final == solution.exact_values(game.position(moves))
        assert min(min(step.mistakes) for step in review.steps) >= 0
        for step in review.steps:
            assert step.best is None or step.is_mistake == (step.move not in step.best)
            assert (step.best is None) == (step.player == "chance" or step.parts is not None)
            assert not (step.probability and step.is_mistake)
        if game.player_count == 2 and name != "pots" and name != "hiddenpots":
            assert review.gifts == tuple(reversed(review.mistakes))
        if game.player_count == 1:
            assert not any(review.gifts)


def by_hand(game: Game, moves: list[str], oracle: Any) -> tuple[list, list]:
    """Luck and own mistakes per player, from the oracle's values and nothing else."""
    node, luck, mistakes = oracle.root(), [0] * oracle.players, [0] * oracle.players
    for text in moves:
        move = game.parse_move(node[0], text)
        then, before = oracle.after(node, move), oracle.value_of(node)
        after = oracle.value_of(then)
        for player in range(oracle.players):
            if node[1] == CHANCE:
                luck[player] += after[player] - before[player]
            elif node[1] == player:
                best = max(oracle.value_of(oracle.after(node, other))[player] for other in oracle.legal(node))
                mistakes[player] += best - after[player]
        node = then
    return luck, mistakes


@examples(60, 10, st.one_of(alternating_rewards(), alternating_rewards(seats=3), chance_acyclic()), st.integers())
def test_identity_on_random_games_against_the_oracle(game: Game, seed: int) -> None:
    moves = played(game.position(), random.Random(seed))
    review = es.review(es.solve(game), moves)
    adds_up(review)
    assert review.finished
    luck, mistakes = by_hand(game, moves, Recursion(game))
    assert (list(review.luck), list(review.mistakes)) == (luck, mistakes)


@examples(30, 5, stopping_loops(rewards=True), st.integers())
def test_identity_with_loops_and_chance(game: Game, seed: int) -> None:
    review = es.review(es.solve(game), played(game.position(), random.Random(seed), 20))
    adds_up(review)
    assert all(mistake >= 0 for mistake in review.mistakes)


@examples(
    40, 12, chance_acyclic(seats=2), st.integers(), st.sampled_from(["cooperative", "random", "worst", "win", "lead"])
)
def test_identity_under_other_questions(game: Game, seed: int, asked: str) -> None:
    question: dict[str, Any] = {"utility": asked} if asked in ("win", "lead") else {"fixed": {"second": asked}}
    if asked == "cooperative":
        question = {"objective": asked}
    review = es.review(es.solve(game, **question), played(game.position(), random.Random(seed)))
    adds_up(review)
    assert all(mistake >= 0 for step in review.steps for mistake in step.mistakes) or asked == "cooperative"
    if "fixed" in question:
        assert all(step.best is None for step in review.steps if step.player == "second")
        assert review.mistakes[1] == 0


def test_the_worked_example() -> None:
    review = es.review(es.solve(es.games.PigTurn()), "roll 4 roll 6 roll 5 hold")
    assert review.mistakes == (Fraction(217, 216),)
    assert review.start == (Fraction(492303203, 60466176),)
    assert review.final == (15,)
    assert [step.best for step in review.steps if step.is_mistake] == [("roll",)]


def test_a_position_is_reviewed_from_where_the_solution_begins() -> None:
    game = es.games.TicTacToe()
    later = game.position("a1 b1")
    review = es.review(es.solve(game, later), game.position("a1 b1 b2 c3"))
    assert [step.move for step in review.steps] == ["b2", "c3"]
    assert review.position.text == "a1 b1 b2 c3"
    with pytest.raises(es.QuestionError, match="cannot reach this position"):
        es.review(es.solve(game, later), game.position("a2 b1"))


def test_nothing_played_is_a_review_too() -> None:
    review = es.review(es.solve(es.games.TicTacToe()), "")
    adds_up(review)
    assert (review.start, review.final, review.steps) == ((0, 0), (0, 0), ())


def test_bounds_are_not_split() -> None:
    solution = es.solve(es.games.Pig(target=10), interval=True)
    with pytest.raises(es.LimitReached, match="exact"):
        es.review(solution, "roll 2")


# ---------------------------------------------------------------------- the command


@pytest.mark.parametrize(
    "command",
    [
        ("pigturn", "roll 4 roll 6 roll 5 hold"),
        ("pots:4-9-2-7", "L R L L", "--objective", "cooperative"),
        ("pots:4-9-2-7", "L R L L", "--fix", "second=smaller"),
        ("tictactoe", "b2 c3", "--at", "a1 b1"),
        ("nim:heaps=1-2", "1:1", "--position", "second: 1-2"),
    ],
)
def test_documents_add_up(command: tuple[str, ...]) -> None:
    document = ask("review", *command)
    assert validate(document) == "review"
    for name in document["players"]:
        parts = [exact(document[part][name]) for part in ("start", "luck", "mistakes", "gifts", "final")]
        start, luck, mistakes, gifts, final = parts
        assert start + luck - mistakes + gifts == final
        for part in ("luck", "mistakes", "gifts"):
            assert exact(document[part][name]) == sum(exact(step[part][name]) for step in document["steps"])
        assert document["final"][name] == document["steps"][-1]["value"][name]


def test_records_come_from_anywhere(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("a1 b1\nb2\r\nc3\n", encoding="utf-8")
    steps = [
        ask("review", "tictactoe", "a1 b1 b2 c3")["steps"],
        ask("review", "tictactoe", "a1", "b1", "b2", "c3")["steps"],
        ask("review", "tictactoe", f"@{file}")["steps"],
        ask("review", "tictactoe", "-", stdin="a1 b1\nb2 c3\n")["steps"],
    ]
    assert all(other == steps[0] for other in steps)


def test_a_review_for_people_adds_up_on_the_screen() -> None:
    out = run("review", "pigturn", "roll 4 roll 6 roll 5 hold").out
    assert "≈ 1.004630" in out
    assert "= final     15" in out
    assert "Unfinished game" not in out
    assert "Unfinished game" in run("review", "pigturn", "roll 4").out


def test_plain_rows() -> None:
    out = run("review", "pots:4-9-2-7", "L R L L", "--plain").out.splitlines()
    assert out[0].split("\t") == ["player", "move", "best", "value", "luck", "mistakes", "gifts"]
    assert out[1].split("\t")[:3] == ["first", "L", "R"]
    assert out[1].split("\t")[5] == "first=5 second=0"


@pytest.mark.parametrize(
    ("command", "code", "message"),
    [
        (("tictactoe", "a1 a1"), 3, "not legal"),
        (("tictactoe",), 2, "no record"),
        (("tictactoe", "@nowhere.txt"), 3, "no file"),
        (("tictactoe", "-", "--at", "-"), 2, "only once"),
        (("pig:target=10", "roll 2", "--interval"), 5, "exact"),
    ],
)
def test_what_cannot_be_reviewed(command: tuple[str, ...], code: int, message: str) -> None:
    ending = run("review", *command)
    assert (ending.code, ending.out) == (code, "")
    assert message in ending.err


def test_json_of_a_reviewed_batch_is_one_document() -> None:
    assert json.loads(run("review", "nim:heaps=1-2", "1:1 2:1 2:1", "--json").out)["finished"] is True


def test_the_command_draws_the_positions_of_mistakes() -> None:
    """Where rules draw more than a line: what was played there, and what would have been better."""
    told = run("review", "tictactoe", "a1 b1 b2 c3").out
    assert "Before move 2: second played b1; better: b2.\n\n  3  . . .\n  2  . . .\n  1  X . .\n     a b c\n" in told
    assert told.count("Before move") == 1
    assert "Before move" not in run("review", "pigturn", "roll 4 roll 6 roll 5 hold").out
    assert "Before move" not in run("review", "kuhn", "1 2 bet pass").out
