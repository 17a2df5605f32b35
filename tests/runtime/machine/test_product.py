"""Matrix products in machine code: right for all shapes and layouts, in place, on threads, and only where they pay."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import threading
import time
from typing import Any

import numpy as np
import pytest
from drawn_products import DrawnProduct
from searches import chequered

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine import executable, product_code
from mycel.runtime.machine.product import (
    compile_matmul,
    compile_narrow_matmul,
    has_products,
    has_wide_code,
    vector_bytes,
)
from mycel.runtime.machine.product_boundary import RELEASING
from mycel.runtime.machine.sizes import FEWEST_COLUMNS, NARROW, takes

needs_products = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")
both = pytest.mark.parametrize("compiled", [compile_matmul, compile_narrow_matmul])


def fewest_columns(compiled: Any, dtype: str) -> int:
    """The columns that a function takes at least."""
    return 1 if compiled is compile_matmul and has_wide_code() else FEWEST_COLUMNS[np.dtype(dtype).itemsize]


EDGES = (1, 4, 5, 8, 9, 15, 16, 17, 48, 49, 64, 80)


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_random_products_agree_with_numpy(first: int) -> None:
    for seed in range(first, first + 100):
        drawn = DrawnProduct(seed)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.parametrize("first", range(0, 300, 100))
def test_random_products_of_bfloat16_agree_with_numpy(first: int) -> None:
    for seed in range(first, first + 100):
        drawn = DrawnProduct(seed, pairs=True)
        drawn.check_refusal()
        drawn.check()


@pytest.mark.slow
def test_many_random_products_agree_with_numpy() -> None:
    for seed in range(1000, 6000):
        DrawnProduct(seed).check()


@needs_products
@pytest.mark.parametrize(
    ("rows", "depth"),
    chequered([12, 13, 16, 25, 31, 33, 48, 64, 100, 105, 128, 129], [31, 32, 64, 97, 385, 1024, 1300]),
)
def test_products_by_a_transposed_matrix(rows: int, depth: int) -> None:
    """Operands change places if there are few rows; the result may have gaps, and nothing beside it changes."""
    random = np.random.default_rng(rows * depth)
    for columns in (8, 12, 36, 52, 300, 4)[: None if has_wide_code() else -1]:
        whole = np.full((3, rows + 2, columns + 3), 7, np.float32)
        out = whole[:2, 1:-1, 1:-2]
        b = random.integers(-8, 9, (2, columns, depth)).astype(np.float32)
        a = random.integers(-8, 9, (2, depth, rows)).astype(np.float32)
        for given in (a.swapaxes(-1, -2), np.ascontiguousarray(a.swapaxes(-1, -2))):
            assert compile_matmul("float32")(given, b.swapaxes(-1, -2), out)
            np.testing.assert_array_equal(out, given @ b.swapaxes(-1, -2))
            out[...] = 7
            assert (whole == 7).all()


@needs_products
@pytest.mark.parametrize("depth", [63, 64, 65, 79, 80, 200, 769, 2001])
def test_few_rows_by_a_transposed_matrix(depth: int) -> None:
    """They are dot products; the result may have gaps, and nothing beside it changes."""
    random = np.random.default_rng(depth)
    for rows in (*range(2, 15), 17, 22, 29, 30):
        for columns in (8, 9, 10, 11, 31, 100, 4)[: None if has_wide_code() else -1]:
            whole = np.full((2, rows + 2, columns + 3), 7, np.float32)
            out = whole[:, 1:-1, 1:-2]
            a = random.integers(-8, 9, (2, rows, depth + 5)).astype(np.float32)[..., 2:-3]
            b = random.integers(-8, 9, (2, columns, depth)).astype(np.float32).swapaxes(-1, -2)
            assert compile_matmul("float32")(a, b, out)
            np.testing.assert_array_equal(out, a @ b)
            assert compile_matmul("float32")(a, b, out, out)
            np.testing.assert_array_equal(out, 2 * (a @ b))
            out[...] = 7
            assert (whole == 7).all()


@pytest.mark.skipif(not has_wide_code(), reason="dot products need vectors of AVX-512")
@pytest.mark.parametrize(("rows", "lost"), [(3, 95), (4, 95), (5, 23), (12, 23)])
def test_more_than_four_rows_are_multiplied_part_by_part(rows: int, lost: int) -> None:
    """Every sixteenth term is added to one sum: a large number loses the ones of its own part, but not of others."""
    terms, large = 1536, 2.0**24
    b = np.ones((7, terms), np.float32)
    b[:, 0] = large
    out = np.empty((rows, 7), np.float32)
    assert compile_matmul("float32")(np.ones((rows, terms), np.float32), b.T, out) is True
    np.testing.assert_array_equal(out, large + terms - 1 - lost)


@needs_products
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("depth", [119, 120, 192, 193, 256, 257, 600])
@both
def test_products_of_a_transposed_matrix(compiled: Any, dtype: str, depth: int) -> None:
    """Its columns are packed, for some blocks together; they may run backwards."""
    random = np.random.default_rng(depth)
    for rows in (*range(12, 38), 48, 53, 102):
        for columns in (33, 80, 300):
            a = random.integers(-8, 9, (2, depth, rows)).astype(dtype)[:, ::-1].swapaxes(-1, -2)
            b = random.integers(-8, 9, (2, depth, columns)).astype(dtype)
            for given in (b, np.ascontiguousarray(b.swapaxes(-1, -2)).swapaxes(-1, -2)):
                out = np.full((2, rows, columns), 7, dtype)
                assert compiled(dtype)(a, given, out)
                np.testing.assert_array_equal(out, a @ b)


@needs_products
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("depth", [15, 16, 17, 64, 119])
@both
def test_columns_that_share_places_of_the_cache(compiled: Any, dtype: str, depth: int) -> None:
    """Few columns of a transposed matrix are packed, too, if they are a multiple of 1,024 bytes apart."""
    random = np.random.default_rng(depth)
    for rows in (23, 24, 47, 256):
        for columns in (56, 64, 129, 400):
            a = random.integers(-8, 9, (2, depth, 256)).astype(dtype)[..., :rows].swapaxes(-1, -2)
            b = random.integers(-8, 9, (2, depth, columns)).astype(dtype)
            out = np.full((2, rows, columns), 7, dtype)
            assert compiled(dtype)(a, b, out)
            np.testing.assert_array_equal(out, a @ b)


@needs_products
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("columns", [1024, 700, 49])
@both
def test_rows_that_are_pages_apart(compiled: Any, dtype: str, columns: int) -> None:
    """They are packed for more than a few rows, whatever part of them is multiplied."""
    random = np.random.default_rng(columns)
    b = random.integers(-8, 9, (2, 401, 1024)).astype(dtype)[..., :columns]
    for rows in (8, 17, 32, 33, 40, 51, 97):
        a = random.integers(-8, 9, (2, rows, 401)).astype(dtype)
        out = np.full((2, rows, columns), 7, dtype)
        assert compiled(dtype)(a, b, out) is True
        np.testing.assert_array_equal(out, a @ b)


@needs_products
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("layout", ["rows", "columns"])
@both
def test_every_number_of_rows_and_columns(compiled: Any, dtype: str, layout: str) -> None:
    """Each block and each mask: whole numbers, so that every sum is exact."""
    random = np.random.default_rng(0)
    matmul, fewest = compiled(dtype), fewest_columns(compiled, dtype)
    for rows in range(1, 18):
        for columns in (*range(4, 20), *EDGES[7:], 97):
            a = random.integers(-4, 5, (rows, 9)).astype(dtype)
            b = random.integers(-4, 5, (9, columns)).astype(dtype)
            b = np.asfortranarray(b) if layout == "columns" else b
            out = np.full((rows, columns), 7, dtype)
            assert matmul(a, b, out) is (columns >= fewest)
            np.testing.assert_array_equal(out, a @ b if columns >= fewest else 7)


@needs_products
@pytest.mark.parametrize("depth", [1, 2, 383, 384, 385, 768, 769, 1537])
@pytest.mark.parametrize("layout", ["rows", "columns"])
@both
def test_long_sums_are_divided(compiled: Any, depth: int, layout: str) -> None:
    if layout == "columns" and depth < fewest_columns(compiled, "float32"):
        pytest.skip("not taken")
    random = np.random.default_rng(1)
    a = random.integers(-4, 5, (400, depth)).astype(np.float32)  # so many rows that the other operand is packed
    b = random.integers(-4, 5, (depth, 300)).astype(np.float32)
    out = np.full((400, 300), 7, np.float32)
    given = np.asfortranarray(b) if layout == "columns" else b
    assert compiled("float32")(a, given, out) is True
    np.testing.assert_array_equal(out, a @ b)
    assert compiled("float32")(a, given, out, out) is True
    np.testing.assert_array_equal(out, 2 * (a @ b))


@pytest.mark.skipif(not has_wide_code(), reason="the parts differ for vectors of AVX-512")
@pytest.mark.parametrize("intel", [False, True])
@pytest.mark.parametrize(("dtype", "depth"), [("float32", 512), ("float64", 256)])
def test_parts_depend_on_the_maker_of_the_processor(
    monkeypatch: pytest.MonkeyPatch, intel: bool, dtype: str, depth: int
) -> None:
    monkeypatch.setattr(product_code, "is_from_intel", lambda: intel)
    monkeypatch.setattr(product_code, "cache_bytes", lambda: 2 << 20)
    parts = product_code.ProductCode(dtype).boundary.parts
    assert parts is not None
    assert (parts.depth, parts.far is None) == ((depth, False) if intel else (400, True))
    compiled, random = compile_matmul.__wrapped__(dtype), np.random.default_rng(2)
    for rows, terms, columns in (
        (3, 401, 1200), (32, 450, 2400), (400, 129, 1153), (20, 801, 49), (7, 200, 4700), (200, 515, 580),
    ):  # fmt: skip
        a, b = (random.integers(-4, 5, shape).astype(dtype) for shape in ((rows, terms), (terms, columns)))
        for turned_a, turned_b in itertools.product((np.asarray, np.asfortranarray), repeat=2):
            out = np.full((rows, columns), 7, dtype)
            assert compiled(turned_a(a), turned_b(b), out) is True
            np.testing.assert_array_equal(out, a @ b)


@pytest.mark.skipif(not has_wide_code(), reason="the parts differ for vectors of AVX-512")
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("rows", "terms", "columns", "depth"), [
    (2, 1600, 512, 16), (8, 1600, 512, 16), (9, 1600, 512, 32), (24, 320, 2464, 32), (3, 320, 5000, 16),
])  # fmt: skip
def test_few_rows_read_parts_of_whole_rows(
    monkeypatch: pytest.MonkeyPatch, dtype: str, rows: int, terms: int, columns: int, depth: int
) -> None:
    """The sums of a part come first: a large number loses the ones of its own part, but not those of others."""
    monkeypatch.setattr(product_code, "is_from_intel", lambda: True)
    monkeypatch.setattr(product_code, "cache_bytes", lambda: 2 << 20)
    matmul, random = compile_matmul.__wrapped__(dtype), np.random.default_rng(3)
    wide = random.integers(-4, 5, (terms, columns + 3)).astype(dtype)
    a, b = random.integers(-4, 5, (rows, terms)).astype(dtype), wide[:, :columns]
    for given in (b, np.ascontiguousarray(b)):
        out = np.full((rows, columns), 7, dtype)
        assert matmul(a, given, out) is True
        np.testing.assert_array_equal(out, a @ b)
        assert matmul(a, given, out, out) is True
        np.testing.assert_array_equal(out, 2 * (a @ b))
    large = 2.0 ** (np.finfo(dtype).nmant + 1)
    b = np.ones((terms, columns), dtype)
    b[0] = large
    assert matmul(np.ones((rows, terms), dtype), b, out) is True
    np.testing.assert_array_equal(out, large + terms - depth)


@needs_products
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("rows", "terms", "columns", "depth"), [
    (2, 1600, 520, 16), (11, 200, 1024, 8), (4, 40, 4100, 16), (3, 6000, 71, 24), (2, 3000, 1024, 12),
])  # fmt: skip
def test_few_rows_read_parts_of_whole_rows_with_avx2(
    dtype: str, rows: int, terms: int, columns: int, depth: int
) -> None:
    """The sums of a part come first, as above; parts are about equal."""
    columns *= 8 // np.dtype(dtype).itemsize
    matmul, random = compile_narrow_matmul(dtype), np.random.default_rng(3)
    a, b = random.integers(-4, 5, (rows, terms)).astype(dtype), random.integers(-4, 5, (terms, columns)).astype(dtype)
    out = np.full((rows, columns), 7, dtype)
    assert matmul(a, b, out) is True
    np.testing.assert_array_equal(out, a @ b)
    assert matmul(a, b, out, out) is True
    np.testing.assert_array_equal(out, 2 * (a @ b))
    large = 2.0 ** (np.finfo(dtype).nmant + 1)
    b = np.ones((terms, columns), dtype)
    b[0] = large
    assert matmul(np.ones((rows, terms), dtype), b, out) is True
    np.testing.assert_array_equal(out, large + terms - -(-terms // -(-terms // depth)))


@pytest.mark.parametrize(("maker", "flag", "switch", "multiplies"), [
    ("AuthenticAMD", "avx512_bf16", "", True), ("AuthenticAMD", "avx512_bf16", "off", False),
    ("GenuineIntel", "avx512_bf16", "", False), ("GenuineIntel", "avx512_bf16", "on", True),
    ("AuthenticAMD", "avx512f", "on", False),
])  # fmt: skip
def test_pairs_are_multiplied_where_that_is_sooner(
    monkeypatch: pytest.MonkeyPatch, maker: str, flag: str, switch: str, multiplies: bool
) -> None:
    monkeypatch.setenv("MYCEL_BF16", switch)
    monkeypatch.setattr(executable, "_described", lambda field="flags": {maker if field == "vendor_id" else flag})
    assert executable.multiplies_pairs() is multiplies


@needs_products
@pytest.mark.parametrize("layout", ["rows", "columns"])
@pytest.mark.parametrize(("rows", "columns"), [(5, 40), (16, 64), (128, 48), (400, 52)])
@both
def test_errors_do_not_grow_with_the_number_of_terms(compiled: Any, rows: int, columns: int, layout: str) -> None:
    """A chain of 8,000 additions has an error of 1.7e-6; parts of it are added up, as in a BLAS (3e-7)."""
    random = np.random.default_rng(3)
    for depth in (1000, 8000):
        a = random.standard_normal((rows, depth)).astype(np.float32)
        b = random.standard_normal((depth, columns)).astype(np.float32)
        wanted, out = a.astype(np.float64) @ b, np.zeros((rows, columns), np.float32)
        assert compiled("float32")(a, b if layout == "rows" else np.asfortranarray(b), out) is True
        assert np.sqrt(np.square(out - wanted).mean() / np.square(wanted).mean()) < 6e-7


@needs_products
@both
def test_special_numbers(compiled: Any) -> None:
    a = np.array([[np.nan, 1], [np.inf, 0], [1, 1], [-0.0, 0]], np.float32)
    b = np.array([[1, 0, np.inf, -1] * 2, [2, np.nan, -np.inf, 0] * 2], np.float32)
    out = np.empty((4, 8), np.float32)
    with np.errstate(invalid="ignore"):
        assert compiled("float32")(a, b, out) is True
        np.testing.assert_array_equal(out, a @ b)


@needs_products
@both
def test_what_does_not_pay_is_left_to_the_blas(compiled: Any) -> None:
    matmul, fewest = compiled("float32"), fewest_columns(compiled, "float32")
    for rows, depth, columns in ((1, 500, 500), (500, 500, 1), (500, 500, 2), (1, 64, 64), (20, 10, 3), (500, 500, 4)):
        a, b = np.ones((rows, depth), np.float32), np.ones((depth, columns), np.float32)
        out = np.zeros((rows, columns), np.float32)
        taken = takes(rows, depth, columns, fewest)
        assert matmul(a, b, out) is taken
        assert (out == (depth if taken else 0)).all()
    assert [takes(500, 500, 2), takes(1, 64, 64), takes(500, 500, 1), takes(1, 500, 500)] == [True, True, False, False]
    assert [takes(10, 10, 1), takes(30, 30, 1)] == [True, False]  # the BLAS takes half the time


@needs_products
def test_a_program_calls_it_and_has_the_blas_behind_it() -> None:
    x, w = Tensor(np.ones((16, 24), np.float32)), Tensor(np.full((24, 20), 2, np.float32))
    program = ms.jit(lambda x, w: ops.tanh(x @ w)).stages(x, w).program
    assert "matmul = completed(compile_matmul('float32'), dot)" in str(program)
    assert "matmul(x, w, tanh_1)" in str(program)
    without = ms.jit(lambda x, w: ops.tanh(x @ w), passes_off=["native_products"]).stages(x, w).program
    assert "compile_matmul" not in str(without)
    assert "x.dot(w" in str(without)
    few = ms.jit(lambda x, w: ops.tanh(x @ w)).stages(x[:1], Tensor(np.ones((24, 900), np.float32))).program
    assert "compile_matmul" not in str(few)


def test_the_same_program_without_it() -> None:
    """MYCEL_AVX512=off gives the same results, by vectors of AVX2."""
    script = (
        "import numpy as np, mycel as ms\n"
        "from mycel.runtime.machine.product import vector_bytes\n"
        "rng = np.random.default_rng(0)\n"
        "net = ms.nn.SequentialCell(ms.nn.Conv2d(3, 8, 3), ms.nn.ReLU(), ms.nn.Flatten(), ms.nn.Dense(8 * 64, 10))\n"
        "for item in net.get_parameters():\n"
        "    item.set_data(ms.Tensor(rng.standard_normal(item.shape).astype(np.float32)))\n"
        "x = ms.Tensor(rng.standard_normal((4, 3, 8, 8)).astype(np.float32))\n"
        "step = ms.jit(ms.value_and_grad(lambda x: ops(net(x)), None, net.trainable_params()))\n"
        "ops = lambda y: (y * y).mean()\n"
        "loss, grads = step(x)\n"
        "print(vector_bytes(), float(loss), *[float(g.sum()) for g in grads])\n"
    )
    found = {}
    for switch in ("", "off"):
        environment = {**os.environ, "MYCEL_AVX512": switch or os.environ.get("MYCEL_AVX512", ""), "MYCEL_CACHE": "off"}
        done = subprocess.run(
            [sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True
        )
        first, *numbers = done.stdout.split()
        found[switch] = first, np.array(numbers, np.float64)
    assert found["off"][0] == str(NARROW if has_products() else 0)
    assert found[""][0] == str(vector_bytes())
    np.testing.assert_allclose(found[""][1], found["off"][1], rtol=2e-5)


@needs_products
@pytest.mark.parametrize("shape", [(512, 512), (64, 64, 64)])
def test_a_large_product_lets_other_threads_run(shape: tuple[int, ...]) -> None:
    """Also one of many small matrices. Here no thread has to give way to another one, unless it wants to."""
    a, out = np.ones(shape, np.float32), np.empty(shape, np.float32)
    assert a.size * shape[-1] > RELEASING
    counted, stop, interval = [0], threading.Event(), sys.getswitchinterval()
    function = compile_matmul("float32")

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        sys.setswitchinterval(1000)
        before = counted[0]
        end = time.monotonic() + 60
        while counted[0] == before and time.monotonic() < end:
            assert all(map(function, [a] * 50, [a] * 50, [out] * 50))  # in C: Python does not let others run
        assert counted[0] > before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert (out == shape[-1]).all()


@needs_products
def test_threads_multiply_at_once() -> None:
    random = np.random.default_rng(2)
    pairs = [[random.integers(-4, 5, shape).astype(np.float32) for shape in ((300, 200), (200, 250))] for _ in range(4)]
    wrong: list[int] = []

    def work(number: int) -> None:
        a, b = pairs[number]
        wanted, out = a @ b, np.empty((300, 250), np.float32)
        for _ in range(30):
            out.fill(7)
            if compile_matmul("float32")(a, b.T.copy().T, out) is not True or not (out == wanted).all():
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
