"""What a sceptic must trust: the files that verifying one certificate of each kind loads, and how long they are."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
import tokenize
from fractions import Fraction
from pathlib import Path

import pytest

import endsight as es
from command_line import run
from endsight.verifier.certificate import Bounds, Evidence, Plan, Plans, Play
from endsight.verifier.rules import load
from endsight.verifier.theorems import CHECKERS
from endsight.verifier.words import SECURED, SIGHT
from test_layers import VERIFIER_MAY_IMPORT, room
from test_plan_certificates import certificate

SOURCE = Path(es.__file__).parent
MOST_LINES = 1_473
"""Lines of code, of all kinds of claims together."""
MOST_FOR_FIRST = 1_200
"""Lines that are loaded for certificates of the first kinds together: plays, inductions, distributions and theorems."""
MOST_FOR_KIND = 150
"""A later kind of claim may add as many."""
LATER = {"mixtures": {"at_once"}, "plans": {"at_once", "plans"}, "beliefs": {"beliefs"}}
"""Modules of the verifier that are loaded for later kinds alone."""
MOST_WIDTHS = (54, 107)
"""Mean width of these lines, and the width that 95 of 100 do not pass: fewer lines are not to be denser ones."""
KINDS = {
    "bounds": ["tictactoe"],
    "bounds with chance": ["pigturn"],
    "bounds of loops": ["pig:target=3"],
    "induction": ["{rules}:Three"],
    "distribution": ["pigturn", "--dist", "player"],
    "fixed": ["pots:4-9-2-7", "--fix", "first=random", "--utility", "lead"],
    "dominoes_openings": ["dominoes:n=7"],
    "even_kernel": ["dominoes:n=5", "--at", "0-1"],
    "nim_sum": ["nim"],
    "smallest_sufficient": ["highcard:hand=1-3-5-7,rival=8-x-4-x"],
    "stack_reduction": ["pots:4-9-2-7"],
}
RULES = """
from typing import NamedTuple
from endsight.game import Game

class Three(Game):
    players = 3

    class State(NamedTuple):
        place: int

    def limits(self): return self.State(9)
    def start(self): return self.State(0)
    def moves(self, state): return range(3) if state.place < 3 else ()
    def play(self, state, move): return self.State(3 * (state.place == 0) + move + 1)
    def payoff(self, state): return (state.place % 3, state.place % 2, 1)

class Pennies(Game):
    players = 2

    class State(NamedTuple):
        told: int

    def limits(self): return self.State(2)
    def start(self): return self.State(0)
    def to_move(self, state): return 0, 1
    def moves(self, state): return () if state.told else [(0, 0), (0, 1), (1, 0), (1, 1)]
    def play(self, state, move): return self.State(1 + (move[0] == move[1]))
    def payoff(self, state): return (1, -1) if state.told == 1 else (-1, 1)

class Blind(Pennies):
    def to_move(self, state): return -1 if state.told == 0 else 0
    def moves(self, state): return (1, 2) if state.told == 0 else (0, 1) if state.told < 3 else ()
    def play(self, state, move): return self.State(move if state.told == 0 else 2 + (move == state.told) + 1)
    def payoff(self, state): return (state.told - 3, 3 - state.told)
    def sees(self, state, player): return 0
"""
BY_HAND: dict[str, Evidence] = {
    "plans": Plans(Plan(2, (1, 1)), Plan(2, (1, 1))),
    "mixtures": Bounds(Play((1, 1)), Play((1, 1))),
    "beliefs": Bounds(Play((1,)), Play(())),
}


NATURAL = """
from enum import Enum
from typing import Literal, NamedTuple
from endsight.game import Game

class Side(Enum):
    CROSS = 0
    NOUGHT = 1

class Place(NamedTuple):
    row: int
    mark: str

class Natural(Game):
    players = 2
    words: tuple[str, ...] = ("a", "b")
    most: int | None = None

    class State(NamedTuple):
        cells: tuple[Side | None, ...]
        turn: Side
        rows: tuple[tuple[int, int], ...]
        taken: frozenset[int]
        place: Place
        phase: Literal["to play", "over"]
        name: str
        second: bool

    def start(self):
        rows = ((1, 2), (3, 4))
        return self.State((None,) * 3, Side.CROSS, rows, frozenset(), Place(1, "x"), "to play", "a b", False)

    def to_move(self, state): return state.turn.value
    def moves(self, state): return [(state.turn, n) for n, own in enumerate(state.cells) if own is None]
    def payoff(self, state): return (1, -1) if state.cells[0] is Side.CROSS else (-1, 1)

    def play(self, state, move):
        cells, turn = list(state.cells), Side(1 - state.turn.value)
        cells[move[1]] = state.turn
        return state._replace(cells=tuple(cells), turn=turn, taken=state.taken | {move[1]}, second=not state.second)
