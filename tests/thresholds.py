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


def compile_small_games(patch: pytest.MonkeyPatch) -> None:
    """Games of more than 50 moves count as large: `auto` compiles them, and asks for layers and searches."""
    patch.setattr("endsight.compiler.choice.PLAIN_EDGES", 50)
    patch.setattr("endsight.compiler.choice._FIRST_NODES", 10)


def threads_from_the_first_states(patch: pytest.MonkeyPatch) -> None:
    """Layers are divided among threads at once, in small pieces, over tables that grow again and again."""
    patch.setattr("endsight.compiler.layers.CROWD", 10)
    patch.setattr("endsight.compiler.layers._ROOM", 4)
    patch.setattr("endsight.compiler.layers._STRIDE", 60)
    patch.setattr("endsight.compiler.thread_pool._PIECE", 5)
    patch.setattr("endsight.compiler.tables._FIRST_SLOTS", 1 << 6)
    patch.setattr("endsight.compiler.tables._SMALL_SLOTS", 1 << 6)
    patch.setattr("endsight.compiler.tables._GENEROUS", 1 << 40)


def share_searches_at_once(patch: pytest.MonkeyPatch) -> None:
    """All threads search from the first position on, and look often at what others have settled."""
    patch.setattr("endsight.compiler.searching._ALONE", 0)
    patch.setattr("endsight.compiler.searching._STRIDE", 16)
    try_few_random_games(patch, 100)


def try_few_random_games(patch: pytest.MonkeyPatch, games: int, parts: int = 1 << 11) -> None:
    """A search learns from so many games at random, with sums in at most so many parts, which moves to try first."""
    patch.setattr("endsight.compiler.search_thread._GAMES", games)
    patch.setattr("endsight.compiler.search_thread._GAMES_AT_ONCE", games // 2)
    patch.setattr("endsight.compiler.search_thread._MOST_PARTS", parts)


def prove_in_turns(patch: pytest.MonkeyPatch, share: Any = 4, most: int = 1 << 25) -> None:
    """A search and proof numbers take turns of a few positions: `share` of the search for one of proof numbers.

    Proof numbers that have entered the `most` positions get less.
    """
    patch.setattr("endsight.compiler.searching._ALONE", 1)
    patch.setattr("endsight.compiler.searching.PROOFS_AFTER", 0)
    patch.setattr("endsight.compiler.searching._STRIDE", 8)
    patch.setattr("endsight.compiler.searching._ROUND", 4)
    patch.setattr("endsight.compiler.searching._SHARE", share)
    patch.setattr("endsight.compiler.searching._LONG", most)


def save_searches_while_they_run(patch: pytest.MonkeyPatch) -> None:
    """A search that keeps what it proves writes it again and again, and not when it is stopped."""
    patch.setattr("endsight.compiler.kept_search._FIRST", 0.0)
    patch.setattr("endsight.compiler.kept_search._QUICK", 0.0)
    patch.setattr("endsight.compiler.kept_search._BETWEEN", 0)


def audits_take_their_time(patch: pytest.MonkeyPatch) -> None:
    """On a slow machine, too, a compiled answer is compared with the rules at all positions that are drawn."""
    patch.setattr("endsight.answers.auditing.LEAST_SECONDS", 60.0)
