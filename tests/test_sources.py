"""One interface for whatever answers: five kinds of source, and nobody asks of which kind one is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import endsight as es
from endsight.answers.plans import Planned
from endsight.answers.searched import Search, Searcher
from endsight.answers.source import Solved, Source, StateTable
from endsight.compiler import choice
from endsight.storage.source import Stored
from endsight.theorems import Theorem
from places import reachable
from ranges import as_range

HERE = Path(es.__file__).parent
KINDS = {Theorem, Solved, Search, Stored, Planned}


def below(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from below(each)


def test_there_are_five_kinds_of_source() -> None:
    assert set(Source.__subclasses__()) == KINDS
    assert {kind for each in KINDS - {Theorem} for kind in below(each)} == set()


def test_nobody_asks_a_source_or_a_table_what_it_is() -> None:
    solved = [es.solve(es.games.TicTacToe()), es.solve(es.games.Pots([4, 9, 2, 7])), es.solve(es.games.Ur(pieces=1))]
    assert all(isinstance(solution.source, Source) for solution in solved)
    kinds = {kind.__name__ for base in (Source, StateTable, Searcher) for kind in (base, *below(base))}
    asked = []
    for path in sorted(HERE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                names = {each.id for each in ast.walk(node.args[1]) if isinstance(each, ast.Name)}
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
    monkeypatch.setattr(choice, "PLAIN_EDGES", 20)
    monkeypatch.setattr(choice, "_FIRST_NODES", 10)
    plain = es.solve(game, method="graph", engine="plain", exact=True)
    source = es.solve(game, **options).source  # type: ignore[arg-type]
    asked = 0
    for place in list(reachable(game.position()))[:200:3]:
        row, exact = source.row(place), plain.values(place)
        if row is None:
            assert not source.covers(place)
            continue
        asked += 1
        assert source.covers(place)
        assert row == (source.value(place), source.distance(place))
        assert all(value in as_range(found) for found, value in zip(row[0], exact, strict=True))
        assert row[1] in (None, plain.distance(place))
        bounds = source.proven(place)
        assert bounds is None or all(low <= value <= high for (low, high), value in zip(bounds, exact, strict=True))
    assert asked >= 5
