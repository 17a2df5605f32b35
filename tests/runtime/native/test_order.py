"""Values of a basic block are computed near their readers."""

from __future__ import annotations

import numpy as np
import pytest

from mycel.runtime.native.order import in_order_of_use


def _alive(order: list[str], arguments: dict[str, list[str]], roots: list[str]) -> int:
    """The most values that are alive at once, counted anew at each place."""
    most = 0
    for at in range(len(order)):
        later = {each for name in order[at + 1 :] for each in arguments.get(name, ())}
        most = max(most, sum(name in later or name in roots for name in order[: at + 1]))
    return most


def test_squares_are_added_as_they_are_made() -> None:
    count = 8
    arguments = {f"d{i}": [f"x{i}", f"y{i}"] for i in range(count)} | {f"q{i}": [f"d{i}"] for i in range(count)}
    arguments |= {f"s{i}": [f"s{i - 1}" if i > 1 else "q0", f"q{i}"] for i in range(1, count)}
    names = [f"{kind}{i}" for kind in "xydqs" for i in range(count) if f"{kind}{i}" != "s0"]
    order = list(in_order_of_use(names, arguments, ["s7"]))
    assert sorted(order) == sorted(names)
    assert _alive(names, arguments, ["s7"]) >= 2 * count
    assert _alive(order, arguments, ["s7"]) == 3


def test_inputs_come_before_their_first_readers() -> None:
    arguments = {"p": ["a", "b"], "q": ["p", "c"]}
    assert list(in_order_of_use(["a", "b", "c", "p", "q"], arguments, ["q"])) == ["a", "b", "p", "c", "q"]


def test_what_no_root_needs_stays() -> None:
    """Such a value may be read elsewhere, as a position."""
    assert set(in_order_of_use(["a", "b", "p"], {"p": ["a"]}, ["p"])) == {"a", "b", "p"}


@pytest.mark.parametrize("seed", range(40))
def test_random_graphs(seed: int) -> None:
    """Each value comes once, after its arguments, and no more are alive than in the order as given."""
    rng = np.random.default_rng(seed)
    names = [f"v{i}" for i in range(int(rng.integers(1, 60)))]
    arguments: dict[str, list[str]] = {}
    for at, name in enumerate(names):
        if at and rng.random() < 0.7:
            arguments[name] = [names[each] for each in rng.integers(0, at, int(rng.integers(1, 4)))]
    read = {each for given in arguments.values() for each in given}
    roots = [name for name in names if name not in read or rng.random() < 0.1]
    order = list(in_order_of_use(names, arguments, roots))
    assert sorted(order) == sorted(names)
    place = {name: at for at, name in enumerate(order)}
    assert all(place[each] < place[name] for name, given in arguments.items() for each in given)
    assert _alive(order, arguments, roots) <= _alive(names, arguments, roots)
