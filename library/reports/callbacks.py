"""The names that `mycel.train` has from this package."""

from .summary import SummaryCollector, SummaryRecord

__all__ = ["SummaryCollector", "SummaryRecord"]
