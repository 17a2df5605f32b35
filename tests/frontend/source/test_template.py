"""Templates that several threads make."""

from __future__ import annotations

import re
import threading
import warnings
from typing import Any

import pytest

from mycel import Tensor, grad, jit
from mycel.frontend.source import template


def one(x: Tensor) -> Tensor:
    return x + 1


def other(x: Tensor) -> Tensor:
    return x + 2


def test_threads_that_convert_at_once_leave_the_filters_of_warnings(monkeypatch: pytest.MonkeyPatch) -> None:
    """One begins before the other, and ends before it."""
    begun, both, ended = threading.Event(), threading.Event(), threading.Event()

    def waiting(*arguments: Any, **keywords: Any) -> Any:
        if threading.current_thread().name == "first":
            begun.set()
            both.wait(0.3)
        else:
            both.set()
            ended.wait(0.3)
        return compile(*arguments, **keywords)

    monkeypatch.setattr(template, "compile", waiting, raising=False)
    before = list(warnings.filters)

    def first() -> None:
        jit(one)(Tensor([1.0]))
        ended.set()

    threads = [
        threading.Thread(target=first, name="first"),
        threading.Thread(target=lambda: jit(other)(Tensor([1.0])), name="second"),
    ]
    threads[0].start()
    begun.wait(10)
    threads[1].start()
    for thread in threads:
        thread.join()
    assert list(warnings.filters) == before


def straight(x: Tensor, flag: bool) -> Tensor:
    y = x * 2
    if flag:
        z = y
    y = z + 1  # may be unbound
    w = v = y - x

    class Inner:
        x = 3
        y = x + w

    def inner() -> Tensor:
        nonlocal v
        v = Inner.y * w
        u = v
        return u

    return inner() + v + Inner.x


def test_assignments_that_are_kept_mean_what_they_say() -> None:
    """Names of functions inside, of classes, and names that may be unbound."""
    x = Tensor([1.0, 2.0])
    assert straight(x, True).asnumpy().tolist() == jit(straight)(x, True).asnumpy().tolist()
    for function in (straight, jit(straight)):
        with pytest.raises(UnboundLocalError, match="'z'"):
            function(x, False)


def test_an_assignment_that_is_kept_is_not_copied() -> None:
    """It is the node of the user's own text, with its place."""
    found = template.source_of(straight).node
    converted = template.converted_tree(straight)
    assert found.body[0] in converted.body  # type: ignore[attr-defined, operator, union-attr, index]


def repeated(x: Tensor, raises: bool) -> tuple[Tensor, Tensor]:
    y = x
    if x.sum() > 0:
        z = [y - k for k in range(2)][1]
        y = y * 2 + x
    else:
        z = y - 1
        y = y - x
    # fmt: off
    if (
        y.sum() > z.sum()
    ):
        z = [y - k for k in range(2)][1]
        y = y * 2 + x
    else:
        z = y - 1
        y = y - x
    # fmt: on
    if raises:
        y = y.reshape(7)
    else:
        y = y + z
    if not raises:
        y = y.reshape(7)
    else:
        y = y + z
    return y, z


def test_ifs_whose_branches_have_one_text_share_a_function_and_keep_their_lines() -> None:
    code = template.template_of(repeated).code  # type: ignore[arg-type]
    assert code is not None
    assert sum(name.startswith("sides") for name in code.co_varnames + code.co_cellvars) == 2
    first = repeated.__code__.co_firstlineno
    for raises, line in ((True, 19), (False, 23)):
        with pytest.raises(ValueError, match=rf"test_template.py:{first + line}"):
            jit(repeated)(Tensor([1.0, 2.0]), raises)


def branches(x: Tensor) -> Tensor:
    y = x
    if x.sum() > 0:
        y = y * 2
    else:
        y = y - x
    if x.sum() > 1:
        y = y * 2
    else:
        y = y - x
    return y


def test_ifs_that_share_a_function_compute_what_they_say() -> None:
    first, compiled = branches.__code__.co_firstlineno, jit(branches)
    stage = str(compiled.stages(Tensor([1.0, 2.0])).forward)
    assert [int(line) - first for line in re.findall(r" multiply.*test_template.py:(\d+)", stage)] == [3, 7]
    for numbers in ([1.0, 2.0], [-3.0, 1.0], [0.25, 0.5]):
        x = Tensor(numbers)
        assert compiled(x).asnumpy().tolist() == branches(x).asnumpy().tolist()
        assert jit(grad(branches))(x).asnumpy().tolist() == grad(branches)(x).asnumpy().tolist()
