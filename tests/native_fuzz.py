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
from drawn_pools import DrawnPool  # noqa: E402
from drawn_products import DrawnProduct  # noqa: E402
from drawn_reflections import DrawnReflections  # noqa: E402
from drawn_small import DrawnSmall  # noqa: E402
from drawn_tiles import DrawnTransform  # noqa: E402

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
    DrawnBest,
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


EXACT = ("add", "subtract", "multiply", "maximum", "minimum")
COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
LOGIC = ("logical_and", "logical_or", "logical_xor")
ROUNDING = ("floor", "ceil", "trunc", "round")
SMOOTH = (
    "exp", "expm1", "sinh", "cosh", "tanh", "asinh", "atan", "sin", "cos", "sigmoid", "erf", "erfc", "negative",
    "absolute",
)  # fmt: skip
DOMAIN: dict[str, tuple[str, ...]] = {  # what makes arguments of functions that are not defined everywhere
    "log": ("absolute({})", "add({}, 0.5)"),
    "log2": ("absolute({})", "add({}, 0.5)"),
    "log10": ("absolute({})", "add({}, 0.5)"),
    "log1p": ("absolute({})",),
    "sqrt": ("absolute({})", "add({}, 0.25)"),
    "acosh": ("absolute({})", "add({}, 1.5)"),
    "atanh": ("multiply({}, 0.125)",),
    "asin": ("multiply({}, 0.125)",),
    "acos": ("multiply({}, 0.125)",),
    "tan": ("multiply({}, 0.25)",),
    **dict.fromkeys(SMOOTH, ()),
}  # fmt: skip


