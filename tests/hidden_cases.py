"""Certificates, true and false, of games with hidden information and moves at once: cases as in `verifier_cases`."""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import endsight as es
import test_beliefs_proven as beliefs
import test_mixtures_proven as mixtures
import test_plan_certificates as plans
from at_once import AtOnceGraph
from endsight import Certificate
from hidden_games import Poker
from verifier_cases import Case

__all__ = ["REFUSED", "hidden_cases"]

REFUSED: dict[str, tuple[str, str]] = {}
"""What is not proven, with the kind of error and a part of its text; filled by `hidden_cases`."""


def hidden_cases() -> list[Case]:
    """Plans, mixtures and beliefs; each refusal is noted in `REFUSED`."""
    return [*_plans(), *_mixtures(), *_beliefs()]


def _case(name: str, made: Certificate, kind: Any, reason: str | None, error: str = "Wrong") -> Case:
    if reason is not None:
        REFUSED[name] = error, reason
    return Case(name, made, kind)


def _plans() -> list[Case]:
    true = plans.certificate(Poker(), plans.PLANS, plans.VALUE, plans.VALUE)
    cases = [_case("plans", true, Poker, None)]
    for name, (change, reason) in plans.LIES.items():
        document = json.loads(true.to_text())
        change(document["evidence"])
        cases.append(_case(f"plans, {name}", Certificate.from_text(json.dumps(document)), Poker, reason))
    for name, (told, reason) in plans.CLAIMS.items():
        made = plans.certificate(Poker(), plans.PLANS, **{"low": plans.VALUE, "high": plans.VALUE, **told})
        cases.append(_case(f"plans, {name}", made, Poker, reason))
    alone = plans.certificate(plans.Alone(), plans.PLANS, 0, 0)
    twice = plans.certificate(plans.Alone(count=2, chance=True), plans.NOTHING, 0, 0, notion="secured")
    cases += [
        _case("plans, one player", alone, plans.Alone, "plans need two rivals without fixed policies"),
        _case("plans, without end", twice, plans.Alone, "play does not end within"),
    ]
    for fault, (error, reason) in plans.FAULTS.items():
        made = plans.certificate(plans.Broken(fault=fault), plans.PLANS, plans.VALUE, plans.VALUE)
        cases.append(_case(f"plans, {fault}", made, plans.Broken, reason, error.__name__))
    return cases


def _mixtures() -> list[Case]:
    def made(evidence: Any, low: Any, high: Any, **more: Any) -> Certificate:
        return plans.certificate(mixtures.pennies(), evidence, low, high, **{"notion": "secured", **more})

    cases = [_case("mixtures", made(mixtures.EVEN, 0, 0), AtOnceGraph, None)]
    for name, (evidence, low, high, reason) in mixtures.LIES.items():
        cases.append(_case(f"mixtures, {name}", made(evidence, low, high), AtOnceGraph, reason))
    random = made(mixtures.EVEN, 0, 0, fixed={"second": "random"})
    worst = made(mixtures.EVEN, 0, 0, fixed={"second": "worst"})
    induced = made(mixtures.Induction(), 0, 0, notion=None)
    cases += [
        _case("mixtures, one draws", random, AtOnceGraph, "nothing is proven about policies"),
        _case("mixtures, one side", worst, AtOnceGraph, "only mixtures of two rivals prove a value"),
        _case("mixtures, induction", induced, AtOnceGraph, "only mixtures of two rivals prove a value"),
    ]
    return cases


def _beliefs() -> list[Case]:
    value = Fraction(2, 3)
    cases = [
        _case("beliefs", beliefs.guessed(value), beliefs.Guess, None),
        _case("beliefs, two players", beliefs.guessed(value, count=2), beliefs.Guess, None),
        _case("beliefs, seen", beliefs.guessed(1, fault="open"), beliefs.Guess, None),
        _case("beliefs, brought by chance", beliefs.guessed(value + 2, fault="early"), beliefs.Guess, None),
        _case("beliefs, brought to one", beliefs.guessed(value, count=2, fault="gift"), beliefs.Guess, None),
        _case("beliefs, too much", beliefs.guessed(1), beliefs.Guess, "the value of player is not as claimed"),
    ]
    third, never = Fraction(1, 3), beliefs.Bounds(beliefs.Play((0,), (), (1,), (0,)), None)
    totals = beliefs.guessed(0, never, fault="again", count=2, utility="win")
    cases += [
        _case("beliefs, again", beliefs.guessed(third, beliefs.AGAIN, fault="again"), beliefs.Guess, None),
        _case("beliefs, again with totals", totals, beliefs.Guess, "totals depend on what is hidden"),
    ]
    for at in ("", "rock ? paper"):
        bag = es.prove(es.solve(beliefs.NaiveBag(), at))
        cases.append(_case(f"beliefs, outcomes are seen{', from there' * bool(at)}", bag, beliefs.NaiveBag, None))
    for position, amount in (("1", 1), ("2 3", 0), ("2 5", 0)):
        cases.append(_case(f"beliefs, after {position}", beliefs.later(position, amount), beliefs.Later, None))
    for name, (change, reason) in beliefs.REFUSED.items():
        cases.append(_case(f"beliefs, {name}", beliefs.guessed(value, **change), beliefs.Guess, reason))
    return cases
