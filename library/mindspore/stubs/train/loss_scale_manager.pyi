# Written by tools/stubs.py: `make stubs` writes it again.
from mycel.library.train.loss_scaling import *
