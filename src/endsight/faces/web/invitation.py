"""What the command tells people who may come from other machines: addresses with the token, and QR codes."""

from __future__ import annotations

from collections.abc import Iterator

from endsight.faces.web.place import Place
from endsight.faces.web.qr_codes import qr_text

__all__ = ["invitation"]


def invitation(place: Place, *, with_codes: bool) -> list[str]:
    """Lines about who may connect, and how; none where only this machine can."""
    if place.is_local:
        return []
    if not place.others:
        return ["This machine is in no network: no other one can connect."]
    ending = "Whoever has one of these addresses can use this server until it ends; all others are refused."
    return ["", "From other machines in the same network:", *_addresses(place, with_codes=with_codes), ending]


def _addresses(place: Place, *, with_codes: bool) -> Iterator[str]:
    for address in place.others:
        yield f"  {address}"
        if with_codes:
            yield from qr_text(address).splitlines()
