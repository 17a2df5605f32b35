"""Transformations of text (`mindspore.dataset.text`): vocabularies, tokenizers, and sequences of tokens.

Text is a str, a list of them, or an array of them; offsets count bytes of UTF-8.
"""

from __future__ import annotations

from .tokenizers import (
    BasicTokenizer,
    BertTokenizer,
    PythonTokenizer,
    RegexTokenizer,
    UnicodeCharTokenizer,
    WhitespaceTokenizer,
    WordpieceTokenizer,
)
from .words import (
    AddToken,
    CaseFold,
    Lookup,
    Ngram,
    NormalizeForm,
    NormalizeUTF8,
    RegexReplace,
    SlidingWindow,
    ToNumber,
    Truncate,
    TruncateSequencePair,
    Vocab,
    to_bytes,
    to_str,
)

__all__ = [
    "AddToken", "BasicTokenizer", "BertTokenizer", "CaseFold", "Lookup", "Ngram", "NormalizeForm", "NormalizeUTF8",
    "PythonTokenizer", "RegexReplace", "RegexTokenizer", "SlidingWindow", "ToNumber", "Truncate",
    "TruncateSequencePair", "UnicodeCharTokenizer", "Vocab", "WhitespaceTokenizer", "WordpieceTokenizer", "to_bytes",
    "to_str",
]  # fmt: skip
