"""One interface for whatever answers: five kinds of source, and nobody asks of which kind one is."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import endsight as es
from places import reachable
from ranges import as_range
from thresholds import compile_small_games

HERE = Path(es.__file__).parent


@pytest.fixture(scope="module")
def nodes() -> dict[Path, list[ast.AST]]:
    """The syntax of every module of the package."""
    return {path: list(ast.walk(ast.parse(path.read_text(encoding="utf-8")))) for path in sorted(HERE.rglob("*.py"))}


@pytest.fixture(scope="module")
def bases(nodes: dict[Path, list[ast.AST]]) -> dict[str, set[str]]:
    """What every class of the package inherits from."""
    classes = [node for each in nodes.values() for node in each if isinstance(node, ast.ClassDef)]
    return {node.name: {ast.unparse(base).partition("[")[0] for base in node.bases} for node in classes}


def below(name: str, bases: dict[str, set[str]]) -> set[str]:
    """The classes that inherit from the one of that name, as the text of the package says."""
    found = [name]
    for each in found:
        found += [own for own, known in bases.items() if each in known and own not in found]
    return {*found[1:]}


def test_there_are_five_kinds_of_source(bases: dict[str, set[str]]) -> None:
    kinds = {"Theorem", "Solved", "Search", "StoredSource", "PlayedByHistory"}
    assert below("PlayedByHistory", bases) == {"Planned", "Replied"}
    kinds |= {"Planned", "Replied"}
    assert kinds <= below("Source", bases)
    assert below("Source", bases) - kinds == below("Theorem", bases)


def test_nobody_asks_a_source_or_a_table_what_it_is(
    nodes: dict[Path, list[ast.AST]], bases: dict[str, set[str]]
) -> None:
    kinds = {name for base in ("Source", "StateTable", "Searcher") for name in (base, *below(base, bases))}
    assert len(kinds) > 10
    asked = []
    for path, each in nodes.items():
        for node in each:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                names = {name.id for name in ast.walk(node.args[1]) if isinstance(name, ast.Name)}
                asked += [f"{path.relative_to(HERE)}:{node.lineno}"] if names & kinds else []
    assert asked == []


WAYS = [
    (es.games.TicTacToe(width=3, height=2, line=2), {"method": "graph", "engine": "plain"}),
    (es.games.TicTacToe(width=3, height=2, line=2), {"method": "layers", "engine": "compiled"}),
    (es.games.TicTacToe(width=3, height=2, line=2), {"method": "search", "engine": "compiled"}),
    (es.games.Pots([4, 9, 2, 7, 5, 6]), {"method": "layers", "engine": "compiled"}),
    (es.games.Pots([4, 9, 2, 7, 5, 6]), {}),
    (es.games.Pig(target=6), {"interval": True}),
    (es.games.Ur(pieces=1), {"method": "layers", "interval": True}),
]


@pytest.mark.parametrize(("game", "options"), WAYS, ids=str)
def test_a_row_is_what_all_questions_about_a_position_say(
    game: es.Game, options: dict[str, object], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path))
    compile_small_games(monkeypatch)
    plain = es.solve(game, method="graph", engine="plain", exact=True)
    solution = es.solve(game, **options)  # type: ignore[arg-type]
    asked = 0
    for place in list(reachable(game.position()))[:200:3]:
        if not solution.answers(place):
            continue
        exact = plain.values(place)
        asked += 1
        value, distance = solution.row(place)
        assert (value, distance) == (solution.ends(place), solution.distance(place))
        assert all(value in as_range(found) for found, value in zip(solution.values(place), exact, strict=True))
        assert solution.distance(place) in (None, plain.distance(place))
        bounds = solution.proven(place)
        assert bounds is None or all(low <= value <= high for (low, high), value in zip(bounds, exact, strict=True))
    assert asked >= 5
