"""Every compiled answer is checked again by the rules as Python runs them.

Answers are right by construction; this second witness would notice a wrong one. After a solve of all positions,
some are drawn evenly from the table, besides those of a line of best play. At each, Python's rules must give the same
moves, successors and payments as the compiled ones, and the stored value and distance must follow from these and the
successors' stored values; where values are enclosed, one backup of the successors' bounds must lie inside the bounds.
After a search, random walks go through its proof to the end of the game: the side with a proven result plays what the
search has proven, the other side anything, and the end must pay what was promised. Positions are drawn by a seed made
from the key of the game and the question.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial
from hashlib import sha256
from itertools import islice
from random import Random
from time import process_time, thread_time
from typing import Any, NamedTuple, TypeAlias

from endsight.answers.searched import Search
from endsight.answers.source import Row, Source, StateTable
from endsight.base.deferred import deferred
from endsight.compiler.native import distrust
from endsight.compiler.refusal import CannotCompile
from endsight.engine.comparing import (
    Difference,
    brief,
    compiled_looks,
    difference_at,
    difference_of,
    explored_plainly,
    looks_of,
)
from endsight.errors import RulesError
from endsight.game import CHANCE, TOGETHER
from endsight.game.limits import Budget
from endsight.game.numbers import Amount, Number, as_interval
from endsight.game.position import Position
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.identity import key_of

with deferred(__name__):
    from endsight.algorithms.matrix_game import matrix_game

MOST = 1_000
"""Positions that are checked at most, if time allows."""
LEAST_SECONDS, SHARE = 0.045, 0.045
"""No check begins after this computing time: that many seconds, or that share of the answer's own time."""
_LINE = 50
"""Plies of the line of best play that is checked."""
_IN_VAIN = 20
"""Rounds of walks in a row that find nothing new, after which no more are made."""
Ends: TypeAlias = tuple[Number, Number]
# Positions that are checked together: at first, and at most.
_FIRST, _AT_ONCE = 2, 100


class Audit(NamedTuple):
    """The number of positions checked, and the first difference between the answer and the rules."""

    looked: int
    difference: Difference | None = None


class WrongAnswer(UserWarning):
    """A compiled answer was discarded, because the rules in Python say something else."""


def audited(source: Source, position: Position, taken: float) -> Difference | None:
    """Check a source of compiled rules that took that much computing time; where it is wrong, warn and return why.

    Later answers of a search are checked when they are asked for (see `Watched`).
    """
    if source.table is None:
        source.watch = watch = Watched(taken)  # type: ignore[attr-defined]
        return watch.difference(source, position)
    result = audit(source.table, position, max(LEAST_SECONDS, SHARE * taken))
    source.audited = result.looked
    return _reported(source, result)


def _reported(source: Source, result: Audit) -> Difference | None:
    """Return the difference; also warn and remember it, so that these rules are not compiled again."""
    if result.difference is not None:
        text = f"a compiled answer is thrown away, and Python answers in its place: {result.difference}"
        warnings.warn(text, WrongAnswer, stacklevel=2)
        distrust(source.compiled.explorer, str(result.difference))
    return result.difference


class Watched:
    """The audit of all answers of one search, which has taken `taken` seconds of computing so far.

    Every answer may use half of the time that remains for all of them, so later ones get some, too.
    """

    def __init__(self, taken: float) -> None:
        self.taken = taken
        self.spent = 0.0
        self.seen: set[tuple[Any, int]] = set()

    def passes(self, source: Search, position: Position) -> bool:
        """Whether the walks from a position end as the search has promised there; this searches it first if need be."""
        if (position.state, position.mover) in self.seen:
            return True
        began = process_time()
        row = source.row(position)
        self.taken += process_time() - began
        return row is None or self.difference(source, position) is None

    def difference(self, source: Source, position: Position) -> Difference | None:
        """The error in the answer there, if any."""
        self.seen.add((position.state, position.mover))
        began = thread_time()
        found = walk(source, position, (max(LEAST_SECONDS, SHARE * self.taken) - self.spent) / 2)
        self.spent += thread_time() - began
        source.audited += found.looked
        return _reported(source, found)


