from mycel import *
