"""The command line: `-m mycel run SCRIPT.py`, `launch -n 8 SCRIPT.py`, `dump` or `show FILE.py:NAME`, `cache info`."""

from __future__ import annotations

import argparse
import importlib.util
import inspect
import re
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from ..compiler.cache.disk import DiskCache
from ..compiler.cache.machine import calibrate
from ..frontend.api.jit import jit
from ..frontend.compilation.compile_cache import VARIABLE, cache_folder, compile_cache
from ..frontend.compilation.compiled import CompiledFunction
from ..frontend.compilation.stages import Stages, write_stages
from ..frontend.errors.tracebacks import is_filtering, users_frames
from ..frontend.transforms.grad import GradientFunction
from ..frontend.values.cell import Cell
from ..frontend.values.tensor import Tensor
from ..runtime.dtypes import by_short
from .launch import launch
from .mindspore.modules import PACKAGE, install_as_mindspore


def main(arguments: Sequence[str]) -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(
        prog=f"python -m {PACKAGE}", description=f"{PACKAGE}: MindSpore's graph mode on NumPy."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="run a MindSpore script, unchanged, on " + PACKAGE)
    run.add_argument("script", help="the script's path")
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the script")
    many = commands.add_parser("launch", help="run a MindSpore script in several processes, with mpiexec")
    many.add_argument("-n", "--processes", type=int, required=True, metavar="N", help="how many processes")
    many.add_argument("--hosts", default="", help="machines to run on, separated by commas; else this one")
    many.add_argument("--tag", action="store_true", help="begin each line of output with the rank that wrote it")
    many.add_argument("script", help="the script's path")
    many.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the script")
    dump = commands.add_parser(
        "dump",
        help="show every stage of compiling a function or Cell",
        description=(
            "Show what a function, gradient function or Cell is compiled to. NAME may be a Cell class that is "
            "made without arguments. "
            "The inputs' types are given with --input (f32[8,4], i64[], or a Python literal), or by a list of "
            "inputs in the file: "
            "NAME_inputs or inputs."
        ),
    )
    dump.add_argument("target", metavar="FILE.py:NAME")
    dump.add_argument(
        "--input", "-i", action="append", default=[], metavar="TYPE", help="type of one argument; repeatable"
    )
    dump.add_argument("--stage", "-s", action="append", default=[], help="only this stage, or graph after this pass")
    dump.add_argument(
        "--format", "-f", choices=("text", "dot", "mermaid"), default="text",
        help="draw graphs: text for Graphviz or Mermaid, of the joint graph or those of --stage",
    )  # fmt: skip
    dump.add_argument("--depth", type=int, help="with --format: draw graphs inside of nodes down to this depth only")
    dump.add_argument("--diff", "-d", action="store_true", help="also what each pass of --stage changed")
    dump.add_argument("--out", "-o", help="write each stage to a file in this folder in place of printing it")
    show = commands.add_parser(
        "show",
        help="write a page that shows every stage of compiling a function or Cell",
        description="Write an HTML file with the source beside every stage. NAME and inputs are as in dump.",
    )
    show.add_argument("target", metavar="FILE.py:NAME")
    show.add_argument(
        "--input", "-i", action="append", default=[], metavar="TYPE", help="type of one argument; repeatable"
    )
    show.add_argument("--out", "-o", metavar="FILE.html", help="where to write it; else NAME.html")
    show.add_argument("--profile", action="store_true", help="run it, and show where the time goes")
    cache = commands.add_parser("cache", help="show or clear the compiled programs that are kept on disk")
    cache.add_argument("action", choices=("info", "clear"))
    commands.add_parser("calibrate", help="measure anew which thresholds of tiles and threads are best on this machine")
    chosen = parser.parse_args(list(arguments))
    try:
        if chosen.command == "run":
            return run_script(chosen.script, chosen.arguments)
        if chosen.command == "launch":
            return launch_script(chosen)
        if chosen.command == "calibrate":
            return calibrate_machine()
        if chosen.command == "show":
            return show_page(chosen)
        return dump_stages(chosen) if chosen.command == "dump" else manage_cache(chosen.action)
    except CommandError as error:
        print(f"{PACKAGE}: {error}", file=sys.stderr)
        return 2


class CommandError(Exception):
    """The command's arguments do not fit."""


def run_script(script: str, arguments: Sequence[str]) -> int:
    """Run a script in which `import mindspore` means mycel."""
    if not Path(script).is_file():
        raise CommandError(f"there is no file {script}")
    install_as_mindspore()
    sys.argv = [script, *arguments]
    sys.path.insert(0, str(Path(script).resolve().parent))
    sys.excepthook = show_error
    runpy.run_path(script, run_name="__main__")
    return 0


def launch_script(chosen: argparse.Namespace) -> int:
    """Run a script as `run_script` does, in several processes."""
    if chosen.processes < 1:
        raise CommandError(f"the number of processes should be positive, but is {chosen.processes}")
    if not Path(chosen.script).is_file():
        raise CommandError(f"there is no file {chosen.script}")
    try:
        return launch(chosen.processes, chosen.script, chosen.arguments, chosen.hosts, chosen.tag)
    except LookupError as error:
        raise CommandError(str(error)) from None


def show_error(kind: type[BaseException], error: BaseException, steps: TracebackType | None) -> None:
    """Print an error that the script did not catch, without the frames that ran the script."""
    if is_filtering():
        error.__traceback__ = users_frames(steps, inside=True)
    sys.__excepthook__(kind, error, error.__traceback__)


