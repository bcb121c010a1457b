"""The documentation is true: examples are run, and nothing public lacks a place."""

from __future__ import annotations

import json
import os
import re
import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from urllib.parse import unquote

import pytest

import doc_examples
import endsight
from doc_examples import PAGES, ROOT, blocks, masked, renewed
from endsight.faces.cli.group import endsight as command
from endsight.games import BUILT_IN

DOCS = ROOT / "docs"
REFERENCE = DOCS / "reference"
LANGUAGES = {"console", "json", "python", "sh", "text", "toml"}
INSTALLING = {"README.md", "CONTRIBUTING.md"}


@pytest.fixture(autouse=True, scope="module")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """How far a stopped example comes depends on the machine code that is kept: here only that of the pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def names(pages: list[Path]) -> list[str]:
    return [str(page.relative_to(ROOT)) for page in pages]


@pytest.mark.skipif(os.name == "nt", reason="some examples are bash")
@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_examples(page: Path, tmp_path: Path) -> None:
    written = text_of(page)
    assert masked(renewed(written, tmp_path)) == masked(written)


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_blocks_are_run_or_meant_to_be_read(page: Path) -> None:
    for block in blocks(text_of(page)):
        assert block.language in LANGUAGES or block.language.startswith("{"), block.language
        if block.language == "sh":
            assert page.name in INSTALLING, "commands in docs are `console` examples"


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_no_example_went_wrong(page: Path) -> None:
    assert "Traceback (" not in text_of(page)
    assert "this is a bug in endsight" not in text_of(page)


@pytest.mark.parametrize("page", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)", text_of(page)):
        if not target.startswith(("https://", "mailto:")):
            assert (page.parent / unquote(target)).exists(), target


def test_a_wrong_output_is_noticed(tmp_path: Path) -> None:
    page = "```console\n$ endsight value chomp:width=2,height=1\nsecond wins in 2\n```\n"
    assert "first wins in 2" in renewed(page, tmp_path)


def test_python_and_files_are_run(tmp_path: Path) -> None:
    file = "<!-- file: half.txt -->\n```python\n1 / 2\n```\n"
    setting = "```python\nfrom pathlib import Path\ntext = Path('half.txt').read_text()\n```\n"
    wrong = "```python\n>>> eval(text)\n0.6\n```\n"
    assert renewed(file + setting + wrong, tmp_path) == file + setting + wrong.replace("0.6", "0.5")
    with pytest.raises(ZeroDivisionError):
        renewed("```python\n>>> 1 / 0\n```\n", tmp_path)


def test_hidden_commands_and_added_parts_are_run(tmp_path: Path) -> None:
    page = (
        "<!-- file: a.txt -->\n```python\nfirst\n```\n"
        "<!-- add to: a.txt -->\n```python\nsecond\n```\n"
        "<!-- run: sed s/first/1/ a.txt > b.txt -->\n```console\n$ cat b.txt\n```\n"
    )
    assert "$ cat b.txt\n1\n\nsecond\n```" in renewed(page, tmp_path)


def test_only_seconds_and_what_fits_into_them_and_the_version_are_masked() -> None:
    assert masked("minimax · 12 states · 3.4 s") == masked("minimax · 12 states · under 0.01 s")
    assert masked("minimax · 12 states · 3.4 s") != masked("minimax · 13 states · 3.4 s")
    assert masked('"seconds": 2e-05,') == masked('"seconds": 1.5,')
    assert masked('"audited": 870,') == masked('"audited": 1000,') != masked('"audited": 0,')
    assert masked("first wins in 5") != masked("first wins in 6")


# ---------------------------------------------------------------------- everything has a place


def test_public_names_have_a_place() -> None:
    pages = text_of(REFERENCE / "python.md") + text_of(REFERENCE / "rules.md")
    listed = set(endsight.__all__)
    errors = set(import_module("endsight.errors").__all__)
    assert "automodule:: endsight.errors" in pages
    lacking = [name for name in listed - errors if not re.search(rf"endsight\.{name}\b", pages)]
    assert not lacking


def test_commands_have_a_place() -> None:
    page = text_of(REFERENCE / "commands.md")
    lacking = [name for name in command.list_commands(None) if f"$ endsight {name} --help" not in page]  # type: ignore[arg-type]
    assert not lacking


def test_games_have_a_place() -> None:
    page = text_of(REFERENCE / "games.md")
    assert [name for name in BUILT_IN if f"$ endsight games {name}\n" not in page] == []
    classes = text_of(REFERENCE / "python.md")
    assert [name for name in BUILT_IN.values() if f"`{name}`" not in classes] == []


_THEOREM = re.compile(r"^class \w+\((?:Theorem|KnownPots|RepeatTheorem)\):", re.MULTILINE)


def test_algorithms_and_theorems_have_a_theory_page() -> None:
    theory = "".join(map(text_of, sorted((DOCS / "theory").glob("*.md"))))
    algorithms = [path.stem for path in (ROOT / "src/endsight/algorithms").glob("[a-z]*.py")]
    modules = [f"endsight.algorithms.{name}" for name in algorithms if _is_public("endsight.algorithms." + name)]
    theorems = {path.stem for path in (ROOT / "src/endsight/theorems").glob("*.py") if _THEOREM.search(text_of(path))}
    modules += [f"endsight.theorems.{name}" for name in theorems - {"known_pots"}]  # it only serves theorems of pots
    assert len(modules) > 12
    assert [name for name in modules if f"`{name}`" not in theory] == []


def _is_public(module: str) -> bool:
    """Whether the module is an algorithm of its own: it offers a function of its own name."""
    return hasattr(import_module(module), module.rpartition(".")[2])


def test_theory_pages_have_all_their_parts() -> None:
    parts = ["## What it says", "## Why it is true", "## What it costs", "## Where it comes from", "## See it"]
    for page in sorted((DOCS / "theory").glob("*.md")):
        if page.stem != "index":
            headings = [line for line in text_of(page).splitlines() if line.startswith("## ")]
            assert headings == parts, page.name


def test_every_entry_of_the_glossary_is_a_term_with_its_definition() -> None:
    paragraphs = text_of(REFERENCE / "glossary.md").split("\n\n")[2:]
    entries = [each.splitlines() for each in paragraphs if not each.startswith("#")]
    assert len(entries) > 40
    assert [rows[0] for rows in entries if len(rows) < 2 or not rows[1].startswith(": ")] == []


def test_keys_of_documents_have_a_place() -> None:
    page = text_of(REFERENCE / "json.md")
    for schema in sorted((ROOT / "src/endsight/schemas").glob("*.json")):
        keys = set(json.loads(text_of(schema))["properties"])
        assert [key for key in keys if f"`{key}`" not in page] == [], schema.name
        assert f"`{schema.name}`" in page


# ---------------------------------------------------------------------- the README


def test_readme_opens_with_the_two_commands() -> None:
    first, second = [block for block in blocks(text_of(ROOT / "README.md")) if block.language == "sh"]
    assert len(first.lines) == len(second.lines) == 1
    assert first.lines[0].startswith("python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/endsight analyze ")
    assert second.lines[0].endswith(".venv/bin/python -m pytest")


def test_readme_runs_the_first_command_again_as_an_example() -> None:
    first, *_ = blocks(text_of(ROOT / "README.md"))
    question = first.lines[0].split(" && .venv/bin/")[2]
    assert question.startswith("endsight analyze ")
    assert f"$ {question}\n" in text_of(ROOT / "README.md")


def test_readme_names_the_extra_before_the_first_game_that_needs_it() -> None:
    """The first command of the README installs no extras; everything after it is typed as it stands."""
    readme = text_of(ROOT / "README.md")
    asked = re.search(r"^\$ endsight \w+ (kuhn|leduc|liarsdice|phantomtictactoe|battleship)", readme, re.MULTILINE)
    assert asked is not None
    assert "pip install '.[hidden]'" in readme[: asked.start()]


def test_readme_names_what_pip_brings() -> None:
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    readme = text_of(ROOT / "README.md")
    for requirement in project["dependencies"]:
        assert re.match(r"[\w-]+", requirement)[0] in readme
    assert project["requires-python"].removeprefix(">=") in readme


def test_the_version_is_the_same_everywhere() -> None:
    version = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]["version"]
    assert endsight.__version__ == version
    assert f"\nversion: {version}\n" in text_of(ROOT / "CITATION.cff")
    assert f"## [{version.partition('.dev')[0]}]" in text_of(ROOT / "CHANGELOG.md")


def test_nothing_is_written_when_the_pages_are_true(tmp_path: Path, monkeypatch, capsys) -> None:
    page = tmp_path / "page.md"
    page.write_text("```console\n$ endsight value nim:heaps=1-1\nwrong\n```\n", encoding="utf-8")
    monkeypatch.setattr("sys.argv", ["doc_examples.py", str(page)])
    doc_examples.main()
    assert "written anew" in capsys.readouterr().out
    doc_examples.main()
    assert capsys.readouterr().out == ""
