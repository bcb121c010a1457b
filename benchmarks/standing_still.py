"""How soon cancelled work on the page stands still, and that it goes on: one long question, cancelled again and again.

Run with the folder `tests` in PYTHONPATH.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time

import psutil

from endsight.faces.web.pool import Settings
from web_server import serving


def main() -> None:
    """Print the times from Cancel until the worker stands still, and the states met after each."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--game", default="connectfour:width=6,height=5")
    parser.add_argument("--times", type=int, default=10)
    asked = parser.parse_args()
    body = {"kind": "position", "game": asked.game}
    waits, used, states, dropped = [], 0.0, [], 0
    with serving((), Settings(seconds=300, memory=4 * 10**9)) as served:
        pool = served.app.state.pool
        for _ in range(asked.times):
            job = served.client.post("/api/v1/jobs", json=body).json()
            time.sleep(random.uniform(0.6, 2.5))
            job = served.client.get(f"/api/v1/jobs/{job['id']}").json()
            if job["state"] != "running":
                break
            states.append(job["states"])
            began = time.monotonic()
            served.client.delete(f"/api/v1/jobs/{job['id']}")
            resting = [worker for worker in pool.workers if worker.resting]
            while any(worker.resting and not worker.rested.is_set() for worker in resting):
                time.sleep(0.005)
            waits.append(time.monotonic() - began)
            dropped += len(resting) != 1 or not resting[0].resting
            for worker in resting:
                process = psutil.Process(worker.process.pid)
                before = sum(process.cpu_times()[:2])
                time.sleep(0.5)
                used = max(used, sum(process.cpu_times()[:2]) - before)
    print(f"{len(waits)} times: stands still after {statistics.median(waits):.3f} s, at most {max(waits):.3f} s;")
    print(f"{dropped} were ended instead; at rest at most {used:.2f} s of CPU in half a second")
    print("states met when cancelled:", ", ".join(f"{each:,}" for each in states))


if __name__ == "__main__":
    main()
