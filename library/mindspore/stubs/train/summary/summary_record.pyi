# Written by tools/stubs.py: `make stubs` writes it again.
from typing import Any
from mycel.library.reports.summary import (
    SummaryCollector as SummaryCollector, SummaryRecord as SummaryRecord, histogram_value as histogram_value,
    image_value as image_value, png as png, scalar_value as scalar_value, tensor_value as tensor_value,
)

COLLECTED: tuple[Any, ...]
DEFAULT_HISTOGRAMS: int
ELSEWHERE: tuple[Any, ...]
FLOAT32: int
MOST_BINS: int
PLUGINS: tuple[Any, ...]
ROWS_A_BIN: int
VERSION: str
