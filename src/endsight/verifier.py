"""Checks a certificate against the rules of its game, and trusts nothing else.

Standard library only, nothing of solver, theorems or compiler: states are enumerated
again from the rules in plain Python. Why that is enough is said in `docs/theory/md`.

A *bound* follows a play's choices for the movers who want more of the first player's amount
(`at_least`), or less (`at_most`), and all moves of everybody else. *Induction* needs no
choices. A *theorem* has its checker in `endsight.checkers`. A *distribution* follows a play.

`python -m endsight.verifier FILE [file.py:Class]`: exit code 0 the claim is proven,
4 it is not, 3 certificate or rules cannot be read.
"""

from __future__ import annotations

import importlib
import importlib.util
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import add, mul
from pathlib import Path
from typing import Any

from endsight.certificate import Certificate, describe
from endsight.checkers import Asked, Refuted, settle
from endsight.claim_words import ends_text, verdict_document, verdict_text
from endsight.claims import Bounds, Claim, Ends, Induction, Play, Witness
from endsight.errors import EndsightError, FileError, LimitReached, RulesError, UsageError, Wrong
from endsight.game import CHANCE, Game, Position, absolute, moves_of
from endsight.games import BUILT_IN
from endsight.numbers import Number, simplest
from endsight.rules_text import policy_entry, rules_hash

__all__ = ["Verdict", "verify"]

Amounts = tuple[Number, ...]
Pick = Callable[["Walk", Any, list[Any]], int]
PolicyFunction = Callable[[Game, Any], Any]

MORE, LESS, EVERYBODY, NOBODY = 1, -1, 2, 0
"""Whose moves a play names: movers who want more of the first player's amount, or less, all, none."""
FIRST_BEST = "backward induction, each player taking the first of the own best moves"
_OUTCOMES = {(1, -1), (-1, 1), (0, 0)}


@dataclass(frozen=True)
class Verdict:
    """What a certificate proves: the claim in words, and a line for everything that was checked."""

    claim: str
    checked: tuple[str, ...]


def verify(
    certificate: Certificate | str | Path,
    game: Game | type[Game] | None = None,
    *,
    policies: Mapping[str, PolicyFunction] | None = None,
    seconds: float | None = None,
) -> Verdict:
    """Check a certificate, or the file of that name.

    `game` gives rules that are not built in, as a class or a game; `policies` by player's
    name the functions `function(game, state) -> move` that the claim fixes. Raises `Wrong`
    where the claim is not proven, `FileError` where the certificate is damaged or about
    other rules, `RulesError` where the rules fail, `LimitReached` after so many `seconds`.
    """
    if not isinstance(certificate, Certificate):
        certificate = Certificate.read(certificate)
    made = _game(certificate, game)
    try:
        checked = _checked(made, certificate, policies or {}, None if seconds is None else time.monotonic() + seconds)
    except (EndsightError, MemoryError):
        raise
    except Exception as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        raise RulesError(f"{made.title()}: the rules do not work", found=problem) from error
    return Verdict(describe(certificate), tuple(checked))


def _game(certificate: Certificate, given: Game | type[Game] | None) -> Game:
    """The game of the certificate: built in, or of the rules that the user names."""
    name = certificate.kind
    if given is None:
        if certificate.own or name not in BUILT_IN.values():
            whose = f"the certificate is about rules of your own ({certificate.game!r:.60}), which run only where named"
            raise FileError(whose, advice="endsight verify FILE file.py:Class, in Python verify(certificate, Class)")
        given = getattr(importlib.import_module("endsight.games"), name)
    kind = given if isinstance(given, type) else type(given)
    found = rules_hash(kind)
    if (kind.__name__, found) != (name, certificate.rules):
        raise FileError(
            "the certificate is about other rules than those here",
            found=f"{kind.__name__}, SHA-256 {found}",
            allowed=f"{name}, SHA-256 {certificate.rules}",
        )
    try:
        made = kind(**certificate.parameters)
    except Exception as error:
        raise FileError("the certificate's parameters make no game", found=str(error)[:300]) from error
    if given not in (kind, made):
        raise FileError("the certificate is about other parameters", found=repr(given)[:80], allowed=repr(made)[:80])
    return made


