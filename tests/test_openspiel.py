"""Games of OpenSpiel as games: their values beside OpenSpiel's own algorithms, and what tells positions apart."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import endsight as es
from command_line import ask, run
from endsight.errors import ParameterError, PositionError, QuestionError, RulesError
from endsight.interop.openspiel_states import DECIDING

pyspiel = pytest.importorskip("pyspiel")

from openspiel_cases import CASES, SMALL, Case, minimax, says  # noqa: E402
from openspiel_histories import FEW, LARGE, MANY, MOST, WHOLE, compared, key_of  # noqa: E402
from test_gambit import Paying  # noqa: E402


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name.partition("(")[0])
def test_values_are_those_of_its_own_algorithms(case: Case) -> None:
    value = next(iter(es.solve(f"openspiel:{case.name}").value().values()))
    assert str(value) == case.value
    says(case, value)


class Fading(es.games.Pots):
    """A game whose later moves count less."""

    discount = Fraction(1, 2)


def test_a_discount_is_not_for_openspiel() -> None:
    """Its payoffs come at the end, and it adds them up in full."""
    with pytest.raises(QuestionError, match="a game for OpenSpiel does not allow a discount, and pots has one"):
        es.to_openspiel(Fading((1, 2)))


def test_forty_games_and_more() -> None:
    assert len({pyspiel.load_game(case.name).get_type().short_name for case in CASES}) >= 45


@pytest.mark.parametrize("case", CASES[::6], ids=lambda case: case.name.partition("(")[0])
def test_certificates_prove_values(case: Case) -> None:
    game = es.load(f"openspiel:{case.name}")
    assert case.value in es.verify(es.prove(es.solve(game)), type(game)).claim


# -------------------------------------------------------------------- positions


def keyed(name: str) -> tuple[Any, tuple[Any, ...]]:
    source = pyspiel.load_game(name)
    return source, DECIDING[source.get_type().short_name]


def test_every_kind_of_key_is_tried() -> None:
    assert {pyspiel.load_game(name).get_type().short_name for name in SMALL} == set(DECIDING)


HARDLY_AGAIN = ("mancala", "othello", "pentago", "ultimate_tic_tac_toe")
"""Games in which random plays hardly meet a position again."""


@pytest.mark.parametrize("name", SMALL)
def test_positions_with_one_key_have_one_future(name: str) -> None:
    """Random plays, and the same with moves exchanged: where a key is met again, every move leads to the same."""
    source, parts = keyed(name)
    draw, known = random.Random(name), dict[Any, Any]()
    for _ in range(25):
        line = random_line(source, draw)
        for each in [line, *(exchanged(line, draw) for _ in range(8))]:
            for state in states_along(source, each):
                agrees(state, parts, known)
    assert sum(entry.times > 1 for entry in known.values()) > 0 or name in HARDLY_AGAIN


def random_line(source: Any, draw: random.Random) -> list[Any]:
    """The first moves of a random play."""
    state, line = source.new_initial_state(), list[Any]()
    while not state.is_terminal() and len(line) < 16:
        if state.is_simultaneous_node():
            line.append([draw.choice(state.legal_actions(player)) for player in range(2)])
            state.apply_actions(line[-1])
        else:
            line.append(draw.choice(state.legal_actions()))
            state.apply_action(line[-1])
    return line


def exchanged(line: list[Any], draw: random.Random) -> list[Any]:
    """The line with two moves exchanged."""
    one, other = draw.randrange(len(line)), draw.randrange(len(line))
    line = list(line)
    line[one], line[other] = line[other], line[one]
    return line


def states_along(source: Any, line: list[Any]) -> Iterator[Any]:
    """The states of a line as far as it is legal."""
    state = source.new_initial_state()
    for move in line:
        yield state
        if state.is_terminal():
            return
        state = state.clone()
        if state.is_simultaneous_node():
            if not isinstance(move, list) or any(own not in state.legal_actions(at) for at, own in enumerate(move)):
                return
            state.apply_actions(move)
        elif move not in state.legal_actions():
            return
        else:
            state.apply_action(move)
    yield state


@pytest.mark.parametrize("name", FEW)
def test_positions_with_one_key_have_one_future_after_all_histories(name: str) -> None:
    """This proves the keys of a game complete."""
    found = compared(name)
    assert found.whole
    assert found.positions < found.histories


@pytest.mark.slow
@pytest.mark.parametrize("name", [*WHOLE, *LARGE])
def test_keys_of_larger_games_after_all_or_many_histories(name: str) -> None:
    assert compared(name, MOST if name in WHOLE else MANY).whole == (name in WHOLE)


def test_keys_that_tell_too_little_apart_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the player to move, in the comparison and where a game is solved."""
    monkeypatch.setitem(DECIDING, "pig", (lambda state: str(state).splitlines()[0],))  # type: ignore[arg-type]
    with pytest.raises(AssertionError):
        compared("pig(winscore=4,horizon=6,diceoutcomes=3)")
    monkeypatch.setitem(DECIDING, "nim", (lambda state: str(sum(map(int, str(state).split(":")[1].split()))),))
    with pytest.raises(RulesError, match="treated as one position have different moves"):
        es.solve("openspiel:nim(pile_sizes=1;2)")


