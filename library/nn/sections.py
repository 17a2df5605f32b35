"""Sections of docstrings that several layers or optimizers share, written once."""

from __future__ import annotations

from collections.abc import Callable

from ..docstrings import Documented, sections as sections


def elementwise(name: str = "x", dtype: str = "float") -> Callable[[Documented], Documented]:
    """The sections of a layer that computes each element by itself."""
    return sections(
        Inputs=f"{name}: a {dtype} tensor of any shape.",
        Outputs=f"A tensor of the shape and dtype of {'the input' if name == 'input' else name}.",
        Raises=f"TypeError: if {'the input' if name == 'input' else name} is no {'float ' * (dtype == 'float')}Tensor.",
    )


OF_X = {"Inputs": "x: a float tensor of any shape.", "Outputs": "A tensor of the shape and dtype of x."}
OF_INPUT = {"Inputs": "input: a float tensor of any shape.", "Outputs": "A tensor of the shape and dtype of the input."}

_UPDATE = {
    "Outputs": "A tuple of True, one bool for each Parameter.",
    "Raises": """
        TypeError: for arguments of wrong types.
        ValueError: for numbers out of their ranges, or gradients of other shapes.
    """,
}
GRADIENTS = {"Inputs": "gradients: a tuple of float tensors, one for each Parameter, of its shape.", **_UPDATE}
GRADS = {**GRADIENTS, "Inputs": "grads: a tuple of float tensors, one for each Parameter, of its shape."}
GRADIENTS_ONLY = {heading: GRADIENTS[heading] for heading in ("Inputs", "Outputs")}
GRADS_ONLY = {heading: GRADS[heading] for heading in ("Inputs", "Outputs")}

STEP = {
    "Inputs": "global_step: an int tensor, 0-d or of shape [1], the count of steps done.",
    "Outputs": "A float32 tensor of the shape of global_step, the learning rate.",
    "Raises": """
        TypeError: if an argument has the wrong type, or global_step is no Tensor.
        ValueError: if a number is out of range.
    """,
}
RATES = {
    "Returns": "A list of `total_step` floats.",
    "Raises": """
        TypeError: if an argument has the wrong type.
        ValueError: if a number is out of range.
    """,
}

_METRIC_ERRORS = """
    ValueError: for another number of inputs, or other shapes.
    RuntimeError: if `eval` is called before `update`.
"""
DECISIONS = {
    "Args": """
        eval_type: 'classification' (each sample has one class) or 'multilabel' (each has several).
            Default: 'classification'.
    """,
    "Inputs": """
        inputs: predictions, scores of shape [N, C, ...], and labels: int class indices [N, ...] or one-hot numbers
            [N, C, ...]. For 'multilabel' both are 0 and 1, of shape [N, C, ...].
    """,
    "Raises": """
        TypeError: for another eval_type.
        ValueError: for another number of inputs, or other shapes.
        RuntimeError: if `eval` is called before `update`.
    """,
}
FOR_EACH_CLASS = {"Outputs": "`eval` gives a float array of shape [C]; `eval(True)` its mean, a number."}
SCORES = {
    "Inputs": """
        inputs: predictions, scores of shape [N, C], and labels: int class indices [N] or one-hot numbers [N, C].
    """,
    "Raises": _METRIC_ERRORS,
}
ERRORS = {
    "Inputs": "inputs: prediction and label, arrays or tensors of numbers of the same shape [N, ...].",
    "Outputs": "`eval` gives a float number.",
    "Raises": _METRIC_ERRORS,
}

NORMALIZED = {
    "Outputs": "A tensor of the shape and dtype of x.",
    "Raises": """
        TypeError: if an argument has the wrong type, or x is no Tensor.
        ValueError: if a number is out of range, or x has other dimensions or another number of channels.
    """,
}
CONVOLUTION = {
    "Raises": """
        TypeError: if an argument has the wrong type, or x is no float Tensor.
        ValueError: if a number is out of range, `padding` is given without pad_mode 'pad', or x has other dimensions.
        RuntimeError: if x has not `in_channels` channels.
    """
}
PARTS = {
    "Inputs": "inputs: tensors of any dtype, of shape [N, ...], where the number of parts divides N.",
    "Outputs": "The sum of the outputs, a tensor of the shape and dtype of one.",
    "Raises": """
        TypeError: if the number of parts is no int.
        ValueError: if it is not positive.
    """,
}
REDUCTION = {"Args": "reduction: 'mean', 'sum' or 'none'. Default: 'mean'."}
PAIR = {
    "Inputs": """
        logits: a float tensor of any shape.
        labels: a tensor of numbers of the same shape, or of one that broadcasts with it.
    """,
    "Outputs": """
        A 0-d float tensor for 'mean' and 'sum'; for 'none' a float tensor of the shape of both inputs broadcast.
    """,
    "Raises": """
        TypeError: if an input is no Tensor.
        ValueError: for another reduction, or shapes that do not broadcast.
    """,
}
PADDED = {
    "Raises": """
        TypeError: if padding is no int or tuple of ints, or x is no Tensor.
        ValueError: if padding has another length or is out of range, or x has other dimensions.
    """
}
SIMILARITY = {
    "Inputs": """
        img1: a float tensor of shape [N, C, H, W].
        img2: a float tensor of the same shape.
    """,
    "Outputs": "A float tensor of shape [N]: 1 for equal images.",
    "Raises": """
        TypeError: if an argument has the wrong type, or an input is no Tensor.
        ValueError: if a number is out of range, or the images have other shapes.
    """,
}
TRIANGLE = {
    "Inputs": """
        x: a tensor of numbers of shape [..., M, N].
        k: an int, a diagonal: 0 is the main one, positive ones lie above it. Default: 0.
    """,
    "Outputs": "A tensor of the shape and dtype of x.",
    "Raises": """
        TypeError: if k is no int, or x is no Tensor.
        ValueError: if x has less than 2 dimensions.
    """,
}
OVER_AXIS = {
    "Args": "axis: an int, the axis of the sum. Default: -1.",
    "Inputs": "x: a float tensor of shape [...], with the axis.",
    "Outputs": "A tensor of the shape and dtype of x.",
    "Raises": """
        TypeError: if x is no float Tensor.
        ValueError: if the axis is out of range.
    """,
}
CHANNELS = {
    "Args": "p: a number in [0, 1], the share of channels that is set to zero. Default: 0.5.",
    "Outputs": "A tensor of the shape and dtype of x.",
    "Raises": """
        TypeError: if p is no number, or x is no Tensor.
        ValueError: if p is outside [0, 1], or in training x has other dimensions.
    """,
}