class View:
    """A game as a claim sees it: whose turn, whose wish, which amounts.

    A node is (state, mover, totals), or the state alone where it says who moves and nothing
    else counts. `totals` are what the moves so far brought, where the amounts depend on them;
    with `whole` they are kept in full.
    """

    def __init__(self, game: Game, claim: Claim, given: Mapping[str, PolicyFunction], whole: bool = False) -> None:
        self.game = game
        self.names = game.player_names
        self.players = len(self.names)
        self.utility = claim.utility
        self.told, self.pays = game.gives("to_move"), game.gives("reward")
        self.whole = whole or self.players == 1
        self.tracks = self.pays and (whole or self.utility == "win" or (self.utility == "lead" and self.players > 2))
        self.bare = self.told and not self.tracks
        self.share = partial(absolute, players=self.players, alternating=not self.told and self.players == 2)
        self.policies: dict[int, Callable[[Any], Any]] = {}
        self.random: set[int] = set()
        self.wishes = [(0 if claim.objective == "cooperative" else player, 1) for player in range(self.players)]
        for name, rule in claim.fixed.items():
            if name not in self.names:
                raise FileError(f"the certificate fixes {name[:40]!r}, who does not play {game.title()}")
            self._fix(self.names.index(name), rule, given.get(name))
        self.opposed = False  # whether a wish was taken for the opposite of the first player's
        self.chance_seen = False
        self.endless = self.worth((0,) * self.players)  # what play that never ends is worth
        self.ends_seen: set[Amounts] = set()

    def _fix(self, player: int, rule: str | Mapping[str, str], given: PolicyFunction | None) -> None:
        if not isinstance(rule, str):
            if given is None:
                what = f"{self.names[player]} plays {rule['function']!r}; policies from outside run only where named"
                raise FileError(what, advice=f"--fix {self.names[player]}=file.py:{rule['function']}")
            if (found := policy_entry(given)) != rule:
                raise FileError("the certificate is about another policy", found=str(found), allowed=str(rule))
            self.policies[player] = lambda state: given(self.game, state)
        elif rule == "worst":
            self.wishes[player] = (player, -1)
        elif rule == "random":
            self.random.add(player)
        elif policy := getattr(self.game, "policy_" + rule.replace("-", "_"), None):
            self.policies[player] = policy
        else:
            raise FileError(f"{self.game.title()} has no policy {rule[:40]!r}")

    def node(self, state: Any, mover: int, totals: Amounts) -> Any:
        """The node of a state."""
        if self.bare:
            return state
        if self.tracks and not self.whole:  # only differences count
            least = min(totals)
            totals = tuple([simplest(total - least) for total in totals])
        return state, mover, totals if self.tracks else ()

    def split(self, node: Any) -> tuple[Any, int, Amounts]:
        """State, mover and totals of a node."""
        return (node, self.game.to_move(node), ()) if self.bare else node

    def after(self, state: Any, mover: int, totals: Amounts, move: Any) -> tuple[Any, Amounts | None]:
        """The node after a move, and what the move brings (None for nothing, or where totals hold it)."""
        gain: Amounts | None = None
        if self.pays:
            gain = self.share(self.game.reward(state, move), mover)
            if self.tracks:
                totals = tuple([simplest(a + b) for a, b in zip(totals, gain, strict=True)])
            gain = None if self.tracks or not any(gain) else self.worth(gain) if self.utility == "lead" else gain
        child = self.game.play(state, move)
        if self.bare:
            return child, gain
        return self.node(child, self.game.to_move(child) if self.told else (mover + 1) % self.players, totals), gain

    def moves(self, state: Any, mover: int) -> list[Any]:
        """The moves that may be played: all that are legal, or the one of a fixed policy."""
        moves = list(moves_of(self.game, state))
        if not moves or mover not in self.policies:
            return moves
        move = self.policies[mover](state)
        if move not in moves:
            raise RulesError("a fixed policy chose a move that is not legal", found=f"{move!r:.60}")
        return [move]

    def weights(self, state: Any, mover: int, moves: list[Any]) -> list[int] | None:
        """Weights of the moves where dice, cards or a random player decide, else None."""
        if not CHANCE <= mover < self.players:
            raise RulesError("to_move names a player who is not there", found=repr(mover))
        if mover != CHANCE and mover not in self.random:
            return None
        self.chance_seen = True
        weights = [self.game.weight(state, move) if mover == CHANCE else 1 for move in moves]
        if any(type(weight) is not int or weight < 1 for weight in weights):
            raise RulesError("a weight is not a whole number from 1 up", found=f"{weights!r:.60}")
        return weights

    def side(self, mover: int) -> int:
        """Whether a mover wants `MORE` or `LESS` of the first player's amount."""
        target, sign = self.wishes[mover]
        if target == 0:
            return sign
        if self.players > 2:
            raise Wrong("bounds prove nothing here: several players have wishes of their own")
        self.opposed = True
        return -sign

    def final(self, state: Any, mover: int, totals: Amounts) -> Amounts:
        """What the end of the game is worth to every player."""
        share = self.share(self.game.payoff(state), mover)
        self.ends_seen.add(share)
        return self.worth(tuple(a + b for a, b in zip(share, totals, strict=True)) if self.tracks else share)

    def worth(self, totals: Amounts) -> Amounts:
        """Totals under the utility."""
        if self.utility == "payoff":
            return totals
        if self.utility == "lead":
            return tuple(own - max(totals[:i] + totals[i + 1 :]) for i, own in enumerate(totals))
        if self.players == 1:
            par = self.game.par()  # type: ignore[attr-defined]
            return (Fraction((totals[0] > par) + (totals[0] >= par), 2),)
        best = max(totals)
        return tuple(Fraction(own == best, totals.count(best)) for own in totals)

    def carried(self, so_far: Amounts) -> Amounts:
        """What was gained before, where the nodes do not hold it."""
        return (0,) * self.players if self.tracks or self.utility == "win" else self.worth(so_far)

    def category(self, mover: int, value: Mapping[str, Ends]) -> str:
        """Win, draw or loss of that mover, where nothing else was met; else `value`."""
        is_plain = self.utility == "win" or (not self.pays and self.ends_seen <= _OUTCOMES)
        if self.players != 2 or mover == CHANCE or self.chance_seen or not is_plain:
            return "value"
        draw = self.endless[mover]
        low, high = value.get(self.names[mover], (None, None))
        if low is not None and low > draw:
            return "win"
        return "loss" if high is not None and high < draw else "draw" if low == high == draw else "value"


