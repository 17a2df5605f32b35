"""Names of MindSpore's internal modules that programs use, against results of MindSpore 2.10."""

from __future__ import annotations

import importlib
import os
import signal
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, nn, ops
from mycel.frontend.state import STATE


@pytest.fixture(autouse=True)
def _mindspore(as_without_mindspore: None) -> None:
    ms.install_as_mindspore()


def names(module: str) -> Any:
    """A module of MindSpore's."""
    return importlib.import_module(f"mindspore.{module}" if module else "mindspore")


def test_kinds_of_dtypes() -> None:
    typing = names("_c_expression.typing")
    kinds = ("Float", "Int", "UInt", "Bool", "Complex", "BFloat", "Number")
    found = {
        name: [kind for kind in kinds if isinstance(getattr(ms, name), getattr(typing, kind))]
        for name in ("float32", "int32", "uint8", "bool_", "complex64", "bfloat16")
    }
    assert found == {
        "float32": ["Float", "Number"], "int32": ["Int", "Number"], "uint8": ["UInt", "Number"],
        "bool_": ["Bool", "Number"], "complex64": ["Complex", "Number"], "bfloat16": ["BFloat", "Number"],
    }  # fmt: skip
    assert typing.Float(32) is ms.float32
    dtype = names("common.dtype")
    assert isinstance(ops.typeof(Tensor([1.0])), dtype.TensorType)
    assert repr(dtype.string) == "mindspore.string_"
    assert repr(dtype.qint4x2) == "mindspore.int4"
    with pytest.raises(TypeError):
        Tensor([1.0], dtype.float8_e4m3fn)


def test_quantised_dtypes() -> None:
    kind = names("").QuantDtype
    assert [kind.INT8.value(), kind.UINT16.value(), str(kind.INT4), len(list(kind))] == [7, 115, "INT4", 32]


def test_descriptions_of_kernels() -> None:
    data = names("ops").DataType
    assert data.F32_Default == ("float32", "DefaultFormat")
    assert data.None_Default == ("", "DefaultFormat")
    assert data.F16_5HD == ("float16", "NC1HWC0")
    assert data.I32_Default_Tuple == ("int32", "DefaultFormat", "tuple")
    assert not hasattr(data, "F32_Nothing")
    info = (
        names("ops").CustomRegOp("double").fusion_type("OPAQUE").input(0, "x").output(0, "y")
        .dtype_format(data.F32_Default, data.F32_Default).target("CPU").get_op_info()
    )  # fmt: skip
    assert (info["op_name"], info["target"], info["fusion_type"]) == ("double", "CPU", "OPAQUE")
    with pytest.raises(ValueError, match="one argument for each"):
        names("ops").CustomRegOp("double").input(0, "x").dtype_format()

    @names("ops").custom_info_register(info)
    def function(x: Any) -> Any:
        return x

    assert function.reg_info == [info]


def test_what_initializers_are_made_of() -> None:
    module = names("common.initializer")
    assert module._calculate_fan_in_and_fan_out((3, 4, 5, 5)) == (100, 75)
    assert module._calculate_correct_fan((3, 4, 2), "fan_out") == 6
    gains = [module._calculate_gain(*given) for given in (("relu",), ("leaky_relu", 0.2), ("tanh",), ("linear",))]
    np.testing.assert_allclose(gains, [1.4142135623730951, 1.3867504905630728, 5 / 3, 1])
    with pytest.raises(ValueError, match="fewer than 2 dimensions"):
        module._calculate_fan_in_and_fan_out((3,))
    with pytest.raises(ValueError, match="not supported"):
        module._calculate_correct_fan((3, 4), "x")
    array = np.zeros((2, 2))
    assert module._assignment(array, 3) is array
    assert array.tolist() == [[3, 3], [3, 3]]

    @module._register("sevens")
    class Sevens(module.Initializer):  # type: ignore[misc]
        def _initialize(self, arr: Any) -> None:
            module._assignment(arr, 7)

    try:
        assert module.initializer("sevens", [2]).asnumpy().tolist() == [7, 7]
        assert module.initializer("Sevens", [1]).asnumpy().tolist() == [7]
        assert module._INITIALIZER_ALIAS["sevens"] is Sevens
    finally:
        del module._INITIALIZER_ALIAS["sevens"]


