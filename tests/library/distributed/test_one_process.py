"""MindSpore's names for several processes and devices, in one process: their results and errors."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

import mycel as ms
from mycel import Tensor, nn
from mycel.frontend.state import CONTEXT


def test_a_network_under_auto_parallel_is_the_network() -> None:
    net = nn.Dense(2, 1)
    whole = ms.parallel.auto_parallel.AutoParallel(net, parallel_mode="semi_auto")
    whole.dataset_strategy("full_batch")
    whole.pipeline(stages=1)
    assert ms.get_auto_parallel_context("dataset_strategy") == "full_batch"
    ms.reset_auto_parallel_context()
    assert whole.options == {"dataset_strategy": ("full_batch",), "pipeline": (("stages", 1),)}
    assert whole.get_pipeline_stages() == 1
    x = Tensor([[1.0, 2.0]])
    assert whole(x).asnumpy().tolist() == net(x).asnumpy().tolist()
    assert [parameter.name for parameter in whole.trainable_params()] == ["weight", "bias"]
    gradient = ms.value_and_grad(lambda x: whole(x).sum(), None, whole.trainable_params())(x)[1]
    assert gradient[0].asnumpy().tolist() == [[1.0, 2.0]]
    with pytest.raises(ValueError, match="'other'"):
        ms.parallel.auto_parallel.AutoParallel(net, "other")
    with pytest.raises(TypeError, match="int"):
        ms.parallel.auto_parallel.AutoParallel(3)


def test_options_are_set_all_or_none() -> None:
    with pytest.raises(ValueError, match="'device_num' is 9"):
        ms.set_auto_parallel_context(parallel_mode="data_parallel", device_num=9)
    assert ms.get_auto_parallel_context("parallel_mode") == "stand_alone"


def test_options_that_libraries_ask_for() -> None:
    assert ms.get_auto_parallel_context("pipeline_scheduler") == "1f1b"
    assert ms.get_auto_parallel_context("init_param_in_compile") is True
    assert ms.get_auto_parallel_context("full_batch_is_set") is False
    try:
        ms.set_auto_parallel_context(pipeline_config={"pipeline_interleave": True}, full_batch=False)
        assert ms.get_auto_parallel_context("pipeline_interleave") is True
        assert ms.get_auto_parallel_context("pipeline_scheduler") == "1f1b"
        assert ms.get_auto_parallel_context("full_batch_is_set") is True
        with pytest.raises(ValueError, match="no option 'pipeline_scheduler'"):
            ms.set_auto_parallel_context(pipeline_scheduler="gpipe")
    finally:
        ms.reset_auto_parallel_context()
    assert ms.get_auto_parallel_context("full_batch_is_set") is False


def test_parameter_servers() -> None:
    ms.set_ps_context(enable_ps=False)
    assert ms.get_ps_context("enable_ps") is False
    with pytest.raises(NotImplementedError, match="one process"):
        ms.set_ps_context(enable_ps=True)
    for call in (lambda: ms.set_ps_context(other=1), lambda: ms.get_ps_context("other")):
        with pytest.raises(ValueError, match="other"):
            call()
    ms.set_ps_context(config_file_path="x")
    ms.reset_ps_context()
    assert ms.get_ps_context("config_file_path") == ""


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("load_distributed_checkpoint", 1), ("merge_pipeline_strategys", 2), ("build_searched_strategy", 1),
        ("merge_sliced_parameter", 1), ("transform_checkpoints", 2), ("unified_safetensors", 3),
    ],
)  # fmt: skip
def test_checkpoints_in_parts_are_refused(name: str, count: int) -> None:
    with pytest.raises(NotImplementedError, match=f"{name}.*load_checkpoint"):
        getattr(ms, name)(*["x"] * count)


def test_memory_is_limited() -> None:
    before = dict(CONTEXT.settings)
    try:
        ms.runtime.set_memory(init_size="1GB")
        assert CONTEXT.settings == before
        ms.runtime.set_memory(max_size="1KB")
        with pytest.raises(ms.MemoryLimitError):
            ms.jit(lambda x: (x @ x).sum())(ms.ops.ones((64, 64), ms.float32))
        with pytest.raises(ValueError, match="much"):
            ms.runtime.set_memory(max_size="much")
        with pytest.raises(ValueError, match="O9"):
            ms.runtime.set_memory(optimize_level="O9")
    finally:
        CONTEXT.settings.clear()
        CONTEXT.settings.update(before)
    ms.runtime.launch_blocking()
    ms.runtime.synchronize()
    with pytest.raises(AttributeError, match="nothing"):
        _ = ms.runtime.nothing
    ms.runtime.set_cpu_affinity(False)


def test_names_of_modules() -> None:
    cells = importlib.import_module("mycel.parallel.nn")
    assert cells.Pipeline is nn.PipelineCell
    assert cells.GradAccumulation is nn.GradAccumulationCell
    shard: Any = importlib.import_module("mycel.parallel.shard")
    assert shard.Layout is ms.parallel.Layout
    assert shard.shard(len) is shard(len) is len  # the module stands for the function of its name
    with pytest.raises(TypeError, match="cannot be called"):
        importlib.import_module("mycel.profiler")()


def test_the_installation_is_checked(capsys: pytest.CaptureFixture[str]) -> None:
    ms.run_check()
    assert "is correct" in capsys.readouterr().out
