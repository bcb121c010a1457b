"""A look ahead before a long solve: a game that cannot fit is refused at once, not after hours."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from endsight.errors import LimitReached
from endsight.explorer import explore
from endsight.game import Game, Position
from endsight.limits import Budget, Limits
from endsight.question import Question

if TYPE_CHECKING:
    from endsight.sampling import Census

__all__ = ["look_ahead", "refuse_hopeless", "refuse_known"]

# A small sample: a look should cost a second where the solve may cost minutes.
_COUNTED = 3_000
_SAMPLE = 300
_FIRST_NODES = 100
# Where rules are slow, the sample is smaller: about so many seconds of computing for what is counted.
_SECONDS = 0.4
_FEWEST_COUNTED, _LEAST_SAMPLE = 300, 100
# The compiled engine needs at least so many bytes for a state, whatever the game.
_LEAST_BYTES = 16
# Samples of large games come out too low far more often than too high; still, only a
# game that is clearly too large is refused.
_MARGIN = 3


def look_ahead(game: Game, position: Position, question: Question, *, symmetry: bool, budget: Budget) -> Census:
    """About how many states are reachable from `position`, from a small sample; `LimitReached` when time is up."""
    from endsight.sampling import count_nodes  # not needed for what is known already

    began = process_time()
    view, graph = explore(game, position, question, symmetry=symmetry, at_most=_FIRST_NODES, budget=budget)
    spent = (process_time() - began) / (len(graph.offsets) - 1)
    share = min(1.0, _SECONDS / max(1e-9, spent * _COUNTED))
    counted, sample = max(_FEWEST_COUNTED, int(_COUNTED * share)), max(_LEAST_SAMPLE, int(_SAMPLE * share))
    own = Budget(Limits(seconds=budget.seconds_left))
    try:
        return count_nodes(view, position, counted=counted, sample=sample, budget=own)
    except LimitReached as stop:
        raise budget.time_is_up("looking ahead") if stop.limit == "seconds" else stop from None


def refuse_hopeless(game: Game, census: Census, budget: Budget) -> None:
    """Raise `LimitReached` where that many states cannot fit into the limits.

    They cannot where even the lower end of an estimate is above the limit of states, or
    where the estimate is several times what the memory can hold.
    """
    budget.expected = census.nodes
    if census.is_complete:
        return
    _refuse_states(game, census.lower, f"about {_rough(census.nodes)}", census.expanded, budget)
    _refuse_memory(game, census.nodes, f"about {_rough(census.nodes)}", census.expanded, budget)


def refuse_known(game: Game, states: int, budget: Budget) -> None:
    """The same where it is known how many states there are."""
    budget.expected = states
    _refuse_states(game, states, f"{states:,}", 0, budget)
    _refuse_memory(game, states, f"{states:,}", 0, budget)


def _refuse_states(game: Game, least: float, text: str, met: int, budget: Budget) -> None:
    most = budget.limits.states
    if most is not None and least > most:
        raise LimitReached(
            f"{game.title()} has {text} positions to tell apart here, more than {most:,}",
            states=met,
            advice="a later position, --method search, or endsight estimate for what it would take",
        )


def _refuse_memory(game: Game, states: float, text: str, met: int, budget: Budget) -> None:
    memory = budget.memory_left()
    if states * _LEAST_BYTES > _MARGIN * memory:
        raise LimitReached(
            f"{game.title()} has {text} positions to tell apart here:"
            f" at least {_rough(states * _LEAST_BYTES / 1e9)} GB, of which {memory / 1e9:.0f} may be used",
            states=met,
            advice="a later position, smaller parameters, or --method search for this position alone",
        )


def _rough(number: float) -> str:
    """Two digits of a number that is only estimated."""
    return f"{number:,.0f}" if number < 10_000 else f"{number:.1e}".replace("e+0", "e").replace("e+", "e")
