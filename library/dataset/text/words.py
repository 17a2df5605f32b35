"""Words and their numbers, text that is changed one by one, and sequences of tokens."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from pathlib import Path
from typing import Any

import numpy as np

from ....runtime import dtypes
from ...saving.wire import reading
from ..checks import of_type, within

__all__ = [
    "AddToken", "CaseFold", "FilterWikipediaXML", "Lookup", "Ngram", "NormalizeForm", "NormalizeUTF8", "RegexReplace",
    "SlidingWindow", "ToNumber", "Truncate", "TruncateSequencePair", "Vocab", "to_bytes", "to_str",
]  # fmt: skip

Array = np.ndarray[Any, np.dtype[Any]]


LARGEST_ID = 2**31 - 1


def whole(value: Any, name: str, low: int = 1) -> int:
    return int(within(of_type(value, int, name), low, LARGEST_ID, name))


def text_of(value: Any, owner: Any, dimensions: Sequence[int]) -> Array:
    """An array of str with one of these numbers of dimensions."""
    array = np.asarray(value)
    if array.dtype.kind == "S":
        array = np.char.decode(array, "utf-8")
    if array.dtype.kind != "U" or array.ndim not in dimensions:
        raise RuntimeError(
            f"{type(owner).__name__}: the input should be text of {' or '.join(map(str, dimensions))} dimensions, "
            f"but is {array.dtype} of shape {array.shape}"
        )
    return array


def to_str(array: Array, encoding: str = "utf8") -> Array:
    """An array of bytes as one of str.

    Raises:
        TypeError: if it is no array, or not of bytes.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.to_str(np.array([b"a"]))
        array(['a'], dtype='<U1')
    """
    if not isinstance(array, np.ndarray):
        raise TypeError("input should be a NumPy array.")
    return array if array.dtype.kind == "U" else np.char.decode(array, encoding)


def to_bytes(array: Array, encoding: str = "utf8") -> Array:
    """An array of str as one of bytes.

    Raises:
        ValueError: if it is no array.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.to_bytes(np.array(["a"]))
        array([b'a'], dtype='|S1')
    """
    if not isinstance(array, np.ndarray):
        raise ValueError("input should be a NumPy array.")
    return np.char.encode(array, encoding)


class Vocab:
    """Words with numbers: made by `from_list`, `from_dict`, `from_file` or `from_dataset`.

    Examples:
        >>> from mycel.dataset import text
        >>> vocab = text.Vocab.from_list(["deep", "learning"], special_tokens=["<unk>"])
        >>> vocab.tokens_to_ids(["learning", "deep", "fast"])
        [2, 1, -1]
    """

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._words: dict[int, str] = {}

    @classmethod
    def from_dict(cls, word_dict: dict[str, int]) -> Vocab:
        """The words that are keys, with the numbers that are values.

        Raises:
            TypeError: if it is no dict from str to int. ValueError: if a number is negative.
        """
        made = cls()
        for word, number in of_type(word_dict, dict, "word_dict").items():
            made._ids[of_type(word, str, "word")] = whole(number, "word_id", 0)
        made._words = {number: word for word, number in made._ids.items()}
        return made

    @classmethod
    def from_list(
        cls, word_list: list[str], special_tokens: list[str] | None = None, special_first: bool = True
    ) -> Vocab:
        """The words of a list, numbered in their order.

        Args:
            special_tokens: words that are added: before the others, or with `special_first` False after them.

        Raises:
            TypeError: if a list or a word is of another type. ValueError: if a word occurs twice.
        """
        groups = []
        for name, words in (("special_tokens", special_tokens or []), ("word_list", word_list)):
            for word in of_type(words, list, name):
                of_type(word, str, name)
            groups.append(list(words))
            twice = [word for word, count in Counter(words).items() if count > 1]
            if twice:
                raise ValueError(f"{name} contains duplicate word: {twice[0]}.")
        if set(groups[0]) & set(groups[1]):
            raise ValueError(f"special_tokens and word_list contain duplicate word :{set(groups[0]) & set(groups[1])}.")
        order = groups if of_type(special_first, bool, "special_first") else groups[::-1]
        return cls.from_dict({word: number for number, word in enumerate(order[0] + order[1])})

    @classmethod
    def from_file(
        cls, file_path: str, delimiter: str = "", vocab_size: int | None = None,
        special_tokens: list[str] | None = None, special_first: bool = True,
    ) -> Vocab:  # fmt: skip
        """The words of a text file, one a line.

        Args:
            delimiter: only what is before the first one in a line is the word.
            vocab_size: only so many words; None for all.

        Raises:
            TypeError, ValueError: as from `from_list`. RuntimeError: if there is no such file, or it is no text.
        """
        of_type(file_path, str, "file_path")
        of_type(delimiter, str, "delimiter")
        try:
            with reading(file_path):
                lines = Path(file_path).read_text("utf-8").splitlines()
        except OSError as error:
            raise RuntimeError(f"Vocab: {file_path} cannot be read: {error}") from error
        words = [line.split(delimiter)[0] if delimiter else line for line in lines]
        return cls.from_list(words[: None if vocab_size is None else whole(vocab_size, "vocab_size")], special_tokens,
                             special_first)  # fmt: skip

    @classmethod
    def from_dataset(
        cls, dataset: Any, columns: str | list[str] | None = None,
        freq_range: tuple[int | None, int | None] | None = None, top_k: int | None = None,
        special_tokens: list[str] | None = None, special_first: bool = True,
    ) -> Vocab:  # fmt: skip
        """The words in columns of a dataset, the most frequent ones first, equally frequent ones by alphabet.

        Args:
            columns: their names; None for all.
            freq_range: how often a word occurs (least, greatest), None for no limit.
            top_k: only so many words; None for all.

        Raises:
            TypeError, ValueError: as from `from_list`. RuntimeError: if a column is not text.
        """
        names = dataset.get_col_names() if columns is None else [columns] if isinstance(columns, str) else columns
        counts: Counter[str] = Counter()
        for row in dataset.create_dict_iterator(output_numpy=True):
            for name in names:
                counts.update(text_of(row[name], cls(), range(9)).ravel().tolist())
        least, greatest = freq_range or (None, None)
        kept = [
            word
            for word in sorted(counts, key=lambda word: (-counts[word], word))
            if (least or 0) <= counts[word] <= (len(counts) and max(counts.values()) if greatest is None else greatest)
        ]
        return cls.from_list(kept[: None if top_k is None else whole(top_k, "top_k")], special_tokens, special_first)

    def vocab(self) -> dict[str, int]:
        """A dict from word to number."""
        return dict(self._ids)

    def tokens_to_ids(self, tokens: Any) -> Any:
        """The number of a word, or the numbers of a list or array of words; -1 for an unknown word.

        As in MindSpore, a list of one word gives a number.
        """
        of_type(tokens, (str, list, np.ndarray), "tokens")
        if isinstance(tokens, str):
            return self._ids.get(tokens, -1)
        return _alone([self._ids.get(str(word), -1) for word in tokens])

    def ids_to_tokens(self, ids: Any) -> Any:
        """The word for a number, or the words for a list or array of numbers; "" for an unknown number.

        As in MindSpore, a list of one number gives a word.
        """
        of_type(ids, (int, list, np.ndarray), "ids")
        if isinstance(ids, int):
            return self._words.get(whole(ids, "ids", 0), "")
        return _alone([self._words.get(whole(int(number), "ids", 0), "") for number in ids])


def _alone(found: list[Any]) -> Any:
    return found[0] if len(found) == 1 else found


class Lookup:
    """The numbers of words in a vocabulary.

    Args:
        vocab: a `Vocab`.
        unknown_token: the word whose number others get; None for an error.
        data_type: the dtype of the numbers.

    Raises:
        TypeError: if an argument is of another type. RuntimeError: for a word that is not there, or what is no text.

    Examples:
        >>> from mycel.dataset import text
        >>> text.Lookup(text.Vocab.from_list(["a", "b"]), unknown_token="a")(["b", "z"]).tolist()
        [1, 0]
    """

    def __init__(self, vocab: Vocab, unknown_token: str | None = None, data_type: Any = dtypes.int32) -> None:
        self.ids = of_type(vocab, Vocab, "vocab").vocab()
        self.unknown = None if unknown_token is None else self.ids.get(of_type(unknown_token, str, "unknown_token"))
        self.dtype = dtypes.as_dtype(data_type)

    def __call__(self, text: Any) -> Array:
        array = text_of(text, self, range(9))
        found = [self.ids.get(word, self.unknown) for word in array.ravel().tolist()]
        if None in found:
            word = array.ravel()[found.index(None)]
            raise RuntimeError(f"Lookup: '{word}' is not in the vocabulary and there is no unknown token that is")
        return np.array(found, self.dtype.np).reshape(array.shape)


class NormalizeForm(IntEnum):
    """Unicode's normal forms."""

    NONE = 0
    NFC = 1
    NFKC = 2
    NFD = 3
    NFKD = 4


