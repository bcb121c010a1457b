"""The page in a browser: whole games by mouse and by keyboard, with scripts and without, and what it is like to use."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

import endsight as es
from browsing import closed, opened, until
from web_server import Served, serving

pytestmark = pytest.mark.browser

SLUGS = [
    "dominoes:n=3",
    "pots:4-9-2-7",
    "repeatbust:sides=3",
    "rpsbag:1-1-4/4-1-1",
    "highcard:hand=1-3-5,rival=2-x-4",
    "tictactoe",
    "pig:target=4",
    "1",
]


@pytest.fixture(scope="module")
def patient() -> Iterator[Served]:
    """A server of its own whose limits long work does not reach while a test looks at it."""
    with serving(seconds=300, memory=8 * 10**9) as made:
        yield made


@pytest.fixture(params=[True, False], ids=["scripts", "no scripts"])
def with_scripts(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


# ---------------------------------------------------------------------- the other witness


def is_update(route: Any) -> bool:
    """Whether the page itself asks for the request, to show what has been found meanwhile."""
    return bool(route.request.resource_type == "fetch")


@cache
def solution_of(spec: str) -> Any:
    return es.solve(es.load(spec))


ROWS = """rows => rows.map(row => {
    const tags = row.querySelectorAll(".tag"), lost = row.querySelector("td:last-child");
    return {move: row.dataset.move, tags: tags.length, shown: tags[0].innerText, exact: tags[0].title,
            lost: lost.innerText, regret: lost.title, best: row.classList.contains("best")};
})"""


def check_values(page: Any, spec: str) -> None:
    """Every number of the table is Python's; on a busy machine the page is there before they are."""
    until(page, lambda: page.locator("#working").count() == 0)
    at = " ".join(parse_qs(urlsplit(page.url).query).get("at", []))
    solution = solution_of(spec)
    position = solution.game.position(at)
    rows = page.locator("#values tbody tr").evaluate_all(ROWS)
    viewer = max(position.mover, 0)
    for row, option in zip(rows, solution.options(position), strict=True):
        assert row["move"] == option.text
        assert row["tags"] == 1
        if option.category == "value":
            is_chance = row["shown"].endswith("%")
            own = Fraction(option.value[viewer])
            assert_number(row["exact"], (own + 1) / 2 if is_chance else own)
        else:
            assert row["shown"].strip() == option.category + (f" in {option.distance}" if option.distance else "")
        if option.regret is not None:
            assert_number(row["regret"], option.regret)
            assert (row["lost"] == "nothing") == (option.regret == 0)
            assert row["best"] == (option.rank == 1)


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

HAS_FOCUS = "element => element === document.activeElement"


def is_over(page: Any) -> bool:
    return page.locator("#board-title").inner_text() == "The game is over"


def moved(page: Any, act: Any) -> None:
    """Do something that leads to another position, and wait for it."""
    before = page.url
    act()
    until(page, lambda: page.url != before)
    page.wait_for_load_state()
    until(page, lambda: page.locator("#main.busy").count() == 0)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_by_mouse_and_keyboard(
    chromium: Any, served: Served, own_rules: Path, slug: str, with_scripts: bool
) -> None:
    """A game at random to its end, every number on the way compared.

    Its first move is made by the mouse, two by the keyboard, two by the mouse, and so on: either comes after either.
    """
    spec = f"{own_rules}:Countdown" if slug == "1" else slug
    dice = random.Random(f"{slug} game")
    page = opened(chromium, served, scripts=with_scripts)
    page.goto(f"{served.base}/games/{slug.replace('/', '%2F')}")
    for turn in range(120):
        check_values(page, spec)
        if is_over(page):
            break
        links = page.locator("#moves a")
        number = dice.randrange(links.count())
        by_mouse = (turn + 1) // 2 % 2 == 0
        choose = click if by_mouse else walk if with_scripts else tab_from_the_top if turn == 1 else tab_from_a_move
        moved(page, lambda choose=choose, number=number: choose(page, number))
    assert is_over(page)
    assert turn > 1
    final = solution_of(spec).game.position(" ".join(parse_qs(urlsplit(page.url).query)["at"]))
    assert final.is_over
    assert page.locator("#verdict").inner_text().strip()
    closed(page)


def click(page: Any, number: int) -> None:
    page.locator("#moves a").nth(number).click()


def walk(page: Any, number: int) -> None:
    """Go to a move by arrow keys, as scripts have it."""
    page.locator("#main").focus()
    for _ in range(number + 1):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")


def tab_from_the_top(page: Any, number: int) -> None:
    """Press Tab until a move has the focus."""
    target = page.locator("#moves a").nth(number)
    for _ in range(200):
        page.keyboard.press("Tab")
        if target.evaluate(HAS_FOCUS):
            page.keyboard.press("Enter")
            return
    raise AssertionError("Tab does not get there")


