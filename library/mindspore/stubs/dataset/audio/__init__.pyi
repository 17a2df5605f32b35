# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.dataset.audio.amplitudes import *
from mycel.library.dataset.audio.choices import *
from mycel.library.dataset.audio.detection import *
from mycel.library.dataset.audio.effects import *
from mycel.library.dataset.audio.filters import *
from mycel.library.dataset.audio.inverses import *
from mycel.library.dataset.audio.spectra import *
from typing import Any
def __getattr__(name: str) -> Any: ...
