"""Run the scripts of tests/system/scripts with MindSpore, and write their results to tests/recorded/scripts.json.

Run it with the Python of an environment that has MindSpore 2.10, from a folder outside of the checkout.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import mindspore as ms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "support"))

import training_scripts

if __name__ == "__main__":
    ms.set_context(device_target="CPU")
    results = {name: training_scripts.run(ms, name) for name in training_scripts.SCRIPTS}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(result)}" for name, result in results.items())
    training_scripts.RECORDED.write_text(f"{{{lines}}}\n", encoding="utf-8")
