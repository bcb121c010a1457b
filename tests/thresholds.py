"""Sizes at which endsight changes its way, made so small that small games take the other way.

Each function says what happens from then on, until the test is over.
"""

from __future__ import annotations

from typing import Any

import pytest

from endsight.compiler.refusal import CannotCompile

__all__ = [
    "a_distance_stays_open",
    "alarms_ring_on",
    "audits_of_layers_take_their_time",
    "audits_take_their_time",
    "best_play_leaves_short_loops",
    "bounds_leave_a_threshold_open",
    "certificates_hold_few_choices",
    "check_without_samples",
    "checksums_of_rows_always_fit",
    "compare_for_long",
    "compile_games_of_slow_rules_early",
    "compile_small_games",
    "dominoes_give_up",
    "dominoes_in_machine_code",
    "dominoes_without_kernels",
    "every_game_is_large",
    "exact_along_best_play_alone",
    "few_chances_of_scores",
    "few_exact_positions_at_once",
    "find_heights_in_floats",
    "hidden_states_in_small_tables",
    "hidden_states_kept_apart",
    "hold_few_sampled_keys",
    "input_files_of_at_most",
    "last_moves_are_guessed_best",
    "list_few_totals",
    "list_ranges_of_few_sets",
    "little_is_written_out",
    "losers_get_no_play",
    "machine_code_as_it_comes",
    "no_distributions_of_repeat_bust",
    "no_exact_numbers_are_easy",
    "no_move_is_proven_best",
    "numbers_grow_large_at_once",
    "one_block_is_kept",
    "only_small_loops_are_exact",
    "pages_wait",
    "prove_fractions_of_few_bits",
    "prove_in_turns",
    "read_small_files_alone",
    "refuse_proofs",
    "reports_examine_few_positions",
    "restrict_small_hidden_games",
    "run_loops_in_machine_code",
    "samples_give_up",
    "samples_remember_nothing",
    "save_searches_while_they_run",
    "share_searches_at_once",
    "small_layers_of_rules",
    "small_parts_of_layers",
    "small_stored_parts",
    "small_stored_tasks",
    "small_tasks_of_a_cluster",
    "solve_chance_in_whole_numbers",
    "solve_on_arrays_from",
    "solved_files_hold",
    "states_take_memory",
    "stored_rows_in_small_groups",
    "sweep_few_rewards_at_once",
    "threads_at_work",
    "threads_from_the_first_states",
    "try_few_random_games",
    "wait_for_every_kernel",
    "walk_in_small_tables",
    "walk_small_games_compiled",
]


def set_sizes(patch: pytest.MonkeyPatch, module: str, **sizes: Any) -> None:
    """Give names of a module of endsight other numbers."""
    for name, size in sizes.items():
        patch.setattr(f"{module}.{name}", size)


def compile_small_games(patch: pytest.MonkeyPatch) -> None:
    """Games of more than 50 moves count as large: `auto` compiles them, and asks for layers and searches."""
    set_sizes(patch, "endsight.engine.choice", PLAIN_EDGES=50, _FIRST_NODES=10)


def compile_games_of_slow_rules_early(patch: pytest.MonkeyPatch) -> None:
    """All rules count as slow, and those without chance are compiled after 100 moves."""
    patch.setattr("endsight.engine.choice._FIRST_EDGES", 100)
    patch.setattr("endsight.engine.choice._SLOW_EDGE", -1.0)
    patch.setattr("endsight.engine.choice._SLOW_SECONDS", 0.0)
    patch.setattr("endsight.engine.choice._SLOW_EDGES", 0)


def machine_code_as_it_comes(patch: pytest.MonkeyPatch) -> None:
    """LLVM does not improve the machine code of rules, which takes most of its time; such code is kept apart."""
    from endsight.compiler import native

    improve, make, key_of = native._optimised, native._object_code, native._code_key

    def improved(llvm: Any, module: Any, *given: Any, has_rules: bool, **how: Any) -> Any:
        return module if has_rules else improve(llvm, module, *given, has_rules=False, **how)

    def made(llvm: Any, text: str, machine: Any, unit: Any, *, has_rules: bool) -> bytes:
        return make(llvm, text, native._machine(llvm, 0) if has_rules else machine, unit, has_rules=has_rules)

    patch.setattr(native, "_optimised", improved)
    patch.setattr(native, "_object_code", made)
    # Keys of this form are what `doctor` counts.
    patch.setattr(native, "_code_key", lambda program: key_of(program)[:: -1 if program.functions else 1])


