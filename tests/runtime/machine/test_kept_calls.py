"""Calls that are checked and kept, and run later by several threads."""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from mycel.runtime.kernels import together
from mycel.runtime.kernels.together import KeptCalls, MachineCall, run_kept, run_together, team
from mycel.runtime.machine.array_functions import compile_copy
from mycel.runtime.machine.executable import unavailable
from mycel.runtime.machine.kept_calls import KEEP, SEALED
from mycel.runtime.machine.product import compile_matmul

Array = np.ndarray[Any, Any]
WORDS, RUN = team().words, team().run
pytestmark = pytest.mark.skipif(unavailable() is not None, reason=str(unavailable()))


def operands(*shape: int) -> tuple[Array, Array, Array]:
    """Matrices to multiply, and zeros for the result."""
    rows, depth, columns = shape
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal(size, np.float32) for size in ((rows, depth), (depth, columns)))
    return a, b, np.zeros((rows, columns), np.float32)


def record() -> Array:
    return np.zeros(WORDS, np.int64)


def test_a_kept_call_does_nothing_until_it_runs() -> None:
    a, b, out = operands(40, 50, 60)
    kept = record()
    assert compile_matmul("float32")(KEEP, kept, a, b, out) is True
    assert not out.any()
    assert RUN(np.array([0, 1]), kept[None]) is True
    np.testing.assert_allclose(out, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 40])
def test_pieces_are_shared_and_each_keeps_its_order(rows: int) -> None:
    """Each piece multiplies, and then copies its result: the copies are right only in this order."""
    a, b, out = operands(rows * 16, 64, 64)
    copy = np.zeros_like(out)

    def pieces() -> list[list[MachineCall]]:
        parts = [slice(16 * row, 16 * row + 16) for row in range(rows)]
        return [
            [
                MachineCall(compile_matmul("float32"), (a[part], b, out[part])),
                MachineCall(compile_copy(), (out[part], copy[part])),
            ]
            for part in parts
        ]

    owner = object()
    for _ in range(20):
        out[:] = copy[:] = 0
        assert run_together(owner, (a, b, out, copy), pieces)
        np.testing.assert_allclose(out, a @ b, rtol=1e-4, atol=1e-4)
        np.testing.assert_array_equal(copy, out)


def test_calls_are_kept_for_the_form_of_arrays() -> None:
    a, b, out = operands(32, 32, 32)
    owner, made = object(), []

    def multiply(owner: object, b: Array) -> bool | None:
        def pieces() -> list[list[MachineCall]]:
            made.append(b.strides)
            return [[MachineCall(compile_matmul("float32"), (a, b, out))]]

        return run_kept(owner, (a, b, out), pieces)

    for expected, others in ((1, (owner, b)), (1, (owner, b)), (2, (owner, b.T)), (3, (object(), b))):
        assert multiply(*others)
        assert len(made) == expected
        np.testing.assert_allclose(out, a @ others[1], rtol=1e-4, atol=1e-4)
    out.flags.writeable = False
    assert multiply(owner, b) is None  # as machine code refuses it


def test_what_machine_code_refuses_is_called_otherwise() -> None:
    a, b, out = (array.astype(np.float64) for array in operands(8, 9, 10))
    calls = [[MachineCall(compile_matmul("float32"), (a, b, out), lambda a, b, out: np.matmul(a, b, out=out))]]
    assert run_together(object(), (a, b, out), lambda: calls)
    np.testing.assert_allclose(out, a @ b)
    assert not run_together(object(), (a, b, out), lambda: [[MachineCall(compile_matmul("float32"), (a, b, out))]])


def test_refused_arguments_leave_no_record() -> None:
    a, b, out = operands(8, 9, 10)
    multiply, kept = compile_matmul("float32"), record()
    assert multiply(KEEP, kept, a, b, out)
    assert not multiply(KEEP, kept, a, a, out)
    assert not kept[SEALED]
    for wrong in (kept[:-1], kept.astype(np.int32), kept[None], np.zeros(2 * WORDS, np.int64)[::2], None, 3):
        assert multiply(KEEP, wrong, a, b, out) is False
    kept.flags.writeable = False
    assert multiply(KEEP, kept, a, b, out) is False
    assert multiply(KEEP) is False
    assert multiply(KEEP, record()) is False
    assert not out.any()


def test_only_sealed_records_run() -> None:
    a, b, out = operands(8, 9, 10)
    kept = record()[None]
    assert compile_matmul("float32")(KEEP, kept[0], a, b, out)
    starts = np.array([0, 1])
    for wrong in ([0, 2], [0, -1, 1], [1, 0, 1], [0], [0, 2, 1], [-1, 1], []):
        assert RUN(np.array(wrong, np.int64), kept) is False
    for records in (kept * 0, kept[0], kept[:, :-1].copy(), kept.astype(np.int32), kept[:0], None, []):
        assert RUN(starts, records) is False
    assert RUN(starts) is RUN() is RUN(starts, kept, a) is False
    forged = kept.copy()
    forged[0, SEALED] ^= 1
    assert RUN(starts, forged) is False
    assert not out.any()
    assert RUN(starts, kept) is True


def test_arrays_are_not_resized_meanwhile() -> None:
    """They are held from before their addresses are read until all is done, and no longer."""
    a, b, out = operands(16, 16, 16)

    def pieces() -> list[list[MachineCall]]:
        for array in (a, b, out):
            with pytest.raises(ValueError, match="resize"):
                array.resize((1, 1), refcheck=False)
        return [[MachineCall(compile_matmul("float32"), (a, b, out))]]

    assert run_kept(object(), (a, b, out), pieces)
    assert not any(map(weakref.getweakrefcount, (a, b, out)))
    out.resize((1, 1), refcheck=False)


def test_several_callers_share_the_team() -> None:
    """While one thread has the team, others compute alone."""
    wrong = []

    def work(number: int) -> None:
        a, b, out = operands(64 + number, 64, 64)
        expected = a @ b
        halves = [slice(0, 32), slice(32, None)]
        calls = KeptCalls(None, [[MachineCall(compile_matmul("float32"), (a[half], b, out[half]))] for half in halves])
        for _ in range(200):
            out[:] = 0
            if not calls.run() or not np.allclose(out, expected, atol=1e-3):
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_few_records_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(together, "MOST_KEPT", 3)
    monkeypatch.setattr(together, "_kept", together._Kept())
    a, b, out = operands(8, 8, 8)
    owners = [object() for _ in range(5)]
    for owner in owners:
        assert run_together(owner, (a, b, out), lambda: [[MachineCall(compile_matmul("float32"), (a, b, out))]])
    assert len(together._kept) == 3


def test_the_code_of_kept_calls_stays() -> None:
    """Functions that only records refer to are not freed: a new one, of which nothing else knows, still runs."""
    a, b, out = operands(8, 9, 10)
    function = compile_matmul.__wrapped__("float32")
    known = weakref.ref(function.__self__)
    calls = KeptCalls(None, [[MachineCall(function, (a, b, out))]])
    del function
    gc.collect()
    assert known() is not None
    assert calls.run()
    np.testing.assert_allclose(out, a @ b, rtol=1e-4, atol=1e-4)
