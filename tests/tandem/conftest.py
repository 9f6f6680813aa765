"""A small project that is adjudicated, with disagreements that were decided."""

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from tests.adjudicator.projects import make_project

ANA = ("Seen by Dr. [Lee|DOCTOR] of [Mercy|HOSPITAL].", "[Kai Petty|PATIENT] called on 4/17/2068.")
BEN = (
    "Seen by Dr. [Lee|PATIENT] of [Mercy|HOSPITAL].",
    "[Kai Petty|PATIENT] called on [4/17/2068|DATE].",
)
MIA = (("[Mia|PATIENT] left.",), ("Mia left.",))


@pytest.fixture
def project(tmp_path):
    """Patient 110 is adjudicated, for Lee as ana and for the date as ben has it; 120 is not."""
    made = make_project(tmp_path, ANA, BEN, p120=MIA)
    with AdjudicationSession(made, "110", "carol") as session:
        lee, date = sorted(session.queue, key=lambda each: each.key.record_id)
        session.queue.decide(lee, DecisionChoice.FIRST)
        session.queue.decide(date, DecisionChoice.SECOND)
        session.queue.remark(lee, "he signs", discuss=True)
        session.finish()
    return made
