from mycel.library.dataset.config import *
