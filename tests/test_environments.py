"""Environments of Gymnasium and PettingZoo, and graphs of networkx: their own checks, and the rules beside them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

import endsight as es
from amounts import times
from endsight import CHANCE

gymnasium = pytest.importorskip("gymnasium")
pytest.importorskip("pettingzoo")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test, seed_test  # noqa: E402

sys.path.append(str(Path(__file__).parents[1] / "benchmarks"))

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
@pytest.mark.parametrize("cycles", times(30, 8))
@pytest.mark.filterwarnings("ignore")
def test_the_packages_find_no_fault(spec: str, cycles: int) -> None:
    check_env(es.gym_env(spec, "random", values=False), skip_render_check=True)
    api_test(es.pettingzoo_env(spec), num_cycles=cycles, verbose_progress=False)
    seed_test(lambda: es.pettingzoo_env(spec), num_cycles=cycles // 3)


def steps(spec: str, count: int, seed: int) -> int:
    """Play at random in PettingZoo's environment, and look at the rules beside it."""
    game, random = es.load(spec), Random(seed)
    env, done = es.pettingzoo_env(game), 0
    numbers: dict[Any, tuple[int, ...]] = {}
    while done < count:
        env.reset(seed=random.getrandbits(30))
        paid = dict(env.rewards)
        while env.agents and not all(env.terminations.values()):
            place, agent = env.table.position, env.agent_selection
            seen, _, over, _, _ = env.last()
            legal = [number for number, flag in enumerate(seen["action_mask"]) if flag]
            number = game.player_names.index(agent)
            assert not over
            assert set(legal) == set(env.table.numbered(number))
            shown = game.sees(place.state, number) if game.gives("sees") else place.state
            told = tuple(seen["observation"].tolist())
            assert numbers.setdefault(shown, told) == told
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
    assert len({*numbers.values()}) == len(numbers), "what is told apart by eye is told apart by numbers"
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


def test_rewards_of_a_game_add_up_to_its_total() -> None:
    """In blackjack a hand may be over before anybody is asked."""
    env, seat, at_once = es.pettingzoo_env("blackjack"), es.gym_env("blackjack", "random", values=False), 0
    for seed in range(60):
        env.reset(seed=seed)
        if all(env.terminations.values()):
            at_once += 1
            assert Fraction(env.last()[1]) == env.table.totals()[0] != 0
        _, info = seat.reset(seed=seed)
        over, paid = False, 0.0
        while not over:
            _, reward, over, _, info = seat.step(int(info["action_mask"].argmax()))
            paid += reward
        assert paid == float(info["total"])
    assert at_once > 0


def test_a_trained_agent_is_a_policy() -> None:
    """What it is told is what the environment tells it, and what it does is what its policy does."""
    for spec in ("tictactoe:width=3,height=2,line=2", "kuhn", "goofspiel:cards=3", "rps", "pig:target=5"):
        env, told = es.pettingzoo_env(spec), set[tuple[Any, ...]]()

        def agent(observation: Any, action_mask: Any, told: set[tuple[Any, ...]] = told) -> int:
            told.add((*observation.tolist(), *action_mask.tolist()))
            return int(action_mask.nonzero()[0][-1])

        es.exploit(spec, env.policy(agent))
        for seed in range(5):
            env.reset(seed=seed)
            while not all(env.terminations.values()):
                seen = env.last()[0]
                assert (*seen["observation"].tolist(), *seen["action_mask"].tolist()) in told
                env.step(seen["action_mask"].nonzero()[0][-1])


def test_agents_may_mix_and_must_keep_to_the_mask() -> None:
    env = es.gym_env("rps", "random", values=False)
    mixed = env.unwrapped.policy(lambda observation, action_mask: {0: 1, 1: 1, 2: 1})
    assert es.exploit("rps", {"first": mixed}).largest == 0
    always = es.gym_env("tictactoe", "random", values=False).unwrapped.policy(lambda observation, action_mask: 0)
    with pytest.raises(es.IllegalMoveError, match="action 0 is not legal here"):
        es.exploit("tictactoe", {"first": always})


