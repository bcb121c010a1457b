"""200 random rules classes: both engines find the same positions, moves, weights, rewards and payoffs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

import random_rules
from amounts import seeds
from endsight import CHANCE, Game, Limits, Position, Question
from endsight.algorithms.backward_induction import backward_induction
from endsight.answers.source import Solved
from endsight.compiler.engine import explore_compiled, solve_compiled
from endsight.compiler.refusal import CannotCompile
from endsight.game.limits import Budget
from endsight.graph.explorer import explore
from endsight.graph.graph_table import GraphTable

CLASSES = 200


def load(seed: int, folder: Path) -> Game:
    file = folder / f"rules_{seed}.py"
    file.write_text(random_rules.source(seed), encoding="utf-8")
    spec = importlib.util.spec_from_file_location(file.stem, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    game: Game = module.Rules()
    return game


@pytest.mark.parametrize("seed", seeds(CLASSES, 8))
def test_both_engines_agree(seed: int, tmp_path: Path) -> None:
    game = load(seed, tmp_path)
    start = game.position()
    view, plain = explore(game, start, Question())
    compiled = explore_compiled(game, start, Question(), tracks_mover=view.tracks)[1]
    assert compiled == plain, random_rules.source(seed)
    if seed % 4 == 0 and game.player_count < 3 and CHANCE not in plain.movers:
        check_layers(game, view, plain)


def check_layers(game: Game, view: Any, plain: Any) -> None:
    """Values by layers too, where payoffs are opposed."""
    budget = Budget(Limits(memory=1 << 40))
    try:
        source = solve_compiled(game, game.position(), Question(), "layers", symmetry=True, budget=budget)
    except CannotCompile as reason:
        if "opposed" not in str(reason):
            raise
        return
    known = Solved(GraphTable(view, plain, backward_induction(plain)))
    for node, key in enumerate(plain.keys):
        state, mover, _ = view.split(key)
        seat = mover if view.tracks else max(plain.movers[node], 0)
        position = Position(game, state, seat, (0,) * game.player_count, ())
        assert source.value(position) == known.value(position)


def test_the_classes_are_various() -> None:
    texts = [random_rules.source(seed) for seed in range(CLASSES)]
    assert len(set(texts)) == CLASSES
    for sign in ("CHANCE if", "def reward", "def weight", "while ", "any(", "return\n", "players = 1", "players = 3"):
        assert sum(sign in text for text in texts) >= 20, sign
