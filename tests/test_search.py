"""Minimax and alpha-beta against the oracle of `naive.py`, and against counts by hand."""

from __future__ import annotations

import inspect
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

import endsight as es
import naive
import strategies
from amounts import examples
from command_line import ask, exact, run
from endsight import CHANCE, Game
from endsight.errors import LimitReached, QuestionError

OPPOSED = st.one_of(
    strategies.alternating_acyclic(),
    strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)),
    strategies.alternating_rewards(),
)


METHODS: Any = ("minimax", "alphabeta")
COUNTED = ("minimax", "alphabeta", "table")
"""What `growth` compares: every line of play, and alpha-beta without memory and with a table."""


def search(game: Game, position: Any = None, method: Any = "alphabeta", **question: Any) -> es.Solution:
    """The position searched by the rules in Python."""
    return es.solve(game, position, method=method, engine="plain", **question)


def worth(game: Game, place: Any = None, **question: Any) -> Any:
    """What the oracle says."""
    return naive.Recursion(game, **question).value(place)


@pytest.mark.parametrize("engine", ["plain", "compiled"])
def test_threads_may_ask_one_solution(engine: Any, recwarn: pytest.WarningsRecorder) -> None:
    solution = es.solve("dominoes:n=4", method="search", engine=engine)
    places = [solution.game.position()]
    for place in places[:60]:
        places += map(place.play, place.moves())
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(solution.value, places * 2))
    apart = es.solve("dominoes:n=4", method="graph")
    assert found == [apart.value(place) for place in places] * 2
    assert not [each for each in recwarn if "thrown away" in str(each.message)]


@examples(150, 20, game=strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)), method=st.sampled_from(METHODS))
def test_all_searches_agree_with_the_oracle(game: Game, method: Any) -> None:
    assert search(game, method=method).values() == worth(game)


