"""What the adjudication window says to be decided is tried to be made a lie."""

import pytest

from shared.project.assignments import State
from tests.adjudicator.projects import make_project

AGREED = {
    "English": ["Seen by [Lee|DOCTOR]."],
    "Spanish": ["La Sra. [Ferrán-\ndiz|PATIENT]."],
    "Chinese": ["姓名：[王小明|PATIENT]。"],
    "Arabic": ["المريض [سالم|PATIENT] هنا."],
}


@pytest.mark.parametrize("sources", AGREED.values(), ids=AGREED)
def test_agreement_everywhere_is_said_where_it_is_so(open_window, tmp_path, sources):
    hand = open_window(make_project(tmp_path, sources, sources))
    hand.press("F8")
    assert hand.said == "The annotators agree everywhere. Ctrl+D marks the patient as done."


@pytest.mark.parametrize("sources", AGREED.values(), ids=AGREED)
def test_one_tag_that_is_a_character_longer_is_no_agreement(open_window, tmp_path, sources):
    (source,) = sources
    name = source[source.index("[") + 1 : source.index("|")]
    other = [source.replace(f"[{name}", f"{name[0]}[{name[1:]}")]
    hand = open_window(make_project(tmp_path, sources, other))
    hand.press("F8")
    assert "agree everywhere" not in hand.said
    assert "Everything is decided" not in hand.said


def test_annotators_who_are_not_done_agree_so_far(open_window, tmp_path):
    sources = AGREED["English"]
    project = make_project(tmp_path, sources, sources)
    project.set_state("110", "ben", State.BEGUN)
    hand = open_window(project, force=True)
    hand.press("F8")
    assert hand.said == "The annotators agree everywhere so far; ben may still change their tags."


def test_a_record_that_could_not_be_read_is_said(open_window, tmp_path):
    both = [*AGREED["English"], "Again [Kai|PATIENT]."]
    project = make_project(tmp_path, both, both)
    project.layer_path("ben", "110-02").write_text("<broken", encoding="utf-8")
    hand = open_window(project)
    hand.press("F8")
    assert hand.said == (
        "The annotators agree everywhere but in record 110-02, which could not be read."
    )
