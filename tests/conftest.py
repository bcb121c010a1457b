"""What holds for all tests."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from thresholds import machine_code_as_it_comes

LONG = ("test_deepening.py", "test_docs.py", "test_ur.py", "test_web_")
"""What the names of files begin with whose tests take long."""

COMPILING = ("test_compiled_", "test_compiler_", "test_docs.py")
"""What the names of files begin with whose tests have LLVM improve the machine code of rules, as users do."""

# A slow or busy machine makes no test fail: Hypothesis counts its examples, not seconds.
settings.register_profile("endsight", deadline=None, suppress_health_check=list(HealthCheck))
settings.load_profile("endsight")

# A shell that starts the tests aside (`pytest &` in a script) has them ignore Ctrl-C, and so
# would all that they start, though that is what some of them try out.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put what takes long first, so that no process of several is left alone with it at the end."""
    items.sort(key=lambda item: not item.path.name.startswith(LONG))


def pytest_collection_finish() -> None:
    """Leave the thousands of tests out of every later search for objects that nobody uses any more.

    Python's usual thresholds take a fifth of the time of tests with many objects, and searches among a hundred
    thousand new objects a tenth.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 20, 20)


@pytest.fixture(autouse=True, scope="session")
def cache_of_the_run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Tests neither read nor write what is kept for the user who runs them; all processes of a run share one cache."""
    own = tmp_path_factory.getbasetemp()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ENDSIGHT_CACHE_DIR", str((own.parent if "PYTEST_XDIST_WORKER" in os.environ else own) / "cache"))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_waiting_for_the_disk() -> Iterator[None]:
    """What tests write need not outlast a power cut: asked to bring a file to the disk, this process only looks for it.

    A disk takes 1 to 10 ms for that, and solves on the disk ask hundreds of times. Processes that tests start wait.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda number: os.fstat(number) and None)
        yield


@pytest.fixture(autouse=True, scope="module")
def machine_code_is_made_quickly(request: pytest.FixtureRequest) -> Iterator[None]:
    """Ordinary runs leave out what takes most time of compiling rules, except where the compiler itself is tested.

    Commands that tests start, and `pytest -m slow`, have rules compiled as users do.
    """
    with pytest.MonkeyPatch.context() as patch:
        if "not slow" in request.config.option.markexpr and not request.path.name.startswith(COMPILING):
            machine_code_as_it_comes(patch)
        yield


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """One browser for all tests of a process; each opens pages of its own in it."""
    from browsing import chromium_running

    with chromium_running() as browser:
        yield browser


@pytest.fixture(scope="session")
def own_rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of rules of one's own that `served` shows."""
    from browsing import RULES

    file = tmp_path_factory.mktemp("rules") / "countdown.py"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture(scope="session")
def served(own_rules: Path) -> Iterator[Any]:
    """One server for all tests in a browser that need nothing else: what one has solved, the next finds solved."""
    from web_server import serving

    with serving([f"{own_rules}:Countdown", f"{own_rules}:Claims"], seconds=30, memory=2 * 10**9) as made:
        yield made
