"""Optimizers: their steps as MindSpore takes them, names, and the same in compiled functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from memory_use import measured
from optimizer_steps import GRADIENTS, parameter, run

import mycel as ms
from mycel import Parameter, Tensor, nn
from mycel.runtime.machine.executable import unavailable

# What a Parameter [1, -2] is after each of three steps with GRADIENTS, recorded from MindSpore 2.10.
STEPS: list[tuple[str, dict[str, Any], list[float]]] = [
    ("SGD", {"learning_rate": 0.1}, [0.9, -1.975, 0.85, -2.0250001, 1.05, -2.0350001]),
    ("SGD", {"learning_rate": 0.1, "momentum": 0.9}, [0.9, -1.975, 0.76, -2.0025001, 0.834, -2.03725]),
    (
        "SGD",
        {"learning_rate": 0.1, "momentum": 0.9, "dampening": 0.1},
        [0.9, -1.975, 0.765, -1.9975001, 0.8235, -2.0267501],
    ),
    (
        "SGD",
        {"learning_rate": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.1},
        [0.791, -1.9145, 0.591871, -1.9366745, 0.8335284, -1.9110652],
    ),
    (
        "SGD",
        {"learning_rate": 0.1, "dampening": 0.5, "weight_decay": 0.1, "momentum": 0.5},
        [0.89, -1.955, 0.80555, -1.9477251, 0.8592972, -1.9393489],
    ),
    ("Momentum", {"learning_rate": 0.1, "momentum": 0.9}, [0.9, -1.975, 0.76, -2.0025001, 0.834, -2.03725]),
    (
        "Momentum",
        {"learning_rate": 0.1, "momentum": 0.9, "use_nesterov": True, "weight_decay": 0.1, "loss_scale": 2.0},
        [0.94, -1.9675, 0.8516, -1.943575, 0.863524, -1.9076067],
    ),
    ("Adam", {}, [0.999, -1.999, 0.9980679, -1.999366, 0.9982742, -1.9997572]),
    (
        "Adam",
        {"learning_rate": 0.1, "weight_decay": 0.1},
        [0.9, -1.9000001, 0.8057722, -1.8870589, 0.8196542, -1.8669404],
    ),
    (
        "Adam",
        {"learning_rate": 0.1, "use_nesterov": True},
        [0.8100001, -1.8100003, 0.6928122, -1.9095135, 0.767156, -1.9559699],
    ),
    (
        "Adam",
        {"learning_rate": 0.1, "use_amsgrad": True},
        [0.9, -1.9000001, 0.8067824, -1.9366103, 0.827418, -1.9757227],
    ),
    ("Adam", {"learning_rate": 0.1, "use_lazy": True}, [0.9, -1.9000001, 0.8067824, -1.9366103, 0.827418, -1.9757227]),
    (
        "Adam",
        {"learning_rate": 0.1, "use_offload": True},
        [0.9, -1.9000001, 0.8067824, -1.9366103, 0.827418, -1.9757227],
    ),
    ("AdamWeightDecay", {}, [0.9968378, -1.9968381, 0.9928765, -1.9983938, 0.993898, -2.0003297]),
    (
        "AdamWeightDecay",
        {"learning_rate": 0.1, "weight_decay": 0.1},
        [0.6737801, -1.6638101, 0.2709126, -1.8027433, 0.3703544, -1.978323],
    ),
    ("RMSProp", {}, [0.9, -1.9737387, 0.8480124, -2.0282729, 1.0281634, -2.039762]),
    (
        "RMSProp",
        {"learning_rate": 0.1, "momentum": 0.5},
        [0.9, -1.9737387, 0.7980124, -2.0151422, 0.9271696, -2.0473332],
    ),
    (
        "RMSProp",
        {"learning_rate": 0.1, "momentum": 0.5, "centered": True},
        [0.8994962, -1.9737296, 0.7966971, -2.0151532, 0.92585, -2.0473633],
    ),
    (
        "RMSProp",
        {"learning_rate": 0.1, "decay": 0.8, "epsilon": 0.01, "weight_decay": 0.1},
        [0.8927531, -1.951205, 0.8310835, -1.9876193, 0.9893296, -1.9744772],
    ),
    ("Adagrad", {}, [0.9990466, -1.9993799, 0.9986162, -2.0001583, 0.9994809, -2.0003121]),
    (
        "Adagrad",
        {"learning_rate": 0.1, "update_slots": False},
        [0.9046537, -1.9379827, 0.8616206, -2.0158327, 0.9480882, -2.0312173],
    ),
    (
        "Adagrad",
        {"learning_rate": 0.1, "weight_decay": 0.1},
        [0.9038926, -1.9181818, 0.8580496, -1.967064, 0.9410194, -1.9519023],
    ),
    ("AdaMax", {}, [0.999, -1.999, 0.9982624, -1.9992894, 0.998399, -1.9995461]),
    (
        "AdaMax",
        {"learning_rate": 0.1, "beta1": 0.8, "beta2": 0.9, "eps": 0.001, "weight_decay": 0.1},
        [0.9000908, -1.9002217, 0.817682, -1.8933768, 0.8335316, -1.8788722],
    ),
    ("Adadelta", {}, [0.9968377, -1.996838, 0.9947526, -2.0008783, 0.9990594, -2.0019903]),
    (
        "Adadelta",
        {"learning_rate": 0.5, "weight_decay": 0.1},
        [0.9984189, -1.9984189, 0.9973046, -1.999705, 0.9994027, -1.999204],
    ),
    ("FTRL", {}, [0.6975352, -0.4304508, 0.6971049, -0.4312292, 0.6979696, -0.4313831]),
    (
        "FTRL",
        {"learning_rate": 0.1, "l1": 0.01, "l2": 0.02, "lr_power": -0.6, "weight_decay": 0.1},
        [0.691334, -0.8691917, 0.6490686, -0.9335093, 0.7194847, -0.9345446],
    ),
    ("ASGD", {}, [0.89999, -1.97498, 0.8499813, -2.0249598, 1.0499698, -2.0349393]),
    (
        "ASGD",
        {"learning_rate": 0.1, "lambd": 0.1, "alpha": 0.5, "t0": 1.0},
        [0.89, -1.955, 0.8313922, -1.9852989, 1.0211897, -1.975543],
    ),
    (
        "ASGD",
        {"learning_rate": 0.1, "weight_decay": 0.1},
        [0.88999, -1.95498, 0.8310816, -1.9854105, 1.0227596, -1.9755366],
    ),
    ("Rprop", {}, [0.9, -1.9, 0.78, -1.9, 0.78, -1.9499999]),
    (
        "Rprop",
        {"learning_rate": 0.1, "etas": (0.4, 1.3), "step_sizes": (0.001, 0.2)},
        [0.9, -1.9, 0.77, -1.9, 0.77, -1.9399999],
    ),
    ("ProximalAdagrad", {}, [0.9990466, -1.9993799, 0.9986162, -2.0001583, 0.9994809, -2.0003121]),
    (
        "ProximalAdagrad",
        {"learning_rate": 0.1, "l1": 0.1, "l2": 0.1},
        [0.8866651, -1.8668644, 0.8278999, -1.8995682, 0.9061266, -1.8707868],
    ),
    ("LazyAdam", {}, [0.999, -1.999, 0.9980679, -1.999366, 0.9982742, -1.9997572]),
    (
        "LazyAdam",
        {"learning_rate": 0.1, "use_nesterov": True},
        [0.8100001, -1.8100003, 0.6928122, -1.9095135, 0.767156, -1.9559699],
    ),
    ("AdaFactor", {}, [0.9984189, -1.9984188, 0.995949, -1.9989103, 0.9959076, -1.999831]),
    ("AdamOffload", {}, [0.999, -1.999, 0.9980679, -1.999366, 0.9982742, -1.9997572]),
]
STATE_NAMES = {
    "SGD": ["momentum", "accum.fc.weight", "stat.fc.weight"],
    "Momentum": ["momentum", "moments.fc.weight"],
    "Adam": ["beta1_power", "beta2_power", "moment1.fc.weight", "moment2.fc.weight"],
    "AdamWeightDecay": ["adam_m.fc.weight", "adam_v.fc.weight"],
    "RMSProp": ["mean_square.fc.weight", "moment.fc.weight"],
    "Adagrad": ["accum.fc.weight"],
    "AdaMax": ["beta1_power", "moment1.fc.weight", "moment2.fc.weight"],
    "Adadelta": ["accum.fc.weight", "accum_update.fc.weight"],
    "FTRL": ["moments.fc.weight", "linear.fc.weight"],
    "ASGD": ["mu_fc.weight", "eta_fc.weight", "ax_.fc.weight"],
    "Rprop": ["prev.fc.weight", "step_size.fc.weight"],
    "ProximalAdagrad": ["accum.fc.weight"],
    "LazyAdam": ["beta1_power", "beta2_power", "moment1.fc.weight", "moment2.fc.weight"],
    "AdaFactor": [
        "exp_avg.fc.weight",
        "exp_avg_sq_row_fc.weight",
        "exp_avg_sq_col_fc.weight",
        "exp_avg_sq_fc.weight",
        "afactor_step",
    ],
    "AdamOffload": ["beta1_power", "beta2_power", "moment1.fc.weight", "moment2.fc.weight"],
}


@pytest.mark.parametrize(("name", "options", "expected"), STEPS)
def test_steps(name: str, options: dict[str, Any], expected: list[float]) -> None:
    own = parameter([1.0, -2.0], "fc.weight")
    optimizer = getattr(nn, name)([own], **options)
    np.testing.assert_allclose(run(optimizer, own), expected, rtol=2e-6, atol=1e-6)
    assert optimizer.global_step.asnumpy().tolist() == [3]


@pytest.mark.parametrize("name", STATE_NAMES)
def test_names_of_the_state(name: str) -> None:
    options = {"Momentum": {"learning_rate": 0.1, "momentum": 0.9}, "SGD": {"momentum": 0.9, "dampening": 0.1}}
    optimizer = getattr(nn, name)([parameter([1.0, -2.0], "fc.weight")], **options.get(name, {}))
    expected = ["global_step", "learning_rate", "fc.weight", *STATE_NAMES[name]]
    assert [p.name for p in optimizer.get_parameters()] == expected


@pytest.mark.parametrize(
    ("options", "expected"), [({}, []), ({"dampening": 0.5}, []), ({"momentum": 0.9}, ["accum.fc.weight"])]
)
def test_descent_keeps_no_state_that_it_does_not_use(options: dict[str, float], expected: list[str]) -> None:
    optimizer = nn.SGD([parameter([1.0, -2.0], "fc.weight")], **options)
    names = [p.name for p in optimizer.get_parameters()]
    assert names == ["global_step", "learning_rate", "fc.weight", "momentum", *expected]


def test_a_step_of_descent_takes_the_bytes_of_the_gradients() -> None:
    net = nn.SequentialCell(*[nn.Dense(500, 500, has_bias=False) for _ in range(4)])
    nbytes = sum(p.nbytes for p in net.trainable_params())
    made = [nn.SGD(net.trainable_params(), 0.01)]  # loads its file
    assert measured(lambda: made.append(nn.SGD(net.trainable_params(), 0.01))) < 0.01 * nbytes
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), made[0])
    data = Tensor(np.ones((8, 500), np.float32)), Tensor(np.ones((8, 500), np.float32))
    # NumPy computes what a weight loses before it subtracts that.
    assert step._as_compiled().stages(*data).plan.usage.peak < (1.05 if unavailable() is None else 1.3) * nbytes
    for _ in range(2):  # which make the arena and the dispatch
        step(*data)
    assert measured(lambda: step(*data)) < 0.01 * nbytes


@pytest.mark.parametrize(("name", "options"), [(name, options) for name, options, _ in STEPS[::3]])
def test_steps_in_a_compiled_function(name: str, options: dict[str, Any]) -> None:
    first, second = parameter([1.0, -2.0]), parameter([1.0, -2.0])
    plain, compiled = getattr(nn, name)([first], **options), getattr(nn, name)([second], **options)

    @ms.jit
    def step(gradient: Tensor) -> Tensor:
        compiled((gradient,))
        return second + 0

    for gradient in GRADIENTS:
        plain((Tensor(gradient),))
        np.testing.assert_allclose(step(Tensor(gradient)).asnumpy(), first.asnumpy(), rtol=1e-6)
    result = step(Tensor([0.0, 0.0])).asnumpy()
    np.testing.assert_array_equal(result, second.asnumpy())
    assert compiled.global_step.asnumpy().tolist() == [4]


@pytest.mark.parametrize("name", ["SGD", "Momentum", "Adam", "RMSProp", "Adagrad", "FTRL"])
def test_compiled_and_eager_steps_in_turns(name: str) -> None:
    """Small Parameters lie side by side for compiled steps; eager ones, new values and other optimizers move them."""

    def train(compiled: bool) -> tuple[list[np.ndarray], str]:
        shapes = ((3, 4), (4,), (4, 2), (2,), (2, 2, 3))
        rng = np.random.default_rng(0)
        draws = [rng.normal(size=shape).astype(np.float32) for shape in shapes]
        net = [Parameter(Tensor(draw), name=f"p{i}") for i, draw in enumerate(draws)]
        rates = {"momentum": 0.9} if name == "Momentum" else {}
        optimizer = getattr(nn, name)(net, learning_rate=0.1, **rates)

        def step(x: Tensor) -> Tensor:
            gradients = ms.grad(lambda: sum([(p * p * x).sum() for p in net]), None, net)()
            optimizer(gradients)
            return x

        jitted = ms.jit(step)
        for number in range(6):
            if number == 2:
                net[1].set_data(Tensor(np.full(4, 0.5, np.float32)))
            if number == 4:
                nn.SGD(net[::-1])
            with ms.disable_jit():
                if number % 3 == 1 or not compiled:
                    step(Tensor(0.5))
                    continue
            jitted(Tensor(0.5))
        return [p.asnumpy().copy() for p in net], str(jitted.stages(Tensor(0.5)).program) if compiled else ""

    (found, text), (expected, _) = train(True), train(False)
    assert ".load(" in text
    for mine, right in zip(found, expected, strict=True):
        np.testing.assert_allclose(mine, right, rtol=1e-5, atol=1e-6)


def test_adafactor_of_a_matrix() -> None:
    own = parameter(np.arange(6).reshape(2, 3) / 3)
    optimizer = nn.AdaFactor([own])
    gradients = ([[1.0, -2, 0.5], [0.1, 0.2, 0.3]], [[0.5, 0.5, 0.5], [1, 1, 1]])
    run(optimizer, own, gradients)
    expected = [[-0.001836, 0.3342275, 0.6649215], [0.9978517, 1.3316137, 1.6610459]]
    np.testing.assert_allclose(own.asnumpy(), expected, atol=1e-6)
    np.testing.assert_allclose(optimizer.exp_avg_sq_row[0].asnumpy(), [0.8884763, 0.5942129], rtol=1e-6)


def test_adafactor_with_a_rate() -> None:
    own = parameter(np.arange(6).reshape(2, 3) / 3)
    optimizer = nn.AdaFactor(
        [own], learning_rate=0.1, relative_step=False, scale_parameter=False, weight_decay=0.1, beta1=0.0
    )
    run(optimizer, own, ([[1.0, -2, 0.5], [0.1, 0.2, 0.3]], [[0.5, 0.5, 0.5], [1, 1, 1]]))
    np.testing.assert_allclose(
        own.asnumpy(), [[-0.1213445, 0.3546458, 0.5326695], [0.8042517, 1.1734561, 1.2684095]], atol=1e-6
    )


def test_lamb_scales_the_step_to_the_weights() -> None:
    own = parameter([3.0, -4.0])
    nn.Lamb([own], learning_rate=0.1)((Tensor([1.0, -0.5]),))
    # The first update is the sign of the gradient, of norm sqrt(2); the weights have norm 5.
    np.testing.assert_allclose(own.asnumpy(), [3 - 0.5 / np.sqrt(2), -4 + 0.5 / np.sqrt(2)], rtol=1e-5)


def test_lars_scales_the_gradient_of_layers_only() -> None:
    weight, bias = parameter([3.0, 4.0], "fc.weight"), parameter([1.0], "fc.bias")
    optimizer = nn.LARS(nn.Momentum([weight, bias], 0.1, 0.0), coefficient=0.1, epsilon=1e-5)
    optimizer((Tensor([0.6, 0.8]), Tensor([1.0])))
    np.testing.assert_allclose(weight.asnumpy(), [3 - 0.1 * 0.5 * 0.6, 4 - 0.1 * 0.5 * 0.8], rtol=1e-5)
    np.testing.assert_allclose(bias.asnumpy(), [0.9], rtol=1e-6)


def test_half_precision_parameters_stay_half() -> None:
    own = parameter([1.0, 2.0], dtype=ms.float16)
    optimizer = nn.Adam([own], learning_rate=0.1)
    optimizer((Tensor([1.0, 1.0], ms.float16),))
    assert own.dtype == ms.float16
    assert optimizer.moment1[0].dtype == ms.float16
    np.testing.assert_allclose(own.asnumpy(), [0.9, 1.9], rtol=1e-3)
