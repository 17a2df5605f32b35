"""Functions that layers are made of: activations, convolutions, pooling, normalisation, images and losses."""

from __future__ import annotations

from .nn_activation import *  # noqa: F403
from .nn_conv import *  # noqa: F403
from .nn_detection import *  # noqa: F403
from .nn_dropout import *  # noqa: F403
from .nn_image import *  # noqa: F403
from .nn_loss import *  # noqa: F403
from .nn_loss_margin import *  # noqa: F403
from .nn_norm import *  # noqa: F403
from .nn_pool import *  # noqa: F403
from .nn_pool_adaptive import *  # noqa: F403
from .nn_sampling import *  # noqa: F403
