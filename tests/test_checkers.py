"""The checkers of single theorems: they agree with the solver, and refuse what their theorem does not settle."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

import endsight as es
from endsight.verifier import theorems as checkers
from endsight.verifier.certificate import Claim, Witness
from endsight.verifier.theorems import CHECKERS
from endsight.verifier.walk import Terms


def settle(theorem, position, witness=None, objective="competitive", utility="payoff", fixed=()):
    named = {position.game.player_names[player]: rule for player, rule in dict(fixed).items()}
    claim = Claim(position.text, None, objective, utility, named, {}, "value", None)
    proven = checkers.by_theorem(Terms(position.game, claim, {}), Witness(theorem, witness or {}))
    return tuple(low for low, _ in proven.value.values())


def positions(game, most, seed):
    """Positions of random play."""
    random = Random(seed)
    place, found = game.position(), []
    while len(found) < most:
        found.append(place)
        moves = list(place.moves())
        place = place.play(random.choice(moves)) if moves else game.position()
    return found


def pots(random):
    return es.games.Pots([random.randint(-3, 9) for _ in range(random.randint(0, 9))])


def cards(random):
    deck = list(range(1, 2 * random.randint(1, 5) + 1))
    random.shuffle(deck)
    half = len(deck) // 2
    return es.games.HighCard(deck[:half], [card if random.random() < 0.5 else None for card in deck[half:]])


FREE = [{"utility": utility} for utility in ("payoff", "win", "lead")]
CASES = [
    ("stack_reduction", pots, FREE),
    (
        "nim_sum",
        lambda random: es.games.Nim([random.randint(0, 3) for _ in range(random.randint(1, 3))], random.random() < 0.5),
        [{}, {"utility": "win"}],
    ),
    ("smallest_sufficient", cards, [{}, {"utility": "win"}]),
]


@pytest.mark.parametrize(("theorem", "make", "questions"), CASES, ids=[case[0] for case in CASES])
def test_checkers_find_the_solvers_values(theorem, make, questions) -> None:
    random = Random(7)
    for seed in range(12):
        game = make(random)
        for question in questions:
            for position in positions(game, 6, seed):
                solution = es.solve(game, position, **question)
                assert settle(theorem, position, **question) == tuple(map(Fraction, solution.values()))


def test_checkers_are_about_theorems_of_the_solver() -> None:
    dominoes = es.games.Dominoes(n=3)
    games = [es.games.Pots([4, 9]), es.games.Nim(), es.games.HighCard([1, 3], [None, 2]), dominoes]
    places = [*(game.position() for game in games), dominoes.position("0-1")]
    proven = {(place.game.title(), es.prove(es.solve(place.game, place)).evidence.theorem) for place in places}
    assert proven == {*CHECKERS}


UNCHECKED = [
    (es.games.Pots([4, 9, 2, 7]), {"objective": "cooperative"}, "value"),
    (es.games.Pots([4, 9, 2, 7]), {"fixed": {"first": "bigger", "second": "smaller"}}, "value"),
    (es.games.Pots([4, 9, 2, 7]), {"fixed": {"first": "bigger", "second": "bigger"}, "utility": "win"}, "win"),
    (es.games.HiddenPots(3, 3), {"utility": "win"}, "value"),
    (es.games.RpsBag([(1, 0, 2), (0, 3, 1)]), {"fixed": {"player": "rock"}}, "value"),
    (es.games.RepeatBust(sides=3), {"fixed": {"player": "myopic"}}, "value"),
]


@pytest.mark.parametrize(("game", "question", "category"), UNCHECKED)
def test_theorems_without_a_checker_are_proven_by_the_states(game, question, category) -> None:
    solution = es.solve(game, method="theorem", **question)
    certificate = es.prove(solution)
    assert certificate.evidence.kind != "theorem"
    assert certificate.claim.category == category
    for value, ends in zip(solution.values(), certificate.claim.value.values(), strict=True):
        assert ends == (value, value)
    assert es.verify(certificate).checked


@pytest.mark.parametrize("n", [1, 2, 3, 7, 200])
def test_the_opening_theorem_is_counted(n) -> None:
    position = es.games.Dominoes(n=n).position()
    assert settle("dominoes_openings", position) == (1, -1)
    assert settle("dominoes_openings", position, utility="win") == (1, 0)
    with pytest.raises(es.Wrong, match="empty line"):
        settle("dominoes_openings", position.play(0))


def test_lines_of_dominoes_are_proven_by_kernels_and_answers() -> None:
    searched = 0
    for n in (1, 2, 3, 5, 7, 8):
        for position in positions(es.games.Dominoes(n=n), 40, n):
            if position.state.used:
                solution = es.solve(position.game, position, method="theorem")
                witness = es.prove(solution).evidence.witness
                searched += any("answers" in item for item in witness["lost"])
                assert settle("even_kernel", position, witness) == tuple(map(Fraction, solution.values()))
                wrong = {key: value for key, value in witness.items() if key != "move"}
                if "move" in witness:
                    with pytest.raises(es.Wrong):
                        settle("even_kernel", position, wrong)
    assert searched > 3


def test_a_checker_is_about_its_own_game_and_witness() -> None:
    nim, line = es.games.Nim().position(), es.games.Pots([1, 2]).position()
    with pytest.raises(es.Wrong, match="not about nim"):
        settle("stack_reduction", nim)
    with pytest.raises(es.Wrong, match="not about nim"):
        settle("no_such_theorem", nim)
    with pytest.raises(es.Wrong, match="not have the form that its checker needs"):
        settle("stack_reduction", line, {"move": "L"})
    with pytest.raises(es.Wrong, match="free rivals"):
        settle("stack_reduction", line, objective="cooperative")
