"""Programs that cannot be graphs: errors name the line, what was expected and found, and the fix."""

from __future__ import annotations

import linecache
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from error_checks import fails, marked_line

import mycel as ms
from mycel import Parameter, Tensor, nn, ops


@pytest.fixture(autouse=True)
def graph_mode() -> Iterator[None]:
    """Everything here is about graph mode; a fallback to eager would be a failure."""
    ms.set_context(mode=ms.GRAPH_MODE)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ms.FallbackWarning)
        yield
    ms.set_context(mode=ms.PYNATIVE_MODE)


class Forgetful(nn.Cell):
    """Does not call super().__init__()."""

    def __init__(self, value: Any = 2) -> None:
        self.factor = value  # here

    def construct(self, x: Tensor) -> Tensor:
        return x * self.factor


def test_a_missing_super_init() -> None:
    words = r"Forgetful.__init__ should call super\(\).__init__\(\)"
    for call in (
        lambda: Forgetful()(Tensor(1.0)),
        lambda: ms.grad(Forgetful())(Tensor(1.0)),
        lambda: Forgetful().trainable_params(),
        lambda: nn.SequentialCell(Forgetful()),
    ):
        with pytest.raises(AttributeError, match=words):
            call()
    for value in (Parameter(Tensor(1.0)), nn.ReLU()):
        what = "Parameter" if isinstance(value, Parameter) else "Cell"
        words_then = rf"{words} before it assigns the {what} 'factor'"
        fails(lambda value=value: Forgetful(value), AttributeError, words_then, at=Forgetful)  # type: ignore[misc]


def test_a_missing_construct() -> None:
    class Net(nn.Cell):
        pass

    with pytest.raises(AttributeError, match="Net should define the method 'construct'"):
        Net()(Tensor(1.0))


@pytest.mark.parametrize(
    ("value", "words"),
    [(3, "but got int"), (nn.ReLU, "but got the class ReLU: use jit_class for classes")],
)
def test_what_cannot_be_compiled(value: Any, words: str) -> None:
    with pytest.raises(TypeError, match=words):
        ms.jit(value)


def lost(*lines: str) -> dict[str, Any]:
    """The names of a text that nothing holds after it has run."""
    names: dict[str, Any] = {"ms": ms, "nn": nn}
    exec(compile("\n".join(lines), "<from a string>", "exec"), names)
    return names


LOST = (
    "@ms.jit",
    "def f(x):",
    "    return x + 1",
    "class Net(nn.Cell):",
    "    def construct(self, x):",
    "        return x - 1",
)


def test_a_source_that_cannot_be_found() -> None:
    names = lost(*LOST)
    words = r"no source text for function '{}' \(<from a string>, line {}\)"
    ms.set_context(mode=ms.GRAPH_MODE)
    try:
        with pytest.warns(ms.FallbackWarning, match=words.format("f", 1)):
            assert names["f"](Tensor(1.0)).asnumpy() == 2.0
        with pytest.warns(ms.FallbackWarning, match=words.format("construct", 5)):
            assert names["Net"]()(Tensor(1.0)).asnumpy() == 0.0
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    with pytest.raises(ms.GraphError, match=words.format("f", 1)):
        ms.jit(names["f"].function, fullgraph=True)(Tensor(1.0))
    text = "\n".join(LOST)
    linecache.cache["<from a string>"] = (len(text), None, text.splitlines(keepends=True), "<from a string>")
    try:
        assert ms.jit(names["f"].function, fullgraph=True)(Tensor(1.0)).asnumpy() == 2.0
    finally:
        del linecache.cache["<from a string>"]


def test_a_function_without_source_may_be_called_and_is_watched() -> None:
    names: dict[str, Any] = {"k": 2.0}
    exec("def scale(x):\n    return x * k", names)
    scale = names["scale"]

    @ms.jit
    def f(x: Tensor) -> Tensor:
        return scale(x)

    assert f(Tensor(3.0)).asnumpy() == 6.0
    names["k"] = 5.0
    assert f(Tensor(3.0)).asnumpy() == 15.0
    assert ms.grad(scale)(Tensor(3.0)).asnumpy() == 5.0


def test_branches_of_different_dtypes() -> None:
    state = Parameter(Tensor(0.0), name="state")

    @ms.jit
    def f(x: Tensor) -> Tensor:
        ops.assign(state, x.sum())
        if x.sum() > 0:  # here
            y = x.astype(ms.int32)
        else:
            y = x
        return y

    words = r"'y' is a Tensor\[Int32\] of shape \(2,\) in the true branch .* a Tensor\[Float32\]"
    fails(lambda: f(ops.ones(2)), TypeError, words, at=f, parameters=[state], compiled=[f])


def test_branches_of_different_kinds() -> None:
    @ms.jit
    def f(x: Tensor) -> Any:
        if x.sum() > 0:  # here
            return x, x
        return x

    words = "a tuple of 2 items in the true branch .* a Tensor"
    fails(lambda: f(ops.ones(2)), TypeError, words, at=f, compiled=[f])


def test_branches_of_different_shapes() -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            y = x
        else:
            y = x.reshape((2, 1))
        return y

    words = r"test_bad_programs.py:\d+: 'f' cannot be compiled .*: Cannot join 'y': .* shape \(2,\) .* shape \(2, 1\)"
    with pytest.raises(ms.GraphError, match=words):
        f(ops.ones(2))
    assert f.explain().traces == ()


def test_a_name_that_only_one_branch_binds() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            y = x
        return y  # here

    words = "The local variable 'y' is not defined in false branch"
    fails(lambda: f(ops.ones(2)), UnboundLocalError, words, at=f, marked="y", compiled=[f])