class Walk:
    """All nodes that play can reach, when `pick` chooses the moves of one side; in order of discovery.

    Node i has the edges offsets[i] .. offsets[i+1]-1, none at an end. `amounts` are those of
    ends, `gains` of edges that bring something, `dice` the sums of weights at chance nodes,
    `sums` of all gains on the way to a node (None where that depends on the way).
    """

    def __init__(self, view: View, position: Position, side: int, pick: Pick, deadline: float | None) -> None:
        self.view, self.side = view, side
        self.nodes = [view.node(position.state, position.mover, position.so_far)]
        self.numbers = {self.nodes[0]: 0}
        self.offsets, self.successors, self.weights = [0], list[int](), list[int]()
        self.movers: list[int] = []
        self.amounts: dict[int, Amounts] = {}
        self.gains: dict[int, Amounts] = {}
        self.dice: dict[int, int] = {}
        self.sums: dict[int, Number] | None = {0: 0}
        self.choices = 0
        self._explore(pick, deadline)

    def __len__(self) -> int:
        return len(self.nodes)

    def _explore(self, pick: Pick, deadline: float | None) -> None:
        view, nodes, numbers, successors = self.view, self.nodes, self.numbers, self.successors
        is_simple, play = view.bare and not view.pays, view.game.play
        for number, node in enumerate(nodes):
            if deadline is not None and time.monotonic() > deadline:
                raise LimitReached("stopped: the time is over", states=number, advice="more --time")
            state, mover, totals = view.split(node)
            moves = view.moves(state, mover)
            weights = view.weights(state, mover, moves)
            self.movers.append(mover)
            if not moves:
                self.amounts[number] = view.final(state, mover, totals)
            elif weights:
                self.dice[number] = sum(weights)
            elif len(moves) > 1 and self.side and (self.side == EVERYBODY or view.side(mover) == self.side):
                choice = pick(self, node, moves)
                if not 0 <= choice < len(moves):
                    raise Wrong("a choice is missing, or names a move that is not there")
                moves = [moves[choice]]
                self.choices += 1
            self.weights += weights or [1] * len(moves)
            for move in moves:
                child, gain = (play(state, move), None) if is_simple else view.after(state, mover, totals, move)
                place = numbers.setdefault(child, len(nodes))
                if place == len(nodes):
                    nodes.append(child)
                if view.pays:
                    self._gained(number, place, gain)
                successors.append(place)
            self.offsets.append(len(successors))

    def _gained(self, number: int, place: int, gain: Amounts | None) -> None:
        if gain is not None:
            self.gains[len(self.successors)] = gain
        if self.sums is not None:
            total = self.sums[number] + (sum(gain) if gain else 0)
            if self.sums.setdefault(place, total) != total:
                self.sums = None

    def line(self) -> str:
        """How large it is, in words."""
        return f"{len(self):,} states, {len(self.successors):,} moves, {self.choices:,} choices"

    def after(self, node: int) -> list[int]:
        """The nodes that a node leads to."""
        return self.successors[self.offsets[node] : self.offsets[node + 1]]

    def order(self, cut: tuple[int, ...] = ()) -> list[int] | None:
        """All nodes, each before those it leads to but for the nodes `cut`; None where they lead round."""
        waiting = [0] * len(self)
        for child in self.successors:
            waiting[child] += 1
        if cut and cut[-1] >= len(self):
            raise Wrong(f"something is claimed of state {cut[-1]} of {len(self)}")
        for node in cut:
            waiting[node] = 0
        order = [node for node in dict.fromkeys((0, *cut)) if waiting[node] == 0]
        for node in order:
            for child in self.after(node):
                waiting[child] -= 1
                if waiting[child] == 0:
                    order.append(child)
        return order if len(order) == len(self) else None

    def common_sum(self, endless: bool) -> Number | None:
        """What the players get together at every end (and in `endless` play); None where that depends on it."""
        if self.sums is None:
            return None
        totals = {simplest(sum(amounts) + self.sums.get(node, 0)) for node, amounts in self.amounts.items()}
        if endless:
            totals.add(simplest(sum(self.view.endless)))
        return totals.pop() if len(totals) == 1 else None

    def rests(self, order: list[int], is_rest: Callable[[int], bool]) -> bool:
        """Whether from every node, whatever the other side does, play comes to rest with some chance."""
        rests = bytearray(map(is_rest, range(len(self))))
        found = -1
        while found != (found := sum(rests)):
            for node in reversed(order):
                if not rests[node]:
                    some = any if node in self.dice else all
                    rests[node] = some(rests[child] for child in self.after(node))
        return found == len(self)


