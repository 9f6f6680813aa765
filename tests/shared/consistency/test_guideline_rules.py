"""The rules of the guidelines that a program can check."""

import pytest

from shared.consistency.guideline_rules import check_tag
from shared.consistency.rule_notes import GuidelineRule
from shared.language.ambiguity import is_generic_department
from shared.language.languages import language
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import marked_up, phi


def notes(source: str) -> list[tuple[str, list[tuple[str, str]] | None]]:
    text, tags = marked_up(source)
    return [
        (
            note.rule.value,
            None
            if note.fix is None
            else [(span.text_in(text), phi_type.name) for span, phi_type in note.fix],
        )
        for note in check_tag(text, tags[0], I2B2_2014)
    ]


@pytest.mark.parametrize(
    ("source", "rule", "fix"),
    [
        ("[Voss,|DOCTOR] RN", "edge", [("Voss", "DOCTOR")]),
        ("[ 5/9/07.|DATE]", "edge", [("5/9/07", "DATE")]),
        ("[--|OTHER]", "edge", []),
        ("退休[中学教师。|PROFESSION]出院后", "edge", [("中学教师", "PROFESSION")]),
        ("由[，李静|DOCTOR]医生", "edge", [("李静", "DOCTOR")]),
        ("担当は[山田太郎、|DOCTOR]と", "edge", [("山田太郎", "DOCTOR")]),
        ("رأى [أحمد حسن،|DOCTOR] المريض", "edge", [("أحمد حسن", "DOCTOR")]),
        ("vive en Madrid[¿|OTHER]", "edge", []),
        ("[Yama|PATIENT]moto", "cut-word", [("Yamamoto", "PATIENT")]),
        ("[Joan Hal-|PATIENT]\nversen", "broken-word", [("Joan Hal-\nversen", "PATIENT")]),
        ("[Joan Hal|PATIENT]-\n  versen", "broken-word", [("Joan Hal-\n  versen", "PATIENT")]),
        ("Hal-\n[versen|PATIENT]", "broken-word", [("Hal-\nversen", "PATIENT")]),
        ("[Smith|DOCTOR]-Jones", "broken-word", [("Smith-Jones", "DOCTOR")]),
        ("Smith-[Jones|DOCTOR]", "broken-word", [("Smith-Jones", "DOCTOR")]),
        ("[Bos-|CITY]\nton", "broken-word", [("Bos-\nton", "CITY")]),
        ("[March 3|DATE], 1997", "date-part", [("March 3, 1997", "DATE")]),
        ("March [3, 1997|DATE]", "date-part", [("March 3, 1997", "DATE")]),
        ("[spring|DATE] of 2071", "date-part", [("spring of 2071", "DATE")]),
        ("[08/14|DATE]/1950", "date-part", [("08/14/1950", "DATE")]),
        ("[12 de marzo|DATE] de 1997", "date-part", [("12 de marzo de 1997", "DATE")]),
        ("[Dr. Voss|DOCTOR]", "title", [("Voss", "DOCTOR")]),
        ("[Mrs Ann Voss|PATIENT]", "title", [("Ann Voss", "PATIENT")]),
        ("[Renata Voss, M.D.|DOCTOR]", "degree", [("Renata Voss", "DOCTOR")]),
        ("[Renata Voss RN, MPH|DOCTOR]", "degree", [("Renata Voss", "DOCTOR")]),
        ("[Voss's|DOCTOR] clinic", "possessive", [("Voss", "DOCTOR")]),
        ("[5/9/07 10:40 AM|DATE]", "time-of-day", [("5/9/07", "DATE")]),
        ("[May 9 at 10am|DATE]", "time-of-day", [("May 9", "DATE")]),
        ("[10:40 5/9/07|DATE]", "time-of-day", [("5/9/07", "DATE")]),
        ("[10:40|DATE]", "time-of-day", []),
        ("[Cardiology|DEPARTMENT]", "generic-department", []),
        ("[rvoss|USERNAME]", "username", [("rvoss", "DOCTOR")]),
        ("[27rv|USERNAME]", "username", None),
        ("MD number [31866|MEDICALRECORD]", "doctor-id", [("31866", "IDNUM")]),
        (
            "[12 Pell Road, Arden, VT 05999|STREET]",
            "address",
            [("12 Pell Road", "STREET"), ("Arden", "CITY"), ("VT", "STATE"), ("05999", "ZIP")],
        ),
        (
            "[12 Pell Road, Apt. 4\nArden, Vermont|LOCATION-OTHER]",
            "address",
            [("12 Pell Road, Apt. 4", "STREET"), ("Arden", "CITY"), ("Vermont", "STATE")],
        ),
        ("[Arden, VT|CITY]", "address", [("Arden", "CITY"), ("VT", "STATE")]),
    ],
)
def test_a_rule_that_is_broken(source: str, rule: str, fix: object) -> None:
    found = notes(source)
    assert rule in [name for name, _ in found]
    assert dict(found)[rule] == fix


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("27rv", "a USERNAME is initials and digits"),
        ("rvossen86", "a USERNAME is initials and digits"),
        (
            "rvoss",
            "a USERNAME is initials and digits; a log-in name of letters alone is a DOCTOR",
        ),
    ],
)
def test_a_user_name_is_told_what_is_true_of_it(name: str, why: str) -> None:
    text, (tag,) = marked_up(f"[{name}|USERNAME]")
    assert [each.why for each in check_tag(text, tag, I2B2_2014)] == [why]


