"""A forger: it looks for certificates of false claims that the verifier accepts, and must find none.

    python tests/forger.py --class both --count 100000 --seed 1

It starts from true certificates of small random games, makes the claim say something else,
and then changes evidence and claim step by step, keeping what takes the verifier further
(hill climbing on how far checking came). What is accepted in the end is held against the
oracle of `naive.py`; a claim that is false there is a fault of the verifier, and printed.
`--class all` takes one class after the other; `--list` names them.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import prod
from typing import Any

import at_once
import endsight as es
import fuzz_beliefs
import fuzz_judgement
import prove_games
import stochastic
from endsight import CHANCE, Certificate
from endsight.verifier import checking
from endsight.verifier.beliefs import Beliefs
from endsight.verifier.certificate import Bounds, Claim, Induction, Plan, Plans, Play, Witness
from endsight.verifier.walk import LESS, MORE, Walk
from endsight.verifier.words import FIRST_BEST, SECURED
from hidden_plans import BeliefOracle, HiddenOracle, Tree, random_tree
from naive import Enumeration, Oracle, Recursion, Sweeps
from strategies import GraphGame, MoverGraph, MoverRewards
from test_proving_plans import proven

STEPS = 40
"""Changes of one forgery after which a new one is begun."""
AMOUNTS = (-2, -1, 0, 1, 1, 2, 5, Fraction(1, 2))
STAGES = (
    "plans need two rivals without fixed policies",
    "plans are for positions after moves from the start",
    "the position starts no subgame",
    "players need not see everything",
    "where players move at once",
    "where something is hidden",
    "players see different",
    "players cannot distinguish",
    "players do not see",
    "there are more choices than decisions",
    "a mixture has weights",
    "a plan's masses at information set",
    "a plan has more masses",
    "a choice is missing",
    "something is claimed about state",
    "play can come back to a state",
    "the bound claimed",
    "play may never end, and",
    "bounds prove nothing",
    "the theorem does not prove",
    "the two players' payoffs need not",
    "the claim does not name",
    "the claim does not say",
    "the value of",
    "nothing is claimed",
    "the category is",
    "a distribution needs",
    "the move that the play names",
    "the play may never end",
    "the claimed visits",
    "the outcomes differ",
)
"""How the verifier's refusals begin, in the order in which it comes to them."""


@dataclass(frozen=True)
class Start:
    """A true certificate, the game's class for the verifier, and what makes its oracles."""

    certificate: Certificate
    kind: type[es.Game] | None
    game: es.Game
    oracle: type[Oracle]


class _Against(Recursion):
    """What one player can secure: everybody else wants that player to get less."""

    for_player = 0

    def interest(self, mover: int, value: tuple[Any, ...]) -> Any:
        return value[self.for_player] if mover == self.for_player else -value[self.for_player]


# ---------------------------------------------------------------------- games with true certificates


def _loop_free(draw: random.Random, seats: int) -> es.Game:
    """Up to seven nodes, payoffs of any sums, perhaps chance and rewards."""
    nodes = draw.randint(2, 7)
    edges = tuple(
        tuple(draw.randrange(node + 1, nodes) for _ in range(draw.randint(0 if node else 1, 2)))
        if node + 1 < nodes
        else ()
        for node in range(nodes)
    )
    is_constant = draw.random() < 0.4

    def share() -> tuple[Any, ...]:
        amounts = draw.choices(AMOUNTS, k=seats)
        return (amounts[0], 1 - amounts[0]) if is_constant and seats == 2 else tuple(amounts)

    least = CHANCE if draw.random() < 0.5 else 0
    movers = tuple(draw.randint(least, seats - 1) for _ in edges)
    weights = tuple(tuple(draw.randint(1, 3) for _ in children) for children in edges)
    payoffs = tuple(share() for _ in edges)
    if draw.random() < 0.6:
        return MoverGraph(edges, payoffs, seats, movers, weights)
    gains = tuple(tuple((0,) * seats if is_constant else share() for _ in children) for children in edges)
    return MoverRewards(edges, payoffs, seats, movers, weights, gains)


