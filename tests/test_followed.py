"""Policies of all players where something is hidden, or players move at once: value and distribution, exactly."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

import pytest

import at_once
import command_line
import endsight as es
from endsight import CHANCE, Game
from places import reachable

HIDDEN = ("kuhn", "leduc:ranks=2,suits=2", "liarsdice:sides=3", "phantomtictactoe:width=2,height=2,line=2")
AT_ONCE = ("rps", "morra:fingers=2", "goofspiel:cards=3", "goofspiel:cards=3,prizes=falling", "blotto")


def uneven(game: Game, seen: Any, moves: Any) -> Mapping[Any, int]:
    """Later moves more often, by what is seen."""
    return {move: number + len(repr(seen)) % 3 for number, move in enumerate(moves, 1)}


def last(game: Game, seen: Any, moves: Any) -> Any:
    return moves[-1]


def uniform(game: Game, seen: Any, moves: Any) -> Mapping[Any, int]:
    return dict.fromkeys(moves, 1)


def outcomes(game: Game, policies: tuple[Any, ...]) -> dict[tuple, Fraction]:
    """Everybody's totals with their chances: every line of play, one by one."""
    found: dict[tuple, Fraction] = {}
    lines = [(game.start(), 0 if not game.gives("to_move") else None, (0,) * game.player_count, Fraction(1))]
    while lines:
        state, turn, totals, chance = lines.pop()
        moves = list(game.moves(state))
        movers = game.to_move(state) if turn is None else turn
        if not moves:
            share = game.payoff(state)
            share = share if isinstance(share, tuple) else (share, -share) if movers == 0 else (-share, share)
            total = tuple(map(sum, zip(totals, share, strict=True)))
            found[total] = found.get(total, Fraction(0)) + chance
            continue
        for move, share_of_move in chances(game, state, moves, movers, policies).items():
            gain = game.reward(state, move) if game.gives("reward") else (0,) * game.player_count
            after = tuple(map(sum, zip(totals, gain, strict=True)))
            lines.append((game.play(state, move), turn if turn is None else 1 - turn, after, chance * share_of_move))
    return found


def chances(game: Game, state: Any, moves: list, movers: Any, policies: tuple[Any, ...]) -> dict[Any, Fraction]:
    if movers == CHANCE:
        weights = {move: game.weight(state, move) for move in moves}
    elif isinstance(movers, tuple):
        parts = [tuple(dict.fromkeys(part)) for part in zip(*moves, strict=True)]
        mixed = [asked(game, state, p, part, policies) for p, part in zip(movers, parts, strict=True)]
        weights = {
            tuple(m for m, _ in pairs): pairs[0][1] * pairs[1][1] for pairs in product(*(m.items() for m in mixed))
        }
    else:
        weights = asked(game, state, movers, moves, policies)
    return {move: Fraction(weight, sum(weights.values())) for move, weight in weights.items()}


def asked(game: Game, state: Any, player: int, moves: Any, policies: tuple[Any, ...]) -> Mapping[Any, int]:
    made = policies[player](game, game.sees(state, player), tuple(moves))
    return made if isinstance(made, Mapping) else {made: 1}


@pytest.mark.parametrize("name", HIDDEN + AT_ONCE)
@pytest.mark.parametrize(
    "fixed", [("random", uneven), (uneven, uneven), (uneven, last)], ids=["random", "uneven", "last"]
)
def test_value_and_distribution_against_every_line_of_play(name: str, fixed: tuple[Any, Any]) -> None:
    game = es.load(name)
    solution = es.solve(game, fixed=dict(enumerate(fixed)))
    expected = outcomes(game, tuple(uniform if rule == "random" else rule for rule in fixed))
    for player, own in enumerate(game.player_names):
        assert solution.value()[own] == sum(total[player] * chance for total, chance in expected.items())
        law: dict[Any, Fraction] = {}
        for total, chance in expected.items():
            law[total[player]] = law.get(total[player], Fraction(0)) + chance
        assert dict(solution.distribution(own)) == law
    wins = sum((chance for total, chance in expected.items() if total[0] > total[1]), Fraction(0))
    assert es.fair(game, fixed=dict(enumerate(fixed))).win == wins


