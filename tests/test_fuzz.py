"""Thousands of random command lines: valid ones, changed a little or a lot.

Each must end soon with an answer (0), or with a message and the exit code for a wrong
question (2), a bad input (3) or a limit (5): never with a traceback, never with a bug.
The cases follow from a number, which is printed, so that a failure can be had again.
"""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from amounts import times
from command_line import Ending, run

SPECS = [
    "bigpig:target=5",
    "blackjack:stake=2",
    "chomp:width=3,height=3",
    "connectfour:width=4,height=3,line=3",
    "connectfour",
    "dodgem",
    "dominoes:n=4",
    "dominoes:n=6",
    "hazardstop:sides=6,busts=1-2",
    "hexapawn:width=3,height=4",
    "hiddenpots:count=4,max=3",
    "highcard:hand=1-3-5-7,rival=8-x-4-x",
    "highcard:hand=4-2,rival=x-x",
    "nim:heaps=3-4-5",
    "nim:heaps=1-2-2,misere=yes",
    "pig:target=6",
    "piglet:target=5",
    "pigturn:sides=6,bust=1",
    "pots:4-9-2-7",
    "pots:-3-7--2-5",
    "pots:",
    "repeatbust:sides=3,dice=1,first=scored",
    "repeatbust:sides=6,dice=2,first=ignored",
    "rpsbag:100-0-200/0-300-0",
    "rpsbag:1-2-3/4-5-6/0-0-1",
    "scorecard:dice=2,sides=3,rerolls=1",
    "tictactoe:width=3,height=3,line=3",
    "tictactoe:width=4,height=3,line=3",
    "twodicepig:target=5",
    "ur:pieces=1",
]
FILES = {
    "pots": "4 9 2 7\n3, -5\n",
    "rpsbag": "100 0 3\n0 300 2\n200 0 1\n",
    "rpsbag,rows=dice": "100 0 200\n0 300 0\n",
    "highcard": "1 3 5 7\n8 x 4 -1\n",
    "dominoes": "5\n3\n0 1\n1 3\n3 3\n",
}
LINES = {
    "bigpig:target=9": "roll 1-2 roll 2-2 hold roll 2-3",
    "blackjack:stake=2": "10 2 10 hit ace stand 10",
    "chomp:width=3,height=3": "c3 b2",
    "connectfour:width=4,height=3,line=3": "1 2 2 3 4",
    "dodgem": "a3-b3 c1-c2",
    "dominoes:n=4": "0-1 1-3 3-3 3-2",
    "dominoes:n=6": "0-1 1-3 3-3 3-5 5-0",
    "hazardstop:sides=6,busts=1-2": "roll 4 roll 3 stop",
    "hexapawn:width=3,height=4": "a1-a2 b4-b3",
    "hiddenpots:count=4,max=3": "3 1 L 2 R 3 L",
    "highcard:hand=1-3-5-7,rival=8-x-4-x": "1 3 5 7 2",
    "nim:heaps=3-4-5": "1:2 2:4 3:1",
    "pig:target=6": "roll 3 hold roll 1 roll 6",
    "piglet:target=5": "flip heads flip heads hold flip tails",
    "pigturn:sides=6,bust=1": "roll 4 roll 2",
    "pots:4-9-2-7": "L R R",
    "repeatbust:sides=6,dice=2,first=ignored": "7 roll 5 roll 4",
    "rpsbag:1-2-3/4-5-6/0-0-1": "paper rock rock scissors",
    "scorecard:dice=2,sides=3,rerolls=1": "1-2 keep:2 1 straight 1-2 keep:none 1-2 1s",
    "tictactoe:width=3,height=3,line=3": "a1 b2 c3 a3",
    "twodicepig:target=5": "roll 2-2 hold roll 1-2",
    "ur:pieces=1": "2 enter-2 2 enter-2 2 2-4 2 4-6 1 2-3",
}
TEXTS = {
    "blackjack:stake=2": "hand=soft-17 dealer=10 phase=deciding",
    "chomp:width=3,height=3": "3-2-2",
    "dodgem": "first: a3 b2 / b1 c1",
    "dominoes:n=4": "used=0-0,0-1 tail=1",
    "hazardstop:sides=6,busts=1-2": "total=7",
    "hiddenpots:count=4,max=3": "left=3 right=1 hidden=2",
    "nim:heaps=3-4-5": "1-2-2",
    "pig:target=6": "first=2 second=0 pot=3",
    "pots:4-9-2-7": "left=1 right=3",
    "repeatbust:sides=6,dice=2,first=ignored": "reward=35 last=7",
    "rpsbag:1-2-3/4-5-6/0-0-1": "rock=1 paper=0 scissors=0",
    "scorecard:dice=2,sides=3,rerolls=1": "filled=1s,straight dice=2-3 rerolls=1",
    "tictactoe:width=3,height=3,line=3": "X../.O./...",
    "twodicepig:target=5": "first=2 second=1 pot=2 turn=second",
    "ur:pieces=2": "first=4-8 second=2 home=0-1 turn=second",
}
COMMANDS = ["value"] * 8 + ["analyze"] * 4 + ["line"] * 2 + ["table", "dist", "fair", "games", "check"]
OPTIONS = [
    ["--objective", "cooperative"],
    ["--utility", "win"],
    ["--utility", "lead"],
    ["--fix", "first=random"],
    ["--fix", "second=bigger"],
    ["--fix", "player=myopic"],
    ["--fix", "player=never"],
    ["--fix", "first=worst"],
    ["--method", "graph"],
    ["--method", "theorem"],
    ["--symmetry", "off"],
    ["--engine", "plain"],
    ["--json"],
    ["--plain"],
    ["--exact"],
    ["--interval"],
    ["--digits", "3"],
    ["--ascii"],
    ["--verdict"],
    ["--at-least"],
    ["--facts"],
    ["--player", "second"],
]
LIMITS = ["--states", "20000", "--time", "2"]