def test_what_a_learner_of_openspiel_gives_away() -> None:
    """As in `benchmarks/trained_agents.py`, with fewer games: the same seed gives the same fraction."""
    pytest.importorskip("pyspiel")
    given_away: Callable[[str, int, int], es.Exploit] = import_module("trained_agents").given_away
    losses = [[each.gives_away for each in given_away("leduc:ranks=2", 200, 1).players] for _ in range(2)]
    assert losses[0] == losses[1]
    assert min(losses[0]) > 0
    assert [(each.value, each.gives_away) for each in given_away("pots:1-2-10-3", 300, 1).players] == [(11, 0), (5, 0)]


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


class Below(es.Game):
    """Chance hides a number; the first player sees it as a negative one and guesses it."""

    players = 2

    class State(NamedTuple):
        drawn: int | None
        guess: int | None

    def limits(self) -> State:
        return self.State(2, 2)

    def start(self) -> State:
        return self.State(None, None)

    def to_move(self, state: State) -> int:
        return CHANCE if state.drawn is None else 0

    def moves(self, state: State) -> Iterable[int]:
        return range(3) if state.guess is None else ()

    def play(self, state: State, move: int) -> State:
        return state._replace(drawn=move) if state.drawn is None else state._replace(guess=move)

    def sees(self, state: State, player: int) -> tuple[int, ...]:
        return () if state.drawn is None or player == 1 else (-state.drawn, state.drawn)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.drawn == state.guess else (-1, 1)


@pytest.mark.filterwarnings("ignore")
def test_negative_numbers_that_players_see_are_observed() -> None:
    """Nothing looks like a number that is seen: what fills an observation is less than all of them."""
    check_env(es.gym_env(Below(), "random"), skip_render_check=True)
    env, seat = es.pettingzoo_env(Below()), es.gym_env(Below(), "random")
    api_test(env, num_cycles=8, verbose_progress=False)
    env.reset(seed=1)
    assert env.observe("second")["observation"].tolist() == [0, -3, -1]
    told = set()
    for seed in range(20):
        seen, info = seat.reset(seed=seed)
        told.add(tuple(seen.tolist()))
        assert seat.observation_space.contains(seen)
        assert info["value"] == 1
    assert told == {(2, 0, 0), (2, -1, 1), (2, -2, 2)}


class Fading(Below):
    """The same with a discount."""

    discount = Fraction(1, 2)


class Drawn(Below):
    """The same without a guess."""

    def moves(self, state: Below.State) -> Iterable[int]:
        return range(3) if state.drawn is None else ()

    def payoff(self, state: Below.State) -> tuple[int, int]:
        return (1, -1)


@pytest.mark.parametrize("made", [es.gym_env, es.pettingzoo_env])
def test_games_that_are_no_environments_are_refused(made: Callable[..., Any]) -> None:
    with pytest.raises(es.QuestionError, match="an environment does not allow a discount, and Fading has one"):
        made(Fading(), values=False)
    with pytest.raises(es.QuestionError, match="Drawn has nothing for an environment to learn"):
        made(Drawn(), values=False)


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    env = es.gym_env("tictactoe", "random", values=False)
    env.reset(seed=1)
    before, _, _, _, info = env.step(0)
    after, reward, over, _, told = env.step(0)
    assert (list(before), reward, over, info["illegal"], told["illegal"]) == (list(after), 0.0, False, False, True)


def test_moves_can_be_numbered_by_hand_and_unknown_ones_are_refused() -> None:
    assert es.gym_env("nim", "random", values=False, actions=["1:1", "2:1", "3:1"]).action_space.n == 3
    with pytest.raises(es.QuestionError, match="was not seen when moves were numbered"):
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
