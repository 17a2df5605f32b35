from mycel.library.dataset.audio import *
