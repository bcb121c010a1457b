"""One question has one value: every built-in game under every policy it names, asked in every way that there is."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, partial
from typing import Any

import pytest

import command_line
import endsight as es
from amounts import each
from ranges import as_range

SMALL = (
    "dominoes:n=2", "repeatbust:sides=3,dice=1", "repeatbust:sides=3,dice=1,first=scored", "repeatbust:sides=4,dice=1",
    "pots:4-9-2-7", "pots:1-5-5-1", "pots:-3-7--2-5", "hiddenpots:count=3,max=2", "hiddenpots:count=4,max=2",
    "rpsbag:100-0-200/0-300-0", "rpsbag:1-2-3/3-2-1", "highcard:hand=2-3,rival=x-x",
    "tictactoe:width=2,height=3,line=2", "connectfour:width=3,height=3,line=3", "nim:heaps=1-2-3",
    "pig:target=3", "pigturn:sides=4,bust=2", "piglet:target=2", "hazardstop:sides=3",
    "scorecard:sides=2", "bigpig:target=5",
    "twodicepig:target=3", "chomp:width=2,height=2", "hexapawn:width=2,height=3", "dodgem:size=2",
)  # fmt: skip
"""At least one of every kind whose graph is small."""

GAMES_PLAYED = 100
"""Enough for one of them to go past the end."""
PAST_THE_END = "past the end that the rules file sets"
"""Why `repeatbust` refuses policies that roll where only `stop` is offered."""
REFUSED = {
    "repeatbust:sides=3,dice=1": {"never"},
    "repeatbust:sides=3,dice=1,first=scored": {"never"},
    "repeatbust:sides=4,dice=1": {"never", "myopic-roll"},
}
"""The policies that are refused by whatever follows the rules file move by move."""


def _questions(name: str) -> list[tuple[str, dict[str | int, Any]]]:
    game = es.load(name)
    asked = []
    for rule in command_line.ask("games", name)["policies"]:
        fixed: list[dict[str | int, Any]] = [dict.fromkeys(game.player_names, rule), {game.player_names[0]: rule}]
        asked += [(rule, each) for each in fixed[: game.player_count]]
    return asked


CASES = [(name, rule, fixed) for name in SMALL for rule, fixed in _questions(name)]
"""Every policy, played by all players and by one of them."""


def _mean(found: es.Solution, player: str) -> Fraction:
    law = found.distribution(player)
    return sum((Fraction(str(amount)) * Fraction(str(chance)) for amount, chance in law.items()), Fraction(0))


def _proven(found: es.Solution, game: Any, player: str) -> Any:
    certificate = es.prove(found)
    es.verify(certificate, game if certificate.game["own"] else None)
    return certificate.claim.value[player]


def _ways(game: Any, fixed: dict[str | int, Any], player: str) -> dict[str, Callable[[], Any]]:
    """Every way to ask what that player gets, of those that follow the rules file."""
    solve = cache(partial(es.solve, game, fixed=fixed))
    ways: dict[str, Callable[[], Any]] = {
        "graph": lambda: solve(method="graph").value()[player],
        "dist by the graph": lambda: _mean(solve(method="graph"), player),
        "prove": lambda: _proven(solve(), game, player),
        "simulate": lambda: es.simulate(game, fixed=fixed, games=GAMES_PLAYED, player=player).value,
    }
    # It refuses games with loops, and follows too many lines of scorecard.
    if game.title() not in ("pig", "piglet", "bigpig", "twodicepig", "scorecard"):
        ways["minimax"] = lambda: solve(method="minimax").value()[player]
    return ways


def _ends(value: Any) -> tuple[Any, Any]:
    if isinstance(value, tuple):
        return value
    bounds = as_range(value)
    return bounds.lower, bounds.upper


def _agree(one: Any, other: Any) -> bool:
    """Whether two values, or what is proven about them, can be the same."""
    (a, b), (c, d) = _ends(one), _ends(other)
    return (a is None or d is None or a <= d) and (b is None or c is None or c <= b)


@pytest.mark.parametrize("case", each(CASES, lambda case: CASES.index(case) % 2 == 0), ids=str)
def test_all_ways_to_ask_give_one_value(case: tuple[str, str, dict[str | int, Any]]) -> None:
    name, rule, fixed = case
    game = es.load(name)
    player = game.player_names[0]
    found = es.solve(game, fixed=fixed)
    value = found.value()[player]
    assert _agree(_mean(found, player), value)
    for way, ask in _ways(game, fixed, player).items():
        if rule in REFUSED.get(name, ()):
            with pytest.raises(es.errors.QuestionError, match=PAST_THE_END):
                ask()
        else:
            assert _agree(ask(), value), way
