"""Where OpenSpiel's value iteration merges positions with different futures.

    python benchmarks/openspiel_merging.py [NAME ...]

It needs `open_spiel` and `cvxpy`, which its value iteration imports. For every game all positions are solved by
backward induction over positions told apart by what decides their future, and held against `value_iteration`, whose key
is `str(state)`. Printed are: positions; texts; texts that stand for positions with different players to move, or with
different values; positions for which value iteration says another value than ours, or none; the value of the start,
both ways.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import pyspiel
from open_spiel.python.algorithms.value_iteration import value_iteration

from endsight.interop.openspiel import OpenSpiel

GAMES = (
    "breakthrough(rows=5,columns=3)",
    "breakthrough(rows=6,columns=2)",
    "breakthrough(rows=7,columns=2)",
    "dots_and_boxes(num_rows=1,num_cols=3)",
    "dots_and_boxes(num_rows=1,num_cols=4)",
    "pig(winscore=4,horizon=8,diceoutcomes=3)",
    "pig(winscore=5,horizon=6,diceoutcomes=2)",
    "cliff_walking(height=3,width=4,horizon=8)",
    "cliff_walking(height=3,width=4,horizon=5)",
)
CLOSE = 1e-6


def values_of(game: OpenSpiel) -> dict[str, float]:
    """What every position is worth to the first player, by key, with what was paid before left out."""
    values: dict[str, float] = {}
    _fill(game, game.positions.start, values)
    return values


def _fill(game: OpenSpiel, key: str, values: dict[str, float]) -> None:
    node, state = game.positions.node(key), game.State(key)
    if not node.moves:
        values[key] = float(game.payoff(state)[0])
        return
    after = [game.positions.after(key, move) for move in node.moves]
    for other in after:
        if other not in values:
            _fill(game, other, values)
    paid = [float(game.reward(state, move)[0]) if game.pays_on_the_way else 0 for move in node.moves]
    worth = [own + values[other] for own, other in zip(paid, after, strict=True)]
    weights = list(node.weights.values())
    mean = sum(w * v for w, v in zip(weights, worth, strict=False)) / max(sum(weights), 1)
    values[key] = mean if weights else max(worth) if node.mover == 0 else min(worth)


def compare(name: str) -> str:
    """One line of the table."""
    game = OpenSpiel(name)
    values = values_of(game)
    theirs = value_iteration(pyspiel.load_game(name), -1, 1e-9, cyclic_game=True)
    movers, worth, wrong = defaultdict(set), defaultdict(set), 0
    for key, value in values.items():
        state = game.positions.node(key).state
        if not state.is_chance_node() and not state.is_terminal():
            movers[str(state)].add(state.current_player())
            worth[str(state)].add(round(value, 9))
            said = theirs.get(str(state))
            wrong += said is None or abs(said - value) > CLOSE
    both = sum(len(each) > 1 for each in movers.values())
    apart = sum(len(each) > 1 for each in worth.values())
    start = game.positions.start
    cells = [f"`{name}`", f"{len(values):,}", f"{len(movers):,}", f"{both:,}", f"{apart:,}", f"{wrong:,}"]
    cells += [f"{values[start]:.6g}", f"{theirs[str(game.positions.node(start).state)]:.6g}"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    print("| game | positions | texts | of two movers | of two values | wrong | start | value iteration |")
    print("|---|---|---|---|---|---|---|---|")
    for name in sys.argv[1:] or GAMES:
        print(compare(name), flush=True)
