"""Tables of the page: every seat is sent what its player sees, and nothing else ever."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

import httpx
import jsonschema
import pytest

import endsight as es
from command_line import run
from player_views import all_plays, play_of
from shown import Page
from test_schemas import schema
from web_server import COUNTDOWN, Served, answered, page_limits, secrets_of_tables, serving

KINDS = ("position", "line", "table", "dist", "review", "certificate")
"""The documents about a game."""
WORDS = """
from typing import NamedTuple
from endsight import CHANCE, Game

NAMES = ("none", "walrus", "ocelot", "gibbon")

class Words(Game):
    "Each draws one of three words; the first guesses whether the other's is later, the second may doubt."

    players = 2

    class State(NamedTuple):
        first: int
        second: int
        said: int
        answer: int

    def limits(self): return self.State(3, 3, 2, 2)
    def start(self): return self.State(0, 0, 0, 0)
    def to_move(self, state): return CHANCE if not state.second else 0 if not state.said else 1

    def moves(self, state):
        if not state.second:
            yield from (word for word in (1, 2, 3) if word != state.first)
        elif not state.answer:
            yield from (1, 2)

    def play(self, state, move):
        if not state.first: return state._replace(first=move)
        if not state.second: return state._replace(second=move)
        return state._replace(said=move) if not state.said else state._replace(answer=move)

    def payoff(self, state):
        right = (state.said == 1) == (state.second > state.first)
        won = (1 if right else -1) * state.answer
        return (won, -won)

    def sees(self, state, player): return (state.second if player else state.first, state.said, state.answer)
    def show_seen(self, seen, player): return f"word={NAMES[seen[0]]},said={seen[1]},answer={seen[2]}"
    def show_move(self, state, move): return NAMES[move] if not state.second else f"m{move}"
