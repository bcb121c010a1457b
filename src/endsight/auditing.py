"""Every compiled answer is looked at again by the rules as Python runs them.

Answers are right by construction, and this second witness is there to notice when one is not.
After a solve of all positions, some are drawn evenly from the table, besides those of a line of best
play. At each, Python's rules must give the moves, successors and payments that the compiled ones
give, and the stored value and distance must be what they and the successors' stored values make of
it; where values are enclosed, one backup of the successors' bounds must lie inside of the bounds.
After a search, random walks go through its proof to the end of the game: the side for which
something was proven plays what the search has proven, the other side anything; the end must pay what
was promised. Positions are drawn by a seed made from the key of the game and the question.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256
from random import Random
from time import process_time
from typing import Any

from endsight.compiler.looking import Difference, brief, compiled_looks, difference_at, difference_of, looks_of
from endsight.compiler.refusal import CannotCompile
from endsight.errors import RulesError
from endsight.explorer import expand
from endsight.game import CHANCE, absolute
from endsight.graph import Graph
from endsight.identity import key_of
from endsight.numbers import Amount, Number, as_interval, simplest
from endsight.objective import View
from endsight.position import Position
from endsight.source import Row, Source, StateTable

__all__ = ["Audit", "Difference", "WrongAnswer", "audit", "audited", "walk"]

MOST = 1_000
"""Positions that are looked at, as far as the time goes."""
LEAST_SECONDS, SHARE = 0.045, 0.045
"""The time of computing after which no more is begun: so many seconds, or that share of what the answer took."""
_LINE = 50
"""Plies of the line of best play."""
_IN_VAIN = 20
"""Walks that come by nothing new before no more are made."""
# Positions that are looked at together: at first, and at most.
_FIRST, _AT_ONCE = 10, 100


@dataclass(frozen=True)
class Audit:
    """How many positions were looked at, and the first at which the answer is not what the rules say."""

    looked: int
    difference: Difference | None = None


class WrongAnswer(UserWarning):
    """A compiled answer was thrown away, because the rules in Python say something else."""


def audited(source: Source, position: Position, taken: float) -> Difference | None:
    """Look at a source of compiled rules that took that time of computing; where it is wrong, warn and say why."""
    seconds = max(LEAST_SECONDS, SHARE * taken)
    table = source.table
    found = walk(source, position, seconds) if table is None else audit(table, position, seconds)
    source.audited = found.looked
    if found.difference is not None:
        warnings.warn(f"the compiled answer is thrown away: {found.difference}", WrongAnswer, stacklevel=2)
    return found.difference


def audit(table: StateTable[Any], position: Position, seconds: float, most: int = MOST) -> Audit:
    """Look at up to `most` positions of a table that was solved from `position`, for so many seconds of computing."""
    began = process_time()
    look = _Looking(table)
    random = Random(_seed(table.view, table.rules, position))
    looked = 0
    if table.states <= most:
        waiting = look.all_from(position)
    else:
        nodes = dict.fromkeys(look.line(position, random))
        waiting = list(nodes | dict.fromkeys(table.drawn(random, most - len(nodes))))
    at_once = _FIRST
    # Some are looked at however long it takes.
    while waiting and ((left := seconds - (process_time() - began)) > 0 or not looked):
        if looked:
            at_once = max(1, min(_AT_ONCE, int(looked * left / (seconds - left))))
        some, waiting = waiting[:at_once], waiting[at_once:]
        found = look.difference(some)
        if found is not None:
            return Audit(looked + len(some), found)
        looked += len(some)
    return Audit(looked)


def walk(source: Source, position: Position, seconds: float, most: int = MOST) -> Audit:
    """Walk through the proof of a compiled search from `position`, for so many seconds of computing."""
    began = process_time()
    rules, view = source.compiled, source.searcher.view
    random = Random(_seed(view, rules, position))
    promised = source.value(position)
    # Who has lost was promised nothing.
    sides = [player for player in (0, 1) if as_interval(promised[player]).lower > -1]
    looked: dict[Any, None] = {}
    in_vain = 0
    while in_vain < _IN_VAIN and len(looked) < most and process_time() - began < seconds:
        in_vain += 1
        for ours in sides:
            places, wrong = _walked(source, position, ours, promised[ours], random)
            nodes = [node for node in dict.fromkeys(map(view.key, places)) if node not in looked]
            looked |= dict.fromkeys(nodes)
            in_vain = 0 if nodes else in_vain
            found = difference_at(rules, view, nodes) or wrong
            if found is not None:
                return Audit(len(looked), found)
    return Audit(len(looked))


def _walked(
    source: Source, position: Position, ours: int, promised: Amount, random: Random
) -> tuple[list[Position], Difference | None]:
    """The positions of one walk in which player `ours` plays what is proven, the other one anything, and what is wrong.

    The player secures at least what was promised.
    """
    place, places = position, []
    while True:
        places.append(place)
        after = [place.play(move) for move in place.moves()]
        if not after:
            paid = _paid(place)[ours]
            wrong = Difference("value", brief(place.state), f"{brief(promised)} in place of {brief(paid)}")
            return places, None if as_interval(promised).lower <= paid else wrong
        if place.mover != ours:
            place = random.choice(after)
            continue
        proven = [each for each in after if _secures(source, each, ours, promised)]
        if not proven:
            told = f"{brief(promised)}, and no move is proven to secure it"
            return places, Difference("value", brief(place.state), told)
        place = random.choice(proven)


def _secures(source: Source, place: Position, ours: int, promised: Amount) -> bool:
    """Whether the search has proven that player `ours` gets that much from there."""
    if place.is_over:
        return _paid(place)[ours] >= as_interval(promised).lower
    bounds = source.proven(place)
    return bounds is not None and bounds[ours][0] is not None and bounds[ours][0] >= as_interval(promised).lower


def _paid(place: Position) -> tuple[Number, ...]:
    """What everybody has at the end of the game."""
    game, players = place.game, len(place.so_far)
    share = absolute(game.payoff(place.state), place.mover, players, alternating=not game.gives("to_move"))
    return tuple(a + b for a, b in zip(share, place.so_far, strict=True))


def _seed(view: View, rules: Any, position: Position) -> bytes:
    """Bytes that depend on the rules, the question and the position."""
    question = view.question
    key = rules.identity if rules is not None else key_of(position.game).text
    text = f"{key} {question.objective} {question.utility} {sorted(question.fixed)}"
    return sha256(f"{text} {position.state!r} {position.mover}".encode()).digest()


class _Looking:
    """What is known while the positions of one table are looked at."""

    def __init__(self, table: StateTable[Any]) -> None:
        self.table = table
        self.view = table.view

    # ---------------------------------------------------------------- what is looked at

    def all_from(self, position: Position) -> list[Any]:
        """All nodes that play can reach, of a small game."""
        nodes = {self.view.key(position): None}
        waiting = list(nodes)
        while waiting:
            try:
                part = expand(self.view, waiting)
            except RulesError:
                break
            waiting = [key for key in part.keys if key not in nodes]
            nodes |= dict.fromkeys(waiting)
        return list(nodes)

    def line(self, position: Position, random: Random) -> Iterator[Any]:
        """The nodes of a line in which every player takes one of the best moves."""
        node, view = self.view.key(position), self.view
        for _ in range(_LINE):
            yield node
            try:
                part = expand(view, [node])
            except RulesError:
                return
            edges = part.edges(0)
            if not edges:
                return
            edge = random.choice(edges)
            worths = [self._worth(part, each) for each in edges]
            if part.movers[0] != CHANCE and None not in worths:
                target, direction = part.wishes[part.movers[0]]
                edge = max(edges, key=lambda each: direction * worths[each][target])  # type: ignore[index]
            node = part.keys[part.successors[edge]]

    def _worth(self, part: Graph, edge: int) -> tuple[Number, ...] | None:
        """About what a move is worth; None where its successor is not in the table."""
        place = self._place(part.keys[part.successors[edge]])
        if place is None:
            return None
        if self.table.is_enclosed:
            first = Fraction(sum(self.table.bounds(place)), 2 * self.table.scale)
            return part.through(edge, (first, -first)[: part.players])
        return part.through(edge, self._values(place, part.keys[part.successors[edge]])[0])  # type: ignore[arg-type]

    def _place(self, key: Any) -> Any:
        """Where a node stands in the table."""
        return self.table.place(*self.view.split(key)[:2])

    def _values(self, place: Any, key: Any) -> Row:
        """Values of what is to come, in the form of the view, and the distance."""
        values, distance = self.table.row(place)
        if self.table.by_mover and not self.view.relative and self.view.split(key)[1] == 1:
            values = values[::-1]
        return values, distance

    # ---------------------------------------------------------------- some positions

    def difference(self, nodes: Sequence[Any]) -> Difference | None:
        """The first thing at these nodes that is not what the rules in Python say."""
        try:
            part = expand(self.view, nodes)
        except RulesError as error:
            return Difference("moves", "", f"in Python the rules fail ({' '.join(str(error.found).split())})")
        if self.table.rules is not None:
            try:
                compiled = compiled_looks(self.table.rules, self.view, nodes)
            except (CannotCompile, RulesError) as reason:
                return Difference("moves", brief(nodes[0]), str(reason))
            found = difference_of(nodes, looks_of(part), compiled)
            if found is not None:
                return found
        return self._of_bounds(part, len(nodes)) if self.table.is_enclosed else self._of_values(part, len(nodes))

    def _of_values(self, part: Graph, count: int) -> Difference | None:
        rows: list[Row] = []
        for key in part.keys:
            place = self._place(key)
            if place is None:
                return Difference("play", brief(key), "the state is not in the table")
            rows.append(self._values(place, key))
        for node in range(count):
            expected, distances = _backed_up(part, node, rows)
            values, distance = rows[node]
            if values not in expected:
                return _wrong(part, node, "value", values, expected[0])
            if self.measures and distance is not None and distance not in distances:
                return _wrong(part, node, "distance", distance, distances)
        return None

    @property
    def measures(self) -> bool:
        """Whether distances are those of games that are won as soon, and lost as late, as possible."""
        return self.table.is_win_loss and self.view.question.is_plain and not self.table.has_chance

    def _of_bounds(self, part: Graph, count: int) -> Difference | None:
        """Bounds of the first player's amount: whoever moves makes the most, or the least, of both ends."""
        bounds = []
        for key in part.keys:
            place = self._place(key)
            if place is None:
                return Difference("play", brief(key), "the state is not in the table")
            bounds.append(self.table.bounds(place))
        for node in range(count):
            found = [_bound_backed_up(part, node, [ends[side] for ends in bounds], self.table.scale) for side in (0, 1)]
            if not bounds[node][0] <= found[0] <= found[1] <= bounds[node][1]:
                return _wrong(part, node, "bounds", bounds[node], tuple(found))
        return None


