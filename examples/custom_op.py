"""An operation with a gradient of its own: a Cell with `bprop`. A network with binary weights learns digits.

The derivative of sign() is zero, so a network with it cannot learn. The usual way out: the backward pass takes another
function in its place. The second operation counts bits in NumPy, which the compiler knows nothing about.

python examples/custom_op.py
"""

import numpy as np
from sklearn.datasets import load_digits

import mycel as ms
from mycel import Parameter, Tensor, nn, ops

EPOCHS, BATCH = 10, 128


class Sign(nn.Cell):
    """1 or -1. The gradient passes where the input is between -1 and 1, as if this were a hard tanh."""

    def construct(self, x):
        return ops.where(x < 0, -1.0, 1.0)

    def bprop(self, x, out, dout):
        return (ops.where(ops.abs(x) <= 1, dout, 0.0),)


class BinaryDense(nn.Cell):
    """A dense layer that computes with the signs of its weights; the weights themselves are trained."""

    def __init__(self, inputs, outputs):
        super().__init__()
        start = np.random.default_rng(inputs).uniform(-1, 1, (inputs, outputs)).astype(np.float32)
        self.weight, self.sign = Parameter(Tensor(start), name="weight"), Sign()
        self.norm = nn.BatchNorm1d(outputs)

    def construct(self, x):
        return self.norm(x @ self.sign(self.weight))


def check_gradient():
    """Without a bprop of its own the gradient of a sign is zero; with it it is not."""
    x = Tensor([-2.0, -0.5, 0.5, 2.0])
    print("gradient of where:", ms.grad(lambda x: ops.where(x < 0, -1.0, 1.0).sum())(x))
    print("gradient of Sign: ", ms.grad(lambda x: Sign()(x).sum())(x))


def main():
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(0)
    check_gradient()
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = (digits.data / 8.0 - 1.0).astype(np.float32)[order]
    labels = digits.target.astype(np.int32)[order]

    net = nn.SequentialCell(BinaryDense(64, 128), Sign(), BinaryDense(128, 10))
    net.set_train()
    loss_fn = nn.CrossEntropyLoss()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss_fn), nn.Adam(net.trainable_params(), learning_rate=0.01))
    for epoch in range(1, EPOCHS + 1):
        losses = [
            float(step(Tensor(images[start : start + BATCH]), Tensor(labels[start : start + BATCH])))
            for start in range(0, 1437 - BATCH + 1, BATCH)
        ]
        if epoch == 1 or epoch % 5 == 0:
            print(f"epoch {epoch:2d}  loss {np.mean(losses):.3f}")

    net.set_train(False)
    guesses = net(Tensor(images[1437:])).asnumpy().argmax(1)
    print(f"test accuracy with weights of one bit: {np.mean(guesses == labels[1437:]):.2%}")


if __name__ == "__main__":
    main()
