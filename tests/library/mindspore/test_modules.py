"""Module names: mycel's own, and mycel under MindSpore's names."""

from __future__ import annotations

import importlib
import subprocess
import sys
from typing import Any

import pytest

import mycel as ms
from mycel.library.mindspore import modules

MISSING = "nothing"


@pytest.fixture
def as_mindspore(as_without_mindspore: None) -> Any:
    """`import mindspore` means mycel during a test."""
    ms.install_as_mindspore()
    return importlib.import_module("mindspore")


def test_every_module_can_be_imported(as_mindspore: Any) -> None:
    for path in modules.MODULES:
        module = importlib.import_module(f"mindspore.{path}")
        assert module.__name__ == f"mindspore.{path}"
        assert any(not name.startswith("__") for name in dir(module))
        own = importlib.import_module(f"mycel.{path}")
        assert own.__name__ in (f"mycel.{path}", f"mindspore.{path}")


def test_both_names_give_the_same_objects(as_mindspore: Any) -> None:
    assert as_mindspore.Tensor is ms.Tensor
    for path, names in {
        "nn": ["Cell", "Dense", "Adam"],
        "nn.optim": ["Adam", "SGD"],
        "nn.wrap.cell_wrapper": ["TrainOneStepCell"],
        "ops": ["add", "GradOperation"],
        "ops.operations": ["ReLU", "MatMul"],
        "ops.functional": ["relu", "grad"],
        "ops.composite": ["HyperMap", "MultitypeFuncGraph", "GradOperation", "clip_by_global_norm"],
        "common": ["Tensor", "Parameter", "set_seed"],
        "common.tensor": ["Tensor"],
        "common.parameter": ["Parameter", "ParameterTuple"],
        "common.dtype": ["float32", "int32"],
        "common.initializer": ["Normal", "initializer"],
        "common.api": ["jit"],
        "context": ["set_context", "GRAPH_MODE"],
        "amp": ["StaticLossScaler", "all_finite"],
        "train": ["Model", "LossMonitor"],
        "train.callback": ["LossMonitor", "ModelCheckpoint"],
        "train.serialization": ["save_checkpoint", "load_checkpoint"],
        "train.loss_scale_manager": ["FixedLossScaleManager", "DynamicLossScaleManager"],
        "parallel._utils": ["_get_device_num", "_get_parallel_mode", "_get_gradients_mean"],
        "communication": ["init", "get_rank"],
    }.items():
        module = importlib.import_module(f"mindspore.{path}")
        own = importlib.import_module(f"mycel.{path}")
        for name in names:
            assert getattr(module, name) is getattr(own, name)


def test_dtype_is_a_module(as_mindspore: Any) -> None:
    from mindspore import dtype as mstype  # type: ignore[import-not-found]

    assert mstype.float32 is ms.float32


def test_names_that_are_not_there(as_mindspore: Any) -> None:
    with pytest.raises(ModuleNotFoundError, match=r"mycel has no module 'mindspore.nothing'"):
        importlib.import_module("mindspore.nothing")
    with pytest.raises(AttributeError, match=r"'mindspore.ops' has no 'nothing' in mycel"):
        getattr(importlib.import_module("mindspore.ops"), MISSING)
    with pytest.raises(AttributeError, match="mycel has no 'nothing'"):
        getattr(ms, MISSING)
    assert not hasattr(importlib.import_module("mindspore.nn"), "Nothing")


def test_a_module_that_the_program_removed_still_has_its_error(as_mindspore: Any) -> None:
    removed = importlib.import_module("mindspore.ops.operations")
    del sys.modules["mindspore.ops.operations"]
    with pytest.raises(AttributeError, match=r"^'mindspore\.ops\.operations' has no 'Conv2DD' in mycel"):
        _ = removed.Conv2DD


def test_names_of_mycel_that_are_not_there() -> None:
    for module in (ms, ms.nn, ms.ops):
        with pytest.raises(AttributeError, match=r"has no 'nothing'( in mycel)?$"):
            getattr(module, MISSING)
    with pytest.raises(ModuleNotFoundError, match=r"mycel\.nothing"):
        importlib.import_module("mycel.nothing")


