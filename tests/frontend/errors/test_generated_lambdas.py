"""Errors in operands that a conversion puts into lambdas stand in the user's function; the user's own lambdas stay."""

from __future__ import annotations

import subprocess
import sys
import traceback
from collections.abc import Callable
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor


def conditional(x: Tensor) -> Any:
    return x if x.sum() > 0 else x.nosuch


def conjunction(x: Tensor) -> Any:
    return x.sum() > 0 and x.nosuch


def disjunction(x: Tensor) -> Any:
    return x.sum() < 0 or x.nosuch


def chain(x: Tensor) -> Any:
    return x.sum() > 0 < x.nosuch


def repeated(x: Tensor) -> Any:
    y = x
    while y.nosuch > 0:
        y = y - 1
    return y


def twice(x: Tensor) -> Any:
    return x if x.sum() > 0 else (x.sum() < -3 and x.nosuch)


def branch(x: Tensor) -> Any:
    if x.sum() > 0:
        x = x - 1 if x.sum() > 1 else x.nosuch
    return x


def own(x: Tensor) -> Any:
    return (lambda v: v.nosuch)(x)


def own_operand(x: Tensor) -> Any:
    return x.sum() > 0 and (lambda: x.nosuch)()


def own_twice(x: Tensor) -> Any:
    return (lambda v: v if v.sum() > 0 else v.nosuch)(x)


CASES: list[tuple[Callable[[Tensor], Any], list[str]]] = [
    *((function, []) for function in (conditional, conjunction, disjunction, chain, repeated, twice, branch)),
    *((function, ["<lambda>"]) for function in (own, own_operand, own_twice)),
]


@pytest.mark.parametrize("transform", [ms.jit, ms.value_and_grad], ids=["jit", "grad"])
@pytest.mark.parametrize(("function", "inner"), CASES, ids=lambda case: getattr(case, "__name__", ""))
def test_the_frames_are_those_of_plain_python(
    function: Callable[[Tensor], Any], inner: list[str], transform: Callable[..., Any]
) -> None:
    with pytest.raises(AttributeError, match="nosuch") as found:
        transform(function)(Tensor([1.0, 2.0]))
    frames = traceback.extract_tb(found.value.__traceback__)
    users = [frame.name for frame in frames if frame.filename == __file__]
    assert users == ["test_the_frames_are_those_of_plain_python", function.__name__, *inner]
    place = f"in {inner[-1] if inner else function.__name__}\n"
    assert place in "".join([*map(str, found.value.args), *getattr(found.value, "__notes__", [])])


def test_what_a_lambda_has_as_code_does_not_change_what_it_takes() -> None:
    """A user's lambda with a parameter for any number of arguments beside generated ones."""

    @ms.jit
    def sums(x: Tensor) -> Any:
        add = lambda *items: sum(items) if x.sum() > 0 else -sum(items)  # noqa: E731
        return add(x, x, x) if x.sum() > -9 else x

    assert sums(Tensor([1.0])).asnumpy() == [3.0]
    assert sums(Tensor([-1.0])).asnumpy() == [3.0]


def test_hints_of_tensors_show_no_frame_of_the_package() -> None:
    for name in ("backward", "cuda", "detach"):
        with pytest.raises(AttributeError, match=f"no attribute '{name}': ") as found:
            getattr(Tensor([1.0]), name)
        frames = [frame.filename for frame in traceback.extract_tb(found.value.__traceback__)]
        assert frames[0] == __file__
        assert len(frames) == (1 if sys.version_info >= (3, 11) else 2)  # before, Python keeps the one that raises


@pytest.mark.parametrize("compiled", [False, True])
def test_a_misspelt_attribute_is_corrected_once(compiled: bool, tmp_path: Any) -> None:
    """By Python outside of compiled functions, and by us inside."""
    file = tmp_path / "program.py"
    file.write_text(
        "import mycel as ms\ndef f(x):\n    return x.reshpae(2)\n"
        f"{'f = ms.jit(f)' if compiled else ''}\nf(ms.Tensor([1.0, 2.0]))\n"
    )
    done = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, check=False)
    assert done.stderr.lower().count("did you mean") == 1, done.stderr
    assert "'reshape'" in done.stderr
