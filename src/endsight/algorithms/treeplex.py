"""What each of two players can tell apart, as one tree per player, and the payoffs of pairs of their plans.

A sequence is a player's own moves up to some point; the information sets and sequences of one player form a tree, the
treeplex. A plan gives every sequence a mass, and the payoff of two plans is linear in each of them. (B. von Stengel,
"Efficient computation of behavior strategies", Games and Economic Behavior 14, 1996.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from endsight.game.numbers import Number

View = tuple[int, Any]
"""The previous view, and what came next: `("saw", seen)` or `("did", move)`."""


@dataclass(frozen=True)
class Treeplex:
    """One player's information sets and sequences; sequence 0 is the empty one; parents come before children.

    parent  information set -> the sequence before it
    first   information set -> its first sequence; those of its moves are first .. first + count - 1
    count   information set -> number of its moves
    moves   information set -> its moves (the player's own parts where several move at once)
    view    information set -> number of its view
    views   view number -> `View`; view 0 is the empty one; sights at ends of the game are in none

    Rows of whole numbers are lists, or arrays of machine words that give Python's numbers (memory views).
    """

    parent: Sequence[int]
    first: Sequence[int]
    count: Sequence[int]
    moves: Sequence[tuple[Any, ...]]
    view: Sequence[int]
    views: Sequence[View]
    sequences: int

    def __len__(self) -> int:
        """Number of information sets."""
        return len(self.parent)

    def after(self, number: int) -> range:
        """The sequences that end with a move of the information set."""
        return range(self.first[number], self.first[number] + self.count[number])

    def seen(self, view: int) -> list[tuple[str, Any]]:
        """Everything in a view, in the order in which it was seen or done."""
        return _seen_in(self.views, view)


@dataclass
class GrowingSets:
    """A treeplex as its information sets are found; `places` has what is to be known of the first history in each."""

    parent: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    moves: list[tuple[Any, ...]] = field(default_factory=list)
    view: list[int] = field(default_factory=list)
    places: list[Any] = field(default_factory=list)
    sequences: int = 1

    def __post_init__(self) -> None:
        self._numbers: dict[int, int] = {}

    def opened(self, view: int, sequence: int, moves: tuple[Any, ...], place: Any) -> int:
        """The number of the information set of that view, after that sequence; a new set with those moves if needed."""
        number = self._numbers.setdefault(view, len(self.parent))
        if number == len(self.parent):
            self.parent.append(sequence)
            self.first.append(self.sequences)
            self.moves.append(moves)
            self.view.append(view)
            self.places.append(place)
            self.sequences += len(moves)
        return number

    def treeplex(self, views: Sequence[View]) -> Treeplex:
        """All sets found."""
        counts = [len(moves) for moves in self.moves]
        return Treeplex(self.parent, self.first, counts, self.moves, self.view, views, self.sequences)


@dataclass(frozen=True)
class Payoffs:
    """The payoffs of pairs of sequences, in rows of equal length, without zeros, ordered by the sequences.

    first, second  the sequence of the first player, and of the second
    amounts        sum over the ends that these lead to, of chance x payoff to the first player x the common denominator

    Rows are lists, or memory views of 64-bit words, which NumPy takes as they are.
    """

    first: Sequence[int]
    second: Sequence[int]
    amounts: Sequence[int]

    @staticmethod
    def of(sums: Mapping[tuple[int, int], int]) -> Payoffs:
        """The payoffs with these amounts by pair."""
        rows = [(*pair, sums[pair]) for pair in sorted(sums) if sums[pair]]
        return Payoffs(*map(list, zip(*rows, strict=True)) if rows else ([], [], []))

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.amounts)

    def __iter__(self) -> Iterator[tuple[int, int, int]]:
        """Sequence of the first player, of the second, and amount."""
        return zip(self.first, self.second, self.amounts, strict=True)


@dataclass(frozen=True)
class InformationSets:
    """A game of two players as their treeplexes and the payoffs of pairs of sequences.

    sides     the treeplex of the first and of the second player
    payoffs   the first player's payoffs of pairs of sequences, in whole numbers of 1 / `scale`
    scale     the common denominator
    constant  the sum of both players' payoffs, at every end
    nodes     number of histories, ends among them
    ends      number of ends
    """

    sides: tuple[Treeplex, Treeplex]
    payoffs: Payoffs
    scale: int
    constant: Number
    nodes: int
    ends: int


@dataclass
class NumberedViews:
    """The views of one player, numbered as they are met."""

    views: list[View] = field(default_factory=lambda: [(-1, None)])

    def __post_init__(self) -> None:
        self._numbers = {view: number for number, view in enumerate(self.views)}

    def extended(self, view: int, thing: tuple[str, Any]) -> int:
        """The number of the view extended by one thing."""
        key = (view, thing)
        number = self._numbers.setdefault(key, len(self.views))
        if number == len(self.views):
            self.views.append(key)
        return number

    def seen(self, view: int) -> list[tuple[str, Any]]:
        """Everything in a view, in the order in which it was seen or done."""
        return _seen_in(self.views, view)


def _seen_in(views: Sequence[View], view: int) -> list[tuple[str, Any]]:
    """Everything in a view, in the order in which it was seen or done."""
    seen: list[tuple[str, Any]] = []
    while view:
        view, thing = views[view]
        seen.append(thing)
    return seen[::-1]
