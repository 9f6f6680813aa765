"""All that both windows and the command line use.

Imports run downwards only: widgets and commands stand on project, recognition, agreement,
consistency, surrogates and synthetic; those on formats, text and model; all on errors.
"""
