"""Gambit's files as games: what they are worth, and messages about broken ones."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
from command_line import run
from endsight.errors import FileError

POKER = """EFG 2 R "A card, a bet" { "Ann" "Bob" }
"An ace is as likely as a king; Ann sees it."

c "" 1 "deal" { "A ce" 1/2 "king" 0.5 } 0
p "" 1 1 "ace" { "raise" "fold" } 0
p "" 2 1 "raised" { "meet" "pass" } 0
t "" 1 "big" { 2, -2 }
t "" 2 "small" { 1 -1 }
t "" 2
p "" 1 2 "king" { "raise" "fold" } 0
p "" 2 1 0
t "" 3 "lost" { -2, 2 }
t "" 2
t "" 4 "folded" { -1 1 }
"""
TABLE = 'NFG 1 R "odd" { "Ann" "Bob" } { { "a" "b b" } { "c" "" } } "" { { "" 2, 0 } { "" 0 2 } { "" 1, 1 } } 1 2 2 3'


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_tree_with_information_sets(tmp_path: Path) -> None:
    """Myerson's poker: the first player raises all aces and a third of the kings."""
    solution = es.solve(written(tmp_path, "poker.efg", POKER))
    assert solution.value() == {"first": Fraction(1, 3), "second": Fraction(-1, 3)}
    assert "first secures 1/3" in es.verify(es.prove(solution), type(solution.game)).claim


def test_a_table(tmp_path: Path) -> None:
    name = written(tmp_path, "odd.NFG", TABLE)
    assert es.solve(name).value() == {"first": Fraction(2, 3), "second": Fraction(4, 3)}
    assert {option.text for option in es.solve(name).options()} == {"a-c", "a-#2", "b_b-c", "b_b-#2"}


def test_payoffs_on_the_way_add_up(tmp_path: Path) -> None:
    text = """EFG 2 R "" { "1" "2" } p "" 1 1 { "l" "r" } 1 "" { 1 -1 }
    t "" 2 "" { 3 -3 } p "" 2 1 { "x" } 2 t "" 1"""
    solution = es.solve(written(tmp_path, "sum.efg", text))
    assert solution.value() == {"first": 5, "second": -5}
    assert [option.regret for option in solution.options()] == [0, 1]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("EFG 2", "EFG 1"), "line 1: this is not as Gambit writes it"),
        (("0.5", "0.6"), "do not add up to 1"),
        (('1 "raised"', '1 "raised'), "quotation mark"),
        (('"" 4 "folded" { -1 1 }', ""), "end of the file"),
        (("{ 2, -2 }", "{ 2 }"), "2 payoffs, one for each player"),
        (('p "" 2 1 0', 'p "" 2 7 0'), "met for the first time"),
        (('p "" 1 2 "king"', 'p "" 3 2 "king"'), "a player's number, 1 to 2"),
        (('p "" 2 1 0', 'p "" 2 1 "raised" { "meet" } 0'), "the same actions as before"),
        (("-1 1 }\n", '-1 1 }\nt "" 2\n'), "the tree is complete"),
        (("{ 2, -2 }", "{ 2, inf }"), "a payoff, such as"),
    ],
)
def test_broken_trees_are_refused_with_the_line(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    with pytest.raises(FileError, match=message):
        es.load(written(tmp_path, "broken.efg", POKER.replace(*change)))


@pytest.mark.parametrize(
    "change", [("1 2 2 3", "1 2 2 4"), ("1 2 2 3", "1 2 2"), ("1 2 2 3", "1 2 2 3 3"), ("2, 0", "2")]
)
def test_broken_tables_are_refused_with_the_line(tmp_path: Path, change: tuple[str, str]) -> None:
    with pytest.raises(FileError, match="line 1: this is not as Gambit writes it"):
        es.load(written(tmp_path, "broken.nfg", TABLE.replace(*change)))


def test_players_who_forget_are_refused(tmp_path: Path) -> None:
    text = """EFG 2 R "absent minded" { "1" "2" } p "" 1 1 { "on" "off" } 0
    p "" 1 1 0 t "" 0 t "" 1 { 1 -1 } t "" 0"""
    with pytest.raises(FileError, match="1 forgets what that player knew or did"):
        es.load(written(tmp_path, "driver.efg", text))


def test_a_changed_file_is_another_game(tmp_path: Path) -> None:
    name = written(tmp_path, "odd.nfg", TABLE)
    game = es.load(name)
    assert type(game)(**game.values()) == game
    written(tmp_path, "odd.nfg", TABLE.replace("1, 1", "1, 3"))
    assert es.load(name) != game
    with pytest.raises(FileError, match="has changed"):
        type(game)(**game.values())


def test_commands_take_files(tmp_path: Path) -> None:
    name = written(tmp_path, "poker.efg", POKER)
    assert "first 1/3" in run("value", name).out
    assert "raise" in run("analyze", name, "--at", "A_ce", "--as", "first").out
    missing = run("value", str(tmp_path / "none.efg"))
    assert (missing.code, "there is no file" in missing.err) == (3, True)
