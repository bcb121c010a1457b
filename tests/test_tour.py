"""The notebook tour is true: its cells run, and show what stands in it."""

from __future__ import annotations

import json
import re

import pytest

from notebook_cells import NOTEBOOK, executed, text_of

TEXT = NOTEBOOK.read_text(encoding="utf-8")


def test_the_cells_show_what_stands_there() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("highspy")
    assert text_of(executed(json.loads(TEXT))) == TEXT


def test_a_wrong_output_is_noticed() -> None:
    cell = {"cell_type": "code", "source": ["x = 1\n", "x + 1"], "outputs": []}
    (done,) = executed({"cells": [cell]})["cells"]
    assert done["outputs"][0]["data"]["text/plain"] == ["2"]
    with pytest.raises(ZeroDivisionError):
        executed({"cells": [{**cell, "source": ["1 / 0"]}]})


def test_nothing_in_it_runs_or_is_fetched() -> None:
    outputs = json.dumps([cell.get("outputs") for cell in json.loads(TEXT)["cells"]])
    assert "<script" not in outputs
    # The style of a picture is about that picture alone.
    for style in re.findall(r"<style>(.*?)</style>", outputs):
        rules = re.findall(r"([^{}]+)\{[^{}]*\}", re.sub(r"@media\([^)]*\)\{|\}\}", "}", style))
        assert rules
        assert all(part.strip(" }").startswith(".es-") for rule in rules for part in rule.split(","))
    assert "<style" not in re.sub(r"<style>.*?</style>", "", outputs)
    assert "http" not in outputs.replace("http://www.w3.org/2000/svg", "")


def test_the_page_shows_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sphinx")
    monkeypatch.syspath_prepend(str(NOTEBOOK.parents[1] / "_ext"))
    from notebook import markdown_of  # type: ignore[import-not-found]

    page = markdown_of(json.loads(TEXT))
    for cell in json.loads(TEXT)["cells"]:
        assert "".join(cell["source"]) in page
        for output in cell.get("outputs", ()):
            shown = [output["text"]] if "text" in output else output["data"].values()
            assert any("".join(lines).rstrip() in page for lines in shown)
    assert page.count("``````python") == sum(cell["cell_type"] == "code" for cell in json.loads(TEXT)["cells"])
    assert "```{notebook} tour.ipynb" in (NOTEBOOK.parent / "tour.md").read_text(encoding="utf-8")


def test_it_is_a_notebook_of_the_current_format() -> None:
    notebook = json.loads(TEXT)
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    names = [cell["id"] for cell in notebook["cells"]]
    assert len(set(names)) == len(names)
    assert {cell["cell_type"] for cell in notebook["cells"]} == {"code", "markdown"}
