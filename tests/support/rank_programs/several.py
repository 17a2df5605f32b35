"""Several programs one after another, each after `+`: to start processes takes longer than most programs."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import mycel as ms

FOLDER = Path(__file__).parent
waiting: list[list[str]] = []
for word in sys.argv[1:]:
    if word == "+":
        waiting.append([])
    else:
        waiting[-1].append(word)

for words in waiting:
    ms.reset_auto_parallel_context()
    ms.set_context(mode=ms.PYNATIVE_MODE)
    sys.argv[:] = words
    runpy.run_path(str(FOLDER / words[0]), run_name="__main__")