def _won(draw: random.Random) -> es.Game:
    """Players alternate; won, drawn or lost, perhaps with one payoff of 5; loops."""
    nodes = draw.randint(2, 7)
    amounts = (1, 0, -1, -1, 1, 5) if draw.random() < 0.3 else (1, 0, -1)
    edges = tuple(
        tuple(draw.randrange(nodes) for _ in range(draw.randint(1, 2))) if not node or draw.random() < 0.6 else ()
        for node in range(nodes)
    )
    return GraphGame(edges, tuple(draw.choices(amounts, k=nodes)))


def _random_game(draw: random.Random) -> tuple[es.Game, type[Oracle]]:
    kind = draw.randrange(4)
    if kind == 0:
        return _won(draw), Sweeps
    if kind == 1:
        return stochastic.random_game(draw.randrange(1 << 30), stopping=draw.random() < 0.5), Enumeration
    return _loop_free(draw, draw.choice((1, 2, 2, 2))), Recursion


def _start(
    game: es.Game, oracle: type[Oracle], distribution: bool = False, at: str = "", **options: Any
) -> Start | None:
    """The game with its certificate; None where it has none."""
    try:
        solution = es.solve(game, game.position(at), engine="plain", **options)
        name = game.player_names[0] if distribution else None
        made = es.prove(solution, distribution=name)
    except es.EndsightError:
        return None
    return Start(made, None if game.title() in es.games.BUILT_IN else type(game), game, oracle)


def _starts(draw: random.Random, name: str) -> Iterator[Start]:
    """True certificates for a class of claims, without end."""
    while True:
        if name in BUILT_IN:
            game, options = BUILT_IN[name](draw)
            found = _start(game, Recursion, method="theorem", **options)
        elif name == "unchecked":
            game, options = _unchecked(draw)
            found = _start(game, Recursion, method="theorem", **options)
        elif name == "category":
            found = _start(_won(draw), Sweeps)
        elif name == "intervals":
            found = _start(stochastic.random_game(draw.randrange(1 << 30), stopping=draw.random() < 0.5), Enumeration)
        elif name == "subject":
            question = prove_games._one_decides(draw)
            found = None if question.options else _start(question.game, question.oracle)
            found = found if found and found.certificate.claim.value[found.game.player_names[0]] == NOTHING else None
        elif name in KEPT_GOING:
            game = KEPT_GOING[name](draw)
            oracle = fuzz_judgement.oracle_of(game, {})
            right = "unknown" if oracle is None else fuzz_judgement.truth(oracle)
            is_known = isinstance(right, tuple) and None not in right
            found = _start(game, type(oracle)) if oracle is not None and is_known else None
        elif name == "mixtures":
            found = _start(at_once.random_game(draw), at_once.Naive)
        elif name == "beliefs":
            found = _believed(draw)
        elif name == "plans":
            tree = random_tree(draw, depth=3)
            found = Start(proven(tree), Tree, tree, HiddenOracle)
        elif name == "subgames":
            found = _subgame(draw)
        elif name == "known":
            game = fuzz_beliefs.random_game(draw)
            found = _start(game, BeliefOracle, at=_place(draw, game))
        elif name == "induction":
            found = _start(_loop_free(draw, draw.randint(2, 3)), Recursion)
        elif name == "distribution":
            game, oracle = _random_game(draw)
            if oracle is Enumeration and game.gives("reward"):  # whose nodes forget what was gained
                continue
            found = _start(game, oracle, distribution=True)
        else:
            found = _start(*_random_game(draw))
        if found is not None and isinstance(found.certificate.evidence, EVIDENCE[name]):
            yield found


def _place(draw: random.Random, game: es.Game) -> str:
    """Some moves from the start on, at least one where there are any."""
    place = game.position()
    for _ in range(draw.randint(1, 4)):
        if not place.is_over:
            place = place.play(draw.choice(list(place.moves())))
    return place.text


