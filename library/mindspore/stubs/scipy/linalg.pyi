from mycel.library.scipy.linalg import *