class DrawnKernel:
    """A random kernel: its text, and arrays of exactly the size that it reaches.

    Kinds: `exact`, where numbers are small multiples of 1/4 and every result is; `special`, with nan, infinities and
    numbers near the ends; `smooth`, with functions, where nothing jumps.
    """

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64", "int32", "int64"], p=[0.5, 0.2, 0.15, 0.15]))
        self.floats = self.dtype.startswith("float")
        self.kind = str(random.choice(["exact", "special", "smooth"], p=[0.5, 0.2, 0.3])) if self.floats else "exact"
        self.extents = self.draw_extents()
        self.state = len(self.extents) > 1 and random.random() < 0.2
        self.pieces = -(-self.extents[0] // int(random.integers(1, self.extents[0] + 1))) if self.shares() else 0
        self.lines: list[str] = [f"shared {self.pieces}"] if self.pieces else []
        self.lines.append(" ".join(map(str, ("over", *self.extents))))
        self.body: list[str] = []
        self.arrays: list[np.ndarray] = []
        self.dtypes: dict[str, str] = {}
        self.count = 0
        self.scans = 0
        self.halves: list[str] = []
        self.late = False  # whether positions are computed, in one pass
        self.read_at: list[tuple[tuple[str, int, int], bool]] = []  # the places of an input
        self.indices: list[tuple[str, int, bool]] = []  # name, positions, whether each column has its own
        self.lasts: set[str] = set()  # of these, those whose negative positions are the last one
        for number in range(int(random.choice([1, 2, 3, 4, 14], p=[0.3, 0.3, 0.2, 0.15, 0.05]))):
            self.input(f"x{number}")
        if self.state:
            self.declare("state", "z", self.dtype, (0, *self.dense(self.extents[1:], self.dtype)), room=0)
        for _ in range(int(random.integers(1, 8))):
            self.statement()
        outputs = [f"y{number}" for number in range(int(random.integers(1, 4)))]
        if self.state:
            outputs.insert(int(random.integers(len(outputs) + 1)), "next")
        for name in outputs:
            if name == "next":
                self.body.append(f"next = copy({self.pick('number')})")
                self.declare("out", "next", self.dtype, (0, *self.dense(self.extents[1:], self.dtype)), room=0)
            else:
                self.output(name)
        self.text = "\n".join([*self.lines, *self.body])

    def draw_extents(self) -> tuple[int, ...]:
        """The extents of loops, the last of which is over columns; few are large."""
        random = self.random
        columns = int(
            random.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33, 40, 64, 67, 96, 131, 200, 263])
        )
        rows = tuple(int(n) for n in random.integers(1, 6, random.integers(0, 3)))
        chance = random.random()
        if chance < 0.02:
            return (*rows[:1], int(random.integers(1000, 4000)))
        return (int(random.integers(4000, 5000)), 9) if chance < 0.025 else (*rows, columns)

    def shares(self) -> bool:
        return len(self.extents) > 1 and not self.state and self.random.random() < 0.15

    @staticmethod
    def dense(extents: tuple[int, ...], dtype: str) -> tuple[int, ...]:
        """Strides in C order."""
        strides, step = [], SIZES[dtype]
        for extent in reversed(extents):
            strides.append(step)
            step *= extent
        return tuple(reversed(strides))

    def numbers(self, count: int, dtype: str) -> np.ndarray:
        """The content of an array."""
        random = self.random
        if dtype == "bool":
            return random.random(count) < 0.5
        if not dtype.startswith("float"):
            return random.integers(-9, 10, count).astype(dtype)
        found = (random.integers(-16, 17, count) / 4).astype(dtype)
        if self.kind == "special":
            limits = np.finfo(dtype)
            special = [np.nan, np.inf, -np.inf, -0.0, 0.0, limits.max, limits.tiny, limits.smallest_subnormal, 1e30]
            with np.errstate(over="ignore"):
                found = np.where(random.random(count) < 0.4, random.choice(special, count), found).astype(dtype)
        return found

    def declare(
        self,
        role: str,
        name: str,
        dtype: str,
        strides: tuple[int, ...],
        parts: int = 1,
        room: float = 0.1,
        bounds: tuple[tuple[int, int], ...] = (),
        at: tuple[tuple[str, int, int], ...] = (),
    ) -> None:
        """An array of exactly the size that the loops reach, sometimes with room before it."""
        size = SIZES[dtype]
        reached = bounds or [(0, extent) for extent in self.extents]
        ends = [sorted((stride * a, stride * (b - 1))) for stride, (a, b) in zip(strides, reached, strict=True)]
        ends += [sorted((0, stride * (count - 1))) for _, stride, count in at]
        low, high = sum(first for first, _ in ends), sum(last for _, last in ends)
        offset = -low + size * int(self.random.random() < room)
        count = (offset + high + size) // size * parts if parts == 1 else (offset + (high + size) * parts) // size
        words = (role, name, f"{dtype}[{count}]", *strides, *(("from", offset) if offset else ()))
        places = [(index, stride, f"{count}-" if index in self.lasts else count) for index, stride, count in at]
        words += ("at", *itertools.chain(*places)) if at else ()
        words += ("within", *itertools.chain(*bounds)) if bounds else ()
        self.lines.append(" ".join(map(str, words)))
        if role == "index":
            most = self.indices[-1][1]
            low, high = (-3 * most, most - 1) if name in self.lasts else (-most, most)
            drawn = self.random.integers(low, high, count).astype(dtype)
            self.arrays.append(np.sort(drawn) if self.random.random() < 0.3 else drawn)
            return
        self.arrays.append(self.numbers(count, dtype))
        if role in ("in", "state"):
            self.dtypes[name] = dtype

    def input(self, name: str) -> None:
        """An input of any layout."""
        dtype = "bool" if self.random.random() < 0.25 else self.dtype
        if dtype == "float32" and self.kind != "smooth" and self.random.random() < 0.15:
            dtype = "float16"
        elif SIZES[self.dtype] == 4 and self.random.random() < 0.1:
            dtype = "uint8"
        size, strides = SIZES[dtype], []
        for extent in self.extents:
            strides.append(int(self.random.choice([0, 1, 1, 1, 2, 3, -1, -2, extent + 1])) * size)
        if self.random.random() < 0.5:
            strides[-1] = size
        if self.random.random() < 0.3:
            strides = list(self.dense(self.extents, dtype))
        if size >= 4 and random_places(self):
            drawn = [self.draw_place(size) for _ in range(int(self.random.integers(1, 3)))]
            self.declare("in", name, dtype, tuple(strides), at=tuple(place for place, _ in drawn))
            self.read_at = drawn if all(place[1] >= 0 for place, _ in drawn) else self.read_at
            return
        self.declare("in", name, dtype, tuple(strides), bounds=self.draw_bounds(strides, dtype))
        if dtype == "float16":
            self.half(self.dtypes.popitem()[0])
        elif dtype == "uint8":
            self.bounded(self.add(self.dtype, f"cast({self.dtypes.popitem()[0]}, {self.dtype})"))

    def draw_place(self, size: int) -> tuple[tuple[str, int, int], bool]:
        """Positions by an index array, a new one now and then, and whether each column has its own."""
        random = self.random
        if not self.indices or random.random() < 0.4:
            kept = [axis for axis in range(len(self.extents)) if random.random() < 0.6]
            dtype, strides = str(random.choice(["int32", "int64"])), [0] * len(self.extents)
            step = SIZES[dtype] * int(random.choice([1, 1, 3]))
            for axis in reversed(kept):
                strides[axis], step = step * int(random.choice([1, 1, -1])), step * self.extents[axis]
            columns = bool(strides[-1]) and self.extents[-1] > 1
            self.indices.append((f"i{len(self.indices)}", int(random.integers(1, 8)), columns))
            if random.random() < 0.3:  # negative ones are the last
                self.lasts.add(self.indices[-1][0])
            self.declare("index", self.indices[-1][0], dtype, tuple(strides))
        name, count, columns = self.indices[int(random.integers(len(self.indices)))]
        more = int(random.integers(3)) if random.random() < 0.3 else 0
        return (name, size * int(random.choice([1, 1, 2, 7, -1, 0])), count + more), columns

    def draw_bounds(self, strides: list[int], dtype: str) -> tuple[tuple[int, int], ...]:
        """Bounds in some of the loops; of columns only where they lie side by side."""
        random = self.random
        if SIZES[dtype] < 4 or random.random() < 0.6 or strides[-1] not in (0, SIZES[dtype]):
            return ()
        found = [(0, extent) for extent in self.extents]
        for loop, extent in enumerate(self.extents):
            if random.random() < 0.6 and (loop < len(self.extents) - 1 or strides[-1]):
                low = int(random.integers(extent))
                found[loop] = low, int(random.integers(low + 1, extent + 1))
        return tuple(found)

    def pick(self, kind: str) -> str:
        """The name of a number or a bool, made if there is none."""
        found = [name for name, dtype in self.dtypes.items() if (dtype == "bool") == (kind == "bool")]
        if found:
            return str(self.random.choice(found))
        given = next(iter(self.dtypes))
        if kind == "bool":
            return self.add("bool", f"not_equal({given}, 1)")
        cast = self.add("bool", f"copy({given})")
        one, zero = (f"{self.dtype}({value})" for value in (("1.5", "0.5") if self.floats else ("3", "2")))
        return self.add(self.dtype, f"select({cast}, {one}, {zero})")

    def add(self, dtype: str, text: str) -> str:
        """A statement's line; the name of its value."""
        self.count += 1
        name = f"t{self.count}"
        self.body.append(f"{name} = {text}")
        self.dtypes[name] = dtype
        return name

    def half(self, name: str) -> None:
        """Note a half, which is also a number when it is cast."""
        self.dtypes.pop(name, None)
        self.halves.append(name)
        self.bounded(self.add(self.dtype, f"cast({name}, {self.dtype})"))

    def arithmetic_on_halves(self) -> None:
        """A function of halves, each of whose results is rounded."""
        random = self.random
        x, y = str(random.choice(self.halves)), str(random.choice(self.halves))
        choice = random.random()
        if choice < 0.15:
            self.add("bool", f"{random.choice(COMPARISONS)}({x}, {y})")
            return
        if choice < 0.3:
            text = f"cast({self.pick(str(random.choice(['number', 'bool'])))}, float16)"
        elif choice < 0.45:
            text = f"{random.choice(['negative', 'absolute', 'sign', 'sqrt', *ROUNDING])}({x})"
        elif choice < 0.55:
            text = f"select({self.pick('bool')}, {x}, {y})"
        else:
            y = y if random.random() < 0.7 else str(random.choice(["0.1", "-1.0", "3.0", "70000.0"]))
            text = f"{random.choice([*EXACT, 'divide'])}({x}, {y})"
        self.half(self.add("float16", text))

    def bounded(self, name: str) -> str:
        """The value, small enough that further steps are exact, or smooth."""
        if not self.floats or self.kind == "special":
            return name
        if self.kind == "exact":
            name = self.add(self.dtype, f"multiply({name}, 4.0)")
            name = self.add(self.dtype, f"round({name})")
            name = self.add(self.dtype, f"multiply({name}, 0.25)")
        name = self.add(self.dtype, f"maximum({name}, -4.0)")
        return self.add(self.dtype, f"minimum({name}, 4.0)")

    def statement(self) -> None:
        """One or more statements that make a value."""
        random = self.random
        x, y = self.pick("number"), self.pick("number")
        choice = random.random()
        if self.halves and random.random() < 0.4:
            self.arithmetic_on_halves()
            return
        if random.random() < 0.1 and self.kind != "special" and self.extents[-1] > 1 and self.scans < 4:
            self.scan(x)
            return
        if self.kind == "smooth":
            if choice < 0.6:
                function = str(random.choice(list(DOMAIN)))
                for step in DOMAIN[function]:
                    x = self.add(self.dtype, step.format(x))
                self.bounded(self.add(self.dtype, f"{function}({x})"))
                return
            if choice < 0.7:
                x, y = self.add(self.dtype, f"absolute({x})"), self.add(self.dtype, f"absolute({y})")
                x = self.add(self.dtype, f"add({x}, 0.5)")
                function = str(random.choice(["divide", "power"]))
                x = x if random.random() < 0.7 else "0.3"
                text = f"divide({y}, {x})" if function == "divide" else f"power({x}, {y})"
                self.bounded(self.add(self.dtype, text))
                return
        elif choice < 0.15:
            self.add("bool", f"{random.choice(COMPARISONS)}({x}, {y})")
            return
        elif choice < 0.25:
            one, other = self.pick("bool"), self.pick(str(random.choice(["bool", "number"])))
            self.add("bool", f"{random.choice(LOGIC)}({one}, {other})")
            return
        elif choice < 0.3 and self.floats:
            self.add("bool", f"{random.choice(['isnan', 'isinf', 'isfinite'])}({x})")
            return
        elif choice < 0.35:
            self.integers(x, y)
            return
        elif choice < 0.45:
            if self.floats and random.random() < 0.3:
                self.bounded(self.add(self.dtype, f"{random.choice(['floor_divide', 'remainder', 'fmod'])}({x}, {y})"))
                return
            functions = ["negative", "absolute", "sign", *(ROUNDING if self.floats else ())]
            self.add(self.dtype, f"{random.choice(functions)}({x})")
            return
        if choice < 0.8 and choice > 0.7:
            self.add(self.dtype, f"select({self.pick('bool')}, {x}, {y})")
            return
        # What lies over a state may be written in the first pass over a row: no kernel of a loop has a second one.
        if choice >= 0.8 and self.kind != "special" and not self.state:
            reduction = str(random.choice(["add", "maximum", "minimum"]))
            total = self.add(self.dtype, f"row_{reduction}({x})")
            if reduction == "add" and self.floats:
                total = self.add(self.dtype, f"multiply({total}, {2.0 ** -int(self.extents[-1]).bit_length()!r})")
            self.bounded(total)
            return
        if random.random() < 0.2:
            y = str(random.choice(["0.5", "-1.0", "2.0", "0.0"] if self.floats else ["2", "-3", "0"]))
        self.bounded(self.add(self.dtype, f"{random.choice(EXACT)}({x}, {y})"))

    def scan(self, x: str) -> None:
        """A running reduction along the columns, small enough to be exact."""
        self.scans += 1
        function = str(self.random.choice(["add", "maximum", "minimum", "multiply", "recurrence"]))
        if function == "recurrence":
            factors = self.add(self.dtype, f"sign({self.pick('number')})")
            total = self.add(self.dtype, f"scan_recurrence({factors}, {x})")
            if self.floats:
                total = self.add(self.dtype, f"multiply({total}, {2.0 ** -int(self.extents[-1]).bit_length()!r})")
            self.bounded(total)
            return
        if function == "multiply":
            x = self.add(self.dtype, f"sign({x})")
        total = self.add(self.dtype, f"scan_{function}({x})")
        if function == "add" and self.floats:
            total = self.add(self.dtype, f"multiply({total}, {2.0 ** -int(self.extents[-1]).bit_length()!r})")
        self.bounded(total)

    def integers(self, x: str, y: str) -> None:
        """Functions of bits, and casts."""
        mask = self.pick("bool")
        whole = "int32" if SIZES[self.dtype] == 4 else "int64"
        if not self.floats and self.random.random() < 0.2:
            count = y if self.random.random() < 0.5 else str(int(self.random.integers(-2, 8 * SIZES[self.dtype] + 2)))
            self.add(self.dtype, f"{self.random.choice(['left_shift', 'right_shift'])}({x}, {count})")
        elif not self.floats and self.random.random() < 0.4:
            function = str(self.random.choice(["floor_divide", "remainder", "fmod"]))
            if self.dtype == "int64" or self.random.random() < 0.7:
                limit = 1 << 8 * SIZES[self.dtype] - 1
                y = str(int(self.random.integers(-limit, limit)) >> int(self.random.integers(8 * SIZES[self.dtype])))
            self.add(self.dtype, f"{function}({x}, {y})")
        elif not self.floats:
            function = str(self.random.choice(["bitwise_and", "bitwise_or", "bitwise_xor", "mask_bits"]))
            self.add(self.dtype, f"{function}({x}, {mask if function == 'mask_bits' else y})")
        elif self.dtype == "float32" and self.random.random() < 0.4:
            number = self.add(whole, f"cast({x}, {whole})")  # nan and what is too large have a result of their own
            del self.dtypes[number]
            self.add(self.dtype, f"cast({number}, {self.dtype})")
        elif self.random.random() < 0.5:
            bits = self.add(whole, f"bitcast({x}, {whole})")
            del self.dtypes[bits]
            kept = self.add(whole, f"mask_bits({bits}, {mask})")
            del self.dtypes[kept]
            self.add(self.dtype, f"bitcast({kept}, {self.dtype})")
        else:
            self.add(self.dtype, f"cast({mask}, {self.dtype})")

    def output(self, name: str) -> None:
        """An output of an existing value, stored or combined."""
        random = self.random
        source = self.pick(str(random.choice(["number", "number", "bool"])))
        dtype = self.dtypes[source]
        if self.halves and not self.state and random.random() < 0.5:
            source, dtype = str(random.choice(self.halves)), "float16"
        roles = ["out", "out", "maximum", "minimum", *(["add"] if self.kind != "special" else [])]
        role = "out" if SIZES[dtype] < 4 or self.state else str(random.choice(roles))
        role = "out" if self.late else role  # which reduces no row
        if SIZES[dtype] >= 4 and not self.pieces and not self.late and random_places(self):
            self.scatter(name, role, source, dtype)
            return
        if role == "add" and not self.pieces and 1 < self.extents[-1] <= 1024 and random.random() < 0.3:
            self.scatter_computed(name, source, dtype)
            return
        kept = [axis for axis in range(len(self.extents)) if role == "out" or random.random() < 0.5]
        strides, step = [0] * len(self.extents), SIZES[dtype]
        for axis in reversed(kept):
            strides[axis], step = step, step * self.extents[axis]
        if role == "out" and SIZES[dtype] >= 4 and not self.state and random.random() < 0.2:
            strides[-1] = -strides[-1]  # written from the end
        if SIZES[dtype] >= 4 and not self.state and not (role != "out" and self.pieces) and random.random() < 0.15:
            strides = [3 * stride for stride in strides]  # with room between
        if role != "out" and len(self.extents) - 1 not in kept and self.extents[-1] > 1:
            source = self.add(dtype, f"row_{role}({source})")
            del self.dtypes[source]
        self.declare(role, name, dtype, tuple(strides), max(1, self.pieces) if role != "out" else 1)
        self.body.append(f"{name} = {source}")

    def scatter(self, name: str, role: str, source: str, dtype: str) -> None:
        """An output of a value that is combined at positions."""
        size, places = SIZES[dtype], [self.draw_place(SIZES[dtype]) for _ in range(int(self.random.integers(1, 3)))]
        if self.read_at and self.random.random() < 0.4:  # where an input was read
            places = self.read_at
        at = tuple((index, abs(stride), count) for (index, stride, count), _ in places)
        strides = [int(self.random.choice([0, 0, 1, 3])) * size for _ in self.extents]
        if not any(columns for _, columns in places) and self.extents[-1] > 1:
            strides[-1] = min(strides[-1], size)
            if not strides[-1]:
                source = self.add(dtype, f"row_{'maximum' if role == 'out' else role}({source})")
                del self.dtypes[source]
        self.declare(role, name, dtype, tuple(strides), room=0, at=at)
        self.body.append(f"{name} = {source}")

    def scatter_computed(self, name: str, source: str, dtype: str) -> None:
        """Sums of a value at positions that the kernel computes, if these are no row's."""
        whole, number = f"int{8 * SIZES[dtype]}", self.pick("number")
        rows = any("row_" in line or "scan_" in line for line in self.body)
        if rows or self.dtypes[number] != dtype or number not in self.of_columns():
            self.output(name)
            return
        self.late = True
        if self.floats:
            number = self.add(whole, f"cast({number}, {whole})")
            del self.dtypes[number]
        position = self.add(whole, f"bitwise_and({number}, 7)")
        del self.dtypes[position]
        strides = [SIZES[dtype] * int(self.random.integers(3)) for _ in self.extents[:-1]]
        self.declare("add", name, dtype, (*strides, 0), room=0, at=((position, SIZES[dtype], 8),))
        self.body.append(f"{name} = {source}")

    def of_columns(self) -> set[str]:
        """The values that each column has its own of."""
        kernel = parse("\n".join([*self.lines, *self.body]))
        found = {array.name for array in kernel.arrays if array.strides and array.strides[-1]}
        for statement in kernel.statements:
            if found.intersection(map(str, statement.arguments)):
                found.add(statement.name)
        return found

    def arguments(self, arrays: list[np.ndarray]) -> list[np.ndarray]:
        """The arrays with the next state in the memory of the state."""
        number = {array.name: position for position, array in enumerate(parse(self.text).arrays)}
        if self.state:
            arrays[number["next"]] = arrays[number["z"]]
        return arrays


def random_places(drawn: DrawnKernel) -> bool:
    """Whether an array has places."""
    return not drawn.state and drawn.random.random() < 0.25


class Found(NamedTuple):
    """A seed that did not go well, and how."""

    seed: int
    what: str


def kernel_case(seed: int, memory: GuardedMemory) -> None:
    """Compile a random kernel and compare; AssertionError where results differ."""
    drawn = DrawnKernel(seed)
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
    drawn = DrawnProduct(seed, lambda array: memory.copy(array, at_end))
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
