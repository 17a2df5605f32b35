from mycel.dataset.config import *