@examples(
    150, 40, game=OPPOSED, method=st.sampled_from(METHODS), utility=st.sampled_from(["lead", "win"]), data=st.data()
)
def test_opposed_utilities_with_rewards(game: Game, method: Any, utility: Any, data: Any) -> None:
    fixed = data.draw(st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
    found = search(game, method=method, objective="competitive", utility=utility, fixed=fixed)
    assert found.values() == worth(game, utility=utility, fixed=fixed)


@examples(150, 20, game=strategies.alternating_rewards(), method=st.sampled_from(METHODS))
def test_rewards_of_the_mover(game: Game, method: Any) -> None:
    try:
        found = search(game, method=method)
    except QuestionError as refusal:
        assert "opposed" in str(refusal)  # noqa: PT017
        assert method != "minimax"
        assert not _is_opposed(game)
        return
    assert found.values() == worth(game)


def _is_opposed(game: Any) -> bool:
    """Whether all ends and rewards that can be met are single numbers, or tuples that add up to 0."""
    seen, shares = [0], []
    for node in seen:
        children = game.successors[node]
        shares += [game.payoffs[node]] if not children else list(game.rewards[node])
        seen += [child for child in children if child not in seen]
    return not any(isinstance(share, tuple) and sum(share) for share in shares)


@examples(150, 20, game=strategies.chance_acyclic())
def test_minimax_with_chance_and_any_number_of_players(game: Game) -> None:
    assert search(game, method="minimax").values() == worth(game)


@examples(150, 10, game=strategies.alternating_acyclic())
def test_pruning_never_visits_more_than_minimax(game: Any) -> None:
    every, pruned, remembered = (row["nodes"] for row in es.growth(game, {"seats": [2]}, COUNTED).to_dicts())
    assert pruned <= every
    assert remembered <= every
    assert every == _tree_size(game, 0)


def _tree_size(game: Any, node: int) -> int:
    return 1 + sum(_tree_size(game, child) for child in game.successors[node])


@pytest.mark.parametrize(
    ("spec", "vary", "game"),
    [
        ("tictactoe:width=3,line=2", "height=2..2", es.games.TicTacToe(width=3, height=2, line=2)),
        ("pots", "pots=4-9-2-7-1", es.games.Pots((4, 9, 2, 7, 1))),
    ],
)
def test_alpha_beta_without_memory_finds_the_same(spec: str, vary: str, game: Game) -> None:
    rows = ask("growth", spec, "--vary", vary, "--methods", ",".join(COUNTED), "--utility", "lead")["rows"]
    for row in rows:
        assert tuple(map(exact, row["value"].values())) == worth(game, utility="lead")
    every, pruned, remembered = (row["nodes"] for row in rows)
    assert remembered < pruned < every


@pytest.mark.parametrize(("line", "nodes"), [("b2", 55_505), pytest.param("", 549_946, marks=pytest.mark.slow)])
def test_known_counts_of_tic_tac_toe(line: str, nodes: int) -> None:
    """549 946 nodes of the whole tree are the published count, 55 505 of them after a first move into the middle."""
    game = es.games.TicTacToe()
    found = [search(game, line, method, symmetry=False) for method in METHODS] + [search(game, line)]
    every, remembered, merged = (each.facts()["nodes"] for each in found)
    assert every == nodes
    assert merged < remembered < every / 20
    assert {each.values() for each in found} == {(0, 0)}


def test_positions_in_the_middle_of_a_game() -> None:
    game, pots = es.games.TicTacToe(), es.games.Pots((4, 9, 2, 7, 1))
    for method in METHODS:
        found = search(game, "a1 b2 a3", method)
        assert found.values() == worth(game, found.position)
        assert not found.answers(game.position())
        later = search(pots, "R L", method, utility="lead")
        assert later.values() == worth(pots, later.position, utility="lead")


class Staircase(Game):
    """One move after another: as deep as it is long."""

    steps: int = 5_000

    class State(NamedTuple):
        left: int

    def limits(self) -> State:
        return self.State(self.steps)

    def start(self) -> State:
        return self.State(self.steps)

    def moves(self, state: State) -> Any:
        if state.left:
            yield 1

    def play(self, state: State, move: int) -> State:
        return self.State(state.left - move)

    def payoff(self, state: State) -> int:
        return -1


class ToldStaircase(Staircase):
    """The same where the rules say who moves; nothing proves that payoffs are opposed."""

    def to_move(self, state: Any) -> int:
        return state.left % 2

    def payoff(self, state: Any) -> Any:
        return (-1, 1)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        *((Staircase, method) for method in ("minimax", "alphabeta", "proofnumber")),
        *((ToldStaircase, method) for method in ("minimax", "alphabeta")),
    ],
)
def test_no_game_is_too_long(kind: type[Staircase], method: Any) -> None:
    """Python's own stack ended the process."""
    found = search(kind(steps=30_000), method=method)
    assert found.values() == (-1, 1)
    assert found.facts()["nodes"] in (30_000, 30_001)  # proof numbers leave out the end


PIG, DODGEM, POTS = es.games.PigTurn(), es.games.Dodgem(), es.games.Pots((4, 9, 2, 7))


@pytest.mark.parametrize(
    ("game", "method", "utility", "words"),
    [
        (PIG, "alphabeta", "payoff", "chance"),
        (DODGEM, "minimax", "payoff", "come back"),
        (POTS, "alphabeta", "payoff", "opposed"),
        (PIG, "proofnumber", "payoff", "chance"),
        (DODGEM, "proofnumber", "payoff", "come back"),
        (POTS, "proofnumber", "payoff", "opposed"),
        (POTS, "proofnumber", "lead", "rewards"),
    ],
    ids=str,
)
def test_refusals(game: Game, method: str, utility: str, words: str) -> None:
    with pytest.raises(QuestionError, match=words):
        search(game, method=method, utility=utility)