def every_loop_is_marked(patch: pytest.MonkeyPatch) -> None:
    """LLVM is told to write out every loop of rules with boards, also those whose number of turns nobody knows."""
    patch.setattr("endsight.compiler.lowering.frames.is_written_out", lambda *_: True)


def little_is_written_out(patch: pytest.MonkeyPatch, most: int) -> None:
    """Loops stay loops if their turns are more work than that, wherever rules compile so."""
    set_sizes(patch, "endsight.compiler.copies", MOST_COPIED=most, _LEAST_COPIED=most, _ANYWAY=1000)


def nothing_is_copied_anyway(patch: pytest.MonkeyPatch) -> None:
    """Rules that cannot be compiled without copies may not have more of them than others."""
    set_sizes(patch, "endsight.compiler.copies", _ANYWAY=1)


def programs_are_long(patch: pytest.MonkeyPatch, most: int) -> None:
    """Programs with more nodes than that are written out less."""
    set_sizes(patch, "endsight.compiler.copies", MOST_IN_ALL=most)


def texts_are_long(patch: pytest.MonkeyPatch, most: int) -> None:
    """LLVM gets no texts with more lines than that, and looks for nothing to be calculated side by side in loops."""
    set_sizes(patch, "endsight.compiler.native", MOST_LINES=most, _LOOPS_SIDE_BY_SIDE=0)


def compare_for_long(patch: pytest.MonkeyPatch) -> None:
    """On a slow machine, too, both engines are compared at all positions of random games."""
    patch.setattr("endsight.engine.comparing._LATER_SECONDS", 60.0)


def threads_from_the_first_states(patch: pytest.MonkeyPatch) -> None:
    """Layers are divided among threads at once, in small pieces, over tables that grow again and again."""
    patch.setattr("endsight.engine.layers.CROWD", 10)
    patch.setattr("endsight.engine.layers._ROOM", 4)
    patch.setattr("endsight.engine.layers._STRIDE", 60)
    patch.setattr("endsight.engine.thread_pool._PIECE", 5)
    patch.setattr("endsight.engine.tables._FIRST_SLOTS", 1 << 6)
    patch.setattr("endsight.engine.tables._SMALL_SLOTS", 1 << 6)
    patch.setattr("endsight.engine.tables._GENEROUS", 1 << 40)


def share_searches_at_once(patch: pytest.MonkeyPatch) -> None:
    """All threads search from the first position on, and look often at what others have settled."""
    patch.setattr("endsight.engine.searching._ALONE", 0)
    patch.setattr("endsight.engine.searching._STRIDE", 16)
    try_few_random_games(patch, 100)


