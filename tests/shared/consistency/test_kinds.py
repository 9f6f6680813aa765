"""Every kind of finding, each by a hand-made record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.consistency.check import check_patient
from shared.consistency.findings import ALL_KINDS, TAG_KINDS, Finding, FindingKind
from shared.consistency.patient_records import PatientRecords
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import document, layer, phi, tagged_records


def check(*sources: str, certainty: float = 0.5) -> tuple[Finding, ...]:
    ids = [f"110-{number:02}" for number in range(1, len(sources) + 1)]
    pairs = list(zip(sources, ids, strict=True))
    return check_patient(
        tagged_records([document(*each) for each in pairs], [layer(*each) for each in pairs]),
        certainty=certainty,
    )


def test_the_form_of_a_phone_number_is_that_of_its_language() -> None:
    english, spanish = "The patient had 800-1000 with her meals", "Tomaba 800-1000 con la comida"
    found = [check(english), check(spanish)]
    assert [[each.text for each in some] for some in found] == [["800-1000"], []]


def test_a_genitive_without_an_apostrophe_is_found_in_a_language_that_has_it() -> None:
    source = "Frau [Müller|PATIENT] kam. Müllers Mann brachte sie, die Müllersche nicht."
    found = check_patient(
        PatientRecords([document(source)], [layer(source)], I2B2_2014, "de"), certainty=0.5
    )
    assert [(each.kind, each.text) for each in found] == [("possessive", "Müllers")]


def test_a_label_is_no_misspelt_name() -> None:
    source = "Vive en la [Calle Departamentos 3|STREET].\n{}: Urología"
    found = [
        check_patient(PatientRecords([document(one)], [layer(one)], I2B2_2014, "es"), certainty=0.5)
        for one in (source.format("Departamento"), source.format("Departamentas"))
    ]
    assert [[each.text for each in some] for some in found] == [[], ["Departamentas"]]


def told(*sources: str, certainty: float = 0.5) -> list[tuple[str, str, str]]:
    return [
        (each.kind.value, each.text, each.phi_type.name)
        for each in check(*sources, certainty=certainty)
    ]


@pytest.mark.parametrize(
    ("kind", "source", "text", "name"),
    [
        ("repeat", "[Yamamoto|DOCTOR] saw Yamamoto.", "Yamamoto", "DOCTOR"),
        ("possessive", "[Yamamoto|DOCTOR] in Yamamoto's room", "Yamamoto", "DOCTOR"),
        ("line-end", "[Mercy Clinic|HOSPITAL] or Mercy\n Clinic", "Mercy\n Clinic", "HOSPITAL"),
        ("line-end", "[Yamamoto|DOCTOR] and Yama-\nmoto.", "Yama-\nmoto", "DOCTOR"),
        ("other-case", "[Yamamoto|DOCTOR] is YAMAMOTO", "YAMAMOTO", "DOCTOR"),
        ("name-part", "[Kai Yamamoto|PATIENT], then Yamamoto", "Yamamoto", "PATIENT"),
        ("name-part", "[YAMAMOTO,KAI|PATIENT], then Kai", "Kai", "PATIENT"),
        ("name-order", "[Kai Yamamoto|PATIENT], YAMAMOTO,KAI", "YAMAMOTO,KAI", "PATIENT"),
        ("initials", "[Kai Yamamoto|PATIENT], K. Yamamoto", "K. Yamamoto", "PATIENT"),
        ("initials", "[Kai Yamamoto|DOCTOR] by kyamamoto", "kyamamoto", "DOCTOR"),
        ("near-spelling", "[Marissa|PATIENT] and Marrisa", "Marrisa", "PATIENT"),
        ("near-spelling", "[Marissa Okafor|PATIENT], Marissa Okfor", "Marissa Okfor", "PATIENT"),
        ("other-format", "[05/20/07|DATE], on May 20, 2007", "May 20, 2007", "DATE"),
        ("other-format", "[05/20/07|DATE], on May\n20, 2007", "May\n20, 2007", "DATE"),
        ("other-format", "[2070-05-01|DATE], 于2070年5月1日", "2070年5月1日", "DATE"),
        ("other-format", "[2070-05-01|DATE], في 1 مايو 2070", "1 مايو 2070", "DATE"),
        ("other-format", "[617-555-0143|PHONE] (617) 555-0143", "(617) 555-0143", "PHONE"),
        ("other-format", "[833-12-06-0|MEDICALRECORD] 83312060", "83312060", "MEDICALRECORD"),
        ("lookalike", "Call (617) 555-0143.", "(617) 555-0143", "PHONE"),
        ("lookalike", "Write dag@post.example.", "dag@post.example", "EMAIL"),
        ("lookalike", "See https://post.example/a.", "https://post.example/a", "URL"),
        ("lookalike", "From 192.0.2.17 only", "192.0.2.17", "IPADDR"),
        ("lookalike", "SSN 900-12-3456", "900-12-3456", "SSN"),
        ("lookalike", "Seen 5/20/2007", "5/20/2007", "DATE"),
        ("lookalike", "in 2007, well", "2007", "DATE"),
        ("lookalike", "on Tuesday", "Tuesday", "DATE"),
        ("lookalike", "A 53 year old man", "53", "AGE"),
        ("lookalike", "Age: 53", "53", "AGE"),
        ("lookalike", "MRN: 833-12-06", "833-12-06", "MEDICALRECORD"),
        ("lookalike", "Accession #: J48-6029", "J48-6029", "IDNUM"),
        ("lookalike", "pager 31415", "31415", "PHONE"),
        ("types", "[Lee|PATIENT] [Lee|PATIENT] [Lee|DOCTOR]", "Lee", "PATIENT"),
        ("extents", "[Mercy Hospital|HOSPITAL], [Mercy|HOSPITAL] Hospital", "Mercy", "HOSPITAL"),
        ("boundary", "[Yamamoto,|PATIENT] well", "Yamamoto,", "PATIENT"),
        ("boundary", "[Yamam|PATIENT]oto", "Yamam", "PATIENT"),
        ("guideline", "[Dr. Yamamoto|DOCTOR] saw", "Dr. Yamamoto", "DOCTOR"),
    ],
)
def test_a_finding_of_each_kind(kind: str, source: str, text: str, name: str) -> None:
    assert told(source) == [(kind, text, name)]


@pytest.mark.parametrize(
    "source",
    [
        "[53|AGE] years old, sat 53%, HR 53, 53 mg, 4.53, 53/80",
        "on [2/2|DATE], anemia 2/2 blood loss, strength 5/5",
        "Dr. [Graves|DOCTOR], Graves' disease, a Foley, no Babinski",
        "Dr. [Long|DOCTOR], long acting insulin",
        "[Kai Yamamoto|PATIENT] KY jelly, ky",
        "[MI|STATE], acute MI",
        "[Alan Walker|PATIENT] with a walker",
        "[Marissa|PATIENT] and massive and Mission",
        "[123456|IDNUM] 123457, 1234567-8",
        "[Boston, MA|OTHER]",
        "BP 120/80, T 98.6, 1/2 tablet, 24/7, 3.5 x 32 mm",
        "",
    ],
)
def test_what_is_something_else_is_left_alone(source: str) -> None:
    assert told(source) == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("[53|AGE] years old, sat 53%", "53"),
        ("[Kai Yamamoto|PATIENT] KY", "KY"),
        ("[Dr. Graves|OTHER] [Graves|DOCTOR], Graves' disease", "Graves"),
    ],
)
def test_the_unlikely_are_told_on_request(source: str, text: str) -> None:
    found = check(source, certainty=0)
    assert [each.text for each in found if each.certainty < 0.5] == [text]


def test_a_title_makes_a_short_near_name_likely() -> None:
    assert told("[Shaw|DOCTOR], Shwa") == []
    assert told("[Shaw|DOCTOR], Dr. Shwa") == [("near-spelling", "Shwa", "DOCTOR")]


def test_a_word_that_is_written_small_elsewhere_is_no_misspelling() -> None:
    assert told("[Harmon|PATIENT]. Hormon", "hormon") == []


def test_accents_that_are_left_out() -> None:
    assert told("[Muñoz|PATIENT], Munoz") == [("near-spelling", "Munoz", "PATIENT")]


def test_other_dates_tell_how_to_read_one() -> None:
    source = "[02/03/07|DATE], {} February 3, 2007"
    sure, open_ = (
        next(each for each in check(source.format(some)) if each.text.startswith("Feb"))
        for some in ("[2/28/07|DATE]", "")
    )
    assert sure.certainty > open_.certainty
    assert "in one of two ways" in open_.why


def test_the_longest_and_surest_of_overlapping_places() -> None:
    found = told("[Kai Yamamoto|PATIENT] [Yamamoto|PATIENT] Kai Yamamoto")
    assert found == [("repeat", "Kai Yamamoto", "PATIENT")]


def test_two_extents_are_mended_to_the_longer() -> None:
    (found,) = check("[Kai Lee|PATIENT]. [Kai|PATIENT] Lee, [Kai Lee|PATIENT]")
    assert found.fix is not None
    assert [(span.start, span.end) for span, _ in found.fix] == [(9, 16)]


def test_two_types_are_mended_to_the_usual_one() -> None:
    (found,) = check("[Okafor|DOCTOR] [Okafor|DOCTOR]", "[Okafor|PATIENT]")
    assert (found.record_id, found.fix) == ("110-02", ((found.span, phi("DOCTOR")),))


def test_only_the_kinds_that_are_asked_for() -> None:
    source = "[Kai Yamamoto|PATIENT] Yamamoto, Kai Yamamoto, (617) 555-0143"
    for kind in ALL_KINDS:
        found = check_patient(tagged_records([document(source)], [layer(source)]), {kind})
        assert {each.kind for each in found} <= {kind}


sources = st.lists(
    st.sampled_from(
        "[Kai Lee|PATIENT] [Lee|DOCTOR] Kai Lee LEE,KAI K. Lee's [5/20/07|DATE] May 20, 2007 5/20 "
        "[53|AGE] 53 yo 53% [555-014-3000|PHONE] 5550143000 Dr. [Mercy Clinic|HOSPITAL] Mercy "
        "clinic [Dr. Voss,|DOCTOR] Vsos \n".split(" ")
    ),
    max_size=25,
).map(" ".join)


@given(sources)
def test_findings_are_sound_whatever_the_record(source: str) -> None:
    text, tags = document(source).text, layer(source).tags
    found = check(source, certainty=0)
    spans = {tag.span for tag in tags}
    for each in found:
        assert each.span.text_in(text) == each.text
        assert 0 <= each.certainty <= 1
        assert each.text not in each.why or len(each.text) < 5
        touched = any(each.span.overlaps(span) for span in spans)
        assert each.span in spans if each.kind in TAG_KINDS else not touched
    untagged = [each.span for each in found if each.kind not in TAG_KINDS]
    assert not any(
        one.overlaps(other) for at, one in enumerate(untagged) for other in untagged[:at]
    )
    kinds = {each.kind for each in found}
    assert kinds <= set(FindingKind)


def test_a_person_may_be_called_what_institutions_are_called_too() -> None:
    person = "[Amos Trucking|PATIENT] came. Later Trcuking left."
    assert told(person) == [("near-spelling", "Trcuking", "PATIENT")]
    assert told(person.replace("PATIENT", "ORGANIZATION")) == []
