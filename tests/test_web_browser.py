"""The page in a browser: whole games by mouse and by keyboard, with scripts and without, and what it is like to use."""

from __future__ import annotations

import random
import re
import shutil
import threading
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import endsight as es
from endsight.faces.web.pool import Settings
from web_server import COUNTDOWN, Served, serving

pytestmark = pytest.mark.browser

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
GAMES = {
    "dominoes:n=3": "dominoes:n=3",
    "pots:4-9-2-7": "pots:4-9-2-7",
    "repeatbust:sides=3": "repeatbust:sides=3",
    "rpsbag:1-1-4/4-1-1": "rpsbag:1-1-4/4-1-1",
    "highcard:hand=1-3-5,rival=2-x-4": "highcard:hand=1-3-5,rival=2-x-4",
    "tictactoe": "tictactoe",
    "pig:target=4": "pig:target=4",
    "1": "own",
}
SLUGS = list(GAMES)
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

LONG_NAMES = """

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


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rules") / "countdown.py"
    file.write_text(COUNTDOWN + LONG_NAMES, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def served(rules: Path) -> Iterator[Served]:
    with serving([f"{rules}:Countdown", f"{rules}:Claims"], Settings(seconds=30, memory=2 * 10**9)) as made:
        yield made


@pytest.fixture
def patient(rules: Path) -> Iterator[Served]:
    """A server of its own whose limits long work does not reach while a test looks at it."""
    with serving([f"{rules}:Countdown"], Settings(seconds=300, memory=8 * 10**9)) as made:
        yield made


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def with_scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


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


# ---------------------------------------------------------------------- the other witness


@cache
def solution_of(spec: str) -> Any:
    return es.solve(es.load(spec))


def check_values(page: Any, spec: str) -> None:
    """Every number of the table is Python's."""
    at = " ".join(parse_qs(urlsplit(page.url).query).get("at", []))
    solution = solution_of(spec)
    position = solution.game.position(at)
    rows = page.locator("#values tbody tr")
    options = solution.options(position)
    assert rows.count() == len(options)
    viewer = max(position.mover, 0)
    for number, option in enumerate(options):
        row = rows.nth(number)
        assert row.get_attribute("data-move") == option.text
        shown = row.locator(".tag")
        if option.category == "value":
            is_chance = shown.inner_text().endswith("%")
            own = Fraction(option.value[viewer])
            assert_number(shown.get_attribute("title"), (own + 1) / 2 if is_chance else own)
        else:
            assert shown.inner_text().strip() == option.category + (f" in {option.distance}" if option.distance else "")
        if option.regret is not None:
            lost = row.locator("td").last
            assert_number(lost.get_attribute("title"), option.regret)
            assert (lost.inner_text() == "nothing") == (option.regret == 0)
            assert ("best" in (row.get_attribute("class") or "")) == (option.rank == 1)


def assert_number(text: str, value: Any) -> None:
    """The exact number where it is short, else a decimal that is it when rounded."""
    first = text.split()[0]
    exact = str(Fraction(value))
    if first != "≈":
        assert first == exact, (text, exact)
        return
    decimal = Fraction(re.findall(r"-?\d+\.?\d*", text)[0])
    assert abs(decimal - Fraction(value)) <= Fraction(1, 10**6), (text, exact)


# ---------------------------------------------------------------------- whole games


def is_over(page: Any) -> bool:
    return page.locator("#board-title").inner_text() == "The game is over"


def until(page: Any, holds: Any) -> None:
    """Wait here, not in the page: its content policy forbids what Playwright would run there."""
    for _ in range(1000):
        if holds():
            return
        page.wait_for_timeout(20)
    raise AssertionError(f"it does not come to that: {page.url}")


