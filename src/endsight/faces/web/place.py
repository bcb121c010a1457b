"""The server's place: where it listens, which names it answers to, and what it requires of callers."""

from __future__ import annotations

import errno
import re
import secrets
import socket
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from ipaddress import ip_address
from typing import Any

import psutil
import segno

from endsight.errors import UsageError
from endsight.game.numbers import count_text

NEW_TOKEN = "new"
"""The value of `--token` for a token that the server creates."""
_TOKEN = re.compile(r"[A-Za-z0-9._~-]{8,200}")
_NAME = re.compile(r"(?:\w[\w.-]*|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?", re.ASCII)
_EVERYWHERE = ("0.0.0.0", "::")
EVERYWHERE = "::" if socket.has_dualstack_ipv6() else "0.0.0.0"
"""All addresses of this machine, including IPv6 if it has any."""
_USUAL_PORTS = {80, 443}


@dataclass(frozen=True)
class Host:
    """Where the server listens, and which names it answers to.

    `token` is None where none is needed: on this machine alone. `names` are further names,
    with a port of their own if it differs, as behind a proxy.
    """

    host: str = "127.0.0.1"
    port: int = 8642
    token: str | None = None
    names: tuple[str, ...] = field(default=())

    @property
    def is_local(self) -> bool:
        """Whether only this machine can reach it."""
        return is_loopback(self.host)

    @property
    def address(self) -> str:
        """The address to open in a browser on this machine."""
        host = "localhost" if self.host in _EVERYWHERE else host_of(self.host)
        return f"http://{host}:{self.port}/" + self.query

    @property
    def others(self) -> list[str]:
        """The addresses to open in a browser on other machines; none if they cannot reach it."""
        if self.is_local:
            return []
        hosts = machine_addresses(version_6=self.host == "::") if self.host in _EVERYWHERE else [self.host]
        return [f"http://{host_of(host)}:{self.port}/" + self.query for host in hosts]

    @property
    def query(self) -> str:
        """The token as the query of an address."""
        return f"?token={self.token}" if self.token else ""

    def link(self, path: str, host: str) -> str:
        """Return a full address to give away, with the host of the request unless only this machine knows it.

        `host` is the header `Host` of a request that passed the checks.
        """
        if host.lower() in map(str.lower, self.added):
            return f"https://{host}{path}{self.query}"
        here = is_loopback(host.rpartition(":")[0] or host)
        base = self.others[0].partition("/?")[0].rstrip("/") if here and self.others else f"http://{host}"
        return f"{base}{path}{self.query}"

    @property
    def hosts(self) -> list[str]:
        """The accepted values of the header `Host`, besides the address at which a request arrives."""
        is_here = self.is_local or self.host in _EVERYWHERE
        own = ["127.0.0.1", "localhost", "[::1]"] if is_here else []
        names = dict.fromkeys([*([] if self.host in _EVERYWHERE else [host_of(self.host)]), *own])
        return [form for name in names for form in _forms(name, self.port)] + self.added

    @property
    def added(self) -> list[str]:
        """Those values that were allowed by name; their pages may have come by HTTPS through a proxy."""
        return [form for name in self.names for form in _forms(*_parted(name, self.port))]


def host_of(address: str) -> str:
    """Return an address or name in the form used in URLs and in the header `Host`."""
    return f"[{address}]" if ":" in address else address


def _forms(name: str, port: int) -> list[str]:
    """Return the name with its port, and without it for ports that browsers omit."""
    return [f"{name}:{port}"] + ([name] if port in _USUAL_PORTS else [])


def _parted(name: str, port: int) -> tuple[str, int]:
    """Split a name from its port; use `port` if it has none."""
    head, colon, tail = name.rpartition(":")
    return (head, int(tail)) if colon and not name.endswith("]") else (name, port)


def is_loopback(host: str) -> bool:
    """Return whether that address is this machine's own."""
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


_PORT_FAULTS = (errno.EADDRINUSE, errno.EACCES)


def listening(place: Host) -> socket.socket:
    """Open the socket; raise `UsageError` if that place is taken or does not belong to this machine."""
    family = socket.AF_INET6 if ":" in place.host else socket.AF_INET
    both = place.host == "::" and socket.has_dualstack_ipv6()
    try:
        return socket.create_server((place.host, place.port), family=family, backlog=1024, dualstack_ipv6=both)
    except (OSError, ValueError, TypeError) as error:  # the last two: not a name at all
        number, text = (error.errno, error.strerror) if isinstance(error, OSError) else (None, None)
        raise UsageError(
            f"cannot listen at {place.host[:200]}, port {place.port}",
            found=(text or str(error)).partition(" (while attempting")[0],
            advice="another --port; 0 takes one that is free" if number in _PORT_FAULTS else "another --host",
        ) from error


def placed(host: str, port: int, token: str | None = None, names: Sequence[str] = ()) -> tuple[Host, socket.socket]:
    """Return a place with the port obtained, and with a token if others can reach it; and its socket.

    Raises `UsageError` for an invalid token or name, and if listening fails.
    """
    if not host:
        raise UsageError("an empty --host is no address", allowed="127.0.0.1, 0.0.0.0 for all, or an address")
    for name in names:
        if not _NAME.fullmatch(name):
            raise UsageError(f"{name[:80]!r} is no name for --allowed-host", allowed="NAME or NAME:PORT")
    if token == NEW_TOKEN or (token is None and not is_loopback(host)):
        token = secrets.token_urlsafe(24)
    if token is not None and not _TOKEN.fullmatch(token):
        raise UsageError(
            "this --token is of no use",
            found=count_text(len(token), "character"),
            allowed="8 to 200 letters, digits, and any of . _ ~ -",
            advice=f"--token {NEW_TOKEN}, for one that nobody can guess",
        )
    place = Host(host, port, token, tuple(names))
    listener = listening(place)
    return replace(place, port=listener.getsockname()[1]), listener


def machine_addresses(*, version_6: bool) -> list[str]:
    """Return this machine's addresses in all its networks, IPv4 first; no loopback, none that needs a zone.

    Without `version_6` return only those of IPv4, for a socket that accepts no others.
    """
    up = {name for name, found in psutil.net_if_stats().items() if found.isup}
    there = [each for name, found in psutil.net_if_addrs().items() if name in up for each in found]
    families = [socket.AF_INET, *([socket.AF_INET6] if version_6 else [])]
    return list(dict.fromkeys(each for family in families for each in _of_family(there, family)))


def _of_family(there: list[Any], family: socket.AddressFamily) -> Iterator[str]:
    for each in there:
        if each.family == family:
            ip = ip_address(each.address.partition("%")[0])
            if not (ip.is_loopback or ip.is_link_local or ip.is_unspecified):
                yield str(ip)


def qr_svg(address: str) -> str:
    """Return the code as an SVG element, dark on light whatever the colours of the page."""
    return segno.make(address, error="m").svg_inline(border=4, omitsize=True, dark="#000", light="#fff", svgclass="qr")


def qr_text(address: str) -> str:
    """Return the code as lines of half blocks for a terminal."""
    text = StringIO()
    segno.make(address, error="l").terminal(text, border=2, compact=True)
    return text.getvalue()
