"""Mutation testing: random small changes of the code, each of which some test should notice.

    make mutants ARGS="--count 40 --seed 3"
    python tests/mutants.py --files runtime/packing.py --tests tests/runtime/test_packing.py

A mutant is one change of one line: a comparison, an operator, a condition, a number, a call that is left out. The
tests run once under `coverage` (of the extra "mutants"), which notes for every line which tests run it; that takes
several times as long as the tests alone, and is kept in the folder --work until the code changes. Then each mutant is
made in a copy of the repository, and the tests of its line run, quick ones first, until one fails. Those that no test
notices are shown at the end. Each is either a change that nobody can see (a threshold of speed), or asks for a test.
"""

from __future__ import annotations

import argparse
import ast
import collections
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
FILES = ("compiler/**/*.py", "runtime/**/*.py", "frontend/**/*.py", "library/train/*.py")
LEFT_OUT = (
    "--ignore=tests/test_packaging.py",
    "--ignore=tests/test_benchmarks.py",
)  # what runs in processes of its own
COMPARED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not",
    ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
COMPUTED = {
    ast.Add: "-", ast.Sub: "+", ast.Mult: "/", ast.Div: "*", ast.FloorDiv: "*", ast.Mod: "+", ast.BitOr: "&",
    ast.BitAnd: "|", ast.LShift: ">>", ast.RShift: "<<", ast.Pow: "*",
}  # fmt: skip
OPPOSITE = {"min": "max", "max": "min", "any": "all", "all": "any"}
SAMPLES = ("Sample", "unary_samples", "pair")  # what the tests of ops compute with


class Mutant(NamedTuple):
    """A change: the line, the text there and the one in its place, and the whole file with it."""

    line: int
    old: str
    new: str
    text: str


def mutants(text: str) -> list[Mutant]:
    """Every mutant of a file; none of annotations, texts, errors that are raised, or samples for tests."""
    tree, raw = ast.parse(text), text.encode()
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    left_out = {inner for node in ast.walk(tree) for part in _left_out(node) for inner in ast.walk(part)}
    found = []
    for node in ast.walk(tree):
        if node in left_out:
            continue
        for place, new in _changes(node, lambda part: ast.get_source_segment(text, part) or ""):
            start = starts[place.lineno - 1] + place.col_offset  # type: ignore[attr-defined]
            end = starts[place.end_lineno - 1] + place.end_col_offset  # type: ignore[attr-defined]
            changed = (raw[:start] + new.encode() + raw[end:]).decode()
            try:
                ast.parse(changed)
            except SyntaxError:
                continue
            found.append(Mutant(place.lineno, raw[start:end].decode(), new, changed))  # type: ignore[attr-defined]
    return found


def _left_out(node: ast.AST) -> Iterator[ast.AST]:
    """Parts of a node that are not changed."""
    for name in ("annotation", "returns"):
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            yield part
    if isinstance(node, ast.Raise) and node.exc is not None:
        yield node.exc
    called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
    if (
        isinstance(node, ast.JoinedStr)
        or called in SAMPLES
        or (isinstance(node, ast.keyword) and node.arg == "samples")
    ):
        yield node
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        yield node


