"""The loops that do the work, as text that is compiled together with rules.

A kernel is a file of Python text with a function `entry`. It calls the rules as
`rule_moves(state)`, `rule_play(state, move)`, ... and the functions of `packing` and of
`rules`.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

__all__ = ["text_of"]


@lru_cache(maxsize=16)
def text_of(name: str) -> str:
    """The file `name` of this package."""
    return Path(__file__).with_name(f"{name}.kernel").read_text(encoding="utf-8")
