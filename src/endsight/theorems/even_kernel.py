"""Dominoes in the middle of a line: even kernels that stop a search.

An *even kernel* is a set S of values without an unused tile inside S (doubles included)
such that every value outside S has an even number of unused tiles into S. With the tail
in S the player to move loses: from wherever that player goes outside S an odd number of
tiles leads back (Fraenkel, Scheinerman and Ullman, "Undirected edge geography",
Theoretical Computer Science 112, 1993; the general game is PSPACE-complete).

A *growing kernel* asks less. Look at the values outside S, and call two of them connected
where unused tiles outside S lead from one to the other. In every connected part either
all values have an even number of unused tiles into S, or all doubles are unused. The
player to move loses again: from a value u outside S the answer is a tile back into S; only
where none is left (u had exactly one, so its part is of the second kind) it is the double
of u. Then u joins S: no unused tile is inside S, the rest of u's part keeps its unused
doubles, and the other parts have no tile to u and stay as they were. The closed sets of
`dominoes_openings` are the case where all doubles outside are unused. This argument is
our own; it was compared with complete search for every position with up to five values.

Where neither decides the position or one a move later, `line_search` takes over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from endsight.compiler.kernels import plain
from endsight.engine.kernels import growing_kernels
from endsight.game import Game
from endsight.game.numbers import Number
from endsight.game.position import Position
from endsight.game.question import Question, utility_of
from endsight.games.dominoes import Dominoes
from endsight.theorems.base import Theorem
from endsight.theorems.line_search import LineDistances, Verdicts
from endsight.theorems.unused_tiles import bits, compact, free_rows, unused_tiles

_SOURCE = (
    "with the tail in an even kernel of the unused tiles the player to move loses (Fraenkel, Scheinerman, Ullman 1993)"
)
_GROWING_SOURCE = (
    "with the tail in an even kernel that grows along unused doubles the player to move loses"
    " (after Fraenkel, Scheinerman, Ullman 1993)"
)


class EvenKernel(Theorem):
    """Who wins from any line of play, and how soon."""

    game: Dominoes

    def __init__(self, game: Dominoes, question: Question) -> None:
        super().__init__(game, question)
        self.is_win_loss = True
        self.method = "search with even kernels"
        self.theorem = _SOURCE
        self.verdicts = Verdicts(self.budget)
        self.distances = LineDistances(self.verdicts)

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> Self | None:
        """Any line of at least one tile, for players against each other."""
        theorem = super().settles(game, question, position) if position.state.used else None
        decided = None if theorem is None else theorem._deciding_kernel(position)
        if theorem is not None and decided is not None:
            grows = "growing kernel" in decided[1]
            theorem.method = "growing even kernel" if grows else "even kernel"
            theorem.theorem = _GROWING_SOURCE if grows else _SOURCE
        return theorem

    def covers(self, position: Position) -> bool:
        """A line of at least one tile."""
        return bool(position.state.used)

    def search_on(self) -> None:
        """Search for who wins as long as the question allows."""
        self.verdicts.is_too_large = lambda: False

    def gives_up(self, position: Position) -> bool:
        """Whether the search for who wins grows too large."""
        with self._counting():
            return self.verdicts.verdict(unused_tiles(self.game, position.state)) is None

    def value(self, position: Position) -> tuple[Number, ...]:
        """1 for the winner, -1 for the loser (under the question's utility)."""
        first_wins = self.mover_wins(position.state) == (position.mover == 0)
        return utility_of((1, -1) if first_wins else (-1, 1), self.question.utility)

    def mover_wins(self, state: Dominoes.State) -> bool:
        """Whether the player to move wins; `LimitReached` where the search grows too large."""
        with self._counting():
            return self.verdicts.mover_wins(unused_tiles(self.game, state))

    def distance(self, position: Position) -> int | None:
        """Plies to the end; None where that takes too many states."""
        with self._counting():
            return self.distances.distance(unused_tiles(self.game, position.state))

    @contextmanager
    def _counting(self) -> Iterator[None]:
        """Search within the limits, and count what is found."""
        self.verdicts.budget = self.budget
        try:
            yield
        finally:
            self.states = self.verdicts.states + self.distances.states

    def witness(self, position: Position) -> Mapping[str, Any]:
        """Evidence of who loses: `lost` settles the position, or the one after the winning `move`.

        `lost` follows a search of the positions that the loser faces, the last one found first. For each position
        that did not come before, it holds a kernel (`kernel`, or `growing kernel`: its values), or one answer to each
        of the loser's moves (`answers`: the new tails).
        """
        state = position.state
        decided = self._deciding_kernel(position)
        if decided is not None:
            move, kernel = decided
            return {"lost": [kernel]} if move is None else {"move": self.game.show_move(state, move), "lost": [kernel]}
        if not self.mover_wins(state):
            return {"lost": self._answers(state)}
        move = self._winning_move(state)
        return {"move": self.game.show_move(state, move), "lost": self._answers(self.game.play(state, move))}

    def _deciding_kernel(self, position: Position) -> tuple[int | None, dict[str, list[int]]] | None:
        """The deciding kernel, if any: of the position (no move), or after a winning move; even ones first."""
        rows, tail = free_rows(self.game, position.state), position.state.tail
        own = self._own_kernel(position.state)
        if own is not None:
            return None, own
        for name, find in KERNELS:
            for reply in self._unlike_replies(rows, tail):
                kernel = find(_without(rows, tail, reply), reply)
                if kernel is not None:
                    return tail * self.game.n + reply, {name: list(bits(kernel))}
        return None

    def _answers(self, lost: Dominoes.State) -> list[dict[str, list[int]]]:
        """The evidence that the player to move at `lost` loses, in the order of `witness`."""
        found: list[dict[str, list[int]]] = []
        waiting, shown = [lost], set()
        while waiting:
            state = waiting.pop()
            if state in shown:
                continue
            shown.add(state)
            kernel = self._own_kernel(state)
            if kernel is None:
                afters = [self.game.play(state, move) for move in self.game.moves(state)]
                moves = [self._winning_move(after) for after in afters]
                waiting += [self.game.play(after, move) for after, move in zip(afters, moves, strict=True)]
                kernel = {"answers": [move % self.game.n for move in moves]}
            found.append(kernel)
        return found

    def _own_kernel(self, state: Dominoes.State) -> dict[str, list[int]] | None:
        rows = free_rows(self.game, state)
        for name, find in KERNELS:
            kernel = find(rows, state.tail)
            if kernel is not None:
                return {name: list(bits(kernel))}
        return None

    def _winning_move(self, state: Dominoes.State) -> int:
        """A move to a lost position: to one with a kernel if there is one, then to one that is known to be lost."""
        afters = {move: self.game.play(state, move) for move in self.game.moves(state)}
        tests = (
            self._own_kernel,
            lambda after: self.verdicts.is_known_loss(unused_tiles(self.game, after)),
            lambda after: not self.mover_wins(after),
        )
        return next(move for loses in tests for move, after in afters.items() if loses(after))

    def _unlike_replies(self, rows: list[int], tail: int) -> Iterator[int]:
        """The replies in order; among values that have all their tiles only the first."""
        everything = (1 << len(rows)) - 1
        fresh_seen = False
        for reply in bits(rows[tail]):
            is_fresh = reply != tail and rows[reply] == everything
            if not (is_fresh and fresh_seen):
                yield reply
            fresh_seen |= is_fresh


def _without(rows: list[int], tail: int, reply: int) -> list[int]:
    """The rows once the tile from the tail to `reply` is laid."""
    then = list(rows)
    then[tail] &= ~(1 << reply)
    then[reply] &= ~(1 << tail)
    return then


# Finding even kernels and growing kernels among unused tiles.
#
# An even kernel starts as {tail}. A value outside with an odd number of tiles into it must
# get one more neighbour in it (it cannot join itself, having a tile into it), so the search
# branches on its neighbours that could join: every choice settles parities. The search for a
# growing kernel covers all sets without a tile inside. Both stop after a fixed effort.


# A search for one kernel is given up after this many steps (soundly: the position is then searched).
_MOST_STEPS = 20_000

_growing = plain(growing_kernels.growing_kernel, es_bit_length=int.bit_length)


def even_kernel(rows: list[int], tail: int) -> int | None:
    """An even kernel that holds the tail, as a bit set; None where there is none (or none was found in time)."""
    if (rows[tail] >> tail) & 1:
        return None
    joinable = sum(1 << value for value in range(len(rows)) if not (rows[value] >> value) & 1)
    return _Kernels(rows).grow(1 << tail, joinable & ~rows[tail] & ~(1 << tail), rows[tail])


class _Kernels:
    """The search for one kernel."""

    def __init__(self, rows: list[int]) -> None:
        self.rows = rows
        self.steps = 0

    def grow(self, kernel: int, joinable: int, odd: int) -> int | None:
        """A kernel that contains `kernel` and otherwise only values of `joinable`.

        `odd` are the values with an odd number of unused tiles into `kernel`.
        """
        self.steps += 1
        outside = odd & ~kernel
        if not outside:
            return kernel
        helpers = self._fewest_helpers(outside, joinable)
        while helpers and self.steps < _MOST_STEPS:
            last = helpers & -helpers
            helpers ^= last
            value = last.bit_length() - 1
            joinable &= ~last
            found = self.grow(kernel | last, joinable & ~self.rows[value], odd ^ self.rows[value])
            if found is not None:
                return found
        return None

    def _fewest_helpers(self, outside: int, joinable: int) -> int:
        """The joinable neighbours of the odd value that has the fewest of them."""
        fewest, count = 0, len(self.rows) + 1
        while outside:
            last = outside & -outside
            outside ^= last
            helpers = self.rows[last.bit_length() - 1] & joinable
            if helpers.bit_count() < count:
                fewest, count = helpers, helpers.bit_count()
                if count <= 1:
                    break
        return fewest


def growing_kernel(rows: list[int], tail: int) -> int | None:
    """A growing kernel that holds the tail, as a bit set; None where there is none (or none was found in time).

    All fresh values together are one more, which is never in a kernel.
    """
    kept, place, fresh, named = compact(rows, tail)
    if fresh:
        new = len(kept)
        kept = [*(row | 1 << new for row in kept), (2 << new) - 1]
    kernel = _growing(kept, 0, len(kept), place, [0] * (growing_kernels.LEVEL * (len(kept) + 1)), 0)
    return sum(1 << named[number] for number in bits(kernel)) if kernel else None


KERNELS = (("kernel", even_kernel), ("growing kernel", growing_kernel))
