"""Names the packages of the wheel; everything else about the project is in pyproject.toml.

The wheel stays below 1 MB: what few programs ask for is in the wheel of `extras/`.

The repository root is the package `mycel` itself, so `frontend/` on disk is `mycel.frontend` when imported. The
declarative `packages.find` cannot put such a prefix before the names it finds, and a list written by hand would miss
new packages.
"""

import runpy

from setuptools import find_packages, setup

LAYERS = ("frontend", "compiler", "runtime")
PARTS = runpy.run_path("frontend/parts.py")["PARTS"]


def within(names: tuple[str, ...]) -> list[str]:
    """Patterns for the packages of these names and those inside."""
    return [pattern for name in names for pattern in (name, f"{name}.*")]


found = find_packages(".", include=within(LAYERS), exclude=within(PARTS))

setup(
    # setuptools leaves the setup script out of the root package only if told its name.
    script_name="setup.py",
    package_dir={"mycel": "."},
    packages=["mycel", *(f"mycel.{name}" for name in found)],
)
