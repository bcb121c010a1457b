"""The verifier's judgement of an attempted proof, as a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from endsight.errors import Wrong

T = TypeVar("T")


class Judgement(NamedTuple, Generic[T]):
    """What an attempt proves; None where the verifier refuses it, with its reason and what it found."""

    proven: T | None
    reason: str = ""
    found: str | None = None


def judged(attempt: Callable[[], T]) -> Judgement[T]:
    """The judgement of an attempt, which raises `Wrong` where the verifier refuses it."""
    try:
        return Judgement(attempt())
    except Wrong as error:
        return Judgement(None, error.message, error.found)