class _Mapped:
    """A function of each text of an array."""

    def __call__(self, text: Any) -> Array:
        array = text_of(text, self, range(9))
        made = [self.one(item) for item in array.ravel().tolist()]
        return np.array(made, dtype=None if made else array.dtype).reshape(array.shape)

    def one(self, text: str) -> str:
        """The result for one text."""
        raise NotImplementedError(f"{type(self).__name__} should define one()")


class CaseFold(_Mapped):
    """The text without differences between capital and small letters.

    Examples:
        >>> from mycel.dataset import text
        >>> text.CaseFold()("Ab")
        array('ab', dtype='<U2')
    """

    def one(self, text: str) -> str:
        """The result for one text."""
        return unicodedata.normalize("NFKC", text).casefold()


class NormalizeUTF8(_Mapped):
    """The text in a normal form of Unicode.

    Examples:
        >>> from mycel.dataset import text
        >>> text.NormalizeUTF8()("ﬁ")
        array('fi', dtype='<U2')
    """

    def __init__(self, normalize_form: NormalizeForm = NormalizeForm.NFKC) -> None:
        self.form = of_type(normalize_form, NormalizeForm, "normalize_form")

    def one(self, text: str) -> str:
        """The result for one text."""
        return text if self.form is NormalizeForm.NONE else unicodedata.normalize(self.form.name, text)


