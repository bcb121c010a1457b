"""Random games in which players see different things: the value and both plans, held against the oracle.

    python tests/fuzz_hidden.py --count 2000 --seed 1
    python tests/fuzz_hidden.py --count 500 --seed 1 --restricted

Every game is solved by the sequence form. The oracle of `hidden_games.py`, which walks the rules by itself, replies
best to both plans: the replies must be worth exactly what was told. Where there are few strategies the value
is also that of the matrix of all of them. Of all games 2 in 10 have payoffs 1e-9 apart, 1 in 10 weights of chance up to
10^12, 3 in 10 moves at once, 3 in 10 payments on the way. Stops at the first thing that is wrong.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from fractions import Fraction

import pytest

import endsight as es
import thresholds
from hidden_games import Hidden, mixtures, pure_value, reply_value, strategies
from ranges import as_range

MOST_PAIRS = 600
WIDEST = Fraction(1, 10**12)


def random_game(seed: int) -> Hidden:
    """The game of that number."""
    r = random.Random(f"hidden {seed}")
    return Hidden(
        seed,
        depth=r.randint(2, 8),
        wide=r.randint(1, 2),
        small=r.choice([1, 2, 5, 50]),
        tiny=10**9 if r.random() < 0.2 else 0,
        heavy=10**12 if r.random() < 0.1 else 3,
        together=r.random() < 0.3,
        gains=r.random() < 0.3,
    )


def check(seed: int) -> tuple[Hidden, es.Solution]:
    """Solve the game and hold everything told against the oracle."""
    game = random_game(seed)
    solution = es.solve(game)
    value = as_range(solution.values()[0])
    if solution.notion is None or not solution.notion.startswith("what players know"):  # a common view needs no plans
        first, second = mixtures(game, solution)
        assert reply_value(game, 1, first.__getitem__) == value.lower, game
        assert reply_value(game, 0, second.__getitem__) == value.upper, game
        assert (solution.notion == "equilibrium") == solution.is_exact(), game
    if strategies(game) <= MOST_PAIRS:
        assert pure_value(game) in value, game
    assert solution.is_exact() or (game.tiny and value.width <= WIDEST), game
    return game, solution


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--restricted", action="store_true", help="restrict small games, too, as large ones are")
    asked = parser.parse_args()
    kinds: Counter[tuple[str, str]] = Counter()
    begun = time.process_time()
    with pytest.MonkeyPatch.context() as patch:
        if asked.restricted:
            thresholds.restrict_small_hidden_games(patch)
        for seed in range(asked.seed, asked.seed + asked.count):
            game, found = check(seed)
            kinds["1e-9 apart" if game.tiny else "others", found.method if found.is_exact() else "enclosed"] += 1
    for (kind, method), count in sorted(kinds.items()):
        print(f"{kind}: {count} by {method}")
    print(f"{asked.count} games, nothing wrong, {time.process_time() - begun:.1f} s")


if __name__ == "__main__":
    main()
