"""What helpers of windows need in tests: one process reads it, and each helper is its copy.

A user opens one window, which preloads what it needs; tests open a thousand. All that English
expressions and lists are made of is made here once, by a check of a patient.
"""

import gc

import adjudicator.measuring_process
import annotator.ui.preloaded
from shared.consistency.check import check_patient
from tests.builders import document, layer, tagged_records

MODULES = (annotator.ui.preloaded, adjudicator.measuring_process)
_TEXT = "Mr. [Voss|PATIENT] saw Dr. Okafor on Monday, 3/4/2014, and came back well on March 9."
check_patient(tagged_records([document(_TEXT)], [layer(_TEXT)]))
gc.freeze()
