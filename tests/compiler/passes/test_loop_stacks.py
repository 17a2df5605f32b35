"""What loops stack: casts follow the loop, and states are copied by kernels; numbers and gradients stay."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, ops
from mycel.runtime.machine.executable import unavailable


def viterbi(e: Any, t: Any) -> Any:
    """The best path's scores, and where each came from."""
    s, found = e[0], []
    for i in range(1, 99):
        m = s[:, None] + t
        s = m.max(0) + e[i]
        found.append(ops.argmax(m, 0))
    return s, ops.stack(found)


def twice(e: Any, t: Any) -> Any:
    """A position that the next iteration reads, and that is stacked twice; positions of shorter elements."""
    h, found = e[0], []
    for i in range(1, 99):
        at = ops.argmax(t + h, 1)
        h = ops.tanh(e[i] + t[at[0]]) @ t
        found.append(ops.stack([at, at + 1]))
    return h, ops.stack(found), ops.stack(found).astype(ms.int32)


def recurrence(e: Any, t: Any) -> Any:
    """States that are stacked, and carried on."""
    h, found = e[0], []
    for i in range(1, 99):
        h = ops.tanh(t @ h + e[i])
        found.append(h)
    return ops.stack(found), h * 2


def gates(e: Any, t: Any) -> Any:
    """A cell with gates, whose gradient joins those of the gates, and stacks parts of products."""
    h, out, t = e[0], [], ops.cat([t, t * t], 1)
    for i in range(1, 99):
        y = h @ t
        z = ops.sigmoid(e[i] + y[:16])
        h = z * h + (1 - z) * ops.tanh(e[i] + z * y[16:])
        out.append(h)
    return ops.square(h).sum() + ops.stack(out).mean()


def heat(e: Any, t: Any) -> Any:
    """A state of which parts are assigned."""
    u = (e.sum(1) + t.sum()).copy()
    for _ in range(60):
        u[1:-1] = u[1:-1] + 0.1 * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return (u,)


def columns(e: Any, t: Any) -> Any:
    """Columns that all iterations read, and a state that becomes another one."""
    x, y, z = e[:, 0], e[:, 1], e[:, 2]
    while ops.abs(x).max() < 4.0:
        x, y = x * 1.1 + 0.01 * e[:, 3], z + 0.1 * x * e[:, 4]
    for _ in range(50):
        x, y, z = y, z, ops.tanh(x * e[:, 5] + 0.1 * y)
    return x, y, z


def given() -> tuple[Tensor, Tensor]:
    """Rows, and a matrix."""
    random = np.random.default_rng(0)
    return Tensor(random.standard_normal((99, 16)).astype(np.float32)), Tensor(
        0.3 * random.standard_normal((16, 16)).astype(np.float32)
    )


DERIVED = [ms.grad(gates, (0, 1)), ms.grad(lambda e, t: ops.square(heat(e, t)[0]).sum(), (0, 1))]


@pytest.mark.parametrize("program", [viterbi, twice, recurrence, heat, columns, *DERIVED])
def test_results(program: Any) -> None:
    compiled, plain = ms.jit(program), ms.jit(program, passes_off=["kernels"])
    for _ in range(2):
        for one, other in zip(compiled(*given()), plain(*given()), strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-5, atol=1e-6)


