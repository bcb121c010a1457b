"""Every kind of answer is proven, and the proof holds for a verifier that knows no solver."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

import endsight as es
import forger
import mutate_certificates
import prove_games
import strategies as games
import thresholds
from amounts import examples, seeds, times
from command_line import run
from endsight import Certificate
from endsight.verifier.certificate import Bounds, Induction, Witness
from naive import Enumeration, Recursion, Sweeps
from small_instances import AT_ONCE, GAMES, HIDDEN, Instance, instances, some

SEED = 1


def proven(solution: es.Solution, distribution: str | None = None) -> Certificate:
    """The certificate, once around through its text, and checked."""
    certificate = es.prove(solution, distribution=distribution)
    text = certificate.to_text()
    read = Certificate.from_text(text)
    assert read == certificate
    assert read.to_text() == text
    es.verify(read, solution.game if certificate.game["own"] else None)
    return certificate


def check(instance: Instance) -> None:
    solution = instance.solution()
    certificate = proven(solution)
    names = solution.game.player_names
    for name, value in zip(names, solution.values(), strict=True):
        low, high = certificate.claim.value[name]
        assert low is None or low <= value
        assert high is None or value <= high
    if certificate.claim.category not in ("win", "loss"):
        assert all(low == high for low, high in certificate.claim.value.values())


class Told(es.Game):
    """What is paid is the length of the parameter's name in Python."""

    most: object = 1

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(1)

    def start(self) -> State:
        return self.State(1)

    def moves(self, state: State) -> range:
        return range(state.left)

    def play(self, state: State, move: int) -> State:
        return self.State(0)

    def payoff(self, state: State) -> int:
        return len(repr(self.most))


@pytest.mark.parametrize("other", [True, Fraction(1), (1,), (True,)])
def test_a_certificate_is_of_parameters_of_the_same_types(other: object) -> None:
    """1, True and Fraction(1) are equal, so a proof for one of them was taken for one of the others."""
    whole = (1,) if isinstance(other, tuple) else 1
    certificate = es.prove(es.solve(Told(whole)))
    es.verify(certificate, Told(whole))
    es.verify(certificate, Told)
    if repr(other) != repr(whole):
        with pytest.raises(es.FileError, match="different parameters"):
            es.verify(certificate, Told(other))


def test_the_list_is_long_enough() -> None:
    assert len(GAMES) >= 40
    assert {game.partition(":")[0] for game in (*GAMES, *AT_ONCE, *HIDDEN)} == set(es.games.BUILT_IN)


@pytest.mark.parametrize("instance", some(9), ids=str)
def test_answers_prove(instance: Instance) -> None:
    check(instance)


@pytest.mark.slow
@pytest.mark.parametrize("instance", instances(), ids=str)
def test_all_answers_prove(instance: Instance) -> None:
    check(instance)


# ---------------------------------------------------------------------- random games, against the oracle


def agrees(game: es.Game, oracle: tuple, **options: object) -> None:
    certificate = proven(es.solve(game, **options))
    for name, value in zip(game.player_names, oracle, strict=True):
        if name in certificate.claim.value:
            low, high = certificate.claim.value[name]
            assert low is None or low <= value
            assert high is None or value <= high
            assert low == high or certificate.claim.category in ("win", "loss")


OBJECTIVES = st.sampled_from(["competitive", "cooperative"])
UTILITIES = st.sampled_from(["payoff", "win", "lead"])


@examples(40, 8, games.alternating_acyclic(), OBJECTIVES, UTILITIES)
def test_alternating_games(game: es.Game, objective: str, utility: str) -> None:
    options = {"objective": objective, "utility": utility}
    agrees(game, Recursion(game, **options).value(), **options)


@examples(40, 8, games.alternating_rewards(), OBJECTIVES, UTILITIES)
def test_games_with_rewards(game: es.Game, objective: str, utility: str) -> None:
    options = {"objective": objective, "utility": utility, "symmetry": False}
    agrees(game, Recursion(game, objective, utility).value(), **options)


@examples(60, 10, games.alternating_loops())
def test_games_with_loops(game: es.Game) -> None:
    agrees(game, Sweeps(game).value())


@examples(60, 10, games.chance_acyclic(), OBJECTIVES)
def test_games_of_chance(game: es.Game, objective: str) -> None:
    agrees(game, Recursion(game, objective).value(), objective=objective)


@examples(30, 5, games.chance_acyclic(seats=2), st.sampled_from(["random", "worst"]))
def test_fixed_players(game: es.Game, rule: str) -> None:
    agrees(game, Recursion(game, fixed={1: rule}).value(), fixed={1: rule})


@examples(40, 8, games.stopping_loops())
def test_games_of_chance_with_loops(game: es.Game) -> None:
    agrees(game, Enumeration(game).value())