"""
SET_UP = "cells=x-CROSS-x turn=NOUGHT rows=1-2/3-4 taken=1 place=1-x phase=to_play name=a_b second=yes"
LOADED = {"base", "board", *VERIFIER_MAY_IMPORT}
"""With built-in rules also the list of names of what they are drawn with; nothing of that is loaded itself."""


def lines_of_code(path: Path) -> list[str]:
    """Lines that hold code: no blanks, comments or docstrings."""
    text = path.read_text(encoding="utf-8")
    told = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            told.update(range(node.lineno, (node.end_lineno or 0) + 1))
    no_code = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in no_code:
            lines.update(range(token.start[0], token.end[0] + 1))
    rows = text.splitlines()
    return [rows[number - 1] for number in sorted(lines - told)]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the verifier is asked about a certificate of each kind."""
    folder = tmp_path_factory.mktemp("kinds")
    rules = folder / "three.py"
    rules.write_text(RULES, encoding="utf-8")
    asked = {}
    for kind, command in KINDS.items():
        file = str(folder / f"{kind}.cert")
        said = run("prove", *(part.format(rules=rules) for part in command), "-o", file)
        assert said.code == 0, (kind, said.err)
        evidence = es.Certificate.read(file).evidence
        assert getattr(evidence, "theorem", kind) == kind
        named = [f"{rules}:Three"] if "{rules}" in command[0] else []
        asked[kind] = [file, *named]
    for kind, evidence in BY_HAND.items():
        is_blind = kind == "beliefs"
        file, spec = folder / f"{kind}.cert", f"{rules}:{'Blind' if is_blind else 'Pennies'}"
        value, notion = (Fraction(1, 2), SIGHT) if is_blind else (0, SECURED)
        file.write_text(certificate(load(spec)(), evidence, value, value, notion=notion).to_text(), encoding="utf-8")
        asked[kind] = [str(file), spec]
    return asked


