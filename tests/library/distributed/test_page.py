"""The program on the page about several processes prints the output on the page."""

from __future__ import annotations

import re
from pathlib import Path

from ranks import check_ranks

PAGE = Path(__file__).resolve().parents[3] / "docs" / "distributed.md"


PROGRAMS = re.findall(r"```python\n(.*?)```\n+```text\n(.*?)```", PAGE.read_text("utf-8"), re.S)


def test_the_programs_of_the_page(tmp_path: Path) -> None:
    words: list[str] = []
    for number, (program, _) in enumerate(PROGRAMS):
        file = tmp_path / f"train{number}.py"
        file.write_text(program, encoding="utf-8")
        words += ["+", str(file)]
    assert len(PROGRAMS) > 1
    assert check_ranks(2, "several.py", *words) == "".join(text for _, text in PROGRAMS)
