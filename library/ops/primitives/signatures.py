"""What the inputs of a primitive are, for classes that users derive (`mindspore.ops.signature`)."""

from __future__ import annotations

from enum import Enum
from typing import Any

from ....runtime.records import dataclass


class SignatureRW(Enum):
    """Whether an input is read, written, or a reference."""

    RW_READ = 0
    RW_WRITE = 1
    RW_REF = 2
    RW_EMPTY_DEFAULT_VALUE = 3


class SignatureKind(Enum):
    """How an input is given."""

    KIND_POSITIONAL_KEYWORD = 0
    KIND_VAR_POSITIONAL = 1
    KIND_KEYWORD_ONLY = 2
    KIND_VAR_KEYWARD = 3
    KIND_EMPTY_DEFAULT_VALUE = 4


class SignatureDType(Enum):
    """Inputs of the same letter have the same dtype."""

    T, T1, T2, T3, T4, T5, T6, T7, T8, T9, T_EMPTY_DEFAULT_VALUE = range(11)


sig_rw, sig_kind, sig_dtype = SignatureRW, SignatureKind, SignatureDType
_NO_DEFAULT = object()


@dataclass(frozen=True)
class Signature:
    """One input: its name, how it is used and given, its default and the letter of its dtype."""

    name: str
    rw: SignatureRW = SignatureRW.RW_READ
    kind: SignatureKind = SignatureKind.KIND_POSITIONAL_KEYWORD
    default: Any = _NO_DEFAULT
    dtype: SignatureDType = SignatureDType.T_EMPTY_DEFAULT_VALUE


def make_sig(
    name: str, rw: SignatureRW = sig_rw.RW_READ, kind: SignatureKind = sig_kind.KIND_POSITIONAL_KEYWORD,
    default: Any = _NO_DEFAULT, dtype: SignatureDType = sig_dtype.T_EMPTY_DEFAULT_VALUE,
) -> Signature:  # fmt: skip
    """A `Signature`."""
    return Signature(name, rw, kind, default, dtype)
