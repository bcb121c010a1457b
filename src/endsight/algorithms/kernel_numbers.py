"""What the loops that can be compiled work on: plainly lists of numbers, compiled arrays of machine words.

The first letters of a parameter say what its array holds when compiled: `p_` 64-bit,
`h_` 32-bit, `b_` 8-bit whole numbers, `d_` doubles.
"""

from __future__ import annotations

from collections.abc import MutableSequence
from typing import TypeAlias

__all__ = ["Doubles", "Numbers"]

Numbers: TypeAlias = MutableSequence[int]
Doubles: TypeAlias = MutableSequence[float]