CHARACTERS = "0123456789-:,=/ .@xLRab\t\n\\'\"%#_+*()[]{}~ä٣−\x00\u200b\U0001f3b2"
NUMBERS = ["", "-1", "0", "1", "2", "3", "7", "12", "100", "6.5", "1e3", "007", "+1", "-0", "99999", str(10**30), "x"]
WORDS = ["", "x", "L", "R", "roll", "stop", "hold", "rock", "a1", "1", "0-0", "1:1", "7", "a-b", "--", "@", "first:"]
CLOCK = 60
"""Seconds after which a command counts as hanging: its own limit is 2."""


@dataclass(frozen=True)
class Case:
    """A command line and what stands on the standard input."""

    command: tuple[str, ...]
    stdin: str


# ---------------------------------------------------------------------- changes


def change(text: str, chance: random.Random) -> str:
    """The text with one to four changes."""
    for _ in range(chance.choice([1, 1, 1, 2, 2, 4])):
        text = chance.choice(CHANGES)(text, chance)
    return text


def insert(text: str, chance: random.Random) -> str:
    place = chance.randint(0, len(text))
    return text[:place] + chance.choice(CHARACTERS) + text[place:]


def delete(text: str, chance: random.Random) -> str:
    place = chance.randint(0, max(0, len(text) - 1))
    return text[:place] + text[place + chance.choice([1, 1, 3]) :]


def swap(text: str, chance: random.Random) -> str:
    place = chance.randint(0, max(0, len(text) - 2))
    return text[:place] + text[place : place + 2][::-1] + text[place + 2 :]


def double(text: str, chance: random.Random) -> str:
    first, last = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    return text[:last] + text[first:last] + text[last:]


def number(text: str, chance: random.Random) -> str:
    """One of its numbers replaced."""
    ends = [i for i in range(len(text)) if text[i].isdigit() and not text[i + 1 : i + 2].isdigit()]
    if not ends:
        return insert(text, chance)
    last = first = chance.choice(ends)
    while first > 0 and text[first - 1].isdigit():
        first -= 1
    return text[:first] + chance.choice(NUMBERS) + text[last + 1 :]


