"""The page under load: clicks in a browser, 200 clients for a minute, 900 half-open connections.

    python benchmarks/page.py [clicks] [crowd] [half-open]

Each part prints one line. The browser is Debian's chromium, driven by Playwright.
"""

from __future__ import annotations

import asyncio
import random
import resource
import socket
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles

import httpx

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
from web_server import serving

GAMES = ("dominoes:n=4", "pots:4-9-2-7-5-3-8-1", "repeatbust", "tictactoe", "pig:target=10", "nim")
CLICKS = 40


def clicks() -> None:
    """From the click on a move to the new position on the page, on solved games."""
    from playwright.sync_api import sync_playwright

    dice = random.Random(1)
    with serving() as served, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        page = browser.new_page()
        for game in GAMES:
            page.goto(f"{served.base}/games/{game}")
            page.locator("#values").wait_for(timeout=60_000)
            page.reload()
            times = [_clicked(page, dice, f"{served.base}/games/{game}") for _ in range(CLICKS)]
            print(f"clicks {game}: median {median(times):.1f} ms, 95% {quantiles(times, n=20)[-1]:.1f} ms")
        browser.close()


def _clicked(page: object, dice: random.Random, start: str) -> float:
    links = page.locator("#moves a")  # type: ignore[attr-defined]
    if links.count() == 0:
        page.goto(start)  # type: ignore[attr-defined]
    number = dice.randrange(links.count())
    measured = """number => new Promise(done => {
        const began = performance.now();
        const old = document.getElementById("main");
        new MutationObserver((_, watch) => {
            if (document.getElementById("main") !== old) { watch.disconnect(); done(performance.now() - began); }
        }).observe(document.body, {childList: true});
        document.querySelectorAll("#moves a")[number].click();
    })"""
    return float(page.evaluate(measured, number))  # type: ignore[attr-defined]


def crowd(clients: int = 200, seconds: float = 60.0) -> None:
    """So many clients, a request every two seconds each; none may fail."""
    paths = (
        "/games/tictactoe?at=a1",
        "/api/v1/games/nim/position",
        "/games/repeatbust?at=7",
        "/",
        "/games/pots:4-9-2-7",
    )
    times: list[float] = []
    wrong: list[int] = []

    async def one(base: str, number: int, session: httpx.AsyncClient) -> None:
        await asyncio.sleep(2 * number / clients)
        until, turn = time.monotonic() + seconds, number
        while time.monotonic() < until:
            began = time.monotonic()
            answer = await session.get(base + paths[turn % len(paths)])
            times.append(1000 * (time.monotonic() - began))
            wrong.extend([answer.status_code] if answer.status_code != 200 else [])
            turn += 1
            await asyncio.sleep(max(0.0, 2 - (time.monotonic() - began)))

    async def everybody(base: str) -> None:
        limits = httpx.Limits(max_connections=clients, max_keepalive_connections=clients)
        async with httpx.AsyncClient(timeout=30, limits=limits) as session:
            await asyncio.gather(*(one(base, number, session) for number in range(clients)))

    with serving() as served:
        asyncio.run(everybody(served.base))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = f"{len(times):,} answers, {len(wrong)} errors, median {median(times):.0f} ms"
    slow = quantiles(times, n=100)[-1]
    print(f"crowd {clients} for {seconds:.0f} s: {found}, 99% {slow:.0f} ms; with the clients {memory:.0f} MB")


def half_open(count: int = 900) -> None:
    """Normal requests while so many connections have sent half of theirs, and when those are closed."""
    with serving() as served, ExitStack() as stack:
        halves = []
        for _ in range(count):
            half = socket.create_connection(("127.0.0.1", served.place.port), timeout=30)
            stack.callback(half.close)
            half.sendall(b"GET / HTTP/1.1\r\nHost:")
            halves.append(half)
        began = time.monotonic()
        times = []
        for _ in range(50):
            started = time.monotonic()
            assert httpx.get(f"{served.base}/api/v1/games/nim/position", timeout=30).status_code == 200
            times.append(1000 * (time.monotonic() - started))
        for half in halves:
            try:
                while half.recv(4096):
                    pass
            except ConnectionResetError:
                continue
        closed = time.monotonic() - began
    print(f"half-open {count}: 50 normal requests, slowest {max(times):.0f} ms; all closed after {closed:.1f} s")


if __name__ == "__main__":
    PARTS = {"clicks": clicks, "crowd": crowd, "half-open": half_open}
    for name in sys.argv[1:] or PARTS:
        PARTS[name]()
