"""Source: the text of functions as syntax trees, and their conversion into code that can be traced."""