def audit(table: StateTable[Any], position: Position, seconds: float, most: int = MOST, share: int = 0) -> Audit:
    """Check up to `most` positions of a table that was solved from `position`, within `seconds` of computing.

    A table may be checked in several parts: each number of a `share` draws other positions, and the first
    includes the line of best play.
    """
    look = _Looking(table)
    _load(table.rules, table.view, position)
    began = thread_time()
    random = Random(_seed(table.view, table.rules, position) + share.to_bytes(4))
    looked, at_once = 0, _FIRST
    more = look.nodes(position, random, most, with_line=share == 0)
    # Some are checked however long it takes.
    while looked < most and ((taken := thread_time() - began) < seconds or not looked):
        if looked:
            # Later positions may take longer than the first: never begin more than have been checked so far.
            at_once = max(1, int(min(_AT_ONCE, looked, looked * (seconds - taken) / max(taken, 1e-6))))
        some = more(min(at_once, most - looked))
        if not some:
            break
        looked += len(some)
        difference = look.difference(some)
        if difference is not None:
            return Audit(looked, difference)
    return Audit(looked)


def _load(rules: Any, view: View, position: Position) -> None:
    """Load the machine code, which may need compiling, so that its time does not count as checking."""
    if rules is not None:
        with suppress(CannotCompile, RulesError):
            compiled_looks(rules, view, [view.key(position)])


def walk(source: Source, position: Position, seconds: float, most: int = MOST) -> Audit:
    """Walk through the proof of a compiled search from `position`, within `seconds` of computing."""
    rules, view = source.compiled, source.searcher.view
    _load(rules, view, position)
    began = thread_time()
    random = Random(_seed(view, rules, position))
    promised = source.value(position)
    # The search promised nothing to a player who has lost.
    is_lost = [source.is_win_loss and as_interval(each).lower <= -1 for each in promised]
    sides = [player for player in range(len(promised)) if not is_lost[player]]
    looked: dict[Any, None] = {}
    in_vain = 0
    while in_vain < _IN_VAIN and len(looked) < most and thread_time() - began < seconds:
        in_vain += 1
        for ours in sides:
            places, wrong = _walked(source, position, ours, promised[ours], random, began + seconds)
            nodes = [node for node in dict.fromkeys(map(view.key, places)) if node not in looked]
            looked |= dict.fromkeys(nodes)
            in_vain = 0 if nodes else in_vain
            difference = difference_at(rules, view, nodes) or wrong
            if difference is not None:
                return Audit(len(looked), difference)
    return Audit(len(looked))


def _walked(
    source: Source, position: Position, ours: int, promised: Amount, random: Random, until: float
) -> tuple[list[Position], Difference | None]:
    """The positions of one walk in which player `ours` plays what is proven and the other anything, and any error.

    The player secures at least what was promised. No step is made after `until`, by `thread_time()`.
    """
    place, places = position, []
    while True:
        places.append(place)
        if thread_time() > until:
            return places, None
        after = [place.play(move) for move in place.moves()]
        if not after:
            paid = place.paid()[ours]
            wrong = Difference("value", brief(place.state), f"{brief(promised)} in place of {brief(paid)}")
            return places, None if as_interval(promised).lower <= paid else wrong
        if place.mover != ours:
            place = random.choice(after)
            continue
        proven = [each for each in after if _secures(source, each, ours, promised)]
        if not proven:
            random.shuffle(after)
            reaches = [source.reaches(each, ours, as_interval(promised).lower) for each in after]
            if True not in reaches and None in reaches:
                return places, None  # the table no longer has it, and proving it again would take long
            if True not in reaches:
                text = f"{brief(promised)}, and no move is proven to secure it"
                return places, Difference("value", brief(place.state), text)
            proven = [after[reaches.index(True)]]
        place = random.choice(proven)


def _secures(source: Source, place: Position, ours: int, promised: Amount) -> bool:
    """Whether the search has proven that player `ours` gets that much from there."""
    if place.is_over:
        return place.paid()[ours] >= as_interval(promised).lower
    bounds = source.proven(place)
    return bounds is not None and bounds[ours][0] is not None and bounds[ours][0] >= as_interval(promised).lower


def _seed(view: View, rules: Any, position: Position) -> bytes:
    """Bytes that depend on the rules, the question and the position."""
    question = view.question
    key = rules.identity if rules is not None else key_of(position.game).text
    text = f"{key} {question.objective} {question.utility} {sorted(question.fixed)}"
    return sha256(f"{text} {position.state!r} {position.mover}".encode()).digest()


