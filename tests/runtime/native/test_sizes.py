"""Kernels that differ in sizes share machine code, to the bytes that code of their own would have."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from searches import chequered

from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.symbolic_sizes import SizeTrace, Templates
from mycel.runtime.native import codegen, streams
from mycel.runtime.native.codegen import KernelTarget, compile_kernel
from mycel.runtime.native.evaluate import evaluator
from mycel.runtime.native.language import READ, Kernel, parse, without_names
from mycel.runtime.native.sizes import kind_of, with_sizes

pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """No kernel has code yet."""
    for name in ("_codes", "_chosen", "_waiting", "_printed"):
        monkeypatch.setattr(codegen, name, {})
    monkeypatch.setattr(codegen, "_sized", Templates())


def flat(n: int, m: int, k: int) -> str:
    size = n * m * k
    return (
        f"over {size}\nin x float32[{n},{m},{k}] 4\nin s float32[] 0\nout y float32[{n},{m},{k}] 4\ny = multiply(x, s)"
    )


def norm(n: int, m: int, k: int) -> str:
    all_ = f"[{n},{m},{k}] {4 * m * k} {4 * k} 4"
    return (
        f"over {n} {m} {k}\nin x float32{all_}\nin b float32[{m},1] 0 4 0\nout y float32{all_}\n"
        f"out g bool[{n},{m},{k}] {m * k} {k} 1\nadd t float32[{m}] 0 4 0\n"
        "a = subtract(x, b)\ny = maximum(0.0, a)\ng = greater(y, 0.0)\nq = multiply(a, a)\nr = row_add(q)\nt = r"
    )


def softmax(n: int, m: int, k: int) -> str:
    array = f"float64[{n},{m},{k}] {8 * m * k} {8 * k} 8"
    return (
        f"over {n} {m} {k}\nin x {array}\nout y {array}\nm = row_maximum(x)\nd = subtract(x, m)\ne = exp(d)\n"
        "s = row_add(e)\ny = divide(e, s)"
    )


def columns(n: int, m: int, k: int) -> str:
    """Sums and maxima over the first axis."""
    return (
        f"over {n} {m * k}\nin x float32[{n},{m},{k}] {4 * m * k} 4\nadd a float32[{m},{k}] 0 4\n"
        f"maximum b float32[{m},{k}] 0 4\na = x\nb = x"
    )


def overlaid(n: int, m: int, k: int) -> str:
    """Two arrays, one behind the other."""
    low, both = m * k, (m + 2) * k
    return (
        f"over {n} {both}\nin x float32[{n},{m},{k}] {4 * low} 4 within 0 {n} 0 {low}\n"
        f"in z float32[{n},2,{k}] {8 * k} 4 from {-4 * low} within 0 {n} {low} {both}\n"
        f"out y float32[{n},{m + 2},{k}] {4 * both} 4\nc = overlay(x, z)\ny = add(c, 1.0)"
    )


def padded(n: int, m: int, k: int, dtype: str = "float32", size: int = 4, factor: str = "2.5") -> str:
    """A frame of zeros around each matrix."""
    return (
        f"over {n} {m + 2} {k + 2}\nin x {dtype}[{n},{m},{k}] {size * m * k} {size * k} {size} from {-size * (k + 1)} "
        f"within 0 {n} 1 {m + 1} 1 {k + 1}\n"
        f"out y {dtype}[{n},{m + 2},{k + 2}] {size * (m + 2) * (k + 2)} {size * (k + 2)} {size}\n"
        f"y = multiply(x, {factor})"
    )


def interleaved(n: int, m: int, k: int) -> str:
    """Rows of three, column by column."""
    shape = f"[{n},{m},3]"
    lines = [f"over {n * m}", f"in a float32{shape} 12", f"in b float32{shape} 12 is a from 4"]
    lines += [f"in c float32{shape} 12 is a from 8", f"out y float32[{n},{m}] 4", "d = add(a, b)", "y = multiply(d, c)"]
    return "\n".join(lines)


def shared(n: int, m: int, k: int) -> str:
    """For two threads."""
    return f"shared 2\n{norm(2 * n, m, k).replace(f'add t float32[{m}] 0 4 0', f'add t float32[2,{m}] 0 4 0')}"


def integers(n: int, m: int, k: int) -> str:
    return (
        f"over {n} {m} {k}\nin x int32[{n},{m},{k}] {4 * m * k} {4 * k} 4\nin z int32[{k}] 0 0 4\n"
        f"out y int32[{n},{m},{k}] {4 * m * k} {4 * k} 4\ny = add(x, z)"
    )


def turned_bytes(n: int, m: int, k: int) -> str:
    """Lanes of 8 bits, where rows are long enough."""
    return (
        f"over {n} {m} {k}\nin x uint8[{n},{m},{k + 1}] {m * (k + 1)} {k + 1} -1 from {k}\nin z uint8[{k}] 0 0 1\n"
        f"out y uint8[{n},{m},{k}] {m * k} {k} 1\nout g bool[{n},{m},{k}] {m * k} {k} 1\n"
        "y = add(x, z)\ng = greater(y, 3)"
    )


def padded_words(n: int, m: int, k: int) -> str:
    """Lanes of 16 bits with bounds, where rows are long enough."""
    return padded(n, m, k, "int16", 2, "3")


FORMS: list[Callable[[int, int, int], str]] = [
    flat, norm, softmax, columns, overlaid, padded, interleaved, shared, integers, turned_bytes, padded_words,
]  # fmt: skip
EXTENTS = [1, 2, 3, 4, 7, 8, 15, 16, 17, 31, 32, 33, 48, 64, 65, 100, 128, 130]


def arrays_of(kernel: Kernel, seed: int) -> list[np.ndarray]:
    """Arguments."""
    generator, found = np.random.default_rng(seed), dict[str, np.ndarray]()
    for array in kernel.arrays:
        if array.same:
            found[array.name] = found[array.same]
        elif array.role in READ:
            found[array.name] = np.asarray(generator.standard_normal(array.shape) * 4).astype(array.dtype)
        else:
            found[array.name] = np.zeros(array.shape, array.dtype)
    return [*found.values()]


@pytest.mark.parametrize(("large", "form"), chequered([False, True], FORMS))
def test_shared_code_is_the_code_of_its_own(
    monkeypatch: pytest.MonkeyPatch, form: Callable[[int, int, int], str], large: bool
) -> None:
    """And computes what NumPy does."""
    if large:
        monkeypatch.setattr(streams, "large", lambda: 0)
    rng = random.Random(f"{form.__name__} {large}")
    texts = [form(rng.choice(EXTENTS[:8]), *rng.choices(EXTENTS, k=2)) for _ in range(50)]
    for text in texts:
        codegen.remember(text, parse(text))
    kept: list[tuple[codegen.CodeTemplate, KernelTarget, SizeTrace]] = []
    for number, text in enumerate(texts):
        given = arrays_of(parse(text), number)
        expected = [array.copy() for array in given]
        for later, array in enumerate(parse(text).arrays):
            if array.same:
                expected[later] = expected[0]
        assert compile_kernel(text)(*given), text
        evaluator(parse(text), text)(*expected)
        for made, wanted in zip(given, expected, strict=True):
            np.testing.assert_allclose(made, wanted, rtol=2e-5, atol=1e-5, err_msg=text)
        known = codegen._known(without_names(parse(text)))
        assert known.kind is not None
        (_, sizes), target = known.kind, KernelTarget.of(known.kernel, None)
        trace = SizeTrace(sizes)
        own = codegen._template(known.kernel, known.outlined[1], target, trace)
        every = [(template, before.again(sizes)) for template, goal, before in kept if goal == target]
        others = [template.resized(values, own.numbers) for template, values in every if values is not None]
        assert {other.code for other in others if other is not None} <= {own.code}, text
        if {*others} <= {None}:
            kept.append((own, target, trace))
    assert len(kept) < 40, len(kept)


@pytest.mark.parametrize("form", FORMS)
def test_sizes_are_put_back(form: Callable[[int, int, int], str]) -> None:
    first, second = (without_names(parse(form(*sizes))) for sizes in ((3, 5, 7), (4, 6, 9)))
    kinds = [kind_of(kernel, ()) for kernel in (first, second)]
    assert kinds[0] is not None
    assert kinds[1] is not None
    assert kinds[0][0] == kinds[1][0]
    assert with_sizes(first, kinds[1][1]) == second


def test_a_kernel_of_a_kind_of_its_own_is_written_with_plain_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Symbolic ones take longer, which pays for others of the kind."""
    traces: list[object] = []
    template = codegen._template

    def watched(
        kernel: Kernel, numbers: tuple[float, ...], target: KernelTarget, trace: SizeTrace | None = None
    ) -> object:
        traces.append(trace)
        return template(kernel, numbers, target, trace)

    monkeypatch.setattr(codegen, "_template", watched)
    for form, sizes in ((flat, (2, 3, 5)), (norm, (2, 3, 5)), (norm, (2, 4, 5)), (norm, (3, 4, 5))):
        compile_kernel(form(*sizes))
    assert [trace is None for trace in traces] == [True, True, False]