def test_gradients() -> None:
    def loss(e: Any, t: Any) -> Any:
        states, last = recurrence(e, t)
        return (states * states).sum() + last.sum()

    compiled, plain = ms.jit(ms.grad(loss, (0, 1))), ms.grad(loss, (0, 1))
    for one, other in zip(compiled(*given()), plain(*given()), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.skipif(unavailable() is not None, reason="there are no kernels here")
def test_programs() -> None:
    """No iteration casts, or copies a state."""
    for program in (viterbi, recurrence):
        text = str(ms.jit(program, passes_off=["whole_loops"]).stages(*given()).program)
        loop = text.partition("in zip(range(")[2].partition("\n        return")[0]
        inside = [line for line in loop.splitlines() if line.startswith(" " * 12)]
        assert inside
        assert not any(" = " in line.partition("#")[0] for line in inside), text


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_no_iteration_calls_numpy_for_parts() -> None:
    source = ms.jit(ms.grad(gates, (0, 1)), passes_off=["whole_loops"]).stages(*given()).program
    loops = [part.split("        return")[0] for part in source.split("        for (")[1:]]
    assert len(loops) == 2
    assert not any(line.startswith(f"{' ' * 12}concatenate(") for part in loops for line in part.splitlines())


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_columns_are_copied_before_a_loop() -> None:
    source = ms.jit(columns, passes_off=["whole_loops", "tiny_loops"]).stages(*given()).program
    body = source[source.index("while True") :].split("iterations")[0]
    assert "(e, " not in body
    assert ", e, " not in body


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
def test_parts_of_a_state_are_viewed_once() -> None:
    source = ms.jit(DERIVED[1], passes_off=["whole_loops"]).stages(*given()).program
    loops = source.split("        for i_")[1:]
    assert len(loops) == 2
    for loop in loops:
        inside = [line for line in loop.splitlines()[1:] if line.startswith(" " * 12)]
        assert not any(line.split("#")[0].rstrip().endswith("]") and " = " in line for line in inside)
    assert " move(" in source


def cell(x: Any, w: Any) -> Any:
    """The square of the last state of a cell."""
    h = x[0]
    for i in range(40):
        h = ops.tanh(x[i] + h @ w)
    return ops.square(h).sum()


def cell_from_the_end(x: Any, w: Any) -> Any:
    """The same, from the last row on."""
    h = x[0]
    for i in range(39, -1, -1):
        h = ops.tanh(x[i] + h @ w)
    return ops.square(h).sum()


@pytest.mark.parametrize("cell", [cell, cell_from_the_end])
def test_states_before_and_after_iterations_are_one_stack(cell: Any) -> None:
    """The backward reads both."""
    random = np.random.default_rng(0)
    x = Tensor(random.standard_normal((40, 16, 32)).astype(np.float32))
    w = Tensor((0.1 * random.standard_normal((32, 32))).astype(np.float32))
    first = ms.grad(cell, (0, 1))

    def second(x: Any, w: Any) -> Any:
        return ms.grad(lambda x, w: sum(ops.square(part).sum() for part in first(x, w)), (0, 1))(x, w)

    for program in (first, second):
        compiled, plain = ms.jit(program), ms.jit(program, passes_off=["kernels"])
        for _ in range(2):
            for one, other in zip(compiled(x, w), plain(x, w), strict=True):
                np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=2e-4, atol=1e-3)
    if unavailable() is None:
        stages, stack = ms.jit(first).stages(x, w), x.size * 4
        assert stages.plan.nbytes < 1.5 * stack, str(stages.plan)
        loops = [node for node in stages.optimized.nodes if node.op.name == "scan"]
        assert [len(node.outputs) for node in loops] == [2, 2]


def halves(x: Any, w: Any) -> Any:
    """States that are parts of one product, counted."""
    a = b = x[0, :, :8]
    for i in range(40):
        both = ops.tanh(ops.cat((a, b + x[i, :, 8:]), 1) @ w)
        a, b = both[:, 8:], both[:, :8]
    return a, b


def turned(x: Any, w: Any) -> Any:
    """A transposed state, until a test ends the loop."""
    a, k = w, Tensor(0)
    while (a.sum() < 1e3) & (k < 9):
        a, k = ops.tanh(a @ w).T, k + 1
    return a, k


@pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))
@pytest.mark.parametrize("program", [halves, turned])
def test_states_that_are_parts_are_copied_by_kernels(program: Any) -> None:
    random = np.random.default_rng(0)
    x = Tensor(random.standard_normal((40, 16, 16)).astype(np.float32))
    w = Tensor((0.3 * random.standard_normal((16, 16))).astype(np.float32))
    compiled = ms.jit(program)
    for one, other in zip(compiled(x, w), program(x, w), strict=True):
        np.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=2e-4, atol=1e-4)
    (loop,) = [node for node in compiled.stages(x, w).optimized.nodes if node.op.kind == "loop"]
    made = {value: node for node in loop.attrs["body"].nodes for value in node.outputs}
    states = loop.attrs["body"].outputs[: loop.attrs["carried"]]
    assert not any(made[state].op.kind == "view" for state in states if state in made)
