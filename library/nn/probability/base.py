"""`Distribution`: its parameters are given when it is made or when it is used, and most methods follow from
log_prob."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from ....frontend.values.arguments import need_type
from ....frontend.values.cell import Cell
from ....frontend.values.tensor import Tensor
from ....runtime import dtypes
from ....runtime.dtypes import DType
from ... import ops

QUANTITIES = (
    "prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "mode", "sd", "var", "entropy",
    "kl_loss", "cross_entropy", "sample", "get_dist_args", "get_dist_type",
)  # fmt: skip


class Distribution(Cell):
    """Base of distributions.

    Every quantity takes the distribution's parameters as further arguments, in order or by name; one that is not given
    (or None) is that which the distribution was made with.

    Args:
        seed: of the generator that `sample` draws from; None: the global one.
        dtype: of the samples.
        name: its name.
        param: what it was made with; of the parameters in `parameters_of` the values.

    Raises:
        TypeError: if the seed is no int, or the dtype no dtype.
        ValueError: if the seed is negative.

    Examples:
        >>> from mycel.nn.probability import distribution as msd
        >>> print(isinstance(msd.Uniform([0.0], [2.0]), msd.Distribution))
        True
    """

    parameters_of: tuple[str, ...] = ()
    """The names of the parameters."""
    positive: tuple[str, ...] = ()
    """The parameters that have to be positive."""
    discrete = False
    words: ClassVar[dict[str, str]] = {"sd": "standard deviation"}
    """How parameters are called where the distribution is printed, if not by their names."""

    def __init__(self, seed: Any, dtype: Any, name: str, param: Any) -> None:
        super().__init__()
        need_type(dtype, DType, f"{type(self).__name__}: 'dtype' should be a dtype", repr)
        need_type(seed, int | np.integer | None, f"{type(self).__name__}: 'seed' should be an int")
        if seed is not None and seed < 0:
            raise ValueError(f"{type(self).__name__}: 'seed' should not be negative, but got {seed}")
        self.seed: int | None = int(seed) if seed else None
        self.dtype = dtype
        self.name = name
        self.param = param
        self.float_dtype = dtype if dtype.is_float else dtypes.float32
        self._own: tuple[Any, ...] = ()
        if self.parameters_of:
            self._hold(param)

    def _hold(self, given: dict[str, Any]) -> None:
        """Keep the parameters that were given, as tensors, and check them."""
        kind = type(self).__name__
        if not self.discrete and not self.dtype.is_float:
            raise TypeError(f"{kind}: 'dtype' should be a floating-point one, but got {self.dtype}")
        held = []
        for name in self.parameters_of:
            tensor = None if given[name] is None else self._as_tensor(given[name], name)
            if tensor is not None and not tensor._is_traced_tensor:
                self._check(name, tensor.asnumpy())
            held.append(tensor)
        self._own = tuple(held)

    def _as_tensor(self, value: Any, name: str) -> Tensor:
        if not isinstance(value, (int, float, list, tuple, np.ndarray, np.number, Tensor)):
            raise TypeError(f"{type(self).__name__}: '{name}' should be a number or tensor, but got {value!r}")
        if isinstance(value, Tensor):
            return value if value.dtype is self.float_dtype else ops.cast(value, self.float_dtype)
        return Tensor(np.asarray(value), self.float_dtype)

    def _check(self, name: str, numbers: Any) -> None:
        if name in self.positive and not (numbers > 0).all():
            raise ValueError(f"{type(self).__name__}: '{name}' should be positive, but got {numbers}")
        if name == "probs" and not ((numbers >= 0) & (numbers <= 1)).all():
            raise ValueError(f"{type(self).__name__}: 'probs' should be in [0, 1], but got {numbers}")

    def _given(self, arguments: tuple[Any, ...], named: dict[str, Any], suffix: str = "") -> tuple[Any, ...]:
        """The parameters to compute with."""
        kind = type(self).__name__
        if len(arguments) > len(self.parameters_of):
            raise TypeError(f"{kind} has {len(self.parameters_of)} parameters, but got {len(arguments)}")
        values: list[Any] = [*arguments, *[None] * (len(self.parameters_of) - len(arguments))]
        for name, value in named.items():
            if name.removesuffix(suffix) not in self.parameters_of:
                raise TypeError(f"{kind} has no parameter '{name}'")
            values[self.parameters_of.index(name.removesuffix(suffix))] = value
        result = []
        for place, (name, value) in enumerate(zip(self.parameters_of, values, strict=True)):
            own = self._own[place] if self._own and not suffix else None
            if value is None and own is None:
                raise TypeError(f"{kind}: '{name}{suffix}' was given neither when it was made nor here")
            result.append(own if value is None else self._as_tensor(value, name))
        return tuple(result)

    def _value(self, value: Any) -> Tensor:
        if value is None:
            raise TypeError(f"{type(self).__name__}: a value is expected, but got None")
        return self._as_tensor(value, "value")

    @property
    def batch_shape(self) -> Any:
        """The shape of the parameters, broadcast together; None where one is missing."""
        if any(value is None for value in self._own):
            return None
        return np.broadcast_shapes(*[value.shape for value in self._own])

    broadcast_shape = batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether the parameters are single numbers."""
        return self.batch_shape in ((), (1,))

    def extend_repr(self) -> str:
        """The shape of many parameters, or their numbers."""
        if self.batch_shape:
            return f"batch_shape = {self.batch_shape}"
        named = zip(self.parameters_of, self._own, strict=True)
        return ", ".join(f"{self.words.get(name, name)} = {value}" for name, value in named)

    # What a distribution defines, with its parameters as arguments

    def _log_prob(self, value: Tensor, *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("log_prob")

    def _prob(self, value: Tensor, *parameters: Any, **named: Any) -> Tensor:
        return ops.exp(self._log_prob(value, *parameters))

    def _cdf(self, value: Tensor, *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("cdf")

    def _mean(self, *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("mean")

    def _mode(self, *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("mode")

    def _var(self, *parameters: Any, **named: Any) -> Tensor:
        return ops.square(self._sd(*parameters))

    def _sd(self, *parameters: Any, **named: Any) -> Tensor:
        if type(self)._var is Distribution._var:
            raise self._missing("sd")
        return ops.sqrt(self._var(*parameters))

    def _entropy(self, *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("entropy")

    def _kl(self, own: tuple[Tensor, ...], other: tuple[Tensor, ...]) -> Tensor:
        raise self._missing("kl_loss")

    def _sample(self, shape: tuple[int, ...], *parameters: Any, **named: Any) -> Tensor:
        raise self._missing("sample")

    def _missing(self, quantity: str) -> NotImplementedError:
        return NotImplementedError(f"{type(self).__name__} has no '{quantity}'")

    # What users call

    def log_prob(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of the probability, or of its density, at values."""
        return self._log_prob(self._value(value), *self._given(args, kwargs))

    def prob(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The probability, or its density, at values."""
        return self._prob(self._value(value), *self._given(args, kwargs))

    def cdf(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The probability of no more than values."""
        return self._cdf(self._value(value), *self._given(args, kwargs))

    def log_cdf(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of `cdf`."""
        return ops.log(self.cdf(value, *args, **kwargs))

    def survival_function(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The probability of more than values."""
        return ops.sub(1.0, self.cdf(value, *args, **kwargs))

    def log_survival(self, value: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of `survival_function`."""
        return ops.log(self.survival_function(value, *args, **kwargs))

    def mean(self, *args: Any, **kwargs: Any) -> Tensor:
        """The mean."""
        return self._mean(*self._given(args, kwargs))

    def mode(self, *args: Any, **kwargs: Any) -> Tensor:
        """The most probable value."""
        return self._mode(*self._given(args, kwargs))

    def sd(self, *args: Any, **kwargs: Any) -> Tensor:
        """The standard deviation."""
        return self._sd(*self._given(args, kwargs))

    def var(self, *args: Any, **kwargs: Any) -> Tensor:
        """The variance."""
        return self._var(*self._given(args, kwargs))

    def entropy(self, *args: Any, **kwargs: Any) -> Tensor:
        """The entropy, in nats."""
        return self._entropy(*self._given(args, kwargs))

    def _both(self, dist: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """The parameters of this distribution and of another one of its kind."""
        need_type(dist, str, f"{type(self).__name__}: the other distribution is given by name", repr)
        if dist != type(self).__name__:
            raise ValueError(f"{type(self).__name__}: quantities against another kind, {dist!r}, are not known")
        count = len(self.parameters_of)
        others = {name: value for name, value in kwargs.items() if name.endswith("_b")}
        mine = {name: value for name, value in kwargs.items() if name not in others}
        return self._given(args[count:], mine), self._given(args[:count], others, "_b")

    def kl_loss(self, dist: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The Kullback-Leibler divergence from a distribution of this kind with the parameters that come first."""
        own, other = self._both(dist, args, kwargs)
        return self._kl(own, other)

    def cross_entropy(self, dist: Any, *args: Any, **kwargs: Any) -> Tensor:
        """The entropy and `kl_loss` together."""
        own, other = self._both(dist, args, kwargs)
        return ops.add(self._entropy(*own), self._kl(own, other))

    def sample(self, shape: Any = (), *args: Any, **kwargs: Any) -> Tensor:
        """Samples of shape `shape` for each of the parameters."""
        need_type(shape, tuple, f"{type(self).__name__}: 'shape' should be a tuple", repr)
        parameters = self._given(args, kwargs)
        return ops.cast(self._sample((*shape, *self._batch(*parameters)), *parameters), self.dtype)

    def _batch(self, *parameters: Tensor) -> tuple[int, ...]:
        """The shape of the samples for these parameters."""
        return np.broadcast_shapes(*[tuple(map(int, each.shape)) for each in parameters])

    def get_dist_args(self, *args: Any, **kwargs: Any) -> tuple[Tensor, ...]:
        """The parameters."""
        return self._given(args, kwargs)

    def get_dist_type(self) -> str:
        """The kind of distribution."""
        return type(self).__name__

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """The quantity of a name."""
        if name not in QUANTITIES:
            raise ValueError(f"{type(self).__name__} has no quantity {name!r}, but {', '.join(QUANTITIES)}")
        return getattr(self, name)(*args, **kwargs)