def _subgame(draw: random.Random) -> Start | None:
    """A tree with plans for what comes after moves; None where that is no subgame."""
    tree = random_tree(draw, depth=4)
    try:
        return Start(proven(tree, at=_place(draw, tree)), Tree, tree, HiddenOracle)
    except es.QuestionError:
        return None


def _believed(draw: random.Random) -> Start | None:
    """A game in which all see the same, by induction, or with any choices in the place of that."""
    game = fuzz_beliefs.random_game(draw)
    found = _start(game, BeliefOracle)
    if found is None or draw.random() < 0.3:
        return found
    view = Beliefs(game, found.certificate.claim, {})
    sides = (MORE, LESS) if game.player_count == 2 else (MORE, MORE)
    walks = [Walk(view, side, lambda _walk, _node, moves: draw.randrange(len(moves))) for side in sides]
    least, most = (Play(tuple(walk.picked)) for walk in walks)
    made = Bounds(least, most if game.player_count == 2 else Play(()))
    return replace(found, certificate=replace(found.certificate, evidence=made))


def _pots(draw: random.Random) -> list[int]:
    return [draw.randint(-2, 9) for _ in range(draw.randint(0, 5))]


def _asking(draw: random.Random) -> dict[str, Any]:
    return {"utility": draw.choice(("payoff", "win", "lead"))}


def _bag(draw: random.Random) -> es.Game:
    dice = [tuple(draw.choice((0, 1, 2)) for _ in range(3)) for _ in range(draw.randint(1, 3))]
    return es.games.RpsBag([die if any(die) else (1, 0, 0) for die in dice])


def _cards(draw: random.Random) -> es.Game:
    count = draw.randint(1, 4)
    deck = draw.sample(range(1, 2 * count + 1), 2 * count)
    return es.games.HighCard(hand=deck[:count], rival=[card if draw.random() < 0.5 else None for card in deck[count:]])


def _nim(draw: random.Random) -> es.Game:
    return es.games.Nim(heaps=[draw.randint(0, 3) for _ in range(draw.randint(1, 3))], misere=draw.random() < 0.5)


BUILT_IN: dict[str, Callable[[random.Random], tuple[es.Game, dict[str, Any]]]] = {
    "dominoes_openings": lambda draw: (es.games.Dominoes(n=draw.randint(1, 3)), {}),
    "even_kernel": lambda draw: (es.games.Dominoes(n=3), {"at": draw.choice(("0-0", "0-1", "0-1 1-2", "0-1 1-1"))}),
    "nim_sum": lambda draw: (_nim(draw), {}),
    "smallest_sufficient": lambda draw: (_cards(draw), {}),
    "stack_reduction": lambda draw: (es.games.Pots(_pots(draw)), _asking(draw)),
}


def _unchecked(draw: random.Random) -> tuple[es.Game, dict[str, Any]]:
    """A game whose theorem the verifier does not know, so that its states are the proof."""
    kind = draw.randrange(5)
    if kind == 0:
        return es.games.HiddenPots(count=draw.randint(1, 3), max=draw.randint(1, 3)), _asking(draw)
    if kind == 1:
        return es.games.Pots(_pots(draw)), {"objective": "cooperative", **_asking(draw)}
    if kind == 2:
        rules = draw.choice(("bigger", "smaller")), draw.choice(("bigger", "smaller"))
        return es.games.Pots(_pots(draw)), {"fixed": dict(zip(("first", "second"), rules, strict=True))}
    if kind == 3:
        return _bag(draw), {}
    return es.games.RepeatBust(sides=draw.randint(2, 3), dice=1), {}


KEPT_GOING: dict[str, Callable[[random.Random], es.Game]] = {
    "waiting": fuzz_judgement.waiting_game,
    "costs": fuzz_judgement.costly_game,
    "hills": fuzz_judgement.hilly_game,
}
"""Games in which play can go on for ever, which pays, or costs one side something on the way, or all in all."""

