# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.dataset.text.tokenizers import *
from mycel.library.dataset.text.words import *
from typing import Any
def __getattr__(name: str) -> Any: ...
