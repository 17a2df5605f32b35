"""Mistakes that MindSpore reports, or that would give numbers without a meaning: errors at the line of the user."""

from __future__ import annotations

import sys
import traceback
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor, mint, nn, ops
from mycel.common.initializer import initializer

PAIR = Tensor(np.ones((2, 3), np.float32))
TWO = Tensor([2.0, 2.0])
ONES = Tensor([1.0, 1.0])


def _rows() -> Any:
    return ms.dataset.NumpySlicesDataset(np.arange(4, dtype=np.float32), ["x"], shuffle=False)


def _model() -> ms.Model:
    net = nn.Dense(1, 1)
    return ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"mae"})


OF_NUMBERS: dict[str, tuple[Callable[[], Any], str]] = {
    "cosine": (lambda: nn.CosineEmbeddingLoss()(PAIR, PAIR, Tensor([1, 0])), "'labels' should be 1 or -1.*from 0 to 1"),
    "probabilities": (lambda: nn.BCELoss()(TWO, ONES), "from 0 to 1, but got numbers from 2.0 to 2.0: take their sigm"),
    "below zero": (lambda: ops.binary_cross_entropy(-ONES, ONES), "got numbers from -1.0 to -1.0"),
    "classes": (lambda: nn.MultiMarginLoss()(PAIR, Tensor([0, 5])), "classes from 0 to 2, but got numbers from 0 to 5"),
    "one_hot": (lambda: mint.nn.functional.one_hot(Tensor([7, -1]), 3), "classes from 0 to 2.*from -1 to 7"),
    "labels": (lambda: nn.CosineEmbeddingLoss()(PAIR, PAIR, Tensor([[1], [1]])), "a label for each of the 2 pairs"),
    "deviation": (lambda: ops.normal((2,), Tensor(0.0), Tensor(-1.0)), "'stddev' should not be negative"),
    "deviations": (lambda: mint.normal(0.0, Tensor([1.0, -2.0]), (2,)), "'std' should not be negative.*-2.0 to 1.0"),
    "a number": (lambda: mint.normal(0.0, -1.0, (2,)), "'std' should not be negative, but got -1.0"),
    "normal_": (lambda: Tensor([1.0]).normal_(0.0, -1.0), "'std' should not be negative, but got -1.0"),
}
OF_ARGUMENTS: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "patience": (lambda: ms.train.EarlyStopping(patience=-1), ValueError, "'patience' should not be negative"),
    "patience's type": (lambda: ms.train.ReduceLROnPlateau(patience=1.5), TypeError, "'patience' must be int"),
    "network": (lambda: nn.TrainOneStepCell(5, nn.SGD([ms.Parameter(1.0)], 0.1)), TypeError, "but got int 5"),
    "loss": (lambda: nn.WithLossCell(nn.Dense(1, 1), 5), TypeError, "a Cell or function is expected, but got int 5"),
    "sink": (lambda: _model().train(1, _rows().batch(2), dataset_sink_mode=5), TypeError, "must be a bool"),
    "sink of eval": (lambda: _model().eval(_rows().batch(2), dataset_sink_mode=5), TypeError, "must be a bool"),
    "take": (lambda: _rows().take(0), ValueError, "should be positive, or -1 for all rows, but got 0"),
    "filter": (lambda: _rows().filter(5), TypeError, "'predicate' should be a function, but got int"),
    "epochs": (lambda: _rows().create_dict_iterator(num_epochs=0), ValueError, "'num_epochs' should be positive"),
    "epochs' type": (lambda: _rows().create_tuple_iterator(num_epochs="1"), TypeError, "'num_epochs' should be an int"),
    "fans": (lambda: initializer("xavier_uniform", [2]), ValueError, "two dimensions and more"),
    "padding": (lambda: mint.nn.Conv2d(3, 4, 3, padding="sam"), ValueError, "'same' or 'valid', but got 'sam'"),
    "norm": (lambda: ops.triplet_margin_loss(PAIR, PAIR, PAIR, p=-1), ValueError, "'p' should be positive"),
    "weight": (lambda: nn.NLLLoss(weight=5), TypeError, "'weight' should be a Tensor or None, but got int"),
    "axis": (lambda: nn.ClipByNorm(axis="a"), TypeError, "'axis' should be an int or a tuple, but got str"),
    "groups": (lambda: mint.nn.GroupNorm(3, 4), ValueError, "4 channels should be a multiple of 3 groups"),
    "ignored": (lambda: ms.train.Perplexity(ignore_label="a"), TypeError, "'ignore_label' must be int"),
    "requires_grad": (lambda: ms.Parameter(ONES, requires_grad="a"), TypeError, "'requires_grad' should be a bool"),
    "parallel": (lambda: ms.Parameter(ONES, layerwise_parallel=5), TypeError, "should be a bool, but got int 5"),
    "fusion": (lambda: nn.ReLU().set_comm_fusion("a"), TypeError, "'fusion_type' should be an int, but got str"),
    "jit_config": (lambda: nn.ReLU().set_jit_config(5), TypeError, "takes a JitConfig, but got int"),
    "device_id": (lambda: ms.set_context(device_id=-1), ValueError, "'device_id' should not be negative"),
    "depth": (lambda: ms.set_recursion_limit(0), ValueError, "must be greater than 0"),
    "depth's type": (lambda: ms.set_recursion_limit("a"), TypeError, "must be <class 'int'>"),
    "directory": (lambda: ms.train.ModelCheckpoint(directory=5), TypeError, "'directory' should be a path, but got 5"),
    "workers": (lambda: _rows().batch(2, num_parallel_workers=0), ValueError, "'num_parallel_workers' should be pos"),
    "workers of map": (lambda: _rows().map(abs, ["x"], num_parallel_workers=-1), ValueError, "should be positive"),
    "workers of all": (lambda: ms.dataset.config.set_num_parallel_workers(0), ValueError, "should be positive"),
    "remainder": (lambda: _rows().batch(2, drop_remainder="a"), TypeError, "'drop_remainder' should be a bool"),
    "columns": (lambda: _rows().project([]), ValueError, "should name at least one column"),
    "column names": (lambda: ms.dataset.GeneratorDataset([1], 5), TypeError, "list of strings, but got int"),
    "randomize": (lambda: _rows().split([2, 2], randomize="a"), TypeError, "'randomize' should be a bool"),
    "output": (lambda: _rows().create_dict_iterator(output_numpy=1), TypeError, "'output_numpy' should be a bool"),
    "concat": (lambda: _rows().concat(5), TypeError, "a Dataset or a list of them is expected, but got int"),
    "kept": (
        lambda: list(_rows().batch(2).filter(lambda x: x > 0, "x")),
        RuntimeError,
        r"one bool, but it returned an array of shape \(2,\)",
    ),
    "sizes": (lambda: nn.MAE().update(ONES, PAIR), ValueError, r"shape \(2,\) do not fit targets of shape \(2, 3\)"),
    "optimizer": (lambda: nn.TrainOneStepCell(nn.Dense(1, 1), 5), TypeError, "should be an Optimizer, but got int"),
    "rate": (
        lambda: mint.optim.SGD([ms.Parameter(1.0)], lr="a"),
        TypeError,
        "'lr' should be a number, but got str 'a'",
    ),
    "points": (lambda: ms.numpy.linspace(0, 1, -1), ValueError, "'num' should not be negative, but got -1"),
    "search": (lambda: ms.set_algo_parameters(fully_use_device=True), ValueError, "did you mean 'fully_use_devices'"),
}


