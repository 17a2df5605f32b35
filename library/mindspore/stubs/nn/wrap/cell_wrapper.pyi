from mycel.nn.layer.activation import *