NOTHING = (None, None)
PROOFS = ("at_least", "at_most", "both", "subject", "category", "intervals", "induction", "distribution", "unchecked")
PROOFS += (*KEPT_GOING, "mixtures", "plans", "beliefs", "subgames", "known")
EVIDENCE: dict[str, Any] = dict.fromkeys(BUILT_IN, Witness) | dict.fromkeys(PROOFS, Bounds)
EVIDENCE |= {
    "plans": Plans,
    "subgames": Plans,
    "known": Induction,
    "induction": Induction,
    "distribution": (Bounds, Induction),
    "unchecked": (Bounds, Induction),
}
CLASSES = (*PROOFS, *BUILT_IN)


# ---------------------------------------------------------------------- forgeries


def _number(draw: random.Random, number: Fraction | None) -> Fraction:
    base = number or Fraction(0)
    more = draw.choice((1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2), Fraction(1, 3), Fraction(1, base.denominator)))
    return base + more


def _claimed(draw: random.Random, claim: Claim, start: Start) -> Claim:
    """The claim with one change; the question changes only where the oracle can answer all of them."""
    oracle = start.oracle
    if oracle in (HiddenOracle, BeliefOracle) and draw.random() < 0.2:
        return replace(claim, position=_place(draw, start.game))
    kinds = (0, 1, 2, 3, 4, 5, 6, 7, 8) if oracle is Recursion else (0, 1, 2, 6, 7)
    kind = draw.choice((*kinds, 4) if oracle is HiddenOracle else kinds)
    if kind == 0:
        return replace(claim, category=draw.choice(("win", "draw", "loss", "value")))
    if kind == 1:
        return replace(claim, notion=draw.choice((None, SECURED, FIRST_BEST)))
    if kind == 2 and claim.outcomes:
        rows = dict(claim.outcomes)
        amount, chance = draw.choice(claim.outcomes)
        rows[draw.choice(claim.outcomes)[0]] = draw.choice((chance, chance / 2, 1 - chance))
        rows[amount + draw.choice((0, 0, 1))] = chance
        return replace(claim, outcomes=tuple(sorted(rows.items())))
    if kind == 3:
        return replace(claim, objective=draw.choice(("competitive", "competitive", "cooperative")))
    if kind == 4:
        return replace(claim, utility=draw.choice(("payoff", "payoff", "win", "lead")))
    if kind == 5:
        names = list(claim.value)
        rule = draw.choice((None, None, "random", "worst"))
        return replace(claim, fixed={} if rule is None else {draw.choice(names): rule})
    name = draw.choice(list(claim.value))
    low, high = claim.value[name]
    end = _number(draw, draw.choice((low, high)))
    ends = draw.choice(((end, end), (end, None), (None, end), (low, None), (None, high), (None, None)))
    return replace(claim, value={**claim.value, name: ends})


def _false_value(draw: random.Random, claim: Claim, name: str) -> Claim:
    """The claim with the numbers shifted, of two players in opposite directions, in the form of its class."""
    shift = _number(draw, None)
    value = {}
    for player, (own, (low, high)) in enumerate(claim.value.items()):
        by = shift if player == 0 else -shift
        ends = (None if low is None else low + by, None if high is None else high + by)
        if name in ("at_least", "at_most"):
            ends = (ends[0], None) if (name == "at_least") == (player == 0) else (None, ends[1])
        value[own] = ends
    return replace(claim, value=value)


