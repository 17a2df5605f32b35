"""An output reads a state, or an input, before another output overwrites it."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from searches import chequered

import mycel as ms
from mycel import Tensor
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.native import codegen
from mycel.runtime.native.builder import Unsupported
from mycel.runtime.native.codegen import compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import parse

both = pytest.mark.parametrize(
    "make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"]
)
ROWS = 4


@both
@pytest.mark.parametrize(
    ("columns", "update", "previous"),
    chequered(
        [1, 3, 8, 9],
        ["x", "add(z, x)", "copy(x)", "maximum(x, 2.0)"],
        ["z", "bitcast(z, int32)", "cast(z, float32)", "multiply(z, 1.0)"],
    ),
)
def test_an_output_that_is_the_state_before(
    make: Callable[[str], Callable[..., bool]], columns: int, update: str, previous: str
) -> None:
    """In any order of the outputs and statements."""
    dtype = "int32" if "int32" in previous else "float32"
    step = 4 * columns
    state = f"out next float32[{columns}] 0 4"
    row = f"out y {dtype}[{ROWS},{columns}] {step} 4"
    statements = (f"next = {update}", f"y = {previous}")
    for outputs, body in itertools.product(((state, row), (row, state)), (statements, statements[::-1])):
        text = "\n".join(
            (f"over {ROWS} {columns}", f"in x float32[{ROWS},{columns}] {step} 4", f"state z float32[{columns}] 0 4",
             *outputs, *body)
        )  # fmt: skip
        x = np.arange(1, 1 + ROWS * columns, dtype=np.float32).reshape(ROWS, columns)
        z, y = np.full(columns, -1, np.float32), np.zeros((ROWS, columns), dtype)
        expected, now = [], z.copy()
        for each in x:
            expected.append(now)
            now = now + each if "add" in update else np.maximum(each, 2) if "maximum" in update else each
        assert make(text)(x, z, *((z, y) if outputs[0] is state else (y, z)))
        np.testing.assert_array_equal(y.view(np.float32), expected, err_msg=text)
        np.testing.assert_array_equal(z, now, err_msg=text)


@both
@pytest.mark.parametrize("columns", [1, 5, 8, 17])
def test_an_output_that_is_an_input_over_which_another_lies(
    make: Callable[[str], Callable[..., bool]], columns: int
) -> None:
    step = 4 * columns
    text = f"""
    over {ROWS} {columns}
    in x float32[{ROWS},{columns}] {step} 4
    in w float32[{ROWS},1] 4 0
    out next float32[{ROWS},{columns}] {step} 4
    out y float32[{ROWS},{columns}] {step} 4
    y = x
    next = copy(w)
    """.replace("    ", "").strip()
    x = np.arange(1, 1 + ROWS * columns, dtype=np.float32).reshape(ROWS, columns)
    w, y, before = np.full((ROWS, 1), 7, np.float32), np.zeros_like(x), x.copy()
    assert make(text)(x, w, x, y)
    np.testing.assert_array_equal(y, before)
    np.testing.assert_array_equal(x, np.full_like(x, 7))


def shifted(x: Tensor, s: Tensor) -> Any:
    """The last three states of a loop."""
    return ms.ops.ForiLoop()(0, x.shape[0], lambda i, c: (c[0] * 0.5 + x[i], c[0], c[1]), (s, s, s))


@pytest.mark.parametrize("code", [True, False], ids=["code", "numpy"])
@pytest.mark.parametrize("columns", [1, 5])
def test_states_that_become_the_next_ones(code: bool, columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop's state that was another one's before, with machine code and with NumPy in its place."""
    if code and unavailable() is not None:
        pytest.skip(str(unavailable()))
    if not code:
        monkeypatch.setattr(codegen, "unavailable", lambda: "the test says so")
        monkeypatch.setattr(codegen, "_logged", ["the test says so"])
    x = Tensor(np.arange(100 * columns, dtype=np.float32).reshape(100, columns))
    s = Tensor(-np.ones(columns, np.float32))
    function = ms.jit(shifted, fullgraph=True)
    found = function(x, s)
    assert unavailable() or "compile_kernel" in str(ms.jit(shifted).stages(x, s).program)
    for one, other in zip(found, shifted(x, s), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6)


