"""The JSON API under `/api/v1`: the documents of the command line, and jobs for long work."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any

from fastapi import APIRouter, Request, Response

from endsight.errors import QuestionError
from endsight.faces.web.asking import Ask
from endsight.faces.web.jobs import Job
from endsight.faces.web.offered_games import OfferedGames
from endsight.faces.web.pool import Pool
from endsight.faces.web.problems import NO_JOB, Problem, Refused, problem_of
from endsight.faces.web.reading import PARAMETERS, ask_from, read_json, refuse_unknown

_COMMON = ("at", "position", "objective", "utility", "fix", "method", "engine", "symmetry")
_NUMBERS = ("exact", "interval", "digits")


@dataclass(frozen=True)
class Kind:
    """One kind of document: its schema, its parameters, and a summary."""

    name: str
    schema: str
    known: tuple[str, ...]
    summary: str


KINDS = {
    kind.name: kind
    for kind in (
        Kind("position", "position", (*_COMMON, *_NUMBERS, "moves"), "The value of a position and of every move"),
        Kind("line", "line", (*_COMMON, *_NUMBERS), "One line of best play"),
        Kind("table", "table", (*_COMMON, *_NUMBERS), "The policy as a table"),
        Kind(
            "dist",
            "distribution",
            (*_COMMON, "exact", "player", "at_least", "at_most", "facts"),
            "The distribution of a player's payoff",
        ),
        Kind("review", "review", (*_COMMON, *_NUMBERS), "The moves of at, split into luck and mistakes"),
        Kind("certificate", "certificate", (*_COMMON, *_NUMBERS, "player"), "A certificate that proves the value"),
    )
}
"""The documents about a game, by the last part of their address."""


def path_parameter(name: str, description: str) -> dict[str, Any]:
    """Return the OpenAPI description of a text in an address."""
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}, "description": description}


_GAME = path_parameter(
    "game", "NAME[:key=value,...], or the number of a game that was named when the server was started."
)
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


def problem_response(problem: Problem) -> Response:
    """Return the problem as a response."""
    headers = {"retry-after": "5"} if problem["status"] == 429 else {}
    body = json.dumps(problem)
    return Response(body, problem["status"], headers, media_type="application/problem+json")


async def answer_of(request: Request, pool: Pool, ask: Ask, back: str = "/") -> dict[str, Any]:
    """Return the worker's document; raise `Refused`. Cancel the work if the client disconnects."""
    job = pool.submit(ask)
    if not await pool.wait(job, None, request.is_disconnected):
        pool.leave(job)
    if job.document is None:
        raise Refused(problem_of(job.reply), back)
    return job.document


def router(pool: Pool, offered: OfferedGames) -> APIRouter:
    """Return all routes of the API."""
    routes = APIRouter(prefix="/api/v1")
    answers = _Answers(pool, offered)

    for kind in KINDS.values():
        asked = {"parameters": [_GAME, *map(_parameter, kind.known)]}
        path = f"/games/{{game:path}}/{kind.name}"
        add_document(routes, path, answers.about(kind), kind.schema, kind.name, kind.summary, extra=asked)
    add_document(routes, "/games", answers.games, "games", "games", "All games")
    about, game = "The rules and parameters of a game", {"parameters": [_GAME]}
    add_document(routes, "/games/{game:path}", answers.game, "game", "game", about, extra=game)
    begun: dict[str, Any] = {"method": "POST", "status": 202, "extra": request_body(_job_schema())}
    add_document(routes, "/jobs", answers.begin, "job", "begin_job", "Begin long work", **begun)
    add_document(routes, "/jobs/{number}", answers.job, "job", "job", "How far a job has come")
    add_document(routes, "/jobs/{number}", answers.end, "job", "cancel_job", "Cancel a job", method="DELETE")
    return routes


