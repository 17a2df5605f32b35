"""A user's program for type checkers; `test_types.py` runs them on it.

`# is X` after `reveal_type(...)`: the type that a checker must see. `# error`: a line that it must refuse.
"""

from collections.abc import Callable

import mycel as ms
from mycel import Parameter, Tensor, dataset as ds, nn, ops


class Net(nn.Cell):
    """A network."""

    def __init__(self, width: int = 4) -> None:
        super().__init__()
        self.dense = nn.Dense(3, width)
        self.norm = nn.LayerNorm((width,))
        self.scale = Parameter(Tensor([1.0]), name="scale")

    def construct(self, x: Tensor, steps: int = 1) -> Tensor:
        """The output of the network."""
        for _ in range(steps):
            x = self.norm(self.dense(x))
        return ops.relu(x) * self.scale


class Compiled(nn.Cell):
    """A Cell whose methods are compiled."""

    @ms.jit
    def construct(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """Two tensors."""
        return x, self.twice(x)

    @ms.jit(fullgraph=True)
    def twice(self, x: Tensor) -> Tensor:
        """Twice the tensor."""
        return x + x


net = Net()
x = Tensor([[1.0, 2.0, 3.0]])
y = net(x)

# Tensors: operators, properties, methods
reveal_type(y)  # is Tensor
reveal_type(x + 1)  # is Tensor
reveal_type(1 - x)  # is Tensor
reveal_type(-x @ x.T)  # is Tensor
reveal_type(x == 1)  # is Tensor
reveal_type(x[0, 1:])  # is Tensor
reveal_type(x.shape)  # is tuple[int, ...]
reveal_type(x.ndim)  # is int
reveal_type(x.dtype)  # is DType
reveal_type(x.reshape(3, 1))  # is Tensor
reveal_type(x.sum(axis=0).tanh())  # is Tensor
reveal_type(x.astype(ms.float16))  # is Tensor
reveal_type(x.sort())  # is tuple[Tensor, Tensor]
reveal_type(len(x))  # is int
y.foo  # error
x.reshap(3, 1)  # error
x.sum(axes=0)  # error
x + x.shape.size  # error

# Functions
reveal_type(ops.tanh(x))  # is Tensor
reveal_type(ops.matmul(x, x.T))  # is Tensor
reveal_type(ops.zeros((2, 3), ms.float32))  # is Tensor
reveal_type(ops.split(x, 1))  # is tuple[Tensor, ...]
reveal_type(ops.Concat(axis=1))  # is Concat
reveal_type(ops.Concat(axis=1)((x, x)))  # is Tensor
reveal_type(ms.mint.tanh(x))  # is Tensor
reveal_type(ms.numpy.tanh(x))  # is Tensor
ops.tahn(x)  # error
ops.tanh()  # error
ops.tanh("x")  # error
ops.Concat(axes=1)  # error

# Cells
reveal_type(net(x, 2))  # is Tensor
reveal_type(net(x, steps=2))  # is Tensor
reveal_type(nn.Dense(3, 4)(x))  # is Tensor
reveal_type(nn.CrossEntropyLoss()(y, x))  # is Tensor
reveal_type(ms.mint.nn.Tanh()(x))  # is Tensor
reveal_type(net.trainable_params())  # is list[Parameter]
reveal_type(net.dense)  # is Dense
reveal_type(Compiled()(x))  # is tuple[Tensor, Tensor]
reveal_type(Compiled().twice(x))  # is Tensor
nn.Conv2D(1, 2)  # error
nn.Dense(3)  # error
net("x")  # error
net()  # error
net(x, step=2)  # error
Compiled().twice(3)  # error


# Compiled functions keep their signatures
@ms.jit
def power(base: Tensor, exponent: int = 2) -> Tensor:
    """The power of a tensor."""
    return base**exponent


@ms.jit(jit_level="O1")
def both(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    """The sum and the product."""
    return a + b, a * b


reveal_type(power(x))  # is Tensor
reveal_type(power(x, exponent=3))  # is Tensor
reveal_type(power.stages(x))  # is Stages
reveal_type(power.explain())  # is Explanation
reveal_type(both(x, x))  # is tuple[Tensor, Tensor]
reveal_type(ms.jit(net)(x))  # is Tensor
power("x")  # error
power(x, 2, 3)  # error
power(x).foo  # error
ms.jit(memory_limit=2.5)  # error


# Gradients
def loss_of(x: Tensor, label: Tensor) -> tuple[Tensor, Tensor]:
    """The loss and the network's result."""
    logits = net(x)
    return nn.MSELoss()(logits, label), logits


def of_tree(weights: dict[str, Tensor], x: Tensor) -> Tensor:
    """A function of a container."""
    return (weights["a"] * x).sum()


reveal_type(ms.grad(loss_of)(x, y))  # is Tensor
reveal_type(ms.grad(loss_of, 1)(x, y))  # is Tensor
reveal_type(ms.grad(loss_of, (0, 1))(x, y))  # is tuple[Tensor, Tensor]
reveal_type(ms.grad(of_tree)({"a": x}, x))  # is dict[str, Tensor]
reveal_type(ms.grad(net)(x))  # is Tensor
optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.1, momentum=0.9)
step = ms.value_and_grad(loss_of, None, optimizer.parameters, has_aux=True)
(loss, logits), gradients = step(x, y)
reveal_type(loss)  # is Tensor
reveal_type(gradients)  # is tuple[Tensor, ...]
reveal_type(step.stages(x, y))  # is Stages
step(x)  # error
ms.grad(loss_of)(x, "label")  # error
ms.grad(3)  # error

# Training, data and files
model = ms.Model(net, loss_fn=nn.MSELoss(), optimizer=optimizer, metrics={"loss"})
data = ds.GeneratorDataset([(1.0, 2.0)], ["data", "label"]).batch(2)
model.train(1, data, callbacks=[ms.train.LossMonitor()])
ms.save_checkpoint(net, "net.ckpt")
reveal_type(model)  # is Model
reveal_type(ms.load_checkpoint("net.ckpt", net))  # is dict[str, Any]
reveal_type(optimizer)  # is Momentum
reveal_type(ms.float32)  # is DType
reveal_type(net.scale)  # is Parameter
ms.Modle(net)  # error
model.trian(1, data)  # error
ms.save_checkpoint(net)  # error
ms.GRAPH_MOD  # error
ms.set_context(ms.GRAPH_MODE)  # error
nn.Momentum(net.trainable_params(), 0.1)  # error
ds.GeneratorDatset([])  # error

callback: Callable[[Tensor], Tensor] = net
