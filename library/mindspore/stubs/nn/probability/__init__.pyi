from mycel.library.nn.probability import *
