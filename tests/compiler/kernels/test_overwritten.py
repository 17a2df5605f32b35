"""Which outputs of a kernel may use the memory of an input."""

from __future__ import annotations

from collections.abc import Iterator

from mycel.compiler.kernels.overwritten import overwritten
from mycel.runtime.native.language import parse


class Counted(tuple[int, ...]):
    """Numbers that count how often they are read."""

    reads = 0

    def __iter__(self) -> Iterator[int]:
        self.reads += 1
        return super().__iter__()


def kernel(count: int, more: str = "") -> str:
    names = range(count)
    return "\n".join(
        [
            "over 64",
            *(f"in x{name} float32[64] 4" for name in names),
            *more.splitlines(),
            *(f"out y{name} float32[64] 4" for name in names),
            *(f"y{name} = add(x{name}, 1.0)" for name in names),
        ]
    )


def test_inputs_are_looked_through_once_for_all_outputs():
    inputs = Counted(range(20))
    pairs = overwritten(parse(kernel(20)), inputs)
    assert pairs == {(out, position) for out in range(20) for position in range(20)}
    assert inputs.reads == 1


def test_an_input_that_is_read_at_two_places_keeps_its_memory():
    text = kernel(2, "in shifted float32[64] 4 from 4")
    assert overwritten(parse(text), (0, 1, 0)) == {(0, 1), (1, 1)}
    assert overwritten(parse(text), (0, 1, 2)) == {(0, 0), (0, 1), (1, 0), (1, 1)}
