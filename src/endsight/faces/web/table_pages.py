"""The pages of tables: the page that opens one, its links, and the page of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from endsight.errors import QuestionError
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.offered_games import OfferedGames
from endsight.faces.web.pages import QUICK_SECONDS, usual_settings
from endsight.faces.web.place import Place, qr_svg
from endsight.faces.web.problems import Problem, Refused
from endsight.faces.web.rendering import add_page, download, form_fields, redirect, rendered
from endsight.faces.web.seats import HAND
from endsight.faces.web.table_play import GONE, NOT_OVER, Play
from endsight.faces.web.tables import Table
from endsight.naming.game_record import record_text


def table_router(play: Play, offered: OfferedGames, place: Place) -> APIRouter:
    """Return all routes of tables."""
    routes = APIRouter(include_in_schema=False)
    pages = _TablePages(play, offered, place)
    add = partial(add_page, routes)
    add("/games/{game:path}/seats", pages.hall)
    add("/tables", pages.open, "POST")
    add("/tables/{key}", pages.links)
    add("/seats/{token}", pages.seat)
    add("/seats/{token}/move", pages.move, "POST")
    add("/seats/{token}/record", pages.record)
    return routes


class _TablePages:
    """The handlers, with the tables, games and place they use."""

    def __init__(self, play: Play, offered: OfferedGames, place: Place) -> None:
        self.play, self.offered, self.place = play, offered, place

    async def hall(self, request: Request) -> Response:
        """Show the page that opens a table of a game."""
        named = self.offered.find(request.path_params["game"])
        try:
            found = await self.play.hall(named)
        except Refused as refused:
            usual = usual_settings(named, refused.problem)
            if usual is None:
                raise
            return redirect(Address(usual).to("seats"))
        return rendered("hall.html", view=found, named=named, address=Address(named), seat=SEAT, hand=HAND)

    async def open(self, request: Request) -> Response:
        """Open a table, and redirect to the addresses of its seats."""
        fields = await form_fields(request)
        named = self.offered.find(fields.pop("game", ""))
        ways = {key.removeprefix(SEAT): way for key, way in fields.items() if key.startswith(SEAT)}
        table = await self.play.open(named, ways)
        people = [seat for seat in table.seats if seat.way == HAND]
        alone = len(people) == 1
        return redirect(f"/seats/{people[0].token}" if alone else f"/tables/{table.key}")

    async def links(self, request: Request) -> Response:
        """Show the addresses of all seats, for the person who opened the table to pass on."""
        table = self.play.tables.table(request.path_params["key"])
        if table is None:
            raise Refused(GONE)
        seats = [{"player": seat.player, "way": seat.way, **self._link(request, seat.token)} for seat in table.seats]
        return rendered("table_links.html", table=table, named=table.named, seats=seats, hand=HAND)

    def _link(self, request: Request, token: str) -> dict[str, Any]:
        """Return a seat's full address, as others can open it, and its QR code if others can reach it."""
        path = f"/seats/{token}"
        address = self.place.link(path, request.headers["host"])
        return {"address": address, "path": path, "code": None if self.place.is_local else qr_svg(address)}

    async def seat(self, request: Request) -> Response:
        """Show what one player sees, and may do."""
        table, number = self.play.seat(request.path_params["token"])
        await self.play.settle(table)
        view = await self.play.view(table, number)
        picture = await self.play.picture(table, number)
        shows = request.query_params.get("show") == "1" and view["your_turn"]
        worth, untold = await self._worth(table, number) if shows else (None, None)
        working = shows and worth is None and untold is None
        waits = working or not (view["your_turn"] or view["over"] or table.fault)
        return rendered(
            "seat.html",
            view=view,
            picture=picture,
            table=table,
            named=table.named,
            path=request.url.path,
            worth=worth,
            untold=untold,
            shows=shows,
            waits=waits,
            address=Address(table.named, tuple(view["end"]["moves"]) if view["over"] else ()),
        )

    async def _worth(self, table: Table, number: int) -> tuple[Mapping[str, Any] | None, Problem | None]:
        """Return the values of the moves, or the reason there are none; neither while the work continues."""
        try:
            return await self.play.values(table, number, "seat worth", QUICK_SECONDS), None
        except Refused as refused:
            return None, refused.problem

    async def move(self, request: Request) -> Response:
        """Take a person's choice at a seat."""
        seat = self.play.seat(request.path_params["token"])
        fields = await form_fields(request)
        turn = fields.get("turn", "")
        if not (turn.isascii() and turn.isdigit() and len(turn) < 9):
            raise QuestionError("turn must be a whole number", found=turn[:40])
        await self.play.choose(*seat, fields.get("move", ""), int(turn))
        return redirect(f"/seats/{request.path_params['token']}")

    async def record(self, request: Request) -> Response:
        """Send the game as a file, once it is over."""
        table, number = self.play.seat(request.path_params["token"])
        view = await self.play.view(table, number)
        if not view["over"]:
            raise Refused(NOT_OVER, f"/seats/{request.path_params['token']}")
        return download(record_text(table.named.spec, view["end"]["moves"], _notes(view["end"])), "game.txt")


def _notes(end: Mapping[str, Any]) -> Iterator[str]:
    for player, rows in (end["views"] or {}).items():
        yield f"{player} saw: {_seen(rows)}"
    yield "result: " + ", ".join(f"{player} {number['exact']}" for player, number in end["payoffs"].items())


def _seen(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return `card=2; pass card=2 said=p; ? card=2 said=pb`: moves, `?` for others', each with what was seen then."""
    return "; ".join(" ".join(part for part in (row["move"], row["sees"]) if part) for row in rows)
