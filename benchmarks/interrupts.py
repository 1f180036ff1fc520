"""How long does a fit take to return after Ctrl-C?

    python benchmarks/interrupts.py                       # 50 moments on each of two sets
    python benchmarks/interrupts.py --sets planted-100000x40 --many 20
    python benchmarks/interrupts.py --quick

Each fit is interrupted once, by a signal sent at a moment that is drawn at random within the first seconds
(C1 = C2 = 0.005, all else as by default but for a limit that it does not reach). What is measured is the time
from the signal until `learn_ooax` has returned its labelled result, on the wall and of the processor: on a
busy machine the first is longer than it would be, and with several threads the second is.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import threading
import time
from typing import Any

import instances
from common import save, show
from warming import warm_up

from ooa.data.table import Table
from ooa.learning.ooax import learn_ooax
from ooa.solving.solution import Termination

PRICE = "0.005"
GOAL = 0.2


def interrupted(table: Table, after: float, limit: float) -> tuple[float, float, str] | None:
    """Seconds on the wall and of the processor after the signal, and the stage; None if it came too late."""
    sent: list[tuple[float, float]] = []

    def press() -> None:
        sent.append((time.perf_counter(), time.process_time()))
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(after, press)
    timer.start()
    learned = learn_ooax(table, C1=PRICE, C2=PRICE, time_limit=limit, progress=False)
    ended = time.perf_counter(), time.process_time()
    if learned.certificate.termination is not Termination.INTERRUPTED:
        timer.cancel()
        return None
    wall, processor = (end - begin for end, begin in zip(ended, sent[0]))
    return wall, processor, list(learned.certificate.seconds)[-1]


def measure(name: str, many: int, seconds: float) -> dict[str, Any]:
    """Interrupt so many fits of a set."""
    data, rng = instances.load(name), random.Random(name)
    table = Table.from_any(data.X, data.y)
    found, over = [], 0
    for _ in range(many):
        one = interrupted(table, rng.uniform(0.0, seconds), 10 * seconds)
        if one is None:
            over += 1
        else:
            found.append(one)
    wall, processor = (sorted(one[i] for one in found) for i in (0, 1))
    return {
        "set": name,
        "fits": many,
        "over before": over,
        "median s": round(wall[len(wall) // 2], 3),
        "most s": round(wall[-1], 3),
        "above 0.2 s": sum(one > GOAL for one in wall),
        "median s of the processor": round(processor[len(processor) // 2], 3),
        "most s of the processor": round(processor[-1], 3),
        "after": max(found)[2],
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sets", nargs="+", default=["bupa", "heart"])
    parser.add_argument("--many", type=int, default=50, help="fits of each set")
    parser.add_argument("--seconds", type=float, default=8.0, help="within which they are interrupted")
    parser.add_argument("--quick", action="store_true", help="three fits of a small table")
    told = parser.parse_args()
    warm_up()
    if told.quick:
        told.sets, told.many, told.seconds = ["planted-300x30"], 3, 0.2
    table = [measure(name, told.many, told.seconds) for name in told.sets]
    show(table)
    print("saved:", save("interrupts", table))


if __name__ == "__main__":
    main()
