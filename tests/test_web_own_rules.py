"""The page with rules of somebody's own: what has no value can be played, and advice can be followed."""

import os
import py_compile
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from web_server import COUNTDOWN, Served, serving

PUSHES = """
from typing import NamedTuple
from endsight import CHANCE, Game

class Pushes(Game):
    "Throw a coin: on heads step forward, or send the other back. Both may only ever send back."

    class State(NamedTuple):
        own: int
        other: int
        turn: int
        coin: int

    def limits(self): return self.State(3, 3, 1, 2)
    def start(self): return self.State(1, 1, 0, 0)
    def to_move(self, state): return state.turn if state.coin else CHANCE
    def moves(self, state): return () if 3 in state[:2] else (1, 2)
    def payoff(self, state): return (1, 0) if state.own == 3 else (0, 1)
    def play(self, state, move):
        if not state.coin:
            return state._replace(coin=move)
        places = [state.own, state.other]
        if move == 1:
            places[state.turn] += state.coin == 2
        else:
            places[1 - state.turn] = 0
        return self.State(*places, 1 - state.turn, 0)
"""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("own rules")
    specs = []
    for name, text in (("Pushes", PUSHES), ("Countdown", COUNTDOWN)):
        (folder / f"{name}.py").write_text(text)
        specs.append(f"{folder / name}.py:{name}")
    with serving(specs, quick=1) as made:
        yield made


def test_a_game_without_a_value_can_be_played(served: Served) -> None:
    page = served.get("/games/1?at=2")
    assert page.status_code == 200
    assert "can go on for ever" in page.text
    assert "You can still play every move." in page.text
    assert 'href="/games/1?at=2+1"' in page.text


def test_a_problem_leads_to_another_page(served: Served) -> None:
    problem = served.get("/games/1/table")
    assert problem.status_code == 422
    assert 'href="/games/1?hide=1"' in problem.text
    wrong = served.get("/games/1?at=9")
    assert (wrong.status_code, 'href="/games/1"' in wrong.text) == (422, True)


def test_the_proof_page_names_the_rules_that_verify_wants(served: Served) -> None:
    page = served.get("/games/2/proof")
    command = page.text.replace("<wbr>", "").partition("<code>endsight verify endsight.cert ")[2].partition("<")[0]
    assert re.fullmatch(r"&#39;/.*own rules0/Countdown\.py:Countdown&#39;", command)
    assert "<code>endsight verify endsight.cert</code>" in served.get("/games/nim:heaps=1-2/proof").text


WRITTEN = """
from pathlib import Path
from typing import NamedTuple
from endsight import Game
from shares import SHARE

class Written(Game):
    class State(NamedTuple):
        left: int

    def setup(self): self.more = int(Path(__file__).with_name("more.txt").read_text())
    def limits(self): return self.State(3)
    def start(self): return self.State(3)
    def moves(self, state): return range(1, state.left + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -(1 + SHARE + self.more)
"""


def test_edited_rules_are_never_answered_from_what_was_solved_before(tmp_path: Path) -> None:
    rules, helper, more = tmp_path / "written.py", tmp_path / "shares.py", tmp_path / "more.txt"
    rules.write_text(WRITTEN)
    helper.write_text("SHARE = 10\n")
    more.write_text("100")
    with serving([f"{rules}:Written", "nim"], quick=1) as served:

        def value() -> str:
            return served.get("/api/v1/games/1/position").json()["value"]["first"]["exact"]

        assert [value(), value()] == ["111", "111"]
        more.write_text("2000")
        assert [value(), value()] == ["2011", "2011"]
        helper.write_text("SHARE = 300\n")
        assert [value(), value()] == ["2301", "2301"]
        rules.write_text(WRITTEN.replace("-(1 +", "-(5 +"))
        assert [value(), value()] == ["2305", "2305"]
        assert served.get("/api/v1/games/2/position").status_code == 200
        more.unlink()
        assert served.get("/api/v1/games/1/position").status_code >= 400
        more.write_text("1")
        assert value() == "306"


@pytest.mark.parametrize(
    ("edited", "old", "new", "right", "is_known"),
    [("own.py", "100", "2000", "2011", False), ("shares.py", "10", "300", "401", True)],
)
def test_rules_that_are_edited_while_they_are_solved_answer_in_their_new_form(
    tmp_path: Path, edited: str, old: str, new: str, right: str, is_known: bool
) -> None:
    started, ready = tmp_path / "started", tmp_path / "ready"
    rules, helper = tmp_path / "own.py", tmp_path / "shares.py"
    setup = f"started = open({str(started)!r}, 'w'); started.close()\n"
    setup += f"        while not os.path.exists({str(ready)!r}): time.sleep(0.01)\n        self.more = 100\n"
    rules.write_text("import os, time\n" + re.sub(r"(?<=def setup\(self\): ).*\n", f"\n        {setup}", WRITTEN))
    helper.write_text("SHARE = 10\n")
    with serving([f"{rules}:Written"], quick=1) as served, ThreadPoolExecutor() as pool:

        def value(method: str = "auto") -> str:
            document = served.get(f"/api/v1/games/1/position?method={method}").json()
            return str(document["value"]["first"]["exact"]) if "value" in document else str(document)

        if is_known:
            ready.touch()
            assert value("graph") == "111"
            ready.unlink()
            started.unlink()
            os.utime(helper, (1, 1))
        py_compile.compile(str(helper))  # this file is read then, and not the one that people edit
        before = pool.submit(value)
        while not started.exists():
            time.sleep(0.01)
        file = tmp_path / edited
        file.write_text(file.read_text().replace(old, new))
        after = pool.submit(value)
        time.sleep(0.1)
        ready.touch()
        assert [after.result(), before.result(), value()] == [right] * 3