OURS = 1 if sys.version_info < (3, 11) else 0  # there the frame of the function that was called stays


def assert_ends_here(error: BaseException) -> None:
    """The last line of the traceback is in this file."""
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    assert __file__ in files[-1 - OURS :]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_without_a_meaning(name: str, compiled: bool) -> None:
    run, message = OF_NUMBERS[name]
    with pytest.raises(ValueError, match=message) as caught:
        (ms.jit(run) if compiled else run)()
    assert_ends_here(caught.value)


@pytest.mark.parametrize("name", OF_ARGUMENTS)
def test_arguments_without_a_meaning(name: str) -> None:
    run, kind, message = OF_ARGUMENTS[name]
    with pytest.raises(kind, match=message) as caught:
        run()
    assert_ends_here(caught.value)


def test_nan_and_empty_tensors_pass_the_checks() -> None:
    assert np.isnan(ops.binary_cross_entropy(Tensor([np.nan, 0.5]), ONES).asnumpy())
    empty = Tensor(np.ones((0, 3), np.float32))
    ops.cosine_embedding_loss(empty, empty, Tensor(np.ones(0, np.int32)), reduction="none")
    assert ops.normal((0,), 0.0, Tensor(np.ones(0, np.float32))).shape == (0,)


def test_checked_losses_have_gradients_in_both_modes() -> None:
    def loss(x: Tensor) -> Tensor:
        return ops.binary_cross_entropy(x, ONES)

    eager = ms.grad(loss)(TWO / 4)
    np.testing.assert_allclose(ms.jit(ms.grad(loss))(TWO / 4).asnumpy(), eager.asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(eager.asnumpy(), [-1.0, -1.0], rtol=1e-5)
    with pytest.raises(ValueError, match="from 0 to 1"):
        ms.grad(loss)(TWO)


def test_folded_constants_warn_of_nothing() -> None:
    constant = Tensor([-1.0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isnan(ms.jit(lambda: ops.log(constant * 1.0) + ops.log(Tensor([-2.0])))().asnumpy())


def test_an_unknown_option_of_the_profiler_is_told() -> None:
    with pytest.warns(UserWarning, match="Profiler has no option 'profile_memry': did you mean 'profile_memory'"):
        ms.Profiler(start_profile=False, profile_memry=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ms.Profiler(start_profile=False, profile_memory=True)