def test_a_name_that_one_branch_binds_and_a_further_one_reads() -> None:
    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            y = x * 2
        z = x + 1
        if x.sum() > 0:
            z = z + y
        return z

    words = "'f' runs eagerly, without a graph: The local variable 'y' is not defined in false branch"
    compiled = ms.jit(f)
    with pytest.warns(ms.FallbackWarning, match=words):
        assert float(compiled(ops.ones(1))) == 4.0
    assert float(compiled(-ops.ones(1))) == 0.0
    with pytest.raises(UnboundLocalError, match="The local variable 'y' is not defined in false branch"):
        ms.jit(f, fullgraph=True)(ops.ones(1))


def test_unbound_names_that_only_the_run_reads() -> None:
    """By an inner function, after a break, and in an iteration after the one that binds it."""

    def inner(x: Tensor) -> Tensor:
        def double() -> Tensor:
            return y * 2

        if x.sum() > 0:
            y = x
        return double() if x.sum() > 0 else x

    def broken(x: Tensor) -> Tensor:
        for i in range(3):
            if x[0] < i:
                y = x * i
                break
        if x[0] < 2:
            return y
        return x

    def later(x: Tensor) -> Tensor:
        i, total = 0, x.sum()
        while total < 20:
            if i == 0:
                y = x
            x = x + y
            total += 8
            i += 1
        return x

    for f in (inner, broken, later):
        compiled = ms.jit(f)
        with pytest.warns(
            ms.FallbackWarning, match=f"'{f.__name__}' runs eagerly, without a graph: .* 'y' .*only the run"
        ):
            assert compiled(ops.ones(2)).tolist() == f(ops.ones(2)).tolist()
        assert compiled(-ops.ones(2)).tolist() == f(-ops.ones(2)).tolist()


def test_an_unbound_name_that_an_inner_function_reads_inside_of_a_try_statement() -> None:
    def f(x: Tensor) -> Tensor:
        def double() -> Tensor:
            return y * 2

        try:
            if x.sum() > 0:
                y = x
            return double()
        except NameError:
            return x * 7

    compiled = ms.jit(f)
    with pytest.warns(ms.FallbackWarning, match="inside of a try or with statement"):
        assert compiled(ops.ones(1)).tolist() == [2]
    assert compiled(-ops.ones(1)).tolist() == [-7]


def test_a_condition_of_several_elements() -> None:
    @ms.jit
    def f(x: Tensor) -> Tensor:
        if x > 0:  # here
            return x
        return -x

    words = r"only one element can be converted to bool, but the condition of an if or while has shape \(2,\)"
    fails(lambda: f(ops.ones(2)), ValueError, words, at=f, compiled=[f])


def side_effects() -> list[Any]:
    """Functions that change something outside in a branch on a tensor, and the changed objects."""
    log: list[Any] = []
    table: dict[str, Any] = {}

    def append(x: Tensor) -> Tensor:
        if x.sum() > 0:
            log.append("positive")
        return x

    def store(x: Tensor) -> Tensor:
        if x.sum() > 0:
            table["sign"] = "positive"
        return x

    class Holder:
        text = "none"

    holder = Holder()

    def write(x: Tensor) -> Tensor:
        if x.sum() > 0:
            holder.text = "positive"
        return x

    return [
        pytest.param(append, lambda: log == [], lambda: log == ["positive"], id="append"),
        pytest.param(store, lambda: table == {}, lambda: table == {"sign": "positive"}, id="item"),
        pytest.param(write, lambda: holder.text == "none", lambda: holder.text == "positive", id="attribute"),
    ]


@pytest.mark.parametrize(("function", "untouched", "changed"), side_effects())
def test_a_side_effect_in_a_branch(function: Any, untouched: Any, changed: Any) -> None:
    strict = ms.jit(function, fullgraph=True)
    with pytest.raises(ms.GraphError, match=rf"test_bad_programs.py:\d+: '{function.__name__}' cannot be compiled"):
        strict(ops.ones(2))
    assert strict.explain().traces == ()
    assert untouched()
    loose = ms.jit(function)
    with pytest.warns(ms.FallbackWarning, match="runs eagerly"):
        loose(-ops.ones(2))
    assert untouched()
    loose(ops.ones(2))
    assert changed()


def test_files_in_a_branch(tmp_path: Path) -> None:
    path = tmp_path / "written"

    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            with open(path, "w") as file:
                file.write("positive")
        return x

    with pytest.raises(ms.GraphError, match=r"open\(\) cannot be part of a graph. Call it outside"):
        ms.jit(f, fullgraph=True)(ops.ones(2))
    with pytest.warns(ms.FallbackWarning, match=r"open\(\) cannot be part of a graph"):
        ms.jit(f)(-ops.ones(2))
    assert not path.exists()


def test_print_in_a_branch_is_part_of_the_graph(capfd: pytest.CaptureFixture[str]) -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Tensor:
        if x.sum() > 0:
            print("positive")
        return x

    f(ops.ones(2))
    f(-ops.ones(2))
    f(ops.ones(2))
    assert capfd.readouterr().out == "positive\npositive\n"


def test_numbers_that_a_graph_does_not_have() -> None:
    @ms.jit(fullgraph=True)
    def f(x: Tensor) -> Any:
        y = x * 2
        return y.asnumpy().sum()  # here

    words = rf"test_bad_programs.py:{marked_line(f)}: 'f' cannot be compiled .*: asnumpy\(\) of a traced tensor needs"
    with pytest.raises(ms.GraphError, match=words):
        f(ops.ones(2))
