"""The user's source beside the stages: the functions that the lines of a graph come from."""

from __future__ import annotations

import ast
import linecache
import re
from collections.abc import Iterable, Sequence
from typing import Any

from ...compiler.ir.values import Location

WORD = re.compile(r"[A-Za-z_]\w*")
LEAST_ALIKE = 0.5  # share of words that a converted line and the source line have in common


class SourceFile:
    """One file: its lines, and the function around each."""

    def __init__(self, file: str) -> None:
        self.lines = [line.rstrip("\n") for line in linecache.getlines(file)]
        self.functions: list[tuple[int, int, str]] = []  # first line, last line, qualified name; outer ones first
        try:
            tree = ast.parse("\n".join(self.lines))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return
        self._collect(tree, "")

    def _collect(self, tree: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(tree):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{prefix}{child.name}"
                if not isinstance(child, ast.ClassDef):
                    first = min([child.lineno, *[decorator.lineno for decorator in child.decorator_list]])
                    self.functions.append((first, child.end_lineno or child.lineno, name))
                self._collect(child, f"{name}.")
            else:
                self._collect(child, prefix)

    def function(self, line: int) -> tuple[int, int, str]:
        """The innermost function around a line, or the line itself."""
        found = (line, line, "")
        for first, last, name in self.functions:
            if first <= line <= last:
                found = (first, last, name)
        return found

    def excerpts(self, lines: Iterable[int]) -> list[tuple[int, int]]:
        """First and last lines of the outermost functions that contain these lines. Adjacent ones are merged."""
        parts: list[tuple[int, int]] = []
        wanted = sorted({(first, last) for line in lines for first, last in [self._outermost(line)]})
        for first, last in wanted:
            if parts and first <= parts[-1][1] + 2:
                parts[-1] = (parts[-1][0], max(last, parts[-1][1]))
            else:
                parts.append((first, last))
        return parts

    def _outermost(self, line: int) -> tuple[int, int]:
        return next(((first, last) for first, last, _ in self.functions if first <= line <= last), (line, line))


class Sources:
    """The files that a page shows."""

    def __init__(self) -> None:
        self._files: dict[str, SourceFile] = {}

    def of(self, file: str) -> SourceFile:
        """The file with this name."""
        if file not in self._files:
            self._files[file] = SourceFile(file)
        return self._files[file]

    def path(self, place: Location) -> tuple[str, str]:
        """The groups that a line is in, outermost first: its function, and itself."""
        source = self.of(place.file)
        text = source.lines[place.line - 1].strip() if place.line <= len(source.lines) else ""
        return source.function(place.line)[2] or short_name(place.file), f"{place.line}: {text}" if text else str(place)

    def describe(self, places: Sequence[Location]) -> list[dict[str, Any]]:
        """Each file's excerpts: its name, and parts of a first line's number and lines."""
        by_file: dict[str, set[int]] = {}
        for place in places:
            by_file.setdefault(place.file, set()).add(place.line)
        described = []
        for file, lines in by_file.items():
            source = self.of(file)
            parts = [
                {"first": first, "lines": source.lines[first - 1 : last]} for first, last in source.excerpts(lines)
            ]
            described.append(
                {"file": file, "name": short_name(file), "parts": [part for part in parts if part["lines"]]}
            )
        return described

    def origin(self, text: str, places: Sequence[Location]) -> Location | None:
        """The source line that a converted line most likely comes from: the one with the most words in common."""
        words = set(WORD.findall(text.replace("_mc.convert", "")))
        best, found = LEAST_ALIKE, None
        if not words:
            return None
        for place in places:
            lines = self.of(place.file).lines
            if place.line <= len(lines):
                others = set(WORD.findall(lines[place.line - 1].split("#")[0]))
                alike = len(words & others) / len(words | others)
                if alike > best:
                    best, found = alike, place
        return found


def short_name(file: str) -> str:
    """A file's name without its folder."""
    return file.replace("\\", "/").rsplit("/", 1)[-1]