@pytest.mark.parametrize("name", ["ops", "experimental.optim", "ops.operations"])
def test_tools_of_docstrings_are_no_names(name: str, as_mindspore: Any) -> None:
    for package in ("mycel", "mindspore"):
        module = importlib.import_module(f"{package}.{name}")
        assert [tool for tool in ("sections", "like", "Shared", "LazyNames") if hasattr(module, tool)] == []


def test_installing_twice_is_installing_once(as_mindspore: Any) -> None:
    before = list(sys.meta_path)
    ms.install_as_mindspore()
    assert sys.meta_path == before


def test_the_real_mindspore_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mindspore", sys)
    with pytest.raises(RuntimeError, match="the real mindspore is imported already"):
        ms.install_as_mindspore()


def test_importing_mycel_loads_nothing_heavy() -> None:
    """Neither others' packages nor the larger parts of mycel that many programs do without."""
    heavy = {"sklearn", "scipy", "matplotlib", "torch", "mindspore", "mycel.library.ops.primitives"}
    heavy |= {
        f"mycel.frontend.{name}" for name in ("dataset", "experimental", "mindrecord", "nn.probability", "reports")
    }
    code = f"import sys, mycel; print(sorted({heavy!r} & set(sys.modules)))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert result.stdout == "[]\n"


def test_everything_of_a_module_is_imported_with_a_star(as_mindspore: Any) -> None:
    names: dict[str, Any] = {}
    exec("from mindspore.ops.operations import *\nfrom mindspore.common.dtype import *", names)
    assert names["MatMul"] is ms.ops.MatMul
    assert names["float32"] is ms.float32
    assert "importlib" not in names


def test_cells_compile_and_run_through_the_executor(as_mindspore: Any) -> None:
    from mindspore.common.api import _cell_graph_executor, _pynative_executor  # type: ignore[import-not-found]

    net = ms.nn.ReLU()
    phase, compiled = _cell_graph_executor.compile(net, ms.Tensor([-1.0, 2.0]))
    assert phase.startswith("predict")
    assert compiled
    assert not _cell_graph_executor.compile(net, ms.Tensor([-3.0, 2.0]))[1]
    assert _cell_graph_executor(net, ms.Tensor([-1.0, 2.0])).asnumpy().tolist() == [0.0, 2.0]
    _pynative_executor.sync()
    with pytest.raises(TypeError, match="a Cell or a function decorated with jit"):
        _cell_graph_executor.compile(3)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda v: v.check_positive_int(0, "axis", "Pick"),
            ValueError,
            "'axis' must be int and must > 0",
        ),
        (
            lambda v: v.check_positive_int(1.5, "axis", "Pick"),
            TypeError,
            "For 'Pick', the 'axis' must be int",
        ),
        (lambda v: v.check_int_range(5, 0, 3, v.INC_LEFT, "n", "Pick"), ValueError, r"in range of \[0, 3\), but got 5"),
        (lambda v: v.check_value_type("n", True, [int], "Pick"), TypeError, "should be 'int', but got type 'bool'"),
        (lambda v: v.check_string("a", ["b"], "mode", "Pick"), ValueError, "must be str and must be in"),
        (lambda v: v.check_bool(1, "flag", "Pick"), TypeError, "'flag' must be a bool, but got int"),
        (lambda v: v.check("a", 3, "b", 4, v.EQ, "Pick"), ValueError, "'a' should be = b: 4, but got 3"),
        (lambda v: v.check_axis_in_range(5, 2), ValueError, r"range of \[-2, 2\), but got 5"),
        (
            lambda v: v.check_subclass("x", ms.float32, [ms.int32], "Pick"),
            TypeError,
            "must be Int32, but got Float32",
        ),
    ],
)
def test_checks_of_arguments(as_mindspore: Any, call: Any, error: type[Exception], message: str) -> None:
    from mindspore import _checkparam as checks

    with pytest.raises(error, match=message):
        call(checks)
    assert checks.check_value_type("n", 3, [int, float], "Pick") == 3
    assert checks.check_float_range(0.5, 0, 1, checks.INC_BOTH, "rate", "Pick") == 0.5
    assert checks.check_axis_in_range(-1, 3) == 2


