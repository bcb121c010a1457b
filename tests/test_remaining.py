"""How long the rest may take, and the line that says so."""

from __future__ import annotations

import pytest

from endsight.cost.remaining import Remaining
from endsight.faces.cli.progress import _fitting, _parts
from endsight.game.activity import Activity


def test_the_text_says_how_much_is_done() -> None:
    assert Activity("solving", part=(1, 4)) == "solving (25 % done)"
    assert Activity("exploring", ahead=7, is_growing=True).among(1e5, 2.5e6) == (
        "exploring (7 ahead, growing), of some 1.0e5 to 2.5e6"
    )


def told(rest: Remaining, doing: Activity, states: int, now: float, pace: float = 1.0) -> float:
    return rest.seconds(doing, states, now, now / pace)


def exploring(expected: float | None = None, ahead: int = 0, is_growing: bool = True) -> Activity:
    return Activity("exploring", ahead=ahead, is_growing=is_growing, expected=expected, engine="compiled")


def test_half_of_what_is_expected_takes_as_long_again_and_then_is_solved() -> None:
    rest = Remaining()
    told(rest, exploring(2e6), 1, 0.0)
    solving = 0.8 * 20 + 2e6 * 0.15e-6
    assert told(rest, exploring(2e6), 1_000_000, 10.0) == pytest.approx(10 + solving + 0.42 + 2e6 * 0.37e-6)


def test_what_comes_later_is_stretched_by_what_other_work_takes_away() -> None:
    """Beside other work, where a second of computing takes five, later steps take five times as long."""
    alone, beside = Remaining(), Remaining()
    for rest in (alone, beside):
        told(rest, exploring(2e6), 1, 0.0)
    writing = Activity("arranging", engine="compiled")
    assert told(alone, writing, 2_000_000, 10.0) == pytest.approx(0.42 + 2e6 * 0.37e-6)
    assert told(beside, writing, 2_000_000, 10.0, pace=5.0) == pytest.approx(5 * (0.42 + 2e6 * 0.37e-6))


def test_where_nothing_is_known_as_much_again_is_ahead() -> None:
    ahead, expected = Remaining(), Remaining()
    for rest, most in ((ahead, None), (expected, 2e6)):
        told(rest, exploring(most), 1, 0.0)
    assert told(ahead, exploring(), 1_000_000, 10.0) == told(expected, exploring(2e6), 1_000_000, 10.0)


@pytest.mark.parametrize(
    ("ahead", "is_growing", "least", "most"),
    [(100_000, True, 1.3e6, 1.3e6), (100_000, False, 1.03e6, 1.15e6), (0, False, 1e6, 1e6)],
)
def test_the_frontier_says_how_much_is_ahead(ahead: int, is_growing: bool, least: float, most: float) -> None:
    """While it shrinks, and where it is used up, few states or none are still to be met, whatever was expected."""
    for expected in (None, 9e6) if not is_growing else (None,):
        rest = Remaining()
        told(rest, exploring(expected, 10), 1, 0.0)
        seconds = told(rest, exploring(expected, ahead, is_growing), 1_000_000, 10.0)
        low, high = (10 * (of - 1e6) / 1e6 + 8 * of / 1e6 + 0.42 + of * 0.52e-6 for of in (least, most))
        assert low - 1e-6 <= seconds <= high + 1e-6


def test_what_plain_rules_found_says_nothing_of_the_rate_of_compiled_ones() -> None:
    late, fresh = Remaining(), Remaining()
    for number, moment in ((1, 0.0), (1_000, 5.0)):
        told(late, Activity("exploring", expected=2e6), number, moment)
    told(late, Activity("compiling", engine="compiled"), 0, 6.0)
    told(fresh, exploring(2e6), 0, 0.0)
    first, second = told(late, exploring(2e6), 1_000_000, 8.0), told(fresh, exploring(2e6), 1_000_000, 2.0)
    assert first == pytest.approx(second)


