"""The policy of a solution, as a function of the position and as a table; a solved game as a graph of networkx."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from endsight.answers.records import Column, Records, Tabular
from endsight.base.extras import package_of
from endsight.game import CHANCE
from endsight.game.markup import joined, paragraph
from endsight.game.numbers import simplest
from endsight.game.position import Position, as_text
from endsight.game.question import require_all_seen
from endsight.graph.reachable import keeps_totals, reachable
from endsight.naming.arguments import as_position

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


@dataclass(frozen=True)
class Policy(Tabular):
    """What a solution plays: call it with a position, or write it to a file.

    >>> import endsight as es
    >>> solution = es.solve(es.games.Nim(heaps=(1, 2)))
    >>> solution.policy(solution.position)
    '2:1'
    """

    solution: Solution

    def __call__(self, position: Position | str) -> str | None:
        """The move as text; None at chance, at the end, and for a player who moves at random."""
        position = as_position(position, self.solution.game, "a policy")
        move = self.solution.chosen(position)
        return None if move is None else as_text(self.solution.game, "show_move", position.state, move)

    def rows(self) -> Iterator[Mapping[str, str]]:
        """One row per reachable decision: position, mover, best moves, and the value per player.

        Rows come breadth first from the solution's position. Numbers are exact texts; where the utility is the payoff,
        they count what is still to come.
        """
        for row in self.to_dicts():
            yield {key: " ".join(value) if key == "best" else str(value) for key, value in row.items()}

    def _entries(self) -> Iterator[tuple[Any, ...]]:
        """The state as text, mover, best moves and values of every reachable decision."""
        solution = self.solution
        require_all_seen(solution.game, "a policy by positions")
        totals = keeps_totals(solution.question, solution.game)
        for position in reachable(solution.position, solution.budget, totals=totals):
            if position.mover == CHANCE or position.is_over:
                continue
            show, best = as_text(solution.game, "show", position.state), solution.best_moves(position)
            yield show, position.to_move, best, *solution.ends(position)

    def records(self) -> Records:
        """The same as a table with exact numbers."""
        names = self.solution.game.player_names
        columns: list[Column] = [("position", "text"), ("to_move", "text"), ("best", "list")]
        columns += [(f"value_{name}", "number") for name in names]
        return Records(f"policy of {self.solution.game.title()}", columns, self._entries())

    def _repr_html_(self) -> str:
        # Listing the rows would need a search, and a notebook may show this at any time.
        return joined(paragraph(f"policy of {self.solution.game!r}: call it with a position, or .to_csv(path)"))

    def _repr_markdown_(self) -> str:
        return f"policy of `{self.solution.game!r}`"

    def __repr__(self) -> str:
        return f"<Policy of {self.solution.game!r}>"


def network(solution: Solution, depth: int | None) -> Any:
    """The positions within `depth` moves (None: all positions), as a `networkx.MultiDiGraph`.

    A node is a state with the number of the player to move. Node attributes are `position` (the state as text),
    `to_move`, and `value` (what each player still gets from there). Edge attributes are `move`, and `regret`, `best`
    and `probability` as in `Solution.options`.
    """
    graph = package_of("networkx", "networkx", "to_networkx").MultiDiGraph(game=solution.game.title())
    _add(graph, solution, solution.position)
    waiting = [(solution.position, 0)]
    for place, plies in waiting:
        if plies == depth:
            break
        for option in solution.options(place):
            after = place.play(option.move)
            if _node(after) not in graph:
                _add(graph, solution, after)
                waiting.append((after, plies + 1))
            facts = {"regret": option.regret, "best": option.best, "probability": option.probability}
            graph.add_edge(_node(place), _node(after), move=option.text, **facts)
    return graph


def _node(place: Position) -> tuple[Any, int]:
    return place.state, place.mover


def _add(graph: Any, solution: Solution, place: Position) -> None:
    to_come = (simplest(-paid + value) for value, paid in zip(solution.ends(place), place.so_far, strict=True))
    text = as_text(place.game, "show", place.state)
    graph.add_node(_node(place), position=text, to_move=place.to_move, value=tuple(to_come))
