"""Two people in two browsers: everything that was sent to each is read, and nothing that the other hides is in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import endsight as es
from piece_moves import move_piece
from test_tables import WORDS
from web_server import Served, serving

pytestmark = pytest.mark.browser

GAMES = ["kuhn", "liarsdice:sides=3", "phantomtictactoe:width=2,height=2,line=2", "goofspiel:cards=3", "1"]


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rules") / "words.py"
    file.write_text(WORDS, encoding="utf-8")
    return file


class Recording:
    """An application of which all that it sends is kept, by the header `x-person` of the browser that asked."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        person = dict(scope.get("headers", ())).get(b"x-person", b"").decode()
        parts = [str(scope.get("path"))]

        async def kept(message: Any) -> None:
            parts.append(f"{message.get('headers', '')}{message.get('body', b'').decode('utf-8', 'replace')}")
            await send(message)

        await self.app(scope, receive, kept)
        SENT.setdefault(person, []).append(" ".join(parts))


SENT: dict[str, list[str]] = {}


@pytest.fixture(scope="module")
def served(rules: Path) -> Iterator[Served]:
    with serving([f"{rules}:Words"], inside=Recording) as made:
        yield made


class Person:
    """A browser of its own, at one seat; `bodies` is all that was sent to it."""

    def __init__(self, chromium: Any, served: Served, path: str, *, scripts: bool) -> None:
        self.name = path
        self.context = chromium.new_context(java_script_enabled=scripts, extra_http_headers={"x-person": path})
        self.page = self.context.new_page()
        self.page.set_default_timeout(20_000)
        self.wrong: list[str] = []
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda each: None if each.url.startswith(served.base) else self.wrong.append(each.url))
        self.page.goto(served.base + path)

    def standing(self) -> str:
        return str(self.page.locator("#verdict").inner_text())

    def is_asked(self) -> bool:
        return self.page.locator("#moves button").count() > 0

    def chooses(self, random: Random) -> None:
        buttons = self.page.locator("#moves button")
        buttons.nth(random.randrange(buttons.count())).click()
        self.page.wait_for_load_state()

    def shows_values(self) -> None:
        self.page.get_by_text("Show values").first.click()
        self.page.wait_for_selector("#worth")

    def bodies(self) -> list[str]:
        """Everything that was sent: pages, styles and scripts, with their headers."""
        return SENT[self.name]


@pytest.mark.parametrize(
    ("game", "scripts"), [*((game, True) for game in GAMES), ("kuhn", False), ("goofspiel:cards=3", False)]
)
def test_two_people_see_only_their_own(chromium: Any, served: Served, rules: Path, game: str, scripts: bool) -> None:
    random = Random(f"{game}{scripts}")
    host = chromium.new_context(java_script_enabled=scripts).new_page()
    host.goto(f"{served.base}/games/{game}/seats")
    host.get_by_role("button", name="Open a table").click()
    host.wait_for_selector("a[href^='/seats/']")
    paths = [link.get_attribute("href") for link in host.locator("a[href^='/seats/']").all()]
    people = [Person(chromium, served, path, scripts=scripts) for path in paths]
    asked_for_values = 0
    for _ in range(200):
        asked = next((each for each in people if each.is_asked()), None)
        if asked is None:
            if all("gets" in each.standing() for each in people):
                break
            people[0].page.wait_for_timeout(100)
            continue
        if asked_for_values < 1:
            asked.shows_values()
            asked_for_values += 1
        asked.chooses(random)
    for each in people:
        each.page.wait_for_selector("text=What each player saw")
        assert each.wrong == []
    check_all_that_was_sent(people, es.load(f"{rules}:Words" if game == "1" else game))
    for each in people:
        each.context.close()
    host.context.close()


@pytest.mark.parametrize("way", ["two clicks", "a drag"])
def test_pieces_are_moved_by_two_clicks_or_a_drag(chromium: Any, served: Served, way: str) -> None:
    host = chromium.new_context().new_page()
    host.goto(f"{served.base}/games/hexapawn/seats")
    host.get_by_role("button", name="Open a table").click()
    path = host.locator("a[href^='/seats/']").first.get_attribute("href")
    page = Person(chromium, served, path, scripts=True).page
    number = page.locator("#moves button[value='b1-b2']").get_attribute("id")
    spot = page.locator(f".drawing a[href='#{number}']")
    piece = page.locator(f".es-origin[data-from='{spot.get_attribute('data-from')}']")
    move_piece(page, piece, spot.locator(".es-spot"), way)
    page.wait_for_selector(".seen >> text=b1-b2")
    page.context.close()
    host.context.close()