def test_the_state_of_random_numbers() -> None:
    top = names("")
    state = top.get_rng_state()
    first = ops.rand(3).asnumpy()
    second = ops.rand(3).asnumpy()
    top.set_rng_state(state)
    assert ops.rand(3).asnumpy().tolist() == first.tolist() != second.tolist()
    top.default_generator.manual_seed(11)
    assert top.initial_seed() == 11
    generator = top.Generator()
    assert generator.manual_seed(5).initial_seed() == 5
    again = top.Generator()
    again.set_state(generator.get_state())
    assert again.initial_seed() == 5
    with pytest.raises(TypeError, match="tensor that get_rng_state"):
        top.set_rng_state(3)
    with pytest.raises(ValueError, match="tensor that get_rng_state"):
        top.set_rng_state(Tensor([1.0]))


def test_devices() -> None:
    context = names("device_context")
    assert (context.cpu.device_count(), context.cpu.is_available(), context.gpu.is_available()) == (1, True, False)
    with pytest.raises(RuntimeError, match="not exist"):
        context.ascend.device_count()
    assert context.ascend.op_precision.precision_mode("force_fp16") is None
    runtime = names("runtime")
    assert (runtime.memory_allocated(), runtime.max_memory_reserved()) == (0, 0)
    assert runtime.memory_stats()["total_reserved_memory"] == 0
    assert "Memory summary" in runtime.memory_summary()
    assert names("").get_current_device() == ("CPU", 0)
    assert names("hal").get_arch_list() is None
    settings = names("_c_expression").MSContext.get_instance()
    assert settings.get_ascend_soc_version() == ""
    assert not settings.ascend_soc_supports_feature("FP8")
    assert not settings.is_ascend_plugin_loaded()
    assert settings.is_pkg_support_device("CPU")
    assert not settings.is_pkg_support_device("Ascend")
    with pytest.raises(ValueError, match="positive"):
        runtime.dispatch_threads_num(0)


def test_recurrent_cells_are_derived_from() -> None:
    module = names("nn.layer.rnn_cells")

    class LSTMStep(module.RNNCellBase):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(3, 2, True, num_chunks=4)

        def construct(self, x: Any, state: Any) -> Any:
            return module._lstm_cell(x, state, self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh)

    class GRUStep(module.RNNCellBase):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(3, 2, False, num_chunks=3)

        def construct(self, x: Any, h: Any) -> Any:
            return module._gru_cell(x, h, self.weight_ih, self.weight_hh, None, None)

    x, h = ops.ones((2, 3)), ops.ones((2, 2)) * 0.5
    mine, theirs = LSTMStep(), nn.LSTMCell(3, 2)
    for parameter, other in zip(mine.get_parameters(), theirs.get_parameters(), strict=True):
        parameter.set_data(other)
    for one, two in zip(mine(x, (h, h)), theirs(x, (h, h)), strict=True):
        np.testing.assert_allclose(one.asnumpy(), two.asnumpy(), rtol=1e-6)
    step, gru = GRUStep(), nn.GRUCell(3, 2, has_bias=False)
    assert step.weight_ih.shape == (6, 3)
    for parameter, other in zip(step.get_parameters(), gru.get_parameters(), strict=True):
        parameter.set_data(other)
    np.testing.assert_allclose(step(x, h).asnumpy(), gru(x, h).asnumpy(), rtol=1e-6)


def test_losses_wrappers_and_overflow() -> None:
    class Squares(names("nn.loss.loss")._Loss):  # type: ignore[misc]
        def construct(self, logits: Any, labels: Any) -> Any:
            return self.get_loss(ops.square(logits - labels))

    assert Squares("sum")(Tensor([1.0, 2.0]), Tensor([0.0, 0.0])).item() == 5
    wrappers = names("nn.wrap.cell_wrapper")
    parts = wrappers._MicroBatch(2)
    assert parts(1, Tensor([[1.0], [2.0]]))[0].asnumpy().tolist() == [[2.0]]
    assert wrappers._VirtualDatasetCell(nn.ReLU())(Tensor([-1.0])).item() == 0
    overflow = names("nn.wrap.loss_scale")._grad_overflow
    assert [overflow(Tensor(values)).item() for values in ([1.0, 2.0], [1.0, float("inf")])] == [0, 1]
    assert names("nn.layer.activation")._activation["relu"] is nn.ReLU


