from mycel.library.mindspore.processes import *
