"""Notes kept up to date while one tags are those of a look at the whole."""

from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.live_notes import LiveNotes
from shared.model import MergedView, Patient, Span, Tag
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
    return {each.key: live.note(each.key) for each in held}


@given(tags, st.data())
def test_step_by_step_is_the_same_as_at_once(marks, data):
    made = [placed(number, *mark) for number, mark in enumerate(marks)]
    gone = data.draw(st.lists(st.sampled_from(made), unique=True)) if made else []
    live = LiveNotes(VIEW)
    for each in made:
        live.change([], [each])
    for each in gone:
        live.change([each], [])
    left = [each for each in made if each not in gone]
    assert notes(live, left) == notes(LiveNotes(VIEW, left), left)


def test_a_change_tells_whose_note_is_another():
    first, second = placed(0, "110-01", (4, 7), "DOCTOR"), placed(1, "110-02", (4, 7), "PATIENT")
    live = LiveNotes(VIEW, [first])
    assert {each.key for each in live.change([], [second])} == {first.key, second.key}
    assert live.change([second], []) == [first]
    assert live.note(first.key) is None
