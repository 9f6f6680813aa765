"""What is said to be tagged everywhere is so where a script has no blanks between words too."""

import pytest

from shared.consistency.across_patients import check_across
from shared.consistency.check import check_patient
from shared.consistency.findings import FindingKind
from shared.consistency.untagged_index import UntaggedIndex
from shared.model import MergedView
from tests.builders import document, layer, patient, tagged_records

TEXTS = [
    pytest.param("[王小明|PATIENT]。王小明先生于2071年入院", "王小明", id="Chinese"),
    pytest.param("[山田|PATIENT]さん。主治医は山田氏に説明した", "山田", id="Japanese"),
    pytest.param("[สมชาย|PATIENT] ผู้ป่วยสมชายมาพบแพทย์", "สมชาย", id="Thai"),
    pytest.param("[李明|DOCTOR]医生。李明于8月查房", "李明", id="two characters"),
]


@pytest.mark.parametrize(("source", "name"), TEXTS)
def test_the_check_finds_the_name_in_the_clause(source: str, name: str) -> None:
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    repeats = [each for each in found if each.kind is FindingKind.REPEAT]
    assert [each.text for each in repeats] == [name]
    assert repeats[0].certainty >= 0.5


@pytest.mark.parametrize(("source", "name"), TEXTS)
def test_what_is_kept_up_to_date_while_one_tags_finds_it(source: str, name: str) -> None:
    view = MergedView(patient(source))
    index = UntaggedIndex(view, layer(source).tags)
    assert [view.text[each.start : each.end] for each in index.places] == [name]


@pytest.mark.parametrize(
    ("said", "year"), [("患者于'99年因胸痛入院", "'99"), ("他在1980s开始吸烟", "1980s")]
)
def test_a_short_year_and_a_decade_are_found_in_the_clause(said: str, year: str) -> None:
    found = check_patient(tagged_records([document(said)], [layer(said)]))
    assert year in {each.text for each in found}


@pytest.mark.parametrize("name", ["王小明", "山田太郎", "สมชาย"])
def test_a_doctor_of_another_patient_is_found(name: str) -> None:
    sources = f"[{name}|DOCTOR]", f"于{name}医生"
    (found,) = check_across(
        [
            tagged_records([document(s, f"{n}-01")], [layer(s, f"{n}-01")])
            for n, s in enumerate(sources)
        ]
    )
    assert found.text == name


def test_no_rule_says_that_the_tag_cuts_a_word() -> None:
    source = "患者[王小明|PATIENT]先生"
    assert not check_patient(tagged_records([document(source)], [layer(source)]))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("病案号00478213。", "00478213"),
        ("病案号００４７８２１３。", "００４７８２１３"),
        ("邮箱a.lee@mercy.example联系", "a.lee@mercy.example"),
        ("于2071-05-03复查", "2071-05-03"),
        ("地址192.168.20.78号", "192.168.20.78"),
        ("电话020 7946 0958转", "020 7946 0958"),
        ("電話０２０-７９４６-０９５８まで", "０２０-７９４６-０９５８"),
        ("见https://mercy.example/p/7。", "https://mercy.example/p/7"),
    ],
)
def test_what_looks_like_phi_ends_where_a_clause_goes_on(source: str, text: str) -> None:
    found = check_patient(tagged_records([document(source)], [layer(source)]))
    assert [each.text for each in found if each.kind is FindingKind.LOOKALIKE] == [text]


def test_the_given_name_of_a_chinese_name_is_a_part_of_it_and_perhaps_a_word() -> None:
    source = "[王小明|PATIENT]。小明诉胸闷。"
    (found,) = check_patient(tagged_records([document(source)], [layer(source)]))
    assert (found.kind, found.text, found.certainty) == (FindingKind.NAME_PART, "小明", 0.5)
