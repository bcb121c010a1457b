"""The verifier by itself: every branch, with certificates made by hand."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
from certificate_texts import text_of
from endsight import Certificate, verifier
from endsight.verifier import SCHEMA
from endsight.verifier.__main__ import main
from endsight.verifier.certificate import Bounds, Claim, Induction, Play
from endsight.verifier.rules import load, rules_hash
from hidden_cases import REFUSED as HIDDEN_REFUSED
from hidden_cases import hidden_cases
from verifier_cases import Case, by_hands, outcome

HANDS = by_hands() + hidden_cases()
REFUSED = {
    "another play than the best": ("Wrong", "the move that the play names in its state 2 is not shown to be best"),
    "of another play": ("Wrong", "the move that the play names in its state 2 is not shown to be best"),
    "by induction, of another play": ("Wrong", "the move that the play names in its state 2 is not shown to be best"),
    "a play and a player without outcomes": ("Wrong", "a distribution needs a player, outcomes and a play"),
    "a bound too high": ("Wrong", "the bound claimed for state 0 does not hold for the moves from there"),
    "a bound by one too high": ("Wrong", "the bound claimed for state 0 does not hold for the moves from there"),
    "a bound too low for the claim": ("Wrong", "the value of first is not as claimed"),
    "an upper bound too low": ("Wrong", "the bound claimed for state 0 does not hold for the moves from there"),
    "a loop without a bound": ("Wrong", "play can come back to a state without a claimed bound"),
    "a node that is not there": ("Wrong", "something is claimed about state 2 of 2"),
    "waiting for ever is not more": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "an upper bound below endless play": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "alone, waiting is not more": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "gains on a loop, too much": ("Wrong", "the bound claimed for state 0 does not hold for the moves from there"),
    "gains that cancel for ever": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "a hill that costs what it brings": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "a coin that costs what it brings": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "waiting pays no less than nothing": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "bounds where only ends count": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "no choices": ("Wrong", "a choice is missing, or names a move that does not exist"),
    "too many choices": ("Wrong", "there are more choices than decisions"),
    "a choice that is not there": ("Wrong", "a choice is missing, or names a move that does not exist"),
    "a choice below 0": ("Wrong", "a choice is missing, or names a move that does not exist"),
    "a draw called a win": ("Wrong", "the category is 'draw', not 'win'"),
    "a tie rule too much": ("Wrong", "the claim does not say what its values mean"),
    "more than is proven": ("Wrong", "the value of first is not as claimed"),
    "more than is proven, above": ("Wrong", "the value of first is not as claimed"),
    "nobody": ("Wrong", "the claim does not name every player in order"),
    "not all named": ("Wrong", "the claim does not name every player in order"),
    "two loops that are worth otherwise": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "nothing is claimed": ("Wrong", "nothing is claimed about any player"),
    "secured against chance in a player's place": ("Wrong", "the two players' payoffs need not have the same sum"),
    "secured against a policy": ("Wrong", "the two players' payoffs need not have the same sum"),
    "other sums, the second decides first": (
        "Wrong",
        "the two players' payoffs need not have the same sum at all ends, so bounds prove no value",
    ),
    "other sums, one of them chosen": (
        "Wrong",
        "the two players' payoffs need not have the same sum at all ends, so bounds prove no value",
    ),
    "the second alone decides, too much": ("Wrong", "the value of second is not as claimed"),
    "the second alone decides, too little above": ("Wrong", "the value of second is not as claimed"),
    "the second alone decides, told of the first": ("Wrong", "the two players' payoffs need not have the same sum"),
    "the second alone decides, told of both": ("Wrong", "there are more choices than decisions"),
    "the second alone goes round, too much": ("Wrong", "the value of second is not as claimed"),
    "the second alone rolls and gains, too much": ("Wrong", "the value of second is not as claimed"),
    "the third of whom the first decides": (
        "Wrong",
        "bounds prove nothing where three or more players have interests of their own",
    ),
    "three by bounds, others decide": (
        "Wrong",
        "bounds prove nothing where three or more players have interests of their own",
    ),
    "more for both outside of the plays": ("Wrong", "the claim does not say what its values mean"),
    "a tie that is worth more to the other": ("Wrong", "the value of second is not as claimed"),
    "gains add up, not chosen best": ("Wrong", "the value of first is not as claimed"),
    "another sum on another way": ("Wrong", "the value of second is not as claimed"),
    "a tie without its rule": ("Wrong", "the claim does not say what its values mean"),
    "the other way out of a tie": ("Wrong", "the value of second is not as claimed"),
    "chance, wrong": ("Wrong", "the value of first is not as claimed"),
    "the same sum with a rule": ("Wrong", "the claim does not say what its values mean"),
    "another sum without its rule": ("Wrong", "the claim does not say what its values mean"),
    "no induction on loops": ("Wrong", "play can come back to a state, so there is no backward induction"),
    "a won game that pays 2, called won": ("Wrong", "the category is 'value', not 'win'"),
    "gains and a won end, called won": ("Wrong", "the category is 'value', not 'win'"),
    "one number where the rules say who moves": ("RulesError", "payoff or reward returns a single number in a game of"),
    "one number for three": ("RulesError", "payoff or reward returns a single number in a game of several"),
    "won by chance, called won": ("Wrong", "the category is 'value', not 'win'"),
    "gains that a rival can repeat for ever": ("Wrong", "play may never end, and the bounds claim too much for that"),
    "a play within bounds that do not meet": ("Wrong", "the move that the play names in its state 0 is not shown"),
    "three for a win, called won": ("Wrong", "the category is 'value', not 'win'"),
    "a theorem where chance moves, called lost": ("Wrong", "the category is 'value', not 'loss'"),
    "a discount": ("RulesError", "rules that discount have no certificates"),
    "set up with a blank": ("PositionError", "'number=0 ' is not how Broken shows that position"),
    "mover 2": ("RulesError", "to_move returns a player who does not exist"),
    "mover -2": ("RulesError", "to_move returns a player who does not exist"),
    "weight 0": ("RulesError", "a weight is not a whole number from 1 up"),
    "weight 1.0": ("RulesError", "a weight is not a whole number from 1 up"),
    "weight yes": ("RulesError", "a weight is not a whole number from 1 up"),
    "float": ("RulesError", "payoff or reward returns a tuple of the wrong form"),
    "an illegal policy": ("RulesError", "a fixed policy chose an illegal move"),
    "no such policy": ("FileError", "first plays 'nothing', a policy that was not given"),
    "nobody is fixed": ("FileError", "the certificate fixes 'nobody', who is no player"),
    "a policy that is not named": ("FileError", "first plays 'first_move', a policy that was not given"),
    "a policy of another name": ("FileError", "first plays 'second_move', a policy that was not given"),
    "a policy of another file": ("FileError", "first plays 'first_move', a policy that was not given"),
    "a policy without a file": ("QuestionError", "a policy that is in no file has no place in a certificate"),
    "no time": ("LimitReached", "stopped: the time is up"),
    "beyond the end": ("IllegalMoveError", "Broken: the claim's move '0' is not legal"),
    "no such move": ("IllegalMoveError", "Broken: the claim's move '7' is not legal"),
    "set up out of range": ("RulesError", "Broken: the rules do not work"),
    "set up without sense": ("PositionError", "cannot read the position 'number'"),
    "Parless 1": ("RulesError", "Parless: the rules do not work"),
    "Parless 2": ("RulesError", "Parless: the rules do not work"),
    "Parless 3": ("RulesError", "Parless: the rules do not work"),
    "a lead of one": ("RulesError", "Par: the rules do not work"),
    "outcomes without a play": ("Wrong", "a distribution needs a player, outcomes and a play, and a play is only for "),
    "a play without outcomes": ("Wrong", "a distribution needs a player, outcomes and a play, and a play is only for "),
    "nobody's": ("Wrong", "a distribution needs a player, outcomes and a play, and a play is only for "),
    "wrong chances": ("Wrong", "the outcomes differ from those claimed"),
    "a choice too many": ("Wrong", "there are more choices than decisions"),
    "not the value": ("Wrong", "the value of first is not as claimed"),
    "not of the value": ("Wrong", "the value of first is not as claimed"),
    "round a coin, other visits": ("Wrong", "the claimed visits do not agree with the ways that lead there"),
    "round a coin, without visits": ("Wrong", "the play may never end, or returns to a state whose visits are not c"),
    "round for ever": ("Wrong", "the play may never end, or returns to a state whose visits are not c"),
    "of another game": ("FileError", "the certificate is about different parameters"),
    "of another class": ("FileError", "the certificate is about different rules from those here"),
    "not built in": ("FileError", "the certificate is about rules of your own ('nim'), which run only if"),
    "own rules": ("FileError", "the certificate is about rules of your own ('nim'), which run only if"),
    "other rules": ("FileError", "the certificate is about different rules from those here"),
    "other parameters": ("FileError", "the certificate's parameters make no game"),
    "a parameter too many": ("FileError", "the certificate's parameters make no game"),
    "a theorem of another game": ("Wrong", "the theorem stack_reduction is not about nim"),
    "no theorem": ("Wrong", "the theorem no theorem is not about nim"),
    "a witness too many": ("Wrong", "the witness of nim_sum does not have the form that its checker needs"),
    "a theorem, another value": ("Wrong", "the value of first is not as claimed"),
    "a theorem, one player": ("Wrong", "the claim does not name every player in order"),
    "a theorem, another category": ("Wrong", "the category is 'win', not 'loss'"),
    "a theorem, a tie rule": ("Wrong", "the claim does not say what its values mean"),
    "a theorem, a fixed player": ("Wrong", "the theorem does not prove the claim"),
    "equal states, two classes in a set": ("RulesError", "equal states of two classes"),
    "equal states, two classes in a tuple": ("RulesError", "equal states of two classes"),
    "states that differ in a set": ("Wrong", "the value of player is not as claimed"),
    "states equal by their own word in a set": ("RulesError", "a state defines __eq__"),
    "states equal by their own word in a tuple": ("RulesError", "a state defines __eq__"),
}
"""What is not proven, with the kind of error and how its text begins; all others are proven."""


def test_every_name_is_one_of_the_cases() -> None:
    names = [case.name for case in HANDS]
    assert len(set(names)) == len(names)
    assert REFUSED.keys() | HIDDEN_REFUSED.keys() < set(names)


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case.name)
def test_by_hand(case: Case) -> None:
    found = outcome(verifier, case)
    if case.name in REFUSED:
        kind, beginning = REFUSED[case.name]
        assert found[0] == kind
        assert found[1].startswith(beginning)
    elif case.name in HIDDEN_REFUSED:
        kind, part = HIDDEN_REFUSED[case.name]
        assert found[0] == kind
        assert part in found[1]
    else:
        assert found[0] == f"the text of {case.certificate.game['class']} is the one that the claim is about"


def test_what_was_checked_is_said() -> None:
    certificate = es.prove(es.solve(es.games.Pots([4, 9, 2, 7]), method="graph"), distribution="first")
    verdict = es.verify(certificate)
    assert verdict.claim == (
        "Pots(pots=[4,9,2,7]) at the start: first secures 16, second secures 6;"
        " first gets one amount for sure along one best play"
    )
    assert verdict.checked[1:] == (
        "at least: 8 states, 7 moves, 3 choices, an inequality each",
        "at most: 11 states, 11 moves, 2 choices, an inequality each",
        "play: 5 states, 4 moves, 3 choices, each shown to be best; 1 amounts",
    )


def test_rules_that_fail_are_blamed() -> None:
    game = es.games.Nim(heaps=(1, 2))
    certificate = es.prove(es.solve(game, method="graph"))
    damaged = replace(certificate, claim=replace(certificate.claim, set_up="1-2-3-4"))
    with pytest.raises(es.InputError):
        es.verify(damaged)


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "nim.cert"
    es.write_certificate(es.prove(es.solve(es.games.Nim())), file)
    assert es.verify(file) == es.verify(str(file)) == es.verify(Certificate.read(file))


# ---------------------------------------------------------------------- the module as a command

RULES = """
from typing import NamedTuple
from endsight.game import Game

