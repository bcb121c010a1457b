"""The documentation as people read it: pages without faults for those who use no mouse, or no eyes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from doc_examples import ROOT

pytestmark = pytest.mark.browser

PAGES = ("index", "tutorial/tour", "how-to/which-pot", "reference/commands", "search")
SIZES = {"desk": (1280, 900), "phone": (390, 844)}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built pages: what `BUILT_DOCS` names, or built here, where a warning is an error."""
    if "BUILT_DOCS" in os.environ:
        return Path(os.environ["BUILT_DOCS"])
    pytest.importorskip("furo")
    folder = tmp_path_factory.mktemp("docs")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", str(ROOT / "docs"), str(folder)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder


@pytest.fixture(scope="module", params=SIZES)
def page(chromium: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    """A page of a screen of that size."""
    width, height = SIZES[request.param]
    context = chromium.new_context(viewport={"width": width, "height": height})
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_pages_have_no_faults(page: Any, built: Path, name: str) -> None:
    """Neither serious nor slight ones: headings, landmarks, colours in light and dark, and reach by keys."""
    from axe_playwright_python.base import AXE_SCRIPT

    page.goto((built / f"{name}.html").as_uri())
    page.evaluate(AXE_SCRIPT)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        found = page.evaluate("axe.run({resultTypes: ['violations']})")["violations"]
        assert [(each["id"], each["nodes"][0]["html"][:200]) for each in found] == [], scheme


def test_what_has_to_be_scrolled_is_reached_by_keys(page: Any, built: Path) -> None:
    page.goto((built / "reference/commands.html").as_uri())
    frames = page.locator("pre").all()
    assert len(frames) > 5
    for frame in frames:
        is_wide = frame.evaluate("frame => frame.scrollWidth > frame.clientWidth")
        assert (frame.get_attribute("tabindex") == "0") == is_wide
