"""Copies of transposed arrays in machine code: results, what is refused, and where programs use them."""

from __future__ import annotations

import pickle
from mmap import PAGESIZE

import numpy as np
import pytest
from hostile_arrays import wrong_for

import mycel as ms
from mycel.compiler import ops
from mycel.compiler.ir.parser import parse
from mycel.compiler.pipeline import Options, compile_graph
from mycel.runtime.machine.array_functions import compile_turn
from mycel.runtime.machine.executable import code_address, make_function
from mycel.runtime.machine.narrow_turn_code import NarrowTurnCode
from mycel.runtime.machine.product import has_products
from mycel.runtime.machine.sizes import as_matrices

pytestmark = pytest.mark.skipif(not has_products(), reason="no machine code here")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
def test_random_shapes(dtype: str) -> None:
    random = np.random.default_rng(0)
    for _ in range(80):
        rank = int(random.integers(2, 5))
        shape = tuple(int(n) for n in random.integers(1, 24, rank))
        lead = int(random.integers(0, rank - 1))
        cut = int(random.integers(lead + 1, rank))
        axes = (*range(lead), *range(cut, rank), *range(lead, cut))
        source = random.integers(-99, 99, shape).astype(dtype)
        target = np.full([shape[axis] for axis in axes], 7, dtype)
        narrow = make_function(NarrowTurnCode(dtype, shape, axes).assemble(), "turn", "")
        for function in (compile_turn(dtype, shape, axes), narrow):
            target.fill(7)
            assert function(source, target) is True
            np.testing.assert_array_equal(target, np.transpose(source, axes))


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint16", "float16"])
def test_random_shapes_of_narrow_elements(dtype: str) -> None:
    random, size = np.random.default_rng(1), np.dtype(dtype).itemsize
    for _ in range(80):
        count, rows, columns = int(random.integers(1, 4)), int(random.integers(16, 70)), int(random.integers(8, 70))
        shape = count, rows // size, columns // size
        source = random.integers(0, 99, shape).astype(dtype)
        target = np.full((shape[0], shape[2], shape[1]), 7, dtype)
        assert compile_turn(dtype, shape, (0, 2, 1))(source, target) is True
        np.testing.assert_array_equal(target, source.swapaxes(1, 2))


def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written() -> None:
    function = compile_turn("float32", (3, 20), (1, 0))
    arrays = [np.ones((3, 20), np.float32), np.zeros((20, 3), np.float32)]
    for position in range(2):
        for name, wrong in wrong_for(arrays[position], position == 1).items():
            given = list(arrays)
            given[position] = wrong
            before = pickle.dumps(given)
            assert function(*given) is False, (position, name)
            assert pickle.dumps(given) == before
    assert function(*arrays) is True


def test_which_permutations_are_transposes() -> None:
    assert as_matrices((4, 5), (0, 1)) is None
    assert as_matrices((2, 3, 4, 5), (1, 0, 3, 2)) is None
    assert as_matrices((2, 3, 4, 5), (2, 3, 0, 1)) == (1, 6, 20)


def test_kernels_read_copies_of_transposes_that_are_too_short_for_buffers() -> None:
    add = ms.jit(lambda a, b: a + b.T * 2)
    for rows, columns, copied in ((200, 201, False), (20, 30, False), (9, 4000, True)):
        a = ms.Tensor(np.random.default_rng(0).standard_normal((rows, columns)).astype(np.float32))
        b = ms.Tensor(np.random.default_rng(1).standard_normal((columns, rows)).astype(np.float32))
        np.testing.assert_array_equal(add(a, b).asnumpy(), a.asnumpy() + b.asnumpy().T * np.float32(2))
        assert ("turned(" in str(add.stages(a, b).program)) is copied


@pytest.mark.parametrize("shape", [(3, 4), (1, 5), (40, 9), (2, 3, 5), (2, 20, 20)])
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "float16"])
def test_programs_transpose_in_machine_code(shape: tuple[int, ...], dtype: str) -> None:
    axes = (*range(len(shape) - 2), len(shape) - 1, len(shape) - 2)
    node = {"float32": "f32", "float64": "f64", "int64": "i64", "float16": "f16"}[dtype]
    turned = ", ".join(str(shape[axis]) for axis in axes)
    text = f"""graph f(%x: {node}[{", ".join(map(str, shape))}]) {{
        %t: {node}[{turned}] = turned(%x, axes={axes}) %y: {node}[{turned}] = negative(%t) return %y }}"""
    compiled = compile_graph(parse(text, ops.OPS), name="f", options=Options(frozenset({"kernels"})))
    assert ("compile_turn" in compiled.source) is (dtype != "float16" or min(shape[-2:]) >= 8)
    for x in (np.arange(np.prod(shape)).reshape(shape).astype(dtype), np.ones(shape[::-1], dtype).T):
        np.testing.assert_array_equal(compiled.run(x)[0], -x.transpose(axes))


def test_code_starts_at_different_places_of_its_pages() -> None:
    """And takes no more pages for it."""
    for size in (1, 100, 3000, PAGESIZE - 1, PAGESIZE, PAGESIZE + 1, 3 * PAGESIZE - 200):
        made = [make_function(bytes(size), "never_called", "") for _ in range(3)]
        places = [(code_address(function) or 0) % PAGESIZE for function in made]
        room = -size % PAGESIZE
        assert all(place % 64 == 0 and place <= room for place in places)
        assert len({*places}) == min(3, room // 64 + 1)
