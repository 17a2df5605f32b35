"""The program on the page about several processes prints the output on the page."""

from __future__ import annotations

import re
from pathlib import Path

from ranks import check_ranks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "distributed.md"


def test_the_program_of_the_page(tmp_path: Path) -> None:
    program, text = re.search(r"```python\n(.*?)```\n+```text\n(.*?)```", PAGE.read_text("utf-8"), re.S).groups()  # type: ignore[union-attr]
    file = tmp_path / "train.py"
    file.write_text(program, encoding="utf-8")
    assert check_ranks(2, str(file)) == text
