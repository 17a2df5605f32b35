"""mycel against MindSpore, JAX and PyTorch, whichever can be found: tables, a JSON file and a plot.

    python benchmarks/peers.py [--peers PYTHON] [--mindspore PYTHON] [--pin CPU] [--only WORKLOAD] [--kind KIND]

Each framework runs each workload in a process of its own. All of a workload's processes live at once, and take turns
within each round, so that a change of the machine's speed hits all; ratios are formed within a round. The others may
need other packages than mycel: `--peers` (or MYCEL_PEERS) names the Python that has torch and jax, `--mindspore` (or
MYCEL_MINDSPORE) the one that has MindSpore. Without them this Python is tried.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import select
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import programs
import workloads
from report import COLOURS, LABELS, markdown, plot

HERE = Path(__file__).resolve().parent
PEERS = ("mycel", "mindspore", "jax", "torch", "torch-compile")
MODES = {"mycel": "graph", "mindspore": "graph", "jax": "jit", "torch": "eager", "torch-compile": "compile"}
assert set(PEERS) == set(MODES) == set(LABELS) == set(COLOURS)


class NoAnswerError(Exception):
    """A process has ended or not answered in time."""


@dataclass
class Runner:
    """A process that measures one framework on one workload; `path`: a folder to import from before all others."""

    peer: str
    python: str
    workload: str
    pin: int | None
    errors: Path
    path: Path | None = None
    process: subprocess.Popen[str] = field(init=False)

    def __post_init__(self) -> None:
        command = [self.python, str(HERE / "worker.py"), self.peer.partition("-")[0], MODES[self.peer], self.workload]
        environment = {**os.environ, "GLOG_v": "4", "TF_CPP_MIN_LOG_LEVEL": "3", "MYCEL_CACHE": "off"}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # installed packages have their bytecode beside them
        if self.path is not None:
            environment["PYTHONPATH"] = str(self.path)
        if self.pin is not None:
            command += ["--pin", str(self.pin)]
            environment |= dict.fromkeys(["OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"], "1")
        with self.errors.open("w") as errors:
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment,
                cwd=self.errors.parent,
            )  # fmt: skip

    def answer(self, timeout: float) -> dict[str, Any]:
        """The next line that it prints."""
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], timeout)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            said = [line for line in self.errors.read_text(errors="replace").splitlines() if "Error" in line]
            raise NoAnswerError(said[-1].strip()[:200] if said else f"no answer in {timeout:.0f} s")
        values: dict[str, Any] = json.loads(line)
        return values

    def ask(self, command: str, timeout: float) -> dict[str, Any]:
        """The answer to a command."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{command}\n")
        self.process.stdin.flush()
        return self.answer(timeout)

    def close(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.communicate()


def importable(python: str, module: str) -> bool:
    """Whether an interpreter has a module."""
    code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({module!r}) is None)"
    try:
        return subprocess.run([python, "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def find_peers(chosen: argparse.Namespace) -> dict[str, str]:
    """The frameworks that can be found, and their interpreters."""
    pythons = {"mycel": sys.executable, "mindspore": chosen.mindspore, "jax": chosen.peers, "torch": chosen.peers}
    found = {}
    for peer in PEERS:
        framework = peer.partition("-")[0]
        if peer == "torch-compile" and not chosen.compile:
            continue
        if chosen.frameworks and peer not in (*chosen.frameworks, "mycel"):
            continue
        if importable(pythons[framework], framework):
            found[peer] = pythons[framework]
        else:
            print(f"{LABELS[peer]}: {pythons[framework]} does not have it", file=sys.stderr)
    return found


def measure(workload: str, peers: dict[str, str], chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """All figures of one workload."""
    results: dict[str, Any] = {}
    running: dict[str, Runner] = {}
    try:
        for peer, python in peers.items():  # one after another: first calls are timed
            runner = Runner(peer, python, workload, chosen.pin, folder / f"{peer}.txt")
            running[peer] = runner
            try:
                results[peer] = {**runner.answer(chosen.patience), "us": []}
                results[peer] |= runner.ask("peak", chosen.patience)
            except NoAnswerError as error:
                results[peer] = {"error": str(error)}
                running.pop(peer).close()
        time_rounds(running, results, chosen)
        if "mycel" in running:
            results["mycel"] |= running["mycel"].ask("floor", chosen.patience)
    finally:
        for runner in running.values():
            runner.close()
    return {"workload": workload, "about": workloads.about(workload), "peers": summary(results)}


def time_rounds(running: dict[str, Runner], results: dict[str, Any], chosen: argparse.Namespace) -> None:
    """Time the frameworks in turns. One that does not answer any more is left out from there on."""
    order = list(running)
    for number in range(chosen.rounds if order else 0):
        for peer in order[number % len(order) :] + order[: number % len(order)]:
            if peer not in running:
                continue
            try:
                measured = running[peer].ask(f"time {chosen.seconds}", chosen.patience)
            except NoAnswerError as error:
                results[peer] = {"error": str(error)}
                running.pop(peer).close()
                continue
            results[peer]["us"].append(measured["us"])


def summary(results: dict[str, Any]) -> dict[str, Any]:
    """Medians over the rounds, and the ratio of each peer's time to mycel's, round by round."""
    own = results["mycel"].get("us", [])
    for result in results.values():
        if not result.get("us"):
            continue
        times = result["us"]
        result |= {"median_us": statistics.median(times), "low_us": min(times), "high_us": max(times)}
        if own:
            ratios = [theirs / ours for theirs, ours in zip(times, own, strict=True)]
            result |= {"ratio": statistics.median(ratios), "ratio_low": min(ratios), "ratio_high": max(ratios)}
        expected = results["mycel"].get("number")
        if expected is not None:
            result["agrees"] = abs(result["number"] - expected) <= 1e-3 * max(1.0, abs(expected))
    return results


def add_floors(rows: list[dict[str, Any]]) -> None:
    """Compute NumPy's floor of every workload from the best rates that were seen beside any of them."""
    import floors

    own = [row["peers"]["mycel"] for row in rows if "rates" in row["peers"]["mycel"]]
    if own:
        rates = floors.best_rates([result["rates"] for result in own])
        for result in own:
            result["floor"] = floors.floor(result["work"], rates)


def environment(peers: dict[str, str], rows: list[dict[str, Any]], chosen: argparse.Namespace) -> dict[str, Any]:
    """The machine, versions and settings of the measurement."""
    versions: dict[str, str] = {}
    for row in rows:
        for peer in peers:
            versions.setdefault(peer, row["peers"].get(peer, {}).get("version", ""))
    model = ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            model = next((line.partition(":")[2].strip() for line in file if line.startswith("model name")), "")
    except OSError:
        model = platform.processor()
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    return {
        "python": platform.python_version(),
        "versions": {peer: version for peer, version in versions.items() if version},
        "processor": model,
        "processors": os.cpu_count(),
        "pinned_to": chosen.pin,
        "system": f"{platform.system()} {platform.machine()}",
        "load_before": chosen.load_before,
        "load_after": load,
        "rounds": chosen.rounds,
        "seconds": chosen.seconds,
        "date": time.strftime("%Y-%m-%d %H:%M:%S %z"),
    }


def arguments() -> argparse.Namespace:
    """The arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    default = os.environ.get("MYCEL_PEERS") or sys.executable
    parser.add_argument("--peers", default=default, metavar="PYTHON", help="the interpreter that has torch and jax")
    default = os.environ.get("MYCEL_MINDSPORE") or sys.executable
    parser.add_argument("--mindspore", default=default, metavar="PYTHON", help="the interpreter that has MindSpore")
    parser.add_argument("--pin", type=int, metavar="CPU", help="hold all to this processor and one thread")
    programs.add_arguments(parser)
    parser.add_argument(
        "--framework", action="append", default=[], dest="frameworks", metavar="PEER", choices=PEERS,
        help="only this peer, beside mycel; repeatable",
    )  # fmt: skip
    parser.add_argument("--no-compile", action="store_false", dest="compile", help="leave out torch.compile")
    parser.add_argument("--seconds", type=float, default=0.4, help="time for each framework in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--patience", type=float, default=90.0, help="seconds to wait for a first call")
    parser.add_argument("--out", type=Path, default=Path("bench"), help="folder for peers.json, peers.md and peers.png")
    chosen = parser.parse_args()
    chosen.names = programs.chosen(parser, chosen, workloads.WORKLOADS)
    return chosen


def main() -> int:
    """Measure and report."""
    chosen = arguments()
    chosen.load_before = os.getloadavg()[0] if hasattr(os, "getloadavg") else None
    peers = find_peers(chosen)
    if "mycel" not in peers:
        print("mycel is not installed for this Python", file=sys.stderr)
        return 1
    rows = []
    with tempfile.TemporaryDirectory() as folder:  # also for what frameworks leave in the current folder
        for name in chosen.names:
            print(f"{name} ...", file=sys.stderr, flush=True)
            rows.append(measure(name, peers, chosen, Path(folder)))
    add_floors(rows)
    where = environment(peers, rows, chosen)
    text = markdown(rows, list(peers), where)
    print(text)
    chosen.out.mkdir(parents=True, exist_ok=True)
    paths = [chosen.out / "peers.json", chosen.out / "peers.md"]
    paths[0].write_text(json.dumps({"environment": where, "results": rows}, indent=1) + "\n")
    paths[1].write_text(text + "\n")
    try:
        plot(rows, list(peers), where, chosen.out / "peers.png")
        paths.append(chosen.out / "peers.png")
    except ImportError:
        print("no plot: it needs matplotlib (pip install 'mycel-graph[bench]')", file=sys.stderr)
    print(f"written: {', '.join(map(str, paths))}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
