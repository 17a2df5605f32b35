"""How the scripts of tests/system/scripts run: with mycel or with MindSpore, whatever `import mindspore` means.

A script has `main(initialize)`. It trains from the numbers that `initialize` gives a network, and returns its results.
"""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

FOLDER = Path(__file__).resolve().parent.parent / "system" / "scripts"
RECORDED = Path(__file__).resolve().parent.parent / "recorded" / "scripts.json"
SCRIPTS = sorted(file.stem for file in FOLDER.glob("*.py"))


def run(ms: Any, name: str) -> Any:
    """The results of a script, as they come out of a file."""

    def initialize(net: Any) -> None:
        for count, parameter in enumerate(net.trainable_params()):
            values = 0.3 * np.cos(np.arange(parameter.size) * 1.7 + count)
            parameter.set_data(ms.Tensor(values.reshape(parameter.shape), parameter.dtype))

    spec = importlib.util.spec_from_file_location(f"scripts_{name}", FOLDER / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return json.loads(json.dumps(module.main(initialize)))
