"""Inspection of the compiler's stages: everything that a compiled function went through, as text."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ...compiler.ir.graph import Graph
from ..state import CONTEXT

if TYPE_CHECKING:
    from pathlib import Path


class Text(str):
    """Text that a notebook or the prompt shows with its line breaks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True)
class Stages:
    """What a function went through for one signature of its arguments; every stage prints as text.

    Attributes:
        converted: the source, with control flow rewritten into calls.
        forward: the forward graph; of a function that takes a gradient, the one that was differentiated.
        backward: the backward graph, or None where no gradient was taken.
        joint: forward and backward in one graph, with all else that the function does (updates of Parameters).
        optimized: the graph that is run.
        plan: the memory plan: every buffer's offset and lifetime, and the peak.
        program: the Python that runs.
        passes: the graph after each pass, by its name.
        seconds: how long each stage of the compiler took.
    """

    name: str
    converted: str
    forward: Graph
    backward: Graph | None
    joint: Graph
    optimized: Graph
    plan: Any
    program: str
    passes: dict[str, Graph]
    seconds: dict[str, float]

    def items(self) -> Iterator[tuple[str, str]]:
        """Pairs of stage and its text, in order; stages that are absent are left out."""
        yield "converted", self.converted
        yield "forward", str(self.forward)
        if self.backward is not None:
            yield "backward", str(self.backward)
        yield "joint", str(self.joint)
        yield "optimized", str(self.optimized)
        yield "plan", str(self.plan)
        yield "program", self.program

    def graphs(self) -> dict[str, Graph]:
        """The stages that are graphs, by name; `.dot()` and `.mermaid()` of each give text that draws it."""
        found = {"forward": self.forward, "backward": self.backward, "joint": self.joint, "optimized": self.optimized}
        return {name: graph for name, graph in found.items() if graph is not None}

    def __str__(self) -> str:
        return "\n\n".join(f"# ---- {stage} ----\n{text.rstrip()}" for stage, text in self.items())


SUFFIX = {"converted": "py", "plan": "txt", "program": "py"}


def write_stages(stages: Stages, folder: str | os.PathLike[str] | None = None) -> list[Path]:
    """Write each stage to a numbered file of its own, such as `step_00_converted.py`; the paths written."""
    from pathlib import Path  # as few programs do this, `import mycel` does not load it

    place = Path(folder or CONTEXT.settings.get("save_graphs_path") or ".")
    place.mkdir(parents=True, exist_ok=True)
    base = re.sub(r"\W+", "_", stages.name).strip("_") or "graph"
    paths = []
    for number, (stage, text) in enumerate(stages.items()):
        path = place / f"{base}_{number:02d}_{stage}.{SUFFIX.get(stage, 'ir')}"
        path.write_text(text.rstrip() + "\n", encoding="utf-8")
        paths.append(path)
    return paths
