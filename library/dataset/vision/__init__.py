"""Transformations of images (`mindspore.dataset.vision`): callable alone, and as operations of `Dataset.map`.

Images are NumPy arrays (height, width, channels) or PIL images; decoding and PIL images need Pillow (the extra
`vision`).
"""

from __future__ import annotations

from ..transforms import not_random
from . import checks, files, formats, geometry, labelled, light, policies, random_geometry, random_light, turning
from .checks import *  # noqa: F403
from .files import *  # noqa: F403
from .formats import *  # noqa: F403
from .geometry import *  # noqa: F403
from .labelled import *  # noqa: F403
from .light import *  # noqa: F403
from .policies import *  # noqa: F403
from .random_geometry import *  # noqa: F403
from .random_light import *  # noqa: F403
from .turning import *  # noqa: F403

__all__ = ["not_random"]
__all__ += checks.__all__
__all__ += files.__all__
__all__ += formats.__all__
__all__ += geometry.__all__
__all__ += labelled.__all__
__all__ += light.__all__
__all__ += policies.__all__
__all__ += random_geometry.__all__
__all__ += random_light.__all__
__all__ += turning.__all__