def _played(draw: random.Random, play: Play) -> Play:
    """The play with one change."""
    kind = draw.randrange(6)
    choices = list(play.choices)
    if kind <= 2:
        if choices and draw.random() < 0.7:
            choices[draw.randrange(len(choices))] = draw.randrange(3)
        elif choices and draw.random() < 0.5:
            del choices[draw.randrange(len(choices))]
        else:
            choices.insert(draw.randint(0, len(choices)), draw.randrange(2))
        return replace(play, choices=tuple(choices))
    claimed = dict(zip(play.nodes, play.values, strict=True))
    scale = prod(base**power for base, power in play.scale)
    if kind == 3:
        claimed[draw.randrange(6)] = draw.randint(-3, 8) * draw.choice((1, scale))
    elif kind == 4 and claimed:
        node = draw.choice(list(claimed))
        claimed[node] += draw.choice((1, -1, scale, -scale))
    elif claimed and draw.random() < 0.5:
        del claimed[draw.choice(list(claimed))]
    else:
        return replace(play, scale=draw.choice(((), ((2, 1),), ((2, 2), (3, 1)), ((7, 1),), play.scale)))
    return replace(play, nodes=tuple(sorted(claimed)), values=tuple(claimed[node] for node in sorted(claimed)))


def _planned(draw: random.Random, plan: Plan) -> Plan:
    """The plan with one change: of one mass, between two, of their order or number, or of all and the total."""
    masses, kind = list(plan.masses), draw.randrange(8)
    if kind == 0 or len(masses) < 2:
        return replace(plan, total=max(1, draw.choice((plan.total + 1, plan.total - 1, 2 * plan.total))))
    if kind == 1:
        factor = draw.choice((2, 3))
        return Plan(plan.total * factor, tuple(factor * mass for mass in masses))
    place, other = draw.sample(range(len(masses)), 2)
    other = draw.choice((other, max(0, place - 1), min(place + 1, len(masses) - 1)))
    if kind == 2:
        masses[place] += draw.choice((1, -1))
    elif kind <= 5:
        by = draw.choice((1, masses[place], -1))
        masses[place], masses[other] = masses[place] - by, masses[other] + by
    elif kind == 6:
        masses[place], masses[other] = masses[other], masses[place]
    elif draw.random() < 0.5:
        del masses[place]
    else:
        masses.insert(place, draw.choice((0, masses[other])))
    return replace(plan, masses=tuple(masses))


def _witnessed(draw: random.Random, value: Any) -> Any:
    """A part of a witness with a change somewhere inside."""
    if isinstance(value, dict) and value:
        key = draw.choice(list(value))
        return {**value, key: _witnessed(draw, value[key])}
    if isinstance(value, list | tuple) and value:
        place = draw.randrange(len(value))
        changed = [*value[:place], _witnessed(draw, value[place]), *value[place + 1 :]]
        return draw.choice((changed, [*value[:place], *value[place + 1 :]], [*value, value[place]]))
    return draw.randint(0, 9) if isinstance(value, int) else value


def _changed(draw: random.Random, certificate: Certificate, start: Start) -> Certificate:
    """The certificate with one change of claim or evidence."""
    evidence = certificate.evidence
    if draw.random() < 0.35:
        return replace(certificate, claim=_claimed(draw, certificate.claim, start))
    if certificate.play is not None and draw.random() < 0.5:
        return replace(certificate, play=_played(draw, certificate.play))
    if isinstance(evidence, Witness):
        return replace(certificate, evidence=replace(evidence, witness=_witnessed(draw, dict(evidence.witness))))
    if isinstance(evidence, Induction):
        return replace(certificate, claim=_claimed(draw, certificate.claim, start))
    if isinstance(evidence, Plans):
        own = draw.choice(("first", "second"))
        changed = replace(evidence, **{own: _planned(draw, getattr(evidence, own))})
        exchanged = replace(evidence, first=evidence.second, second=evidence.first)
        return replace(certificate, evidence=exchanged if draw.random() < 0.05 else changed)
    side = draw.choice(("at_least", "at_most"))
    play = getattr(evidence, side)
    swapped = draw.random() < 0.05
    made = Play(()) if play is None else None if swapped else _played(draw, play)
    changed = replace(evidence, **{side: made})
    return certificate if changed == Bounds(None, None) else replace(certificate, evidence=changed)


