"""Minimax and alpha-beta against the oracle of `naive.py`, and against counts by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

import pytest
from hypothesis import strategies as st

import endsight as es
import naive
import strategies
from amounts import examples
from endsight import CHANCE, Game
from endsight.answers.searching import SEARCHES, search
from endsight.errors import LimitReached, QuestionError
from endsight.game.limits import Budget

OPPOSED = st.one_of(
    strategies.alternating_acyclic(),
    strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)),
    strategies.alternating_rewards(),
)


@examples(150, 40, game=strategies.alternating_acyclic(payoffs=(-3, -1, 0, 2, 5)), method=st.sampled_from(SEARCHES))
def test_all_searches_agree_with_the_oracle(game: Game, method: Any) -> None:
    assert search(game, game.position(), method=method).value(game.position()) == naive.Recursion(game).value()


@examples(
    150, 40, game=OPPOSED, method=st.sampled_from(SEARCHES), utility=st.sampled_from(["lead", "win"]), data=st.data()
)
def test_opposed_utilities_with_rewards(game: Game, method: Any, utility: Any, data: Any) -> None:
    fixed = data.draw(st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
    question = es.Question("competitive", utility, fixed)
    position = game.position()
    expected = naive.Recursion(game, utility=utility, fixed=fixed).value()
    assert search(game, position, question, method).value(position) == expected


@examples(150, 40, game=strategies.alternating_rewards(), method=st.sampled_from(SEARCHES))
def test_rewards_of_the_mover(game: Game, method: Any) -> None:
    position = game.position()
    try:
        found = search(game, position, method=method)
    except QuestionError as refusal:
        assert "opposed" in str(refusal)  # noqa: PT017
        assert method != "minimax"
        assert not _is_opposed(game)
        return
    assert found.value(position) == naive.Recursion(game).value()


def _is_opposed(game: Any) -> bool:
    """Whether all ends and rewards that can be met are single numbers, or tuples that add up to 0."""
    seen, shares = [0], []
    for node in seen:
        children = game.successors[node]
        shares += [game.payoffs[node]] if not children else list(game.rewards[node])
        seen += [child for child in children if child not in seen]
    return not any(isinstance(share, tuple) and sum(share) for share in shares)


@examples(150, 40, game=strategies.chance_acyclic())
def test_minimax_with_chance_and_any_number_of_players(game: Game) -> None:
    position = game.position()
    assert search(game, position, method="minimax").value(position) == naive.Recursion(game).value()


@examples(150, 40, game=strategies.alternating_acyclic())
def test_pruning_never_visits_more_than_minimax(game: Game) -> None:
    nodes = {method: search(game, game.position(), method=method).searcher.result.nodes for method in SEARCHES}
    assert nodes["table"] <= nodes["minimax"]
    assert nodes["alphabeta"] <= nodes["minimax"]
    assert nodes["minimax"] == _tree_size(game, 0)


def _tree_size(game: Any, node: int) -> int:
    return 1 + sum(_tree_size(game, child) for child in game.successors[node])


@pytest.mark.parametrize(("line", "nodes"), [("b2", 55_505), pytest.param("", 549_946, marks=pytest.mark.slow)])
def test_known_counts_of_tic_tac_toe(line: str, nodes: int) -> None:
    """549 946 nodes of the whole tree are the published count, 55 505 of them after a first move into the middle."""
    position = es.games.TicTacToe().position(line)
    plain = search(position.game, position, method="minimax", symmetry=False).searcher.result
    assert (plain.value, plain.nodes) == ((0, 0), nodes)
    pruned = search(position.game, position, method="alphabeta", symmetry=False).searcher.result
    assert pruned.value == (0, 0)
    assert pruned.nodes < plain.nodes / 10
    remembered = search(position.game, position, method="table", symmetry=False).searcher.result
    assert remembered.value == (0, 0)
    assert remembered.nodes < pruned.nodes / 2
    assert search(position.game, position, method="table").searcher.result.nodes < remembered.nodes


def test_positions_in_the_middle_of_a_game() -> None:
    game = es.games.TicTacToe()
    position = game.position("a1 b2 a3")
    for method in SEARCHES:
        source = search(game, position, method=method)
        assert source.value(position) == naive.Recursion(game).value(position)
        assert source.covers(position)
        assert not source.covers(game.position())
    pots = es.games.Pots((4, 9, 2, 7, 1))
    later = pots.position("R L")
    for method in SEARCHES:
        value = search(pots, later, es.Question(utility="lead"), method).value(later)
        assert value == naive.Recursion(pots, utility="lead").value(later)


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


def test_long_games_do_not_run_out_of_stack() -> None:
    game = Staircase()
    for method in SEARCHES:
        result = search(game, game.position(), method=method).searcher.result
        assert (result.value, result.nodes) == ((-1, 1), 5_001)


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        *((Staircase, method) for method in ("minimax", "alphabeta", "proofnumber")),
        *((ToldStaircase, method) for method in ("minimax", "alphabeta")),
    ],
)
def test_no_game_is_too_long(kind: type[Staircase], method: Any) -> None:
    """Python's own stack ended the process."""
    assert es.solve(kind(steps=30_000), method=method, engine="plain").values() == (-1, 1)


