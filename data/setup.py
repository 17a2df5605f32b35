"""Names the packages of mycel-data: those that mycel's own wheel leaves out, at their places in the tree above."""

from setuptools import setup

PACKAGES = ("frontend.dataset.text", "frontend.dataset.vision", "frontend.mindrecord")

setup(
    packages=[f"mycel.{name}" for name in PACKAGES],
    package_dir={f"mycel.{name}": f"../{name.replace('.', '/')}" for name in PACKAGES},
)