def test_levels_of_mixed_precision() -> None:
    amp = names("train.amp")
    assert amp._config_level["O2"]["cast_model_type"] is ms.float16
    assert amp._config_level["O3"]["keep_batchnorm_fp32"] is False
    net = amp._add_loss_network(nn.Dense(2, 1).to_float(ms.float16), nn.MSELoss(), ms.float16)
    assert net(ops.ones((3, 2)), ops.ones((3, 1))).dtype is ms.float32


def test_checks() -> None:
    checks = names("_checkparam")
    assert (checks.twice(3), checks.twice((1, 2)), checks.triple(1)) == ((3, 3), (1, 2), (1, 1, 1))
    for bad in ((1,), 1.0, True):
        with pytest.raises(TypeError):
            checks.twice(bad)

    @checks.args_type_check(count=int, name=str)
    def function(count: Any, name: Any = None) -> Any:
        return count, name

    assert function(3) == (3, None)
    with pytest.raises(TypeError, match="The parameter 'name' must be"):
        function(3, name=4)
    assert checks.is_stub_tensor(Tensor(1.0)) is False
    with pytest.raises(TypeError, match="`x`'s type should be one of"):
        names("train._utils").check_value_type("x", True, int)


def test_gradients_summed_over_steps() -> None:
    boost = names("boost.grad_accumulation")
    net = nn.Dense(1, 1, weight_init="ones", has_bias=False)

    class Mine(boost.GradientAccumulation):  # type: ignore[misc]
        def construct(self, loss: Any, grads: Any) -> Any:
            return super().construct(loss, grads)

    accumulate = Mine(2, nn.SGD(net.trainable_params(), 0.5))
    weights = []
    for value in (1.0, 3.0, 5.0, 7.0):
        accumulate(Tensor(0.0), (Tensor([[value]]),))
        weights.append(net.weight.asnumpy().item())
    assert weights == [1, 0, 0, -3]
    assert {"gradient_accumulation_op", "gradient_clear_op"} <= set(dir(names("boost")))


def test_functions_with_gradients_of_their_own() -> None:
    class Scaled(names("")._Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any, factor: Any) -> Any:
            ctx.save_for_backward(x)
            ctx.factor = factor
            return x * factor

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            (x,) = ctx.saved_tensors
            return 100 * ctx.factor * x * gradient, None

    x = Tensor([1.0, 2.0])
    assert Scaled.apply(x, 3).asnumpy().tolist() == [3, 6]
    for function in (ms.grad(lambda x: Scaled.apply(x, 3)), ms.jit(ms.grad(lambda x: Scaled.apply(x, 3)))):
        assert function(x).asnumpy().tolist() == [300, 600]


def test_blocks_without_gradients() -> None:
    no_grad = names("common.api")._no_grad

    def function(x: Any) -> Any:
        with no_grad():
            y = x * x
        return (x * y).sum()

    @no_grad()
    def square(x: Any) -> Any:
        return x * x

    @no_grad()
    def power(x: Any, count: int) -> Any:
        return x if count == 0 else power(x, count - 1) * x

    def recursive(x: Any) -> Any:
        return (power(x, 3) * x).sum()

    def branching(x: Any) -> Any:
        with no_grad():
            if x.sum() > 0:
                y = x * x
            else:
                y = -x
            for _ in range(20):
                y = y * 1.0
            kept = x  # the tensor itself, which keeps its gradient
        return (kept * y * square(x).sum()).sum()

    def several(x: Any) -> Any:
        with no_grad():
            top, places = ops.topk(x * 2, 1)
            with no_grad():
                low = x.min()
            rest = x[places] + low
        return (x * (top + rest)).sum()

    x = Tensor([3.0, 2.0])
    for tried, expected in (
        (function, [9.0, 4.0]),
        (recursive, [81.0, 16.0]),
        (branching, [117.0, 52.0]),
        (several, [11.0, 11.0]),
    ):
        for gradient in (ms.grad(tried), ms.jit(ms.grad(tried), fullgraph=True)):
            assert gradient(x).asnumpy().tolist() == expected
    ms.set_context(mode=ms.PYNATIVE_MODE)
    try:
        assert ms.grad(function)(x).asnumpy().tolist() == [9.0, 4.0]
        assert ms.grad(recursive)(x).asnumpy().tolist() == [81.0, 16.0]
    finally:
        ms.set_context(mode=ms.GRAPH_MODE)


