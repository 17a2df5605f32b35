from mycel.library.dataset.vision import *
