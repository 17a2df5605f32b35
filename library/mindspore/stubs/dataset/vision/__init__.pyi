# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.dataset.transforms import not_random as not_random
from mycel.library.dataset.vision.checks import *
from mycel.library.dataset.vision.files import *
from mycel.library.dataset.vision.formats import *
from mycel.library.dataset.vision.geometry import *
from mycel.library.dataset.vision.labelled import *
from mycel.library.dataset.vision.light import *
from mycel.library.dataset.vision.policies import *
from mycel.library.dataset.vision.random_geometry import *
from mycel.library.dataset.vision.random_light import *
from mycel.library.dataset.vision.turning import *
from typing import Any
def __getattr__(name: str) -> Any: ...
