"""Train the networks of tests/system/networks with MindSpore, and write its results to tests/recorded/networks.

Run it with the Python of an environment that has MindSpore 2.10, from a folder outside of the checkout:

    python CHECKOUT/tools/record_networks.py [NAME ...]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import mindspore as ms
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

import network_training as training


def shake(net: Any) -> None:
    """Move all weights a little, so that no gradient is zero for a bias or a scale that starts at zero."""
    rng = np.random.default_rng(5)
    for parameter in net.trainable_params():
        moved = parameter.asnumpy() + rng.normal(0, 0.05, parameter.shape)
        parameter.set_data(ms.Tensor(moved, parameter.dtype))


def rounded(value: Any) -> Any:
    """Floats with seven digits."""
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [rounded(item) for item in value]
    return float(f"{value:.7g}") if isinstance(value, float) else value


def record(name: str) -> None:
    """Write the checkpoint and the results of a network."""
    ms.set_context(mode=ms.GRAPH_MODE, device_target="CPU")
    ms.set_seed(1)
    np.random.seed(1)
    net, parameters, step, batches = training.load(name).make()
    shake(net)
    training.RECORDED.mkdir(exist_ok=True)
    ms.save_checkpoint(net, str(training.RECORDED / f"{name}.ckpt"))
    results = training.train(ms, net, parameters, step, batches)
    assert np.isfinite(results["losses"]).all()
    text = json.dumps(rounded(results)).replace('], "', '],\n"').replace('}, "', '},\n"')
    (training.RECORDED / f"{name}.json").write_text(text + "\n", encoding="utf-8")
    print(name, results["losses"], flush=True)


if __name__ == "__main__":
    for network in sys.argv[1:] or training.NETWORKS:
        record(network)
