"""Commands under random combinations of options, and questions that gave wrong answers or none."""

from __future__ import annotations

from pathlib import Path

import pytest

import fuzz_options
from amounts import seed_rows


@pytest.mark.parametrize("seeds", seed_rows(60, 7, first=5_000_000))
def test_random_combinations_of_options(seeds: range, tmp_path: Path) -> None:
    tally = fuzz_options.Tally()
    for seed in seeds:
        fuzz_options.run_one(seed, tmp_path, tally, compiled=len(seeds))
    assert not tally.differences
    assert tally.judged > len(seeds) / 2
    assert tally.answers.total() > 15 * len(seeds)
