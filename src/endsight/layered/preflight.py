"""A look ahead before a whole solve: whether it belongs into memory, and whether the disk can hold it at all."""

from __future__ import annotations

from dataclasses import dataclass

from endsight.errors import LimitReached
from endsight.explorer import explore
from endsight.game import CHANCE, Position
from endsight.layered.room import Room
from endsight.limits import Budget
from endsight.preflight import look_ahead
from endsight.question import Question
from endsight.sampling import Census

__all__ = ["Size", "refuse_full_disk", "size_of"]

BYTES_PER_STATE = 30
"""Memory of a solve in memory, and of its way to the files, for each state."""
BYTES_WITH_CHANCE = 70
"""The same for each state and each move, where chance has a part and the whole graph is kept."""
BYTES_WITH_LOOPS = 300
"""The same where play comes back to a position: the whole graph is kept too, as lists."""
DISK_PER_STATE, DISK_WITH_CHANCE = 0.9, 6.0
"""The fewest bytes on the disk that were measured for a state of a large game, see `benchmarks/layered.py`."""

# Samples are rough: only a game that is clearly too large is refused.
_MARGIN = 3
_FIRST_NODES = 100


@dataclass(frozen=True)
class Size:
    """How many states a solve will meet, from a sample; whether chance was among the first, and whether play loops."""

    census: Census
    has_chance: bool
    loops: bool = False

    @property
    def memory(self) -> float:
        """Bytes that a solve in memory takes."""
        census = self.census
        if not (self.has_chance or self.loops):
            return BYTES_PER_STATE * census.nodes
        return (BYTES_WITH_LOOPS if self.loops else BYTES_WITH_CHANCE) * (census.nodes + census.edges)

    @property
    def disk(self) -> float:
        """Bytes that a solve on the disk takes at least."""
        return self.census.nodes * (DISK_WITH_CHANCE if self.has_chance else DISK_PER_STATE)

    def is_large(self, budget: Budget) -> bool:
        """Whether a solve in memory would take more than half of what may be used."""
        return not self.census.is_complete and self.memory > budget.memory_left() / 2


def size_of(position: Position, question: Question, *, symmetry: bool, budget: Budget, loops: bool = False) -> Size:
    """The size of a solve from `position`, which may have `loops`; the budget is told how many states are expected."""
    game = position.game
    _, first = explore(game, position, question, symmetry=symmetry, at_most=_FIRST_NODES, budget=budget)
    census = look_ahead(game, position, question, symmetry=symmetry, budget=budget)
    budget.expected = census.nodes
    return Size(census, CHANCE in first.movers, loops)


def refuse_full_disk(position: Position, size: Size, room: Room) -> None:
    """Raise `LimitReached` where even the files of a well compressed solve are several times what the disk can take."""
    left = room.left
    if not size.census.is_complete and size.disk > _MARGIN * left:
        raise LimitReached(
            f"{position.game.title()} has about {size.census.nodes:.0e} positions to tell apart here:"
            f" at least {_text(size.disk)} on the disk, of which {_text(left)} may be used",
            states=size.census.expanded,
            advice="a later position, smaller parameters, or a folder on a larger disk (--disk says how much of it)",
        )


def _text(size: float) -> str:
    """Bytes in a unit that leaves few digits."""
    unit, scale = next((unit, scale) for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 0)) if size >= scale)
    return f"{size / max(scale, 1e3):,.0f} {unit}"
