"""Sizes at which endsight changes its way, made so small that small games take the other way.

Each function says what happens from then on, until the test is over.
"""

from __future__ import annotations

from typing import Any

import pytest

__all__ = [
    "audits_take_their_time",
    "compile_small_games",
    "prove_in_turns",
    "save_searches_while_they_run",
    "share_searches_at_once",
    "threads_from_the_first_states",
    "try_few_random_games",
]


def set_sizes(patch: pytest.MonkeyPatch, module: str, **sizes: Any) -> None:
    """Give names of a module of endsight other numbers."""
    for name, size in sizes.items():
        patch.setattr(f"{module}.{name}", size)


def compile_small_games(patch: pytest.MonkeyPatch) -> None:
    """Games of more than 50 moves count as large: `auto` compiles them, and asks for layers and searches."""
    set_sizes(patch, "endsight.compiler.choice", PLAIN_EDGES=50, _FIRST_NODES=10)


def threads_from_the_first_states(patch: pytest.MonkeyPatch) -> None:
    """Layers are divided among threads at once, in small pieces, over tables that grow again and again."""
    set_sizes(patch, "endsight.compiler.layers", CROWD=10, _ROOM=4, _STRIDE=60)
    set_sizes(patch, "endsight.compiler.thread_pool", _PIECE=5)
    set_sizes(patch, "endsight.compiler.tables", _FIRST_SLOTS=1 << 6, _SMALL_SLOTS=1 << 6, _GENEROUS=1 << 40)


def share_searches_at_once(patch: pytest.MonkeyPatch) -> None:
    """All threads search from the first position on, and look often at what others have settled."""
    set_sizes(patch, "endsight.compiler.searching", _ALONE=0, _STRIDE=16)
    try_few_random_games(patch, 100)


def try_few_random_games(patch: pytest.MonkeyPatch, games: int, parts: int = 1 << 11) -> None:
    """A search learns from so many games at random, with sums in at most so many parts, which moves to try first."""
    sizes = {"_GAMES": games, "_GAMES_AT_ONCE": games // 2, "_MOST_PARTS": parts}
    set_sizes(patch, "endsight.compiler.search_thread", **sizes)


def prove_in_turns(patch: pytest.MonkeyPatch, share: Any = 4) -> None:
    """A search and proof numbers take turns of a few positions, `share` of the search for one of proof numbers."""
    set_sizes(patch, "endsight.compiler.searching", _ALONE=1, PROOFS_AFTER=0, _STRIDE=8, _ROUND=4, _SHARE=share)


def save_searches_while_they_run(patch: pytest.MonkeyPatch) -> None:
    """A search that keeps what it proves writes it again and again, and not when it is stopped."""
    set_sizes(patch, "endsight.compiler.kept_search", _FIRST=0.0, _QUICK=0.0, _BETWEEN=0)


def audits_take_their_time(patch: pytest.MonkeyPatch) -> None:
    """On a slow machine, too, a compiled answer is compared with the rules at all positions that are drawn."""
    set_sizes(patch, "endsight.answers.auditing", LEAST_SECONDS=60.0)
