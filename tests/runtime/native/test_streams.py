"""Outputs of large kernels, which are written past the caches: the same numbers as with plain stores."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.arena import aligned_empty
from mycel.runtime.machine.assembler import Assembler
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import codegen, generator, streams
from mycel.runtime.native.language import parse

VECTOR = 32
SCALED = "out y float32[{0},{1}] {2} 4\nsum_ = add(x, b)\ny = multiply(sum_, 0.5)"


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels of all sizes count as large."""
    monkeypatch.setattr(streams, "large", lambda: 0)
    monkeypatch.setattr(streams, "LONG_ROW", 0)
    monkeypatch.setattr(codegen, "_codes", {})


def rows_by_columns(rows: int, columns: int, head: str = "") -> str:
    """A kernel over a matrix and a vector."""
    size = 4 * columns
    shapes = f"in x float32[{rows},{columns}] {size} 4\nin b float32[{columns}] 0 4\n"
    return f"{head}over {rows} {columns}\n{shapes}" + SCALED.format(rows, columns, size)


def streamed_of(text: str) -> set[str]:
    """The names of what a kernel writes past the caches."""
    kernel = parse(text)
    return set(streams.streamed(kernel, VECTOR))


def result(rows: int, columns: int, offset: int) -> np.ndarray:
    """Zeros that begin so many elements behind an address of whole vectors."""
    flat = aligned_empty((rows * columns + offset,), np.dtype(np.float32))
    flat[:] = 0
    return flat[offset:].reshape(rows, columns)


@pytest.mark.parametrize("offset", [0, 1, 4, 8])
@pytest.mark.parametrize("shape", [(2, 5), (3, 16), (4, 40), (2, 1000), (7, 24)])
@pytest.mark.parametrize("head", ["", "shared 2\n"])
def test_results_at_any_address(small: None, shape: tuple[int, int], offset: int, head: str) -> None:
    rows, columns = shape
    function = codegen.compile_kernel(rows_by_columns(rows, columns, head))
    random = np.random.default_rng(0)
    x = random.standard_normal(shape).astype(np.float32)
    b = random.standard_normal(columns).astype(np.float32)
    y = result(rows, columns, offset)
    assert function(x, b, y)
    np.testing.assert_array_equal(y, (x + b) * np.float32(0.5))


@pytest.mark.skipif(unavailable() is not None, reason="no machine code")
def test_an_input_may_be_the_result(small: None) -> None:
    function = codegen.compile_kernel(rows_by_columns(4, 64))
    x = result(4, 64, 0)
    x[:] = np.arange(64)
    b = np.ones(64, np.float32)
    expected = (x + b) * np.float32(0.5)
    assert function(x, b, x)
    np.testing.assert_array_equal(x, expected)


@pytest.mark.skipif(unavailable() is not None, reason="no machine code")
def test_wrong_arguments_are_refused(small: None) -> None:
    function = codegen.compile_kernel(rows_by_columns(4, 64))
    x, b, y = result(4, 64, 0), np.ones(64, np.float32), result(4, 64, 0)
    assert not function(x, b)
    assert not function(x, b, "y")
    assert not function(x, b, y[:2])
    assert not function(x, b, y.view(np.int32))
    assert not y.any()


def test_double_results_with_sums(small: None) -> None:
    """Sums are added where they are; only whole rows go past the caches."""
    text = "over 3 24\nin x float64[3,24] 192 8\nout y float64[3,24] 192 8\nadd s float64[24] 0 8\ny = exp(x)\ns = y"
    assert streamed_of(text) == {"y"}
    x = np.linspace(-1, 1, 72).reshape(3, 24)
    y, s = aligned_empty((3, 24), np.dtype(np.float64)), np.empty(24)
    assert codegen.compile_kernel(text)(x, y, s)
    np.testing.assert_allclose(y, np.exp(x), rtol=1e-14)
    np.testing.assert_allclose(s, np.exp(x).sum(0), rtol=1e-14)


def test_which_results_are_streamed(small: None) -> None:
    assert streamed_of(rows_by_columns(4, 64)) == {"y"}
    assert streamed_of(rows_by_columns(4, 63)) == set()  # the second row begins within a vector
    assert streamed_of("over 64\nin x float32[64] 4\nout y float32[64] -4 from 252\ny = exp(x)") == set()
    assert streamed_of("over 64\nin x float32[64] 4\nout y float32[65] 4 from 4\ny = exp(x)") == set()
    assert streamed_of("over 64\nin x float32[64] 4\nout y bool[64] 1\ny = less(x, 0.0)") == set()
    assert streamed_of("over 4 64\nin x float32[4,64] 256 4\nout y float32[4] 4 0\ny = row_add(x)") == set()
    softmax = "over 4 64\nin x float32[4,64] 256 4\nout y float32[4,64] 256 4\n" \
        "m = row_maximum(x)\ny = subtract(x, m)"  # fmt: skip
    assert streamed_of(softmax) == set()  # its rows are read twice


