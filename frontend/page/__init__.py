"""The page: one HTML file that shows what the compiler did to a function, offline, in any browser."""
