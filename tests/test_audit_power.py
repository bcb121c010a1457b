"""The audit alone finds what the first translator got wrong; `audit_power.py` gives it no more time than it has."""

from __future__ import annotations

from pathlib import Path

import pytest

from amounts import each
from audit_power import ROWS, power

QUICK = "the first iterable is read inside"


@pytest.mark.parametrize("name", each(ROWS, lambda name: name == QUICK))
def test_a_mistake_that_touches_one_position_in_100_is_found(name: str, tmp_path: Path) -> None:
    seeds = 20 if name == QUICK else 100
    found = power(ROWS[name], seeds, tmp_path, seconds=60.0)
    assert found.states > 45_000
    assert 0.005 < found.share < 0.015
    assert found.looked <= 1_000
    assert found.found >= 0.99 * seeds
