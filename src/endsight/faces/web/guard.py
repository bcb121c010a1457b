"""The checks that every request must pass before any work, and the headers of every answer.

Each rule here has a row on the security page of the docs, and a test.
"""

from __future__ import annotations

import asyncio
import hmac
import json
from collections.abc import Callable
from contextlib import suppress
from ipaddress import ip_address
from urllib.parse import urlencode

from starlette.datastructures import Headers, MutableHeaders, QueryParams
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from endsight.faces.web.place import Host, host_of, is_loopback
from endsight.faces.web.problems import Problem

MOST_URL = 8 * 1024
MOST_HEADERS = 32 * 1024
MOST_BODY = 2**20
PATIENCE = 1.0
"""Seconds allowed for a body that will not be used."""
COOKIE = "endsight-token"
METHODS = ("GET", "HEAD", "POST", "DELETE")
UNGUARDED = ("/static/endsight.css", "/static/board.css", "/static/endsight.svg")
"""The look of the page that asks for the token; these files reveal nothing."""

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": CONTENT_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: the page's own forms would then send the origin "null".
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class Guard:
    """Lets requests through that come from the server's own pages, or from no page at all.

    The header `Host` must be exactly one of the names of `place`, or the address at which
    the request arrived. If the place has a token, every request must carry it: in a
    cookie, which an address with `?token=` sets, or as `Authorization: Bearer`. `page`
    renders a problem for people.
    """

    def __init__(self, app: ASGIApp, place: Host, page: Callable[[Problem], str]) -> None:
        self.app = app
        self.place = place
        self.page = page
        self.hosts = frozenset(map(str.lower, place.hosts))
        self.proxied = frozenset(map(str.lower, place.added))
        self.token = place.token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request; only HTTP is served."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        headers, asked = Headers(scope=scope), QueryParams(scope["query_string"])
        refusal = self._refusal(scope, headers, asked.getlist("token"))
        if refusal is not None:
            # The client loses the answer if the connection closes before its request is read.
            with suppress(TimeoutError):
                await asyncio.wait_for(_read_on(receive), PATIENCE)
            await self._refusing(scope, *refusal)(scope, receive, _with_headers(send))
            return
        if self.token is not None and "token" in asked:
            await self._welcoming(scope, asked)(scope, receive, _with_headers(send))
            return
        await self._serve(scope, receive, _with_headers(send))

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and count its body; past the limit the application sees a disconnect."""
        received, started, refused = 0, False, False

        async def counted() -> Message:
            nonlocal received, refused
            message = {"type": "http.disconnect"} if refused else await receive()
            received += len(message.get("body", b""))
            if received <= MOST_BODY or refused:
                return message
            refused = True
            if not started:
                refusing = self._refusing(scope, 413, "the body is too long", f"up to {MOST_BODY:,} bytes")
                await refusing(scope, receive, send)
            return {"type": "http.disconnect"}

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            if not refused:
                await send(message)

        # A client that disconnects midway is no error.
        with suppress(ClientDisconnect):
            await self.app(scope, counted, noted)

    # ---------------------------------------------------------------- what is refused

    def _refusal(self, scope: Scope, headers: Headers, tokens: list[str]) -> tuple[int, str, str] | None:
        """Return status, error and allowed values; None if all is well. `tokens` are those in the address."""
        length = len(scope.get("raw_path") or scope["path"].encode()) + len(scope.get("query_string", b""))
        if length > MOST_URL:
            return 414, "the address is too long", f"up to {MOST_URL:,} bytes"
        if sum(len(name) + len(value) for name, value in scope["headers"]) > MOST_HEADERS:
            return 431, "the headers are too long", f"up to {MOST_HEADERS:,} bytes"
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self.hosts | _arrival(scope):
            return 421, "this server does not answer under that name", ", ".join(sorted(self.hosts))
        if scope["method"] not in METHODS:
            return 405, f"{scope['method'][:20]} is not served here", ", ".join(METHODS)
        return self._foreign(hosts[0], headers) or self._oversized(headers) or self._stranger(scope, headers, tokens)

    def _foreign(self, host: str, headers: Headers) -> tuple[int, str, str] | None:
        """Refuse requests made by another page."""
        if any(site not in ("same-origin", "none") for site in headers.getlist("sec-fetch-site")):
            return 403, "this request comes from another page", "requests of this page, or typed addresses"
        own = {f"http://{host.lower()}"} | ({f"https://{host.lower()}"} if host.lower() in self.proxied else set())
        if any(origin.lower() not in own for origin in headers.getlist("origin")):
            return 403, "this request comes from another origin", f"http://{host}"
        return None

    def _oversized(self, headers: Headers) -> tuple[int, str, str] | None:
        for length in headers.getlist("content-length"):
            if not (length.isascii() and length.isdigit()):
                return 400, "Content-Length is not a number", "a whole number"
            if len(length) > 12 or int(length) > MOST_BODY:
                return 413, "the body is too long", f"up to {MOST_BODY:,} bytes"
        return None

    def _stranger(self, scope: Scope, headers: Headers, tokens: list[str]) -> tuple[int, str, str] | None:
        """Refuse requests without the token, where one is needed."""
        given = [*_tokens(headers), *tokens]
        if self.token is None or scope["path"] in UNGUARDED or any(map(self._fits, given)):
            return None
        detail = "this is not the token of this server" if given else "this server asks for its token"
        return 401, detail, "the address that it printed when it was started"

    def _fits(self, given: str) -> bool:
        assert self.token is not None
        return hmac.compare_digest(given.encode(), self.token.encode())

    def _refusing(self, scope: Scope, status: int, detail: str, allowed: str) -> Response:
        """Return a page for people, else a problem document (RFC 9457), and close the connection."""
        problem: Problem = {"type": "about:blank", "title": _TITLES[status], "status": status}
        problem |= {"detail": detail, "allowed": allowed}
        shows = _is_for_people(scope)
        if status == 421:
            problem |= {"advice": "one of these addresses; or start the server with --allowed-host and that name"}
            problem |= {"links": [f"http://{name}/" for name in sorted(self._names(scope))]} if shows else {}
        body, kind = (self.page(problem), "text/html") if shows else (json.dumps(problem), "application/problem+json")
        return Response(body, status, {"connection": "close", **_FURTHER.get(status, {})}, kind)

    def _names(self, scope: Scope) -> set[str]:
        """Return the names under which this client can reach the server: its arrival address; locally, all of them."""
        arrival = _arrival(scope)
        here = self.place.is_local or not arrival or all(is_loopback(name.rpartition(":")[0]) for name in arrival)
        return set(self.hosts) if here else arrival

    def _welcoming(self, scope: Scope, asked: QueryParams) -> Response:
        """Move the token from the address into a cookie that no script can read."""
        query = urlencode([(key, text) for key, text in asked.multi_items() if key != "token"])
        path = (scope.get("raw_path") or b"/").decode("latin-1")
        # Two leading slashes would lead to another host.
        place = "/" + path.lstrip("/\\") + (f"?{query}" if query else "")
        cookie = f"{COOKIE}={self.token}; HttpOnly; SameSite=Strict; Path=/"
        return Response(status_code=303, headers={"location": place, "set-cookie": cookie})


async def _read_on(receive: Receive) -> None:
    """Read a body to its end or to the size limit."""
    read, more = 0, True
    while more and read <= MOST_BODY:
        message = await receive()
        read += len(message.get("body", b""))
        more = message.get("more_body", False)


def _tokens(headers: Headers) -> list[str]:
    """Return the tokens given in the headers."""
    tokens = [value[7:] for value in headers.getlist("authorization") if value[:7].lower() == "bearer "]
    for line in headers.getlist("cookie"):
        pairs = (part.strip().partition("=") for part in line.split(";"))
        tokens += [value for name, _, value in pairs if name == COOKIE]
    return tokens


def _with_headers(send: Send) -> Send:
    """Add the headers that isolate a page to every answer."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in {**HEADERS, "cache-control": "no-store"}.items():
                headers.setdefault(name, value)
        await send(message)

    return sent


_TITLES = {
    400: "Invalid request",
    401: "Token needed",
    403: "Refused",
    405: "Method not allowed",
    413: "Body too long",
    414: "Address too long",
    421: "Wrong host",
    431: "Headers too long",
}


_FURTHER = {401: {"www-authenticate": "Bearer"}, 405: {"allow": ", ".join(METHODS)}}


def _is_for_people(scope: Scope) -> bool:
    """Return whether a browser requests a page."""
    accepted = Headers(scope=scope).getlist("accept")
    return any("text/html" in value for value in accepted) and not scope["path"].startswith(("/api/", "/openapi"))


def _arrival(scope: Scope) -> set[str]:
    """Return the address of this machine at which a request arrived, in the form of `Host`."""
    address, port = scope.get("server") or (None, None)
    if address is None or port is None:
        return set()
    ip = ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return {f"{host_of(str(ip))}:{port}", *([host_of(str(ip))] if port == 80 else [])}
