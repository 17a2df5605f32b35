"""Random kernels, matrix products, tiles and programs against NumPy, on arrays next to memory that nobody may touch.

    python tests/native_fuzz.py 100000

draws so many: texts of kernels, graphs with views, reductions, loops and gradients, and in every eighth case a matrix
product, a transform of images to tiles, a copy, a convolution, a pooling, or a solution, inverse or factor of matrices.
They run in child processes, so that a crash names its seed and the rest goes on. `--start` is the first seed, `--batch`
how many a process runs, `--seconds` ends the search early. The last line counts what was found.
"""

from __future__ import annotations

import argparse
import ctypes
import itertools
import math
import mmap
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

sys.path[:0] = [str(Path(__file__).parent / "support")] if __name__ == "__main__" else []

from drawn_best import DrawnBest  # noqa: E402
from drawn_copies import DrawnCopy  # noqa: E402
from drawn_depthwise import DrawnDepthwise  # noqa: E402
from drawn_direct import DrawnDirect  # noqa: E402
from drawn_elimination import DrawnElimination  # noqa: E402
from drawn_groups import DrawnGroups, agree  # noqa: E402
from drawn_kernels import DrawnKernel  # noqa: E402
from drawn_narrow import DrawnNarrow  # noqa: E402
from drawn_pools import DrawnPool  # noqa: E402
from drawn_products import DrawnProduct  # noqa: E402
from drawn_reflections import DrawnReflections  # noqa: E402
from drawn_rows import DrawnRows  # noqa: E402
from drawn_small import DrawnSmall  # noqa: E402
from drawn_tiles import DrawnTransform  # noqa: E402
from drawn_turned import DrawnTurned  # noqa: E402

from mycel.runtime.machine.executable import unavailable  # noqa: E402
from mycel.runtime.machine.team import TeamMember  # noqa: E402
from mycel.runtime.native import streams  # noqa: E402
from mycel.runtime.native.builder import Unsupported  # noqa: E402
from mycel.runtime.native.codegen import compile_kernel  # noqa: E402
from mycel.runtime.native.evaluate import evaluator  # noqa: E402
from mycel.runtime.native.language import SIZES, parse  # noqa: E402

TOLERANCE = {"float32": 2e-3, "float64": 1e-9}
PAGE = mmap.PAGESIZE
CASES = (
    DrawnTransform, DrawnCopy, DrawnDepthwise, DrawnPool, DrawnDirect, DrawnSmall, DrawnElimination, DrawnReflections,
    DrawnBest, DrawnRows,
)  # fmt: skip
WIDE = (None, True, False)  # the vectors that a kernel chooses, those of 64 bytes, and those of 32


class GuardedMemory:
    """Arrays between protected pages. Those of one `turn` reuse the memory of the last one."""

    def __init__(self, slots: int = 40, pages: int = 64) -> None:
        self.pages = pages
        self.slots = [self.slot(pages) for _ in range(slots)]
        self.taken = 0

    @staticmethod
    def slot(pages: int) -> Any:
        """Some pages with one before and one behind that cannot be touched."""
        memory = mmap.mmap(-1, (pages + 2) * PAGE)
        start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
        protect = ctypes.CDLL(None, use_errno=True).mprotect
        protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
        for guard in (start, start + (pages + 1) * PAGE):
            if protect(guard, PAGE, 0):
                raise OSError(ctypes.get_errno(), "mprotect")
        return memory

    def turn(self) -> None:
        """Forget the arrays that were made."""
        self.taken = 0

    def copy(self, array: np.ndarray, at_end: bool) -> np.ndarray:
        """The array in memory that ends, or starts, at a protected page; the array itself if it is too large."""
        if array.nbytes > self.pages * PAGE or self.taken == len(self.slots) or not array.nbytes:
            return array.copy()
        memory = self.slots[self.taken]
        self.taken += 1
        offset = PAGE + (self.pages * PAGE - array.nbytes if at_end else 0)
        made = np.ndarray(array.shape, array.dtype, memory, offset)
        made[...] = array
        return made


class Found(NamedTuple):
    """A seed that did not go well, and how."""

    seed: int
    what: str


