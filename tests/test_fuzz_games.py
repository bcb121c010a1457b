"""Some of the random games of `fuzz_games.py` in every run, and thousands of them with `-m slow`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import endsight
import fuzz_games
import game_texts
from amounts import seed_rows

SOURCE = Path(endsight.__file__).parent
FIRST = 77_000_000


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def tallied(seeds: range, folder: Path) -> fuzz_games.Tally:
    tally, known = fuzz_games.Tally(), fuzz_games.reasons()
    for seed in seeds:
        fuzz_games.run_one(seed, folder, tally, known)
    assert not tally.differences, "\n".join(tally.differences[:5])
    return tally


@pytest.mark.parametrize("seeds", seed_rows(60, 5, FIRST))
def test_every_method_agrees_with_the_oracle(seeds: range, tmp_path: Path) -> None:
    tally = tallied(seeds, tmp_path)
    assert tally.answers["method=auto engine=plain"] == tally.games - tally.without_value


def test_bounds_of_a_stopped_solve_do_not_rest_on_a_search_that_was_refused(tmp_path: Path) -> None:
    """Alpha-beta met payoffs that are not opposed there, and the graph that came next met its limit."""
    tally = fuzz_games.Tally()
    fuzz_games.run_one(41_000_379, tmp_path, tally, fuzz_games.reasons())
    assert tally.differences == []


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


def refusals_of(module: Path) -> Iterator[str]:
    """How the messages begin with which a module refuses a question."""
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "QuestionError":
            message = node.args[0]
            parts = message.values if isinstance(message, ast.JoinedStr) else [message]
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "GAME" for part in parts)


def test_the_documentation_lists_all_reasons_to_refuse_and_no_others() -> None:
    searches = (f"algorithms/{name}" for name in ("minimax", "alphabeta", "proof_number"))
    others = ("graph/game_tree", "graph/unfolding", "answers/searching")
    files = [SOURCE / f"{name}.py" for name in (*searches, *others)]
    messages = {message for file in files for message in refusals_of(file)}
    messages |= {message for message in refusals_of(SOURCE / "answers/paths.py") if "theorem" in message}
    assert len(messages) == 7
    for message in messages:
        assert sum(bool(reason.search(message)) for reason in fuzz_games.reasons()) == 1, message
    for reason in fuzz_games.reasons():
        assert any(map(reason.search, messages)), reason.pattern


def test_keys_that_were_never_written_are_nobodys_fault(tmp_path: Path) -> None:
    """Compiled rules of an Enum whose payoff was exchanged fail, and room without states was read as states."""
    tally = fuzz_games.Tally()
    fuzz_games.run_one(901110000200, tmp_path, tally, fuzz_games.reasons(), 1)
    assert tally.differences == []
    assert tally.games == 1
