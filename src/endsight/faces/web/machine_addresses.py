"""Under which addresses other machines may reach this one."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from ipaddress import ip_address
from typing import Any

import psutil

__all__ = ["machine_addresses"]


def machine_addresses(*, version_6: bool) -> list[str]:
    """The addresses of all networks that this machine is in, those of IPv4 first; no loopback, none that need a zone.

    Without `version_6` only those of IPv4, for a socket that hears no others.
    """
    up = {name for name, found in psutil.net_if_stats().items() if found.isup}
    there = [each for name, found in psutil.net_if_addrs().items() if name in up for each in found]
    families = [socket.AF_INET, *([socket.AF_INET6] if version_6 else [])]
    return list(dict.fromkeys(each for family in families for each in _of_family(there, family)))


def _of_family(there: list[Any], family: socket.AddressFamily) -> Iterator[str]:
    for each in there:
        if each.family == family:
            found = ip_address(each.address.partition("%")[0])
            if not (found.is_loopback or found.is_link_local or found.is_unspecified):
                yield str(found)