@pytest.mark.parametrize(
    "source",
    [
        "[Renata Voss|DOCTOR], M.D.",
        "[J.|PATIENT] and [R. B.|PATIENT]",
        "[Halversen, Joan A.|PATIENT]",
        "[Jones|PATIENT]' room",
        "[Smith|DOCTOR]-MD",
        "[Boston|CITY]-\nbased care, based here",
        "[May 3|DATE], 20 mg",
        "[Tuesday|DATE] 5/9/2007",
        "['67|DATE]",
        "['60s|DATE]",
        "[the '90's|DATE]",
        "[Tuesday, April 17|DATE]",
        "Since[4/17/68|DATE]",
        "[(555) 013-4477|PHONE]",
        "[(08842|PHONE]) 99728",
        "[+49(0)5691 385269|PHONE]",
        "[12 Pell Road, Apt. 4|STREET]",
        "[P.O. Box 88|STREET]",
        "[12\nPell Road|STREET]",
        "[New York|CITY]",
        "[Washington|CITY]",
        "[Lindqvist Stroke Unit|DEPARTMENT]",
        "[St. Mary's|HOSPITAL]",
        "[rv27|USERNAME]",
        "MD number [31866|IDNUM]",
        "DEA number [A31866|LICENSE]",
        "[www.arden.example/|URL]",
        "[KL|DOCTOR]Focus",
        "[-22-76|MEDICALRECORD]",
        "[Dr|DOCTOR]",
        'the [Hospital General "San Carlos"|HOSPITAL] there',
        "[EE.UU.|COUNTRY]",
        "since[winter '68|DATE]",
    ],
)
def test_what_the_guidelines_allow(source: str) -> None:
    assert notes(source) == []


@pytest.mark.parametrize(
    "name",
    [
        "Cardiology",
        "the ICU",
        "Emergency Dept.",
        "EMERGENCY DEPARTMENT",
        "department of surgery",
        "Hematology",
        "Pediatric Intensive Care Unit",
        "ENT",
        "Psychiatric unit",
    ],
)
def test_departments_that_every_hospital_has(name: str) -> None:
    assert is_generic_department(name)


@pytest.mark.parametrize("name", ["Blue Team", "Lindqvist Stroke Unit", "unit", "", "Ward 6"])
def test_departments_with_a_name_of_their_own(name: str) -> None:
    assert not is_generic_department(name)


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ({"DOCTOR": 1}, []),
        ({"DOCTOR": 1, "PATIENT": 3}, ["PATIENT"]),
        ({"DOCTOR": 3, "PATIENT": 1}, [None]),
        ({"DOCTOR": 1, "PATIENT": 2, "DATE": 2}, [None]),
        ({"DOCTOR": 1, "DATE": 2, "PATIENT": 3}, ["PATIENT"]),
    ],
)
def test_two_types_on_the_same_text(types: dict[str, int], expected: list[str | None]) -> None:
    text, (tag,) = marked_up("[Okafor|DOCTOR]")
    found = check_tag(text, tag, I2B2_2014, {phi(name): times for name, times in types.items()})
    assert [each.rule for each in found] == [GuidelineRule.TWO_TYPES] * len(expected)
    assert [each.fix[0][1].name if each.fix else None for each in found] == expected


def test_no_note_holds_text_of_the_record() -> None:
    text, tags = marked_up("[Dr. Quillfeather's,|DOCTOR] [Quillfeather Road 1, Arden, VT|STREET]")
    whys = [note.why for tag in tags for note in check_tag(text, tag, I2B2_2014)]
    assert whys
    assert not any("uillfeather" in why or "Arden" in why for why in whys)


def test_one_time_is_once() -> None:
    text, (tag,) = marked_up("[Okafor|DOCTOR]")
    (note,) = check_tag(text, tag, I2B2_2014, {phi("DOCTOR"): 1, phi("PATIENT"): 2})
    assert note.why == "the same text is tagged once as DOCTOR, 2 times otherwise"


def test_a_street_with_its_number_is_no_city_with_its_postal_code() -> None:
    text, (tag,) = marked_up("wohnhaft [Döhngasse 9640|STREET], 05323 Dieburg")
    assert list(check_tag(text, tag, I2B2_2014, language=language("de"))) == []
    text, (tag,) = marked_up("wohnhaft [Dieburg 9640|CITY]")
    assert [note.rule for note in check_tag(text, tag, I2B2_2014, language=language("de"))] == [
        "address"
    ]