def test_refusals() -> None:
    pig = es.games.PigTurn()
    with pytest.raises(QuestionError, match="chance"):
        search(pig, pig.position(), method="alphabeta")
    with pytest.raises(QuestionError, match="come back"):
        search(es.games.Dodgem(), es.games.Dodgem().position(), method="minimax")
    pots = es.games.Pots((4, 9, 2, 7))
    with pytest.raises(QuestionError, match="opposed"):
        search(pots, pots.position(), method="alphabeta")
    large = es.games.TicTacToe(width=4, height=4, line=4)
    with pytest.raises(LimitReached, match="1,000 states"):
        search(large, large.position(), method="minimax", budget=Budget(es.Limits(states=1_000)))


def test_a_chance_node_is_refused_wherever_it_comes() -> None:
    game = strategies.MoverGraph(((1,), (2,), ()), ((0, 0),) * 3, 2, (0, CHANCE, 0), ((1,), (1,), ()))
    with pytest.raises(QuestionError, match="chance"):
        search(game, game.position(), es.Question(utility="lead"), method="alphabeta")


# -------------------------------------------------------------------- proof numbers


@examples(
    150,
    40,
    game=strategies.alternating_acyclic(kind=strategies.DecidedGraph),
    utility=st.sampled_from(["payoff", "win"]),
)
def test_proof_numbers_agree_with_the_oracle(game: Game, utility: Any) -> None:
    question = es.Question(utility=utility)
    found = search(game, game.position(), question, "proofnumber")
    assert found.value(game.position()) == naive.Recursion(game, utility=utility).value()
    assert found.method == "proof-number search"


@examples(150, 40, game=strategies.alternating_rewards(), fixed=st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
def test_proof_numbers_of_who_is_ahead(game: Game, fixed: Any) -> None:
    """Also where nodes say who moves, and where the first player wants the number low."""
    position = game.position()
    found = search(game, position, es.Question("competitive", "win", fixed), "proofnumber")
    assert found.value(position) == naive.Recursion(game, utility="win", fixed=fixed).value()


def test_proof_numbers_from_every_position_of_a_game() -> None:
    game = es.games.TicTacToe(width=3, height=2, line=3)
    solution = es.solve(game, method="graph")
    positions = [game.position()]
    for position in positions:
        assert search(game, position, method="proofnumber").value(position) == solution.values(position)
        if len(position.history) < 3:
            positions += [position.play(move) for move in position.moves()]
    assert len(positions) == 1 + 6 + 30 + 120


def test_what_proof_numbers_do_not_answer() -> None:
    pots = es.games.Pots((4, 9, 2, 7))
    for game, question, words in (
        (es.games.PigTurn(), es.Question(), "chance"),
        (es.games.Dodgem(), es.Question(), "come back"),
        (pots, es.Question(), "opposed"),
        (pots, es.Question(utility="lead"), "rewards"),
    ):
        with pytest.raises(QuestionError, match=words):
            search(game, game.position(), question, "proofnumber")
    large = es.games.TicTacToe(width=4, height=4, line=4)
    with pytest.raises(LimitReached) as caught:
        es.solve(large, method="proofnumber", limits=es.Limits(states=1_000))
    assert caught.value.lower == {"first": -1, "second": -1}


@examples(150, 40, game=OPPOSED, data=st.data())
def test_proof_numbers_find_any_value_of_opposed_players(game: Game, data: Any) -> None:
    """The lead of games whose payoffs are numbers of any size, from either side."""
    fixed = data.draw(st.sampled_from([{}, {0: "worst"}, {1: "worst"}]))
    question = es.Question("competitive", "lead", fixed)
    try:
        found = search(game, game.position(), question, "proofnumber")
    except QuestionError as refusal:
        assert "rewards" in str(refusal)  # noqa: PT017
        return
    assert found.value(game.position()) == naive.Recursion(game, utility="lead", fixed=fixed).value()


@examples(150, 10, game=strategies.alternating_acyclic(kind=strategies.DecidedGraph), most=st.integers(1, 30))
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
