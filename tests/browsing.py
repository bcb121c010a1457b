"""What tests in a browser share: Chromium, pages in it that note what goes wrong, and waiting for what is seen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from web_server import COUNTDOWN, Served

RULES = (
    COUNTDOWN
    + """

class Claims(Game):
    "Two people with long names share out claims that are worth long fractions."
    player_names = ("The Honourable Minister of Agriculture and Fisheries", "Her Excellency the Ambassador")

    class State(NamedTuple):
        claims: tuple[int, ...]
        turn: int

    def limits(self): return self.State((9, 9, 9), 3)
    def start(self): return self.State((3, 5, 7), 0)
    def to_move(self, state): return state.turn % 2
    def moves(self, state): return [place for place, claim in enumerate(state.claims) if claim]
    def show_move(self, state, move): return f"give-up-the-claim-number-{move}-without-any-further-conditions"
    def payoff(self, state): return (0, 0)
    def play(self, state, move):
        left = tuple(0 if place == move else claim for place, claim in enumerate(state.claims))
        return self.State(left, state.turn + 1)
    def reward(self, state, move):
        from fractions import Fraction
        worth = Fraction(state.claims[move] * 1234567891, 9876543211)
        return (-worth, worth / 3) if state.turn % 2 == 0 else (worth / 7, -worth)
"""
)
"""Two games of one's own, with names and numbers that are long."""


@contextmanager
def chromium_running() -> Iterator[Any]:
    """Chromium without a window, driven from here; pages are opened in contexts of their own."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        path = shutil.which("chromium") or "/usr/bin/chromium"
        browser = driver.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


def opened(chromium: Any, served: Served, *, scripts: bool = True, **settings: Any) -> Any:
    """A fresh page; whatever it asks for anywhere else, and every error in it, fails the test at `closed`."""
    context = chromium.new_context(java_script_enabled=scripts, **settings)
    page = context.new_page()
    page.set_default_timeout(20_000)
    page.wrong = []
    page.on("pageerror", lambda error: page.wrong.append(str(error)))
    page.on("console", lambda message: page.wrong.append(message.text) if "Content Security" in message.text else None)
    page.on("request", lambda each: None if each.url.startswith(served.base) else page.wrong.append(each.url))
    return page


def closed(page: Any) -> None:
    assert page.wrong == []
    page.context.close()


def until(page: Any, holds: Any) -> None:
    """Wait here, not in the page: its content policy forbids what Playwright would run there."""
    for _ in range(1000):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it does not come to that: {page.url}")