class _Looking:
    """The state of checking the positions of one table."""

    def __init__(self, table: StateTable[Any]) -> None:
        self.table = table
        self.view = table.view
        self.budget = Budget()
        self.known: set[Any] = set()
        self.waiting: list[Any] = []

    # ---------------------------------------------------------------- what is looked at

    def nodes(
        self, position: Position, random: Random, most: int, *, with_line: bool
    ) -> Callable[[int], Sequence[Any]]:
        """A function that returns that many new nodes: of a small game all in turn, else those of a line first."""
        if self.table.states <= min(most, MOST):
            self._note([self.view.key(position)])
            return partial(self._some, random)
        rest = self._drawn(position, random, most, with_line=with_line)
        return lambda count: list(islice(rest, count))

    def _drawn(self, position: Position, random: Random, most: int, *, with_line: bool) -> Iterator[Any]:
        """The nodes of a line until one comes back, where it is wanted, and others; found only when needed, as rules
        may be slow.
        """
        line: set[Any] = set()
        for node in self.line(position, random) if with_line else ():
            if node in line:
                break
            line.add(node)
            yield node
        yield from (node for node in self.table.drawn(random, most) if node not in line)

    def _note(self, nodes: Sequence[Any]) -> None:
        """Note nodes that were found."""
        self.waiting += [node for node in nodes if node not in self.known]
        self.known |= {*nodes}

    def _some(self, random: Random, count: int) -> Sequence[Any]:
        """That many of the nodes found but not yet checked, drawn at random, so that all depths have their share."""
        waiting = self.waiting
        for last in range(len(waiting) - 1, max(-1, len(waiting) - 1 - count), -1):
            place = random.randrange(last + 1)
            waiting[place], waiting[last] = waiting[last], waiting[place]
        some = waiting[-count:]
        del waiting[-count:]
        return some

    def line(self, position: Position, random: Random) -> Iterator[Any]:
        """The nodes of a line in which every player takes one of the best moves."""
        node, view = self.view.key(position), self.view
        for _ in range(_LINE):
            yield node
            part, _ = explored_plainly(view, [node], self.budget)
            if part is None or not (edges := part.edges(0)):
                return
            edge = random.choice(edges)
            worths = [self._worth(part, each) for each in edges]
            if part.movers[0] != CHANCE and None not in worths:
                target, direction = part.interests[part.movers[0]]
                edge = max(edges, key=lambda each: direction * worths[each][target])  # type: ignore[index]
            node = part.keys[part.successors[edge]]

    def _worth(self, part: Graph, edge: int) -> tuple[Number, ...] | None:
        """The approximate worth of a move; None where its successor is not in the table."""
        place = self.table.place(part.keys[part.successors[edge]])
        if place is None:
            return None
        if self.table.is_enclosed:
            first = sum(self.table.bounds(place)) * Fraction(1, 2 * self.table.scale)
            return part.through(edge, (first, -first)[: part.players])
        return part.through(edge, self._values(place, part.keys[part.successors[edge]])[0])  # type: ignore[arg-type]

    def _values(self, place: Any, key: Any) -> Row:
        """The values of what is to come, in the form of the view, and the distance."""
        values, distance = self.table.row(place)
        if self.table.by_mover and not self.view.relative and self.view.split(key)[1] == 1:
            values = values[::-1]
        return values, distance

    # ---------------------------------------------------------------- some positions

    def difference(self, nodes: Sequence[Any]) -> Difference | None:
        """The first difference at these nodes from what the rules in Python say."""
        part, fault = explored_plainly(self.view, nodes, self.budget)
        if part is None:
            # Check one after the other, to know which one fails.
            alone = (self.difference([node]) for node in nodes if len(nodes) > 1)
            return next(filter(None, alone), Difference("moves", brief(nodes[0]), fault))
        if self.table.rules is not None:
            try:
                compiled = compiled_looks(self.table.rules, self.view, nodes)
            except (CannotCompile, RulesError) as reason:
                return Difference("moves", brief(nodes[0]), str(reason))
            found = difference_of(nodes, looks_of(part), compiled)
            if found is not None:
                return found
        if self.known:
            self._note(part.keys)
        places = []
        for key in part.keys:
            place = self.table.place(key)
            if place is None:
                return Difference("play", brief(self.view.split(key)[0]), "the state is not in the table")
            places.append(place)
        return self._of_ends(part, len(nodes), places) if self.table.is_enclosed else self._of_values(part, places)

    def _of_values(self, part: Graph, places: Sequence[Any]) -> Difference | None:
        rows = [self._values(place, key) for place, key in zip(places, part.keys, strict=True)]
        for node in range(len(part.movers)):
            expected, distances = _backed_up(part, node, rows)
            values, distance = rows[node]
            if values not in expected:
                return self._wrong(part, node, "value", values, expected[0])
            if self.measures and distance is not None and distance not in distances:
                return self._wrong(part, node, "distance", distance, distances)
        return None

    def _of_ends(self, part: Graph, count: int, places: Sequence[Any]) -> Difference | None:
        """The difference where bounds may stand for values: the mover maximizes, or minimizes, both ends.

        The resulting bounds must lie inside the stored ones; stored bounds that are equal may be a value found by other
        means, which must then lie inside the resulting bounds.
        """
        rows = [self.table.ends(place) for place in places]
        for node in range(count):
            for player, backed_up in _ends_backed_up(part, node, rows, self.table.scale):
                stored = rows[node][player]
                outer, inner = (backed_up, stored) if stored[0] == stored[1] else (stored, backed_up)
                if not outer[0] <= inner[0] <= inner[1] <= outer[1]:
                    return self._wrong(part, node, "bounds", stored, backed_up)
        return None

    def _wrong(self, part: Graph, node: int, what: str, stored: Any, expected: Any) -> Difference:
        state = self.view.split(part.keys[node])[0]
        return Difference(what, brief(state), f"{brief(stored)} in place of {brief(expected)}")

    @property
    def measures(self) -> bool:
        """Whether distances belong to games won as soon, and lost as late, as possible, or to a single player."""
        is_measured = self.table.is_win_loss or self.view.players == 1
        return is_measured and self.view.question.is_plain and not self.table.has_chance