def test_a_function_without_gradients_may_call_itself() -> None:
    @names("common.api")._no_grad()
    def count(number: int) -> int:
        assert STATE.tape is None
        return number if number == 0 else count(number - 1)

    before, tape = STATE.tape, object()
    STATE.set_tape(tape)
    try:
        assert count(3) == 0
        assert STATE.tape is tape
    finally:
        STATE.set_tape(before)


def test_products_with_jacobians_as_cells() -> None:
    module = names("nn.grad.cell_grad")
    x, v = Tensor([1.0, 2.0]), Tensor([1.0, 1.0])
    for kind in (module.Jvp, module.Vjp):
        output, product = kind(lambda x: x**3)(x, v)
        assert output.asnumpy().tolist() == [1, 8]
        assert product.asnumpy().tolist() == [3, 12]


def test_operations_of_internal_modules() -> None:
    inner = names("ops.operations._inner_ops")
    assert inner.ConvertToDynamic()(Tensor([1.0])).item() == 1
    assert inner.ConcatOffset(2, 0)((ops.ones((2, 3)), ops.ones((1, 3)))) == ((0, 0), (2, 0))
    morph = names("ops.operations").Morph(lambda x: x * 2, lambda s: s, lambda d: d)
    assert ms.jit(lambda x: morph(x))(Tensor([2.0])).item() == 4
    made = names("ops.auto_generate.pyboost_inner_prim")
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3) / 3)
    indices, values = made.argmax_with_value_impl(x, 1, False)
    assert indices.asnumpy().tolist() == [2, 2]
    np.testing.assert_allclose(values.asnumpy(), [2 / 3, 5 / 3], rtol=1e-6)
    loss, total = made.nllloss_impl(x, Tensor([0, 2], ms.int32), Tensor([1.0, 1.0, 1.0]), "mean", -100)
    np.testing.assert_allclose([loss.item(), total.item()], [-0.8333333, 2], rtol=1e-6)
    assert made.concat_impl((x, x), 0).shape == (4, 3)


def test_boxes_of_several_classes() -> None:
    suppress = names("ops.operations.image_ops").CombinedNonMaxSuppression()
    boxes = Tensor([[[[200.0, 100.0, 150.0, 100.0]], [[220.0, 120.0, 150.0, 100.0]], [[190.0, 110.0, 150.0, 100.0]],
                     [[210.0, 112.0, 150.0, 100.0]]]])  # fmt: skip
    scores = Tensor([[[0.2, 0.7, 0.1], [0.1, 0.8, 0.1], [0.3, 0.6, 0.1], [0.05, 0.9, 0.05]]])
    found = suppress(boxes, scores, Tensor(4, ms.int32), Tensor(1, ms.int32), Tensor(0.0), Tensor(0.0))
    assert [value.asnumpy().tolist() for value in found] == [[[[1, 1, 1, 1]]], [[pytest.approx(0.9)]], [[1]], [1]]


def test_a_signal_ends_training(tmp_path: Path) -> None:
    net = nn.Dense(1, 1)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    steps = []

    class Ask(ms.train.Callback):  # type: ignore[misc, name-defined]
        def on_train_step_end(self, run_context: Any) -> None:
            steps.append(run_context.original_args().cur_step_num)
            if len(steps) == 2:
                os.kill(os.getpid(), signal.SIGTERM)

    data = ms.dataset.NumpySlicesDataset((np.ones((8, 1), np.float32), np.ones((8, 1), np.float32)), ["x", "y"])
    exit_callback = names("train.callback").OnRequestExit(file_name="net", directory=str(tmp_path))
    before = signal.getsignal(signal.SIGTERM)
    model.train(3, data.batch(1), callbacks=[Ask(), exit_callback])
    assert signal.getsignal(signal.SIGTERM) is before
    assert steps == [1, 2]
    assert (tmp_path / "net_train.ckpt").exists()


