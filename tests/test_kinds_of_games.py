"""What the documentation says of each kind of game, held against an example; and equilibria of players not opposed."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
import fuzz_judgement
from amounts import seed_rows
from at_once import stop_or_go_on
from command_line import ask, run
from endsight import CHANCE, Game, Position, check_rules, load
from endsight.errors import NoValue, QuestionError
from strategies import GraphGame, MoverGraph, MoverRewards

ROOT = Path(__file__).parents[1]
RULES = ROOT / "benchmarks" / "rules"
ONE_EQUILIBRIUM = "one equilibrium, perhaps of several: nobody gains by playing otherwise, whatever they remember"


class Kind(NamedTuple):
    """A row of the table of kinds in the documentation."""

    name: str
    told: str
    method: str
    proof: str
    refused: str


def kinds() -> list[Kind]:
    """The rows of that table."""
    page = (ROOT / "docs" / "theory" / "endless-play.md").read_text(encoding="utf-8")
    table = page.partition("<!-- kinds of games")[2].partition("-->")[2].strip().partition("\n\n")[0].splitlines()[2:]
    return [Kind(*(cell.strip() for cell in row.strip("|").split(" | "))) for row in table]


KINDS = kinds()
TRUEL = (Fraction(25, 63), Fraction(8, 21), Fraction(2, 9))


def graph(successors: tuple, payoffs: tuple, movers: tuple, gains: tuple | None = None) -> Game:
    """A game of as many players as payoffs have entries; all outcomes of chance are alike."""
    weights = tuple(tuple(1 for _ in ways) for ways in successors)
    if gains is None:
        return MoverGraph(successors, payoffs, len(payoffs[0]), movers, weights)
    return MoverRewards(successors, payoffs, len(payoffs[0]), movers, weights, gains)


def truel() -> Game:
    return load(str(RULES / "truel.py"))


def shoot(game: Game, state: Any) -> Any:
    """At the last of the others, never into the air."""
    return [move for move in game.moves(state) if move != 4][-1]


NONE, ONE, LOST = (0, 0), (1, -1), (-1, 1)
EXAMPLES: dict[str, list[tuple[Game, dict[str, Any]]]] = {
    KINDS[0].name: [(graph(((1, 2), (), ()), (NONE, ONE, LOST), (0, 0, 0)), {})],
    KINDS[1].name: [(es.games.Blotto(), {}), (es.games.Goofspiel(cards=3), {"utility": "win"})],
    KINDS[2].name: [(graph(((1, 2), (), ()), ((0, 0, 0), (1, 2, 0), (0, 3, 3)), (0, 0, 0)), {})],
    KINDS[3].name: [(stop_or_go_on(), {})],
    KINDS[4].name: [(graph(((1, 2), (0, 3), (), ()), (NONE, NONE, LOST, ONE), (0, 1, 0, 0)), {})],
    KINDS[5].name: [
        (graph(((1, 2), (0, 3), (), ()), (NONE, NONE, LOST, ONE), (CHANCE, 1, 0, 0)), {}),
        (graph(((1, 3), (2,), (0, 4), (), ()), (NONE, NONE, NONE, LOST, ONE), (0, CHANCE, 1, 0, 0)), {}),
    ],
    KINDS[6].name: [
        (graph(((0, 1), ()), ((0,), (1,)), (0, 0), (((-1,), (-3,)), ())), {}),
        (graph(((1, 2), (0,), ()), ((0,),) * 3, (0, 0, 0), (((-4,), (0,)), ((2,),), ())), {}),
    ],
    KINDS[7].name: [
        (graph(((1, 2), (0, 2), ()), (NONE, NONE, LOST), (0, 1, 0), ((LOST, NONE), (NONE, NONE), ())), {}),
        (graph(((0, 1), ()), ((0,), (0,)), (CHANCE, 0), (((-1,), (-1,)), ())), {}),
        (graph(((1, 2), (0, 0), ()), ((0,),) * 3, (0, CHANCE, 0), (((0,), (0,)), ((1,), (-2,)), ())), {}),
    ],
    KINDS[8].name: [
        (
            graph(((1, 2), (0,), ()), (NONE, NONE, NONE), (0, 1, 0), ((ONE, (2, 0)), (LOST,), ())),
            {"utility": "win"},
        )
    ],
    KINDS[9].name: [
        (truel(), {"fixed": dict.fromkeys(("first", "second", "third"), shoot)}),
        (truel(), {"fixed": dict.fromkeys(("second", "third"), "random")}),
    ],
    KINDS[10].name: [(load(str(RULES / "forest.py")), {})],
    KINDS[11].name: [(truel(), {})],
}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_what_the_documentation_says_of_a_kind_of_game_is_so(kind: Any) -> None:
    for game, asked in EXAMPLES[kind.name]:
        solution = es.solve(game, **asked)
        assert solution.source.method == kind.method
        is_one_of_several = kind.name == KINDS[11].name
        assert (solution.notion == ONE_EQUILIBRIUM) == is_one_of_several
        if kind.proof.partition(";")[0] == "none":
            with pytest.raises(QuestionError, match=r"has no certificate|a certificate does not allow a discount"):
                es.prove(solution)
        else:
            assert es.verify(es.prove(solution), type(game), policies=asked.get("fixed")).claim


# ---------------------------------------------------------------------- equilibria


def test_the_truel_is_told_as_one_equilibrium() -> None:
    solution = es.solve(truel())
    assert solution.values() == TRUEL
    assert solution.notion == ONE_EQUILIBRIUM
    assert [option.text for option in solution.options() if option.best] == ["4"]  # into the air
    assert solution.distribution("first").outcomes == {0: 1 - TRUEL[0], 1: TRUEL[0]}
    report = check_rules(truel())
    assert report.value is not None
    assert report.value.reason is None
    assert report.value.notion == ONE_EQUILIBRIUM


def test_commands_say_that_it_is_one_equilibrium(tmp_path: Path) -> None:
    said = run("value", str(RULES / "truel.py"))
    assert said.out.startswith("first 25/63")
    assert ONE_EQUILIBRIUM in said.err
    assert ask("value", str(RULES / "truel.py"))["facts"]["notion"] == ONE_EQUILIBRIUM
    assert ask("check", str(RULES / "truel.py"))["value"]["notion"] == ONE_EQUILIBRIUM
    assert run("solve", str(RULES / "truel.py"), "-o", str(tmp_path / "stored")).code == 0
    assert ONE_EQUILIBRIUM in run("value", str(RULES / "truel.py"), "--from", str(tmp_path / "stored")).err


def test_nobody_gains_by_playing_otherwise_from_any_position() -> None:
    game = truel()
    solution = es.solve(game)

    def follow(game: Game, state: Any) -> Any:
        return solution.chosen(Position(game, state, state.turn, (0, 0, 0), ()))

    places = [game.position()]
    for place in places:
        places += [then for move in place.moves() if (then := place.play(move)).state not in {p.state for p in places}]
    assert len(places) == 24
    for player, name in enumerate(game.player_names):
        reply = es.solve(game, fixed={other: follow for other in game.player_names if other != name})
        for place in places:
            assert reply.values(place)[player] == solution.values(place)[player]


def test_two_players_whose_payoffs_have_a_sum_that_endless_play_lacks_are_told_of_endless() -> None:
    with pytest.raises(NoValue) as caught:
        es.solve(GraphGame(((1, 2), (0, 3), (), ()), ((0, 0), (0, 0), (1, 0), (0, 1))))
    assert "endless = Fraction(1, 2)" in str(caught.value)


def test_where_replies_go_round_nothing_is_told() -> None:
    """Each of three leaves, in turn, just if the next one would not; of three that cannot be."""
    payoffs = ((0, 0, 0),) * 3 + ((1, 0, 3), (3, 1, 0), (0, 3, 1))
    game = graph(((3, 1), (4, 2), (5, 0), (), (), ()), payoffs, (0, 1, 2, 0, 0, 0))
    with pytest.raises(NoValue, match="interests are not opposed"):
        es.solve(game)


@pytest.mark.parametrize("seeds", seed_rows(60, 10, 1))
def test_random_games_of_players_who_are_not_opposed(seeds: range) -> None:
    counts, wrong = fuzz_judgement.run(seeds, kind="unopposed")
    assert not wrong
    assert counts["equilibria"] > len(seeds) / 8
