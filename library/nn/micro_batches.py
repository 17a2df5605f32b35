"""Cells that divide a batch, run its parts and add up."""

from __future__ import annotations

import functools
import operator
from typing import Any

from ...frontend.values.arguments import need_type
from ...frontend.values.cell import Cell
from ...frontend.values.tensor import Tensor
from .sections import PARTS, sections

__all__ = ["GradAccumulationCell", "MicroBatchInterleaved", "PipelineCell", "PipelineGradReducer"]


class PipelineGradReducer(Cell):
    """Reduces gradients over pipeline stages. There is one stage, so it divides them by the scale.

    Args:
        parameters: a list of the Parameters of the gradients.
        scale_sense: a number, what the gradients are divided by. Default: 1.0.
        opt_shard: accepted, without meaning in one process. Default: None.

    Inputs:
        grads: a tuple of tensors of the shapes and dtypes of the Parameters.

    Outputs:
        The gradients, a tuple of tensors of the same shapes and dtypes.

    Raises:
        TypeError: if grads is no tuple of Tensors.

    Examples:
        >>> from mycel import Parameter, Tensor, nn
        >>> reducer = nn.PipelineGradReducer([Parameter(Tensor([1.0]), name="w")], scale_sense=2.0)
        >>> print(reducer((Tensor([2.0]),)))
        (Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00]),)
    """

    def __init__(self, parameters: Any, scale_sense: float = 1.0, opt_shard: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.scale_sense = scale_sense

    def construct(self, grads: Any) -> Any:
        """The gradients, divided by the scale."""
        return tuple(gradient / self.scale_sense for gradient in grads) if self.scale_sense != 1.0 else grads


class _MicroBatches(Cell):
    """Runs a network on parts of the batch one after another, and adds its outputs."""

    def __init__(self, network: Any, parts: int, name: str) -> None:
        super().__init__(auto_prefix=False)
        need_type(network, Cell, f"{type(self).__name__} takes a Cell")
        if isinstance(parts, bool) or not isinstance(parts, int) or parts < 1:
            raise ValueError(f"For '{type(self).__name__}', the '{name}' should be a positive int, but got {parts}")
        self.network = network
        self._parts = parts

    def _outputs(self, inputs: tuple[Any, ...]) -> list[Any]:
        def part(x: Any, number: int) -> Any:
            if not isinstance(x, Tensor):
                return x
            size = x.shape[0]
            if size % self._parts:
                raise ValueError(
                    f"{type(self).__name__} cuts the batch into {self._parts} parts, but its size is {size}"
                )
            step = size // self._parts
            return x[number * step : (number + 1) * step]

        return [self.network(*[part(x, number) for x in inputs]) for number in range(self._parts)]

    def construct(self, *inputs: Any) -> Any:
        """The sum of the outputs."""
        return functools.reduce(operator.add, self._outputs(inputs))


@sections(**PARTS)
class PipelineCell(_MicroBatches):
    """Runs a network on parts of the batch one after another, and gives the sum of its outputs.

    Args:
        network: gives the loss.
        micro_size: a positive int, how many parts the batch is cut into.
        stage_config: accepted, without meaning in one process. Default: None.
        segment_config: accepted, without meaning in one process. Default: None.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.PipelineCell(nn.Norm(), 2)(Tensor([3.0, -4.0])))
        7.0
    """

    def __init__(self, network: Any, micro_size: int, stage_config: Any = None, segment_config: Any = None) -> None:
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


@sections(**PARTS)
class GradAccumulationCell(_MicroBatches):
    """Runs a network on parts of the batch one after another, and gives the sum of its outputs.

    Args:
        network: gives the loss.
        micro_size: a positive int, how many parts the batch is cut into.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.GradAccumulationCell(nn.Norm(), 2)(Tensor([3.0, -4.0])))
        7.0
    """

    def __init__(self, network: Any, micro_size: int) -> None:
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


@sections(**PARTS)
class MicroBatchInterleaved(_MicroBatches):
    """Runs a network on interleaved parts of the batch, and gives the sum of its outputs.

    Args:
        network: gives the loss.
        interleave_num: a positive int, how many parts the batch is cut into. Default: 2.

    Examples:
        >>> from mycel import Tensor, nn
        >>> print(nn.MicroBatchInterleaved(nn.Norm(), 2)(Tensor([3.0, -4.0])))
        7.0
    """

    def __init__(self, network: Any, interleave_num: int = 2) -> None:
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num