def test_parallel_questions_of_one_process() -> None:
    utils = names("parallel._utils")
    assert [utils._is_sharding_propagation(), utils._is_in_auto_parallel_mode(), utils._is_parallel_mode()] == [
        False
    ] * 3
    with pytest.raises(ValueError, match="device_number must be 1"):
        utils._device_number_check("stand_alone", 2)
    with pytest.raises(RuntimeError, match="no server of Parameters"):
        names("context").set_ps_context(enable_ps=True)
    assert names("parallel._ps_context")._is_role_worker() is False


def test_attention_with_weights_as_arguments() -> None:
    attend = names("ops.function.nn_func").multi_head_attention_forward
    random = np.random.RandomState(1)

    def drawn(*shape: int) -> Tensor:
        return Tensor(random.randn(*shape).astype(np.float32) * 0.5)

    q, k, v = drawn(3, 2, 4), drawn(5, 2, 4), drawn(5, 2, 4)
    rest = (4, 2, drawn(12, 4), drawn(12), None, None, False, 0.0, drawn(4, 4), drawn(4))
    result, weights = attend(q, k, v, *rest)
    np.testing.assert_allclose(result.asnumpy().ravel()[:4], [-0.6101, 0.0915, -0.0584, 0.5844], atol=1e-4)
    np.testing.assert_allclose(weights.asnumpy()[0, 0], [0.1489, 0.2054, 0.1810, 0.2455, 0.2193], atol=1e-4)
    mask = Tensor(np.triu(np.ones((3, 5)), 2).astype(bool))
    result, weights = attend(q, k, v, *rest, attn_mask=mask)
    np.testing.assert_allclose(result.asnumpy().ravel()[:4], [-0.5738, 0.4031, -0.0138, 0.5712], atol=1e-4)
    np.testing.assert_allclose(weights.asnumpy()[0, 0], [0.4161, 0.5839, 0, 0, 0], atol=1e-4)
    padding = Tensor(np.array([[0, 0, 0, 0, 1], [0, 0, 0, 1, 1]], bool))
    result, weights = attend(q, k, v, *rest, key_padding_mask=padding)
    np.testing.assert_allclose(weights.asnumpy()[0, 0], [0.1894, 0.2625, 0.2327, 0.3154, 0], atol=1e-4)
    with pytest.raises(ValueError, match="`embed_dim` should be 5"):
        attend(q, k, v, 5, *rest[1:])


def test_fractional_pooling() -> None:
    x = np.array(
        [0.3220, 0.9545, 0.7879, 0.0975, 0.3698, 0.5135, 0.5740, 0.3435, 0.1895, 0.8764, 0.9581, 0.4760, 0.9014,
         0.8522, 0.3664, 0.4980, 0.9673, 0.9879, 0.6988, 0.9022, 0.9304, 0.1558, 0.0153, 0.1559, 0.9852], np.float32,
    ).reshape(1, 1, 5, 5)  # fmt: skip
    samples = Tensor(np.array([[[0.8, 0.8]]], np.float32))
    layer = nn.FractionalMaxPool2d(2, (2, 2), return_indices=True, _random_samples=samples)
    values, places = layer(Tensor(x))
    np.testing.assert_allclose(values.asnumpy().ravel(), [0.9545, 0.8764, 0.9673, 0.9852])
    assert places.asnumpy().ravel().tolist() == [1, 9, 16, 24]
    assert nn.FractionalMaxPool3d((1, 1, 1), output_ratio=0.5)(ops.ones((1, 4, 4, 4))).shape == (1, 2, 2, 2)
    with pytest.raises(ValueError, match="give one of"):
        nn.FractionalMaxPool2d(2)(Tensor(x))


def test_functions_of_images() -> None:
    util = names("dataset.vision.py_transforms_util")
    image = np.arange(24, dtype=np.uint8).reshape(2, 4, 3)
    assert util.is_numpy(image)
    assert not util.is_pil(image)
    assert util.hwc_to_chw(image).shape == (3, 2, 4)
    assert (util.horizontal_flip(image) == image[:, ::-1]).all()
    assert (util.crop(image, 0, 1, 2, 2) == image[:, 1:3]).all()