def tab_from_a_move(page: Any, number: int) -> None:
    """Go on from the first move: each is one stop of Tab."""
    links = page.locator("#moves a")
    links.first.focus()
    for _ in range(number):
        page.keyboard.press("Tab")
    assert links.nth(number).evaluate(HAS_FOCUS)
    page.keyboard.press("Enter")


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
    asked_for = Counter[str]()
    page.on("requestfinished", lambda each: asked_for.update([urlsplit(each.url).path]))
    page.on("requestfailed", lambda each: asked_for.update([urlsplit(each.url).path]))
    try:
        page.goto(f"http://127.0.0.1:{server.server_port}/")
        read = page.evaluate("address => fetch(address).then(answer => answer.text(), error => 'blocked')", target)
        assert read == "blocked"
        sent = (
            "address => fetch(address, {mode: 'no-cors', method: 'POST', body: '{}'}).then(a => a.type, e => 'blocked')"
        )
        assert page.evaluate(sent, f"{served.base}/api/v1/jobs") == "blocked"
        page.evaluate("document.forms[0].submit()")
        until(page, lambda: asked_for["/cancel"] > 0)
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
    page = opened(chromium, served, has_touch=True, viewport={"width": 390, "height": 844})
    for act in acts.values():
        page.goto(served.base + path)
        moved(page, lambda act=act: act(page))
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
            place.wait_for()
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


@pytest.mark.parametrize(("way", "utility"), [("a drag", "payoff"), ("two taps", "win"), ("a finger", "lead")])
def test_a_piece_stays_in_hand_when_values_arrive(chromium: Any, patient: Served, way: str, utility: str) -> None:
    """The values of each question are found anew, and arrive while the piece is held."""
    page = opened(chromium, patient, has_touch=True, viewport={"width": 390, "height": 844})
    held: list[Any] = []
    page.route("**/games/**", lambda route: held.append(route) if is_update(route) else route.continue_())
    page.goto(f"{patient.base}/games/dodgem:size=4?utility={utility}")
    assert page.locator("#working").count() == 1
    target = page.locator(".bd a[data-from]").last
    move = target.get_attribute("data-move")
    piece = page.locator(f".es-origin[data-from='{target.get_attribute('data-from')}']")
    until(page, lambda: held)
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, place: Any) -> None:
        box = place.bounding_box()
        points = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [] if kind == "touchEnd" else points})

    presses = {"a drag": page.mouse.down, "a finger": lambda: touch("touchStart", piece), "two taps": piece.tap}
    piece.hover()
    presses[way]()
    with page.expect_response(lambda answer: answer.request.resource_type == "fetch"):
        page.unroute("**/games/**")  # lets the update through
    if way == "two taps":
        page.locator("#working").wait_for(state="detached")
    assert piece.get_attribute("aria-pressed") == "true"
    spot = target.locator(".es-spot")
    if way == "a drag":
        spot.hover()
    elif way == "a finger":
        touch("touchMove", spot)
    drops = {"a drag": page.mouse.up, "a finger": lambda: touch("touchEnd", spot), "two taps": spot.tap}
    moved(page, drops[way])
    assert parse_qs(urlsplit(page.url).query)["at"][0].split()[-1] == move
    closed(page)


@pytest.mark.parametrize(
    ("path", "draws"),
    [
        ("hiddenpots:count=5,max=7", "Open a pot"),
        ("repeatbust:sides=3", "Roll"),
        ("blackjack", "Deal a card"),
        ("piglet:target=3?at=flip", "Flip"),
    ],
)
def test_the_button_of_chance_has_the_words_of_the_game(chromium: Any, served: Served, path: str, draws: str) -> None:
    page = opened(chromium, served)
    page.goto(f"{served.base}/games/{path}")
    assert page.locator(".ctl .go").inner_text().split("\n")[0].removesuffix(" b") == draws
    assert f"press “{draws}”" in page.locator(".bd").inner_text()
    moved(page, page.locator(".ctl .go").click)
    closed(page)


@pytest.mark.parametrize("path", ["hiddenpots:count=5,max=7", "dominoes:n=5?at=0-0"])
def test_many_moves_stand_in_columns_on_a_phone(chromium: Any, served: Served, path: str) -> None:
    page = opened(chromium, served, viewport={"width": 390, "height": 844})
    page.goto(f"{served.base}/games/{path}")
    # All at once: values that arrive meanwhile put other moves in place of these.
    rectangles = "moves => moves.map(move => move.getBoundingClientRect().toJSON())"
    boxes = page.locator(".es-columns a").evaluate_all(rectangles)
    assert len(boxes) >= 4
    columns = {round(box["x"]) for box in boxes}
    assert 2 <= len(columns) <= 3
    assert len({round(box["width"]) for box in boxes}) == 1
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
    page.locator(".tree #moves a").first.wait_for()  # on a busy machine a page comes before that says work goes on
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
