"""A small game as a graph of its positions."""

from __future__ import annotations

from graphlib import TopologicalSorter

from endsight.answers.solution import Solution
from endsight.charts.figures import GraphPlace, Link, Network
from endsight.charts.layout import SMALL, wrapped
from endsight.charts.naming import where
from endsight.errors import QuestionError
from endsight.faces.wording import approximate, verdict
from endsight.game import CHANCE
from endsight.game.numbers import count_text
from endsight.game.position import Position, as_text
from endsight.game.question import require_all_seen
from endsight.graph.objective import View
from endsight.graph.reachable import keeps_totals, reachable

MOST_PLACES = 60
_WIDEST = 150
"""Longer texts of states take several lines."""


def graph(solution: Solution, position: Position | None = None) -> Network:
    """Every position that can be reached, with its value, and the moves between them.

    Values are of future payoffs. Raises `QuestionError` if there are more than 60 positions.
    """
    require_all_seen(solution.game, "a picture of the whole game")
    position = solution.asked(position)
    nodes = _nodes(solution, position)
    numbers = {key: number for number, key in enumerate(nodes)}
    links = [link for key, place in nodes.items() for link in _links(solution, place, numbers[key], numbers)]
    layers = _layers(len(nodes), links)
    places = [_place(solution, place, layer) for place, layer in zip(nodes.values(), layers, strict=True)]
    best = sum(link.kind == "best" for link in links)
    return Network(
        title=f"{where(position)}: the whole game from here",
        description=(
            f"{count_text(len(places), 'position')} and {count_text(len(links), 'move')}, {best} of them best."
            f" At the start: {places[0].lines[0]}."
        ),
        places=tuple(places),
        links=tuple(links),
    )


Key = tuple[object, int, tuple[object, ...]]


def _place(solution: Solution, position: Position, layer: int) -> GraphPlace:
    """The place of a position in the picture."""
    kind = "end" if position.is_over else "chance" if position.mover == CHANCE else "decision"
    name = as_text(position.game, "show", position.state) or "start"
    mover = [f"{position.to_move} to move"] if kind == "decision" and position.game.player_count > 1 else []
    lines = (_worth(solution, position), *wrapped(name, _WIDEST, SMALL), *mover)
    return GraphPlace(lines, layer, kind)  # type: ignore[arg-type]


def _links(solution: Solution, position: Position, number: int, numbers: dict[Key, int]) -> list[Link]:
    """The moves of the position with that number, parallel ones merged."""
    found: dict[tuple[int, str], list[str]] = {}
    for option in solution.options(position):
        target = numbers[_key(position.play(option.move), solution)]
        kind = "chance" if option.probability is not None else "best" if option.best else "other"
        found.setdefault((target, kind), []).append(option.text)
    return [
        Link(number, target, ", ".join(moves), kind)  # type: ignore[arg-type]
        for (target, kind), moves in found.items()
    ]


def _nodes(solution: Solution, position: Position) -> dict[Key, Position]:
    """The positions that can be reached, in the order of their numbers."""
    nodes: dict[Key, Position] = {}
    for place in reachable(position, solution.budget, totals=keeps_totals(solution.question, solution.game)):
        if len(nodes) == MOST_PLACES:
            raise QuestionError(
                f"{where(position)}: the game is too large to draw",
                found=f"more than {MOST_PLACES} positions",
                allowed=f"up to {MOST_PLACES}",
                advice="a later position (--at), or endsight solve GAME -o FOLDER and endsight export FOLDER --to dot",
            )
        nodes[_key(place, solution)] = place
    return nodes


def _key(place: Position, solution: Solution) -> Key:
    totals = View.counted(place.so_far) if keeps_totals(solution.question, solution.game) else ()
    return place.state, place.mover, totals


def _worth(solution: Solution, position: Position) -> str:
    """The result, or the players' values, in a few characters."""
    result = verdict(solution, position)
    if result is not None:
        return "draw" if result.winner is None else f"{result.winner} wins"
    return " : ".join(approximate(value, 3).removeprefix("≈ ") for value in solution.ends(position))


def _layers(count: int, links: list[Link]) -> list[int]:
    """The longest path to each place, without the links that close a cycle."""
    before: dict[int, list[int]] = {number: [] for number in range(count)}
    for source, target in _forwards(count, links):
        before[target].append(source)
    layers = [0] * count
    for number in TopologicalSorter(before).static_order():
        layers[number] = max((layers[earlier] + 1 for earlier in before[number]), default=0)
    return layers


def _forwards(count: int, links: list[Link]) -> list[tuple[int, int]]:
    """All links except those back to a place on the path to them (depth first from the start)."""
    targets: list[list[int]] = [[] for _ in range(count)]
    for link in links:
        targets[link.source].append(link.target)
    found: list[tuple[int, int]] = []
    done: set[int] = set()
    path = [(0, iter(targets[0]))]
    while path:
        number, rest = path[-1]
        target = next(rest, None)
        if target is None:
            done.add(number)
            path.pop()
        elif target not in [place for place, _ in path]:
            found.append((number, target))
            if target not in done:
                path.append((target, iter(targets[target])))
    return found
