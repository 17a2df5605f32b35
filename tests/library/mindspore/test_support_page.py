"""The page that lists which names of MindSpore mycel has (`tools/support.py`)."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import mycel as ms

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "support.md").read_text("utf-8")


def test_the_page_is_fresh() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "support.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, f"run `make stubs`:\n{run.stdout}{run.stderr}"


def section(title: str) -> str:
    """The page's section on one module."""
    return PAGE.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_what_it_says_holds(as_without_mindspore: None) -> None:
    """Names that the page calls refused raise when they are used; names that it calls supported are mycel's."""
    ms.install_as_mindspore()
    import mindspore

    refused = re.findall(r"`(\w+)`", section("mindspore.mint").split("Refused when used:")[1])
    assert "npu_gelu" in refused
    with pytest.raises(NotImplementedError, match="npu_gelu"):
        mindspore.mint.npu_gelu()
    supported = re.findall(r"^\| `(\w+)` \| \S", section("mindspore.nn"), re.M)
    assert len(supported) > 200
    assert {"Dense", "LSTM", "Adam"} <= set(supported)
    assert [name for name in supported if not hasattr(mindspore.nn, name)] == []


def test_the_counts_are_those_of_the_tables() -> None:
    counts = re.findall(r"^\| \[`([\w.]+)`\]\(#\w+\) \| (\d+) \| (\d+) \|$", PAGE, re.M)
    assert len(counts) > 20
    for title, supported, refused in counts:
        table, _, rest = section(title).partition("Refused when used:")
        assert len(re.findall(r"^\| `", table, re.M)) == int(supported)
        assert len(re.findall(r"`\w+`", rest)) == int(refused)