class RegexReplace(_Mapped):
    """The text with the matches of a regular expression (of Python) replaced, all or the first one only.

    Examples:
        >>> from mycel.dataset import text
        >>> text.RegexReplace("a+", "x")("baab")
        array('bxb', dtype='<U3')
    """

    def __init__(self, pattern: str, replace: str, replace_all: bool = True) -> None:
        try:
            self.pattern = re.compile(of_type(pattern, str, "pattern"))
        except re.error as error:
            raise RuntimeError(f"RegexReplace: {pattern!r} is no regular expression: {error}") from None
        self.replace = of_type(replace, str, "replace")
        self.count = 0 if of_type(replace_all, bool, "replace_all") else 1

    def one(self, text: str) -> str:
        """The result for one text."""
        return self.pattern.sub(self.replace, text, count=self.count)


_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MARKUP = re.compile("<.*>|<[^>]*>")


class FilterWikipediaXML(_Mapped):
    """The text of a page in Wikipedia's XML: small letters and spaces, digits as words, without tags and entities. Of a
    page that redirects nothing is left.

    Examples:
        >>> from mycel.dataset import text
        >>> text.FilterWikipediaXML()("<b>Peking</b> [[China]], 12 &amp; more")
        array('china one two more', dtype='<U18')
    """

    def one(self, text: str) -> str:
        """The result for one text."""
        text = re.sub("&[^;]*;", " ", _MARKUP.sub("", text)).lower()
        if "#redirect" in text:
            return ""
        text = re.sub("[0-9]", lambda digit: f" {_DIGITS[int(digit[0])]} ", text)
        return " ".join(re.sub("[^a-z]+", " ", text).split())


class Ngram:
    """Tokens of text joined to sequences of `n`.

    Args:
        n: how many, or a list of numbers.
        left_pad, right_pad: (token, how often it is put there at most).
        separator: what is put between tokens.

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.Ngram(2)(np.array(["a", "b", "c"])).tolist()
        ['a b', 'b c']
    """

    def __init__(
        self, n: int | list[int], left_pad: tuple[str, int] = ("", 0), right_pad: tuple[str, int] = ("", 0),
        separator: str = " ",
    ) -> None:  # fmt: skip
        self.lengths = [n] if isinstance(n, int) else n
        if not isinstance(self.lengths, list) or not self.lengths:
            raise ValueError("n needs to be a non-empty list of positive integers.")
        for place, length in enumerate(self.lengths):
            if of_type(length, int, f"gram_{place}") < 1:
                raise ValueError(f"Input gram_{place} must be greater than 0.")
        for name, pad in (("left_pad", left_pad), ("right_pad", right_pad)):
            if not isinstance(pad, tuple) or len(pad) != 2:
                raise ValueError(f"{name} needs to be a tuple of (str, int).")
            of_type(pad[0], str, name)
            whole(pad[1], name, 0)
        self.left, self.right = left_pad, right_pad
        self.separator = of_type(separator, str, "separator")

    def __call__(self, text: Any) -> Array:
        tokens = text_of(text, self, (1,)).tolist()
        found = []
        for length in self.lengths:
            (left, before), (right, after) = self.left, self.right
            padded = [left] * min(before, length - 1) + tokens + [right] * min(after, length - 1)
            windows = range(len(padded) - length + 1)
            found += [self.separator.join(padded[start : start + length]) for start in windows]
        return np.array(found or [""])