def _walked(view: View, position: Position, side: int, play: Play, deadline: float | None) -> Walk:
    """The walk along the choices of a play, all of which must be used."""
    choices = iter(play.choices)
    walk = Walk(view, position, side, lambda *_: next(choices, -1), deadline)
    if next(choices, None) is not None:
        raise Wrong("there are more choices than decisions")
    return walk


@dataclass
class Secured:
    """What a play secures of what is still to come, times its side; `total` as in `Walk.common_sum`."""

    amount: Fraction
    walk: Walk
    total: Number | None


def secured(walk: Walk, play: Play) -> Secured:
    """What a walk along `play` secures; `Wrong` where the bounds claimed do not hold."""
    endless = walk.view.endless
    if not walk.dice and not walk.gains:  # the worst end that can be met, or endless play
        is_endless = walk.order() is None
        ends = [walk.side * amounts[0] for amounts in walk.amounts.values()]
        ends += [walk.side * endless[0]] if is_endless else []
        return Secured(Fraction(min(ends)), walk, walk.common_sum(is_endless))
    order = walk.order(play.nodes)
    if order is None:
        raise Wrong("play can come back to a state without a claimed bound")
    scale = play.denominator
    lows = _lows(walk, play, order, scale)
    total = walk.common_sum(endless=False)
    if play.nodes:
        floor = _scaled(walk.side * endless[0], scale)
        may_stay = not walk.gains and (walk.view.players == 1 or total is None or sum(endless) == total)
        if not walk.rests(order, lambda node: node in walk.amounts or (may_stay and lows[node] <= floor)):
            raise Wrong("play need not end, and the bounds say too much for that")
    return Secured(Fraction(lows[0], scale), walk, total)


