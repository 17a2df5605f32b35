from mycel.library.numpy.fft import *
