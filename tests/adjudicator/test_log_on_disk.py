"""The decision log and the gold standard on disk agree, whatever was done and however often."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from adjudicator.decision_book import read_decisions
from adjudicator.decision_log import read_log
from adjudicator.decisions import DecisionChoice, possible_choices
from adjudicator.session import AdjudicationSession
from shared.errors import FileError, TandemError
from shared.model import PhiType, Span
from tests.adjudicator.projects import make_project

ANA = (
    "Seen [Dr. Lee|DOCTOR], [95|AGE], of [Mercy|HOSPITAL].",
    "[Kai Lee|PATIENT] on [May 9|DATE].",
)
BEN = ("Seen Dr. [Lee|DOCTOR], 95, of [Mercy|CITY].", "[Kai|PATIENT] Lee on [May|DATE] [9|AGE].")
TYPES = [PhiType("AGE", "AGE"), PhiType("NAME", "DOCTOR"), PhiType("DATE", "DATE")]
STEPS = ("decide", "decide", "tag", "tag all", "fix", "remove", "retype", "resize", "undo", "redo")


def step(data: st.DataObject, session: AdjudicationSession) -> None:
    what = data.draw(st.sampled_from(STEPS))
    tags = list(session.tags)
    start = data.draw(st.integers(0, len(session.view.text) - 1))
    span = Span(start, min(len(session.view.text), start + data.draw(st.integers(1, 9))))
    phi_type = data.draw(st.sampled_from(TYPES))
    tag = data.draw(st.sampled_from(tags)) if tags else None
    by_hand = {
        "tag": lambda: session.tag(span, phi_type),
        "tag all": lambda: session.tag_all([span], phi_type),
        "fix": lambda: session.replace([(tag, [(span, phi_type)])]),
        "remove": lambda: session.remove([tag] if tag else []),
        "retype": lambda: session.retype([tag] if tag else [], phi_type),
        "resize": lambda: tag and session.resize(tag, span),
        "undo": session.undo,
        "redo": session.redo,
    }
    if what in by_hand:
        by_hand[what]()
    else:
        one = data.draw(st.sampled_from(list(session.queue)))
        session.queue.decide(one, data.draw(st.sampled_from(possible_choices(one))))


@settings(max_examples=15, deadline=None)
@given(st.data())
def test_what_the_log_says_is_in_the_files(data):
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(Path(folder), ANA, BEN)
        for _ in range(data.draw(st.integers(1, 3))):
            with AdjudicationSession(project, "110", "carol") as session:
                for _ in range(data.draw(st.integers(0, 5))):
                    try:
                        step(data, session)
                    except TandemError:
                        continue  # said, and nothing was done
                shown = {each.key: each for each in session.queue.gold.book}
            gold = {
                (document.record_id, tag.mark)
                for document in project.patient("110").documents
                for tag in project.read_layer("gold", document).layer.tags
            }
            book = read_decisions(project, "110")
            assert {each.key: each for each in book} == shown
            problems: list[FileError] = []
            for entry in read_log(project, ["110"], problems, checked=True):
                decision, key = entry.decision, entry.key
                assert decision is not None
                assert not entry.is_edited_after
                here = {mark for record_id, mark in gold if record_id == key.record_id}
                assert set(decision.marks) <= here
                if decision.choice is DecisionChoice.NEITHER:
                    assert not any(mark[0].overlaps(key.span) for mark in here)
            assert not problems
