"""Small instances of every built-in game, with questions about them, for tests over all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import endsight as es


@dataclass(frozen=True)
class Instance:
    """A game, the moves so far, and the question's options for `es.solve`."""

    game: str
    at: str = ""
    options: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        words = [self.game, *([f"at {self.at}"] if self.at else [])]
        return " ".join(words + [f"{key}={value}" for key, value in self.options.items()])

    def solution(self, **more: Any) -> es.Solution:
        game = es.load(self.game)
        return es.solve(game, game.position(self.at), **{**self.options, **more})


GAMES = (
    "dominoes:n=1", "dominoes:n=2", "dominoes:n=3", "dominoes:n=4",
    "repeatbust:sides=2,dice=1", "repeatbust:sides=3,dice=1", "repeatbust:sides=2,dice=2",
    "repeatbust:sides=3,dice=1,first=scored", "repeatbust:sides=4,dice=1",
    "pots:4-9-2-7", "pots:1-5-5-1", "pots:-3-7--2-5", "pots:1-2-10-3", "pots:", "pots:8", "pots:3-1-4-1-5-9-2",
    "hiddenpots:count=2,max=3", "hiddenpots:count=3,max=2", "hiddenpots:count=4,max=2", "hiddenpots:count=5,max=2",
    "rpsbag:100-0-200/0-300-0", "rpsbag:1-1-1", "rpsbag:2-1-0/0-2-1/1-0-2", "rpsbag:1-2-3/3-2-1",
    "highcard:hand=1-3-5-7,rival=8-x-4-x", "highcard:hand=2-3,rival=x-x", "highcard:hand=1-4-6,rival=x-5-x",
    "highcard:hand=2,rival=1",
    "tictactoe", "tictactoe:width=2,height=3,line=2", "tictactoe:width=4,height=2,line=3",
    "tictactoe:width=3,height=2,line=2",
    "connectfour:width=3,height=3,line=3", "connectfour:width=4,height=3,line=3", "connectfour:width=4,height=3",
    "nim:heaps=3-4-5", "nim:heaps=1-2-3", "nim:heaps=2-2,misere=yes", "nim:heaps=1-1-1,misere=yes", "nim:heaps=1-4",
    "pig:target=1", "pig:target=2", "pig:target=3", "pig:target=5", "pig:target=8",
    "pigturn", "pigturn:sides=4,bust=2", "pigturn:sides=2",
    "piglet:target=1", "piglet:target=2", "piglet:target=3",
    "hazardstop", "hazardstop:sides=3",
    "bigpig:target=5", "bigpig:target=9", "twodicepig:target=3", "twodicepig:target=6",
    "ur:pieces=1", "blackjack", "scorecard:sides=2", "scorecard:dice=3,sides=2,rerolls=0",
    "chomp", "chomp:width=2,height=2", "chomp:width=5,height=2", "chomp:width=1,height=1",
    "hexapawn", "hexapawn:width=2,height=3", "dodgem", "dodgem:size=2",
    "rps", "morra:fingers=2", "blotto:mine=2,yours=1", "goofspiel:cards=2", "goofspiel:cards=3",
    "kuhn", "leduc", "liarsdice:sides=2", "battleship:squares=2,shots=1", "highcardduel:hand=1-3,rival=x-x",
    "phantomtictactoe:width=2,height=2,line=2",
)  # fmt: skip
"""More than forty games, each with a state graph that is small."""

AT_ONCE = ("rps", "morra:fingers=2", "blotto:mine=2,yours=1", "goofspiel:cards=2", "goofspiel:cards=3,points=win")
"""Games in which both players move at once."""

HIDDEN = (
    "kuhn", "kuhn:cards=2", "kuhn:cards=4", "leduc", "leduc:suits=1", "leduc:ranks=2,suits=3",
    "liarsdice:sides=2", "liarsdice:sides=3", "liarsdice:dice=2,sides=2",
    "phantomtictactoe:width=2,height=2,line=2", "phantomtictactoe:width=3,height=1,line=2",
    "battleship:squares=2,shots=1", "battleship:squares=3,shots=2", "battleship:squares=3,shots=0",
    "highcardduel:hand=1-3-5-7,rival=8-x-4-x", "highcardduel:hand=2-3,rival=x-x", "highcardduel:hand=1-4-6,rival=x-5-x",
    "highcardduel:hand=2,rival=1",
)  # fmt: skip
"""Games in which players see different things."""

PLACES = (
    ("tictactoe", "a1 b2"),
    ("tictactoe", "b2 a1 c3 c1"),
    ("pots:4-9-2-7", "L"),
    ("repeatbust:sides=3,dice=1", "2 roll 1"),
    ("repeatbust:sides=3,dice=1", "2 roll"),
    ("pig:target=5", "roll 3"),
    ("pig:target=5", "roll 3 hold roll"),
    ("dominoes:n=4", "0-0 0-1"),
    ("rpsbag:2-1-0/0-2-1/1-0-2", "paper rock"),
    ("nim:heaps=1-2-3", "1:1"),
    ("hiddenpots:count=4,max=2", "1 2 R"),
    ("highcard:hand=1-3-5-7,rival=8-x-4-x", "1 3"),
    ("dodgem", ""),
)


def _questions(name: str) -> list[dict[str, Any]]:
    """What is asked about a game of that name beside the plain question."""
    one = {"fixed": {"player": "random"}}
    if name == "repeatbust":
        return [{"fixed": {"player": rule}} for rule in ("myopic", "worst", "random")]
    if name == "highcard":
        return [{"utility": "win"}, {"objective": "cooperative"}, one]
    if name in ("rpsbag", "pigturn", "hazardstop", "blackjack", "scorecard"):
        return [one, {"fixed": {"player": "worst"}}]
    two = [{"objective": "cooperative"}, {"utility": "win"}, {"utility": "lead"}]
    if name in ("rps", "morra", "blotto", "goofspiel"):
        return two
    if name in ("kuhn", "leduc", "liarsdice", "battleship", "highcardduel", "phantomtictactoe"):
        return two[1:]
    two += [{"fixed": {"first": "random"}}, {"fixed": {"second": "random"}}, {"fixed": {"second": "worst"}}]
    if name in ("pots", "hiddenpots"):
        two += [{"objective": "cooperative", "utility": "win"}, {"utility": "win", "fixed": {"first": "random"}}]
    if name == "pots":
        two += [{"fixed": {"first": "bigger"}}, {"fixed": {"first": "bigger", "second": "smaller"}}]
    if name == "pig":
        two += [{"fixed": {"first": "hold20"}}]
    return two


def instances(games: tuple[str, ...] = GAMES) -> list[Instance]:
    """All games with all questions, then some positions on the way."""
    asked = [Instance(game, "", options) for game in games for options in [{}, *_questions(game.partition(":")[0])]]
    return asked + [Instance(game, at) for game, at in PLACES if game in games]


def some(every: int, games: tuple[str, ...] = GAMES) -> list[Instance]:
    """Every so many of them; a number that shares no divisor with the lengths of the lists meets all kinds."""
    return instances(games)[::every]
