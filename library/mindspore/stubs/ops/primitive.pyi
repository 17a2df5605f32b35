# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from mycel.library.ops import *
from mycel import ms_memory_recycle as ms_memory_recycle
from mycel.frontend.api.inlining import (
    Symbol as Symbol, deprecated as deprecated, enable_dynamic as enable_dynamic, lazy_inline as lazy_inline,
    no_inline as no_inline,
)
