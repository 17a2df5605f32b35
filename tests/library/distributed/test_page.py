"""The program on the page about several processes prints the output on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from ranks import check_ranks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "distributed.md"


PROGRAMS = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", PAGE.read_text("utf-8"), re.S)


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_the_programs_of_the_page(tmp_path: Path, number: int) -> None:
    program, text = PROGRAMS[number]
    file = tmp_path / "train.py"
    file.write_text(program, encoding="utf-8")
    assert check_ranks(2, str(file)) == text
