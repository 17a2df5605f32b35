"""Changes exported networks at random, loads them and runs the results. It is started in a child process.

`python damaged_models.py FOLDER SEED COUNT` writes networks into the folder, changes their files COUNT times, and
prints what happened as JSON. A changed file is refused with DamagedFileError, or it is a network that runs: its results
have the types that its graph says, or an error in the user's terms is raised. Nothing else may happen.
"""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import signal
import sys
import warnings
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mycel as ms
from mycel import Parameter, Tensor, nn, ops
from mycel.compiler.ir.parser import TOKEN
from mycel.compiler.ops import OPS

SECONDS = 3  # that one network may run; a loop that was changed may never end
MEMORY = 6 << 30  # bytes of address space: a network may ask for any tensor

# What may come of a run, besides results.
ALLOWED = (ValueError, TypeError, IndexError, ArithmeticError, MemoryError, AssertionError, ms.GraphError, TimeoutError)


class Looped(nn.Cell):
    """A counted loop that machine code runs, a weight, and state."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.linspace(0, 1, size).astype(np.float32)), name="w")
        self.calls = Parameter(Tensor(np.zeros((), np.float32)), name="calls", requires_grad=False)

    def construct(self, x: Tensor) -> Tensor:
        i = Tensor(0)
        while i < 40:
            x = ops.tanh(x * self.w) + 1.0
            i = i + 1
        self.calls += 1
        return x


class Images(nn.Cell):
    """Convolution, state, random numbers."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.pool = nn.MaxPool2d(2, 2)
        self.fc = nn.Dense(8, 3)
        self.drop = nn.Dropout(p=0.5)

    def construct(self, x: Tensor) -> Tensor:
        y = self.pool(ops.relu(self.bn(self.conv(x))))
        return ops.softmax(self.drop(self.fc(y.reshape(x.shape[0], -1))))


def branches(x: Tensor, n: Tensor) -> Any:
    """Both kinds of control flow that only the run decides, and loops in loops."""
    z = x * 2 if x.sum() > 0 else x - 1
    while n < 5:
        z = z + ops.exp(-z * z)
        k = Tensor(0)
        while k < n:
            z = ops.sin(z)
            k = k + 1
        n = n + 1
    return z, {"n": n, "more": [z.mean(), (1, "text", 2.5, None)]}


def picks(x: Tensor, at: Tensor) -> Any:
    """Gathers, scatters, slices, sorts: ops that read at positions."""
    x = x + 1.0  # the caller keeps its own
    rows = ops.gather(x, at, 0)
    x[1:3] = rows[0:2] * 2
    best, where = ops.topk(x, 2)
    padded = ops.pad(x, (1, 2))
    return (
        rows,
        ops.cumsum(x, 1),
        best,
        where,
        x[at, at],
        padded[::2, 1:-1],
        ops.one_hot(at, 6, Tensor(1.0), Tensor(0.0)),
    )


def rows(x: Tensor, y: Tensor) -> Any:
    """Reductions and products that fuse to groups and kernels."""
    e = ops.exp(x - x.max(axis=1, keepdims=True))
    soft = e / e.sum(axis=1, keepdims=True)
    return (
        soft @ y,
        ops.layer_norm(soft, (16,), ops.ones(16), ops.zeros(16))[0],
        soft.argmax(axis=1),
        ops.erf(x).mean(0),
    )


def acts(x: Tensor) -> Tensor:
    """Effects."""
    print("x is", x)
    assert x.sum() > -1e6, "too small"
    return x + ops.standard_normal((4, 4))


def slope(x: Tensor, y: Tensor) -> Any:
    """A gradient through a loop."""

    def loss(x: Tensor, y: Tensor) -> Tensor:
        for _ in range(6):
            x = ops.tanh(x @ y)
        return (x * x).sum()

    return ms.grad(loss, (0, 1))(x, y)


def numbers(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(len(shape)).normal(size=shape).astype(np.float32))


NETWORKS: dict[str, Callable[[], tuple[Any, tuple[Any, ...]]]] = {
    "looped": lambda: (Looped(3000), (numbers(3000),)),
    "images": lambda: (Images().set_train(True), (numbers(2, 1, 4, 4),)),
    "branches": lambda: (branches, (numbers(7), Tensor(0))),
    "picks": lambda: (picks, (numbers(6, 6), Tensor(np.array([3, 0, 2])))),
    "rows": lambda: (rows, (numbers(64, 16), numbers(16, 8))),
    "acts": lambda: (acts, (numbers(4, 4),)),
    "slope": lambda: (slope, (numbers(8, 8), numbers(8, 8))),
}


