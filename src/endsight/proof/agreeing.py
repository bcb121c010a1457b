"""What can be proven of what was solved: bounds of values, two plans, and values that depend on ties."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import prod
from operator import add
from typing import Any, Generic, NamedTuple, TypeVar

from endsight.errors import QuestionError, Wrong
from endsight.game.numbers import Amount, Interval, as_interval, average
from endsight.proof.claim_text import ends_text
from endsight.verifier.certificate import Claim, Ends, Plan, Plans
from endsight.verifier.plans import by_plans
from endsight.verifier.walk import Terms, Walk

T = TypeVar("T")

PLANS = "plans"
"""The checker that a source names when its witness is two plans."""
_MOST = 200
"""Distinct values of one state, and combinations of what follows chance, that are listed at most."""


def agreed(name: str, proven: Ends, solved: Interval) -> Ends:
    """The bounds to claim: the solved bounds if proven, else the proven ones; `Wrong` if the two contradict."""
    low, high = proven
    if (low is not None and low > solved.upper) or (high is not None and high < solved.lower):
        texts = ends_text(proven), ends_text((solved.lower, solved.upper))
        raise Wrong(
            "the proven value differs from the solved one", found=f"{name}: proven {texts[0]}, solved {texts[1]}"
        )
    return (
        None if low is None else Fraction(min(low, solved.lower)),
        None if high is None else Fraction(max(high, solved.upper)),
    )


def all_agreed(view: Terms, proven: Mapping[str, Ends], values: Sequence[Amount]) -> dict[str, Ends]:
    """The bounds to claim for all players by name, given the `values` that were solved."""
    solved = dict(zip(view.names, map(as_interval, values), strict=True))
    return {name: agreed(name, ends, solved[name]) for name, ends in proven.items()}


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


def planned(view: Terms, witness: Mapping[str, Any], values: Sequence[Amount]) -> tuple[Claim, Plans]:
    """The claim that two plans prove about the start of a game, checked against the `values` that were solved.

    After moves, the claim is about the game that begins there, valued on its own. `witness` has the total and the
    masses of each plan, as `plan_certificates` gives them. Raises `QuestionError` for a position that starts no
    subgame: some player cannot distinguish histories after it from others.
    """
    plans = Plans(_plan(witness["first"]), _plan(witness["second"]))
    try:
        proven = by_plans(view, plans)
    except Wrong as reason:
        raise _unproven(view.claim, reason) from None
    value = proven.value if view.claim.position else all_agreed(view, proven.value, values)
    return replace(view.claim, value=value, notion=view.meant(proven.notion)), plans


def _unproven(claim: Claim, reason: Wrong) -> QuestionError:
    return QuestionError(
        f"this answer has no certificate: {reason.message}",
        found=claim.position or None,
        allowed="the start, and positions after which no player takes what comes for what comes elsewhere",
    )


def _plan(document: Mapping[str, Any]) -> Plan:
    return Plan(document["total"], tuple(document["masses"]))


def tie_outcomes(walk: Walk) -> list[tuple[Fraction, ...]] | None:
    """Whole-game values of all players for each way ties may be broken (or more); None where these are too many.

    `walk` holds all states of a game without loops.
    """
    order, view = walk.order(), walk.view
    assert order is not None, "only games without loops have values by backward induction"
    found: dict[int, set[tuple[Fraction, ...]]] = {}
    for node in reversed(order):
        edges = walk.edges[node]
        nothing = (0,) * view.players
        ahead = [{tuple(map(add, values, gain or nothing)) for values in found[child]} for child, gain in edges]
        if not edges:
            found[node] = {tuple(map(Fraction, walk.amounts[node]))}
        elif weights := walk.dice.get(node):
            if prod(map(len, ahead)) > _MOST:
                return None
            found[node] = {_mean(weights, combined) for combined in product(*ahead)}
        else:
            target, sign = view.interests[walk.nodes[node][1]]
            # A move may be taken unless another move is certainly better.
            least = max(min(sign * values[target] for values in every) for every in ahead)
            found[node] = {values for every in ahead for values in every if sign * values[target] >= least}
        if len(found[node]) > _MOST:
            return None
    return [tuple(Fraction(a + b) for a, b in zip(values, view.carried(), strict=True)) for values in found[0]]


def _mean(weights: list[int], combined: tuple[tuple[Fraction, ...], ...]) -> tuple[Fraction, ...]:
    return tuple(Fraction(average(weights, column)) for column in zip(*combined, strict=True))