def _wrong(part: Graph, node: int, what: str, stored: Any, expected: Any) -> Difference:
    return Difference(what, brief(part.keys[node]), f"{brief(stored)} in place of {brief(expected)}")


def _backed_up(part: Graph, node: int, rows: Sequence[Row]) -> tuple[list[tuple[Number, ...]], set[int | None]]:
    """The values that a node may have by those of its successors, and the number of plies that goes with them."""
    edges = part.edges(node)
    payoff = part.payoffs[node]
    if payoff is not None:
        return [payoff], {0 if any(payoff) else None}
    worths: list[tuple[Number, ...]] = [
        part.through(edge, rows[part.successors[edge]][0])  # type: ignore[arg-type]
        for edge in edges
    ]
    mover = part.movers[node]
    if mover == CHANCE:
        weights = [1 if part.weights is None else part.weights[edge] for edge in edges]
        total = sum(weights)
        mean = [
            sum(w * worth[player] for w, worth in zip(weights, worths, strict=True)) for player in range(part.players)
        ]
        return [tuple(simplest(Fraction(amount) / total) for amount in mean)], set()
    target, direction = part.wishes[mover]
    best = max(direction * worth[target] for worth in worths)
    allowed = [worth for worth in worths if direction * worth[target] == best]
    plies = {rows[part.successors[edge]][1] for edge, worth in zip(edges, worths, strict=True) if worth in allowed}
    known = {each for each in plies if each is not None}
    return allowed, {1 + (min(known) if best > 0 else max(known))} if known else {None}


def _bound_backed_up(part: Graph, node: int, ends: Sequence[Number], scale: int) -> Number:
    """One end of the first player's amount at a node, by those of its successors; all times `scale`."""
    payoff = part.payoffs[node]
    if payoff is not None:
        return payoff[0] * scale
    edges = part.edges(node)
    gains = [None if part.rewards is None else part.rewards[edge] for edge in edges]
    worths = [
        ends[part.successors[edge]] + (0 if gain is None else gain[0] * scale)
        for edge, gain in zip(edges, gains, strict=True)
    ]
    mover = part.movers[node]
    if mover == CHANCE:
        weights = [1 if part.weights is None else part.weights[edge] for edge in edges]
        return Fraction(sum(w * worth for w, worth in zip(weights, worths, strict=True))) / sum(weights)
    target, direction = part.wishes[mover]
    return max(worths) if (target == 0) == (direction > 0) else min(worths)
