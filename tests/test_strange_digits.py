"""Digits of other scripts, raised ones, and what else Python reads as numbers are refused where people write numbers.

`"²".isdigit()` is true although `int("²")` fails, and `int("٣")` is 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import endsight as es
from amounts import each
from command_line import run
from small_instances import AT_ONCE, GAMES
from web_server import serving, status_for_length

INSTANCES = dict.fromkeys((*GAMES, *AT_ONCE))
LAST = {game.partition(":")[0]: game for game in INSTANCES}
STRANGE = ["²", "٣", "３", "1_0", "+3"]


def strange(text: str) -> Iterator[str]:
    """The text with one digit written otherwise, digit by digit."""
    for place, digit in enumerate(text):
        if digit.isdigit():
            others = (chr(0x660 + int(digit)), chr(0xFF10 + int(digit)), "²", f"+{digit}", f"{digit}_0")
            yield from (text[:place] + other + text[place + 1 :] for other in others)


@pytest.mark.parametrize("spec", each(INSTANCES, lambda game: game in LAST.values()))
def test_positions_and_moves_are_written_in_plain_digits(spec: str) -> None:
    game, random, tried = es.load(spec), Random(1), 0
    position = game.position()
    for _ in range(12):
        for bad in strange(game.show(position.state)):
            tried += 1
            with pytest.raises((es.PositionError, es.QuestionError)):
                game.position_from(bad)
        for bad in strange(position.text):
            tried += 1
            with pytest.raises(es.IllegalMoveError):
                game.position(bad)
        moves = list(position.moves())
        position = position.play(random.choice(moves)) if moves else game.position()
    assert tried or not any(character.isdigit() for character in game.show(position.state) + position.text)


@pytest.mark.parametrize("number", ["²", "٣", "３"])
@pytest.mark.parametrize(
    "command",
    [
        "value nim:heaps={}-4",
        "value highcard:hand=1-{},rival=8-x",
        "value tictactoe --digits {}",
        "value tictactoe --states {}",
        "value tictactoe --time {}s",
        "value tictactoe --memory {}GB",
        "simulate tictactoe --games {}",
        "simulate tictactoe --seed {}",
        "sweep tictactoe --vary width={}..4",
        "sweep tictactoe --vary width=2,{}",
        "plot tictactoe values -o - --width {}00",
        "serve --port {}",
        "prove tictactoe -o - --at {}",
    ],
)
def test_options_take_plain_digits(command: str, number: str) -> None:
    refused = run(*command.format(number).split())
    assert refused.code in (2, 3), refused
    assert not refused.out
    assert repr(number)[1:-1] in refused.err


@pytest.mark.parametrize("word", [*STRANGE[:4], "x"])
def test_files_of_numbers_are_written_in_plain_digits(word: str) -> None:
    for game, text in (
        ("rpsbag:@-", "1 0 2\n0 {} 0\n1 1 1\n"),
        ("highcard:@-", "1 3 {}\n8 x 4\n"),
        ("pots:@-", "4 {}\n"),
    ):
        refused = run("value", game, stdin=text.format(word))
        assert refused.code == 3, refused
        assert repr(word) in refused.err


@pytest.mark.parametrize("word", ["²", "٣", "３"])
def test_addresses_of_the_page_are_written_in_plain_digits(word: str) -> None:
    with serving(("nim:heaps=1-2", "tictactoe")) as served:
        document = served.client.get("/openapi.json").json()
        asked = 0
        for path, entry in document["paths"].items():
            for about in entry.get("get", {}).get("parameters", ()):
                if about["in"] == "query" and about["schema"].get("type") == "integer":
                    asked += 1
                    answer = served.client.get(path.replace("{game}", "tictactoe"), params={about["name"]: word})
                    assert 400 <= answer.status_code < 500, (path, about, answer.text)
        assert asked
        for address in (
            f"/games/nim:heaps=1-2?at={word}:1",
            f"/api/v1/games/nim:heaps=1-2/position?position=heaps={word}-1",
        ):
            assert 400 <= served.client.get(address).status_code < 500


@pytest.mark.parametrize(("length", "status"), [(b"5", 200), (b"\xb2", 400), (b"1\xb3", 400), (b"+5", 400), (b"", 400)])
def test_the_length_of_a_body_is_written_in_plain_digits(length: bytes, status: int) -> None:
    assert status_for_length(length) == status
