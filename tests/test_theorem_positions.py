"""A solution by a theorem goes on at later positions: it says there what a fresh solution says."""

from __future__ import annotations

from random import Random

import pytest

import endsight as es
from command_line import ask

FREE = [{"utility": utility} for utility in ("payoff", "win", "lead")]
TWO_SIDED = [*FREE, {"objective": "cooperative"}, {"fixed": {"first": "bigger"}}]
GAMES = [
    ("dominoes", lambda random: es.games.Dominoes(n=random.choice([1, 2, 3, 5, 6])), [{}, {"utility": "win"}]),
    ("pots", lambda random: es.games.Pots([random.randint(-3, 9) for _ in range(random.randint(2, 8))]), TWO_SIDED),
    ("hiddenpots", lambda random: es.games.HiddenPots(random.randint(2, 5), random.randint(2, 4)), FREE),
    ("repeatbust", lambda random: es.games.RepeatBust(sides=random.randint(2, 4)), [{}]),
    (
        "rpsbag",
        lambda random: es.games.RpsBag([tuple(random.randint(0, 3) for _ in range(3)) for _ in range(3)] + [(1, 1, 1)]),
        [{}, {"fixed": {"player": "rock"}}],
    ),
    ("highcard", lambda random: es.games.HighCard([5, 2, 6], [None, 1, None]), [{}, {"utility": "win"}]),
    (
        "nim",
        lambda random: es.games.Nim([random.randint(1, 4) for _ in range(3)], random.random() < 0.5),
        [{}, {"utility": "win"}],
    ),
]


def said(solution: es.Solution, place: es.Position) -> list:
    """Values, distance, and what every move gives."""
    return [solution.values(place), solution.distance(place), list(solution.options(place))]


@pytest.mark.parametrize(("name", "make", "questions"), GAMES, ids=[case[0] for case in GAMES])
def test_later_positions_have_the_answers_of_a_fresh_solution(name: str, make, questions) -> None:
    random = Random(name)
    compared = 0
    for question in questions * 8:
        place = make(random).position()
        going_on = es.solve(place.game, place, **question)
        while moves := list(place.moves()):
            place = place.play(random.choice(moves))
            assert said(going_on, place) == said(es.solve(place.game, place, **question), place), (
                name,
                place,
                question,
            )
            compared += 1
    assert compared > 20


@pytest.mark.parametrize("command", ["value", "analyze", "line", "table", "dist", "fair"])
@pytest.mark.parametrize(
    "game", ["repeatbust:sides=3", "pots:4-9-2-7", "hiddenpots:count=3,max=2", "highcard:hand=1-3,rival=4-x", "nim:1-2"]
)
def test_every_command_counts_the_states_it_has_looked_at(command: str, game: str) -> None:
    assert ask(command, game)["method"]["states"] > 0


@pytest.mark.parametrize(
    ("command", "engine"),
    [
        ("repeatbust:sides=3", "plain"),
        ("repeatbust:sides=3 --fix player=myopic", "plain"),
        ("pots:4-9-2-7", "none"),
        ("pots:4-9-2-7 --objective cooperative", "plain"),
        ("pots:4-9-2-7 --fix first=bigger --fix second=bigger", "plain"),
        ("nim", "none"),
        ("dominoes", "none"),
        ("dominoes --at 0-1", "none"),
        ("hiddenpots:count=3,max=2", "none"),
        ("rpsbag:1-2-3/4-5-6", "none"),
        ("highcard:hand=1-3-5-7,rival=8-x-4-x", "none"),
    ],
)
def test_rules_are_run_by_no_engine_exactly_where_a_theorem_answers(command: str, engine: str) -> None:
    method = ask("value", *command.split())["method"]
    assert method["engine"] == engine
    assert (method["theorem"] is None) is (engine == "plain")