@pytest.mark.parametrize(("cache", "columns"), [(8 << 20, 1536), (32 << 20, 6144), (1 << 30, 8192)])
def test_the_shared_cache_decides(cache: int, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "cache_bytes", lambda index, default: cache)
    monkeypatch.setattr(streams, "has_distant_cache", lambda: False)
    assert streamed_of(rows_by_columns(512, columns)) == {"y"}
    assert streamed_of(rows_by_columns(512, columns - 16)) == set()


def test_a_distant_shared_cache_counts_as_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that compute little write past it what a core's own cache cannot hold."""
    monkeypatch.setattr(streams, "cache_bytes", lambda index=2, default=0: {2: 1 << 20, 3: 1 << 30}[index])
    texts = [rows_by_columns(256, 1024), rows_by_columns(256, 1008), rows_by_columns(256, 1024) + "\nz = exp(y)"]
    monkeypatch.setattr(streams, "has_distant_cache", lambda: False)
    assert [streamed_of(text) for text in texts] == [set(), set(), set()]
    monkeypatch.setattr(streams, "has_distant_cache", lambda: True)
    assert [streamed_of(text) for text in texts] == [{"y"}, set(), set()]


def test_only_what_fits_into_no_cache_is_streamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "has_distant_cache", lambda: False)
    assert streamed_of(rows_by_columns(512, 4096)) == set()
    assert streamed_of(rows_by_columns(2048, 4096)) == {"y"}
    assert streamed_of(rows_by_columns(1 << 20, 64)) == set()  # short rows


def test_bools_and_bytes_are_streamed_in_narrow_lanes(small: None) -> None:
    text = (
        "over 1024\nin x uint8[1024] 1\nout y uint8[1024] 1\nout m bool[1024] 1\nout z int32[1024] 4\n"
        "y = add(x, 7)\nm = greater(y, 50)\nc = cast(x, int32)\nz = copy(c)"
    )
    assert streamed_of(text) == {"z"}
    text = "\n".join(line for line in text.splitlines() if "z" not in line and "c =" not in line)
    assert streamed_of(text) == {"y", "m"}
    x = np.arange(1024).astype(np.uint8)
    y, m = aligned_empty((1024,), np.dtype(np.uint8)), aligned_empty((1024,), np.dtype(np.bool_))
    for wide in (None, False):
        assert codegen.compile_kernel(text, wide=wide)(x, y, m)
        np.testing.assert_array_equal(y, x + np.uint8(7))
        np.testing.assert_array_equal(m, y > 50)


@pytest.mark.parametrize("offset", [0, 1, 4])
@pytest.mark.parametrize("size", [16, 40, 1000, 5003])
def test_pairs_are_written_past_the_caches(small: None, size: int, offset: int) -> None:
    lines = [f"in x complex64[{size}] 8", f"in z complex64[{size}] 8 is x from 4"]
    lines += [
        f"out y complex64[{size}] 8",
        f"out v complex64[{size}] 8 is y from 4",
        "y = multiply(x, z)",
        "v = add(x, z)",
    ]
    text = "\n".join([f"over {size}", *lines])
    assert streamed_of(text) == {"y"}
    x = np.random.default_rng(size).normal(size=(2, size)).astype(np.float32)
    y = aligned_empty((size + offset,), np.dtype(np.complex64))[offset:]
    pairs = x[0] + 1j * x[1]
    assert codegen.compile_kernel(text)(pairs, pairs, y, y)
    np.testing.assert_array_equal(y, x[0] * x[1] + 1j * (x[0] + x[1]))


def test_the_only_input_that_is_read_once_is_prefetched(monkeypatch: pytest.MonkeyPatch) -> None:
    text = rows_by_columns(4, 64)
    shifted = "in z float32[4,60] 256 4 16 is x\nout"
    assert not streams.prefetched(parse(text))
    monkeypatch.setattr(streams, "cache_bytes", lambda *_: 1024)
    assert streams.prefetched(parse(text)) == "x"
    assert not streams.prefetched(parse(text.replace("out", shifted)))
    assert not streams.prefetched(parse(text.replace("out", "in z float32[4,64] 256 4\nout")))


@pytest.mark.skipif(unavailable() is not None, reason="no machine code")
@pytest.mark.parametrize("columns", [16, 64, 1000])
def test_a_prefetch_changes_no_number(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    text = rows_by_columns(4, columns)
    plain = codegen.compile_kernel(text)
    asked: list[object] = []
    prefetch = Assembler.prefetch
    monkeypatch.setattr(Assembler, "prefetch", lambda *given: (asked.append(given), prefetch(*given))[1])
    monkeypatch.setattr(generator, "prefetched", lambda kernel: kernel.arrays[0].name)
    codegen.forget()
    ahead = codegen.compile_kernel(text)
    codegen.forget()
    x, b = np.random.default_rng(0).standard_normal((4, columns), np.float32), np.ones(columns, np.float32)
    y, z = result(4, columns, 0), result(4, columns, 0)
    assert plain(x, b, y)
    assert ahead(x, b, z)
    assert asked
    np.testing.assert_array_equal(y, z)
