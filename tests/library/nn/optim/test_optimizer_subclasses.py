"""Users' optimizers derived from MindSpore's: the attributes and methods of the base that they use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Parameter, ParameterTuple, Tensor, nn, ops

apply_momentum = ops.MultitypeFuncGraph("apply_momentum")


@apply_momentum.register("Function", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor")
def _momentum_of_one(opt, momentum, rate, gradient, weight, moment):
    return ops.depend(True, opt(weight, moment, rate, gradient, momentum))


class OwnMomentum(nn.Momentum):
    """Momentum with a smaller rate, written as MindSpore writes it."""

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self.gradients_centralization(gradients)
        gradients = self.scale_grad(gradients)
        rate = self.get_lr() * 0.5
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        return self.hyper_map(
            ops.partial(apply_momentum, self.opt, self.momentum, rate), gradients, self._parameters, self.moments
        )


class OwnSGD(nn.SGD):
    """SGD by its primitives, one for each Parameter."""

    def construct(self, gradients):
        rate = self.get_lr()
        for position in range(self.param_length):
            self.opt[position](
                self._parameters[position], gradients[position], rate, self.accum[position], self.momentum,
                self.stat[position],
            )  # fmt: skip
        return True


class OwnAdam(nn.Adam):
    """Adam with clipped gradients, which leaves the rest to its base's method."""

    def construct(self, gradients):
        gradients = tuple(ops.clip_by_value(gradient, -0.5, 0.5) for gradient in gradients)
        gradients = self.decay_weight(gradients)
        gradients = self._grad_sparse_indices_deduplicate(gradients)
        rate = self.get_lr()
        if not self._is_dynamic_lr_or_weight_decay():
            self.assignadd(self.global_step, self.global_step_increase_tensor)
        beta1_power = self.beta1_power * self.beta1
        self.beta1_power = beta1_power
        beta2_power = self.beta2_power * self.beta2
        self.beta2_power = beta2_power
        return self._apply_adam(self._parameters, beta1_power, beta2_power, self.moment1, self.moment2, rate, gradients)


class AdamByPrimitive(nn.Adam):
    """Adam by its primitive."""

    def construct(self, gradients):
        rate = self.get_lr()
        self.beta1_power = self.beta1_power * self.beta1
        self.beta2_power = self.beta2_power * self.beta2
        for weight, m, v, gradient in zip(self._parameters, self.moment1, self.moment2, gradients, strict=True):
            self.opt(weight, m, v, self.beta1_power, self.beta2_power, rate, self.beta1, self.beta2, self.eps, gradient)
        return True


class OwnAdagrad(nn.Adagrad):
    """Adagrad by its primitive."""

    def construct(self, grads):
        for weight, accum, gradient in zip(self._parameters, self.accum, grads, strict=True):
            self.opt(weight, accum, self.get_lr(), gradient)
        return True


class OwnAdadelta(nn.Adadelta):
    """Adadelta by its primitive."""

    def construct(self, grads):
        for weight, accum, update, gradient in zip(self._parameters, self.accum, self.accum_update, grads, strict=True):
            self.opt(weight, accum, update, self.get_lr(), self.rho, self.epsilon, gradient)
        return True


class OwnRMSProp(nn.RMSProp):
    """RMSProp by its primitive."""

    def construct(self, gradients):
        for weight, square, moment, gradient in zip(self._parameters, self.ms, self.moment, gradients, strict=True):
            self.opt(weight, square, moment, self.get_lr(), gradient, self.decay, self.momentum, self.epsilon)
        return True


class OwnAdaMax(nn.AdaMax):
    """AdaMax by its primitive."""

    def construct(self, gradients):
        power = self.beta1_power * self.beta1
        self.beta1_power = power
        for weight, m, v, gradient in zip(self._parameters, self.moment1, self.moment2, gradients, strict=True):
            self.opt(weight, m, v, power, self.get_lr(), self.beta1, self.beta2, self.eps, gradient)
        return True


class OwnFTRL(nn.FTRL):
    """FTRL by its primitive."""

    def construct(self, grads):
        for weight, accum, linear, gradient in zip(self._parameters, self.moments, self.linear, grads, strict=True):
            self.opt(weight, accum, linear, gradient, self.get_lr(), self.l1, self.l2, self.lr_power)
        return True


class OwnProximal(nn.ProximalAdagrad):
    """ProximalAdagrad by its primitive."""

    def construct(self, grads):
        for weight, accum, gradient in zip(self._parameters, self.accum, grads, strict=True):
            self.opt(weight, accum, self.get_lr(), self.l1, self.l2, gradient)
        return True