def _scaled(amount: Number, scale: int) -> int:
    """`amount` in units of 1 / scale, rounded down."""
    return amount.numerator * scale // amount.denominator


def _lows(walk: Walk, play: Play, order: list[int], scale: int) -> list[int]:
    """The bound of every node, over the scale."""
    claimed = {node: walk.side * value for node, value in zip(play.nodes, play.values, strict=True)}
    lows = [claimed.get(node, 0) for node in range(len(walk))]
    gains = {edge: _scaled(walk.side * gain[0], scale) for edge, gain in walk.gains.items()}
    successors, weights, offsets, dice = walk.successors, walk.weights, walk.offsets, walk.dice
    for node in reversed(order):
        first, last = offsets[node], offsets[node + 1]
        ahead = [lows[child] for child in successors[first:last]]
        if gains:
            ahead = [low + gains.get(edge, 0) for edge, low in enumerate(ahead, first)]
        if first == last:
            low = _scaled(walk.side * walk.amounts[node][0], scale)
        elif node in dice:
            low = sum([weight * low for weight, low in zip(weights[first:last], ahead, strict=True)]) // dice[node]
        else:
            low = min(ahead)
        if low < claimed.get(node, low):
            raise Wrong(f"the bound claimed for state {node} is not kept by the moves from there")
        lows[node] = claimed.get(node, low)
    return lows


def enclosed(view: View, position: Position, least: Secured | None, most: Secured | None) -> dict[str, Ends]:
    """Proven ends of the value of the whole game, of all players about whom something is proven."""
    carried = view.carried(position.so_far)
    low = None if least is None else Fraction(carried[0] + least.amount)
    high = None if most is None else Fraction(carried[0] - most.amount)
    totals = {found.total for found in (least, most) if found is not None}
    total = totals.pop() if len(totals) == 1 else None
    if view.players == 2 and total is not None:
        rest = Fraction(total + sum(carried))
        other = (None if high is None else rest - high, None if low is None else rest - low)
        return {view.names[0]: (low, high), view.names[1]: other}
    if view.opposed:
        raise Wrong("the ends do not bring the two players the same sum, so bounds do not make a value")
    return {view.names[0]: (low, high)}


