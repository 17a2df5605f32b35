"""Small programs of many kinds, beside the workloads: the breadth on which frameworks are compared.

Each kind is a folder of `kinds/`: `inputs.py` has a record for each program, and `in_mycel.py`, `in_jax.py` and
`in_torch.py` have a function for each, under the same name. A program is called `KIND/NAME`.

    python benchmarks/peers.py --kind stencils     # all programs of a kind
    python benchmarks/peers.py --only stencils/blur
"""

from __future__ import annotations

import argparse
import importlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent / "kinds"
KINDS = tuple(sorted(path.parent.name for path in FOLDER.glob("*/inputs.py")))


@dataclass(frozen=True)
class Program:
    """A program, the same one in each framework.

    Attributes:
        about: what it computes, and on how many elements.
        arrays: makes the inputs with a generator of random numbers: float32 or float64, and int32 for indices.
        gradients: with a number, the function returns one number, or a tuple whose first item is one. Its value is
            measured with its gradients by the first so many inputs; 0: the value alone. Without one, the function
            builds the step: `NAME()`, or in PyTorch `NAME(compiled)`, as in `workloads_*.py`.
        weights: makes the initial weights of a step that trains.
    """

    about: str
    arrays: Callable[[np.random.Generator], list[np.ndarray]]
    gradients: int | None = 1
    weights: Callable[[np.random.Generator], list[np.ndarray]] | None = None


def normal(*shapes: tuple[int, ...]) -> Callable[[np.random.Generator], list[np.ndarray]]:
    """Makes normal float32 numbers of these shapes."""
    return lambda generator: [generator.standard_normal(shape).astype(np.float32) for shape in shapes]


def names(kind: str) -> list[str]:
    """The programs of a kind."""
    return [f"{kind}/{name}" for name in importlib.import_module(f"kinds.{kind}.inputs").PROGRAMS]


def find(name: str) -> Program:
    """The program `KIND/NAME`."""
    kind, _, own = name.partition("/")
    program: Program = importlib.import_module(f"kinds.{kind}.inputs").PROGRAMS[own]
    return program


def function(name: str, framework: str) -> Callable[..., Any]:
    """What a framework's file of the kind has under the program's name."""
    kind, _, own = name.partition("/")
    found: Callable[..., Any] = getattr(importlib.import_module(f"kinds.{kind}.in_{framework}"), own)
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options that choose workloads and programs."""
    parser.add_argument(
        "--only", action="append", default=[], metavar="WORKLOAD",
        help="only this workload, or program KIND/NAME; repeatable",
    )  # fmt: skip
    parser.add_argument(
        "--kind", action="append", default=[], choices=[*KINDS, "all"],
        help="the programs of a kind, instead of the workloads; repeatable",
    )  # fmt: skip


def chosen(parser: argparse.ArgumentParser, options: argparse.Namespace, workloads: Iterable[str]) -> list[str]:
    """The workloads and programs that the options choose; without any, all workloads."""
    kinds = KINDS if "all" in options.kind else options.kind
    known = [*workloads, *(name for kind in KINDS for name in names(kind))]
    for name in options.only:
        if name not in known:
            parser.error(f"there is no workload '{name}'; there are {', '.join(known)}")
    return [*options.only, *(name for kind in kinds for name in names(kind))] or list(workloads)