def test_switches_and_tables_of_types() -> None:
    core = names("_c_expression")
    assert core._framework_profiler_step_start() is core.disable_multi_thread() is None
    assert core.is_reboot_node() is False
    files = names("train.serialization")
    assert files.tensor_to_ms_type["Float16"] is ms.float16
    assert files.tensor_to_np_type("Int32") is np.int32
    if names("common.np_dtype").np_dtype_valid():
        assert np.dtype(names("common.np_dtype").bfloat16).itemsize == 2
    assert names("multiprocessing").get_context("spawn").get_start_method() == "spawn"
    assert nn.EmbeddingLookup.TABLE_ROW_SLICE == "table_row_slice"


def test_libraries_ask_for_the_version_of_an_installed_package() -> None:
    ms.install_as_mindspore()
    assert metadata.version("mindspore") == importlib.import_module("mindspore").__version__
    assert metadata.metadata("MindSpore")["Name"] == "mindspore"
    assert "mindspore" in metadata.packages_distributions()
    with pytest.raises(metadata.PackageNotFoundError):
        metadata.version("mindspore-of-others")


def test_parts_of_loading() -> None:
    files, given, net = names("train.serialization"), nn.Dense(2, 1).parameters_dict(), nn.Dense(2, 1)
    files._update_param(net.weight, given["weight"], True)
    assert (net.weight.asnumpy() == given["weight"].asnumpy()).all()
    with pytest.raises(RuntimeError, match="same shape"):
        files._update_param(net.weight, given["bias"], True)
    longer, missing = {f"outer.{name}": value for name, value in given.items()}, ["bias", "weight"]
    longer["outer.bias"] = ms.Parameter(ms.Tensor([5.0]), name="outer.bias")
    files._load_dismatch_prefix_params(net, longer, missing, True)
    assert missing == []
    assert net.bias.asnumpy() == 5


def test_lists_of_mixed_precision() -> None:
    amp = names("train.amp")
    net = nn.SequentialCell(nn.Dense(2, 2), nn.LayerNorm((2,)), nn.Dense(2, 2))
    x = ms.Tensor([[1.0, 2.0]])
    before = net(x)
    half = amp._auto_black_list(net, [nn.LayerNorm], ms.float16)
    assert half is net
    assert half(x).dtype is ms.float16
    np.testing.assert_allclose(half(x).asnumpy(), before.asnumpy(), rtol=0.01, atol=0.01)
    layers = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
    assert amp._auto_mixed_precision_rewrite(layers, ms.float16, white_list=[nn.Dense])(x).dtype is ms.float32
    with pytest.raises(ValueError, match="either"):
        amp._auto_mixed_precision_rewrite(layers, ms.float16)
    assert [level.value for level in names("_c_expression.amp").AmpLevel] == [0, 1, 2, 3, 4]


def test_switches_that_models_ask() -> None:
    mode = ms.get_context("mode")
    assert names("context")._get_mode() == mode
    assert names("common.api")._function_forbid_reuse(len) is len
    assert names("common")._Function is importlib.import_module("mindspore")._Function


@pytest.mark.parametrize(("k_is_v", "q_is_k"), [(True, True), (True, False), (False, False)])
def test_projections_of_attention(k_is_v: bool, q_is_k: bool) -> None:
    functions, random = names("ops.function.nn_func"), np.random.RandomState(0)
    weight, bias = random.randn(9, 3).astype(np.float32), random.randn(9).astype(np.float32)
    q, k, v = (random.randn(4, 2, 3).astype(np.float32) for _ in range(3))
    k = q if q_is_k else k
    v = k if k_is_v else v
    found = functions._in_projection_packed(*map(ms.Tensor, (q, k, v, weight, bias)), k_is_v, q_is_k)
    expected = [
        x @ weight[3 * part : 3 * part + 3].T + bias[3 * part : 3 * part + 3] for part, x in enumerate((q, k, v))
    ]
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-5, atol=1e-5)
    weights, biases = np.split(weight, 3), np.split(bias, 3)
    parted = functions._in_projection(*map(ms.Tensor, (q, k, v, *weights, *biases)))
    for got, wanted in zip(parted, expected, strict=True):
        np.testing.assert_allclose(got.asnumpy(), wanted, rtol=1e-5, atol=1e-5)
    with pytest.raises(ValueError, match="weight of the key"):
        functions._in_projection(*map(ms.Tensor, (q, k, v, weights[0], weights[1][:2], weights[2])))
    with pytest.raises(ValueError, match="bias of the value"):
        functions._in_projection(*map(ms.Tensor, (q, k, v, *weights)), b_v=ms.Tensor(biases[0][:2]))