def test_functions_of_numbers_and_containers(as_mindspore: Any) -> None:
    from mindspore.ops import functional as functions
    from mindspore.ops.operations import _scalar_ops, _sequence_ops

    @ms.jit
    def run(x: Any) -> Any:
        items = functions.tuple_setitem(functions.make_tuple(x, x * 2), 0, x * 5)
        return functions.tuple_getitem(items, 0) + _scalar_ops.ScalarAdd()(1, 2) + _sequence_ops.SequenceMax()((1, 4))

    assert run(ms.Tensor(1.0)) == 12.0


def test_values_of_other_kinds(as_mindspore: Any) -> None:
    import mindspore

    assert mindspore.frombuffer(b"\1\2\3\4", mindspore.int8, count=2, offset=1).tolist() == [2, 3]
    for buffer in ("text", b"\1\2\3"):
        with pytest.raises(RuntimeError, match="frombuffer"):
            mindspore.frombuffer(buffer, mindspore.int16)
    assert [mindspore.is_tensor(item) for item in (mindspore.Tensor(1), 1)] == [True, False]
    found = [mindspore.get_py_obj_dtype(item) for item in (1, float, "a", None)]
    assert repr(found) == "[mindspore.int64, mindspore.float64, mindspore.string_, mindspore.type_none]"


def test_streams_and_events() -> None:
    from mycel import hal  # type: ignore[attr-defined]

    start, end = hal.Event(enable_timing=True), hal.Event(enable_timing=True)
    with hal.StreamCtx(hal.current_stream()):
        start.record()
        end.record()
    hal.synchronize()
    assert start.elapsed_time(end) >= 0
    assert hal.device_count("CPU") == 1
    assert not hal.is_available("GPU")
    with pytest.raises(RuntimeError, match="enable_timing"):
        hal.Event().elapsed_time(end)


def test_switches_of_the_compiler_are_accepted() -> None:
    class Block(ms.nn.Cell):
        @ms.lazy_inline
        def __init__(self) -> None:
            super().__init__()
            self.scale = 3

        def construct(self, x: Any) -> Any:
            return x * self.scale

    assert ms.jit(Block())(ms.Tensor(2.0)) == 6.0
    with pytest.raises(TypeError, match="at least have one None"):
        ms.enable_dynamic(x=ms.Tensor([1.0]))
    with pytest.raises(ValueError, match="'y' is no argument"):
        ms.enable_dynamic(y=ms.Tensor(shape=[None], dtype=ms.float32))(lambda x: x)
    with pytest.raises(ValueError, match="'max' value must be greater than or equal"):
        ms.Symbol(max=2, min=3)


def test_an_attribute_of_the_package_is_the_module_that_import_gives() -> None:
    program = """
from mycel import dtype, mint, nn, ops
import mycel
import sys
from mycel.runtime import calibration  # a module of the layer asks for no name of `mindspore.runtime`
assert not [name for name in sys.modules if name.startswith("mycel.library.distributed")]
before = {path: getattr(mycel, path) for path in mycel.library.mindspore.module_names.MODULES if "." not in path}
import importlib
for path, module in before.items():
    if path != "runtime":  # a layer of the package, too
        assert importlib.import_module(f"mycel.{path}") is module is getattr(mycel, path), path
assert (ops, nn, dtype, mint) == (mycel.ops, mycel.nn, mycel.dtype, mycel.mint)
ops.CustomRegOp, ops.make_tuple, ops.switch, ops.DataType, nn.Jvp, dtype.string
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_dir_has_the_names_that_are_loaded_late() -> None:
    program = "import mycel; print(*dir(mycel)); print(*(name for name in dir(mycel) if not hasattr(mycel, name)))"
    shown, dead = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout.splitlines()
    late = {"load", "export", "run_check", "shard", "ParallelMode", "Model", "Profiler", "vmap", "amp", "numpy", "bool"}
    assert late <= set(shown.split())
    assert not dead


def test_the_package_has_no_names_of_its_insides() -> None:
    assert not [name for name in ("TensorType", "np", "OPS", "ExportedGraph", "map_rows") if hasattr(ms, name)]
    for module in (ms.ops, ms.nn, ms.mint, ms.dataset, ms.amp):
        assert not [name for name in dir(module) if not hasattr(module, name)]
