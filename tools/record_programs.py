"""Run the recorded programs with MindSpore, in both modes, and write what they give behind them.

    python CHECKOUT/tools/record_programs.py FILE ...

Run it with the Python of an environment that has MindSpore 2.10, from a folder outside of the checkout. A file has
programs with the heading `### name`. If the modes give different results, the program stands twice in the file,
once for each mode.
A program that ends the process, or takes longer than a minute, is left out, and named.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import types
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

import recorded_programs as recorded

WAIT = 60.0


def rounded(value: Any) -> Any:
    """Floats with seven digits."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def plain(result: Any) -> Any:
    """Of errors the class alone, as files have it."""
    if isinstance(result, dict):
        if "raises" in result and isinstance(result["raises"], list):
            return {"raises": result["raises"][0]}
        return {key: plain(item) for key, item in result.items()}
    return [plain(item) for item in result] if isinstance(result, list) else result


def is_unsupported(result: Any) -> bool:
    """Whether MindSpore has no kernel for what a program is about."""
    first = result[0] if isinstance(result, list) and result else result
    return isinstance(first, dict) and "unsupported" in first


def serve() -> None:
    """Answer programs with results, a line each: the part that runs in a process of its own."""
    import mindspore as ms
    import numpy as np

    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    folder = Path(sys.argv[2])
    for line in sys.stdin:
        name, code, mode = json.loads(line)
        file = folder / f"{name}_{mode}.py"
        file.write_text(code, encoding="utf-8")
        ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE, device_target="CPU")
        ms.set_seed(1)
        np.random.seed(1)
        # MindSpore looks up the globals of a function in the module that it names.
        module = sys.modules["program"] = types.ModuleType("program")
        space = vars(module)
        space.update(recorded.names(ms, mode == "graph"), __file__=str(file))
        try:
            exec(compile(code, str(file), "exec", dont_inherit=True), space)
            result = space["RESULT"]
            json.dumps(result)
        except Exception as error:
            result = recorded.raised(error)
            print(name, mode, type(error), str(error)[:300], file=sys.stderr)
        answers.write(json.dumps(rounded(plain(result))) + "\n")
        answers.flush()


class Server:
    """A process with MindSpore, started anew after a program that ended it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.process = folder, None

    def ask(self, name: str, code: str, mode: str) -> Any:
        """The result of a program; None if there is none."""
        if self.process is None:
            command = [sys.executable, __file__, "--serve", str(self.folder)]
            log = open(self.folder / "log.txt", "a")  # noqa: SIM115 - the process writes there
            self.process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
            )
        self.process.stdin.write(json.dumps([name, code.replace("mycel", "mindspore"), mode]) + "\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], WAIT)
        line = self.process.stdout.readline() if ready else ""
        if not line:
            self.process.kill()
            self.process = None
            return None
        return json.loads(line)


def record(file: Path, server: Server) -> None:
    """Write a file again, with results."""
    parts, seen = [], set()
    for program in recorded.programs(file.read_text(encoding="utf-8")):
        if program.name in seen:
            continue
        seen.add(program.name)
        results = {mode: server.ask(program.name, program.code, mode) for mode in ("graph", "eager")}
        if None in results.values():
            print(
                f"{program.name}: no result ({', '.join(mode for mode in results if results[mode] is None)})",
                flush=True,
            )
        code = program.code.rstrip() + "\n"
        results = {mode: result for mode, result in results.items() if not is_unsupported(result)}
        if len(results) == 2 and results["graph"] == results["eager"]:
            results = {"": results["graph"]}
        for mode, result in results.items():
            if result is not None:
                heading = f"### {program.name} ({mode})" if mode else f"### {program.name}"
                parts.append(f"{heading}\n{code}#= {json.dumps(result)}\n")
    file.write_text("\n".join(parts), encoding="utf-8")
    print(f"{file.name}: {len(seen)} programs", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "--serve":
        serve()
    else:
        runner = Server(Path.cwd())
        for path in sys.argv[1:]:
            record(Path(path), runner)
