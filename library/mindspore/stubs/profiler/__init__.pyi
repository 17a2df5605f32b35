from mycel.library.reports.profiler import *
