from mycel.library.dataset.transforms import *
