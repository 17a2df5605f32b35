"""Train a small CNN on real scanned digits in graph mode, look at what it was compiled to, and compare with eager mode.

python examples/digits.py
"""

import sys
import time
import tracemalloc
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

import mycel as ms
from mycel import Tensor, nn

EPOCHS, BATCH = 14, 64


class Net(nn.Cell):
    """Two convolutions with batch norm and pooling, then two dense layers."""

    def __init__(self):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 16, 3, pad_mode="same"), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2, 2),
            nn.Conv2d(16, 32, 3, pad_mode="same"), nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2, 2),
        )  # fmt: skip
        self.flatten = nn.Flatten()
        self.hidden = nn.Dense(32 * 2 * 2, 64, activation="relu")
        self.out = nn.Dense(64, 10)

    def construct(self, x):
        return self.out(self.hidden(self.flatten(self.features(x))))


def make_step(net, optimizer):
    """One training step: forward, backward, update."""
    loss_fn = nn.CrossEntropyLoss()

    def forward(x, y):
        logits = net(x)
        return loss_fn(logits, y), logits

    gradient = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(x, y):
        (loss, logits), grads = gradient(x, y)
        optimizer(grads)
        return loss, logits

    return step


def load():
    """1,797 scanned digits of 8 x 8 pixels: 1,437 to train on, 360 to test."""
    digits = load_digits()
    order = np.random.default_rng(0).permutation(len(digits.target))
    images = (digits.images / 8.0 - 1.0).astype(np.float32)[order, None]
    labels = digits.target.astype(np.int32)[order]
    return (images[:1437], labels[:1437]), (images[1437:], labels[1437:])


def accuracy(net, images, labels):
    """The share of images that the net gets right."""
    net.set_train(False)
    predictions = net(Tensor(images)).asnumpy().argmax(1)
    net.set_train(True)
    return float((predictions == labels).mean())


def train(net, step, data, test):
    """Train with a line of progress an epoch; the loss of each step, and the test accuracy of each epoch."""
    images, labels = data
    generator = np.random.default_rng(1)
    curve, reached = [], []
    for epoch in range(1, EPOCHS + 1):
        began, losses, order = time.perf_counter(), [], generator.permutation(len(labels))
        for start in range(0, len(labels) - BATCH + 1, BATCH):
            batch = order[start : start + BATCH]
            loss, _ = step(Tensor(images[batch]), Tensor(labels[batch]))
            losses.append(float(loss))
        curve += losses
        reached.append(accuracy(net, *test))
        seconds = time.perf_counter() - began
        told = f"epoch {epoch:2d}  loss {np.mean(losses):.4f}  test accuracy {reached[-1]:.2%}"
        print(f"{told}  {seconds:.2f} s", flush=True)
    return curve, reached


def build():
    """A net, its optimizer and its step."""
    ms.set_seed(0)
    net = Net()
    net.set_train()
    return net, make_step(net, nn.Adam(net.trainable_params(), learning_rate=2e-3))


def draw(net, losses, reached, test):
    """Draw the loss curve, and digits of the test set with what the net takes them for, to digits.png."""
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        print("\nWith matplotlib (pip install matplotlib) the loss curve and some digits are drawn here.")
        return
    images, labels = test
    net.set_train(False)
    taken = net(Tensor(images)).asnumpy().argmax(1)
    net.set_train(True)
    wrong = np.flatnonzero(taken != labels)[:6]
    shown = [*wrong, *np.flatnonzero(taken == labels)[: 24 - len(wrong)]]
    figure = Figure(figsize=(11, 4), layout="constrained")
    left, right = figure.subfigures(1, 2)
    axes = left.add_subplot()
    axes.plot(range(1, len(losses) + 1), losses, alpha=0.7, label="loss")
    axes.set(xlabel="step", ylabel="loss", yscale="log")
    accuracies = axes.twinx()
    every = len(losses) // len(reached)
    accuracies.plot([every * (epoch + 1) for epoch in range(len(reached))], reached, "o-", color="tab:green")
    accuracies.set_ylabel("test accuracy", color="tab:green")
    for position, index in enumerate(shown):
        axes = right.add_subplot(4, 6, position + 1)
        axes.imshow(images[index, 0], cmap="gray_r")
        right_one = taken[index] == labels[index]
        title = str(taken[index]) if right_one else f"{taken[index]}, not {labels[index]}"
        axes.set_title(title, fontsize=9, color="tab:green" if right_one else "tab:red")
        axes.axis("off")
    path = Path("digits.png")
    figure.savefig(path)
    print(f"\nThe loss curve and {len(shown)} digits with predictions, the wrong ones first, are in {path.resolve()}")


def show_stages(step, x, y):
    """Show a glimpse of each stage of the compiled step, and write the page that has all of them."""
    stages = step.stages(x, y)
    print("\nWhat the step was compiled to:")
    for stage, text in stages.items():
        lines = text.splitlines()
        print(f"\n{stage}  ({len(lines)} lines)")
        first = next((n for n, line in enumerate(lines) if line.startswith(("    def ", "buffer"))), 0)
        for line in lines[first : first + 4]:
            print("    " + (line if len(line) < 110 else line[:107] + "..."))
    page = stages.save("digits.html", step.profile(x, y))
    print(f"\nAll of it, with the source beside it, is in {page.resolve()}: open it in a browser.")


def peak_bytes(call):
    """The most memory that one call takes."""
    tracemalloc.start()
    call()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def compare(x, y, calls=15):
    """The same step in graph and in eager mode, in a table; the two take turns."""
    graph_step, eager_step = ms.jit(build()[1]), build()[1]

    def graph():
        graph_step(x, y)

    def eager():
        with ms.disable_jit():
            eager_step(x, y)

    modes, times = {"graph": graph, "eager": eager}, {"graph": [], "eager": []}
    for _ in range(calls):
        for mode, call in modes.items():
            began = time.perf_counter()
            call()
            times[mode].append((time.perf_counter() - began) * 1e3)
    first = {mode: measured[0] for mode, measured in times.items()}
    median = {mode: float(np.median(measured[1:])) for mode, measured in times.items()}
    peak = {mode: peak_bytes(call) / 2**20 for mode, call in modes.items()}
    peak["graph"] += graph_step.stages(x, y).plan.nbytes / 2**20  # the arena was there before the call
    print(f"\n{'':24s}{'graph':>12s}{'eager':>12s}{'eager / graph':>16s}")
    for what, row, unit in (("time of a step", median, "ms"), ("peak memory of a step", peak, "MB")):
        print(f"{what:24s}{row['graph']:9.2f} {unit}{row['eager']:9.2f} {unit}{row['eager'] / row['graph']:16.1f}")
    print(f"{'first call':24s}{first['graph']:9.0f} ms{first['eager']:9.0f} ms")
    print(f"{'of which compiling':24s}{graph_step.explain().traces[0].seconds * 1e3:9.0f} ms{'-':>12s}")


def main():
    """Train, show, compare; the exit status says whether the accuracy was reached."""
    began = time.perf_counter()
    ms.set_context(mode=ms.GRAPH_MODE)
    data, test = load()
    net, step = build()
    step = ms.jit(step)
    losses, reached = train(net, step, data, test)
    print(f"trained in {time.perf_counter() - began:.1f} s")
    x, y = Tensor(data[0][:BATCH]), Tensor(data[1][:BATCH])
    draw(net, losses, reached, test)
    show_stages(step, x, y)
    compare(x, y)
    return 0 if reached[-1] >= 0.97 else 1


if __name__ == "__main__":
    sys.exit(main())
