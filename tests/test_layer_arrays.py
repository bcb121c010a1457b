"""Keys and scores of layers as arrays, streams and work files: functions that every solve on files rests on."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from endsight.errors import FileError
from endsight.layers import arrays, segments
from endsight.layers.arrays import merged, without
from endsight.layers.parts import UNIT, narrowed, payoffs_of, widened
from endsight.storage.keys import rows_of, words_of


def rows(words):
    numbers = st.integers(0, (1 << 61) - 1) | st.integers(0, 50)
    return st.lists(st.tuples(*[numbers] * words), max_size=60).map(
        lambda keys: np.array(keys, np.int64).reshape(len(keys), words)
    )


def as_set(keys):
    return {tuple(row[::-1]) for row in keys.tolist()}


@pytest.mark.parametrize("words", [1, 2])
def test_keys_are_sorted_joined_split_and_found(words) -> None:
    @given(rows(words), rows(words), st.integers(1, 5), st.integers(0, 63))
    def check(one, other, parts, shift):
        first, second = arrays.sorted_keys(one.copy()), arrays.sorted_keys(other.copy())
        assert [tuple(row[::-1]) for row in first.tolist()] == sorted(as_set(one))
        both = arrays.distinct([first.copy(), second.copy()], words)
        assert [tuple(row[::-1]) for row in both.tolist()] == sorted(as_set(one) | as_set(other))
        places = arrays.places_of(first, both)
        assert (both[places] == first).all()
        assert [place >= 0 for place in arrays.places_of(both, first).tolist()] == [
            tuple(row[::-1]) in as_set(one) for row in both.tolist()
        ]
        owners = arrays.part_of(both, shift, parts)
        assert ((owners >= 0) & (owners < parts)).all()
        assert (arrays.part_of(first, shift, parts) == owners[places]).all()

    check()


@pytest.mark.parametrize("words", [1, 2])
def test_work_files_give_back_what_was_written(tmp_path, words, monkeypatch) -> None:
    monkeypatch.setattr(segments, "BLOCK", 7)

    @given(rows(words), st.lists(st.integers(-(1 << 62), 1 << 62) | st.integers(-3, 3), max_size=40))
    def check(keys, numbers):
        keys, scores = arrays.sorted_keys(keys), np.array(numbers, np.int64)
        segments.write_keys(tmp_path, "keys", keys)
        segments.write_scores(tmp_path, "scores", scores)
        assert (segments.read_keys(tmp_path, "keys", words) == keys).all()
        assert (segments.read_scores(tmp_path, "scores") == scores).all()

    check()


def test_a_changed_or_cut_work_file_is_refused(tmp_path) -> None:
    keys = np.arange(0, 900, 3).reshape(-1, 1)
    segments.write_keys(tmp_path, "keys", keys)
    whole = (tmp_path / "keys").read_bytes()
    for place in range(len(whole)):
        for data in (whole[:place], whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]):
            (tmp_path / "keys").write_bytes(data)
            with pytest.raises(FileError, match="damaged"):
                segments.read_keys(tmp_path, "keys", 1)


@pytest.mark.parametrize("words", [1, 2])
def test_sampled_keys_are_kept_once_and_in_order(words: int) -> None:
    draw = np.random.default_rng(1)
    samples = [tuple(draw.integers(0, 6, 200, np.uint64) for _ in range(words)) for _ in range(5)]
    every = np.concatenate([np.stack(sample) for sample in samples], axis=1)
    found = words_of(arrays.distinct(list(map(rows_of, samples)), words))
    assert (np.stack(found) == np.unique(every, axis=1)).all()


@settings(max_examples=60)
@given(st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=4), st.lists(st.integers(0, 60), max_size=30))
def test_streams_are_merged_and_taken_away(runs: list[list[int]], others: list[int]) -> None:
    def blocks(numbers: list[int]) -> list[np.ndarray]:
        keys = np.array(sorted(set(numbers)), np.int64).reshape(-1, 1)
        return [keys[first : first + 3] for first in range(0, len(keys), 3)]

    both = set().union(*runs)
    found = list(merged([blocks(run) for run in runs], 1))
    assert [int(key) for keys in found for key in keys[:, 0]] == sorted(both)
    left = list(without(found, blocks(others), 1))
    assert [int(key) for keys in left for key in keys[:, 0]] == sorted(both - set(others))


@given(st.integers(-(1 << 28), 1 << 28), st.integers(0, 1 << 31))
def test_scores_are_written_in_small_numbers(payoff: int, plies: int) -> None:
    score = np.array([payoff * UNIT - plies if payoff > 0 else payoff * UNIT + plies if payoff else 0])
    assert widened(narrowed(score)) == score
    assert payoffs_of(narrowed(score)) == payoff
    assert abs(payoff) != 1 or narrowed(score) == payoff * (1 + plies)