def test_later_positions_and_moves_add_up() -> None:
    game = es.load("kuhn")
    solution = es.solve(game, fixed={"first": uneven, "second": "random"})
    for moves in ("", "1", "1 2", "1 2 bet"):
        options = solution.options(moves)
        mean = sum(option.probability * option.value[0] for option in options)
        assert solution.value(moves)["first"] == mean
        assert sum(option.probability for option in options) == 1


WITH_LOOPS = [
    game
    for game in (at_once.random_game(Random(seed), loops=True) for seed in range(30))
    if any(len(place.movers) > 1 for place in reachable(game.position()))
]


@pytest.mark.parametrize("game", WITH_LOOPS, ids=range(len(WITH_LOOPS)))
def test_moves_at_once_with_loops_satisfy_their_equations(game: Game) -> None:
    """Where play can come back, the value of every position is the mean over what may follow, and play ends."""
    solution = es.solve(game, fixed={"first": "random", "second": "random"}, exact=True)
    queue, seen = [game.position()], set()
    for place in queue:
        if place.is_over or place.state in seen:
            continue
        seen.add(place.state)
        options = solution.options(place)
        assert solution.values(place)[0] == sum(option.probability * option.value[0] for option in options)
        queue += [place.play(option.move) for option in options if option.probability]


def test_samples_are_of_the_same_play() -> None:
    found = es.simulate("goofspiel:cards=3", fixed={"first": "random", "second": last}, games=3_000, seed=4)
    expected = outcomes(es.load("goofspiel:cards=3"), (uniform, last))
    assert found.value == sum(total[0] * chance for total, chance in expected.items())
    assert found.interval is not None
    assert found.interval.lower <= found.value <= found.interval.upper
    assert set(found.counts) <= {total[0] for total in expected}


@pytest.mark.parametrize(("name", "rule"), list(product(("kuhn", "rps"), ("greedy", "lookahead", "best", "worst"))))
def test_what_cannot_be_followed_is_neither_listed_nor_taken(name: str, rule: str) -> None:
    assert command_line.ask("games", name)["policies"] == ["random"]
    for ask in (lambda: es.solve(name, fixed={"first": rule, "second": rule}), lambda: es.exploit(name, rule)):
        with pytest.raises(es.errors.QuestionError, match="sees the whole position") as caught:
            ask()
        assert caught.value.allowed == "random, file.py:function"


@pytest.mark.parametrize("name", ["hiddenpots:count=3,max=2", "tictactoe:width=2,height=2,line=2", "rps", "kuhn"])
def test_every_listed_policy_is_taken(name: str) -> None:
    for rule in command_line.ask("games", name)["policies"]:
        assert len(es.exploit(name, rule).players) == 2
        assert es.solve(name, fixed={"first": rule, "second": rule}).value()


def test_no_certificate_is_made_that_would_be_refused() -> None:
    solution = es.solve("kuhn", fixed={"first": "random", "second": "random"})
    with pytest.raises(es.errors.QuestionError, match="policies in games in which players see different things"):
        es.prove(solution)


def test_a_policy_at_once_gets_the_state_where_everybody_sees_it() -> None:
    def by_state(game: Any, state: Any) -> Any:
        assert type(state) is game.State
        return next(iter(game.moves(state)))[0]

    def by_sight(game: Any, seen: Any, moves: Any) -> Any:
        return moves[0]

    values = [
        es.solve("goofspiel:cards=2", fixed={"first": policy, "second": "random"}).values()
        for policy in (by_state, by_sight)
    ]
    assert values[0] == values[1]
