"""What the helper beside each window needs to look for findings: importing this module reads it.

It is imported by the process of which helpers are copies (`shared.processes.preload`), and by
nothing else but what more is preloaded there. What cannot be read here is said by the helper that
needs it.
"""

import gc
from contextlib import suppress

import shared.widgets.findings.finding_process
from shared.consistency.name_extents import words_beside_names
from shared.errors import TandemError
from shared.language.languages import default_language
from shared.language.name_lists import name_lists

MODULE = shared.widgets.findings.finding_process
with suppress(TandemError):
    name_lists(default_language())
    words_beside_names(default_language())
gc.freeze()  # a copy need not look through what it was born with
