"""Names the packages of mycel-extras: those that mycel's own wheel leaves out, at their places in the tree above."""

import runpy

from setuptools import find_packages, setup

PARTS = runpy.run_path("../frontend/parts.py")["PARTS"]

found = find_packages("..", include=[pattern for name in PARTS for pattern in (name, f"{name}.*")])

setup(
    packages=[f"mycel.{name}" for name in found],
    package_dir={f"mycel.{name}": f"../{name.replace('.', '/')}" for name in found},
)
