"""Notes kept up to date while one tags are those of a look at the whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.guideline_index import GuidelineIndex
from shared.language.languages import language
from shared.model import MergedView, Patient, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.edits import PlacedTag
from tests.builders import document, phi

TEXT = "Dr. Lee, Lee's son. Lee said 5/9 at 10:30 to Dr. Lee."
VIEW = MergedView(Patient("110", (document(TEXT), document(TEXT, "110-02"))))
STRETCHES = [(0, 7), (4, 7), (9, 14), (9, 12), (20, 23), (29, 32), (29, 41), (45, 52), (49, 52)]


def placed(number, record_id, stretch, name):
    return PlacedTag.of(VIEW, record_id, Tag(Span(*stretch), phi(name), id=f"P{number}"))


tags = st.lists(
    st.tuples(
        st.sampled_from(["110-01", "110-02"]),
        st.sampled_from(STRETCHES),
        st.sampled_from(["DOCTOR", "PATIENT", "DATE"]),
    ),
    max_size=8,
)


def notes(live, held):
    live.look()
    return {each.key: live.note(each.key) for each in held}


@given(tags, st.data(), st.integers(0, 3))
def test_step_by_step_is_the_same_as_at_once(marks, data, most):
    made = [placed(number, *mark) for number, mark in enumerate(marks)]
    gone = data.draw(st.lists(st.sampled_from(made), unique=True)) if made else []
    live = GuidelineIndex(VIEW, I2B2_2014)
    for each in made:
        live.change([], [each])
        live.look(most)
    for each in gone:
        live.change([each], [])
        live.look(most)
    left = [each for each in made if each not in gone]
    assert notes(live, left) == notes(GuidelineIndex(VIEW, I2B2_2014, left), left)


def test_a_look_tells_whose_note_is_another():
    first, second = placed(0, "110-01", (4, 7), "DOCTOR"), placed(1, "110-02", (4, 7), "PATIENT")
    live = GuidelineIndex(VIEW, I2B2_2014, [first])
    assert live.look() == []
    live.change([], [second])
    assert {each.key for each in live.look()} == {first.key, second.key}
    live.change([second], [])
    assert live.look() == [first]
    assert live.note(first.key) is None


def test_a_tag_keeps_its_note_until_it_is_looked_at():
    tag, better = placed(0, "110-01", (0, 7), "DOCTOR"), placed(0, "110-01", (4, 7), "DOCTOR")
    live = GuidelineIndex(VIEW, I2B2_2014, [tag])
    live.look()
    live.change([tag], [better])
    assert live.note(tag.key) is not None
    assert live.noted() == [better]
    assert live.look() == [better]
    assert live.note(tag.key) is None


def test_as_many_are_looked_at_as_there_is_time_for():
    live = GuidelineIndex(
        VIEW, I2B2_2014, [placed(at, "110-01", STRETCHES[at], "DOCTOR") for at in range(5)]
    )
    live.look(3)
    assert live.waiting == 2


def test_what_else_is_tagged_does_not_matter_while_it_is_of_one_type():
    made = [placed(at, f"110-0{at}", (4, 7), "DOCTOR") for at in (1, 2)]
    live = GuidelineIndex(VIEW, I2B2_2014, made[:1])
    live.look()
    live.change([], made[1:])
    assert live.waiting == 1


@pytest.mark.parametrize(("code", "noted"), [("de", True), ("en", False)])
def test_notes_are_of_the_language_of_the_records(code, noted):
    view = MergedView(Patient("1", (document("Gesehen von Oberarzt Lang."),)))
    tag = PlacedTag.of(view, "110-01", Tag(Span(12, 25), phi("DOCTOR"), id="P0"))
    live = GuidelineIndex(view, I2B2_2014, [tag], language(code))
    live.look()
    assert (live.note(tag.key) is not None) is noted
