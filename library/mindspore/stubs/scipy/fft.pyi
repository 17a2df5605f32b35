from mycel.library.scipy.fft import *
