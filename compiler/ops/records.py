"""Constructors of records for kinds of ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..ir.op import Infer, Op


def elementwise_op(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op whose output elements each read one element of each input. Its kernel takes `out=`."""
    return Op(name, kind="elementwise", infer=infer, kernel=kernel, **record)


def effect_op(name: str, infer: Infer, kernel: Callable[..., Any], **record: Any) -> Op:
    """An op that does something outside of the graph, and gives nothing."""
    return Op(name, kind="effect", infer=infer, kernel=kernel, **record)