def loaded_for(asked: list[list[str]]) -> set[str]:
    """The modules that are loaded once these certificates were verified, in one fresh process."""
    script = ["import sys", "from endsight.verifier.__main__ import main"]
    script += [f"assert main({arguments!r}) == 0, {arguments!r}" for arguments in asked]
    script.append("print(*sys.modules, file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", "\n".join(script)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("verdict: proven") == len(asked)
    return set(done.stderr.split())


@pytest.fixture(scope="module")
def loaded(certificates: dict[str, list[str]]) -> set[str]:
    """The modules that are loaded once a certificate of each kind was verified."""
    return loaded_for(list(certificates.values()))


def trusted(loaded: set[str]) -> dict[str, list[str]]:
    """The lines of all that is loaded but the rules: the files in `endsight/games` with their kit, and the user's."""
    own = [name for name in sorted(loaded) if name.partition(".")[0] == "endsight"]
    assert not [name for name in own if name.startswith("endsight.board.")]
    files = {name: SOURCE.parent.joinpath(*name.split(".")) for name in own}
    return {
        name: lines_of_code(file / "__init__.py" if file.is_dir() else file.with_suffix(".py"))
        for name, file in files.items()
        if not name.startswith(("endsight.games.", "endsight.board"))
    }


def test_every_theorem_is_among_the_kinds() -> None:
    assert {theorem for _, theorem in CHECKERS} < set(KINDS)


def test_the_verifier_loads_only_itself_the_protocol_and_the_rules(loaded: set[str]) -> None:
    own = {name for name in loaded if name.partition(".")[0] == "endsight"}
    assert {room(name) for name in own if "." in name} <= LOADED
    outside = (
        {name.partition(".")[0] for name in loaded - own}
        - set(sys.stdlib_module_names)
        - {"__main__", "rules_of_three"}
    )
    assert not {name for name in outside if not name.startswith("_")}


@pytest.mark.parametrize("options", [(), ("--at", "CROSS-1"), ("--position", SET_UP), ("--dist", "first")])
def test_natural_states_and_moves_load_one_more_file(tmp_path: Path, options: tuple[str, ...]) -> None:
    """Enums, tuples, texts, sets and what may be None, in states, moves, parameters and positions that are set up."""
    rules, file = tmp_path / "natural.py", tmp_path / "natural.cert"
    rules.write_text(NATURAL, encoding="utf-8")
    made = run("prove", f"{rules}:Natural", *options, "-o", str(file))
    assert made.code == 0, made.err
    arguments = [str(file), f"{rules}:Natural"]
    script = (
        "import sys\nfrom endsight.verifier.__main__ import main\n"
        f"assert main({arguments!r}) == 0\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    rooms = {room(name) for name in done.stderr.split() if name.startswith("endsight.")}
    assert rooms - {"game.field_texts"} == LOADED - {"board"}
    assert ("game.field_texts" in rooms) == bool({"--at", "--position"} & {*options})
    assert len(lines_of_code(SOURCE / "game" / "field_texts.py")) <= MOST_FOR_KIND


def test_a_false_claim_loads_besides_what_words_the_refusal(tmp_path: Path) -> None:
    file = tmp_path / "false.cert"
    assert run("prove", "nim", "-o", str(file)).code == 0
    file.write_text(file.read_text(encoding="utf-8").replace('"first":"1"', '"first":"2"'), encoding="utf-8")
    script = (
        "import sys\nfrom endsight.verifier.__main__ import main\n"
        f"assert main({[str(file)]!r}) == 4\nprint(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "verdict: wrong: the value of first is not as claimed\n  found:   proven 1, claimed 2" in done.stdout
    own = {name for name in done.stderr.split() if name.startswith("endsight.")}
    more = {name for name in own if room(name) not in LOADED}
    assert more == {"endsight.proof", "endsight.proof.claim_text", "endsight.proof.refusals"}


@pytest.mark.parametrize(
    "text", [SET_UP.replace("second=yes", "second=true"), " ".join(reversed(SET_UP.split())), SET_UP + " "]
)
def test_a_position_must_be_written_as_it_is_shown(tmp_path: Path, text: str) -> None:
    rules, file = tmp_path / "natural.py", tmp_path / "natural.cert"
    rules.write_text(NATURAL, encoding="utf-8")
    assert run("prove", f"{rules}:Natural", "--position", text, "-o", str(file)).code == 0
    proven = file.read_text(encoding="utf-8")
    assert SET_UP in proven
    file.write_text(proven.replace(SET_UP, text), encoding="utf-8")
    said = run("verify", str(file), f"{rules}:Natural")
    assert (said.code, said.out) == (3, "")
    assert "is not how Natural shows that position" in said.err


def test_what_must_be_trusted_is_short(loaded: set[str]) -> None:
    counted = trusted(loaded)
    assert sum(map(len, counted.values())) <= MOST_LINES, {file: len(lines) for file, lines in counted.items()}
    widths = sorted(len(line) for lines in counted.values() for line in lines)
    assert sum(widths) <= MOST_WIDTHS[0] * len(widths)
    assert widths[95 * len(widths) // 100] <= MOST_WIDTHS[1]


def test_a_later_kind_of_claim_adds_little(certificates: dict[str, list[str]]) -> None:
    """Who has a certificate of another kind need not trust it."""
    first = trusted(loaded_for([asked for kind, asked in certificates.items() if kind not in LATER]))
    assert sum(map(len, first.values())) <= MOST_FOR_FIRST, {file: len(lines) for file, lines in first.items()}
    for kind, modules in LATER.items():
        added = {name: len(lines) for name, lines in trusted(loaded_for([certificates[kind]])).items()}
        added = {name: lines for name, lines in added.items() if name not in first}
        assert added.keys() == {f"endsight.verifier.{module}" for module in modules}
        assert sum(added.values()) <= MOST_FOR_KIND


@pytest.mark.parametrize("policy", ["greedy", "lookahead"])
def test_policies_that_look_ahead_load_two_more_files(tmp_path: Path, loaded: set[str], policy: str) -> None:
    file = str(tmp_path / "pots.cert")
    assert run("prove", "pots:4-9-2-7", "--fix", f"first={policy}", "-o", file).code == 0
    more = {name for name in loaded_for([[file]]) - loaded if name.startswith("endsight.")}
    assert more == {"endsight.game.derived", "endsight.game.foresight"}
    files = [lines_of_code(SOURCE / "game" / name) for name in ("derived.py", "foresight.py")]
    assert sum(map(len, files)) <= MOST_FOR_KIND


def test_the_page_names_files_that_are_there(loaded: set[str]) -> None:
    """All files that the section names exist, and all that are loaded stand in it."""
    page = (Path(__file__).parents[1] / "docs" / "reference" / "certificate-format.md").read_text(encoding="utf-8")
    section = page.partition("## What must be trusted")[2]
    named = {name for name in section.split("`") if name.startswith("endsight/")}
    assert all((SOURCE.parent / name).exists() for name in named)
    folders = {"base", "board", "games", "game.__init__"}
    needed = {("game.__init__" if own == "game" else own).replace(".", "/") for own in LOADED - folders}
    assert needed <= {name.removeprefix("endsight/").removesuffix("/").removesuffix(".py") for name in named}
