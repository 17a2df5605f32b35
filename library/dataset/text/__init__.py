"""Transformations of text (`mindspore.dataset.text`): vocabularies, tokenizers, and sequences of tokens.

Text is a str, a list of them, or an array of them; offsets count bytes of UTF-8.
"""

from __future__ import annotations

from . import tokenizers, words
from .tokenizers import *  # noqa: F403
from .words import *  # noqa: F403

__all__: list[str] = []
__all__ += tokenizers.__all__
__all__ += words.__all__
