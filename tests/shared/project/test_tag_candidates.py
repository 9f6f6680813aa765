"""Where a text stands: for the review list of annotate all, and tags alike."""

import pytest

from shared.language.languages import language
from shared.language.variant_rules import Rule
from shared.model import Document, MergedView, Patient, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.patient_layer import PatientLayer
from shared.project.tag_operations import TagCandidate, TagOperations
from tests.builders import phi

DOCTOR, PATIENT = PhiType("NAME", "DOCTOR"), PhiType("NAME", "PATIENT")
DATE = PhiType("DATE", "DATE")
FIRST = "Kai Yamamoto came. Dr. Yamamoto, Kai\nYamamoto's wife; yamamoto12"
SECOND = "Kai Yamamoto again"


def tagging(*records, **more):
    """Operations on a patient of these records, without a tag."""
    documents = [Document(f"1-{n:02}", "1", text) for n, text in enumerate(records, start=1)]
    view = MergedView(Patient("1", tuple(documents)))
    return TagOperations(view, PatientLayer(view, "ana", {}, [], []), I2B2_2014, **more)


ARGUMENTS = (Span(0, 12), PATIENT)


@pytest.fixture
def operations():
    return tagging(FIRST, SECOND)


@pytest.fixture
def view(operations):
    return operations.view


def texts(view, spans):
    return [span.text_in(view.text) for span in spans]


def test_places_finds_the_name_over_a_line_end_and_in_the_other_record(operations, view):
    places = operations.occurrences(Span(0, 12), PATIENT)
    assert texts(view, [each.span for each in places]) == [
        "Kai Yamamoto",
        "Kai\nYamamoto",
        "Kai Yamamoto",
    ]
    assert [each.record_id for each in places] == ["1-01", "1-01", "1-02"]


def test_places_already_tagged_are_not_offered(operations):
    operations.tag(Span(0, 12), PATIENT)
    assert [each.is_preselected for each in operations.occurrences(Span(0, 12), PATIENT)] == [
        False,
        True,
        True,
    ]


def test_places_of_glued_text_are_shown_but_not_offered(operations, view):
    places = operations.occurrences(Span(23, 31), PATIENT, ignore_case=True)
    assert [(each.glued, each.is_preselected) for each in places if each.glued] == [(True, False)]


def test_places_written_otherwise_are_offered_with_their_rule():
    text = "Kai Yamamoto. YAMAMOTO,KAI. Mr. Yamamoto. K. Yamamoto kyamamoto"
    places = tagging(text).occurrences(Span(0, 12), PATIENT, variants=True)
    assert [(each.span.text_in(text), each.rule) for each in places] == [
        ("Kai Yamamoto", Rule.SAME),
        ("YAMAMOTO,KAI", Rule.ORDER),
        ("Yamamoto", Rule.PART),
        ("K. Yamamoto", Rule.INITIAL),
    ]
    assert all(each.is_preselected for each in places)


@pytest.mark.parametrize(
    ("code", "text", "phi_type", "offered"),
    [
        ("en", "Nguyen came. Seen by Dr. Nguyen. Ms. Nguyen slept. Nguyen, MD", PATIENT, [0, 2]),
        ("en", "Nguyen came. Seen by Dr. Nguyen. Ms. Nguyen slept. Nguyen, MD", DOCTOR, [0, 1, 3]),
        ("de", "Yilmaz kam. Gesehen von Dr. Yilmaz. Frau Yilmaz schlief.", PATIENT, [0, 2]),
        ("es", "Ibarra vino. Visto por Dra. Ibarra. Sra. Ibarra durmió.", PATIENT, [0, 2]),
    ],
)
def test_somebody_else_of_the_same_name_is_shown_with_the_reason_but_not_offered(
    code, text, phi_type, offered
):
    places = tagging(text, language=language(code)).occurrences(Span(0, 6), phi_type)
    assert [at for at, each in enumerate(places) if each.is_preselected] == offered
    assert all(each.doubt for each in places if not each.is_preselected)


def test_a_small_word_is_offered_with_ignore_case_only():
    operations = tagging("Yamamoto. YAMAMOTO; yamamoto")
    arguments = Span(0, 8), PATIENT
    assert [each.span.start for each in operations.occurrences(*arguments)] == [0, 10]
    every = operations.occurrences(*arguments, ignore_case=True)
    assert [each.span.start for each in every] == [0, 10, 20]


@pytest.mark.parametrize(
    ("other", "rule", "is_offered"),
    [
        ("Ferrán-\n diz", Rule.HYPHEN, True),
        ("Ferra\u0301ndiz", Rule.SAME, True),
        ("FERRÁNDIZ", Rule.CASE, True),
        ("FERRANDIZ", Rule.ACCENTS, True),
    ],
)
def test_places_are_offered_however_the_text_stands(other, rule, is_offered):
    text = f"Ferrándiz: {other}, Ferrandizaba"
    _, place = tagging(text).occurrences(Span(0, 9), PATIENT)
    assert (place.span.text_in(text), place.rule) == (other, rule)
    assert place.is_preselected == is_offered


