"""Layers with a value of every player: random games and random rules under any question."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import random_rules
import strategies
from amounts import examples
from endsight import Game, Question, load
from sharing import FAIR, NODES, check, check_naive


def padded(game: Game, least: int = 6) -> Game:
    """With whole payoffs and rewards, and as many nodes as all others, so that all share compiled rules."""

    def scaled(value: Any) -> Any:
        return tuple(map(scaled, value)) if isinstance(value, tuple) else int(value * least)

    values = game.values()
    values |= {key: scaled(values[key]) for key in ("payoffs", "rewards") if key in values}
    filler = {"successors": (), "weights": (), "rewards": (), "movers": 0, "payoffs": values["payoffs"][-1]}
    for key in filler.keys() & values.keys():
        values[key] = values[key] + (filler[key],) * (NODES - len(values[key]))
    return type(game)(**values)


@st.composite
def questions(draw: Any, players: int, pays: bool) -> Question:
    utilities = ["payoff"] if pays and players > 2 else ["payoff", "lead"] if pays else ["payoff", "lead", "win"]
    worst = {player: "worst" for player in range(players) if draw(st.integers(0, 3)) == 0}
    objective = draw(st.sampled_from(["competitive", "cooperative"]))
    return Question(objective, draw(st.sampled_from(utilities)) if players > 1 else "payoff", worst)


@examples(30, 4, strategies.chance_acyclic(seats=3, max_nodes=NODES, chance=False), st.data())
def test_three_players_with_rewards(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(3, isinstance(game, strategies.MoverRewards)))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.chance_acyclic(seats=3, max_nodes=NODES, chance=False, rewards=False), st.data())
def test_three_players_by_every_utility(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(3, False))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.chance_acyclic(seats=2, max_nodes=NODES, chance=False, rewards=False), st.data())
def test_two_players_of_any_sums(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(2, False))
    check_naive(game, question, check(game, question))


@examples(30, 4, strategies.alternating_acyclic(max_nodes=NODES), st.data())
def test_games_won_drawn_or_lost_under_other_questions(game: Game, data: Any) -> None:
    check(padded(game, 1), data.draw(questions(2, False)))


@pytest.mark.slow
@FAIR
@given(strategies.alternating_rewards(max_nodes=NODES), st.data())
def test_two_players_alternate_with_rewards_of_any_sums(game: Game, data: Any) -> None:
    game = padded(game)
    question = data.draw(questions(2, True))
    check_naive(game, question, check(game, question))


@pytest.mark.slow
@FAIR
@given(strategies.alternating_rewards(max_nodes=NODES, seats=3))
def test_three_players_alternate_with_rewards(game: Game) -> None:
    game = padded(game)
    check_naive(game, Question(), check(game, Question()))


RULES = [(seed, random_rules.source(seed)) for seed in range(200)]
MANY = [seed for seed, text in RULES if "CHANCE if" not in text and ("players = 3" in text or "to_move" in text)]


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[] if place < 1 else pytest.mark.slow) for place, seed in enumerate(MANY[::4])]
)
def test_random_rules(seed: int, tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text(random_rules.source(seed), encoding="utf-8")
    game = load(f"{tmp_path / 'rules.py'}:Rules")
    for question in (Question(), Question("cooperative"), Question(fixed={game.player_count - 1: "worst"})):
        check(game, question)
