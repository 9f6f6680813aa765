"""What is tagged in a patient decides what is suggested on the same texts there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.rejections import PlacedSuggestion, Rejections
from annotator.session import AnnotationSession
from annotator.suggestions import DOUBTFUL
from annotator.tagged_texts import YOUR_TAGS, DecidedSuggestions
from shared.formats.base import Record
from shared.language.languages import language
from shared.model import Document, MergedView, Patient, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.edits import Edit, PlacedTag
from shared.project.project import Project
from shared.text.span_index import SpanIndex
from tests.builders import phi

FIRST = "Greta Teasdale came. Teasdale, G. said: call GRETA TEASDALE. Seen by Dr. Teasdale."
SECOND = "Ben Teasdale (son), Greta\nTeasdale (home), age 50, Ultram 50 mg. In May. May Ost."


@pytest.fixture
def session(tmp_path):
    texts = {"1-01": FIRST, "1-02": SECOND}
    records = [Record(Document(name, "1", text)) for name, text in texts.items()]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    with AnnotationSession(project, "ana", "1") as made:
        yield made


def place(session, text, number=0):
    """Where a text stands for the n-th time."""
    at = -1
    for _ in range(number + 1):
        at = session.view.text.index(text, at + 1)
    return Span(at, at + len(text))


def suggest(session, *found):
    """Let a recognizer suggest these: text, type, confidence, and which of those texts."""
    made = [(place(session, text, *number), phi(name), sure) for text, name, sure, *number in found]
    session.review.fill(
        PlacedSuggestion(
            span.start,
            span.end,
            session.view.section_at(span.start).record_id,
            phi_type,
            sure,
            "test",
        )
        for span, phi_type, sure in made
    )


def shown(session):
    return [
        (each.span.text_in(session.view.text), each.phi_type.name) for each in session.review.shown
    ]


def test_the_same_name_and_its_parts_change_their_type_at_once(session):
    suggest(
        session,
        ("Teasdale, G.", "DOCTOR", 0.7),
        ("GRETA TEASDALE", "DOCTOR", 0.7),
        ("Greta\nTeasdale", "DOCTOR", 0.4),
    )
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert shown(session) == [
        ("Teasdale, G.", "PATIENT"),
        ("GRETA TEASDALE", "PATIENT"),
        ("Greta\nTeasdale", "PATIENT"),
    ]
    assert all(each.confidence < 0.99 for each in session.review.shown)
    session.undo()
    assert shown(session) == [("Teasdale, G.", "DOCTOR"), ("GRETA TEASDALE", "DOCTOR")]


def test_equal_places_are_suggested_and_go_again(session):
    suggest(session)
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert shown(session) == [("GRETA TEASDALE", "PATIENT"), ("Greta\nTeasdale", "PATIENT")]
    assert {each.recognizer for each in session.review.shown} == {YOUR_TAGS}
    session.accept(list(session.review.shown))
    assert shown(session) == []
    session.undo()
    session.undo()
    assert shown(session) == []


def test_without_suggestions_nothing_is_suggested(session):
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert shown(session) == []


def test_what_was_tagged_before_anything_was_suggested_decides_too(session):
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    suggest(session, ("GRETA TEASDALE", "DOCTOR", 0.9))
    assert shown(session) == [("GRETA TEASDALE", "PATIENT"), ("Greta\nTeasdale", "PATIENT")]


def test_a_title_beside_a_part_of_the_name_goes_before_it(session):
    suggest(session, ("Teasdale", "DOCTOR", 0.8, 2), ("Ben Teasdale", "DOCTOR", 0.8))
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert ("Teasdale", "DOCTOR") in shown(session)
    assert ("Ben Teasdale", "DOCTOR") in shown(session)


def test_two_types_of_one_text_decide_nothing(session):
    suggest(session, ("Greta\nTeasdale", "DOCTOR", 0.8))
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    session.tag(place(session, "GRETA TEASDALE"), phi("DOCTOR"))
    assert shown(session) == [("Greta\nTeasdale", "DOCTOR")]


def test_a_name_within_what_is_suggested_already_is_not_suggested_again(session):
    suggest(session, ("Greta\nTeasdale (home)", "HOSPITAL", 0.8))
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert ("Greta\nTeasdale (home)", "HOSPITAL") in shown(session)
    assert ("Greta\nTeasdale", "PATIENT") not in shown(session)


def test_an_unlikely_clause_hides_no_name_in_it(session):
    suggest(session, ("Greta\nTeasdale (home)", "HOSPITAL", 0.15))
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert ("Greta\nTeasdale", "PATIENT") in shown(session)
    session.review.threshold = 0.0
    assert not any("home" in text for text, _ in shown(session))


def test_a_part_of_what_the_tags_suggest_is_not_suggested_beside_it(session):
    suggest(session, ("Teasdale", "DOCTOR", 0.8, 4))
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    assert [each for each in shown(session) if "\n" in each[0] or each[1] == "DOCTOR"] == [
        ("Greta\nTeasdale", "PATIENT")
    ]


def test_numbers_and_common_words_decide_nothing(session):
    suggest(session, ("May", "DATE", 0.8))
    session.tag(place(session, "50"), phi("AGE"))
    session.tag(place(session, "May", 1), phi("PATIENT"))
    assert shown(session) == [("May", "DATE")]


def test_each_rejection_makes_the_same_text_less_sure(session):
    suggest(session, *(("Teasdale", "DOCTOR", 0.9, number) for number in range(4)))
    for expected in (0.63, 0.441):
        session.reject(session.review.following("first to last", 0))
        assert session.review.above(0.0)[-1].confidence == pytest.approx(expected)
    assert shown(session) == []
    session.undo()
    assert len(shown(session)) == 3


def test_what_recognizers_find_later_takes_the_place_of_what_tags_suggest(session):
    suggest(session)
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    suggest(session, ("GRETA TEASDALE", "DOCTOR", 0.97), ("Greta\nTeasdale", "PATIENT", 0.97))
    found = list(session.review.shown)
    assert [each.span for each in found] == [
        place(session, "GRETA TEASDALE"),
        place(session, "Greta\nTeasdale"),
    ]
    assert [each.recognizer for each in found] == [YOUR_TAGS, "test"]


TEXT = "Greta Ost met Ost, Greta and Lea Ost. Greta Ost. Lea. Ostrava Clinic.\n" * 2
PIECES = [
    Span(at, at + len(text))
    for text in ("Greta Ost", "Ost, Greta", "Lea", "Ost", "Ostrava Clinic", "Lea Ost", "Greta")
    for at in range(len(TEXT))
    if TEXT.startswith(text, at)
]
SOME = st.lists(
    st.tuples(st.sampled_from(PIECES), st.sampled_from(["PATIENT", "DOCTOR", "HOSPITAL"])),
    max_size=8,
)


@given(st.lists(st.tuples(st.sampled_from("tnrx"), SOME), max_size=6))
def test_step_by_step_it_is_what_it_is_all_at_once(steps):
    view = MergedView(Patient("1", (Document("1-01", "1", TEXT),)))

    def decided():
        return DecidedSuggestions(view, tags, rejections, I2B2_2014, lambda: language("en"))

    tags, rejections = SpanIndex(), Rejections(view)
    review, now = decided(), set()
    now |= set(review.exchange((), ())[1])
    for number, (what, places) in enumerate(steps):
        if what == "t":
            placed = tuple(
                PlacedTag(span.start, span.end, "1-01", f"{number} {at}", Tag(span, phi(name)))
                for at, (span, name) in enumerate(places)
            )
            tags.change(added=placed)
            gone, come = review.edited(Edit("tag", added=placed))
        elif what == "x":
            first = tuple(tags)[: len(places)]
            tags.change(removed=first)
            gone, come = review.edited(Edit("remove", removed=first))
        elif what == "n":
            new = [
                PlacedSuggestion(span.start, span.end, "1-01", phi(name), 0.6, "test")
                for span, name in places
            ]
            gone, come = review.exchange(review.recognized, dict.fromkeys(new))
        else:
            gone, come = (), ()
            for one in list(review.recognized)[:1]:
                rejections.make(one, alike=False, step=0)
                gone, come = review.rejected(one.span)
        assert now.issuperset(gone)
        assert now.isdisjoint(set(come) - set(gone))
        now = (now - set(gone)) | set(come)
    at_once = set(decided().exchange((), review.recognized)[1])
    assert bare(at_once, tags) == bare(now, tags)


def bare(suggestions, tags):
    """What is suggested where there is no tag: nothing else is decided."""
    return {each for each in suggestions if not tags.query(each.start, each.end)}


def test_what_is_least_like_the_tags_comes_first_of_what_is_accepted_at_once(session):
    suggest(
        session,
        ("GRETA TEASDALE", "PATIENT", 0.991),
        ("Ben Teasdale", "PATIENT", 0.999),
        ("son", "PROFESSION", 0.999),
        ("Ultram", "DOCTOR", 0.992),
    )
    session.tag(place(session, "Greta Teasdale"), phi("PATIENT"))
    review = session.review
    ordered = review.least_alike_first(review.above(0.9))
    assert [each.span.text_in(session.view.text) for each in ordered] == [
        "Ultram",
        "son",
        "Ben Teasdale",
        "Greta\nTeasdale",
        "GRETA TEASDALE",
    ]
    assert review.least_alike_first([]) == ()


def test_a_tag_put_back_as_it_was_counts_once(session):
    suggest(session)
    (tag,) = session.tag(place(session, "Greta Teasdale"), phi("PATIENT")).added
    session.review.edited(Edit("resize", removed=(tag,), added=(tag,)))
    session.remove([tag])
    assert shown(session) == []


@pytest.mark.parametrize(
    ("text", "name", "is_doubtful"),
    [
        ("Ost", "CITY", False),
        ("Lee", "DOCTOR", True),
        ("Ana Lee", "DOCTOR", False),
        ("王小明", "PATIENT", False),
        ("李静", "DOCTOR", True),
        ("May", "CITY", None),
    ],
)
def test_one_word_of_a_person_is_doubtful_elsewhere_and_other_repeats_are_not(
    text, name, is_doubtful
):
    view = MergedView(Patient("1", (Document("1-01", "1", f"{text}, {text}; {text}."),)))
    tags = SpanIndex[PlacedTag]()
    decided = DecidedSuggestions(view, tags, Rejections(view), I2B2_2014, lambda: language("en"))
    decided.exchange((), ())
    span, phi_type = Span(0, len(text)), phi(name)
    tag = PlacedTag(span.start, span.end, "1-01", "T1", Tag(span, phi_type))
    tags.change(added=[tag])
    _, suggested = decided.edited(Edit("tag", added=(tag,)))
    doubts = {each.confidence < DOUBTFUL for each in suggested}
    assert doubts == (set() if is_doubtful is None else {is_doubtful})
