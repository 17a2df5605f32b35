"""Kernels, drawn at random."""

from __future__ import annotations

import itertools
from contextlib import suppress

import numpy as np

from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.check import check
from mycel.runtime.native.language import SHARED_COLUMNS, SIZES, parse

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

    stateful = 0.2  # how often rows are iterations over a state

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64", "int32", "int64"], p=[0.5, 0.2, 0.15, 0.15]))
        self.floats = self.dtype.startswith("float")
        self.kind = str(random.choice(["exact", "special", "smooth"], p=[0.5, 0.2, 0.3])) if self.floats else "exact"
        self.extents = self.draw_extents()
        self.state = len(self.extents) > 1 and random.random() < self.stateful
        self.turn = int(random.integers(len(self.extents) - 1)) if self.state else 0  # the loop over its iterations
        self.begin()
        self.scans = 0
        self.halves: list[str] = []
        self.narrow: list[tuple[str, str]] = []  # names and dtypes of integers of 8 and 16 bits
        self.late = False  # whether positions are computed, in one pass
        self.read_at: list[tuple[tuple[str, int, int], bool]] = []  # the places of an input
        self.indices: list[tuple[str, int, bool]] = []  # name, positions, whether each column has its own
        self.lasts: set[str] = set()  # of these, those whose negative positions are the last one
        for number in range(int(random.choice([1, 2, 3, 4, 14], p=[0.3, 0.3, 0.2, 0.15, 0.05]))):
            self.input(f"x{number}")
        if self.state:
            self.declare("state", "z", self.dtype, self.of_state(), room=0)
        for _ in range(int(random.integers(1, 8))):
            self.statement()
        outputs = [f"y{number}" for number in range(int(random.integers(1, 4)))]
        if self.state:
            outputs.insert(int(random.integers(len(outputs) + 1)), "next")
        for name in outputs:
            if name == "next":
                self.body.append(f"next = copy({self.pick('number')})")
                self.declare("out", "next", self.dtype, self.of_state(), room=0)
            else:
                self.output(name)
        self.text = "\n".join([*self.lines, *self.body])
        if len(self.extents) == 1 and random.random() < 0.5:
            self.share_columns()

    def share_columns(self) -> None:
        """Let threads share the columns, if none depends on others."""
        (columns,) = self.extents
        part = -(-columns // (int(self.random.integers(1, 9)) * SHARED_COLUMNS)) * SHARED_COLUMNS
        text = f"shared {-(-columns // part)}\n{self.text}"
        with suppress(Unsupported):
            check(parse(text))
            self.text = text

    def begin(self) -> None:
        """The first lines: the loops, and how many pieces threads share."""
        most = self.extents[0]
        self.pieces = -(-most // int(self.random.integers(1, most + 1))) if self.shares() else 0
        self.lines: list[str] = [f"shared {self.pieces}"] if self.pieces else []
        self.lines.append(" ".join(map(str, ("over", *self.extents))))
        self.body: list[str] = []
        self.arrays: list[np.ndarray] = []
        self.dtypes: dict[str, str] = {}
        self.count = 0

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
        return len(self.extents) > 1 and self.state == bool(self.turn) and self.random.random() < 0.15

    def of_state(self) -> tuple[int, ...]:
        """The strides of the state: every iteration reads and writes all of it."""
        rest = self.extents[: self.turn] + self.extents[self.turn + 1 :]
        strides = self.dense(rest, self.dtype)
        return (*strides[: self.turn], 0, *strides[self.turn :])

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
            low, high = (-9, 10) if random.random() < 0.5 else (-(1 << 63), (1 << 63) - 1)
            return random.integers(low, high, count).astype(dtype)
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
        elif SIZES[self.dtype] == 4 and self.random.random() < 0.15:
            dtype = str(self.random.choice(["int8", "uint8", "int16", "uint16"]))
        size, strides = SIZES[dtype], []
        for extent in self.extents:
            strides.append(int(self.random.choice([0, 1, 1, 1, 2, 3, -1, -2, extent + 1])) * size)
        if self.random.random() < 0.5:
            strides[-1] = size
        if self.random.random() < 0.3:
            strides = list(self.dense(self.extents, dtype))
        drawn = [self.draw_place(size) for _ in range(int(self.random.integers(1, 3)))] if random_places(self) else []
        if drawn and (size >= 4 or not any(columns for _, columns in drawn)):
            self.declare("in", name, dtype, tuple(strides), at=tuple(place for place, _ in drawn))
            if size >= 4:
                self.read_at = drawn if all(place[1] >= 0 for place, _ in drawn) else self.read_at
                return
        else:
            self.declare("in", name, dtype, tuple(strides), bounds=self.draw_bounds(strides, dtype))
        if dtype == "float16":
            self.half(self.dtypes.popitem()[0])
        elif size < 4 and dtype != "bool":
            self.narrow_integer(*self.dtypes.popitem())

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
        if random.random() < 0.6 or strides[-1] not in (0, SIZES[dtype]):
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

    def narrow_integer(self, name: str, dtype: str) -> None:
        """Note an integer of 8 or 16 bits, which is also a number when it is cast."""
        self.dtypes.pop(name, None)
        self.narrow.append((name, dtype))
        self.bounded(self.add(self.dtype, f"cast({name}, {self.dtype})"))

    def arithmetic_on_narrow_integers(self) -> None:
        """A function of integers of 8 or 16 bits, whose results lose the bits that are too many."""
        random = self.random
        x, dtype = self.narrow[random.integers(len(self.narrow))]
        alike = [name for name, other in self.narrow if other == dtype]
        y = str(random.choice(alike)) if random.random() < 0.7 else str(random.integers(128))
        choice = random.random()
        if choice < 0.1:
            self.add("bool", f"{random.choice(COMPARISONS)}({x}, {y})")
            return
        if choice < 0.25:
            name, dtype = x, str(random.choice(["int8", "uint8", "int16", "uint16"]))
            text = f"cast({name if random.random() < 0.7 else self.pick('bool')}, {dtype})"
        elif choice < 0.35:
            text = f"select({self.pick('bool')}, {x}, {y})"
        elif choice < 0.45:
            text = f"{random.choice(['negative', 'absolute', 'sign', 'bitwise_not'])}({x})"
        elif choice < 0.55:
            text = f"{random.choice(['floor_divide', 'remainder', 'fmod'])}({x}, {y})"
        elif choice < 0.65:
            limit = 1 << 8 * SIZES[dtype] - 1
            y = str(random.integers(-limit, limit)) if dtype.startswith("int") and random.random() < 0.3 else y
            text = f"{random.choice(['left_shift', 'right_shift'])}({x}, {y})"
        else:
            names = ["add", "subtract", "multiply", "maximum", "minimum", "bitwise_and", "bitwise_or", "bitwise_xor"]
            text = f"{random.choice(names)}({x}, {y})"
        self.narrow_integer(self.add(dtype, text), dtype)

    def bounded(self, name: str) -> str:
        """The value, small enough that further steps are exact, or smooth."""
        if not self.floats or self.kind == "special":
            return name
        if self.kind == "exact":
            name = self.add(self.dtype, f"multiply({name}, 4.0)")
            name = self.add(self.dtype, f"round({name})")
            name = self.add(self.dtype, f"multiply({name}, 0.25)")
        high = self.add(self.dtype, f"maximum({name}, -4.0)")
        if self.kind == "smooth":  # the sine of the exponential of what has no bounds is any number
            del self.dtypes[name], self.dtypes[high]
        return self.add(self.dtype, f"minimum({high}, 4.0)")

    def statement(self) -> None:
        """One or more statements that make a value."""
        random = self.random
        x, y = self.pick("number"), self.pick("number")
        choice = random.random()
        if self.halves and random.random() < 0.4:
            self.arithmetic_on_halves()
            return
        if self.narrow and random.random() < 0.4:
            self.arithmetic_on_narrow_integers()
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
            reduction = str(random.choice(["add", "maximum", "minimum", *([] if self.floats else ["multiply"])]))
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
        if self.narrow and not self.state and random.random() < 0.4:
            source, dtype = self.narrow[random.integers(len(self.narrow))]
        roles = ["out", "out", "maximum", "minimum", *(["add"] if self.kind != "special" else [])]
        roles += [] if dtype.startswith("float") or dtype == "bool" else ["multiply"]
        role = "out" if SIZES[dtype] < 4 or self.state else str(random.choice(roles))
        role = "out" if self.late else role  # which reduces no row
        alone = self.late or self.turn or (self.pieces and role == "out")
        if SIZES[dtype] >= 4 and not alone and random_places(self):
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
        if role != "out" and strides[0] and self.has_own_rows():
            self.declare(role, name, dtype, tuple(strides), room=0)  # each piece has accumulators of its own
        else:
            self.declare(role, name, dtype, tuple(strides), max(1, self.pieces) if role != "out" else 1)
        self.body.append(f"{name} = {source}")

    def has_own_rows(self) -> bool:
        """Whether the pieces, all of as many rows, add up in one array, each in rows of its own."""
        even = self.pieces and self.extents[0] % -(-self.extents[0] // self.pieces) == 0
        return bool(even) and bool(self.random.random() < 0.5)

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
        if self.has_own_rows():
            moves = [*zip(strides[1:], self.extents[1:], strict=True), *[(step, count) for _, step, count in at]]
            strides[0] = size + sum(step * (count - 1) for step, count in moves)
            self.declare(role, name, dtype, tuple(strides), room=0, at=at)
        else:
            self.declare(role, name, dtype, tuple(strides), max(1, self.pieces), room=0, at=at)
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
