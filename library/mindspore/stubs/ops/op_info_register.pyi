from mycel.library.mindspore.kernel_info import *
