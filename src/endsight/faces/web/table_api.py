"""The JSON API of tables: open one, look at a seat, choose a move, ask for the values of moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import APIRouter, Request, Response

from endsight.errors import QuestionError
from endsight.faces.web.api import add_document, json_response, path_parameter, request_body
from endsight.faces.web.offered_games import OfferedGames
from endsight.faces.web.place import Place
from endsight.faces.web.reading import read_json, refuse_unknown
from endsight.faces.web.seats import HAND
from endsight.faces.web.table_play import Play
from endsight.faces.web.tables import Table

_SEAT = path_parameter("token", "The secret of one seat, from the document of the table.")
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


def table_api(play: Play, offered: OfferedGames, place: Place) -> APIRouter:
    """Return all routes of tables in the API."""
    routes = APIRouter(prefix="/api/v1")
    answers = _TableAnswers(play, offered, place)

    seat, moves = {"parameters": [_SEAT]}, {"parameters": [_SEAT], **request_body(_MOVE_BODY)}
    opened: dict[str, Any] = {"method": "POST", "status": 201, "extra": request_body(_TABLE_BODY)}
    about = "Open a table: an address for every player"
    add_document(routes, "/tables", answers.open, "seats", "open_table", about, **opened)
    about = "What one player sees, and may do"
    add_document(routes, "/seats/{token}", answers.seat, "seat", "seat", about, extra=seat)
    about = "What the player's moves are worth, to who sees no more"
    add_document(routes, "/seats/{token}/values", answers.values, "position", "seat_values", about, extra=seat)
    path = "/seats/{token}/moves"
    add_document(routes, path, answers.move, "seat", "choose", "Choose a move", method="POST", extra=moves)
    return routes


class _TableAnswers:
    """The handlers, with the tables, games and place they use."""

    def __init__(self, play: Play, offered: OfferedGames, place: Place) -> None:
        self.play, self.offered, self.place = play, offered, place

    async def open(self, request: Request) -> Response:
        """`endsight.seats/1`: the seats of a new table with their tokens."""
        refuse_unknown(request.query_params, ())
        body = _object(await request.body(), ("game", "seats"))
        ways = body.get("seats", {})
        if not isinstance(ways, dict) or not all(isinstance(way, str) for way in ways.values()):
            raise QuestionError("seats must be an object", allowed='{"second": "perfect"}')
        table = await self.play.open(self.offered.find(_text(body, "game")), ways)
        return json_response(self._seats(table, request.headers["host"]), 201)

    def _seats(self, table: Table, host: str) -> dict[str, Any]:
        seats: list[dict[str, str]] = []
        for seat in table.seats:
            link = self.place.link(f"/seats/{seat.token}", host)
            keys = {"token": seat.token, "address": link} if seat.way == HAND else {}
            seats.append({"player": seat.player, "way": seat.way, **keys})
        return {"schema": "endsight.seats/1", "game": table.named.spec, "seats": seats}

    async def seat(self, request: Request) -> Response:
        """`endsight.seat/1`."""
        refuse_unknown(request.query_params, ())
        table, number = self.play.seat(request.path_params["token"])
        await self.play.settle(table)
        return json_response(await self.play.view(table, number))

    async def values(self, request: Request) -> Response:
        """`endsight.position/1`, as `analyze --as` gives it."""
        refuse_unknown(request.query_params, ())
        table, number = self.play.seat(request.path_params["token"])
        if number not in table.asked or table.seats[number].chosen is not None:
            raise QuestionError("values are shown to a player whose turn it is", advice="ask again on your turn")
        return json_response(await self.play.values(table, number, "seat values"))

    async def move(self, request: Request) -> Response:
        """Choose, and get the seat as it is then."""
        refuse_unknown(request.query_params, ())
        seat = self.play.seat(request.path_params["token"])
        body = _object(await request.body(), ("move", "turn"))
        turn = body.get("turn")
        if type(turn) is not int:
            raise QuestionError("turn must be a whole number", allowed="the `turn` of the seat's document")
        await self.play.choose(*seat, _text(body, "move"), turn)
        return json_response(await self.play.view(*seat))


def _object(body: bytes, known: tuple[str, ...]) -> Mapping[str, Any]:
    found = read_json(body)
    refuse_unknown(found, known)
    return found


def _text(body: Mapping[str, Any], key: str) -> str:
    found = body.get(key)
    if not isinstance(found, str):
        raise QuestionError(f"{key} must be a text", found=type(found).__name__)
    return found
