"""200 random rules classes: both engines find the same positions, moves, weights, rewards and payoffs."""

from __future__ import annotations

from pathlib import Path

import pytest

import random_rules
from amounts import seeds
from both_engines import by_machine, by_python, parts_of, positions
from endsight import CHANCE, Game, load, solve

CLASSES = 200


@pytest.mark.parametrize("seed", seeds(CLASSES, 8))
def test_both_engines_agree(seed: int, tmp_path: Path) -> None:
    text = random_rules.source(seed)
    (tmp_path / "rules.py").write_text(text, encoding="utf-8")
    game = load(f"{tmp_path / 'rules.py'}:Rules")
    plain = by_python(game)
    assert parts_of(by_machine(game)) == parts_of(plain), text
    if seed % 4 == 0 and game.player_count < 3 and CHANCE not in plain.movers:
        check_layers(game)


def check_layers(game: Game) -> None:
    """Values by layers too."""
    layers, graph = (
        solve(game, method=method, engine=engine) for method, engine in (("layers", "compiled"), ("graph", "plain"))
    )
    assert layers.source.refusal is None
    for position in positions(game):
        assert layers.values(position) == graph.values(position)


def test_the_classes_are_various() -> None:
    texts = [random_rules.source(seed) for seed in range(CLASSES)]
    assert len(set(texts)) == CLASSES
    for sign in ("CHANCE if", "def reward", "def weight", "while ", "any(", "return\n", "players = 1", "players = 3"):
        assert sum(sign in text for text in texts) >= 20, sign
