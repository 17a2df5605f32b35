"""Cells of `mindspore.parallel.nn`, which `nn` has under longer names."""

from __future__ import annotations

from .micro_batches import (
    GradAccumulationCell as GradAccumulation,
    MicroBatchInterleaved,
    PipelineCell as Pipeline,
    PipelineGradReducer,
)

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineGradReducer"]
