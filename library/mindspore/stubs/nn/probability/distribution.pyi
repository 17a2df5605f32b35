from mycel.library.nn.probability.distribution import *
