"""Jobs over tables of a whole archive, part by part, on an engine that is there.

A part holds all records of its patients; nothing is known of a patient that does not stand in the
part, or in the counts of the whole corpus.
"""
