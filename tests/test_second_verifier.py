"""Two verifiers, one written from the page about the format: they agree on every kind of certificate, true and changed.

python tests/test_second_verifier.py --count 5000 --seed 1
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from functools import cache
from itertools import product

import pytest

import endsight as es
import mutate_certificates
from amounts import times
from endsight import Certificate
from hidden_cases import hidden_cases
from hidden_games import Poker
from hidden_plans import Plain, Tree, random_behaviour, random_tree, starts_subgame
from second_verifier import accepts
from small_instances import Instance, some
from test_plan_certificates import PLANS, VALUE, certificate, plans_of
from test_proving_plans import proven
from verifier_cases import Broken, Case, by_hands

SEED = 1
CHANGES = times(250, 60)
MORE = (
    Instance("pots:4-9-2-7", options={"fixed": {"first": "bigger", "second": "smaller"}}),
    Instance("pots:2-7-4", options={"method": "graph", "utility": "lead"}),
    Instance("pots:4-9-2", options={"method": "graph", "objective": "cooperative", "utility": "win"}),
    Instance("pig:target=2", options={"fixed": {"second": "worst"}}),
    Instance("dodgem:size=2", options={"objective": "cooperative"}),
    Instance("hiddenpots:count=3,max=2", options={"objective": "cooperative"}),
    Instance("rps"),
    Instance("blotto:mine=2,yours=1", options={"utility": "lead"}),
    Instance("goofspiel:cards=2", options={"utility": "win"}),
    Instance("goofspiel:cards=3"),
    Instance("morra:fingers=2", options={"objective": "cooperative"}),
)
TOO_LARGE = 12
"""Nodes claimed from which on the second verifier takes too long."""


def first_accepts(text: str, rules: type[es.Game] | None = None) -> bool:
    try:
        es.verify(Certificate.from_text(text), rules)
    except es.EndsightError:
        return False
    return True


def agree(text: str, rules: type[es.Game] | None = None) -> bool:
    """Whether both say the same. Who does not know the theorem named may still find what it says."""
    mine, other = first_accepts(text, rules), accepts(text, rules)
    return mine == other or (other and json.loads(text)["evidence"]["kind"] == "theorem")


def is_small(text: str) -> bool:
    claimed = Certificate.from_text(text).evidence
    plays = [getattr(claimed, side, None) for side in ("at_least", "at_most")]
    return all(play is None or len(play.nodes) < TOO_LARGE for play in plays)


@cache
def texts() -> list[str]:
    """Certificates of every kind, all of small games."""
    more = [es.prove(instance.solution()).to_text() for instance in MORE]
    return [text for text in mutate_certificates.bases() + more if is_small(text)]


@cache
def plan_texts() -> list[tuple[str, type[es.Game]]]:
    """Certificates of plans, with their rules: of poker, and of random trees by random plans."""
    found: list[tuple[str, type[es.Game]]] = [(certificate(Poker(), PLANS, VALUE, VALUE).to_text(), Poker)]
    for seed in range(12):
        draw = random.Random(seed)
        game = random_tree(draw, depth=3)
        first, second = random_behaviour(draw), random_behaviour(draw)
        low, high = Plain(game).replied(1, first), Plain(game).replied(0, second)
        found.append((certificate(game, plans_of(game, first, second), low, high, total=1).to_text(), Tree))
        deeper = random_tree(draw, depth=4)
        moves = next((f"{one} {two}" for one, two in product((0, 1), (0, 1)) if _is_subgame(deeper, one, two)), None)
        found += [] if moves is None else [(proven(deeper, at=moves).to_text(), Tree)]
    return found


def _is_subgame(tree: Tree, one: int, two: int) -> bool:
    """Whether two moves of one player each lead to what starts a subgame."""
    edges = tree.edges[0]
    if one >= len(edges) or two >= len(tree.edges[edges[one]]) or -2 in (tree.movers[0], tree.movers[edges[one]]):
        return False
    return starts_subgame(tree, tree.edges[edges[one]][two])


def plan_differences(count: int, seed: int) -> list[str]:
    """Changed certificates of plans that the two verifiers do not agree on."""
    chance, found = random.Random(seed), []
    for _ in range(count):
        text, rules = chance.choice(plan_texts())
        change = chance.choice(mutate_certificates.CHANGES_OF_PLANS)
        after = mutate_certificates.changed(text, chance, change)[0]
        found += [] if agree(after, rules) else [after]
    return found


def differences(count: int, seed: int) -> list[str]:
    """Changed certificates that the two verifiers do not agree on."""
    chance = random.Random(seed)
    changed = (mutate_certificates.changed(chance.choice(texts()), chance)[0] for _ in range(count))
    return [text for text in changed if not agree(text)]


def test_every_kind_is_there() -> None:
    kinds = {json.loads(text)["evidence"]["kind"] for text in texts()}
    assert kinds == {"bounds", "induction", "theorem", "plans"}
    assert any(json.loads(text)["play"] for text in texts())


def test_both_accept_what_is_true() -> None:
    for text in texts():
        assert first_accepts(text), text[:300]
        assert accepts(text), text[:300]


HIDDEN = [case for case in hidden_cases() if not case.name.startswith("beliefs") and case.name != "plans, list"]
HANDS = [
    case for case in by_hands() + HIDDEN if not case.options and (case.game is None or isinstance(case.game, type))
]


@pytest.mark.parametrize("case", HANDS, ids=lambda case: case.name)
def test_both_agree_on_certificates_by_hand(case: Case) -> None:
    """Loops, chance, gains, ties, questions of all kinds, right and wrong."""
    if case.game is None or not issubclass(case.game, Broken):
        assert agree(case.certificate.to_text(), case.game)


@pytest.mark.slow
@pytest.mark.parametrize("instance", some(3), ids=str)
def test_both_accept_what_is_true_of_more_games(instance: Instance) -> None:
    text = es.prove(instance.solution()).to_text()
    if is_small(text) and len(text) < 3000:
        assert accepts(text)


@pytest.mark.parametrize("count", CHANGES)
def test_both_agree_on_changes(count: int) -> None:
    assert differences(count, SEED) == []


def test_both_accept_what_plans_prove() -> None:
    positions = [json.loads(text)["claim"]["position"] for text, _ in plan_texts()]
    assert sum(position != "" for position in positions) >= 3
    for text, rules in plan_texts():
        assert first_accepts(text, rules), text[:300]
        assert accepts(text, rules), text[:300]


@pytest.mark.parametrize("count", CHANGES)
def test_both_agree_on_changes_of_plans(count: int) -> None:
    assert plan_differences(count, SEED) == []


def main() -> int:
    parser = argparse.ArgumentParser(description="Change certificates, and hold two verifiers against each other.")
    parser.add_argument("--count", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    found = differences(given.count, given.seed)
    print(f"{given.count:,} changes, seed {given.seed}: {len(found)} differences")
    of_plans = plan_differences(given.count, given.seed)
    print(f"{given.count:,} changes of plans, seed {given.seed}: {len(of_plans)} differences")
    found += of_plans
    for text in found[:5]:
        print(text[:1000])
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
