from mycel.library.mindspore.device import *
