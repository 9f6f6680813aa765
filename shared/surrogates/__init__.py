"""Every tagged PHI of a patient replaced by a realistic surrogate, and the search for what is left.

The method is that of Stubbs and Uzuner (2015), section 5.2; `patient.replace_patient` is the door.
"""
