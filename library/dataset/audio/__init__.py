"""Transformations of sound (`mindspore.dataset.audio`): waveforms (..., time) and spectrograms (..., freq, time)."""

from __future__ import annotations

from .amplitudes import *  # noqa: F403
from .choices import *  # noqa: F403
from .detection import *  # noqa: F403
from .effects import *  # noqa: F403
from .filters import *  # noqa: F403
from .inverses import *  # noqa: F403
from .spectra import *  # noqa: F403
