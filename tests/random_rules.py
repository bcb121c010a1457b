"""Rules classes as random source text: several widths of state, helpers, loops, chance, rewards, payoffs."""

from __future__ import annotations

import random

__all__ = ["source"]

HEAD = """
from typing import NamedTuple

from endsight.game import CHANCE, Game


class Rules(Game):
    class State(NamedTuple):
        first: int
        second: int
        step: int

    def limits(self): return self.State({first}, {second}, {depth})
    def start(self): return self.State({begin}, 0, 0)
    def play(self, state, move):
        return self.State(({play_first}) % {first_size}, ({play_second}) % {second_size}, state.step + 1)
"""
HELPERS = (
    """
    def helper(self, number):
        total = 0
        for place in range({small}):
            total += (number >> place) & {small}
        return total
""",
    """
    def helper(self, number):
        left, count = abs(number) % 1000, 0
        while left > {small}:
            left //= 2
            count += 1
        return count + left
""",
    """
    def helper(self, number):
        table = (3, 1, 4, 1, 5, 9, 2, 6)
        return table[number % 8] if number >= 0 else sum(item for item in table if item > {small})
""",
)
MOVES = (
    """
    def moves(self, state):
        if state.step < {depth}:
            for move in range({count}):
                if ({test}) % {small} != 0:
                    yield move
""",
    """
    def moves(self, state):
        if state.step < {depth} and ({test}) % {small} != 1:
            yield 0
            if state.second % 2 == 0:
                yield 5
            else:
                yield 7
""",
    """
    def moves(self, state):
        if state.step == {depth}:
            return
        for move in range({count}, 0, -1):
            if any((state.first >> place) & 1 for place in range(move)) or move == 1:
                yield move
""",
)


class _Writer:
    """Random expressions over the names that are in scope."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def expression(self, depth: int = 3, *, move: bool = True) -> str:
        """Whole numbers that stay well inside a machine word."""
        chance = self.chance
        if depth == 0:
            names = ["state.first % 997", "state.second % 991", "state.step", str(chance.randint(1, 9))]
            return chance.choice([*names, "move"] if move else names)
        left, right = self.expression(depth - 1, move=move), self.expression(depth - 1, move=move)
        small = chance.randint(1, 6)
        return chance.choice(
            [
                f"({left}) + ({right})",
                f"({left}) - ({right})",
                f"({left}) * {small}",
                f"({left}) ^ ({right})",
                f"({left}) & ({right})",
                f"({left}) | {small}",
                f"({left}) // {small}",
                f"({left}) % {small + 1}",
                f"({left}) >> {small % 3}",
                f"min(({left}), ({right}))",
                f"max(({left}), ({right}), {small})",
                f"abs({left})",
                f"(({left}) if ({right}) > {small} else {small})",
                f"({left}).bit_count()",
                f"self.helper({left})",
            ]
        )


def source(seed: int) -> str:
    """The text of one rules class, `Rules`, always the same for a seed."""
    chance = random.Random(seed)
    writer = _Writer(chance)
    sizes = [chance.choice([7, 100, 1000, 2**20, 2**45]) for _ in range(2)]
    depth, small = chance.randint(3, 6), chance.randint(2, 5)
    parts = [
        HEAD.format(
            first=sizes[0] - 1,
            second=sizes[1] - 1,
            first_size=sizes[0],
            second_size=sizes[1],
            depth=depth,
            begin=chance.randrange(min(sizes[0], 1000)),
            play_first=writer.expression(),
            play_second=writer.expression(),
        ),
        chance.choice(HELPERS).format(small=small),
        chance.choice(MOVES).format(
            depth=depth, small=small, count=chance.randint(2, 4), test=writer.expression(move=False)
        ),
    ]
    return "".join(parts) + _seats(chance, writer)


def _seats(chance: random.Random, writer: _Writer) -> str:
    """Players, who moves, payoffs, and perhaps chance, weights and rewards."""
    players = chance.randint(1, 3)
    has_chance = chance.random() < 0.4
    text = f"    players = {players!r}\n" if players != 2 else ""
    if players == 2 and not has_chance and chance.random() < 0.6:  # players alternate
        return text + f"    def payoff(self, state): return ({writer.expression(move=False)}) % 3 - 1\n"

    def share(move: bool) -> str:
        entries = [f"({writer.expression(2, move=move)}) % 7 - 3" for _ in range(players)]
        return f"({', '.join(entries)},)" if players > 1 else entries[0]

    mover = f"(state.step + state.second % 2) % {players}"
    mover = f"CHANCE if state.step % 3 == 1 else {mover}" if has_chance else mover
    text += f"    def to_move(self, state): return {mover}\n"
    text += f"    def payoff(self, state): return {share(False)}\n"
    if has_chance:
        text += f"    def weight(self, state, move): return 1 + ({writer.expression()}) % 4\n"
    if chance.random() < 0.5:
        text += f"    def reward(self, state, move): return {share(True)}\n"
    return text
