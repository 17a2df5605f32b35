"""Code for AVX2: how vectors without masks cover a row, and which instructions there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from drawn_direct import DrawnDirect
from drawn_pools import DrawnPool

from mycel.runtime.machine.assembler import Assembler
from mycel.runtime.machine.best_code import BestCode, RankCode
from mycel.runtime.machine.direct_code import NarrowDirectCode
from mycel.runtime.machine.narrow_assembler import spans
from mycel.runtime.machine.narrow_copy_code import NarrowCopyCode
from mycel.runtime.machine.narrow_depthwise_code import NarrowDepthwiseCode
from mycel.runtime.machine.narrow_pool_code import NarrowPoolCode
from mycel.runtime.machine.narrow_product_code import NarrowProductCode
from mycel.runtime.machine.narrow_tile_code import NarrowTileCode
from mycel.runtime.machine.narrow_turn_code import NarrowTurnCode
from mycel.runtime.machine.sizes import NARROW

EVEX = 0x62
"""The first byte of instructions of AVX-512, but for some on masks."""


@pytest.mark.parametrize("lanes", [4, 8, 16])
def test_spans_cover_all_elements_and_no_others(lanes: int) -> None:
    """They are whole vectors and halves; only fewer elements than half a vector are a part of one."""
    for count in range(1, 5 * lanes):
        found = spans(count, lanes)
        covered = [element for first, size in found for element in range(first, first + size)]
        assert sorted(set(covered)) == list(range(count))
        assert {size for _, size in found} <= ({lanes, lanes // 2} if count >= lanes // 2 else {count})
        assert [first for first, _ in found] == sorted(first for first, _ in found)
        assert len(found) <= count // lanes + 2 - (count >= lanes)


def writers() -> Iterator[Any]:
    """What writes code for AVX2, for sizes of many kinds."""
    yield NarrowCopyCode()
    for dtype in ("float32", "float64"):
        yield NarrowProductCode(dtype)
        for rows, columns in ((5, 3), (8, 16), (37, 70)):
            yield NarrowTurnCode(dtype, (2, rows, columns), (0, 2, 1))
    for kind, positions, length, largest in (("f", "i", 700, True), ("i", "l", 37, False)):
        yield BestCode(kind, positions, length, 20, largest)
        yield RankCode(kind, positions, 37, 20, largest)
    for seed in range(30):
        pool, direct = DrawnPool(seed), DrawnDirect(seed)
        yield NarrowPoolCode(pool.kind, pool.sizes_of(NARROW))
        yield NarrowDirectCode(direct.kind, direct.sizes._replace(width=NARROW))
    for width in (1, 3, 6, 8, 13, 28):
        for rows in range(1, 9):
            for kind in ("forward", "weight"):
                yield NarrowDepthwiseCode(kind, rows, 1 + rows % 2, 1, width)
        for taps in (3, 5, 9):
            for kind in ("input", "output", "gradient"):
                yield NarrowTileCode(kind, taps, width, 1, (width + 1) // 2)


def test_there_are_no_instructions_of_avx512(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would run on the machine of the tests, and nowhere else."""
    capstone = pytest.importorskip("capstone")
    engine, ends = capstone.Cs(capstone.CS_ARCH_X86, capstone.CS_MODE_64), []
    finish = Assembler.finish

    def without_constants(code: Assembler) -> bytes:
        ends.append(len(code.code))
        return finish(code)

    monkeypatch.setattr(Assembler, "finish", without_constants)
    count = 0
    for writer in writers():
        code = writer.assemble()[: ends.pop()]
        found = list(engine.disasm(code, 0))
        assert sum(one.size for one in found) == len(code)
        for one in found:
            count += one.mnemonic.startswith("v")
            assert one.bytes[0] != EVEX, (writer, one.mnemonic, one.op_str)
            assert not one.mnemonic.startswith("k"), (writer, one.mnemonic, one.op_str)
    assert count > 10_000