def manage_cache(action: str) -> int:
    """Show or clear the cache of compiled programs."""
    kept = DiskCache(cache_folder())
    problem = kept.problem()
    if problem is not None:
        print(f"{kept.folder} is not used: {problem}")
    if action == "clear":
        print(f"deleted {kept.clear()} programs from {kept.folder}")
    else:
        print(kept.info())
        if compile_cache() is None:
            print(f"it is switched off by {VARIABLE}")
    return 0


def calibrate_machine() -> int:
    """Measure the thresholds of this machine, and drop the programs that were compiled with others."""
    kept = DiskCache(cache_folder())
    found = calibrate(kept.folder)
    if found is None:
        raise CommandError(f"nothing was kept: the machine is busy, or {kept.folder} cannot be written to")
    kept.clear(programs_only=True)
    print(f"tiles of {found.tile_bytes >> 10} KB; threads from {found.thread_work} elements times operations on")
    print(f"kept in {kept.folder}")
    return 0


def dump_stages(chosen: argparse.Namespace) -> int:
    """Print the stages of a function in a file."""
    compiled, inputs = _target(chosen)
    stages = _stages(compiled, inputs, bool(chosen.input))
    if chosen.out and chosen.format == "text":
        for written in write_stages(stages, chosen.out):
            print(written)
        return 0
    if chosen.format != "text":
        return _draw(stages, chosen)
    known = stages.names()
    for stage in chosen.stage or dict(stages.items()):
        if stage not in known:
            raise CommandError(f"there is no stage '{stage}'; there are {', '.join(known)}")
        print(f"# ---- {stage} ----\n{stages.text(stage).rstrip()}\n")
        if chosen.diff and stage in stages.passes:
            print(f"# ---- what {stage} changed ----\n{stages.diff(stage) or '# nothing'}\n")
    return 0


def _draw(stages: Stages, chosen: argparse.Namespace) -> int:
    """Print the text that draws graphs, or write it to files."""
    graphs = stages.graphs()
    for stage in chosen.stage or ["joint"]:
        if stage not in graphs:
            raise CommandError(f"the stage '{stage}' is no graph; there are {', '.join(graphs)}")
        text = graphs[stage].dot(chosen.depth) if chosen.format == "dot" else graphs[stage].mermaid(chosen.depth)
        if not chosen.out:
            print(text)
            continue
        folder = Path(chosen.out)
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{stage}.{'dot' if chosen.format == 'dot' else 'mmd'}"
        path.write_text(f"{text}\n", encoding="utf-8")
        print(path)
    return 0


def show_page(chosen: argparse.Namespace) -> int:
    """Write the page of a function in a file."""
    compiled, inputs = _target(chosen)
    stages = _stages(compiled, inputs, bool(chosen.input))
    out = Path(chosen.out or f"{re.sub(r'[^A-Za-z0-9_]+', '_', stages.name).strip('_') or 'page'}.html")
    if not out.parent.is_dir():
        raise CommandError(f"there is no folder {out.parent}")
    print(stages.save(out, compiled.profile(*inputs) if chosen.profile else None))
    return 0


def _target(chosen: argparse.Namespace) -> tuple[Any, list[Any]]:
    """The compiled function that FILE.py:NAME means, and its inputs."""
    path, separator, name = chosen.target.rpartition(":")
    if not separator or not path:
        raise CommandError(f"'{chosen.target}' should be FILE.py:NAME")
    if not Path(path).is_file():
        raise CommandError(f"there is no file {path}")
    install_as_mindspore()
    sys.path.insert(0, str(Path(path).resolve().parent))
    module = _load(Path(path))
    target: Any = module
    for part in name.split("."):
        if not hasattr(target, part):
            raise CommandError(f"{path} has no '{name}'")
        target = getattr(target, part)
    if isinstance(target, type):
        if not issubclass(target, Cell):
            raise CommandError(f"'{name}' is a class, but no Cell")
        required = [
            parameter.name
            for parameter in list(inspect.signature(target.__init__).parameters.values())[1:]
            if parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD,)
        ]
        if required:
            raise CommandError(f"'{name}' needs {', '.join(required)}: make one in the file and name that")
        target = target()
    if not callable(target):
        raise CommandError(f"'{name}' is {type(target).__name__}, not a function or Cell")
    inputs = [_input(text) for text in chosen.input] or _listed_inputs(module, name)
    return (target if isinstance(target, (CompiledFunction, GradientFunction)) else jit(target)), inputs


def _stages(compiled: Any, inputs: Sequence[Any], given: bool) -> Stages:
    try:
        stages: Stages = compiled.stages(*inputs)
        return stages
    except TypeError as error:
        if "argument" in str(error) and not given:
            raise CommandError(f"{error}: give the inputs' types with --input, such as --input 'f32[8, 4]'") from error
        raise


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _input(text: str) -> Any:
    """A tensor of ones of a type such as f32[8, 4], or a Python literal."""
    import ast

    import numpy as np

    match = re.fullmatch(r"\s*(\w+)\s*\[([\d,\s]*)\]\s*", text)
    if match and match.group(1) != "":
        try:
            dtype = by_short(match.group(1))
        except KeyError:
            dtype = None
        if dtype is not None:
            shape = tuple(int(size) for size in match.group(2).split(",") if size.strip())
            return Tensor(np.ones(shape, dtype.np))
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise CommandError(
            f"cannot read the input '{text}': give a type such as f32[8, 4] or a Python literal"
        ) from None


def _listed_inputs(module: Any, name: str) -> list[Any]:
    for candidate in (f"{name.replace('.', '_')}_inputs", "inputs"):
        if hasattr(module, candidate):
            return list(getattr(module, candidate))
    return []
