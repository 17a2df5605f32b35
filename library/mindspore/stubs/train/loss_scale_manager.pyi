from mycel.library.train.loss_scaling import *
