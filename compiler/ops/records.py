"""Records of ops of a kind: what all of these have in common is said once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.op import Infer, Op


def elementwise_op(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op of which each output element reads one element of each input; its kernel takes `out=`."""
    return Op(name, kind="elementwise", infer=infer, kernel=kernel, **record)
