"""Games of OpenSpiel with what they are worth to the first player, and who else says so."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

import pyspiel
import pytest
from open_spiel.python.algorithms import minimax

CLOSE = 1e-6
LEDUC = "-1454920850547486749701863871533/16995463438839962469905132501930"


class Case(NamedTuple):
    """A game by OpenSpiel's name, what it is worth to the first player, and who says so too.

    `history` is the recursion of this file over all histories; `minimax` and `cfr` are OpenSpiel's. Without a witness
    OpenSpiel has none that is quick.
    """

    name: str
    value: str
    witness: str = ""


CASES = [
    # Perfect information, no chance.
    Case("breakthrough(rows=5,columns=2)", "1", "minimax"),
    Case("checkers(rows=4,columns=4)", "0", "history"),
    Case("cliff_walking(height=3,width=4,horizon=8)", "-5", "history"),
    Case("clobber(rows=3,columns=3)", "1", "minimax"),
    Case("connect_four(rows=3,columns=4,x_in_row=3)", "1", "minimax"),
    Case("cursor_go(board_size=2,max_cursor_moves=0)", "-1", "minimax"),
    Case("dots_and_boxes(num_rows=1,num_cols=2)", "0", "minimax"),
    Case("go(board_size=2,max_game_length=6)", "-1", "history"),
    Case("gomoku(size=3,connect=3)", "0", "minimax"),
    Case("havannah(board_size=2)", "1", "minimax"),
    Case("hex(board_size=3)", "1", "minimax"),
    Case("mnk(m=3,n=3,k=3)", "0", "minimax"),
    Case("nim(pile_sizes=1;2;3)", "-1", "minimax"),
    Case("oware(num_houses_per_player=2,num_seeds_per_house=1)", "1", "history"),
    Case("quoridor(board_size=3,wall_count=0)", "-1"),
    Case("tic_tac_toe", "0", "minimax"),
    Case("y(board_size=3)", "1", "minimax"),
    Case("misere(game=nim(pile_sizes=1;2;2))", "1", "history"),
    Case("start_at(game=tic_tac_toe(),history=0;1)", "1", "minimax"),
    # Chance that everybody sees.
    Case("catch(rows=4,columns=3)", "1", "history"),
    Case("pig(winscore=4,horizon=8,diceoutcomes=3)", "616/2187", "history"),
    Case("pathfinding(horizon=4,players=1,grid=A.a\n...\n)", "19999/100", "history"),
    # Moves at once that everybody sees.
    Case("blotto(coins=5,fields=3)", "0", "cfr"),
    Case("capture_the_flag(horizon=1)", "0"),
    Case("goofspiel(num_cards=3)", "0", "cfr"),
    Case("markov_soccer(horizon=2)", "0"),
    Case("matrix_brps", "0", "cfr"),
    Case("matrix_mp", "0", "cfr"),
    Case("matrix_rps", "0", "cfr"),
    Case("matrix_rpsw", "0", "cfr"),
    Case("normal_form_extensive_game(game=kuhn_poker())", "-1/18", "cfr"),
    Case("oshi_zumo(coins=3,size=1,horizon=4)", "0", "cfr"),
    Case("repeated_game(stage_game=matrix_rps(),num_repetitions=2)", "0", "cfr"),
    Case("zerosum(game=matrix_pd())", "0", "cfr"),
    # Something is hidden.
    Case("battleship(board_width=2,board_height=2,ship_sizes=[1],ship_values=[1],num_shots=2)", "1/8", "cfr"),
    Case("cached_tree(game=kuhn_poker())", "-1/18", "cfr"),
    Case(
        "coin_game(players=1,rows=2,columns=2,episode_length=2,num_extra_coin_colors=0,num_coins_per_color=1)", "1", ""
    ),
    Case("coordinated_mp", "0", "cfr"),
    Case("dark_hex(num_rows=2,num_cols=2)", "1", "cfr"),
    Case("dark_hex_ir(num_rows=2,num_cols=2)", "1"),
    Case("deep_sea(size=4)", "99/100", "history"),
    Case("go_fish(ranks=1,suits=2,initial_cards=1)", "1"),
    Case("kuhn_poker", "-1/18", "cfr"),
    Case("leduc_poker", LEDUC),
    Case("liars_dice(dice_sides=3)", "1/9", "cfr"),
    Case("liars_dice_ir(dice_sides=3)", "1/9"),
    Case("phantom_go(board_size=2,max_game_length=4)", "-1"),
    Case("repeated_leduc_poker(num_hands=1,suit_isomorphism=true)", LEDUC),
    Case("restricted_nash_response(game=kuhn_poker(),fixed_player=0,p=0.5)", "-5/36", "cfr"),
    Case("turn_based_simultaneous_game(game=matrix_rps())", "0", "cfr"),
]
SMALL = [
    "amazons(board_size=6)",
    "breakthrough(rows=5,columns=3)",
    "catch(rows=4,columns=3)",
    "cliff_walking(height=3,width=4,horizon=8)",
    "clobber(rows=3,columns=4)",
    "connect_four(rows=4,columns=4)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "gomoku(size=3,connect=3)",
    "havannah(board_size=2,swap=true)",
    "hex(board_size=3,swap=true)",
    "mancala",
    "mnk(m=3,n=3,k=3)",
    "nim(pile_sizes=3;4;5)",
    "oshi_zumo(coins=4,size=1,horizon=6)",
    "othello",
    "pentago",
    "pig(winscore=8,horizon=12)",
    "quoridor(board_size=3,wall_count=1)",
    "tic_tac_toe",
    "ultimate_tic_tac_toe",
    "y(board_size=3)",
]
"""A game of every kind whose positions are told apart by less than their history."""


def says(case: Case, value: Fraction) -> None:
    """Fail unless the witness of a case finds the same value."""
    if case.witness == "history":
        assert by_histories(pyspiel.load_game(case.name).new_initial_state()) == pytest.approx(value, abs=CLOSE)
    if case.witness == "minimax":
        # Beyond 30 plies it takes 0, which leaves a value that is not 0 proven.
        found = minimax.alpha_beta_search(pyspiel.load_game(case.name), None, lambda state: 0, 30, 0)
        assert found[0] == value
    if case.witness == "cfr":
        by_regret_matching(case.name, value)


def by_histories(state: Any) -> float:
    """What a state is worth to the first player, with nothing merged."""
    if state.is_terminal():
        return float(state.returns()[0])
    if state.is_simultaneous_node():  # of one player
        return max(by_histories(state.child(action)) for action in state.legal_actions(0))
    if state.is_chance_node():
        return sum(chance * by_histories(state.child(action)) for action, chance in state.chance_outcomes())
    best = max if state.current_player() == 0 else min
    return best(by_histories(state.child(action)) for action in state.legal_actions())


def by_regret_matching(name: str, value: Fraction) -> None:
    """The value lies as far from that of the average policy as this can be exploited, at most."""
    game = pyspiel.load_game(name)
    if game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        game = pyspiel.load_game_as_turn_based(name)
    solver = pyspiel.CFRPlusSolver(game)
    for _ in range(100):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    worth = pyspiel.expected_returns(game.new_initial_state(), policy, -1, True)[0]
    gap = pyspiel.nash_conv(game, policy, True)
    assert gap < 0.2
    assert abs(worth - float(value)) <= gap + CLOSE