def _begun(draw: random.Random, start: Start, name: str) -> Certificate:
    """A forgery that claims something else, on evidence of its class."""
    made = replace(start.certificate, claim=_false_value(draw, start.certificate.claim, name))
    evidence = made.evidence
    if isinstance(evidence, Bounds) and name == "at_least":
        made = replace(made, evidence=Bounds(evidence.at_least or Play(()), None))
    if isinstance(evidence, Bounds) and name == "at_most":
        made = replace(made, evidence=Bounds(None, evidence.at_most or Play(())))
    claim = start.certificate.claim
    if name == "category":  # the value stays, and what is said beside it goes wrong
        others = {"win", "draw", "loss"} - {claim.category}
        made = replace(made, claim=replace(claim, category=draw.choice(sorted(others))))
    if name == "distribution" and made.play is not None:
        made = replace(made, claim=claim, play=_played(draw, made.play))
    return made


def _progress(start: Start, certificate: Certificate) -> float:
    """How far checking came: the stage of the refusal, and how near the numbers are; -1 unreadable, 100 accepted."""
    try:
        es.verify(certificate, start.kind)
    except es.Wrong as error:
        for stage, beginning in enumerate(STAGES):
            if error.message.startswith(beginning):
                number = re.search("state ([0-9]+)", error.message)
                told = re.search("information set ([0-9]+)", error.message)
                # States are checked from the ends backwards, so that a low number is far on the way; sets are not.
                far = 0 if number is None else 1 / (2 + int(number[1]))
                return stage + (far if told is None else 1 - 1 / (2 + int(told[1])))
        raise AssertionError(f"a refusal without a stage: {error.message}") from None
    except (es.FileError, es.RulesError, es.QuestionError):
        return -1
    return 100


# ---------------------------------------------------------------------- the truth


def _oracle(start: Start, claim: Claim, kind: type[Oracle]) -> Oracle:
    names = start.game.player_names
    fixed = {names.index(name): _policy(start.game, rule) for name, rule in claim.fixed.items()}
    return kind(start.game, claim.objective, claim.utility, fixed)


def _policy(game: es.Game, rule: Any) -> Any:
    return rule if rule in ("random", "worst") else getattr(game, f"policy_{rule}")


def _values(start: Start, claim: Claim) -> tuple[Any, ...]:
    """What is true of every player, in the meaning that the claim names."""
    if claim.notion == SECURED and start.oracle is Recursion:
        return tuple(_secured(start, claim, player) for player in range(start.game.player_count))
    return _oracle(start, claim, start.oracle).value(start.game.position(claim.position))


def _secured(start: Start, claim: Claim, player: int) -> Any:
    oracle = _oracle(start, claim, _Against)
    oracle.for_player = player  # type: ignore[attr-defined]
    return oracle.value(start.game.position(claim.position))[player]


def is_true(start: Start, certificate: Certificate) -> bool:
    """Whether all that is claimed holds, by the oracle."""
    claim = certificate.claim
    values = _values(start, claim)
    for (low, high), value in zip(claim.value.values(), values, strict=True):
        if value is None and (low, high) != NOTHING:
            return False
        if (low is not None and low > value) or (high is not None and high < value):
            return False
    mover = start.game.position(claim.position).mover
    if claim.category != "value":
        draw = _oracle(start, claim, start.oracle).worth((0,) * len(values))[mover]
        told = "win" if values[mover] > draw else "loss" if values[mover] < draw else "draw"
        if told != claim.category:
            return False
    return certificate.play is None or _is_best(start, certificate, certificate.play)