@pytest.mark.parametrize("seed", seeds(8, 3))
def test_games_that_come_back_are_proven_exactly(seed: int) -> None:
    for number in range(25):
        question = prove_games.asked(1000 * seed + number)
        assert prove_games.fault(question) is None, question


def test_rivals_who_come_back_are_proven_exactly() -> None:
    for number in range(25):
        question = prove_games.rivals(number)
        assert prove_games.fault(question) is None, question


def test_a_play_that_must_not_go_round_hurries() -> None:
    """The first player could go round for ever, and must not: 0 is less than 3."""
    game = games.GraphGame(((1, 2), (0, 3), (0,), ()), (0, 0, 0, -3))
    certificate = proven(es.solve(game))
    assert certificate.claim.value == {"first": (0, 0), "second": (0, 0)}
    alone = games.GraphGame(((1, 0), (0, 2), ()), (0, 0, 3), 1)
    assert proven(es.solve(alone)).claim.value == {"player": (3, 3)}


@pytest.mark.parametrize("name", forger.CLASSES)
@pytest.mark.parametrize("count", times(250, 25))
def test_no_forgery_is_accepted(name: str, count: int) -> None:
    met, false = forger.forged(name, count, 2)
    assert false == []
    assert met["refused"] > 0.4 * count


# ---------------------------------------------------------------------- what claims say


def test_a_claim_names_all_three_players() -> None:
    game = games.GraphGame(((1, 2, 0), (), ()), ((0, 0, 0), (1, 2, 3), (1, 0, 5)), 3)
    certificate = proven(es.solve(game, objective="cooperative"))
    assert repr(certificate).endswith("cooperative: first 1, second (not claimed), third (not claimed)>")


def test_bounds_that_ends_outside_of_the_plays_contradict_are_not_given_out() -> None:
    """Each player secures 0, and both get 5 where both want more."""
    edges, payoffs = ((1, 2), (), (3, 4), (), ()), ((0, 0), (0, 0), (0, 0), (5, 5), (-1, 1))
    certificate = proven(es.solve(games.MoverGraph(edges, payoffs, 2, (0, 0, 1, 0, 0), ((1, 1), (), (1, 1), (), ()))))
    assert certificate.evidence == Induction()
    assert certificate.claim.value == {"first": (5, 5), "second": (5, 5)}


def test_where_the_second_alone_decides_bounds_are_about_the_second() -> None:
    """The second may end the game, or go round for ever."""
    game = games.MoverGraph(((1, 0), ()), ((2, 1), (Fraction(1, 2), 2)), 2, (1, 1), ((3, 1), ()))
    certificate = proven(es.solve(game))
    assert certificate.claim.value == {"first": (None, None), "second": (2, 2)}
    assert repr(certificate).endswith("first (not claimed), second 2>")


def test_where_one_of_several_decides_the_value_is_proven() -> None:
    """Payoffs of all sums, loops, chance and rewards; what the others get may depend on ties."""
    for seed in range(60):
        question = prove_games._one_decides(random.Random(seed))
        assert prove_games.fault(question) is None, question


# ---------------------------------------------------------------------- kinds of evidence


def test_a_theorem_is_its_own_evidence() -> None:
    certificate = proven(es.solve(es.games.Nim(heaps=(3, 4, 5))))
    assert certificate.evidence == Witness("nim_sum", {})


def test_a_theorem_without_a_checker_is_proven_by_play() -> None:
    solution = es.solve(es.games.Nim(heaps=(1, 2)), method="graph")
    assert isinstance(proven(solution).evidence, Bounds)


def test_a_game_of_three_players_is_proven_by_induction() -> None:
    game = games.GraphGame(((1, 2), (), ()), ((0, 0, 0), (1, 2, 0), (1, 0, 2)), 3)
    certificate = proven(es.solve(game))
    assert isinstance(certificate.evidence, Induction)
    assert certificate.claim.value["second"] == (2, 2)
    assert "the first of their best moves" in certificate.claim.notion


