"""The information sets of a game by the engine that suits: in Python for small games, else by compiled rules."""

from __future__ import annotations

import warnings
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from random import Random
from time import process_time, thread_time
from typing import Any, Literal, NamedTuple

import numpy as np

from endsight.algorithms.compiled_walk import compiled_information_sets, rules_of, walk_program
from endsight.algorithms.information_sets import few_information_sets, information_sets
from endsight.algorithms.treeplex import InformationSets, Treeplex
from endsight.answers.auditing import LEAST_SECONDS, SHARE, WrongAnswer
from endsight.compiler.native import distrust, is_compiled, is_trusted
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.choice import Engine
from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.numbers import Number
from endsight.game.question import Utility, utility_of
from endsight.game.results import absolute, alternates, mover_in, opening

_FIRST = 2_000
"""Histories that Python walks through before it checks whether machine code is available."""


class WalkedSets(NamedTuple):
    """The result, and its source: the engine, why compiled rules refused, and how many histories were audited."""

    sets: InformationSets
    engine: Literal["plain", "compiled"]
    refused: str | None = None
    audited: int = 0


def walked_sets(
    game: Game, engine: Engine = "auto", budget: Budget | None = None, utility: Utility = "payoff"
) -> WalkedSets:
    """The information sets of a game. `plain` and `compiled` insist on an engine, as far as rules can be compiled.

    Raises what `information_sets` raises.
    """
    budget = budget or Budget()
    refused = None
    if engine == "auto" and (few := few_information_sets(game, budget, utility, _FIRST)) is not None:
        return WalkedSets(few, "plain")
    if engine != "plain":
        # Small games need no compiler, and loading it takes longer than walking through them.

        try:
            sets, audited = audited_sets(game, engine, budget, utility)
        except CannotCompile as reason:
            refused = str(reason)
        else:
            return WalkedSets(sets, "plain") if audited is None else WalkedSets(sets, "compiled", None, audited)
    return WalkedSets(information_sets(game, budget, utility), "plain", refused)


# The information sets of a game by compiled rules, checked by the rules in Python.


_FEW = 25_000
"""Histories that Python walks through before any machine code is made."""


def audited_sets(game: Game, engine: Engine, budget: Budget, utility: Utility) -> tuple[InformationSets, int | None]:
    """The information sets, and how many histories were audited: None where Python walked through a small game.

    Raises `CannotCompile`, and what `information_sets` raises.
    """
    rules = rules_of(game)
    is_ready = is_trusted(rules.explorer) and is_compiled(walk_program(rules, utility))
    if engine == "auto" and not is_ready:
        few = few_information_sets(game, budget, utility, _FEW)
        if few is not None:
            return few, None
    began = process_time()
    sets = compiled_information_sets(game, budget, utility)
    seconds = max(LEAST_SECONDS, SHARE * (process_time() - began))
    looked, difference = audited_walk(game, sets, utility, _seed(rules, utility), seconds)
    if difference is not None:
        _tell(rules, difference)
    return sets, looked


def _seed(rules: CompiledRules, utility: Utility) -> bytes:
    """Bytes that depend on the rules and the question."""
    return sha256(f"{rules.identity} {utility}".encode()).digest()


def _tell(rules: CompiledRules, difference: str) -> None:
    """Warn of a compiled walk that was wrong, and stop compiling these rules; raises `CannotCompile`."""
    told = f"a compiled walk is thrown away, and Python walks in its place: {difference}"
    warnings.warn(told, WrongAnswer, stacklevel=2)
    distrust(rules.explorer, difference)
    raise CannotCompile(f"the compiled walk was wrong: {difference}")


# Checking a compiled walk against the rules as Python runs them: both must pay random plans the same.
#
# A pure plan picks one move in every information set. Of all histories, two pure plans leave only those that chance
# separates, which are few, and the rules in Python walk through them without using anything the compiled walk found.
# Every decision on the way must be an information set with that view and those moves. At the end the sums of chance
# times payoff, by pair of sequences, must equal those found, for every pair of sequences that both plans play.


_SURELY = 2_000
"""Histories that are checked however long it takes."""
_PAIRS = 50
"""Most pairs of plans to try."""


class WalkAudit(NamedTuple):
    """The number of histories checked, and the difference that the rules in Python show; None for no difference."""

    looked: int
    difference: str | None


def audited_walk(game: Game, sets: InformationSets, utility: Utility, seed: bytes, seconds: float) -> WalkAudit:
    """Check a walk against the rules: whole pairs of random plans, for that many seconds of computing."""
    until, looked = thread_time() + seconds, 0
    for number in range(_PAIRS):
        pair = _PlansPlayed(game, sets, utility, Random(seed + number.to_bytes(4)))
        difference = pair.difference(until, _SURELY - looked)
        looked += pair.looked
        if difference is not None or thread_time() > until:
            return WalkAudit(looked, difference)
    return WalkAudit(looked, None)


class _History(NamedTuple):
    """A history that both plans play: its chance, what was gained, and what each player has seen and done."""

    state: Any
    mover: int
    chance: Fraction
    gained: tuple[Number, ...]
    trails: tuple[tuple[Any, ...], tuple[Any, ...]]
    sequences: tuple[int, int]