def export_all(folder: Path) -> dict[str, dict[str, bytes]]:
    """The members of the file of each network."""
    found = {}
    for name, make in NETWORKS.items():
        net, inputs = make()
        ms.export(net, *inputs, file_name=str(folder / name), file_format="MYCEL")
        with zipfile.ZipFile(folder / f"{name}.mycel") as archive:
            found[name] = {member: archive.read(member) for member in archive.namelist()}
    return found


# Changes

INTERESTING = (
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "16",
    "17",
    "100",
    "65536",
    "1000000",
    "4294967296",
    "-9223372036854775808",
)
VALUES = ("None", "True", "False", "()", "(0,)", "(1, 2)", "'x'", "f32", "1.5", "nan", "inf", "-inf", "?")


def tokens(text: str) -> list[tuple[int, int, str]]:
    """Start, end and kind of the tokens of a graph's text."""
    found, at = [], 0
    while (match := TOKEN.match(text, at)) is not None:
        kind = str(match.lastgroup)
        found.append((match.start(kind), match.end(kind), kind))
        at = match.end()
    return found


def another(text: str, kind: str, old: str, rng: random.Random) -> str:
    """A token to stand for another of its kind."""
    alike = sorted({text[a:b] for a, b, other in tokens(text) if other == kind})
    if kind == "number":
        near = [str(int(old) + step) for step in (-1, 1)] if re.fullmatch(r"-?\d+", old) else []
        return rng.choice([*near, *INTERESTING, *alike])
    if kind == "word":
        return rng.choice([*alike, rng.choice(sorted(OPS)), rng.choice(VALUES)])
    return rng.choice([*alike, *VALUES])


def change_token(text: str, rng: random.Random) -> str:
    a, b, kind = rng.choice([token for token in tokens(text) if token[2] not in ("comment", "mark")])
    return text[:a] + another(text, kind, text[a:b], rng) + text[b:]


def change_everywhere(text: str, rng: random.Random) -> str:
    """One number changed wherever it stands, or in some part of the text only."""
    found = sorted({text[a:b] for a, b, kind in tokens(text) if kind == "number"})
    if not found:
        return text
    old, new = rng.choice(found), rng.choice(INTERESTING)
    cuts = sorted(rng.choices(range(len(text)), k=2)) if rng.random() < 0.6 else [0, len(text)]
    inside = re.sub(rf"(?<![\w.-]){re.escape(old)}(?![\w.])", new, text[cuts[0] : cuts[1]])
    return text[: cuts[0]] + inside + text[cuts[1] :]


def change_lines(text: str, rng: random.Random) -> str:
    lines = text.split("\n")
    at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    how = rng.randrange(3)
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(other, lines[at])
    else:
        lines[at], lines[other] = lines[other], lines[at]
    return "\n".join(lines)


def change_op(text: str, rng: random.Random) -> str:
    places = [(m.start(1), m.end(1)) for m in re.finditer(r"(\w+)\((?=%|\d|\w+=|\))", text)]
    a, b = rng.choice(places)
    return text[:a] + rng.choice(sorted(OPS)) + text[b:]


def change_graph(text: str, rng: random.Random) -> str:
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        text = rng.choice((change_token, change_token, change_everywhere, change_everywhere, change_lines, change_op))(
            text, rng
        )
    return text


def change_model(model: Any, rng: random.Random) -> Any:
    """Another value somewhere in model.json."""
    if isinstance(model, dict) and model and rng.random() < 0.9:
        key = rng.choice(list(model))
        return {**model, key: change_model(model[key], rng)}
    if isinstance(model, list) and model and rng.random() < 0.9:
        at = rng.randrange(len(model))
        part = rng.choice(([], [change_model(model[at], rng)], [model[at], model[at]]))
        return [*model[:at], *part, *model[at + 1 :]]
    return rng.choice(
        (None, True, 0, 1, -1, 5, 1 << 40, 1.5, "", "Float32", "w", [], {}, [1], {"tensor": 0}, {"value": 1})
    )


def change_bytes(data: bytes, rng: random.Random) -> bytes:
    """Bits turned over, bytes cut out, doubled, put in or overwritten."""
    result = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 8))):
        at = rng.randrange(len(result) + 1)
        size = rng.choice((1, 2, 4, 30, 1000))
        how = rng.randrange(6)
        if how == 0:
            result[at : at + 1] = bytes(byte ^ (1 << rng.randrange(8)) for byte in result[at : at + 1])
        elif how == 1:
            del result[at : at + size]
        elif how == 2:
            del result[at:]
        elif how == 3:
            result[at:at] = result[at : at + size]
        elif how == 4:
            result[at:at] = rng.randbytes(size)
        else:
            result[at : at + size] = rng.choice((b"\0", b"\xff", rng.randbytes(1))) * size
        result = result or bytearray(b"x")
    return bytes(result)


