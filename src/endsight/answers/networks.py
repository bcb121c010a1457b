"""A solved game as a graph of networkx."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from endsight.base.extras import package_of
from endsight.game.numbers import simplest
from endsight.game.position import Position, as_text

if TYPE_CHECKING:
    from endsight.answers.solution import Solution


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
