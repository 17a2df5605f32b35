from mycel.library.mindspore.common_names import *