def test_answers_say_what_they_rest_on() -> None:
    said = run("value", "openspiel:nim(pile_sizes=1;2)")
    assert (said.out, "compared where they met, and not proven" in said.err) == ("first wins in 2\n", True)
    assert "not proven" in ask("value", "openspiel:nim(pile_sizes=1;2)")["facts"]["rests_on"]
    assert "not proven" in run("analyze", "openspiel:nim(pile_sizes=1;2)").out.replace("\n", " ")
    assert "rests_on" not in ask("value", "openspiel:kuhn_poker")["facts"]  # told apart by history


def test_keys_are_those_of_the_versions_that_were_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pyspiel, "__version__", "3.0.0")
    game = es.load("openspiel:nim(pile_sizes=1;1)")
    assert (game.rests_on, es.solve(game).states, es.solve(game).value()["first"]) == ("", 5, 1)


class Entry(NamedTuple):
    """The future of a key, one history that led there, and by how many others it was met."""

    future: Any
    history: list[int]
    times: int


def agrees(state: Any, parts: tuple[Any, ...], known: dict[Any, Entry]) -> None:
    """Where a key was met before with another history, its future must be the same, one move ahead."""
    key, history = key_of(state, parts), state.history()
    before = known.get(key)
    if before is None or before.history != history:
        future = one_ahead(state, parts)
        assert before is None or future == before.future, (key, history, before.history)
        known[key] = Entry(future, history, 1 + (before.times if before else 0))


def one_ahead(state: Any, parts: tuple[Any, ...]) -> Any:
    if state.is_terminal():
        return state.returns()
    if state.is_simultaneous_node():
        return [state.legal_actions(player) for player in range(2)]
    after = [state.child(action) for action in state.legal_actions()[:12]]
    chances = state.chance_outcomes() if state.is_chance_node() else []
    return state.legal_actions(), chances, [(key_of(each, parts), each.rewards()) for each in after]


MERGED = {
    "breakthrough(rows=7,columns=2)": (
        "a6a5 a2a3 a5b4 a3b4* a7a6 b2a3",
        "a6a5 a2a3 a5a4 a3b4 a4a3 b2a3* a7a6",
    ),
    "breakthrough(rows=8,columns=2)": (
        "a7a6 a2a3 a6a5 a3b4 a5a4 b2b3 a4b3*",
        "a7a6 a2a3 a6a5 a3b4 a5b4* b2a3 b4b3 a3b4",
    ),
    "dots_and_boxes(num_rows=1,num_cols=4)": (
        "P1(h,0,0) P2(h,0,1) P1(h,0,2) P2(h,1,0) P1(h,1,1) P2(v,0,0) P1(v,0,2) P2(v,0,1)",
        "P1(h,0,0) P2(h,0,1) P1(h,1,0) P2(h,1,1) P1(v,0,0) P2(v,0,1) P2(v,0,2) P2(h,0,2)",
    ),
}
"""Two lines each that end in states with one text and different players to move."""


@pytest.mark.parametrize("name", MERGED)
def test_states_that_its_text_merges_are_told_apart(name: str) -> None:
    game = es.load(f"openspiel:{name}")
    one, other = map(game.position, MERGED[name])
    assert str(one) == str(other)
    assert one.to_move != other.to_move
    assert one.state != other.state


def test_a_game_whose_states_its_text_merges_is_proven() -> None:
    solution = es.solve("openspiel:dots_and_boxes(num_rows=1,num_cols=4)")
    assert solution.value()["first"] == 0
    es.verify(es.prove(solution), type(solution.game))


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "value"), [(6, 1), (7, -1)])
def test_games_of_which_its_value_iteration_says_the_other_value(rows: int, value: int) -> None:
    solution = es.solve(f"openspiel:breakthrough(rows={rows},columns=2)")
    assert solution.value()["first"] == value
    es.verify(es.prove(solution), type(solution.game))


