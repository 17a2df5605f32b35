"""What reaches a matrix product from outside is looked at first; nothing is left behind, whatever happens."""

from __future__ import annotations

import ctypes
import itertools
import pickle
import sys
import weakref
from typing import Any

import numpy as np
import pytest
from hostile_arrays import child, wrong_for

from mycel.runtime.machine import executable, python_calls
from mycel.runtime.machine.product import compile_matmul, compile_narrow_matmul, has_products, has_wide_code

pytestmark = pytest.mark.skipif(not has_products(), reason="machine code is off, or the processor has no AVX2")


def arrays() -> list[Any]:
    """Arrays that fit together."""
    return [np.full(shape, 3, np.float32) for shape in ((6, 8), (8, 9), (6, 9))]


shared = pytest.mark.parametrize("threads", [1, 2])


@shared
@pytest.mark.parametrize("position", range(3))
def test_arrays_that_do_not_fit_are_refused_and_nothing_is_written(position: int, threads: int) -> None:
    matmul = compile_matmul("float32", False, threads)
    taken = (["with gaps", "transposed"], ["transposed"], ["one axis more"])[position]
    for what, wrong in wrong_for(arrays()[position], written=position == 2).items():
        given = arrays()
        given[position] = wrong
        before = pickle.dumps(given)
        if what in taken:  # these fit
            assert matmul(*given) is True, what
        else:
            assert matmul(*given) is False, what
            assert pickle.dumps(given) == before, what


@shared
def test_numbers_of_arguments(threads: int) -> None:
    matmul, given = compile_matmul("float32", False, threads), arrays()
    other = np.zeros_like(given[2])
    for wrong in ((), given[:1], given[:2], (*given, given[0]), (*given, other), (*given, None), (*given, *given)):
        assert matmul(*wrong) is False
    assert (given[2] == 3).all()
    assert matmul(*given) is True
    assert (given[2] == 72).all()
    assert matmul(*given, given[2]) is True
    assert (given[2] == 144).all()


@shared
def test_layouts_that_are_refused(threads: int) -> None:
    matmul, (a, b, out) = compile_matmul("float32", False, threads), arrays()
    for wrong in (
        (a, np.full((16, 18), 3, np.float32)[::2, ::2], out),
        (a, b[:, ::-1], out),
        (a, b, np.asfortranarray(out)),
        (a, b, np.full((6, 18), 3, np.float32)[:, ::2]),
        (a, b, out[:, ::-1]),
        (np.full((1,) * 7 + (6, 8), 3, np.float32), b, np.full((1,) * 7 + (6, 9), 3, np.float32)),
        (np.full((2, 6, 5), 3, np.float32), b, out),
        (np.full((2, 6, 5), 3, np.float32), b, np.full((3, 6, 9), 3, np.float32)),
        (np.full((0, 6, 5), 3, np.float32), b, np.full((0, 6, 9), 3, np.float32)),
    ):
        assert matmul(*wrong) is False
        assert (np.asarray(wrong[2]) == 3).all()


@shared
def test_nothing_is_left_behind(threads: int) -> None:
    """Small and large products keep no reference to their arrays, and none is lost."""
    matmul = compile_matmul("float32", False, threads)
    for side in (8, 300):
        given = [np.ones((side, side), np.float32) for _ in range(3)]
        counts = [sys.getrefcount(array) for array in given]
        for _ in range(100):
            assert matmul(*given) is True
        assert [sys.getrefcount(array) for array in given] == counts
        assert not any(weakref.getweakrefcount(array) for array in given)


def test_arrays_resized_by_another_thread_meanwhile() -> None:
    """A shared product lets other threads run; they cannot resize its arrays then."""
    print(
        child("""
        import sys, threading
        import numpy as np
        from mycel.runtime.machine.product import compile_matmul

        sys.setswitchinterval(1e-6)
        matmul = compile_matmul("float32", False, 2)
        side = 700
        arrays = [np.ones((side, side), np.float32) for _ in range(3)]
        stop = threading.Event()

        def resize(array):
            while not stop.is_set():
                for size in ((2, 2), (side, side)):
                    try:
                        array.resize(size, refcheck=False)
                    except ValueError:
                        pass

        threads = [threading.Thread(target=resize, args=(array,)) for array in arrays]
        for thread in threads:
            thread.start()
        taken = sum(matmul(*arrays) for _ in range(25))
        stop.set()
        for thread in threads:
            thread.join()
        print("taken", taken)
    """)
    )


