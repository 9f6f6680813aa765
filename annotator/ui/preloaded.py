"""What all helpers of the annotation window need: importing this module reads it.

It is imported by the process of which they are copies (`shared.processes.preload`), and by nothing
else. What cannot be read here is said by the helper that needs it.
"""

import gc
from contextlib import suppress

import annotator.recognizer_process
import shared.recognition.registry
import shared.widgets.findings.preloaded
from shared.errors import TandemError
from shared.recognition.dictionaries import dictionaries_of

MODULES = (
    annotator.recognizer_process,
    shared.recognition.registry,
    shared.widgets.findings.preloaded,
)
with suppress(TandemError):
    dictionaries_of()
gc.freeze()  # a copy need not look through what it was born with