def check_all_that_was_sent(people: list[Person], game: Any) -> None:
    """What each was sent before the end is what that player has seen by the rules, and no word of the others."""
    record = people[0].page.locator("#record").inner_text().split()
    truth = game.position(record)
    assert truth.is_over
    for number, person in enumerate(people):
        bodies = person.bodies()
        before = [body for body in bodies if "What each player saw" not in body]
        assert len(before) >= 2
        assert len(before) < len(bodies)
        own = seen_by(game, record, number)
        for body in before:
            told = re.findall(r'<span class="decimal" title="sees (.*?)">', body)
            told += re.findall(r'aria-label="What you see">(.*?)</', body)
            assert set(told) <= own, (told, own)
            check_chosen(game, record, number, body)
            check_other_seat(people, number, body)


def check_other_seat(people: list[Person], number: int, body: str) -> None:
    """The address of the other seat is a secret, too."""
    for other, person in enumerate(people):
        token = person.page.url.partition("/seats/")[2].partition("?")[0]
        assert token
        assert (token in body) <= (other == number)


def seen_by(game: Any, record: list[str], player: int) -> set[str]:
    """All texts of what a player saw in a game that was played."""
    places = [game.position(record[:count]) for count in range(len(record))]
    if not game.gives("sees"):
        return {*map(str, places)}
    return {game.show_seen(game.sees(place.state, player), player) for place in places}


def check_chosen(game: Any, record: list[str], player: int, body: str) -> None:
    """Of moves at once, nothing is told of the other's part of a turn while it is not told with the own."""
    rows = re.findall(r'<span class="who">([^<]*)</span> ([^ <]+)', body)
    if game.gives("sees"):
        assert {move for who, move in rows if who == "others"} <= {"?"}
        own = game.player_names[player]
        assert [move for who, move in rows if who == own] == own_moves(game, record, player)[
            : sum(w == own for w, _ in rows)
        ]
    else:
        told = [move for _, move in rows]
        assert told == record[: len(told)]
        assert body.count("have chosen") <= 1


def own_moves(game: Any, record: list[str], player: int) -> list[str]:
    place, found = game.position(), []
    for text in record:
        if player in place.movers:
            parts = text.split("-") if len(place.movers) > 1 else [text]
            found.append(parts[place.movers.index(player)])
        place = place.after(text)
    return found


def test_no_word_of_the_other_is_ever_sent(chromium: Any, served: Served) -> None:
    """Hands that are words: the other's stands nowhere, not in a script, a header or an attribute."""
    for seed in range(2):
        links = served.client.post("/api/v1/tables", json={"game": "1"}).json()["seats"]
        people = [Person(chromium, served, f"/seats/{seat['token']}", scripts=bool(seed)) for seat in links]
        held = [re.findall(r"word=(\w+)", each.page.content())[-1] for each in people]
        random = Random(seed)
        for each in people:
            for _ in range(100):
                if each.is_asked():
                    break
                each.page.wait_for_timeout(100)
            each.chooses(random)
        for number, each in enumerate(people):
            each.page.wait_for_selector("text=What each player saw")
            before = [body for body in each.bodies() if "What each player saw" not in body]
            assert any(held[number] in body for body in before)
            assert not any(held[1 - number] in body for body in before)
            each.context.close()


def test_moves_are_made_on_the_board_and_addresses_copied(chromium: Any, served: Served) -> None:
    links = served.client.post("/api/v1/tables", json={"game": GAMES[2]}).json()["seats"]
    people = [Person(chromium, served, f"/seats/{seat['token']}", scripts=True) for seat in links]
    people[0].page.locator(".drawing a[href^='#move-']").first.click()
    people[0].page.wait_for_selector("text=Waiting for second")
    people[1].page.wait_for_selector("#moves button")
    assert people[0].page.locator(".drawing a[href^='#move-']").count() == 0
    host = people[1].page
    host.goto(f"{served.base}/games/kuhn/seats")
    host.get_by_role("button", name="Open a table").click()
    people[1].context.grant_permissions(["clipboard-read", "clipboard-write"])
    button = host.locator("[data-copy]").first
    button.click()
    host.wait_for_selector("text=Copied")
    assert host.evaluate("navigator.clipboard.readText()") == button.get_attribute("data-copy")
    for each in people:
        assert each.wrong == []
        each.context.close()
