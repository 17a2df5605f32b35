"""Data parallel steps in 1, 2 and 4 processes of one thread each, beside PyTorch DDP: a table, and a JSON file.

    python benchmarks/distributed.py [--peers PYTHON] [--only MODEL] [--sizes 1,2,4] [--seconds 3] [--out FOLDER]

Each process has a batch of its own, so that n processes do n times the work of one. The jobs of all frameworks live at
once, and take turns within each round, so that a change of the machine's speed hits all. Times are those of the best
round; ratios are formed within a round, and the median is shown, with the quartiles.

- step: milliseconds of a step.
- efficiency: of all processes, against as many steps in one process alone. The processes of one machine share its
  memory and, where there are more than processors, these; `alone` is what a step without sums takes then.
- hidden: the part of the time of the sums that does not lengthen the step.
- bytes: what a process sends in a step, against the least possible, 2 (n - 1) / n times the gradients.

`--peers` (or MYCEL_PEERS) names the Python that has torch. `--base` names the folder above another checkout of mycel,
which is measured in its place.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from distributed_steps import MODELS

from mycel.library.launch import find_mpiexec, launch_environment

HERE = Path(__file__).resolve().parent
THINGS = ("step", "alone", "sums")
LONGEST = 600.0  # seconds until an answer
PORT = 29500
Row = dict[str, Any]


class Job:
    """The processes of one framework on one model. They wait between requests.

    Raises RuntimeError, with the end of what they printed, if one of them ends.
    """

    def __init__(self, framework: str, model: str, size: int, python: str, path: str = "") -> None:
        self.output = tempfile.TemporaryFile("w+")  # noqa: SIM115  it lives as long as the job
        self.streams: list[TextIO] = []
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(LONGEST / 2)
            script = [python, str(HERE / "distributed_steps.py"), framework, model, str(server.getsockname()[1])]
            self.processes = self._start(framework, size, script, path)
            try:
                while len(self.streams) < size:
                    connection, _ = server.accept()
                    connection.settimeout(LONGEST)
                    self.streams.append(connection.makefile("rw"))
            except TimeoutError:
                self.fail()
        self.about: Row = min(map(self._read, self.streams), key=lambda row: row["rank"])
        self.about = {key: self.about[key] for key in ("nbytes", "sent", "begins")}

    def _start(self, framework: str, size: int, script: list[str], path: str) -> list[subprocess.Popen[bytes]]:
        one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
        environment = {**os.environ, **one_thread}
        if path:
            environment["PYTHONPATH"] = path
        if framework == "torch":
            environment |= {"WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(PORT)}
            started = [(script, {**environment, "RANK": str(rank)}) for rank in range(size)]
        else:
            command = [str(find_mpiexec()), "-n", str(size), *script]
            started = [(command, launch_environment(size, "", environment))]
        return [
            subprocess.Popen(command, stdout=self.output, stderr=subprocess.STDOUT, env=given)
            for command, given in started
        ]

    def _read(self, stream: TextIO) -> Any:
        try:
            line = stream.readline()
        except OSError:
            line = ""
        return json.loads(line) if line else self.fail()

    def time(self, thing: str, count: int) -> float:
        """The seconds of one of `count` calls, on the slowest process."""
        for stream in self.streams:
            print(thing, count, file=stream, flush=True)
        return max(map(self._read, self.streams))

    def fail(self) -> Any:
        """End the job with an error."""
        self.close()
        self.output.seek(0)
        raise RuntimeError(self.output.read()[-2000:])

    def close(self) -> None:
        """End the processes."""
        for stream in self.streams:
            stream.close()
        for process in self.processes:
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def measure(jobs: dict[str, Job], rounds: int, seconds: float) -> dict[str, Row]:
    """The times of all rounds, in which the jobs take turns."""
    found: dict[str, Row] = {
        framework: {**job.about, **{thing: [] for thing in THINGS}} for framework, job in jobs.items()
    }
    counts = {
        (framework, thing): max(1, math.ceil(seconds / len(THINGS) / min(job.time(thing, 1) for _ in range(2))))
        for framework, job in jobs.items()
        for thing in THINGS
    }
    order = list(jobs)
    for number in range(rounds):
        for thing in THINGS:
            for framework in order[:: 1 - 2 * (number % 2)]:
                found[framework][thing].append(jobs[framework].time(thing, counts[framework, thing]))
    return found


def summary(rows: dict[str, Row]) -> dict[str, Row]:
    """The best of the rounds; and how often as long another's step takes as that of mycel, round by round."""
    best = {framework: {**row, **{thing: min(row[thing]) for thing in THINGS}} for framework, row in rows.items()}
    own = rows.get("mycel", {"step": []})["step"]
    for framework, row in rows.items():
        if framework != "mycel":
            ratios = [other / mine for mine, other in zip(own, row["step"], strict=True)]
            quartiles = statistics.quantiles(ratios, n=4, method="inclusive") if len(ratios) > 1 else ratios * 3
            best[framework]["ratios"] = [round(ratio, 3) for ratio in quartiles]
    return best


