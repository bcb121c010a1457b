"""Sources of searches: positions that are proven one by one, when somebody asks about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Any, TypeVar

from endsight.answers.source import Bounds, Row, Source
from endsight.game.numbers import Amount, Number, ends_of
from endsight.game.position import Position
from endsight.graph.objective import View

if TYPE_CHECKING:
    from endsight.answers.auditing import Watched
    from endsight.engine.distances import Distances


class Searcher:
    """Searches for the values of single positions; the facts mean the same as in `Source`.

    Values are those of what is still to come, per player; with `by_mover` those of the player who
    moves and of the other one.
    """

    method: str
    states: int
    is_win_loss: bool = True
    notion: str | None = None
    by_mover = True
    moves_at_once = False
    rules: Any = None
    facts: Mapping[str, Any] = {}
    kept_in: Path | None = None

    def __init__(self, view: View) -> None:
        self.view = view

    def found(self, position: Position) -> tuple[Amount, ...] | None:
        """Values, searched for if need be; None for a position that cannot be searched."""
        raise NotImplementedError

    def proven(self, position: Position) -> tuple[Amount, ...] | None:
        """Values as far as the searches so far prove them; None for nothing."""
        return self.found(position)

    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least `amount` from there on; None where a short search does not decide."""
        return None

    def chosen(self, position: Position) -> Any:
        """The move that best play takes, where a search has found it; else None."""
        return None


T = TypeVar("T")


def _alone(ask: Callable[..., T]) -> Callable[..., T]:
    """Let one thread at a time ask a search: its questions share a line of play and a table."""

    @wraps(ask)
    def asked(search: Search, *about: Any) -> T:
        with search.lock:
            return ask(search, *about)

    return asked


class Search(Source):
    """Positions proven one by one, when somebody asks; verdicts, and distances if they were asked for.

    `watch` audits the answers of compiled rules.
    """

    watch: Watched | None = None
    lengths: Distances | None = None

    def __init__(self, searcher: Searcher, lengths: Distances | None = None) -> None:
        self._lengths, self.lock = lengths, RLock()
        self.searcher: Searcher = searcher
        self.method, self.notion = searcher.method, searcher.notion
        self.is_win_loss, self.compiled = searcher.is_win_loss, searcher.rules
        self.has_parts = not self.is_win_loss
        self.merges = searcher.view.canonical is not None
        self.moves_at_once = searcher.moves_at_once

    @property
    def states(self) -> int:  # type: ignore[override]
        """Positions visited by all searches so far."""
        return self.searcher.states + (0 if self.lengths is None else self.lengths.states)

    @property
    def kept_in(self) -> Path | None:  # type: ignore[override]
        """The file in which the searches keep what they prove; None where they keep nothing."""
        return self.searcher.kept_in

    @_alone
    def counts_plies(self) -> bool:
        """Whether distances are searched for from now on."""
        self.lengths = self._lengths if self._lengths is not None and self._lengths.are_told else None
        return self.lengths is not None

    @_alone
    def distance(self, position: Position) -> int | None:
        """Plies to the end, searched for where they are counted; else None."""
        return None if self.lengths is None else self.lengths.of(position)

    @_alone
    def row(self, position: Position) -> Row | None:
        """Value of the whole game per player; searches the position now if that has not been done yet."""
        values = self.searcher.found(position)
        return None if values is None else (self._whole(position, values), None)

    def _whole(self, position: Position, values: tuple[Amount, ...]) -> tuple[Amount, ...]:
        return self.searcher.view.whole(position, values, by_mover=self.searcher.by_mover)

    @_alone
    def passes(self, position: Position) -> bool:
        """Whether the rules in Python find no error."""
        return self.watch is None or self.watch.passes(self, position)

    @_alone
    def proven(self, position: Position) -> Bounds | None:
        """What the searches so far prove."""
        values = self.searcher.proven(position)
        return None if values is None else ends_of(self._whole(position, values))

    @_alone
    def reaches(self, position: Position, player: int, amount: Number) -> bool | None:
        """Whether that player gets at least `amount` of the whole game; None where a short search does not decide."""
        return self.searcher.reaches(position, player, amount - self.searcher.view.carried(position.so_far)[player])

    @_alone
    def chosen(self, position: Position) -> Any:
        """The move that best play takes, where a search has found it; else None."""
        return self.searcher.chosen(position)

    def facts(self, position: Position) -> Mapping[str, Any]:
        """How many nodes were visited, where the search counts them."""
        return self.searcher.facts
