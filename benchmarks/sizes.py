"""How often ranges of `endsight estimate` hold the true number of positions.

    python benchmarks/sizes.py [--fitted | --new]

Every game has a known number: from a formula, from the literature, or from solving or counting it whole. The
constants of `endsight.cost` were chosen on the games in FITTED, and on small ones with all their layers. TESTED was
looked at while methods were chosen, and one game moved from it to FITTED. NEW was written after methods and constants
were final, and then measured. Symmetry is off. Seconds are of computing time, compiling included.
"""

from __future__ import annotations

import sys
from math import comb, factorial
from pathlib import Path
from time import process_time

from endsight.cost.census import take_census
from endsight.naming.specification import load_game

RULES = Path(__file__).parent / "rules"


def boards(cells: int) -> int:
    """Boards of tic-tac-toe on which no line is long enough."""
    return sum(comb(cells, stones) * comb(stones, stones // 2) for stones in range(cells + 1))


FITTED = {
    # J. Tromp's table of Connect Four, OEIS A212693.
    "connectfour:width=5,height=5": 69_763_700,
    "connectfour:width=6,height=5": 2_818_972_642,
    "connectfour:width=7,height=4": 2_265_792_710,
    "connectfour:width=6,height=6": 69_173_028_785,
    "connectfour": 4_531_985_219_092,
    "dominoes:n=7": 188_463_304,
    "tictactoe:width=5,height=4,line=6": boards(20),
    "tictactoe:width=5,height=5,line=6": boards(25),
    "tictactoe:width=6,height=5,line=7": boards(30),
    "peg.py:Peg": 187_636_299,
    "clobber.py:Clobber:rows=4,columns=5": 26_787_440,
    "sliding.py:Sliding:columns=4": factorial(12) // 2,
    "sliding.py:Sliding:columns=5,rows=3": factorial(15) // 2,
    "pancakes.py:Pancakes:count=12": factorial(12),
    "lights.py:Lights:size=6": 2**36,
    "hanoi.py:Hanoi:discs=17": 3**17,
    "nim:heaps=60-60-60-60-60": 61**5,
    "bankpig.py:BankPig:target=300": 53_643_590,
    "pig:target=300": 53_464_788,
    "chomp:width=15,height=15": comb(30, 15),
}

TESTED = {
    "sliding.py:Sliding": factorial(9) // 2,
    "sliding.py:Sliding:columns=5,rows=2": factorial(10) // 2,
    "sliding.py:Sliding:columns=6,rows=2": factorial(12) // 2,
    "sliding.py:Sliding:columns=7,rows=2": factorial(14) // 2,
    "sliding.py:Sliding:columns=4,rows=4": factorial(16) // 2,
    "pancakes.py:Pancakes:count=9": factorial(9),
    "pancakes.py:Pancakes": factorial(10),
    "pancakes.py:Pancakes:count=11": factorial(11),
    "pancakes.py:Pancakes:count=13": factorial(13),
    "hanoi.py:Hanoi:discs=12": 3**12,
    "hanoi.py:Hanoi:discs=20": 3**20,
    "lights.py:Lights:size=4": 2**12,
    "lights.py:Lights:size=5": 2**23,
    "lights.py:Lights:size=7": 2**49,
    "pocketcube.py:PocketCube": factorial(7) * 3**6,
    "kalah.py:Kalah": 1_639_039,
    "kalah.py:Kalah:houses=4,seeds=3": 5_193_524,
    "kalah.py:Kalah:houses=4,seeds=4": 39_143_200,
    "kalah.py:Kalah:houses=5,seeds=2": 18_271_953,
    "einstein.py:Einstein": 81_076,
    "einstein.py:Einstein:size=4": 12_171_336,
    "krk.py:Krk": 402_676,
    "frozen.py:Frozen": 60,
    "cliff.py:Cliff": 32,
    "truel.py:Truel": 24,
    "forest.py:Forest": 6,
    "slippery.py:Slippery": 496,
    "showdown.py:Showdown": 28_244,
    "peg.py:Peg:board=square": 1_183_924,
    "connectfour:width=4,height=4": 161_029,
    "connectfour:width=5,height=4": 3_945_711,
    "connectfour:width=4,height=6": 15_835_683,
    "connectfour:width=6,height=4": 94_910_577,
    "connectfour:width=4,height=7": 135_385_909,
    "connectfour:width=5,height=6": 1_044_334_437,
    "connectfour:width=5,height=7": 14_171_315_454,
    "connectfour:width=8,height=4": 54_233_186_631,
    "tictactoe": 5_478,
    "tictactoe:width=4,height=4,line=4": 9_722_011,
    "tictactoe:width=6,height=4,line=7": boards(24),
    "tictactoe:width=7,height=4,line=8": boards(28),
    "dominoes:n=5": 40_806,
    "dominoes:n=6": 2_040_607,
    "nim:heaps=20-20-20-20": 21**4,
    "nim:heaps=100-100-100-100": 101**4,
    "nim:heaps=9-9-9-9-9-9-9-9-9": 10**9,
    "nim:heaps=3-3-3-3-3-3-3-3-3-3-3-3-3-3": 4**14,
    "nim:heaps=1000-1000-1000": 1001**3,
    "chomp:width=10,height=10": comb(20, 10),
    "chomp:width=12,height=12": comb(24, 12),
    "chomp:width=14,height=14": comb(28, 14),
    "blackjack": 2_275,
    "chomp": 35,
    "dodgem": 1_963,
    "hazardstop": 36,
    "hexapawn": 135,
    "nim": 120,
    "piglet": 2_420,
    "pigturn": 72,
    "scorecard": 1_639,
    "repeatbust": 5_680,
    "dodgem:size=4": 393_900,
    "hexapawn:width=5,height=5": 3_210_411,
    "hexapawn:width=5,height=6": 16_691_901,
    "pig": 1_941_588,
    "twodicepig": 1_753_760,
    "bigpig": 1_664_448,
}


NEW = {
    "burnt.py:Burnt": 2**9 * factorial(9),
    "burnt.py:Burnt:count=10": 2**10 * factorial(10),
    "topspin.py:TopSpin": factorial(12),
    "topspin.py:TopSpin:count=14": factorial(14),
    "rotating.py:Rotating": factorial(12),
    "rotating.py:Rotating:rows=2,columns=7": factorial(14),
    "neighbours.py:Neighbours": factorial(12),
    "neighbours.py:Neighbours:count=14": factorial(14),
    "rings.py:Rings": 2**28,
    "rings.py:Rings:rings=30": 2**30,
    "reve.py:Reve": 4**13,
    "reve.py:Reve:discs=15": 4**15,
    "kayles.py:Kayles:pins=26": 2**26,
    "kayles.py:Kayles": 2**28,
    "kayles.py:Kayles:pins=34": 2**34,
    "nodekayles.py:NodeKayles:size=6": 5_598_861,
    "nodekayles.py:NodeKayles": 1_280_128_950,
    "nodekayles.py:NodeKayles:size=8": 660_647_962_955,
    "solidchomp.py:SolidChomp": 267_227_532 - 1,
    "solidchomp.py:SolidChomp:rows=3,columns=4": 116_424 - 1,
    "urn.py:Urn": 9**9,
    "urn.py:Urn:colours=6,copies=12": 13**6,
    "tictactoe:width=8,height=4,line=9": boards(32),
    "chomp:width=15,height=13": comb(28, 13),
    "nim:heaps=40-40-40-40-40": 41**5,
    "sliding.py:Sliding:columns=8,rows=2": factorial(16) // 2,
}


def main() -> None:
    """Print a line for each game, and how many ranges hold."""
    games = FITTED if "--fitted" in sys.argv[1:] else NEW if "--new" in sys.argv[1:] else TESTED
    held = narrow = 0
    widest = slowest = 0.0
    for spec, true in games.items():
        path = f"{RULES}/{spec}" if ".py:" in spec else spec
        position = load_game(path).game.position()
        began = process_time()
        census = take_census(position, symmetry=False)
        seconds = process_time() - began
        factor = census.upper / census.lower
        is_held = census.lower <= true <= census.upper
        held += is_held
        narrow += factor <= 10
        widest, slowest = max(widest, factor), max(slowest, seconds)
        ends = f"{census.lower:.3g} to {census.upper:.3g}"
        print(
            f"{spec:44} {true:>18,} {census.nodes:10.3g} {ends:>22} {factor:7.1f}  {seconds:4.1f} s  {census.basis}"
            f"{'' if is_held else '  MISSED'}",
            flush=True,
        )
    print(
        f"{held} of {len(games)} ranges hold the number, {narrow} are no wider than 10;"
        f" the widest {widest:.0f}, the slowest {slowest:.1f} s"
    )


if __name__ == "__main__":
    main()
