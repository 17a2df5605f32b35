from mycel.library.dataset import *
