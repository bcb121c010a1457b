"""A look ahead before a long solve: a game that cannot fit is refused at once, not after hours."""

from __future__ import annotations

from endsight.errors import LimitReached
from endsight.explorer import explore
from endsight.game import Game, Position
from endsight.limits import Budget, Limits
from endsight.question import Question
from endsight.sampling import count_nodes

__all__ = ["refuse_hopeless"]

# A small sample: a look should cost a second where the solve may cost minutes.
_COUNTED = 3_000
_SAMPLE = 300
_FIRST_NODES = 100
# The compiled engine needs at least so many bytes for a state, whatever the game.
_LEAST_BYTES = 16
# Samples of large games come out too low far more often than too high; still, only a
# game that is clearly too large is refused.
_MARGIN = 3


def refuse_hopeless(game: Game, position: Position, question: Question, *, symmetry: bool, budget: Budget) -> None:
    """Raise `LimitReached` where the states reachable from `position` cannot fit into the limits.

    They cannot where even the lower end of an estimate is above the limit of states, or
    where the estimate is several times what the memory can hold.
    """
    view, _ = explore(game, position, question, symmetry=symmetry, at_most=_FIRST_NODES, budget=budget)
    own = Budget(Limits(seconds=budget.seconds_left))
    try:
        census = count_nodes(view, position, counted=_COUNTED, sample=_SAMPLE, budget=own)
    except LimitReached as stop:
        raise budget.time_is_up("looking ahead") if stop.limit == "seconds" else stop from None
    budget.expected = census.nodes
    if census.is_complete:
        return
    most = budget.limits.states
    if most is not None and census.lower > most:
        raise LimitReached(
            f"{game.title()} has about {_rough(census.nodes)} positions to tell apart here, more than {most:,}",
            states=census.expanded,
            advice="a later position, --method search, or endsight estimate for what it would take",
        )
    memory = budget.memory_left()
    if census.nodes * _LEAST_BYTES > _MARGIN * memory:
        raise LimitReached(
            f"{game.title()} has about {_rough(census.nodes)} positions to tell apart here:"
            f" at least {_rough(census.nodes * _LEAST_BYTES / 1e9)} GB, of which {memory / 1e9:.0f} may be used",
            states=census.expanded,
            advice="a later position, smaller parameters, or --method search for this position alone",
        )


def _rough(number: float) -> str:
    """Two digits of a number that is only estimated."""
    return f"{number:,.0f}" if number < 10_000 else f"{number:.1e}".replace("e+0", "e").replace("e+", "e")
