"""What players see at many nodes, as words."""

from __future__ import annotations

from endsight.compiler.kernels.keys import *


def look_around(p_order: Numbers, p_sights: Numbers, first: int, stop: int, p_data: Numbers) -> int:
    """Write down what all players see at the keys from `first` up to `stop`, SIGHT_WORDS words each.

    The result is 0, or the site at which `sees` fails.
    """
    es_use_data(p_data)
    es_clear_fault()
    for at in range(first, stop):
        es_sights(p_sights, (at - first) * SIGHT_WORDS, es_state(es_load_key(p_order, at)))
    return es_fault()
