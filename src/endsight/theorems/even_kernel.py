"""Dominoes in the middle of a line: even kernels, and a search that stops at them.

An *even kernel* is a set S of values without an unused tile inside S (doubles included)
such that every value outside S has an even number of unused tiles into S. With the tail
in S the player to move loses: from wherever that player goes outside S an odd number of
tiles leads back (Fraenkel, Scheinerman and Ullman, "Undirected edge geography",
Theoretical Computer Science 112, 1993; the general game is PSPACE-complete).

Finding one: S starts as {tail}. A value outside with an odd number of tiles into S must
get one more neighbour in S (it cannot join S itself, having a tile into it), so the
search branches on its neighbours that could join: exact, and quick because every choice
settles parities. Where no kernel decides, a depth-first search with a table of positions
up to relabelling goes on, replies with the fewest continuations first.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isqrt
from typing import Any

from endsight.errors import LimitReached
from endsight.game import Game, Position
from endsight.games.dominoes import Dominoes
from endsight.numbers import Number
from endsight.question import Question, utility_of
from endsight.theorems.base import Theorem

__all__ = ["EvenKernel", "even_kernel", "free_rows"]

# A search for one kernel is given up (soundly: the position is then searched) after so many steps.
_MOST_STEPS = 20_000
# Positions up to relabelling; more take more than a few minutes.
_MOST_STATES = 2_000_000
# With more values than this only kernels decide: relabelling costs the square of their number.
_MOST_VALUES = 24

# Beside the theorem, distances are searched for while so many tiles are unused.
_MOST_TILES_SEARCHED = 27

_SOURCE = (
    "with the tail in an even kernel of the unused tiles the player to move loses (Fraenkel, Scheinerman, Ullman 1993)"
)


def free_rows(game: Dominoes, state: Dominoes.State) -> list[int]:
    """For every value the bit set of values that its unused tiles lead to."""
    everything = (1 << game.n) - 1
    rows = [everything] * game.n
    used = state.used
    while used:
        last = used & -used
        tile = last.bit_length() - 1
        used ^= last
        # Tiles are numbered row by row of a triangle: isqrt inverts a * (a + 1) / 2.
        a = (isqrt(8 * tile + 1) - 1) // 2
        b = tile - a * (a + 1) // 2
        rows[a] &= ~(1 << b)
        rows[b] &= ~(1 << a)
    return rows


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


class EvenKernel(Theorem):
    """Who wins from any line of play."""

    def __init__(self, game: Dominoes, question: Question, laid: int = 0) -> None:
        super().__init__(game, question)
        self.is_win_loss = True
        self.rules = game
        # As many unused tiles as the whole double-six set has after one tile: about 46 000 positions.
        self.searches_distances = game.tiles - laid > _MOST_TILES_SEARCHED
        self.method = "even kernel"
        self.theorem = _SOURCE
        self._wins: dict[Dominoes.State, bool] = {}

    @classmethod
    def settles(cls, game: Game, question: Question, position: Position) -> Theorem | None:
        """Any line of at least one tile, for players against each other."""
        if (
            not isinstance(game, Dominoes)
            or position.state.used == 0
            or question.objective != "competitive"
            or question.fixed
        ):
            return None
        return cls(game, question, position.state.used.bit_count())

    def covers(self, position: Position) -> bool:
        """A line of at least one tile."""
        return bool(position.state.used)

    def value(self, position: Position) -> tuple[Number, ...]:
        """1 for the winner, -1 for the loser (under the question's utility)."""
        first_wins = self.mover_wins(position.state) == (position.mover == 0)
        return utility_of((1, -1) if first_wins else (-1, 1), self.question.utility)

    def witness(self, position: Position) -> Mapping[str, Any] | None:
        """The kernel where one decides: of the position, or after a winning move."""
        kernel = even_kernel(free_rows(self.rules, position.state), position.state.tail)
        if kernel is not None:
            return {"kernel": _members(kernel)}
        for move in position.moves():
            state = self.rules.play(position.state, move)
            kernel = even_kernel(free_rows(self.rules, state), state.tail)
            if kernel is not None:
                return {"move": self.rules.show_move(position.state, move), "kernel": _members(kernel)}
        return None

    def mover_wins(self, state: Dominoes.State) -> bool:
        """Whether the player to move wins; `LimitReached` where the search grows too large."""
        if self.rules.n > _MOST_VALUES:
            return self._decided_by_kernels(state)
        return self._search(self.rules.canonical(state))

    def _decided_by_kernels(self, state: Dominoes.State) -> bool:
        rows = free_rows(self.rules, state)
        self.states += 1
        if even_kernel(rows, state.tail) is not None:
            return False
        for reply in self._replies(rows, state.tail):
            self.states += 1
            if even_kernel(*self._after(rows, state.tail, reply)) is not None:
                return True
        raise LimitReached(
            f"stopped: no even kernel decides this line of {self.rules.n} values, and a search is too large",
            states=self.states,
            advice="a later position, or fewer values",
        )

    def _replies(self, rows: list[int], tail: int) -> list[int]:
        return [value for value in range(len(rows)) if (rows[tail] >> value) & 1]

    def _after(self, rows: list[int], tail: int, reply: int) -> tuple[list[int], int]:
        rows = list(rows)
        rows[tail] &= ~(1 << reply)
        rows[reply] &= ~(1 << tail)
        return rows, reply

    def _search(self, state: Dominoes.State) -> bool:
        """Depth first over canonical states with an explicit stack."""
        stack = [state]
        replies: dict[Dominoes.State, list[Dominoes.State]] = {}
        while stack:
            here = stack[-1]
            if here in self._wins:
                stack.pop()
                continue
            if here not in replies:
                known = self._open(here, replies)
                if known is not None:
                    self._wins[here] = known
                continue
            verdict = self._from_replies(replies[here], stack)
            if verdict is not None:
                self._wins[here] = verdict
                del replies[here]
        return self._wins[state]

    def _open(self, state: Dominoes.State, replies: dict[Dominoes.State, list[Dominoes.State]]) -> bool | None:
        """The verdict by a kernel or the table, or None after listing the replies."""
        self.states += 1
        if self.states > _MOST_STATES:
            raise LimitReached(
                f"stopped: more than {_MOST_STATES:,} lines of play were searched",
                states=self.states,
                advice="a later position",
            )
        rows = free_rows(self.rules, state)
        if even_kernel(rows, state.tail) is not None:
            return False
        if self.states > 1:
            self.method = "search with even kernels"
        after = []
        for reply in self._replies(rows, state.tail):
            then, tail = self._after(rows, state.tail, reply)
            if even_kernel(then, tail) is not None:
                return True
            play = self.rules.play(state, state.tail * self.rules.n + reply)
            after.append((then[tail].bit_count(), self.rules.canonical(play)))
        after.sort(key=lambda entry: entry[0])
        replies[state] = [child for _, child in after]
        return None

    def _from_replies(self, children: list[Dominoes.State], stack: list[Dominoes.State]) -> bool | None:
        """The verdict once the children tell, else None with the next child on the stack."""
        for child in children:
            wins = self._wins.get(child)
            if wins is None:
                stack.append(child)
                return None
            if not wins:
                return True
        return False


def _members(kernel: int) -> list[int]:
    return [value for value in range(kernel.bit_length()) if (kernel >> value) & 1]
