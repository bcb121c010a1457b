"""What is said about positions: sentences, signs, plans, bars and graphs, against values and against the oracle."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
from command_line import run
from endsight import CHANCE
from shown import Page, amount_shown, percent_shown, said_of_bounds

PAGE = Page()

SENTENCES = [
    ("tictactoe", "", "even", "A draw with best play.", "Every move of First keeps it."),
    ("tictactoe", "a1", "even", "A draw: Second must play b2.", "Every other move loses."),
    ("tictactoe", "a1 a2 b1", "bad", "Second loses against best play.", "Playing c1 holds out longest: 4 moves."),
    ("tictactoe", "a1 b1 a2 b2 a3", "good", "First won in 5 moves.", ""),
    (
        "dominoes:n=5",
        "0-1 1-3",
        "good",
        "First wins by playing 3-3.",
        "It takes at most 13 moves. Every other move loses.",
    ),
    (
        "pots:4-9-2-7-5-3-8-1",
        "R L L",
        "bad",
        "Second is behind: 19 against 20. Take right, 8.",
        "The other move would cost 3.",
    ),
    (
        "nim:heaps=1-2",
        "",
        "good",
        "First wins: take 1 from heap 2.",
        "It takes at most 3 moves. Every other move loses.",
    ),
    ("nim:heaps=2-2", "", "bad", "First loses against best play.", "Playing 1:1 or 2:1 holds out longest: 4 moves."),
    (
        "nim:heaps=1-1-2",
        "3:2",
        "bad",
        "Second loses against best play.",
        "Playing 1:1 or 2:1 holds out longest: 2 moves.",
    ),
    ("blackjack", "4 6 7 hit 4 hit 2 hit 4 hit 7", "bad", "The game is over: −2 in all.", ""),
    ("pots:4-9", "R", "bad", "Second is behind: 4 against 9. Take left, 4.", "There is no other move."),
    ("repeatbust", "7 roll 5", "good", "Roll: 24.65 on average.", "Stop brings 5, 19.65 less."),
    ("repeatbust", "", "plain", "22.59 on average with best play.", "Chance moves next."),
    ("pig:target=6", "roll 4", "good", "First is ahead: 87.1 % to win. Roll.", "Hold would cost 61.5 %."),
    (
        "hiddenpots:count=4,max=3",
        "1 2",
        "good",
        "First is ahead: 4 against 3 on average. Take right, 2.",
        "The other move would cost 0.78.",
    ),
]


@pytest.mark.parametrize(("spec", "at", "tone", "headline", "reason"), SENTENCES)
def test_one_sentence_says_who_wins_and_what_to_play(spec: str, at: str, tone: str, headline: str, reason: str) -> None:
    assert PAGE.board(spec, at)["values"]["said"] == {"tone": tone, "headline": headline, "reason": reason}


GAMES = [
    "tictactoe",
    "dominoes:n=3",
    "pots:4-9-2-7-5",
    "repeatbust:sides=3",
    "pig:target=4",
    "hexapawn",
    "nim:heaps=1-2-3",
]


@pytest.mark.parametrize("spec", GAMES)
def test_signs_plans_and_marks_are_those_of_the_values(spec: str) -> None:
    """At positions of random games: a move is called best, worse or a mistake exactly where its value says so."""
    dice = random.Random(spec)
    solution = es.solve(es.load(spec))
    for _ in range(6):
        position = solution.game.position()
        while not position.is_over:
            _check(solution, position, PAGE.board(spec, position.text)["values"])
            position = position.play(dice.choice(list(position.moves())))
        assert PAGE.board(spec, position.text)["values"]["moves"] == ()


def _check(solution, position, told) -> None:
    worth = {}
    for move in position.moves():
        then = position.play(move)
        worth[then.history[-1]] = solution.values(then)
    assert {row["move"] for row in told["moves"]} == set(worth)
    if position.mover != CHANCE:
        top = max(values[position.mover] for values in worth.values())
        for row in told["moves"]:
            is_best = worth[row["move"]][position.mover] == top
            assert (row["gives_away"] == "nothing") == is_best
            assert is_best or row["sign"] in ("bad", "even", "good")
            assert row["sign"] != "best" or (is_best and row["rank"] == 1)
    plan = told["plan"] or {"rows": ()}
    for row in plan["rows"]:
        place = position if plan["move"] is None else position.after(plan["move"])
        _check_row(solution, place.after(row["cue"]), row)


def _check_row(solution, place, row) -> None:
    """The answers of a plan are best moves, all of them where it says `any`, and the only one where it says so."""
    if place.is_over or place.mover == CHANCE:
        assert row["by"] == ""
        return
    values = {}
    for move in place.moves():
        then = place.play(move)
        values[then.history[-1]] = solution.values(then)[place.mover]
    best = [move for move, value in values.items() if value == max(values.values())]
    if row["answers"] == ("any",):
        assert len(best) == len(values) > 1
    else:
        assert set(row["answers"]) <= set(best)
        assert (row["note"] == "only") == (len(best) == 1 < len(values))


def test_the_graph_marks_exactly_the_mistakes() -> None:
    course = PAGE.board("tictactoe", "a1 c3 c1 b1")["values"]["course"]
    assert [point["is_mistake"] for point in course["points"]] == [None, False, True, False, False]
    assert [point["height"] for point in course["points"]] == [0, 0, 1, 1, 1]
    assert course["points"][2]["text"] == "First wins with best play"
    assert "? marks a mistake." in course["note"]


def test_best_play_ends_in_a_plan_where_chance_divides_it() -> None:
    told = run("line", "pigturn", "--at", "roll 4").out
    assert "\nroll 4 roll\n" in told
    assert "  The game is over after 1.\n  Roll after 2 to 6.\n" in told
    rows = [line.split() for line in told.splitlines() if "16.7 %" in line]
    solution, place = es.solve("pigturn"), es.load("pigturn").position("roll 4 roll")
    for cue, (shown, *_, worth) in enumerate(rows, 1):
        value = solution.values(place.after(shown))[0]
        assert (shown, abs(Fraction(worth) - value) < Fraction(1, 100)) == (str(cue), True)


def test_best_play_without_chance_is_the_line() -> None:
    for spec, at in (("tictactoe", "a1 b1"), ("dominoes:n=4", ""), ("pots:4-9-2-7", ""), ("hexapawn", "")):
        solution, place = es.solve(spec), es.load(spec).position(at)
        told = " ".join(run("line", spec, "--at", at).out.split())
        assert f" {' '.join([*at.split(), *solution.line(place)])} " in told, spec


def test_mixed_moves_are_told_with_their_chances() -> None:
    rows = [line.split() for line in run("line", "rps").out.splitlines() if "%" in line]
    assert len(rows) == 9
    assert {row[1] for row in rows} == {"11.1"}


@pytest.mark.parametrize(
    ("chance", "text"),
    [
        (Fraction(0), "0 %"),
        (Fraction(1), "100 %"),
        (Fraction(1, 10**9), "under 0.1 %"),
        (1 - Fraction(1, 10**9), "over 99.9 %"),
        (Fraction(1, 2), "50 %"),
        (Fraction(606, 1000), "60.6 %"),
        (es.Interval(Fraction(41, 100), Fraction(78, 100)), "41.0 to 78.0 %"),
        (es.Interval(Fraction(1, 3), Fraction(1, 3) + Fraction(1, 10**9)), "33.3 %"),
    ],
)
def test_chances_are_never_rounded_to_certainty(chance, text: str) -> None:
    assert percent_shown(chance) == text


def test_bounds_are_rounded_outwards() -> None:
    third = Fraction(1, 3)
    low, _, high = amount_shown(es.Interval(third, Fraction(2, 3))).partition(" to ")
    assert Fraction(low) <= third
    assert Fraction(high) >= Fraction(2, 3)
    low, _, high = percent_shown(es.Interval(third, Fraction(2, 3))).removesuffix(" %").partition(" to ")
    assert Fraction(low) / 100 <= third
    assert Fraction(high) / 100 >= Fraction(2, 3)
    said = said_of_bounds({"first": third, "second": None}, {"first": None, "second": third})
    assert said == "Not proven yet: First gets at least 0.333333, Second gets at most 0.333334."


def test_a_record_says_where_its_moves_begin(tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    file.write_text("# endsight game\n# game: nim:heaps=3-4\n# position: 2-1\n# a note\n1:2 2:1\n")
    assert "= final" in run("review", "nim:heaps=3-4", f"@{file}", "--position", "2-1").out
    assert "--position '2-1'" in run("review", "nim:heaps=3-4", f"@{file}").err
    assert "the record is of another game" in run("review", "pots:4-9", f"@{file}").err
    assert "found:   nim:heaps=3-4" in run("review", "nim:heaps=3-5", f"@{file}", "--position", "2-1").err
    assert "= final" in run("review", "nim:3-4", f"@{file}", "--position", "2-1").out


@pytest.mark.parametrize(
    ("spec", "at", "names"),
    [
        ("pots:4-9-2-7", "L", ["take left, 9", "take right, 7"]),
        ("hiddenpots:count=3,max=4", "4 2", ["take left, 4", "take right, 2"]),
        ("nim:heaps=2", "", ["take 1 from heap 1", "take 2 from heap 1"]),
        ("ur:pieces=1", "2", ["enter on 2"]),
        ("ur:pieces=1", "2 enter-2 1 enter-1 1", ["go from 2 to 3"]),
        ("scorecard:dice=2,sides=2", "1-2", ["score 1s", "score 2s"]),
        ("liarsdice:sides=2", "1 1 1x1", ["call the liar", "bid 1 of 2", "bid 2 of 1", "bid 2 of 2"]),
        ("tictactoe", "a1 b1 a2 b2", [""] * 5),
    ],
)
def test_moves_have_names_in_words(spec: str, at: str, names: list[str]) -> None:
    position = es.load(spec).position(at)
    name = getattr(position.game, "name_move", lambda state, move: "")
    found = [name(position.state, move) for move in position.moves()]
    assert sorted(found) == sorted(names) if spec.startswith("liars") else found[: len(names)] == names


def test_a_sentence_and_a_button_say_the_name() -> None:
    told = PAGE.board("pots:4-9-2-7")["values"]
    assert told["said"]["headline"].endswith(" Take right, 7.")
    assert told["best"] == ("R", "Take right, 7")
    assert PAGE.board("tictactoe", "a1 b2")["values"]["best"][1].startswith("Play ")
