"""Whether an author's rules are reliable: they say the same when asked again, and merge no different states.

Some states are examined twice. Rules that keep something between calls (a board that `play` changes in place, an
iterator made in `setup`, a list as default value, random numbers) answer differently the next time, and what
is solved then is no game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from time import monotonic, process_time
from typing import Any, NamedTuple

from endsight.base.deferred import deferred
from endsight.errors import RulesError
from endsight.errors.rules_guard import brief, pass_on_limit, place_of
from endsight.game import CHANCE, Game
from endsight.game.limits import Budget
from endsight.game.position import Position
from endsight.game.question import Question
from endsight.games import is_built_in
from endsight.graph.equivalence import StateRow, States
from endsight.graph.explorer import expand
from endsight.graph.game_tree import GameTree
from endsight.graph.graph import Graph
from endsight.graph.objective import View
from endsight.graph.unfolding import unfold

with deferred(__name__):
    from endsight.engine.comparing import played

_STATES = 60
"""Number of states to examine: all of a small game, which is examined again until it comes to as many."""
_SECONDS = 0.05
"""Time after which no further state is examined for the first time, or once more; rules may be slow."""
_RULES = ("to_move", "moves", "play", "weight", "reward", "payoff")


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
        again = [expand(view, list(first)[::-1], lent)]
        while len(first) * len(again) < _STATES and monotonic() < late:
            again.append(expand(view, list(first), lent))
    except Exception as error:  # a fault of the rules there: a solve that gets there reports it
        pass_on_limit(error)
        return
    for look in again:
        for number, node in enumerate(look.keys[: len(first)]):
            for rule, one, other in zip(_RULES, _results(first[node], 0), _results(look, number), strict=True):
                if one != other:
                    raise _unsteady(view, rule, node, one, other)


def _results(graph: Graph, node: int) -> Iterator[Sequence[Any]]:
    """What each of the rules gave at a node, in the order of `_RULES`."""
    here, edges = slice(node, node + 1), slice(graph.offsets[node], graph.offsets[node + 1])
    moves = graph.moves[edges]
    yield graph.movers[here]
    yield moves
    yield list(dict.fromkeys([graph.keys[node], *(graph.keys[other] for other in graph.successors[edges])]))
    yield graph.weights[edges] if graph.weights else [1] * len(moves)
    yield graph.rewards[edges] if graph.rewards else [None] * len(moves)
    yield graph.payoffs[here]


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


# Whether an author's `canonical` and `exchanged` are reliable: states are compared before any are merged.
#
# Every answer with merged states rests on them. A proof that they are right needs all
# states unmerged, which is the work that merging saves. So a game of up to some two thousand
# states is compared whole; of others, the first states and some from all stages of
# random games are compared, as far ahead as these reach. `endsight check` compares more of them.


_MOST_COMPARED, _FEWEST_COMPARED = 2_000, 60
_SECONDS_COMPARING = 0.1
"""The most states to examine and the fewest; seconds of computing that end it between the two."""
_PLAYED, _LATER = 40, 10
"""Number of states from the middle of random games, and of states to follow from each of them."""


def compare_images(game: Game, position: Position, *, exchanged: bool = False) -> None:
    """Raise `RulesError` where a state and its image by `canonical` are found not to be equivalent.

    With `exchanged`, its image by that method, with the players exchanged: for games of two players that give
    `to_move`. Examines the states from `position` on, as far as the module says.
    """
    view = View(game, Question(), symmetry=False, tracks_mover=True)
    _ImageComparison(view, unfold(view, position), exchanged).require_alike(position)


class _Seen(NamedTuple):
    """A node, as it is or with the two players exchanged."""

    key: Any
    is_turned: bool = False


@dataclass(frozen=True)
class _ImageComparison:
    """States of a game and their images under one of the two methods."""

    view: View
    tree: GameTree
    is_exchange: bool

    def require_alike(self, position: Position) -> None:
        """Compare the states, and raise the `RulesError`."""
        states = States(self._look, self._image)
        is_late = _clock(states)
        if not states.holds(states.reach([_Seen(self.tree.root)], _MOST_COMPARED, is_late)):
            nodes = played(position, self.view)[-_PLAYED:]
            is_late = _clock(states)  # which the games, and loading what plays them, should not use up
            for node in nodes:
                states.reach([_Seen(node)], _LATER, is_late)
        for key, image in states.pairs():
            if not is_late():
                states.look_ahead(key, image)
        pairs = [pair for pair in states.pairs() if states.holds(pair)]
        if self.is_exchange:
            self._require_back(pairs)
        differences, _ = states.differences(pairs, lambda: False)
        if differences:
            raise self._unlike(differences[0].state, differences[0].image, "play goes on in another way")

    def _look(self, seen: _Seen) -> StateRow | None:
        try:
            place = self.tree.look(seen.key)
        except Exception as error:  # a fault of the rules there: a solve that gets there reports it
            pass_on_limit(error)
            return None
        weights = place.weights or [1] * len(place.children)
        order = -1 if seen.is_turned else 1
        mover = 1 - place.mover if seen.is_turned and place.mover != CHANCE else place.mover
        steps = tuple(
            (_Seen(child, seen.is_turned), (gain or ())[::order], weight)
            for (child, gain), weight in zip(place.children, weights, strict=True)
        )
        return StateRow(mover, None if place.payoff is None else place.payoff[::order], steps)

    def _image(self, seen: _Seen) -> _Seen | None:
        rule = self.view.game.exchanged if self.is_exchange else self.view.game.canonical
        try:
            image = rule(self.view.split(seen.key)[0])
            hash(image)
        except Exception as error:  # as above
            pass_on_limit(error)
            return None
        key = seen.key._replace(state=image) if self.view.tracks else image
        return _Seen(key, seen.is_turned != self.is_exchange)

    def _require_back(self, pairs: list[tuple[_Seen, _Seen]]) -> None:
        """Require that exchanging twice changes nothing, and that both states are of one layer."""
        game = self.view.game
        for one, other in pairs:
            back = self._image(other)
            if back is not None and back != one:
                raise self._unlike(one, other, "exchanging the players again leads elsewhere")
            here, there = (self.view.split(seen.key)[0] for seen in (one, other))
            if game.gives("layer") and game.layer(here) != game.layer(there):  # type: ignore[attr-defined]
                raise self._unlike(one, other, "the layer is another one")

    def _unlike(self, one: _Seen, other: _Seen, where: str) -> RulesError:
        game, name = self.view.game, "exchanged" if self.is_exchange else "canonical"
        shown = (game.show(self.view.split(seen.key)[0]) for seen in (one, other))
        says = "takes states for the same with players exchanged" if self.is_exchange else "takes states for equivalent"
        return RulesError(
            f"{game.title()}: {name} {says} that are not",
            found=f"{' and '.join(shown)}, where {where}",
            advice=f"mend {name} (endsight check says more), or answer without it: --symmetry off",
        )


def _clock(states: States) -> Callable[[], bool]:
    """Whether enough has been examined, counted from now."""
    began, before = process_time(), len(states.rows)
    return lambda: len(states.rows) >= before + _FEWEST_COMPARED and process_time() - began > _SECONDS_COMPARING
