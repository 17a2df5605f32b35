"""The command line: `mycel run FILE.py`, `launch`, `dump`, `show`, `profile`, `explain`, `export`, `cache`.

`python -m mycel` is the same.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import inspect
import linecache
import os
import re
import runpy
import sys
import types
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from ..compiler.cache.disk import DiskCache
from ..compiler.cache.machine import calibrate
from ..frontend.api.jit import jit
from ..frontend.compilation.compile_cache import VARIABLE, cache_folder, compile_cache
from ..frontend.compilation.compiled import CompiledFunction
from ..frontend.compilation.stages import Stages, write_stages
from ..frontend.errors.spelling import did_you_mean
from ..frontend.errors.tracebacks import is_filtering, users_frames
from ..frontend.transforms.grad import GradientFunction
from ..frontend.values.cell import Cell
from ..frontend.values.tensor import Tensor
from ..runtime.dtypes import ALL, by_short
from .mindspore.modules import PACKAGE, install_as_mindspore


class CommandError(Exception):
    """The command's arguments do not fit."""


def load_target(text: str, inputs: Sequence[str]) -> tuple[Any, list[Any]]:
    """The function or Cell that `FILE.py:NAME` names, and its inputs: as given, or as the file lists them."""
    path, separator, name = text.rpartition(":")
    if not separator or not path:
        raise CommandError(f"'{text}' should be FILE.py:NAME")
    if not Path(path).is_file():
        raise CommandError(f"there is no file {path}")
    read = [read_input(each) for each in inputs]
    install_as_mindspore()
    sys.path.insert(0, str(Path(path).resolve().parent))
    module = _load(Path(path))
    target: Any = module
    for part in name.split("."):
        if not hasattr(target, part):
            known = [each for each in vars(target) if not each.startswith("_")] if hasattr(target, "__dict__") else []
            raise CommandError(f"{path} has no '{name}'{did_you_mean(part, known)}")
        target = getattr(target, part)
    if isinstance(target, type):
        target = _made(target, name)
    if not callable(target):
        raise CommandError(f"'{name}' is {type(target).__name__}, not a function or Cell")
    return target, read or _listed_inputs(module, name)


def _made(kind: type, name: str) -> Any:
    """A Cell of a class."""
    if not issubclass(kind, Cell):
        raise CommandError(f"'{name}' is a class, but no Cell")
    required = [
        parameter.name
        for parameter in list(inspect.signature(kind.__init__).parameters.values())[1:]
        if parameter.default is parameter.empty and parameter.kind in (parameter.POSITIONAL_OR_KEYWORD,)
    ]
    if required:
        raise CommandError(f"'{name}' needs {', '.join(required)}: make one in the file and name that")
    return kind()


