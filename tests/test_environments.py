"""Environments of Gymnasium and PettingZoo, and graphs of networkx: their own checks, and the rules beside them."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import endsight as es
from endsight.faces.interop.numbering import numbering_of
from endsight.game import CHANCE

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

GAMES = (
    "battleship:squares=2,shots=1",
    "bigpig:target=10",
    "blackjack",
    "blotto",
    "chomp",
    "connectfour:width=4,height=3,line=3",
    "dodgem",
    "dominoes:n=4",
    "goofspiel:cards=3",
    "hazardstop",
    "hexapawn",
    "hiddenpots:count=4,max=3",
    "highcard:hand=1-3-5-7,rival=8-x-4-x",
    "highcardduel:hand=1-3,rival=2-4",
    "kuhn",
    "leduc:ranks=2",
    "liarsdice:sides=2",
    "morra",
    "nim",
    "phantomtictactoe:width=2,height=2,line=2",
    "pig:target=10",
    "piglet",
    "pigturn",
    "pots:4-9-2-7",
    "repeatbust",
    "rps",
    "rpsbag:1-0-2/0-3-0",
    "scorecard:dice=2",
    "tictactoe",
    "twodicepig:target=10",
    "ur:pieces=1",
)


def test_every_built_in_game_is_here() -> None:
    names = {name.lower() for name in es.games.__all__}
    assert names <= {spec.partition(":")[0] for spec in GAMES}


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.filterwarnings("ignore")
def test_the_packages_find_no_fault(spec: str) -> None:
    check_env(es.gym_env(spec, "random", values=False), skip_render_check=True)
    api_test(es.pettingzoo_env(spec), num_cycles=30, verbose_progress=False)
    seed_test(lambda: es.pettingzoo_env(spec), num_cycles=10)


def steps(spec: str, count: int, seed: int) -> int:
    """Play at random in PettingZoo's environment, and look at the rules beside it."""
    game, random = es.load(spec), Random(seed)
    numbering, env, done = numbering_of(game), es.pettingzoo_env(game), 0
    while done < count:
        env.reset(seed=random.getrandbits(30))
        paid = dict.fromkeys(game.player_names, 0.0)
        while env.agents and not all(env.terminations.values()):
            place, agent = env.table.position, env.agent_selection
            seen, _, over, _, _ = env.last()
            legal = [number for number, flag in enumerate(seen["action_mask"]) if flag]
            number = game.player_names.index(agent)
            assert not over
            assert set(legal) == set(env.table.numbered(number))
            assert list(seen["observation"]) == numbering.observation(place, number)
            action = random.choice(legal)
            env.step(action)
            for name, reward in env.rewards.items():
                paid[name] += reward
            after = env.table.position
            if not env.table.chosen:
                assert after.history[: len(place.history)] == place.history
                begun = len(place.history)
                again = place.after(after.history[begun])
                while again.mover == CHANCE and not again.is_over:
                    begun += 1
                    again = again.after(after.history[begun])
                assert (again.state, again.mover) == (after.state, after.mover)
            done += 1
        assert [round(paid[name], 6) for name in game.player_names] == [
            round(float(total), 6) for total in env.table.totals()
        ]
    return done


@pytest.mark.parametrize("spec", ["tictactoe", "kuhn", "goofspiel:cards=3", "pig:target=10", "pots:4-9-2-7"])
def test_random_steps_follow_the_rules(spec: str) -> None:
    assert steps(spec, 150, 7) >= 150


@pytest.mark.slow
def test_a_hundred_thousand_random_steps_follow_the_rules() -> None:
    assert sum(steps(spec, 3_300, 1) for spec in GAMES) >= 100_000


def test_a_player_without_mistakes_gets_the_value_against_a_perfect_one() -> None:
    env = es.gym_env("connectfour:width=4,height=3,line=3")
    _, info = env.reset(seed=3)
    begun = info["value"]
    over, reward = False, 0.0
    while not over:
        action = min(info["regret"], key=lambda number: info["regret"][number])
        assert info["regret"][action] == 0
        _, reward, over, _, info = env.step(action)
    assert (begun, reward) == (1, 1.0)


def test_what_a_mistake_gives_away_is_told_exactly() -> None:
    env = es.gym_env("pots:1-2-10-3")
    _, info = env.reset()
    texts = {env.actions[number]: regret for number, regret in info["regret"].items()}
    assert (info["value"], texts) == (11, {"L": 0, "R": 6})


def test_hidden_things_stay_hidden() -> None:
    env = es.gym_env("kuhn", "random", seat="first")
    seen = {tuple(env.reset(seed=seed)[0]) for seed in range(60)}
    assert len(seen) == 3  # the seat's own card and nothing else
    told: dict[tuple[int, ...], set[tuple[Fraction, ...]]] = {}
    for seed in range(60):
        observation, info = env.reset(seed=seed)
        told.setdefault(tuple(observation), set()).add((info["value"], *info["regret"].values()))
    assert all(len(values) == 1 for values in told.values())  # values go by what is seen


def test_perfect_opponents_mix_their_moves() -> None:
    env: Any = es.gym_env("rps")
    rewards = set()
    for seed in range(40):
        env.reset(seed=seed)
        rewards.add(env.step(0)[1])
    assert rewards == {-1.0, 0.0, 1.0}


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    env = es.gym_env("tictactoe", "random", values=False)
    env.reset(seed=1)
    before, _, _, _, info = env.step(0)
    after, reward, over, _, told = env.step(0)
    assert (list(before), reward, over, info["illegal"], told["illegal"]) == (list(after), 0.0, False, False, True)


def test_moves_can_be_numbered_by_hand_and_unknown_ones_are_refused() -> None:
    assert es.gym_env("nim", "random", values=False, actions=["1:1", "2:1", "3:1"]).action_space.n == 3
    with pytest.raises(es.QuestionError, match="was not met when moves were numbered"):
        es.gym_env("nim", "random", values=False, actions=["1:1"]).reset()


def test_a_graph_of_networkx() -> None:
    solution = es.solve("pots:4-9-2-7", method="graph")
    graph = solution.to_networkx()
    start = next(node for node, degree in graph.in_degree() if degree == 0)
    assert graph.nodes[start]["value"] == (16, 6)
    assert {data["move"]: data["regret"] for _, _, data in graph.out_edges(start, data=True)} == {"L": 5, "R": 0}
    assert (len(graph), solution.to_networkx(depth=1).number_of_edges()) == (14, 2)
    with pytest.raises(es.QuestionError, match="assumes that players see everything"):
        es.solve("kuhn").to_networkx()
