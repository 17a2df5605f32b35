"""What happens around training: callbacks of the library and of one's own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from fitted_line import BATCHES, line, model_of

from mycel import Model, Tensor, nn, train


class Log(train.Callback):
    """Keeps which methods were called."""

    def __init__(self) -> None:
        self.events: list[str] = []

    def __getattribute__(self, name: str) -> Any:
        if name in ("begin", "epoch_begin", "step_begin", "step_end", "epoch_end", "end"):
            self.events.append(name)
        return super().__getattribute__(name)


def test_the_order_of_events() -> None:
    log = Log()
    _, model = model_of(metrics={"mse"})
    steps = ["step_begin", "step_end"] * 2
    model.train(1, BATCHES, callbacks=[log])
    assert log.events == ["begin", "epoch_begin", *steps, "epoch_end", "end"]
    log.events.clear()
    model.eval(BATCHES, callbacks=log)
    assert log.events == ["begin", "epoch_begin", *steps, "epoch_end", "end"]


def test_what_callbacks_see() -> None:
    seen: list[tuple[int, int]] = []
    _, model = model_of()

    def look(context: train.RunContext) -> None:
        args = context.original_args()
        seen.append((args.cur_epoch_num, args.cur_step_num))
        assert args.batch_num == 2
        assert args.epoch_num == 2
        assert args["train_network"] is model.train_network
        assert args.mode == "train"
        with pytest.raises(AttributeError, match="nothing"):
            _ = args.nothing

    model.train(2, BATCHES, callbacks=train.LambdaCallback(on_train_step_end=look))
    assert seen == [(1, 1), (1, 2), (2, 3), (2, 4)]


def test_a_callback_that_stops() -> None:
    for event, steps in (("on_train_step_end", 1), ("on_train_epoch_end", 2)):
        _, model = model_of()
        seen: list[int] = []
        counter = train.LambdaCallback(on_train_step_begin=lambda context, seen=seen: seen.append(1))
        stop = train.LambdaCallback(**{event: train.RunContext.request_stop})
        model.train(5, BATCHES, callbacks=[counter, stop])
        assert len(seen) == steps


def test_loss_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of()
    model.train(1, BATCHES, callbacks=train.LossMonitor())
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "epoch: 1 step: 1, loss is 10.0"
    assert lines[1].startswith("epoch: 1 step: 2, loss is 39.0024")
    model.train(1, BATCHES, callbacks=train.LossMonitor(0))
    assert capsys.readouterr().out == ""
    _, model = model_of(1e30)
    with pytest.raises(ValueError, match="NAN or INF"):
        model.train(3, BATCHES, callbacks=train.LossMonitor())
    with pytest.raises(ValueError, match="per_print_times"):
        train.LossMonitor(-1)


def test_time_monitor(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of()
    model.train(1, BATCHES, callbacks=train.TimeMonitor())
    shown = capsys.readouterr().out
    assert shown.startswith("Train epoch time: ")
    assert "per step time" in shown
    with pytest.raises(ValueError, match="data_size"):
        train.TimeMonitor(0)


def test_learning_rate_scheduler() -> None:
    net, model = model_of()
    model.train(2, BATCHES, callbacks=[train.LearningRateScheduler(lambda rate, step: rate * 0.5)])
    np.testing.assert_allclose(net.weight.asnumpy(), [[0.7503349]], rtol=1e-5)
    net = line()
    changing = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), [0.1, 0.2]))
    with pytest.raises(ValueError, match="fixed learning rate"):
        changing.train(1, BATCHES, callbacks=[train.LearningRateScheduler(lambda rate, step: rate)])
    with pytest.raises(TypeError, match="function"):
        train.LearningRateScheduler(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "epoch"), [({"patience": 1}, 2), ({"patience": 0}, 1), ({"patience": 2, "min_delta": 0.1}, 3)]
)
def test_early_stopping(options: Any, epoch: int, capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of(0.5, metrics={"mse"})
    model.fit(6, BATCHES, BATCHES, callbacks=train.EarlyStopping("mse", verbose=True, **options))
    assert capsys.readouterr().out == f"Epoch {epoch:05d}: early stopping\n"


def test_early_stopping_by_the_loss_of_the_evaluation() -> None:
    _, model = model_of(0.5, metrics={"mse"})
    stop = train.EarlyStopping(patience=1)
    model.fit(6, BATCHES, BATCHES, callbacks=stop)
    assert stop.stopped_epoch == 2
    assert 1e1 < stop.best < 1e5


def test_early_stopping_by_a_metric_of_several_numbers() -> None:
    """The first of them counts."""

    class Pair(train.Metric):
        def clear(self) -> None:
            pass

        def update(self, *inputs: Any) -> None:
            pass

        def eval(self) -> np.ndarray:
            values.append(values[-1] - 1)
            return np.array([[len(values)], [values[-1]]])

    values = [10]
    _, model = model_of(metrics={"pair": Pair()})
    stop = train.EarlyStopping("pair", patience=1, mode="min")
    model.fit(6, BATCHES, BATCHES, callbacks=stop)
    assert (stop.stopped_epoch, stop.best) == (2, 2.0)


def test_early_stopping_takes_the_best_weights() -> None:
    net, model = model_of(0.5, metrics={"mse"})
    best: list[np.ndarray] = []
    keep = train.LambdaCallback(on_train_epoch_end=lambda context: best.append(net.weight.asnumpy().copy()))
    stop = train.EarlyStopping("eval_mse", patience=2, restore_best_weights=True)
    model.fit(6, BATCHES, BATCHES, callbacks=[keep, stop])
    assert stop.stopped_epoch == 3
    assert net.weight.asnumpy().tolist() == best[0].tolist()
    assert np.abs(best[-1]).max() > np.abs(best[0]).max()


def test_reduced_rates_on_a_plateau(capsys: pytest.CaptureFixture[str]) -> None:
    _, model = model_of(0.2, metrics={"mse"})
    plateau = train.ReduceLROnPlateau("mse", verbose=True, factor=0.1, patience=0)
    rates: list[float] = []
    keep = train.LambdaCallback(
        on_train_epoch_end=lambda context: rates.append(
            float(context.original_args().optimizer.learning_rate.asnumpy())
        )
    )
    model.fit(6, BATCHES, BATCHES, callbacks=[plateau, keep])
    np.testing.assert_allclose(rates, [0.2, 0.2, 0.02, 0.002, 2e-4, 2e-5], rtol=1e-5)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert lines[0].startswith("Epoch 00003: ReduceLROnPlateau reducing learning rate to 0.02")
    with pytest.raises(ValueError, match="factor"):
        train.ReduceLROnPlateau(factor=1.0)
    with pytest.raises(ValueError, match="mode"):
        train.EarlyStopping(mode="best")


class Context(train.Callback):
    def __init__(self, other: Any = None) -> None:
        self.seen: list[Any] = []
        self.other = other

    def __enter__(self) -> Any:
        self.seen.append("enter")
        return self.other or self

    def __exit__(self, *error: Any) -> None:
        self.seen.append(["exit", error[0]])

    def on_train_step_end(self, run_context: Any) -> None:
        self.seen.append("step")

    def on_eval_end(self, run_context: Any) -> None:
        args = run_context.original_args()
        self.seen.append([args.get("cur_epoch_num"), sorted(args.eval_results)])


def test_callbacks_are_entered() -> None:
    net = nn.Dense(1, 1)
    data = [(Tensor([[1.0]]), Tensor([[2.0]]))]
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss": nn.Loss()})
    plain, other = Context(), Context()
    substitute = Context(other)
    model.train(1, data, [plain, substitute])
    assert plain.seen == ["enter", "step", ["exit", None]]
    assert substitute.seen == ["enter", ["exit", None]]
    assert other.seen == ["step"]
    plain.seen.clear()
    model.eval(data, plain)
    assert plain.seen == ["enter", [None, ["eval_loss", "loss"]], ["exit", None]]


def test_callbacks_are_left_if_a_later_one_cannot_be_entered() -> None:
    class Broken(train.Callback):
        def __enter__(self) -> Any:
            raise OSError("no space left")

    net, first = nn.Dense(1, 1), Context()
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    with pytest.raises(OSError, match="no space left"):
        model.train(1, [(Tensor([[1.0]]), Tensor([[2.0]]))], [first, Broken()])
    assert first.seen == ["enter", ["exit", OSError]]


def test_callbacks_around_evaluations_of_fit() -> None:
    net = nn.Dense(1, 1)
    data = [(Tensor([[1.0]]), Tensor([[2.0]]))]
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1), metrics={"loss": nn.Loss()})
    callback, called = Context(), []
    functions = train.LambdaCallback(on_eval_end=lambda run_context: called.append("eval"))
    model.fit(2, data, data, callbacks=[callback, functions])
    inner = [["enter", [epoch, ["eval_loss", "loss"]], ["exit", None]] for epoch in (1, 2)]
    assert callback.seen == ["enter", "step", *inner[0], "step", *inner[1], ["exit", None]]
    assert called == []  # those of MindSpore's own watch the training alone
    model.eval(data, functions)
    assert called == ["eval"]


def test_errors_reach_callbacks() -> None:
    class Fails(Context):
        def on_train_step_end(self, run_context: Any) -> None:
            raise ValueError("no")

    net = nn.Dense(1, 1)
    model = Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    fails = Fails()
    with pytest.raises(ValueError, match="no"):
        model.train(1, [(Tensor([[1.0]]), Tensor([[2.0]]))], [fails])
    assert fails.seen == ["enter", ["exit", ValueError]]
