"""Names the packages of the wheel; everything else about the project is in pyproject.toml.

The repository root is the package `mycel` itself, so `frontend/` on disk is `mycel.frontend` when imported. The
declarative `packages.find` cannot put such a prefix before the names it finds, and a list written by hand would miss
new packages.
"""

import tempfile
from pathlib import Path

from setuptools import find_packages, setup

ROOMS = ("library", "frontend", "compiler", "runtime")
# Stubs of modules without a file, `mycel.nn`, `mycel.train` and the like. Type checkers find them where these would be.
STUBS = Path("library", "mindspore", "stubs")
folders = [path.parent for path in STUBS.rglob("__init__.pyi")]
stubs = {".".join(("mycel", *folder.relative_to(STUBS).parts)): folder.as_posix() for folder in sorted(folders)}

with tempfile.TemporaryDirectory() as scratch:
    setup(
        # setuptools leaves the setup script out of the root package only if told its name.
        script_name="setup.py",
        package_dir={"mycel": ".", **stubs},
        packages=[
            "mycel",
            *(f"mycel.{name}" for name in find_packages(".", include=[f"{room}*" for room in ROOMS])),
            *stubs,
        ],
        # `pip install .` leaves nothing behind in the checkout.
        options={"build": {"build_base": scratch}, "egg_info": {"egg_base": scratch}},
    )
