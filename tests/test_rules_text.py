"""Rules typed into a notebook: their cell is their text, and changed rules are other rules."""

import linecache
import sys
from pathlib import Path

import pytest

import endsight as es

RULES = """from typing import NamedTuple
from endsight import Game

class Heap(Game):
    heap: int = 5

    class State(NamedTuple):
        left: int

    def start(self):
        return self.State(self.heap)

    def limits(self):
        return self.start()

    def moves(self, state):
        return range(1, min(2, state.left) + 1)

    def play(self, state, count):
        return self.State(state.left - count)

    def payoff(self, state):
        return -1
"""
CHANGED = RULES.replace("return -1", "return 1")


@pytest.fixture(autouse=True)
def notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """`__main__` of a notebook's kernel comes from no file."""
    monkeypatch.delattr(sys.modules["__main__"], "__file__", raising=False)


def typed(text: str, name: str | None, module: str = "__main__") -> type[es.Game]:
    """The class of a cell as a notebook's kernel makes it: in `__main__`, its text in `linecache`."""
    if name is not None:
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = {"__name__": module}
    exec(compile(text, name or "<string>", "exec"), space)
    return space["Heap"]  # type: ignore[return-value]


def test_a_cell_is_the_text_of_its_rules(tmp_path: Path) -> None:
    first = typed(RULES, "/tmp/ipykernel_1/11.py")
    again = typed(RULES, "/tmp/ipykernel_2/12.py")
    other = typed(CHANGED, "/tmp/ipykernel_1/13.py")
    certificate = es.prove(es.solve(first()))
    es.verify(certificate, again)
    with pytest.raises(es.FileError, match="about different rules"):
        es.verify(certificate, other)
    (tmp_path / "heap.py").write_text(RULES)
    es.verify(certificate, es.load(str(tmp_path / "heap.py")))


def test_changed_cells_open_no_stored_solution(tmp_path: Path) -> None:
    first, other = typed(RULES, "/tmp/ipykernel_1/21.py"), typed(CHANGED, "/tmp/ipykernel_1/22.py")
    es.save(es.solve(first()), tmp_path / "heap")
    assert es.open_tablebase(tmp_path / "heap", first()).solution().value() == es.solve(first()).value()
    with pytest.raises(es.FileError, match="something else"):
        es.open_tablebase(tmp_path / "heap", other())


def test_what_has_no_text_is_not_proven() -> None:
    kind = typed(RULES, None)
    with pytest.raises(es.QuestionError, match="no text"):
        es.prove(es.solve(kind()))


def test_what_else_the_rules_are_made_of_counts_too(tmp_path: Path) -> None:
    """A base class that is no game itself, in another file."""
    (tmp_path / "ends.py").write_text("class Ends:\n    def payoff(self, state): return -1\n")
    whole = RULES.replace("(Game)", "(Ends, Game)").partition("    def payoff")[0]
    (tmp_path / "heap.py").write_text(
        f"import sys\nsys.path.insert(0, {str(tmp_path)!r})\nfrom ends import Ends\n{whole}"
    )
    kind = type(es.load(str(tmp_path / "heap.py")))
    certificate = es.prove(es.solve(kind()))
    es.verify(certificate, kind)
    (tmp_path / "ends.py").write_text("class Ends:\n    def payoff(self, state): return +10\n")
    with pytest.raises(es.FileError, match="about different rules"):
        es.verify(certificate, kind)


def test_a_file_counts_as_a_whole(tmp_path: Path) -> None:
    for name, text in {"heap": RULES, "again": RULES, "longer": f"{RULES}\nHELPER = 3\n"}.items():
        (tmp_path / f"{name}.py").write_text(text)
    heap, again, longer = (es.load(str(tmp_path / f"{name}.py")) for name in ("heap", "again", "longer"))
    certificate = es.prove(es.solve(heap))
    es.verify(certificate, again)
    with pytest.raises(es.FileError, match="about different rules"):
        es.verify(certificate, longer)
