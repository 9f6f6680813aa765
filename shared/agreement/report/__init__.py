"""The agreement report: its tables and plots, and the files that hold them."""
