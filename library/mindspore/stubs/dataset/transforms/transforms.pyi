from mycel.dataset.transforms.py_transforms import *
