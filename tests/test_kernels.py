"""Kernels run as they are: on lists, with the names of the core language bound to Python, as machine code gives it."""

from __future__ import annotations

import random

import pytest

import endsight as es
from endsight.compiler.kernels.core import UNSET, Keys
from endsight.engine.kernels.slots import ScoresBeside, enlarge, enter, place
from endsight.engine.kernels.sorting import drop_repeats, match, sort_digit
from kernel_runs import LEAST_CODE_BITS, both, met_in_order


def random_keys(seed: int, words: int) -> list[int]:
    """Keys, some of them more than once, word by word."""
    chance = random.Random(seed)
    keys = [[chance.randrange(1 << 40 if words == 1 else 1 << 61), chance.randrange(1 << 30)] for _ in range(40)]
    return [word for key in chance.choices(keys, k=60) for word in key[:words]]


@pytest.mark.parametrize("words", [1, 2])
@pytest.mark.parametrize("seed", range(5))
def test_lists_of_keys(words: int, seed: int) -> None:
    keys = random_keys(seed, words)
    for word in range(words):
        for shift in (0, 11, 22, 33, 44):
            plain, compiled = both(sort_digit, words, keys, [0] * len(keys), [0] * 2048, 60, word, shift)
            assert plain == compiled
            keys = plain[2] if plain[0] else plain[1]
    plain, compiled = both(drop_repeats, words, keys, 60)
    assert plain == compiled
    assert plain[0] <= 40
    kept, asked = plain[1][: plain[0] * words], plain[1][words : 5 * words]
    plain, compiled = both(match, words, kept, len(kept) // words, asked, 4, [0] * 4)
    assert plain == compiled
    assert plain[0] == 0
    assert plain[3] == [1, 2, 3, 4]


@pytest.mark.parametrize("words", [1, 2])
def test_tables_of_keys(words: int) -> None:
    keys, bits = random_keys(7, words), LEAST_CODE_BITS
    once = [word for key in sorted({tuple(keys[at : at + words]) for at in range(0, len(keys), words)}) for word in key]
    count = len(once) // words
    plain, compiled = both(enter, words, Keys([0] * (256 * words), 63, once, count), [0], 0, 0, count, bits, UNSET)
    assert plain == compiled
    begin = next(slot for slot in range(64) if plain[1].p_table[slot * words] == 0)
    plain, compiled = both(enlarge, words, plain[1].p_table, 64, 128, begin, 0, 64, bits)
    assert plain == compiled
    table = plain[1]
    assert sum(1 for slot in range(128) if table[slot * words]) == count
    values = list(range(count))
    held = Keys(table, 127, once, count)
    plain, compiled = both(place, words, held, ScoresBeside([0], [0] * 128, 1), values, 0, count, bits, 0)
    assert plain == compiled
    given = [0] * count
    plain, compiled = both(place, words, held, plain[2], given, 0, count, bits, 1)
    assert plain == compiled
    assert plain[3] == values


@pytest.mark.parametrize("game", [es.games.Dominoes(n=4), es.games.TicTacToe()], ids=["dominoes", "tictactoe"])
def test_kernels_with_rules(game: es.Game) -> None:
    found = [met_in_order(game, is_plain=is_plain) for is_plain in (True, False)]
    assert found[0] == found[1]
    assert sorted(found[0][0]) == sorted(found[0][1])