def test_small_games_are_told_of_compiling_from_the_start() -> None:
    """While plain rules are tried, and while they are compiled, a second or so is ahead."""
    rest = Remaining()
    assert 0.5 < told(rest, Activity("exploring", ahead=10, is_growing=True), 20, 0.1) < 2
    assert 0.5 < told(rest, Activity("compiling", engine="compiled"), 0, 0.3) < 2


def test_parts_of_a_game_that_are_solved_by_themselves_go_by_what_is_done_of_all() -> None:
    rest = Remaining()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000, 2.0)
    told(rest, Activity("exploring", part=(0, 1_000), engine="compiled"), 10, 2.0)
    told(rest, Activity("writing 10 rows", part=(0, 1_000), engine="compiled"), 10, 2.5)
    assert told(rest, Activity("sweeping values", part=(100, 1_000), engine="compiled"), 10, 3.0) == pytest.approx(2.7)
    assert told(rest, Activity("exploring", part=(500, 1_000), engine="compiled"), 10, 4.0) == pytest.approx(2.0)


def test_solving_that_begins_anew_goes_by_its_own_rate() -> None:
    """States that were met in another order than they are solved in are put in order in between."""
    rest = Remaining()
    told(rest, exploring(), 1, 0.0)
    told(rest, Activity("solving", part=(0, 1_000), engine="compiled"), 1_000, 1.0)
    told(rest, Activity("putting positions in order", engine="compiled"), 1_000, 2.0)
    told(rest, Activity("solving", part=(0, 1_000), engine="compiled"), 1_000, 6.0)
    halfway = told(rest, Activity("solving", part=(500, 1_000), engine="compiled"), 1_000, 7.0)
    assert halfway == pytest.approx(1.42, abs=0.01)


def test_a_step_that_knows_its_part_goes_by_its_own_rate() -> None:
    rest = Remaining()
    rest.seconds(Activity("writing 100 rows", part=(0, 100)), 0, 50.0)
    assert rest.seconds(Activity("writing 100 rows", part=(25, 100)), 25, 51.0) == pytest.approx(3.0)


def test_plain_rules_take_a_share_of_the_time_for_exploring_afterwards() -> None:
    rest = Remaining()
    rest.seconds(Activity("exploring"), 1, 0.0)
    rest.seconds(Activity("exploring"), 1000, 10.0)
    assert rest.seconds(Activity("solving"), 1000, 10.0, 10.0) == pytest.approx(3.5 + 0.42, abs=0.01)


def test_states_out_of_order_take_longer_once_that_is_known() -> None:
    rest = Remaining()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000_000, 2.0)
    in_order = told(rest, Activity("solving", part=(0, 1_000_000), engine="compiled"), 1_000_000, 2.0)
    in_disorder = told(rest, Activity("putting positions in order", engine="compiled"), 1_000_000, 2.0)
    assert in_disorder == pytest.approx(2 * 2.5 + 1.2 + 0.42 + 0.37)
    assert in_order < in_disorder / 2


@pytest.mark.parametrize("width", [10, 24, 40, 60, 80, 200])
def test_a_narrow_line_says_less_and_cuts_no_word(width: int) -> None:
    parts = _parts(Activity("solving", part=(27, 100)), 1_974_174, 12.0, 30.0)
    line = _fitting(parts, width)
    assert len(line) <= width
    assert line in {
        "  ".join(parts[place] for place in range(len(parts)) if chosen >> place & 1) for chosen in range(64)
    }
    assert line.startswith("solving")


def test_the_line_tells_totals_and_the_rest() -> None:
    line = _fitting(_parts(Activity("exploring", expected=4e6), 1_000_000, 10.0, 35.0), 200)
    assert line.startswith(
        "exploring  █████░░░░░░░░░░░░░░░  25 %  10 s, about 35 s left  1,000,000 states of about 4,000,000"
    )
