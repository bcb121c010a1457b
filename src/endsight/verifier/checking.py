"""What evidence proves, and the verdict: rebuild the game, check the evidence, and compare the claim.

`docs/reference/certificate-format.md` proves each rule of inference. Functions raise `Wrong` where the evidence
proves nothing, or something other than the claim.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction
from math import prod
from operator import add, floordiv, mul
from pathlib import Path
from typing import Any, NamedTuple

import endsight.games as games
from endsight.base.faults import EndsightError, FileError, RulesError, Wrong
from endsight.base.printable import printable
from endsight.game import Game
from endsight.game.exact import Number, late
from endsight.verifier.certificate import Certificate, Ends, Play
from endsight.verifier.rules import blaming, rules_hash
from endsight.verifier.walk import EVERYBODY, LESS, MORE, NOBODY, Amounts, Edge, PlyWalk, Policies, Proven, Terms, Walk
from endsight.verifier.words import FIRST_BEST, SECURED


class Verdict(NamedTuple):
    """What a certificate proves, and a line for each check."""

    certificate: Certificate
    checked: tuple[str, ...]

    @property
    def claim(self) -> str:
        """The claim in words."""
        return str(late("proof.claim_text").describe(self.certificate))


def verify(
    certificate: Certificate | str | Path,
    game: Game | type[Game] | None = None,
    *,
    policies: Policies | None = None,
    seconds: float | None = None,
) -> Verdict:
    """Check a certificate, or the file of that name.

    `game` gives rules that are not built in, as a class or a game; `policies` maps a player's name to the
    `function(game, state) -> move` that the claim fixes. Raises `Wrong` where the claim is not proven, `FileError`
    where the certificate is damaged or about other rules, `RulesError` where the rules fail, and `LimitReached`
    after `seconds`.

    The clock is checked between two positions. To stop rules that never return or eat memory, use the options
    `--time` and `--memory` of the commands `endsight verify` and `python -m endsight.verifier`, which work in a
    separate process.
    """
    deadline = None if seconds is None else time.monotonic() + seconds
    if not isinstance(certificate, Certificate):
        certificate = Certificate.read(certificate)
    made, evidence = _game(certificate, game), certificate.evidence
    given = (made, certificate.claim, policies or {}, deadline)
    with blaming(RulesError, f"{certificate.game['class']}: the rules do not work", EndsightError):
        view = (late("verifier.beliefs").Beliefs if made.gives("sees") and evidence.kind != "plans" else Terms)(*given)
        proven = getattr(late(f"verifier.{PROOFS[evidence.kind]}"), f"by_{evidence.kind}")(view, evidence)
        _compare(view, proven)
        if any(part is not None for part in (certificate.play, view.claim.outcomes, view.claim.player)):
            proven.lines.append(by_play(Terms(*given, whole=True), certificate.play, proven.shown))
    about = f"the text of {printable(certificate.game['class'])} is the one that the claim is about"
    return Verdict(certificate, (about, *filter(None, [made.rests_on]), *proven.lines))


def _game(proof: Certificate, game: Game | type[Game] | None) -> Game:
    """The game of the certificate: built in, or from the rules that the user names."""
    about = proof.game
    if game is None:
        if about["own"] or about["class"] not in games.BUILT_IN.values():
            raise late("proof.refusals").own_rules(proof)
        game = getattr(games, about["class"])
    kind = game if isinstance(game, type) else type(game)
    if (kind.__name__, rules_hash(kind)) != (about["class"], about["rules"]):
        raise late("proof.refusals").other_rules(proof, kind.__name__, rules_hash(kind))
    with blaming(FileError, "the certificate's parameters make no game"):
        made = kind(**about["parameters"])
        real = (made if isinstance(game, type) else game).values()
    told = [_typed(sorted(own.items())) for own in (made.values(), real, about["parameters"])]
    if told != [told[0]] * 3:
        raise late("proof.refusals").other_parameters(proof, real)
    return made


def _typed(it: Any) -> Any:
    """The value with its types, as 1, True and Fraction(1) are equal and rules may tell them apart."""
    return [*map(_typed, it)] if isinstance(it, tuple | list) else (type(it), it)


def _compare(view: Terms, proven: Proven) -> None:
    """Raise `Wrong` unless the whole claim follows from what is proven and has the right notion."""
    claim = view.claim
    if list(claim.value) != list(view.names):
        raise Wrong("the claim does not name every player in order")
    if claim.notion != (meant := view.meant(proven.notion)):
        raise Wrong("the claim does not say what its values mean", found=f"{claim.notion}"[:60], allowed=f"{meant}")
    for name, (low, high) in claim.value.items():
        least, most = proven.value[name]
        is_low = low is None or (least is not None and low <= least)
        if not is_low or not (high is None or (most is not None and most <= high)):
            raise late("proof.refusals").other_value(name, proven.value[name], (low, high))
    if set(claim.value.values()) == {(None, None)}:
        raise Wrong("nothing is claimed about any player")
    # `value` claims less.
    if claim.category not in (found := view.category(claim.value), "value"):
        raise Wrong(f"the category is {found!r}, not {claim.category!r}")


# ---------------------------------------------------------------------- proofs

LONG_PLAY = 1 << 15
"""Plays with at least this many choices are walked through ply by ply, where that is enough."""


class Secured(NamedTuple):
    """What a play secures of what is still to come, times its side; `total` as in `Walk.common_sum`."""

    amount: Fraction
    walk: Walk
    total: Number | None


def walked(view: Terms, side: int, play: Play) -> Walk:
    """The walk along all choices of a play, none left over; a `PlyWalk` where the play is long and that is enough."""
    # Outcomes need moves shown to be best.
    is_long = len(play.choices) >= LONG_PLAY and view.claim.outcomes is None
    walks = (along(kind, view, side, play) for kind in ((PlyWalk, Walk) if is_long else (Walk,)))
    walk = next(walk for walk in walks if walk.is_whole)
    if len(walk.picked) < len(play.choices):
        raise Wrong("there are more choices than decisions")
    return walk


def along(kind: type[Walk], view: Terms, side: int, play: Play) -> Walk:
    """The walk along the choices of a play, as far as they reach."""
    choices = iter(play.choices)
    return kind(view, side, lambda *_: next(choices, -1))


# ---------------------------------------------------------------------- bounds


def secured(walk: Walk, play: Play) -> Secured:
    """What a walk along `play` secures; raises `Wrong` where the claimed bounds do not hold."""
    if not walk.dice and not walk.gains and not play.nodes:
        # The worst end that play can reach, or endless play.
        rounds = walk.rounds() if walk.order() is None else set()
        ends = list(map(walk.gained, walk.amounts.values()))
        return Secured(Fraction(min(ends + walk.endless(rounds))), walk, walk.common_sum(rounds))
    if (order := walk.order(play.nodes)) is None:
        raise Wrong("play can come back to a state without a claimed bound")
    scale = prod(base**power for base, power in play.scale)
    lows = _lows(walk, play, order, scale)
    rounds = walk.rounds() if play.nodes and not walk.ends() else set()
    if rounds:
        ways = (walk.drawn(node, edges) for node, edges in enumerate(walk.edges))
        level = [[way for way in each if _is_level(walk, lows, scale, n, way)] for n, each in enumerate(ways)]
        if walk.may_last(level, lambda node: lows[node] > scale * walk.endless([node])[0]):
            raise Wrong("play may never end, and the bounds claim too much for that")
    return Secured(Fraction(lows[0], scale), walk, walk.common_sum(rounds))


def _lows(walk: Walk, play: Play, order: list[int], scale: int) -> list[Number]:
    """The bound of every node, over the scale; rounded down where the play has one."""
    divided: Any = floordiv if play.scale else Fraction
    claimed = {n: walk.side * value for n, value in zip(play.nodes, play.values, strict=True)}
    lows: list[Number] = [claimed.get(node, 0) for node in range(len(walk))]
    for node in reversed(order):
        edges = walk.edges[node]
        ahead = [lows[child] + (divided(scale * walk.gained(gain), 1) if gain else 0) for child, gain in edges]
        if not edges:
            low = divided(scale * walk.gained(walk.amounts[node]), 1)
        elif weights := walk.dice.get(node):
            walk.view.look_at_clock()
            low = min(divided(sum(map(mul, weights, drawn)), sum(weights)) for drawn in walk.drawn(node, ahead))
        else:
            low = min(ahead)
        if low < claimed.get(node, low):
            raise Wrong(f"the bound claimed for state {node} does not hold for the moves from there")
        lows[node] = claimed.get(node, low)
    return lows


def _is_level(walk: Walk, lows: list[Number], scale: int, node: int, way: list[Edge]) -> bool:
    """Whether the bound of a node equals the mean that a way on from there keeps."""
    weights = walk.dice.get(node, (1,))
    ahead = [lows[child] + scale * walk.gained(gain) for child, gain in way]
    return bool(sum(map(mul, weights, ahead)) == lows[node] * sum(weights))


def enclosed(view: Terms, least: Secured | None, most: Secured | None) -> tuple[dict[str, Ends], str | None]:
    """Proven bounds of the value of the whole game for every player, and their notion."""
    carried, own = view.carried(), view.subject
    found = [proof for proof in (least, most) if proof is not None]
    low = None if least is None else Fraction(carried[own] + least.amount)
    high = None if most is None else Fraction(carried[own] - most.amount)
    ends: dict[str, Ends] = dict.fromkeys(view.names, (None, None)) | {view.names[own]: (low, high)}
    totals = {proof.total for proof in found}
    total = totals.pop() if view.players == 2 and len(totals) == 1 else None
    # Where a walk leaves out no move, it has reached all ends of the game.
    is_whole = any(not proof.walk.best for proof in found)
    are_rivals = view.interests in ([(0, 1), (1, 1)], [(0, -1), (1, -1)]) and not view.policies and not view.random
    if total is not None and (is_whole or are_rivals):
        rest = Fraction(total + sum(carried))
        ends[view.names[1 - own]] = (None if high is None else rest - high, None if low is None else rest - low)
        return ends, None if is_whole else SECURED
    if view.opposed:
        raise Wrong("the two players' payoffs need not have the same sum at all ends, so bounds prove no value")
    return ends, None


def by_bounds(view: Terms, evidence: Any) -> Proven:
    """A play for each side; the walks show best moves where the bounds of the two sides meet.

    They are about the only player with a claim, else about the first.
    """
    told = [player for player, name in enumerate(view.names) if view.claim.value.get(name) != (None, None)]
    view.subject = told[0] if len(told) == 1 else 0
    plays = ((MORE, evidence.at_least), (LESS, evidence.at_most))
    found = [None if play is None else secured(walked(view, side, play), play) for side, play in plays]
    ends, notion = enclosed(view, *found)
    walks = [one.walk for one in found if one is not None]
    lines = [f"{'at least' if walk.side == MORE else 'at most'}: {walk.line()}, an inequality each" for walk in walks]
    low, high = ends[view.names[view.subject]]
    return Proven(ends, notion, lines, walks if low == high else [])


# ---------------------------------------------------------------------- induction


def by_induction(view: Terms, _: Any) -> Proven:
    """Backward induction over all states; the walk shows all best moves."""
    walk = along(Walk, view, NOBODY, Play(()))
    return Proven(*induced(walk), [f"backward induction: {walk.line()}"], [walk])


def induced(walk: Walk) -> tuple[dict[str, Ends], str | None]:
    """Values of all players over all states, and the tie rule that they rest on (None for none)."""
    if (order := walk.order()) is None:
        raise Wrong("play can come back to a state, so there is no backward induction")
    view = walk.view
    values: list[Amounts] = [()] * len(walk)
    is_settled, is_even = True, True
    for node in reversed(order):
        edges = walk.edges[node]
        ahead = [tuple(map(add, values[child], gain or (0,) * view.players)) for child, gain in edges]
        if not edges:
            values[node] = walk.amounts[node]
        elif weights := walk.dice.get(node):
            columns = zip(*ahead, strict=True)
            values[node] = tuple(Fraction(sum(map(mul, weights, column)), sum(weights)) for column in columns)
        else:
            target, sign = view.interests[walk.nodes[node][1]]
            values[node] = max(ahead, key=lambda value: sign * value[target])
            walk.best[node] = {number for number, value in enumerate(ahead) if value == values[node]}
            is_settled &= len(ahead) == 1
            is_even &= len({sum(value) for value in ahead}) == 1
    whole = map(Fraction, map(add, values[0], view.carried()))
    needs_none = view.players == 1 or is_settled or (is_even and view.players == 2)
    return {name: (own, own) for name, own in zip(view.names, whole, strict=True)}, None if needs_none else FIRST_BEST


PROOFS = {"bounds": "checking", "induction": "checking", "theorem": "theorems", "plans": "plans"}
"""The module whose function `by_KIND` turns a kind of evidence into bounds; it is loaded only when needed."""


# ---------------------------------------------------------------------- distributions


def unshown(walk: Walk, shown: Sequence[Walk]) -> int | None:
    """The first state of a play at which the walks of the evidence do not show its move to be best."""
    for node, chosen in walk.best.items():
        places = [(one, one.numbers.get(one.view.node(*walk.nodes[node]), -1)) for one in shown]
        if not any(chosen <= one.best.get(place, set()) for one, place in places):
            return node
    return None


def by_play(view: Terms, play: Play | None, shown: Sequence[Walk]) -> str:
    """Check a distribution: every move is `shown` to be best, and the chances of all amounts follow going forwards."""
    claim = view.claim
    if claim.outcomes is None or claim.player not in view.names or play is None:
        raise Wrong("a distribution needs a player, outcomes and a play, and a play is only for a distribution")
    walk = walked(view, EVERYBODY, play)
    if (node := unshown(walk, shown)) is not None:
        raise Wrong(f"the move that the play names in its state {node} is not shown to be best")
    order = walk.order(play.nodes)
    if order is None or not walk.ends():
        raise Wrong("the play may never end, or returns to a state whose visits are not claimed")
    player = view.names.index(claim.player)
    arriving: list[Any] = [Fraction(node == 0) for node in range(len(walk))]
    scale = prod(base**power for base, power in play.scale)
    claimed = {node: Fraction(value, scale) for node, value in zip(play.nodes, play.values, strict=True)}
    found = dict[Number, Fraction]()
    for node in order:
        weights = walk.dice.get(node, [1])
        mass = claimed.get(node, arriving[node]) / sum(weights)
        for child, weight in zip(walk.after(node), weights, strict=False):
            arriving[child] += mass * weight
        if node in walk.amounts:
            amount = walk.amounts[node][player]
            found[amount] = found.get(amount, Fraction(0)) + mass
    if any(arriving[node] != visits for node, visits in claimed.items()):
        raise Wrong("the claimed visits do not agree with the ways that lead there")
    if tuple(sorted(found.items())) != claim.outcomes:
        raise Wrong("the outcomes differ from those claimed")
    return f"play: {walk.line()}, each shown to be best; {len(found):,} amounts"
