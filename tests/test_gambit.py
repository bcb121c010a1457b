"""Gambit's files as games: what they are worth, and messages about broken ones."""

from __future__ import annotations

import os
from contextlib import suppress
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import run
from endsight import Game
from endsight.errors import FileError, QuestionError, RulesError

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


# -------------------------------------------------------------------- written


ROUND = [
    "kuhn", "kuhn:cards=4", "liarsdice:sides=2", "tictactoe:width=2,height=2,line=2", "nim:heaps=1-2", "rps",
    "morra:fingers=2", "goofspiel:cards=2", "pots:4-9-2-7", "pigturn:sides=3", "blotto:mine=2,yours=1",
    "battleship:squares=2,shots=1", "phantomtictactoe:width=2,height=2,line=2", "dominoes:n=2",
]  # fmt: skip
"""Games with chance, with hidden things, with moves at once, with rewards, with one player."""


@pytest.mark.parametrize("name", ROUND)
def test_games_keep_their_value_in_the_form_of_gambit(name: str, tmp_path: Path) -> None:
    assert es.solve(written(tmp_path, "game.efg", es.to_efg(name))).value() == es.solve(name).value()


@pytest.mark.parametrize("name", ROUND)
def test_gambit_reads_what_is_written_and_finds_the_same(name: str, tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit")
    game = gambit.read_efg(written(tmp_path, "game.efg", es.to_efg(name)))
    assert len(game.players) == len(es.load(name).player_names)
    if len(game.players) == 2:
        assert payoffs(gambit, game) == list(es.solve(name).value().values())


def test_the_command_writes_the_same(tmp_path: Path) -> None:
    target = tmp_path / "kuhn.efg"
    assert run("export", "kuhn", "--to", "efg", "-o", str(target)).code == 0
    assert target.read_text() == run("export", "kuhn", "--to", "efg").out == es.to_efg("kuhn")


def test_the_command_keeps_to_its_limits_and_leaves_no_half_file(tmp_path: Path) -> None:
    target = tmp_path / "large.efg"
    stopped = run("export", "tictactoe", "--to", "efg", "-o", str(target), "--time", "0.5s")
    assert (stopped.code, "more than 0.5 s" in stopped.err, target.exists()) == (5, True, False)


class Spoken(Game):
    """One move with a text that Gambit would take for something else, or would not take."""

    players = 2

    class State(NamedTuple):
        said: bool

    def limits(self) -> State:
        return self.State(True)

    def start(self) -> State:
        return self.State(False)

    def moves(self, state: State) -> tuple[str, ...]:
        return () if state.said else WORDS

    def play(self, state: State, move: str) -> State:
        return self.State(True)

    def payoff(self, state: State) -> int:
        return 1


WORDS = ("würfeln", "\\", "a\\", '\\"', '"', "two words", "\\xfc", "a\nb", "¿", "\x7f", "-", "{", "骰")


def test_gambit_reads_every_text_of_a_move(tmp_path: Path) -> None:
    """Its labels are printable ASCII, and a backslash is one, except before a quotation mark."""
    gambit = pytest.importorskip("pygambit")
    path = written(tmp_path, "spoken.efg", es.to_efg(Spoken()))
    theirs = [action.label for action in gambit.read_efg(path).root.infoset.actions]
    assert len(set(theirs)) == len(WORDS)
    assert sorted(option.text for option in es.solve(path).options()) == sorted(theirs)


def test_labels_are_read_as_gambit_reads_them(tmp_path: Path) -> None:
    gambit = pytest.importorskip("pygambit")
    text = r"""EFG 2 R "" { "1" "2" } "" p "" 1 1 "" { "L\R" "LR" "\a" "\"x\"" "a\b-c" } 0 """ + 't "" 0 ' * 5
    path = written(tmp_path, "labels.efg", text)
    theirs = [action.label for action in gambit.read_efg(path).root.infoset.actions]
    assert sorted(option.text for option in es.solve(path).options()) == sorted(theirs)


class Fading(Spoken):
    """The same with a discount."""

    discount = Fraction(1, 2)


def test_a_discount_is_refused(tmp_path: Path) -> None:
    """An extensive game adds up payoffs, each in full."""
    with pytest.raises(QuestionError, match="a file for Gambit does not allow a discount, and Fading has one"):
        es.to_efg(Fading())
    target = tmp_path / "fading.efg"
    refused = run("export", f"{__file__}:Fading", "--to", "efg", "-o", str(target))
    assert (refused.code, "does not allow a discount" in refused.err, target.exists()) == (2, True, False)


class Paying(Fading):
    """Each step costs one, and every step may be taken back: no two totals are alike."""

    discount = 1

    def moves(self, state: Any) -> Any:
        return (-1, 1)

    def reward(self, state: Any, move: int) -> int:
        return -1


@pytest.mark.parametrize("game", ["pig:target=3", Paying()])
def test_a_game_without_end_is_refused(game: Any) -> None:
    with pytest.raises(QuestionError, match="games for Gambit must end, but play can return to a position here"):
        es.to_efg(game)


# -------------------------------------------------------------------- beside Gambit's own solvers


def payoffs(gambit: Any, game: Any) -> list[Fraction]:
    """What each player gets in the equilibrium that Gambit's linear program finds in rational numbers."""
    found = gambit.nash.lp_solve(game, rational=True).equilibria[0]
    return [Fraction(str(found.payoff(player))) for player in game.players]


def examples() -> list[Path]:
    """The games in Gambit's package, and those in the folder `GAMBIT_GAMES`, a copy of its contrib/games."""
    package = find_spec("pygambit")
    if package is None or package.origin is None:
        return []
    folders = [Path(package.origin).parent / "catalog_data", *map(Path, filter(None, [os.environ.get("GAMBIT_GAMES")]))]
    return sorted(path for folder in folders for path in folder.rglob("*.[en]fg"))


@pytest.mark.parametrize("path", examples(), ids=lambda path: path.stem)
def test_its_example_games(path: Path) -> None:
    """Finite two-player games of constant sum have the value of its rational solver; others are solved or refused."""
    import pygambit as gambit

    try:
        game = (gambit.read_efg if path.suffix == ".efg" else gambit.read_nfg)(str(path))
    except ValueError:  # labels that newer versions want to be different
        game = None
    told = game is not None and len(game.players) == 2 and game.is_const_sum and game.is_perfect_recall
    if told:
        assert list(es.solve(str(path)).value().values()) == payoffs(gambit, game)
    else:
        with suppress(FileError, QuestionError, RulesError):
            assert es.solve(str(path)).value()


def test_check_says_nothing_about_the_reader_of_a_file(tmp_path: Path) -> None:
    report = es.check_rules(es.load(written(tmp_path, "poker.efg", POKER)))
    assert not report.faults
    assert not report.warnings
