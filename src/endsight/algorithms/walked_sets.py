"""The information sets of a game by the engine that suits: in Python for small games, else by compiled rules."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from random import Random
from time import process_time, thread_time
from typing import Any, Literal, NamedTuple

import numpy as np

from endsight.algorithms.compiled_walk import compiled_information_sets, rules_of, walk_program
from endsight.algorithms.information_sets import HistoryWalk, few_information_sets, information_sets
from endsight.algorithms.treeplex import InformationSets, Payoffs, Treeplex
from endsight.answers.auditing import LEAST_SECONDS, SHARE, WrongAnswer
from endsight.compiler.native import distrust, is_compiled, is_trusted
from endsight.compiler.refusal import CannotCompile
from endsight.compiler.rules import CompiledRules
from endsight.engine.choice import Engine
from endsight.errors.rules_guard import brief
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.question import Utility

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
    budget.engine, refused = "plain", None
    if engine == "auto" and (few := few_information_sets(game, budget, utility, _FIRST)) is not None:
        return WalkedSets(few, "plain")
    if engine != "plain":
        # Small games need no compiler, and loading it takes longer than walking through them.
        try:
            sets, audited = audited_sets(game, engine, budget, utility)
        except CannotCompile as reason:
            refused = str(reason)
            budget.engine, budget.refused = "plain", refused
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
    budget.engine = "compiled"
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
        pair = _PlansPlayed(game, utility, Random(seed + number.to_bytes(4)))
        difference = pair.difference(sets, until, _SURELY - looked)
        looked += pair.nodes
        if difference is not None or thread_time() > until:
            return WalkAudit(looked, difference)
    return WalkAudit(looked, None)


class _PlansPlayed(HistoryWalk):
    """All histories of two pure plans, which are drawn where decisions come up.

    picked  by player: the move of the plan, by view
    played  the pairs of sequences at the ends of these histories
    """

    def __init__(self, game: Game, utility: Utility, random: Random) -> None:
        super().__init__(game, Budget(), utility)
        self.random = random
        self.picked: tuple[dict[int, Any], dict[int, Any]] = ({}, {})
        self.played: set[tuple[int, int]] = set()

    def _children(self, node: Any, legal: list[Any]) -> list[Any]:
        if node.mover == CHANCE:
            return self._outcomes(node, legal)
        own, place = self._choices(node.mover, node, tuple(legal)), self.random.randrange(len(legal))
        move = self.picked[node.mover].setdefault(node.eyes[node.mover].view, legal[place])
        return [self._moved(node, move, own[move])]

    def _end(self, node: Any) -> None:
        super()._end(node)
        self.played.add((node.eyes[0].sequence, node.eyes[1].sequence))

    def difference(self, sets: InformationSets, until: float, surely: int) -> str | None:
        """The first difference from the sets found; sums are compared unless the time limit ends the walk first."""
        is_whole = self.run(self.game.position(), lambda: self.nodes < surely or thread_time() <= until)
        numbers: list[list[int]] = []
        for player, side in enumerate(sets.sides):
            own = self._numbers(player, side)
            if isinstance(own, str):
                return own
            numbers.append(own)
        return self._wrong_sums(sets, *numbers) if is_whole else None

    def _numbers(self, player: int, side: Treeplex) -> list[int] | str:
        """The numbers of a player's sequences in the treeplex found; a text where that lacks a decision."""
        known, own, name = _KnownSets(side), self.sides[player], self.game.player_names[player]
        numbers = [0]
        for (_, state), view, parent, moves in zip(own.places, own.view, own.parent, own.moves, strict=True):
            seen = self.views[player].seen(view)
            number = known.number(numbers[parent], tuple(seen))
            if number is None:
                return f"no information set of {name} in {brief(state)} has seen {brief(seen[-1][1])}"
            if moves != side.moves[number]:
                return (
                    f"the moves of {name} in {brief(state)} are {brief(moves)} in place of {brief(side.moves[number])}"
                )
            numbers += side.after(number)
        return numbers

    def _wrong_sums(self, sets: InformationSets, first: list[int], second: list[int]) -> str | None:
        """The payoffs of pairs of sequences, where they differ from those found."""
        own = self.result()
        expected = {(first[one], second[two]): Fraction(paid * sets.scale, own.scale) for one, two, paid in own.payoffs}
        played = [{first[one] for one, _ in self.played}, {second[two] for _, two in self.played}]
        sums = dict(_pairs_among(sets.payoffs, *played))
        for pair in expected | sums:
            if expected.get(pair, 0) != sums.get(pair, 0):
                return f"the payoff of sequences {pair} is {sums.get(pair, 0)} in place of {expected.get(pair, 0)}"
        return None


def _pairs_among(payoffs: Payoffs, *played: set[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """The payoffs of pairs of these sequences of both players."""
    rows = [np.asarray(row, np.int64) for row in (payoffs.first, payoffs.second)]
    is_played = [np.isin(row, np.array(sorted(own), np.int64)) for row, own in zip(rows, played, strict=True)]
    for place in np.flatnonzero(is_played[0] & is_played[1]).tolist():
        yield (payoffs.first[place], payoffs.second[place]), payoffs.amounts[place]


class _KnownSets:
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
