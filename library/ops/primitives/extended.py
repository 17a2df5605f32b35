"""Primitives behind functions of `mint` and methods of tensors, which take all arguments when they are called."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....frontend.values.tensor import Tensor
from .primitive import Row, make_classes

# Primitives -> functions of `mint` whose arguments are not those of the function of `ops`.
FUNCTIONS = """
    AddScalar:add AddcdivExt:addcdiv AddcmulExt:addcmul AnyExt:any Arange:arange ArgMaxExt:argmax ArgMinExt:argmin
    ArgSort:argsort Baddbmm:baddbmm BatchMatMulExt:bmm BitwiseNot:bitwise_not Chunk:chunk ChunkView:chunk Clone:clone
    CumminExt:cummin CumsumExt:cumsum DiagExt:diag DivMod:div DivMods:div Divs:div Dot:dot EluExt:elu EqualExt:equal
    FlattenExt:flatten Frac:frac Hardtanh:hardtanh IndexAddExt:index_add IndexSelect:index_select Kthvalue:kthvalue
    LeakyReLUExt:leaky_relu LinSpaceExt:linspace Max:max MaxDim:max MedianDim:median MedianExt:median Min:min
    MinDim:min MishExt:mish Narrow:narrow NarrowView:narrow NonZeroExt:nonzero Norm:norm
    RemainderScalarTensor:remainder RemainderTensorScalar:remainder RemainderTensorTensor:remainder
    RepeatInterleaveInt:repeat_interleave RepeatInterleaveTensor:repeat_interleave Scatter:scatter
    ScatterAddExt:scatter_add ScatterValue:scatter SeLUExt:selu SelectExtView:select SelectV2:where SortExt:sort
    SplitTensorView:split SplitWithSizeView:split Std:std StdMean:std_mean SubScalar:sub TransposeExtView:transpose
    TransposeView:permute UnstackExtView:unbind Var:var VarMean:var_mean Vdot:vdot
"""

# Primitives -> methods of the tensor that is their first input.
METHODS = """
    Contiguous:contiguous Copy:copy ExpandAs:expand_as NewEmpty:new_empty NewFull:new_full
    NewOnes:new_ones NewZeros:new_zeros Repeat:repeat TypeAs:type_as View:view ViewAs:view_as
    InplaceAddExt:add_ InplaceAddmm:addmm_ InplaceAddsExt:add_ InplaceClampScalar:clamp_ InplaceClampTensor:clamp_
    InplaceCopy:copy_ InplaceDiv:div_ InplaceDivMod:div_ InplaceDivMods:div_ InplaceDivs:div_ InplaceErfinv:erfinv_
    InplaceExp:exp_ InplaceFillDiagonal:fill_diagonal_ InplaceFillScalar:fill_ InplaceFillTensor:fill_
    InplaceFloor:floor_ InplaceFloorDivide:floor_divide_ InplaceFloorDivides:floor_divide_
    InplaceIndexAddExt:index_add_ InplaceIndexFillScalar:index_fill_ InplaceIndexFillTensor:index_fill_
    InplaceIndexPut:index_put_ InplaceLog:log_ InplaceMaskedFillScalar:masked_fill_
    InplaceMaskedFillTensor:masked_fill_ InplaceMul:mul_ InplaceMuls:mul_
    InplaceRemainderTensorScalar:remainder_ InplaceRemainderTensorTensor:remainder_ InplaceScatterAdd:scatter_add_
    InplaceScatterSrc:scatter_ InplaceScatterSrcReduce:scatter_ InplaceScatterValue:scatter_
    InplaceScatterValueReduce:scatter_ InplaceSigmoid:sigmoid_ InplaceSubExt:sub_ InplaceSubScalar:sub_
    InplaceTanh:tanh_ InplaceZero:zero_
"""


def named(name: str) -> Callable[..., Any]:
    """The function of `mint` with this name, or else that of `ops`."""
    from ... import functions, mint
    from ...mint import functional, linalg, special

    for place in (mint, functional, linalg, special, functions):
        found: Callable[..., Any] | None = getattr(place, name, None)
        if found is not None:
            return found
    raise AttributeError(f"neither mint nor ops has a function {name!r}")


def _function(name: str) -> Row:
    return (lambda self, *inputs, **given: named(name)(*inputs, **given)), {}, lambda: named(name)


def _method(name: str) -> Row:
    return (lambda self, x, *inputs, **given: getattr(x, name)(*inputs, **given)), {}, lambda: getattr(Tensor, name)


def _pairs(table: str) -> list[tuple[str, str]]:
    return [(name, target) for name, _, target in (item.partition(":") for item in table.split())]


TABLE: dict[str, Row] = {
    **{name: _function(target) for name, target in _pairs(FUNCTIONS)},
    **{name: _method(target) for name, target in _pairs(METHODS)},
}
CLASSES = make_classes(TABLE, globals())
