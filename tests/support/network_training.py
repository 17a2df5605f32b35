"""How the networks of tests/system/networks train, with mycel or with MindSpore: whatever `import mindspore` means.

A file of a network defines `make()`. It gives the network, the Parameters that are trained, a function for one step and
the batches as NumPy arrays. A step returns its losses (a tensor, or several) and the gradients of the Parameters.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np

SYSTEM = Path(__file__).resolve().parent.parent / "system"
RECORDED = Path(__file__).resolve().parent.parent / "recorded" / "networks"
NETWORKS = sorted(file.stem for file in (SYSTEM / "networks").glob("*.py"))


def load(name: str) -> Any:
    """The module of a network."""
    spec = importlib.util.spec_from_file_location(f"networks_{name}", SYSTEM / "networks" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def norm(tensor: Any) -> float:
    """The Euclidean norm, in double precision."""
    return float(np.linalg.norm(tensor.asnumpy().astype(np.float64)))


def numbers(losses: Any) -> list[float]:
    """One loss, or several, as numbers."""
    return [float(loss.asnumpy()) for loss in (losses if isinstance(losses, (tuple, list)) else (losses,))]


def train(ms: Any, net: Any, parameters: Any, step: Any, batches: Any) -> dict[str, Any]:
    """The results of the steps: losses, norms of the gradients, and norms of all Parameters at the end."""
    losses, gradients = [], []
    for batch in batches:
        values, slopes = step(*map(ms.Tensor, batch))
        losses.append(numbers(values))
        gradients.append([norm(slope) for slope in slopes])
    names = [parameter.name for parameter in parameters]
    state = {parameter.name: norm(parameter) for parameter in net.get_parameters()}
    return {"losses": losses, "names": names, "gradients": gradients, "state": state}
