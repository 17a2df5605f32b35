"""The cache of entries: which one serves a call, which go, and why a call needs a new one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor
from mycel.frontend.compilation import entry as entry_module
from mycel.frontend.compilation.entries import MAX_ENTRIES, Entries, key_of, show_key
from mycel.frontend.compilation.entry import MOST_READ_ALONE, Entry
from mycel.frontend.tracing.guards import Guards


def entry(key: object) -> Entry:
    """An entry without guards, which holds always."""
    return Entry(key, Guards())


def test_the_newest_entry_of_a_signature_serves() -> None:
    entries = Entries()
    older, newer = entry(1), entry(1)
    entries.add(1, older)
    entries.add(1, newer)
    assert entries.find(1, []) is newer
    assert entries.find(2, []) is None
    assert len(entries) == 2


def test_the_oldest_signature_goes_first() -> None:
    entries = Entries()
    for key in range(MAX_ENTRIES + 3):
        entries.add(key, entry(key))
    assert len(entries) == MAX_ENTRIES
    assert [entries.find(key, []) is None for key in range(5)] == [True, True, True, False, False]


def test_the_newest_entry_stays_though_its_signature_is_the_oldest() -> None:
    entries = Entries()
    for key in range(MAX_ENTRIES):
        entries.add(key, entry(key))
    newest = entry(0)
    entries.add(0, newest)
    assert entries.find(0, []) is newest
    assert entries.find(1, []) is None
    assert len(entries) == MAX_ENTRIES


def test_one_signature_keeps_its_newest_entries() -> None:
    entries = Entries()
    made = [entry("key") for _ in range(MAX_ENTRIES + 1)]
    for one in made:
        entries.add("key", one)
    assert list(entries) == made[:0:-1]


def test_reasons_for_a_new_entry() -> None:
    entries = Entries()
    assert entries.reason(key_of((1,), {}, []), []) == "first call"
    entries.add(key_of((1,), {}, []), entry(None))
    assert entries.reason(key_of((2,), {}, []), []) == "other arguments than (1)"
    assert entries.reason(key_of((1,), {}, []), []) == "a captured tensor has another shape or dtype"
    assert show_key(key_of((1,), {"scale": 2.0}, [])).startswith("1, ")


def test_cleared_entries_are_gone() -> None:
    entries = Entries()
    entries.add(1, entry(1))
    entries.clear()
    assert not len(entries)
    assert entries.find(1, []) is None


def test_updates_of_arguments_by_emitted_dispatch() -> None:
    """A function that updates its arguments is called directly, unless they are one tensor or parts of others."""

    @ms.jit
    def moved(x: Any, y: Any, k: Any) -> Any:
        x[0] = y[1] + 1
        y[k] = x[0] * 2
        return x, y.sum()

    def check(x: Tensor, y: Tensor, given: int = 1) -> None:
        whole, other = x.asnumpy().copy(), y.asnumpy().copy() if y is not x else None
        other = whole if other is None else other
        whole[0] = other[1] + 1
        other[given] = whole[0] * 2
        found, total = moved(x, y, Tensor(given))
        np.testing.assert_array_equal(x.asnumpy(), whole)
        np.testing.assert_array_equal(y.asnumpy(), other)
        np.testing.assert_array_equal(found.asnumpy(), whole)
        assert total.asnumpy() == other.sum()

    def numbers(start: int) -> Tensor:
        return Tensor(np.arange(start, start + 3, dtype=np.float32))

    x, y = numbers(0), numbers(3)
    for _ in range(3):
        check(x, y)
    assert moved._fast is not None
    one = numbers(4)
    check(one, one)
    check(x, y)
    base = Tensor(np.zeros((2, 3), np.float32))
    part = base[1]
    with pytest.warns(ms.FallbackWarning, match="assigned to a selection"):
        check(part, y)
    np.testing.assert_array_equal(base.asnumpy()[1], part.asnumpy())
    check(x, y)
    before = x.asnumpy().copy(), y.asnumpy().copy()
    with pytest.raises(IndexError):
        moved(x, y, Tensor(3))
    for tensor, wanted in zip((x, y), before, strict=True):
        np.testing.assert_array_equal(tensor.asnumpy(), wanted)
    check(x, y, 2)


def test_many_tensors_from_outside_are_read_at_each_call() -> None:
    """More of them than are read one by one."""
    tensors = [ms.Parameter(Tensor([float(number)]), name=f"p{number}") for number in range(MOST_READ_ALONE + 6)]
    compiled = ms.jit(lambda x: x + sum(tensors))
    x = Tensor([0.5])
    expected = sum(range(len(tensors))) + 0.5
    for _ in range(3):
        assert float(compiled(x)) == expected
    tensors[-1].set_data(Tensor([100.0]))
    assert float(compiled(x)) == expected + 100 - (len(tensors) - 1)
    assert len(compiled.explain().traces) == 1
    tensors[0].set_data(Tensor([1.0, 2.0]), slice_shape=True)
    assert compiled(x).shape == (2,)


@pytest.mark.parametrize("error", [MemoryError, RecursionError])
def test_calls_that_python_cannot_compile_dispatch_for_run_without(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    @ms.jit
    def double(x: Tensor) -> Tensor:
        return x * 2

    def refuse(*given: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(entry_module, "compile", refuse, raising=False)
        for number in range(4):
            assert double(Tensor(float(number))).asnumpy() == 2 * number
        assert double._fast is None
    for number in range(2):
        assert double(Tensor(float(number))).asnumpy() == 2 * number
    assert double._fast is not None