def moved(page: Any, act: Any) -> None:
    """Do something that leads to another position, and wait for it."""
    before = page.url
    act()
    until(page, lambda: page.url != before)
    page.wait_for_load_state()
    until(page, lambda: page.locator("#main.busy").count() == 0)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_by_mouse(chromium: Any, served: Served, rules: Path, slug: str, with_scripts: bool) -> None:
    page = opened(chromium, served, scripts=with_scripts)
    play(page, served, rules, slug, lambda links, number: links.nth(number).click())


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_by_keyboard(chromium: Any, served: Served, rules: Path, slug: str, with_scripts: bool) -> None:
    page = opened(chromium, served, scripts=with_scripts)

    def walk(links: Any, number: int) -> None:
        if with_scripts:
            page.locator("#main").focus()
            for _ in range(number + 1):
                page.keyboard.press("ArrowRight")
        else:
            tab_to(page, links.nth(number))
        page.keyboard.press("Enter")

    play(page, served, rules, slug, walk)


def tab_to(page: Any, target: Any) -> None:
    """Press Tab until `target` has the focus."""
    for _ in range(200):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError("Tab does not get there")


def play(page: Any, served: Served, rules: Path, slug: str, choose: Any) -> None:
    """Play at random to the end, and compare every number on the way."""
    spec = f"{rules}:Countdown" if slug == "1" else slug
    dice = random.Random(f"{slug} game")
    page.goto(f"{served.base}/games/{slug.replace('/', '%2F')}")
    for _ in range(120):
        check_values(page, spec)
        if is_over(page):
            break
        links = page.locator("#moves a")
        number = dice.randrange(links.count())
        moved(page, lambda links=links, number=number: choose(links, number))
    assert is_over(page)
    final = solution_of(spec).game.position(" ".join(parse_qs(urlsplit(page.url).query)["at"]))
    assert final.is_over
    assert page.locator("#verdict").inner_text().strip()
    closed(page)


