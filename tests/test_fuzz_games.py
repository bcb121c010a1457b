"""Some of the random games of `fuzz_games.py` in every run, and thousands of them with `-m slow`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import fuzz_games
import game_texts

FIRST = 77_000_000


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def tallied(count: int, first: int, folder: Path) -> fuzz_games.Tally:
    tally, known = fuzz_games.Tally(), fuzz_games.reasons()
    for seed in range(first, first + count):
        fuzz_games.run_one(seed, folder, tally, known)
    assert not tally.differences, "\n".join(tally.differences[:5])
    return tally


def test_every_method_agrees_with_the_oracle(tmp_path: Path) -> None:
    tally = tallied(60, FIRST, tmp_path)
    assert tally.answers["method=auto engine=plain"] == tally.games - tally.without_value


@pytest.mark.slow
def test_named_methods_refuse_for_the_reasons_that_the_documentation_lists(tmp_path: Path) -> None:
    tally = tallied(2_000, FIRST + 1_000, tmp_path)
    said = {message for _, message in tally.refusals}
    for reason in fuzz_games.reasons():
        assert any(map(reason.search, said)), reason.pattern
    assert not any(name.startswith(("method=auto", "method=graph")) for name, _ in tally.refusals)


def test_the_games_are_various() -> None:
    made = [game_texts.random_game(seed) for seed in range(600)]
    assert {each.way for each in made} == set(game_texts.WAYS)
    assert {each.family for each in made} == set(game_texts.FAMILIES)
    for trait in ("has_loops", "has_chance", "has_rewards"):
        assert sum(getattr(each, trait) for each in made) >= 25, trait
    assert {each.players for each in made} == {1, 2, 3}
