# Written by tools/stubs.py: `make stubs` writes it again.
# mypy: ignore-errors
from typing import Any
from mycel.library.functions.multitype import (
    logical_and as logical_and, logical_not as logical_not, logical_or as logical_or,
)

add: Any
bitwise_and: Any
bitwise_or: Any
bitwise_xor: Any
div: Any
equal: Any
floordiv: Any
greater: Any
greater_equal: Any
invert: Any
less: Any
less_equal: Any
mod: Any
mul: Any
negative: Any
not_equal: Any
sub: Any
from mycel.library.ops import *
from typing import Any
from mycel.library.functions.multitype import (
    in_ as in_, logical_and as logical_and, logical_not as logical_not, logical_or as logical_or,
    not_in_ as not_in_, setitem as setitem,
)

add: Any
bitwise_and: Any
bitwise_or: Any
bitwise_xor: Any
div: Any
equal: Any
floordiv: Any
getitem: Any
greater: Any
greater_equal: Any
invert: Any
left_shift: Any
less: Any
less_equal: Any
mod: Any
mul: Any
negative: Any
not_equal: Any
pow_: Any
right_shift: Any
sub: Any
uadd: Any
from typing import Any
def __getattr__(name: str) -> Any: ...