def test_positions_are_named_by_moves_and_found_again() -> None:
    name = "openspiel:pig(winscore=4,horizon=8,diceoutcomes=3)"
    game = es.load(name)
    position = game.position("roll Roll_3 stop")
    text = game.show(position.state)
    again = es.load(name)
    assert (text, again.position_from(text).state) == ("roll;Roll_3;stop", position.state)
    assert list(es.load(name).moves(position.state)) == list(
        game.moves(position.state)
    )  # in a game that met nothing yet
    with pytest.raises(PositionError, match="no move 'jump'"):
        game.position_from("roll;jump")
    with pytest.raises(PositionError, match="does not lead to that position"):
        game.moves(game.State("nowhere")).__next__()


# -------------------------------------------------------------------- numbers


class Given(es.Game):
    """Chance draws one of the numbers given, which the player gets."""

    players = 1
    numbers: tuple[Fraction, ...] = (Fraction(0),)
    weights: tuple[int, ...] = ()

    class State(NamedTuple):
        drawn: int

    def start(self) -> State:
        return self.State(0)

    def limits(self) -> State:
        return self.State(len(self.numbers))

    def to_move(self, state: State) -> int:
        return es.CHANCE

    def moves(self, state: State) -> range:
        return range(1, 0 if state.drawn else 1 + len(self.numbers))

    def weight(self, state: State, move: int) -> int:
        return self.weights[move - 1] if self.weights else 1

    def play(self, state: State, move: int) -> State:
        return self.State(move)

    def payoff(self, state: State) -> Fraction:
        return self.numbers[state.drawn - 1]


def as_read(game: Given) -> es.Game:
    """The game, told to OpenSpiel in doubles, as rules again."""
    return es.load(f"openspiel:{es.to_openspiel(game).get_type().short_name}")


def test_doubles_stand_for_the_simplest_fraction_near() -> None:
    """Also those that sums of doubles give, where they are whole numbers, and for any fraction of six digits."""
    draw = random.Random(5)
    stand = {1 / 3: Fraction(1, 3), 0.1 + 0.2: Fraction(3, 10), 5.6e-17: Fraction(0), -2.5: Fraction(-5, 2)}
    fractions = [Fraction(draw.randint(-(10**6), 10**6), draw.randint(1, 10**6)) for _ in range(1000)]
    game = as_read(Given(numbers=(*map(Fraction, stand), *fractions)))
    start = game.start()
    paid = [game.payoff(game.play(start, move)) for move in game.moves(start)]
    assert [each if isinstance(each, int | Fraction) else each[0] for each in paid] == [*stand.values(), *fractions]


@pytest.mark.parametrize("double", [1e-7, 0.123456789123, float("nan"), float("inf")])
def test_payoffs_that_are_no_fractions_are_refused(double: float, monkeypatch: pytest.MonkeyPatch) -> None:
    told = es.to_openspiel(Given())
    monkeypatch.setattr(type(told.new_initial_state()), "returns", lambda state: [double])
    with pytest.raises(RulesError, match="not a fraction with a small denominator"):
        es.solve(f"openspiel:{told.get_type().short_name}")


@pytest.mark.parametrize("weights", [(1,) * 6, (3, 2, 1), (1, 999_999)])
def test_chances_add_up_to_exactly_one(weights: tuple[int, ...]) -> None:
    game = as_read(Given(numbers=(Fraction(0),) * len(weights), weights=weights))
    start = game.start()
    assert [game.weight(start, move) for move in game.moves(start)] == [*weights]


@pytest.mark.parametrize(
    ("chances", "weights"),
    [([1 / 1_000_003] * 1_000_003, {1}), ([0.1666, 0.8333], None), ([0.5, 0.5 - 1e-9], None)],
)
def test_other_chances_are_equal_or_refused(
    chances: list[float], weights: set[int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = es.to_openspiel(Given())
    monkeypatch.setattr(type(told.new_initial_state()), "chance_outcomes", lambda state: [*enumerate(chances)])
    name = f"openspiel:{told.get_type().short_name}"
    if weights is None:
        with pytest.raises(RulesError, match="not fractions with a sum of exactly 1"):
            es.load(name)
        return
    game = es.load(name)
    assert {game.weight(game.start(), move) for move in range(0, 10**6, 999)} == weights


# -------------------------------------------------------------------- messages and commands


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("tic_tac_to", "openspiel:tic_tac_toe"),
        ("breakthrough(rows=0)", "breakthrough"),
        ("mfg_crowd_modelling", "a mean field game"),
        ("stones_and_gems", "chance is sampled"),
    ],
)
def test_what_cannot_be_solved_is_refused_in_words(name: str, found: str) -> None:
    with pytest.raises(ParameterError, match=found):
        es.load(f"openspiel:{name}")