def test_arguments_of_other_sizes_are_refused() -> None:
    """Code for other sizes checks these."""
    functions = {n: compile_kernel(flat(n, 3, 16)) for n in (2, 4, 6, 200, 300)}
    for n, function in functions.items():
        for m in functions:
            x, s, y = np.ones((m, 3, 16), np.float32), np.array(2, np.float32), np.zeros((m, 3, 16), np.float32)
            assert function(x, s, y) == (m == n)
            assert (y == 2).all() if m == n else not y.any()


def test_bytes_of_elements() -> None:
    """The stride of the innermost loop is no size: what it is decides on the instructions."""
    first, second = (kind_of(parse(text), ()) for text in (flat(2, 3, 5), flat(2, 3, 5).replace("5] 4", "5] 8")))
    assert first is not None
    assert second is not None
    assert first[0] != second[0]


def test_nothing_waits_once_it_is_compiled() -> None:
    """Neither if its code is known, nor if it has been compiled before."""
    texts = [form(*sizes) for form in (flat, norm) for sizes in ((2, 3, 5), (3, 3, 5), (3, 3, 5), (4, 5, 6))]
    for _ in range(3):
        for text in texts:
            codegen.remember(text, parse(text))
        assert {len(sizes) for sizes in codegen._waiting.values()} == {3}
        for text in texts:
            compile_kernel(text)
        assert not codegen._waiting
