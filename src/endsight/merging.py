"""Whether an author's `canonical` may be relied on: equivalent states are compared before any are merged.

Every answer with merged states rests on `canonical`. A proof that it is right needs all
states unmerged, which is the work that merging saves. So a game of up to some two thousand
states is compared whole, and of others the first states and some from all stages of
random games, as far ahead as these reach; `endsight check` looks at more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

from endsight.equivalence import Difference, Row, States
from endsight.errors import RulesError
from endsight.game import Game
from endsight.objective import View
from endsight.position import Position
from endsight.rules_guard import pass_on_limit
from endsight.unfolding import unfold

__all__ = ["compare_merged"]

_STATES, _FEWEST = 2_000, 60
_SECONDS = 0.1
"""So many states are looked at, or as many as take so much computing, but so many at least."""
_PLAYED, _LATER = 40, 10
"""States from the middle of random games, and states from each of them on."""


def compare_merged(game: Game, position: Position) -> None:
    """Raise `RulesError` where a state and its image by `canonical` are found not to be equivalent.

    Looks at the states from `position` on, as far as the module says.
    """
    view, tree = unfold(game, position, symmetry=False, tracks_mover=True)

    def look(key: Any) -> Row | None:
        try:
            place = tree.look(key)
        except Exception as error:  # rules that fail there: a solve that comes there says so
            pass_on_limit(error)
            return None
        weights = place.weights or [1] * len(place.children)
        steps = ((child, gain or (), weight) for (child, gain), weight in zip(place.children, weights, strict=True))
        return Row(place.mover, place.payoff, tuple(steps))

    states = States(look, lambda key: _image(view, key))
    is_late = _clock(states)
    if not states.holds(states.reach([tree.root], _STATES, is_late)):
        from endsight.compiler.comparing import played

        is_late = _clock(states)
        for node in played(position, view)[-_PLAYED:]:
            states.reach([node], _LATER, is_late)
    for key, image in states.pairs():
        if not is_late():
            states.look_ahead(key, image)
    pairs = [pair for pair in states.pairs() if states.holds(pair)]
    differences, _ = states.differences(pairs, lambda: False)
    if differences:
        raise _not_equivalent(view, differences[0])


def _clock(states: States) -> Callable[[], bool]:
    """Whether enough has been looked at, from now on."""
    began, before = process_time(), len(states.rows)
    return lambda: len(states.rows) >= before + _FEWEST and process_time() - began > _SECONDS


def _image(view: View, key: Any) -> Any:
    try:
        image = view.game.canonical(view.split(key)[0])
        hash(image)
    except Exception as error:  # as above
        pass_on_limit(error)
        return None
    return key._replace(state=image) if view.tracks else image


def _not_equivalent(view: View, difference: Difference) -> RulesError:
    one, other = (view.game.show(view.split(key)[0]) for key in (difference.state, difference.image))
    return RulesError(
        f"{view.game.title()}: canonical takes states for equivalent that are not",
        found=f"{one} and {other}, where play goes on in another way",
        advice="mend canonical (endsight check says more), or answer without it: --symmetry off",
    )
