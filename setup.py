"""Names the packages of the wheel; everything else about the project is in pyproject.toml.

The wheel stays below 1 MB: what reads and changes images, texts and record files is in the wheel of `data/`.

The repository root is the package `mycel` itself, so `frontend/` on disk is `mycel.frontend` when imported. The
declarative `packages.find` cannot put such a prefix before the names it finds, and a list written by hand would miss
new packages.
"""

import zipfile

from setuptools import find_packages, setup
from setuptools.command.bdist_wheel import bdist_wheel

LAYERS = ("frontend", "compiler", "runtime")
ELSEWHERE = ("frontend.dataset.text", "frontend.dataset.vision", "frontend.mindrecord")


class SmallWheel(bdist_wheel):
    """A wheel compressed as far as zip files can be: setuptools stops before that."""

    def run(self) -> None:
        """Build the wheel, and write its files again."""
        super().run()
        for _, _, path in self.distribution.dist_files:
            with zipfile.ZipFile(path) as wheel:
                files = [(entry, wheel.read(entry)) for entry in wheel.infolist()]
            with zipfile.ZipFile(path, "w") as smaller:
                for entry, content in files:
                    smaller.writestr(entry, content, zipfile.ZIP_DEFLATED, compresslevel=9)


found = find_packages(
    ".", include=[pattern for layer in LAYERS for pattern in (layer, f"{layer}.*")], exclude=ELSEWHERE
)

setup(
    # setuptools leaves the setup script out of the root package only if told its name.
    script_name="setup.py",
    package_dir={"mycel": "."},
    cmdclass={"bdist_wheel": SmallWheel},
    packages=["mycel", *(f"mycel.{name}" for name in found)],
)
