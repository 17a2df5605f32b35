"""The operations of a pipeline as data."""

from __future__ import annotations

from typing import Any

from .samplers import BuiltinSampler

PLAIN = (bool, int, float, str)
OF_NO_ACCOUNT = ("columns", "epoch", "kind", "child_sampler")


def describe(dataset: Any) -> dict[str, Any]:
    """An operation's `op_type` and settings, and its `children`."""
    parts = getattr(dataset, "parts", None) or ([] if dataset.parent is None else [dataset.parent])
    content: dict[str, Any] = {"op_type": getattr(dataset, "kind", type(dataset).__name__)}
    content.update(_settings(dataset))
    content.update(getattr(dataset, "settings", {}))
    sampler = getattr(dataset, "sampler", None)
    if isinstance(sampler, BuiltinSampler):
        content["sampler"] = {"sampler_name": type(sampler).__name__, **_settings(sampler)}
    content["children"] = [describe(part) for part in parts]
    return content


def _settings(owner: Any) -> dict[str, Any]:
    """Attributes that are numbers, strings or lists of these."""
    found = {name: value for name, value in vars(owner).items() if name[0] != "_" and name not in OF_NO_ACCOUNT}
    return {name: value for name, value in found.items() if _is_plain(value)}


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return bool(value) and all(isinstance(item, PLAIN) for item in value)
    return value is None or isinstance(value, PLAIN)
