"""Training with Model, by numbers recorded with MindSpore."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fitted_line import BATCHES, INPUTS, Dataset, line, model_of
from tensors import T

import mycel as ms
from mycel import Model, nn, train


@pytest.mark.parametrize("dataset", [BATCHES, Dataset(), [dict(zip("xy", batch, strict=True)) for batch in BATCHES]])
@pytest.mark.parametrize("sink", [False, True])
def test_training(dataset: Any, sink: bool) -> None:
    net, model = model_of(metrics={"mse", "loss"})
    losses: list[float] = []
    keep = train.LambdaCallback(
        on_train_step_end=lambda context: losses.append(float(context.original_args().net_outputs.asnumpy()))
    )
    assert model.train(2, dataset, callbacks=keep, dataset_sink_mode=sink) is None
    np.testing.assert_allclose(losses, [10.0, 39.002403, 1.2261947, 6.7202845], rtol=1e-5)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.5193713]], rtol=1e-6)
    np.testing.assert_allclose(net.bias.asnumpy(), [0.5098205], rtol=1e-6)
    np.testing.assert_allclose(model.predict(T([[5.0]])).asnumpy(), [[8.106677]], rtol=1e-6)
    results = model.eval(dataset)
    assert set(results) == {"mse", "loss"}
    np.testing.assert_allclose(list(results.values()), 0.76727479, rtol=1e-5)


def test_training_leaves_the_modes_as_they_have_to_be() -> None:
    net, model = model_of(metrics={"loss"})
    model.train(1, BATCHES)
    assert net.training
    model.eval(BATCHES)
    assert not net.training
    model.fit(2, BATCHES, BATCHES, initial_epoch=1)
    assert net.training
    model.predict(T([[1.0]]))
    assert not net.training


def test_a_network_that_gives_the_loss() -> None:
    net = line()
    model = Model(nn.WithLossCell(net, nn.MSELoss()), optimizer=nn.SGD(net.trainable_params(), 0.02))
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


def test_own_networks_of_training_and_evaluation() -> None:
    net = line()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.02))
    whole = nn.WithEvalCell(net, nn.MSELoss())
    model = Model(step, metrics={"error": train.MAE()}, eval_network=whole, eval_indexes=[0, 1, 2])
    assert model.eval(BATCHES) == {"error": 5.0}
    model.train(1, BATCHES[:1])
    assert net.weight.asnumpy()[0, 0] != 0
    assert model.train_network is step
    assert model.eval_network is whole
    assert model.predict_network is step


def test_training_without_an_optimizer_warns() -> None:
    net = nn.Dense(1, 1, weight_init="zeros")
    with pytest.warns(UserWarning, match="without an 'optimizer' computes losses and trains nothing") as caught:
        Model(net, nn.MSELoss()).train(1, BATCHES[:1])
    assert caught[0].filename == __file__
    assert net.weight.asnumpy()[0, 0] == 0


@pytest.mark.parametrize("manager", [ms.FixedLossScaleManager(4.0), ms.DynamicLossScaleManager(4, 2, 2)])
def test_scaled_losses(manager: Any) -> None:
    net, model = model_of(loss_scale_manager=manager)
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


@pytest.mark.filterwarnings("ignore:the loss is infinite")
def test_the_scale_of_a_manager_follows_overflows() -> None:
    """A dynamic one is halved with every overflow of a step, and raised after as many good steps as it asks for."""
    manager = ms.DynamicLossScaleManager(64, 2, 2)
    _, model = model_of(loss_scale_manager=manager)
    scales: list[float] = []
    keep = train.LambdaCallback(on_train_step_end=lambda context: scales.append(manager.get_loss_scale()))
    big = (INPUTS[:2] * 1e30, INPUTS[:2] * 1e10)  # so that its gradient overflows
    model.train(1, [big, BATCHES[0], BATCHES[1], big, big], callbacks=keep)
    assert scales == [32, 32, 64, 32, 16]
    fixed = ms.FixedLossScaleManager(64.0)
    _, model = model_of(loss_scale_manager=fixed)
    model.train(1, [big, BATCHES[0]])
    assert fixed.get_loss_scale() == 64


def test_a_scaled_loss_that_the_optimizer_scales_back() -> None:
    net = line()
    optimizer = nn.SGD(net.trainable_params(), 0.02, loss_scale=4.0)
    model = Model(net, nn.MSELoss(), optimizer, loss_scale_manager=ms.FixedLossScaleManager(4.0, False))
    model.train(1, BATCHES[:1])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.2]], rtol=1e-6)


def test_mixed_precision() -> None:
    net, model = model_of(amp_level="O2", metrics={"mse"}, loss_scale_manager=ms.FixedLossScaleManager(1.0, False))
    model.train(2, BATCHES)
    np.testing.assert_allclose(net.weight.asnumpy(), [[1.5193713]], rtol=5e-3)
    np.testing.assert_allclose(model.eval(BATCHES)["mse"], 0.76727479, rtol=5e-2)


def test_fit_evaluates_in_between(capsys: pytest.CaptureFixture[str]) -> None:
    valid = Dataset()
    history = train.History()
    _, model = model_of(0.2, metrics={"mse"})
    model.fit(3, BATCHES, valid, valid_frequency=2, callbacks=[train.LossMonitor(2), history])
    assert valid.passes == 1
    assert history.epoch == {"epoch": [1, 2, 3]}
    np.testing.assert_allclose(history.history["mse"], [0.6643814146518707], rtol=1e-4)
    np.testing.assert_allclose(history.history["net_output"], [1.44, 0.05184, 4.316687], rtol=1e-4)
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].startswith("epoch: 1 step: 2, loss is 1.4399")
    assert shown[2].startswith("Eval result: epoch 2, metrics: {'mse': 0.664381")
    model.fit(3, BATCHES, valid, valid_frequency=[1, 3])
    assert valid.passes == 3


def test_model_compiles_ahead() -> None:
    net, model = model_of(metrics={"mse"})
    model.build(BATCHES, BATCHES)
    assert net.weight.asnumpy().tolist() == [[0.0]]


def test_an_epoch_with_a_sink_has_all_steps() -> None:
    class Told(train.Callback):
        def on_train_end(self, run_context: Any) -> None:
            args = run_context.original_args()
            told.append((args.batch_num, args.cur_step_num))

    told: list[tuple[int, int]] = []
    (net, model), (plain, other) = model_of(), model_of()
    model.train(1, BATCHES, Told(), dataset_sink_mode=True, sink_size=1)
    other.train(1, BATCHES)
    assert net.weight.asnumpy().tolist() == plain.weight.asnumpy().tolist()
    assert told == [(1, 2)]
    for size, kind in ((0, ValueError), (-2, ValueError), (1.5, TypeError)):
        with pytest.raises(kind, match="'sink_size' should be"):
            model.train(1, BATCHES, sink_size=size)


def test_what_a_model_refuses() -> None:
    net = line()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    loss = nn.MSELoss()
    for make, error, text in (
        (lambda: Model(3), TypeError, "network"),
        (lambda: Model(net, metrics={"mse"}), ValueError, "loss_fn"),
        (lambda: Model(net, loss, 3), TypeError, "optimizer"),
        (lambda: Model(net, loss, metrics={"foo"}), KeyError, "foo"),
        (lambda: Model(net, loss, metrics=3), TypeError, "metrics"),
        (lambda: Model(net, loss, optimizer, amp_level="O7"), ValueError, "amp_level"),
        (lambda: Model(net, loss, amp_level="O2"), ValueError, "optimizer"),
        (lambda: Model(net, loss, foo=1), ValueError, "'foo'"),
        (lambda: Model(net, loss, optimizer, loss_scale_manager=3), TypeError, "loss_scale_manager"),
        (lambda: Model(net, loss, optimizer).eval(BATCHES), ValueError, "metrics"),
        (lambda: Model(net, loss, optimizer).fit(1, BATCHES, BATCHES), ValueError, "metrics"),
        (lambda: Model(net, loss, optimizer).train(0, BATCHES), ValueError, "epoch"),
        (lambda: Model(net, loss, optimizer).train("a", BATCHES), TypeError, "epoch"),
        (lambda: Model(net, loss, optimizer).train(1, BATCHES, initial_epoch=1), ValueError, "initial_epoch"),
        (lambda: Model(net, loss, optimizer).train(1, 3), TypeError, "dataset"),
        (lambda: Model(net, loss, optimizer).train(1, []), ValueError, "no batches"),
        (lambda: Model(net, loss, optimizer).train(1, [(INPUTS,)]), ValueError, "two elements"),
        (lambda: Model(net, loss, optimizer).train(1, BATCHES, callbacks=3), TypeError, "Callback"),
        (
            lambda: Model(net, loss, metrics={"mse"}, eval_network=net, eval_indexes=[0]),
            ValueError,
            "eval_indexes",
        ),
    ):
        with pytest.raises(error, match=text):
            make()


def test_dataset_helper() -> None:
    helper = train.DatasetHelper(Dataset(), dataset_sink_mode=False)
    assert [batch[0].shape for batch in helper] == [(2, 1), (2, 1)]
    assert helper.sink_size() == 2
    assert helper.types_shapes() == ([ms.float32, ms.float32], [[2, 1], [2, 1]])
    assert len(list(train.DatasetHelper(BATCHES, False, sink_size=1))) == 1
    net = line()
    assert train.connect_network_with_dataset(net, helper) is net
    with pytest.raises(TypeError, match="dataset_sink_mode"):
        train.DatasetHelper(BATCHES, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("config", [None, ms.JitConfig()])
def test_data_sink(config: Any) -> None:
    step = train.data_sink(lambda x, y: (x + y).sum(), Dataset(), jit_config=config)
    assert [float(step().asnumpy()) for _ in range(3)] == [9.0, 21.0, 9.0]
    assert float(train.data_sink(lambda x, y: x.sum(), BATCHES, sink_size=2)().asnumpy()) == 7.0
    with pytest.raises(ValueError, match="sink_size"):
        train.data_sink(lambda x: x, BATCHES, sink_size=0)