def _bounds(view: View, position: Position, claim: Claim, evidence: Bounds, deadline: float | None) -> list[str]:
    found: list[Secured | None] = []
    lines = []
    for name, side, play in (("at least", MORE, evidence.at_least), ("at most", LESS, evidence.at_most)):
        proof = None if play is None else secured(_walked(view, position, side, play, deadline), play)
        lines += [] if proof is None else [f"{name}: {proof.walk.line()}, an inequality each"]
        found.append(proof)
    if claim.notion is not None:
        raise Wrong("a tie rule is named for a value that needs none")
    _compare(claim, enclosed(view, position, *found))
    return lines


def _compare(claim: Claim, proven: Mapping[str, Ends]) -> None:
    """`Wrong` unless what is claimed of every player follows from what is proven."""
    for name, (low, high) in claim.value.items():
        own = proven.get(name, (None, None))
        is_low = low is None or (own[0] is not None and low <= own[0])
        if not is_low or not (high is None or (own[1] is not None and own[1] <= high)):
            texts = [ends_text(ends) for ends in (own, (low, high))]
            raise Wrong(f"the value of {name[:40]} is not as claimed", found=f"proven {texts[0]}, claimed {texts[1]}")


def _checked(game: Game, certificate: Certificate, given: Mapping[str, Any], deadline: float | None) -> list[str]:
    claim, evidence = certificate.claim, certificate.evidence
    view = View(game, claim, given)
    position = game.position() if claim.set_up is None else game.position_from(claim.set_up)
    for move in claim.position.split():
        position = position.after(move)
    lines = [f"the rules of {certificate.kind} are those that the claim is about"]
    if isinstance(evidence, Witness):
        lines += _theorem(position, claim, evidence)
    elif isinstance(evidence, Induction):
        lines += _induction(view, position, claim, deadline)
    else:
        lines += _bounds(view, position, claim, evidence, deadline)
    found = view.category(position.mover, claim.value)
    # Beside a theorem nothing was met, so `value`, which says less, may be claimed too.
    if claim.category not in ((found, "value") if isinstance(evidence, Witness) else (found,)):
        raise Wrong(f"the category is {found!r}, not {claim.category!r}")
    if claim.outcomes is not None or certificate.play is not None:
        lines += _distribution(View(game, claim, given, whole=True), position, claim, certificate.play, deadline)
    return lines


def _theorem(position: Position, claim: Claim, evidence: Witness) -> list[str]:
    game = position.game
    fixed = {game.player_names.index(name): rule for name, rule in claim.fixed.items()}
    try:
        values = settle(evidence.theorem, position, Asked(claim.objective, claim.utility, fixed), evidence.witness)
    except Refuted as error:
        raise Wrong("the theorem does not prove the claim", found=str(error)) from None
    _compare(claim, {name: (value, value) for name, value in zip(game.player_names, values, strict=True)})
    if claim.notion is not None:
        raise Wrong("a tie rule is named for a value that needs none")
    return [f"theorem {evidence.theorem}: its checker finds the value, with {len(evidence.witness)} items of evidence"]


def _induction(view: View, position: Position, claim: Claim, deadline: float | None) -> list[str]:
    walk = _walked(view, position, NOBODY, Play(()), deadline)
    proven, notion = induced(walk, position)
    if claim.notion != notion:
        raise Wrong("the tie rule that the values rest on is not named as it is", found=str(notion))
    _compare(claim, proven)
    return [f"backward induction: {walk.line()}"]