@pytest.mark.parametrize(("method", "first"), [("minimax", None), ("proofnumber", -1)])
def test_limits(method: str, first: int | None) -> None:
    large = es.games.TicTacToe(width=4, height=4, line=4)
    with pytest.raises(LimitReached, match="1,000 states") as caught:
        search(large, method=method, limits=es.Limits(states=1_000))
    if first is not None:
        assert caught.value.lower == {"first": first, "second": first}


def test_a_chance_node_is_refused_wherever_it_comes() -> None:
    game = strategies.MoverGraph(((1,), (2,), ()), ((0, 0),) * 3, 2, (0, CHANCE, 0), ((1,), (1,), ()))
    with pytest.raises(QuestionError, match="chance"):
        search(game, utility="lead")


# -------------------------------------------------------------------- proof numbers


@examples(
    150,
    40,
    game=strategies.alternating_acyclic(kind=strategies.DecidedGraph),
    utility=st.sampled_from(["payoff", "win"]),
)
def test_proof_numbers_agree_with_the_oracle(game: Game, utility: Any) -> None:
    found = search(game, method="proofnumber", utility=utility)
    assert found.values() == worth(game, utility=utility)
    assert found.method == "proof-number search"


@examples(150, 20, game=strategies.alternating_rewards(), fixed=st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
def test_proof_numbers_of_who_is_ahead(game: Game, fixed: Any) -> None:
    """Also where nodes say who moves, and where the first player wants the number low."""
    found = search(game, method="proofnumber", objective="competitive", utility="win", fixed=fixed)
    assert found.values() == worth(game, utility="win", fixed=fixed)


def test_proof_numbers_from_every_position_of_a_game() -> None:
    game = es.games.TicTacToe(width=3, height=2, line=3)
    solution = es.solve(game, method="graph")
    positions = [game.position()]
    for position in positions:
        assert search(game, position, "proofnumber").values() == solution.values(position)
        if len(position.history) < 3:
            positions += [position.play(move) for move in position.moves()]
    assert len(positions) == 1 + 6 + 30 + 120


@examples(150, 20, game=OPPOSED, data=st.data())
def test_proof_numbers_find_any_value_of_opposed_players(game: Game, data: Any) -> None:
    """The lead of games whose payoffs are numbers of any size, from either side."""
    fixed = data.draw(st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
    try:
        found = search(game, method="proofnumber", objective="competitive", utility="lead", fixed=fixed)
    except QuestionError as refusal:
        assert "rewards" in str(refusal)  # noqa: PT017
        return
    assert found.values() == worth(game, utility="lead", fixed=fixed)


@examples(150, 5, game=strategies.alternating_acyclic(kind=strategies.DecidedGraph), most=st.integers(1, 30))
def test_what_stopped_proof_numbers_tell_is_true(game: Game, most: int) -> None:
    exact = es.solve(game, method="graph")
    try:
        es.solve(game, method="proofnumber", limits=es.Limits(states=most))
    except LimitReached as stop:
        values = {option.text: option.value for option in exact.options()}
        for move, (lower, upper) in stop.moves.items():
            for (low, high), value in zip(zip(lower.values(), upper.values(), strict=True), values[move], strict=True):
                assert (low is None or low <= value) and (high is None or value <= high)  # noqa: PT018


class Unfinished(Staircase):
    """Rules that cannot be compiled."""

    def payoff(self, state: Any) -> int:
        return -int(f"{1}")


def test_search_without_compiled_rules_is_alpha_beta() -> None:
    solution = es.solve(Unfinished(steps=40), method="search")
    assert solution.method == "alpha-beta with a table, without cut-offs"
    assert solution.values() == (-1, 1)
    looping = es.solve(es.games.Dodgem(), method="search", engine="plain")
    assert looping.values() == es.solve(es.games.Dodgem(), method="graph").values()


class Waiting(Game):
    """Who takes the last one wins: of two, take one or both; with one left, take it, or wait, which changes nothing."""

    heap: int = 1

    class State(NamedTuple):
        """What is left, and whether it is the second player's turn."""

        left: int
        second: bool

    def limits(self) -> State:
        return self.State(self.heap, True)

    def start(self) -> State:
        return self.State(self.heap, False)

    def to_move(self, state: State) -> int:
        return int(state.second)

    def moves(self, state: State) -> tuple[str, ...]:
        return () if state.left == 0 else ("wait", "one") if state.left == 1 else ("both", "one")

    def play(self, state: State, move: str) -> State:
        return state if move == "wait" else self.State(0 if move == "both" else state.left - 1, not state.second)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, -1) if state.second else (-1, 1)


@pytest.mark.parametrize("method", ["search", "proofnumber"])
def test_a_search_that_knows_no_way_on_does_not_follow_best_moves_in_a_circle(method: Any) -> None:
    solution = es.solve(Waiting(), method=method, engine="compiled")
    assert (solution.value(), solution.source.searcher is not None) == ({"first": 1, "second": -1}, True)
    assert solution.best_moves() == ["wait", "one"]
    for follow in (solution.line, solution.distribution, solution.length_distribution, solution.chain):
        with pytest.raises(QuestionError, match="does not say which of several best moves leads on"):
            follow()
    assert es.solve(Waiting(), method="graph").line() == ["one"]


def test_the_line_after_a_losing_move_is_left_out_where_it_would_go_round(tmp_path: Path) -> None:
    rules = tmp_path / "waiting.py"
    rules.write_text(
        "from typing import NamedTuple\n\nfrom endsight import Game\n\n\n" + inspect.getsource(Waiting),
        encoding="utf-8",
    )
    told = run("analyze", f"{rules}:heap=2", "--method", "search", "--engine", "compiled")
    assert (told.code, told.err) == (0, "")
    rows = [line.split() for line in told.out.splitlines() if line.startswith(("  ▲", "  ▼"))]
    assert rows == [["▲", "both", "win", "0"], ["▼", "one", "loss", "2"]]


class Shared(Game):
    """Two moves each, with gains whose sum is not constant; all play brings both 10 together where `uneven` is 0."""

    uneven: int

    class State(NamedTuple):
        moves: int
        paid: int

    def start(self) -> State:
        return self.State(0, 0)

    def limits(self) -> State:
        return self.State(2, 6)

    def moves(self, state: State) -> range:
        return range(2 if state.moves < 2 else 0)

    def to_move(self, state: State) -> int:
        return state.moves % 2

    def reward(self, state: State, move: int) -> tuple[int, int]:
        return (move, 2 * move)

    def play(self, state: State, move: int) -> State:
        return self.State(state.moves + 1, state.paid + 3 * move)

    def payoff(self, state: State) -> tuple[int, int]:
        return (1, 9 - state.paid + self.uneven * state.paid)


@pytest.mark.parametrize("uneven", [0, 1])
@pytest.mark.parametrize("method", ["minimax", "graph", "layers"])
def test_values_rest_on_ties_exactly_where_some_choice_changes_what_both_get_together(method: Any, uneven: int) -> None:
    solution = es.solve(Shared(uneven), method=method)
    assert (solution.notion is not None) is (uneven == 1)
    replies = es.exploit(Shared(uneven), {0: "random", 1: "random"}, method=method)
    assert {entry.against for entry in replies.players} == {"profile" if uneven else "best reply"}


@pytest.mark.parametrize(
    "command",
    [
        "nim:heaps=1-2 --method minimax",
        "nim:heaps=1-2 --method alphabeta",
        "repeatbust:sides=3",
        "kuhn --fix first=random --fix second=random",
    ],
)
def test_compiled_rules_that_were_asked_for_and_not_run_are_told(command: str) -> None:
    told = run("value", *command.split(), "--engine", "compiled")
    assert told.code == 0
    assert "the rules were not compiled: " in told.err
    method = ask("value", *command.split(), "--engine", "compiled")["method"]
    assert (method["engine"], method["refused"] is None) == ("plain", False)
    assert ask("value", *command.split())["method"]["refused"] is None
