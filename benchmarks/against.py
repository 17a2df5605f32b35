"""Compares two commits of mycel on the workloads, which run in turn: which ones have become slower.

    python benchmarks/against.py BASE [--pin CPU] [--only WORKLOAD] [--limit 1.1]

BASE is a commit, checked out in a folder of its own; the other side is this checkout. Each side has a process for each
workload. They take turns, and ratios are formed within a round, so that a change of the machine's speed affects both. A
workload is slower if the median of the ratios is above the limit, and no round was as fast as before. Then the exit
code is 1.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import programs
import workloads
from peers import NoAnswerError, Runner

ROOT = Path(__file__).resolve().parent.parent
SIDES = ("base", "now")


def checkout(commit: str, folder: Path) -> Path:
    """A folder to import a commit's mycel from."""
    target = folder / "mycel"
    subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "--detach", str(target), commit], check=True,
                   capture_output=True)  # fmt: skip
    return folder


def linked(folder: Path) -> Path:
    """A folder to import this checkout's mycel from, whatever its own folder is called."""
    folder.mkdir()
    (folder / "mycel").symlink_to(ROOT, target_is_directory=True)
    return folder


def compare(workload: str, paths: dict[str, Path], chosen: argparse.Namespace, folder: Path) -> dict[str, list[float]]:
    """The times of both sides, a median for each round, and of the first calls in milliseconds."""
    times: dict[str, list[float]] = {side: [] for side in SIDES}
    running: dict[str, Runner] = {}
    try:
        for side in SIDES:
            running[side] = Runner("mycel", sys.executable, workload, chosen.pin, folder / f"{side}.txt", paths[side])
            times[f"{side} first"] = [running[side].answer(chosen.patience)["first_ms"]]
        for number in range(chosen.rounds):
            for side in SIDES if number % 2 else SIDES[::-1]:
                times[side].append(running[side].ask(f"time {chosen.seconds}", chosen.patience)["us"])
    finally:
        for runner in running.values():
            runner.close()
    return times


def row(workload: str, times: dict[str, list[float]], limit: float) -> tuple[str, bool]:
    """A line of the table, and whether the workload has become slower."""
    ratios = [now / base for base, now in zip(times["base"], times["now"], strict=True)]
    ratio = statistics.median(ratios)
    slower = ratio > limit and min(ratios) > 1
    shown = f"**{ratio:.2f}**" if slower else f"{ratio:.2f}"
    before, after = (statistics.median(times[side]) for side in SIDES)
    firsts = " | ".join(f"{times[f'{side} first'][0]:,.0f}" for side in SIDES)
    span = f"{min(ratios):.2f} to {max(ratios):.2f}"
    return f"| {workload} | {before:,.1f} | {after:,.1f} | {shown} ({span}) | {firsts} |", slower


def arguments() -> argparse.Namespace:
    """The arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the commit to compare with")
    parser.add_argument("--pin", type=int, metavar="CPU", help="hold both to this processor and one thread")
    programs.add_arguments(parser)
    parser.add_argument("--limit", type=float, default=1.1, help="how many times as long a step may take")
    parser.add_argument("--seconds", type=float, default=0.3, help="time for each side in each round")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--patience", type=float, default=90.0, help="seconds to wait for a first call")
    chosen = parser.parse_args()
    chosen.names = programs.chosen(parser, chosen, workloads.WORKLOADS)
    return chosen


def main() -> int:
    """Measure and report; 1 if a workload has become slower."""
    chosen = arguments()
    found = False
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "base").mkdir()
        try:
            paths = {"base": checkout(chosen.base, folder / "base"), "now": linked(folder / "now")}
        except subprocess.CalledProcessError as error:
            print(f"git does not check out {chosen.base!r}: {os.fsdecode(error.stderr).strip()}", file=sys.stderr)
            return 2
        print(f"| workload | {chosen.base}, µs | now, µs | now ÷ base | first call, ms | now |")
        print("| --- | ---: | ---: | --- | ---: | ---: |")
        try:
            for workload in chosen.names:
                try:
                    line, slower = row(workload, compare(workload, paths, chosen, folder), chosen.limit)
                except NoAnswerError as error:
                    line, slower = f"| {workload} | {error} | | | | |", False
                print(line, flush=True)
                found = found or slower
        finally:
            remove = ["git", "-C", str(ROOT), "worktree", "remove", "--force", str(folder / "base" / "mycel")]
            subprocess.run(remove, check=False, capture_output=True)
    return int(found)


if __name__ == "__main__":
    sys.exit(main())
