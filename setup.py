"""Names the packages of the wheel; everything else about the project is in pyproject.toml.

The wheel stays below 1 MB: what reads and changes images, texts and record files is in the wheel of `data/`.

The repository root is the package `mycel` itself, so `frontend/` on disk is `mycel.frontend` when imported. The
declarative `packages.find` cannot put such a prefix before the names it finds, and a list written by hand would miss
new packages.
"""

from setuptools import find_packages, setup

LAYERS = ("frontend", "compiler", "runtime")
ELSEWHERE = ("frontend.dataset.text", "frontend.dataset.vision", "frontend.mindrecord")

found = find_packages(
    ".", include=[pattern for layer in LAYERS for pattern in (layer, f"{layer}.*")], exclude=ELSEWHERE
)

setup(
    # setuptools leaves the setup script out of the root package only if told its name.
    script_name="setup.py",
    package_dir={"mycel": "."},
    packages=["mycel", *(f"mycel.{name}" for name in found)],
)
