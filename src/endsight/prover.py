"""From a solution to a certificate that the verifier accepts without the solver.

The walks are the verifier's own, so that choices come in the order in which it will ask
for them; what is played there is looked up in the solution. Everything is weighed here as
the verifier will weigh it: a certificate that it would refuse is never given out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from pathlib import Path
from typing import Any

import endsight
from endsight.certificate import (
    MOST_SCALE_BITS,
    Bounds,
    Certificate,
    Claim,
    Ends,
    Induction,
    Play,
    Scale,
    Witness,
    ends_text,
    policy_entry,
    rules_hash,
)
from endsight.checkers import Asked, Refuted, settle
from endsight.enclosed import EnclosedSource
from endsight.errors import LimitReached, QuestionError, Wrong
from endsight.game import Position
from endsight.games import is_built_in
from endsight.numbers import Interval, Number, as_interval
from endsight.solution import Solution
from endsight.source import GraphSource, TheoremSource
from endsight.storage.atomic import write_atomically
from endsight.verifier import EVERYBODY, LESS, MORE, NOBODY, Secured, View, Walk, enclosed, induced, secured

__all__ = ["prove", "write_certificate"]


def prove(solution: Solution, *, distribution: str | None = None, spec: str | None = None) -> Certificate:
    """A certificate for the value at the solution's position.

    With `distribution` (a player's name) also for what that player gets with which chance,
    along one play that attains the value. `spec` is the game as its user named it.
    Raises `QuestionError` for answers that have no certificate, `LimitReached` past a limit.
    """
    return _Proof(solution, spec).certificate(distribution)


def write_certificate(certificate: Certificate, path: str | Path) -> int:
    """Write the certificate, all or nothing; gives its size in bytes, raises `FileError`."""
    data = certificate.to_text().encode()
    write_atomically(Path(path), data)
    return len(data)


MOST_LOST_STATES = 5_000
"""States up to which the loser of a won game gets a play too: it proves nothing that matters."""


@dataclass
class _Proof:
    """One certificate in the making."""

    solution: Solution
    spec: str | None

    def __post_init__(self) -> None:
        self.game = self.solution.game
        self.position = self.solution.position
        left = self.solution.budget.seconds_left
        self.deadline = None if left is None else time.monotonic() + left
        self.functions = {
            self.game.player_names[player]: rule
            for player, rule in self.solution.question.fixed.items()
            if callable(rule)
        }

    def certificate(self, distribution: str | None) -> Certificate:
        claim, evidence = self._value()
        play = None
        if distribution is not None:
            claim, play = self._distributed(claim, distribution)
        return Certificate(
            game=self.spec or self.game.title(),
            kind=type(self.game).__name__,
            own=not is_built_in(self.game),
            parameters=self.game.values(),
            rules=rules_hash(type(self.game)),
            claim=claim,
            evidence=evidence,
            play=play,
            version=endsight.__version__,
        )

    # ---------------------------------------------------------------- the claim

    def _head(self) -> Claim:
        question = self.solution.question
        return Claim(
            position=self.position.text,
            set_up=_set_up(self.position),
            objective=question.objective,
            utility=question.utility,
            fixed={
                self.game.player_names[player]: rule if isinstance(rule, str) else policy_entry(rule)
                for player, rule in question.fixed.items()
            },
            value={},
            category="value",
            notion=None,
        )

    def _value(self) -> tuple[Claim, Bounds | Induction | Witness]:
        return self._by_theorem() or self._by_bounds() or self._by_induction()

    def _by_theorem(self) -> tuple[Claim, Witness] | None:
        """The theorem's name and witness, where its checker finds the same values."""
        source, question = self.solution.source, self.solution.question
        if not isinstance(source, TheoremSource):
            return None
        theorem = type(source.proof).__module__.rpartition(".")[2]
        asked = Asked(question.objective, question.utility, question.fixed)
        values = tuple(map(Fraction, self.solution.exact_values()))
        for witness in ({}, source.proof.witness(self.position) or {}):
            with suppress(Refuted):
                if settle(theorem, self.position, asked, witness) == values:
                    ends: dict[str, Ends] = {n: (v, v) for n, v in zip(self.game.player_names, values, strict=True)}
                    claim = replace(self._head(), value=ends, category=self.solution.category())
                    return claim, Witness(theorem, witness)
        return None

    @cached_property
    def view(self) -> View:
        """The game as the claim sees it."""
        return self._view()

    def _view(self, *, whole: bool = False) -> View:
        return View(self.game, self._head(), self.functions, whole)

    def _by_bounds(self) -> tuple[Claim, Bounds] | None:
        """One play for each side; None where bounds do not make a value."""
        view = self._view()
        try:
            least, most = self._plays(view)
            proven = enclosed(view, self.position, least and least[1], most and most[1])
        except Wrong:
            return None
        if len(proven) < view.players and not self._is_cyclic():
            return None
        return self._claimed(view, proven, None), Bounds(least and least[0], most and most[0])

    def _plays(self, view: View) -> tuple[tuple[Play, Secured] | None, tuple[Play, Secured] | None]:
        """A play for each side; where the game is won, the loser's only if it is small."""
        category = self.solution.category()
        if category not in ("win", "loss"):
            return self._secured(view, MORE), self._secured(view, LESS)
        winner = self.position.mover if category == "win" else 1 - self.position.mover
        side = MORE if self.solution.question.objective == "cooperative" or winner == 0 else LESS
        won = self._secured(view, side)
        try:
            lost = self._secured(view, -side, at_most=max(MOST_LOST_STATES, 2 * len(won[1].walk)))
        except _TooMany:
            lost = None
        return (won, lost) if side == MORE else (lost, won)

    def _is_cyclic(self) -> bool:
        source = self.solution.source
        return isinstance(source, GraphSource) and source.graph.is_cyclic

    def _claimed(self, view: View, proven: Mapping[str, Ends], notion: str | None) -> Claim:
        """The claim of what is proven, held against the solution."""
        known = dict(zip(view.names, self.solution.values(), strict=True))
        value = {name: _agreed(name, ends, as_interval(known[name])) for name, ends in proven.items()}
        return replace(self._head(), value=value, category=view.category(self.position.mover, value), notion=notion)

    # ---------------------------------------------------------------- plays

    def _secured(self, view: View, side: int, at_most: int | None = None) -> tuple[Play, Secured]:
        chooser = _chooser(self, view, side, at_most)
        walk = Walk(view, self.position, side, chooser.pick, self.deadline)
        if chooser.needs_bounds(walk):
            chooser = _LoopChooser(self, view, side, at_most)
            walk = Walk(view, self.position, side, chooser.pick, self.deadline)
        play = Play(tuple(chooser.choices))
        if walk.dice or walk.gains:
            play = chooser.with_bounds(walk, play)
        return play, secured(walk, play)

    def _by_induction(self) -> tuple[Claim, Induction]:
        view = self._view()
        walk = Walk(view, self.position, NOBODY, _no_pick, self.deadline)
        if walk.order() is None:
            raise QuestionError(
                "this answer has no certificate: play can come back, and the players' wishes are not opposed"
            )
        proven, notion = induced(walk, self.position)
        return self._claimed(view, proven, notion), Induction()

    # ---------------------------------------------------------------- distributions

    def _distributed(self, claim: Claim, player: str) -> tuple[Claim, Play]:
        view = self._view(whole=True)
        choices: list[int] = []

        def pick(walk: Walk, node: Any, moves: list[Any]) -> int:
            state, mover, totals = walk.view.split(node)
            so_far = totals or (0,) * walk.view.players
            choices.append(moves.index(self.solution.chosen(Position(self.game, state, mover, so_far, ()))))
            return choices[-1]

        walk = Walk(view, self.position, EVERYBODY, pick, self.deadline)
        if walk.order() is None:
            raise QuestionError("this play can come back to a position: its distribution has no certificate")
        found = self.solution.distribution(player)
        outcomes: list[tuple[Fraction, Fraction]] = []
        for amount, chance in found.outcomes.items():
            if isinstance(chance, Interval):
                raise QuestionError("only exact chances have a certificate", advice="--exact")
            outcomes += [(Fraction(amount), Fraction(chance))] if chance else []
        claim = replace(claim, player=found.player, outcomes=tuple(outcomes))
        return claim, Play(tuple(choices))


def _agreed(name: str, proven: Ends, solved: Interval) -> Ends:
    """What is claimed: the ends that were solved where they are proven, else those that are."""
    low, high = proven
    if (low is None or solved.lower <= low <= solved.upper) and (high is None or solved.lower <= high <= solved.upper):
        return (None if low is None else solved.lower), (None if high is None else solved.upper)
    if low is not None and high is not None and low <= solved.lower and solved.upper <= high and low < high:
        return low, high
    raise QuestionError(
        "what can be proven is not what was solved: the values depend on how ties are broken",
        found=f"{name}: proven {ends_text(proven)}, solved {ends_text((solved.lower, solved.upper))}",
        advice="--symmetry off",
    )


def _no_pick(*_: Any) -> int:
    raise AssertionError("nobody chooses")


def _set_up(position: Position) -> str | None:
    """The text that sets up where the moves began, with whose turn it was where the state does not tell."""
    game = position.game
    if position.set_up is None or game.gives("to_move") or game.gives("seat"):
        return position.set_up
    mover = (position.mover - len(position.history)) % game.player_count
    return f"{game.player_names[mover]}: {position.set_up}"


# ---------------------------------------------------------------------- choices


class _TooMany(Exception):
    """A play meets more states than it may."""


class _Chooser:
    """Moves for one side by the values of a solution, and the choices made so far.

    Of moves that keep the bound the first that leads to a state met already is taken, else
    the one that is over soonest: the fewer states a play meets, the smaller its certificate.
    """

    def __init__(self, proof: _Proof, view: View, side: int, at_most: int | None = None) -> None:
        self.at_most = at_most
        self.solution = proof.solution
        self.game = proof.game
        self.view = view
        self.side = side
        self.choices: list[int] = []
        self.nothing: tuple[Number, ...] = (0,) * view.players
        self.values: dict[Any, Number] = {}
        self.bound = self._value(proof.position)
        self.hurries = isinstance(self.solution.source, GraphSource) and self.solution.source.graph.is_cyclic

    def _value(self, position: Position) -> Number:
        """The least that is known of a position's amount, times the side."""
        value = as_interval(self.solution._at(position).value(position)[0])
        return value.lower if self.side > 0 else -value.upper

    def pick(self, walk: Walk, node: Any, moves: list[Any]) -> int:
        """The number of the move to take."""
        self.solution.budget.glance(len(walk), "choosing moves")
        if self.at_most is not None and len(walk) > self.at_most:
            raise _TooMany
        state, mover, totals = self.view.split(node)
        children = [self.view.after(state, mover, totals, move) for move in moves]
        values = [self._worth(child, gain) for child, gain in children]
        # Without gains on the way and chance only the worst end counts: any move that keeps the bound will do.
        is_plain = not self.view.pays and not self.view.chance_seen
        need = self.bound if is_plain and not self.hurries else max(values)
        keep = [number for number, value in enumerate(values) if value >= need]
        choice = self._soonest(walk, children, keep or [values.index(max(values))])
        self.choices.append(choice)
        return choice

    def _worth(self, child: Any, gain: tuple[Number, ...] | None) -> Number:
        if child not in self.values:
            self.values[child] = self._value(self._position(child))
        return self.values[child] + (0 if gain is None else self.side * gain[0])

    def _position(self, node: Any) -> Position:
        state, mover, totals = self.view.split(node)
        return Position(self.game, state, mover, totals or self.nothing, ())

    def _soonest(self, walk: Walk, children: list[Any], keep: list[int]) -> int:
        if not self.hurries:
            for number in keep:
                if children[number][0] in walk.numbers:
                    return number
        if len(keep) == 1:
            return keep[0]
        if isinstance(self.solution.source, TheoremSource):
            # Distances would have to be searched for; few replies are a good sign too.
            plies: list[int | None] = [self._replies(children[number][0]) for number in keep]
        else:
            places = [self._position(children[number][0]) for number in keep]
            plies = [self.solution._at(place).distance(place) for place in places]
        return keep[min(range(len(keep)), key=lambda k: (plies[k] is None, plies[k] or 0))]

    def _replies(self, node: Any) -> int:
        state, mover, _ = self.view.split(node)
        return len(self.view.moves(state, mover))

    def needs_bounds(self, walk: Walk) -> bool:
        """Whether the moves have to be chosen again, by bounds of every state."""
        return bool(walk.dice) and walk.order() is None

    def with_bounds(self, walk: Walk, play: Play) -> Play:
        """The play with its scale, and bounds where it comes back to a state."""
        return replace(play, scale=_scale_of(walk))


class _LoopChooser(_Chooser):
    """The same where chance meets loops: moves that keep the proven bound of every state."""

    def __init__(self, proof: _Proof, view: View, side: int, at_most: int | None = None) -> None:
        super().__init__(proof, view, side, at_most)
        self.known = _known(proof)

    def pick(self, walk: Walk, node: Any, moves: list[Any]) -> int:
        """The number of the move to take."""
        self.solution.budget.glance(len(walk), "choosing moves")
        state, mover, totals = self.view.split(node)
        children = [self.view.after(state, mover, totals, move) for move in moves]
        leading = self.known.forced(self.view, node)
        places = [self.known.number(self.view, child) for child, _ in children]
        if leading is not None:
            choice = places.index(leading)
        else:
            worths = [self._bound(place, gain) for place, (_, gain) in zip(places, children, strict=True)]
            choice = worths.index(max(worths))
        self.choices.append(choice)
        return choice

    def _bound(self, place: int, gain: tuple[Number, ...] | None) -> Number:
        low, high = self.known.ends(place)
        return (low if self.side > 0 else -high) + (0 if gain is None else self.side * gain[0] * self.known.scale)

    def needs_bounds(self, walk: Walk) -> bool:
        """No: it knows them."""
        return False

    def with_bounds(self, walk: Walk, play: Play) -> Play:
        """The play with its scale, and bounds where it comes back to a state."""
        if walk.order() is not None and self.known.scale == 1:
            return replace(play, scale=_scale_of(walk))
        nodes = _returning(walk)
        ends = [self.known.ends(self.known.number(self.view, walk.nodes[node])) for node in nodes]
        values = [low if self.side > 0 else high for low, high in ends]
        unit = self.known.scale
        if unit == 1:  # in this scale all of them are whole
            rows = (self.known.ends(self.known.number(self.view, node)) for node in walk.nodes)
            unit = lcm(*{(low if self.side > 0 else high).denominator for low, high in rows})
            values = [value * unit for value in values]
        return replace(play, scale=_factors(unit), nodes=tuple(nodes), values=tuple(map(int, values)))


class _Known:
    """What a solution knows of the first player's amount at every node of its graph: whole numbers over
    `scale`, or where that is 1 exact numbers.
    """

    scale = 1

    def number(self, view: View, node: Any) -> int:
        """The solution's own number of a node."""
        raise NotImplementedError

    def ends(self, number: int) -> tuple[Number, Number]:
        """Proven ends."""
        raise NotImplementedError

    def forced(self, view: View, node: Any) -> int | None:
        """Where play must go, as another move of the same worth may lead round for ever."""
        return None


class _KnownGraph(_Known):
    def __init__(self, source: GraphSource) -> None:
        self.graph = source.graph
        self.table = source.table
        self.view = source.view
        self.enclosure = getattr(source.table.values, "enclosure", None)
        if self.enclosure is not None:
            self.scale = self.enclosure.denominator
            self.place = source.table.values.place  # type: ignore[attr-defined]

    def number(self, view: View, node: Any) -> int:
        return self.graph.index[self.view.key_of(*view.split(node))]

    def ends(self, number: int) -> tuple[Number, Number]:
        if self.enclosure is not None:
            low, high = self.enclosure.bounds[self.place[number]]
            return int(low), int(high)
        value = self.table.values[number][0]
        assert not isinstance(value, Interval)
        return value, value

    def forced(self, view: View, node: Any) -> int | None:
        edge = self.table.forced.get(self.number(view, node))
        return None if edge is None or edge < 0 else self.graph.successors[edge]


class _KnownArrays(_Known):
    def __init__(self, source: EnclosedSource) -> None:
        rules = source.arrays.rules
        states, _ = rules.states(source.arrays.keys)
        self.numbers = {state: number for number, state in enumerate(states)}
        self.canonical = rules.game.canonical if rules.has_symmetry else None
        self.scale = source.enclosure.denominator
        self.bounds = source.enclosure.bounds.tolist()

    def number(self, view: View, node: Any) -> int:
        return self.numbers[node if self.canonical is None else self.canonical(node)]

    def ends(self, number: int) -> tuple[Number, Number]:
        low, high = self.bounds[number]
        return low, high


class _KnownValues(_Known):
    """Any other source, asked by position; a node is its own number."""

    def __init__(self, proof: _Proof) -> None:
        self.proof = proof

    def number(self, view: View, node: Any) -> Any:
        return node

    def ends(self, number: Any) -> tuple[Number, Number]:
        solution, view = self.proof.solution, self.proof.view
        state, mover, totals = view.split(number)
        position = Position(view.game, state, mover, totals or (0,) * view.players, ())
        value = as_interval(solution._at(position).value(position)[0])
        return value.lower, value.upper


def _known(proof: _Proof) -> _Known:
    source = proof.solution.source
    if isinstance(source, GraphSource):
        return _KnownGraph(source)
    return _KnownArrays(source) if isinstance(source, EnclosedSource) else _KnownValues(proof)


def _chooser(proof: _Proof, view: View, side: int, at_most: int | None) -> _Chooser:
    source = proof.solution.source
    has_loops = isinstance(source, GraphSource) and source.graph.is_cyclic and source.graph.has_chance
    return (_LoopChooser if has_loops or isinstance(source, EnclosedSource) else _Chooser)(proof, view, side, at_most)


def _returning(walk: Walk) -> list[int]:
    """Nodes to which a search in depth comes back while it is still below them: every loop has one."""
    below, done = bytearray(len(walk)), bytearray(len(walk))
    returning = set()
    path = [(0, iter(walk.successors[walk.offsets[0] : walk.offsets[1]]))]
    below[0] = 1
    while path:
        node, rest = path[-1]
        child = next(rest, None)
        if child is None:
            below[node], done[node] = 0, 1
            path.pop()
        elif below[child]:
            returning.add(child)
        elif not done[child]:
            below[child] = 1
            path.append((child, iter(walk.successors[walk.offsets[child] : walk.offsets[child + 1]])))
    return sorted(returning)


# ---------------------------------------------------------------------- scales


def _scale_of(walk: Walk) -> Scale:
    """A scale in which all means on a walk without loops are whole."""
    order = walk.order()
    assert order is not None
    units = [1] * len(walk)
    for node in reversed(order):
        amounts: Iterable[Number] = walk.amounts.get(node, ())
        parts = {amount.denominator for amount in amounts}
        for edge in range(walk.offsets[node], walk.offsets[node + 1]):
            parts.add(units[walk.successors[edge]])
            parts |= {gain.denominator for gain in walk.gains.get(edge, ())}
        units[node] = lcm(*parts) * walk.dice.get(node, 1)
    return _factors(units[0])


def _factors(number: int) -> Scale:
    """The number as powers of small primes, and what is left."""
    if number.bit_length() > MOST_SCALE_BITS:
        raise LimitReached(
            "stopped: the exact values have too many digits for a certificate",
            advice="a smaller game, or a later position",
        )
    pairs = []
    for base in range(2, 1000):
        power = 0
        while number % base == 0:
            number //= base
            power += 1
        if power:
            pairs.append((base, power))
    return (*pairs, (number, 1)) if number > 1 else tuple(pairs)
