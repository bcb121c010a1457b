"""Where nothing is proven in time: a seat that plays perfectly moves all the same, by a guess, and the page says so."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest

import endsight as es
from endsight import Question
from endsight.answers.guessing import best_guess, guesses
from web_server import Served, serving

OPEN = "/games/connectfour"
SECONDS = 40
"""How long a position of the whole board is searched, which proves nothing in that time: longer than any page here is
looked at, however busy the machine is."""


@pytest.mark.parametrize(
    ("spec", "at", "move"),
    [
        ("connectfour", "1 4 1 4 1", "1"),  # the second blocks the column
        ("connectfour", "1 4 1 4 1 4", "1"),  # the first wins
        ("tictactoe", "a1 a2 b1 b2", "c1"),
        ("nim:heaps=1-2", "", "2:1"),
        ("pots:1-9", "", "R"),
        ("repeatbust", "7 roll 8 roll 7 roll 8", "roll"),
    ],
)
def test_guesses_are_good_where_games_are_near_their_end(spec: str, at: str, move: str) -> None:
    position = es.load(spec).position(at)
    found = best_guess(position, Question(), 60.0, Random(1), 800)
    assert position.game.show_move(position.state, found) == move


def test_guesses_tell_of_every_move_what_games_brought_its_player() -> None:
    found = guesses(es.load("connectfour").position("1 4 1 4 1 4"), Question(), 60.0, Random(1), 800)
    assert [guess.move for guess in found] == list(range(7))
    assert sum(guess.games for guess in found) == 800
    assert all(guess.is_share and -1 <= (guess.brought or 0) <= 1 for guess in found)
    assert found[0].brought == 1  # it wins at once
    pots = guesses(es.load("pots:1-9").position(), Question(), 60.0, Random(1), 100)
    assert [(guess.brought, guess.is_share) for guess in pots] == [(1.0, False), (9.0, False)]
    only = guesses(es.load("pots:5").position(), Question(), 60.0, Random(1), 100)
    assert [(guess.games, guess.brought) for guess in only] == [(0, None)]


def test_the_goal_of_a_guess_is_that_of_the_question() -> None:
    """Together the two want the higher sum; each alone wants the own gain."""
    position = es.load("pots:3-8-2").position()
    for question in (Question(), Question("competitive", "win")):
        assert position.game.show_move(position.state, best_guess(position, question, 60.0, Random(2), 100)) in "LR"
    assert best_guess(es.load("pots:5").position(), Question("cooperative"), 0.0) == 0


def test_guesses_beat_games_at_random() -> None:
    """In either seat of a small board, with very few games for each guess."""
    game, random, won = es.load("connectfour:width=4,height=4,line=3"), Random(4), 0
    for number in range(20):
        place = game.position()
        while not place.is_over:
            own = place.mover == number % 2
            move = best_guess(place, Question(), 60.0, random, 60) if own else random.choice(list(place.moves()))
            place = place.play(move)
        won += es.solve(game, place).value(place)[game.player_names[number % 2]] == 1
    assert won >= 16


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with serving([], seconds=SECONDS, memory=2 * 10**9, quick=1) as made:
        yield made


@pytest.fixture(scope="module")
def crowded() -> Iterator[Served]:
    """One for many clients at once, with all its workers."""
    with serving([], seconds=SECONDS, memory=2 * 10**9) as made:
        yield made


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages wait for a proof, which there is not, and for guesses a fifth of a second: workers search meanwhile."""
    for name in ("QUICK_SECONDS", "SEAT_SECONDS", "GUESS_SECONDS"):
        monkeypatch.setattr(f"endsight.faces.web.pages.{name}", 0.2)


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


@pytest.mark.usefixtures("hasty")
def test_a_perfect_seat_never_stands_still(served: Served) -> None:
    for verdict in played(served.base, 1, 2):
        assert verdict in ("Not proven yet.", "Not proven yet: either may win.")


@pytest.mark.usefixtures("hasty")
def test_the_page_tells_guesses_of_moves_and_for_how_long_it_searches(served: Served) -> None:
    """Guesses come once games were played, are said to prove nothing, and hide together with the values."""
    for _ in range(60):
        text = served.get(OPEN).text
        assert re.search(rf"</progress> [A-Z].*: [\d,]+ positions, \d+ of at most {SECONDS} s\.</p>", text), text
        if "prove nothing" in text:
            break
        time.sleep(0.3)
    assert re.search(r"Best guess: \d\. You can still play every move", text)
    assert len(re.findall(r"<td>(?:<b>)?\d+ %", text)) == 7
    assert "games at random, and prove nothing: how many of them first won, draws counted half." in text
    assert "prove nothing" not in served.get(f"{OPEN}?hide=1").text


@pytest.mark.usefixtures("hasty")
def test_two_perfect_seats_go_on_page_by_page(served: Served) -> None:
    """Each page shows one move and leads to the next: a browser follows no endless chain of addresses."""
    answer = served.get(f"{OPEN}?seat-first=perfect&seat-second=perfect", follow_redirects=True)
    assert "guess=1" in str(answer.url)
    leads = re.search(r'http-equiv="refresh" content="2;url=([^"]*)"', answer.text)[1]  # type: ignore[index]
    assert leads.startswith("/games/connectfour?seat-first=perfect&amp;seat-second=perfect&amp;at=")


@pytest.mark.slow
def test_thirty_clients_play_the_whole_board(crowded: Served) -> None:
    with ThreadPoolExecutor(30) as clients:
        told = list(clients.map(lambda seed: played(crowded.base, seed, 3), range(30)))
    assert [len(verdicts) for verdicts in told] == [3] * 30


@pytest.mark.browser
def test_two_browsers_play_the_whole_board_at_once(served: Served) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=shutil.which("chromium") or "/usr/bin/chromium", args=["--no-sandbox"]
        )
        pages: list[Any] = [browser.new_context().new_page() for _ in range(2)]
        for page in pages:
            page.set_default_timeout(60_000)
            page.goto(f"{served.base}{OPEN}?seat-second=perfect")
        for turn in range(2):
            for number, page in enumerate(pages):
                page.locator(f".bd a[data-move='{4 + number + turn}']").click()
            for page in pages:
                page.wait_for_url(f"**at={'*' if not turn else '*+*+*'}+*")
                page.get_by_text("was a best guess").wait_for()
                assert len(parse_qs(urlsplit(page.url).query)["at"][0].split()) == 2 * turn + 2
        browser.close()