def try_few_random_games(patch: pytest.MonkeyPatch, games: int, parts: int = 1 << 11) -> None:
    """A search learns from so many games at random, with sums in at most so many parts, which moves to try first."""
    patch.setattr("endsight.engine.search_run._GAMES", games)
    patch.setattr("endsight.engine.search_run._GAMES_AT_ONCE", games // 2)
    patch.setattr("endsight.engine.search_run._MOST_PARTS", parts)


def prove_in_turns(patch: pytest.MonkeyPatch, share: Any = 4, most: int = 1 << 25, turn: int = 8) -> None:
    """A search and proof numbers take turns of a few positions: `share` of the search for one of proof numbers.

    Proof numbers that have entered the `most` positions get less.
    """
    patch.setattr("endsight.engine.searching._ALONE", 1)
    patch.setattr("endsight.engine.searching.PROOFS_AFTER", 0)
    patch.setattr("endsight.engine.searching._STRIDE", turn)
    patch.setattr("endsight.engine.searching._ROUND", 4)
    patch.setattr("endsight.engine.searching._SHARE", share)
    patch.setattr("endsight.engine.searching._LONG", most)


def only_small_loops_are_exact(patch: pytest.MonkeyPatch, positions: int) -> None:
    """Where play can come back to more than so many positions, values are enclosed unless exact ones are asked for."""
    set_sizes(patch, "endsight.algorithms.policy_iteration", MOST_IN_COMPONENT=positions)


def numbers_grow_large_at_once(patch: pytest.MonkeyPatch) -> None:
    """Open questions reach the number of proof numbers that stands for what is settled."""
    patch.setattr("endsight.engine.proof_numbers.NEVER", 4)
    patch.setattr("endsight.engine.kernels.proof_numbers.NEVER", 4)


def refuse_proofs(patch: pytest.MonkeyPatch, *, at_first: bool) -> None:
    """Proof numbers beside a search give up: when they are made, or in their first turn."""

    def refused(*_: object, **__: object) -> Any:
        raise CannotCompile("they cannot")

    patch.setattr(f"endsight.engine.proof_numbers.ProofNumbers.{'__init__' if at_first else 'go_on'}", refused)


def save_searches_while_they_run(patch: pytest.MonkeyPatch) -> None:
    """A search that keeps what it proves writes it again and again, and not when it is stopped."""
    patch.setattr("endsight.engine.bounds_table._FIRST", 0.0)
    patch.setattr("endsight.engine.bounds_table._QUICK", 0.0)
    patch.setattr("endsight.engine.bounds_table._BETWEEN", 0)


def read_small_files_alone(patch: pytest.MonkeyPatch) -> None:
    """Files of rules and the like may have 4 MB."""
    patch.setattr("endsight.naming.input_files.MOST_BYTES", 2**22)


def restrict_small_hidden_games(patch: pytest.MonkeyPatch, turns: int = 512) -> None:
    """Small games of hidden things, too, are solved by restricted games, after so many turns of regret matching."""
    set_sizes(patch, "endsight.algorithms.equilibrium", FEW_PAIRS=0, _FIRST_TURNS=turns)


def hidden_states_kept_apart(patch: pytest.MonkeyPatch, most: int) -> None:
    """Up to so many hidden states are told apart, though some have the same future."""
    set_sizes(patch, "endsight.engine.choice", MOST_APART=most)


def hidden_states_in_small_tables(patch: pytest.MonkeyPatch) -> None:
    """The table in which hidden states are compared grows again and again."""
    set_sizes(patch, "endsight.engine.alike", _SLOTS=16)


def walk_in_small_tables(patch: pytest.MonkeyPatch) -> None:
    """All arrays of the compiled walk through histories grow again and again."""
    sizes = {"_VIEWS": 8, "_SETS": 2, "_SEQUENCES": 4, "_SLOTS": 4, "_CHILDREN": 2, "_DEPTH": 2}
    set_sizes(patch, "endsight.algorithms.compiled_walk", **sizes)


def walk_small_games_compiled(patch: pytest.MonkeyPatch) -> None:
    """Games of more than ten histories are walked through by machine code, if there is any for them."""
    set_sizes(patch, "endsight.algorithms.walked_sets", _FIRST=10)


def list_few_totals(patch: pytest.MonkeyPatch, moves: int) -> None:
    """A distribution of totals without end is listed for so many moves."""
    set_sizes(patch, "endsight.algorithms.outcome_distribution", MOST_MOVES=moves)


def list_ranges_of_few_sets(patch: pytest.MonkeyPatch, most: int) -> None:
    """Ranges over all optimal plans are found where there are up to so many information sets."""
    set_sizes(patch, "endsight.algorithms.equilibrium_ranges", MOST_SETS=most)


def solve_on_arrays_from(patch: pytest.MonkeyPatch, edges: int) -> None:
    """Graphs of games without chance are solved in machine code on arrays from so many moves on."""
    set_sizes(patch, "endsight.algorithms.kernel_arrays", LARGE=edges)


def solve_chance_in_whole_numbers(patch: pytest.MonkeyPatch, states: int, **sizes: int) -> None:
    """Larger graphs with chance and without loops are solved in whole numbers; `sizes` as there."""
    set_sizes(patch, "endsight.algorithms.backward_induction", LARGE=states)
    set_sizes(patch, "endsight.algorithms.whole_numbers", **sizes)


def find_heights_in_floats(patch: pytest.MonkeyPatch) -> None:
    """That chance on loops pays nothing in the mean is guessed in floats and then checked, in small games, too."""
    set_sizes(patch, "endsight.graph.heights", MOST_WITH_CHANCE=0)


def run_loops_in_machine_code(patch: pytest.MonkeyPatch) -> None:
    """Loops over arrays of games that are enclosed run in machine code from the first element on."""
    defaults = pytest.importorskip("endsight.algorithms.loops").loops_for.__kwdefaults__
    patch.setitem(defaults, "most_plain", -1)


def last_moves_are_guessed_best(patch: pytest.MonkeyPatch) -> None:
    """Policy iteration on loops begins with the last move of every decision, instead of a good guess."""

    def last_edges(component: Any, _: object) -> dict[int, int]:
        arena = component.arena
        return {node: arena.offsets[node + 1] - 1 for node in component.part if arena.signs[node]}

    patch.setattr("endsight.algorithms.exact_policy_iteration._Component._guessed", last_edges)


def exact_along_best_play_alone(patch: pytest.MonkeyPatch, positions: int) -> None:
    """Where play can come back to more than so many positions in all, only those along best play are exact."""
    set_sizes(patch, "endsight.algorithms.policy_iteration", MOST_THROUGHOUT=positions)


def best_play_leaves_short_loops(patch: pytest.MonkeyPatch, positions: int) -> None:
    """Exact values along best play are given up where it stays on a loop of more than so many positions."""
    set_sizes(patch, "endsight.algorithms.chain_elimination", MOST_LEFT=positions)


def audits_take_their_time(patch: pytest.MonkeyPatch) -> None:
    """On a slow machine, too, a compiled answer is compared with the rules at all positions that are drawn."""
    patch.setattr("endsight.answers.auditing.LEAST_SECONDS", 60.0)


def no_exact_numbers_are_easy(patch: pytest.MonkeyPatch) -> None:
    """Repeat bust between proven bounds also where exact numbers come at once."""
    patch.setattr("endsight.theorems.repeat_bounds.EASY_DIGIT_OPERATIONS", 0)


def sweep_few_rewards_at_once(patch: pytest.MonkeyPatch, rewards: int) -> None:
    """Bounds for repeat bust go down the rewards in pieces of so many."""
    patch.setattr("endsight.theorems.repeat_bounds._CHUNK", rewards)


def bounds_leave_a_threshold_open(patch: pytest.MonkeyPatch) -> None:
    """Bounds for repeat bust are a little too wide for the third sum."""
    from endsight.theorems import repeat_bounds

    swept = repeat_bounds.sweep

    def wider(*asked: Any) -> Any:
        found = swept(*asked)
        found.possible[2] += 1
        return found

    patch.setattr(repeat_bounds, "sweep", wider)


def no_distributions_of_repeat_bust(patch: pytest.MonkeyPatch) -> None:
    """Whatever passes chances forward through repeat bust fails."""
    patch.setattr("endsight.theorems.repeat_sweeps.pass_forward", None)


def few_chances_of_scores(patch: pytest.MonkeyPatch, unknown: int) -> None:
    """The chances of all scores at cards are too many beyond so many unknown turns."""
    patch.setattr("endsight.theorems.smallest_sufficient.MOST_UNKNOWN", unknown)


def dominoes_give_up(patch: pytest.MonkeyPatch, states: int) -> None:
    """The search of lines of dominoes grows too large beyond so many positions."""
    patch.setattr("endsight.theorems.line_search._MOST_STATES", states)
    patch.setattr("endsight.theorems.line_search._STRIDE", max(1, states))


def dominoes_in_machine_code(patch: pytest.MonkeyPatch) -> None:
    """Lines of dominoes are searched in machine code from the first position on, and its memory has to grow."""
    patch.setattr("endsight.theorems.line_search._SHORT", 0)
    patch.setattr("endsight.theorems.line_search._FIRST_POSITIONS", 64)


def dominoes_without_kernels(patch: pytest.MonkeyPatch) -> None:
    """Lines of dominoes are searched in Python to their ends."""
    from endsight.compiler.kernels import plain
    from endsight.engine.kernels.tiles import search_lines

    run = plain(search_lines, es_has_kernel=lambda *_: False, es_bit_count=int.bit_count, es_bit_length=int.bit_length)
    patch.setattr("endsight.theorems.line_search._RUN_SHORT", run)
    patch.setattr("endsight.theorems.line_search._SHORT", 1 << 60)


def a_distance_stays_open(patch: pytest.MonkeyPatch, moves: str) -> None:
    """The distance after those moves of dominoes is not found."""
    from endsight.theorems.dominoes_openings import Openings

    distance = Openings.distance

    def forgetful(theorem: Any, position: Any) -> int | None:
        return None if position.text == moves else distance(theorem, position)

    patch.setattr(Openings, "distance", forgetful)


def no_move_is_proven_best(patch: pytest.MonkeyPatch) -> None:
    """Bounds are too wide to tell which of several moves is best."""
    from endsight.algorithms import interval_iteration

    enclosure = interval_iteration.Enclosure

    def wider(given: Any, bounds: Any, unit: Any, ranks: Any, verdicts: Any, kept: Any) -> Any:
        return enclosure(given, bounds, unit, ranks, verdicts.clip(max=1), kept)

    patch.setattr(interval_iteration, "Enclosure", wider)


def losers_get_no_play(patch: pytest.MonkeyPatch) -> None:
    """A loser has too many replies for a certificate to hold a play against them all."""
    patch.setattr("endsight.proof.prover.MOST_LOST_STATES", 0)


def prove_fractions_of_few_bits(patch: pytest.MonkeyPatch, bits: int) -> None:
    """Values whose fractions have more bits are proven between bounds."""
    patch.setattr("endsight.proof.choosing.MOST_EXACT_BITS", bits)


def small_stored_parts(patch: pytest.MonkeyPatch, rows: int) -> None:
    """What is solved in memory is stored in parts of so many rows."""
    patch.setattr("endsight.storage.saving.PART_ROWS", rows)


def small_stored_tasks(rows: int) -> str:
    """A program's beginning, after which it stores parts of so many rows, and solves in layers by tiny tasks."""
    return f"""
from endsight.layers import layering, modes, table, work
from endsight.storage import saving
saving.PART_ROWS = table.PART_ROWS = {rows}
work.SMALL, modes._LEAST_TASK, modes._MOST_TASK, layering._FEWEST = 50, 60_000, 60_000, 1
"""


def checksums_of_rows_always_fit(patch: pytest.MonkeyPatch) -> None:
    """A reader of stored rows believes anything."""

    class Anything(int):
        def __ne__(self, other: object) -> bool:
            return False

    patch.setattr("endsight.storage.parts.crc32", lambda data: Anything())


def pages_wait(patch: pytest.MonkeyPatch, seconds: float) -> None:
    """Pages wait so long for values and for a seat's proof, and a fifth of a second for a guess; workers go on."""
    set_sizes(patch, "endsight.faces.web.pages", QUICK_SECONDS=seconds, SEAT_SECONDS=seconds, GUESS_SECONDS=0.2)


def samples_give_up(patch: pytest.MonkeyPatch, *, moves: int = 1_000_000, states: int = 20_000) -> None:
    """A sample stops at a game of so many moves, and has the exact value beside it up to so many states."""
    set_sizes(patch, "endsight.answers.simulation", LONGEST_GAME=moves, MOST_FOR_VALUE=states)


def play_gives_up(patch: pytest.MonkeyPatch, *, moves: int) -> None:
    """Play in the terminal stops after so many moves with nobody to ask."""
    set_sizes(patch, "endsight.faces.cli.session", MOST_UNASKED=moves)


def samples_remember_nothing(patch: pytest.MonkeyPatch) -> None:
    """Choices of best play are looked up again at every move of a sample."""
    set_sizes(patch, "endsight.answers.simulation", MOST_REMEMBERED=0)


def hold_few_sampled_keys(patch: pytest.MonkeyPatch, keys: int) -> None:
    """Tables in layers hold so many sampled keys before they are sorted out."""
    patch.setattr("endsight.layers.table._REPEATED", keys)


def states_take_memory(patch: pytest.MonkeyPatch, size: int) -> None:
    """Each state is expected to take so many bytes at least."""
    patch.setattr("endsight.engine.choice.LEAST_BYTES", size)


def small_tasks_of_a_cluster(patch: pytest.MonkeyPatch, states: int) -> None:
    """Layers of more states are divided among the workers of a cluster."""
    patch.setattr("endsight.layers.work.SMALL", states)


def small_layers_of_rules(patch: pytest.MonkeyPatch, *, fewest: int, closed: int | None = None) -> None:
    """A layer with loops is divided from so few states on, and its closing from so many bytes a state."""
    patch.setattr("endsight.layers.layering._FEWEST", fewest)
    if closed is not None:
        patch.setattr("endsight.layers.layering.BYTES_PER_CLOSED", closed)


def stored_rows_in_small_groups(patch: pytest.MonkeyPatch, rows: int) -> None:
    """Stored rows are read and written in groups of so many."""
    patch.setattr("endsight.storage.layout.Layout.group_rows", rows)


def one_block_is_kept(patch: pytest.MonkeyPatch) -> None:
    """Of the row groups of a stored solution only the last one read is kept in memory."""
    patch.setattr("endsight.storage.source.MOST_CACHED", 0)


def small_parts_of_layers(patch: pytest.MonkeyPatch, rows: int) -> None:
    """What is solved in layers is stored in parts of so many rows, and what is solved in memory in one."""
    patch.setattr("endsight.layers.table.PART_ROWS", rows)
    patch.setattr("endsight.storage.parts.PART_ROWS", 1 << 22)


def audits_of_layers_take_their_time(patch: pytest.MonkeyPatch) -> None:
    """On a slow machine, too, all rows that are drawn of a solve in layers are compared with the rules."""
    patch.setattr("endsight.layers.solving.LEAST_SECONDS", 60.0)


def every_game_is_large(patch: pytest.MonkeyPatch) -> None:
    """Games of more than three positions count as large."""
    set_sizes(patch, "endsight.engine.choice", PLAIN_EDGES=0, _FIRST_NODES=3, _FIRST_LOOK=3)


def few_exact_positions_at_once(patch: pytest.MonkeyPatch, positions: int) -> None:
    """Games of moves at once have bounds, unless exact values are asked for, from so many positions on."""
    set_sizes(patch, "endsight.answers.paths", MOST_EXACT_AT_ONCE=positions)


def certificates_hold_few_choices(patch: pytest.MonkeyPatch, choices: int) -> None:
    """A certificate holds a play of up to so many choices."""
    set_sizes(patch, "endsight.proof.choosing", MOST_NUMBERS=choices)


def wait_for_every_kernel(patch: pytest.MonkeyPatch) -> None:
    """Machine code runs in another thread, so that signals are heard, however short its work."""
    set_sizes(patch, "endsight.algorithms.loops", LONG=0)


def check_without_samples(patch: pytest.MonkeyPatch) -> None:
    """What a check of rules tells of the size of a game, which takes seconds, is left out."""
    set_sizes(patch, "endsight.rules_check.check", quick_census=None)


def solved_files_hold(patch: pytest.MonkeyPatch, *, whole: int = 25_000, most: int = 150_000) -> None:
    """A file of a solved game holds all positions up to `whole` of them, and no more than `most`."""
    set_sizes(patch, "endsight.faces.solved_page.writing", MOST=whole, LARGEST=most)


def threads_at_work(patch: pytest.MonkeyPatch) -> list[int]:
    """A list that grows by the number of threads whenever layers are divided among threads."""
    from endsight.engine import layers

    seen, pool = list[int](), layers.ThreadPool
    patch.setattr(layers, "ThreadPool", lambda size: (seen.append(size), pool(size))[1])
    return seen


def input_files_of_at_most(patch: pytest.MonkeyPatch, count: int) -> None:
    """Files with more bytes are not read as rules, moves or parameters."""
    set_sizes(patch, "endsight.naming.input_files", MOST_BYTES=count)


def alarms_ring_on(patch: pytest.MonkeyPatch) -> None:
    """An alarm that is not heard at once rings again and again, as if Python took long to clear up."""
    set_sizes(patch, "endsight.base.alarm", _GRACE=0.001, _AGAIN=0.0002)


def reports_examine_few_positions(patch: pytest.MonkeyPatch) -> None:
    """A report leaves out what would need more than 2,000 positions."""
    patch.setattr("endsight.reporting.played.MOST", 2_000)
