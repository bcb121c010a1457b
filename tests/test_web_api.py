"""The JSON API gives the documents of the command line, and problems for everything else."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest

import endsight as es
from command_line import ask, run
from endsight import errors
from test_schemas import validate
from web_server import COUNTDOWN, Served, problem_of_error, serving

KINDS = ("position", "line", "table", "dist", "review", "certificate")
"""The documents about a game."""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("rules") / "countdown.py"
    file.write_text(COUNTDOWN, encoding="utf-8")
    return file


@pytest.fixture(scope="module")
def served(rules: Path) -> Iterator[Served]:
    with serving([f"{rules}:Countdown", "pots:4-9-2-7"], quick=1) as made:
        yield made


@pytest.fixture(scope="module")
def client(served: Served) -> httpx.Client:
    return served.client


def timeless(document: Any) -> Any:
    """The document without what differs from run to run: seconds, and how many states were met before."""
    return document | {"method": {**document["method"], "seconds": 0, "states": 0}}


# ---------------------------------------------------------------------- documents


@pytest.mark.parametrize(
    ("path", "command"),
    [
        ("tictactoe/position?at=a1+b2", ["analyze", "tictactoe", "--at", "a1 b2"]),
        ("tictactoe/position?at=a1+b2&moves=no", ["value", "tictactoe", "--at", "a1 b2"]),
        ("dominoes:n=4/position", ["analyze", "dominoes:n=4"]),
        ("repeatbust:sides=3/position?at=3", ["analyze", "repeatbust:sides=3", "--at", "3"]),
        (
            "repeatbust:sides=3/position?position=reward%3D9+last%3D3",
            ["analyze", "repeatbust:sides=3", "--position", "reward=9 last=3"],
        ),
        ("rpsbag:100-0-200/0-300-0/position", ["analyze", "rpsbag:100-0-200/0-300-0"]),
        ("rpsbag:100-0-200%2F0-300-0/table", ["table", "rpsbag:100-0-200/0-300-0"]),
        ("pots:4-9-2-7/position?fix=second=smaller", ["analyze", "pots:4-9-2-7", "--fix", "second=smaller"]),
        (
            "pots:4-9-2-7/position?objective=cooperative&utility=lead&method=graph",
            ["analyze", "pots:4-9-2-7", "--objective", "cooperative", "--utility", "lead", "--method", "graph"],
        ),
        ("pots:4-9-2-7/line", ["line", "pots:4-9-2-7"]),
        ("2/line", ["line", "pots:4-9-2-7"]),
        ("pigturn/dist?at_least=yes&at_most=1", ["dist", "pigturn", "--at-least", "--at-most"]),
        ("pigturn/dist?facts=true&player=player", ["dist", "pigturn", "--facts", "--player", "player"]),
        ("pigturn/position?interval=yes", ["analyze", "pigturn", "--interval"]),
        ("pigturn/review?at=roll+4+hold", ["review", "pigturn", "roll 4 hold"]),
    ],
)
def test_documents_are_those_of_the_command_line(client: httpx.Client, path: str, command: list[str]) -> None:
    answer = client.get(f"/api/v1/games/{path}")
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/json"
    assert timeless(answer.json()) == timeless(ask(*command))
    validate(answer.json())


def test_games_are_those_of_the_command_line(client: httpx.Client) -> None:
    assert client.get("/api/v1/games").json() == ask("games")
    assert client.get("/api/v1/games/pots").json() == ask("games", "pots")


def test_own_rules_are_asked_by_their_number(client: httpx.Client, rules: Path) -> None:
    for name in ("1", f"{rules}:Countdown"):
        document = client.get(f"/api/v1/games/{name}/position?at=3").json()
        assert timeless(document) == timeless(ask("analyze", f"{rules}:Countdown", "--at", "3"))
    document = client.get("/api/v1/games/1:heap=6,most=2/position").json()
    assert timeless(document) == timeless(ask("analyze", f"{rules}:Countdown:heap=6,most=2"))


def test_a_certificate_is_the_one_of_the_command_line(client: httpx.Client, tmp_path: Path) -> None:
    file = tmp_path / "draw.cert"
    assert run("prove", "tictactoe", "--at", "a1", "-o", str(file)).code == 0
    answer = client.get("/api/v1/games/tictactoe/certificate?at=a1")
    assert answer.content == file.read_bytes()
    downloaded = client.get("/games/tictactoe/certificate?at=a1")
    assert downloaded.content == file.read_bytes()
    assert downloaded.headers["content-disposition"] == 'attachment; filename="endsight.cert"'


# ---------------------------------------------------------------------- cards and records


def test_every_built_in_game_has_a_card_with_a_picture(client: httpx.Client) -> None:
    index = client.get("/").text
    pictures = re.findall(r'src="(/games/[^"]*board\.svg[^"]*)"', index)
    for name in es.games.BUILT_IN:
        (picture,) = [unescape(each) for each in pictures if re.match(rf"/games/{name}[:/]", each)]
        assert client.get(picture).text.startswith("<svg"), name
    assert all(kind in index for kind in ("Two players", "One player", "Dice", "Cards"))
    assert "5 × 4, line of 4" in client.get("/games/connectfour:width=5,height=4?hide=1").text


def test_a_record_goes_from_the_page_to_the_page(client: httpx.Client) -> None:
    text = client.get("/games/nim:heaps=3-4/record?position=3-4&at=1:2+2:1").text
    assert text.splitlines() == ["# endsight game", "# game: nim:heaps=3-4", "# position: 3-4", "1:2 2:1"]
    opened = client.get("/record", params={"text": text})
    assert opened.headers["location"] == "/games/nim:heaps=3-4?position=3-4&at=1%3A2+2%3A1"
    over = client.get("/games/nim:heaps=1/record?at=1:1").text
    assert over.splitlines()[2] == "# First won in 1 move."


# ---------------------------------------------------------------------- problems


@pytest.mark.parametrize(
    ("path", "status", "kind", "words"),
    [
        ("nogame/position", 404, "unknown-game", "no game called 'nogame'"),
        ("tictactoe/position?at=a1+a1", 422, "illegal-move", "not legal after 'a1'"),
        ("tictactoe/position?position=xxx", 422, "position", "cannot read"),
        ("tictactoe/position?colour=red", 400, "question", "no parameter 'colour'"),
        ("tictactoe/position?at=a1&at=b2", 400, "question", "given twice"),
        ("tictactoe/position?at=a1&position=x", 400, "question", "cannot be combined"),
        ("tictactoe/position?objective=peace", 400, "question", "no objective"),
        ("tictactoe/position?method=guess", 400, "question", "no method"),
        ("tictactoe/position?exact=perhaps", 400, "question", "neither yes nor no"),
        ("tictactoe/position?exact=yes&interval=yes", 400, "question", "cannot be combined"),
        ("tictactoe/position?digits=-1", 400, "question", "whole number"),
        ("tictactoe/position?digits=99999999999", 400, "question", "whole number"),
        ("tictactoe/position?fix=second=/etc/rules.py:play", 400, "question", "who plays how"),
        ("tictactoe/position?fix=second=cleverly", 400, "question", "no policy"),
        ("tictactoe/position?fix=first=worst&fix=first=random", 400, "usage", "two policies"),
        ("tictactoe:depth=3/position", 400, "parameter", "no parameter 'depth'"),
        ("tictactoe:width=0/position", 400, "parameter", "out of range"),
        ("pots/position", 400, "parameter", "needs pots"),
        ("pigturn/dist?player=second", 400, "question", "no player"),
        ("tictactoe?at=a1", 400, "question", "no parameter 'at'"),
    ],
)
def test_problems_say_what_is_wrong(client: httpx.Client, path: str, status: int, kind: str, words: str) -> None:
    answer = client.get(f"/api/v1/games/{path}")
    problem = answer.json()
    assert answer.status_code == problem["status"] == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:endsight:problem:{kind}"
    assert words in problem["detail"]


def test_an_illegal_move_comes_with_the_legal_ones(client: httpx.Client) -> None:
    problem = client.get("/api/v1/games/nim:heaps=1-2/position?at=1:1+1:1").json()
    assert problem["legal"] == ["2:1", "2:2"]
    assert problem["until"] == "1:1"


def test_addresses_without_anything(client: httpx.Client) -> None:
    for path in ("/api/v1/nothing", "/nothing", "/api/v1/jobs/nothing", "/games", "/api/v1/games/"):
        answer = client.get(path)
        assert answer.status_code == 404
        kind = "application/problem+json" if path.startswith("/api") else "text/html; charset=utf-8"
        assert answer.headers["content-type"] == kind


# ---------------------------------------------------------------------- jobs


def test_a_job_gives_its_document_in_the_end(client: httpx.Client) -> None:
    begun = client.post("/api/v1/jobs", json={"kind": "position", "game": "tictactoe", "at": "a1", "moves": False})
    assert begun.status_code == 202
    assert begun.headers["location"] == f"/api/v1/jobs/{begun.json()['id']}"
    job = finished(client, begun.json())
    assert job["state"] == "done"
    assert timeless(job["result"]) == timeless(ask("value", "tictactoe", "--at", "a1"))


def finished(client: httpx.Client, job: dict[str, Any]) -> dict[str, Any]:
    for _ in range(300):
        assert validate(job) == "job"
        if job["state"] not in ("waiting", "running"):
            return job
        time.sleep(0.1)
        job = client.get(f"/api/v1/jobs/{job['id']}").json()
    raise AssertionError(job)


def test_a_job_that_fails_says_why(client: httpx.Client) -> None:
    job = finished(client, client.post("/api/v1/jobs", json={"kind": "line", "game": "tictactoe", "at": "z9"}).json())
    assert job["state"] == "failed"
    assert job["problem"]["status"] == 422


def test_a_long_job_can_be_cancelled_and_others_are_answered_meanwhile(client: httpx.Client) -> None:
    job = client.post("/api/v1/jobs", json={"kind": "table", "game": "connectfour", "method": "minimax"}).json()
    assert client.get("/api/v1/games/nim:heaps=1-2-3/position").status_code == 200
    assert client.get(f"/api/v1/jobs/{job['id']}").json()["state"] == "running"
    cancelled = client.delete(f"/api/v1/jobs/{job['id']}").json()
    assert cancelled["state"] == "cancelled"
    assert cancelled["problem"]["title"] == "Cancelled"
    assert validate(cancelled) == "job"


def test_too_many_long_jobs_are_refused(client: httpx.Client) -> None:
    numbers, statuses = [], []
    for most in range(28):
        body = {"kind": "position", "game": f"connectfour:width=7,height={4 + most % 3},line={3 + most // 3 % 4}"}
        answer = client.post("/api/v1/jobs", json=body | {"method": "minimax", "digits": most})
        statuses.append(answer.status_code)
        numbers += [answer.json()["id"]] if answer.status_code == 202 else []
    assert 429 in statuses
    for number in numbers:
        client.delete(f"/api/v1/jobs/{number}")
    assert client.get("/api/v1/games/nim:heaps=1-2-4/position").status_code == 200


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "not JSON"),
        (b"[]", "not an object"),
        (b"{", "not JSON"),
        (b"\xff", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"kind": "position"}', "names no game"),
        (b'{"kind": "secrets", "game": "nim"}', "no kind"),
        (b'{"kind": ["position"], "game": "nim"}', "no kind"),
        (b'{"kind": "position", "game": "nim", "digits": ' + b"9" * 5000 + b"}", "5,000 digits"),
        (b'{"kind": "position", "game": "nim", "digits": NaN}', "no number"),
        (b'{"kind": "position", "game": "nim", "at": {"a": 1}}', "wrong kind"),
        (b'{"kind": "position", "game": "nim", "at": 1.5}', "wrong kind"),
        (b'{"kind": "line", "game": "nim", "moves": true}', "no parameter 'moves'"),
    ],
)
def test_bodies_that_are_no_job(client: httpx.Client, body: bytes, words: str) -> None:
    answer = client.post("/api/v1/jobs", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400, answer.text
    assert words in answer.json()["detail"]


# ---------------------------------------------------------------------- limits


@pytest.fixture
def hasty() -> Iterator[httpx.Client]:
    with serving((), seconds=0.5, memory=10**9, quick=1) as made:
        yield made.client


def test_a_limit_gives_504_with_what_is_known(hasty: httpx.Client) -> None:
    answer = hasty.get("/api/v1/games/connectfour/position?method=minimax")
    problem = answer.json()
    assert answer.status_code == 504
    assert problem["type"] == "urn:endsight:problem:limit-reached"
    assert problem["document"]["status"] == "enclosed"
    assert problem["document"]["lower"]["first"]["exact"] == "-1"
    assert validate(problem["document"]) == "position"
    # The page still plays, and says why there are no values.
    page = hasty.get("/games/connectfour?seat-chance=roll")
    until = time.monotonic() + 30
    while "data-poll" in page.text and time.monotonic() < until:
        page = hasty.get("/games/connectfour?seat-chance=roll")
    assert page.status_code == 200
    assert "Not proven yet" in page.text
    assert "either may win." in page.text
    assert 'href="/games/connectfour?seat-chance=roll&amp;at=4"' in page.text


# ---------------------------------------------------------------------- OpenAPI


def test_openapi_describes_every_address(client: httpx.Client) -> None:
    document = client.get("/openapi.json").json()
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {
        "/api/v1/games",
        "/api/v1/games/{game}",
        *(f"/api/v1/games/{{game}}/{kind}" for kind in KINDS),
        "/api/v1/jobs",
        "/api/v1/jobs/{number}",
        "/api/v1/tables",
        *(f"/api/v1/seats/{{token}}{part}" for part in ("", "/values", "/moves")),
    }
    for schema in document["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)


def test_openapi_names_exactly_the_parameters_that_are_read(client: httpx.Client) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    for kind in KINDS:
        named = {each["name"] for each in paths[f"/api/v1/games/{{game}}/{kind}"]["get"]["parameters"]} - {"game"}
        refused = client.get(f"/api/v1/games/tictactoe/{kind}?nonsense=1").json()
        assert set(refused["allowed"].split(", ")) == named


def test_answers_fit_the_schemas_that_openapi_gives(client: httpx.Client) -> None:
    openapi = client.get("/openapi.json").json()
    schemas = openapi["components"]["schemas"]
    for kind in KINDS:
        answer = openapi["paths"][f"/api/v1/games/{{game}}/{kind}"]["get"]["responses"]["200"]
        name = answer["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
        document = client.get(f"/api/v1/games/nim:heaps=1-2/{kind}").json()
        jsonschema.Draft202012Validator(schemas[name]).validate(document)
    problem = client.get("/api/v1/games/nim/position?at=zz").json()
    jsonschema.Draft202012Validator(schemas["problem"]).validate(json.loads(json.dumps(problem)))


def test_every_error_that_a_question_can_meet_has_a_status_and_a_title() -> None:
    """None of our own errors is told as a bug of the page."""
    for name in errors.__all__:
        kind = getattr(errors, name)
        if isinstance(kind, type) and issubclass(kind, errors.EndsightError) and kind is not errors.EndsightError:
            answer = problem_of_error(kind("text"))
            assert (answer["status"] == 500, answer["title"] == "Error") == (False, False), name
