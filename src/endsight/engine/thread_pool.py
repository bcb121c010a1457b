"""Threads that share one piece of work; kernels run without Python's lock, so they run side by side."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Piece: TypeAlias = tuple[int, int]
"""Nodes from the first number up to, but without, the second."""

# Nodes in a piece: a few milliseconds, so that no thread waits long for the last one.
_PIECE = 1 << 14


def pieces(first: int, stop: int) -> list[Piece]:
    """The nodes `first` .. `stop` - 1 in pieces."""
    return [(at, min(at + _PIECE, stop)) for at in range(first, stop, _PIECE)]


class ThreadPool:
    """`size` threads, the caller's own among them; closed at the end of a `with` block."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._others: ThreadPoolExecutor | None = None

    def __enter__(self) -> ThreadPool:
        return self

    def __exit__(self, *_: object) -> None:
        if self._others is not None:
            self._others.shutdown()

    def run(self, work: Callable[[int, Piece], Piece | None], waiting: Iterable[Piece]) -> list[Piece]:
        """Do all pieces, and return what is left of those that could not be finished.

        `work(thread, piece)` returns what is left, None for nothing; a thread with a rest takes no more pieces. All
        threads have stopped when this returns, or when it raises what a thread raised or Ctrl-C.
        """
        queue, rests = deque(waiting), list[Piece]()

        def take(thread: int) -> None:
            try:
                while (piece := _next(queue)) is not None:
                    rest = work(thread, piece)
                    if rest is not None:
                        rests.append(rest)
                        return
            except BaseException:
                queue.clear()
                raise

        others = self._submit(take, min(self.size, len(queue)) - 1)
        try:
            take(0)
        finally:
            _wait(others)
        for other in others:
            other.result()
        return sorted([*rests, *queue])

    def _submit(self, take: Callable[[int], None], helpers: int) -> list[Future[None]]:
        """Set the other threads to work; small games never have any."""
        if helpers < 1:
            return []
        if self._others is None:
            from concurrent.futures import ThreadPoolExecutor

            self._others = ThreadPoolExecutor(self.size - 1, "endsight")
        return [self._others.submit(take, number + 1) for number in range(helpers)]


def _wait(others: list[Future[None]]) -> None:
    if others:
        from concurrent.futures import wait

        wait(others)


def _next(queue: deque[Piece]) -> Piece | None:
    try:
        return queue.popleft()
    except IndexError:
        return None