"""
BROKEN = WORDS.replace("class Words", "class Broken").replace(
    "    def play(self, state, move):",
    "    def play(self, state, move):\n        if state.said: raise ValueError(f'{NAMES[state.first]} {state.second}')",
)


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rules")
    (folder / "words.py").write_text(WORDS, encoding="utf-8")
    (folder / "broken.py").write_text(BROKEN, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def served(rules: Path) -> Iterator[Served]:
    with serving([f"{rules}/words.py:Words", f"{rules}/broken.py:Broken"], quick=1) as made:
        yield made


@pytest.fixture
def client(served: Served) -> httpx.Client:
    return served.client


def opened(client: httpx.Client, game: str, **ways: str) -> dict[str, str]:
    """Tokens by player."""
    answer = client.post("/api/v1/tables", json={"game": game, "seats": ways})
    assert answer.status_code == 201, answer.text
    jsonschema.Draft202012Validator(schema("seats")).validate(answer.json())
    return {seat["player"]: seat["token"] for seat in answer.json()["seats"] if "token" in seat}


def seat(client: httpx.Client, token: str) -> dict[str, Any]:
    answer = client.get(f"/api/v1/seats/{token}")
    assert answer.status_code == 200, answer.text
    jsonschema.Draft202012Validator(schema("seat")).validate(answer.json())
    return answer.json()


def choose(client: httpx.Client, token: str, move: str, turn: int) -> httpx.Response:
    return client.post(f"/api/v1/seats/{token}/moves", json={"move": move, "turn": turn})


# ---------------------------------------------------------------------- a document is a function of the view

SMALL = [
    "kuhn",
    "leduc:ranks=2",
    "liarsdice:sides=2",
    "phantomtictactoe:width=2,height=2,line=2",
    "battleship:squares=2,shots=1",
]


@pytest.mark.parametrize("spec", SMALL)
def test_histories_that_a_player_cannot_tell_apart_give_the_same_document(spec: str) -> None:
    """Byte by byte, though the moves of others, their number and all that is hidden differ."""
    page, told, histories = Page(), dict[Any, str](), 0
    for place, views in all_plays(es.load(spec)):
        if place.is_over:
            continue
        histories += 1
        for player, view in enumerate(views):
            seen = {"player": player, "chosen": None}
            texts = [json.dumps(page.document(kind, spec, place.text, **seen)) for kind in ("seat", "seat picture")]
            assert told.setdefault((player, view, player in place.movers), "".join(texts)) == "".join(texts)
    assert histories > len(told) // 2 > 0
    assert histories != len(told)


ALIKE = f"{Path(__file__).with_name('hidden_rules.py')}:NaivePots:count=3,most=2"
"""Both players see the same, and the pot in the middle is filled unseen."""


@pytest.mark.parametrize("spec", ["kuhn", "phantomtictactoe:width=2,height=2,line=2", ALIKE])
def test_values_are_the_same_wherever_the_player_sees_the_same(spec: str) -> None:
    page, told, count = Page(), dict[Any, Any](), 0
    for place, views in all_plays(es.load(spec)):
        for player in [] if place.is_over else place.movers:
            seen = {"player": player, "chosen": None}
            answers = [page.document(kind, spec, place.text, **seen) for kind in ("seat values", "seat worth")]
            answers[0].pop("method")
            text = json.dumps(answers)
            assert told.setdefault((player, views[player]), text) == text
            count += 1
    assert count > len(told)


# ---------------------------------------------------------------------- everything that is sent, over whole games

GAMES = ["kuhn", "liarsdice:sides=3", "phantomtictactoe:width=2,height=2,line=2", "goofspiel:cards=3", "1", "morra"]


class Player:
    """A person with an address: all that was ever sent there is kept, with what it said then."""

    def __init__(self, client: httpx.Client, token: str, random: Random) -> None:
        self.client, self.token, self.random = client, token, random
        self.sent: list[str] = []
        self.before: list[str] = []

    def get(self, path: str) -> httpx.Response:
        answer = self.client.get(path)
        self.sent.append(f"{answer.headers} {answer.text}".replace(self.token, "TOKEN"))
        return answer

    def looks(self) -> dict[str, Any]:
        self.get(f"/seats/{self.token}")
        found = self.get(f"/api/v1/seats/{self.token}").json()
        self.before = self.before if found["over"] else self.sent.copy()
        return found

    def plays(self) -> dict[str, Any]:
        """Looks at everything there is, chooses if it is the turn, and looks again."""
        found = self.looks()
        if found["your_turn"]:
            self.get(f"/api/v1/seats/{self.token}/values")
            self.get(f"/seats/{self.token}?show=1")
            self.before = self.sent.copy()
            move = self.random.choice(found["moves"])
            fields = {"move": move, "turn": str(found["turn"])}
            answer = self.client.post(f"/seats/{self.token}/move", data=fields)
            assert answer.status_code == 303, answer.text
            self.sent.append(f"{answer.headers} {answer.text}".replace(self.token, "TOKEN"))
            found = self.looks()
        return found


def played(client: httpx.Client, game: str, seed: int) -> tuple[list[Player], dict[str, Any]]:
    """A whole game, and the document of its end; `before` of each player is what was sent while it went on."""
    random = Random(seed)
    players = [Player(client, token, random) for token in opened(client, game).values()]
    while True:
        for player in players:
            found = player.plays()
            if found["over"]:
                return players, found


@pytest.mark.parametrize("game", GAMES)
def test_games_by_two_people_end_with_all_of_it_shown(client: httpx.Client, rules: Path, game: str) -> None:
    players, end = played(client, game, 5)
    record = end["end"]["moves"]
    position = es.load(f"{rules}/words.py:Words" if game == "1" else game).position(record)
    assert position.is_over
    if position.game.gives("sees"):
        for number, name in enumerate(position.game.player_names):
            last = end["end"]["views"][name][-1]["sees"]
            assert last == position.game.show_seen(play_of(position).views[number][-1][1], number)
    text = players[0].get(f"/seats/{players[0].token}").text
    assert "The game is over" in text
    assert all(player.before for player in players)


def test_no_word_of_the_other_is_ever_sent(client: httpx.Client) -> None:
    """The words that players hold appear nowhere else in any page, document or header."""
    for seed in range(3):
        players, end = played(client, "1", seed)
        held = [re.findall(r"word=(\w+)", json.dumps(end["end"]["views"][name]))[-1] for name in ("first", "second")]
        for number in (0, 1):
            own, other = held[number], held[1 - number]
            texts = [text for text in players[number].before if "may be hidden" not in text and "posterior" not in text]
            assert texts
            assert any(own in text for text in texts)
            assert not any(other in text for text in texts)


def test_what_may_be_hidden_is_told_as_chances_of_all_that_fit(client: httpx.Client) -> None:
    tokens = opened(client, "1")
    found = client.get(f"/api/v1/seats/{tokens['first']}/values").json()
    jsonschema.Draft202012Validator(schema("position")).validate(found)
    assert len(found["posterior"]) == 2
    assert found["position"] == ""
    assert found["to_move"] == "first"


@pytest.mark.parametrize("game", ["kuhn", "phantomtictactoe:width=2,height=2,line=2"])
def test_answers_to_a_seat_are_the_same_for_all_that_may_be_hidden(client: httpx.Client, game: str) -> None:
    """Over several games everything that is sent is grouped by the view; each group has one text."""
    told: dict[Any, list[str]] = {}
    truths: dict[Any, set[str]] = {}
    for seed in range(60):
        if seed > 3 and any(len(hidden) > 1 for hidden in truths.values()):
            break
        tokens = opened(client, game)
        random = Random(seed % 3)
        while True:
            found = {name: seat(client, token) for name, token in tokens.items()}
            if any(each["over"] for each in found.values()):
                break
            for name, token in tokens.items():
                view = json.dumps([found[name]["history"], found[name]["your_turn"], found[name]["turn"]])
                texts = tuple(
                    client.get(path).text.replace(token, "TOKEN")
                    for path in (f"/seats/{token}", f"/api/v1/seats/{token}")
                )
                assert told.setdefault((name, view), texts) == texts
                other = next(each for each in tokens if each != name)
                truths.setdefault((name, view), set()).add(json.dumps(found[other]["history"]))
            name = next(each for each in tokens if found[each]["your_turn"])
            assert choose(client, tokens[name], random.choice(found[name]["moves"]), found[name]["turn"]).is_success
    assert any(len(hidden) > 1 for hidden in truths.values())


# ---------------------------------------------------------------------- moves at once


def test_moves_at_once_are_told_together(client: httpx.Client) -> None:
    tokens = opened(client, "rps")
    assert all(seat(client, token)["your_turn"] for token in tokens.values())
    mine = choose(client, tokens["first"], "paper", 0).json()
    assert (mine["chosen"], mine["your_turn"], mine["over"], mine["waits_for"]) == ("paper", False, False, "second")
    for path in (f"/seats/{tokens['second']}", f"/seats/{tokens['second']}?show=1"):
        before = client.get(path).text
        assert "paper</button>" in before
        assert "chosen" not in before
    assert seat(client, tokens["second"])["history"] == []
    assert choose(client, tokens["first"], "rock", 1).status_code == 409
    theirs = choose(client, tokens["second"], "rock", 0).json()
    assert theirs["over"]
    assert theirs["end"]["moves"] == ["paper-rock"]
    assert theirs["end"]["payoffs"]["first"]["exact"] == "1"


# ---------------------------------------------------------------------- hostile attempts


def test_only_the_own_token_moves_a_seat(client: httpx.Client) -> None:
    tokens = opened(client, "kuhn")
    assert choose(client, tokens["second"], "bet", 0).status_code == 409
    for token in ("", "x", "0" * 24, tokens["first"][:-1], tokens["first"] + "a", tokens["first"].swapcase(), "%00"):
        for answer in (client.get(f"/api/v1/seats/{token}"), choose(client, token, "bet", 0)):
            assert answer.status_code in (404, 405), token
        page = client.get(f"/seats/{token}")
        assert page.status_code == 404
        assert "card=" not in page.text
    assert seat(client, tokens["first"])["turn"] == 0
    assert client.get(f"/api/v1/seats/{tokens['first'][:-1]}").json()["type"] == "urn:endsight:problem:unknown-seat"


def test_a_choice_is_made_once(client: httpx.Client) -> None:
    tokens = opened(client, "kuhn")
    assert choose(client, tokens["first"], "pass", 0).status_code == 200
    for move, turn in (("pass", 0), ("bet", 0), ("bet", 1), ("bet", -1), ("bet", 10**9)):
        answer = choose(client, tokens["first"], move, turn)
        assert answer.status_code == 409
        assert answer.json()["type"] == "urn:endsight:problem:turn-over"
    again = client.post(f"/seats/{tokens['first']}/move", data={"move": "bet", "turn": "0"})
    assert again.status_code == 409
    assert "This turn is over" in again.text


@pytest.mark.parametrize("move", ["?", "[card=1]", "1", "bet bet", "", "x" * 5000, "pass\nbet", "😀"])
def test_what_is_no_own_move_is_refused_with_the_own_moves(client: httpx.Client, move: str) -> None:
    token = opened(client, "kuhn")["first"]
    answer = choose(client, token, move, 0)
    assert answer.status_code == 422
    assert answer.json()["allowed"] == "pass bet"
    assert not {"found", "legal", "until", "document"} & set(answer.json())
    assert seat(client, token)["turn"] == 0


@pytest.mark.parametrize("kind", KINDS)
def test_hidden_positions_are_refused(client: httpx.Client, kind: str) -> None:
    for query in ("at=3+1", "at=3+1+pass", "at=3", "at=?+1", "position=first=3 second=1 said="):
        answer = client.get(f"/api/v1/games/kuhn/{kind}?{query}")
        assert answer.status_code == 403, answer.text
        assert answer.headers["content-type"] == "application/problem+json"
        problem = answer.json()
        jsonschema.Draft202012Validator(
            client.get("/openapi.json").json()["components"]["schemas"]["problem"]
        ).validate(problem)
        assert problem["type"] == "urn:endsight:problem:hidden-position"
        assert "seats by their own addresses" in problem["allowed"]


def test_hidden_positions_are_refused_as_jobs_too(client: httpx.Client) -> None:
    begun = client.post("/api/v1/jobs", json={"kind": "position", "game": "kuhn", "at": "3 1"})
    until = time.monotonic() + 20
    while (job := client.get(begun.headers["location"]).json())["state"] not in ("done", "failed"):
        assert time.monotonic() < until
    assert job["problem"]["status"] == 403
    assert job["result"] is None
    for kind in ("seat", "step", "seat values", "hall"):
        refused = client.post("/api/v1/jobs", json={"kind": kind, "game": "kuhn", "at": "3 1"})
        assert refused.status_code == 400


@pytest.mark.parametrize("query", ["", "hide=1", "seat-second=perfect&seat-chance=roll", "once=roll"])
def test_the_board_of_a_game_that_hides_something_is_its_tables(client: httpx.Client, query: str) -> None:
    answer = answered(client, f"/games/kuhn?{query}")
    assert (answer.status_code, answer.headers["location"]) == (303, "/games/kuhn/seats")
    for at in ("at=3+1", "hide=1&at=3+1"):
        page = client.get(f"/games/kuhn?{query}&{at}")
        assert page.status_code == 403
        assert "card 3" not in page.text
        assert 'href="/games/kuhn/seats"' in page.text


def test_the_start_and_games_that_are_over_are_told(client: httpx.Client) -> None:
    assert client.get("/api/v1/games/kuhn/position").json()["value"]["first"]["exact"] == "-1/18"
    assert client.get("/api/v1/games/kuhn/review?at=3+1+bet+pass").json()["finished"]
    assert client.get("/api/v1/games/kuhn/table").status_code == 200
    assert client.get("/games/kuhn/table").status_code == 200
    assert "mistake" in client.get("/games/kuhn/review?at=1+3+bet+bet").text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"[]", 400),
        (b'{"game": 1}', 400),
        (b'{"game": "kuhn", "seats": []}', 400),
        (b'{"game": "kuhn", "seats": {"third": "hand"}}', 400),
        (b'{"game": "kuhn", "seats": {"first": "worst"}}', 400),
        (b'{"game": "kuhn", "seed": 1}', 400),
        (b'{"game": "nothing"}', 404),
        (b'{"game": "/etc/passwd"}', 404),
        (b'{"game": "kuhn:cards=1"}', 400),
    ],
)
def test_bodies_that_open_no_table(client: httpx.Client, served: Served, body: bytes, status: int) -> None:
    before = served.tables
    answer = client.post("/api/v1/tables", content=body)
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    assert served.tables == before


@pytest.mark.parametrize(
    "body", [b"{}", b'{"move": "bet"}', b'{"move": "bet", "turn": true}', b'{"move": 1, "turn": 0}']
)
def test_bodies_that_are_no_move(client: httpx.Client, body: bytes) -> None:
    token = opened(client, "kuhn")["first"]
    assert client.post(f"/api/v1/seats/{token}/moves", content=body).status_code == 400
    assert seat(client, token)["turn"] == 0


def test_other_pages_cannot_move(client: httpx.Client) -> None:
    token = opened(client, "kuhn")["first"]
    for headers in ({"origin": "http://evil.example"}, {"sec-fetch-site": "cross-site"}):
        answer = client.post(f"/seats/{token}/move", data={"move": "bet", "turn": "0"}, headers=headers)
        assert answer.status_code == 403
    assert seat(client, token)["turn"] == 0


def test_the_record_waits_for_the_end(client: httpx.Client) -> None:
    token = opened(client, "kuhn")["first"]
    answer = client.get(f"/seats/{token}/record")
    assert answer.status_code == 403
    assert "saw" not in answer.text


def test_what_rules_say_when_they_fail_reaches_no_seat(client: httpx.Client) -> None:
    tokens = opened(client, "2")
    sent = choose(client, tokens["first"], "m1", 0).text + choose(client, tokens["second"], "m1", 0).text
    for token in tokens.values():
        page = client.get(f"/seats/{token}").text
        assert "Play cannot go on: There is an error in the rules." in page
        own = re.findall(r"word=(\w+)", page)[-1]
        sent += page.replace(own, "OWN")
        assert not [word for word in ("walrus", "ocelot", "gibbon") if word in page.replace(own, "")]
    assert "ValueError" not in sent


# ---------------------------------------------------------------------- seats without a person


def test_rules_that_have_other_players_today_end_a_table(tmp_path: Path) -> None:
    rules = tmp_path / "countdown.py"
    rules.write_text(COUNTDOWN, encoding="utf-8")
    with serving([str(rules)], quick=1) as served:
        tokens = opened(served.client, "1", first="hand", second="hand")
        rules.write_text(COUNTDOWN.replace("    heap", "    players = 1\n    heap"), encoding="utf-8")
        for token in tokens.values():
            answer = served.get(f"/api/v1/seats/{token}")
            assert (answer.status_code, answer.json()["type"]) == (400, "urn:endsight:problem:untold")


def test_a_perfect_seat_draws_by_the_exact_chances_of_the_plan() -> None:
    """With the 1 the second player bets after a pass in one of three cases."""
    page, count = Page(), 400
    asked = {"ways": {"first": "hand", "second": "perfect"}, "chosen": {"first": "pass"}}
    made = [page.document("step", "kuhn", "2 1", **asked, seed=str(seed))["moves"][1] for seed in range(count)]
    chance = es.solve("kuhn").seen_by("second", "? 1 pass").options
    bets = next(option.probability for option in chance if option.text == "bet")
    assert bets is not None
    assert 0 < bets < 1
    assert abs(made.count("bet") - float(bets) * count) < 4 * (count * float(bets)) ** 0.5


@pytest.mark.parametrize(
    "ways", [{"second": "perfect"}, {"second": "random"}, {"first": "perfect", "second": "random"}]
)
def test_seats_play_by_themselves(client: httpx.Client, ways: Mapping[str, str]) -> None:
    tokens = opened(client, "goofspiel:cards=2", **ways)
    for token in tokens.values():
        while not (found := seat(client, token))["over"]:
            assert choose(client, token, found["moves"][0], found["turn"]).is_success


def test_a_seat_that_cannot_be_perfect_says_so_and_plays_on() -> None:
    with serving(seconds=0.5, memory=10**9) as made:
        tokens = opened(made.client, "phantomtictactoe", second="perfect")
        choose(made.client, tokens["first"], "b2", 0)
        until = time.monotonic() + 30
        while not (found := seat(made.client, tokens["first"]))["your_turn"]:
            assert time.monotonic() < until
            time.sleep(0.1)
        assert found["notes"] == ["Perfect play was not found within the limits: second now makes random moves."]
        assert "makes random moves" in made.client.get(f"/seats/{tokens['first']}").text


# ---------------------------------------------------------------------- tables come and go


def test_tables_deal_anew_each_time_and_alike_with_a_seed() -> None:
    free = {secrets_of_tables(1)[0][0] for _ in range(10)}
    assert len(free) == 10
    assert min(map(len, free)) == 64
    mine, theirs = secrets_of_tables(3, seed=7), secrets_of_tables(3, seed=7)
    assert [seed for seed, _ in mine] == [seed for seed, _ in theirs]
    tokens = [token for _, seats in (*mine, *theirs) for token in seats]
    assert len({*tokens}) == len(tokens)


def test_tables_are_forgotten_and_bounded(
    monkeypatch: pytest.MonkeyPatch, client: httpx.Client, served: Served
) -> None:
    ways = {"first": "hand", "second": "perfect"}
    page_limits(monkeypatch, idle=-1.0)
    first = opened(client, "kuhn", **ways)["first"]
    assert served.tables == 1
    page_limits(monkeypatch, idle=1000.0, tables=3)
    second, third = (opened(client, "kuhn", **ways)["first"] for _ in range(2))
    assert client.post("/api/v1/tables", json={"game": "kuhn"}).status_code == 429
    page_limits(monkeypatch, unused=-1.0)
    seat(client, first)
    opened(client, "kuhn", **ways)
    assert [client.get(f"/api/v1/seats/{token}").status_code for token in (first, second, third)] == [200, 404, 200]
    page_limits(monkeypatch, idle=-1.0)
    opened(client, "kuhn")
    assert served.tables == 1


def test_a_record_with_both_views_is_read_by_review(client: httpx.Client, tmp_path: Path) -> None:
    players, _ = played(client, "kuhn", 3)
    answer = client.get(f"/seats/{players[0].token}/record")
    assert answer.headers["content-disposition"] == 'attachment; filename="game.txt"'
    file = tmp_path / "game.txt"
    file.write_text(answer.text, encoding="utf-8")
    assert "# first saw: card=0; ? card=" in answer.text
    assert "# second saw: card=0; ? card=" in answer.text
    assert "# result: first " in answer.text
    ending = run("review", "kuhn", f"@{file}")
    assert ending.code == 0, ending.err
    assert ending.out.count("= final") == 1
    wrong = run("review", "leduc", f"@{file}")
    assert wrong.code == 3
    assert "the record is of another game" in wrong.err


# ---------------------------------------------------------------------- pages


def test_games_that_need_settings_open_with_the_usual_ones(client: httpx.Client) -> None:
    usual = "hand=1-3-5,rival=2-x-4"
    for page in ("", "/seats"):
        answer = client.get(f"/games/highcardduel{page}")
        assert answer.status_code == 303
        assert answer.headers["location"] == f"/games/highcardduel:{usual}{page}"
    told = client.get("/games/highcardduel:hand=1-3/seats")
    assert told.status_code == 400
    assert "needs rival" in told.text


def test_the_page_of_a_game_that_hides_something_shows_how_it_ended(client: httpx.Client) -> None:
    page = client.get("/games/kuhn", params={"at": "2 3 pass bet bet"})
    assert page.status_code == 200
    assert "Second won in 5 moves" in page.text
    # One move earlier only the seats see it, and the way on is a table.
    refused = client.get("/games/kuhn", params={"at": "2 3 pass bet"})
    assert refused.status_code == 403
    assert re.search(r'href="/games/kuhn/seats">Play together<', refused.text)


def test_moves_at_once_are_told_for_each_player(client: httpx.Client) -> None:
    page = client.get("/games/rps").text
    told = re.findall(r"<li>(rock|paper|scissors) <span class=\"decimal\">([^<]*)</span>", page)
    assert told == [(move, "33.3 %") for move in ("rock", "paper", "scissors")] * 2


def test_what_was_seen_is_told_once_and_in_words(client: httpx.Client) -> None:
    players, end = played(client, "kuhn", 5)
    page = players[0].get(f"/seats/{players[0].token}").text
    told = re.findall(r'title="sees ([^"]*)">sees ([^<]*)<', page)
    views = [row for rows in end["end"]["views"].values() for row in rows if row["sees"] is not None]
    assert [full for full, _ in told] == [row["sees"] for row in views]
    assert all(re.fullmatch(r"card \d|said [pb]+", news) for _, news in told), told
    assert "others</span> ?" not in page


def test_the_hall_opens_a_table_and_shows_its_links(client: httpx.Client) -> None:
    page = client.get("/games/kuhn:cards=4/seats").text
    assert 'value="kuhn:cards=4"' in page
    assert "is shown only what that player sees" in page
    answer = client.post("/tables", data={"game": "kuhn:cards=4", "seat-first": "hand", "seat-second": "hand"})
    links = client.get(answer.headers["location"])
    assert len(set(re.findall(r'href="(/seats/[\w-]{24})"', links.text))) == 2
    alone = client.post("/tables", data={"game": "kuhn", "seat-second": "perfect"})
    assert alone.headers["location"].startswith("/seats/")
    assert client.get("/tables/nothing").status_code == 404


def test_a_seat_that_waits_looks_again_by_itself(client: httpx.Client) -> None:
    tokens = opened(client, "kuhn")
    waiting, asked = (client.get(f"/seats/{tokens[name]}").text for name in ("second", "first"))
    assert '<noscript><meta http-equiv="refresh" content="2"></noscript>' in waiting
    assert "data-poll" in waiting
    assert "http-equiv" not in asked
    assert "data-poll" not in asked
