"""Docstrings that are put together: of functions made from records, and of a function's other names."""

from __future__ import annotations

from collections.abc import Mapping


def document(
    summary: str, arguments: Mapping[str, str], returns: str, errors: Mapping[str, str], name: str, example: str
) -> str:
    """A docstring with all its sections.

    Args:
        summary: what the function computes.
        arguments: what each argument is.
        returns: what it gives.
        errors: when it raises which error.
        name: the function's name in `mycel.ops`.
        example: the arguments of a call and what it prints, such as "Tensor([1.0]), 2 -> [3.]".
    """
    call, _, printed = example.partition(" -> ")
    return (
        f"{summary}\n\nArgs:\n{_items(arguments)}\n\nReturns:\n    {returns[0].upper()}{returns[1:]}.\n\n"
        f"Raises:\n{_items(errors)}\n\nExamples:\n    >>> from mycel import Tensor, ops\n"
        f"    >>> print(ops.{name}({call}))\n    {printed}\n"
    )


def _items(items: Mapping[str, str]) -> str:
    return "\n".join(f"    {name}: {text.removesuffix('.')}." for name, text in items.items())
