"""Findings about tags that overlap, and about one text with as many tags of one type as another."""

import pytest

from shared.consistency.check import check_patient
from shared.consistency.findings import Finding, FindingKind
from shared.model import Document, Layer, Span, Tag
from tests.builders import document, layer, phi, tagged_records

TEXT = "Seen at Mercy General Hospital by Kai Lee. Mercy General Hospital."
HOSPITAL, LEE = (8, 30), (34, 41)


def check(*marks: tuple[tuple[int, int], str], text: str = TEXT) -> list[Finding]:
    tags = [Tag(Span(*place), phi(name)) for place, name in marks]
    records = tagged_records([Document("110-01", "110", text)], [Layer.of("110-01", "ana", tags)])
    return [each for each in check_patient(records) if each.kind is FindingKind.OVERLAP]


def told(found: list[Finding]) -> list[tuple[str, str, object]]:
    fixes = [
        None if each.fix is None else [(span.start, span.end) for span, _ in each.fix]
        for each in found
    ]
    return [(each.text, each.type_name, fix) for each, fix in zip(found, fixes, strict=True)]


def test_tags_that_do_not_overlap() -> None:
    assert check((HOSPITAL, "HOSPITAL"), (LEE, "DOCTOR"), ((41, 42), "OTHER")) == []


@pytest.mark.parametrize("inner", [(8, 13), (14, 21), (22, 30)])
def test_a_twin_within_a_tag_of_its_type_goes(inner: tuple[int, int]) -> None:
    found = check((HOSPITAL, "HOSPITAL"), (inner, "HOSPITAL"))
    assert told(found) == [(TEXT[slice(*inner)], "HOSPITAL", [])]
    assert [each.certainty >= 0.5 for each in found] == [True]
    assert [(place.span.start, place.span.end) for place in found[0].tagged_at] == [HOSPITAL]


def test_a_tag_within_one_of_another_type_is_left_to_a_person() -> None:
    (found,) = check((HOSPITAL, "HOSPITAL"), ((8, 13), "ORGANIZATION"))
    assert told([found]) == [("Mercy", "ORGANIZATION", None)]
    assert (
        found.why == "this ORGANIZATION lies within a tag of type HOSPITAL; a release leaves it out"
    )


def test_of_two_types_that_cross_the_shorter_is_told() -> None:
    (found,) = check((HOSPITAL, "HOSPITAL"), ((22, 33), "CITY"))
    assert told([found]) == [("Hospital by", "CITY", None)]
    assert "overlaps" in found.why


def test_two_tags_of_one_type_that_cross_become_one() -> None:
    assert told(check(((8, 21), "HOSPITAL"), ((14, 30), "HOSPITAL"))) == [
        ("Mercy General", "HOSPITAL", [(8, 30)])
    ]


def test_two_types_on_one_stretch_are_asked_about() -> None:
    (found,) = check((HOSPITAL, "HOSPITAL"), (HOSPITAL, "ORGANIZATION"))
    assert (found.phi_type, found.fix) == (None, None)
    assert [each.phi_type.name for each in found.choices] == ["HOSPITAL", "ORGANIZATION"]
    assert found.why == "this is tagged as HOSPITAL and ORGANIZATION: which is right?"
    assert {each.places for each in found.choices} == {(found.place,)}


def test_of_two_types_on_one_stretch_that_stays_which_the_text_has_elsewhere() -> None:
    found = check((HOSPITAL, "HOSPITAL"), (HOSPITAL, "ORGANIZATION"), ((43, 65), "ORGANIZATION"))
    assert told(found) == [("Mercy General Hospital", "HOSPITAL", [])]


def test_three_types_on_one_stretch_are_one_finding() -> None:
    (found,) = check((LEE, "DOCTOR"), (LEE, "PATIENT"), (LEE, "CITY"))
    assert len(found.choices) == 3


def test_one_type_as_often_as_another_is_asked_about_at_each_place() -> None:
    source = "[Mercy Clinic|HOSPITAL] and [Mercy Clinic|ORGANIZATION]"
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert [(each.kind, each.fix, each.phi_type) for each in found] == [("types", None, None)] * 2
    here = found[0]
    assert [each.phi_type.name for each in here.choices] == ["HOSPITAL", "ORGANIZATION"]
    assert [each.places for each in here.choices] == [(found[0].place,), (found[1].place,)]
    assert (
        here.why
        == "this is tagged as HOSPITAL, the same text once as ORGANIZATION: which is right?"
    )


def test_short_names_of_institutions_are_of_one_type_only() -> None:
    source = "[MGH|HOSPITAL] and [MGH|ORGANIZATION]"
    assert len(check_patient(tagged_records([document(source)], [layer(source)]))) == 2


@pytest.mark.parametrize("source", ["[MI|STATE] and [MI|HOSPITAL]", "[May|DATE] and [May|PATIENT]"])
def test_a_text_that_may_mean_two_things_may_be_of_two_types(source: str) -> None:
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert [each for each in found if each.kind is FindingKind.TYPES] == []


def test_a_line_may_be_that_of_a_telephone_and_of_a_fax() -> None:
    source = (
        "tel. [413-555-0134|PHONE], fax [413-555-0134|FAX]. "
        "At [Mercy Clinic|HOSPITAL], [Mercy Clinic|ORGANIZATION]"
    )
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert {each.text for each in found if each.kind is FindingKind.TYPES} == {"Mercy Clinic"}
