"""How much of what could be tried for ever an ordinary run tries, and how much `pytest -m slow` adds.

A test over many cases takes them from here, so that all tests say in one way what they leave out.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings


def each(cases: Iterable[Any], ordinary: Callable[[Any], bool]) -> list[Any]:
    """Cases that are a test each: those which are not `ordinary` are slow."""
    return [case if ordinary(case) else pytest.param(case, marks=pytest.mark.slow) for case in cases]


def seeds(most: int, ordinary: int, first: int = 0) -> list[Any]:
    """The `most` seeds from the first on, a test each, of which so many are ordinary."""
    return each(range(first, first + most), lambda seed: seed < first + ordinary)


def seed_rows(most: int, ordinary: int, first: int = 0) -> list[Any]:
    """The same seeds in two rows, for a test that goes through a row of them: the ordinary ones, and all."""
    return _two(range(first, first + ordinary), range(first, first + most))


def times(most: int, ordinary: int) -> list[Any]:
    """Two numbers for a test that tries so many."""
    return _two(ordinary, most)


def every(step: int, least: int = 1) -> list[Any]:
    """Two steps for a test that goes through its cases by steps: the wide one is ordinary."""
    return _two(step, least)


def _two(some: Any, whole: Any) -> list[Any]:
    return [pytest.param(some, id="some"), pytest.param(whole, id="all", marks=pytest.mark.slow)]


def examples(most: int, ordinary: int, /, *strategies: Any, **named: Any) -> Callable[[Callable[..., None]], Any]:
    """Hypothesis draws so many examples for a test: `ordinary` ones, and `most` where all are tried."""

    def decorated(test: Callable[..., None]) -> Any:
        some, whole = (settings(max_examples=count)(given(*strategies, **named)(test)) for count in (ordinary, most))
        fixtures = inspect.signature(some).parameters.values()

        @pytest.mark.parametrize("examples", _two(some, whole))
        def tried(examples: Callable[..., None], **others: Any) -> None:
            examples(**others)

        tried.__name__, tried.__doc__, tried.__module__ = test.__name__, test.__doc__, test.__module__
        own = inspect.Parameter("examples", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        tried.__signature__ = inspect.Signature([*fixtures, own])  # type: ignore[attr-defined]
        return tried

    return decorated
