"""What the doctor says about an installation, and the commands about what answers cost."""

from __future__ import annotations

import importlib.metadata
import json
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import SimpleNamespace

import pytest

import endsight as es
from command_line import ask, run
from test_schemas import validate

# ---------------------------------------------------------------------- doctor


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("ENDSIGHT_CACHE_DIR", str(folder))
    return folder


def test_report_names_what_is_there(cache: Path) -> None:
    report = ask("doctor")
    assert validate(report) == "doctor"
    packages = report["packages"]
    assert {"click", "numpy", "psutil", "python-flint", "rich"} <= {package["name"] for package in packages}
    assert all(package["sufficient"] for package in packages if package["extra"] is None)
    assert report["cores"] >= 1
    assert 0 < report["memory"]["free"] <= report["memory"]["total"]
    told = report["cache"]
    assert (told["folder"], told["files"], told["bytes"], told["writable"]) == (str(cache), 0, 0, True)
    assert not cache.exists(), "looking must not make the folder"


def test_only_our_own_files_are_cleared(cache: Path) -> None:
    cache.mkdir()
    ours = [cache / f"{'a' * 40}.object", cache / f"{'0' * 40}.checked"]
    for file in ours:
        file.write_bytes(b"12345")
    others = [cache / "letter.txt", cache / f"{'a' * 39}.object", cache / f"{'b' * 40}.object.txt"]
    for file in others:
        file.write_text("mine")
    (cache / f"{'c' * 40}.object").mkdir()
    assert ask("doctor")["cache"]["files"] == 2
    cleared = ask("doctor", "--clear-cache")
    assert (validate(cleared), cleared["freed"]) == ("doctor", 10)
    assert ask("doctor")["cache"]["bytes"] == 0
    assert all(file.exists() for file in others)
    assert not any(file.exists() for file in ours)


def test_compiled_rules_are_seen_where_the_compiler_puts_them(cache: Path) -> None:
    es.solve("tictactoe:width=2,height=2", engine="compiled").value()
    found = ask("doctor")["cache"]
    assert found["files"] == len([file for file in cache.iterdir() if file.is_file()]) > 0


def installed(monkeypatch: pytest.MonkeyPatch, needs: dict[str, str], versions: dict[str, str]) -> None:
    """As if endsight needed these packages, and those versions were there."""

    def distribution(name: str) -> SimpleNamespace:
        if name not in {"endsight", *versions}:
            raise PackageNotFoundError(name)
        return SimpleNamespace(requires=[each + rest for each, rest in needs.items()], version=versions.get(name))

    monkeypatch.setattr(importlib.metadata, "distribution", distribution)


def test_problems_come_with_cures(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needs = {"numpy": ">=1.26", "rich": "", "dask": ">=2; extra == 'web'"}
    installed(monkeypatch, needs, {"numpy": "1.2"})
    cache.write_text("a file, not a folder")
    problems = {problem["message"]: problem["cure"] for problem in ask("doctor")["problems"]}
    assert {"numpy>=1.26 is needed, found: 1.2", "rich is needed, found: none"} <= {*problems}
    assert not any("dask" in message for message in problems)
    assert any("cannot be kept" in message for message in problems)
    assert all(problems.values())


@pytest.mark.parametrize(
    ("found", "least", "enough"),
    [
        ("2.0", "1.26", True),
        ("1.26", "1.26.0", True),
        ("1.9", "1.26", False),
        ("1.26rc1", "1.26", True),
        ("3", None, True),
    ],
)
def test_versions_are_compared_as_numbers(
    monkeypatch: pytest.MonkeyPatch, found: str, least: str | None, enough: bool
) -> None:
    installed(monkeypatch, {"any": f">={least}" if least else ""}, {"any": found})
    (package,) = ask("doctor")["packages"]
    assert (package["version"], package["least"], package["sufficient"]) == (found, least, enough)


# ---------------------------------------------------------------------- commands


def test_doctor_command(cache: Path) -> None:
    cache.mkdir()
    (cache / f"{'a' * 40}.object").write_bytes(b"12345")
    answer = run("doctor", "--clear-cache", "--json")
    assert answer.code == 0
    document = json.loads(answer.out)
    validate(document)
    assert document["freed"] == 5
    assert "No problems found." in run("doctor").out
    assert run("doctor", "--plain").out.startswith("name\tversion\tleast\textra\tsufficient\n")


def test_cost_commands() -> None:
    estimate = run("estimate", "tictactoe", "--json")
    validate(json.loads(estimate.out))
    assert "765" in run("estimate", "tictactoe").out
    refused = run("estimate", "connectfour:width=5,height=4", "--states", "1000")
    assert refused.code == 0
    assert "cannot be kept within the limits" in refused.out
    assert "bigger" not in run("estimate", "tictactoe", "--plain").out
    growth = run("growth", "nim", "--vary", "heaps=1,1-2", "--json")
    validate(json.loads(growth.out))
    drawn = run("growth", "chomp", "--vary", "width=1..4", "--methods", "table,graph")
    assert drawn.code == 0
    assert "alpha-beta with a table" in drawn.out
    assert "with each step of width" in drawn.out or "like width^" in drawn.out
    assert run("growth", "chomp", "--vary", "width=1..4", "--methods", "magic").code == 2
    assert run("growth", "chomp", "--vary", "width=1..4", "--method", "graph").code == 2
    plain = run("growth", "chomp", "--vary", "width=1..2", "--methods", "graph", "--plain").out
    assert plain.splitlines()[0].startswith("width\tmethod\tstatus\tpositions")


@pytest.mark.parametrize("method", ["minimax", "alphabeta"])
def test_search_methods_answer_questions(method: str) -> None:
    answer = run("analyze", "tictactoe", "--at", "a1 b2 a3", "--method", method, "--json")
    assert answer.code == 0
    document = json.loads(answer.out)
    validate(document)
    other = json.loads(run("analyze", "tictactoe", "--at", "a1 b2 a3", "--method", "graph", "--json").out)
    assert document["value"] == other["value"]
    assert {move["move"]: move["value"] for move in document["moves"]} == {
        move["move"]: move["value"] for move in other["moves"]
    }
    assert document["method"]["theorem"] is None
