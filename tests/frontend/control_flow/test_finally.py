"""`try` with `finally` around run-time conditions and loops that return."""

# ruff: noqa: B012 jumps of finally clauses are what tests here are about

from __future__ import annotations

import contextlib
import copy
import linecache
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor


def returned_and_updated_at_last(x: Tensor, state: list[Any]) -> Any:
    u = x * 0.5
    try:
        if x.sum() > 0:
            return x.sum(), u
        u = u * 2
    finally:
        u += 0.25
    return x.sum() * 2, u


def kept_at_last(x: Tensor, state: list[Any]) -> Any:
    u, n = x * 0.5, x.sum()
    try:
        if n > 2:
            return u
        try:
            u = u * 2
            if n > 0:
                return u
            n = n * 3
        finally:
            state[1] = n + 1
        u = u + n
    finally:
        state[0] = u
    return u * 2


def left_from_a_loop(x: Tensor, state: list[Any]) -> Any:
    u = x * 0.5
    try:
        while u.sum() < 5:
            u = u + 1
            if u.max() > 1.5:
                return u.sum()
            u = u * 0.75
    finally:
        state[0] = u
        u *= 2
    return u.sum() + 1


@pytest.mark.parametrize("x", [3.0, 0.5, -1.0, -4.0])
@pytest.mark.parametrize("function", [returned_and_updated_at_last, kept_at_last, left_from_a_loop])
def test_finally_reads_variables_as_they_are_after_a_return(
    function: Callable[[Tensor, list[Any]], Any], x: float
) -> None:
    def run(x: Tensor) -> Any:
        state: list[Any] = [x, x.sum()]
        return function(x, state), state

    inputs = Tensor([x, x / 4])
    assert str(ms.jit(run)(inputs)) == str(run(inputs))


def returns_at_last(x: Tensor) -> Any:
    u = x * 0.5
    try:
        if x.sum() > 1:
            raise ValueError("large")
        u = u + 4
    finally:
        return u, x


def fails_below(x: Tensor) -> Any:
    u = x * 0.5
    try:
        if x.sum() > 1:
            u = u + [x][1]
        else:
            u = u + 4
    finally:
        if x.ndim == 1:
            return u, u * 2
    return x, u


def updates_before_it_fails(x: Tensor) -> Any:
    u = t = x * 0.5
    try:
        if x.sum() > 1:
            u *= 2
            u = missing + 1  # type: ignore[name-defined]  # noqa: F821
    finally:
        return u, t


def goes_on_at_last(x: Tensor) -> Any:
    u = x * 0.5
    for number in range(3):
        try:
            if u.sum() > number:
                raise ValueError("large")
            u = u + 1
        except KeyError:
            u = u * 8
        else:
            u = u - 0.25
        finally:
            u = u * 1.5
            continue
    return u


def chooses_at_last(x: Tensor) -> Any:
    u = x * 0.5
    try:
        u = u + [x][1]
    finally:
        if x.sum() > 1:
            return u
    return x


def leaves_a_loop_at_last(x: Tensor) -> Any:
    u = x * 0.5
    for number in range(3):
        try:
            u = u + [x, 2][number]
        finally:
            u = u * 2
            if u.max() > 9:
                break
    return u


def chooses_another_result_at_last(x: Tensor) -> Any:
    u = x * 0.5
    try:
        return u
    finally:
        if x.sum() > 1:
            return x


def chooses_in_a_loop_at_last(x: Tensor) -> Any:
    u = x * 0.5
    for number in range(3):
        try:
            u = u + number
            if number > 1:
                continue
        finally:
            u = u * 2
            if u.max() > 1:
                break
        u = u + 0.5
    return u


def raises_at_last(x: Tensor) -> Any:
    try:
        if x.sum() > 1:
            raise ValueError("large")
    finally:
        if x.min() < 0.5:
            raise [x][1]
    return x


@pytest.mark.filterwarnings("ignore::mycel.FallbackWarning")
@pytest.mark.parametrize("x", [3.0, 1.5, 0.5, -1.0, -4.0])
@pytest.mark.parametrize(
    "function",
    [
        returns_at_last,
        fails_below,
        updates_before_it_fails,
        goes_on_at_last,
        chooses_at_last,
        chooses_another_result_at_last,
        chooses_in_a_loop_at_last,
        raises_at_last,
        leaves_a_loop_at_last,
    ],
)
def test_jumps_of_finally_drop_exceptions_of_branches(function: Callable[[Tensor], Any], x: float) -> None:
    """Nothing that is raised under a condition is raised, and no change of a branch is lost."""

    def run(function: Callable[[Tensor], Any]) -> str:
        try:
            return str(function(Tensor([x, x / 4])))
        except (IndexError, ValueError) as error:
            return type(error).__name__

    assert run(ms.jit(function)) == run(function)