@pytest.mark.parametrize(
    ("name", "tip"), [("kuhn_pokr", "openspiel:kuhn_poker"), ("", "python -c"), ("zz(a=1)", "python -c")]
)
def test_names_that_it_does_not_have_are_told_in_two_lines(name: str, tip: str) -> None:
    command = [sys.executable, "-m", "endsight", "value", f"openspiel:{name}"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (2, "")
    first, second = said.stderr.splitlines()
    assert first == f"error: openspiel: there is no game called {name.partition('(')[0]!r}"
    assert second.startswith(f"  try:     {tip}")


def test_commands_take_its_games() -> None:
    assert run("value", "openspiel:tic_tac_toe", "--at", "x(1,1) o(0,1)").out.startswith("first wins")
    document = ask("analyze", "openspiel:kuhn_poker", "--as", "second", "--at", "? Deal:1 Bet")
    assert {move["move"]: move["probability"]["exact"] for move in document["moves"]}["Pass"] == "2/3"
    unknown = run("value", "openspiel:chss")
    assert (unknown.code, "openspiel:chess" in unknown.err) == (2, True)


def test_certificates_are_checked_by_the_name_of_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    proof = "proof.json"
    proven = run("prove", "openspiel:nim(pile_sizes=1;2)", "-o", proof)
    assert proven.out.endswith("now: endsight verify proof.json 'openspiel:nim(pile_sizes=1;2)'\n")
    verified = run("verify", proof, "openspiel:nim(pile_sizes=1;2)")
    assert (verified.code, "not proven" in verified.out, verified.out.endswith("verdict: proven\n")) == (0, True, True)
    other = run("verify", proof, "openspiel:nim(pile_sizes=1;3)")
    assert (other.code, "about different parameters" in other.err) == (3, True)


@pytest.mark.parametrize(("words", "message"), [(("solve", "-o", "solved"), "can be stored"), (("check",), "to check")])
def test_what_takes_rules_in_python_is_refused(words: tuple[str, ...], message: str) -> None:
    refused = run(words[0], "openspiel:tic_tac_toe", *words[1:])
    assert (refused.code, message in refused.err, "OpenSpiel's" in refused.err) == (2, True, True)


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pyspiel", None)
    refused = run("value", "openspiel:chess")
    assert refused.code == 2
    assert "pip install 'endsight[openspiel]'" in refused.err


# -------------------------------------------------------------------- our games there


@pytest.mark.parametrize(
    "name",
    [
        "kuhn", "tictactoe", "leduc", "liarsdice:sides=3", "nim:heaps=1-2", "rps", "goofspiel:cards=3", "pots:4-9-2-7",
        "pigturn:sides=3", "battleship:squares=2,shots=1", "hiddenpots:count=3,max=2", "dominoes:n=3",
    ],
)  # fmt: skip
def test_our_games_pass_its_own_test(name: str) -> None:
    game = es.to_openspiel(name)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    assert es.to_openspiel(name).get_type().short_name == game.get_type().short_name


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("kuhn", Fraction(-1, 18)),
        ("kuhn:cards=4", Fraction(-1, 24)),
        ("battleship:squares=2,shots=1", Fraction(1, 4)),
    ],
)
def test_regret_matching_there_meets_the_value_here(name: str, value: Fraction) -> None:
    game = es.to_openspiel(name)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    gap = pyspiel.nash_conv(game, policy, True)
    assert gap < 0.02
    assert abs(pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0] - value) <= gap


def test_its_minimax_plays_our_rules() -> None:
    assert minimax.alpha_beta_search(es.to_openspiel("nim:heaps=1-2-3"), maximizing_player_id=0)[0] == -1


def test_tensors_tell_information_sets_apart_and_nothing_else() -> None:
    game = es.to_openspiel("kuhn")
    tensors, texts = dict[str, tuple[float, ...]](), set[str]()
    waiting = [game.new_initial_state()]
    while waiting:
        state = waiting.pop()
        for player in range(2):
            text = state.information_state_string(player)
            tensor = tuple(state.information_state_tensor(player))
            assert tensors.setdefault(text, tensor) == tensor
            assert len(state.observation_tensor(player)) == game.observation_tensor_size()
            texts.add(text)
        waiting += [state.child(action) for action in state.legal_actions()]
    assert len(set(tensors.values())) == len(texts) > 12


def test_there_and_back() -> None:
    """Our rules, as a game of OpenSpiel, as rules again."""
    name = es.to_openspiel("kuhn").get_type().short_name
    assert es.solve(f"openspiel:{name}").value()["first"] == Fraction(-1, 18)


@pytest.mark.parametrize("game", ["dodgem:size=3", Paying()])
def test_games_that_go_round_are_refused(game: Any) -> None:
    with pytest.raises(QuestionError, match="play can return to a position here"):
        es.to_openspiel(game)


def test_a_game_that_always_pays_the_same_passes_its_own_test() -> None:
    pyspiel.random_sim_test(es.to_openspiel("pots:0-0"), num_sims=3, serialize=True, verbose=False)
