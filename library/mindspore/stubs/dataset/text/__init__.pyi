from mycel.library.dataset.text import *