def returns_numbers(x: Tensor) -> Any:
    u = x * 0.5
    try:
        u = u + float(x.sum().asnumpy())
    finally:
        return u


def checks_numbers(x: Tensor) -> Any:
    done = False
    try:
        u = x * float(x.sum().asnumpy())
        done = True
    finally:
        assert done
    return u


def raises_another_error(x: Tensor) -> Any:
    try:
        return x * float(x.sum().asnumpy())
    except RuntimeError:
        return x
    except Exception as error:
        raise ValueError("no number") from error


@pytest.mark.parametrize("function", [returns_numbers, checks_numbers, raises_another_error])
def test_what_a_graph_cannot_hold_is_no_exception_of_the_program(function: Callable[[Tensor], Any]) -> None:
    x = Tensor([1.0, 2.0])
    with pytest.warns(ms.FallbackWarning, match="asnumpy"):
        found = ms.jit(function)(x)
    assert found.tolist() == function(x).tolist()
    with pytest.raises(ms.GraphError, match="asnumpy"):
        ms.jit(function, fullgraph=True)(x)


@contextlib.contextmanager
def noting(notes: list[str]) -> Iterator[None]:
    notes.append("in")
    try:
        yield
    finally:
        notes.append("out")


def halves(x: Tensor, notes: list[str]) -> Iterator[Tensor]:
    try:
        for number in range(5):
            if number == 3:
                return
            yield x * 0.5**number
    except ValueError:
        yield x
    finally:
        notes.append("end")


def test_generators_and_classes_with_finally() -> None:
    def function(x: Tensor) -> tuple[Tensor, list[str]]:
        notes: list[str] = []
        with noting(notes):
            for half in halves(x, notes):
                if half > 1:
                    x = x + half

        class Made:
            try:
                notes.append("class")
            finally:
                notes.append("made")

        return x, notes

    compiled = ms.jit(function, fullgraph=True)
    for value in (0.5, 3.0):
        assert str(compiled(Tensor(value))) == str(function(Tensor(value)))


def wrong(x: Tensor, error: type[Exception]) -> Tensor:
    """What a clause does with an error that the function itself does not know."""
    raise RuntimeError("a clause ran") from error()


CLAUSES: dict[str, tuple[str, type[Exception] | None]] = {
    "other": ("except TypeError:\n        return wrong(x, TypeError)", IndexError),
    "others": ("except (KeyError, errors.Error):\n        return wrong(x, KeyError)", IndexError),
    "same": ("except IndexError:\n        return x.sum()", None),
    "base": ("except (TypeError, LookupError):\n        return x.sum()", None),
    "several": (
        "except TypeError:\n        return wrong(x, TypeError)\n    except Exception:\n        return x.sum()",
        None,
    ),
    "all": ("except:\n        return x.sum()", None),
    "computed": ("except kinds[0]:\n        return x.sum()", None),
}


@pytest.mark.parametrize("name", CLAUSES)
def test_clauses_for_other_errors_let_run_time_indices_pass(name: str) -> None:
    """An error of a run that no clause catches leaves a graph as it leaves Python; for others there is a fallback."""
    clause, error = CLAUSES[name]
    text = f"def program(x, n):\n    try:\n        y = x[int(n)]\n    {clause}\n    return y * 2\n"
    names: dict[str, Any] = {"wrong": wrong, "kinds": [IndexError], "errors": copy}
    filename = f"<clauses {name}>"
    linecache.cache[filename] = len(text), None, text.splitlines(keepends=True), filename
    exec(compile(text, filename, "exec"), names)
    x, compiled = Tensor([1.0, 2.0, 3.0]), ms.jit(names["program"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert compiled(x, Tensor(1)) == 4
        if error is None:
            assert compiled(x, Tensor(5)) == 6
        else:
            with pytest.raises(error):
                compiled(x, Tensor(5))
    assert [each.category for each in caught] == ([ms.FallbackWarning] if error is None else [])