def test_the_drawing_of_own_rules_can_be_played_on(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/1")
    moved(page, lambda: page.locator(".drawing a[aria-label^='3:']").click())
    assert page.url.endswith("at=3")
    moved(page, lambda: (page.locator(".drawing a").first.focus(), page.keyboard.press("Enter")))
    assert page.url.endswith("at=3+1")
    closed(page)


# ---------------------------------------------------------------------- what else one does


def test_take_back_restart_and_the_browsers_own_back(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/tictactoe?at=a1+b2")
    moved(page, lambda: page.keyboard.press("u"))
    assert page.url.endswith("?ahead=b2&at=a1")
    moved(page, lambda: page.keyboard.press("f"))
    assert page.url.endswith("?at=a1+b2")
    page.go_back()
    until(page, lambda: page.locator("table.mv#values tr").count() == 9)
    page.go_forward()
    until(page, lambda: page.locator("table.mv#values tr").count() == 8)
    moved(page, lambda: page.keyboard.press("r"))
    assert page.url.endswith("/games/tictactoe?ahead=a1+b2")
    moved(page, lambda: page.keyboard.press("b"))
    assert page.url.endswith("?at=a1")
    closed(page)


def test_values_are_hidden_until_asked_for(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/tictactoe?hide=1&at=a1")
    assert page.locator("#values").count() == 0
    moved(page, lambda: page.locator("#moves a").first.click())
    assert page.locator("#values").count() == 0
    moved(page, lambda: page.keyboard.press("?"))
    assert page.locator("#values tbody tr").count() == 7
    closed(page)


def test_letter_keys_can_be_switched_off(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/tictactoe?at=a1")
    page.locator("#settings summary").click()
    page.locator("#keys").click()
    page.locator("#main").focus()
    page.keyboard.press("u")
    page.wait_for_timeout(300)
    assert page.url.endswith("?at=a1")
    closed(page)


def test_a_perfect_rival_does_not_lose(chromium: Any, served: Served, with_scripts: bool) -> None:
    page = opened(chromium, served, scripts=with_scripts)
    page.goto(f"{served.base}/games/tictactoe")
    page.locator("#settings summary").click()
    page.get_by_label("Second plays").select_option("perfect")
    moved(page, lambda: page.get_by_role("button", name="Apply").click())
    dice = random.Random(5)
    while not is_over(page):
        links = page.locator("#moves a")
        moved(page, lambda links=links: links.nth(dice.randrange(links.count())).click())
    at = " ".join(parse_qs(urlsplit(page.url).query)["at"])
    assert solution_of("tictactoe").value(solution_of("tictactoe").game.position(at))["first"] <= 0
    closed(page)


def test_dice_are_rolled_by_the_server(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/repeatbust:sides=3?seat-chance=roll")
    assert page.locator("#board-title").inner_text() == "Player to move"
    moved(page, lambda: page.locator("#moves a", has_text="roll").click())
    assert len(parse_qs(urlsplit(page.url).query)["at"][0].split()) == 3
    closed(page)


def test_other_parameters_are_a_form(chromium: Any, served: Served, with_scripts: bool) -> None:
    page = opened(chromium, served, scripts=with_scripts)
    page.goto(f"{served.base}/games/1")
    page.locator("#settings summary").click()
    page.get_by_label("heap").fill("5")
    page.locator("#settings form[action='/open'] button").click()
    page.wait_for_url("**/games/1:heap=5,most=3")
    assert page.locator("#values tbody tr").count() == 3
    closed(page)


def test_long_work_shows_progress_and_can_be_cancelled(chromium: Any, patient: Served, with_scripts: bool) -> None:
    page = opened(chromium, patient, scripts=with_scripts)
    page.goto(f"{patient.base}/games/connectfour:width=6,height=5")
    # By now compiled rules explore, which only ever counts upwards.
    until(page, lambda: met(page) > 10_000)
    assert re.search(r"Not proven yet: (either may win|\w+ at least draws)", page.locator("#verdict").inner_text())
    before = met(page)
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url("**hide=1**")
    assert "Values are hidden" in page.locator("#main").inner_text()
    # Asked for again, it goes on from there.
    page.get_by_role("link", name="Show values", exact=True).first.click()
    page.wait_for_url(lambda address: "hide" not in address)
    assert met(page) >= before
    page.get_by_role("button", name="Cancel").click()
    page.wait_for_url("**hide=1**")
    closed(page)


def met(page: Any) -> int:
    """How many states the page says have been met."""
    found = re.search(r": ([\d,]+) positions", page.locator("#working").inner_text())
    return int(found[1].replace(",", "")) if found else 0


def test_a_mistake_is_found(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/tictactoe?at=a1+c3+c1")
    page.get_by_role("link", name="Review").click()
    row = page.locator("#steps tr.worse")
    until(page, lambda: row.count() > 0)  # it is still worked on where the machine is busy
    assert row.count() == 1
    assert "c3" in row.inner_text()
    assert "b2" in page.locator("#steps tr.fix").inner_text()
    assert "Second 0 % right" in page.locator("#main").inner_text()
    page.get_by_role("link", name="Show better").click()
    assert page.locator("#values tbody tr.best").get_attribute("data-move") == "b2"
    closed(page)


def test_a_proof_is_checked_and_can_be_downloaded(chromium: Any, served: Served, tmp_path: Path) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/tictactoe/proof")
    assert "Proven" in page.locator("#verdict").inner_text()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    file = tmp_path / "page.cert"
    download.value.save_as(file)
    assert es.verify(file).checked
    closed(page)


# ---------------------------------------------------------------------- how it is made


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", PAGES)
def test_pages_are_accessible(chromium: Any, served: Served, name: str, width: int, scheme: str) -> None:
    page = opened(chromium, served, viewport={"width": width, "height": 800}, color_scheme=scheme)
    page.goto(served.base + PAGES[name])
    check_accessible(page)
    closed(page)


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("game", ["kuhn", "phantomtictactoe:width=2,height=2,line=2", "goofspiel:cards=3"])
def test_seats_are_accessible(chromium: Any, served: Served, game: str, width: int, scheme: str) -> None:
    """The addresses of a table, and the pages of both seats: before a move, with values, and while one waits."""
    links = served.client.post("/api/v1/tables", json={"game": game}).json()
    page = opened(chromium, served, viewport={"width": width, "height": 800}, color_scheme=scheme)
    for seat in links["seats"]:
        for query in ("", "?show=1"):
            page.goto(f"{served.base}/seats/{seat['token']}{query}")
            check_accessible(page)
    page.goto(f"{served.base}/games/{game}/seats")
    page.get_by_role("button", name="Open a table").click()
    page.wait_for_selector("a[href^='/seats/']")
    check_accessible(page)
    closed(page)


def check_accessible(page: Any) -> None:
    """Nothing that axe calls serious, nothing to scroll sideways, one heading, targets of a finger's size; and of what
    is made for wide and for narrow screens, only what this one is for."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    serious = [
        (each["id"], each["nodes"][0]["html"][:200]) for each in found if each["impact"] in ("serious", "critical")
    ]
    assert serious == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth"), "it has to be scrolled sideways"
    assert page.locator("h1").count() == 1
    other = ".es-narrow" if page.viewport_size["width"] > 760 else ".es-wide"
    assert page.locator(f"{other}:visible").count() == 0
    small = page.evaluate(
        """() => [...document.querySelectorAll('a, button, input, select, summary')].filter(each => {
            const box = each.getBoundingClientRect();
            const inText = each.matches('p a, td a, li li a') && !each.matches('.button, .move');
            return box.width && !inText && !each.matches('.skip') && (box.width < 24 || box.height < 24)
        }).map(each => each.outerHTML.slice(0, 120))"""
    )
    assert small == []


@pytest.mark.parametrize("name", ["index", "start", "middle", "chance"])
def test_the_first_load_is_small(chromium: Any, served: Served, name: str) -> None:
    page = opened(chromium, served)
    answers: list[Any] = []
    page.on("response", answers.append)
    page.goto(served.base + PAGES[name], wait_until="networkidle")
    # Read when the page has been loaded: what waits for a body while it loads may be told after it.
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


# ---------------------------------------------------------------------- another page in the same browser


class Elsewhere(BaseHTTPRequestHandler):
    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *arguments: Any) -> None:
        pass


def test_a_page_from_elsewhere_gets_nothing(chromium: Any, served: Served) -> None:
    target = f"{served.base}/api/v1/games/nim/position"
    Elsewhere.page = f"""<iframe src="{served.base}/"></iframe><img src="{target}">
        <form method="post" action="{served.base}/cancel" target="post"><input name="job" value="x"></form>
        <iframe name="post"></iframe>""".encode()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = chromium.new_context()
    page = context.new_page()
    answers: list[tuple[str, int]] = []
    page.on("response", lambda answer: answers.append((answer.url, answer.status)))
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}/", wait_until="networkidle")
        read = page.evaluate("address => fetch(address).then(answer => answer.text(), error => 'blocked')", target)
        assert read == "blocked"
        sent = (
            "address => fetch(address, {mode: 'no-cors', method: 'POST', body: '{}'}).then(a => a.type, e => 'blocked')"
        )
        assert page.evaluate(sent, f"{served.base}/api/v1/jobs") == "blocked"
        page.evaluate("document.forms[0].submit()")
        page.wait_for_timeout(500)
    finally:
        server.shutdown()
        server.server_close()
        context.close()
    ours = [status for url, status in answers if url.startswith(served.base)]
    assert len(ours) >= 2
    assert set(ours) == {403}


# ---------------------------------------------------------------------- moves on the board


@pytest.mark.parametrize(
    ("path", "move"),
    [
        ("/games/tictactoe?at=a1", "b2"),
        ("/games/connectfour:width=4,height=4?at=1", "2"),
        ("/games/pots:4-9-2-7", "R"),
        ("/games/dominoes:n=3?at=0-1", "1-1"),
        ("/games/repeatbust:sides=3?at=3", "roll"),
    ],
)
def test_moves_are_made_on_the_board_by_mouse_touch_and_keyboard(
    chromium: Any, served: Served, path: str, move: str
) -> None:
    place = f".bd a[data-move='{move}']"
    acts = {
        "mouse": lambda page: page.locator(place).first.click(),
        "touch": lambda page: page.locator(place).first.tap(),
        "keyboard": lambda page: (page.locator(place).first.focus(), page.keyboard.press("Enter")),
    }
    for act in acts.values():
        page = opened(chromium, served, has_touch=True, viewport={"width": 390, "height": 844})
        page.goto(served.base + path)
        moved(page, lambda page=page, act=act: act(page))
        assert parse_qs(urlsplit(page.url).query)["at"][0].split()[-1] == move
        closed(page)


@pytest.mark.parametrize(
    ("path", "move", "way"),
    [
        ("/games/hexapawn", "b1-b2", "two clicks"),
        ("/games/hexapawn", "b1-b2", "the keyboard"),
        ("/games/dodgem", "a2-a1", "a drag"),
        ("/games/ur:pieces=1?at=2", "enter-2", "two taps"),
    ],
)
def test_a_piece_is_chosen_and_then_where_it_goes(
    chromium: Any, served: Served, path: str, move: str, way: str
) -> None:
    page = opened(chromium, served, has_touch=True)
    page.goto(served.base + path)
    target = page.locator(f".bd a[data-move='{move}']")
    spot = target.locator(".es-spot")
    piece = page.locator(f".es-origin[data-from='{target.get_attribute('data-from')}']")
    piece.wait_for()

    def dragged() -> None:
        for place, act in ((piece, page.mouse.down), (spot, page.mouse.up)):
            box = place.bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
            act()

    def lit(act: str) -> None:
        getattr(piece, act)()
        others = page.locator(f".bd a:not([data-from='{target.get_attribute('data-from')}'])")
        assert page.locator(".es-target").count() + others.count() == page.locator(".bd a.es-place").count()
        assert piece.get_attribute("aria-pressed") == "true"
        getattr(spot, act)()

    def typed() -> None:
        piece.focus()
        page.keyboard.press("Enter")
        target.focus()
        page.keyboard.press("Enter")

    acts = {
        "two clicks": lambda: lit("click"),
        "two taps": lambda: lit("tap"),
        "a drag": dragged,
        "the keyboard": typed,
    }
    moved(page, acts[way])
    assert parse_qs(urlsplit(page.url).query)["at"][0].split()[-1] == move
    closed(page)


def test_the_verdict_stands_above_the_fold_of_a_phone(chromium: Any, served: Served) -> None:
    page = opened(chromium, served, viewport={"width": 390, "height": 844})
    for path in ("/games/tictactoe?at=a1", "/games/repeatbust:sides=3?at=3", "/games/pots:4-9-2-7"):
        page.goto(served.base + path)
        verdict, buttons = (page.locator(which).bounding_box() for which in ("#verdict", ".ctl"))
        assert verdict["y"] + verdict["height"] < 300
        assert abs(buttons["y"] + buttons["height"] - 844) < 2
    closed(page)


def test_a_game_is_found_saved_and_opened_again(chromium: Any, served: Served, tmp_path: Path) -> None:
    page = opened(chromium, served)
    page.goto(served.base)
    page.locator("input[name=search]").fill("repeats")
    assert page.locator(".game:visible").count() <= 2
    page.goto(f"{served.base}/games/tictactoe?at=a1+b2")
    page.locator(".share summary").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Save the game").click()
    file = tmp_path / "game.txt"
    download.value.save_as(file)
    page.goto(served.base)
    page.locator("textarea[name=text]").fill(file.read_text())
    page.locator("form[action='/record'] button").click()
    page.wait_for_url("**/games/tictactoe?at=a1+b2")
    closed(page)


def test_the_tree_of_moves_is_walked_by_arrow_keys(chromium: Any, served: Served) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/pots:4-9-2-7/explorer")
    page.locator("#main").focus()
    page.keyboard.press("ArrowDown")
    moved(page, lambda: page.keyboard.press("ArrowRight"))
    assert page.url.endswith("/explorer?at=R")
    assert page.locator(".branch a[aria-current]").inner_text().startswith("Take right, 7")
    moved(page, lambda: page.keyboard.press("ArrowRight"))
    assert page.url.endswith("/explorer?at=R+L")
    moved(page, lambda: page.keyboard.press("ArrowLeft"))
    assert page.url.endswith("/explorer?ahead=L&at=R")
    moved(page, lambda: (page.locator("#main").focus(), page.keyboard.press("ArrowRight")))
    assert page.url.endswith("/explorer?at=R+L")
    closed(page)
