"""The JSON API under `/api/v1`: the documents of the command line, seats at tables, and jobs for long work."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Path, Request, Response

from endsight.errors import QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import OfferedGames
from endsight.faces.web.problems import NO_JOB, Problem, Refused, problem_of
from endsight.faces.web.reading import PARAMETERS, ask_from, read_json, refuse_unknown
from endsight.faces.web.seats import HAND
from endsight.faces.web.tables import TableHost

_COMMON = ("at", "position", "objective", "utility", "fix", "method", "engine", "symmetry")
_NUMBERS = ("exact", "interval", "digits")


@dataclass(frozen=True)
class DocumentKind:
    """One kind of document: its schema, its parameters, and a summary."""

    name: str
    schema: str
    known: tuple[str, ...]
    summary: str


KINDS = {
    kind.name: kind
    for kind in (
        DocumentKind(
            "position", "position", (*_COMMON, *_NUMBERS, "moves"), "The value of a position and of every move"
        ),
        DocumentKind("line", "line", (*_COMMON, *_NUMBERS), "One line of best play"),
        DocumentKind("table", "table", (*_COMMON, *_NUMBERS), "The policy as a table"),
        DocumentKind(
            "dist",
            "distribution",
            (*_COMMON, "exact", "player", "at_least", "at_most", "facts"),
            "The distribution of a player's payoff",
        ),
        DocumentKind("review", "review", (*_COMMON, *_NUMBERS), "The moves of at, split into luck and mistakes"),
        DocumentKind(
            "certificate", "certificate", (*_COMMON, *_NUMBERS, "player"), "A certificate that proves the value"
        ),
    )
}
"""The documents about a game, by the last part of their address."""


_GameName = Annotated[
    str, Path(description="NAME[:key=value,...], or the number of a game that was named when the server was started.")
]
_Token = Annotated[str, Path(description="The secret of one seat, from the document of the table.")]
_PROBLEMS = {
    400: "Invalid: an unknown parameter, a value that is not allowed, or a question without an answer for this game",
    403: "A position in the middle of a game that hides something, asked for without a seat",
    404: "No such game, job or seat",
    409: "A turn that is over",
    422: "An illegal move or position; `legal` lists the moves that would have been legal",
    429: "The queue is full; ask again later",
    503: "The work was ended; `document` holds what is known",
    504: "A limit was reached; `document` holds what is known",
}


PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong (RFC 9457)",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "found": {"type": "string"},
        "allowed": {"type": "string"},
        "advice": {"type": "string"},
        "legal": {"type": "array", "items": {"type": "string"}},
        "until": {"type": "string", "description": "The moves that were legal"},
        "document": {"type": "object", "description": "What is known in spite of it"},
    },
}


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a document, with a name that makes its references resolve within itself."""
    text = resources.files("endsight").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return {"$id": f"urn:endsight:schema:{name}", **{key: part for key, part in schema.items() if key != "$schema"}}


