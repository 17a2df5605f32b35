from mycel.library.dataset.debug import *