def add_document(
    routes: APIRouter,
    path: str,
    handler: Callable[..., Awaitable[Response]],
    schema: str,
    name: str,
    summary: str,
    *,
    method: str = "GET",
    status: int = 200,
    extra: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Add a route that answers with a document of that schema and that status, or with a problem.

    `name`, `summary` and `extra` appear in the OpenAPI description.
    """
    problem = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/problem"}}}
    responses: dict[int | str, Any] = {
        number: {"description": text, "content": problem} for number, text in _PROBLEMS.items()
    }
    body = {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}
    told = "Accepted; see the header Location" if status == 202 else f"endsight.{schema}/1"
    responses[status] = {"description": told, "content": body}
    routes.add_api_route(
        path,
        handler,
        methods=[method],
        status_code=status,
        response_class=Response,
        responses=responses,
        summary=summary,
        operation_id=name,
        openapi_extra=dict(extra),
    )


def json_response(document: Mapping[str, Any] | None, status: int = 200, **headers: str) -> Response:
    """Return a document as a response."""
    return Response(text_of(document), status, headers, media_type="application/json")


def text_of(document: Mapping[str, Any] | None) -> str:
    """Return a document as sent; a certificate stays unchanged to the letter, as others check its text."""
    if document is not None and set(document) == {"text"}:
        return str(document["text"])
    return json.dumps(document)


class _Answers:
    """The handlers, with the pool and the games they use."""

    def __init__(self, pool: Pool, offered: OfferedGames) -> None:
        self.pool = pool
        self.offered = offered

    async def respond(self, request: Request, ask: Ask) -> Response:
        """Return a worker's document."""
        return json_response(await answer_of(request, self.pool, ask))

    def about(self, kind: Kind) -> Callable[[Request], Awaitable[Response]]:
        """Return the handler of one kind of document."""

        async def handler(request: Request) -> Response:
            named = self.offered.find(request.path_params["game"])
            ask = ask_from(kind.name, named, request.query_params.multi_items(), kind.known)
            return await self.respond(request, ask)

        return handler

    async def games(self, request: Request) -> Response:
        """`endsight.games/1`."""
        refuse_unknown(request.query_params, ())
        return await self.respond(request, Ask("games"))

    async def game(self, request: Request) -> Response:
        """`endsight.game/1`."""
        refuse_unknown(request.query_params, ())
        return await self.respond(request, Ask("game", self.offered.find(request.path_params["game"]).spec))

    # ---------------------------------------------------------------- jobs

    async def begin(self, request: Request) -> Response:
        """Put a question into the queue and say where to ask after it."""
        refuse_unknown(request.query_params, ())
        job = self.pool.submit(_ask_from_body(self.offered, read_json(await request.body())))
        self.pool.hold(job)
        return json_response(job_document(job), 202, location=f"/api/v1/jobs/{job.number}")

    async def job(self, request: Request) -> Response:
        """State, progress, and the result where there is one."""
        job = self._held(request)
        await self.pool.wait(job, 0)
        return json_response(job_document(job))

    async def end(self, request: Request) -> Response:
        """Cancel the job."""
        job = self._held(request)
        self.pool.cancel(job)
        return json_response(job_document(job))

    def _held(self, request: Request) -> Job:
        """Return the job of that number; raise `Refused`."""
        job = self.pool.jobs.get(request.path_params["number"])
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
            items += [(key, _text(key, each)) for each in (value if isinstance(value, list) else [value])]
    return ask_from(kind.name, offered.find(body["game"]), items, kind.known)


def _text(key: str, value: Any) -> str:
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


# ---------------------------------------------------------------------- for OpenAPI


@cache
def schema_of(name: str) -> dict[str, Any]:
    """Return the JSON Schema of a document, with a name that makes its references resolve within itself."""
    text = resources.files("endsight").joinpath("schemas", f"{name}.json").read_text(encoding="utf-8")
    schema: dict[str, Any] = json.loads(text)
    return {"$id": f"urn:endsight:schema:{name}", **{key: part for key, part in schema.items() if key != "$schema"}}


def request_body(schema: Mapping[str, Any]) -> dict[str, Any]:
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