def _request_body(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the OpenAPI description of a request with a JSON body of that schema."""
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def _parameter(name: str) -> dict[str, Any]:
    schema = {key: part for key, part in PARAMETERS[name].items() if key != "description"}
    about = {"description": PARAMETERS[name]["description"]} if "description" in PARAMETERS[name] else {}
    return {"name": name, "in": "query", "required": False, "schema": schema, **about}


def _job_schema() -> dict[str, Any]:
    properties: dict[str, Any] = {name: PARAMETERS[name] for kind in KINDS.values() for name in kind.known}
    properties = {"kind": {"enum": list(KINDS)}, "game": {"type": "string"}, **properties}
    return {"type": "object", "required": ["kind", "game"], "properties": properties, "additionalProperties": False}


_TABLE_BODY = {
    "type": "object",
    "required": ["game"],
    "properties": {
        "game": {"type": "string"},
        "seats": {"type": "object", "additionalProperties": {"enum": ["hand", "perfect", "random"]}},
    },
    "additionalProperties": False,
}
_MOVE_BODY = {
    "type": "object",
    "required": ["move", "turn"],
    "properties": {"move": {"type": "string"}, "turn": {"type": "integer", "minimum": 0}},
    "additionalProperties": False,
}


def problem_response(problem: Problem) -> Response:
    """Return the problem as a response."""
    headers = {"retry-after": "5"} if problem["status"] == 429 else {}
    body = json.dumps(problem)
    return Response(body, problem["status"], headers, media_type="application/problem+json")


async def answer_of(request: Request, ask: Ask, back: str = "/") -> dict[str, Any]:
    """Return the worker's document; raise `Refused`. Cancel the work if the client disconnects."""
    pool = request.app.state.pool
    job: Job = pool.submit(ask)
    if not await pool.wait(job, None, request.is_disconnected):
        pool.leave(job)
    if job.document is None:
        raise Refused(problem_of(job.reply), back)
    return job.document


# ---------------------------------------------------------------------- routes

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/problem"}}}
routes = APIRouter(
    prefix="/api/v1",
    default_response_class=Response,
    responses={status: {"description": text, "content": _PROBLEM} for status, text in _PROBLEMS.items()},
)
"""All routes of the API; they find the pool, the games, the tables and the place in the state of the application."""

Handler = Callable[..., Awaitable[Response]]


async def _no_query(request: Request) -> None:
    refuse_unknown(request.query_params, ())


def _route(
    path: str,
    schema: str,
    name: str,
    summary: str,
    *,
    method: str = "GET",
    status: int = 200,
    takes_query: bool = False,
    **extra: Any,
) -> Callable[[Handler], Handler]:
    """Route a path to the decorated handler: it returns a document of that schema and status, or raises a problem.

    `name`, `summary` and `extra` appear in the OpenAPI description.
    """
    body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    told = "Accepted; see the header Location" if status == 202 else f"endsight.{schema}/1"
    return routes.api_route(
        path,
        methods=[method],
        status_code=status,
        responses={status: {"description": told, "content": body}},
        summary=summary,
        operation_id=name,
        openapi_extra=extra,
        dependencies=[] if takes_query else [Depends(_no_query)],
    )


def json_response(document: Mapping[str, Any] | None, status: int = 200, **headers: str) -> Response:
    """Return a document as a response."""
    return Response(text_of(document), status, headers, media_type="application/json")


def text_of(document: Mapping[str, Any] | None) -> str:
    """Return a document as sent; a certificate stays unchanged to the letter, as others check its text."""
    if document is not None and set(document) == {"text"}:
        return str(document["text"])
    return json.dumps(document)


# ---------------------------------------------------------------------- tables and seats


@_route(
    "/tables",
    "seats",
    "open_table",
    "Open a table: an address for every player",
    method="POST",
    status=201,
    **_request_body(_TABLE_BODY),
)
async def open_table(request: Request) -> Response:
    """`endsight.seats/1`: the seats of a new table with their tokens."""
    body = _object(await request.body(), _TABLE_BODY)
    ways = body.get("seats", {})
    if not isinstance(ways, dict) or not all(isinstance(way, str) for way in ways.values()):
        raise QuestionError("seats must be an object", allowed='{"second": "perfect"}')
    state = request.app.state
    table = await state.play.open(state.offered.find(_text(body, "game")), ways)
    seats: list[dict[str, str]] = []
    for seat in table.seats:
        link = state.place.link(f"/seats/{seat.token}", request.headers["host"])
        keys = {"token": seat.token, "address": link} if seat.way == HAND else {}
        seats.append({"player": seat.player, "way": seat.way, **keys})
    return json_response({"schema": "endsight.seats/1", "game": table.named.spec, "seats": seats}, 201)


@_route("/seats/{token}", "seat", "seat", "What one player sees, and may do")
async def seat(request: Request, token: _Token) -> Response:
    """`endsight.seat/1`."""
    play: TableHost = request.app.state.play
    table, number = play.tables.seat(token)
    await play.settle(table)
    return json_response(await play.view(table, number))


@_route("/seats/{token}/values", "position", "seat_values", "What the player's moves are worth, to who sees no more")
async def seat_values(request: Request, token: _Token) -> Response:
    """`endsight.position/1`, as `analyze --as` gives it."""
    play: TableHost = request.app.state.play
    table, number = play.tables.seat(token)
    if number not in table.asked or table.seats[number].chosen is not None:
        raise QuestionError("values are shown to a player whose turn it is", advice="ask again on your turn")
    return json_response(await play.values(table, number, "seat values"))


@_route("/seats/{token}/moves", "seat", "choose", "Choose a move", method="POST", **_request_body(_MOVE_BODY))
async def choose(request: Request, token: _Token) -> Response:
    """Choose, and get the seat as it is then."""
    play: TableHost = request.app.state.play
    seat = play.tables.seat(token)
    body = _object(await request.body(), _MOVE_BODY)
    turn = body.get("turn")
    if type(turn) is not int:
        raise QuestionError("turn must be a whole number", allowed="the `turn` of the seat's document")
    await play.choose(*seat, _text(body, "move"), turn)
    return json_response(await play.view(*seat))


def _object(body: bytes, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    found = read_json(body)
    refuse_unknown(found, schema["properties"])
    return found


def _text(body: Mapping[str, Any], key: str) -> str:
    found = body.get(key)
    if not isinstance(found, str):
        raise QuestionError(f"{key} must be a text", found=type(found).__name__)
    return found


# ---------------------------------------------------------------------- documents about games


def _about(kind: DocumentKind) -> None:
    """Add the route of one kind of document."""
    path, parameters = f"/games/{{game:path}}/{kind.name}", list(map(_parameter, kind.known))

    @_route(path, kind.schema, kind.name, kind.summary, takes_query=True, parameters=parameters)
    async def handler(request: Request, game: _GameName) -> Response:
        named = request.app.state.offered.find(game)
        ask = ask_from(kind.name, named, request.query_params.multi_items(), kind.known)
        return json_response(await answer_of(request, ask))


for each in KINDS.values():
    _about(each)


@_route("/games", "games", "games", "All games")
async def games(request: Request) -> Response:
    """`endsight.games/1`."""
    return json_response(await answer_of(request, Ask("games")))


@_route("/games/{game:path}", "game", "game", "The rules and parameters of a game")
async def game(request: Request, game: _GameName) -> Response:
    """`endsight.game/1`."""
    return json_response(await answer_of(request, Ask("game", request.app.state.offered.find(game).spec)))


# ---------------------------------------------------------------------- jobs


@_route("/jobs", "job", "begin_job", "Begin long work", method="POST", status=202, **_request_body(_job_schema()))
async def begin_job(request: Request) -> Response:
    """Put a question into the queue and say where to ask after it."""
    state = request.app.state
    job = state.pool.submit(_ask_from_body(state.offered, read_json(await request.body())))
    state.pool.hold(job)
    return json_response(job_document(job), 202, location=f"/api/v1/jobs/{job.number}")


@_route("/jobs/{number}", "job", "job", "How far a job has come")
async def job(request: Request, number: str) -> Response:
    """State, progress, and the result where there is one."""
    job = _held(request, number)
    await request.app.state.pool.wait(job, 0)
    return json_response(job_document(job))


@_route("/jobs/{number}", "job", "cancel_job", "Cancel a job", method="DELETE")
async def cancel_job(request: Request, number: str) -> Response:
    """Cancel the job."""
    job = _held(request, number)
    request.app.state.pool.cancel(job)
    return json_response(job_document(job))


def _held(request: Request, number: str) -> Job:
    """Return the job of that number; raise `Refused`."""
    job: Job | None = request.app.state.pool.jobs.get(number)
    if job is None:
        raise Refused(NO_JOB)
    return job


def _ask_from_body(offered: OfferedGames, body: Any) -> Ask:
    """Return the question in the body of a job: `kind`, `game`, and the parameters of that kind."""
    kind = KINDS.get(body.get("kind")) if isinstance(body.get("kind"), str) else None
    if kind is None:
        raise QuestionError(f"no kind is called {str(body.get('kind'))[:60]!r}", allowed=", ".join(KINDS))
    if not isinstance(body.get("game"), str):
        raise QuestionError("the job names no game", allowed='"game": "NAME[:key=value,...]"')
    items: list[tuple[str, str]] = []
    for key, value in body.items():
        if key not in ("kind", "game"):
            items += [(key, _query_text(key, each)) for each in (value if isinstance(value, list) else [value])]
    return ask_from(kind.name, offered.find(body["game"]), items, kind.known)


def _query_text(key: str, value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str | int):
        return str(value)
    raise QuestionError(f"{str(key)[:60]} has a value of the wrong kind", allowed="text, whole numbers, true, false")


def job_document(job: Job) -> dict[str, Any]:
    """`endsight.job/1`."""
    document: dict[str, Any] = {
        "schema": "endsight.job/1",
        "id": job.number,
        "kind": job.ask.kind,
        "state": "running" if job.at_work.state == "running" else job.state,
        "doing": job.at_work.doing,
        "states": job.at_work.states,
        "seconds": round(job.seconds, 3),
        "proven": job.proven_so_far,
        "result": None,
        "problem": None,
    }
    if job.document is not None:
        document["result"] = json.loads(text_of(job.document))
    elif job.over.is_set():
        document["problem"] = problem_of(job.reply)
    return document
