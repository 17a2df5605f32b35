"""Mistakes that MindSpore reports, or that would give numbers without a meaning: errors at the line of the user."""

from __future__ import annotations

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
    "search": (lambda: ms.set_algo_parameters(fully_use_device=True), ValueError, "did you mean 'fully_use_devices'"),
}


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "graph"])
@pytest.mark.parametrize("name", OF_NUMBERS)
def test_numbers_without_a_meaning(name: str, compiled: bool) -> None:
    run, message = OF_NUMBERS[name]
    with pytest.raises(ValueError, match=message) as caught:
        (ms.jit(run) if compiled else run)()
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__


@pytest.mark.parametrize("name", OF_ARGUMENTS)
def test_arguments_without_a_meaning(name: str) -> None:
    run, kind, message = OF_ARGUMENTS[name]
    with pytest.raises(kind, match=message) as caught:
        run()
    assert traceback.extract_tb(caught.value.__traceback__)[-1].filename == __file__


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