class SlidingWindow:
    """All windows of a sequence, as an array of shape (windows, width).

    Raises:
        TypeError, ValueError: if an argument is of another type or out of range. RuntimeError: for an axis that is
        neither 0 nor -1, or an array of several dimensions.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.SlidingWindow(2)(np.array([1, 2, 3])).tolist()
        [[1, 2], [2, 3]]
    """

    def __init__(self, width: int, axis: int = 0) -> None:
        self.width, self.axis = whole(width, "width"), of_type(axis, int, "axis")

    def __call__(self, sequence: Any) -> Array:
        array = np.asarray(sequence)
        if array.ndim != 1 or self.axis not in (0, -1):
            raise RuntimeError(f"SlidingWindow: axis {self.axis} of an array of shape {array.shape} is not supported")
        if len(array) < self.width:
            return array[:0]
        return np.lib.stride_tricks.sliding_window_view(array, self.width).copy()


class AddToken:
    """Tokens (…, tokens) with a further one, at the beginning or at the end.

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.AddToken("[CLS]")(np.array(["a", "b"])).tolist()
        ['[CLS]', 'a', 'b']
    """

    def __init__(self, token: str, begin: bool = True) -> None:
        self.token, self.begin = of_type(token, str, "token"), of_type(begin, bool, "begin")

    def __call__(self, text: Any) -> Array:
        array = text_of(text, self, (1, 2))
        added = np.full((*array.shape[:-1], 1), self.token)
        return np.concatenate([added, array] if self.begin else [array, added], -1)


class Truncate:
    """The first `max_seq_len` of a sequence (…, tokens).

    Examples:
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.Truncate(2)(np.array(["a", "b", "c"])).tolist()
        ['a', 'b']
    """

    def __init__(self, max_seq_len: int) -> None:
        self.length = whole(max_seq_len, "max_seq_len")

    def __call__(self, sequence: Any) -> Array:
        return np.asarray(sequence)[..., : self.length].copy()


class TruncateSequencePair:
    """Two sequences cut at their ends, the longer one first, until both together have `max_length` elements.

    Examples:
        >>> from mycel.dataset import text
        >>> [part.tolist() for part in text.TruncateSequencePair(3)([1, 2, 3], [4])]
        [[1, 2], [4]]
    """

    def __init__(self, max_length: int) -> None:
        self.length = max_length

    def __call__(self, first: Any, second: Any) -> tuple[Array, Array]:
        one, other = np.asarray(first), np.asarray(second)
        surplus = max(0, len(one) + len(other) - self.length)
        apart = abs(len(one) - len(other))
        longer = min(surplus, apart)
        # What is left over is shared; of an odd number the second sequence loses one more.
        half = (surplus - longer) // 2
        cut = [half, surplus - longer - half]
        cut[len(other) > len(one)] += longer
        return one[: len(one) - cut[0]].copy(), other[: len(other) - cut[1]].copy()


class ToNumber:
    """Text as numbers of a dtype.

    Raises:
        TypeError: if `data_type` is no dtype of MindSpore's. RuntimeError: for text that is no such number.

    Examples:
        >>> import mycel as ms
        >>> import numpy as np
        >>> from mycel.dataset import text
        >>> text.ToNumber(ms.int32)(np.array(["1", "2"])).tolist()
        [1, 2]
    """

    def __init__(self, data_type: Any) -> None:
        self.dtype = of_type(data_type, dtypes.DType, "data_type")

    def __call__(self, text: Any) -> Array:
        array = text_of(text, self, range(9))
        integral = self.dtype.np.kind in "iu"
        try:
            found = [int(item) if integral else float(item) for item in array.ravel().tolist()]
        except ValueError as error:
            raise RuntimeError(f"ToNumber: {error}") from error
        limits = np.iinfo(self.dtype.np) if integral else np.finfo(self.dtype.np)
        for number in found:
            if not limits.min <= number <= limits.max:
                raise RuntimeError(f"ToNumber: {number} is out of the range of {self.dtype}: {limits.min, limits.max}")
        return np.array(found, self.dtype.np).reshape(array.shape)