def test_random_loops_whose_states_change_places() -> None:
    """Machine code and NumPy, for states that are permuted, shifted and stacked in every order of the outputs."""
    draw = random.Random(5)
    for _ in range(60):
        count, columns = draw.randint(2, 5), draw.choice([1, 2, 7, 8, 11])
        states = [f"z{n}" for n in range(count)]
        outputs = [f"out next{n} float32[{columns}] 0 4" for n in range(count)]
        outputs += [f"out y{n} float32[{ROWS},{columns}] {4 * columns} 4" for n in range(2)]
        order = draw.sample(range(len(outputs)), len(outputs))
        # A state may be read in any order only by its own element: kernels get one array for each.
        body = [f"next{n} = {draw.choice([states[n], f'add({states[n]}, x)', 'x', draw.choice(states)])}"
                for n in range(count)]  # fmt: skip
        body += [f"y{n} = {draw.choice(states)}" for n in range(2)]
        draw.shuffle(body)
        text = "\n".join(
            (f"over {ROWS} {columns}", f"in x float32[{ROWS},{columns}] {4 * columns} 4",
             *(f"state {name} float32[{columns}] 0 4" for name in states),
             *(outputs[n] for n in order), *body)
        )  # fmt: skip
        results = []
        for make in (compile_kernel, lambda text: evaluator(parse(text), text)):
            x = np.arange(ROWS * columns, dtype=np.float32).reshape(ROWS, columns)
            given = [np.full(columns, 100.0 * (n + 1), np.float32) for n in range(count)]
            stacked = [np.zeros((ROWS, columns), np.float32) for _ in range(2)]
            assert make(text)(x, *given, *[(given + stacked)[n] for n in order])
            results.append(given + stacked)
        for one, other in zip(*results, strict=True):
            np.testing.assert_array_equal(one, other, err_msg=text)


ENDED = """
while more
over 9 1
state x int32[] 0 0
out y int32[] 0 0
out more bool[] 0 0
y = add(x, 2)
more = less(y, 7)
"""


@pytest.mark.parametrize("make", [compile_kernel, lambda text: evaluator(parse(text), text)], ids=["code", "numpy"])
def test_a_loop_ends_where_an_output_is_false(make: Any) -> None:
    assert str(parse(ENDED)) == ENDED.strip()
    more = np.ones((), np.bool_)
    for start, last in ((0, 8), (5, 7), (90, 92), (-50, -32)):
        x = np.array(start, np.int32)
        assert make(ENDED)(x, x, more) is True
        assert (x, more) == (last, last < 7)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("while more", "while y"),
        ("while more", "while z"),
        ("while more", "while x"),
        ("over 9 1", "over 9"),
        ("out more bool[] 0 0", "out more bool[9] 1 0"),
    ],
)
def test_loops_that_end_otherwise_are_refused(old: str, new: str) -> None:
    text = ENDED.replace(old, new)
    with pytest.raises(Unsupported):
        compile_kernel(text.replace(" 0 0", " 0") if "over 9\n" in text else text)


HALVED = "over 70 3\nstate x float32[3] 0 4\nout y float32[3] 0 4\ny = multiply(x, 0.5)"
ROWS_APART = "over 2 4\nin x float32[2,4] 16 4\nout y float32[2,4] 16 4\ny = multiply(x, 0.5)"


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("head", ["", "flush\n", "shared 2\nflush\n"])
def test_denormal_results_are_zeros_where_the_kernel_says_so(head: str) -> None:
    """A loop halves a state 70 times, threads halve rows once; the last result is half of the least normal number."""
    text, steps, size = (ROWS_APART, 1, (2, 4)) if "shared" in head else (HALVED, 70, (3,))
    kernel = parse(head + text)
    assert parse(str(kernel)) == kernel
    least = np.finfo(np.float32).tiny
    x = np.full(size, least * np.float32(2) ** (steps - 1), np.float32)
    y = x if text is HALVED else np.empty_like(x)  # a state has the memory of its output
    assert compile_kernel(str(kernel))(x, y)
    assert (y == (0 if head else least / 2)).all()
    assert np.float32(1e-20) * np.float32(1e-20) > 0  # NumPy keeps its own
