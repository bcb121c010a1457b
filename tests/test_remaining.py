"""How long the rest may take, and the line that says so."""

from __future__ import annotations

import pytest

from endsight.cost.remaining import Remaining
from endsight.faces.cli.progress import _fitting, _parts
from endsight.game.doing import Doing


def test_the_text_says_how_much_is_done() -> None:
    assert Doing("solving", part=(1, 4)) == "solving (25 % done)"
    assert Doing("exploring", extent=" (7 ahead, growing)").among(1e5, 2.5e6) == (
        "exploring (7 ahead, growing), of some 1.0e5 to 2.5e6"
    )


def test_half_of_what_is_expected_takes_as_long_again_and_then_is_solved() -> None:
    rest = Remaining()
    assert rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1, 0.0) is None
    told = rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1_000_000, 10.0, 10.0)
    assert told == pytest.approx(10 + 2e6 * 0.85e-6)


def test_what_comes_later_is_stretched_by_what_other_work_takes_away() -> None:
    """Beside other work, where a second of computing takes five, later steps take five times as long."""
    rest = Remaining()
    rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1, 0.0)
    told = rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1_000_000, 10.0, 2.0)
    assert told == pytest.approx(10 + 5 * 2e6 * 0.85e-6)


@pytest.mark.parametrize("expected", [None, 600_000])
def test_as_much_again_is_ahead_where_nothing_is_expected_or_more_was_found(expected: float | None) -> None:
    rest = Remaining()
    doing = Doing("exploring", expected=expected, engine="compiled")
    assert rest.seconds(doing, 1, 0.0) is None
    assert rest.seconds(doing, 1_000_000, 10.0, 10.0) == pytest.approx(10 + 2e6 * 0.85e-6)


def test_what_plain_rules_found_says_nothing_of_the_rate_of_compiled_ones() -> None:
    rest = Remaining()
    for number, moment in ((1, 0.0), (1_000, 5.0)):
        rest.seconds(Doing("exploring", expected=2e6), number, moment)
    assert rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1_000, 6.0) is None
    told = rest.seconds(Doing("exploring", expected=2e6, engine="compiled"), 1_000_000, 8.0, 8.0)
    assert told == pytest.approx(2 + 2e6 * 0.85e-6)


def test_a_step_that_knows_its_part_goes_by_its_own_rate() -> None:
    rest = Remaining()
    rest.seconds(Doing("writing 100 rows", part=(0, 100)), 0, 50.0)
    assert rest.seconds(Doing("writing 100 rows", part=(25, 100)), 25, 51.0) == pytest.approx(3.0)


def test_plain_rules_take_a_share_of_the_time_for_exploring_afterwards() -> None:
    rest = Remaining()
    rest.seconds(Doing("exploring"), 1, 0.0)
    rest.seconds(Doing("exploring"), 1000, 10.0)
    told = rest.seconds(Doing("solving"), 1000, 10.0, 10.0)
    assert told == pytest.approx(3.5 + 1000 * 0.2e-6)


@pytest.mark.parametrize("width", [10, 24, 40, 60, 80, 200])
def test_a_narrow_line_says_less_and_cuts_no_word(width: int) -> None:
    parts = _parts(Doing("solving", part=(27, 100)), 1_974_174, 12.0, 30.0)
    line = _fitting(parts, width)
    assert len(line) <= width
    assert line in {
        "  ".join(parts[place] for place in range(len(parts)) if chosen >> place & 1) for chosen in range(64)
    }
    assert line.startswith("solving")


def test_the_line_tells_totals_and_the_rest() -> None:
    line = _fitting(_parts(Doing("exploring", expected=4e6), 1_000_000, 10.0, 35.0), 200)
    assert line.startswith(
        "exploring  █████░░░░░░░░░░░░░░░  25 %  10 s, about 35 s left  1,000,000 states of about 4,000,000"
    )
