"""Cells with everything that a research repository does to them.

Hooks, custom derivatives, tied Parameters, buffers, cells that are inserted and replaced, arguments by keyword and with
defaults, recomputation, a function outside of graphs, and state that is saved and loaded.
"""

import os
import tempfile
from functools import partial

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import initializer


class RoundSTE(nn.Cell):
    def construct(self, x):
        return ops.round(x * 8) / 8

    def bprop(self, x, out, dout):
        return (ops.where(ops.abs(x) <= 2, dout, ops.zeros_like(dout)),)


class TiedHead(nn.Cell):
    def __init__(self, embedding):
        super().__init__()
        self.weight = embedding.embedding_table
        self.bias = Parameter(initializer("zeros", (embedding.vocab_size,)), name="bias")
        self.matmul = ops.MatMul(transpose_b=True)

    def construct(self, x):
        return ops.bias_add(self.matmul(x.reshape(-1, x.shape[-1]), self.weight), self.bias)


class Layer(nn.Cell):
    def __init__(self, dim, index):
        super().__init__()
        self.index = index
        self.norm = nn.LayerNorm([dim], epsilon=1e-5)
        self.mlp = nn.SequentialCell(nn.Dense(dim, 2 * dim), nn.GELU(approximate=False), nn.Dense(2 * dim, dim))
        self.gate = Parameter(Tensor([0.5] * dim, ms.float32), name="gate", layerwise_parallel=False)
        self.insert_child_to_cell("quantize", RoundSTE())

    def construct(self, x, scale=1.0, *, residual=True, cache=None):
        y = self.quantize(self.mlp(self.norm(x))) * self.gate * scale
        if cache is not None:
            y = y + 0.1 * cache
        if residual:
            y = x + y
        return y, ops.stop_gradient(y)

    def extend_repr(self):
        return f"index={self.index}"


class Net(nn.Cell):
    def __init__(self, vocab=11, dim=4, depth=2):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.layers = nn.CellList([Layer(dim, i) for i in range(depth)])
        self.experts = nn.CellDict([["first", nn.Dense(dim, dim)], ["second", nn.Dense(dim, dim, has_bias=False)]])
        self.head = TiedHead(self.embedding)
        self.register_buffer("scale", Tensor(np.linspace(0.5, 1.5, dim), ms.float32))
        self.register_buffer("calls", Tensor(0, ms.int32), persistent=False)
        self.steps = Parameter(Tensor(0, ms.int32), name="steps", requires_grad=False)

    def construct(self, ids, *extras, expert="first", **options):
        x = self.embedding(ids) * self.scale
        cache = None
        for layer in self.layers:
            x, cache = layer(x, cache=cache, **options)
        x = x + self.experts[expert](x)
        for extra in extras:
            x = x + extra
        self.steps += 1
        return self.head(x)


def flat_loss(logits, labels):
    return ops.cross_entropy(logits, labels.reshape(-1))


def rotate(values):
    return np.roll(values, 1, axis=-1) * 2


class WithPython(nn.Cell):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.log = []

    def construct(self, ids, labels, expert):
        logits = self.net(ids, expert=expert, scale=0.5, residual=True)
        loss = ops.cross_entropy(logits, labels.reshape(-1))
        penalty = sum([(p**2).sum() for p in self.net.experts.trainable_params()])
        return loss + 0.01 * penalty, logits


def record(store, key, cell_or_id, grad_input=None, grad_output=None):
    store.append([key, [list(g.shape) for g in (grad_output or ()) if g is not None]])


def main(initialize):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    rng, out = np.random.RandomState(5), []
    net = Net()
    initialize(net)
    names = [p.name for p in net.get_parameters()]
    shared = net.head.weight is net.embedding.embedding_table
    out.append([names, len(net.trainable_params()), shared, list(dict(net.named_buffers())), str(net.layers[1])[:14]])

    calls = []

    def forward_pre(cell, inputs):
        calls.append(["pre", type(cell).__name__, len(inputs)])
        return inputs[0] * 1.0

    def forward(cell, inputs, output):
        calls.append(["post", list(output.shape)])
        return output * 2.0

    def backward(cell, grad_input, grad_output):
        calls.append(["back", [list(g.shape) for g in grad_input], round(float(grad_output[0].abs().sum()), 4)])
        return (grad_input[0] * 0.5,)

    handles = [
        net.layers[0].mlp[0].register_forward_pre_hook(forward_pre),
        net.layers[0].mlp[0].register_forward_hook(forward),
        net.experts["first"].register_backward_hook(backward),
    ]
    model = WithPython(net).set_train()
    optimizer = nn.Adagrad(
        [
            {"params": [p for p in net.trainable_params() if "experts" in p.name], "lr": 0.02},
            {"params": [p for p in net.trainable_params() if "experts" not in p.name]},
        ],
        learning_rate=0.1,
    )
    grad_fn = ms.value_and_grad(model, None, optimizer.parameters, has_aux=True)
    for index in range(4):
        if index == 2:
            for handle in handles:
                handle.remove()
        ids, labels = Tensor(rng.randint(0, 11, (2, 3)), ms.int32), Tensor(rng.randint(0, 11, (2, 3)), ms.int32)
        (loss, logits), grads = grad_fn(ids, labels, "first" if index % 2 == 0 else "second")
        optimizer(grads)
        norms = [float(g.norm()) for g in grads]
        out.append([float(loss), float(logits.std()), norms])
    out.append([calls, int(net.steps)])

    ms.set_context(mode=ms.GRAPH_MODE)
    for layer in net.layers:
        layer.recompute()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, flat_loss),
        nn.Rprop([p for p in net.trainable_params() if "second" not in p.name], 0.01),
    ).set_train()
    for _ in range(3):
        ids, labels = Tensor(rng.randint(0, 11, (2, 3)), ms.int32), Tensor(rng.randint(0, 11, (2, 3)), ms.int32)
        out.append(float(step(ids, labels)))
    out.append(int(net.steps))

    ms.set_context(mode=ms.PYNATIVE_MODE)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "net.ckpt")
        ms.save_checkpoint(net, file, choice_func=lambda name: not name.startswith("experts"), append_dict={"lr": 0.1})
        other = Net()
        left, unused = ms.load_param_into_net(other, ms.load_checkpoint(file, filter_prefix="head.bias"))
        out.append([sorted(left), unused, int(other.steps)])

    seen = []
    unhook = ops.HookBackward(
        lambda grad: seen.append(list(grad[0].shape) if isinstance(grad, tuple) else list(grad.shape))
    )

    def probe(x):
        y = unhook(x * 3)
        return (y * y).sum()

    out.append([ms.grad(probe)(Tensor([1.0, 2.0])).asnumpy().tolist(), seen])
    function = ops.Custom(rotate, lambda x: x, lambda x: x, func_type="pyfunc")
    out.append(function(Tensor([1.0, 2.0, 3.0])).asnumpy().tolist())
    inner = partial(net.layers[0], scale=2.0)
    x = Tensor(rng.rand(1, 4), ms.float32)
    out.append(inner(x, residual=False)[0].asnumpy().tolist())
    copied = {k: v.asnumpy().sum().item() for k, v in net.parameters_dict().items()}
    out.append(copied)
    return out