class _PlansPlayed:
    """All histories of two pure plans, which are drawn where decisions come up."""

    def __init__(self, game: Game, sets: InformationSets, utility: Utility, random: Random) -> None:
        self.game, self.sets, self.utility, self.random = game, sets, utility, random
        self.takes_turns = not game.gives("to_move")
        self.known = (_Known(sets.sides[0]), _Known(sets.sides[1]))
        self.chosen: tuple[dict[int, int], dict[int, int]] = ({}, {})
        self.sums: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
        self.looked = 0

    def difference(self, until: float, surely: int) -> str | None:
        """The first difference; sums are compared unless the time limit ends the walk first."""
        waiting = [_History(*opening(self.game), Fraction(1), (0, 0), ((), ()), (0, 0))]
        while waiting:
            if self.looked >= surely and thread_time() > until:
                return None
            self.looked += 1
            node = waiting.pop()
            legal = list(self.game.moves(node.state))
            if not legal:
                self._end(node)
                continue
            node = self._seen(node)
            if node.mover == CHANCE:
                waiting += self._outcomes(node, legal)
                continue
            decided = self._decided(node, legal)
            if isinstance(decided, str):
                return decided
            waiting.append(decided)
        return self._wrong_sums()

    def _seen(self, node: _History) -> _History:
        """The history after both players have looked."""
        trails = list(node.trails)
        for player in (0, 1):
            now = ("saw", self.game.sees(node.state, player))
            before = next((thing for thing in reversed(trails[player]) if thing[0] == "saw"), None)
            trails[player] += () if now == before else (now,)
        return node._replace(trails=(trails[0], trails[1]))

    def _outcomes(self, node: _History, legal: list[Any]) -> Iterator[_History]:
        weights = [self.game.weight(node.state, move) for move in legal]
        for move, weight in zip(legal, weights, strict=True):
            yield self._after(node, move)._replace(chance=node.chance * Fraction(weight, sum(weights)))

    def _decided(self, node: _History, legal: list[Any]) -> _History | str:
        """The history after the move that the mover's plan picks; a text where the walk did not find this decision."""
        mover, side = node.mover, self.sets.sides[node.mover]
        number = self.known[mover].number(node.sequences[mover], node.trails[mover])
        name = self.game.player_names[mover]
        if number is None:
            return f"no information set of {name} in {brief(node.state)} has seen {brief(node.trails[mover][-1][1])}"
        if tuple(legal) != side.moves[number]:
            return (
                f"the moves of {name} in {brief(node.state)} are {brief(legal)} in place of {brief(side.moves[number])}"
            )
        place = self.chosen[mover].setdefault(number, self.random.randrange(len(legal)))
        after = self._after(node, legal[place])
        trails, sequences = list(after.trails), list(after.sequences)
        trails[mover] += (("did", legal[place]),)
        sequences[mover] = side.first[number] + place
        return after._replace(trails=(trails[0], trails[1]), sequences=(sequences[0], sequences[1]))

    def _after(self, node: _History, move: Any) -> _History:
        state = self.game.play(node.state, move)
        mover = 1 - node.mover if self.takes_turns else mover_in(self.game, state)
        gained = node.gained
        if self.game.gives("reward"):
            gained = _added(gained, self._share(self.game.reward(node.state, move), node))
        return node._replace(state=state, mover=mover, gained=gained)

    def _share(self, share: Any, node: _History) -> tuple[Number, ...]:
        return absolute(share, node.mover, 2, alternating=alternates(self.game))

    def _end(self, node: _History) -> None:
        paid = _added(node.gained, self._share(self.game.payoff(node.state), node))
        self.sums[node.sequences] += node.chance * utility_of(paid, self.utility)[0]

    def _wrong_sums(self) -> str | None:
        """The payoffs of pairs of sequences, where they differ from those found."""
        expected = {pair: amount * self.sets.scale for pair, amount in self.sums.items() if amount}
        sums = dict(self._found_pairs())
        for pair in expected | sums:
            if expected.get(pair, 0) != sums.get(pair, 0):
                return f"the payoff of sequences {pair} is {sums.get(pair, 0)} in place of {expected.get(pair, 0)}"
        return None

    def _found_pairs(self) -> Iterator[tuple[tuple[int, int], int]]:
        """The walk's payoffs for pairs of sequences that both plans play."""
        payoffs = self.sets.payoffs
        first, second = (np.asarray(row, np.int64) for row in (payoffs.first, payoffs.second))
        played = [np.array(sorted({pair[player] for pair in self.sums}), np.int64) for player in (0, 1)]
        for place in np.flatnonzero(np.isin(first, played[0]) & np.isin(second, played[1])).tolist():
            yield (payoffs.first[place], payoffs.second[place]), payoffs.amounts[place]


class _Known:
    """The information sets of a player, looked up by what was seen and done."""

    def __init__(self, side: Treeplex) -> None:
        self.side = side
        parents = np.asarray(side.parent, np.int64)
        self.order = np.argsort(parents, kind="stable")
        self.parents = parents[self.order]
        self.after: dict[int, dict[tuple[Any, ...], int]] = {}

    def number(self, sequence: int, trail: tuple[Any, ...]) -> int | None:
        """The set with that view after that sequence."""
        if sequence not in self.after:
            low, high = np.searchsorted(self.parents, [sequence, sequence + 1])
            sets = self.order[low:high].tolist()
            self.after[sequence] = {tuple(self.side.seen(self.side.view[number])): number for number in sets}
        return self.after[sequence].get(trail)


def _added(gained: tuple[Number, ...], share: tuple[Number, ...]) -> tuple[Number, ...]:
    return gained[0] + share[0], gained[1] + share[1]
