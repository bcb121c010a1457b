"""Whether an author's rules are reliable: they say the same when asked again, and merge no different states.

Some states are examined twice. Rules that keep something between calls (a board that `play` changes in place, an
iterator made in `setup`, a list as default value, random numbers) answer differently the next time, and what
is solved then is no game.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from time import monotonic
from typing import Any

from endsight.errors import RulesError
from endsight.errors.rules_guard import brief, pass_on_limit, place_of
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.explorer import expand
from endsight.graph.graph import Graph
from endsight.graph.merging import compare_images
from endsight.graph.objective import View

_STATES = 60
"""Number of states to examine: all of a small game, which is examined again until it comes to as many."""
_SECONDS = 0.05
"""Time after which no further state is examined for the first time, or once more; rules may be slow."""
_RULES = {"movers": "to_move", "moves": "moves", "keys": "play", "weights": "weight", "rewards": "reward"}
_RULES |= {"payoffs": "payoff"}
"""The part of a graph that each of the rules determines."""


def require_kept(position: Position, question: Question, budget: Budget, *, symmetry: bool) -> None:
    """Raise `RulesError` where a rule gives another result when it is called again, or `canonical` is wrong.

    Examines the position and states of random games from there on. The `budget` lends its limits.
    """
    _require_steady(position, question, budget)
    if symmetry and position.game.gives("canonical") and not position.game.gives("sees"):
        compare_images(position.game, position)


def require_alike(solved: Position, position: Position, *, merges: bool, exchanges: bool) -> None:
    """Raise `RulesError` where the state of a position shares a row with one that is not equivalent.

    States that play comes to from the `solved` position have been compared; others may be asked about too. `merges`
    says whether `canonical` decides which states share a row, `exchanges` whether `exchanged` does.
    """
    game = position.game
    comes_from_it = position.set_up == solved.set_up and position.history[: len(solved.history)] == solved.history
    if comes_from_it or is_built_in(game):
        return
    if merges:
        compare_images(game, position)
    if exchanges:
        compare_images(game, position, exchanged=True)


def _require_steady(position: Position, question: Question, budget: Budget) -> None:
    view = View(position.game, replace(question, fixed={}), symmetry=False)
    lent, late = Budget(budget.limits), monotonic() + _SECONDS
    try:
        first = _looks(view, position, lent, late)
        again = [(node, expand(view, [node], lent)) for node in reversed(first)]
        while len(again) < _STATES and monotonic() < late:
            again += [(node, expand(view, [node], lent)) for node in first]
    except Exception as error:  # a fault of the rules there: a solve that gets there reports it
        pass_on_limit(error)
        return
    for node, look in again:
        for part, rule in _RULES.items():
            one, other = getattr(first[node], part), getattr(look, part)
            if one != other:
                raise _unsteady(view, rule, node, one, other)


def _looks(view: View, position: Position, budget: Budget, late: float) -> dict[Any, Graph]:
    """The results of the rules for `position`, and for states of random games from there on."""
    random = Random(0)
    looks: dict[Any, Graph] = {}
    waiting = [view.key(position)]
    while waiting and len(looks) < _STATES and (not looks or monotonic() < late):
        node = waiting.pop()
        if node not in looks:
            looks[node] = expand(view, [node], budget)
            later = list(looks[node].keys[1:])
            random.shuffle(later)
            waiting += later
        if looks[node].payoffs[0] is not None:
            # Where a game has ended, another one branches off anywhere.
            random.shuffle(waiting)
    return looks


def _unsteady(view: View, rule: str, node: Any, one: Any, other: Any) -> RulesError:
    game, state = view.game, view.split(node)[0]
    place = place_of(type(game), rule)
    return RulesError(
        f"{game.title()}: {rule} gives another result when it is called again",
        found=f"{brief(one)}, and then {brief(other)}, in {brief(state)}{f' ({place})' if place else ''}",
        allowed="results that depend only on the arguments and the parameters",
        advice="keep everything else in the state; dice and cards are moves of CHANCE with weights",
    )