def _backed_up(part: Graph, node: int, rows: Sequence[Row]) -> tuple[list[tuple[Number, ...]], set[int | None]]:
    """The possible values of a node, given those of its successors, and the possible numbers of plies."""
    edges = part.edges(node)
    payoff = part.payoffs[node]
    is_alone = part.players == 1  # a single player always hastens
    if payoff is not None:
        return [payoff], {0 if any(payoff) or is_alone else None}
    worths: list[tuple[Number, ...]] = [
        part.through(edge, rows[part.successors[edge]][0])  # type: ignore[arg-type]
        for edge in edges
    ]
    mover = part.movers[node]
    if mover == CHANCE:
        return [tuple(part.mean(node, column) for column in zip(*worths, strict=True))], set()
    if mover == TOGETHER:
        value = _matrix_value(part, node, [worth[0] for worth in worths])
        return [(value, sum(worths[0]) - value)], set()
    target, direction = part.interests[mover]
    best = max(direction * worth[target] for worth in worths)
    allowed = [worth for worth in worths if direction * worth[target] == best]
    plies = {rows[part.successors[edge]][1] for edge, worth in zip(edges, worths, strict=True) if worth in allowed}
    known = {each for each in plies if each is not None}
    return allowed, {1 + (min(known) if best > 0 or is_alone else max(known))} if known else {None}


def _matrix_value(part: Graph, node: int, worths: Sequence[Any]) -> Any:
    """The first player's value where two opposed players move at once, given it after each edge of the node."""
    first = part.offsets[node]
    return matrix_game([[worths[edge - first] for edge in row] for row in part.matrix(node)]).value


def _ends_backed_up(part: Graph, node: int, rows: Sequence[Sequence[Ends]], scale: int) -> Iterator[tuple[int, Ends]]:
    """The ends of a node, given those of its successors, times `scale`: for every player, or for the mover's target."""
    known = range(len(rows[node]))
    payoff = part.payoffs[node]
    if payoff is not None:
        yield from ((player, (payoff[player] * scale, payoff[player] * scale)) for player in known)
        return
    edges, mover = part.edges(node), part.movers[node]
    target, direction = part.interests[mover] if mover != CHANCE else (0, 0)
    # Where only the first player's ends are known, the second player wants the opposite.
    players, sign = (known, 0) if mover == CHANCE else ((target,), direction) if target in known else ((0,), -direction)
    for player in players:
        worths = [rows[part.successors[edge]][player] for edge in edges]
        if part.discounts is not None:
            rates = (part.discounts[edge] for edge in edges)
            worths = [(low * rate, high * rate) for (low, high), rate in zip(worths, rates, strict=True)]
        if part.rewards is not None:
            gains = [0 if gain is None else gain[player] * scale for gain in (part.rewards[edge] for edge in edges)]
            worths = [(low + gain, high + gain) for (low, high), gain in zip(worths, gains, strict=True)]
        lows, highs = zip(*worths, strict=True)
        if mover == CHANCE:
            weights = part.weights_of(edges)
            total = sum(weights)
            low, high = (sum(w * end for w, end in zip(weights, side, strict=True)) for side in (lows, highs))
            yield player, (low * Fraction(1, total), high * Fraction(1, total))
        elif mover == TOGETHER:
            yield player, (_matrix_value(part, node, lows), _matrix_value(part, node, highs))
        else:
            best: Any = max if sign > 0 else min
            yield player, (best(lows), best(highs))