def test_linear_of_the_functions_of_layers() -> None:
    x, weight, bias = (ms.Tensor(np.random.randn(*shape).astype(np.float32)) for shape in ((2, 3), (4, 3), (4,)))
    found = names("ops.function.nn_func").linear(x, weight, bias)
    np.testing.assert_allclose(found.asnumpy(), (x @ weight.T + bias).asnumpy(), rtol=1e-5, atol=1e-6)


def test_checks_of_attention() -> None:
    functions = names("ops.function.nn_func")
    assert functions._check_qkv_shape(3, 3, 3)
    assert not functions._check_qkv_shape(2, 2, 2)
    for axes in ((3, 2, 3), (2, 2, 3), (4, 4, 4)):
        with pytest.raises(ValueError, match="2 axes each"):
            functions._check_qkv_shape(*axes)
    functions._check_kpm_shape(3, 2)
    with pytest.raises(ValueError, match="key_padding_mask"):
        functions._check_kpm_shape(2, 2)
    functions._check_attn_mask_shape(2, (5, 4), (6, 4), 3, (2, 5, 6), 2)
    with pytest.raises(ValueError, match=r"\(2, 5, 6\)"):
        functions._check_attn_mask_shape(2, (5, 4), (6, 4), 3, (2, 5, 5), 2)
    with pytest.raises(ValueError, match="2 or 3 axes"):
        functions._check_attn_mask_shape(3, (5, 2, 4), (6, 2, 4), 4, (1, 2, 5, 6), 2)


def test_dropout_and_padding_of_attention() -> None:
    functions, x = names("ops.function.nn_func"), ms.Tensor([[1.0, 2.0]])
    assert functions._inner_dropout(x, 0.5, False) is x
    assert set(functions._inner_dropout(ms.ops.ones((100,)), 0.5, True).asnumpy()) == {0.0, 2.0}
    assert functions._inner_pad(x, (0, 1)).asnumpy().tolist() == [[1.0, 2.0, 0.0]]
    padded = functions._inner_pad(ms.Tensor([[True, False]]), (0, 1))
    assert padded.dtype is ms.bool_
    assert padded.asnumpy().tolist() == [[True, False, False]]


def test_sizes_of_interpolation() -> None:
    functions, image = names("ops.function.nn_func"), ms.ops.ones((1, 2, 5, 7))
    assert functions._interploate_ext_make_tuple(image, 3) == (3, 3)
    assert functions._interploate_ext_make_tuple(image, (3, 4)) == (3, 4)
    assert functions._interpolate_ext_scale_factor_convert_size(image, (1.5, 2.0)) == (7, 14)


def test_places_in_containers() -> None:
    container = names("nn.layer.container")
    assert container._valid_index(3, -1) == 2
    with pytest.raises(IndexError, match="from -3 to 2"):
        container._valid_index(3, 3, "Layers")
    with pytest.raises(TypeError, match="Layers: the index should be an int"):
        container._valid_index(3, 1.0, "Layers")
    assert container._valid_cell(nn.ReLU())
    with pytest.raises(TypeError, match="Layers holds Cells"):
        container._valid_cell(3, "Layers")

    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.SequentialCell(nn.ReLU(), nn.Dense(1, 1), nn.Dense(1, 1))

    assert container._get_prefix_and_index(Net().layers.name_cells()) == ("layers.", 1)
    assert container._get_prefix_and_index(nn.SequentialCell(nn.ReLU()).name_cells()) == ("", 0)
    assert container._get_prefix_and_index({}) == ("", 0)
