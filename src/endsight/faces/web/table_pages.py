"""The pages of tables: the page that opens one, its links, and the page of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request, Response

from endsight.errors import QuestionError
from endsight.faces.web.addresses import SEAT, Address
from endsight.faces.web.pages import QUICK_SECONDS, usual_settings
from endsight.faces.web.place import qr_svg
from endsight.faces.web.problems import Problem, Refused
from endsight.faces.web.rendering import download, form_fields, page_of, redirect, rendered
from endsight.faces.web.seats import HAND
from endsight.faces.web.tables import NOT_OVER, LiveTable, TableHost
from endsight.naming.game_record import record_text

routes = APIRouter(include_in_schema=False)
"""All routes of tables; they find the tables, the games and the place in the state of the application."""
page = partial(page_of, routes)


@page("/games/{game:path}/seats")
async def hall(request: Request, game: str) -> Response:
    """Show the page that opens a table of a game."""
    named = request.app.state.offered.find(game)
    try:
        found = await request.app.state.play.hall(named)
    except Refused as refused:
        usual = usual_settings(named, refused.problem)
        if usual is None:
            raise
        return redirect(Address(usual).to("seats"))
    return rendered("hall.html", view=found, named=named, address=Address(named), seat=SEAT, hand=HAND)


@page("/tables", "POST")
async def open_table(request: Request) -> Response:
    """Open a table, and redirect to the addresses of its seats."""
    fields = await form_fields(request)
    named = request.app.state.offered.find(fields.pop("game", ""))
    ways = {key.removeprefix(SEAT): way for key, way in fields.items() if key.startswith(SEAT)}
    table = await request.app.state.play.open(named, ways)
    people = [seat for seat in table.seats if seat.way == HAND]
    alone = len(people) == 1
    return redirect(f"/seats/{people[0].token}" if alone else f"/tables/{table.key}")


@page("/tables/{key}")
async def links(request: Request, key: str) -> Response:
    """Show the addresses of all seats, for the person who opened the table to pass on."""
    table = request.app.state.tables.table(key)
    seats = [{"player": seat.player, "way": seat.way, **_link(request, seat.token)} for seat in table.seats]
    return rendered("table_links.html", table=table, named=table.named, seats=seats, hand=HAND)


def _link(request: Request, token: str) -> dict[str, Any]:
    """Return a seat's full address, as others can open it, and its QR code if others can reach it."""
    path, place = f"/seats/{token}", request.app.state.place
    address = place.link(path, request.headers["host"])
    return {"address": address, "path": path, "code": None if place.is_local else qr_svg(address)}


@page("/seats/{token}")
async def show_seat(request: Request, token: str) -> Response:
    """Show what one player sees, and may do."""
    play: TableHost = request.app.state.play
    table, number = play.tables.seat(token)
    await play.settle(table)
    view = await play.view(table, number)
    picture = await play.picture(table, number)
    shows = request.query_params.get("show") == "1" and view["your_turn"]
    worth, untold = await _worth(play, table, number) if shows else (None, None)
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


async def _worth(play: TableHost, table: LiveTable, number: int) -> tuple[Mapping[str, Any] | None, Problem | None]:
    """Return the values of the moves, or the reason there are none; neither while the work continues."""
    try:
        return await play.values(table, number, "seat worth", QUICK_SECONDS), None
    except Refused as refused:
        return None, refused.problem


@page("/seats/{token}/move", "POST")
async def move(request: Request, token: str) -> Response:
    """Take a person's choice at a seat."""
    play: TableHost = request.app.state.play
    seat = play.tables.seat(token)
    fields = await form_fields(request)
    turn = fields.get("turn", "")
    if not (turn.isascii() and turn.isdigit() and len(turn) < 9):
        raise QuestionError("turn must be a whole number", found=turn[:40])
    await play.choose(*seat, fields.get("move", ""), int(turn))
    return redirect(f"/seats/{token}")


@page("/seats/{token}/record")
async def record(request: Request, token: str) -> Response:
    """Send the game as a file, once it is over."""
    play: TableHost = request.app.state.play
    table, number = play.tables.seat(token)
    view = await play.view(table, number)
    if not view["over"]:
        raise Refused(NOT_OVER, f"/seats/{token}")
    return download(record_text(table.named.spec, view["end"]["moves"], _notes(view["end"])), "game.txt")


def _notes(end: Mapping[str, Any]) -> Iterator[str]:
    for player, rows in (end["views"] or {}).items():
        yield f"{player} saw: {_seen(rows)}"
    yield "result: " + ", ".join(f"{player} {number['exact']}" for player, number in end["payoffs"].items())


def _seen(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return `card=2; pass card=2 said=p; ? card=2 said=pb`: moves, `?` for others', each with what was seen then."""
    return "; ".join(" ".join(part for part in (row["move"], row["sees"]) if part) for row in rows)
