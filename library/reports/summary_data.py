"""What summaries have recorded, for programs that read it without a SummaryRecord, as MindArmour's coverage does.

It is kept from the import of this file on: other programs need no memory for it.
"""

from __future__ import annotations

import numpy as np

from ...frontend.values.tensor import Tensor
from ...runtime import effects

__all__: list[str] = []

_DATA: dict[str, Tensor] = {}


def _keep(kind: str, name: str, array: np.ndarray) -> None:
    _DATA[f"{name}[:{kind.title()}]"] = Tensor(array)


effects.RECORDERS.append(_keep)


def _get_summary_tensor_data() -> dict[str, Tensor]:
    """The last value of each name, such as 'x[:Tensor]', since the last call."""
    return {name: _DATA.pop(name) for name in list(_DATA)}  # one by one: other threads may record meanwhile
