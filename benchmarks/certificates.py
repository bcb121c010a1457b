"""Certificates: how large they are, and what writing and checking them costs.

    python benchmarks/certificates.py [--all]

CPU seconds in one process: solving, proving (beside the solving) and verifying. `--all`
adds the cases that take more than a few seconds.
"""

from __future__ import annotations

import argparse
import random
from itertools import pairwise
from time import process_time

import endsight as es

QUICK = (
    "tictactoe",
    "connectfour:width=4,height=4",
    "connectfour:width=5,height=4",
    "dominoes:n=7",
    "dominoes:n=20",
    "repeatbust:sides=6,dice=3",
    "pig:target=20",
    "pots of 200,000",
    "rpsbag of 50 dice",
)
LONG = (
    "tictactoe:width=4,height=4,line=4",
    "connectfour:width=5,height=5",
    "pig:target=50, exact",
    "pig:target=60, exact",
    "pig:target=100",
)

EXACT = ", exact"
"""What a name ends in where the exact fraction is asked for."""


def game_of(name: str) -> es.Game:
    chance = random.Random(1)
    if name.startswith("pots of"):
        return es.games.Pots([chance.randint(1, 1000) for _ in range(200_000)])
    if name.startswith("rpsbag of"):
        return es.games.RpsBag([[chance.randint(0, 100) for _ in range(2)] + [100] for _ in range(50)])
    return es.load(name)


def row(name: str) -> str:
    game = game_of(name.removesuffix(EXACT))
    times = [process_time()]
    solution = es.solve(game, exact=name.endswith(EXACT))
    solution.values()
    times.append(process_time())
    text = es.prove(solution).to_text()
    times.append(process_time())
    es.verify(es.Certificate.from_text(text))
    times.append(process_time())
    costs = " | ".join(f"{after - before:.2g}" for before, after in pairwise(times))
    return f"| {name} | {len(text.encode()):,} | {costs} |"


def main() -> None:
    parser = argparse.ArgumentParser(description="Sizes and costs of certificates.")
    parser.add_argument("--all", action="store_true", help="the long ones too")
    given = parser.parse_args()
    print("| game | bytes | solve, s | prove, s | verify, s |\n|---|---|---|---|---|")
    for name in QUICK + (LONG if given.all else ()):
        print(row(name), flush=True)


if __name__ == "__main__":
    main()
