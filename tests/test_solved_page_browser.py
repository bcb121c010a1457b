"""Files that hold a solved game, opened from the disk in a browser with the network off."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import endsight as es
from browsing import until
from piece_moves import move_piece
from shown import rows_shown
from solved_files import Reader, solved_file
from thresholds import solved_files_hold

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("spec", ["tictactoe:width=3,height=2,line=2", "pots:4-9-2-7", "pig:target=4"])
def test_random_games_show_the_solvers_values(chromium: Any, tmp_path: Path, spec: str) -> None:
    solution, random = es.solve(spec), Random(3)
    target = tmp_path / "game.html"
    target.write_text(solved_file(spec))
    context = chromium.new_context(offline=True)
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(target.as_uri())
    page.wait_for_selector("#moves tr")
    for select in page.query_selector_all("#seats select"):
        select.select_option("hand")
    for _ in range(6):
        place = solution.position
        while not place.is_over:
            shown = dict(page.evaluate(SHOWN))
            assert shown == {name: row["exact"] for name, row in rows_shown(solution, place).items()}
            move = random.choice(list(shown))
            page.click(f'#moves button[data-move="{move}"]')
            place = place.after(move)
        assert page.inner_text("#turn") == "The game is over."
        page.click("#start")
    assert not faults


@pytest.mark.parametrize("way", ["two clicks", "a drag"])
def test_a_piece_is_chosen_and_then_where_it_goes(chromium: Any, tmp_path: Path, way: str) -> None:
    """As on the page of a server; the other moves of the board stand back meanwhile."""
    target = tmp_path / "game.html"
    target.write_text(solved_file("hexapawn"))
    page = chromium.new_context(offline=True).new_page()
    page.goto(target.as_uri())
    page.wait_for_selector("#moves tr")
    spot = page.locator("#board a[data-move='b1-b2']")
    piece = page.locator(f".es-origin[data-from='{spot.get_attribute('data-from')}']")
    move_piece(page, piece, spot.locator(".es-spot"), way)
    page.wait_for_selector("#history li")
    assert page.inner_text("#history").split()[0] == "b1-b2"


def test_the_other_player_plays_perfectly_and_values_can_be_hidden(chromium: Any, tmp_path: Path) -> None:
    target = tmp_path / "game.html"
    target.write_text(solved_file("pots:4-9-2-7"))
    page = chromium.new_context(offline=True).new_page()
    page.goto(target.as_uri())
    page.wait_for_selector("#moves tr")
    page.click("#values")
    assert page.inner_text("#why") == "Values are hidden."
    page.click('#moves button[data-move="R"]')
    page.wait_for_selector("#history li:nth-child(2)")
    assert page.inner_text("#history").split() == ["R", "L"]


HIDDEN = ["kuhn", "highcardduel:hand=1-3,rival=x-x", "rps"]


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("spec", HIDDEN)
def test_a_game_that_hides_something_is_played_from_one_seat(
    chromium: Any, tmp_path: Path, spec: str, own: int
) -> None:
    """The person sees what the seat sees, and the plan's chances; the file draws the other's moves."""
    solution, random, target = es.solve(spec), Random(own), tmp_path / "game.html"
    target.write_text(solved_file(spec))
    page, faults = chromium.new_context(offline=True).new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script("const later = window.setTimeout; window.setTimeout = (act) => later(act, 0);")
    page.goto(target.as_uri())
    page.wait_for_selector("#seats select")
    page.locator("#seats select").nth(own).select_option("hand")
    assert [each.input_value() for each in page.locator("#seats select").all()].count("hand") == 1
    name, boards = solution.game.player_names[own].capitalize(), {}
    for _ in range(12):
        while page.inner_text("#turn") != "The game is over.":
            until(page, lambda: page.inner_text("#turn") in (f"{name} to move.", "The game is over."))
            if page.inner_text("#turn") == "The game is over.":
                break
            chances = dict(page.evaluate(CHANCES))
            assert any(share != "0 %" for share in chances.values())
            seen, board = page.inner_text("#history"), page.inner_html("#board")
            assert boards.setdefault(seen, board) == board, "the board tells more than was seen"
            page.click(f'#moves button[data-move="{random.choice(list(chances))}"]')
        page.click("#go")
    assert not faults
    assert len(boards) >= (1 if spec == "rps" else 2)


@pytest.mark.parametrize(
    ("spec", "most", "games"),
    [
        ("connectfour:width=4,height=3", 100, 10),
        pytest.param("connectfour:width=5,height=4", 25_000, 200, marks=pytest.mark.slow),
    ],
)
def test_connect_four_is_played_perfectly_from_the_disk(
    chromium: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str, most: int, games: int
) -> None:
    """A player at random, in either seat, against a file of some of the positions: it gives nothing away, and is right.

    The small one has a limit of its own, so that it leaves positions out, too.
    """
    solved_files_hold(monkeypatch, whole=most)
    solution, random, target = es.solve(spec), Random(11), tmp_path / "game.html"
    text = solved_file(spec)
    assert not Reader(text).about["whole"]
    target.write_text(text)
    assert target.stat().st_size < 5_000_000
    page, faults = chromium.new_context(offline=True).new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.add_init_script("const later = window.setTimeout; window.setTimeout = (act) => later(act, 0);")
    page.goto(target.as_uri())
    page.wait_for_selector("#moves tr", timeout=120_000)
    results = [0, 0, 0]
    for number in range(games):
        own, seats = number % 2, page.query_selector_all("#seats select")
        if number:
            page.click("#start")
        seats[own].select_option("hand")
        seats[1 - own].select_option("perfect")
        end = played_against_the_file(page, solution, own, random)
        results[1 + int(solution.values(end)[own])] += 1
    assert not faults
    assert results[2] == 0, "the start is drawn: nobody at random wins against perfect play"
    print(f"lost, drawn, won by the player at random: {results}")


def played_against_the_file(page: Any, solution: Any, own: int, random: Random) -> Any:
    """One game to its end; `own` is the seat that plays at random."""
    place = solution.position
    while not place.is_over:
        if place.mover != own:
            page.wait_for_selector(f"#history li:nth-child({len(place.history) + 1})", state="attached")
            before, place = place, place.after(page.inner_text(f"#history li:nth-child({len(place.history) + 1})"))
            assert solution.values(place) == solution.values(before), "the file has given something away"
            continue
        shown = dict(page.evaluate(SHOWN))
        assert shown == {name: row["exact"] for name, row in rows_shown(solution, place).items()}
        move = random.choice(list(shown))
        page.click(f'#moves button[data-move="{move}"]')
        place = place.after(move)
    assert page.inner_text("#turn") == "The game is over."
    return place


CHANCES = """[...document.querySelectorAll("#moves tr")].map(row =>
    [row.querySelector("button").innerText, row.children[1].innerText])"""
SHOWN = """[...document.querySelectorAll("#moves tr")].map(row =>
    [row.querySelector("button").innerText, row.querySelector(".value .tag").title])"""
