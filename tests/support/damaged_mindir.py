"""Changes MINDIR files field by field, loads them and runs the results. It is started in a child process.

`python damaged_mindir.py FOLDER SEED COUNT` changes the recorded files COUNT times and prints what happened as JSON.
Each file is refused in one of the two documented ways, or is a network that runs, or raises an error about the
operation or the input. Nothing else may happen, and nothing may take long.
"""

from __future__ import annotations

import copy
import json
import random
import sys
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
from damaged_models import ALLOWED, MEMORY, leaves, limited

import mycel as ms
from mycel import Tensor, nn
from mycel.library.saving.mindir import OPERATIONS
from mycel.library.saving.wire import CorruptFile, bytes_field, fields, varint

RECORDED = Path(__file__).resolve().parents[1] / "recorded" / "mindir"
NUMBERS = (0, 1, 2, 3, 4, 7, 16, 17, 32, 43, 100, 65536, 1 << 31, 1 << 40, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
TEXTS = (b"", b"x", b"None", b"../../x", b"__import__('os')", b"a\nb", b"\xff\xfe", b"a\0b", b"class", b"REF::nowhere",
         b"Constant", b"y" * 3000)  # fmt: skip

Field = tuple[int, Any]  # number, and an int, bytes or a list of fields


def tree(content: memoryview, depth: int = 0) -> list[Field] | None:
    """The fields of a message, recursively; None for bytes that are no message."""
    try:
        found: list[Field] = []
        for number, value in fields(content):
            if isinstance(value, int):
                found.append((number, value))
                continue
            inner = tree(value, depth + 1) if depth < 8 and 1 < len(value) < 100_000 else None
            plain = bytes(value)
            text = plain.isascii() and plain.decode("ascii").isprintable()
            found.append((number, inner if inner and not text else plain))
        return found
    except (CorruptFile, ValueError, IndexError):
        return None


def packed(message: list[Field]) -> bytes:
    """The bytes of a message."""
    parts = []
    for number, value in message:
        if isinstance(value, int):
            parts.append(varint(number << 3) + varint(value))
        else:
            parts.append(bytes_field(number, packed(value) if isinstance(value, list) else value))
    return b"".join(parts)


def messages(message: list[Field]) -> list[list[Field]]:
    """A message and all inside of it."""
    found = [message]
    for _, value in message:
        if isinstance(value, list):
            found += messages(value)
    return found


def changed(message: list[Field], rng: random.Random) -> None:
    """Change one field somewhere."""
    everything = messages(message)
    inside = rng.choice(everything)
    if not inside:
        return
    at = rng.randrange(len(inside))
    number, value = inside[at]
    how = rng.randrange(10)
    if how == 0:
        del inside[at]
    elif how == 1:
        inside.insert(rng.randrange(len(inside) + 1), copy.deepcopy(inside[at]))
    elif how == 2:
        other = rng.choice(rng.choice(everything) or [inside[at]])
        inside[at] = (number, copy.deepcopy(other[1]))
    elif how == 3:
        inside[at] = (rng.choice((*range(1, 19), 100)), value)
    elif isinstance(value, int):
        inside[at] = (number, rng.choice((*NUMBERS, value + 1, max(value - 1, 0), value ^ (1 << rng.randrange(20)))))
    elif isinstance(value, bytes):
        names = [each for part in everything for _, each in part if isinstance(each, bytes) and len(each) < 80]
        operations = [name.encode() for name in OPERATIONS]
        inside[at] = (number, rng.choice((*TEXTS, rng.choice(names), rng.choice(names), rng.choice(operations))))
    elif value:
        changed(value, rng)


def run(path: Path, x: Tensor) -> str:
    """The fate of a file. Raises if it is not an allowed one."""
    try:
        with limited():
            loaded = ms.load(str(path))
    except (ms.DamagedFileError, NotImplementedError) as error:
        return type(error).__name__ if path.name in str(error) else "refused without the file's name"
    outcome = "ran"
    for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        try:
            with limited(), warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for tensor in leaves(nn.GraphCell(loaded)(x)):
                    tensor.asnumpy().tobytes()
        except (*ALLOWED, NotImplementedError, ms.DamagedFileError) as error:
            outcome = type(error).__name__
    return outcome


def main(folder: Path, seed: int, count: int) -> None:
    """Change, load and run."""
    rng, outcomes = random.Random(seed), Counter[str]()
    wholes = [(name, (RECORDED / f"{name}.mindir").read_bytes()) for name in ("attention", "conv", "plain")]
    inputs = {name: Tensor(np.load(RECORDED / f"{name}.npz")["x"]) for name, _ in wholes}
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except ImportError:
        pass
    path = folder / "changed.mindir"
    for _ in range(count):
        name, whole = rng.choice(wholes)
        message = tree(memoryview(whole)) or []
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            changed(message, rng)
        path.write_bytes(packed(message))
        try:
            outcomes[run(path, inputs[name])] += 1
        except BaseException:
            (folder / "bad.mindir").write_bytes(path.read_bytes())
            raise
    print(json.dumps(outcomes))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
