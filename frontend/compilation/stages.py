"""Inspection of the compiler's stages: every form of a compiled function, as text."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import field
from typing import TYPE_CHECKING, Any

from ...compiler.analysis.communication import communication_of
from ...compiler.analysis.phases import plain
from ...compiler.ir.graph import Graph
from ...runtime.records import dataclass
from ..tracing.trace import graph_name
from .program_files import next_stem, saved_graphs, write_whole

if TYPE_CHECKING:
    from pathlib import Path

    from .profile import Profile


class Text(str):
    """Text that a notebook or the prompt shows with line breaks."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


@dataclass(frozen=True, repr=False)
class Stages:
    """The stages of a function for one signature of its arguments. Every stage prints as text.

    Attributes:
        converted: the source, with control flow rewritten into calls.
        forward: the forward graph; of a function that takes a gradient, the one that was differentiated.
        backward: the backward graph, or None where no gradient was taken.
        joint: forward and backward in one graph, with all else that the function does (updates of Parameters). Its text
            has headings for these, and for Cells, and the source beside each line.
        optimized: the graph that is run.
        communication: the messages to other processes, with the computation that runs meanwhile.
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
    place: Callable[[], str] = field(compare=False)

    def __repr__(self) -> str:
        stages = ", ".join(name for name, _ in self.items())
        return f"<stages of {self.name}: {stages}; print(...) shows them, .save('{self.name}.html') writes a page>"

    @property
    def communication(self) -> Text:
        """The messages to other processes, one on each line; empty if there are none."""
        found = communication_of(self.optimized)
        return Text(found if found.messages else "")

    def text(self, name: str) -> str:
        """The text of a stage or of the graph after a pass; KeyError if there is none of that name."""
        texts = dict(self.items())
        return texts[name] if name in texts else str(self.passes[name])

    def names(self) -> list[str]:
        """The names for `text`: the stages, then the passes."""
        return [name for name, _ in self.items()] + list(self.passes)

    def diff(self, name: str) -> str:
        """The effect of a pass, as a unified diff of the graph before and after it; empty if nothing changed.

        Raises:
            KeyError: if there is no pass of that name.
        """
        import difflib  # which few programs need

        graphs = {"joint": self.joint, **self.passes}
        order = list(graphs)
        if name not in self.passes:
            raise KeyError(name)
        before = order[order.index(name) - 1]
        old, new = str(plain(graphs[before])).splitlines(), str(graphs[name]).splitlines()
        return "\n".join(difflib.unified_diff(old, new, before, name, lineterm=""))

    def items(self) -> Iterator[tuple[str, str]]:
        """Pairs of a stage and its text, in order. Absent stages are left out."""
        yield "converted", self.converted
        yield "forward", str(self.forward)
        if self.backward is not None:
            yield "backward", str(self.backward)
        yield "joint", str(self.joint)
        yield "optimized", str(self.optimized)
        if self.communication:
            yield "communication", self.communication
        yield "plan", str(self.plan)
        yield "program", self.program

    def graphs(self) -> dict[str, Graph]:
        """The stages that are graphs, by name. `.dot()` and `.mermaid()` of each give text that draws it."""
        found = {"forward": self.forward, "backward": self.backward, "joint": self.joint, "optimized": self.optimized}
        return {name: graph for name, graph in found.items() if graph is not None}

    def program_file(self) -> Path:
        """The file of the program, for debuggers: a breakpoint at one of its lines stops when the function runs.

        The file is written, and the program loaded as from it, if that has not been done. Without a debugger no file is
        written until it is asked for. The program runs from memory, so a change of the file has no effect.

        Returns:
            The path. It is the same in the next process, as long as the program is.

        Raises:
            OSError: if it cannot be written.

        Examples:
            >>> import mycel as ms
            >>> f = ms.jit(lambda x: (x * 2).sum())
            >>> stages = f.stages(ms.ops.ones((2, 3), ms.float32))
            >>> stages.program_file().read_text() == stages.program
            True
        """
        from pathlib import Path

        return Path(self.place())

    def html(self, profile: Profile | None = None) -> str:
        """The stages as one HTML page that works offline; see `save`."""
        from ..page.describe import describe
        from ..page.html import render

        return render(describe(self, profile))

    def save(self, path: str | os.PathLike[str], profile: Profile | None = None) -> Path:
        """Write one HTML file that shows every stage beside the source: graphs, the effect of each pass, memory.

        The file works offline, and holds the source of the functions that it shows.

        Args:
            path: where to.
            profile: the result of `profile` for the same arguments, which is shown, too.

        Returns:
            The path.

        Examples:
            >>> import mycel as ms
            >>> import tempfile
            >>> f = ms.jit(lambda x: (x * 2).sum())
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     f.stages(ms.ops.ones((2, 3), ms.float32)).save(f"{folder}/f.html").name
            'f.html'
        """
        from pathlib import Path

        written = Path(path)
        written.write_bytes(self.html(profile).encode(errors="backslashreplace"))
        return written

    def _repr_html_(self) -> str:
        """The page, inside a notebook."""
        from ..page.html import frame

        return frame(self.html())

    def __str__(self) -> str:
        return "\n\n".join(f"# ---- {stage} ----\n{text.rstrip()}" for stage, text in self.items())


SUFFIX = {"converted": "py", "communication": "txt", "plan": "txt", "program": "py"}


def write_stages(stages: Stages, folder: Path, stem: str = "") -> list[str]:
    """Write each stage to a numbered file, such as `step_00_converted.py`. Returns the paths.

    The graph after each pass, and the changes that it made, go to `step_pass_02_cse.ir` and `step_pass_02_cse.diff`.

    Args:
        stages: the stages to write.
        folder: where to.
        stem: how the names begin, if not with the function's name.
    """
    stem = stem or graph_name(stages.name)
    written = [
        write_whole(folder, numbered(stem, number, stage), text.rstrip() + "\n")
        for number, (stage, text) in enumerate(stages.items())
    ]
    for number, (name, graph) in enumerate(stages.passes.items()):
        for suffix, text in (("ir", str(graph)), ("diff", stages.diff(name))):
            if text:
                written.append(write_whole(folder, f"{stem}_pass_{number:02d}_{name}.{suffix}", text.rstrip() + "\n"))
    return written


def numbered(stem: str, number: int, stage: str) -> str:
    """The file name of a stage."""
    return f"{stem}_{number:02d}_{stage}.{SUFFIX.get(stage, 'ir')}"


def program_saver(name: str, derived: bool) -> tuple[str, Callable[[str, str], str]]:
    """For `save_graphs`: the beginning of the names of a compilation's files, and a function that writes the program,
    which is then loaded as from its file.

    Args:
        name: the function's.
        derived: whether there is a backward graph.
    """
    folder, stem = saved_graphs(), next_stem(name)
    file = numbered(stem, 6 if derived else 5, "program")
    return stem, lambda name, source: write_whole(folder, file, source.rstrip() + "\n")
