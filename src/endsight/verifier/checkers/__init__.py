"""What a position is worth by a theorem, found again from the theorem's words alone.

There is one small module a game, with a function for each theorem about it:

    theorem(position, claim, **witness) -> values

It gives the value of the whole game per player in order of their numbers, in the units of
the claim's utility, from the standard library and the rules of its game, and raises
`Refuted` where the theorem does not apply or the witness does not hold. Each is short
enough to be read in one go beside the theorem.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any

from endsight.game import Position
from endsight.games import is_built_in
from endsight.verifier.claims import Claim

__all__ = ["CHECKERS", "Refuted", "demand", "demand_free_rivals", "settle", "worth"]

CHECKERS = {
    "dominoes": ("dominoes_openings", "even_kernel"),
    "hiddenpots": ("bigger_end",),
    "highcard": ("smallest_sufficient",),
    "nim": ("nim_sum",),
    "pots": ("cooperative_rounds", "greedy_ends", "stack_reduction"),
    "repeatbust": ("repeat_columns",),
    "rpsbag": ("face_counts",),
}
"""The theorems that are checked, by built-in game."""


class Refuted(Exception):
    """Evidence does not prove what it is said to prove; the message says where."""


def settle(theorem: str, position: Position, claim: Claim, witness: Mapping[str, Any]) -> tuple[Fraction, ...]:
    """What `theorem` says the whole game is worth per player, with the evidence that it asks for."""
    title = position.game.title()
    about = is_built_in(position.game) and theorem in CHECKERS.get(title, ())
    demand(about, f"{theorem:.60} is not about {title}")
    checker = getattr(import_module(f"endsight.verifier.checkers.{title}"), theorem)
    try:
        call = inspect.signature(checker).bind(position, claim, **witness)
    except TypeError as error:
        raise Refuted(f"the witness of {theorem}: {error}") from None
    values: tuple[Fraction, ...] = checker(*call.args, **call.kwargs)
    return values


def demand(holds: bool, otherwise: str) -> None:
    """Raise `Refuted` with that reason unless the condition holds."""
    if not holds:
        raise Refuted(otherwise)


def demand_free_rivals(claim: Claim) -> None:
    """Raise `Refuted` unless the players compete, and nobody plays a named policy."""
    demand(claim.objective == "competitive" and not claim.fixed, "this is about free rivals")


def worth(totals: tuple[Fraction | int, ...], utility: str) -> tuple[Fraction, ...]:
    """Whole-game totals of two players in units of the utility."""
    lead = Fraction(totals[0] - totals[1])
    if utility == "lead":
        return lead, -lead
    if utility == "win":
        chance = Fraction((lead > 0) - (lead < 0) + 1, 2)
        return chance, 1 - chance
    return Fraction(totals[0]), Fraction(totals[1])