update_with_decay = ops.MultitypeFuncGraph("update_with_decay")


@update_with_decay.register(
    "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Tensor", "Bool", "Bool"
)
def _update_one(beta1, beta2, eps, rate, decay, weight, m, v, gradient, decays, own):
    if not own:
        return gradient
    new_m = beta1 * m + (1.0 - beta1) * gradient
    new_v = beta2 * v + (1.0 - beta2) * ops.square(gradient)
    update = new_m / (eps + ops.sqrt(new_v))
    if decays:
        update = update + ops.cast(decay, ms.float32) * weight
    new = weight - rate * update
    new = ops.depend(new, ops.assign(weight, new))
    new = ops.depend(new, ops.assign(m, new_m))
    return ops.depend(new, ops.assign(v, new_v))


class AdamOfBert(nn.Optimizer):
    """Adam with weight decay as language models write it."""

    def __init__(self, params, learning_rate=1e-3, weight_decay=0.1):
        super().__init__(learning_rate, params, weight_decay)
        self.beta1 = Tensor(np.array([0.9]).astype(np.float32))
        self.beta2 = Tensor(np.array([0.999]).astype(np.float32))
        self.eps = Tensor(np.array([1e-6]).astype(np.float32))
        self.moments1 = self._parameters.clone(prefix="adam_m", init="zeros")
        self.moments2 = self._parameters.clone(prefix="adam_v", init="zeros")

    def construct(self, gradients):
        rate = self.get_lr()
        decay = self.get_weight_decay()
        updates = ops.partial(update_with_decay, self.beta1, self.beta2, self.eps)
        if self.is_group:
            result = self.hyper_map(
                updates, rate, decay, self._parameters, self.moments1, self.moments2, gradients, self.decay_flags,
                self.optim_filter,
            )  # fmt: skip
        else:
            result = self.hyper_map(
                ops.partial(updates, rate, decay), self._parameters, self.moments1, self.moments2, gradients,
                self.decay_flags, self.optim_filter,
            )  # fmt: skip
        if self.use_parallel:
            self.broadcast_params(result)
        return result


def weights() -> Any:
    """Two Parameters."""
    return [
        Parameter(Tensor(np.array([1.0, -2.0], np.float32)), name="w"),
        Parameter(Tensor(np.array([[0.5], [0.25]], np.float32)), name="gamma"),
    ]


def groups() -> Any:
    """The same in groups."""
    first, second = weights()
    return [{"params": [first], "lr": 0.1, "weight_decay": 0.2}, {"params": [second], "lr": 0.05}]


GRADIENTS = (np.array([1.0, -0.25], np.float32), np.array([[0.5], [-2.0]], np.float32))

# The Parameters after two steps with MindSpore 2.10.
RECORDED = {
    "momentum": (
        lambda: OwnMomentum(weights(), 0.1, 0.9, weight_decay=0.1, loss_scale=2.0),
        [0.95065, -1.96233, 0.4825, 0.32],
    ),
    "sgd": (lambda: OwnSGD(weights(), 0.1), [0.95, -1.9875, 0.475, 0.35]),
    "sgd with momentum": (lambda: OwnSGD(weights(), 0.1, 0.9, 0.5), [0.835, -1.95875, 0.4175, 0.58]),
    "adam": (lambda: OwnAdam(weights(), 0.1, weight_decay=0.1), [0.88668, -1.82304, 0.37337, 0.34474]),
    "amsgrad": (lambda: OwnAdam(weights(), 0.1, use_amsgrad=True), [0.90526, -1.87337, 0.37337, 0.34474]),
    "groups": (lambda: OwnAdam(groups()), [0.87002, -1.81044, 0.43668, 0.29737]),
    "primitive": (lambda: AdamByPrimitive(weights(), 0.1), [0.87337, -1.87337, 0.37337, 0.37663]),
    "adagrad": (lambda: OwnAdagrad(weights(), learning_rate=0.1), [0.94769, -1.9676, 0.45441, 0.30449]),
    "adadelta": (lambda: OwnAdadelta(weights(), 0.1), [0.99989, -1.99989, 0.49989, 0.25011]),
    "rmsprop": (lambda: OwnRMSProp(weights(), 0.1), [0.95199, -1.98757, 0.47531, 0.33668]),
    "adamax": (lambda: OwnAdaMax(weights(), 0.1), [0.87893, -1.87893, 0.37893, 0.37107]),
    "ftrl": (lambda: OwnFTRL(weights(), learning_rate=0.1), [0.64618, -0.39867, 0.18715, 0.26545]),
    "proximal": (lambda: OwnProximal(weights(), learning_rate=0.1, l1=0.01), [0.94587, -1.96275, 0.45116, 0.30356]),
    "bert": (lambda: AdamOfBert(weights(), 0.1), [0.55386, -1.534, 0.07061, 0.67941]),
    "bert in groups": (lambda: AdamOfBert(groups()), [0.53732, -1.49776, 0.28111, 0.46142]),
}


