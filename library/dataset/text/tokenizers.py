"""Texts cut into tokens."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from ..checks import of_type
from .words import Array, CaseFold, NormalizeForm, NormalizeUTF8, Vocab, text_of, whole

__all__ = [
    "BasicTokenizer", "BertTokenizer", "PythonTokenizer", "RegexTokenizer", "UnicodeCharTokenizer",
    "UnicodeScriptTokenizer", "WhitespaceTokenizer", "WordpieceTokenizer",
]  # fmt: skip

Span = tuple[str, int]  # A token, and where it starts in the text.


class _Tokenizer:
    """A text cut into tokens: an array (tokens,) of str, with offsets also where each starts and ends, in uint32."""

    def __init__(self, with_offsets: bool = False) -> None:
        self.with_offsets = of_type(with_offsets, bool, "with_offsets")

    def __call__(self, text: Any) -> Any:
        return self.tokens(str(text_of(text, self, (0,))))

    def tokens(self, text: str) -> Any:
        """The tokens of one text."""
        text = self.prepared(text)
        return self.result([(token, len(text[:start].encode())) for token, start in self.spans(text)])

    def result(self, found: list[Span], lengths: list[int] | None = None) -> Any:
        """Tokens and the bytes where they start, as arrays; nothing is one empty token."""
        found = found or [("", 0)]
        words, starts = np.array([token for token, _ in found]), np.array([start for _, start in found], np.uint32)
        if not self.with_offsets:
            return words
        sizes = [len(token.encode()) for token, _ in found] if lengths is None else lengths
        return words, starts, starts + np.array(sizes or [0], np.uint32)

    def prepared(self, text: str) -> str:
        """The text that is cut."""
        return text

    def spans(self, text: str) -> Iterable[Span]:
        """The tokens and where they start."""
        raise NotImplementedError(f"{type(self).__name__} should define spans()")


class UnicodeCharTokenizer(_Tokenizer):
    """A text cut into its characters.

    Examples:
        >>> from mycel.dataset import text
        >>> text.UnicodeCharTokenizer()("a b").tolist()
        ['a', ' ', 'b']
    """

    def spans(self, text: str) -> Iterable[Span]:
        """The tokens and where they start."""
        return zip(text, range(len(text)), strict=True)


class WhitespaceTokenizer(_Tokenizer):
    """A text cut at white space.

    Examples:
        >>> from mycel.dataset import text
        >>> text.WhitespaceTokenizer()("a b").tolist()
        ['a', 'b']
    """

    def spans(self, text: str) -> Iterable[Span]:
        """The tokens and where they start."""
        return ((match[0], match.start()) for match in re.finditer(r"\S+", text))


class RegexTokenizer(_Tokenizer):
    """A text cut where a regular expression (of Python) matches.

    Args:
        keep_delim_pattern: matches that match this too are tokens.

    Examples:
        >>> from mycel.dataset import text
        >>> text.RegexTokenizer(",")("a,b").tolist()
        ['a', 'b']
    """

    def __init__(self, delim_pattern: str, keep_delim_pattern: str = "", with_offsets: bool = False) -> None:
        super().__init__(with_offsets)
        self.pattern = re.compile(of_type(delim_pattern, str, "delim_pattern"))
        self.keep = re.compile(of_type(keep_delim_pattern, str, "keep_delim_pattern")) if keep_delim_pattern else None

    def spans(self, text: str) -> Iterator[Span]:
        """The tokens and where they start."""
        end = 0
        for match in self.pattern.finditer(text):
            if match.start() > end:
                yield text[end : match.start()], end
            if self.keep is not None and match[0] and self.keep.fullmatch(match[0]):
                yield match[0], match.start()
            end = match.end()
        if end < len(text):
            yield text[end:], end


_UNUSED = re.compile(r"\[(?:CLS|SEP|UNK|PAD|MASK)\]")


_CJK = ((0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F))


def _kind(character: str) -> str:
    """Which characters belong together: white space, control characters, letters; others stand alone."""
    category, code = unicodedata.category(character), ord(character)
    if character.isspace():
        return "space"
    if category in ("Cc", "Cf") or code == 0xFFFD:
        return "control"
    if category[0] == "P" or (code < 128 and not character.isalnum()) or any(low <= code <= high for low, high in _CJK):
        return "single"
    return "word"


class BasicTokenizer(_Tokenizer):
    """A text cut at white space, around punctuation and around Chinese characters, as BERT's is before word pieces.

    Args:
        lower_case: whether letters become small ones without accents.
        keep_whitespace: whether white space is a token.
        normalization_form: a `NormalizeForm`, where letters do not become small.
        preserve_unused_token: whether [CLS], [SEP], [UNK], [PAD] and [MASK] are tokens.
        with_offsets: whether where the tokens start and end is given too.

    Raises:
        TypeError: if an argument is of another type. RuntimeError: if it is not called with a text.

    Examples:
        >>> from mycel.dataset import text
        >>> text.BasicTokenizer(lower_case=True)("Hi, you").tolist()
        ['hi', ',', 'you']
    """

    def __init__(
        self, lower_case: bool = False, keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE, preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(with_offsets)
        self.lower_case = of_type(lower_case, bool, "lower_case")
        self.keep_whitespace = of_type(keep_whitespace, bool, "keep_whitespace")
        self.normalize = NormalizeUTF8(normalization_form)
        self.preserve = of_type(preserve_unused_token, bool, "preserve_unused_token")

    def prepared(self, text: str) -> str:
        """The text that is cut."""
        if not self.lower_case:
            return self.normalize.one(text)
        kept = _UNUSED.findall(text) if self.preserve else []
        parts = [self._small(part) for part in (_UNUSED.split(text) if self.preserve else [text])]
        return "".join(part + word for part, word in zip(parts, [*kept, ""], strict=True))

    @staticmethod
    def _small(text: str) -> str:
        decomposed = unicodedata.normalize("NFD", CaseFold().one(text))
        return "".join(character for character in decomposed if unicodedata.category(character) != "Mn")

    def spans(self, text: str) -> Iterator[Span]:
        """The tokens and where they start."""
        place = 0
        while place < len(text):
            unused = _UNUSED.match(text, place) if self.preserve else None
            kind, end = _kind(text[place]), place + 1
            if unused:
                kind, end = "single", unused.end()
            while kind != "single" and end < len(text) and _kind(text[end]) == kind:
                end += 1
            if kind in ("single", "word") or (kind == "space" and self.keep_whitespace):
                yield text[place:end], place
            place = end


class WordpieceTokenizer(_Tokenizer):
    """Tokens cut into the longest pieces that a vocabulary has.

    Args:
        vocab: a `Vocab`.
        suffix_indicator: what pieces that do not start a token have in front.
        max_bytes_per_token: a longer token is unknown.
        unknown_token: what an unknown token becomes; "" leaves it.
        with_offsets: whether where the pieces start and end in their tokens is given too.

    Raises:
        TypeError: if an argument is of another type. RuntimeError: if it is not called with text.

    Examples:
        >>> from mycel.dataset import text
        >>> vocab = text.Vocab.from_list(["play", "##ing"])
        >>> text.WordpieceTokenizer(vocab)(["playing"]).tolist()
        ['play', '##ing']
    """

    def __init__(
        self, vocab: Vocab, suffix_indicator: str = "##", max_bytes_per_token: int = 100, unknown_token: str = "[UNK]",
        with_offsets: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(with_offsets)
        self.words = set(of_type(vocab, Vocab, "vocab").vocab())
        self.suffix = of_type(suffix_indicator, str, "suffix_indicator")
        self.longest = whole(max_bytes_per_token, "max_bytes_per_token", 0)
        self.unknown = of_type(unknown_token, str, "unknown_token")

    def __call__(self, text: Any) -> Any:
        tokens = text_of(text, self, (0, 1)).ravel().tolist()
        return self.pieced([(token, 0) for token in tokens])

    def pieced(self, tokens: Iterable[Span]) -> Any:
        """The pieces of tokens, as arrays."""
        found, lengths = [], []
        for token, start in tokens:
            for piece, offset, length in self._pieces(token):
                found.append((piece, start + offset))
                lengths.append(length)
        return self.result(found, lengths)

    def _pieces(self, token: str) -> list[tuple[str, int, int]]:
        """The pieces of a token with the bytes where they start in it and their length there."""
        unknown = [(self.unknown or token, 0, len(token.encode()))]
        if len(token.encode()) > self.longest:
            return unknown
        pieces, start = [], 0
        while start < len(token):
            for end in range(len(token), start, -1):
                piece = self.suffix * (start > 0) + token[start:end]
                if piece in self.words:
                    pieces.append((piece, len(token[:start].encode()), len(token[start:end].encode())))
                    start = end
                    break
            else:
                return unknown
        return pieces


class BertTokenizer(WordpieceTokenizer):
    """A text cut by `BasicTokenizer` and then by `WordpieceTokenizer`; arguments as theirs.

    Examples:
        >>> from mycel.dataset import text
        >>> vocab = text.Vocab.from_list(["play", "##ing", "!"])
        >>> text.BertTokenizer(vocab, lower_case=True)("Playing!").tolist()
        ['play', '##ing', '!']
    """

    def __init__(
        self, vocab: Vocab, suffix_indicator: str = "##", max_bytes_per_token: int = 100, unknown_token: str = "[UNK]",
        lower_case: bool = False, keep_whitespace: bool = False,
        normalization_form: NormalizeForm = NormalizeForm.NONE, preserve_unused_token: bool = True,
        with_offsets: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(vocab, suffix_indicator, max_bytes_per_token, unknown_token, with_offsets)
        self.basic = BasicTokenizer(lower_case, keep_whitespace, normalization_form, preserve_unused_token)

    def __call__(self, text: Any) -> Any:
        prepared = self.basic.prepared(str(text_of(text, self, (0,))))
        return self.pieced((token, len(prepared[:start].encode())) for token, start in self.basic.spans(prepared))


class PythonTokenizer:
    """A text cut by a function of a str that gives a list of str.

    Raises:
        TypeError: if it is no function, or not called with an array of text.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.PythonTokenizer(str.split)(np.array("a b")).tolist()
        ['a', 'b']
    """

    def __init__(self, tokenizer: Callable[[str], Sequence[str]]) -> None:
        if not callable(tokenizer):
            raise TypeError("tokenizer is not a callable Python function.")
        self.tokenizer = tokenizer

    def __call__(self, text: Any) -> Array:
        if not isinstance(text, np.ndarray):
            raise TypeError(f"input should be a NumPy array. Got {type(text)}.")
        return np.array(self.tokenizer(str(text_of(text, self, (0,)))))


def _script(character: str) -> str:
    """The script of a letter, which its name says; other characters are common to all."""
    category = unicodedata.category(character)
    if category[0] == "L":
        return unicodedata.name(character, "").removeprefix("FULLWIDTH ").removeprefix("HALFWIDTH ").split(" ")[0]
    return "inherited" if category == "Mn" else "common"


class UnicodeScriptTokenizer(_Tokenizer):
    """A text cut where the script changes, such as Latin or Han, and around white space. Digits and signs belong to all
    scripts: they are tokens of their own. The script of a letter is what its name in Unicode says.

    Args:
        keep_whitespace: whether white space is a token.
        with_offsets: whether where the tokens start and end is given too.

    Examples:
        >>> from mycel.dataset import text
        >>> text.UnicodeScriptTokenizer()("Hi, 你们").tolist()
        ['Hi', ',', '你们']
    """

    def __init__(self, keep_whitespace: bool = False, with_offsets: bool = False) -> None:
        super().__init__(with_offsets)
        self.keep_whitespace = of_type(keep_whitespace, bool, "keep_whitespace")

    def spans(self, text: str) -> Iterator[Span]:
        """The tokens and where they start."""
        start = 0
        for (space, _), group in itertools.groupby(text, lambda letter: (letter.isspace(), _script(letter))):
            token = "".join(group)
            if self.keep_whitespace or not space:
                yield token, start
            start += len(token)
