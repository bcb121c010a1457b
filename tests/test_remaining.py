"""How long the rest may take, and the line that says so."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import Any

import pytest

from censuses import Rest, activity_text
from shown import progress_shown

ESTIMATING = "estimating the number of positions"
EXACT = "finding exact values"


def test_the_text_says_how_much_is_done() -> None:
    assert activity_text("solving", part=(1, 4)) == "solving (25 % done)"
    assert activity_text("exploring", ahead=7, is_growing=True, among=(1e5, 2.5e6)) == (
        "exploring (7 ahead, growing), of some 1.0e5 to 2.5e6"
    )


Doing = tuple[str, dict[str, Any]]
"""An activity: its step, and what is known of it."""


def doing(step: str, **known: Any) -> Doing:
    return step, known


LATER = ("looking", "sorting", "writing")


def storing(states: int, before: float) -> float:
    """Seconds of computing that checking and storing so many states of compiled rules takes, after so many of them."""
    return 0.15 + 0.48e-6 * states + 0.045 * before


def told(rest: Rest, activity: Doing, states: int, now: float, pace: float = 1.0) -> float:
    return rest.seconds(activity, states, now, now / pace)


def exploring(expected: float | None = None, ahead: int = 0, **more: Any) -> Doing:
    return doing("exploring", ahead=ahead, expected=expected, engine="compiled", later=LATER, **more)


def in_part(step: str, done: int, total: int = 1_000) -> Doing:
    return doing(step, part=(done, total), engine="compiled", later=LATER)


def test_half_of_what_is_expected_takes_as_long_again_and_then_is_solved_and_stored() -> None:
    rest = Rest()
    told(rest, exploring(2e6), 1, 0.0)
    # The usual rate, of 0.04 s for 100,000 states, has a little weight.
    finding = 1_000_000 * (10 + 0.04) / 1_100_000
    expected = 10 + 2 * finding + storing(2_000_000, 20 + 2 * finding)
    assert told(rest, exploring(2e6), 1_000_000, 10.0) == pytest.approx(expected, rel=1e-4)
    assert not rest.is_open


def test_what_comes_later_is_stretched_by_what_other_work_takes_away() -> None:
    """Beside other work, where a second of computing takes five, later steps take five times as long."""
    for pace in (1.0, 5.0):
        rest = Rest()
        told(rest, exploring(2e6), 1, 0.0)
        told(rest, exploring(2e6), 2_000_000, 10.0, pace)
        told(rest, in_part("solving", 0, 2_000_000), 2_000_000, 10.0, pace)
        told(rest, in_part("solving", 2_000_000, 2_000_000), 2_000_000, 20.0, pace)
        assert told(rest, in_part("solving", 2_000_000, 2_000_000), 2_000_000, 20.0, pace) == pytest.approx(
            pace * storing(2_000_000, 20 / pace)
        )


def test_where_nothing_is_stored_nothing_comes_later() -> None:
    rest = Rest()
    solving = doing("solving", part=(2_000_000, 2_000_000), engine="compiled")
    told(rest, doing("exploring", engine="compiled"), 1, 0.0)
    told(rest, doing("exploring", engine="compiled"), 2_000_000, 10.0)
    assert told(rest, solving, 2_000_000, 20.0) == pytest.approx(0)


def test_steps_that_rules_bring_are_told_before_they_begin() -> None:
    """Exact values, and a dense numbering, which a plan names beforehand, take their time as soon as states are met."""
    plain, more = Rest(), Rest()
    steps = ("looking", "finding exact values", "numbering", "compressing")
    for rest, later in ((plain, LATER), (more, steps)):
        told(rest, doing("exploring", engine="compiled", expected=2e6, later=later), 1, 0.0)
    known = [
        told(rest, doing("exploring", engine="compiled", expected=2e6, later=later), 1_000_000, 1.0)
        for rest, later in ((plain, LATER), (more, steps))
    ]
    assert known[1] - known[0] == pytest.approx(0.07 + (2.5 + 2.5 + 1.1 - 0.48) * 2, abs=0.01)


def test_where_nothing_is_known_as_much_again_is_ahead_at_least() -> None:
    ahead, expected = Rest(), Rest()
    for rest, most in ((ahead, None), (expected, 2e6)):
        told(rest, exploring(most), 1, 0.0)
    assert told(ahead, exploring(), 1_000_000, 10.0) == told(expected, exploring(2e6), 1_000_000, 10.0)
    assert ahead.is_open
    assert not expected.is_open


def frontiers(widest: int) -> list[tuple[int, int]]:
    """States met and those of the frontier, before each level of a search whose levels grow and shrink."""
    sizes = [max(1, round(widest * 2.718 ** -((level - 30) ** 2 / 80))) for level in range(61)]
    return list(zip(accumulate(sizes), sizes, strict=True))


@pytest.mark.parametrize("share", [0.25, 0.4, 0.6, 0.8])
def test_the_frontier_says_how_much_is_ahead(share: float) -> None:
    """Where nothing else is known, within a factor of two from a quarter of the states on; none when it is used up."""
    levels = frontiers(100_000)
    whole, widest = levels[-1][0], 0
    rest = Rest()
    for met, frontier in levels:
        widest = max(widest, frontier)
        told(rest, exploring(ahead=frontier, is_growing=frontier == widest), met, met / whole)
        if met > share * whole:
            break
    assert not rest.is_open
    assert (whole - met) / 2 < rest.states - met < 2 * (whole - met)
    told(rest, exploring(), whole, 1.0)
    assert rest.states == whole


def test_a_census_bounds_what_the_frontier_says() -> None:
    for low, high in ((9e6, 9.5e6), (1.1e6, 1.2e6)):
        rest = Rest()
        for met, frontier in frontiers(100_000)[:25]:
            told(rest, exploring(ahead=frontier, among=(low, high)), met, met / 1e5)
        assert low <= rest.states <= high
        assert not rest.is_open


def test_a_frontier_that_only_grows_says_no_more_than_at_least() -> None:
    rest = Rest()
    for level in range(20):
        told(rest, exploring(ahead=2**level), 2 ** (level + 1) - 1, float(level))
    assert rest.is_open


def test_few_states_say_little_of_how_many_there_are() -> None:
    """Of games with compiled rules a million is usual; what is found soon outweighs that."""
    rest = Rest()
    told(rest, exploring(), 0, 0.0)
    told(rest, exploring(ahead=50, is_growing=True), 100, 0.05)
    assert 800_000 < rest.states < 1_100_000
    for met, frontier in frontiers(1_000):
        told(rest, exploring(ahead=frontier), 100 + met, 0.05 + met / 1e5)
    told(rest, exploring(), 100 + met, 0.3)
    assert rest.states == 100 + met


@pytest.mark.parametrize("beside", ["growing the table", ESTIMATING])
def test_what_is_done_beside_finding_says_nothing_of_its_rate(beside: str) -> None:
    without, within = Rest(), Rest()
    for rest, seconds in ((without, 0.0), (within, 3.0)):
        told(rest, exploring(2e6), 1, 0.0)
        told(rest, exploring(2e6), 500_000, 1.0)
        if seconds:
            told(rest, doing(beside, expected=2e6, engine="compiled", later=LATER), 500_000, 1.0)
        told(rest, exploring(2e6), 500_000, 1.0 + seconds)
        told(rest, exploring(2e6), 1_000_000, 2.0 + seconds)
    assert within.found == without.found == pytest.approx(2.0)


def test_a_step_that_reports_parts_late_goes_by_its_rate_since_then() -> None:
    """Arrays were made for two seconds before the first part; the parts themselves take five."""
    rest = Rest()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000_000, 1.0)
    later = ("looking", EXACT, "sorting", "writing")
    told(rest, doing(EXACT, engine="compiled", later=later), 1_000_000, 2.0)
    for moment, done in ((4.0, 0), (4.1, 20), (4.5, 100)):
        left = told(rest, doing(EXACT, part=(done, 1_000), engine="compiled", later=later), 1_000_000, moment)
        assert 9 - moment < left < 2 * (9 - moment)


def test_a_step_that_may_follow_has_half_of_its_time() -> None:
    left = []
    for step in ((), (f"perhaps {EXACT}",), (EXACT,)):
        rest = Rest()
        later = ("looking", *step, "sorting")
        told(rest, doing("exploring", expected=2e6, engine="compiled", later=later), 1, 0.0)
        left.append(told(rest, doing("exploring", expected=2e6, engine="compiled", later=later), 2_000_000, 1.0))
    assert left[1] - left[0] == pytest.approx(left[2] - left[1])
    assert left[2] - left[0] == pytest.approx(0.1 + 5)


def test_what_another_method_found_is_known_when_finding_begins_again() -> None:
    rest = Rest()
    told(rest, exploring(), 0, 0.0)
    told(rest, exploring(ahead=1_500_000), 3_000_000, 1.0)
    likely = rest.states
    told(rest, doing("compiling", engine="compiled", later=LATER), 0, 1.5)
    assert rest.states == likely > 4_000_000
    told(rest, exploring(), 500_000, 2.0)
    assert rest.states == likely


def test_what_plain_rules_found_says_nothing_of_the_rate_of_compiled_ones() -> None:
    late, fresh = Rest(), Rest()
    for number, moment in ((1, 0.0), (1_000, 5.0)):
        told(late, doing("exploring", expected=2e6), number, moment)
    told(late, doing("compiling", engine="compiled"), 0, 5.5)
    told(late, exploring(2e6), 1, 6.0)
    told(fresh, exploring(2e6), 1, 0.0)
    first, second = told(late, exploring(2e6), 1_000_000, 8.0), told(fresh, exploring(2e6), 1_000_000, 2.0)
    assert first == pytest.approx(second, rel=0.05)  # of what came before, a little is looked at again


def test_small_games_are_told_of_compiling_from_the_start() -> None:
    """While plain rules are tried, and while they are compiled, some seconds are ahead."""
    rest = Rest()
    assert 1 < told(rest, doing("exploring", ahead=10, is_growing=True), 20, 0.15) < 4
    assert 1 < told(rest, doing("compiling", engine="compiled"), 0, 0.3) < 3


def test_what_was_solved_before_is_told_to_be_loaded_and_stored() -> None:
    rest = Rest()
    known = doing("compiling", expected=2e6, engine="compiled", later=LATER)
    assert told(rest, known, 0, 0.2) == pytest.approx(0.1 + 1.6 + storing(2_000_000, 1.8))


def test_layers_that_are_swept_one_by_one_go_by_what_is_done_of_all() -> None:
    rest = Rest()
    later = ("sweeping", "looking")
    told(rest, doing("exploring", engine="compiled", later=later), 1, 0.0)
    told(rest, doing("exploring", engine="compiled", later=later), 1_000_000, 2.0)
    first = doing("exploring", part=(0, 1_000_000), engine="compiled", later=later)
    half = doing("sweeping values", part=(500_000, 1_000_000), engine="compiled", later=later)
    assert told(rest, first, 10, 2.0) == pytest.approx(0.1 + 3 + 0.1 + 0.045 * 2, abs=0.2)
    assert told(rest, half, 10, 22.0) == pytest.approx(20, rel=0.2)


def test_solving_that_begins_anew_goes_by_its_own_rate() -> None:
    """States that were met in another order than they are solved in are put in order in between."""
    rest = Rest()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000, 1.0)
    told(rest, in_part("solving", 0), 1_000, 1.0)
    assert told(rest, in_part("putting positions in order", 0), 1_000, 2.0) == pytest.approx(
        2 * 1.0 + storing(1_000, 4)
    )
    told(rest, in_part("solving", 0), 1_000, 6.0)
    assert told(rest, in_part("solving", 500), 1_000, 26.0) == pytest.approx(20 + storing(0, 46), rel=0.2)
    assert told(rest, in_part("solving", 900), 1_000, 42.0) == pytest.approx(4 + storing(0, 46), rel=0.2)


def test_what_was_told_before_a_step_is_forgotten_as_it_goes_on() -> None:
    """A step that was told to take 20 s and takes 160: a tenth of the way on it is no longer far off."""
    rest = Rest()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000, 20.0)
    assert told(rest, in_part("solving", 0), 1_000, 20.0) == pytest.approx(20, rel=0.1)
    assert 72 < told(rest, in_part("solving", 100), 1_000, 36.0) < 144


@pytest.mark.parametrize("steps", [("expanding layer 1", "merging layer 2"), ("finding layer 1", "expanding layer 1")])
def test_work_on_files_is_told_by_what_files_cost(steps: tuple[str, str]) -> None:
    """The last of the steps by which layers are found leaves no other cost than the first."""
    rest = Rest()
    later = ("counting", "arranging", "writing", "looking")
    for moment, step in enumerate((*steps, *steps)):
        told(rest, doing(step, ahead=10, later=later), 1_000_000, 1.0 + moment)
    told(rest, doing("solving layer 1", part=(0, 1_000_000), later=later), 1_000_000, 4.0)
    done = doing("solving layer 0", part=(1_000_000, 1_000_000), later=later)
    assert told(rest, done, 1_000_000, 10.0) == pytest.approx(0.24 + 0.2 + 0.1 + 0.045 * 10, abs=0.01)


def test_a_step_that_tells_no_part_takes_half_as_long_again_at_least() -> None:
    rest = Rest()
    told(rest, exploring(), 1, 0.0)
    told(rest, exploring(), 1_000, 1.0)
    enclosing = doing("enclosing values", engine="compiled")
    told(rest, enclosing, 1_000, 1.0)
    assert told(rest, enclosing, 1_000, 101.0) == pytest.approx(50, rel=0.02)


def test_an_export_goes_by_its_own_rate() -> None:
    rest = Rest()
    rest.seconds(doing("writing 100 rows", part=(0, 100)), 0, 50.0)
    assert 45 < rest.seconds(doing("writing 100 rows", part=(25, 100)), 25, 80.0) < 180
    assert rest.seconds(doing("writing 100 rows", part=(75, 100)), 25, 140.0) == pytest.approx(30, rel=0.2)


def test_an_export_that_reports_late_goes_by_all_of_its_time() -> None:
    rest = Rest()
    assert rest.seconds(doing("writing 100 rows", part=(30, 100)), 30, 60.0) == pytest.approx(105, rel=0.01)


def test_until_the_next_part_is_done_time_goes_by() -> None:
    rest = Rest()
    writing = doing("writing 100 rows", part=(50, 100))
    rest.seconds(doing("writing 100 rows", part=(0, 100)), 0, 0.0)
    first = rest.seconds(writing, 50, 50.0)
    assert rest.seconds(writing, 50, 60.0) == pytest.approx(first - 10)
    assert rest.seconds(writing, 50, 150.0) == pytest.approx(50)


def test_plain_rules_take_a_share_of_the_time_for_exploring_afterwards() -> None:
    rest = Rest()
    rest.seconds(doing("exploring"), 1, 0.0)
    rest.seconds(doing("exploring"), 1000, 10.0)
    assert rest.seconds(doing("solving"), 1000, 10.0, 10.0) == pytest.approx(3.5, abs=0.01)


@pytest.mark.parametrize(("width", "bar"), [(10, 6), (24, 6), (40, 6), (60, 12), (80, 12), (200, 20)])
def test_a_narrow_line_says_less_and_cuts_no_word(width: int, bar: int) -> None:
    full = 27 * bar // 100
    parts = ["solving", "about 30 s left", "█" * full + "░" * (bar - full) + "  27 %", "12 s so far"]
    line = progress_shown(doing("solving", part=(27, 100)), 1_974_174, 12.0, "about 30 s left", width)
    fitting = [text for text in accumulate(parts, "{}  {}".format) if len(text) <= width]
    assert line.startswith(fitting[-1])
    assert len(line) <= width
    assert re.fullmatch(r"(  [\d.,]+ [kMG]?B)?" if len(fitting) == len(parts) else "", line.removeprefix(fitting[-1]))


def test_where_not_even_the_step_fits_the_line_tells_the_rest() -> None:
    told = doing("looking at the rules again"), 10, 3.0, "about 2 s left"
    assert progress_shown(*told, 20) == "about 2 s left"
    assert progress_shown(*told, 5) == ""


def test_the_line_tells_totals_and_the_rest() -> None:
    line = progress_shown(doing("exploring", expected=4e6), 1_000_000, 10.0, "about 35 s left", 200)
    assert line.startswith(
        "exploring  about 35 s left  █████░░░░░░░░░░░░░░░  25 %  10 s so far  1,000,000 states of about 4,000,000"
    )
