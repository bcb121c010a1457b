"""Whether states that `canonical` calls equivalent are so: the same play follows, up to the names of states and moves.

States get classes round by round (Kanellakis and Smolka, "CCS expressions, finite state
processes, and three problems of equivalence", Information and Computation 86, 1990): first by
mover, number of moves and payoff at an end, then by the gains and successors of the moves.
After k rounds two states are in one class if their next k plies are the same, up to the
names of states and moves. Where everything that play can reach is known, and has no loops, one pass
from the ends back finds the classes that no further round would change.

Where nobody decides any more, only the chances of the totals to come count, and
how long play lasts at most: an image that is further from the end could lead back.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from endsight.game import CHANCE
from endsight.game.numbers import Number, added, chances_of

_PLIES_AHEAD = 3
"""Plies to look ahead from states whose moves lead to states with different canonical names."""
_MOST_AHEAD = 5_000
"""Most states to examine for one such comparison."""
_MOST_TOTALS = 200_000
"""Most chances of totals to compute, over all states."""
_MOST_STEPS = 2_000_000
"""Most steps that all rounds may examine."""

_Totals: TypeAlias = "dict[tuple[Number, ...], Fraction]"
_NEVER = 1 << 60


@dataclass(frozen=True, slots=True)
class StateRow:
    """One state: who moves, the payoff if it is an end, and the successor, gain and weight of each move."""

    mover: int
    payoff: tuple[Number, ...] | None
    steps: tuple[tuple[Hashable, tuple[Number, ...], int], ...]


@dataclass(frozen=True)
class Inequivalence:
    """A state and its image that are not equivalent: they differ after that many plies, 0 for at once."""

    state: Any
    image: Any
    plies: int


@dataclass(frozen=True)
class Compared:
    """How far pairs of states were compared.

    pairs       how many pairs
    to_the_end  how many of them to the end of play
    least       the smallest number of plies compared among all other pairs; None where there are none
    half        plies compared for half of all pairs, or more; None for to the end
    """

    pairs: int
    to_the_end: int
    least: int | None
    half: int | None

    @staticmethod
    def of(plies: list[int]) -> Compared:
        """The summary from the plies of every pair, `_NEVER` for to the end."""
        ordered = sorted(plies, reverse=True)
        half = ordered[(len(ordered) - 1) // 2] if ordered else _NEVER
        others = [each for each in ordered if each < _NEVER]
        return Compared(
            len(plies), len(plies) - len(others), min(others, default=None), half if half < _NEVER else None
        )


class States:
    """States and their successors, as far as they were examined.

    `look` returns the row of a state, None where its rules fail; `image` gives its canonical state,
    None where there is none to compare.
    """

    def __init__(self, look: Callable[[Any], StateRow | None], image: Callable[[Any], Any]) -> None:
        self._look = look
        self._image = image
        self.rows: dict[Any, StateRow | None] = {}
        self._images: dict[Any, Any] = {}

    def image(self, state: Any) -> Any:
        """The canonical state; None where there is none to compare."""
        if state not in self._images:
            self._images[state] = self._image(state)
        return self._images[state]

    def row(self, state: Any) -> StateRow | None:
        """The row of the state."""
        if state not in self.rows:
            self.rows[state] = self._look(state)
        return self.rows[state]

    def reach(self, states: Iterable[Any], most: int, is_late: Callable[[], bool]) -> list[Any]:
        """The states with their images and all that play reaches from them; at most `most` of them are examined."""
        reached = dict.fromkeys(states)
        waiting = deque(reached)
        looked = 0
        while waiting and looked < most and not is_late():
            looked += 1
            state = waiting.popleft()
            row, image = self.row(state), self.image(state)
            for each in ([] if image is None else [image]) + [child for child, _, _ in (row.steps if row else ())]:
                if each not in reached:
                    reached[each] = None
                    waiting.append(each)
        return list(reached)

    def pairs(self) -> list[tuple[Any, Any]]:
        """All examined states with their images, where the image is another state."""
        images = ((state, self.image(state)) for state in list(self.rows))
        return [(state, image) for state, image in images if image is not None and image != state]

    def holds(self, states: Iterable[Any]) -> bool:
        """Whether all of them were examined."""
        return all(state in self.rows for state in states)

    def look_ahead(self, state: Any, image: Any) -> None:
        """Look further where moves lead to states with different names: these may be equivalent nonetheless."""
        if self._named(state) == self._named(image):
            return
        near, looked = [state, image], 0
        for _ in range(_PLIES_AHEAD):
            further: dict[Any, None] = {}
            for each in near:
                looked += 1
                row = self.row(each) if looked <= _MOST_AHEAD else None
                further.update(dict.fromkeys(child for child, _, _ in row.steps) if row else {})
            near = list(further)
        for each in near:
            looked += 1
            if looked <= _MOST_AHEAD:
                self.row(each)

    def _named(self, state: Any) -> Counter[Any] | None:
        row = self.row(state)
        if row is None:
            return None
        ways: Counter[Any] = Counter()
        for child, gain, weight in row.steps:
            ways[self.image(child), gain] += weight
        return ways

    def differences(
        self, pairs: Iterable[tuple[Any, Any]], is_late: Callable[[], bool]
    ) -> tuple[list[Inequivalence], Compared]:
        """Pairs that are not equivalent, and how far all pairs were compared."""
        return _Refinement(self.rows, is_late).compare(list(pairs))


class _Refinement:
    """Classes of states, finer from round to round; states are numbered."""

    def __init__(self, rows: dict[Any, StateRow | None], is_late: Callable[[], bool]) -> None:
        self.is_late = is_late
        self.number = {state: number for number, state in enumerate(rows)}
        self.rows = list(rows.values())
        self.after = [[self.number.get(child) for child, _, _ in row.steps] if row else [] for row in self.rows]
        self.before: list[list[int]] = [[] for _ in self.rows]
        for node, after in enumerate(self.after):
            for child in dict.fromkeys(after):
                if child is not None:
                    self.before[child].append(node)
        self.totals: dict[int, _Totals] = {}
        self.longest: dict[int, int] = {}
        self.is_whole = self._settle() and self._is_known()
        self.horizon = [_NEVER] * len(self.rows) if self.is_whole else self._horizons()

    def _is_known(self) -> bool:
        """Whether everything that play can reach is there."""
        return all(map(self._is_looked_at, range(len(self.rows)))) and not any(None in after for after in self.after)

    def _is_looked_at(self, node: int) -> bool:
        row = self.rows[node]
        return row is not None and (bool(row.steps) or row.payoff is not None)

    def _is_chance(self, node: int) -> bool:
        row = self.rows[node]
        return row is not None and bool(row.steps) and row.mover == CHANCE

    # ---------------------------------------------------------------- before the first round

    def _settle(self) -> bool:
        """Compute the chances of the totals to come where nobody decides any more; False where they are too many."""
        for node, row in enumerate(self.rows):
            if row and not row.steps and row.payoff is not None:
                self.totals[node], self.longest[node] = {row.payoff: Fraction(1)}, 0
        size = 0
        for node in self._upwards(self._is_chance):
            self.totals[node] = self._total(node)
            self.longest[node] = 1 + max(self.longest[child] for child in self.after[node] if child is not None)
            size += len(self.totals[node])
            if size > _MOST_TOTALS:
                return False
        return True

    def _upwards(self, follows: Callable[[int], bool]) -> Iterator[int]:
        """Nodes that lead only to ends and to other such nodes, as far as `follows`; each after all it leads to."""
        waiting_for = [len(set(after)) for after in self.after]
        ready = [node for node, row in enumerate(self.rows) if row and row.payoff is not None]
        while ready:
            for parent in self.before[ready.pop()]:
                waiting_for[parent] -= 1
                if not waiting_for[parent] and follows(parent):
                    yield parent
                    ready.append(parent)

    def _total(self, node: int) -> _Totals:
        row, weights = self.rows[node], 0
        assert row is not None
        chances: _Totals = defaultdict(Fraction)
        for child, (_, gain, weight) in zip(self.after[node], row.steps, strict=True):
            assert child is not None
            weights += weight
            for total, chance in self.totals[child].items():
                whole = added(gain, total) if gain else total
                chances[whole] += chance * weight
        return {total: chance / weights for total, chance in chances.items()}

    def _horizons(self) -> list[int]:
        """In how many rounds each state can be compared before they reach unexamined states."""
        horizon = [_NEVER] * len(self.rows)
        every = range(len(self.rows))
        for node in every:
            if None in self.after[node]:
                horizon[node] = 1
        # Where nobody may decide any more, the chances of totals would count, but they are unknown.
        unknown = {node for node in every if not self._is_looked_at(node)} | self._undecided()
        for node in unknown:
            horizon[node] = 0
        waiting = deque(sorted((node for node in every if horizon[node] < _NEVER), key=horizon.__getitem__))
        while waiting:
            node = waiting.popleft()
            for parent in self.before[node]:
                if parent not in self.totals and horizon[parent] > horizon[node] + 1:
                    horizon[parent] = horizon[node] + 1
                    waiting.append(parent)
        return horizon

    def _undecided(self) -> set[int]:
        """Chance nodes whose totals are unknown, and from which no decision is known to be reachable."""
        waiting = [node for node, row in enumerate(self.rows) if row and row.steps and row.mover != CHANCE]
        decided = set(waiting)
        while waiting:
            for parent in self.before[waiting.pop()]:
                if parent not in decided and self._is_chance(parent):
                    decided.add(parent)
                    waiting.append(parent)
        chances = {node for node in range(len(self.rows)) if self._is_chance(node)}
        return chances - decided - self.totals.keys()

    # ---------------------------------------------------------------- the rounds

    def compare(self, pairs: list[tuple[Any, Any]]) -> tuple[list[Inequivalence], Compared]:
        """See `States.differences`."""
        numbered = [(self.number[state], self.number[image]) for state, image in pairs]
        classes: list[Any] = [self._first_class(node) for node in range(len(self.rows))]
        moving = [node for node in range(len(self.rows)) if node not in self.totals]
        if self.is_whole:
            moving = self._from_the_ends_back(classes)
        after: dict[int, int] = {}
        plies, steps, last = 0, 0, (0, 0)
        while True:
            for place, (one, other) in enumerate(numbered):
                if classes[one] != classes[other] and plies < min(self.horizon[one], self.horizon[other]):
                    after.setdefault(place, plies)
            moving = [node for node in moving if self.horizon[node] > plies + 1]
            classes, kinds = self._refined(classes, moving)
            steps += sum(len(self.after[node]) for node in moving)
            plies += 1
            if (len(moving), kinds) == last:
                plies = _NEVER  # no state was left out, and none were separated: no later round will separate any
                break
            if steps > _MOST_STEPS or self.is_late():
                break
            last = len(moving), kinds
        differences = [Inequivalence(*pairs[place], plies_on) for place, plies_on in sorted(after.items())]
        return differences, Compared.of([min(self.horizon[one], self.horizon[other], plies) for one, other in numbered])

    def _first_class(self, node: int) -> Any:
        if node in self.totals:
            return "totals", self.longest[node], frozenset(self.totals[node].items())
        row = self.rows[node]
        return row and (row.mover, 0 if row.mover == CHANCE else len(row.steps))

    def _from_the_ends_back(self, classes: list[Any]) -> list[int]:
        """Add the classes of states from which play ends, which no round would change; return the other states."""
        names: dict[Any, Any] = {}
        others = dict.fromkeys(node for node in range(len(self.rows)) if node not in self.totals)
        for node in self._upwards(lambda _: True):
            if node in others:
                own = classes[node], self._following(node, classes)
                classes[node] = names.setdefault(own, ("settled", len(names)))
                del others[node]
        return list(others)

    def _refined(self, classes: list[Any], nodes: list[int]) -> tuple[list[Any], int]:
        """Classes after one more round, and how many there are."""
        names: dict[Any, Any] = {}
        finer = list(classes)
        for node in nodes:
            own = classes[node], self._following(node, classes)
            finer[node] = names.setdefault(own, ("round", len(names)))
        return finer, len(names)

    def _following(self, node: int, classes: Any) -> frozenset[Any]:
        """The gains and successors of the moves, with how many moves have them, or with what chance."""
        row = self.rows[node]
        assert row is not None
        ways: dict[Any, Any] = defaultdict(int)
        for child, (_, gain, weight) in zip(self.after[node], row.steps, strict=True):
            ways[classes[child], gain] += weight
        if row.mover == CHANCE:
            return frozenset(zip(ways, chances_of(ways.values()), strict=True))
        return frozenset(ways.items())