def test_a_won_game_needs_no_play_of_the_loser(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    thresholds.losers_get_no_play(monkeypatch)
    solution = es.solve(es.games.Dominoes(n=4), method="graph")
    certificate = proven(solution)
    assert certificate.evidence.at_most is None
    assert certificate.claim.value == {"first": (1, None), "second": (None, -1)}
    assert certificate.claim.category == "win"
    assert repr(certificate).endswith(
        "first secures at least 1, second secures at most -1 (win for the player to move); no exact value is claimed>"
    )
    said = run("prove", "dominoes:n=4", "--method", "graph", "-o", str(tmp_path / "won.cert"), "--json")
    assert json.loads(said.out)["weaker"] == {"first": "at least 1, solved 1", "second": "at most -1, solved -1"}
    assert (
        said.err
        == "note: the claim differs from the solution: first at least 1, solved 1; second at most -1, solved -1\n"
    )


@pytest.mark.parametrize("first", ["ignored", "scored"])
def test_play_past_the_end_of_the_rules_has_no_certificate(first: str) -> None:
    game = es.games.RepeatBust(sides=3, dice=1, first=first)
    solution = es.solve(game, fixed={"player": "never"})
    assert solution.value() == {"player": 0}
    with pytest.raises(es.errors.QuestionError, match="past the end that the rules file sets"):
        es.prove(solution)
    proven(es.solve(game, fixed={"player": "myopic-roll"}))


def test_an_interval_is_proven_as_it_was_solved() -> None:
    solution = es.solve(es.games.Pig(target=4), interval=True)
    certificate = proven(solution)
    interval = solution.value()["first"]
    assert certificate.claim.value["first"] == (interval.lower, interval.upper)


def test_ends_that_were_found_layer_by_layer_are_proven() -> None:
    solution = es.solve(es.games.Ur(pieces=1), method="layers", interval=True, engine="compiled")
    assert solution.plan.path == "rounds"
    certificate = proven(solution)
    interval = solution.value()["first"]
    assert certificate.claim.value["first"] == (interval.lower, interval.upper)
    assert certificate.claim.value["first"] != (interval.upper, interval.upper)


@pytest.mark.parametrize(
    "instance",
    [
        Instance("pots:4-9-2-7"),
        Instance("pigturn"),
        Instance("repeatbust:sides=3,dice=1"),
        Instance("pig:target=10"),
        Instance("ur:pieces=1"),
    ],
    ids=str,
)
def test_a_distribution_is_proven_beside_its_value(instance: Instance) -> None:
    solution = instance.solution()
    player = solution.game.player_names[0]
    certificate = proven(solution, player)
    assert dict(certificate.claim.outcomes) == dict(solution.distribution(player).outcomes)
    assert sum(chance for _, chance in certificate.claim.outcomes) == 1


class Circle(es.Game):
    """Who leaves loses; who stays passes the turn on."""

    class State(NamedTuple):
        turn: int
        is_over: int

    def limits(self) -> State:
        return self.State(1, 1)

    def start(self) -> State:
        return self.State(0, 0)

    def to_move(self, state: State) -> int:
        return state.turn

    def moves(self, state: State) -> tuple[int, ...]:
        return () if state.is_over else (0, 1)

    def play(self, state: State, move: int) -> State:
        return self.State(1 - state.turn, move)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.turn == 0 else (-1, 1)


def test_a_distribution_of_play_that_need_not_end_has_no_certificate() -> None:
    """Both go round: nobody wants to leave, as the way out costs the one who takes it."""
    solution = es.solve(Circle())
    with pytest.raises(es.errors.QuestionError, match="this play may never end"):
        es.prove(solution, distribution="first")


@pytest.mark.parametrize("game", [es.games.Pig(target=16), es.games.TwoDicePig(target=14)], ids=str)
def test_exact_values_along_best_play_are_proven_exact(game: es.Game) -> None:
    """Most positions are enclosed only, and yet the claim is a fraction."""
    solution = es.solve(game, exact=True)
    certificate = proven(solution)
    value = solution.values()[0]
    assert certificate.claim.value["first"] == (value, value)
    assert len(certificate.evidence.at_least.nodes) > 1


def test_exact_values_that_would_fill_a_certificate_are_proven_as_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    thresholds.prove_fractions_of_few_bits(monkeypatch, 1)
    solution = es.solve(es.games.Pig(target=25), exact=True)
    low, high = proven(solution).claim.value["first"]
    assert low < solution.values()[0] < high
    assert high - low < Fraction(1, 10**14)


def test_a_position_set_up_directly_keeps_whose_turn_it_is() -> None:
    game = es.games.Chomp(width=2, height=2)
    certificate = proven(es.solve(game, game.position_from("second: " + game.show(game.start()))))
    assert certificate.claim.set_up.startswith("second: ")
    assert certificate.claim.value["second"][0] == 1


# ---------------------------------------------------------------------- changes


@pytest.mark.parametrize("changes", times(300, 75))
def test_no_random_change_proves_anything_false(changes: int) -> None:
    found = mutate_certificates.outcomes(changes, SEED)
    counts = Counter(each.kind for each in found)
    assert [each for each in found if each.kind == "FALSE CLAIM"] == []
    assert counts["wrong"] > changes // 5
    assert counts["refused"] > changes // 10


# ---------------------------------------------------------------------- the verifier stands alone


def test_the_verifier_runs_as_a_module(tmp_path: Path) -> None:
    file = tmp_path / "draw.cert"
    es.write_certificate(es.prove(es.solve(es.games.TicTacToe())), file)
    done = subprocess.run(
        [sys.executable, "-m", "endsight.verifier", str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("verdict: proven\n")


# ---------------------------------------------------------------------- commands


def test_prove_and_verify(tmp_path: Path) -> None:
    file = str(tmp_path / "draw.cert")
    said = run("prove", "tictactoe", "--at", "b2 a1", "-o", file)
    assert said.code == 0
    assert f"{Path(file).stat().st_size:,} bytes" in said.out
    checked = run("verify", file, "--json")
    assert checked.code == 0
    assert json.loads(checked.out)["verdict"] == "proven"
    assert list(tmp_path.iterdir()) == [Path(file)]


def test_a_false_claim_ends_with_4(tmp_path: Path) -> None:
    file = tmp_path / "draw.cert"
    run("prove", "tictactoe", "-o", str(file))
    file.write_text(file.read_text(encoding="utf-8").replace('"first":"0"', '"first":"1"'), encoding="utf-8")
    checked = run("verify", str(file))
    assert checked.code == 4
    assert "the value of first is not as claimed" in checked.out


def test_other_rules_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "turn.cert"
    run("prove", "pigturn", "-o", str(file))
    document = json.loads(file.read_text(encoding="utf-8"))
    document["game"]["rules"] = "0" * 64
    file.write_text(json.dumps(document), encoding="utf-8")
    checked = run("verify", str(file))
    assert checked.code == 3
    assert "different rules" in checked.err


OWN = """
from typing import NamedTuple
from endsight.game import Game

class Countdown(Game):
    heap: int = 10

    class State(NamedTuple):
        left: int

    def limits(self): return self.State(self.heap)
    def start(self): return self.State(self.heap)
    def moves(self, state): return range(1, min(3, state.left) + 1)
    def play(self, state, move): return self.State(state.left - move)
    def payoff(self, state): return -1

def greedy(game, state): return min(3, state.left)
"""


def test_rules_from_outside_run_only_where_named(tmp_path: Path) -> None:
    rules, file = tmp_path / "mine.py", str(tmp_path / "mine.cert")
    rules.write_text(OWN, encoding="utf-8")
    said = run("prove", f"{rules}:Countdown:heap=9", "--fix", f"second={rules}:greedy", "-o", file)
    assert said.code == 0, said
    alone = run("verify", file)
    assert alone.code == 3
    assert "only if you name them" in alone.err
    without = run("verify", file, f"{rules}:Countdown")
    assert without.code == 3
    assert "--fix second=file.py:greedy" in without.err
    assert run("verify", file, f"{rules}:Countdown", "--fix", f"second={rules}:greedy").code == 0
    rules.write_text(OWN + "\n# changed\n", encoding="utf-8")
    changed = run("verify", file, f"{rules}:Countdown", "--fix", f"second={rules}:greedy")
    assert changed.code == 3
    assert "different rules" in changed.err


def test_a_time_limit_stops_the_verifier(tmp_path: Path) -> None:
    file = str(tmp_path / "draw.cert")
    run("prove", "tictactoe", "-o", file)
    assert run("verify", file, "--time", "0.000001").code == 5


def test_a_folder_that_cannot_be_written_leaves_nothing(tmp_path: Path) -> None:
    said = run("prove", "tictactoe", "-o", str(tmp_path / "missing" / "draw.cert"))
    assert said.code == 3
    assert "cannot be written" in said.err


@pytest.mark.parametrize("text", ["", "{}", "[]", "\x00", '{"schema":1}', "[" * 100_000, '{"a":1,"a":2}', "1e400"])
def test_what_is_no_certificate_is_refused(tmp_path: Path, text: str) -> None:
    file = tmp_path / "broken.cert"
    file.write_text(text, encoding="utf-8")
    checked = run("verify", str(file))
    assert checked.code == 3
    assert "is not a certificate" in checked.err


def test_exact_numbers_stay_exact() -> None:
    certificate = proven(es.solve(es.games.RepeatBust(sides=3, dice=2)))
    value = es.solve(es.games.RepeatBust(sides=3, dice=2)).value()["player"]
    assert certificate.claim.value["player"] == (value, value)
    assert isinstance(value, Fraction)


def test_a_loser_who_may_reply_in_too_many_ways_gets_no_play(monkeypatch: pytest.MonkeyPatch) -> None:
    solution = es.solve("dominoes:n=4", method="graph")
    both = es.prove(solution).evidence
    thresholds.losers_get_no_play(monkeypatch)
    won = es.prove(solution).evidence
    assert isinstance(both, Bounds)
    assert won == Bounds(both.at_least, None) != both