def _changes(node: ast.AST, source: Callable[[ast.AST], str]) -> Iterator[tuple[ast.AST, str]]:
    """The places that a node may be changed at, and the texts."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        yield node, f"({source(node.left)} {COMPARED[type(node.ops[0])]} {source(node.comparators[0])})"
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and "None" not in source(node):
        yield node, f"({source(node.left)} {COMPUTED[type(node.op)]} {source(node.right)})"
    elif isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        yield node, f"({word.join(f'({source(value)})' for value in node.values)})"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield node, f"({'' if isinstance(node.op, ast.Not) else '+'}{source(node.operand)})"
    elif isinstance(node, ast.Constant) and isinstance(node.value, (bool, int, float)):
        yield node, str(not node.value) if isinstance(node.value, bool) else f"({source(node)} + 1)"
    elif isinstance(node, (ast.If, ast.IfExp, ast.While)):
        yield node.test, f"(not ({source(node.test)}))"
    elif (isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)) or isinstance(node, ast.AugAssign):
        yield node, "pass"
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OPPOSITE:
        yield node.func, OPPOSITE[node.func.id]
    elif isinstance(node, (ast.Continue, ast.Break)):
        yield node, "break" if isinstance(node, ast.Continue) else "continue"
    elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
        yield node.value, "None"


class Runner:
    """A copy of the repository under the name mycel, and the records of its tests."""

    def __init__(self, work: Path, tests: Sequence[str]) -> None:
        self.chosen = tests
        self.copy = work / "mycel"
        listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        names = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
        digest = hashlib.sha256(
            repr(tests).encode() + b"".join(name.encode() + (ROOT / name).read_bytes() for name in sorted(names))
        )
        self.data = work / f"coverage-{digest.hexdigest()[:16]}"
        self.report = self.data.with_suffix(".xml")
        shutil.rmtree(self.copy, ignore_errors=True)
        for name in names:
            (self.copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, self.copy / name)

    def pytest(self, *arguments: str, tool: tuple[str, ...] = (), limit: float | None = None) -> int:
        """Run tests in the copy. Returns pytest's exit code, or -1 after a timeout."""
        environment = {**os.environ, "PYTHONPATH": str(self.copy.parent), "CI": "1", "OPENBLAS_NUM_THREADS": "1"}
        environment.pop("HYPOTHESIS_PROFILE", None)
        command = [sys.executable, *tool, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--tb=no", *arguments]
        try:
            return subprocess.run(
                command, cwd=self.copy, env=environment, capture_output=True, timeout=limit
            ).returncode
        except subprocess.TimeoutExpired:
            return -1

    def learn(self) -> None:
        """Which tests run which lines, and how long each takes."""
        if not (self.data.exists() and self.report.exists()):
            settings = self.data.with_suffix(".ini")
            settings.write_text(
                f"[run]\nsource = {self.copy}\nomit = */tests/*\ndynamic_context = test_function\n"
                f"data_file = {self.data}\n"
            )
            coverage = ("-m", "coverage", "run", f"--rcfile={settings}")
            code = self.pytest(*self.chosen, *LEFT_OUT, f"--junitxml={self.report}", tool=coverage)
            if not self.data.exists():
                raise SystemExit(f"the tests did not run under coverage, which has to be installed (code {code})")
        self.seconds: collections.Counter[str] = collections.Counter()
        self.tests: dict[tuple[str, str], str] = {}
        for case in ElementTree.parse(self.report).iter("testcase"):
            module, function = case.attrib["classname"], case.attrib["name"].split("[")[0]
            test = f"{module.replace('.', '/')}.py::{function}"
            self.seconds[test] += float(case.attrib["time"])
            self.tests[module.rpartition(".")[2], function] = test
        from coverage import CoverageData  # only who runs this has to have it

        self.lines = CoverageData(str(self.data))
        self.lines.read()

    def tests_of(self, file: str, line: int) -> list[str]:
        """The tests that run a line: first those of the file of the same name, then by their time."""
        contexts = self.lines.contexts_by_lineno(str(self.copy / file)).get(line, [])
        names = [tuple(context.split(".")[-2:]) for context in contexts if "." in context]
        found = {self.tests[name] for name in names if name in self.tests}  # type: ignore[index]
        return sorted(found, key=lambda test: (Path(file).stem not in test, self.seconds[test]))

    def notices(self, file: str, mutant: Mutant, seconds: float) -> bool:
        """Whether a test fails with a mutant; of each line as many tests are run as that take so long."""
        chosen, total = [], 0.0
        for test in self.tests_of(file, mutant.line):
            if total + self.seconds[test] <= seconds or not chosen:
                chosen.append(test)
                total += self.seconds[test]
        if not chosen:
            return False
        path = self.copy / file
        whole = path.read_bytes()
        path.write_text(mutant.text, encoding="utf-8")
        try:
            parts = chosen[:20], chosen[20:]
            return any(part and self.pytest("-x", *part, limit=60 + 5 * seconds) != 0 for part in parts)
        finally:
            path.write_bytes(whole)


def main() -> None:
    """Draw mutants, and show which of them no test notices."""
    parser = argparse.ArgumentParser(description=re.split(r"\n\n", __doc__ or "")[0])
    parser.add_argument("--files", nargs="+", default=FILES, help="patterns of files, from the repository's root")
    parser.add_argument("--tests", nargs="+", default=["tests"], help="files or folders of tests")
    parser.add_argument("--count", type=int, default=100, help="how many mutants are drawn")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=60.0, help="of tests for one mutant")
    parser.add_argument("--work", type=Path, default=Path(tempfile.gettempdir()) / "mycel-mutants")
    options = parser.parse_args()
    runner = Runner(options.work, options.tests)
    print("which tests run which lines ...", flush=True)
    runner.learn()
    files = sorted({str(path.relative_to(ROOT)) for pattern in options.files for path in ROOT.glob(pattern)})
    drawn = [(file, mutant) for file in files for mutant in mutants((ROOT / file).read_text(encoding="utf-8"))]
    random.Random(options.seed).shuffle(drawn)
    missed = []
    for number, (file, mutant) in enumerate(drawn[: options.count], 1):
        noticed = runner.notices(file, mutant, options.seconds)
        line = f"{file}:{mutant.line}  {mutant.old!r:.60} -> {mutant.new!r:.60}"
        missed += [] if noticed else [line]
        print(f"{number:4} {'noticed' if noticed else 'MISSED '} {line}", flush=True)
    total = min(options.count, len(drawn))
    print(f"\n{total - len(missed)} of {total} mutants are noticed; these are not:", *missed, sep="\n")


if __name__ == "__main__":
    main()
