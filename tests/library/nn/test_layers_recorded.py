"""Layers of many families: numbers recorded from MindSpore 2.10, eagerly and compiled."""

from __future__ import annotations

from typing import Any

import pytest
from layer_numbers import A, Row, check_layer
from tensors import T

import mycel as ms
from mycel import nn

ROWS: list[Row] = [
    (
        "bn3",
        lambda: nn.BatchNorm3d(2),
        lambda: (A(1, 2, 2, 1, 1),),
        "1x2x2x1x1: 0 0.999995 1.99999 2.999985",
    ),
    (
        "bn1 3d",
        lambda: nn.BatchNorm1d(2),
        lambda: (A(1, 2, 3),),
        "1x2x3: 0 0.999995 1.99999 2.999985 3.99998 4.999975",
    ),
    (
        "ln f16",
        lambda: nn.LayerNorm((2,)),
        lambda: (A(2, 2).astype(ms.float16),),
        "2x2: -1 1 -1 1",
    ),
    (
        "ln ax",
        lambda: nn.LayerNorm((2, 3), begin_norm_axis=1, begin_params_axis=1),
        lambda: (A(2, 2, 3),),
        "2x2x3: -1.46385 -0.87831 -0.29277 0.29277 0.87831 1.46385 1.690308 -1.352247 -0.845154 -0.338062 "
        "0.169031 0.676123",
    ),
    (
        "ln mix",
        lambda: nn.LayerNorm((3,), begin_norm_axis=1, begin_params_axis=-1),
        lambda: (A(2, 2, 3),),
        "2x2x3: -1.46385 -0.87831 -0.29277 0.29277 0.87831 1.46385 1.690308 -1.352247 -0.845154 -0.338062 "
        "0.169031 0.676123",
    ),
    (
        "gn 3d",
        lambda: nn.GroupNorm(2, 4),
        lambda: (A(1, 4, 3),),
        "1x4x3: -1.463848 -0.878309 -0.29277 0.29277 0.878309 1.463848 1.690306 -1.352245 -0.845153 "
        "-0.338061 0.169031 0.676123",
    ),
    (
        "lrn",
        lambda: nn.LRN(1, 1.0, 0.5, 0.75),
        lambda: (A(1, 3, 1, 2),),
        "1x3x1x2: 0 0.260847 0.33112 0.336312 0.66224 0.572158",
    ),
    (
        "emb onehot",
        lambda: nn.Embedding(3, 2, use_one_hot=True, embedding_table="ones"),
        lambda: (T([[0, 1]], ms.int32),),
        "1x2x2: 1 1 1 1",
    ),
    (
        "embl",
        lambda: nn.EmbeddingLookup(3, 2, param_init="ones", max_norm=1.0),
        lambda: (T([[0, 1]], ms.int32),),
        "1x2x2: 0.707107 0.707107 0.707107 0.707107",
    ),
    (
        "mfel",
        lambda: nn.MultiFieldEmbeddingLookup(10, 2, 2, param_init="ones", operator="SUM"),
        lambda: (
            T([[2, 4, 6], [1, 3, 5]], ms.int32),
            T([[1.0, 2, 3], [4, 5, 6]]),
            T([[0, 1, 1], [0, 0, 1]], ms.int32),
        ),
        "2x2x2: 1 1 5 5 9 9 6 6",
    ),
    (
        "mfel max",
        lambda: nn.MultiFieldEmbeddingLookup(10, 2, 2, param_init="ones", operator="MAX"),
        lambda: (
            T([[2, 4, 6], [1, 3, 5]], ms.int32),
            T([[1.0, 2, 3], [4, 5, 6]]),
            T([[0, 1, 1], [0, 0, 1]], ms.int32),
        ),
        "2x2x2: 1 1 3 3 5 5 6 6",
    ),
    (
        "mfel mean",
        lambda: nn.MultiFieldEmbeddingLookup(10, 2, 2, param_init="ones", operator="MEAN"),
        lambda: (
            T([[2, 4, 6], [1, 3, 5]], ms.int32),
            T([[1.0, 2, 3], [4, 5, 6]]),
            T([[0, 1, 1], [0, 0, 1]], ms.int32),
        ),
        "2x2x2: 1 1 1 1 1 1 1 1",
    ),
    (
        "flat",
        lambda: nn.Flatten(),
        lambda: (A(2, 3, 4),),
        "2x12: 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1 2",
    ),
    (
        "flat2",
        lambda: nn.Flatten(0, 1),
        lambda: (A(2, 3, 4),),
        "6x4: 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1 2",
    ),
    (
        "onehot",
        lambda: nn.OneHot(depth=3),
        lambda: (T([0, 2], ms.int32),),
        "2x3: 1 0 0 0 0 1",
    ),
    (
        "onehot ax",
        lambda: nn.OneHot(axis=0, depth=3, on_value=2.0, off_value=-1.0),
        lambda: (T([[0, 2]], ms.int32),),
        "3x1x2: 2 -1 -1 -1 -1 2",
    ),
    (
        "pad",
        lambda: nn.Pad(((1, 0), (0, 1))),
        lambda: (A(2, 2),),
        "3x3: 0 0 0 0 1 0 2 3 0",
    ),
    (
        "pad sym",
        lambda: nn.Pad(((1, 1), (1, 1)), "SYMMETRIC"),
        lambda: (A(2, 2),),
        "4x4: 0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3",
    ),
    (
        "pad ref",
        lambda: nn.Pad(((1, 1), (1, 1)), "REFLECT"),
        lambda: (A(2, 3),),
        "4x5: 4 3 4 5 4 1 0 1 2 1 4 3 4 5 4 1 0 1 2 1",
    ),
    (
        "cp1",
        lambda: nn.ConstantPad1d((1, 2), 0.5),
        lambda: (A(1, 2, 2),),
        "1x2x5: 0.5 0 1 0.5 0.5 0.5 2 3 0.5 0.5",
    ),
    (
        "cp2",
        lambda: nn.ConstantPad2d((1, 0, 1, 0), 0.5),
        lambda: (A(1, 2, 2),),
        "1x3x3: 0.5 0.5 0.5 0.5 0 1 0.5 2 3",
    ),
    (
        "zp",
        lambda: nn.ZeroPad2d(1),
        lambda: (A(1, 1, 1, 1),),
        "1x1x3x3: 0 0 0 0 0 0 0 0 0",
    ),
    (
        "rp1",
        lambda: nn.ReflectionPad1d((1, 1)),
        lambda: (A(1, 1, 3),),
        "1x1x5: 1 0 1 2 1",
    ),
    (
        "rp2",
        lambda: nn.ReflectionPad2d(1),
        lambda: (A(1, 2, 2),),
        "1x4x4: 3 2 3 2 1 0 1 0 3 2 3 2 1 0 1 0",
    ),
    (
        "repl",
        lambda: nn.ReplicationPad2d((1, 0, 0, 1)),
        lambda: (A(1, 1, 2, 2),),
        "1x1x3x3: 0 0 1 2 2 3 2 2 3",
    ),
    (
        "cp neg",
        lambda: nn.ConstantPad1d((-1, 2), 0.5),
        lambda: (A(1, 2, 3),),
        "1x2x4: 1 2 0.5 0.5 4 5 0.5 0.5",
    ),
    (
        "norm",
        lambda: nn.Norm(axis=1),
        lambda: (A(2, 3),),
        "2: 2.236068 7.071068",
    ),
    (
        "normall",
        lambda: nn.Norm(),
        lambda: (A(2, 3),),
        ": 7.416198",
    ),
    (
        "clipbynorm",
        lambda: nn.ClipByNorm(),
        lambda: (
            A(2, 3),
            T(1.0),
        ),
        "2x3: 0 0.13484 0.26968 0.40452 0.53936 0.6742",
    ),
    (
        "l1reg",
        lambda: nn.L1Regularizer(0.5),
        lambda: (A(2, 3),),
        ": 7.5",
    ),
    (
        "tril",
        lambda: nn.Tril(),
        lambda: (
            A(2, 2),
            0,
        ),
        "2x2: 0 0 2 3",
    ),
    (
        "triu",
        lambda: nn.Triu(),
        lambda: (
            A(2, 2),
            1,
        ),
        "2x2: 0 1 0 0",
    ),
    (
        "upsample bil",
        lambda: nn.Upsample(size=(3, 3), mode="bilinear", align_corners=True),
        lambda: (A(1, 1, 2, 2),),
        "1x1x3x3: 0 0.5 1 1 1.5 2 2 2.5 3",
    ),
    (
        "pixshuf",
        lambda: nn.PixelShuffle(2),
        lambda: (A(1, 4, 1, 2),),
        "1x1x2x4: 0 2 1 3 4 6 5 0",
    ),
    (
        "pixun",
        lambda: nn.PixelUnshuffle(2),
        lambda: (A(1, 1, 2, 4),),
        "1x4x1x2: 0 2 1 3 4 6 5 0",
    ),
    (
        "chs",
        lambda: nn.ChannelShuffle(2),
        lambda: (A(1, 4, 1, 1),),
        "1x4x1x1: 0 2 1 3",
    ),
    (
        "bid",
        lambda: nn.BiDense(2, 2, 1, weight_init="ones", bias_init="zeros"),
        lambda: (
            A(1, 2),
            A(1, 2),
        ),
        "1x1: 1",
    ),
    (
        "matmul",
        lambda: nn.MatMul(True, False),
        lambda: (
            A(2, 3),
            A(2, 2),
        ),
        "3x2: 6 9 8 13 10 17",
    ),
    (
        "range",
        lambda: nn.Range(1, 8, 2),
        lambda: (),
        "4: 1 3 5 7",
    ),
    (
        "rlse",
        lambda: nn.ReduceLogSumExp(1),
        lambda: (A(2, 3),),
        "2: 2.407605 5.407606",
    ),
    (
        "drop eval",
        lambda: nn.Dropout(0.1),
        lambda: (A(2),),
        "2: 0 1",
    ),
    (
        "unflat",
        lambda: nn.Unflatten(1, (1, 2)),
        lambda: (A(2, 2),),
        "2x1x2: 0 1 2 3",
    ),
    (
        "cc",
        lambda: nn.CentralCrop(0.5),
        lambda: (A(1, 4, 4),),
        "1x2x2: 5 6 2 3",
    ),
    (
        "lgamma",
        lambda: nn.LGamma(),
        lambda: (T([0.5, 3.0]),),
        "2: 0.572365 0.693148",
    ),
    (
        "dig",
        lambda: nn.DiGamma(),
        lambda: (T([0.5, 3.0]),),
        "2: -1.96351 0.922785",
    ),
    (
        "u0",
        lambda: nn.Upsample(size=(4, 4)),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: 0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3",
    ),
    (
        "u1",
        lambda: nn.Upsample(scale_factor=2.0, recompute_scale_factor=True),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: 0 0 1 1 0 0 1 1 2 2 3 3 2 2 3 3",
    ),
    (
        "u2",
        lambda: nn.Upsample(scale_factor=2.0, recompute_scale_factor=True, mode="bilinear"),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: 0 0.25 0.75 1 0.5 0.75 1.25 1.5 1.5 1.75 2.25 2.5 2 2.25 2.75 3",
    ),
    (
        "u3",
        lambda: nn.Upsample(size=(3,), mode="linear"),
        lambda: (A(1, 1, 2),),
        "1x1x3: 0 0.5 1",
    ),
    (
        "u4",
        lambda: nn.Upsample(size=(4, 4), mode="bicubic"),
        lambda: (A(1, 1, 2, 2),),
        "1x1x4x4: -0.264706 0.030672 0.616387 0.911765 0.32605 0.621429 1.207143 1.502521 1.497479 1.792857 "
        "2.378572 2.67395 2.088236 2.383614 2.969328 3.264706",
    ),
    (
        "range f",
        lambda: nn.Range(0.0, 1.0, 0.25),
        lambda: (),
        "4: 0 0.25 0.5 0.75",
    ),
    (
        "range1",
        lambda: nn.Range(3),
        lambda: (),
        "3: 0 1 2",
    ),
    (
        "rlse all",
        lambda: nn.ReduceLogSumExp((0, 1), True),
        lambda: (A(2, 3),),
        "1x1: 5.456193",
    ),
    (
        "mm 1d",
        lambda: nn.MatMul(),
        lambda: (
            A(3),
            A(3),
        ),
        ": 5",
    ),
    (
        "mm t",
        lambda: nn.MatMul(False, True),
        lambda: (
            A(2, 3),
            A(4, 3),
        ),
        "2x4: 5 14 2 11 14 50 23 38",
    ),
    (
        "mm b",
        lambda: nn.MatMul(),
        lambda: (
            A(2, 2, 3),
            A(3, 2),
        ),
        "2x2x2: 10 13 28 40 4 11 22 31",
    ),
    (
        "cc1",
        lambda: nn.CentralCrop(1.0),
        lambda: (A(1, 4, 4),),
        "1x4x4: 0 1 2 3 4 5 6 0 1 2 3 4 5 6 0 1",
    ),
    (
        "cc4",
        lambda: nn.CentralCrop(0.5),
        lambda: (A(2, 1, 4, 4),),
        "2x1x2x2: 5 6 2 3 0 1 4 5",
    ),
    (
        "cc5",
        lambda: nn.CentralCrop(0.6),
        lambda: (A(1, 5, 5),),
        "1x3x3: 6 0 1 4 5 6 2 3 4",
    ),
    (
        "cba",
        lambda: nn.Conv2dBnAct(1, 1, 2, weight_init="ones", bias_init="zeros", has_bn=True, activation="relu"),
        lambda: (A(1, 1, 3, 3),),
        "1x1x3x3: 7.99996 11.99994 6.999965 12.99994 9.99995 5.99997 5.99997 0.999995 0.999995",
    ),
    (
        "dba",
        lambda: nn.DenseBnAct(2, 1, weight_init="ones", has_bn=True, activation="relu"),
        lambda: (A(1, 2),),
        "1x1: 0.999995",
    ),
]


@pytest.mark.parametrize(("make", "inputs", "expected"), [row[1:] for row in ROWS], ids=[row[0] for row in ROWS])
def test_numbers(make: Any, inputs: Any, expected: str) -> None:
    check_layer(make, inputs, expected)
