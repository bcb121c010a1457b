"""Connections that send nothing, or half of a request, do not stay: uvicorn has no limit for that itself."""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

__all__ = ["MOST_CONNECTIONS", "RECEIPT_SECONDS", "Guarded"]

RECEIPT_SECONDS = 5.0
"""A whole request must have come within that time after the connection was made, or after its first byte."""
MOST_CONNECTIONS = 256
"""Beyond so many, the oldest that is still without a whole request makes room for a new one."""


class Guarded(H11Protocol):
    """uvicorn's HTTP/1.1 connection with a deadline for requests, and a limit of connections."""

    deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room where there are too many; the clock begins to run."""
        super().connection_made(transport)
        self._arm()
        if len(self.connections) > MOST_CONNECTIONS:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        """The clock runs on until the request is there."""
        super().data_received(data)
        if self._is_waited_for():
            self._arm()
        else:
            self._disarm()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing more to wait for."""
        self._disarm()
        super().connection_lost(exc)

    def _is_waited_for(self) -> bool:
        """Whether a request has begun that is not there yet."""
        return self.conn.their_state in (h11.IDLE, h11.SEND_BODY) and not self.transport.is_closing()

    def _arm(self) -> None:
        if self.deadline is None:
            self.deadline = self.loop.call_later(RECEIPT_SECONDS, self._give_up)

    def _disarm(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _give_up(self) -> None:
        self.deadline = None
        if self._is_waited_for():
            self.transport.abort()

    def _make_room(self) -> None:
        """End the connection that has waited longest for its request; this one, where all others are at work."""
        waiting: list[Any] = [
            other
            for other in self.connections
            if isinstance(other, Guarded) and other is not self and other.deadline is not None
        ]
        idle: list[Any] = [each for each in self.connections if getattr(each, "timeout_keep_alive_task", None)]
        for other in sorted(waiting, key=lambda each: each.deadline.when())[:1] or idle[:1] or [self]:
            other.transport.abort()
