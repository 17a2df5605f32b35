from mycel.library.dataset.serializing import *
