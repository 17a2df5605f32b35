from mycel.library.mindspore.device_context import *