@pytest.mark.parametrize("failing", ["PyMem_RawMalloc", "PyWeakref_NewRef"])
def test_a_product_that_gets_no_memory_raises_and_writes_nothing(failing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = executable._Code(b"\x31\xc0\xc3")  # xor eax, eax; ret
    of_python = executable.address_of
    monkeypatch.setattr(
        python_calls, "address_of", lambda name: nothing.address if name == failing else of_python(name)
    )
    compiled = compile_matmul if has_wide_code() else compile_narrow_matmul
    matmul = compiled.__wrapped__("float32")
    a, b = np.ones((500, 384), np.float32), np.ones((300, 384), np.float32)
    out = np.full((500, 300), 7, np.float32)
    for _ in range(3):
        with pytest.raises(MemoryError if failing == "PyMem_RawMalloc" else SystemError):
            matmul(a, b.T, out)
    assert (out == 7).all()
    assert matmul(a[:6, :5].copy(), b[:5, :9].copy(), out[:6, :9].copy()) is True
    assert not any(weakref.getweakrefcount(array) for array in (a, b, out))


def product_that_gets_no_memory(failing: set[int], monkeypatch: pytest.MonkeyPatch) -> Any:
    """A product that two threads share, whose calls of these numbers get no memory to pack to; and the calls so far."""
    of_python, calls = executable.address_of, itertools.count(1)
    kind = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)
    allocate = kind(of_python("PyMem_RawMalloc"))
    some = kind(lambda nbytes: None if next(calls) in failing else allocate(nbytes))
    given = ctypes.cast(some, ctypes.c_void_p).value
    monkeypatch.setattr(
        python_calls, "address_of", lambda name: given if name == "PyMem_RawMalloc" else of_python(name)
    )
    compiled = compile_matmul if has_wide_code() else compile_narrow_matmul
    matmul = compiled.__wrapped__("float32", threads=2)
    return lambda *arguments: (some, matmul(*arguments))[1], calls


@pytest.mark.parametrize("adds", [False, True])
@pytest.mark.parametrize("failing", [{1}, {2}, {1, 2}])
def test_a_shared_product_whose_pieces_get_no_memory_raises(
    failing: set[int], adds: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is not refused: the caller would add the pieces that are done a second time."""
    matmul, calls = product_that_gets_no_memory(failing, monkeypatch)
    a, b = np.ones((500, 384), np.float32), np.ones((300, 384), np.float32)
    out = np.full((500, 300), 7, np.float32)
    with pytest.raises(MemoryError):
        matmul(a, b.T, out, *(out,) * adds)
    assert next(calls) == 3
    done = 391 if adds else 384
    assert sorted({*out.ravel().tolist()}) == ([7] if len(failing) == 2 else [7, done])
    assert not any(weakref.getweakrefcount(array) for array in (a, b, out))
    assert matmul(a, b.T, out) is True
    assert (out == 384).all()


@pytest.mark.parametrize(("shape", "depth", "pieces"), [((47, 45), 100, {24, 23}), ((20, 56), 8000, {32, 24})])
def test_pieces_are_of_about_equal_sizes(
    shape: tuple[int, int], depth: int, pieces: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The piece that gets no memory shows how many rows, or columns of a result that has more of them, are in one."""
    matmul, _ = product_that_gets_no_memory({2}, monkeypatch)
    a, b = np.ones((shape[0], depth), np.float32), np.ones((shape[1], depth), np.float32)
    out = np.full(shape, 7, np.float32)
    with pytest.raises(MemoryError):
        matmul(a, b.T, out, out)
    axis = shape.index(max(shape))
    assert (out != 7).all(1 - axis).sum() in pieces
    assert (out == 7).all(1 - axis).sum() in pieces