def _is_best(start: Start, certificate: Certificate, play: Play) -> bool:
    """Whether every choice of the play is best, and the play brings the outcomes that are claimed."""
    claim = certificate.claim
    judge = _oracle(start, claim, start.oracle)
    root = judge.root()
    choices, chosen, waiting = iter(play.choices), dict[Any, Any](), [root]
    for node in waiting:
        moves = judge.options(node)
        ways = judge.chances(node)
        if moves and ways is None:
            move = moves[next(choices)] if len(moves) > 1 else moves[0]
            if claim.notion == SECURED and start.oracle is Recursion and len(moves) > 1:
                judged = _oracle(start, claim, _Against)
                judged.for_player = node[1]  # type: ignore[attr-defined]
            else:
                judged = judge
            if judged.interest(node[1], judged.through(node, move)) != judged.interest(node[1], judged.value_of(node)):
                return False
            ways = [(move, Fraction(1))]
        chosen[node] = [(chance, judge.after(node, move)) for move, chance in (ways or []) if moves]
        waiting += [child for child in dict.fromkeys(child for _, child in chosen[node]) if child not in waiting]
    return _is_distributed(judge, claim, chosen, root)


def _is_distributed(judge: Oracle, claim: Claim, chosen: Mapping[Any, Any], root: Any) -> bool:
    """Whether the chain brings the player these outcomes: every amount by pushing chances on, to 1 in 10^9."""
    player = judge.game.player_names.index(claim.player)  # type: ignore[arg-type]
    mass, found = {root: 1.0}, Counter[Any]()
    for _ in range(20_000):
        ahead: dict[Any, float] = {}
        for node, share in mass.items():
            if not chosen[node]:
                found[judge.worth(judge.final(node))[player]] += share  # type: ignore[assignment]
            for chance, child in chosen[node]:
                ahead[child] = ahead.get(child, 0.0) + share * float(chance)
        mass = ahead
        if sum(mass.values()) < 1e-9:
            break
    told = dict(claim.outcomes or ())
    return all(abs(found[amount] - float(told.get(amount, 0))) < 1e-6 for amount in {*found, *told})


# ---------------------------------------------------------------------- runs


def forged(name: str, count: int, seed: int) -> tuple[Counter[str], list[str]]:
    """What became of so many tries: how far they came, and the false claims that were accepted."""
    draw = random.Random(f"{name} {seed}")
    pool: list[Start] = []
    starts = _starts(draw, name)
    counts, false = Counter[str](), []
    tries = 0
    while tries < count:
        if len(pool) < min(300, 5 + count // 50):
            pool.append(next(starts))
        start = draw.choice(pool)
        made = _begun(draw, start, name)
        best = -2.0
        for _ in range(STEPS):
            changed = made if best == -2 else _changed(draw, made, start)
            if best == -2 or changed != made:
                best, tries = max(best, -1), tries + 1
                reached = _progress(start, changed)
                if reached == 100 and not is_true(start, changed):
                    counts["FALSE CLAIM"] += 1
                    false.append(f"{start.game!r}: {changed!r} {changed.claim} {changed.evidence} {changed.play}")
                    break
                counts["accepted and true" if reached == 100 else "refused"] += 1
                if best <= reached < 100:
                    made, best = changed, reached
            if tries >= count:
                break
    return counts, false


@cache
def _names() -> str:
    return ", ".join(CLASSES)


def main() -> int:
    checking.rules_hash = cache(checking.rules_hash)  # type: ignore[assignment]  # rules stay as they are meanwhile
    parser = argparse.ArgumentParser(description="Look for certificates of false claims that are accepted.")
    parser.add_argument("--class", dest="name", default="all", choices=[*CLASSES, "all"])
    parser.add_argument("--count", type=int, default=100_000, help="tries for each class")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true", help="name the classes")
    given = parser.parse_args()
    if given.list:
        print(_names())
        return 0
    faults = 0
    for name in CLASSES if given.name == "all" else (given.name,):
        counts, false = forged(name, given.count, given.seed)
        told = ", ".join(f"{number:,} {what}" for what, number in counts.most_common())
        print(f"{name}: {given.count:,} tries, seed {given.seed}: {told}", flush=True)
        faults += len(false)
        for line in false[:5]:
            print("  " + line)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