def induced(walk: Walk, position: Position) -> tuple[dict[str, Ends], str | None]:
    """Values of all players over all states, and the tie rule that they rest on (None for none)."""
    order = walk.order()
    if order is None:
        raise Wrong("play can come back to a state, so there is no backward induction")
    view = walk.view
    values: list[Amounts] = [()] * len(walk)
    is_settled, is_even = True, True
    for node in reversed(order):
        edges = range(walk.offsets[node], walk.offsets[node + 1])
        gains = [walk.gains.get(edge, (0,) * view.players) for edge in edges]
        ahead = [tuple(map(add, values[child], gain)) for child, gain in zip(walk.after(node), gains, strict=True)]
        if node in walk.amounts:
            values[node] = walk.amounts[node]
        elif total := walk.dice.get(node):
            weights = walk.weights[edges.start : edges.stop]
            values[node] = tuple(Fraction(sum(map(mul, weights, column)), total) for column in zip(*ahead, strict=True))
        else:
            target, sign = view.wishes[walk.movers[node]]
            best = max(sign * value[target] for value in ahead)
            values[node] = next(value for value in ahead if sign * value[target] == best)
            is_settled = is_settled and len(ahead) == 1
            is_even = is_even and len({sum(value) for value in ahead}) == 1
    whole = [Fraction(value + more) for value, more in zip(values[0], view.carried(position.so_far), strict=True)]
    needs_none = view.players == 1 or is_settled or (is_even and view.players == 2)
    return {name: (own, own) for name, own in zip(view.names, whole, strict=True)}, None if needs_none else FIRST_BEST


def _distribution(view: View, position: Position, claim: Claim, play: Play | None, deadline: float | None) -> list[str]:
    """Chances of all amounts along a play, carried forwards."""
    if claim.outcomes is None or claim.player not in view.names or play is None:
        raise Wrong("a distribution needs a player, outcomes and a play, and a play is for nothing else")
    walk = _walked(view, position, EVERYBODY, play, deadline)
    order = walk.order(play.nodes)
    if order is None or not walk.rests(order, walk.amounts.__contains__):
        raise Wrong("the play need not end, or comes back to a state whose visits are not claimed")
    player = view.names.index(claim.player)
    arriving = [Fraction(node == 0) for node in range(len(walk))]
    claimed = {node: Fraction(value, play.denominator) for node, value in zip(play.nodes, play.values, strict=True)}
    found: dict[Number, Fraction] = {}
    for node in order:
        mass = claimed.get(node, arriving[node]) / walk.dice.get(node, 1)
        for edge in range(walk.offsets[node], walk.offsets[node + 1]):
            arriving[walk.successors[edge]] += mass * walk.weights[edge]
        if node in walk.amounts:
            amount = walk.amounts[node][player]
            found[amount] = found.get(amount, Fraction(0)) + mass
    if any(arriving[node] != visits for node, visits in claimed.items()):
        raise Wrong("the visits claimed do not agree with what leads there")
    if tuple(sorted(found.items())) != claim.outcomes:
        raise Wrong("the outcomes are not as claimed")
    mean = sum((amount * chance for amount, chance in claim.outcomes), Fraction(0))
    _compare(claim, {**claim.value, claim.player: (mean, mean)})
    return [f"play: {walk.line()}, {len(found):,} amounts, whose mean is the value"]


def load(spec: str) -> Any:
    """The class that `file.py:NAME` or `package.module:NAME` names; its file is run."""
    path, _, name = spec.rpartition(":")
    try:
        if not path.endswith(".py"):
            return getattr(importlib.import_module(path), name)
        plan: Any = importlib.util.spec_from_file_location(f"rules_of_{Path(path).stem}", path)
        module = importlib.util.module_from_spec(plan)
        sys.modules[plan.name] = module
        plan.loader.exec_module(module)
        return getattr(module, name)
    except Exception as error:
        raise RulesError(f"{spec} cannot be loaded", found=f"{type(error).__name__}: {error}"[:200]) from error


def main(arguments: Sequence[str]) -> int:
    """Check the file that the arguments name, say what was checked, and give the exit code."""
    checked: tuple[str, ...] = ()
    reason = None
    try:
        if not 1 <= len(arguments) <= 2:
            raise UsageError("one certificate is checked at a time", allowed="FILE, or FILE file.py:Class")
        certificate = Certificate.read(arguments[0])
        checked = verify(certificate, load(arguments[1]) if len(arguments) == 2 else None).checked
    except Wrong as error:
        reason = str(error)
    except EndsightError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    print(verdict_text(verdict_document(describe(certificate), checked, reason)))
    return 0 if reason is None else Wrong.exit_code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