def word(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    place = chance.randrange(len(words))
    words[place : place + chance.randint(0, 1)] = [chance.choice(WORDS)]
    return " ".join(words)


CHANGES: list[Callable[[str, random.Random], str]] = [insert, delete, swap, double, number, number, number, word]


# ---------------------------------------------------------------------- cases


def cases(seed: int, count: int) -> Iterator[Case]:
    chance = random.Random(seed)
    kinds = [specification, specification, position, position, text_form, file]
    for _ in range(count):
        yield chance.choice(kinds)(chance)


def specification(chance: random.Random) -> Case:
    spec = chance.choice(SPECS)
    if chance.random() < 0.9:
        spec = change(spec, chance)
    return Case((*command(chance), spec, *options(chance)), "")


def position(chance: random.Random) -> Case:
    spec, line = chance.choice(list(LINES.items()))
    if chance.random() < 0.8:
        line = change(line, chance)
    if chance.random() < 0.2:
        spec = change(spec, chance)
    given = ("--at", "-") if chance.random() < 0.3 else ("--at", line)
    if chance.random() < 0.1:
        return Case(("value", spec, "--at", "-", "--jsonl", *LIMITS), line.replace(" ", "\n"))
    return Case((chance.choice(["value", "analyze", "line"]), spec, *given, *options(chance)), line)


def text_form(chance: random.Random) -> Case:
    spec, text = chance.choice(list(TEXTS.items()))
    if chance.random() < 0.9:
        text = change(text, chance)
    return Case((chance.choice(["value", "analyze", "line"]), spec, "--position", text, *options(chance)), "")


def file(chance: random.Random) -> Case:
    named, content = chance.choice(list(FILES.items()))
    game, comma, option = named.partition(",")
    if chance.random() < 0.2:
        option = change(option, chance)
    if chance.random() < 0.9:
        content = change(content, chance)
    if chance.random() < 0.2:
        content = content.replace("\n", "\r\n")
    return Case((chance.choice(["value", "analyze"]), f"{game}:@-{comma}{option}", *options(chance)), content)


def command(chance: random.Random) -> tuple[str, ...]:
    name = chance.choice(COMMANDS)
    if chance.random() < 0.05:
        return ("sweep", "--vary", change("sides=2..4", chance))
    return (name,)


def options(chance: random.Random) -> list[str]:
    """The limits, and some options, now and then a broken one."""
    chosen = [list(chance.choice(OPTIONS)) for _ in range(chance.choice([0, 0, 0, 1, 1, 2]))]
    for option in chosen:
        if chance.random() < 0.1:
            option[-1] = change(option[-1], chance)
    return [*LIMITS, *(part for option in chosen for part in option)]


# ---------------------------------------------------------------------- running them


@contextmanager
def clock(case: Case) -> Iterator[None]:
    """End a case that hangs, where the system has alarms."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(*_: Any) -> None:
        raise TimeoutError(f"hangs: {case}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(CLOCK)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def fault(ending: Ending) -> str | None:
    """What is wrong with the way a command ended, or None."""
    # A check takes a position with millions of moves for one with moves that never end.
    has_many_moves = ending.command[0] == "check" and "more than 1,000,000 moves" in ending.out
    if ending.code not in (0, 2, 3, 5) and not (ending.code == 4 and has_many_moves):
        return f"exit code {ending.code}"
    if "Traceback" in ending.out + ending.err or "bug" in ending.err:
        return "a traceback"
    # What `check` finds is its answer, so it stands on the standard output.
    if ending.code and not has_many_moves and not ending.err.startswith("error: "):
        return "no message"
    if ending.code == 0 and ending.err:
        return "a message with an answer"
    if ending.code in (2, 3) and ending.out and "--jsonl" not in ending.command:
        return "an answer with a refusal"
    return None


def try_all(seed: int, count: int) -> None:
    codes: Counter[int] = Counter()
    wrong = []
    slowest = (0.0, Case((), ""))
    for case in cases(seed, count):
        started = time.perf_counter()
        with clock(case):
            ending = run(*case.command, stdin=case.stdin.encode("utf-8", "surrogatepass"))
        slowest = max(slowest, (time.perf_counter() - started, case), key=lambda item: item[0])
        codes[ending.code] += 1
        found = fault(ending)
        if found is not None:
            wrong.append(f"{found}: {case}\n{ending.err[-2000:]}")
    print(f"\n{count} cases from seed {seed}, by exit code: {dict(sorted(codes.items()))}")
    print(f"the slowest took {slowest[0]:.1f} s: {slowest[1]}")
    assert not wrong, f"{len(wrong)} of {count} cases from seed {seed}:\n" + "\n".join(wrong[:10])
    # The changes are such that answers and refusals both come up.
    assert all(codes[code] > count // 50 for code in (0, 2, 3))


@pytest.mark.parametrize("count", times(9_000, 60))
def test_random_command_lines(count: int) -> None:
    try_all(seed=1, count=count)
