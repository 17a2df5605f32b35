"""Kernels of machine code agree with NumPy, for any loops, layouts and remainders."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided
from searches import chequered

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native.arguments import by_copies
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.language import SIZES, parse
from mycel.runtime.native.side_by_side import are_whole_rows, depth
from mycel.runtime.native.stages import divide

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))

COMBINE = {"add": np.add, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum}
IDENTITY = {"add": 0, "multiply": 1, "maximum": -np.inf, "minimum": np.inf}
ARITHMETIC = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "maximum": np.maximum, "minimum": np.minimum,
}  # fmt: skip
COMPARISONS = {
    "equal": np.equal, "not_equal": np.not_equal, "less": np.less, "less_equal": np.less_equal,
    "greater": np.greater, "greater_equal": np.greater_equal,
}  # fmt: skip
LOGIC = {"logical_and": np.logical_and, "logical_or": np.logical_or, "logical_xor": np.logical_xor}


class Drawn:
    """A random kernel: its text, its arrays, and NumPy's results for them."""

    def __init__(self, seed: int) -> None:
        self.random = random = np.random.default_rng(seed)
        self.dtype = str(random.choice(["float32", "float64", "int32", "int64"]))
        self.extents = tuple(int(n) for n in random.integers(1, 6, random.integers(0, 3)))
        self.extents += (int(random.choice([1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 31, 40])),)
        self.lines = [" ".join(map(str, ("over", *self.extents)))]
        self.arrays: list[np.ndarray] = []
        self.values: dict[str, np.ndarray] = {}
        self.expected: list[np.ndarray] = []
        for number in range(random.integers(1, 5)):
            self.input(f"x{number}")
        statements: list[str] = []
        for number in range(random.integers(1, 14)):
            statements.append(self.statement(f"t{number}"))
        outputs: list[str] = []
        for number in range(random.integers(1, 4)):
            outputs += self.output(f"y{number}")
        self.text = "\n".join([*self.lines, *statements, *outputs])

    def numbers(self, count: int, dtype: str) -> np.ndarray:
        """Numbers that neither overflow nor lie too close."""
        if dtype == "bool":
            return self.random.random(count) < 0.5
        if dtype.startswith("int"):
            return self.random.integers(-5, 6, count).astype(dtype)
        return self.random.uniform(-2, 2, count).astype(dtype)

    def input(self, name: str) -> None:
        """An input of any layout."""
        dtype = "bool" if self.random.random() < 0.25 else self.dtype
        size, strides, low, reach = SIZES[dtype], [], 0, 0
        for extent in self.extents:
            step = int(self.random.choice([0, 1, 1, 1, 2, 3, -1, extent + 1])) * size
            strides.append(step)
            low += min(0, step * (extent - 1))
            reach += max(0, step * (extent - 1))
        if self.random.random() < 0.6:
            strides[-1], low, reach = size, min(0, low), reach + size * self.extents[-1]
        base = self.numbers((reach - low) // size + 3, dtype)
        offset = -low + size * int(self.random.integers(0, 2))
        seen = as_strided(base[offset // size :], self.extents, strides)
        words = ("in", name, f"{dtype}[{base.size}]", *strides, *(["from", offset] if offset else []))
        self.lines.append(" ".join(map(str, words)))
        self.arrays.append(base)
        self.values[name] = seen

    def pick(self, kind: str) -> tuple[str, np.ndarray] | None:
        """A value of a kind."""
        found = [name for name, value in self.values.items() if (value.dtype == bool) == (kind == "bool")]
        if not found:
            return None
        name = str(self.random.choice(found))
        return name, self.values[name]

    def statement(self, name: str) -> str:
        """A statement on values that are there."""
        x, y, mask = self.pick("number"), self.pick("number"), self.pick("bool")
        other = self.pick("bool")
        choice = self.random.random()
        if x is None or y is None:
            assert mask is not None
            self.values[name] = ~mask[1]
            return f"{name} = logical_not({mask[0]})"
        if choice < 0.2:
            function = str(self.random.choice(list(COMPARISONS)))
            self.values[name] = COMPARISONS[function](x[1], y[1])
            return f"{name} = {function}({x[0]}, {y[0]})"
        if choice < 0.3 and mask is not None and other is not None:
            function = str(self.random.choice(list(LOGIC)))
            self.values[name] = LOGIC[function](mask[1], other[1])
            return f"{name} = {function}({mask[0]}, {other[0]})"
        if choice < 0.45 and mask is not None:
            self.values[name] = np.where(mask[1], x[1], y[1])
            return f"{name} = select({mask[0]}, {x[0]}, {y[0]})"
        if choice < 0.5 and self.dtype.startswith("float"):
            self.values[name] = np.tanh(x[1])
            return f"{name} = tanh({x[0]})"
        if choice < 0.55:
            self.values[name] = abs(x[1])
            return f"{name} = absolute({x[0]})"
        if choice < 0.7:
            function = str(self.random.choice(["maximum", "minimum", "add"]))
            whole = np.broadcast_to(x[1], self.extents)
            self.values[f"{name}_row"] = reduced = COMBINE[function].reduce(whole, -1, dtype=whole.dtype, keepdims=True)
            line = f"{name}_row = row_{function}({x[0]})"
            if self.dtype.startswith("int"):
                return line
            share = 1 / self.extents[-1]  # so that sums of sums stay small
            self.values[name] = reduced * np.asarray(share, whole.dtype)
            return f"{line}\n{name} = multiply({name}_row, {share!r})"
        if choice < 0.8:
            number = int(self.random.integers(-3, 4))
            self.values[name] = x[1] + np.asarray(number, x[1].dtype)
            return f"{name} = add({x[0]}, {number})"
        function = str(self.random.choice(list(ARITHMETIC)))
        self.values[name] = ARITHMETIC[function](x[1], y[1])
        return f"{name} = {function}({x[0]}, {y[0]})"

    def output(self, name: str) -> list[str]:
        """An output of an existing value, stored or combined."""
        source = str(self.random.choice(list(self.values)))
        value = np.broadcast_to(self.values[source], self.extents)
        dtype = value.dtype.name
        role = str(self.random.choice(["out", "add", "maximum", "minimum"])) if dtype != "bool" else "out"
        size = SIZES[dtype]
        kept = [axis for axis in range(len(self.extents)) if role == "out" or self.random.random() < 0.5]
        strides, step = [0] * len(self.extents), size
        for axis in reversed(kept):
            strides[axis], step = step, step * self.extents[axis]
        lines = []
        if role != "out" and len(self.extents) - 1 not in kept:
            lines.append(f"{name}_part = row_{role}({source})")
            source = f"{name}_part"
        self.lines.append(" ".join(map(str, (role, name, f"{dtype}[{step // size}]", *strides))))
        gone = tuple(axis for axis in range(len(self.extents)) if axis not in kept)
        self.expected.append(COMBINE[role].reduce(value, gone, dtype=value.dtype) if role != "out" else value)
        self.arrays.append(np.full(step // size, 9, dtype))
        return [*lines, f"{name} = {source}"]


@pytest.mark.parametrize("seed", chequered(range(200)))
def test_random_kernels_give_what_numpy_gives(seed: int) -> None:
    drawn = Drawn(seed)
    kernel = compile_kernel(drawn.text)
    with np.errstate(all="ignore"):
        assert kernel(*drawn.arrays), drawn.text
    for array, expected in zip(drawn.arrays[-len(drawn.expected) :], drawn.expected, strict=True):
        np.testing.assert_allclose(array, expected.ravel(), rtol=2e-4, atol=2e-3, err_msg=drawn.text)


def test_a_kernel_text_reads_back() -> None:
    drawn = Drawn(3)
    kernel = parse(drawn.text)
    assert parse(str(kernel)) == kernel
    assert compile_kernel(str(kernel)).__doc__ == str(kernel)
    with pytest.raises(ValueError, match="cannot be read: 'inn x float32 4'"):
        parse("over 8\ninn x float32 4")


def test_kernels_that_differ_in_names_or_in_the_sign_of_zero() -> None:
    for zero in ("0.0", "-0.0"):
        for name in ("x", "t"):
            kernel = compile_kernel(f"over 5\nin {name} float32[5] 4\nout y float32[5] 4\ny = multiply({name}, {zero})")
            assert f"in {name} " in str(kernel.__doc__)
            y = np.ones(5, np.float32)
            assert kernel(np.ones(5, np.float32), y)
            assert np.signbit(y).all() == (zero == "-0.0")


def make(text: str) -> Any:
    return compile_kernel(text)


DOUBLE = "over 5\nin x float32[5] 4\nout y float32[5] 4\ny = add(x, x)"


def test_a_kernel_refuses_what_it_cannot_take_and_leaves_it_as_it_was() -> None:
    kernel = make(DOUBLE)
    x, y = np.arange(5, dtype=np.float32), np.full(5, 7, np.float32)
    locked = y.copy()
    locked.flags.writeable = False
    unaligned = np.frombuffer(bytearray(21), np.uint8)[1:].view(np.float32)
    for arguments in (
        (x,),
        (x, y, y),
        (np.arange(10, dtype=np.float32)[::2], y),
        (x, locked),
        (x, None),
        (unaligned, y),
    ):
        assert kernel(*arguments) is False
    assert (y == 7).all()
    assert (locked == 7).all()
    assert kernel(x, y) is True
    np.testing.assert_array_equal(y, 2 * x)


def test_copies_stand_in_for_arrays_that_are_not_contiguous() -> None:
    kernel = make(DOUBLE)
    x, whole = np.arange(10, dtype=np.float32)[::2], np.zeros(10, np.float32)
    by_copies(kernel, 1, x, whole[::2])
    np.testing.assert_array_equal(whole[::2], 2 * x)
    assert not whole[1::2].any()
    same = np.arange(10, dtype=np.float32)[::2]
    by_copies(kernel, 1, same, same)
    np.testing.assert_array_equal(same, 2 * x)
    same.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        by_copies(kernel, 1, x, same)


def test_subclasses_of_arrays_are_taken_as_arrays() -> None:
    class Own(np.ndarray):
        def __array_finalize__(self, origin: Any) -> None:
            made.append(self)

        def __array_ufunc__(self, *_: Any, **__: Any) -> Any:
            raise AssertionError("a kernel asks nothing of a subclass")

    made: list[Any] = []
    seen: list[tuple[Any, ...]] = []
    kernel = make(DOUBLE)

    class Watched:
        __doc__ = kernel.__doc__

        def __call__(self, *arrays: Any) -> bool:
            seen.append(arrays)
            return bool(kernel(*arrays))

    x, y = np.arange(5, dtype=np.float32).view(Own), np.zeros(5, np.float32).view(Own)
    assert kernel(x, y) is False
    by_copies(Watched(), 1, x, y)  # type: ignore[arg-type]
    np.testing.assert_array_equal(y.view(np.ndarray), 2 * np.arange(5))
    locked = np.ma.masked_array(np.arange(5, dtype=np.float32), [0, 1, 0, 0, 0])
    by_copies(Watched(), 1, locked, y)  # type: ignore[arg-type]
    np.testing.assert_array_equal(y.view(np.ndarray), 2 * np.arange(5))
    assert {type(array) for arrays in seen for array in arrays} == {np.ndarray}


def test_a_scalar_of_numpy_is_taken_as_an_array() -> None:
    kernel = make("over 1\nin x float64[] 0\nout y float64[] 0\ny = multiply(x, x)")
    y = np.zeros((), np.float64)
    by_copies(kernel, 1, np.float64(3.0), y)
    assert y == 9.0


def test_threads_share_a_kernel() -> None:
    kernel = make(
        "shared 3\nover 6 100\nin x float32[600] 400 4\nin b float32[100] 0 4\nout y float32[600] 400 4\ny = add(x, b)"
    )
    x, b, y = np.arange(600, dtype=np.float32), np.arange(100, dtype=np.float32), np.zeros(600, np.float32)
    assert kernel(x, b, y)
    np.testing.assert_array_equal(y, (x.reshape(6, 100) + b).ravel())
    wide, y[:] = np.repeat(x, 2)[::2], 0
    by_copies(kernel, 1, wide, b, y)
    np.testing.assert_array_equal(y, (x.reshape(6, 100) + b).ravel())


def test_pieces_of_a_shared_kernel_add_up_by_themselves() -> None:
    text = "shared 2\nover 6 100\nin x float32[6,100] 400 4\nadd down float32[2,100] 0 4\nmaximum top float32[2] 0 0\n"
    kernel = make(f"{text}down = x\nr = row_maximum(x)\ntop = r")
    x = np.random.default_rng(0).normal(size=(6, 100)).astype(np.float32)
    down, top = np.full((2, 100), 9, np.float32), np.full(2, 9, np.float32)
    assert kernel(x, down, top)
    np.testing.assert_allclose(down, [x[:3].sum(0), x[3:].sum(0)], rtol=1e-5)
    np.testing.assert_array_equal(top, [x[:3].max(), x[3:].max()])


def test_long_kernels_let_other_threads_run_and_long_rows_stay_precise() -> None:
    kernel = make("over 64 1024\nin x float32[65536] 4096 4\nadd s float32[] 0 0\nr = row_add(x)\ns = r")
    x, s = np.full(65536, 0.1, np.float32), np.zeros((), np.float32)
    assert kernel(x, s)
    assert s == pytest.approx(np.float64(np.float32(0.1)) * 65536, rel=1e-6)


def test_in_place() -> None:
    kernel = make("over 20\nin x float64[20] 8\nout y float64[20] 8\ny = multiply(x, 3.0)")
    x = np.arange(20, dtype=np.float64)
    assert kernel(x, x)
    np.testing.assert_array_equal(x, 3.0 * np.arange(20))


def test_more_values_than_registers_and_more_arrays_than_pointers() -> None:
    names = [f"x{i}" for i in range(90)]
    lines = ["over 11", *[f"in {name} float32[11] 4" for name in names], "out y float32[11] 4"]
    lines += [f"p{i} = multiply({names[i]}, {names[-1 - i]})" for i in range(90)]
    lines += ["s0 = p0", *[f"s{i} = add(s{i - 1}, p{i})" for i in range(1, 90)]]
    lines += ["q0 = s89", *[f"q{i} = subtract(q{i - 1}, p{i})" for i in range(1, 90)], "y = q89"]
    arrays = [np.random.default_rng(i).normal(size=11).astype(np.float32) for i in range(90)]
    y = np.zeros(11, np.float32)
    assert make("\n".join(lines))(*arrays, y)
    np.testing.assert_allclose(y, arrays[0] * arrays[89], rtol=1e-4, atol=1e-4)


def test_more_reductions_than_registers() -> None:
    lines = ["over 3 13", "in x float64[3,13] 104 8", *[f"out y{i} float64[3] 8 0" for i in range(20)]]
    lines += [f"p{i} = multiply(x, {i + 1}.0)" for i in range(20)] + [f"y{i} = row_add(p{i})" for i in range(20)]
    x = np.random.default_rng(0).normal(size=(3, 13))
    found = [np.zeros(3) for _ in range(20)]
    assert make("\n".join(lines))(x, *found)
    for i, y in enumerate(found):
        np.testing.assert_allclose(y, x.sum(1) * (i + 1))


def test_maxima_and_minima_pass_nan_on() -> None:
    kernel = make(
        "over 9\nin x float32[9] 4\nin y float32[9] 4\nout a float32[9] 4\nout b float32[] 0\n"
        "a = maximum(x, y)\nb = row_minimum(a)"
    )
    x, y = np.ones(9, np.float32), np.zeros(9, np.float32)
    a, b = np.zeros(9, np.float32), np.zeros((), np.float32)
    for here in (x, y):
        here[4] = np.nan
        assert kernel(x, y, a, b)
        np.testing.assert_array_equal(a, np.maximum(x, y))
        assert np.isnan(b)
        here[4] = 1


def test_a_kernel_lives_as_long_as_its_function() -> None:
    kernel = make(DOUBLE)
    owner = weakref.ref(kernel.__self__)
    del kernel
    gc.collect()
    assert owner() is None


def test_constants_beyond_the_largest_number_are_infinite() -> None:
    x, y = np.array([1.0, -2.0, 3.0, 0.0, 5.0, -6.0, 7.0, 8.0, 9.0], np.float32), np.zeros(9, np.float32)
    for text, value in (("1e300", np.inf), ("-1e300", -np.inf), ("1e30", 1e30), ("-1e30", -1e30)):
        assert make(f"over 9\nin x float32[9] 4\nout y float32[9] 4\ny = multiply(x, {text})")(x[:], y)
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(y, x * np.float32(value))


def test_unknown_functions_and_mixed_widths_are_unsupported() -> None:
    with pytest.raises(Unsupported, match="no function cosinus"):
        make("over 8\nin x float32[8] 4\nout y float32[8] 4\ny = cosinus(x)")
    with pytest.raises(Unsupported, match="4 bytes or all of 8"):
        make("over 8\nin x float32[8] 4\nout y float64[8] 8\ny = copy(x)")
    for other in ("x", "1"):
        with pytest.raises(Unsupported, match="a mask is a bool"):
            make(f"over 8\nin x int32[8] 4\nout y int32[8] 4\ny = mask_bits(x, {other})")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("columns", [63, 64, 65, 96, 127, 128, 131, 250])
def test_reductions_in_several_accumulators(dtype: str, columns: int) -> None:
    """Rows that fill whole rounds of accumulators, and what is left of vectors and of columns."""
    size = np.dtype(dtype).itemsize
    reductions = ("add", "maximum", "minimum")
    for count in (1, 2, 3):
        lines = [f"over 4 {columns}", f"in x {dtype}[4,{columns}] {columns * size} {size}"]
        lines += [f"out r{n} {dtype}[4] {size} 0" for n in range(count)]
        lines += [f"out y {dtype}[4,{columns}] {columns * size} {size}", "z = multiply(x, 2)"]
        lines += [f"r{n} = row_{reductions[n]}(z)" for n in range(count)]
        text = "\n".join([*lines, "y = subtract(x, r0)"])
        x = np.random.default_rng(columns).integers(-9, 10, (4, columns)).astype(dtype)
        found = [np.empty(4, dtype) for _ in range(count)]
        y = np.empty_like(x)
        assert compile_kernel(text)(x, *found, y)
        for n in range(count):
            expected = getattr(np, reductions[n]).reduce(x * 2, 1, dtype=dtype)
            np.testing.assert_array_equal(found[n], expected)
        np.testing.assert_array_equal(y, x - (2 * x).sum(1, dtype=dtype)[:, None])


@pytest.mark.parametrize(
    ("dtype", "apart", "columns"), chequered(["float32", "float64", "int32", "int64"], range(2, 9), [16, 33, 70])
)
def test_columns_that_lie_apart(dtype: str, apart: int, columns: int) -> None:
    """Each column of rows is read and written alone; the first and the last elements end the arrays."""
    size = SIZES[dtype]
    for read in range(apart):
        count, target = apart * (columns - 1) + 1 + read, (read + 1) % apart
        last = apart * (columns - 1) + 1 + target
        text = f"over {columns}\nin x {dtype}[{count}] {apart * size} from {read * size}\n"
        text += f"out y {dtype}[{last}] {apart * size} from {target * size}\ny = add(x, 1)"
        x, y = np.random.default_rng(read).integers(-99, 99, count).astype(dtype), np.full(last, 7, dtype)
        expected = y.copy()
        expected[target::apart] = x[read::apart] + 1
        assert compile_kernel(text)(x, y) is True
        np.testing.assert_array_equal(y, expected)


@pytest.mark.parametrize("columns", [2048, 2075, 4129])
def test_deep_chains_of_two_vectors_side_by_side(columns: int) -> None:
    steps = [f"y{i + 1} = add(m{i}, x)\nm{i + 1} = multiply(y{i + 1}, 0.5)" for i in range(40)]
    text = f"over {columns}\nin x float32[{columns}] 4\nout y40 float32[{columns}] 4\nm0 = multiply(x, x)\n"
    x, out = np.random.default_rng(0).standard_normal(columns).astype(np.float32), np.empty(columns, np.float32)
    assert depth(parse(text + "\n".join(steps))) == 81
    assert compile_kernel(text + "\n".join(steps))(x, out) is True
    expected = x * x
    for _ in range(40):
        expected = (made := expected + x) * np.float32(0.5)
    np.testing.assert_array_equal(out, made)


NORMALISED = """
top = row_maximum(x)
low = subtract(x, top)
e = exp(low)
sum_ = row_add(e)
y = divide(e, sum_)
product = multiply(y, b)
mean = row_add(product)
inside = greater(y, mean)
down = multiply(product, mean)"""


@pytest.mark.parametrize("wide", [None, False])
@pytest.mark.parametrize("head", ["", "shared 3\n"])
@pytest.mark.parametrize(
    ("vectors", "more"), [*[(count, 0) for count in (1, 2, 3, 8, 9, 16, 17)], (0, 3), (1, 1), (5, 2), (14, 3)]
)
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_rows_of_few_vectors(dtype: str, vectors: int, more: int, head: str, wide: bool | None) -> None:
    """They are read in several passes, whose values may stay in registers; outputs are of each kind."""
    size, rows = np.dtype(dtype).itemsize, 7
    columns = 32 // size * vectors + more
    nbytes, parts = columns * size, 3 if head else 1
    lines = [f"in x {dtype}[7,{columns}] {nbytes} {size}", f"in b {dtype}[{columns}] 0 {size}"]
    lines += [f"out y {dtype}[7,{columns}] {nbytes} {size}", f"out inside bool[7,{columns}] {columns} 1"]
    down = f"{parts},{columns}" if head else str(columns)
    lines += [f"out mean {dtype}[7] {size} 0", f"add down {dtype}[{down}] 0 {size}"]
    kernel = compile_kernel(f"{head}over 7 {columns}\n" + "\n".join(lines) + NORMALISED, wide=wide)
    generator = np.random.default_rng(vectors)
    x, b = generator.standard_normal((rows, columns)).astype(dtype), generator.standard_normal(columns).astype(dtype)
    y, inside = np.empty_like(x), np.empty(x.shape, bool)
    mean, added = np.empty(rows, dtype), np.empty((parts, columns) if head else columns, dtype)
    assert kernel(x, b, y, inside, mean, added) is True
    e = np.exp(x - x.max(1, keepdims=True))
    expected = e / e.sum(1, keepdims=True)
    means = (expected * b).sum(1)
    limit = 1e-5 if dtype == "float32" else 1e-12
    np.testing.assert_allclose(y, expected, rtol=limit)
    np.testing.assert_allclose(mean, means, rtol=limit, atol=limit)
    np.testing.assert_array_equal(inside, y > mean[:, None])
    np.testing.assert_allclose(
        added.reshape(parts, columns).sum(0), (expected * b * means[:, None]).sum(0), rtol=20 * limit, atol=limit
    )
    first = x.copy()  # in place
    assert kernel(first, b, first, inside, mean, added) is True
    np.testing.assert_array_equal(first, y)


def test_which_rows_are_whole() -> None:
    def are_whole(extents: str, body: str = "s = row_add(x)\ny = divide(x, s)", x: str = "256 4") -> bool:
        text = f"over {extents}\nin x float32[4,64] {x}\nout y float32[4,64] 256 4\n{body}"
        return are_whole_rows(divide(parse(text)), 64, 8)

    assert are_whole("4 64")
    assert are_whole("4 8")
    assert are_whole("4 60")
    assert are_whole("4 3")
    assert not are_whole("4 72")  # too long
    assert not are_whole("4 64", "y = exp(x)")  # one pass
    assert not are_whole("4 64", "t = scan_add(x)\ns = row_add(t)\ny = divide(x, s)")
    assert not are_whole("4 64", x="256 -4 from 252")
    assert not are_whole("4 64", x="256 4 within 0 4 0 60")


def test_a_nan_in_any_accumulator_is_the_maximum() -> None:
    text = "over 128 128\nin x float32[128,128] 512 4\nout r float32[128] 4 0\nr = row_maximum(x)"
    x, r = np.zeros((128, 128), np.float32), np.zeros(128, np.float32)
    np.fill_diagonal(x, np.nan)
    assert compile_kernel(text)(x, r)
    assert np.isnan(r).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("function", ["maximum", "minimum"])
def test_of_two_zeros_the_second_is_taken_as_in_numpy(function: str, dtype: str) -> None:
    size, numpy_function = np.dtype(dtype).itemsize, getattr(np, function)
    special = [0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, -1.0]
    x, y = (array.ravel().astype(dtype) for array in np.meshgrid(special, special))
    cases = [("x, y", (x, y)), *[(f"x, {n!r}", (x, np.array(n, dtype))) for n in special if n == n]]
    cases += [(f"{n!r}, x", (np.array(n, dtype), x)) for n in special if n == n]
    for text, given in cases:
        arrays = f"in x {dtype}[49] {size}\nin y {dtype}[49] {size}\nout z {dtype}[49] {size}"
        kernel = compile_kernel(f"over 49\n{arrays}\nz = {function}({text})")
        found = np.empty(49, dtype)
        assert kernel(x, y, found) is True
        expected = numpy_function(*given)
        np.testing.assert_array_equal(found, expected)
        numbers = ~np.isnan(expected)
        np.testing.assert_array_equal(np.signbit(found[numbers]), np.signbit(expected[numbers]))


SLOPES = """
product = multiply(g, b)
weight = row_add(product)
total = row_add(x)
mean = multiply(total, -0.01)
away = add(x, mean)
square = multiply(away, away)
spread = row_add(square)
turned = multiply(product, away)
turn = row_add(turned)
one = multiply(away, turn)
two = multiply(product, spread)
three = add(one, two)
y = add(three, weight)"""


@pytest.mark.parametrize("columns", [100, 1001])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_sum_waits_for_the_pass_that_computes_its_terms(dtype: Any, columns: int) -> None:
    size, name = np.dtype(dtype).itemsize, np.dtype(dtype).name
    steps = f"{columns * size} {size}"
    text = f"over 5 {columns}\nin x {name}[5,{columns}] {steps}\nin g {name}[5,{columns}] {steps}\n"
    text += f"in b {name}[{columns}] 0 {size}\nout y {name}[5,{columns}] {steps}{SLOPES}"
    assert divide(parse(text)).needed[0] == ["x"]
    at_once = divide(parse(text.replace("(total, -0.01)", "(total, weight)")))
    assert at_once.needed[0] == ["x", "g", "b", "product"]  # the second pass needs this sum
    random = np.random.default_rng(columns)
    x, g, b = (random.standard_normal(shape).astype(dtype) for shape in ((5, columns), (5, columns), columns))
    y = np.empty_like(x)
    assert compile_kernel(text)(x, g, b, y) is True
    away, product = (x - x.sum(1, keepdims=True) * 0.01).astype(float), (g * b).astype(float)
    turn, spread = ((product * away).sum(1), (away * away).sum(1))
    expected = away * turn[:, None] + product * spread[:, None] + product.sum(1)[:, None]
    np.testing.assert_allclose(y, expected, rtol=1e-4, atol=1e-2 if size == 4 else 1e-9)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_signs_and_what_is_larger_than_zero(dtype: str) -> None:
    """nan stays nan, the smallest numbers stay, and no result is -0.0."""
    least = np.finfo(dtype).smallest_subnormal
    x = np.array([0.0, -0.0, 2.5, -2.5, least, -least, np.inf, -np.inf, np.nan, -np.nan, 1e30], dtype)
    size, width = len(x), x.itemsize
    kernel = compile_kernel(
        f"over {size}\nin x {dtype}[{size}] {width}\nout y {dtype}[{size}] {width}\nout z {dtype}[{size}] {width}\n"
        "y = sign(x)\nz = maximum(x, 0.0)"
    )
    signs, larger = np.empty_like(x), np.empty_like(x)
    assert kernel(x, signs, larger)
    np.testing.assert_array_equal(signs, np.sign(x))
    np.testing.assert_array_equal(larger, np.where(x <= 0, 0, x))
    for found in (signs, larger):
        assert not np.signbit(found[found == 0]).any()