def change(content: dict[str, bytes], rng: random.Random) -> dict[str, bytes]:
    """The members of a file with something changed."""
    content = dict(content)
    how = rng.randrange(11)
    if how == 10:
        name = rng.choice(sorted(content))
        content[name] = change_bytes(content[name], rng)
    if how < 7:
        content["graph.ir"] = change_graph(content["graph.ir"].decode(), rng).encode()
    if how == 7:
        content["model.json"] = json.dumps(change_model(json.loads(content["model.json"]), rng)).encode()
    if how in (8, 9):  # one size everywhere, in both
        old = rng.choice(re.findall(r"\d+", content["graph.ir"].decode()))
        new = rng.choice(INTERESTING)
        for name in ("graph.ir", "model.json"):
            text = content[name].decode()
            content[name] = re.sub(rf"(?<![\w.]){old}(?![\w.])", new, text).encode()
    return content


# Runs


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Stops after a time limit, if the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def stop(*_: object) -> None:
        raise TimeoutError("it takes too long")

    signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def build(described: Any) -> Any:
    """An input that is as described."""
    ((kind, content),) = described.items()
    if kind == "tensor":
        return Tensor(
            np.ones(content[1], ms.dtype.dtype_to_nptype(getattr(ms, content[0].lower().replace("bool", "bool_"))))
        )
    if kind in ("tuple", "list"):
        return [build(item) for item in content]
    if kind == "dict":
        return {key: build(item) for key, item in content}
    if kind == "number":
        return ms.mutable({"int": 2, "float": 1.5, "bool": True}[content])
    return float.fromhex(content) if kind == "float" else content


def leaves(value: Any) -> Iterator[Tensor]:
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        yield from leaves(list(value.values()))


def described_tensors(described: Any) -> Iterator[int]:
    ((kind, content),) = described.items()
    if kind == "tensor":
        yield content
    elif kind in ("tuple", "list", "dict"):
        for item in content:
            yield from described_tensors(item[1] if kind == "dict" else item)


def run(file: str) -> str:
    """The fate of a file: "refused", "ran", or the name of the run's error. Raises if it is not an allowed one."""
    try:
        with limited():
            loaded = ms.load(file)
    except ms.DamagedFileError as error:
        return "refused" if file in str(error) else "refused without the file's name"
    outcome = "ran"
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        try:
            with limited(), contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                result = nn.GraphCell(loaded)(*map(build, loaded.inputs))
        except ALLOWED as error:
            outcome = type(error).__name__
            continue
        wanted = [loaded.graph.outputs[position].type for position in described_tensors(loaded.output)]
        for tensor, wants in zip(leaves(result), wanted, strict=True):
            assert tensor.dtype is wants.dtype, f"{tensor.dtype} in place of {wants}"
            assert all(b in (None, a) for a, b in zip(tensor.shape, wants.shape, strict=True)), (
                f"{tensor.shape} for {wants}"
            )
            tensor.asnumpy().tobytes()
    return outcome


def load_damaged(folder: Path, whole: dict[str, bytes], rng: random.Random) -> str:
    """Load a file whose bytes were changed, whatever they are: "refused", or "read" where nothing was lost."""
    name = rng.choice(sorted(whole))
    path = folder / "damaged.mycel"
    path.write_bytes(change_bytes(whole[name], rng))
    try:
        loaded = ms.load(str(path))
    except ms.DamagedFileError as error:
        return "refused" if str(path) in str(error) else "refused without the file's name"
    expected = ms.load(str(folder / f"{name}.mycel"))
    assert str(loaded) == str(expected)
    assert loaded.inputs == expected.inputs
    for left, right in zip(loaded.weights, expected.weights, strict=True):
        np.testing.assert_array_equal(left.asnumpy(), right.asnumpy())
    return "read"


def main(folder: Path, seed: int, count: int) -> None:
    with contextlib.suppress(ImportError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    found = export_all(folder)
    rng = random.Random(seed)
    outcomes: Counter[str] = Counter()
    bad: list[str] = []
    file = str(folder / f"changed{seed}.mycel")
    for number in range(count):
        name = rng.choice(sorted(found))
        content = change(found[name], rng)
        with zipfile.ZipFile(file, "w") as archive:
            for member, data in content.items():
                archive.writestr(member, data)
        try:
            outcomes[run(file)] += 1
        except Exception as error:
            bad.append(f"{number} {name}: {type(error).__name__}: {str(error)[:300]}")
    whole = {name: (folder / f"{name}.mycel").read_bytes() for name in found}
    for number in range(count * 2):
        try:
            outcomes[load_damaged(folder, whole, rng)] += 1
        except Exception as error:
            bad.append(f"bytes {number}: {type(error).__name__}: {str(error)[:300]}")
    print(json.dumps({"outcomes": outcomes, "bad": bad}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
