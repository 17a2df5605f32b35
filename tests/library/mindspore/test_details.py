"""Details that programs for MindSpore meet, with what MindSpore 2.10 gives on a CPU."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fitted_line import BATCHES, model_of

import mycel as ms
import mycel.numpy as mnp
from mycel import Parameter, Tensor, nn, ops, train
from mycel.dataset import text
from mycel.experimental import optim
from mycel.frontend.state import CONTEXT
from mycel.library import log
from mycel.library.mindspore.common_names import swap_tensors

WHOLE = Tensor(np.arange(12).reshape(2, 3, 2), ms.int32)


def test_a_copy_of_a_parameter_is_a_parameter() -> None:
    w = Parameter(Tensor([2.0]), name="w", requires_grad=False)
    copy = w.copy()
    assert isinstance(copy, Parameter)
    assert (copy.name, copy.requires_grad) == ("w", False)
    w += 1
    assert copy.asnumpy() == [2.0]
    assert ms.jit(lambda x: w.copy() * x)(Tensor([2.0])).asnumpy() == [6.0]
    assert ms.grad(lambda x: (w.copy() * x).sum())(Tensor([2.0])).asnumpy() == [3.0]


def test_flags_of_a_parameter() -> None:
    w = Parameter(Tensor([2.0]), name="w")
    flags = ("parallel_optimizer_comm_recompute", "init_in_server", "is_in_parallel")
    assert [getattr(w, flag) for flag in flags] == [False] * 3
    w.parallel_optimizer_comm_recompute = True
    other = Parameter(Tensor([2.0]), name="v")
    assert w.parallel_optimizer_comm_recompute
    assert not other.parallel_optimizer_comm_recompute


def test_activations_of_booleans_and_integers() -> None:
    flags = Tensor([True, False])
    assert ops.relu(flags).tolist() == [True, False]
    assert ms.jit(ops.relu)(flags).dtype == ms.bool_
    clipped = ops.hardtanh(Tensor([-3, -1, 0, 5]), -1.5, 2.5)
    assert clipped.dtype == ms.int64
    assert clipped.tolist() == [-1, -1, 0, 2]
    with pytest.raises(TypeError, match="hardtanh: 'input' should be a floating-point Tensor"):
        ops.hardtanh(flags)
    small = Tensor([0, 1, 200], ms.uint8)
    assert ms.jit(ops.hardtanh)(small).tolist() == ops.hardtanh(small, -2, 1.5).tolist() == [0, 1, 1]
    assert ops.functional.tensor_muls(Tensor([1.5]), 2).tolist() == [3.0]


@pytest.mark.parametrize("size", [3, 70_000])
def test_the_sum_of_flags_is_or(size: int) -> None:
    draw = np.random.default_rng(size)
    a, b, c = (draw.random(size) < 0.3 for _ in range(3))

    def f(a: Tensor, b: Tensor, c: Tensor) -> tuple[Tensor, ...]:
        return a + b + c * a + a, (a + b + a).sum(), a + True

    for call in (f, ms.jit(f)):
        union, count, ones = call(Tensor(a), Tensor(b), Tensor(c))
        assert union.dtype == ones.dtype == ms.bool_
        assert np.array_equal(union.asnumpy().view(np.uint8), (a | b).view(np.uint8))
        assert int(count) == (a | b).sum()
        assert ones.all()


@pytest.mark.parametrize("name", ["ceil", "fix", "sign", "trunc"])
def test_whole_numbers_are_rounded_in_float32(name: str) -> None:
    for value in (WHOLE, [1, -2], 3):
        assert getattr(mnp, name)(value).dtype == ms.float32
    assert getattr(mnp, name)(Tensor([1.5], ms.float64)).dtype == ms.float64


@pytest.mark.parametrize("training", [False, True])
@pytest.mark.parametrize(
    "layer",
    [nn.BatchNorm1d(3), nn.LayerNorm((2,)), nn.GroupNorm(1, 3), nn.InstanceNorm1d(3)],
    ids=lambda layer: type(layer).__name__,
)
def test_integers_are_not_normalized(layer: Any, training: bool) -> None:
    layer.set_train(training)
    with pytest.raises(TypeError):
        layer(WHOLE)
    assert layer(WHOLE.astype(ms.float16)).dtype == ms.float16


def test_settings_that_were_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CONTEXT, "settings", {})  # those of other tests count no more
    names = ("save_graphs", "op_timeout", "jit_config", "memory_optimize_level", "pynative_synchronize")
    assert [ms.get_context(name) for name in names] == [0, 900, {}, 0, False]


def test_what_the_run_says_before_a_checkpoint() -> None:
    seen: list[Any] = []

    class Look(train.Callback):
        def on_train_begin(self, run_context: Any) -> None:
            args = run_context.original_args()
            seen.extend((args.initial_step, args.last_save_ckpt_step, args.latest_ckpt_file, args.loss_scale_mananger))

    manager = ms.FixedLossScaleManager(2.0, False)
    _, model = model_of(loss_scale_manager=manager)
    model.train(1, BATCHES, callbacks=[Look()])
    assert seen == [None, None, None, manager]


def test_what_is_no_regular_expression() -> None:
    with pytest.raises(RuntimeError, match=r"RegexReplace: '\(a' is no regular expression"):
        text.RegexReplace("(a", "")


NUMBERS = "values=Tensor(shape=[2], dtype=Float32, value=[ 1.00000000e+00  2.00000000e+00]))"
PLACES = "Tensor(shape=[2, 2], dtype=Int32, value=\n[[0 1]\n [1 2]])"
SHOWN: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: ms.COOTensor(Tensor([[0, 1], [1, 2]], ms.int32), Tensor([1.0, 2.0]), (2, 3)),
        f"COOTensor(shape=[2, 3], dtype=Float32, indices={PLACES}, {NUMBERS}",
    ),
    (
        lambda: ms.CSRTensor(Tensor([0, 1, 2]), Tensor([1, 2]), Tensor([1.0, 2.0]), (2, 3)),
        "CSRTensor(shape=[2, 3], dtype=Float32, indptr=Tensor(shape=[3], dtype=Int64, value=[0 1 2]), "
        f"indices=Tensor(shape=[2], dtype=Int64, value=[1 2]), {NUMBERS}",
    ),
    (
        lambda: optim.AdamW([{"params": [weight("a")]}, {"params": [weight("b")], "lr": 0.2}], lr=0.1),
        "AdamW (\n"
        + "\n".join(
            f"Parameter Group {number}\n    amsgrad: False\n    betas: (0.9, 0.999)\n    eps: 1e-08\n    lr: {rate}\n"
            "    maximize: False\n    weight_decay: 0.01\n"
            for number, rate in ((0, 0.1), (1, 0.2))
        )
        + ")",
    ),
]


def weight(name: str) -> Parameter:
    return Parameter(Tensor([1.0]), name=name)


@pytest.mark.parametrize(("make", "shown"), SHOWN)
def test_how_it_is_shown(make: Callable[[], Any], shown: str) -> None:
    assert repr(make()) == shown


def test_tensors_and_parameters_change_places():
    a, b = Parameter(Tensor([1.0]), name="a"), Parameter(Tensor([2, 3]), name="b", requires_grad=False)

    @ms.jit
    def f():
        return a * 2

    assert f().tolist() == [2.0]
    swap_tensors(a, b)
    assert (a.name, a.requires_grad, a.tolist(), b.tolist()) == ("b", False, [2, 3], [1.0])
    assert f().tolist() == [4, 6]
    for other in (3, Tensor([1.0])):
        with pytest.raises(TypeError, match="swap_tensors takes"):
            swap_tensors(a, other)


def test_what_sets_up_the_log(monkeypatch):
    monkeypatch.setenv("GLOG_v", "2")
    assert log.get_log_config()["GLOG_v"] == "2"


def test_a_function_that_warns_once() -> None:
    messages: list[str] = []
    logger = types.SimpleNamespace(warning=messages.append)

    def function(text: str) -> str:
        logger.warning(text)
        return text

    once = log._LogActionOnce(logger=logger, key="test_a_function_that_warns_once")(function)
    assert [once("first"), once("second")] == ["first", "second"]
    never = log._LogActionOnce(logger=logger, key="never", no_warning=True)(function)
    assert never("third") == "third"
    assert messages == ["first"]
    assert logger.warning == messages.append


@pytest.mark.parametrize("flag", ["no", 0, None])
def test_requires_grad_is_a_bool(flag: object) -> None:
    w = Parameter(Tensor([2.0]), name="w", requires_grad=False)
    with pytest.raises(TypeError, match="'requires_grad' should be a bool, but got"):
        w.requires_grad = flag
    compiled = ms.jit(lambda x: x * 2 if w.requires_grad else x)
    assert float(compiled(Tensor(1.0))) == 1.0
    w.requires_grad = True
    assert float(compiled(Tensor(1.0))) == 2.0