def trained(make: Callable[[], Any]) -> list[float]:
    """The numbers of the Parameters after two steps."""
    optimizer = make()
    for factor in (1.0, -0.5):
        optimizer(tuple(Tensor(gradient * np.float32(factor)) for gradient in GRADIENTS))
    return [round(float(number), 5) for own in optimizer.parameters for number in own.asnumpy().ravel()]


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
@pytest.mark.parametrize("name", RECORDED)
def test_steps_agree_with_mindspore(name: str, mode: int) -> None:
    make, expected = RECORDED[name]
    ms.set_context(mode=mode)
    try:
        assert trained(make) == pytest.approx(expected, abs=2e-5)
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)


# --- own attributes


def test_names_of_local_parameters() -> None:
    optimizer = nn.Momentum(weights(), 0.1, 0.9)
    optimizer._update_local_parameters_name("boost.")
    assert [own.name for own in optimizer.get_parameters()] == [
        "boost.global_step", "boost.learning_rate", "w", "gamma", "boost.momentum", "boost.moments.w",
        "boost.moments.gamma",
    ]  # fmt: skip


def test_what_is_known_of_groups() -> None:
    first, second = weights()
    parameters = [{"params": [first], "lr": 0.5, "weight_decay": 0.1}, {"params": [second]}]
    optimizer = nn.SGD(parameters, 0.1, loss_scale=2.0)
    assert [own.name for own in optimizer.group_params] == ["w", "gamma"]
    assert [rate.name for rate in optimizer.group_lr] == ["learning_rate_group_0", "learning_rate"]
    assert optimizer.group_weight_decay == [0.2, 0.0]
    assert optimizer.group_grad_centralization == [False, False]
    assert optimizer.dynamic_decay_flags == (False, False)
    assert optimizer.decay_flags == (True, False)
    assert optimizer.optim_filter == (True, True)


def test_arguments_are_kept() -> None:
    optimizer = nn.Momentum(weights(), 0.1, momentum=0.9)
    assert optimizer.init_args == {"momentum": 0.9, "weight_decay": 0.0, "loss_scale": 1.0, "use_nesterov": False}
    assert optimizer.init_learning_rate == 0.1
    assert [own.name for own in optimizer.init_params["params"]] == ["w", "gamma"]


def test_rates_and_decays_are_built() -> None:
    optimizer = nn.SGD(weights(), 0.1, loss_scale=2.0)
    assert optimizer._preprocess_single_lr(0.5) == 0.5
    assert optimizer._build_single_lr(0.5, "own").name == "own"
    assert optimizer._preprocess_weight_decay(0.5) == 1.0
    assert not optimizer._is_dynamic_lr_or_weight_decay()
    assert isinstance(optimizer._build_single_lr(Tensor([0.1, 0.2]), "own"), nn.Cell)
    optimizer._preprocess_single_lr([0.1, 0.2])
    assert optimizer._is_dynamic_lr_or_weight_decay()
    with pytest.raises(ValueError, match="learning rate"):
        optimizer._preprocess_single_lr(-1.0)
    with pytest.raises(ValueError, match="target"):
        optimizer._set_base_target("TPU")


def test_state_that_only_a_subclass_uses() -> None:
    assert len(nn.SGD(weights(), 0.1).accum) == 0
    assert len(OwnSGD(weights(), 0.1).accum) == 2
    assert isinstance(OwnSGD(weights(), 0.1).stat, ParameterTuple)


def test_a_phase_is_text() -> None:
    cell = nn.Cell()
    assert cell.phase == "train"
    cell.phase = "prefill"
    assert cell.phase == "prefill"
    with pytest.raises(TypeError, match="phase"):
        cell.phase = 3


@pytest.mark.parametrize("name", sorted(nn.optim.__all__))
def test_primitives_of_optimizers(name: str) -> None:
    kind = getattr(nn, name)
    if not isinstance(kind, type) or not issubclass(kind, nn.Optimizer) or kind in (nn.Optimizer, nn.LARS):
        return
    needs = {"Momentum": (0.1, 0.9), "Lamb": (0.1,)}
    optimizer = kind(weights(), *needs.get(name, ()))
    for attribute in kind._held:
        value = getattr(optimizer, attribute)
        assert value is getattr(optimizer, attribute)
        assert value is not None