class Countdown(Game):
    heap: int = 5

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): return range(1, min(3, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1
"""


WRITING = {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


@pytest.fixture
def own(tmp_path: Path) -> tuple[str, str]:
    """A certificate of somebody's own rules, and the rules."""
    rules, file = tmp_path / "mine.py", tmp_path / "mine.cert"
    rules.write_text(RULES, encoding="utf-8")
    spec = f"{rules}:Countdown"
    es.write_certificate(es.prove(es.solve(es.load(spec))), file)
    return str(file), spec


def test_main_checks_own_rules_where_they_are_named(own: tuple[str, str], capsys: pytest.CaptureFixture) -> None:
    file, spec = own
    assert main([file, spec]) == 0
    assert capsys.readouterr().out.startswith(
        'class: "Countdown"\nparameters: "heap": 5\nclaim: "position": "", "set_up": null, "objective": "competitive",'
        ' "utility": "payoff", "fixed": {}, "value": {"first": "1", "second": "-1"}, "category": "win",'
    )
    assert main([file]) == 3
    assert "only if you name them" in capsys.readouterr().err


def test_main_loads_modules(
    own: tuple[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    file, _ = own
    monkeypatch.syspath_prepend(str(Path(file).parent))
    assert main([file, "mine:Countdown"]) == 0
    assert main([file, "mine:Nothing"]) == 3
    assert "cannot be loaded" in capsys.readouterr().err
    assert main([file, str(Path(file).parent / "none.py:Countdown")]) == 3


def test_main_reads_the_texts_of_modules_that_rules_import(tmp_path: Path) -> None:
    """After an edit of the same length within a second Python takes the bytecode of the text before for it."""
    rules, helper, file = tmp_path / "mine.py", tmp_path / "helping.py", tmp_path / "mine.cert"
    rules.write_text(RULES.replace("return -1", "return PAY") + "\nfrom helping import PAY\n", encoding="utf-8")
    helper.write_text("PAY = -1\n", encoding="utf-8")
    os.utime(helper, (1, 1))
    es.write_certificate(es.prove(es.solve(es.load(f"{rules}:Countdown"))), file)
    subprocess.run([sys.executable, "-c", "import helping"], cwd=tmp_path, env=WRITING, check=True)
    assert [*tmp_path.glob("__pycache__/helping*")]
    helper.write_text("PAY = -2\n", encoding="utf-8")
    os.utime(helper, (1, 1))
    command = [sys.executable, "-m", "endsight.verifier", str(file), f"{rules}:Countdown"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=WRITING, check=False)
    assert (done.returncode, done.stderr) == (4, "")
    assert "verdict: wrong: the value of first is not as claimed" in done.stdout


def test_main_says_what_is_wrong(own: tuple[str, str], capsys: pytest.CaptureFixture) -> None:
    file, spec = own
    text = Path(file).read_text(encoding="utf-8").replace('"first":"1"', '"first":"2"')
    Path(file).write_text(text, encoding="utf-8")
    assert main([file, spec]) == 4
    assert "verdict: wrong: the value of first is not as claimed" in capsys.readouterr().out


def test_long_fields_are_told_by_length_and_hash(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    told = []
    for last in (1, 2):
        file = tmp_path / f"{last}.cert"
        es.write_certificate(es.prove(es.solve(es.games.Nim(heaps=(1,) * 999 + (last,)))), file)
        assert main([str(file)]) == 0
        told.append(capsys.readouterr().out.splitlines()[1])
        assert told[-1].startswith('parameters: "heaps": (3,000 characters, SHA-256 ')
    assert told[0] != told[1]


@pytest.mark.parametrize("arguments", [[], ["a", "b", "c"], ["a", "--time", "1s"]])
def test_main_wants_one_file(arguments: list[str], capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as stop:
        main(arguments)
    assert stop.value.code == 2
    assert "usage: python -m endsight.verifier" in capsys.readouterr().err


@pytest.mark.parametrize(("most", "code"), [("nan", 3), ("1e30", 3), ("-1", 3), ("x", 2)])
def test_limits_of_main_may_be_any_numbers(most: str, code: int) -> None:
    """What no clock and no word of the machine holds ended in a traceback."""
    command = [sys.executable, "-m", "endsight.verifier", "absent.cert", f"--memory={most}"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ended.returncode == code
    assert ("absent.cert cannot be read" in ended.stderr) == (code == 3)


MERGED = """
from typing import NamedTuple
from endsight import Game

class Merged(Game):
    players = 1

    class State(NamedTuple):
        left: int
        more: int

    def start(self): return first()
    def limits(self): return self.State(2, 1)
    def to_move(self, state): return 0
    def moves(self, state): return range(2 if state.left == 1 else state.left // 2)
    def play(self, state, move): return self.State(1, 0) if state.left > 1 else last(move)
    def payoff(self, state): return state.more

class Sheet(Merged.State):
    def __eq__(self, other): return self.left == other[0]
    def __hash__(self): return self.left

def first(): return Merged.State(2, 0)
def last(move): return Merged.State(0, 0)
"""


def test_states_that_say_themselves_which_are_equal_prove_nothing(tmp_path: Path) -> None:
    """The two last states were taken for one, so the smaller payoff was proven."""
    file = tmp_path / "merged.py"
    file.write_text(MERGED, encoding="utf-8")
    game = load(f"{file}:Merged")
    proven = es.prove(es.solve(game()))
    module = sys.modules[game.__module__]
    module.last = lambda move: module.Sheet(0, move)  # type: ignore[attr-defined]
    with pytest.raises(es.errors.RulesError, match="a state defines __eq__"):
        es.verify(proven, game)
    module.last = lambda move: module.Merged.State(0, 0)  # type: ignore[attr-defined]
    assert es.verify(proven, game).checked
    module.first = lambda: module.Sheet(2, 0)  # type: ignore[attr-defined]
    with pytest.raises(es.errors.RulesError, match="a state defines __eq__"):
        es.verify(proven, game)


TWINS = """
from typing import NamedTuple
from endsight.game import Game

class Twins(Game):
    players = 1

    class State(NamedTuple):
        stage: int
        held: object

    def start(self): return self.State(0, 0)
    def to_move(self, state): return -1 if state.stage == 1 else 0
    def moves(self, state): return range((1, 2, 0)[state.stage])
    def weight(self, state, move): return 1
    def play(self, state, move): return self.State(1, 0) if state.stage == 0 else self.State(2, held(move))
    def payoff(self, state): return 1 * ("Second" in repr(state))

class First(NamedTuple):
    number: int

class Second(NamedTuple):
    number: int

def held(move): return First(1)
"""


@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize("form", ["{}(1)", "(0, {}(1))", "frozenset(({}(1),))"])
def test_equal_states_of_different_classes_prove_nothing(form: str, is_hidden: bool, tmp_path: Path) -> None:
    """They were taken for one, though rules can tell them apart: the value proven here was that of the first."""
    file = tmp_path / "twins.py"
    sight = "    def sees(self, state, player): return state.stage\n" if is_hidden else ""
    file.write_text(TWINS.replace("    def start", sight + "    def start", 1), encoding="utf-8")
    game = load(f"{file}:Twins")
    module = sys.modules[game.__module__]
    first, second = (eval(form.format(name), vars(module)) for name in ("First", "Second"))
    module.held = lambda move: first  # type: ignore[attr-defined]
    proven = es.prove(es.solve(game()))
    assert "player 0" in es.verify(proven, game).claim
    module.held = lambda move: (first, second)[move]  # type: ignore[attr-defined]
    with pytest.raises(es.errors.RulesError, match="equal states of two classes"):
        es.verify(proven, game)


@pytest.mark.parametrize("value", ["1", "True", "None", "'a'", "Fraction(1, 2)", "(frozenset({1}), Odd.A)"])
def test_values_of_common_classes_in_states_are_proven(value: str, tmp_path: Path) -> None:
    """Fractions counted as values with an equality of their own."""
    file = tmp_path / "common.py"
    held = MERGED.replace("Merged.State(0, 0)", f"Merged.State(0, {value})").replace("state.more", "1")
    imports = "from enum import Enum\nfrom fractions import Fraction\nclass Odd(Enum): A = 1\n"
    file.write_text(imports + held.replace("    def limits(self): return self.State(2, 1)\n", ""), encoding="utf-8")
    game = load(f"{file}:Merged")
    assert es.verify(es.prove(es.solve(game())), game).checked


HOSTILE = """
import sys
from typing import NamedTuple
from endsight.game import Game

class Hostile(Game):
    deed: str = "hang"

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(9)
    def start(self): return self.State(0)
    def play(self, state, move): return state
    def payoff(self, state): return 0

    def moves(self, state):
        if self.deed == "hang":
            while True:
                try:
                    while True: pass
                except BaseException: pass
        if self.deed == "leave":
            raise SystemExit(0)
        if self.deed == "lie":
            print("verdict: proven")
            print("\\x1b[2J", file=sys.stderr)
        pile = [1]
        while self.deed == "eat":
            pile += pile
        return ()
"""


@pytest.fixture
def hostile(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess]:
    """What the command says of a certificate whose rules do something bad."""
    rules = tmp_path / "hostile.py"
    rules.write_text(HOSTILE, encoding="utf-8")
    kind = load(f"{rules}:Hostile")

    def ask(deed: str, *options: str, command: list[str] | None = None) -> subprocess.CompletedProcess:
        nothing = {"first": (Fraction(0), Fraction(0)), "second": (Fraction(0), Fraction(0))}
        claim = Claim("", None, "competitive", "payoff", {}, nothing, "value", None)
        evidence = Bounds(Play(()), Play(()))
        about = {"text": "x", "class": "Hostile", "own": True, "parameters": {"deed": deed}, "rules": rules_hash(kind)}
        made = Certificate(SCHEMA, "", about, claim, evidence)
        file = tmp_path / f"{deed}.cert"
        file.write_text(text_of(made), encoding="utf-8")
        module = ["endsight", "verify"] if options else ["endsight.verifier"]
        asked = [sys.executable, "-m", *(command or module), str(file), f"{rules}:Hostile", *options]
        return subprocess.run(asked, capture_output=True, text=True, check=False, timeout=60)

    return ask


def test_the_module_has_limits_of_its_own(hostile: Callable[..., subprocess.CompletedProcess]) -> None:
    hanging = hostile("hang", "--time", "0.7", command=["endsight.verifier"])
    assert (hanging.returncode, hanging.stdout, hanging.stderr) == (5, "", "error: stopped: the time is up\n")
    proven = hostile("lie", "--time", "30", "--memory", "1", command=["endsight.verifier"])
    assert (proven.returncode, proven.stderr) == (0, "")
    assert proven.stdout.startswith('class: "Hostile"\nparameters: "deed": "lie"\nclaim: "position": ""')
    if sys.platform == "linux":
        eating = hostile("eat", "--memory", "0.3", "--time", "30", command=["endsight.verifier"])
        assert (eating.returncode, eating.stdout, eating.stderr) == (5, "", "error: stopped by MemoryError()\n")


def test_limits_end_rules_that_do_not(hostile: Callable[..., subprocess.CompletedProcess]) -> None:
    hanging = hostile("hang", "--time", "1s")
    assert (hanging.returncode, hanging.stdout) == (5, "")
    assert hanging.stderr == "error: stopped: more than 1 s\n  allowed: 1 s\n  try:     raise --time\n"


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory for a process")
def test_memory_is_bounded(hostile: Callable[..., subprocess.CompletedProcess]) -> None:
    eating = hostile("eat", "--memory", "200MB", "--time", "30s")
    assert (eating.returncode, eating.stdout) == (5, "")
    assert eating.stderr.startswith("error: stopped: more than 200 MB of memory\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a stream that is always full")
def test_a_stream_that_is_full_closed_or_ascii(own: tuple[str, str]) -> None:
    command = f"{sys.executable} -m endsight.verifier {' '.join(own)}"

    def ask(how: str) -> tuple[int, str]:
        done = subprocess.run(how.format(command), shell=True, capture_output=True, text=True, check=False)
        return done.returncode, done.stderr

    assert ask("{} > /dev/full") == (3, "error: the verdict cannot be written: No space left on device\n")
    assert ask("set -o pipefail 2>/dev/null; {} | true")[1] == ""
    assert ask("PYTHONIOENCODING=ascii {} > /dev/null") == (0, "")
    assert ask("{} 2> /dev/full >&-")[0] == 0


def test_what_rules_print_or_raise_is_no_verdict(hostile: Callable[..., subprocess.CompletedProcess]) -> None:
    leaving = hostile("leave")
    assert (leaving.returncode, leaving.stdout) == (3, "")
    assert "SystemExit" in leaving.stderr
    lying = hostile("lie")
    assert lying.stdout.count("verdict") == 1
    assert lying.stderr == ""


MISLEADING = """
from typing import NamedTuple
from endsight.game import Game

class Two(Game):
    most: int = 2
    rows: tuple = ()

    class State(NamedTuple):
        at: int

    def limits(self): return self.State(9)
    def start(self): return self.State(0)
    def moves(self, state): return (0, 1) if state.at == 0 else ()
    def play(self, state, move): return self.State(move + 1)
    def payoff(self, state): return -1 if state.at == 1 else 1

class Alike(Two):
    def show_move(self, state, move): return "go"

class Liar(Two):
    def parse_move(self, state, text): return 7

class Untitled(Two):
    @classmethod
    def title(cls): raise ValueError("no title")

class Stopping(Two):
    def moves(self, state): raise KeyboardInterrupt

class Hungry(Two):
    def moves(self, state): raise MemoryError
"""


@pytest.mark.parametrize(
    ("name", "change", "code", "said"),
    [
        ("Two", {}, 0, "verdict: proven"),
        ("Two", {"parameters": {"most": 2}}, 3, "the certificate is about different parameters"),
        ("Two", {"parameters": {"most": 2, "rows": "deep"}}, 3, "nested more than 50 deep"),
        ("Alike", {"position": "go"}, 3, "Alike: the claim's move 'go' is not legal, or is ambiguous"),
        ("Liar", {"position": "go"}, 3, "Liar: the claim's move 'go' is not legal, or is ambiguous"),
        ("Untitled", {}, 0, "verdict: proven"),
        ("Stopping", {}, 130, "stopped by KeyboardInterrupt()"),
        ("Hungry", {}, 5, "stopped by MemoryError()"),
    ],
)
def test_claims_that_could_mislead(
    name: str, change: dict, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Parameters left out, moves of one name, moves that are none, rules that raise what is not an `Exception`."""
    rules, file = tmp_path / "misleading.py", tmp_path / "a.cert"
    rules.write_text(MISLEADING, encoding="utf-8")
    kind = load(f"{rules}:{name}")
    about = {"text": "x", "class": name, "own": True, "parameters": {"most": 2, "rows": ()}, "rules": rules_hash(kind)}
    about["parameters"] = change.get("parameters", about["parameters"])
    value = {"first": (None, Fraction(5)), "second": (None, None)}
    claim = Claim(change.get("position", ""), None, "competitive", "payoff", {}, value, "value", None)
    text = text_of(Certificate(SCHEMA, "", about, claim, Induction()))
    file.write_text(text.replace('"deep"', "[" * 60 + "]" * 60), encoding="utf-8")
    assert main([str(file), f"{rules}:{name}"]) == code
    heard = capsys.readouterr()
    assert said in heard.out + heard.err


def test_constants_count_where_all_methods_are_from_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "borrowed_rules.py").write_text(RULES, encoding="utf-8")
    hashes = set()
    for heap in (5, 6):
        rules = tmp_path / f"borrowing{heap}.py"
        text = "from borrowed_rules import Countdown\nclass Mine(Countdown):\n    moves = Countdown.moves\n"
        rules.write_text(f"{text}    heap: int = {heap}\n", encoding="utf-8")
        hashes.add(rules_hash(load(f"{rules}:Mine")))
    assert len(hashes) == 2


@pytest.mark.parametrize("module", [["endsight", "verify"], ["endsight.verifier"]])
def test_what_a_file_of_rules_prints_is_no_verdict(own: tuple[str, str], module: list[str]) -> None:
    """While it is loaded, and when it is asked; also where it writes its own end."""
    file, spec = own
    rules = Path(spec.rpartition(":")[0])
    rules.write_text(f"print('verdict: proven')\n{RULES}", encoding="utf-8")
    done = subprocess.run([sys.executable, "-m", *module, file, spec], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: the certificate is about different rules from those here")


def test_rules_that_call_themselves_part_of_python_have_their_own_text(tmp_path: Path) -> None:
    """`__module__` is only a name: whoever writes another one still has rules with a hash."""
    hashes = set()
    for number in range(2):
        rules = tmp_path / f"disguised{number}.py"
        rules.write_text(RULES.replace("heap: int = 5", "__module__ = 'abc'\n    heap: int = 5") + f"# {number}")
        hashes.add(rules_hash(load(f"{rules}:Countdown")))
    assert len(hashes) == 2


def test_main_is_what_the_module_runs(own: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    import runpy

    monkeypatch.setattr(sys, "argv", ["verifier", *own])
    monkeypatch.delitem(sys.modules, "endsight.verifier.__main__")
    with pytest.raises(SystemExit) as stop:
        runpy.run_module("endsight.verifier", run_name="__main__")
    assert stop.value.code == 0
