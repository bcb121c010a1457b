"""What a certificate claims, and the evidence for it, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Any

__all__ = ["FIRST_BEST", "SECURED", "Bounds", "Claim", "Ends", "Induction", "Play", "Scale", "Witness"]

SECURED = "secured"
"""The notion of values that each of two players can secure, whatever the other does."""
FIRST_BEST = "backward induction, each player taking the first of the own best moves"
"""The notion of values that depend on how ties are broken."""

Ends = tuple[Fraction | None, Fraction | None]
"""Proven bounds of a number, lower and upper; None where nothing is said on that side."""
Scale = tuple[tuple[int, int], ...]
"""A denominator as (base, exponent) pairs."""


@dataclass(frozen=True)
class Claim:
    """What is claimed about one position.

    position   the moves so far as text; `set_up` the text of the state they began at, None for the start
    fixed      by player's name the policy, or for one from a file its name and a SHA-256 of the file
    value      by name, of every player, proven bounds of the value of the whole game, equal where
               it is exact; None for a bound of which nothing is claimed
    category   win, draw or loss of the player to move where the evidence met nothing else, or `value`
    notion     `SECURED` or `FIRST_BEST` where the values are that, else None
    player, outcomes  for a distribution: whose, and (amount, chance) in increasing order of amounts
    """

    position: str
    set_up: str | None
    objective: str
    utility: str
    fixed: Mapping[str, str | Mapping[str, str]]
    value: Mapping[str, Ends]
    category: str
    notion: str | None
    player: str | None = None
    outcomes: tuple[tuple[Fraction, Fraction], ...] | None = None


@dataclass(frozen=True)
class Play:
    """Choices for one side, in the order in which a walk from the position needs them.

    choices  number of the move (from 0, in the rules' order) at every decision of that side with
             more than one move
    scale    the denominator of all numbers, as (base, exponent) pairs
    nodes    where play comes back: numbers of the walk's nodes, in increasing order
    values   what is claimed of those nodes, over the scale
    """

    choices: tuple[int, ...]
    scale: Scale = ()
    nodes: tuple[int, ...] = ()
    values: tuple[int, ...] = ()

    @property
    def denominator(self) -> int:
        """The scale as a number."""
        return prod(base**power for base, power in self.scale)


@dataclass(frozen=True)
class Bounds:
    """A play that secures the value from below, and one that secures it from above; one may be lacking."""

    at_least: Play | None
    at_most: Play | None


@dataclass(frozen=True)
class Induction:
    """Nothing: the verifier does the backward induction itself."""


@dataclass(frozen=True)
class Witness:
    """A theorem by name, with what its checker needs."""

    theorem: str
    witness: Mapping[str, Any]