def _load(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise CommandError(f"{path} should be a Python file, whose name ends with .py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def read_input(text: str) -> Any:
    """A tensor of ones of a type such as f32[8, 4], or a Python literal.

    Raises:
        CommandError: for any other text; it says what is wrong with it.
    """
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        pass
    start = f"cannot read the input '{text}': "
    match = re.fullmatch(r"\s*(\w+)\s*\[(.*)\]\s*", text)
    if match is None:
        raise CommandError(f"{start}give a type such as f32[8, 4] or a Python literal")
    short, inside = match[1], match[2].strip()
    try:
        dtype = by_short(short)
    except KeyError:
        known = [each.short for each in ALL]
        near, told = did_you_mean(short, known), f"; there are {', '.join(known)}"
        raise CommandError(f"{start}there is no dtype '{short}'{near or told}") from None
    sizes = [size.strip() for size in inside.removesuffix(",").split(",")] if inside else []
    for size in sizes:
        if re.fullmatch(r"\d+(\s+\d+)+", size):
            wanted = ", ".join(" ".join(sizes).split())
            raise CommandError(f"{start}sizes are separated by commas: {short}[{wanted}]")
        if not size.isascii() or not size.isdigit():
            told = f"a size should be a whole number from 0, but is '{size}'" if size else "a size is missing"
            raise CommandError(f"{start}{told}")
    try:
        return Tensor(np.ones(tuple(map(int, sizes)), dtype.np))
    except (ValueError, MemoryError) as error:
        raise CommandError(f"{start}{error}") from None


def close_sizes(text: str) -> tuple[str, dict[int, str]]:
    """An input's text such as `f32[batch, ?]` with numbers for open sizes; the axes of these, and their names."""
    match = re.fullmatch(r"(\s*\w+\s*\[)(.*)(\]\s*)", text)
    if match is None:
        return text, {}
    sizes = [size.strip() for size in match[2].split(",")]
    names = {axis: size for axis, size in enumerate(sizes) if size == "?" or size.isidentifier()}
    known = ", ".join("2" if axis in names else size for axis, size in enumerate(sizes))
    return f"{match[1]}{known}{match[3]}", names


def _listed_inputs(module: Any, name: str) -> list[Any]:
    for candidate in (f"{name.replace('.', '_')}_inputs", "inputs"):
        if hasattr(module, candidate):
            return list(getattr(module, candidate))
    return []


def main(arguments: Sequence[str]) -> int:
    """Run the command; the exit status."""
    given = list(arguments)
    chosen = _parser().parse_args(given)
    for_script = getattr(chosen, "arguments", [])
    if given[-len(for_script) - 1 :][:1] == ["--"]:  # behind the script: argparse takes it away
        for_script.insert(0, "--")
    run: dict[str, Callable[[argparse.Namespace], int]] = {
        "run": lambda chosen: run_script(chosen.script, chosen.arguments, chosen.code),
        "launch": launch_script,
        "calibrate": lambda chosen: calibrate_machine(),
        "cache": lambda chosen: manage_cache(chosen.action),
        "dump": dump_stages,
        "show": show_page,
        "profile": show_profile,
        "explain": show_explanation,
        "export": export_target,
    }
    try:
        return run[chosen.command](chosen)
    except CommandError as error:
        print(f"{PACKAGE}: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    parser = argparse.ArgumentParser(prog=PACKAGE, description=f"{PACKAGE}: MindSpore's graph mode on NumPy.")
    version = getattr(sys.modules[PACKAGE], "__version__", "unknown")
    parser.add_argument("--version", action="version", version=f"{PACKAGE} {version}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    _add_scripts(commands)
    _add_dump(commands)
    profile = commands.add_parser("profile", help="show where the time of a function or Cell goes, node by node")
    explain = commands.add_parser("explain", help="show how a function or Cell is traced, or why it runs eagerly")
    exporting = commands.add_parser("export", help="write a function or Cell to a file that runs without its source")
    show = commands.add_parser(
        "show",
        help="write a page that shows every stage of compiling a function or Cell",
        description="Write an HTML file with the source beside every stage. NAME and inputs are as in dump.",
    )
    for each in (profile, explain, exporting, show):
        _add_target(each)
    exporting.description = (
        "Write a function or Cell to a file that runs without its source. A size that may vary is a name or ?: "
        "--input 'f32[batch, 3]'. NAME and inputs are else as in dump."
    )
    exporting.add_argument("--out", "-o", required=True, metavar="FILE", help="ends with .mycel or .onnx")
    show.add_argument("--out", "-o", metavar="FILE.html", help="where to write it; else NAME.html")
    show.add_argument("--profile", action="store_true", help="run it, and show where the time goes")
    cache = commands.add_parser("cache", help="show or clear the compiled programs that are kept on disk")
    cache.add_argument("action", choices=("info", "clear"))
    commands.add_parser("calibrate", help="measure anew which thresholds of tiles and threads are best on this machine")
    return parser


def _add_target(parser: argparse.ArgumentParser) -> None:
    """The function that a command is about, and its inputs."""
    parser.add_argument("target", metavar="FILE.py:NAME")
    parser.add_argument(
        "--input", "-i", action="append", default=[], metavar="TYPE", help="type of one argument; repeatable"
    )


def _add_scripts(commands: Any) -> None:
    """The commands that run a script."""
    run = commands.add_parser("run", help="run a MindSpore script, unchanged, on " + PACKAGE)
    run.add_argument("-c", dest="code", action="store_true", help="the next argument is the program itself")
    run.add_argument("script", help="the script's path; - for standard input")
    run.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the script")
    many = commands.add_parser("launch", help="run a MindSpore script in several processes, with mpiexec")
    many.add_argument("-n", "--processes", type=int, required=True, metavar="N", help="how many processes")
    many.add_argument("--hosts", default="", help="machines to run on, separated by commas; else this one")
    many.add_argument("--tag", action="store_true", help="begin each line of output with the rank that wrote it")
    many.add_argument("script", help="the script's path")
    many.add_argument("arguments", nargs=argparse.REMAINDER, help="passed to the script")


def _add_dump(commands: Any) -> None:
    """The command that prints stages."""
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
    _add_target(dump)
    dump.add_argument("--stage", "-s", action="append", default=[], help="only this stage, or graph after this pass")
    dump.add_argument(
        "--format", "-f", choices=("text", "dot", "mermaid"), default="text",
        help="draw graphs: text for Graphviz or Mermaid, of the joint graph or those of --stage",
    )  # fmt: skip
    dump.add_argument("--depth", type=int, help="with --format: draw graphs inside of nodes down to this depth only")
    dump.add_argument("--diff", "-d", action="store_true", help="also what each pass of --stage changed")
    dump.add_argument("--out", "-o", help="write each stage to a file in this folder in place of printing it")


def console() -> int:
    """Run the command of this process: errors of the user's code show the user's frames, closed pipes end it."""
    sys.excepthook = show_error
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except BrokenPipeError:
        if sys.argv[1:2] in (["run"], ["launch"]):
            raise  # the script's own
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # so that Python's last flush finds no pipe
        return CLOSED_PIPE
    return status


CLOSED_PIPE = 141  # as shells have it


def run_code(text: str, name: str, arguments: Sequence[str]) -> int:
    """Run a program without a file as if it had one, so that compilation finds its text."""
    install_as_mindspore()
    sys.argv = [name, *arguments]
    sys.path.insert(0, "")
    sys.excepthook = show_error
    file = "<stdin>" if name == "-" else "<string>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = types.ModuleType("__main__")
    sys.modules["__main__"] = module
    exec(compile(text, file, "exec"), module.__dict__)
    return 0


def run_script(script: str, arguments: Sequence[str], is_code: bool = False) -> int:
    """Run a script in which `import mindspore` means mycel."""
    if is_code:
        return run_code(script, "-c", arguments)
    if script == "-":
        return run_code(sys.stdin.read(), "-", arguments)
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
    from .launch import launch  # and what it imports: other commands start without

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
        first = steps
        while first is not None and first.tb_frame.f_code is not console.__code__:
            first = first.tb_next
        error.__traceback__ = users_frames(first or steps, inside=True)  # without the script that calls `console`
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


def _compiled(chosen: argparse.Namespace) -> tuple[Any, list[Any]]:
    """The compiled form of the function or Cell that a command names, compiled for its inputs, and these inputs."""
    target, inputs = load_target(chosen.target, chosen.input)
    compiled = target if isinstance(target, (CompiledFunction, GradientFunction)) else jit(target)
    try:
        compiled.compile(*inputs)
    except TypeError as error:
        if users_frames(error.__traceback__, inside=True) is not None or "argument" not in str(error):
            raise
        told = "" if chosen.input else ": give the inputs' types with --input, such as --input 'f32[8, 4]'"
        raise CommandError(f"{error}{told}") from error
    return compiled, inputs


def show_profile(chosen: argparse.Namespace) -> int:
    """Print where the time of a function goes."""
    compiled, inputs = _compiled(chosen)
    print(compiled.profile(*inputs))
    return 0


def show_explanation(chosen: argparse.Namespace) -> int:
    """Print how a function is traced, or why it cannot be a graph."""
    compiled, _ = _compiled(chosen)
    print(compiled.explain())
    return 0


def export_target(chosen: argparse.Namespace) -> int:
    """Write a function or Cell to a file."""
    from .saving.exported import export
    from .saving.exported_checks import argument_names

    closed = [close_sizes(text) for text in chosen.input]
    target, inputs = load_target(chosen.target, [text for text, _ in closed])
    file_format = FORMATS.get(Path(chosen.out).suffix.lower())
    if file_format is None:
        raise CommandError(f"the file '{chosen.out}' should end with {' or '.join(FORMATS)}")
    named = zip(argument_names(target, len(inputs)), closed, strict=False)  # the file may list the inputs
    axes = {name: {axis: size if size != "?" else f"{name}_{axis}" for axis, size in open.items()}
            for name, (_, open) in named if open}  # fmt: skip
    try:
        export(target, *inputs, file_name=chosen.out, file_format=file_format, dynamic_axes=axes)
    except ImportError as error:
        raise CommandError(str(error)) from None
    print(chosen.out)
    return 0


FORMATS = {".mycel": "MYCEL", ".onnx": "ONNX"}
"""What `export` writes, by the end of a file's name."""


def dump_stages(chosen: argparse.Namespace) -> int:
    """Print the stages of a function in a file."""
    compiled, inputs = _compiled(chosen)
    stages = compiled.stages(*inputs)
    if chosen.out and chosen.format == "text":
        for written in write_stages(stages, Path(chosen.out)):
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
    graphs = {**stages.graphs(), **stages.passes}
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
    compiled, inputs = _compiled(chosen)
    stages = compiled.stages(*inputs)
    out = Path(chosen.out or f"{re.sub(r'[^A-Za-z0-9_]+', '_', stages.name).strip('_') or 'page'}.html")
    if not out.parent.is_dir():
        raise CommandError(f"there is no folder {out.parent}")
    print(stages.save(out, compiled.profile(*inputs) if chosen.profile else None))
    return 0
