"""Gambit's files of strategic games (`.nfg`), read into a table of payoffs.

The format is that of the Gambit project's pages "The strategic game (.nfg) file format", payoff and outcome versions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from endsight.game.numbers import count_text
from endsight.interop.gambit_text import Tokens
from endsight.interop.gambit_tree import labels

__all__ = ["PayoffTable", "read_table"]


@dataclass(frozen=True)
class PayoffTable:
    """A game as Gambit tells it: title, names of the players, strategies of each, payoffs of all combinations.

    payoffs  by combination, the first player's strategy changing fastest, what each player is paid
    """

    title: str
    players: tuple[str, ...]
    strategies: tuple[tuple[str, ...], ...]
    payoffs: list[tuple[Fraction, ...]]


def read_table(text: str, place: str) -> PayoffTable:
    """The table that the text of a file stands for; raises `FileError` with the line."""
    tokens = Tokens(text, place)
    tokens.word("NFG")
    tokens.whole("the version", 1, 1)
    tokens.word("R", "D")
    title = tokens.label("title")
    players = tuple(labels(tokens, "a player's name"))
    strategies = _strategies(tokens, len(players))
    tokens.passes("label")
    count = math.prod(map(len, strategies))
    payoffs = (
        _by_outcome(tokens, count, len(players)) if tokens.is_next("sign", "{") else _flat(tokens, count, len(players))
    )
    if not tokens.at_end():
        raise tokens.wrong(f"nothing: all {count} combinations are told")
    return PayoffTable(title, players, strategies, payoffs)


def _strategies(tokens: Tokens, players: int) -> tuple[tuple[str, ...], ...]:
    """The strategies of each player: lists of labels, or how many there are."""
    found: list[tuple[str, ...]] = []
    tokens.sign("{")
    while not tokens.passes("sign", "}"):
        if tokens.is_next("sign", "{"):
            found.append(tuple(labels(tokens, "a strategy's label")))
        else:
            found.append(tuple(str(number + 1) for number in range(tokens.whole("a number of strategies", 1))))
    if len(found) != players or not all(found):
        raise tokens.wrong(f"strategies of {count_text(players, 'player')}, one or more of each")
    return tuple(found)


def _flat(tokens: Tokens, count: int, players: int) -> list[tuple[Fraction, ...]]:
    return [tuple(_payoff(tokens) for _ in range(players)) for _ in range(count)]


def _payoff(tokens: Tokens) -> Fraction:
    tokens.passes("sign", ",")
    return tokens.number("a payoff")


def _by_outcome(tokens: Tokens, count: int, players: int) -> list[tuple[Fraction, ...]]:
    outcomes = [(Fraction(0),) * players]
    tokens.sign("{")
    while not tokens.passes("sign", "}"):
        outcomes.append(_outcome(tokens, players))
    return [outcomes[tokens.whole("the number of an outcome", 0, len(outcomes) - 1)] for _ in range(count)]


def _outcome(tokens: Tokens, players: int) -> tuple[Fraction, ...]:
    tokens.sign("{")
    tokens.label("the outcome's name")
    found = [_payoff(tokens) for _ in range(players)]
    tokens.passes("sign", ",")
    tokens.sign("}")
    return tuple(found)
