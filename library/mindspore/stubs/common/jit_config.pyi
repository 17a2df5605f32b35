from mycel.frontend.api.context import *
