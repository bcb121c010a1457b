"""How the pages are made: for all who read and use them, on screens of any size, in the dark, and small to load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from browsing import closed, opened, until
from web_server import Served

pytestmark = pytest.mark.browser

PAGES = {
    "index": "/",
    "start": "/games/tictactoe",
    "middle": "/games/dominoes:n=4?at=0-1+1-3",
    "chance": "/games/repeatbust:sides=3",
    "end": "/games/pots:4-9?at=L+L",
    "drawn": "/games/1?at=3",
    "hidden": "/games/tictactoe?hide=1&at=a1",
    "policy": "/games/repeatbust:sides=4/table",
    "distribution": "/games/pigturn/dist",
    "review": "/games/tictactoe/review?at=a1+b1+b2+c3",
    "fairness": "/games/pots:4-9-2-7/fairness",
    "experiments": "/games/repeatbust:sides=3/experiments?run=simulate&games=50",
    "explorer": "/games/tictactoe/explorer?at=a1+b1",
    "report": "/games/pots:4-9-2-7/report",
    "proof": "/games/tictactoe/proof",
    "hall": "/games/kuhn/seats",
    "rules": "/games/rpsbag:1-1-4%2F4-1-1/rules",
    "api": "/api",
    "working": "/games/connectfour:width=6,height=5",
    "at once": "/games/rps",
    "two dice": "/games/bigpig:target=6?at=roll+2-5",
    "long names": "/games/2?at=give-up-the-claim-number-1-without-any-further-conditions",
    "seats alone": "/games/kuhn?at=2+3",
    "illegal move": "/games/tictactoe?at=a1+a1",
    "unknown game": "/games/nothing",
}
WIDTHS = (1280, 390)
OF_COLOURS = ["color-contrast", "link-in-text-block"]
"""What axe asks of colours."""


@pytest.fixture(scope="module")
def looked_at(chromium: Any, served: Served) -> Iterator[Any]:
    """A page in which one address is opened after the other."""
    page = opened(chromium, served)
    yield page
    closed(page)


@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(looked_at: Any, served: Served, name: str) -> None:
    looked_at.goto(served.base + PAGES[name])
    check_accessible(looked_at)
    for button in looked_at.get_by_role("button", name="Cancel").all():  # nobody waits for what it works on
        button.click()
    assert looked_at.wrong == []


@pytest.mark.parametrize("game", ["kuhn", "phantomtictactoe:width=2,height=2,line=2", "goofspiel:cards=3"])
def test_seats_are_accessible(looked_at: Any, served: Served, game: str) -> None:
    """The addresses of a table, and the pages of both seats: before a move, with values, and while one waits."""
    links = served.client.post("/api/v1/tables", json={"game": game}).json()
    for seat in links["seats"]:
        for query in ("", "?show=1"):
            looked_at.goto(f"{served.base}/seats/{seat['token']}{query}")
            check_accessible(looked_at)
    looked_at.goto(f"{served.base}/games/{game}/seats")
    looked_at.get_by_role("button", name="Open a table").click()
    looked_at.wait_for_selector("a[href^='/seats/']")
    check_accessible(looked_at)
    assert looked_at.wrong == []


def check_accessible(page: Any) -> None:
    """What holds of a page on wide and on narrow screens, in light and in dark colours.

    Colours are all that the dark changes, so there only what axe says of colours is asked again.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    page.evaluate(AXE_SCRIPT)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        for scheme, rules in (("dark", OF_COLOURS), ("light", None)):
            page.emulate_media(color_scheme=scheme)
            assert serious_faults(page, rules) == [], (width, scheme)
        check_layout(page, width)


def serious_faults(page: Any, rules: list[str] | None) -> list[Any]:
    """What axe calls serious or critical, by those rules or by all."""
    options = {"resultTypes": ["violations"]} | ({"runOnly": rules} if rules else {})
    found = page.evaluate("options => axe.run(options)", options)
    return [
        (each["id"], each["nodes"][0]["html"][:200])
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
    ]


def check_layout(page: Any, width: int) -> None:
    """Nothing to scroll sideways, one heading, targets of a finger's size, and nothing made for another width."""
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "it has to be scrolled sideways"
    assert page.locator("h1").count() == 1
    other = ".es-narrow" if width > 760 else ".es-wide"
    assert page.locator(f"{other}:visible").count() == 0
    small = page.evaluate(
        """() => [...document.querySelectorAll('a, button, input, select, summary')].filter(each => {
            const box = each.getBoundingClientRect();
            const inText = each.matches('p a, td a, li li a') && !each.matches('.button, .move');
            return box.width && !inText && !each.matches('.skip') && (box.width < 24 || box.height < 24)
        }).map(each => each.outerHTML.slice(0, 120))"""
    )
    assert small == []


PICTURES_IN_SIGHT_ARE_THERE = """[...document.images].every(
    image => image.complete || image.getBoundingClientRect().top > innerHeight)"""


@pytest.mark.parametrize("name", ["index", "start", "middle", "chance"])
def test_the_first_load_is_small(chromium: Any, served: Served, name: str) -> None:
    page = opened(chromium, served)
    answers: list[Any] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(served.base + PAGES[name])
    # Pictures in sight come a little later than the page; bodies are read when all is there.
    until(page, lambda: page.evaluate(PICTURES_IN_SIGHT_ARE_THERE))
    sizes = {answer.url: len(answer.body()) for answer in answers}
    assert len(sizes) >= 3
    pictures = [sizes.pop(address) for address in list(sizes) if address.partition("?")[0].endswith("/board.svg")]
    assert sum(sizes.values()) <= 60 * 1024, sizes
    # Pictures of games come when they are scrolled to, and are kept.
    assert max(pictures, default=0) <= 20 * 1024
    closed(page)


def test_the_first_stop_of_tab_leads_to_the_content(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(served.base)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "main"
    closed(page)


def test_the_verdict_stands_above_the_fold_of_a_phone(chromium: Any, served: Served) -> None:
    page = opened(chromium, served, viewport={"width": 390, "height": 844})
    for path in ("/games/tictactoe?at=a1", "/games/repeatbust:sides=3?at=3", "/games/pots:4-9-2-7"):
        page.goto(served.base + path)
        page.locator("#verdict").wait_for()  # a busy machine answers later than the page is there
        verdict, buttons = (page.locator(which).bounding_box() for which in ("#verdict", ".ctl"))
        assert verdict["y"] + verdict["height"] < 300
        assert abs(buttons["y"] + buttons["height"] - 844) < 2
    closed(page)