def test_a_short_text_in_other_case_is_not_offered():
    _, place = tagging("Ng, NG").occurrences(Span(0, 2), PATIENT)
    assert (place.rule, place.is_preselected) == (Rule.CASE, False)
    _, place = tagging("ngo, Ngo").occurrences(Span(0, 3), PATIENT)
    assert (place.rule, place.is_preselected) == (Rule.CASE, False)


def test_what_may_be_something_else_is_not_offered():
    places = tagging("on 2/2, due 2/2 diabetes").occurrences(Span(3, 6), DATE)
    assert [each.is_preselected for each in places] == [False, False]
    assert all(each.doubt for each in places)


@pytest.mark.parametrize(("code", "count"), [("de", 2), ("en", 1)])
def test_other_ways_of_writing_are_those_of_the_projects_language(code, count):
    text = "Aufnahme am 3. Februar 2071, die Entlassung der Patientin bis 03.02.2071."
    operations = tagging(text, language=language(code))
    assert len(operations.occurrences(Span(12, 27), DATE, variants=True)) == count


@pytest.mark.parametrize(("name", "is_doubtful"), [("AGE", True), ("PHONE", False)])
def test_whether_a_number_may_count_something_else_depends_on_its_type(name, is_doubtful):
    (place,) = tagging("1234567 beats").occurrences(Span(0, 7), phi(name))
    assert (place.doubt is not None) == is_doubtful


@pytest.mark.parametrize(("code", "is_doubtful"), [("de", True), ("en", False)])
def test_what_is_a_common_word_depends_on_the_language_of_the_project(code, is_doubtful):
    (place,) = tagging("Baum kam", language=language(code)).occurrences(Span(0, 4), PATIENT)
    assert (place.doubt is not None) == is_doubtful


def test_a_place_tells_its_record_and_the_types_that_it_is_tagged_as(operations, view):
    operations.tag_all([Span(0, 12)], PATIENT)
    operations.tag_all([Span(0, 12), Span(4, 12)], DOCTOR)
    found = operations.occurrences(Span(0, 12), PATIENT)
    assert found[0] == TagCandidate(Span(0, 12), "1-01", (PATIENT, DOCTOR, DOCTOR))
    assert [each.tagged for each in found[1:]] == [(), ()]
    assert found[2] == TagCandidate(found[2].span, "1-02", (), False, Rule.SAME, None)


def test_small_letters_and_other_ways_of_writing_only_count_where_asked_for():
    text = "Kai Yamamoto. KAI YAMAMOTO. Mr. Yamamoto. Or kyamamoto."
    operations = tagging(text, "Yamamoto, Kai. Kai Yamamoto.")
    there = operations.view.section("1-02").start
    asked = {"ignore_case": False, "variants": False}
    spans = {
        name: [each.span.start for each in operations.occurrences(*ARGUMENTS, **asked | more)]
        for name, more in {
            "as it is": {},
            "case": {"ignore_case": True},
            "variants": {"variants": True},
        }.items()
    }
    assert spans == {
        "as it is": [0, 14, there + 15],
        "case": [0, 14, there + 15],
        "variants": [0, 14, 32, there, there + 15],
    }
    plain = operations.occurrences(*ARGUMENTS)
    assert [each.rule for each in plain] == [Rule.SAME, Rule.CASE, Rule.SAME]
    rules = [each.rule for each in operations.occurrences(*ARGUMENTS, variants=True)]
    assert rules[0] is rules[4] is Rule.SAME
    assert Rule.SAME not in rules[1:4]
    assert not any(each.glued for each in operations.occurrences(*ARGUMENTS, variants=True))


@pytest.mark.parametrize(
    ("reason", "is_preselected"),
    [
        ({}, True),
        ({"tagged": (DOCTOR,)}, False),
        ({"glued": True}, False),
        ({"doubt": "may be a fraction"}, False),
        ({"rule": Rule.PART}, True),
        ({"rule": Rule.OPEN_DATE}, False),
        ({"rule": Rule.SHORT_NUMBER}, False),
        ({"rule": Rule.INITIALS}, False),
        ({"rule": Rule.ACRONYM}, False),
    ],
)
def test_any_one_reason_keeps_a_place_from_being_proposed(reason, is_preselected):
    assert TagCandidate(Span(0, 3), "1-01", **reason).is_preselected == is_preselected


def test_all_tags_on_one_text_can_be_removed_together(operations, view):
    operations.tag_all(
        [each.span for each in operations.occurrences(Span(0, 12), PATIENT)], PATIENT
    )
    operations.tag(Span(23, 31), PATIENT)
    first = next(iter(operations.tags))
    operations.remove(operations.same_text(first))
    assert texts(view, [each.span for each in operations.tags]) == ["Yamamoto"]


def test_alike_are_tags_of_one_type_on_one_text_whatever_the_blanks(operations, view):
    operations.tag_all([Span(0, 12), Span(23, 31)], PATIENT)
    operations.tag_all([Span(0, 12)], DOCTOR)
    other = [each.span for each in operations.occurrences(Span(0, 12), PATIENT)][1:]
    operations.tag_all(other, PATIENT)
    first = operations.tags.on(0, 12)[0]
    alike = operations.same_text(first)
    assert texts(view, [each.span for each in alike]) == [
        "Kai Yamamoto",
        "Kai\nYamamoto",
        "Kai Yamamoto",
    ]
    assert {each.phi_type for each in alike} == {PATIENT}