def kernel_case(seed: int, memory: GuardedMemory) -> None:
    """Compile a random kernel and compare; AssertionError where results differ."""
    maker = {5: DrawnNarrow, 1: DrawnTurned}.get(seed % 8, DrawnKernel)
    drawn = maker(seed)
    streamed = {"LARGEST": 0, "LONG_ROW": 0} if seed % 5 == 0 else {"LARGEST": streams.LARGEST}
    try:
        with mock.patch.multiple(streams, **streamed):
            kernel = compile_kernel(drawn.text, wide=WIDE[seed // 2 % 3])
    except Unsupported as refusal:  # the drawing knows every limit but this one
        if "too many bounds" not in str(refusal):
            raise
        return
    assert type(kernel).__name__ == "builtin_function_or_method", drawn.text
    expected = drawn.arguments([array.copy() for array in drawn.arrays])
    memory.turn()
    at_end = bool(drawn.random.random() < 0.7)
    found = drawn.arguments([memory.copy(array, at_end) for array in drawn.arrays])
    assert kernel(*found) is True, drawn.text
    assert evaluator(parse(drawn.text), drawn.text)(*expected) is True, drawn.text
    tolerance = TOLERANCE[drawn.dtype] if drawn.kind == "smooth" else 0.0
    if drawn.floats and math.prod(drawn.extents) > 1000:  # sums of sums of so many have no room for all their digits
        tolerance = max(tolerance, 1e-5)
    for number, (array, wanted) in enumerate(zip(found, expected, strict=True)):
        np.testing.assert_allclose(array, wanted, tolerance, tolerance, err_msg=f"array {number} of\n{drawn.text}")


def table_case(seed: int, memory: GuardedMemory) -> None:
    """A kernel that reads and writes tables at positions that it computes, some of which are outside."""
    random = np.random.default_rng(seed)
    whole, dtype = ("int32", "float32") if random.random() < 0.7 else ("int64", "float64")
    size, rows, most = SIZES[dtype], int(random.integers(1, 30)), int(random.integers(1, 9))
    sizes = tuple(int(n) for n in random.integers(1, 6, random.integers(1, 4)))
    strides = [size * math.prod(sizes[axis + 1 :]) for axis in range(len(sizes))]
    shape = ",".join(map(str, sizes))
    low = random.random() < 0.8
    rings = [f"r{axis}" for axis in range(len(sizes))]
    lines = [f"over {rows} 1", f"in i {whole}[{rows}] {size} 0", f"state p {whole}[] 0 0"]
    body: list[str] = []
    lines += [f"in x{number} {dtype}[{rows}] {size} 0" for number in range(most)]
    for axis, name in enumerate(rings):
        given = str(random.choice(["p", "i"]))
        body += [f"a{axis} = add({given}, {int(random.integers(9))})", f"b{axis} = remainder(a{axis}, {sizes[axis]})"]
        body.append(f"{name} = {'subtract' if random.random() < 0.3 else 'add'}(b{axis}, {0 if low else 1})")
    at = " ".join(f"{name} {stride} {extent}" for name, stride, extent in zip(rings, strides, sizes, strict=True))
    lines += [f"state t {dtype}[{shape}] 0 0 at {at}", f"state n {whole}[{shape}] 0 0 at {at}"]
    for n in range(most):
        body.append(f"y{n} = {random.choice(['add', 'maximum', 'subtract'])}({f'y{n - 1}' if n else 't'}, x{n})")
    body += ["c = add(n, 1)", "q = bitwise_and(c, 1023)", "w = copy(q)", f"u = copy(y{most - 1})", "z = copy(n)"]
    lines += [f"out u {dtype}[{shape}] 0 0 at {at}", f"out w {whole}[{shape}] 0 0 at {at}", f"out q {whole}[] 0 0"]
    lines.append(f"out z {whole}[{rows}] {size} 0")
    ends = random.random() < 0.4
    if ends:
        lines = ["while g", *lines, "out g bool[] 0 0"]
        body.append(f"g = less(c, {int(random.integers(-20, 60))})")
    text = "\n".join([*lines, *body])
    arrays = [random.integers(-50, 50, rows).astype(whole), np.array(random.integers(9), whole)]
    arrays += [random.integers(-9, 9, rows).astype(dtype) for _ in range(most)]
    arrays += [random.integers(-9, 9, sizes).astype(dtype), random.integers(-50, 50, sizes).astype(whole)]
    memory.turn()

    def run(kernel: Any, given: list[np.ndarray]) -> object:
        given += [given[most + 2], given[most + 3], given[1], np.zeros(rows, whole)]
        given += [np.zeros((), np.bool_)] if ends else []
        try:
            return kernel(*given)
        except IndexError as error:
            return str(error), error.names  # type: ignore[attr-defined]

    found = [memory.copy(array, bool(seed % 3)) for array in arrays]
    one = run(compile_kernel(text, wide=WIDE[seed // 32 % 3]), found)
    other = run(evaluator(parse(text), text), arrays)
    assert one == other, f"{one} and {other} of\n{text}"
    for number, (array, wanted) in enumerate(zip(found, arrays, strict=True)):
        np.testing.assert_array_equal(array, wanted, err_msg=f"array {number} of\n{text}")


def graph_case(seed: int, memory: GuardedMemory) -> None:
    """Compile a random graph with and without kernels and compare; AssertionError where results differ."""
    drawn = DrawnGroups(seed, richer=True)
    at_end = bool(drawn.random.random() < 0.7)

    calls = itertools.count()

    def arrays(seed: int) -> list[np.ndarray]:
        """The arrays of the program with kernels, then those of the one without."""
        if next(calls) % 2:
            return drawn.arrays(seed)
        memory.turn()
        return [guarded(memory, array, at_end) for array in drawn.arrays(seed)]

    agree(drawn.graph, arrays, drawn.tolerance, debug=False)


def product_case(seed: int, memory: GuardedMemory) -> None:
    """Multiply random matrices and compare; then arrays that do not fit. Or transform images, and so on."""
    memory.turn()
    at_end = bool(np.random.default_rng(seed).random() < 0.7)
    if seed % 16 == 7:
        drawn_case = CASES[seed // 16 % len(CASES)]
        drawn_case(seed, lambda array: memory.copy(array, at_end)).check()
        return
    drawn = DrawnProduct(seed, lambda array: memory.copy(array, at_end), pairs=seed % 4 == 0)
    drawn.check_refusal()
    drawn.check()


def guarded(memory: GuardedMemory, array: np.ndarray, at_end: bool) -> np.ndarray:
    """The array in guarded memory, if it is in one piece."""
    if not (array.flags.c_contiguous and array.flags.aligned):
        return array
    made = memory.copy(array, at_end)
    made.flags.writeable = array.flags.writeable
    return made


def run(start: int, count: int) -> None:
    """Run seeds in this process. Prints the current seed, and differences."""
    if unavailable() is None:  # a helper takes pieces of shared kernels
        threading.Thread(target=TeamMember().serve, daemon=True).start()
    memory = GuardedMemory()
    for seed in range(start, start + count):
        print(f"seed {seed}", flush=True)
        try:
            case = product_case if seed % 8 == 7 else kernel_case if seed % 2 else graph_case
            case = table_case if seed % 16 == 3 else case
            case(seed, memory)
        except Exception as error:
            print(f"differs {seed} {type(error).__name__}: {' | '.join(str(error).splitlines())[:1500]}", flush=True)
    print("done", flush=True)


def search(start: int, count: int, batch: int = 500, seconds: float = float("inf")) -> tuple[int, list[Found]]:
    """Run so many seeds in child processes. Returns how many were run, and the failures."""
    began, seed, found = time.monotonic(), start, []
    while seed < start + count and time.monotonic() - began < seconds:
        size = min(batch, start + count - seed)
        command = [sys.executable, __file__, "--child", str(seed), str(size)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        found += [Found(int(line.split()[1]), line) for line in done.stdout.splitlines() if line.startswith("differs")]
        seeds = re.findall(r"^seed (\d+)$", done.stdout, re.MULTILINE)
        if done.stdout.endswith("done\n"):
            seed += size
        elif not seeds:
            raise RuntimeError(f"the search does not start\n{done.stderr[-3000:]}")
        else:
            seed = int(seeds[-1])
            found.append(Found(seed, f"crashed {seed} with exit code {done.returncode}: {done.stderr[-1500:]}"))
            seed += 1
    return seed - start, found


def main() -> int:
    """Search as the command line says; 1 if something was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("size", type=int, nargs="?", help=argparse.SUPPRESS)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--batch", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=float("inf"))
    arguments = parser.parse_args()
    if arguments.child:
        run(arguments.count, arguments.size)
        return 0
    count, found = search(arguments.start, arguments.count, arguments.batch, arguments.seconds)
    for item in found:
        print(item.what)
    crashes = sum(item.what.startswith("crashed") for item in found)
    print(f"{count} programs, {crashes} crashes, {len(found) - crashes} differences")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
