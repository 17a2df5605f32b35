from mycel.library.nn.probability.bijector import *