def hidden(row: Row) -> float:
    """The part of the time of the sums that does not lengthen the step."""
    return 1 - max(0.0, row["step"] - row["alone"]) / row["sums"]


def table(results: dict[str, dict[str, Row]], models: Sequence[str], sizes: Sequence[int]) -> str:
    """One line for each model and number of processes."""
    frameworks = list(results)
    head = ["model", "processes"]
    for framework in frameworks:
        head += [f"{NAMES[framework]}: step", "alone", "efficiency", "hidden"]
        head += ["bytes / least"] if framework == "mycel" else [f"{NAMES[framework]} / mycel (quartiles)"]
    lines = [f"| {' | '.join(head)} |", f"|{' --- |' * len(head)}"]
    for model in models:
        for size in sizes:
            cells = [model, str(size)]
            for framework in frameworks:
                row, one = (results[framework].get(f"{model} {count}") for count in (size, 1))
                if row is None:
                    cells += ["–"] * 5
                    continue
                cells += [f"{row['step'] * 1e3:.2f}", f"{row['alone'] * 1e3:.2f}"]
                cells.append("–" if one is None else f"{one['step'] / row['step']:.0%}")
                cells.append("–" if size == 1 else f"{hidden(row):.0%}")
                if framework == "mycel":
                    least = 2 * (size - 1) * row["nbytes"] // size
                    cells.append("–" if not least else f"{row['sent'] / 1e6:.2f} MB / {least / 1e6:.2f} MB")
                else:
                    cells.append(ratio_text(*row["ratios"]))
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def ratio_text(low: float, middle: float, high: float) -> str:
    """A ratio; in bold where mycel is behind."""
    text = f"{middle:.2f}"
    return f"{f'**{text}**' if middle < 1 else text} ({low:.2f} to {high:.2f})"


NAMES = {"mycel": "mycel", "base": "before", "torch": "DDP"}


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers", default=os.environ.get("MYCEL_PEERS", sys.executable))
    parser.add_argument("--base", default="")
    parser.add_argument("--only", choices=list(MODELS), action="append")
    parser.add_argument("--sizes", default="1,2,4", type=lambda text: [int(item) for item in text.split(",")])
    parser.add_argument("--seconds", type=float, default=0.6, help="of a framework in a round")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--out", type=Path, default=Path("build/benchmarks"))
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    if find_mpiexec() is None:
        print("there is no mpiexec: pip install 'mycel-graph[mpi]'", file=sys.stderr)
        return 1
    given = {"mycel": (sys.executable, "")}
    if chosen.base:
        given["base"] = (sys.executable, chosen.base)
    if subprocess.run([chosen.peers, "-c", "import torch"], capture_output=True, check=False).returncode == 0:
        given["torch"] = (chosen.peers, "")
    results: dict[str, dict[str, Row]] = {framework: {} for framework in given}
    models = chosen.only or list(MODELS)
    for model in models:
        for size in chosen.sizes:
            jobs: dict[str, Job] = {}
            try:
                for framework, (python, path) in given.items():
                    jobs[framework] = Job(framework, model, size, python, path)
                for framework, row in summary(measure(jobs, chosen.rounds, chosen.seconds)).items():
                    results[framework][f"{model} {size}"] = row
            except RuntimeError as error:
                print(error, file=sys.stderr)
            finally:
                for job in jobs.values():
                    job.close()
            print(table(results, [model], [size]).splitlines()[-1], flush=True)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"\n{table(results, models, chosen.sizes)}\n")
    print(f"milliseconds; {os.cpu_count()} processors ({platform.processor() or platform.machine()}), load {load:.1f}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "distributed.json").write_text(json.dumps({"load": load, "results": results}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
