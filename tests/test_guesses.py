"""Where nothing is proven in time: a seat that plays perfectly moves all the same, by a guess, and the page says so."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

from thresholds import pages_wait
from web_server import Served, serving

OPEN = "/games/connectfour"
SECONDS = 40
"""How long a position of the whole board is searched, which proves nothing in that time: longer than any page here is
looked at, however busy the machine is."""
SPOKEN = """
from typing import NamedTuple
from endsight import CHANCE, Game

class Spoken(Game):
    "Speak numbers in turn, for ever others; a die that hardly ever shows 1 pays, and what second says first."
    players = 2

    class State(NamedTuple):
        ply: int
        said: int

    def limits(self): return self.State(30, 10**9)
    def start(self): return self.State(0, 0)
    def to_move(self, state): return CHANCE if state.ply == 1 else state.ply % 2
    def moves(self, state): return range(5) if state.ply < 30 else ()
    def weight(self, state, move): return 1 if move == 1 else 10**6
    def play(self, state, move): return self.State(state.ply + 1, (state.said * 31 + move + 1) % 10**9)
    def reward(self, state, move):
        if state.ply == 1: return (1000, 0) if move == 1 else (0, 0)
        return {2: (0, 4), 3: (40, 0)}.get(move, (0, 0)) if state.ply == 3 else (0, 0)
    def payoff(self, state): return (0, 0)
"""


@pytest.fixture(scope="module")
def crowded() -> Iterator[Served]:
    """One for many clients at once, with all its workers, that searches on while pages are looked at."""
    with serving([], seconds=SECONDS, memory=2 * 10**9) as made:
        yield made


@pytest.fixture(scope="module")
def hurried(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One that stops every search soon, and has nothing left to do then."""
    file = tmp_path_factory.mktemp("rules") / "spoken.py"
    file.write_text(SPOKEN)
    with serving([str(file)], seconds=0.2, memory=2 * 10**9, quick=1) as made:
        yield made


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait until a search was stopped, and for guesses a fifth of a second."""
    pages_wait(monkeypatch, 5.0)


def played(base: str, seed: int, turns: int) -> list[str]:
    """Moves at random against a seat that plays perfectly, each answered by one page; the verdicts."""
    random, moves, told = Random(seed), list[str](), list[str]()
    with httpx.Client(base_url=base, timeout=100, follow_redirects=True) as client:
        for _ in range(turns):
            moves.append(str(random.randint(1, 7)))
            answer = client.get(OPEN, params={"seat-second": "perfect", "at": " ".join(moves)})
            assert answer.status_code == 200, answer.text
            after = parse_qs(urlsplit(str(answer.url)).query)["at"][0].split()
            assert after[: len(moves)] == moves
            assert len(after) == len(moves) + 1  # it has moved
            assert "was a best guess" in answer.text
            told.append(re.search(r'id="verdict">(.*?)<', answer.text)[1])  # type: ignore[index]
            moves = after
    return told


def guesses(page: str) -> dict[str, str]:
    """What the page says of every move, and which is the best guess."""
    assert "prove nothing" in page, page
    # A worker that a busy machine keeps from stopping in time is ended by the server.
    reason = r"(?:Stopped: .*?|The work exceeded its limits and was stopped\.)"
    best = re.search(rf"Best guess: (\d)\. {reason} You can still play every move", page)[1]  # type: ignore[index]
    rows = re.findall(r'<tr data-move="(\d)">.*?</a></td><td>(<b>)?([^<]*)', page)
    assert [move for move, is_best, _ in rows if is_best] == [best]
    return {move: text for move, _, text in rows} | {"best": best}


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("at", "seats", "moved"),
    [
        ("1 4 1 4 1", {"second": "perfect"}, "1 4 1 4 1 1"),  # the column is blocked
        ("", {"first": "perfect", "second": "perfect"}, r"\d"),
    ],
)
def test_a_perfect_seat_never_stands_still(at: str, seats: dict[str, str], moved: str, hurried: Served) -> None:
    """With two of them each page shows one move and leads to the next: a browser follows no endless chain."""
    asked = {"at": at, **{f"seat-{name}": seat for name, seat in seats.items()}}
    answer = hurried.get(OPEN, params=asked, follow_redirects=True)
    address = parse_qs(urlsplit(str(answer.url)).query)
    assert address["guess"] == ["1"]
    assert re.fullmatch(moved, address["at"][0])
    assert "was a best guess" in answer.text
    leads = re.search(r'http-equiv="refresh" content="2;url=([^"]*)"', answer.text)
    assert (leads is not None) == (len(seats) == 2)
    if leads is not None:
        assert leads[1].startswith("/games/connectfour?seat-first=perfect&amp;seat-second=perfect&amp;at=")


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("at", "player"), [("1+4+1+4+1+4", "first"), ("1+4+1+4+1", "second")])
def test_guesses_tell_of_every_move_what_games_brought_its_player(at: str, player: str, hurried: Served) -> None:
    """They hide together with the values."""
    page = hurried.get(f"{OPEN}?at={at}").text
    found = guesses(page)
    shares = [int(re.fullmatch(r"(\d{1,3}) %", found[move])[1]) for move in "1234567"]  # type: ignore[index]
    assert (found["best"], shares[0]) == ("1", max(shares))
    assert player == "second" or shares[0] == 100  # it wins at once
    assert f"games at random, and prove nothing: how many of them {player} won, draws counted half." in page
    assert "prove nothing" not in hurried.get(f"{OPEN}?at={at}&hide=1").text


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(
    ("objective", "best", "gain", "player"), [("competitive", "2", "4", "second"), ("cooperative", "3", "40", "first")]
)
def test_the_goal_of_a_guess_is_that_of_the_question(
    objective: str, best: str, gain: str, player: str, hurried: Served
) -> None:
    """Together the two want what the first gets; each alone wants the own gain."""
    page = hurried.get(f"/games/1?at=0+0+0&objective={objective}").text
    assert guesses(page) == {str(move): "0" for move in range(5)} | {best: gain, "best": best}
    assert f"prove nothing: what they brought {player} on average" in page


def test_a_page_that_searches_tells_for_how_long(hurried: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    pages_wait(monkeypatch, 0.0)
    text = hurried.get(f"{OPEN}?at=2").text
    assert re.search(r"</progress> [A-Z].*: [\d,]+ positions, \d+ of at most 0 s\.</p>", text), text


@pytest.mark.slow
def test_thirty_clients_play_the_whole_board(crowded: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    pages_wait(monkeypatch, 0.2)
    with ThreadPoolExecutor(30) as clients:
        told = list(clients.map(lambda seed: played(crowded.base, seed, 3), range(30)))
    assert [len(verdicts) for verdicts in told] == [3] * 30


@pytest.mark.browser
def test_two_browsers_play_the_whole_board_at_once(crowded: Served) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=["--no-sandbox"]
        )
        pages: list[Any] = [browser.new_context().new_page() for _ in range(2)]
        for page in pages:
            page.set_default_timeout(60_000)
            page.goto(f"{crowded.base}{OPEN}?seat-second=perfect")
        for turn in range(2):
            for number, page in enumerate(pages):
                page.locator(f".bd a[data-move='{4 + number + turn}']").click()
            for page in pages:
                page.wait_for_url(f"**at={'*' if not turn else '*+*+*'}+*")
                page.get_by_text("was a best guess").wait_for()
                assert len(parse_qs(urlsplit(page.url).query)["at"][0].split()) == 2 * turn + 2
        browser.close()
