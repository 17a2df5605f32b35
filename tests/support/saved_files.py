"""Checkpoints for tests: their tensors, and short ways to write and read them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mycel as ms
from mycel import Tensor

posix = pytest.mark.skipif(sys.platform == "win32", reason="locks and modes of files")
FORMATS = ("ckpt", "safetensors")


def values() -> dict[str, Tensor]:
    return {
        "w": Tensor(np.arange(6, dtype=np.float32).reshape(2, 3)), "n": Tensor(np.array(3)),
        "b": Tensor(np.array([True, False])), "e": Tensor(np.zeros((0, 2), np.float64)),
    }  # fmt: skip


def saved(path: Path, **options: Any) -> bytes:
    ms.save_checkpoint(values(), path, **options)
    return path.read_bytes()


def loads(path: Path, raw: bytes, **options: Any) -> dict[str, Any]:
    path.write_bytes(raw)
    return ms.load_checkpoint(path, format=path.suffix[1:], **options)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())
