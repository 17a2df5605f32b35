"""Functions that layers are made of: activations, convolutions, pooling, normalisation, images and losses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import nn_activation, nn_image
from .nn_activation import *  # noqa: F403
from .nn_conv import *  # noqa: F403
from .nn_detection import *  # noqa: F403
from .nn_dropout import *  # noqa: F403
from .nn_image import *  # noqa: F403
from .nn_loss import *  # noqa: F403
from .nn_loss_margin import *  # noqa: F403
from .nn_norm import *  # noqa: F403
from .nn_pool import *  # noqa: F403
from .nn_sampling import *  # noqa: F403

TENSOR_METHODS: dict[str, Callable[..., Any]] = {
    **nn_activation.TENSOR_METHODS,
    "unfold": nn_image.unfold,
    "fold": nn_image.fold,
}
