"""The functions on tensors; `mycel.ops` has them and the primitives (`library/ops/`)."""

from __future__ import annotations

from ...frontend.transforms.grad import grad, value_and_grad  # noqa: F401
from ...frontend.transforms.grad_operation import GradOperation, get_grad  # noqa: F401
from ...frontend.transforms.jacobian import jacfwd, jacrev  # noqa: F401
from ...frontend.transforms.linearized import linearize  # noqa: F401
from ...frontend.transforms.products import jvp, vjp  # noqa: F401
from ...frontend.transforms.taylor import derivative, jet  # noqa: F401
from ...frontend.transforms.vmap import vmap  # noqa: F401

# The modules of methods enter methods of Tensor into the table.
from . import dtype_methods, math, methods, reduce_methods, renamed, shape_methods, table  # noqa: F401
from .array import *  # noqa: F403
from .attention import *  # noqa: F403
from .comparison import *  # noqa: F403
from .complex_parts import *  # noqa: F403
from .composite import *  # noqa: F403
from .creation import *  # noqa: F403
from .creation_matrix import *  # noqa: F403
from .creation_ranges import *  # noqa: F403
from .cumulative import *  # noqa: F403
from .extremes import *  # noqa: F403
from .fourier import *  # noqa: F403
from .functions import *  # noqa: F403
from .linalg import *  # noqa: F403
from .linalg_norm import *  # noqa: F403
from .linalg_solve import *  # noqa: F403
from .linalg_weighted import *  # noqa: F403
from .math import *  # noqa: F403
from .math_binary import *  # noqa: F403
from .nn_functional import *  # noqa: F403
from .overloads import *  # noqa: F403
from .program import *  # noqa: F403
from .random import *  # noqa: F403
from .random_distributions import *  # noqa: F403
from .reduce import *  # noqa: F403
from .representation import *  # noqa: F403
from .special import *  # noqa: F403
from .spectrogram import *  # noqa: F403
from .statistics import *  # noqa: F403
from .windows import *  # noqa: F403

globals().update({name: record.run for name, record in table.names("ops").items()})
