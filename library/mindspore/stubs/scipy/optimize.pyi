from mycel.library.scipy.optimize import *
