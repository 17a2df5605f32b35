"""Data parallel steps in 1, 2 and 4 processes of one thread each, beside PyTorch DDP: a table, and a JSON file.

    python benchmarks/distributed.py [--peers PYTHON] [--only MODEL] [--sizes 1,2,4] [--seconds 3] [--out FOLDER]

Each process has a batch of its own, so that n processes do n times the work of one. The frameworks take turns, several
times; the best of all is shown.

- step: milliseconds of a step.
- efficiency: of all processes, against as many steps in one process alone. The processes of one machine share its
  memory and, where there are more than processors, these; `alone` is what a step without sums takes then.
- hidden: the part of the time of the sums that does not lengthen the step.
- bytes: what a process sends in a step, against the least possible, 2 (n - 1) / n times the gradients.

`--peers` (or MYCEL_PEERS) names the Python that has torch.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from distributed_steps import MODELS

from mycel.library.launch import find_mpiexec, launch_environment

HERE = Path(__file__).resolve().parent
FRAMEWORKS = ("mycel", "torch")
BEST = ("step", "alone", "sums")
LONGEST = 600.0  # seconds of a job
PORT = 29500
Row = dict[str, Any]


def run(framework: str, model: str, size: int, seconds: float, python: str) -> Row | None:
    """What a job of so many processes measured; None if it failed."""
    script = [python, str(HERE / "distributed_steps.py"), framework, model, str(seconds)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    with tempfile.TemporaryFile("w+") as output:
        if framework == "mycel":
            command = [str(find_mpiexec()), "-n", str(size), *script]
            given = {**launch_environment(size, "", environment)}
            jobs = [subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT, env=given)]
        else:
            given = {**environment, "WORLD_SIZE": str(size), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(PORT)}
            jobs = [
                subprocess.Popen(script, stdout=output, stderr=subprocess.STDOUT, env={**given, "RANK": str(rank)})
                for rank in range(size)
            ]
        for job in jobs:
            try:
                job.wait(LONGEST)
            except subprocess.TimeoutExpired:
                job.kill()
        output.seek(0)
        text = output.read()
    found = [line for line in text.splitlines() if line.startswith("RESULT ")]
    if not found:
        print(text[-2000:], file=sys.stderr)
        return None
    row: Row = json.loads(found[-1].removeprefix("RESULT "))
    return row


def best(rows: Sequence[Row]) -> Row:
    """The best of several rounds."""
    return {**rows[0], **{name: min(row[name] for row in rows) for name in BEST}}


def hidden(row: Row) -> float:
    """The part of the time of the sums that does not lengthen the step."""
    return 1 - max(0.0, row["step"] - row["alone"]) / row["sums"]


def table(results: dict[str, dict[str, Row]], models: Sequence[str], sizes: Sequence[int]) -> str:
    """One line for each model and number of processes."""
    lines = [
        "| model | processes | mycel: step | alone | efficiency | hidden | bytes / least | DDP: step | alone "
        "| efficiency | hidden | DDP / mycel |",
        f"|{' --- |' * 12}",
    ]
    for model in models:
        for size in sizes:
            cells = [model, str(size)]
            rows = [results.get(framework, {}).get(f"{model} {size}") for framework in FRAMEWORKS]
            for framework, row in zip(FRAMEWORKS, rows, strict=True):
                one = results.get(framework, {}).get(f"{model} 1")
                if row is None:
                    cells += ["–"] * (5 if framework == "mycel" else 4)
                    continue
                cells += [f"{row['step'] * 1e3:.2f}", f"{row['alone'] * 1e3:.2f}"]
                cells.append("–" if one is None else f"{one['step'] / row['step']:.0%}")
                cells.append("–" if size == 1 else f"{hidden(row):.0%}")
                if framework == "mycel":
                    least = 2 * (size - 1) * row["nbytes"] // size
                    cells.append("–" if not least else f"{row['sent'] / 1e6:.2f} MB / {least / 1e6:.2f} MB")
            ratio = None not in rows and rows[1]["step"] / rows[0]["step"]  # type: ignore[index]
            lines.append(f"| {' | '.join([*cells, f'{ratio:.2f}' if ratio else '–'])} |")
    return "\n".join(lines)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--peers", default=os.environ.get("MYCEL_PEERS", sys.executable))
    parser.add_argument("--only", choices=list(MODELS), action="append")
    parser.add_argument("--sizes", default="1,2,4", type=lambda text: [int(item) for item in text.split(",")])
    parser.add_argument("--seconds", type=float, default=3.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path, default=Path("build/benchmarks"))
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    if find_mpiexec() is None:
        print("there is no mpiexec: pip install 'mycel-graph[mpi]'", file=sys.stderr)
        return 1
    pythons = {"mycel": sys.executable, "torch": chosen.peers}
    known = subprocess.run([chosen.peers, "-c", "import torch"], capture_output=True, check=False).returncode == 0
    frameworks = FRAMEWORKS if known else FRAMEWORKS[:1]
    results: dict[str, dict[str, Row]] = {framework: {} for framework in frameworks}
    models = chosen.only or list(MODELS)
    for model in models:
        for size in chosen.sizes:
            rounds: dict[str, list[Row]] = {framework: [] for framework in frameworks}
            for _ in range(chosen.rounds):
                for framework in frameworks:
                    row = run(framework, model, size, chosen.seconds, pythons[framework])
                    rounds[framework] += [] if row is None else [row]
            for framework, rows in rounds.items():
                if rows:
                    results[framework][f"{model} {size}"] = best(rows)
            print(table(results, [model], [size]).splitlines()[-1], flush=True)
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    print(f"\n{table(results, models, chosen.sizes)}\n")
    print(f"milliseconds; {os.cpu_count()} processors ({platform.processor() or platform.machine()}), load {load:.1f}")
    chosen.out.mkdir(parents=True, exist_ok=True)
    (chosen.out / "distributed.json").write_text(json.dumps({"load": load, "results": results}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
